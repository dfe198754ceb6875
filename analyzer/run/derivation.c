/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/derivation.h"
#include "timeline/findings.h"

/* The stages that are asked for, and those that only publish for outputs with tables. */
static struct iot_stages *open_stages(const struct iot_options *options, struct iot_timeline *tl,
				      gboolean draws)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	gboolean has_tables = FALSE;
	struct iot_stages *stages;

	for (guint i = 0; i < options->outputs->len; i++) {
		const struct iot_output *output = options->outputs->pdata[i];

		has_tables |= output->ops->has_tables;
		if (output->ops->wants_parts && draws)
			g_ptr_array_add(names, (gpointer)iot_stage_parts_of_spans.name);
		if (output->ops->analysis && draws)
			g_ptr_array_add(names, (gpointer)output->ops->analysis);
	}
	for (guint i = 0; i < options->derive->len; i++)
		g_ptr_array_add(names, options->derive->pdata[i]);
	for (guint i = 0; has_tables && draws && iot_analysis_table[i]; i++)
		if (iot_analysis_table[i]->always)
			g_ptr_array_add(names, (gpointer)iot_analysis_table[i]->name);
	stages = iot_stages_new(names, tl);
	if (!iot_stages_count(stages) && !iot_chosen_needed(options))
		g_clear_pointer(&stages, iot_stages_free);
	return stages;
}

void iot_derivation_open(struct iot_derivation *derivation, const struct iot_options *options,
			 struct iot_timeline *tl, gboolean draws, struct iot_follow *follow,
			 guint n_threads)
{
	iot_parts_make_words(tl);
	*derivation =
		(struct iot_derivation){ .tl = tl, .stages = open_stages(options, tl, draws) };
	if (!derivation->stages)
		return;
	derivation->chosen = iot_chosen_new(options, tl, follow);
	derivation->used = draws;
	/* if findings are wanted, models and stages add to the same ones */
	derivation->apart = iot_derivation_needs_begins(derivation) && n_threads > 1 &&
			    !iot_findings_wanted(tl->findings);
}

void iot_derivation_clear(struct iot_derivation *derivation)
{
	iot_derivation_stop(derivation);
	iot_stages_free(derivation->stages);
	iot_chosen_free(derivation->chosen);
	*derivation = (struct iot_derivation){ 0 };
}

gboolean iot_derivation_needs_begins(const struct iot_derivation *derivation)
{
	return derivation->used && iot_stages_count(derivation->stages);
}

iot_item_func iot_derivation_receiver(const struct iot_derivation *derivation)
{
	if (!derivation->used)
		return NULL;
	return derivation->apart ? iot_stage_thread_item : iot_stages_item;
}

void iot_derivation_connect(struct iot_derivation *derivation, iot_item_func func,
			    gpointer user_data)
{
	iot_stages_connect(derivation->stages, iot_chosen_item, derivation->chosen);
	iot_chosen_connect(derivation->chosen, func, user_data);
}

gpointer iot_derivation_start(struct iot_derivation *derivation, GError **error)
{
	if (!derivation->apart)
		return derivation->stages;
	derivation->thread =
		iot_stage_thread_start(derivation->tl, iot_stages_item, derivation->stages, error);
	return derivation->thread;
}

void iot_derivation_unobserved(struct iot_derivation *derivation, iot_str node, guint64 ns)
{
	if (derivation->thread)
		iot_stage_thread_unobserved(derivation->thread, node, ns);
	else
		iot_timeline_set_unobserved(derivation->tl, node, ns);
}

gboolean iot_derivation_finish(struct iot_derivation *derivation, struct iot_usage *usage,
			       GError **error)
{
	if (!derivation->used)
		return TRUE;
	if (derivation->thread) {
		iot_usage_add(usage, "queue before the analyses",
			      iot_stage_thread_memory(derivation->thread));
		if (!iot_stage_thread_finish(derivation->thread, error))
			return FALSE;
	}
	if (!iot_stages_finish(derivation->stages, error))
		return FALSE;
	iot_chosen_finish(derivation->chosen);
	return TRUE;
}

void iot_derivation_stop(struct iot_derivation *derivation)
{
	g_clear_pointer(&derivation->thread, iot_stage_thread_free);
}
