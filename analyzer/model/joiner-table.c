/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of sections. To add one: a file with its iot_joiner_ops, and a row here. */
#include "model/model-local.h"

const struct iot_joiner_ops iot_joiner_link = { .kind = "link", .later = "arrows between rows" };

const struct iot_joiner_ops *const iot_joiner_table[] = {
	&iot_joiner_names,
	&iot_joiner_container,
	&iot_joiner_values,
	&iot_joiner_points,
	&iot_joiner_object,
	&iot_joiner_pair,
	&iot_joiner_state,
	&iot_joiner_machine,
	&iot_joiner_point,
	&iot_joiner_link,
	&iot_joiner_counter,
	&iot_joiner_keytable,
	&iot_joiner_repair,
	NULL,
};
