/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/pipeline.h"
#include "run/checkpoint.h"
#include "run/fanout.h"
#include "run/shown.h"
#include "base/units.h"
#include "input/reader.h"

#include <signal.h>
#include <string.h>

enum { ADVANCE_EVERY = 64, PROGRESS_EVERY = 8192 };

static volatile sig_atomic_t interrupted;

/* One pass over all inputs. */
struct pass {
	const struct iot_options *options;
	struct iot_pass_state at;
	struct iot_select *select;
	struct iot_reader *reader;
	struct iot_merge *merge;
	guint64 from_ns, to_ns;
	guint64 patience_ns;	 /* calls that are open at to_ns are waited for until then */
	struct iot_index *index; /* NULL: none is used or made */
	gboolean makes_index;
	struct iot_timeline_size kept; /* what is in the index of the tables that only grow */
	guint *skip;		       /* by run: records to be left out; NULL: none */
	struct iot_usage usage;
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

/* A sixteenth of the memory for what is read ahead (larger batches of many runs are only further
 * from the cache), a quarter for items that wait, half of it for the outputs. */
static gsize batch_bytes(const struct iot_options *options, guint n_runs)
{
	return (gsize)CLAMP(options->memory / 16 / (3 * MAX(n_runs, 1)), 4096, 262144);
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
	if (options->from &&
	    !parse_time(options->from, pass->at.tl->origin_ns, &pass->from_ns, error))
		return FALSE;
	if (options->to && !parse_time(options->to, pass->at.tl->origin_ns, &pass->to_ns, error))
		return FALSE;
	pass->at.tl->zero_ns = MAX(pass->from_ns, pass->at.tl->origin_ns);
	if (pass->from_ns <= pass->to_ns) {
		guint64 length = pass->to_ns - MIN(pass->at.tl->zero_ns, pass->to_ns);

		pass->patience_ns = pass->to_ns + MIN(length, G_MAXUINT64 - pass->to_ns);
		return TRUE;
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE, "--from %s is after --to %s", options->from,
		    options->to);
	return FALSE;
}

static void report_progress(struct pass *pass, gboolean last)
{
	struct iot_progress progress = {
		.records = pass->at.records,
		.pass = pass->number,
		.n_passes = pass->n_passes,
	};
	gint64 now = g_get_monotonic_time();

	if (!pass->progress || (!last && now - pass->last_progress < 100000))
		return;
	pass->last_progress = now;
	iot_inputs_progress(pass->at.inputs, &progress.bytes, &progress.total_bytes);
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
		iot_inputs_globalise(pass->at.inputs, rec);
		iot_models_event(pass->at.models, rec);
		return;
	}
	iot_models_gap(pass->at.models, input, rec->ts, rec->event->index == IOT_EVENT_GAP_BEGIN);
	if (iot_inputs_gap(pass->at.inputs, rec, &gap))
		iot_emit_gap(pass->at.emit, &gap);
}

static guint64 watermark(const struct pass *pass, guint64 position)
{
	return MIN(position, iot_models_watermark(pass->at.models));
}

static void add_checkpoint(struct pass *pass, guint64 ts, guint64 bytes)
{
	g_autoptr(GByteArray) tables = g_byte_array_new();
	g_autoptr(GByteArray) state = iot_checkpoint_save(&pass->at, pass->merge, ts);

	if (!state) {
		iot_index_give_up(pass->index, "a recording changes while it is read");
		pass->makes_index = FALSE;
		return;
	}
	iot_timeline_save_new(pass->at.tl, &pass->kept, tables);
	iot_timeline_count(pass->at.tl, &pass->kept);
	iot_index_add(pass->index, bytes, ts, tables, state);
}

static void consider_checkpoint(struct pass *pass, guint64 ts)
{
	guint64 bytes, total;

	iot_inputs_progress(pass->at.inputs, &bytes, &total);
	if (iot_index_due(pass->index, bytes))
		add_checkpoint(pass, ts, bytes);
}

/* Before anything that is later than the end of a recording. */
static void end_inputs(struct pass *pass, guint64 ts)
{
	guint input;
	guint64 end;

	while (iot_inputs_ended(pass->at.inputs, ts, &input, &end))
		iot_models_end_input(pass->at.models, input, end);
}

/*
 * Nothing comes before @ts any more. Behind the window only calls are of interest that began before
 * its end: their ends say how they are drawn in it. But one that blocks for an hour is not worth
 * reading for an hour.
 */
