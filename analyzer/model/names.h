/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A [names] section: number = text. */
#ifndef IOT_MODEL_NAMES_H
#define IOT_MODEL_NAMES_H

#include "base/intern.h"
#include "model/model-file.h"

struct iot_names;

struct iot_names *iot_names_new(const struct iot_section *section, GError **error);
void iot_names_free(struct iot_names *names);
/* What can be said of a number before it is looked up. */
enum iot_names_class {
	IOT_NAMES_LISTED,   /* it may be in the list */
	IOT_NAMES_NEGATIVE, /* all of these have the same text */
	IOT_NAMES_ELSE,	    /* likewise */
	IOT_NAMES_NONE	    /* no text */
};
enum iot_names_class iot_names_class(const struct iot_names *names, gint64 value);
/** iot_names_get - the text of @value, the "else" text, or NULL */
const char *iot_names_get(struct iot_names *names, gint64 value);
/** iot_names_str - the same as a number of @strings, always the same table; FALSE if there is none
 */
gboolean iot_names_str(struct iot_names *names, gint64 value, struct iot_intern *strings,
		       guint32 *out_str);

#endif
