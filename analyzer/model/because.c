/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [because]: values that are the reason why the time of a thread passes, or in which it sleeps. */
#include "model/because.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/section-table.h"
#include "model/tracked.h"
#include "model/values.h"

#include <string.h>

static const char *const reasons[IOT_N_REASONS] = {
	[IOT_REASON_LOCK] = "lock",    [IOT_REASON_DEVICE] = "device",
	[IOT_REASON_HOST] = "host",    [IOT_REASON_RUNNABLE] = "runnable",
	[IOT_REASON_OWN] = "own work",
};

static gboolean set_thread(const struct iot_builder *b, iot_type_id type)
{
	const struct iot_setting *thread = iot_section_require(b->section, "thread", b->error);
	int attr;

	if (!thread)
		return FALSE;
	attr = iot_type_attr(b->model->tl, iot_type_at(b->model->tl, type), thread->value);
	if (!strcmp(thread->value, "row"))
		iot_type_set_thread(b->model->tl, type, IOT_THREAD_OF_ROW);
	else if (attr >= 0)
		iot_type_set_thread(b->model->tl, type, (guint8)(attr + 1));
	else
		return iot_setting_error(thread, 0, b->error,
					 "neither an attribute of the values nor \"row\"");
	return TRUE;
}

static gboolean set_reason(const struct iot_builder *b, const struct iot_values *values,
			   const struct iot_setting *line)
{
	struct iot_timeline *tl = b->model->tl;
	const char *name = line->key + strlen("value ");
	iot_cat_id cat = iot_values_listed_cat(values, iot_intern_str(tl->strings, name));

	if (!cat)
		return iot_setting_key_error(line, b->error, "[values %s] has no value \"%s\"",
					     values->section->name, name);
	if (!strcmp(line->value, "asleep")) {
		iot_cat_set_sleeps(tl, cat);
		return TRUE;
	}
	for (guint i = 0; i < IOT_N_REASONS; i++) {
		if (strcmp(line->value, reasons[i]))
			continue;
		iot_cat_set_reason(tl, cat, (enum iot_reason)i);
		return TRUE;
	}
	return iot_setting_error(line, 0, b->error,
				 "no such reason (there are: lock, device, host, runnable, own "
				 "work, asleep)");
}

/* "woken = ATTRIBUTE" */
static gboolean set_woken(const struct iot_builder *b, iot_type_id type)
{
	const struct iot_setting *woken = iot_section_get(b->section, "woken");
	const struct iot_attr_def *def;
	int attr;

	if (!woken)
		return TRUE;
	attr = iot_type_attr(b->model->tl, iot_type_at(b->model->tl, type), woken->value);
	def = attr < 0 ? NULL : &iot_type_at(b->model->tl, type)->attr[attr];
	if (!def || def->late || def->format != IOT_ATTR_STR)
		return iot_setting_error(woken, 0, b->error,
					 "the values have no attribute \"%s\" that is a text and "
					 "known at the begin",
					 woken->value);
	iot_type_set_woken(b->model->tl, type, (guint)attr + 1);
	return TRUE;
}

/* "through = MODEL:OBJECT" */
static gboolean set_through(const struct iot_builder *b, struct iot_values *values)
{
	const struct iot_setting *through = iot_section_get(b->section, "through");

	if (!through)
		return TRUE;
	if (!iot_bind_colon(through, b->error))
		return FALSE;
	if (!iot_bind_is_below_machines(b->model->tl, values->on->type))
		return iot_setting_error(through, 0, b->error,
					 "[values %s] is not on rows of role node below other rows",
					 values->section->name);
	values->through = through;
	iot_type_set_through(b->model->tl, values->type);
	return TRUE;
}

gboolean iot_because_connect(const struct iot_values *values, const GPtrArray *models,
			     char **out_missing, GError **error)
{
	const struct iot_setting *through = values->through;
	struct iot_object_kind *locks;
	struct iot_timeline *tl;
	iot_type_id own, other;

	if (!through)
		return TRUE;
	if (!iot_bind_other_kind(through, models, &locks, out_missing, error))
		return FALSE;
	if (!locks)
		return TRUE;
	tl = locks->model->tl;
	own = values->on->type;
	other = locks->on->type;
	if (own == other || !iot_bind_is_below_machines(tl, other))
		return iot_setting_error(through, 0, error,
					 "%s is not on other rows of role node, below rows with "
					 "the same names",
					 through->value);
	if ((iot_type_at(tl, own)->twin && iot_type_at(tl, own)->twin != other) ||
	    (iot_type_at(tl, other)->twin && iot_type_at(tl, other)->twin != own))
		return iot_setting_error(through, 0, error,
					 "the rows of one of the two already belong to those of "
					 "another model");
	iot_type_set_twin(tl, own, other);
	iot_type_set_twin(tl, other, own);
	return TRUE;
}

static gboolean build_because(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "values", b->error);
	struct iot_values *values = name ? iot_bind_values(b, name, "values") : NULL;
	guint n = 0;

	if (!values || !set_thread(b, values->type) || !set_through(b, values) ||
	    !set_woken(b, values->type))
		return FALSE;
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *line = b->section->settings->pdata[i];

		if (!g_str_has_prefix(line->key, "value "))
			continue;
		if (!set_reason(b, values, line))
			return FALSE;
		n++;
	}
	return n || iot_section_error(b->section, b->error, "\"value NAME = REASON\" is missing");
}

static const char *const keys[] = { "values", "thread", "through", "woken", "value *", NULL };
const struct iot_section_kind iot_section_kind_because = { "because", keys, build_because, NULL };
