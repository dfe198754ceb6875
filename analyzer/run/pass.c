/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/pass.h"
#include "run/look/clocks.h"
#include "run/index-key.h"
#include "run/ordering.h"
#include "run/look/vcpus.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "input/reader.h"
#include "timeline/findings.h"

#include <string.h>

enum { ADVANCE_EVERY = 64, PROGRESS_EVERY = 8192 };

guint iot_pass_threads(const struct iot_options *options)
{
	return options->threads ? options->threads : g_get_num_processors();
}

/* ---- checkpoints */

static guint64 delivery(const struct iot_pass *pass, guint64 position);
static void handle_record(gpointer data, struct iot_rec *rec, const struct iot_moved *moved);

static void add_checkpoint(struct iot_pass *pass, guint64 ts, guint64 bytes)
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

static void consider_checkpoint(struct iot_pass *pass, guint64 ts)
{
	guint64 bytes, total;

	iot_inputs_progress(pass->at.inputs, &bytes, &total);
	if (iot_index_due(pass->index, bytes))
		add_checkpoint(pass, delivery(pass, ts), bytes);
}

/* The index of these inputs, unless --index is off or some input cannot resume. */
static gboolean find_index(struct iot_pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;
	g_autofree char *key = NULL;
	guint64 bytes, total;

	if (!options->index || !strcmp(options->index, "off"))
		return TRUE;
	key = iot_index_key(options, pass->clocks, pass->at.inputs, pass->at.models, pass->at.tl);
	if (!key)
		return TRUE;
	iot_inputs_progress(pass->at.inputs, &bytes, &total);
	pass->index = iot_index_new(options->index, options->inputs->pdata[0], key, total, error);
	return pass->index != NULL;
}

/*
 * Resume at the last checkpoint before the window, if there is one. FALSE if it contradicts itself,
 * or with @error set if the system cannot read: then the state is not usable.
 */
static gboolean resume(struct iot_pass *pass, GError **error)
{
	struct iot_index_point point;
	gboolean ok;

	if (!pass->index || !iot_index_find(pass->index, pass->window.from_ns, &point))
		return TRUE;
	ok = iot_checkpoint_load(&pass->at, &point, pass->select, &pass->skip, error);
	iot_index_point_clear(&point);
	return ok;
}

/* ---- preparing */

/* Bind the inputs; FALSE without an error: open everything again, without the models that do not
 * fit. */
static gboolean bind_inputs(struct iot_pass *pass, GError **error)
{
	const struct iot_schema *schema = iot_models_schema(pass->at.models);
	GError *local = NULL;

	if (iot_inputs_bind(pass->at.inputs, schema, iot_misfits_schemas(pass->misfits, schema),
			    &local))
		return TRUE;
	if (!pass->options->models->len && !pass->misfits &&
	    g_error_matches(local, IOT_ERROR, IOT_ERROR_MODEL)) {
		pass->misfits = iot_misfits_find(iot_models_files(pass->at.models),
						 pass->at.inputs, error);
		if (!pass->misfits || iot_misfits_count(pass->misfits)) {
			g_error_free(local);
			return FALSE;
		}
	}
	g_propagate_error(error, local);
	return FALSE;
}

static void clear_state(struct iot_pass *pass);

/* Inputs are bound after the models are loaded, and the window begins with the bound inputs. */
static gboolean open_inputs(struct iot_pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;
	struct iot_pass_state *at = &pass->at;
	GError *local = NULL;
	guint64 begin_ns;

	at->tl = iot_timeline_new();
	at->inputs = iot_inputs_open(options, pass->clocks, at->tl, error);
	if (!at->inputs)
		return FALSE;
	at->tl->clocks = iot_inputs_clocks(at->inputs, &options->clock);
	iot_inputs_rank_clocks(at->inputs, at->tl, at->tl->clocks);
	iot_ordering_attribute(at->tl, options);
	at->models = iot_models_load(options, pass->misfits, at->tl, at->inputs, error);
	if (!at->models)
		return FALSE;
	if (!bind_inputs(pass, &local)) {
		clear_state(pass);
		if (!local)
			return open_inputs(pass, error);
		g_propagate_error(error, local);
		return FALSE;
	}
	at->tl->steal = iot_vcpus_steal(at->inputs, at->tl);
	iot_derivation_open(&pass->derivation, options, at->tl, pass->aim == IOT_AIM_DRAW,
			    pass->follow, iot_pass_threads(options));
	at->tl->selects_late = pass->derivation.stages && pass->aim != IOT_AIM_RANK;
	begin_ns = iot_inputs_begin(at->inputs);
	if (!iot_window_parse(&pass->window, options, begin_ns, error))
		return FALSE;
	iot_timeline_set_times(at->tl, begin_ns, pass->window.zero_ns);
	return TRUE;
}

