/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of everything that was dropped, clamped, guessed or uncertain. Each thread counts in a
 * struct of its own; they are added up after the threads have ended.
 */
#ifndef IOT_BASE_DIAG_H
#define IOT_BASE_DIAG_H

#include <glib.h>

enum iot_severity { IOT_NOTICE, IOT_WARN, IOT_LOSS };

enum iot_diag_id {
#define IOT_DIAG(name, severity, damaged, text) IOT_DIAG_##name,
#include "base/diag-list.h"
#undef IOT_DIAG
	IOT_DIAG_COUNT
};

struct iot_diag {
	guint64 count[IOT_DIAG_COUNT];
};

struct iot_diag_info {
	const char *name;
	enum iot_severity severity;
	gboolean damaged; /* of an input: the recording is damaged */
	const char *text;
};

/** iot_diag_info - name, severity and sentence of a counter; static storage */
const struct iot_diag_info *iot_diag_info(enum iot_diag_id id);

/** iot_diag_severity_name - "notice", "warning" or "loss" */
const char *iot_diag_severity_name(enum iot_severity severity);

static inline void iot_diag_add(struct iot_diag *diag, enum iot_diag_id id, guint64 n)
{
	diag->count[id] += n;
}

/** iot_diag_merge - add all counters of @from to @into */
void iot_diag_merge(struct iot_diag *into, const struct iot_diag *from);

/** iot_diag_worst - the highest severity among the counters that are not zero, or -1 */
int iot_diag_worst(const struct iot_diag *diag);

/** iot_diag_is_damaged - whether a counter of a damaged recording is not zero */
gboolean iot_diag_is_damaged(const struct iot_diag *diag);

#endif
