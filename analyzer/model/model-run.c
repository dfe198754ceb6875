/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a model: records and gaps in, points and spans out. */
#include "model/model.h"
#include "model/object.h"
#include "model/object-gap.h"
#include "model/repair.h"
#include "model/standalone-call.h"
#include "model/take.h"
#include "model/tie-apply.h"

void iot_model_learn(struct iot_model *model, const struct iot_facts *facts)
{
	for (guint i = 0; i < model->file->sections->len; i++) {
		const struct iot_section *section = model->file->sections->pdata[i];

		if (!strcmp(section->kind, "names"))
			iot_facts_fill(facts, section,
				       g_hash_table_lookup(model->names, section->name));
	}
}

void iot_model_start(struct iot_model *model, struct iot_emit *emit,
		     const struct iot_model_input *inputs, guint n_inputs, guint max_open,
		     guint max_rows, iot_select_func select, gpointer user_data,
		     struct iot_diag *diag)
{
	model->emit = emit;
	model->inputs = inputs;
	model->n_inputs = n_inputs;
	model->max_open = MAX(max_open, 1);
	model->max_rows = MAX(max_rows, 1);
	model->others = iot_intern_str(model->tl->strings, "\001others");
	model->select = select;
	model->select_data = user_data;
	model->diag = diag;
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_start(model->kinds->pdata[i]);
	for (guint i = 0; i < model->tables->len; i++)
		iot_keytable_start(model->tables->pdata[i], model->max_open, n_inputs, diag);
}

gboolean iot_model_knows(const struct iot_model *model, guint index)
{
	return index < model->roles->len && model->roles->pdata[index];
}

void iot_model_event(struct iot_model *model, const struct iot_rec *rec)
{
	struct iot_event_role *role;

	if (G_UNLIKELY(!iot_model_knows(model, rec->event->index)))
		return;
	role = model->roles->pdata[rec->event->index];
	if (G_UNLIKELY(role->repairs))
		rec = iot_repair(model, role, rec);
	if (G_UNLIKELY(iot_ties_any(model->ties)) && iot_ties_event(model, role, rec))
		return;
	iot_model_take(model, role, rec);
}

void iot_model_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin)
{
	iot_ties_settle(model);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_gap(model->kinds->pdata[i], input, ts, begin);
	iot_standalone_calls_close(model, input, ts, IOT_SUSPECT, IOT_DIAG_call_closed_by_gap);
}

guint64 iot_model_watermark(const struct iot_model *model)
{
	guint64 low = MIN(iot_standalone_calls_oldest(model->calls), iot_ties_oldest(model->ties));

	for (guint i = 0; i < model->kinds->len; i++) {
		const struct iot_object_kind *kind = model->kinds->pdata[i];

		if (kind->open_first)
			low = MIN(low, kind->open_first->t0);
	}
	return low;
}

void iot_model_finish(struct iot_model *model, guint64 ts, gboolean at_end)
{
	iot_ties_settle(model);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_finish(model->kinds->pdata[i], ts, at_end);
	iot_standalone_calls_close(model, G_MAXUINT, ts, IOT_UNFINISHED,
				   at_end ? IOT_DIAG_pair_start_without_end : IOT_DIAG_COUNT);
}

gsize iot_model_memory(const struct iot_model *model)
{
	gsize bytes = iot_standalone_calls_memory(model->calls);

	for (guint i = 0; i < model->kinds->len; i++)
		bytes += iot_kind_memory(model->kinds->pdata[i]);
	for (guint i = 0; i < model->tables->len; i++)
		bytes += iot_keytable_memory(model->tables->pdata[i]);
	return bytes;
}
