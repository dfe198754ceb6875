/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a model: records and gaps in, points and spans out. */
#include "model/model.h"
#include "model/derive.h"
#include "model/hook.h"
#include "model/link.h"
#include "model/object.h"
#include "model/object-gap.h"
#include "model/repair.h"
#include "model/state.h"
#include "model/standalone-call.h"
#include "model/take.h"
#include "model/thread-follow.h"
#include "model/tie-apply.h"
#include "model/values.h"

void iot_model_learn(struct iot_model *model, const struct iot_facts *facts)
{
	for (guint i = 0; i < model->file->sections->len; i++) {
		const struct iot_section *section = model->file->sections->pdata[i];

		if (!strcmp(section->kind, "names"))
			iot_facts_fill(facts, section,
				       g_hash_table_lookup(model->names, section->name));
	}
}

/* Links that take no part may have been the only readers of a table. */
static void leave_out_hooks(struct iot_model *model)
{
	for (guint i = 0; i < model->roles->len; i++)
		if (model->roles->pdata[i])
			iot_hooks_leave_out(
				&((struct iot_event_role *)model->roles->pdata[i])->hooks);
	for (guint i = 0; i < model->pairs->len; i++)
		iot_hooks_leave_out(&((struct iot_pair *)model->pairs->pdata[i])->hooks);
}

void iot_model_start(struct iot_model *model, const struct iot_model_run *run)
{
	model->emit = run->emit;
	model->inputs = run->inputs;
	model->n_inputs = run->n_inputs;
	model->max_open = MAX(run->max_open, 1);
	model->max_rows = MAX(run->max_rows, 1);
	model->others = iot_intern_str(model->tl->strings, "others");
	model->select = run->select;
	model->select_data = run->select_data;
	model->diag = run->diag;
	model->clock_error_ns = run->clock_error_ns;
	model->watch = run->watch;
	model->watch_data = run->watch_data;
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_start(model->kinds->pdata[i]);
	/* the host's recording has added attributes to types (timeline/steal.h) */
	for (guint i = 0; i < model->states->len; i++) {
		struct iot_state *state = model->states->pdata[i];

		iot_item_start(model, &state->item, state->values);
	}
	iot_threads_start(model);
	for (guint i = 0; i < model->own_tables->len; i++)
		iot_keytable_start(model->own_tables->pdata[i], model->max_open, model->n_inputs,
				   model->diag);
	iot_model_fill_vcpus(model);
	iot_links_start(model);
	leave_out_hooks(model);
}

gboolean iot_model_changes_shared(const struct iot_model *model)
{
	return model->changes_shared;
}

gboolean iot_model_needs_vcpus(const struct iot_model *model)
{
	return model->needs_vcpus;
}

gboolean iot_model_knows(const struct iot_model *model, guint index)
{
	return index < model->roles->len && model->roles->pdata[index];
}

/* Whether @needs is filled from the virtual CPUs, and nothing else. */
static gboolean is_of_vcpus(const struct iot_model *model, const struct iot_keytable *needs)
{
	for (guint i = 0; needs && i < model->vcpu_tables->len; i++) {
		const struct iot_vcpu_table *filled =
			&g_array_index(model->vcpu_tables, struct iot_vcpu_table, i);

		if (filled->table == needs)
			return !filled->changes;
	}
	return FALSE;
}

static gboolean are_of_vcpus(const struct iot_model *model, const GPtrArray *hooks)
{
	for (guint i = 0; hooks && i < hooks->len; i++)
		if (!is_of_vcpus(model, ((const struct iot_hook *)hooks->pdata[i])->needs))
			return FALSE;
	return TRUE;
}

gboolean iot_model_of_vcpus(const struct iot_model *model, guint index)
{
	const struct iot_event_role *first = model->roles->pdata[index];

	if (model->pairs->len || model->links->len || first->loose_points->len ||
	    first->thread_path || first->derived || first->repairs || first->context_slot ||
	    !are_of_vcpus(model, first->hooks.changes) ||
	    !are_of_vcpus(model, first->hooks.drops) || !are_of_vcpus(model, first->hooks.pops))
		return FALSE;
	for (const struct iot_event_role *role = first; role; role = role->next)
		if ((role->of || role->pair) &&
		    !(role->when && is_of_vcpus(model, iot_expr_needs(role->when))))
			return FALSE;
	return TRUE;
}

gboolean iot_model_takes_names(const struct iot_model *model, guint index)
{
	const struct iot_event_role *role =
		index < model->roles->len ? model->roles->pdata[index] : NULL;

	return role && role->derived;
}

void iot_model_event(struct iot_model *model, const struct iot_rec *rec)
{
	struct iot_event_role *role;

	if (G_UNLIKELY(!iot_model_knows(model, rec->event->index)))
		return;
	role = model->roles->pdata[rec->event->index];
	model->n_events++;
	if (G_UNLIKELY(rec->ts > model->links_due))
		iot_links_settle(model, MIN(rec->ts, iot_ties_oldest(model->ties)));
	if (G_UNLIKELY(role->derived))
		rec = iot_derive(model, role, rec);
	if (G_UNLIKELY(role->repairs))
		rec = iot_repair(model, role, rec);
	if (G_UNLIKELY(role->context_slot) &&
	    rec->slot[role->context_slot - 1].u & IOT_IN_INTERRUPT)
		rec = iot_without_thread(model, rec);
	if (G_UNLIKELY(iot_ties_any(model->ties)) && iot_ties_event(model, role, rec))
		return;
	iot_model_take(model, role, rec);
}

void iot_model_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin)
{
	iot_ties_settle(model);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_gap(model->kinds->pdata[i], input, ts, begin);
	iot_standalone_calls_gap(model, input, ts);
	iot_links_gap(model, input, ts, begin);
}

void iot_model_hold_back(struct iot_model *model, guint64 oldest_ns)
{
	model->held_ns = oldest_ns;
	model->unordered |= oldest_ns != G_MAXUINT64;
}

void iot_model_forget_keys(struct iot_model *model, guint input)
{
	for (guint i = 0; i < model->own_tables->len; i++)
		iot_keytable_gap(model->own_tables->pdata[i], model->inputs[input].machine);
}

guint64 iot_model_watermark(struct iot_model *model, guint64 position)
{
	guint64 low = iot_ties_oldest(model->ties);

	if (position > model->links_due)
		iot_links_settle(model, MIN(position, low));
	low = MIN(low, iot_standalone_calls_oldest(model->calls));
	low = MIN(low, iot_links_oldest(model));

	for (guint i = 0; i < model->kinds->len; i++) {
		const struct iot_object_kind *kind = model->kinds->pdata[i];

		if (kind->open_first)
			low = MIN(low, kind->open_first->t0);
	}
	return low;
}

guint64 iot_model_hold(const struct iot_model *model, guint64 t)
{
	return iot_links_oldest(model) <= t ? iot_links_hold(model) : 0;
}

void iot_model_finish(struct iot_model *model, guint64 ts, gboolean at_end)
{
	iot_ties_settle(model);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_finish(model->kinds->pdata[i], ts, at_end);
	iot_standalone_calls_finish(model, ts, at_end);
	iot_links_finish(model, at_end);
}

gsize iot_model_memory(const struct iot_model *model)
{
	gsize bytes = iot_standalone_calls_memory(model->calls) + iot_links_memory(model);

	for (guint i = 0; i < model->kinds->len; i++)
		bytes += iot_kind_memory(model->kinds->pdata[i]);
	for (guint i = 0; i < model->own_tables->len; i++)
		bytes += iot_keytable_memory(model->own_tables->pdata[i]);
	return bytes;
}
