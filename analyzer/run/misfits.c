/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/misfits.h"
#include "run/recorded.h"
#include "base/error.h"

#include <string.h>

/* A model that does not fit some input. */
struct misfit {
	char *path;
	const struct iot_schema *schema; /* of the model alone */
	char **why;			 /* by input; NULL: it fits */
	gboolean everywhere;
};

struct iot_misfits {
	guint n_inputs;
	GPtrArray *all;			   /* of struct iot_schema: the events of each model */
	GPtrArray *models;		   /* of struct misfit */
	GPtrArray *reduced;		   /* of struct iot_schema */
	const struct iot_schema **schemas; /* by input: one of them, or the whole schema */
};

static void misfit_free(struct misfit *misfit, guint n_inputs)
{
	for (guint i = 0; i < n_inputs; i++)
		g_free(misfit->why[i]);
	g_free(misfit->why);
	g_free(misfit->path);
	g_free(misfit);
}

void iot_misfits_free(struct iot_misfits *misfits)
{
	if (!misfits)
		return;
	for (guint i = 0; i < misfits->models->len; i++)
		misfit_free(misfits->models->pdata[i], misfits->n_inputs);
	g_ptr_array_unref(misfits->models);
	g_clear_pointer(&misfits->all, g_ptr_array_unref);
	g_ptr_array_unref(misfits->reduced);
	g_free(misfits->schemas);
	g_free(misfits);
}

/* Bind @schema to a file that is opened once more; the reason in @out_why, NULL if it fits. */
static gboolean try_input(const struct iot_input_info *info, const struct iot_schema *schema,
			  char **out_why, GError **error)
{
	struct iot_input_spec spec = { .path = info->path, .only_read = TRUE };
	struct iot_source *source = iot_source_open(NULL, &spec, error);
	GError *local = NULL;

	if (!source)
		return FALSE;
	if (!source->ops->bind(source, schema, &local) &&
	    g_error_matches(local, IOT_ERROR, IOT_ERROR_MODEL)) {
		*out_why = g_strdup(local->message);
		g_clear_error(&local);
	}
	source->ops->close(source);
	if (local)
		g_propagate_error(error, local);
	return !local;
}

/* Try the model @path, which has the events @schema, on all inputs; @out: NULL if it fits all. */
static gboolean try_model(const char *path, const struct iot_schema *schema,
			  const struct iot_inputs *inputs, struct misfit **out, GError **error)
{
	struct misfit *misfit = g_new0(struct misfit, 1);
	guint n = iot_inputs_count(inputs), n_wrong = 0, n_fit = 0;
	gboolean ok = TRUE;

	*out = NULL;
	misfit->path = g_strdup(path);
	misfit->why = g_new0(char *, n + 1);
	misfit->schema = schema;
	for (guint i = 0; ok && i < n; i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);

		if (!iot_recorded_may_have(input->source, schema))
			continue;
		ok = try_input(&input->info, schema, &misfit->why[i], error);
		n_wrong += misfit->why[i] != NULL;
		n_fit += !misfit->why[i];
	}
	misfit->everywhere = !n_fit;
	if (ok && n_wrong)
		*out = misfit;
	else
		misfit_free(misfit, n);
	return ok;
}

/* The others must get the events that they share with a model, so it would get them, too. */
static gboolean shares(const struct misfit *misfit, const GPtrArray *schemas)
{
	for (guint i = 0; i < misfit->schema->events->len; i++) {
		const struct iot_schema_event *event = misfit->schema->events->pdata[i];
		guint n = 0;

		for (guint k = 0; k < schemas->len; k++)
			n += iot_schema_find(schemas->pdata[k], event->system, event->name) != NULL;
		if (n > 1)
			return TRUE;
	}
	return FALSE;
}

/* The events of each model. */
static GPtrArray *load_schemas(const GPtrArray *files, GError **error)
{
	g_autoptr(GPtrArray) schemas =
		g_ptr_array_new_with_free_func((GDestroyNotify)iot_schema_free);

	for (guint i = 0; i < files->len; i++) {
		g_autoptr(iot_timeline) tl = iot_timeline_new();
		struct iot_schema *schema = iot_schema_new();
		struct iot_model *model =
			iot_model_compile(files->pdata[i], tl, schema, NULL, error);

		g_ptr_array_add(schemas, schema);
		if (!model)
			return NULL;
		iot_model_free(model);
	}
	return g_steal_pointer(&schemas);
}

