/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A compiled template. template-parse.c compiles it, template-text.c evaluates it and holds the
 * caches, template-format.c formats values.
 */
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
	FORMAT_ADDRESS,
	FORMAT_IP,
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
	FROM_END,
	FROM_CONTEXT,
	FROM_TABLE
};

/* A literal text, or a value with its format. */
struct piece {
	enum source source;
	enum format format;
	enum iot_scope scope;
	int slot;
	char *text; /* FROM_TEXT */
	struct iot_names *names;
	gboolean proved;	    /* [names] with "proof": a number without a name is empty */
	struct iot_keytable *table; /* FROM_TABLE */
	guint value;		    /* which of its values */
	struct iot_expr *key[IOT_MAX_TABLE_KEYS];
	struct piece *otherwise; /* "or": the next alternative, if this one is empty */
};

/* The kind of a value. Keys of a memo hold it with the number of the alternative above it. */
enum kind {
	KIND_NONE = 1, /* the field or its record is absent */
	KIND_INT,
	KIND_UINT,
	KIND_STR,
	KIND_FINAL, /* a text that needs no formatting */
	KIND_REAL
};
enum { KIND_BITS = 3, MAX_ALTERNATIVES = 1 << (7 - KIND_BITS) };

/* The value of a piece at the moment, and the alternative that it is of. */
struct resolved {
	const struct piece *piece;
	enum kind kind;
	guint alternative;
	union iot_val value;
};

/* Whether a number without a name is shown in decimal digits. */
static inline gboolean iot_piece_is_decimal(const struct piece *piece)
{
	return piece->format == FORMAT_PLAIN || piece->format == FORMAT_NAMES ||
	       piece->format == FORMAT_TYPED;
}

/* Cache of the text of one field, indexed by value: see field_text(). */
struct recent {
	guint64 value;
	guint16 type; /* slot type + 1; 0: empty */
	iot_str str;
};
enum { N_RECENT = 16 };

/* Cache of key table lookups by one or two fields of an event: see table_text(). */
struct table_cache {
	const struct iot_event *event; /* identifies the input, too; NULL: empty */
	guint64 version, value[2];
	iot_str str;
};
enum { N_TABLE_CACHE = 256 };

enum {
	MAX_TEXTS = 2048,  /* entries of a memo: 200 KiB at four values each */
	MAX_LISTED = 1024, /* texts by number */
};

struct iot_template {
	struct iot_template_head head; /* first: inline functions of template.h cast to it */
	struct iot_timeline *tl;
	gboolean raw;
	GArray *pieces; /* of struct piece */
	const struct piece *first;
	guint n_values;	  /* pieces that are not literal text */
	gboolean alone;	  /* one value and no literal text */
	gboolean decimal; /* ... and a number without a name is shown in decimal digits */
	iot_str fixed;	  /* without values: text + 1; 0 until first use */
	struct iot_memo memo;

	/* The only value, if it is a field without alternatives; else NULL. */
	const struct piece *field;
	struct recent *recent;

	/* The only value, if it is a lookup by one or two fields of one record; else NULL. */
	const struct iot_keytable *table;
	struct table_cache *table_cache; /* NULL until first use */
	enum iot_scope table_scope;
	int table_slot[2]; /* one field stands here twice */

	GString *out; /* scratch, kept to save allocations */
};

/** iot_template_is_plain - whether printable text is @text itself (iot_escape_bytes) */
gboolean iot_template_is_plain(const char *text, gsize len);
/** iot_template_append - append the formatted value to tmpl->out */
void iot_template_append(const struct iot_template *tmpl, const struct resolved *resolved);

#endif
