/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where memory went (-v). Not part of any output: it depends on the threads and on the machine.
 */
#ifndef IOT_RUN_USAGE_H
#define IOT_RUN_USAGE_H

#include <glib.h>

enum { IOT_USAGE_PARTS = 16 };

/* The most that each part of the program held at once, not all of them at the same time. */
struct iot_usage {
	guint n;
	struct iot_usage_part {
		const char *what; /* static storage */
		guint64 bytes;
	} part[IOT_USAGE_PARTS];
	guint64 spilled; /* items that waited on disk */
};

/** iot_usage_add - one part, or more of it; beyond IOT_USAGE_PARTS parts it is left to "the rest"
 */
void iot_usage_add(struct iot_usage *usage, const char *what, guint64 bytes);
/**
 * iot_usage_text - the peak of the process and its parts, as lines for people; the caller frees
 * @allowed: --memory, in bytes
 */
char *iot_usage_text(const struct iot_usage *usage, guint64 allowed);

#endif
