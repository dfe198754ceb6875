/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of sections. To add one: a file with its iot_section_kind, and a row here. */
#include "model/section-table.h"

/* A line for each. */
/* clang-format off */
const struct iot_section_kind *const iot_section_kinds[] = {
	&iot_section_kind_names,
	&iot_section_kind_numbers,
	&iot_section_kind_container,
	&iot_section_kind_values,
	&iot_section_kind_points,
	&iot_section_kind_object,
	&iot_section_kind_pair,
	&iot_section_kind_state,
	&iot_section_kind_machine,
	&iot_section_kind_point,
	&iot_section_kind_links,
	&iot_section_kind_link,
	&iot_section_kind_counter,
	&iot_section_kind_keytable,
	&iot_section_kind_real,
	&iot_section_kind_repair,
	&iot_section_kind_interrupts,
	&iot_section_kind_role,
	&iot_section_kind_compatible,
	&iot_section_kind_check,
	&iot_section_kind_because,
	&iot_section_kind_processor,
	&iot_section_kind_probe,
	&iot_section_kind_access,
	&iot_section_kind_advice,
	NULL,
};
/* clang-format on */
