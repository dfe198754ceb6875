/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [object]: compiles the section; object.c tracks the objects. */
#include "model/bind.h"
#include "model/section-table.h"
#include "model/row.h"
#include "model/tracked.h"

#include <string.h>

static gboolean build_object(const struct iot_builder *b)
{
	const struct iot_setting *on = iot_section_require(b->section, "on", b->error);
	const struct iot_setting *notice = iot_section_get(b->section, "notice");
	struct iot_row_type *container = on ? iot_bind_row_type(b, on) : NULL;
	const struct iot_setting *recordings = iot_section_get(b->section, "recordings");
	const struct iot_setting *range = iot_section_get(b->section, "range");
	g_auto(GStrv) events = g_strsplit_set(notice ? notice->value : "", " \t", -1);
	struct iot_object_kind *kind;

	if (!container || !iot_section_require(b->section, "key", b->error))
		return FALSE;
	if (container->may_follow && strcmp(iot_section_get(b->section, "key")->value,
					    iot_section_get(container->section, "pid")->value))
		return iot_setting_error(iot_section_get(b->section, "key"), 0, b->error,
					 "objects on rows below threads have the key \"%s\", as "
					 "[container %s] says",
					 iot_section_get(container->section, "pid")->value,
					 container->section->name);
	if (recordings && strcmp(recordings->value, "all"))
		return iot_setting_error(recordings, 0, b->error,
					 "only \"recordings = all\" is known");
	if (recordings && iot_section_get(b->section, "apart by"))
		return iot_setting_key_error(iot_section_get(b->section, "apart by"), b->error,
					     "objects of all recordings have no calls whose "
					     "completions are to be told apart");
	if (recordings && container->may_follow)
		return iot_setting_error(recordings, 0, b->error,
					 "rows below threads belong to one recording");
	if (range &&
	    (recordings || container->may_follow || iot_section_get(b->section, "apart by")))
		return iot_setting_key_error(
			range, b->error,
			"goes with none of \"recordings\", \"apart by\" and rows "
			"below threads");
	kind = g_new0(struct iot_object_kind, 1);
	kind->model = b->model;
	kind->section = b->section;
	kind->name = g_strdup(b->section->name);
	kind->on = container;
	kind->common = recordings != NULL;
	kind->ranged = range != NULL;
	kind->pairs = g_ptr_array_new();
	g_ptr_array_add(b->model->kinds, kind);
	for (guint i = 0; events[i]; i++) {
		if (*events[i] &&
		    !iot_bind_object_event(b, kind, iot_bind_event(b->model, events[i]),
					   IOT_PART_NOTICE))
			return FALSE;
	}
	return TRUE;
}

static const char *const keys[] = {
	"key", "apart by", "on", "notice", "recordings", "range", NULL
};
const struct iot_section_kind iot_section_kind_object = { "object", keys, build_object, NULL };
