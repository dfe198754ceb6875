/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/real.h"
#include "input/ganglia/ganglia-kinds.h"
#include "input/ganglia/ganglia-values.h"

/* Ganglia's own rule: a host or metric without a report for four times the longest time between two
 * reports is dead. */
enum { DEAD = 4 };

/* A metric of a host, or a host. */
struct series {
	guint32 cluster, host, group, metric, title, units;
	struct series *of; /* the host of a metric; NULL: a host */
	gboolean known;	   /* it has a value now; of a host: it is alive */
	gboolean sampled;
	enum iot_ganglia_type type;
	gint64 last, value; /* s: of the sample, of a host when it became silent; as in an event */
	guint64 dump;	    /* the last one that had it */
};

/* An event of the present dump. */
struct event {
	gint64 seconds;
	guint position;
	struct iot_made_rec rec;
};

struct iot_ganglia_values {
	struct iot_made *made;
	struct iot_intern *strings;
	const struct iot_clock *clock;
	GHashTable *by_name; /* CLUSTER \1 HOST \1 METRIC, or CLUSTER \1 HOST \2 */
	GPtrArray *all;	     /* of struct series, owned */
	GArray *events;	     /* of struct event */
	guint64 dump;
	gint64 before; /* time of the dump before; 0: there is none */
};

guint64 iot_ganglia_ns(gint64 seconds)
{
	return (guint64)seconds * 1000000000;
}

struct iot_ganglia_values *iot_ganglia_values_new(struct iot_made *made, struct iot_intern *strings,
						  const struct iot_clock *clock)
{
	struct iot_ganglia_values *values = g_new0(struct iot_ganglia_values, 1);

	values->made = made;
	values->strings = strings;
	values->clock = clock;
	values->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	values->all = g_ptr_array_new_with_free_func(g_free);
	values->events = g_array_new(FALSE, TRUE, sizeof(struct event));
	return values;
}

void iot_ganglia_values_free(struct iot_ganglia_values *values)
{
	if (!values)
		return;
	g_hash_table_unref(values->by_name);
	g_ptr_array_unref(values->all);
	g_array_unref(values->events);
	g_free(values);
}

/* ---- series */

static guint32 text(struct iot_ganglia_values *values, const char *from)
{
	return iot_intern_str(values->strings, from);
}

static void name_metric(struct iot_ganglia_values *values, struct series *series,
			const struct iot_ganglia_metric *metric)
{
	/* some metrics have a space for a unit */
	g_autofree char *units = g_strstrip(g_strdup(metric->units));
	g_autofree char *title = *units ? g_strdup_printf("%s (%s)", metric->name, units) : NULL;

	series->metric = text(values, metric->name);
	series->units = text(values, units);
	series->title = title ? text(values, title) : series->metric;
	series->group = text(values, *metric->group ? metric->group : "other");
}

static struct series *find(struct iot_ganglia_values *values,
			   const struct iot_ganglia_metric *metric, struct series *host)
{
	g_autofree char *key =
		g_strconcat(metric->cluster, "\1", metric->host, metric->name ? "\1" : "\2",
			    metric->name ? metric->name : "", NULL);
	struct series *series = g_hash_table_lookup(values->by_name, key);

	if (series)
		return series;
	series = g_new0(struct series, 1);
	series->cluster = text(values, metric->cluster);
	series->host = text(values, metric->host);
	series->of = host;
	if (metric->name)
		name_metric(values, series, metric);
	g_ptr_array_add(values->all, series);
	g_hash_table_insert(values->by_name, g_steal_pointer(&key), series);
	return series;
}

/* ---- events */

/* Valid until the next one. */
static gint64 *add(struct iot_ganglia_values *values, const struct series *series,
		   enum iot_ganglia_made event, gint64 seconds)
{
	struct event *added;
	gint64 *field;

	g_array_set_size(values->events, values->events->len + 1);
	added = &g_array_index(values->events, struct event, values->events->len - 1);
	added->seconds = MAX(seconds, 0);
	added->position = values->events->len;
	added->rec.event = event;
	field = added->rec.field;
	field[IOT_GANGLIA_CLUSTER] = series->cluster;
	field[IOT_GANGLIA_HOST] = series->host;
	field[IOT_GANGLIA_GROUP] = series->group;
	field[IOT_GANGLIA_METRIC] = series->metric;
	field[IOT_GANGLIA_TITLE] = series->title;
	field[IOT_GANGLIA_UNITS] = series->units;
	return field;
}

/* From @seconds on the value is not known. @why: NULL, something else says why */
static void forget(struct iot_ganglia_values *values, struct series *series, gint64 seconds,
		   const char *why)
{
	gint64 *field;

	if (!series->known)
		return;
	series->known = FALSE;
	if (!series->of) {
		add(values, series, IOT_GANGLIA_HOST_NOTE, seconds)[IOT_GANGLIA_WHAT] =
			text(values, why);
		return;
	}
	field = add(values, series, why ? IOT_GANGLIA_GAP : IOT_GANGLIA_UNKNOWN, seconds);
	field[IOT_GANGLIA_IS_REAL] = series->type == IOT_GANGLIA_REAL;
	if (why)
		field[IOT_GANGLIA_WHAT] = text(values, why);
}

