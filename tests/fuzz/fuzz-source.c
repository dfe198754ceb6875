/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz-source.h"
#include "base/error.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MAX_RECORDS = 1 << 20,		/* of a file of some KiB: more means an endless loop */
	MAX_EMPTY = 1 << 10,		/* batches without a record, likewise */
	INPUT = 3,
	FIRST_RUN = 7,
};

/* Events of the seeds, and some others. */
static const struct {
	const char *system, *name, *fields[9];
} wanted[] = {
	{ "dlm",
	  "dlm_lock_start",
	  { "ls_id", "lkb_id", "mode", "flags", "res_name", "common_pid" } },
	{ "dlm", "dlm_lock_end", { "ls_id", "lkb_id", "mode", "flags", "error", "res_name" } },
	{ "dlm", "dlm_unlock_start", { "ls_id", "lkb_id", "flags" } },
	{ "dlm", "dlm_unlock_end", { "ls_id", "lkb_id", "flags", "error", "nothing" } },
	{ "dlm", "dlm_ast", { "ls_id", "lkb_id", "sb_flags", "sb_status", "res_name" } },
	{ "dlm", "dlm_bast", { "ls_id", "lkb_id", "mode", "res_name" } },
	{ "iotrace", "io_start", { "id", "op", "size", "offset", "path", "node", "pid", "fd" } },
	{ "iotrace", "io_end", { "id", "ret" } },
	{ "iotrace", "open_start", { "id", "path", "fd", "flags", "ino", "tgid", "common_pid" } },
	{ "iotrace", "open_end", { "id", "ret", "ino", "path" } },
	{ "iotrace", "read_start", { "id", "ino", "pos", "len", "op" } },
	{ "iotrace", "read_end", { "id", "ret", "pos" } },
	{ "iotrace", "write_start", { "id", "ino", "pos", "len", "op" } },
	{ "iotrace", "lock_start", { "id", "type", "wait", "start", "len", "whence" } },
	{ "iotrace", "task", { "tgid", "comm" } },
	{ "iotrace", "file", { "ino", "path" } },
	{ "iotrace", "stdio_start", { "id", "path", "op", "fd" } },
	{ "iotrace", "stdio_end", { "id", "ret", "len" } },
	{ "iotrace", "sent", { "first", "scope", "from", "to" } },
	{ "iotrace", "received", { "first", "scope", "from", "to" } },
	{ "ganglia", "sample", { "cluster", "host", "group", "metric", "title", "period" } },
	{ "ganglia", "value", { "host", "metric", "units", "value", "common_pid" } },
	{ "ganglia", "gap", { "host", "metric", "real", "what" } },
	{ "ganglia", "unknown", { "metric", "real" } },
	{ "ganglia", "host_note", { "cluster", "host", "what" } },
	{ "slurm",
	  "job_start",
	  { "id", "job", "title", "state", "exit", "hosts", "n_hosts", "failed" } },
	{ "slurm", "job_end", { "id" } },
	{ "slurm",
	  "host_step_start",
	  { "id", "job", "step", "host", "name", "user", "partition" } },
	{ "slurm", "wait_start", { "id", "job" } },
	{ "mpi", "state_start", { "rank", "thread", "row", "id", "user", "name", "values" } },
	{ "mpi", "state_end", { "rank", "thread", "id", "user", "values" } },
	{ "mpi", "event", { "rank", "row", "name", "values", "common_pid" } },
	{ "mpi", "send", { "rank", "row", "id", "peer", "comm", "tag", "size" } },
	{ "mpi", "receive", { "rank", "row", "id", "peer", "comm", "tag", "size" } },
	{ "sched",
	  "sched_switch",
	  { "prev_comm", "prev_pid", "prev_state", "next_comm", "next_pid" } },
	{ "", "a", { "b", "c" } },
};

static struct iot_schema *make_schema(void)
{
	struct iot_schema *schema = iot_schema_new();

	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
		struct iot_schema_event *event =
			iot_schema_event(schema, wanted[i].system, wanted[i].name);

		for (guint f = 0; wanted[i].fields[f]; f++)
			iot_schema_field(event, wanted[i].fields[f], FALSE, "fuzz");
	}
	return schema;
}

/* State of a run while it is read. */
struct run_check {
	guint64 last_ts;
	guint64 begin_ns;	/* end_ns of the last batch: no record before it */
	guint64 n;		/* records that are no gaps */
	guint n_empty;		/* batches without a record, that many by now */
	gboolean in_gap;	/* the last record was GAP_BEGIN */
	guint64 gap_end, lost;	/* values of GAP_BEGIN */
};

