/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/survey.h"

#include <string.h>

/* Bytes of event data to read: a sixteenth of a recording, within limits. */
enum { LEAST = 512 << 10, MOST = 8 << 20, PART = 16, BATCH = 256 << 10 };

struct survey {
	struct iot_facts *facts;
	struct iot_batch *batch;
};

/* Read up to @share bytes of a run. */
static gboolean read_run(struct survey *survey, struct iot_source *source, guint run, guint64 share,
			 GError **error)
{
	const struct iot_intern *strings = source->ops->strings(source, run);
	guint64 before = source->ops->progress(source);
	enum iot_next next;

	do {
		next = source->ops->read(source, run, survey->batch, error);
		if (next == IOT_NEXT_ERROR)
			return FALSE;
		for (const struct iot_rec *rec = iot_batch_first(survey->batch);
		     next == IOT_NEXT_OK && !iot_batch_at_end(survey->batch, rec);
		     rec = iot_rec_next(rec))
			if (rec->event->index < IOT_EVENT_GAP_BEGIN)
				iot_facts_record(survey->facts, rec, strings);
	} while (next == IOT_NEXT_OK && !iot_facts_enough(survey->facts) &&
		 source->ops->progress(source) - before < share);
	return TRUE;
}

/* Uses the best reader instead of --reader, so that the facts are the same with any reader. */
static gboolean look_into(struct survey *survey, guint input, const struct iot_input_info *info,
			  struct iot_kept *kept, GError **error)
{
	struct iot_input_spec spec = {
		.path = info->path, .input = input, .only_read = TRUE, .kept = kept
	};
	struct iot_source *source;
	guint64 share;
	gboolean ok;
	guint n;

	if (info->commands)
		iot_facts_command_lines(survey->facts, input, info->commands);
	if (!iot_facts_begin(survey->facts, input, info->systems))
		return TRUE;
	source = iot_source_open(NULL, &spec, error);
	if (!source)
		return FALSE;
	n = source->ops->n_runs(source);
	share = CLAMP(info->bytes / PART, LEAST, MOST) / MAX(n, 1);
	ok = source->ops->bind(source, iot_facts_schema(survey->facts), error);
	for (guint run = 0; ok && run < n; run++) {
		iot_facts_begin(survey->facts, input, info->systems);
		ok = read_run(survey, source, run, share, error);
	}
	source->ops->close(source);
	return ok;
}

struct iot_facts *iot_survey(const struct iot_options *options, const GPtrArray *files,
			     const struct iot_input_info *const *infos,
			     struct iot_kept *const *kept, GError **error)
{
	guint n = g_strv_length((char **)(gsize)infos);
	g_autoptr(iot_facts) facts = iot_facts_new(n);
	struct survey survey = { .facts = facts };
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < files->len; i++)
		ok = iot_facts_add_model(facts, files->pdata[i], error);
	for (guint i = 0; ok && i < options->lockspaces->len; i++)
		iot_facts_candidate(facts, "lockspace", options->lockspaces->pdata[i]);
	if (ok && iot_facts_schema(facts)->events->len)
		ok = (survey.batch = iot_batch_new(BATCH, error)) != NULL;
	for (guint i = 0; ok && survey.batch && i < n; i++)
		ok = infos[i]->machine || look_into(&survey, i, infos[i], kept[i], error);
	iot_batch_free(survey.batch);
	if (!ok)
		return NULL;
	iot_facts_end(facts);
	return g_steal_pointer(&facts);
}
