/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory usage by part (-v). Not part of any output: it depends on the threads and the machine. */
#ifndef IOT_RUN_USAGE_H
#define IOT_RUN_USAGE_H

#include <glib.h>

enum { IOT_USAGE_PARTS = 16 };

/* The peak of each part of the program; parts have their peaks at different times. */
struct iot_usage {
	guint n;
	struct iot_usage_part {
		const char *what; /* static storage */
		guint64 bytes;
	} part[IOT_USAGE_PARTS];
	guint64 spilled; /* items that waited on disk */
};

/** iot_usage_add - add @bytes to the part @what; beyond IOT_USAGE_PARTS parts, to "the rest" */
void iot_usage_add(struct iot_usage *usage, const char *what, guint64 bytes);
/**
 * iot_usage_text - the peak of the process and of its parts, as text; the caller frees
 * @allowed: --memory, in bytes
 */
char *iot_usage_text(const struct iot_usage *usage, guint64 allowed);

#endif
