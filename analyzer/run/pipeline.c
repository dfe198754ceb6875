/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/pipeline.h"
#include "run/look/clock-choice.h"
#include "run/tools/cut.h"
#include "run/fanout.h"
#include "run/inputs-summary.h"
#include "run/links-table.h"
#include "run/ordering.h"
#include "run/pass.h"
#include "run/tools/shown.h"
#include "base/interrupt.h"
#include "timeline/findings.h"

#include <string.h>

static void end_pass(struct iot_pass *pass, struct iot_outcome *out)
{
	if (pass->index && !out->index)
		out->index = g_strdup(iot_index_written(pass->index));
	iot_pass_clear(pass);
}

/* The first of two passes, for --top and --slower-than: only waits matter. */
static gboolean choose_resources(struct iot_pass *pass, GError **error)
{
	if (!iot_pass_prepare(pass, iot_select_observe, IOT_FEED_WHOLE_SPANS, error))
		return FALSE;
	iot_pass_connect(pass, pass->select);
	iot_select_begin_pass(pass->select, pass->at.tl);
	if (!iot_pass_read(pass, error))
		return FALSE;
	iot_select_end_pass(pass->select);
	return TRUE;
}

static void fill_summary(const struct iot_pass *pass, struct iot_summary *summary)
{
	const struct iot_options *options = pass->options;

	memset(summary, 0, sizeof(*summary));
	summary->clock_assumed = options->clock;
	iot_inputs_summarise(options, pass->at.inputs, pass->at.entries, pass->at.tl, summary);
	summary->repeated = options->repeated;
	summary->other_calls = options->other_calls;
	summary->models = iot_models_names(pass->at.models);
	summary->unknown_systems = iot_models_unknown_systems(pass->at.models, pass->at.inputs);
	iot_diag_add(&summary->diag, IOT_DIAG_recordings_left_out, options->n_recordings_left_out);
	iot_diag_merge(&summary->diag, iot_models_diag(pass->at.models));
	iot_diag_merge(&summary->diag, &pass->at.tl->diag);
	iot_diag_merge(&summary->diag, &pass->at.tl->stage_diag);
	if (pass->at.causal)
		iot_causal_count(pass->at.causal, &summary->diag);
	summary->begin_ns = pass->at.tl->origin_ns;
	summary->end_ns = MAX(iot_inputs_end(pass->at.inputs), summary->begin_ns);
	summary->from_ns = options->from ? pass->window.from_ns : summary->begin_ns;
	summary->to_ns = options->to ? MIN(pass->window.to_ns, summary->end_ns) : summary->end_ns;
	summary->colour = options->colour;
	summary->width = options->width;
	summary->n_colours = options->n_colours;
	summary->utf8 = options->utf8;
	summary->verbose = options->verbose;
	summary->index = pass->index ? iot_index_note(pass->index) : "";
}

static guint64 count_proved(const struct iot_timeline *tl)
{
	guint64 n = 0;

	for (guint i = 0; i < iot_findings_checks(tl->findings)->len; i++)
		n += iot_findings_count(tl->findings, i, IOT_GRADE_PROVED);
	return n;
}

/* @ok: reading has succeeded. The counters are wanted even if it has not. */
static gboolean finish_outputs(struct iot_pass *pass, struct iot_fanout *fanout, gboolean ok,
			       struct iot_outcome *out, GError **error)
{
	g_autoptr(iot_results) results = iot_results_new();
	struct iot_summary summary;

	/* draining the queues of the outputs may take long, so the user may interrupt it */
	if (ok)
		ok = iot_fanout_drain(fanout, error) && iot_interrupt_check(error);
	if (ok)
		iot_fanout_usage(fanout, &pass->usage);
	fill_summary(pass, &summary);
	iot_clock_choice_count(pass->choice, &summary.diag);
	if (pass->follow)
		iot_follow_count(pass->follow, &summary.diag);
	if (ok) {
		results->from_ns = MAX(summary.begin_ns, summary.from_ns);
		results->to_ns = MAX(MIN(summary.end_ns, summary.to_ns), results->from_ns);
		iot_links_publish(pass->at.models, results);
		if (pass->at.causal)
			iot_ordering_publish(&pass->at, pass->options, results);
		if (pass->derivation.stages)
			iot_stages_publish(pass->derivation.stages, results);
		summary.results = results;
	}
	if (ok) {
		out->missing = iot_shown_check(pass, &summary);
		iot_timeline_rank(pass->at.tl);
		ok = iot_fanout_finish(fanout, &summary, error);
	}
	out->n_proved = count_proved(pass->at.tl);
	out->diag = summary.diag;
	out->damaged = g_strdup(iot_inputs_damaged(pass->at.inputs));
	out->usage = pass->usage;
	out->records = pass->at.records;
	iot_inputs_summary_free(&summary);
	return ok;
}

