/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "input/ganglia/ganglia-dump.h"

/*
 * The prolog before a dump, a DTD, is skipped with whatever else is not between these two. It
 * says that the text is Latin-1, but gmond passes on the bytes that it got.
 */
static const char begin_tag[] = "<GANGLIA_XML", end_tag[] = "</GANGLIA_XML>";
static const char doctype[] = "<!DOCTYPE GANGLIA_XML";

/* Times of a dump that could be: the year 2262 at most. */
enum { MOST_TEXT = 4096 };
static const gint64 MOST_SECONDS = G_MAXINT64 / 1000000000;

gboolean iot_ganglia_is(const guint8 *head, gsize len)
{
	return g_strstr_len((const char *)head, (gssize)len, doctype) ||
	       g_strstr_len((const char *)head, (gssize)len, begin_tag);
}

/* What is open while a dump is read. */
struct reading {
	struct iot_ganglia_dump *dump;
	const char *cluster, *host;
	gint64 localtime;
};

static const char *keep(struct reading *reading, const char *text)
{
	return g_string_chunk_insert_const(reading->dump->texts, text);
}

static const char *attribute(const char *const *names, const char *const *values, const char *name)
{
	for (guint i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return values[i];
	return "";
}

/* Those that could not be are 0. */
static gint64 seconds(const char *const *names, const char *const *values, const char *name)
{
	gint64 number = g_ascii_strtoll(attribute(names, values, name), NULL, 10);

	return number < 0 || number > MOST_SECONDS ? 0 : number;
}

static void take_times(struct iot_ganglia_metric *metric, const struct reading *reading,
		       const char *const *names, const char *const *values)
{
	metric->cluster = reading->cluster;
	metric->host = reading->host;
	metric->localtime = reading->localtime;
	metric->age = MIN(seconds(names, values, "TN"), reading->localtime);
	metric->most = seconds(names, values, "TMAX");
	metric->kept = seconds(names, values, "DMAX");
}

static void take_cluster(struct reading *reading, const char *const *names,
			 const char *const *values)
{
	struct iot_ganglia_dump *dump = reading->dump;

	reading->cluster = keep(reading, attribute(names, values, "NAME"));
	reading->localtime = seconds(names, values, "LOCALTIME");
	dump->last = MAX(dump->last, reading->localtime);
	dump->first = dump->first ? MIN(dump->first, reading->localtime) : reading->localtime;
}

static void take_host(struct reading *reading, const char *const *names, const char *const *values)
{
	struct iot_ganglia_metric host = { .name = NULL };

	reading->host = keep(reading, attribute(names, values, "NAME"));
	take_times(&host, reading, names, values);
	g_array_append_val(reading->dump->metrics, host);
}

/* Whole numbers have types such as "uint32". */
static enum iot_ganglia_type read_value(const char *type, const char *text, gint64 *whole,
					gdouble *real)
{
	char *end;

	if (!strcmp(type, "float") || !strcmp(type, "double")) {
		*real = g_ascii_strtod(text, &end);
		return end != text && !*end && isfinite(*real) ? IOT_GANGLIA_REAL
							       : IOT_GANGLIA_TEXT;
	}
	if (!strstr(type, "int") && strcmp(type, "timestamp"))
		return IOT_GANGLIA_TEXT;
	errno = 0;
	*whole = g_ascii_strtoll(text, &end, 10);
	return end == text || *end || errno ? IOT_GANGLIA_TEXT : IOT_GANGLIA_WHOLE;
}

static void take_metric(struct reading *reading, const char *const *names,
			const char *const *values)
{
	struct iot_ganglia_metric metric = { .group = "", .type = IOT_GANGLIA_TEXT };

	metric.name = keep(reading, attribute(names, values, "NAME"));
	metric.units = keep(reading, attribute(names, values, "UNITS"));
	take_times(&metric, reading, names, values);
	metric.type = read_value(attribute(names, values, "TYPE"), attribute(names, values, "VAL"),
				 &metric.whole, &metric.real);
	reading->dump->n_texts += metric.type == IOT_GANGLIA_TEXT;
	g_array_append_val(reading->dump->metrics, metric);
}

/* A group of the metric that was taken last. It may have several; the first one counts. */
static void take_extra(struct reading *reading, const char *const *names, const char *const *values)
{
	GArray *metrics = reading->dump->metrics;
	struct iot_ganglia_metric *metric =
		metrics->len ? &g_array_index(metrics, struct iot_ganglia_metric, metrics->len - 1)
			     : NULL;

	if (metric && metric->name && !*metric->group &&
	    !strcmp(attribute(names, values, "NAME"), "GROUP"))
		metric->group = keep(reading, attribute(names, values, "VAL"));
}

static void start_element(GMarkupParseContext *context, const char *element, const char **names,
			  const char **values, gpointer data, GError **error)
{
	struct reading *reading = data;
	const char *const *name = (const char *const *)names, *const *value =
								      (const char *const *)values;

	(void)context;
	for (guint i = 0; values[i]; i++)
		if (strlen(values[i]) > MOST_TEXT) {
			g_set_error_literal(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
					    "text too long");
			return;
		}
	if (!strcmp(element, "CLUSTER"))
		take_cluster(reading, name, value);
	else if (!strcmp(element, "HOST") && reading->cluster)
		take_host(reading, name, value);
	else if (!strcmp(element, "METRIC") && reading->host)
		take_metric(reading, name, value);
	else if (!strcmp(element, "EXTRA_ELEMENT"))
		take_extra(reading, name, value);
}

static void end_element(GMarkupParseContext *context, const char *element, gpointer data,
			GError **error)
{
	struct reading *reading = data;

	(void)context, (void)error;
	if (!strcmp(element, "HOST"))
		reading->host = NULL;
	else if (!strcmp(element, "CLUSTER"))
		reading->host = reading->cluster = NULL;
}

static void parse(struct iot_ganglia_dump *dump, const char *text, gsize len)
{
	static const GMarkupParser parser = { .start_element = start_element,
					      .end_element = end_element };
	struct reading reading = { .dump = dump };
	GMarkupParseContext *context =
		g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reading, NULL);
	g_autofree char *converted = NULL;
	gsize n = len;

	if (!g_utf8_validate(text, (gssize)len, NULL))
		converted = g_convert(text, (gssize)len, "UTF-8", "ISO-8859-1", NULL, &n, NULL);
	if (!g_markup_parse_context_parse(context, converted ? converted : text, (gssize)n, NULL) ||
	    !g_markup_parse_context_end_parse(context, NULL))
		dump->cut = TRUE;
	g_markup_parse_context_free(context);
}

