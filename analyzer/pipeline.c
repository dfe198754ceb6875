/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipeline.h"
#include "fanout.h"
#include "inputs.h"
#include "models.h"
#include "select.h"
#include "base/units.h"
#include "input/reader.h"
#include "order/merge.h"
#include "timeline/emit.h"

#include <signal.h>
#include <string.h>

enum { ADVANCE_EVERY = 64, PROGRESS_EVERY = 8192 };

static volatile sig_atomic_t interrupted;

/* One pass over all inputs. */
struct pass {
	const struct iot_options *options;
	struct iot_inputs *inputs;
	struct iot_models *models;
	struct iot_timeline *tl;
	struct iot_select *select;
	struct iot_emit *emit;
	struct iot_reader *reader;
	struct iot_merge *merge;
	guint64 from_ns, to_ns;
	guint64 records;
	iot_progress_func progress;
	gpointer user_data;
	guint number, n_passes;
	gint64 last_progress;
};

void iot_pipeline_interrupt(void)
{
	interrupted = 1;
}

static guint thread_count(const struct iot_options *options)
{
	return options->threads ? options->threads : g_get_num_processors();
}

/* A quarter of the memory for what is read ahead, a quarter for items that wait, the rest for the
 * outputs. */
static gsize batch_bytes(const struct iot_options *options, guint n_runs)
{
	return (gsize)CLAMP(options->memory / 4 / (3 * MAX(n_runs, 1)), 4096, 262144);
}

static gboolean parse_time(const char *text, guint64 origin, guint64 *out, GError **error)
{
	guint64 ns;

	if (!iot_parse_duration(*text == '@' ? text + 1 : text, &ns, error))
		return FALSE;
	*out = *text == '@' ? ns : origin + ns;
	return TRUE;
}

static gboolean parse_window(struct pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;

	pass->to_ns = G_MAXUINT64;
	if (options->from && !parse_time(options->from, pass->tl->origin_ns, &pass->from_ns, error))
		return FALSE;
	if (options->to && !parse_time(options->to, pass->tl->origin_ns, &pass->to_ns, error))
		return FALSE;
	pass->tl->zero_ns = MAX(pass->from_ns, pass->tl->origin_ns);
	if (pass->from_ns <= pass->to_ns)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE, "--from %s is after --to %s", options->from,
		    options->to);
	return FALSE;
}

static void report_progress(struct pass *pass, gboolean last)
{
	struct iot_progress progress = {
		.records = pass->records,
		.pass = pass->number,
		.n_passes = pass->n_passes,
	};
	gint64 now = g_get_monotonic_time();

	if (!pass->progress || (!last && now - pass->last_progress < 100000))
		return;
	pass->last_progress = now;
	iot_inputs_progress(pass->inputs, &progress.bytes, &progress.total_bytes);
	pass->progress(&progress, pass->user_data);
}

static gboolean is_gap(const struct iot_rec *rec)
{
	return rec->event->index >= IOT_EVENT_GAP_BEGIN;
}

static void handle_record(struct pass *pass, struct iot_rec *rec)
{
	struct iot_item gap;
	guint input = rec->event->input;

	if (!is_gap(rec)) {
		iot_inputs_globalise(pass->inputs, rec);
		iot_models_event(pass->models, rec);
		return;
	}
	iot_models_gap(pass->models, input, rec->ts, rec->event->index == IOT_EVENT_GAP_BEGIN);
	if (iot_inputs_gap(pass->inputs, rec, &gap))
		iot_emit_gap(pass->emit, &gap);
}

static guint64 watermark(const struct pass *pass, guint64 position)
{
	return MIN(position, iot_models_watermark(pass->models));
}

/* Behind the window only calls are of interest that began before its end. */
static gboolean may_end(gpointer data, guint64 position)
{
	const struct pass *pass = data;

	return watermark(pass, position) > pass->to_ns;
}

