/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and loads the models of a run, and checks that they and the inputs fit. */
#include "run/models-local.h"
#include "run/model-path.h"
#include "run/names-file.h"
#include "run/recorded.h"
#include "base/error.h"
#include "language/model-file.h"
#include "language/order-rule.h"
#include "timeline/thread-rows.h"

#include <string.h>

/* While the models of a run are loaded. */
struct loading {
	struct iot_models *models;
	struct iot_timeline *tl;
	const struct iot_inputs *inputs;   /* may be NULL */
	const struct iot_misfits *misfits; /* may be NULL */
	gboolean links;
	gboolean all_threads; /* each thread has a row, whatever other models draw */
};

/* "/usr/share/iotrace/models/dlm.model" is the model dlm. */
static void add_name(GString *names, const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	gsize len = strlen(name);

	if (g_str_has_suffix(name, ".model"))
		len -= strlen(".model");
	g_string_append_printf(names, "%s%.*s", names->len ? ", " : "", (int)len, name);
}

static gboolean load(const struct loading *loading, struct iot_model_file *file, GError **error)
{
	const struct iot_model_company company = {
		.shared = loading->models->shared_tables,
		.no_links = !loading->links,
		.order = loading->models->order,
	};
	struct iot_model *model =
		iot_model_compile(file, loading->tl, loading->models->schema, &company, error);

	if (!model)
		return FALSE;
	if (loading->inputs)
		iot_model_learn(model, iot_inputs_facts(loading->inputs));
	g_ptr_array_add(loading->models->models, model);
	g_ptr_array_add(loading->models->files, file);
	add_name(loading->models->names, file->path);
	return TRUE;
}

/* Whether rows of the model may be below the threads of other models. */
static gboolean may_follow(const struct iot_model_file *file)
{
	for (guint i = 0; i < file->sections->len; i++) {
		const struct iot_section *section = file->sections->pdata[i];

		if (!strcmp(section->kind, "container") && iot_section_get(section, "below"))
			return TRUE;
	}
	return FALSE;
}

/* Models that follow threads come last, because they have to know which models draw some. */
static GPtrArray *followers_last(const GPtrArray *files)
{
	GPtrArray *sorted = g_ptr_array_new();
	guint n_first = 0;

	for (guint i = 0; i < files->len; i++)
		g_ptr_array_insert(sorted, may_follow(files->pdata[i]) ? -1 : (gint)n_first++,
				   files->pdata[i]);
	return sorted;
}

/* Whether an event does not make an input worth reading: models that follow know it, models of
 * hosts, and models that look for names in its text. */
static gboolean only_adds(const GPtrArray *models, guint event, gboolean follow)
{
	gboolean named = FALSE;

	for (guint i = 0; i < models->len; i++) {
		const struct iot_model *model = models->pdata[i];

		if (!iot_model_knows(model, event))
			continue;
		if (iot_model_takes_names(model, event))
			named = TRUE;
		else if (!follow || !(iot_model_follows(model) || iot_model_needs_vcpus(model)))
			return FALSE;
	}
	return follow || named;
}

static void find_adds(struct iot_models *models, gboolean follow)
{
	for (guint e = 0; e < models->schema->events->len; e++)
		((struct iot_schema_event *)models->schema->events->pdata[e])->adds =
			only_adds(models->models, e, follow);
}

/* Models that follow threads are about to be loaded: if no input has an event that the models so
 * far draw, they draw all threads. */
static gboolean prepare_followers(const struct loading *loading, gboolean *out_alone,
				  GError **error)
{
	gboolean any;

	find_adds(loading->models, TRUE);
	if (!iot_recorded_any(loading->inputs, loading->models->schema, &any, error))
		return FALSE;
	*out_alone = !any;
	if (!any)
		iot_thread_rows_disable(loading->tl->threads);
	return TRUE;
}

static gboolean load_named(const struct loading *loading, const GPtrArray *names, GError **error)
{
	g_autoptr(GPtrArray) sorted = followers_last(iot_inputs_models(loading->inputs));
	g_autoptr(GString) given = g_string_new(NULL);
	gboolean prepared = FALSE, alone;

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(given, "%s%s", i ? ", " : "", (char *)names->pdata[i]);
	loading->models->given = g_strdup(given->str);
	for (guint i = 0; i < sorted->len; i++) {
		struct iot_model_file *file = sorted->pdata[i];

		/* without other models all threads are drawn anyway */
		if (may_follow(file) && !prepared && i &&
		    iot_thread_rows_type(loading->tl->threads) &&
		    !prepare_followers(loading, &alone, error))
			return FALSE;
		prepared |= may_follow(file);
		if (!load(loading, file, error))
			return FALSE;
	}
	return TRUE;
}

/* Whether the input has events that the loaded models draw. */
static gboolean has_drawn(const struct loading *loading, guint input)
{
	const char *const *systems = iot_inputs_at(loading->inputs, input)->info.systems;

	for (guint j = 0; systems && systems[j]; j++)
		if (*systems[j] && iot_models_schema_has(loading->models->schema, systems[j]))
			return TRUE;
	return FALSE;
}

