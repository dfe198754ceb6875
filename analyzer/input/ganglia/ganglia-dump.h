/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dumps of Ganglia's gmond or gmetad: XML that one of them sends to who connects to its TCP port,
 * saved one after the other in a file, or a file for each in a folder. One thread.
 */
#ifndef IOT_INPUT_GANGLIA_DUMP_H
#define IOT_INPUT_GANGLIA_DUMP_H

#include <glib.h>

enum iot_ganglia_type { IOT_GANGLIA_TEXT, IOT_GANGLIA_WHOLE, IOT_GANGLIA_REAL };

/* A metric of a host, or a host itself. Texts belong to the dump. */
struct iot_ganglia_metric {
	const char *cluster, *host;
	const char *name;  /* NULL: the host, of which only the times are known */
	const char *group; /* "cpu"; "" if gmond does not say it */
	const char *units;
	enum iot_ganglia_type type;
	gint64 whole;
	gdouble real;
	/* in s: when the dump was made, and how long before the value came; how often it comes at
	 * least, and how long it is kept without: 0, as long as gmond runs */
	gint64 localtime, age, most, kept;
};

struct iot_ganglia_dump {
	GArray *metrics;    /* of struct iot_ganglia_metric, each host before its metrics */
	gint64 first, last; /* LOCALTIME of its clusters, in s; 0: it has none */
	guint64 n_texts;    /* values that are no finite number */
	gboolean cut;	    /* it was cut or damaged: the part before the damage is here */
	GStringChunk *texts;
};

/** iot_ganglia_is - whether a file begins as a dump does */
gboolean iot_ganglia_is(const guint8 *head, gsize len);
/**
 * iot_ganglia_next - the next dump of @text from *@at on, which moves after it
 *
 * NULL: there is none. The caller frees it with iot_ganglia_dump_free.
 */
struct iot_ganglia_dump *iot_ganglia_next(const char *text, gsize len, gsize *at);
/** iot_ganglia_dump_free - accepts NULL */
void iot_ganglia_dump_free(struct iot_ganglia_dump *dump);

#endif
