/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of a PCP archive and their instances, with the last value of each. One thread. */
#ifndef IOT_INPUT_PCP_METRICS_H
#define IOT_INPUT_PCP_METRICS_H

#include "base/diag.h"
#include "base/intern.h"
#include "input/pcp/pcp-archive.h"

/* A value as it was recorded. */
struct iot_pcp_value {
	gboolean real;
	gint64 whole;	/* exact; 2^63 and more wrap */
	gdouble number; /* the nearest real number */
};

/* A metric without instances, or one instance. */
struct iot_pcp_series {
	struct iot_pcp_metric *metric;
	guint32 name; /* of the instance; 0: the metric has none */
	struct iot_pcp_value last;
	guint64 last_ns, record; /* the last record that had it */
	guint64 held;		 /* number of the event that waits for the next value; 0: none */
	gboolean is_instance;
};

struct iot_pcp_metric {
	pmDesc desc;
	gboolean known;	  /* the archive describes it */
	gboolean numbers; /* its values are */
	gboolean counts;  /* its values are totals, of which rates are drawn */
	gdouble scale;	  /* of the rate: seconds that a unit of the values has, else 1 */
	/* numbers of texts; see enum iot_pcp_field */
	guint32 name, group, title, semantics, units;
	guint64 last_ns, period; /* of its last sample; ns between it and the one before */
	guint64 record;		 /* the last record that had it */
	gboolean sampled;
	GHashTable *series; /* number of the instance -> struct iot_pcp_series, owned */
	GPtrArray *present; /* of struct iot_pcp_series: those of the last sample */
};

struct iot_pcp_metrics;

/** iot_pcp_metrics_new - @archive, @strings and @diag outlive it */
struct iot_pcp_metrics *iot_pcp_metrics_new(const struct iot_pcp_archive *archive,
					    struct iot_intern *strings, struct iot_diag *diag);
/** iot_pcp_metrics_free - accepts NULL */
void iot_pcp_metrics_free(struct iot_pcp_metrics *metrics);
/** iot_pcp_metric - the metric with this number; the archive must be in use */
struct iot_pcp_metric *iot_pcp_metric(struct iot_pcp_metrics *metrics, pmID pmid);
/** iot_pcp_series - the series of an instance of the metric, as the archive numbers it */
struct iot_pcp_series *iot_pcp_series(struct iot_pcp_metrics *metrics,
				      struct iot_pcp_metric *metric, int instance);
/** iot_pcp_metrics_each - all metrics so far, in order of their first sample */
const GPtrArray *iot_pcp_metrics_each(const struct iot_pcp_metrics *metrics);

#endif
