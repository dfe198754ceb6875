/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "input/pcp/pcp-metrics.h"

struct iot_pcp_metrics {
	const struct iot_pcp_archive *archive;
	struct iot_intern *strings;
	struct iot_diag *diag;
	GHashTable *by_id; /* pmID -> struct iot_pcp_metric, of all */
	GPtrArray *all;	   /* of struct iot_pcp_metric, owned */
};

static void metric_free(gpointer data)
{
	struct iot_pcp_metric *metric = data;

	g_hash_table_unref(metric->series);
	g_ptr_array_unref(metric->present);
	g_free(metric);
}

struct iot_pcp_metrics *iot_pcp_metrics_new(const struct iot_pcp_archive *archive,
					    struct iot_intern *strings, struct iot_diag *diag)
{
	struct iot_pcp_metrics *metrics = g_new0(struct iot_pcp_metrics, 1);

	metrics->archive = archive;
	metrics->strings = strings;
	metrics->diag = diag;
	metrics->by_id = g_hash_table_new(NULL, NULL);
	metrics->all = g_ptr_array_new_with_free_func(metric_free);
	return metrics;
}

void iot_pcp_metrics_free(struct iot_pcp_metrics *metrics)
{
	if (!metrics)
		return;
	g_hash_table_unref(metrics->by_id);
	g_ptr_array_unref(metrics->all);
	g_free(metrics);
}

/* ---- a metric */

/* What libpcp writes for values without unit. */
static const char no_units[] = "none";

/* The unit of the rate as pmval says it: "byte / sec"; a time per time has none. */
static void describe_rate(const struct iot_pcp_library *pcp, struct iot_pcp_metric *metric,
			  char *text, int room)
{
	static const gdouble seconds[] = {
		[PM_TIME_NSEC] = 1e-9, [PM_TIME_USEC] = 1e-6, [PM_TIME_MSEC] = 1e-3,
		[PM_TIME_SEC] = 1,     [PM_TIME_MIN] = 60,    [PM_TIME_HOUR] = 3600,
	};
	pmUnits units = metric->desc.units;

	if (units.dimTime == 1 && units.scaleTime < G_N_ELEMENTS(seconds)) {
		metric->scale = seconds[units.scaleTime];
		units.dimTime = 0;
		pcp->pmUnitsStr_r(&units, text, room);
		if (!*text || !strcmp(text, no_units))
			g_strlcpy(text, "time utilization", (gsize)room);
	} else if (!units.dimTime) {
		units.dimTime = -1;
		units.scaleTime = PM_TIME_SEC;
		pcp->pmUnitsStr_r(&units, text, room);
	} else {
		pcp->pmUnitsStr_r(&units, text, room);
		g_strlcat(text, " / sec", (gsize)room);
	}
}

static void describe_units(struct iot_pcp_metrics *metrics, struct iot_pcp_metric *metric,
			   const char *name)
{
	char units[64], drawn[64];
	g_autofree char *title = NULL;

	metrics->archive->pcp->pmUnitsStr_r(&metric->desc.units, units, sizeof(units));
	if (!strcmp(units, no_units))
		*units = '\0';
	metric->units = iot_intern_str(metrics->strings, units);
	g_strlcpy(drawn, units, sizeof(drawn));
	if (metric->counts)
		describe_rate(metrics->archive->pcp, metric, drawn, sizeof(drawn));
	title = *drawn ? g_strdup_printf("%s (%s)", name, drawn) : g_strdup(name);
	metric->title = iot_intern_str(metrics->strings, title);
}

static void describe(struct iot_pcp_metrics *metrics, struct iot_pcp_metric *metric)
{
	static const char *const semantics[] = { [PM_SEM_COUNTER] = "counter",
						 [PM_SEM_INSTANT] = "instant",
						 [PM_SEM_DISCRETE] = "discrete" };
	int sem = metric->desc.sem;
	char *name = NULL;
	gsize group;

	switch (metric->desc.type) {
	case PM_TYPE_32:
	case PM_TYPE_U32:
	case PM_TYPE_64:
	case PM_TYPE_U64:
	case PM_TYPE_FLOAT:
	case PM_TYPE_DOUBLE:
		metric->numbers = TRUE;
		break;
	default:
		break;
	}
	metric->counts = metric->numbers && sem == PM_SEM_COUNTER;
	metric->semantics = iot_intern_str(
		metrics->strings, sem > 0 && sem < (int)G_N_ELEMENTS(semantics) && semantics[sem]
					  ? semantics[sem]
					  : "instant");
	if (metrics->archive->pcp->pmNameID(metric->desc.pmid, &name) < 0) {
		char id[32];

		/* one that was renamed has its last names only */
		name = strdup(metrics->archive->pcp->pmIDStr_r(metric->desc.pmid, id, sizeof(id)));
	}
	group = strcspn(name, ".");
	metric->name = iot_intern_str(metrics->strings, name);
	metric->group = iot_intern_bytes(metrics->strings, name, group);
	describe_units(metrics, metric, name);
	free(name);
}

struct iot_pcp_metric *iot_pcp_metric(struct iot_pcp_metrics *metrics, pmID pmid)
{
	struct iot_pcp_metric *metric = g_hash_table_lookup(metrics->by_id, GUINT_TO_POINTER(pmid));

	if (metric)
		return metric;
	metric = g_new0(struct iot_pcp_metric, 1);
	metric->scale = 1;
	metric->series = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	metric->present = g_ptr_array_new();
	g_hash_table_insert(metrics->by_id, GUINT_TO_POINTER(pmid), metric);
	g_ptr_array_add(metrics->all, metric);
	metric->known = metrics->archive->pcp->pmLookupDesc(pmid, &metric->desc) >= 0;
	if (metric->known)
		describe(metrics, metric);
	else
		iot_diag_add(metrics->diag, IOT_DIAG_metrics_undescribed, 1);
	return metric;
}

const GPtrArray *iot_pcp_metrics_each(const struct iot_pcp_metrics *metrics)
{
	return metrics->all;
}

/* ---- instances */

/* The name that the archive has for it; else its number. */
static guint32 instance_name(const struct iot_pcp_metrics *metrics, pmInDom domain, int instance)
{
	g_autofree char *number = NULL;
	char *name = NULL;
	guint32 text;

	if (metrics->archive->pcp->pmNameInDomArchive(domain, instance, &name) >= 0) {
		text = iot_intern_str(metrics->strings, name);
		free(name);
		if (text)
			return text;
	}
	number = g_strdup_printf("%d", instance);
	return iot_intern_str(metrics->strings, number);
}

struct iot_pcp_series *iot_pcp_series(struct iot_pcp_metrics *metrics,
				      struct iot_pcp_metric *metric, int instance)
{
	struct iot_pcp_series *series =
		g_hash_table_lookup(metric->series, GINT_TO_POINTER(instance));

	if (series)
		return series;
	series = g_new0(struct iot_pcp_series, 1);
	series->metric = metric;
	series->is_instance = metric->desc.indom != PM_INDOM_NULL;
	if (series->is_instance)
		series->name = instance_name(metrics, metric->desc.indom, instance);
	g_hash_table_insert(metric->series, GINT_TO_POINTER(instance), series);
	return series;
}
