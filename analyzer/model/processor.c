/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [processor]: states of threads that run on a processor, or wait for one. */
#include "model/bind.h"
#include "model/section-table.h"
#include "model/tracked.h"
#include "model/values.h"

static gboolean find_cat(const struct iot_builder *b, const struct iot_values *values,
			 const char *key, iot_cat_id *out)
{
	const struct iot_setting *setting = iot_section_require(b->section, key, b->error);

	if (!setting)
		return FALSE;
	*out = iot_values_listed_cat(values, iot_intern_str(b->model->tl->strings, setting->value));
	return *out || iot_setting_error(setting, 0, b->error, "[values %s] has no value \"%s\"",
					 values->section->name, setting->value);
}

static gboolean build_processor(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "values", b->error);
	struct iot_values *values = name ? iot_bind_values(b, name, "values") : NULL;
	const struct iot_setting *cpu =
		values ? iot_section_require(b->section, "cpu", b->error) : NULL;
	struct iot_timeline *tl = b->model->tl;
	const struct iot_attr_def *def;
	iot_cat_id runs, waits;
	int attr;

	if (!cpu || !find_cat(b, values, "running", &runs) ||
	    !find_cat(b, values, "waiting", &waits))
		return FALSE;
	attr = iot_type_attr(tl, iot_type_at(tl, values->type), cpu->value);
	def = attr < 0 ? NULL : &iot_type_at(tl, values->type)->attr[attr];
	if (!def || def->late || def->format == IOT_ATTR_STR)
		return iot_setting_error(cpu, 0, b->error,
					 "[values %s] has no attribute \"%s\" that is a number "
					 "and known at the begin",
					 values->section->name, cpu->value);
	iot_type_set_processor(tl, values->type, runs, waits, (guint)attr + 1);
	return TRUE;
}

static const char *const keys[] = { "values", "running", "waiting", "cpu", NULL };
const struct iot_section_kind iot_section_kind_processor = { "processor", keys, build_processor,
							     NULL };
