/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of PCP archives, which pmlogger writes: events of system "pcp" (pcp-samples.h), for
 * the model pcp. Such an archive has the metrics of one machine, in order of time, so it has one
 * run.
 */
#include <string.h>

#include "base/error.h"
#include "input/clock-judge.h"
#include "input/pcp-files.h"
#include "input/pcp/pcp-kinds.h"
#include "input/pcp/pcp-samples.h"
#include "input/source.h"

/* Events that wait for the next value of a counter: 48 MiB. An hour of 300 values a second. */
enum { MOST_HELD = 1 << 20 };

struct pcp_source {
	struct iot_source base;
	struct iot_pcp_archive *archive;
	struct iot_pcp_samples *samples;
	struct iot_made *made;
	struct iot_clock clock; /* stated by the user */
	char *path, *file_name, *format;
	struct iot_intern *strings;
	guint64 first_ns, last_ns;
	guint64 done; /* bytes; atomic, as progress is asked for by any thread */
	gboolean damaged;
	struct iot_diag diag;
};

static const char system_name[] = "pcp";
/* As marks of a recording beside it say it (clock-marks.h). */
static const char clock_name[] = "real";

/* ---- open and close */

static void pcp_close(struct iot_source *base)
{
	struct pcp_source *src = (struct pcp_source *)base;

	if (!src)
		return;
	iot_pcp_samples_free(src->samples);
	iot_pcp_archive_free(src->archive);
	iot_made_free(src->made);
	iot_intern_free(src->strings);
	iot_clock_clear(&src->clock);
	g_free(src->path);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

static gboolean take_record(struct iot_source *base, GError **error);

static char *describe_format(const struct iot_pcp_archive *archive)
{
	return g_strdup_printf("PCP archive, version %d, %u volume%s", archive->version,
			       archive->n_volumes, archive->n_volumes == 1 ? "" : "s");
}

static struct iot_source *pcp_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_pcp_archive *archive = iot_pcp_archive_open(spec->path, error);
	struct pcp_source *src;

	if (!archive)
		return NULL;
	src = g_new0(struct pcp_source, 1);
	src->base.ops = &iot_source_pcp;
	src->base.to_ns = G_MAXUINT64;
	src->archive = archive;
	src->path = g_strdup(spec->path);
	src->file_name = g_path_get_basename(archive->name);
	src->format = describe_format(archive);
	src->strings = iot_intern_new();
	src->made = iot_made_new(&iot_pcp_kinds, spec, take_record);
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &src->clock);
	src->first_ns = src->made->now_ns = iot_clock_correct(&src->clock, 0, archive->first_ns);
	src->last_ns = iot_clock_correct(&src->clock, 0, archive->last_ns);
	src->samples = iot_pcp_samples_new(archive, src->made, src->strings, &src->clock,
					   &src->diag, MOST_HELD);
	return &src->base;
}

/* ---- bind and read */

static gboolean pcp_has_event(const struct iot_source *base, const char *system, const char *name)
{
	(void)base;
	return iot_made_has_event(&iot_pcp_kinds, system, name);
}

static gboolean pcp_bind(struct iot_source *base, const struct iot_schema *schema, GError **error)
{
	struct pcp_source *src = (struct pcp_source *)base;

	return iot_made_bind(src->made, schema, src->path, &src->diag, error);
}

/* By time, as the library does not tell its position in a file. */
static void tell_progress(struct pcp_source *src, guint64 ns)
{
	const struct iot_pcp_archive *archive = src->archive;

	if (ns > archive->first_ns && ns <= archive->last_ns)
		__atomic_store_n(
			&src->done,
			(guint64)((double)archive->bytes * (double)(ns - archive->first_ns) /
				  (double)(archive->last_ns - archive->first_ns)),
			__ATOMIC_RELAXED);
}

/* The events of the next record; FALSE at the end of the archive. */
static gboolean take_record(struct iot_source *base, GError **error)
{
	struct pcp_source *src = (struct pcp_source *)base;
	pmHighResResult *record;

	(void)error;
	record = iot_pcp_archive_next(src->archive, &src->damaged);
	if (!record) {
		iot_diag_add(&src->diag, IOT_DIAG_archive_damaged, src->damaged);
		iot_pcp_samples_end(src->samples, src->damaged);
		src->last_ns = MAX(src->last_ns, src->made->now_ns);
		return FALSE;
	}
	tell_progress(src, iot_pcp_ns(&record->timestamp));
	iot_pcp_samples_take(src->samples, record);
	src->archive->pcp->pmFreeHighResResult(record);
	src->last_ns = MAX(src->last_ns, src->made->now_ns);
	return TRUE;
}

static enum iot_next pcp_read(struct iot_source *base, guint run, struct iot_batch *batch,
			      GError **error)
{
	return iot_made_read(((struct pcp_source *)base)->made, base, run, batch, error);
}

/* ---- describe */

static guint64 pcp_progress(const struct iot_source *base)
{
	return __atomic_load_n(&((const struct pcp_source *)base)->done, __ATOMIC_RELAXED);
}

static const struct iot_intern *pcp_strings(const struct iot_source *base, guint run)
{
	(void)run;
	return ((const struct pcp_source *)base)->strings;
}

static void pcp_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct pcp_source *src = (const struct pcp_source *)base;

	*info = iot_made_describe(src->made, &src->clock, src->first_ns, src->last_ns);
	info->path = src->path;
	info->reader = base->ops->name;
	info->hostname = *src->archive->hostname ? src->archive->hostname : NULL;
	info->file_name = src->file_name;
	info->format = src->format;
	info->clock = clock_name;
	info->bytes = src->archive->bytes;
	info->damaged = src->damaged;
	info->diag = &src->diag;
	info->systems = info->recorded = systems;
}

static void pcp_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
		      struct iot_clock_facts *out)
{
	const struct pcp_source *src = (const struct pcp_source *)base;

	iot_clock_judge_stated(&src->clock, clock_name, assumed, src->first_ns, src->last_ns, out);
}

const struct iot_source_ops iot_source_pcp = {
	.name = system_name,
	.runs_independent = TRUE,
	.probe = iot_pcp_probe,
	.first_part = iot_pcp_first_part,
	.open = pcp_open,
	.bind = pcp_bind,
	.has_event = pcp_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = pcp_read,
	.progress = pcp_progress,
	.strings = pcp_strings,
	.describe = pcp_describe,
	.judge = pcp_judge,
	.close = pcp_close,
};
