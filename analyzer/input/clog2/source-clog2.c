/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of CLOG2 files, which MPE writes of MPI programs: events of system "mpi"
 * (clog2-events.h), for the model mpi. Such a file is the log of all ranks of one program, merged
 * by time, so it has one run. Its times are seconds since the start of the program; no date is in
 * it.
 */
#include <string.h>

#include "base/error.h"
#include "input/clog2/clog2-events.h"
#include "input/made-source.h"

struct clog2_source {
	struct iot_made_source own;
	struct iot_clog2_file *file;
	struct iot_clog2_defs *defs;
	struct iot_clog2_events *events;
	gboolean gap; /* records are missing since the last event */
};

static const char system_name[] = "mpi";
static const char clock_name[] = "program";

static gboolean take_record(struct iot_source *base, GError **error);

/* --- open and close --- */

static int clog2_probe(const char *path, const guint8 *head, gsize len)
{
	gsize n = strlen(IOT_CLOG2_MAGIC);

	(void)path;
	return len >= n && !memcmp(head, IOT_CLOG2_MAGIC, n) ? 100 : 0;
}

static void clog2_close(struct iot_source *base)
{
	struct clog2_source *src = (struct clog2_source *)base;

	if (!src)
		return;
	iot_clog2_events_free(src->events);
	iot_clog2_defs_free(src->defs);
	iot_clog2_free(src->file);
	iot_made_source_clear(&src->own);
	g_free(src);
}

/* Times of this program have no sign: a log that begins before its start counts from its first
 * event. */
static guint64 corrected(const struct clog2_source *src, gint64 ns)
{
	return iot_made_source_correct(&src->own, (guint64)(ns - MIN(src->defs->first_ns, 0)));
}

static char *describe_format(const struct clog2_source *src)
{
	const struct iot_clog2_preamble *preamble = &src->file->preamble;

	return g_strdup_printf(
		"CLOG-02.44, %s endian, %u rank%s%s%s%s", preamble->big_endian ? "big" : "little",
		preamble->n_ranks, preamble->n_ranks == 1 ? "" : "s",
		preamble->merged ? "" : ", not merged",
		src->defs->first_ns < 0 ? ", begins before the program" : "",
		iot_source_complete(preamble->merged, preamble->merged && !src->defs->cut));
}

/* The definitions first: the file is read twice. */
static gboolean read_defs(struct clog2_source *src, GError **error)
{
	src->defs = iot_clog2_defs_read(src->file, src->own.strings, error);
	if (!src->defs)
		return FALSE;
	iot_clog2_rewind(src->file);
	src->events = iot_clog2_events_new(src->defs, src->own.strings, &src->own.diag);
	src->own.first_ns = src->own.made->now_ns = corrected(src, src->defs->first_ns);
	src->own.last_ns = corrected(src, src->defs->last_ns);
	src->own.format = describe_format(src);
	iot_diag_add(&src->own.diag, IOT_DIAG_file_cut, src->defs->cut);
	iot_diag_add(&src->own.diag, IOT_DIAG_blocks_skipped, src->defs->n_skipped);
	iot_diag_add(&src->own.diag, IOT_DIAG_event_undefined, src->defs->n_unnamed);
	return TRUE;
}

static struct iot_source *clog2_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_clog2_file *file = iot_clog2_open(spec->path, error);
	struct clog2_source *src;

	if (!file)
		return NULL;
	src = g_new0(struct clog2_source, 1);
	iot_made_source_init(&src->own, &iot_source_clog2, &iot_clog2_kinds, clock_name, spec,
			     take_record);
	src->file = file;
	src->own.file_name = iot_source_file_name(spec->path);
	if (read_defs(src, error))
		return &src->own.base;
	clog2_close(&src->own.base);
	return NULL;
}

/* --- bind --- */

/* --- read --- */

/* The event of the next record; FALSE at the end of the file. */
static gboolean take_record(struct iot_source *base, GError **error)
{
	struct clog2_source *src = (struct clog2_source *)base;
	struct iot_clog2_record record;
	struct iot_made_rec rec;
	g_autoptr(GError) failed = NULL;
	guint64 ns;

	if (!iot_clog2_next(src->file, &record, &failed)) {
		if (failed)
			g_propagate_error(error, g_steal_pointer(&failed));
		else if (src->gap || src->file->gap)
			iot_made_put_gap(src->own.made, G_MAXUINT64);
		return FALSE;
	}
	if (record.after_gap)
		iot_clog2_events_lost(src->events);
	src->gap |= record.after_gap;
	if (!iot_clog2_events_take(src->events, &record, &rec))
		return TRUE;
	ns = corrected(src, record.ns);
	if (ns < src->own.made->now_ns)
		iot_diag_add(&src->own.diag, IOT_DIAG_clock_stepped_back, 1);
	if (src->gap)
		iot_made_put_gap(src->own.made, ns);
	src->gap = FALSE;
	iot_made_put(src->own.made, &rec, ns);
	return TRUE;
}

/* --- describe --- */

static guint64 clog2_progress(const struct iot_source *base)
{
	return ((const struct clog2_source *)base)->file->offset;
}

static void clog2_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct clog2_source *src = (const struct clog2_source *)base;
	gboolean merged = src->file->preamble.merged;

	iot_made_source_describe(base, info);
	info->has_times = src->defs->has_times;
	info->bytes = src->file->size;
	info->damaged = src->defs->cut || src->defs->n_skipped > 0;
	info->nothing_before = merged;
	info->nothing_after = merged && !src->defs->cut;
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_clog2 = {
	.name = "clog2",
	.runs_independent = TRUE,
	.probe = clog2_probe,
	.open = clog2_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = clog2_progress,
	.strings = iot_made_source_strings,
	.describe = clog2_describe,
	.judge = iot_made_source_judge,
	.close = clog2_close,
};