static void check_gap(struct run_check *check, const struct iot_rec *rec)
{
	CHECK(rec->event->n_slots == IOT_GAP_SLOTS);
	if (rec->event->index == IOT_EVENT_GAP_BEGIN) {
		CHECK(!check->in_gap);
		check->in_gap = TRUE;
		check->gap_end = rec->slot[IOT_GAP_OTHER_END].u;
		check->lost = rec->slot[IOT_GAP_LOST].u;
		CHECK(check->gap_end >= rec->ts);
		return;
	}
	CHECK(rec->event->index == IOT_EVENT_GAP_END);
	CHECK(check->in_gap);
	CHECK(rec->ts == check->gap_end);
	CHECK(rec->slot[IOT_GAP_OTHER_END].u == check->last_ts);
	CHECK(rec->slot[IOT_GAP_LOST].u == check->lost);
	check->in_gap = FALSE;
}

static void check_slots(const struct iot_rec *rec, const struct iot_intern *strings)
{
	for (guint i = 0; i < rec->event->n_slots; i++) {
		guint64 v = rec->slot[i].u;
		gsize len;

		switch (rec->event->slot_type[i]) {
		case IOT_SLOT_ABSENT:
			CHECK(v == 0);
			break;
		case IOT_SLOT_STR:
			CHECK(v < iot_intern_count(strings));
			CHECK(iot_intern_get(strings, (guint32)v, &len)[len] == 0);
			break;
		default:
			CHECK(rec->event->slot_type[i] <= IOT_SLOT_STR);
		}
	}
}

static void check_record(struct run_check *check, const struct iot_rec *rec, guint run,
			 const struct iot_schema *schema, const struct iot_intern *strings)
{
	CHECK(rec->run == FIRST_RUN + run);
	CHECK(rec->event->input == INPUT);
	CHECK(rec->ts >= check->last_ts && rec->ts >= check->begin_ns);
	CHECK(rec->ts <= G_MAXINT64);
	if (rec->event->index >= IOT_EVENT_GAP_BEGIN) {
		check_gap(check, rec);
	} else {
		CHECK(!check->in_gap);
		CHECK(rec->event->index < schema->events->len);
		check->n++;
	}
	check_slots(rec, strings);
	check->last_ts = rec->ts;
}

/* FALSE if the run ended with an error, which an error of the system may be. */
static gboolean read_run(struct iot_source *src, guint run, struct iot_batch *batch,
			 const struct iot_schema *schema, guint64 *n)
{
	struct run_check check = { 0 };
	g_autoptr(GError) error = NULL;
	enum iot_next next;

	while ((next = src->ops->read(src, run, batch, &error)) == IOT_NEXT_OK) {
		const struct iot_rec *rec = iot_batch_first(batch);

		CHECK(!error);
		for (; !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec))
			check_record(&check, rec, run, schema, src->ops->strings(src, run));
		CHECK(check.n < MAX_RECORDS);
		check.n_empty += !batch->n;
		CHECK(check.n_empty < MAX_EMPTY);
		/* an end_ns of 0 promises nothing */
		CHECK(!batch->end_ns || batch->end_ns >= check.begin_ns);
		check.begin_ns = batch->end_ns;
	}
	*n += check.n;
	CHECK((next == IOT_NEXT_ERROR) == (error != NULL));
	if (next == IOT_NEXT_ERROR)
		return FALSE;
	CHECK(!check.in_gap || check.gap_end == G_MAXUINT64);
	CHECK(src->ops->read(src, run, batch, &error) == IOT_NEXT_END);
	return TRUE;
}

static void read_all(struct iot_source *src, const struct iot_schema *schema)
{
	struct iot_batch *batch = iot_batch_new(1000, NULL);	/* small: many borders */
	struct iot_input_info info;
	guint64 n = 0;

	for (guint run = 0; run < src->ops->n_runs(src); run++)
		if (!read_run(src, run, batch, schema, &n))
			break;
	iot_batch_free(batch);
	src->ops->describe(src, &info);
	CHECK(n <= info.n_events);
	CHECK(info.path && info.format && info.file_name && info.diag && info.systems);
	CHECK(!info.has_times || info.first_ns <= info.last_ns || info.damaged ||
	      info.diag->count[IOT_DIAG_clock_stepped_back]);
	(void)src->ops->progress(src);
}

void fuzz_source(const struct iot_source_ops *ops, const guint8 *data, gsize len)
{
	g_autoptr(iot_schema) schema = make_schema();
	g_autoptr(GError) error = NULL;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	struct iot_input_spec spec = { .path = path, .input = INPUT, .first_run = FIRST_RUN };
	struct iot_source *src;

	CHECK(fd >= 0 && write(fd, data, len) == (gssize)len);
	src = ops->open(&spec, &error);
	CHECK((src == NULL) == (error != NULL));
	if (src && ops->bind(src, schema, &error))
		read_all(src, schema);
	if (error)
		CHECK(error->domain == IOT_ERROR && error->code != IOT_ERROR_INTERNAL &&
		      *error->message);
	ops->close(src);
	close(fd);
}
