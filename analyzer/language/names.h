/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A [names] section: number = text, and texts that were found in recordings and proved (facts.h).
 */
#ifndef IOT_LANGUAGE_NAMES_H
#define IOT_LANGUAGE_NAMES_H

#include "base/fault.h"
#include "base/intern.h"
#include "language/model-file.h"

struct iot_names;

struct iot_names *iot_names_new(const struct iot_section *section, GError **error);
void iot_names_free(struct iot_names *names);
/** iot_names_add - add a text, unless the number has one; before the first lookup */
void iot_names_add(struct iot_names *names, gint64 value, const char *text);

/* Numbers outside of first to last have no text of their own. */
struct iot_names_range {
	gint64 first, last; /* first > last: no number has one */
	gboolean negative;  /* there is a common text of negative numbers */
	gboolean otherwise; /* there is a common text of all other numbers ("else") */
	gboolean open;	    /* texts may be added */
};

struct iot_names_range iot_names_range(const struct iot_names *names);
/** iot_names_get - the text of @value, the "else" text, or NULL */
const char *iot_names_get(struct iot_names *names, gint64 value);
/** iot_names_str - the same as a number of @strings, always the same table; FALSE if there is none
 */
gboolean iot_names_str(struct iot_names *names, gint64 value, struct iot_intern *strings,
		       guint32 *out_str);

#endif