/* Everything before the first record. */
static void start(struct iot_pass *pass)
{
	iot_item_func receiver = iot_derivation_receiver(&pass->derivation);
	struct iot_emit_config config = {
		.memory = pass->options->memory / 4,
		.begins = iot_pass_feed(pass) == IOT_FEED_WITH_BEGINS,
		.func = receiver ? receiver : pass->func,
		.from_ns = pass->window.from_ns,
		.to_ns = pass->window.to_ns,
	};

	guint64 begin, end;

	/* the host is not drawn before and after the recordings of its guests */
	if (iot_inputs_range(pass->at.inputs, &begin, &end)) {
		config.from_ns = MAX(config.from_ns, begin);
		config.to_ns = MIN(config.to_ns, end);
	}
	pass->at.emit = iot_emit_new(pass->at.tl, &config);
	iot_findings_limit(pass->at.tl->findings, config.from_ns, config.to_ns);
	iot_inputs_start(pass->at.inputs, pass->window.to_ns);
	pass->at.entries = iot_guest_entries_new(pass->at.inputs, pass->at.tl,
						 iot_models_schema(pass->at.models),
						 pass->window.from_ns, pass->window.to_ns);
	iot_models_start(pass->at.models, pass->options,
			 &(struct iot_models_run){ .inputs = pass->at.inputs,
						   .emit = pass->at.emit,
						   .select = pass->select,
						   .look = pass->look });
	if (iot_models_order(pass->at.models))
		pass->at.causal = iot_ordering_new(&pass->at, pass->options, handle_record, pass);
}

static void clear_state(struct iot_pass *pass)
{
	iot_merge_free(pass->merge);
	iot_reader_free(pass->reader);
	iot_causal_free(pass->at.causal);
	iot_guest_entries_free(pass->at.entries);
	iot_models_free(pass->at.models);
	iot_inputs_close(pass->at.inputs);
	iot_emit_free(pass->at.emit);
	iot_derivation_clear(&pass->derivation);
	iot_timeline_free(pass->at.tl);
	memset(&pass->at, 0, sizeof(pass->at));
	pass->merge = NULL;
	pass->reader = NULL;
	g_clear_pointer(&pass->skip, g_free);
}

gboolean iot_pass_prepare(struct iot_pass *pass, iot_item_func func, enum iot_feed feed,
			  GError **error)
{
	GError *local = NULL;
	gboolean ready = FALSE;

	pass->func = func;
	pass->feed = feed;
	/* the second round is for an index that contradicts itself: nothing is resumed then */
	for (guint round = 0; !ready && round < 2; round++) {
		if (!open_inputs(pass, error))
			return FALSE;
		start(pass);
		if (!pass->index && !find_index(pass, error))
			return FALSE;
		ready = resume(pass, &local);
		if (local) {
			g_propagate_error(error, local);
			return FALSE;
		}
		if (!ready) {
			iot_index_distrust(pass->index, "its contents contradict themselves");
			clear_state(pass);
		}
	}
	pass->makes_index = pass->index && iot_index_makes(pass->index, pass->window.to_ns);
	iot_timeline_count(pass->at.tl, &pass->kept);
	return TRUE;
}

enum iot_feed iot_pass_feed(const struct iot_pass *pass)
{
	return iot_derivation_needs_begins(&pass->derivation) ? IOT_FEED_WITH_BEGINS : pass->feed;
}

void iot_pass_connect(struct iot_pass *pass, gpointer user_data)
{
	if (iot_derivation_receiver(&pass->derivation))
		iot_derivation_connect(&pass->derivation, pass->func, user_data);
	else
		iot_emit_connect(pass->at.emit, user_data);
}

