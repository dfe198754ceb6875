/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [because]: values that are the reason why the time of a thread passes. */
#include "model/bind.h"
#include "model/section-table.h"
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
	for (guint i = 0; i < IOT_N_REASONS; i++) {
		if (strcmp(line->value, reasons[i]))
			continue;
		iot_cat_set_reason(tl, cat, (enum iot_reason)i);
		return TRUE;
	}
	return iot_setting_error(line, 0, b->error,
				 "no such reason (there are: lock, device, host, runnable, own "
				 "work)");
}

static gboolean build_because(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "values", b->error);
	const struct iot_values *values = name ? iot_bind_values(b, name, "values") : NULL;
	guint n = 0;

	if (!values || !set_thread(b, values->type))
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

static const char *const keys[] = { "values", "thread", "value *", NULL };
const struct iot_section_kind iot_section_kind_because = { "because", keys, build_because, NULL };
