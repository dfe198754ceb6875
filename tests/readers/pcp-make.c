// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcp-make ARCHIVE SEED RECORDS - write a random PCP archive by libpcp_import: metrics of all
 * types, semantics and some units, with instances that come and go, metrics that appear late,
 * counters that go back, texts, marks, and times at odd microseconds. pmdumplog says what is in it.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#include <pcp/pmapi.h>
/* after the types that it needs */
#include <pcp/import.h>

enum { METRICS = 14, INSTANCES = 5, DOMAIN = 245 };

struct metric {
	char *name;
	int type, sem;
	pmInDom indom;
	pmUnits units;
	guint first, every; /* the record in which it appears, and how seldom it comes then */
	guint64 total[INSTANCES];
};

static GRand *rnd;

static guint any(guint n)
{
	return (guint)g_rand_int_range(rnd, 0, (gint32)n);
}

static void check(int status, const char *what)
{
	if (status >= 0)
		return;
	fprintf(stderr, "pcp-make: %s: %s\n", what, pmiErrStr(status));
	exit(2);
}

static pmUnits any_units(void)
{
	switch (any(5)) {
	case 0:
		return pmiUnits(1, 0, 0, PM_SPACE_KBYTE, 0, 0);
	case 1:
		return pmiUnits(0, 1, 0, 0, PM_TIME_MSEC, 0);
	case 2:
		return pmiUnits(0, 0, 1, 0, 0, PM_COUNT_ONE);
	case 3:
		return pmiUnits(0, 1, 0, 0, PM_TIME_NSEC, 0);
	default:
		return pmiUnits(0, 0, 0, 0, 0, 0);
	}
}

static void add_metric(struct metric *metric, guint number, guint records)
{
	static const int types[] = { PM_TYPE_32,    PM_TYPE_U32,    PM_TYPE_64,	   PM_TYPE_U64,
				     PM_TYPE_FLOAT, PM_TYPE_DOUBLE, PM_TYPE_STRING };
	static const int sems[] = { PM_SEM_COUNTER, PM_SEM_INSTANT, PM_SEM_DISCRETE };
	static const char *const groups[] = { "kernel.all", "mem", "disk.dev.much", "net" };

	metric->name = g_strdup_printf("%s.m%u", groups[any(G_N_ELEMENTS(groups))], number);
	metric->type = types[any(G_N_ELEMENTS(types))];
	metric->sem = sems[metric->type == PM_TYPE_STRING ? 1 + any(2) : any(3)];
	metric->indom = any(2) ? pmiInDom(DOMAIN, (int)any(3)) : PM_INDOM_NULL;
	metric->units = any_units();
	metric->first = any(3) ? 0 : any(records);
	metric->every = 1 + any(4);
	check(pmiAddMetric(metric->name, pmiID(DOMAIN, 1, (int)number), metric->type, metric->indom,
			   metric->sem, metric->units),
	      metric->name);
}

static char *any_value(struct metric *metric, guint instance)
{
	guint64 *total = &metric->total[instance];
	guint64 large = (guint64)g_rand_int(rnd) << 32 | g_rand_int(rnd);
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	if (metric->type == PM_TYPE_STRING)
		return g_strdup_printf("text %u", any(9));
	if (metric->sem == PM_SEM_COUNTER) {
		*total += any(8) ? any(3) * any(100000) : 0;
		if (!any(12))
			*total = any(50);
		/* exact in 32 bits and in the digits of pmdumplog */
		if (metric->type == PM_TYPE_FLOAT)
			*total %= 1000000;
		return metric->type == PM_TYPE_FLOAT || metric->type == PM_TYPE_DOUBLE
			       ? g_strdup_printf("%" G_GUINT64_FORMAT ".25", *total)
			       : g_strdup_printf("%" G_GUINT64_FORMAT, *total);
	}
	switch (metric->type) {
	case PM_TYPE_32:
		return g_strdup_printf("%d", any(3) ? (gint32)large : (gint32)any(5));
	case PM_TYPE_U32:
		return g_strdup_printf("%u", any(3) ? (guint32)large : any(5));
	case PM_TYPE_64:
		return g_strdup_printf("%" G_GINT64_FORMAT,
				       any(3) ? (gint64)large : (gint64)any(5));
	case PM_TYPE_U64:
		return g_strdup_printf("%" G_GUINT64_FORMAT, any(3) ? large : any(5));
	case PM_TYPE_FLOAT:
		return g_strdup_printf("%.*g", 1 + (int)any(8),
				       g_rand_double_range(rnd, -1e4, 1e4));
	default:
		return g_strdup(g_ascii_dtostr(
			text, sizeof(text), g_rand_double_range(rnd, -1e9, 1e9) / (1 + any(1000))));
	}
}

