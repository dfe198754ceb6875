/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A [names] section: number = text, and texts that were found and proved (facts.h). */
#ifndef IOT_LANGUAGE_NAMES_H
#define IOT_LANGUAGE_NAMES_H

#include "base/intern.h"
#include "language/model-file.h"

struct iot_names;

struct iot_names *iot_names_new(const struct iot_section *section, GError **error);
void iot_names_free(struct iot_names *names);
/** iot_names_add - give a number without a text one, before any is asked for */
void iot_names_add(struct iot_names *names, gint64 value, const char *text);
/* Which numbers have texts: those in a range, perhaps; and what all others share. */
struct iot_names_range {
	gint64 first, last; /* none if first > last */
	gboolean negative;  /* a text of negative ones outside */
	gboolean otherwise; /* a text of all others outside */
	gboolean open;	    /* numbers may be added */
};

struct iot_names_range iot_names_range(const struct iot_names *names);
/** iot_names_get - the text of @value, the "else" text, or NULL */
const char *iot_names_get(struct iot_names *names, gint64 value);
/** iot_names_str - the same as a number of @strings, always the same table; FALSE if there is none
 */
gboolean iot_names_str(struct iot_names *names, gint64 value, struct iot_intern *strings,
		       guint32 *out_str);

#endif
