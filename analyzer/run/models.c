/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/models-local.h"
#include "run/look/clock-look.h"
#include "run/look/clocks.h"

const struct iot_order_rules *iot_models_order(const struct iot_models *models)
{
	return models->order && models->order->rules->len ? models->order : NULL;
}

const GPtrArray *iot_models_files(const struct iot_models *models)
{
	return models->files;
}

const struct iot_schema *iot_models_schema(const struct iot_models *models)
{
	return models->schema;
}

static guint event_stride(const struct iot_models *models)
{
	return models->models->len + 1;
}

/* Almost every event belongs to one model; the others are not called for it. A recording that names
 * no virtual CPU has no event of a host. */
static void sort_by_event(struct iot_models *models, const struct iot_inputs *inputs)
{
	guint n_events = models->schema->events->len;
	gsize n = (gsize)n_events * event_stride(models);

	g_free(models->by_event);
	g_free(models->by_input);
	models->by_event = g_new0(struct iot_model *, 2 * n);
	for (guint index = 0; index < 2 * n_events; index++) {
		struct iot_model **at = models->by_event + index * event_stride(models);
		guint event = index % n_events;

		for (guint i = 0; i < 2 * models->models->len; i++) {
			struct iot_model *model = models->models->pdata[i % models->models->len];

			if (iot_model_knows(model, event) &&
			    iot_model_changes_shared(model) == (i < models->models->len) &&
			    (index < n_events || !iot_model_of_vcpus(model, event)))
				*at++ = model;
		}
	}
	models->by_input = g_new0(struct iot_model **, iot_inputs_count(inputs) + 1);
	for (guint i = 0; i < iot_inputs_count(inputs); i++)
		models->by_input[i] =
			models->by_event + (iot_inputs_for_models(inputs)[i].n_vcpus ? 0 : n);
}

/* Whether some input may have the event: all formats are known before the first event. */
static gboolean may_be_recorded(const struct iot_inputs *inputs,
				const struct iot_schema_event *event)
{
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		if (iot_source_may_have(iot_inputs_at(inputs, i)->source, event->system,
					event->name))
			return TRUE;
	}
	return FALSE;
}

void iot_models_start(struct iot_models *models, const struct iot_options *options,
		      const struct iot_models_run *with)
{
	const struct iot_model_run run = {
		.emit = with->emit,
		.inputs = iot_inputs_for_models(with->inputs),
		.n_inputs = iot_inputs_count(with->inputs),
		.max_open = options->max_open,
		.max_rows = options->max_containers,
		.clock_error_ns = iot_inputs_clock_error(with->inputs, models->tl->clocks, options),
		.watch = with->look ? iot_clock_look_end : NULL,
		.watch_data = with->look,
		.select = iot_select_row,
		.select_data = with->select,
		.diag = &models->diag,
	};

	for (guint i = 0; i < models->schema->events->len; i++) {
		struct iot_schema_event *event = models->schema->events->pdata[i];

		event->unrecorded = !may_be_recorded(with->inputs, event);
	}
	for (guint i = 0; i < models->models->len; i++)
		iot_model_start(models->models->pdata[i], &run);
	sort_by_event(models, with->inputs);
}

void iot_models_event(struct iot_models *models, const struct iot_rec *rec)
{
	struct iot_model **model =
		models->by_input[rec->event->input] + rec->event->index * event_stride(models);

	for (; *model; model++)
		iot_model_event(*model, rec);
}

void iot_models_hold_back(struct iot_models *models, guint64 oldest_ns)
{
	for (guint i = 0; i < models->models->len; i++)
		iot_model_hold_back(models->models->pdata[i], oldest_ns);
}

void iot_models_gap(struct iot_models *models, guint input, guint64 ts, gboolean begin)
{
	for (guint i = 0; i < models->models->len; i++)
		iot_model_gap(models->models->pdata[i], input, ts, begin);
	/* the calls that the gap has closed are drawn with the keys before it */
	for (guint i = 0; i < models->models->len; i++)
		iot_model_forget_keys(models->models->pdata[i], input);
}

/* Like a gap that never ends, but without lost events: the calls and states that it closes are not
 * counted. */
void iot_models_end_input(struct iot_models *models, guint input, guint64 ts)
{
	guint64 calls = models->diag.count[IOT_DIAG_call_closed_by_gap];
	guint64 states = models->diag.count[IOT_DIAG_state_unknown_by_gap];

	iot_models_gap(models, input, ts, TRUE);
	models->diag.count[IOT_DIAG_call_closed_by_gap] = calls;
	models->diag.count[IOT_DIAG_state_unknown_by_gap] = states;
}

guint64 iot_models_watermark(struct iot_models *models, guint64 position)
{
	guint64 low = G_MAXUINT64;

	for (guint i = 0; i < models->models->len; i++)
		low = MIN(low, iot_model_watermark(models->models->pdata[i], position));
	return low;
}

gboolean iot_models_link(const struct iot_models *models, guint index, struct iot_link_report *out)
{
	for (guint i = 0; i < models->models->len; i++) {
		guint n = 0;

		while (iot_model_link(models->models->pdata[i], n, out))
			if (n++ == index)
				return TRUE;
		index -= n;
	}
	return FALSE;
}

char *iot_models_mistyped(const struct iot_models *models, struct iot_diag *diag)
{
	struct iot_link_report unused;
	char *first = NULL;

	for (guint i = 0; i < models->models->len; i++) {
		const struct iot_model *model = models->models->pdata[i];

		for (guint n = 0; iot_model_link(model, n, &unused); n++) {
			g_autofree char *sentence = iot_model_link_mistyped(model, n);

			if (sentence)
				iot_diag_add(diag, IOT_DIAG_link_key_types, 1);
			if (!first)
				first = g_steal_pointer(&sentence);
		}
	}
	return first;
}

guint64 iot_models_hold(const struct iot_models *models, guint64 t)
{
	guint64 hold = 0;

	for (guint i = 0; i < models->models->len; i++)
		hold = MAX(hold, iot_model_hold(models->models->pdata[i], t));
	return hold;
}

void iot_models_finish(struct iot_models *models, guint64 ts, gboolean at_end)
{
	for (guint i = 0; i < models->models->len; i++)
		iot_model_finish(models->models->pdata[i], ts, at_end);
}

gsize iot_models_memory(const struct iot_models *models)
{
	gsize bytes = 0;

	for (guint i = 0; i < models->models->len; i++)
		bytes += iot_model_memory(models->models->pdata[i]);
	return bytes;
}

const char *iot_models_names(const struct iot_models *models)
{
	return models->names->str;
}

void iot_models_identify(const struct iot_models *models, GString *out)
{
	for (guint i = 0; i < models->models->len; i++)
		iot_model_identify(models->models->pdata[i], out);
}

void iot_models_save(const struct iot_models *models, GByteArray *out)
{
	iot_pack_diag(out, &models->diag);
	for (guint i = 0; i < models->models->len; i++)
		iot_model_save(models->models->pdata[i], out);
}

gboolean iot_models_resume(struct iot_models *models, struct iot_unpack *in)
{
	gboolean ok = TRUE;

	iot_unpack_diag(in, &models->diag);
	for (guint i = 0; ok && i < models->models->len; i++)
		ok = iot_model_resume(models->models->pdata[i], in);
	return ok;
}

const struct iot_diag *iot_models_diag(const struct iot_models *models)
{
	return &models->diag;
}