static void put(struct metric *metric, guint instance, const char *name)
{
	g_autofree char *value = any_value(metric, instance);

	check(pmiPutValue(metric->name, name, value), metric->name);
}

int main(int argc, char **argv)
{
	guint records, count = 3;
	struct metric metrics[METRICS] = { 0 };
	gint64 us = 1700000000 * (gint64)G_USEC_PER_SEC;
	gboolean present[INSTANCES] = { FALSE };

	if (argc != 4)
		return 2;
	rnd = g_rand_new_with_seed((guint32)atoi(argv[2]));
	records = (guint)atoi(argv[3]);
	check(pmiStart(argv[1], 0), "start");
	check(pmiSetVersion(any(2) ? 2 : 3), "version");
	check(pmiSetHostname("node7"), "host name");
	check(pmiSetTimezone("UTC"), "time zone");
	count += any(METRICS - 3);
	for (int domain = 0; domain < 3; domain++)
		for (int i = 0; i < INSTANCES; i++) {
			g_autofree char *name = g_strdup_printf("%d_%d of it", domain, i);

			check(pmiAddInstance(pmiInDom(DOMAIN, domain), name, 10 * i + domain),
			      name);
		}
	for (guint i = 0; i < count; i++)
		add_metric(&metrics[i], i, records);
	for (guint record = 0; record < records; record++) {
		guint n = 0;

		us += 1 + (any(4) ? (gint64)any(2 * G_USEC_PER_SEC) : (gint64)any(3));
		for (guint i = 0; i < INSTANCES; i++)
			if (!record || !any(8))
				present[i] = any(3) > 0;
		for (guint i = 0; i < count; i++) {
			struct metric *metric = &metrics[i];

			if (record < metric->first || any(metric->every))
				continue;
			if (metric->indom == PM_INDOM_NULL) {
				put(metric, 0, NULL);
				n++;
				continue;
			}
			for (guint k = 0; k < INSTANCES; k++) {
				g_autofree char *name = g_strdup_printf(
					"%u_%u of it", pmInDom_serial(metric->indom), k);

				if (!present[k])
					continue;
				put(metric, k, name);
				n++;
			}
		}
		if (n)
			check(pmiWrite((int)(us / G_USEC_PER_SEC), (int)(us % G_USEC_PER_SEC)),
			      "write");
		if (n && !any(25)) {
			check(pmiPutMark(), "mark");
			us += 2000;
		}
	}
	/* pmdumplog wants a value at least */
	check(pmiPutValue(metrics[0].name,
			  metrics[0].indom == PM_INDOM_NULL	  ? NULL
			  : pmInDom_serial(metrics[0].indom) == 0 ? "0_0 of it"
			  : pmInDom_serial(metrics[0].indom) == 1 ? "1_0 of it"
								  : "2_0 of it",
			  metrics[0].type == PM_TYPE_STRING ? "last" : "1"),
	      "last value");
	us += G_USEC_PER_SEC;
	check(pmiWrite((int)(us / G_USEC_PER_SEC), (int)(us % G_USEC_PER_SEC)), "last record");
	check(pmiEnd(), "end");
	return 0;
}
