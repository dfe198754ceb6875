/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A summary of a run (docs/formats/summary.md), read from its file. One thread at a time. */
#ifndef IOT_COMPARE_RUN_SUMMARY_H
#define IOT_COMPARE_RUN_SUMMARY_H

#include "base/histogram.h"

/* The parts of a group's name. A part that is not used is "". */
enum iot_group_part {
	IOT_PART_STATE,
	IOT_PART_WAIT_PART, /* of a wait: "reaction"; "": whole states */
	IOT_PART_MODE,
	IOT_PART_NODE,
	IOT_PART_PLACE,
	IOT_N_PARTS
};

struct iot_run_group {
	char *part[IOT_N_PARTS];
	gboolean waited; /* somebody waits in the state: longer is worse */
	guint64 n_partial;
	struct iot_histogram durations;
};

/* One cause of the waits of a node for a place. */
struct iot_run_cause {
	char *name; /* a node, or "queue" ... */
	gboolean holds;
	guint64 ns;
	struct iot_histogram shares; /* of each wait, in millionths; only those that are not 0 */
};

struct iot_run_waits {
	char *node, *place; /* "": none */
	guint64 n, ns;
	GPtrArray *causes; /* struct iot_run_cause */
};

struct iot_run_summary {
	GPtrArray *groups; /* struct iot_run_group */
	GPtrArray *waits;  /* struct iot_run_waits; empty without causes */
	guint64 length_ns;
	guint64 n_left_out;
};

/** iot_run_summary_new - without groups and waits */
struct iot_run_summary *iot_run_summary_new(void);
/** iot_run_summary_load - read a file; NULL and an IOT_ERROR_INPUT that names the file */
struct iot_run_summary *iot_run_summary_load(const char *path, GError **error);
void iot_run_summary_free(struct iot_run_summary *summary);
typedef struct iot_run_summary iot_run_summary;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_run_summary, iot_run_summary_free)

/** iot_run_summary_add_waits - waits without causes, which @summary owns; the texts are copied */
struct iot_run_waits *iot_run_summary_add_waits(struct iot_run_summary *summary, const char *node,
						const char *place);
/** iot_run_waits_add_cause - a cause without waits; @name is copied */
struct iot_run_cause *iot_run_waits_add_cause(struct iot_run_waits *waits, const char *name,
					      gboolean holds);

#endif