static gboolean on_turn(gpointer data, guint64 ts)
{
	struct pass *pass = data;

	end_inputs(pass, ts);
	if (ts > pass->to_ns && (ts > pass->patience_ns || watermark(pass, ts) > pass->to_ns))
		return TRUE;
	if (pass->makes_index)
		consider_checkpoint(pass, ts);
	return FALSE;
}

/* FALSE with an error when the user wants it to end. */
static gboolean go_on(GError **error)
{
	if (G_LIKELY(!interrupted))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_STOPPED, "interrupted");
	return FALSE;
}

/* The turning point: pulled until here, pushed from here on. */
static gboolean read_all(struct pass *pass, GError **error)
{
	GError *local = NULL;
	struct iot_rec *rec;

	while ((rec = iot_merge_next(pass->merge, &local))) {
		if (G_UNLIKELY(rec->ts > iot_inputs_next_end(pass->at.inputs)))
			end_inputs(pass, rec->ts);
		if (pass->at.records % ADVANCE_EVERY == 0 &&
		    !iot_emit_advance(pass->at.emit, watermark(pass, rec->ts), error))
			return FALSE;
		if (G_UNLIKELY(pass->makes_index) && iot_index_is_dense(pass->index))
			consider_checkpoint(pass, rec->ts);
		handle_record(pass, rec);
		if (++pass->at.records % PROGRESS_EVERY == 0)
			report_progress(pass, FALSE);
		if (!go_on(error))
			return FALSE;
	}
	if (!local)
		return TRUE;
	g_propagate_error(error, local);
	return FALSE;
}

/* Everything in front of the first record; @config: of the outputs, without their user_data */
static gboolean start_pass(struct pass *pass, const struct iot_emit_config *config)
{
	const struct iot_options *options = pass->options;

	pass->at.emit = iot_emit_new(pass->at.tl, config);
	iot_inputs_rewind(pass->at.inputs, pass->at.tl, pass->to_ns);
	return iot_models_start(pass->at.models, pass->at.emit, pass->at.inputs, options->max_open,
				options->max_containers, iot_select_row, pass->select);
}

/* The index of these inputs, if there shall be one. */
static gboolean find_index(struct pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;
	g_autofree char *key = NULL;
	guint64 bytes, total;

	if (!options->index || !strcmp(options->index, "off"))
		return TRUE;
	key = iot_checkpoint_key(options, pass->at.inputs, pass->at.models, pass->at.tl);
	if (!key)
		return TRUE;
	iot_inputs_progress(pass->at.inputs, &bytes, &total);
	pass->index = iot_index_new(options->index, options->inputs->pdata[0], key, total, error);
	return pass->index != NULL;
}

/* Go on at the last checkpoint before the window. FALSE without an error: the pass is of no use,
 * the index neither. */
static gboolean resume(struct pass *pass, GError **error)
{
	struct iot_index_point point;
	gboolean ok;

	if (!iot_index_find(pass->index, pass->from_ns, &point))
		return TRUE;
	ok = iot_checkpoint_load(&pass->at, &point, iot_select_row, pass->select, &pass->skip,
				 error);
	iot_index_point_clear(&point);
	return ok;
}

static gboolean start_reading(struct pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;
	guint threads = thread_count(options);

	if (pass->makes_index)
		iot_inputs_want_marks(pass->at.inputs);
	pass->reader =
		iot_reader_new(iot_inputs_sources(pass->at.inputs),
			       iot_inputs_count(pass->at.inputs), threads > 1 ? threads : 0,
			       batch_bytes(options, iot_inputs_runs(pass->at.inputs)), error);
	if (!pass->reader)
		return FALSE;
	pass->merge = iot_merge_new(&(struct iot_merge_config){
		.n_runs = iot_reader_runs(pass->reader),
		.fetch = iot_reader_fetch,
		.fetch_data = pass->reader,
		.to_ns = pass->to_ns,
		.turn = on_turn,
		.turn_data = pass,
		.diag = &pass->at.tl->diag,
	});
	for (guint run = 0; pass->skip && run < iot_reader_runs(pass->reader); run++)
		iot_merge_skip(pass->merge, run, pass->skip[run]);
	return TRUE;
}