/* The turning point: pulled until here, pushed from here on. */
static gboolean read_all(struct pass *pass, GError **error)
{
	GError *local = NULL;
	struct iot_rec *rec;

	while ((rec = iot_merge_next(pass->merge, &local))) {
		if (pass->records % ADVANCE_EVERY == 0 &&
		    !iot_emit_advance(pass->emit, watermark(pass, rec->ts), error))
			return FALSE;
		handle_record(pass, rec);
		if (++pass->records % PROGRESS_EVERY == 0)
			report_progress(pass, FALSE);
		if (G_UNLIKELY(interrupted)) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_STOPPED, "interrupted");
			return FALSE;
		}
	}
	if (!local)
		return TRUE;
	g_propagate_error(error, local);
	return FALSE;
}

static gboolean run_pass(struct pass *pass, const struct iot_emit_config *config, GError **error)
{
	const struct iot_options *options = pass->options;
	guint threads = thread_count(options);
	struct iot_item gap;
	gboolean at_end;
	guint64 end;

	pass->emit = iot_emit_new(pass->tl, config);
	iot_inputs_rewind(pass->inputs, pass->tl, pass->to_ns);
	if (!iot_models_start(pass->models, pass->emit, pass->inputs, options->max_open,
			      options->max_containers, iot_select_box, pass->select))
		return FALSE;
	pass->reader = iot_reader_new(iot_inputs_sources(pass->inputs),
				      iot_inputs_count(pass->inputs), threads > 1 ? threads : 0,
				      batch_bytes(options, iot_inputs_runs(pass->inputs)), error);
	if (!pass->reader)
		return FALSE;
	pass->merge = iot_merge_new(iot_reader_runs(pass->reader), iot_reader_fetch, pass->reader,
				    pass->to_ns, may_end, pass);
	if (!read_all(pass, error))
		return FALSE;
	g_clear_pointer(&pass->merge, iot_merge_free);
	g_clear_pointer(&pass->reader, iot_reader_free);
	iot_inputs_describe(pass->inputs);
	if (!pass->records && !options->from && !options->to)
		return iot_models_nothing_known(pass->inputs, error);
	/* not whether reading was cut: that depends on where batches end */
	end = iot_inputs_end(pass->inputs);
	at_end = end <= pass->to_ns;
	if (!at_end)
		end = G_MAXUINT64 - 1;
	iot_models_finish(pass->models, end, at_end);
	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++)
		if (iot_inputs_open_gap(pass->inputs, i, end, &gap))
			iot_emit_gap(pass->emit, &gap);
	report_progress(pass, TRUE);
	return iot_emit_finish(pass->emit, error);
}

static void pass_clear(struct pass *pass)
{
	iot_merge_free(pass->merge);
	iot_reader_free(pass->reader);
	iot_models_free(pass->models);
	iot_inputs_close(pass->inputs);
	iot_emit_free(pass->emit);
	iot_timeline_free(pass->tl);
}

/* Everything up to the first record: inputs, nodes, models, schema, window. */
static gboolean prepare(struct pass *pass, GError **error)
{
	pass->tl = iot_timeline_new();
	pass->inputs = iot_inputs_open(pass->options, pass->tl, error);
	if (!pass->inputs)
		return FALSE;
	pass->models = iot_models_load(pass->options, pass->tl, pass->inputs, error);
	return pass->models && parse_window(pass, error) &&
	       iot_models_check_events(pass->models, pass->inputs, error);
}

/* The first of two passes, for --top and --slower-than: only waits are looked at. */
static gboolean choose_resources(const struct iot_options *options, struct iot_select *select,
				 iot_progress_func progress, gpointer user_data, GError **error)
{
	struct pass pass = {
		.options = options,
		.select = select,
		.progress = progress,
		.user_data = user_data,
		.number = 1,
		.n_passes = 2,
	};
	gboolean ok = prepare(&pass, error);

	if (ok) {
		struct iot_emit_config config = {
			.from_ns = pass.from_ns,
			.to_ns = pass.to_ns,
			.memory = options->memory / 4,
			.func = { iot_select_observe, NULL },
			.user_data = select,
		};

		iot_select_begin_pass(select, pass.tl);
		ok = run_pass(&pass, &config, error);
		if (ok)
			iot_select_end_pass(select);
	}
	pass_clear(&pass);
	return ok;
}

