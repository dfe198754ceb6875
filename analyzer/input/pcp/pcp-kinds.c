/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/pcp/pcp-kinds.h"

static const char *const field_names[IOT_PCP_FIELDS] = {
	[IOT_PCP_WHOLE] = "value",	 [IOT_PCP_PERIOD] = "period",
	[IOT_PCP_LASTS] = "lasts",	 [IOT_PCP_NUMBER] = "number",
	[IOT_PCP_REAL_VALUE] = "value",	 [IOT_PCP_GROUP] = "group",
	[IOT_PCP_METRIC] = "metric",	 [IOT_PCP_TITLE] = "title",
	[IOT_PCP_INSTANCE] = "instance", [IOT_PCP_SEMANTICS] = "semantics",
	[IOT_PCP_UNITS] = "units",	 [IOT_PCP_WHAT] = "what",
};

#define F(field) (1u << IOT_PCP_##field)
enum {
	METRIC = F(GROUP) | F(METRIC) | F(TITLE) | F(SEMANTICS) | F(UNITS),
	INSTANCE = METRIC | F(INSTANCE),
	GAP = F(NUMBER) | F(WHAT) | F(LASTS),
	NOTE = F(WHAT),
};
#define BOTH(kind, name, fields)                               \
	[IOT_PCP_##kind] = { "pcp", name, METRIC | (fields) }, \
	[IOT_PCP_##kind##_OF] = { "pcp", "instance_" name, INSTANCE | (fields) }

static const struct iot_made_event events[IOT_PCP_EVENTS] = {
	[IOT_PCP_SAMPLE] = { "pcp", "sample", METRIC | F(PERIOD) },
	BOTH(VALUE, "value", F(WHOLE)),
	BOTH(REAL, "real", F(REAL_VALUE)),
	BOTH(RATE, "rate", F(REAL_VALUE)),
	BOTH(GAP, "gap", GAP),
	BOTH(UNKNOWN, "unknown", F(NUMBER)),
	BOTH(NOTE, "note", NOTE),
};

const struct iot_made_kinds iot_pcp_kinds = {
	.file = "a PCP archive",
	.event = events,
	.n_events = IOT_PCP_EVENTS,
	.field = field_names,
	.n_fields = IOT_PCP_FIELDS,
	.first_real = IOT_PCP_REAL_VALUE,
	.first_text = IOT_PCP_GROUP,
};
