/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight-dump.h"
#include "dat-writer.h"
#include "record-folder.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

/* formats, and the symbols of the kernel */
static const guint64 metadata_bytes = 32 << 20;

static gboolean check_space(const struct rec_dump_order *order, GError **error)
{
	guint64 need = rec_ring_bytes(order->ring) + metadata_bytes;
	guint64 left = rec_folder_free(order->folder);
	g_autofree char *left_text = iot_format_size(left), *need_text = iot_format_size(need);

	if (left >= need)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
		    "only %s are free in %s, and a dump may need %s: make room; the ring still "
		    "holds its events",
		    left_text, order->folder, need_text);
	return FALSE;
}

/* Consume the ring while it stands still. */
static gboolean take_pages(const struct rec_dump_order *order, struct rec_dat_writer *writer,
			   struct rec_dump *dump, GError **error)
{
	gboolean ok;

	if (rec_ring_is_on(order->ring)) {
		dump->gap_begin_ns = rec_ring_clock();
		rec_ring_off(order->ring);
	}
	rec_ring_measure(order->ring);
	dump->complete_ns = rec_ring_since(order->ring);
	ok = rec_dat_pages(writer, order->ring->instance, error);
	rec_ring_clear(order->ring);
	rec_ring_on(order->ring);
	dump->gap_end_ns = rec_ring_clock();
	return ok;
}

static gboolean write_recording(const struct rec_dump_order *order, const char *folder,
				struct rec_dump *dump, GError **error)
{
	g_autofree char *path = g_build_filename(folder, order->plan->here->file, NULL);
	g_autoptr(GPtrArray) names = rec_wanted_on(order->plan->wanted, order->plan->here);
	struct rec_dat_writer *writer;
	gboolean ok;

	writer = rec_dat_new(path, names, error);
	ok = writer && take_pages(order, writer, dump, error) &&
	     rec_dat_finish(writer, order->ring->instance, error);
	rec_dat_free(writer);
	return ok;
}

static void describe(const struct rec_dump_order *order, const char *folder, struct rec_dump *dump,
		     char **out_verdict)
{
	g_autoptr(GPtrArray) machines = rec_plan_machines(order->plan);
	g_autoptr(GPtrArray) verdicts =
		g_ptr_array_new_with_free_func((GDestroyNotify)rec_verdict_free);
	struct rec_verdict *verdict = rec_judge(order->plan, order->plan->here, folder);
	struct rec_session_result result = { .begin = order->begin,
					     .end = g_date_time_new_now_local() };
	struct rec_description description = {
		.plan = order->plan,
		.command = order->command,
		.machines = machines,
		.verdicts = verdicts,
		.result = &result,
		.status = verdict->grade == REC_GOOD ? 0 : 4,
		.verdict = verdict->sentence,
		.dump = dump,
	};
	g_autoptr(GError) error = NULL;

	g_ptr_array_add(verdicts, verdict);
	/* an event stopped the ring: it is the last one */
	if (!dump->gap_begin_ns)
		dump->gap_begin_ns = verdict->last_ns;
	/* earlier events are in the dump before, or before the flight */
	if (!dump->complete_ns)
		dump->complete_ns = verdict->first_ns;
	*out_verdict = g_strdup(verdict->sentence);
	if (!rec_describe(&description, folder, &error)) {
		g_free(*out_verdict);
		*out_verdict = g_strdup(error->message);
	}
	g_date_time_unref(result.end);
}

char *rec_dump_make(const struct rec_dump_order *order, char **out_verdict, GError **error)
{
	g_autofree char *name = g_strdup_printf("dump-%u", order->number);
	g_autofree char *wanted = g_build_filename(order->folder, name, NULL), *folder = NULL;
	struct rec_dump dump = { .number = order->number, .reason = order->reason };

	rec_ring_measure(order->ring);
	folder = check_space(order, error) ? rec_folder_make(wanted, error) : NULL;
	if (folder && write_recording(order, folder, &dump, error)) {
		describe(order, folder, &dump, out_verdict);
		rec_folder_own(folder);
		return g_steal_pointer(&folder);
	}
	if (folder)
		rec_folder_discard(folder);
	rec_ring_on(order->ring);
	return NULL;
}