/* When it became too old; 0: it is not. */
static gint64 old_at(const struct iot_ganglia_values *values,
		     const struct iot_ganglia_metric *metric)
{
	gint64 limit = metric->most <= G_MAXINT64 / DEAD ? DEAD * metric->most : 0;

	if (metric->kept && (!limit || metric->kept < limit))
		limit = metric->kept;
	if (!limit || metric->age <= limit)
		return 0;
	return MAX(metric->localtime - metric->age + limit, values->before);
}

static void take_host(struct iot_ganglia_values *values, struct series *host,
		      const struct iot_ganglia_metric *metric)
{
	gint64 old = old_at(values, metric);

	if (old) {
		host->known |= !host->sampled;
		host->sampled = TRUE;
		host->last = host->known ? old : host->last;
		forget(values, host, old, "silent");
		return;
	}
	if (!host->known && host->sampled)
		add(values, host, IOT_GANGLIA_HOST_NOTE,
		    MAX(metric->localtime - metric->age, values->before))[IOT_GANGLIA_WHAT] =
			text(values, "heard of again");
	host->known = host->sampled = TRUE;
}

static void take_value(struct iot_ganglia_values *values, struct series *series,
		       const struct iot_ganglia_metric *metric, gint64 seconds)
{
	gint64 value = metric->type == IOT_GANGLIA_REAL ? (gint64)iot_real_bits(metric->real)
							: metric->whole;
	/* both ends of the age are whole seconds, so the difference may be one more or less */
	gboolean is_new = !series->sampled || seconds > series->last + 1 ||
			  value != series->value || metric->type != series->type;
	gint64 *field;

	if (!is_new)
		return;
	if (series->sampled)
		seconds = MAX(seconds, series->last);
	if (metric->type != series->type)
		forget(values, series, seconds, NULL);
	field = add(values, series, IOT_GANGLIA_SAMPLE, seconds);
	if (series->sampled)
		field[IOT_GANGLIA_PERIOD] = (gint64)iot_ganglia_ns(seconds - series->last);
	field = add(values, series,
		    metric->type == IOT_GANGLIA_REAL ? IOT_GANGLIA_NUMBER : IOT_GANGLIA_VALUE,
		    seconds);
	field[metric->type == IOT_GANGLIA_REAL ? IOT_GANGLIA_REAL_VALUE : IOT_GANGLIA_WHOLE_VALUE] =
		value;
	series->known = series->sampled = TRUE;
	series->last = seconds;
	series->value = value;
	series->type = metric->type;
}

static void take_metric(struct iot_ganglia_values *values, struct series *series,
			const struct iot_ganglia_metric *metric)
{
	gint64 old = old_at(values, metric);

	if (metric->type != IOT_GANGLIA_TEXT)
		take_value(values, series, metric, metric->localtime - metric->age);
	if (old)
		forget(values, series, old, "too old");
	else if (!series->of->known)
		forget(values, series, MAX(series->last, series->of->last), NULL);
}

/* The series that the dump does not have any more. */
static void find_gone(struct iot_ganglia_values *values, const struct iot_ganglia_dump *dump)
{
	for (guint i = 0; i < values->all->len; i++) {
		struct series *series = values->all->pdata[i];

		if (series->dump != values->dump)
			forget(values, series, dump->last, "gone");
	}
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct event *x = a, *y = b;

	return x->seconds != y->seconds ? (x->seconds < y->seconds ? -1 : 1)
					: (x->position < y->position ? -1 : 1);
}

void iot_ganglia_values_take(struct iot_ganglia_values *values, const struct iot_ganglia_dump *dump)
{
	struct series *host = NULL;

	values->dump++;
	g_array_set_size(values->events, 0);
	for (guint i = 0; i < dump->metrics->len; i++) {
		const struct iot_ganglia_metric *metric =
			&g_array_index(dump->metrics, struct iot_ganglia_metric, i);
		struct series *series = find(values, metric, metric->name ? host : NULL);

		series->dump = values->dump;
		if (metric->name) {
			take_metric(values, series, metric);
		} else {
			host = series;
			take_host(values, host, metric);
		}
	}
	/* a series that is missing in a dump that was cut may have stood after the cut */
	if (!dump->cut)
		find_gone(values, dump);
	g_array_sort(values->events, by_time);
	for (guint i = 0; i < values->events->len; i++) {
		const struct event *event = &g_array_index(values->events, struct event, i);

		iot_made_put(values->made, &event->rec,
			     iot_clock_correct(values->clock, 0, iot_ganglia_ns(event->seconds)));
	}
	values->before = MAX(values->before, dump->last);
}