static gboolean read_pass(struct pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;
	struct iot_item gap;
	gboolean at_end;
	guint64 end;

	if (!start_reading(pass, error) || !read_all(pass, error))
		return FALSE;
	iot_usage_add(&pass->usage, "records that were read ahead",
		      iot_reader_memory(pass->reader));
	g_clear_pointer(&pass->merge, iot_merge_free);
	g_clear_pointer(&pass->reader, iot_reader_free);
	iot_inputs_describe(pass->at.inputs);
	if (!pass->at.records && !options->from && !options->to)
		return iot_models_nothing_known(pass->at.models, pass->at.inputs, error);
	/* not whether reading was cut: that depends on where batches end */
	end = iot_inputs_end(pass->at.inputs);
	at_end = end <= pass->to_ns;
	if (!at_end)
		end = G_MAXUINT64 - 1;
	if (pass->makes_index)
		iot_index_finish(pass->index, at_end);
	end_inputs(pass, end);
	iot_models_finish(pass->at.models, end, at_end);
	for (guint i = 0; i < iot_inputs_count(pass->at.inputs); i++)
		if (iot_inputs_open_gap(pass->at.inputs, i, end, &gap))
			iot_emit_gap(pass->at.emit, &gap);
	report_progress(pass, TRUE);
	if (!iot_emit_finish(pass->at.emit, error))
		return FALSE;
	iot_usage_add(&pass->usage, "items that waited for their turn",
		      iot_emit_memory(pass->at.emit));
	iot_usage_add(&pass->usage, "calls, objects and tables",
		      iot_models_memory(pass->at.models));
	iot_usage_add(&pass->usage, "names and rows", iot_timeline_memory(pass->at.tl));
	pass->usage.spilled = iot_emit_spilled(pass->at.emit);
	return TRUE;
}

static void pass_clear(struct pass *pass)
{
	iot_merge_free(pass->merge);
	iot_reader_free(pass->reader);
	iot_models_free(pass->at.models);
	iot_inputs_close(pass->at.inputs);
	iot_emit_free(pass->at.emit);
	iot_timeline_free(pass->at.tl);
	memset(&pass->at, 0, sizeof(pass->at));
	pass->merge = NULL;
	pass->reader = NULL;
	g_clear_pointer(&pass->skip, g_free);
}

/* Inputs, nodes, models, schema, window. */
static gboolean open_inputs(struct pass *pass, GError **error)
{
	pass->at.tl = iot_timeline_new();
	pass->at.inputs = iot_inputs_open(pass->options, pass->at.tl, error);
	if (!pass->at.inputs)
		return FALSE;
	pass->at.models = iot_models_load(pass->options, pass->at.tl, pass->at.inputs, error);
	return pass->at.models && parse_window(pass, error) &&
	       iot_models_check_events(pass->at.models, pass->at.inputs, error);
}

/* Everything up to the first record that is read; @func: who wants the items. */
static gboolean prepare(struct pass *pass, iot_item_func func, enum iot_feed feed, GError **error)
{
	struct iot_emit_config config = {
		.memory = pass->options->memory / 4,
		.begins = feed == IOT_FEED_WITH_BEGINS,
		.func = func,
	};
	GError *local = NULL;

	if (!open_inputs(pass, error))
		return FALSE;
	config.from_ns = pass->from_ns;
	config.to_ns = pass->to_ns;
	if (!start_pass(pass, &config) || (!pass->index && !find_index(pass, error)))
		return FALSE;
	if (pass->index && !resume(pass, &local)) {
		/* once more, from the beginning */
		if (local) {
			g_propagate_error(error, local);
			return FALSE;
		}
		iot_index_distrust(pass->index, "its contents contradict themselves");
		pass_clear(pass);
		return prepare(pass, func, feed, error);
	}
	pass->makes_index = pass->index && iot_index_makes(pass->index, pass->to_ns);
	iot_timeline_count(pass->at.tl, &pass->kept);
	return TRUE;
}

static void end_pass(struct pass *pass, struct iot_outcome *out)
{
	if (pass->index && !out->index)
		out->index = g_strdup(iot_index_written(pass->index));
	pass_clear(pass);
	iot_index_free(pass->index);
}

