/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/explain.h"
#include "run/look/clocks.h"
#include "run/pass.h"
#include "base/error.h"
#include "tables/ranked.h"

#include <string.h>

/* A file, in words. */
struct told {
	const char *path;
	char *what, *drawn, *not_drawn, *placed;
	const char *node; /* NULL: not known */
	guint64 begin_ns; /* after the first event of all; G_MAXUINT64: not known */
	guint64 ns;	  /* from the first to the last event; 0: not known */
};

static void told_clear(gpointer data)
{
	struct told *told = data;

	g_free(told->what);
	g_free(told->drawn);
	g_free(told->not_drawn);
	g_free(told->placed);
}

static const struct iot_ranked_column columns[] = {
	{ "file", "file", IOT_COLUMN_TEXT },
	{ "what", "what it is", IOT_COLUMN_TEXT },
	{ "node", "node", IOT_COLUMN_TEXT, IOT_COLUMN_DASH },
	{ "begin", "begins after", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL,
	  .help = "after the first event of all" },
	{ "lasts", "lasts", IOT_COLUMN_NS, IOT_COLUMN_OPTIONAL | IOT_COLUMN_DASH,
	  .help = "where the end is known before the recording is read" },
	{ "drawn", "drawn by models", IOT_COLUMN_TEXT, IOT_COLUMN_DASH },
	{ "not_drawn", "not drawn", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL,
	  .help = "systems of events of which nothing is drawn; -m MODEL draws them" },
	{ "clock", "placed by", IOT_COLUMN_TEXT, IOT_COLUMN_OPTIONAL | IOT_COLUMN_DASH,
	  .help = "how its clock is related to the others" },
};

static void add_input(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct told *told = element;

	(void)data;
	iot_ranked_row(table, iot_cell_text(told->path), iot_cell_text(told->what),
		       iot_cell_text(told->node),
		       iot_cell_if(told->begin_ns != G_MAXUINT64, iot_cell_number(told->begin_ns)),
		       iot_cell_positive(told->ns), iot_cell_text(told->drawn),
		       iot_cell_text(told->not_drawn), iot_cell_text(told->placed));
}

static const struct iot_ranked inputs_table = {
	IOT_RANKED("recordings", "Recordings", columns),
	.loss = IOT_LOSS_NOTHING,
	.add = add_input,
};

static const struct iot_ranked_column left_columns[] = {
	{ "file", "file", IOT_COLUMN_TEXT },
	{ "what", "what it is", IOT_COLUMN_TEXT },
};

static void add_left(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct told *told = element;

	(void)data;
	iot_ranked_row(table, iot_cell_text(told->path), iot_cell_text(told->what));
}

static const struct iot_ranked left_table = {
	IOT_RANKED("left_out", "Not read", left_columns),
	.help = "other files of the folder",
	.loss = IOT_LOSS_NOTHING,
	.add = add_left,
};

/* A file that is opened for itself; FALSE with @error: it cannot be. */
static gboolean tell_alone(const char *path, struct told *told, GError **error)
{
	const struct iot_input_spec spec = { .path = path, .only_read = TRUE };
	struct iot_source *source = iot_source_open(NULL, &spec, error);
	struct iot_input_info info = { 0 };

	*told = (struct told){ .path = path, .begin_ns = G_MAXUINT64 };
	if (!source)
		return FALSE;
	source->ops->describe(source, &info);
	told->what = g_strdup(info.format);
	source->ops->close(source);
	return TRUE;
}

static char *placed_by(const struct iot_input_info *info)
{
	if (info->sync == IOT_SYNC_HOST)
		return g_strdup("it is the host");
	if (iot_inputs_clock_stated(info))
		return strcmp(info->protocol, "file") ? g_strdup(info->protocol)
						      : g_strdup("--sync");
	if (info->sync == IOT_SYNC_YES)
		return info->n_samples
			       ? g_strdup_printf("%s, %u samples", info->protocol, info->n_samples)
			       : g_strdup("its own statement");
	return g_strdup("nothing: --sync or --shift");
}

static void tell_input(const struct iot_pass *pass, guint index, struct told *told)
{
	const struct iot_inputs *inputs = pass->at.inputs;
	const struct iot_input *input = iot_inputs_at(inputs, index);
	const struct iot_input_info *info = &input->info;
	guint64 first = pass->at.tl->origin_ns;

	*told = (struct told){ .path = info->path,
			       .what = g_strdup(info->format),
			       .node = input->name,
			       .begin_ns = G_MAXUINT64,
			       .drawn = iot_models_draw(pass->at.models, input),
			       .not_drawn = iot_models_draw_not(pass->at.models, input) };
	if (info->has_times && info->first_ns >= first)
		told->begin_ns = info->first_ns - first;
	if (info->has_times && info->end_ns > info->first_ns)
		told->ns = info->end_ns - info->first_ns;
	if (iot_inputs_count(inputs) > 1)
		told->placed = placed_by(info);
}

/* Nothing is drawn before all inputs are good. */
static void tell_each(const struct iot_options *options, GArray *out)
{
	for (guint i = 0; i < options->inputs->len; i++) {
		g_autoptr(GError) error = NULL;
		struct told told;

		if (!tell_alone(options->inputs->pdata[i], &told, &error))
			told.what = g_strdup("cannot be read");
		g_array_append_val(out, told);
	}
}

static void tell_left(const struct iot_options *options, GArray *out)
{
	for (guint i = 0; options->left_out && i < options->left_out->len; i++) {
		struct told told;

		if (tell_alone(options->left_out->pdata[i], &told, NULL)) {
			g_autofree char *what = told.what;

			told.what = g_strdup_printf("%s; it is read if it is named, too", what);
		} else {
			told.what = g_strdup("no recording");
		}
		g_array_append_val(out, told);
	}
}

static GArray *told_new(void)
{
	GArray *told = g_array_new(FALSE, FALSE, sizeof(struct told));

	g_array_set_clear_func(told, told_clear);
	return told;
}

struct iot_results *iot_explain_inputs(const struct iot_options *options, GError **error)
{
	g_autoptr(GArray) told = told_new(), left = told_new();
	struct iot_results *results = iot_results_new();
	struct iot_options without_index = *options;
	struct iot_pass pass = { .options = &without_index,
				 .select = iot_select_new(options),
				 .aim = IOT_AIM_DRAW };
	struct iot_result_table *table;

	without_index.index = NULL;
	if (iot_pass_prepare(&pass, NULL, IOT_FEED_WHOLE_SPANS, error)) {
		for (guint i = 0; i < iot_inputs_count(pass.at.inputs); i++) {
			struct told one;

			tell_input(&pass, i, &one);
			g_array_append_val(told, one);
		}
	} else {
		tell_each(options, told);
	}
	tell_left(options, left);
	table = iot_ranked_publish_array(results, NULL, &inputs_table, told, NULL);
	if (iot_misfits_why(pass.misfits))
		iot_result_note(table, "%s", iot_misfits_why(pass.misfits));
	iot_ranked_publish_array(results, NULL, &left_table, left, NULL);
	iot_pass_clear(&pass);
	iot_misfits_free(pass.misfits);
	iot_select_free(pass.select);
	return results;
}