/* Whether an input has events of @system, and it, or another recording of its machine, others that
 * the loaded models draw. */
static gboolean adds_to_some(const struct loading *loading, const char *system)
{
	guint n = iot_inputs_count(loading->inputs);

	if (!iot_thread_rows_type(loading->tl->threads))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const struct iot_input *input = iot_inputs_at(loading->inputs, i);

		if (!input->info.systems || !g_strv_contains(input->info.systems, system))
			continue;
		for (guint k = 0; k < n; k++)
			if (!strcmp(iot_inputs_at(loading->inputs, k)->node, input->node) &&
			    has_drawn(loading, k))
				return TRUE;
	}
	return FALSE;
}

/* Whether an input names @event, in a model of @system; @of_host: one that names virtual CPUs. */
static gboolean is_named(const struct iot_inputs *inputs, const char *system, const char *event,
			 gboolean of_host)
{
	const char *colon = strchr(event, ':');
	g_autofree char *other = colon ? g_strndup(event, (gsize)(colon - event)) : NULL;

	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);

		if ((!of_host || input->info.n_vcpus) &&
		    iot_source_names_event(input->source, colon ? other : system,
					   colon ? colon + 1 : event))
			return TRUE;
	}
	return FALSE;
}

/* A model that needs an event of its [role]s fits if a recording names one; a model of hosts, if it
 * names virtual CPUs, too. */
static gboolean has_needs(const struct iot_model_file *file, const struct iot_inputs *inputs,
			  const char *system)
{
	const struct iot_setting *needs = iot_section_get(file->sections->pdata[0], "needs");

	for (guint i = 0; needs && i < file->sections->len; i++) {
		const struct iot_section *section = file->sections->pdata[i];
		const struct iot_setting *event =
			!strcmp(section->kind, "role") ? iot_section_get(section, "event") : NULL;

		if (event && is_named(inputs, system, event->value, !strcmp(needs->value, "vcpus")))
			return TRUE;
	}
	return !needs;
}

static gboolean has_host_model(const struct iot_models *models)
{
	for (guint i = 0; i < models->models->len; i++)
		if (iot_model_needs_vcpus(models->models->pdata[i]))
			return TRUE;
	return FALSE;
}

/* Every installed model whose system some input has, if it fits. One that follows threads only if
 * it has something to add to, else it would draw every thread of the machine; or if nothing else is
 * drawn. One that needs something only if an input has it. */
static gboolean load_fitting(const struct loading *loading, GError **error)
{
	g_autoptr(GPtrArray) sorted = followers_last(iot_inputs_models(loading->inputs));
	gboolean prepared = FALSE, alone = FALSE;

	for (guint i = 0; i < sorted->len; i++) {
		struct iot_model_file *file = sorted->pdata[i];
		const struct iot_setting *system = NULL;

		if (file->sections->len)
			system = iot_section_get(file->sections->pdata[0], "system");
		if (!system || !iot_inputs_have(loading->inputs, system->value) ||
		    !has_needs(file, loading->inputs, system->value) ||
		    iot_misfits_everywhere(loading->misfits, file->path))
			continue;
		if (may_follow(file) && !prepared && !has_host_model(loading->models) &&
		    !prepare_followers(loading, &alone, error))
			return FALSE;
		prepared |= may_follow(file);
		if (may_follow(file) && !alone && !loading->all_threads &&
		    !adds_to_some(loading, system->value))
			g_hash_table_insert(loading->models->left_out, g_strdup(system->value),
					    g_path_get_basename(file->path));
		else if (!load(loading, file, error))
			return FALSE;
	}
	return TRUE;
}

static struct iot_models *models_new(void)
{
	struct iot_models *models = g_new0(struct iot_models, 1);

	models->schema = iot_schema_new();
	models->names = g_string_new(NULL);
	models->shared_tables = iot_model_shared_new();
	models->order = iot_order_rules_new();
	models->models = g_ptr_array_new_with_free_func((GDestroyNotify)iot_model_free);
	models->files = g_ptr_array_new();
	models->left_out = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return models;
}

void iot_models_free(struct iot_models *models)
{
	if (!models)
		return;
	g_free(models->by_event);
	g_free(models->by_input);
	g_ptr_array_unref(models->models);
	g_ptr_array_unref(models->files);
	g_ptr_array_unref(models->shared_tables);
	iot_order_rules_free(models->order);
	iot_schema_free(models->schema);
	g_string_free(models->names, TRUE);
	g_free(models->given);
	g_free(models->unknown);
	g_hash_table_unref(models->left_out);
	g_free(models);
}

static gboolean check_events(const struct iot_models *models, const struct iot_inputs *inputs,
			     GError **error)
{
	for (guint i = 0; i < models->schema->events->len; i++) {
		const struct iot_schema_event *event = models->schema->events->pdata[i];

		if (iot_inputs_have(inputs, event->system))
			return TRUE;
	}
	return iot_models_nothing_known(models, inputs, error);
}

