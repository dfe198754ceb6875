/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and fields of the events that a PCP archive becomes (docs/formats/pcp.md). */
#ifndef IOT_INPUT_PCP_KINDS_H
#define IOT_INPUT_PCP_KINDS_H

#include "input/made-events.h"

/* Each but the first also exists for an instance, as the event that follows. */
enum iot_pcp_made {
	IOT_PCP_SAMPLE, /* of a metric, whatever instances it has */
	IOT_PCP_VALUE,	/* a whole number */
	IOT_PCP_VALUE_OF,
	IOT_PCP_REAL,
	IOT_PCP_REAL_OF,
	IOT_PCP_RATE, /* true from here up to the next sample */
	IOT_PCP_RATE_OF,
	IOT_PCP_GAP, /* from here on the number is not known, and this says why */
	IOT_PCP_GAP_OF,
	IOT_PCP_UNKNOWN, /* the same, where something else says why */
	IOT_PCP_UNKNOWN_OF,
	IOT_PCP_NOTE,
	IOT_PCP_NOTE_OF,
	IOT_PCP_EVENTS
};

/* Which number of a metric or instance becomes unknown. */
enum iot_pcp_number { IOT_PCP_WHOLE_NUMBER, IOT_PCP_REAL_NUMBER, IOT_PCP_RATE_NUMBER };

enum iot_pcp_field {
	IOT_PCP_WHOLE,	    /* "value" */
	IOT_PCP_PERIOD,	    /* ns since the sample before */
	IOT_PCP_LASTS,	    /* ns */
	IOT_PCP_NUMBER,	    /* enum iot_pcp_number */
	IOT_PCP_REAL_VALUE, /* "value", a real number */
	IOT_PCP_GROUP,	    /* numbers of texts from here on: "network" */
	IOT_PCP_METRIC,	    /* "network.interface.in.bytes" */
	IOT_PCP_TITLE,	    /* with the unit of the drawn value: "... (byte / sec)" */
	IOT_PCP_INSTANCE,   /* "eth0" */
	IOT_PCP_SEMANTICS,  /* "counter", "instant" or "discrete" */
	IOT_PCP_UNITS,	    /* of the values: "byte" */
	IOT_PCP_WHAT,
	IOT_PCP_FIELDS
};

/** iot_pcp_kinds - names and fields of these events */
extern const struct iot_made_kinds iot_pcp_kinds;

#endif
