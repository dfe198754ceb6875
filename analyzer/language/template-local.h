/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A compiled template: template.c makes it, template-text.c makes texts with it. */
#ifndef IOT_LANGUAGE_TEMPLATE_LOCAL_H
#define IOT_LANGUAGE_TEMPLATE_LOCAL_H

#include "language/keytable.h"
#include "language/template.h"

enum format {
	FORMAT_PLAIN,
	FORMAT_HEX,
	FORMAT_X,
	FORMAT_OCT,
	FORMAT_DEVICE,
	FORMAT_NAMES,
	FORMAT_FLAGS,
	FORMAT_TYPED
};
enum source {
	FROM_TEXT,
	FROM_FIELD,
	FROM_NODE,
	FROM_NODE_NAME,
	FROM_PID,
	FROM_COMMAND,
	FROM_CALL,
	FROM_TABLE
};

struct piece {
	enum source source;
	enum format format;
	enum iot_scope scope;
	int slot;
	char *text; /* FROM_TEXT */
	struct iot_names *names;
	gboolean proved;	    /* a number without a name is nothing to show */
	struct iot_keytable *table; /* FROM_TABLE */
	struct iot_expr *key[IOT_MAX_TABLE_KEYS];
	struct piece *otherwise; /* taken instead if this one is empty; NULL: nothing */
};

/* What a value is; in a memo's key with the number of the alternative above it. */
enum kind {
	KIND_NONE = 1, /* no such field, or its record is not there */
	KIND_INT,
	KIND_UINT,
	KIND_STR,
	KIND_FINAL /* a text that is shown as it is */
};
enum { KIND_BITS = 3, MAX_ALTERNATIVES = 1 << (7 - KIND_BITS) };
enum { MAX_TEXTS = 2048 }; /* that are remembered: at four values each 200 KiB */

/* What a piece stands for at the moment. */
struct resolved {
	const struct piece *piece; /* the one of several that is not empty */
	enum kind kind;
	guint alternative;
	union iot_val value;
};

/* Whether a number is shown in decimal digits, if it has no name. */
static inline gboolean iot_piece_is_decimal(const struct piece *piece)
{
	return piece->format == FORMAT_PLAIN || piece->format == FORMAT_NAMES ||
	       piece->format == FORMAT_TYPED;
}

/* The text of a field's value; few values are most, so they need not be hashed. */
struct recent {
	guint64 value;
	guint16 type; /* slot type + 1; 0: nothing yet */
	iot_str str;
};
enum { N_RECENT = 16 };

/* What a table said of one or two fields of an event, which tells the input, too. */
struct table_cache {
	const struct iot_event *event; /* NULL: nothing yet */
	guint64 version, value[2];
	iot_str str;
};
enum { N_TABLE_CACHE = 256 };

enum { MAX_LISTED = 1024 }; /* numbers whose texts are in an array */

struct iot_template {
	struct iot_template_head head; /* first, for the inline part in the header */
	struct iot_timeline *tl;
	gboolean raw;
	GArray *pieces; /* of struct piece */
	const struct piece *first;
	guint n_values;	  /* pieces that are not text */
	gboolean alone;	  /* a value and nothing else */
	gboolean decimal; /* ... which is shown in digits, if it is a number without a name */
	iot_str fixed;	  /* without values: the text + 1, once it was asked for */
	struct iot_memo memo;
	const struct piece *field;		 /* the only value, if it is a field; else NULL */
	struct recent *recent;			 /* of that field */
	const struct iot_keytable *cached_table; /* if the only value is what a table says of one or
					       two fields; else NULL */
	struct table_cache *table_cache;	 /* of these fields, once it was asked for */
	enum iot_scope table_scope;
	int table_slot[2]; /* twice the same if it is only one */
	GString *out; /* while a text is made; kept, so that nothing is allocated for the next */
};

#endif