/* Models that draw threads announce them to models that follow. */
static gboolean connect_followers(struct iot_models *models, GError **error)
{
	GPtrArray *all = models->models;
	gboolean follow = FALSE, find = FALSE;

	for (guint i = 0; i < all->len; i++) {
		follow |= iot_model_follows(all->pdata[i]);
		find |= iot_model_finds_threads(all->pdata[i]);
	}
	for (guint i = 0; find && i < all->len; i++)
		if (!iot_model_note_threads(all->pdata[i], error))
			return FALSE;
	find_adds(models, follow);
	return TRUE;
}

/* Events that models of hosts know, and virtual CPUs that these models cannot draw. */
static gboolean check_hosts(struct iot_models *models, const struct iot_inputs *inputs,
			    GError **error)
{
	const GPtrArray *events = models->schema->events;
	const struct iot_model *needs = NULL;
	guint n_known = 0, n_unknown = 0;

	for (guint i = 0; i < models->models->len; i++)
		if (iot_model_needs_vcpus(models->models->pdata[i]))
			needs = models->models->pdata[i];
	if (!needs)
		return TRUE;
	for (guint i = 0; i < events->len; i++)
		for (guint k = 0; k < models->models->len; k++)
			if (iot_model_knows(models->models->pdata[k], i) &&
			    iot_model_needs_vcpus(models->models->pdata[k]))
				((struct iot_schema_event *)events->pdata[i])->of_host = TRUE;
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const struct iot_input_info *info = &iot_inputs_at(inputs, i)->info;

		for (guint k = 0; k < info->n_vcpus; k++)
			*(info->vcpus[k].pid < 0 ? &n_unknown : &n_known) += 1;
	}
	iot_diag_add(&models->diag, IOT_DIAG_vcpu_unknown, n_unknown);
	if (n_known || !models->given)
		return TRUE;
	g_set_error(
		error, IOT_ERROR, IOT_ERROR_INPUT,
		n_unknown ? "-m %s: the host was recorded over TCP, so its recording does not say "
			    "which of its threads are virtual CPUs; record over VSOCK (-A CID)"
			  : "-m %s: no recording names the virtual CPUs of guests; give the "
			    "host's own file, too (trace.dat of trace-cmd record -A)",
		models->given);
	return FALSE;
}

/* Models that rely on others. One that is not loaded must exist: the recordings have no events of
 * its system. */
static gboolean connect_models(struct iot_models *models, GError **error)
{
	for (guint i = 0; i < models->models->len; i++) {
		g_autofree char *missing = NULL, *path = NULL;

		if (!iot_model_connect(models->models->pdata[i], models->models, &missing, error))
			return FALSE;
		if (missing && !(path = iot_model_find(missing, error))) {
			g_prefix_error(error, "\"certain while\" or \"through\": ");
			return FALSE;
		}
	}
	return TRUE;
}

struct iot_models *iot_models_load(const struct iot_options *options,
				   const struct iot_misfits *misfits, struct iot_timeline *tl,
				   const struct iot_inputs *inputs, GError **error)
{
	struct iot_models *models = models_new();
	struct loading loading = {
		.models = models,
		.tl = tl,
		.inputs = inputs,
		.misfits = misfits,
		.links = !options->no_links,
		.all_threads = options->all_threads,
	};
	gboolean ok;

	models->tl = tl;
	models->misfits = misfits;
	if (options->all_threads)
		iot_thread_rows_disable(tl->threads);
	if (options->causality.policy == IOT_CAUSALITY_OFF)
		g_clear_pointer(&models->order, iot_order_rules_free);
	ok = options->models->len ? load_named(&loading, options->models, error)
				  : load_fitting(&loading, error);
	for (guint i = 0; ok && i < models->models->len; i++)
		ok = iot_model_load_rest(models->models->pdata[i], error);
	if (ok)
		iot_names_file_titles(options->names, tl);
	ok = ok && connect_models(models, error);
	if (ok && models->order)
		ok = iot_order_rules_check(models->order, error);
	if (ok && models->order && !options->causality.inside)
		iot_order_rules_skip_local(models->order);
	if (ok && connect_followers(models, error) && check_events(models, inputs, error) &&
	    check_hosts(models, inputs, error))
		return models;
	iot_models_free(models);
	return NULL;
}

char *iot_models_describe(const char *name, struct iot_timeline *tl, struct iot_inputs *inputs,
			  GError **error)
{
	struct iot_models *models = models_new();
	struct loading loading = { .models = models, .tl = tl, .inputs = inputs, .links = TRUE };
	g_autofree char *path = iot_model_find(name, error);
	g_autoptr(iot_model_file) file = path ? iot_model_file_load(path, error) : NULL;
	char *text = NULL;

	models->given = g_strdup(name);
	if (file && load(&loading, file, error) &&
	    iot_model_load_rest(models->models->pdata[0], error) && connect_models(models, error) &&
	    iot_order_rules_check(models->order, error) &&
	    (!inputs || (check_events(models, inputs, error) &&
			 iot_inputs_bind(inputs, models->schema, NULL, error))))
		text = iot_model_describe(models->models->pdata[0]);
	iot_models_free(models);
	return text;
}