struct iot_misfits *iot_misfits_find(const GPtrArray *files, const struct iot_inputs *inputs,
				     GError **error)
{
	struct iot_misfits *misfits = g_new0(struct iot_misfits, 1);
	gboolean ok;

	misfits->all = load_schemas(files, error);
	ok = misfits->all != NULL;
	misfits->n_inputs = iot_inputs_count(inputs);
	misfits->models = g_ptr_array_new();
	misfits->reduced = g_ptr_array_new_with_free_func((GDestroyNotify)iot_schema_free);
	misfits->schemas = g_new0(const struct iot_schema *, misfits->n_inputs + 1);
	for (guint i = 0; ok && i < files->len; i++) {
		const struct iot_model_file *file = files->pdata[i];
		struct misfit *misfit;

		ok = try_model(file->path, misfits->all->pdata[i], inputs, &misfit, error);
		if (!ok || !misfit)
			continue;
		misfit->everywhere |= shares(misfit, misfits->all);
		g_ptr_array_add(misfits->models, misfit);
	}
	if (ok)
		return misfits;
	iot_misfits_free(misfits);
	return NULL;
}

guint iot_misfits_count(const struct iot_misfits *misfits)
{
	return misfits ? misfits->models->len : 0;
}

const char *iot_misfits_why(const struct iot_misfits *misfits)
{
	const struct misfit *first = iot_misfits_count(misfits) ? misfits->models->pdata[0] : NULL;

	for (guint i = 0; first && i < misfits->n_inputs; i++)
		if (first->why[i])
			return first->why[i];
	return NULL;
}

gboolean iot_misfits_everywhere(const struct iot_misfits *misfits, const char *path)
{
	for (guint i = 0; i < iot_misfits_count(misfits); i++) {
		const struct misfit *misfit = misfits->models->pdata[i];

		if (misfit->everywhere && !strcmp(misfit->path, path))
			return TRUE;
	}
	return FALSE;
}

/* Whether the event is left out for an input. */
static gboolean leaves_out(const struct iot_misfits *misfits, guint input,
			   const struct iot_schema_event *event)
{
	for (guint i = 0; i < misfits->models->len; i++) {
		const struct misfit *misfit = misfits->models->pdata[i];

		if (!misfit->everywhere && misfit->why[input] &&
		    iot_schema_find(misfit->schema, event->system, event->name))
			return TRUE;
	}
	return FALSE;
}

const struct iot_schema *const *iot_misfits_schemas(struct iot_misfits *misfits,
						    const struct iot_schema *schema)
{
	if (!misfits)
		return NULL;
	g_ptr_array_set_size(misfits->reduced, 0);
	for (guint i = 0; i < misfits->n_inputs; i++) {
		/* the events stay those of the schema: their numbers are the same for all inputs */
		struct iot_schema *reduced = g_new0(struct iot_schema, 1);

		reduced->events = g_ptr_array_new();
		for (guint k = 0; k < schema->events->len; k++)
			if (!leaves_out(misfits, i, schema->events->pdata[k]))
				g_ptr_array_add(reduced->events, schema->events->pdata[k]);
		g_ptr_array_add(misfits->reduced, reduced);
		misfits->schemas[i] = reduced;
	}
	return misfits->schemas;
}

static gboolean has_read(const struct iot_source *source, const struct iot_schema *schema)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (!source->ops->has_read ||
		    source->ops->has_read(source, event->system, event->name))
			return TRUE;
	}
	return FALSE;
}

char *iot_misfits_describe(const struct iot_misfits *misfits, const struct iot_inputs *inputs,
			   struct iot_diag *diag)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint m = 0; m < iot_misfits_count(misfits); m++) {
		const struct misfit *misfit = misfits->models->pdata[m];
		g_autofree char *name = g_path_get_basename(misfit->path);
		gint first = -1;

		for (guint i = misfits->n_inputs; i-- > 0;)
			if (misfit->why[i] &&
			    has_read(iot_inputs_at(inputs, i)->source, misfit->schema))
				first = (gint)i;
		if (first < 0)
			continue;
		iot_diag_add(diag, IOT_DIAG_model_misfit, 1);
		g_string_append_printf(text, "%sevents of %s are not drawn%s: %s",
				       text->len ? "; " : "", name,
				       misfit->everywhere ? "" : " for some inputs",
				       misfit->why[first]);
	}
	return text->len ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}
