/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two states of one call have in common. */
#include "model/model-local.h"

#include <string.h>

static gboolean same_words(const struct iot_setting *a, const struct iot_setting *b)
{
	return a && b && !strcmp(a->value, b->value);
}

static gboolean same_setting(const struct iot_state *a, const struct iot_state *b, const char *key)
{
	return same_words(iot_section_get(a->section, key), iot_section_get(b->section, key));
}

static gboolean is_text(const struct iot_model *model, const struct iot_state *state, guint attr)
{
	return iot_type_at(model->tl, state->values->type)->attr[attr].format == IOT_ATTR_STR;
}

/* Which attribute of @to says the same as @attr; -1: none. */
static gint find_attr(const struct iot_model *model, const struct iot_state *state, guint attr,
		      const struct iot_state *to)
{
	const struct iot_setting *setting =
		iot_setting_of_attr(model, state->section, state->values, attr, FALSE);

	for (guint i = 0; i < to->item.n_attrs; i++)
		if (is_text(model, state, attr) == is_text(model, to, i) &&
		    same_words(setting,
			       iot_setting_of_attr(model, to->section, to->values, i, FALSE)))
			return (gint)i;
	return -1;
}

static struct iot_set_list without(const struct iot_set_list *list, const gboolean *out)
{
	struct iot_set_list rest = { 0 };

	for (guint i = 0; i < list->n_fields; i++)
		if (!out[list->field[i].attr])
			rest.field[rest.n_fields++] = list->field[i];
	for (guint i = 0; i < list->n_numbers; i++)
		if (!out[list->number[i].attr])
			rest.number[rest.n_numbers++] = list->number[i];
	for (guint i = 0; i < list->n_texts; i++)
		if (!out[list->text[i].attr])
			rest.text[rest.n_texts++] = list->text[i];
	return rest;
}

void iot_state_compare(const struct iot_model *model, struct iot_state *state,
		       const struct iot_state *to)
{
	struct iot_alike *alike = g_new0(struct iot_alike, 1);
	gboolean taken[IOT_MAX_ATTRS] = { FALSE };

	alike->to = to;
	alike->value = same_setting(state, to, "value");
	alike->failed = same_setting(state, to, "failed");
	for (guint i = 0; i < state->item.n_attrs; i++) {
		gint from = find_attr(model, state, i, to);

		if (from < 0)
			continue;
		taken[i] = TRUE;
		alike->attr[alike->n].from = (guint8)from;
		alike->attr[alike->n++].to = (guint8)i;
	}
	alike->rest = without(&state->set.all, taken);
	if (state->alike && state->alike->n >= alike->n) {
		g_free(alike);
		return;
	}
	g_free(state->alike);
	state->alike = alike;
}