static void fill_summary(struct pass *pass, struct iot_summary *summary)
{
	const struct iot_options *options = pass->options;

	memset(summary, 0, sizeof(*summary));
	iot_inputs_summarise(pass->inputs, summary);
	summary->unknown_systems = iot_models_unknown_systems(pass->models);
	iot_diag_merge(&summary->diag, iot_models_diag(pass->models));
	summary->begin_ns = pass->tl->origin_ns;
	summary->end_ns = MAX(iot_inputs_end(pass->inputs), summary->begin_ns);
	summary->from_ns = options->from ? pass->from_ns : summary->begin_ns;
	summary->to_ns = options->to ? MIN(pass->to_ns, summary->end_ns) : summary->end_ns;
	summary->colour = options->colour;
	summary->verbose = options->verbose;
}

/* An output's own error says more than "stopped", which is what the pipeline sees of it. */
static gboolean finish_outputs(struct pass *pass, struct iot_fanout *fanout, gboolean ok,
			       struct iot_diag *out_diag, char **out_damaged, GError **error)
{
	struct iot_summary summary;

	if (ok)
		ok = iot_fanout_drain(fanout, error);
	fill_summary(pass, &summary);
	if (ok) {
		iot_timeline_rank(pass->tl);
		ok = iot_fanout_finish(fanout, &summary, error);
	}
	if (out_diag)
		*out_diag = summary.diag;
	if (out_damaged)
		*out_damaged = g_strdup(iot_inputs_damaged(pass->inputs));
	iot_inputs_summary_free(&summary);
	return ok;
}

static gboolean analyse(struct pass *pass, struct iot_diag *out_diag, char **out_damaged,
			GError **error)
{
	const struct iot_options *options = pass->options;
	struct iot_fanout *fanout;
	gboolean audit = options->audit;
	gboolean ok;

#ifdef IOT_AUDIT
	audit = TRUE;
#endif
	if (!prepare(pass, error))
		return FALSE;
	fanout = iot_fanout_new(pass->tl, options->outputs, options->memory / 2,
				thread_count(options) > 1, audit, error);
	ok = fanout != NULL;
	if (ok) {
		struct iot_emit_config config = {
			.from_ns = pass->from_ns,
			.to_ns = pass->to_ns,
			.memory = options->memory / 8,
			.func = { iot_fanout_wants(fanout, IOT_FEED_END) ? iot_fanout_end : NULL,
				  iot_fanout_wants(fanout, IOT_FEED_TIME) ? iot_fanout_time
									  : NULL },
			.user_data = fanout,
		};

		ok = run_pass(pass, &config, error);
		ok = finish_outputs(pass, fanout, ok, out_diag, out_damaged, error);
	}
	iot_fanout_free(fanout);
	return ok;
}

gboolean iot_pipeline_run(const struct iot_options *options, iot_progress_func progress,
			  gpointer user_data, struct iot_diag *out_diag, char **out_damaged,
			  GError **error)
{
	struct iot_select *select = iot_select_new(options);
	struct pass pass = {
		.options = options,
		.select = select,
		.progress = progress,
		.user_data = user_data,
		.number = 1,
		.n_passes = 1,
	};
	gboolean ok = TRUE;

	if (out_diag)
		memset(out_diag, 0, sizeof(*out_diag));
	if (out_damaged)
		*out_damaged = NULL;
	if (iot_select_needs_pass(select)) {
		ok = choose_resources(options, select, progress, user_data, error);
		pass.number = pass.n_passes = 2;
	}
	if (ok)
		ok = analyse(&pass, out_diag, out_damaged, error);
	pass_clear(&pass);
	iot_select_free(select);
	return ok;
}

char *iot_pipeline_check_model(const struct iot_options *options, const char *model, GError **error)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct iot_inputs *inputs = NULL;
	char *text;

	if (options->inputs->len) {
		inputs = iot_inputs_open(options, tl, error);
		if (!inputs)
			return NULL;
	}
	text = iot_models_describe(model, tl, inputs, error);
	iot_inputs_close(inputs);
	return text;
}