void iot_pass_clear(struct iot_pass *pass)
{
	clear_state(pass);
	g_clear_pointer(&pass->index, iot_index_free);
}

/* ---- reading */

static void report_progress(struct iot_pass *pass, gboolean last)
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

/* States of the node may be unseen: also those of calls that are open, since these began. Before
 * the models close the calls. */
static void lose_sight(struct iot_pass *pass, guint input, guint64 ts)
{
	guint64 unseen_ns = MIN(ts, iot_models_watermark(pass->at.models, ts));
	iot_str node = iot_inputs_gap(pass->at.inputs, input)->node;

	if (iot_inputs_lose_sight(pass->at.inputs, input, unseen_ns))
		iot_derivation_unobserved(&pass->derivation, node, unseen_ns);
}

static void handle_gap(struct iot_pass *pass, const struct iot_rec *rec)
{
	guint input = rec->event->input;
	gboolean begins = rec->event->index == IOT_EVENT_GAP_BEGIN;
	struct iot_node_gap *gap = iot_inputs_gap(pass->at.inputs, input);
	struct iot_item item;

	if (begins)
		lose_sight(pass, input, rec->ts);
	iot_models_gap(pass->at.models, input, rec->ts, begins);
	if (begins)
		iot_node_gap_begin(gap, rec->ts, rec->slot[IOT_GAP_LOST].u);
	else if (iot_node_gap_end(gap, rec->ts, &item))
		iot_emit_gap(pass->at.emit, &item);
}

/* The next record in the order of delivery. */
static void handle_record(gpointer data, struct iot_rec *rec, const struct iot_moved *moved)
{
	struct iot_pass *pass = data;

	/* with the times as recorded, a machine may be far ahead of another one */
	if (pass->options->causality.policy == IOT_CAUSALITY_HOLD)
		iot_models_hold_back(pass->at.models,
				     pass->at.causal ? iot_causal_oldest(pass->at.causal)
						     : G_MAXUINT64);
	if (rec->event->index >= IOT_EVENT_GAP_BEGIN) {
		handle_gap(pass, rec);
	} else {
		iot_emit_moved(pass->at.emit, moved->shift, moved->round);
		iot_models_event(pass->at.models, rec);
	}
	if (G_UNLIKELY(pass->record))
		pass->record(pass->record_data, pass, rec, moved);
}

/* The next record of the merge. */
static void take_record(struct iot_pass *pass, struct iot_rec *rec)
{
	static const struct iot_moved unmoved;

	if (rec->event->index < IOT_EVENT_GAP_BEGIN)
		iot_inputs_globalise(pass->at.inputs, rec);
	else if (pass->at.causal)
		iot_causal_gap(pass->at.causal, rec->event->input, rec->ts,
			       rec->event->index == IOT_EVENT_GAP_BEGIN);
	if (G_UNLIKELY(pass->at.entries)) {
		if (rec->event->index < IOT_EVENT_GAP_BEGIN)
			iot_guest_entries_record(pass->at.entries, rec);
		else if (rec->event->index == IOT_EVENT_GAP_BEGIN)
			iot_guest_entries_gap(pass->at.entries, rec->event->input);
	}
	if (pass->at.causal && !iot_causal_ignores(pass->at.causal, rec->event->index))
		iot_causal_push(pass->at.causal, rec);
	else
		handle_record(pass, rec, &unmoved);
}

/* No record before this time will be delivered, if the merge is at @position. */
static guint64 delivery(const struct iot_pass *pass, guint64 position)
{
	return pass->at.causal ? MIN(position, iot_causal_oldest(pass->at.causal)) : position;
}

static guint64 watermark(struct iot_pass *pass, guint64 position)
{
	position = delivery(pass, position);
	return MIN(position, iot_models_watermark(pass->at.models, position));
}

/* Apply the late begins and early ends of recordings before @ts, before anything later is applied.
 * Before its begin a recording has no objects that a model could close. */