struct iot_ganglia_dump *iot_ganglia_next(const char *text, gsize len, gsize *at)
{
	const char *begin = g_strstr_len(text + *at, (gssize)(len - *at), begin_tag), *end, *next;
	struct iot_ganglia_dump *dump;

	if (!begin) {
		*at = len;
		return NULL;
	}
	dump = g_new0(struct iot_ganglia_dump, 1);
	dump->texts = g_string_chunk_new(4096);
	dump->metrics = g_array_new(FALSE, FALSE, sizeof(struct iot_ganglia_metric));
	end = g_strstr_len(begin, (gssize)(len - (gsize)(begin - text)), end_tag);
	next = begin + strlen(begin_tag);
	next = g_strstr_len(next, (gssize)(len - (gsize)(next - text)), begin_tag);
	if (end && (!next || end < next)) {
		end += strlen(end_tag);
	} else {
		/* one that was cut, and perhaps a whole one after it */
		dump->cut = TRUE;
		end = next ? next : text + len;
	}
	*at = (gsize)(end - text);
	parse(dump, begin, (gsize)(end - begin));
	return dump;
}

void iot_ganglia_dump_free(struct iot_ganglia_dump *dump)
{
	if (!dump)
		return;
	g_array_unref(dump->metrics);
	g_string_chunk_free(dump->texts);
	g_free(dump);
}
