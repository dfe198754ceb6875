/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of the reading loops: three fields of each event that the models use. All loops print the same
 * lines for the same files, so the benchmark can check that they did the same work.
 */
#ifndef IOT_PERF_LOOP_H
#define IOT_PERF_LOOP_H

#include <glib.h>

enum { LOOP_FIELDS = 3 };

static const struct loop_event {
	const char *system, *name, *field[LOOP_FIELDS];
} loop_events[] = {
	{ "dlm", "dlm_lock_start", { "ls_id", "lkb_id", "mode" } },
	{ "dlm", "dlm_lock_end", { "ls_id", "lkb_id", "error" } },
	{ "dlm", "dlm_unlock_start", { "ls_id", "lkb_id", "flags" } },
	{ "dlm", "dlm_unlock_end", { "ls_id", "lkb_id", "error" } },
	{ "dlm", "dlm_ast", { "ls_id", "lkb_id", "sb_status" } },
	{ "dlm", "dlm_bast", { "ls_id", "lkb_id", "mode" } },
	{ "iotrace", "read_start", { "id", "pos", "len" } },
	{ "iotrace", "read_end", { "id", "ret", "pos" } },
	{ "iotrace", "write_start", { "id", "pos", "len" } },
	{ "iotrace", "write_end", { "id", "ret", "pos" } },
	{ "iotrace", "sync_start", { "id", "pos", "len" } },
	{ "iotrace", "sync_end", { "id", "ret", "pos" } },
	{ "mpi", "state_start", { "id", "rank", "thread" } },
	{ "mpi", "state_end", { "id", "rank", "thread" } },
	{ "mpi", "send", { "id", "peer", "size" } },
	{ "mpi", "receive", { "id", "peer", "size" } },
};

struct loop_sums {
	guint64 events, chosen;		/* all records, and the events of the table above */
	gint64 field[LOOP_FIELDS];
	guint64 ts;			/* of the chosen ones, corrected */
};

/* Overflow is fine: sums are compared, not used. */
static inline void loop_add(struct loop_sums *sums, guint64 ts, const gint64 value[LOOP_FIELDS])
{
	sums->chosen++;
	sums->ts += ts;
	for (int i = 0; i < LOOP_FIELDS; i++)
		sums->field[i] = (guint64)sums->field[i] + (guint64)value[i];
}

static inline void loop_print(const struct loop_sums *sums, gint64 start_us)
{
	double seconds = (g_get_monotonic_time() - start_us) / 1e6;

	g_print("events %" G_GUINT64_FORMAT "\nchosen %" G_GUINT64_FORMAT "\nts %" G_GUINT64_FORMAT "\n",
		sums->events, sums->chosen, sums->ts);
	for (int i = 0; i < LOOP_FIELDS; i++)
		g_print("sum%d %" G_GINT64_FORMAT "\n", i, sums->field[i]);
	g_printerr("%.3f s, %.0f events/s\n", seconds, sums->events / seconds);
}

#endif
