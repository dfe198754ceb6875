/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of PCP archives, which pmlogger writes: events of system "pcp" (pcp-samples.h), for
 * the model pcp. Such an archive has the metrics of one machine, in order of time, so it has one
 * run.
 */
#include <string.h>

#include "base/error.h"
#include "input/pcp-files.h"
#include "input/pcp/pcp-kinds.h"
#include "input/pcp/pcp-samples.h"
#include "input/made-source.h"

/* Events that wait for the next value of a counter: 48 MiB. An hour of 300 values a second. */
enum { MOST_HELD = 1 << 20 };

struct pcp_source {
	struct iot_made_source own;
	struct iot_pcp_archive *archive;
	struct iot_pcp_samples *samples;
	gboolean damaged;
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
	iot_made_source_clear(&src->own);
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
	iot_made_source_init(&src->own, &iot_source_pcp, &iot_pcp_kinds, clock_name, spec,
			     take_record);
	src->archive = archive;
	src->own.file_name = g_path_get_basename(archive->name);
	src->own.format = describe_format(archive);
	src->own.first_ns = src->own.made->now_ns =
		iot_made_source_correct(&src->own, archive->first_ns);
	src->own.last_ns = iot_made_source_correct(&src->own, archive->last_ns);
	src->samples = iot_pcp_samples_new(archive, src->own.made, src->own.strings,
					   &src->own.clock, &src->own.diag, MOST_HELD);
	return &src->own.base;
}

/* ---- bind and read */

/* By time, as the library does not tell its position in a file. */
static void tell_progress(struct pcp_source *src, guint64 ns)
{
	const struct iot_pcp_archive *archive = src->archive;

	if (ns > archive->first_ns && ns <= archive->last_ns)
		iot_made_source_tell(
			&src->own,
			(guint64)((double)archive->bytes * (double)(ns - archive->first_ns) /
				  (double)(archive->last_ns - archive->first_ns)));
}

/* The events of the next record; FALSE at the end of the archive. */
static gboolean take_record(struct iot_source *base, GError **error)
{
	struct pcp_source *src = (struct pcp_source *)base;
	pmHighResResult *record;

	(void)error;
	record = iot_pcp_archive_next(src->archive, &src->damaged);
	if (!record) {
		iot_diag_add(&src->own.diag, IOT_DIAG_archive_damaged, src->damaged);
		iot_pcp_samples_end(src->samples, src->damaged);
		src->own.last_ns = MAX(src->own.last_ns, src->own.made->now_ns);
		return FALSE;
	}
	tell_progress(src, iot_pcp_ns(&record->timestamp));
	iot_pcp_samples_take(src->samples, record);
	src->archive->pcp->pmFreeHighResResult(record);
	src->own.last_ns = MAX(src->own.last_ns, src->own.made->now_ns);
	return TRUE;
}

/* ---- describe */

static void pcp_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct pcp_source *src = (const struct pcp_source *)base;

	iot_made_source_describe(base, info);
	info->hostname = *src->archive->hostname ? src->archive->hostname : NULL;
	info->bytes = src->archive->bytes;
	info->damaged = src->damaged;
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_pcp = {
	.name = system_name,
	.runs_independent = TRUE,
	.probe = iot_pcp_probe,
	.first_part = iot_pcp_first_part,
	.open = pcp_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = iot_made_source_progress,
	.strings = iot_made_source_strings,
	.describe = pcp_describe,
	.judge = iot_made_source_judge,
	.close = pcp_close,
};