/* A look at the recordings for --follow; TRUE in @out_again: another one is needed. */
static gboolean look_for_links(struct iot_pass *pass, gboolean *out_again, GError **error)
{
	if (!iot_pass_prepare(pass, iot_follow_observe, IOT_FEED_WHOLE_SPANS, error))
		return FALSE;
	iot_pass_connect(pass, pass->follow);
	iot_follow_begin(pass->follow, pass->at.tl);
	if (!iot_pass_read(pass, error))
		return FALSE;
	*out_again = iot_follow_end(pass->follow);
	return TRUE;
}

/* The feed that is enough for all outputs. */
static enum iot_feed common_feed(const GPtrArray *outputs)
{
	for (guint i = 0; i < outputs->len; i++)
		if (((const struct iot_output *)outputs->pdata[i])->ops->feed ==
		    IOT_FEED_WITH_BEGINS)
			return IOT_FEED_WITH_BEGINS;
	return IOT_FEED_WHOLE_SPANS;
}

static gboolean analyse(struct iot_pass *pass, struct iot_outcome *out, GError **error)
{
	const struct iot_options *options = pass->options;
	enum iot_feed feed = common_feed(options->outputs);
	struct iot_fanout *fanout;
	gboolean ok;

	if (!iot_pass_prepare(pass, iot_fanout_item, feed, error))
		return FALSE;
	iot_clock_choice_state(pass->choice, pass);
	if (pass->follow)
		iot_follow_begin(pass->follow, pass->at.tl);
	fanout = iot_fanout_new(pass->at.tl, options, iot_pass_feed(pass), error);
	ok = fanout != NULL;
	if (ok) {
		iot_pass_connect(pass, fanout);
		ok = iot_pass_read(pass, error);
		ok = finish_outputs(pass, fanout, ok, out, error);
	}
	iot_fanout_free(fanout);
	return ok;
}

/* The next pass over the recordings. */
static void begin_pass(struct iot_pass *pass, enum iot_aim aim)
{
	pass->aim = aim;
	pass->number++;
	memset(&pass->usage, 0, sizeof(pass->usage));
}

static gboolean run_passes(struct iot_pass *pass, struct iot_cut *cut, struct iot_outcome *out,
			   GError **error)
{
	gboolean ok = TRUE, again = pass->follow != NULL;

	if (iot_select_needs_pass(pass->select)) {
		begin_pass(pass, IOT_AIM_RANK);
		ok = choose_resources(pass, error);
		end_pass(pass, out);
	}
	while (ok && again) {
		begin_pass(pass, IOT_AIM_FOLLOW);
		ok = look_for_links(pass, &again, error);
		end_pass(pass, out);
	}
	if (!ok)
		return FALSE;
	begin_pass(pass, IOT_AIM_DRAW);
	pass->n_passes = pass->number;
	ok = analyse(pass, out, error) && (!cut || iot_cut_choose(cut, pass, error));
	end_pass(pass, out);
	return ok && (!cut || iot_cut_write(cut, pass, &out->cut, error));
}

gboolean iot_pipeline_run(const struct iot_options *options, iot_progress_func progress,
			  gpointer user_data, struct iot_outcome *out, GError **error)
{
	struct iot_pass pass = {
		.options = options,
		.progress = progress,
		.user_data = user_data,
	};
	struct iot_clock_choice choice = { 0 };
	struct iot_cut *cut = NULL;
	gboolean ok;

	memset(out, 0, sizeof(*out));
	if (options->follow) {
		pass.follow = iot_follow_new(options->follow, error);
		if (!pass.follow)
			return FALSE;
	}
	if (options->cut) {
		cut = iot_cut_new(options, error);
		if (!cut)
			return FALSE;
	}
	pass.select = iot_select_new(options);
	pass.choice = &choice;
	pass.n_passes = 1 + iot_clock_choice_passes(options) + iot_select_needs_pass(pass.select) +
			(pass.follow ? 2 : 0);
	ok = iot_clock_choose(&pass, &choice, error) && run_passes(&pass, cut, out, error);
	iot_cut_free(cut);
	iot_clock_choice_clear(&choice);
	iot_select_free(pass.select);
	iot_follow_free(pass.follow);
	iot_misfits_free(pass.misfits);
	return ok;
}

char *iot_pipeline_check_model(const struct iot_options *options, const char *model, GError **error)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	struct iot_inputs *inputs = NULL;
	char *text;

	if (options->inputs->len) {
		inputs = iot_inputs_open(options, NULL, tl, error);
		if (!inputs)
			return NULL;
	}
	text = iot_models_describe(model, tl, inputs, error);
	iot_inputs_close(inputs);
	return text;
}
