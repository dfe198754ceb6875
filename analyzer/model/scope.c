/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/scope.h"

struct iot_scope_events iot_bind_scope(struct iot_model *model, const struct iot_section *section,
				       struct iot_schema_event *self, struct iot_schema_event *end,
				       struct iot_schema_event *done, gboolean required)
{
	struct iot_scope_events scope = { .event = { self, end, done },
					  .tl = model->tl,
					  .tables = model->tables,
					  .required = required };

	g_snprintf(scope.needed_by, sizeof(scope.needed_by), "%s:%u [%s %s]", model->name,
		   section->line, section->kind, section->name);
	return scope;
}

struct iot_scope_events iot_bind_pair_scope(struct iot_model *model,
					    const struct iot_section *section,
					    const struct iot_pair *pair, gboolean required)
{
	struct iot_scope_events scope =
		iot_bind_scope(model, section, pair->start, pair->end, NULL, required);

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
	eval->input = input;
	eval->call = 0;
	eval->number = ++model->evaluations;
}
