/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and fields of the events that dumps of Ganglia become (docs/formats/ganglia.md). */
#ifndef IOT_INPUT_GANGLIA_KINDS_H
#define IOT_INPUT_GANGLIA_KINDS_H

#include "input/made-events.h"

enum iot_ganglia_made {
	IOT_GANGLIA_SAMPLE,
	IOT_GANGLIA_VALUE,   /* a whole number */
	IOT_GANGLIA_NUMBER,  /* a real one */
	IOT_GANGLIA_GAP,     /* from here on the number is not known, and this says why */
	IOT_GANGLIA_UNKNOWN, /* the same, where something else says why */
	IOT_GANGLIA_HOST_NOTE,
	IOT_GANGLIA_EVENTS
};

enum iot_ganglia_field {
	IOT_GANGLIA_WHOLE_VALUE, /* "value" */
	IOT_GANGLIA_PERIOD,	 /* ns since the sample before */
	IOT_GANGLIA_IS_REAL,	 /* which number is not known: 1 the real one */
	IOT_GANGLIA_REAL_VALUE,	 /* "value", a real number */
	IOT_GANGLIA_CLUSTER,	 /* numbers of texts from here on */
	IOT_GANGLIA_HOST,
	IOT_GANGLIA_GROUP,  /* "cpu" */
	IOT_GANGLIA_METRIC, /* "cpu_user" */
	IOT_GANGLIA_TITLE,  /* with its unit: "cpu_user (%)" */
	IOT_GANGLIA_UNITS,
	IOT_GANGLIA_WHAT,
	IOT_GANGLIA_FIELDS
};

/** iot_ganglia_kinds - names and fields of these events */
extern const struct iot_made_kinds iot_ganglia_kinds;

#endif
