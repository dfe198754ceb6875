/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice about files: rules of models ([advice]) over numbers that the analysis of files counts
 * (analysis/file-use.h). A rule holds if all its conditions do. Filled before the first item, read
 * by one thread at a time afterwards.
 */
#ifndef IOT_TIMELINE_ADVICE_H
#define IOT_TIMELINE_ADVICE_H

#include <glib.h>

struct iot_timeline;

/* What is counted for each file, and added up for the run. */
enum iot_metric {
	IOT_METRIC_READS,
	IOT_METRIC_WRITES,
	IOT_METRIC_ACCESSES, /* reads and writes */
	IOT_METRIC_BYTES_READ,
	IOT_METRIC_BYTES_WRITTEN,
	IOT_METRIC_BYTES,
	IOT_METRIC_READS_BELOW_4K,
	IOT_METRIC_READS_BELOW_1M,
	IOT_METRIC_WRITES_BELOW_4K,
	IOT_METRIC_WRITES_BELOW_1M,
	IOT_METRIC_UNALIGNED_4K,      /* accesses whose position is not a multiple of 4096 */
	IOT_METRIC_SEQUENTIAL,	      /* accesses that begin where the thread's one before ended */
	IOT_METRIC_STRIDED,	      /* others at the same distance as the one before or after */
	IOT_METRIC_RANDOM,	      /* the rest, but for the first of each thread */
	IOT_METRIC_NOWHERE,	      /* accesses whose position is not known */
	IOT_METRIC_REREAD,	      /* bytes read again that nobody wrote meanwhile */
	IOT_METRIC_OVERWRITTEN,	      /* bytes written over bytes that were written before */
	IOT_METRIC_APPENDED,	      /* bytes written after all that had been reached */
	IOT_METRIC_APPENDS_TO_OTHERS, /* writes that begin at the end that another one left */
	IOT_METRIC_SYNCS,
	IOT_METRIC_SYNCED_WRITES, /* syncs right after a write of their thread */
	IOT_METRIC_OPENS,
	IOT_METRIC_CLOSES,
	IOT_METRIC_METADATA_READS,
	IOT_METRIC_MAPS,
	IOT_METRIC_FILES,
	IOT_METRIC_THREADS,
	IOT_METRIC_PROCESSES,
	IOT_METRIC_NODES,
	IOT_METRIC_BUSIEST_NODE, /* bytes of the node that read and wrote most */
	IOT_METRIC_TIME,	 /* ns in all calls */
	IOT_METRIC_LOCK_TIME,	 /* ns in calls that wait for a lock of the file */
	IOT_N_METRICS
};

/* METRIC >= NUMBER, or METRIC >= NUMBER % of METRIC; or <= */
struct iot_advice_condition {
	enum iot_metric metric, of; /* @of: IOT_N_METRICS if it is no share */
	gboolean at_most;
	guint64 number;
};

struct iot_advice_rule {
	char *name;
	gboolean of_run;    /* about all files together, not about one file */
	GArray *conditions; /* struct iot_advice_condition; at least one */
	char *action;	    /* what to do: a sentence */
};

/** iot_metric_name - the word of model files: "bytes_read" */
const char *iot_metric_name(enum iot_metric metric);
/** iot_metric_find - the metric of that name, or IOT_N_METRICS */
enum iot_metric iot_metric_find(const char *name);
/** iot_timeline_add_rule - take over @rule, whose texts and conditions it frees with @tl */
void iot_timeline_add_rule(struct iot_timeline *tl, const struct iot_advice_rule *rule);
/** iot_timeline_rules - all rules, in the order of the models: of struct iot_advice_rule; NULL:
 * there are none */
const GArray *iot_timeline_rules(const struct iot_timeline *tl);
/** iot_advice_condition_holds - @metric: by enum iot_metric */
gboolean iot_advice_condition_holds(const struct iot_advice_condition *condition,
				    const guint64 metric[IOT_N_METRICS]);
/** iot_advice_rule_holds - whether all its conditions hold */
gboolean iot_advice_rule_holds(const struct iot_advice_rule *rule,
			       const guint64 metric[IOT_N_METRICS]);

#endif