static void cross_edges(struct iot_pass *pass, guint64 ts)
{
	struct iot_input_edge edge;
	struct iot_item item;

	while (iot_inputs_edge(pass->at.inputs, ts, &edge)) {
		struct iot_node_gap *gap = iot_inputs_gap(pass->at.inputs, edge.input);

		if (!edge.begins) {
			if (!edge.goes_on)
				lose_sight(pass, edge.input, edge.ns);
			iot_models_end_input(pass->at.models, edge.input, edge.ns);
			if (!edge.goes_on)
				iot_node_gap_begin(gap, edge.ns, 0);
		} else if (iot_node_gap_end(gap, edge.ns, &item)) {
			iot_emit_gap(pass->at.emit, &item);
		}
	}
}

/* Whether ends of links in the window may still be undecided at @ts. */
static gboolean links_wait(const struct iot_pass *pass, guint64 ts)
{
	/* records of the window may still be held */
	if (delivery(pass, ts) <= pass->window.to_ns)
		return TRUE;
	return ts - pass->window.to_ns <= iot_models_hold(pass->at.models, pass->window.to_ns);
}

/*
 * No record before @ts will come. After the window only calls that began in it are of interest:
 * their ends decide how they are drawn. But a call that blocks for an hour is not worth reading for
 * an hour.
 */
static gboolean on_turn(gpointer data, guint64 ts)
{
	struct iot_pass *pass = data;
	guint64 to_ns = pass->window.to_ns;

	cross_edges(pass, delivery(pass, ts));
	if (ts > to_ns && ((ts > pass->window.patience_ns && !links_wait(pass, ts)) ||
			   watermark(pass, ts) > to_ns))
		return TRUE;
	if (pass->makes_index)
		consider_checkpoint(pass, ts);
	return FALSE;
}

/* The turning point: records are pulled up to here, and pushed from here on. */
static gboolean read_all(struct iot_pass *pass, GError **error)
{
	GError *local = NULL;
	struct iot_rec *rec;

	while ((rec = iot_merge_next(pass->merge, &local))) {
		if (G_UNLIKELY(rec->ts > iot_inputs_next_edge(pass->at.inputs)))
			cross_edges(pass, delivery(pass, rec->ts));
		if (pass->at.records % ADVANCE_EVERY == 0 &&
		    !iot_emit_advance(pass->at.emit, watermark(pass, rec->ts), error))
			return FALSE;
		if (G_UNLIKELY(pass->makes_index) && iot_index_is_dense(pass->index))
			consider_checkpoint(pass, rec->ts);
		if (!iot_inputs_check_once(pass->at.inputs, rec, error))
			return FALSE;
		take_record(pass, rec);
		if (++pass->at.records % PROGRESS_EVERY == 0)
			report_progress(pass, FALSE);
		if (!iot_interrupt_check(error))
			return FALSE;
	}
	if (!local)
		return TRUE;
	g_propagate_error(error, local);
	return FALSE;
}

/*
 * A sixteenth of the memory is for batches read ahead, a quarter for items in the resequencer, half
 * for the outputs. Batches of more than 256 KiB would only leave the processor's cache.
 */
static gsize batch_bytes(const struct iot_options *options, guint n_runs)
{
	return (gsize)CLAMP(options->memory / 16 / (3 * MAX(n_runs, 1)), 4096, 262144);
}

static gboolean start_reading(struct iot_pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;
	const struct iot_inputs *inputs = pass->at.inputs;
	guint threads = iot_pass_threads(options), n = iot_inputs_count(inputs);
	g_autofree struct iot_source **sources = g_new(struct iot_source *, n + 1);

	if (pass->makes_index)
		iot_inputs_want_marks(pass->at.inputs);
	for (guint i = 0; i < n; i++)
		sources[i] = iot_inputs_at(inputs, i)->source;
	pass->reader = iot_reader_new(sources, n, threads > 1 ? threads : 0,
				      batch_bytes(options, iot_inputs_runs(inputs)), error);
	if (!pass->reader)
		return FALSE;
	pass->merge = iot_merge_new(&(struct iot_merge_config){
		.n_runs = iot_reader_runs(pass->reader),
		.fetch = iot_reader_fetch,
		.fetch_data = pass->reader,
		.to_ns = pass->window.to_ns,
		.turn = on_turn,
		.turn_data = pass,
		.diag = &pass->at.tl->diag,
	});
	for (guint run = 0; pass->skip && run < iot_reader_runs(pass->reader); run++)
		iot_merge_skip(pass->merge, run, pass->skip[run]);
	return TRUE;
}