/* The first of two passes, for --top and --slower-than: only waits are looked at. */
static gboolean choose_resources(const struct iot_options *options, struct iot_select *select,
				 iot_progress_func progress, gpointer user_data,
				 struct iot_outcome *out, GError **error)
{
	struct pass pass = {
		.options = options,
		.select = select,
		.progress = progress,
		.user_data = user_data,
		.number = 1,
		.n_passes = 2,
	};
	gboolean ok = prepare(&pass, iot_select_observe, IOT_FEED_WHOLE_SPANS, error);

	if (ok) {
		iot_emit_connect(pass.at.emit, select);
		iot_select_begin_pass(select, pass.at.tl);
		ok = read_pass(&pass, error);
		if (ok)
			iot_select_end_pass(select);
	}
	end_pass(&pass, out);
	return ok;
}

static void fill_summary(struct pass *pass, struct iot_summary *summary)
{
	const struct iot_options *options = pass->options;

	memset(summary, 0, sizeof(*summary));
	iot_inputs_summarise(pass->at.inputs, summary);
	summary->unknown_systems = iot_models_unknown_systems(pass->at.models);
	iot_diag_merge(&summary->diag, iot_models_diag(pass->at.models));
	iot_diag_merge(&summary->diag, &pass->at.tl->diag);
	summary->begin_ns = pass->at.tl->origin_ns;
	summary->end_ns = MAX(iot_inputs_end(pass->at.inputs), summary->begin_ns);
	summary->from_ns = options->from ? pass->from_ns : summary->begin_ns;
	summary->to_ns = options->to ? MIN(pass->to_ns, summary->end_ns) : summary->end_ns;
	summary->colour = options->colour;
	summary->width = options->width;
	summary->verbose = options->verbose;
	summary->index = pass->index ? iot_index_note(pass->index) : "";
}

/* An output's own error says more than "stopped", which is what the pipeline sees of it. */
static gboolean finish_outputs(struct pass *pass, struct iot_fanout *fanout, gboolean ok,
			       struct iot_outcome *out, GError **error)
{
	struct iot_summary summary;

	/* what waits in front of the outputs may take them long, after all has been read */
	if (ok)
		ok = iot_fanout_drain(fanout, error) && go_on(error);
	if (ok)
		iot_fanout_usage(fanout, &pass->usage);
	fill_summary(pass, &summary);
	if (ok) {
		out->missing = iot_shown_check(pass->options, pass->select, pass->at.tl, &summary);
		iot_timeline_rank(pass->at.tl);
		ok = iot_fanout_finish(fanout, &summary, error);
	}
	out->diag = summary.diag;
	out->damaged = g_strdup(iot_inputs_damaged(pass->at.inputs));
	out->usage = pass->usage;
	out->records = pass->at.records;
	iot_inputs_summary_free(&summary);
	return ok;
}

/* What the outputs want together. */
static enum iot_feed common_feed(const GPtrArray *outputs)
{
	for (guint i = 0; i < outputs->len; i++)
		if (((const struct iot_output *)outputs->pdata[i])->ops->feed ==
		    IOT_FEED_WITH_BEGINS)
			return IOT_FEED_WITH_BEGINS;
	return IOT_FEED_WHOLE_SPANS;
}

static gboolean analyse(struct pass *pass, struct iot_outcome *out, GError **error)
{
	const struct iot_options *options = pass->options;
	enum iot_feed feed = common_feed(options->outputs);
	struct iot_fanout *fanout;
	gboolean audit = options->audit;
	gboolean ok;

#ifdef IOT_AUDIT
	audit = TRUE;
#endif
	if (!prepare(pass, iot_fanout_item, feed, error))
		return FALSE;
	fanout = iot_fanout_new(pass->at.tl, options->outputs, feed, options->memory / 2,
				thread_count(options) > 1, audit, error);
	ok = fanout != NULL;
	if (ok) {
		iot_emit_connect(pass->at.emit, fanout);
		ok = read_pass(pass, error);
		ok = finish_outputs(pass, fanout, ok, out, error);
	}
	iot_fanout_free(fanout);
	return ok;
}

gboolean iot_pipeline_run(const struct iot_options *options, iot_progress_func progress,
			  gpointer user_data, struct iot_outcome *out, GError **error)
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

	memset(out, 0, sizeof(*out));
	if (iot_select_needs_pass(select)) {
		ok = choose_resources(options, select, progress, user_data, out, error);
		pass.number = pass.n_passes = 2;
	}
	if (ok)
		ok = analyse(&pass, out, error);
	end_pass(&pass, out);
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
