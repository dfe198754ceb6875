/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of sections, by the first word in their brackets. */
#ifndef IOT_MODEL_SECTION_TABLE_H
#define IOT_MODEL_SECTION_TABLE_H

#include "model/model-local.h"

struct iot_section_kind {
	/* the first word in the brackets */
	const char *kind;
	/* settings it knows, up to NULL; "rule *" allows every key with that first word */
	const char *const *keys;
	/* compile a section into the model */
	gboolean (*build)(const struct iot_builder *b);
	/* not NULL: the kind is reserved; the feature it will describe */
	const char *later;
};

extern const struct iot_section_kind *const iot_section_kinds[];
extern const struct iot_section_kind iot_section_kind_names, iot_section_kind_container,
	iot_section_kind_values, iot_section_kind_points, iot_section_kind_object,
	iot_section_kind_pair, iot_section_kind_state, iot_section_kind_machine,
	iot_section_kind_point, iot_section_kind_link, iot_section_kind_links,
	iot_section_kind_counter, iot_section_kind_keytable, iot_section_kind_real,
	iot_section_kind_repair, iot_section_kind_role, iot_section_kind_compatible,
	iot_section_kind_check, iot_section_kind_because, iot_section_kind_probe,
	iot_section_kind_numbers, iot_section_kind_interrupts, iot_section_kind_processor,
	iot_section_kind_access, iot_section_kind_advice;

#endif