static void finish_models(struct iot_pass *pass)
{
	guint64 end = iot_inputs_end(pass->at.inputs);
	/* not whether reading stopped early: that depends on the size of batches */
	gboolean at_end = end <= pass->window.to_ns;
	struct iot_item gap;

	if (!at_end)
		end = G_MAXUINT64 - 1;
	if (pass->makes_index)
		iot_index_finish(pass->index, at_end);
	if (pass->at.causal)
		iot_causal_finish(pass->at.causal);
	cross_edges(pass, end);
	iot_models_finish(pass->at.models, end, at_end);
	for (guint i = 0; i < iot_inputs_count(pass->at.inputs); i++)
		if (iot_node_gap_unfinished(iot_inputs_gap(pass->at.inputs, i), end, &gap))
			iot_emit_gap(pass->at.emit, &gap);
}

static gboolean start_stages(struct iot_pass *pass, GError **error)
{
	gpointer receiver;

	if (!iot_derivation_receiver(&pass->derivation))
		return TRUE;
	receiver = iot_derivation_start(&pass->derivation, error);
	if (receiver)
		iot_emit_connect(pass->at.emit, receiver);
	return receiver != NULL;
}

/* The contents of a damaged recording may be wrong, also where nothing is missing. */
static void distrust_damaged(const struct iot_pass *pass)
{
	static const enum iot_diag_id damages[] = { IOT_DIAG_page_damaged, IOT_DIAG_chunk_damaged,
						    IOT_DIAG_event_unknown_id,
						    IOT_DIAG_field_damaged };

	for (guint i = 0; i < iot_inputs_count(pass->at.inputs); i++) {
		const struct iot_input *input = iot_inputs_at(pass->at.inputs, i);
		guint64 n = 0;

		for (guint k = 0; input->info.diag && k < G_N_ELEMENTS(damages); k++)
			n += input->info.diag->count[damages[k]];
		if (n)
			iot_findings_distrust(pass->at.tl->findings,
					      iot_inputs_for_models(pass->at.inputs)[i].node_name);
	}
}

static gboolean read_and_finish(struct iot_pass *pass, GError **error)
{
	const struct iot_options *options = pass->options;

	if (!start_stages(pass, error) || !start_reading(pass, error) || !read_all(pass, error))
		return FALSE;
	iot_usage_add(&pass->usage, "records read ahead", iot_reader_memory(pass->reader));
	g_clear_pointer(&pass->merge, iot_merge_free);
	g_clear_pointer(&pass->reader, iot_reader_free);
	iot_inputs_describe(pass->at.inputs);
	if (!pass->at.records && !options->from && !options->to)
		return iot_models_nothing_known(pass->at.models, pass->at.inputs, error);
	finish_models(pass);
	report_progress(pass, TRUE);
	if (!iot_interrupt_check(error) || !iot_emit_finish(pass->at.emit, error) ||
	    !iot_derivation_finish(&pass->derivation, &pass->usage, error) ||
	    !iot_interrupt_check(error))
		return FALSE;
	iot_clocks_settle(pass->at.tl->clocks);
	distrust_damaged(pass);
	iot_usage_add(&pass->usage, "items waiting for their turn", iot_emit_memory(pass->at.emit));
	iot_usage_add(&pass->usage, "calls, objects and tables",
		      iot_models_memory(pass->at.models));
	if (pass->at.causal)
		iot_usage_add(&pass->usage, "events waiting for their cause",
			      iot_causal_memory(pass->at.causal));
	iot_usage_add(&pass->usage, "names and rows", iot_timeline_memory(pass->at.tl));
	pass->usage.spilled = iot_emit_spilled(pass->at.emit);
	return TRUE;
}

gboolean iot_pass_read(struct iot_pass *pass, GError **error)
{
	gboolean ok = read_and_finish(pass, error);

	/* after an error, too, the caller looks at what the thread uses */
	iot_derivation_stop(&pass->derivation);
	return ok;
}
