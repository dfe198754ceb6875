/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/survey.h"
#include "run/model-path.h"

#include <string.h>

/* Bytes of event data to read: a sixteenth of a recording, within limits. */
enum { LEAST = 512 << 10, MOST = 8 << 20, PART = 16, BATCH = 256 << 10 };

static gboolean add_model(struct iot_facts *facts, const char *name, GError **error)
{
	g_autofree char *path = iot_model_find(name, error);
	g_autoptr(iot_model_file) file = path ? iot_model_file_load(path, error) : NULL;

	return file && iot_facts_add_model(facts, file, error);
}

static gboolean add_models(struct iot_facts *facts, const struct iot_options *options,
			   GError **error)
{
	g_auto(GStrv) installed = options->models->len ? NULL : iot_model_names();

	for (guint i = 0; i < options->models->len; i++)
		if (!add_model(facts, options->models->pdata[i], error))
			return FALSE;
	for (guint i = 0; installed && installed[i]; i++)
		if (!add_model(facts, installed[i], error))
			return FALSE;
	return TRUE;
}

static void look_at(struct iot_facts *facts, const struct iot_batch *batch,
		    const struct iot_intern *strings)
{
	for (const struct iot_rec *rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec);
	     rec = iot_rec_next(rec))
		if (rec->event->index < IOT_EVENT_GAP_BEGIN)
			iot_facts_record(facts, rec, strings);
}

/* Up to @share bytes of the file. */
static gboolean read_run(struct iot_facts *facts, struct iot_source *source, guint run,
			 guint64 share, struct iot_batch *batch, GError **error)
{
	const struct iot_intern *strings = source->ops->strings(source, run);
	guint64 before = source->ops->progress(source);
	enum iot_next next;

	do {
		next = source->ops->read(source, run, batch, error);
		if (next == IOT_NEXT_ERROR)
			return FALSE;
		if (next == IOT_NEXT_OK)
			look_at(facts, batch, strings);
	} while (next == IOT_NEXT_OK && !iot_facts_enough(facts) &&
		 source->ops->progress(source) - before < share);
	return TRUE;
}

static gboolean read_part(struct iot_facts *facts, struct iot_source *source, guint input,
			  const struct iot_input_info *info, struct iot_batch *batch,
			  GError **error)
{
	guint n = source->ops->n_runs(source);
	guint64 share = CLAMP(info->bytes / PART, LEAST, MOST) / MAX(n, 1);

	if (!source->ops->bind(source, iot_facts_schema(facts), error))
		return FALSE;
	for (guint run = 0; run < n; run++) {
		iot_facts_begin(facts, input, info->systems);
		if (!read_run(facts, source, run, share, batch, error))
			return FALSE;
	}
	return TRUE;
}

/* Uses the best reader instead of --reader, so that the facts are the same with any reader. */
static gboolean look_into(struct iot_facts *facts, guint input, const struct iot_input_info *info,
			  struct iot_batch *batch, GError **error)
{
	struct iot_input_spec spec = { .path = info->path, .input = input };
	struct iot_source *source;
	gboolean ok;

	if (info->commands)
		iot_facts_command_lines(facts, input, info->commands);
	if (!iot_facts_begin(facts, input, info->systems))
		return TRUE;
	source = iot_source_open(NULL, &spec, error);
	if (!source)
		return FALSE;
	ok = read_part(facts, source, input, info, batch, error);
	source->ops->close(source);
	return ok;
}

struct iot_facts *iot_survey(const struct iot_options *options,
			     const struct iot_input_info *const *infos, GError **error)
{
	g_autoptr(iot_facts) facts = iot_facts_new(options->inputs->len);
	struct iot_batch *batch = NULL;
	gboolean ok = add_models(facts, options, error);

	for (guint i = 0; ok && i < options->lockspaces->len; i++)
		iot_facts_candidate(facts, "lockspace", options->lockspaces->pdata[i]);
	if (ok && iot_facts_schema(facts)->events->len)
		ok = (batch = iot_batch_new(BATCH, error)) != NULL;
	for (guint i = 0; ok && batch && i < options->inputs->len; i++)
		ok = look_into(facts, i, infos[i], batch, error);
	iot_batch_free(batch);
	if (!ok)
		return NULL;
	iot_facts_end(facts);
	return g_steal_pointer(&facts);
}
