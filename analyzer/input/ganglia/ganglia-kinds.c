/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ganglia/ganglia-kinds.h"

static const char *const field_names[IOT_GANGLIA_FIELDS] = {
	[IOT_GANGLIA_WHOLE_VALUE] = "value", [IOT_GANGLIA_PERIOD] = "period",
	[IOT_GANGLIA_IS_REAL] = "real",	     [IOT_GANGLIA_REAL_VALUE] = "value",
	[IOT_GANGLIA_CLUSTER] = "cluster",   [IOT_GANGLIA_HOST] = "host",
	[IOT_GANGLIA_GROUP] = "group",	     [IOT_GANGLIA_METRIC] = "metric",
	[IOT_GANGLIA_TITLE] = "title",	     [IOT_GANGLIA_UNITS] = "units",
	[IOT_GANGLIA_WHAT] = "what",
};

#define F(field) (1u << IOT_GANGLIA_##field)
enum {
	OF_HOST = F(CLUSTER) | F(HOST),
	OF_METRIC = OF_HOST | F(GROUP) | F(METRIC) | F(TITLE) | F(UNITS),
};

static const struct iot_made_event events[IOT_GANGLIA_EVENTS] = {
	[IOT_GANGLIA_SAMPLE] = { "ganglia", "sample", OF_METRIC | F(PERIOD) },
	[IOT_GANGLIA_VALUE] = { "ganglia", "value", OF_METRIC | F(WHOLE_VALUE) },
	[IOT_GANGLIA_NUMBER] = { "ganglia", "real", OF_METRIC | F(REAL_VALUE) },
	[IOT_GANGLIA_GAP] = { "ganglia", "gap", OF_METRIC | F(IS_REAL) | F(WHAT) },
	[IOT_GANGLIA_UNKNOWN] = { "ganglia", "unknown", OF_METRIC | F(IS_REAL) },
	[IOT_GANGLIA_HOST_NOTE] = { "ganglia", "host_note", OF_HOST | F(WHAT) },
};

const struct iot_made_kinds iot_ganglia_kinds = {
	.file = "a dump of Ganglia",
	.event = events,
	.n_events = IOT_GANGLIA_EVENTS,
	.field = field_names,
	.n_fields = IOT_GANGLIA_FIELDS,
	.first_real = IOT_GANGLIA_REAL_VALUE,
	.first_text = IOT_GANGLIA_CLUSTER,
};
