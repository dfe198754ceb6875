/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/asks.h"
#include "model/bind.h"
#include "model/scope.h"
#include "model/values.h"

#include <string.h>

/* One line: "asks [N] = MODE|none [when EXPRESSION]". */
struct iot_asks {
	const struct iot_setting *setting;
	/* NULL: always */
	struct iot_expr *when;
	/* NULL: none */
	struct iot_template *mode;
	/* its text; 0: it depends on the call */
	iot_str constant;
};

void iot_asks_free(gpointer data)
{
	struct iot_asks *asks = data;

	iot_expr_free(asks->when);
	iot_template_free(asks->mode);
	g_free(asks);
}

static gboolean add_line(const struct iot_builder *b, struct iot_pair *pair,
			 const struct iot_setting *setting)
{
	const char *value = setting->value, *when = g_strrstr(value, " when ");
	gsize len = when ? (gsize)(when - value) : strlen(value);
	struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start });
	struct iot_asks *asks = g_new0(struct iot_asks, 1);

	g_ptr_array_add(pair->asks, asks);
	asks->setting = setting;
	if (strncmp(value, "none", MAX(len, 4))) {
		asks->mode = iot_template_compile_part(setting, 0, len, b->model->names, FALSE,
						       &scope, b->error);
		if (!asks->mode)
			return FALSE;
		if (!iot_template_n_values(asks->mode))
			asks->constant = iot_template_eval(asks->mode, &(struct iot_eval){ 0 });
	}
	if (when) {
		gsize at = len + strlen(" when ");

		asks->when = iot_expr_compile(setting, at, strlen(value) - at, &scope, b->error);
	}
	return !when || asks->when;
}

gboolean iot_asks_build(const struct iot_builder *b, struct iot_pair *pair)
{
	const struct iot_setting *may_weaken = iot_section_get(b->section, "may weaken");
	struct iot_scope_events at_start =
		iot_bind_scope(b, (struct iot_in_scope){ .self = pair->start });

	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if ((!strcmp(setting->key, "asks") || g_str_has_prefix(setting->key, "asks ")) &&
		    !add_line(b, pair, setting))
			return FALSE;
	}
	if (may_weaken && !pair->asks->len)
		return iot_setting_key_error(may_weaken, b->error,
					     "\"asks = MODE\" is missing, which may be weakened");
	return iot_bind_optional_expr(b, "may weaken", &at_start, &pair->may_weaken);
}

gboolean iot_asks_check(const struct iot_builder *b, const struct iot_pair *pair,
			const struct iot_values *values)
{
	for (guint i = 0; i < pair->asks->len; i++) {
		const struct iot_asks *asks = pair->asks->pdata[i];
		iot_cat_id cat;

		if (!values->compared)
			return iot_setting_key_error(
				asks->setting, b->error,
				"[values %s] needs a section [compatible ...] above, "
				"which compares the modes that calls ask for",
				values->section->name);
		if (!asks->constant)
			continue;
		cat = iot_values_listed_cat(values, asks->constant);
		if (!cat || !iot_cat_at(b->model->tl, cat)->mode)
			return iot_setting_error(asks->setting, 0, b->error,
						 "[compatible %s] has no line for \"%s\"",
						 values->compared->name,
						 iot_tl_str(b->model->tl, asks->constant));
	}
	return TRUE;
}

/* The line that holds for the call; NULL: it asks for no mode. */
static const struct iot_asks *find_line(const struct iot_pair *pair, const struct iot_eval *eval)
{
	for (guint i = 0; i < pair->asks->len; i++) {
		const struct iot_asks *asks = pair->asks->pdata[i];

		if (!asks->when || iot_expr_eval(asks->when, eval))
			return asks;
	}
	return NULL;
}

static iot_cat_id mode_asked(const struct iot_timeline *tl, const struct iot_values *values,
			     const struct iot_asks *asks, const struct iot_eval *eval)
{
	iot_cat_id cat = iot_values_listed_cat(values, iot_template_eval(asks->mode, eval));

	return cat && iot_cat_at(tl, cat)->mode ? cat : 0;
}

iot_cat_id iot_asks_mode(const struct iot_timeline *tl, const struct iot_pair *pair,
			 const struct iot_values *values, const struct iot_eval *eval)
{
	const struct iot_asks *asks = find_line(pair, eval);

	return asks && asks->mode ? mode_asked(tl, values, asks, eval) : 0;
}

static gboolean may_weaken(const struct iot_call *call, const struct iot_eval *eval)
{
	return call->pair->may_weaken && iot_expr_eval(call->pair->may_weaken, eval);
}

static enum iot_gives_up compare_modes(const struct iot_call *call, const struct iot_eval *eval,
				       iot_cat_id asked)
{
	const struct iot_timeline *tl = call->object->kind->model->tl;
	iot_cat_id held = call->object->mode_span.item.cat;

	if (call->object->mode == IOT_MODE_UNKNOWN || !asked)
		return IOT_LEAVES;
	if (asked == held)
		return IOT_ASKS_FOR_THE_SAME;
	if (iot_cat_covers(tl, held, asked))
		return IOT_RELEASES;
	if (!iot_cat_covers(tl, asked, held))
		return IOT_LEAVES;
	return may_weaken(call, eval) && iot_cat_excludes_any(tl, held) ? IOT_LEAVES
									: IOT_GIVES_UP_NOTHING;
}

struct iot_asked iot_asks_judge(const struct iot_call *call, const struct iot_eval *eval)
{
	const struct iot_object *object = call->object;
	struct iot_asked asked = { 0, IOT_GIVES_UP_NOTHING };
	const struct iot_asks *asks;

	if (!object->kind->machine || object->stateless)
		return asked;
	asks = find_line(call->pair, eval);
	if (!asks)
		return asked;
	if (!asks->mode) {
		asked.gives_up = IOT_RELEASES;
		return asked;
	}
	asked.cat = mode_asked(object->kind->model->tl, object->kind->machine, asks, eval);
	if (object->mode != IOT_MODE_NONE)
		asked.gives_up = compare_modes(call, eval, asked.cat);
	/* not even the mode that is asked for is certain */
	if (asked.gives_up == IOT_RELEASES && may_weaken(call, eval))
		asked.cat = 0;
	return asked;
}

gboolean iot_asks_releases(const struct iot_pair *pair)
{
	const struct iot_asks *first = pair->asks->len ? pair->asks->pdata[0] : NULL;

	return first && !first->when && !first->mode;
}
