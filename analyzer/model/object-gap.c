/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-gap.h"
#include "model/backing.h"
#include "model/deferral.h"
#include "model/lives.h"
#include "model/machine.h"
#include "model/object.h"
#include "model/object-call.h"
#include "model/object-events.h"
#include "model/object-pending.h"
#include "model/state.h"

#include <string.h>

/* A completion that waits for an open call was recorded before the gap, so it counts. */
static void apply_completions(struct iot_object *object)
{
	struct iot_step step = {
		.kind = object->kind, .input = object->input, .hash = object->hash, .object = object
	};

	memcpy(step.key, object->key, sizeof(step.key));
	while (step.object && step.object->open && iot_deferral_has(step.object, IOT_PART_DONE)) {
		iot_kind_count(step.kind, IOT_DIAG_call_closed_by_gap);
		iot_object_return_call(step.object->open, NULL, IOT_SUSPECT);
		iot_object_drain(step.object);
		iot_step_find(&step);
	}
}

/* The object's calls and mode are unknown from now on. */
static void invalidate(struct iot_object *object, guint64 ts)
{
	struct iot_object_kind *kind = object->kind;

	object->last_ns = MAX(object->last_ns, ts);
	while (object->open) {
		iot_kind_count(kind, IOT_DIAG_call_closed_by_gap);
		iot_call_give_up(object->open, IOT_SUSPECT);
	}
	iot_deferral_drop(object, IOT_SUSPECT);
	iot_state_end(object, ts, IOT_SUSPECT);
	iot_call_free_list(&object->pending);
	if (object->mode == IOT_MODE_KNOWN && object->row)
		iot_kind_count(kind, IOT_DIAG_state_unknown_by_gap);
	if (object->mode != IOT_MODE_NONE && !iot_object_lost_sight(object))
		iot_machine_end(object, ts, IOT_SUSPECT);
	iot_machine_unknown(object, ts, IOT_SUSPECT);
	if (kind->backing)
		iot_backing_event(object, ts);
	iot_object_release(object);
}

void iot_kind_gap(struct iot_object_kind *kind, guint input, guint64 ts, gboolean begin)
{
	struct iot_kind_input *in = &kind->inputs[iot_kind_input(kind, input)];
	guint *own = &kind->inputs[input].own_gap_depth;
	struct iot_object *next;

	*own = begin ? *own + 1 : *own - MIN(*own, 1);
	for (struct iot_object *object = in->first; begin && object; object = next) {
		next = object->input_next;
		apply_completions(object);
	}
	if (begin)
		in->gap_depth++;
	for (struct iot_object *object = in->first; object; object = next) {
		next = object->input_next;
		if (object->former)
			iot_object_close_life(object, ts, IOT_SUSPECT);
		else if (!object->owner || object->owner == input + 1)
			invalidate(object, ts);
	}
	if (!begin && in->gap_depth)
		in->gap_depth--;
	in->since = ts;
	in->since_flags = IOT_SUSPECT;
}

/* Events that wait for calls without an end are applied before anything is closed. */
static void finish_calls(struct iot_object_kind *kind, gboolean at_end)
{
	while (kind->open_first) {
		struct iot_call *call = kind->open_first;
		struct iot_object *object = call->object;

		if (at_end)
			iot_kind_count(kind, IOT_DIAG_pair_start_without_end);
		iot_object_return_call(call, NULL, IOT_UNFINISHED);
		iot_object_drain(object);
	}
}

void iot_kind_finish(struct iot_object_kind *kind, guint64 ts, gboolean at_end)
{
	finish_calls(kind, at_end);
	if (kind->backing)
		iot_backing_stop(kind->backing);
	while (kind->first) {
		if (at_end && kind->first->row && !kind->common)
			iot_kind_count(kind, IOT_DIAG_object_open_at_end);
		if (at_end && kind->first->former)
			iot_life_count_reused(kind->first, kind->first->reused_ns);
		iot_object_close_life(kind->first, ts, IOT_UNFINISHED);
	}
}
