/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A summary of a run (docs/formats/summary.md), read from its file. One thread at a time. */
#ifndef IOT_COMPARE_RUN_SUMMARY_H
#define IOT_COMPARE_RUN_SUMMARY_H

#include "base/histogram.h"

/* The parts of a group's name. A part that is not used is "". */
enum iot_group_part { IOT_PART_STATE, IOT_PART_MODE, IOT_PART_NODE, IOT_PART_PLACE, IOT_N_PARTS };

struct iot_run_group {
	char *part[IOT_N_PARTS];
	gboolean waited; /* somebody waits in the state: longer is worse */
	guint64 n_partial;
	struct iot_histogram durations;
};

struct iot_run_summary {
	GPtrArray *groups; /* struct iot_run_group */
	guint64 length_ns;
	guint64 n_left_out;
};

/** iot_run_summary_load - read a file; NULL and an IOT_ERROR_INPUT that names the file */
struct iot_run_summary *iot_run_summary_load(const char *path, GError **error);
void iot_run_summary_free(struct iot_run_summary *summary);
typedef struct iot_run_summary iot_run_summary;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_run_summary, iot_run_summary_free)

/** iot_run_group_free - takes a struct iot_run_group */
void iot_run_group_free(gpointer group);

#endif
