/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of CLOG2 files, which MPE writes of MPI programs: events of system "mpi"
 * (clog2-events.h), for the model mpi. Such a file is the log of all ranks of one program, merged
 * by time, so it has one run. Its times are seconds since the start of the program; no date is in
 * it.
 */
#include <string.h>

#include "base/error.h"
#include "input/clock-judge.h"
#include "input/clog2/clog2-events.h"
#include "input/source.h"

struct clog2_source {
	struct iot_source base;
	struct iot_clog2_file *file;
	struct iot_clog2_defs *defs;
	struct iot_clog2_events *events;
	struct iot_clock clock; /* stated by the user */
	char *file_name, *format;
	struct iot_intern *strings;
	struct iot_made *made;
	guint64 first_ns, last_ns;
	gboolean gap; /* records are missing since the last event */
	struct iot_diag diag;
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
	iot_made_free(src->made);
	iot_clog2_events_free(src->events);
	iot_clog2_defs_free(src->defs);
	iot_intern_free(src->strings);
	iot_clock_clear(&src->clock);
	iot_clog2_free(src->file);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

/* Times of this program have no sign: a log that begins before its start counts from its first
 * event. */
static guint64 corrected(const struct clog2_source *src, gint64 ns)
{
	return iot_clock_correct(&src->clock, 0, (guint64)(ns - MIN(src->defs->first_ns, 0)));
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
	src->defs = iot_clog2_defs_read(src->file, src->strings, error);
	if (!src->defs)
		return FALSE;
	iot_clog2_rewind(src->file);
	src->events = iot_clog2_events_new(src->defs, src->strings, &src->diag);
	src->first_ns = src->made->now_ns = corrected(src, src->defs->first_ns);
	src->last_ns = corrected(src, src->defs->last_ns);
	src->format = describe_format(src);
	iot_diag_add(&src->diag, IOT_DIAG_file_cut, src->defs->cut);
	iot_diag_add(&src->diag, IOT_DIAG_blocks_skipped, src->defs->n_skipped);
	iot_diag_add(&src->diag, IOT_DIAG_event_undefined, src->defs->n_unnamed);
	return TRUE;
}

static struct iot_source *clog2_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_clog2_file *file = iot_clog2_open(spec->path, error);
	struct clog2_source *src;

	if (!file)
		return NULL;
	src = g_new0(struct clog2_source, 1);
	src->base.ops = &iot_source_clog2;
	src->base.to_ns = G_MAXUINT64;
	src->file = file;
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &src->clock);
	src->file_name = iot_source_file_name(spec->path);
	src->strings = iot_intern_new();
	src->made = iot_made_new(&iot_clog2_kinds, spec, take_record);
	if (read_defs(src, error))
		return &src->base;
	clog2_close(&src->base);
	return NULL;
}

/* --- bind --- */

static gboolean clog2_has_event(const struct iot_source *base, const char *system, const char *name)
{
	(void)base;
	return iot_made_has_event(&iot_clog2_kinds, system, name);
}

static gboolean clog2_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct clog2_source *src = (struct clog2_source *)base;

	return iot_made_bind(src->made, schema, src->file->path, &src->diag, error);
}

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
			iot_made_put_gap(src->made, G_MAXUINT64);
		return FALSE;
	}
	if (record.after_gap)
		iot_clog2_events_lost(src->events);
	src->gap |= record.after_gap;
	if (!iot_clog2_events_take(src->events, &record, &rec))
		return TRUE;
	ns = corrected(src, record.ns);
	if (ns < src->made->now_ns)
		iot_diag_add(&src->diag, IOT_DIAG_clock_stepped_back, 1);
	if (src->gap)
		iot_made_put_gap(src->made, ns);
	src->gap = FALSE;
	iot_made_put(src->made, &rec, ns);
	return TRUE;
}

static enum iot_next clog2_read(struct iot_source *base, guint run, struct iot_batch *batch,
				GError **error)
{
	return iot_made_read(((struct clog2_source *)base)->made, base, run, batch, error);
}

/* --- describe --- */

static guint64 clog2_progress(const struct iot_source *base)
{
	return ((const struct clog2_source *)base)->file->offset;
}

static const struct iot_intern *clog2_strings(const struct iot_source *base, guint run)
{
	(void)run;
	return ((const struct clog2_source *)base)->strings;
}

static void clog2_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct clog2_source *src = (const struct clog2_source *)base;
	gboolean merged = src->file->preamble.merged;

	*info = iot_made_describe(src->made, &src->clock, src->first_ns, src->last_ns);
	info->path = src->file->path;
	info->reader = base->ops->name;
	info->file_name = src->file_name;
	info->format = src->format;
	info->clock = clock_name;
	info->has_times = src->defs->has_times;
	info->bytes = src->file->size;
	info->damaged = src->defs->cut || src->defs->n_skipped > 0;
	info->nothing_before = merged;
	info->nothing_after = merged && !src->defs->cut;
	info->diag = &src->diag;
	info->systems = info->recorded = systems;
}

/* The start of the program is at any time of other inputs. */
static void clog2_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			struct iot_clock_facts *out)
{
	const struct clog2_source *src = (const struct clog2_source *)base;

	iot_clock_judge_stated(&src->clock, clock_name, assumed, src->first_ns, src->last_ns, out);
}

const struct iot_source_ops iot_source_clog2 = {
	.name = "clog2",
	.runs_independent = TRUE,
	.probe = clog2_probe,
	.open = clog2_open,
	.bind = clog2_bind,
	.has_event = clog2_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = clog2_read,
	.progress = clog2_progress,
	.strings = clog2_strings,
	.describe = clog2_describe,
	.judge = clog2_judge,
	.close = clog2_close,
};
