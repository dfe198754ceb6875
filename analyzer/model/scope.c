/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/scope.h"

struct iot_scope_events iot_bind_scope(const struct iot_builder *b, struct iot_in_scope in)
{
	struct iot_scope_events scope = { .event = { in.self, in.end, in.done },
					  .tl = b->model->tl,
					  .tables = b->model->tables,
					  .required = !in.optional };

	g_snprintf(scope.needed_by, sizeof(scope.needed_by), "%s:%u [%s %s]", b->model->name,
		   b->section->line, b->section->kind, b->section->name);
	return scope;
}

struct iot_scope_events iot_bind_pair_scope(const struct iot_builder *b,
					    const struct iot_pair *pair, gboolean required)
{
	struct iot_scope_events scope = iot_bind_scope(
		b, (struct iot_in_scope){
			   .self = pair->start, .end = pair->end, .optional = !required });

	scope.aliases = pair->aliases;
	scope.call = pair->of ? 0 : pair->name_str;
	return scope;
}

void iot_eval_init(struct iot_model *model, struct iot_eval *eval, guint32 input,
		   const struct iot_rec *self, const struct iot_rec *end,
		   const struct iot_rec *done)
{
	eval->rec[IOT_SCOPE_SELF] = self;
	eval->rec[IOT_SCOPE_END] = end;
	eval->rec[IOT_SCOPE_DONE] = done;
	eval->node = model->inputs[input].node;
	eval->node_name = model->inputs[input].node_name;
	eval->commands = model->inputs[input].commands;
	eval->machine = model->inputs[input].machine;
	eval->recording = model->inputs[input].recording;
	eval->call = 0;
	eval->end = 0;
	eval->number = ++model->evaluations;
}
