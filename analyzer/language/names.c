/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/names.h"
#include "base/units.h"

#include <errno.h>
#include <string.h>

enum { N_RECENT = 256 };

struct name {
	char *text;
	guint32 str; /* its number, once it was looked up: numbers are given in order of use */
	gboolean has_str;
};

struct iot_names {
	GHashTable *names; /* gint64 -> struct name */
	struct name *otherwise, *negative;
	gint64 first, last; /* of the numbers; first > last: there are none */
	gboolean proved;    /* more are added later */
	/* Cache of lookups, indexed by number. */
	struct {
		gint64 value;
		struct name *name; /* NULL: empty, or the number has no text */
	} recent[N_RECENT];
};

static void name_free(gpointer data)
{
	struct name *name = data;

	if (name)
		g_free(name->text);
	g_free(name);
}

/* "text" or text */
static struct name *name_new(const char *text)
{
	struct name *name = g_new0(struct name, 1);
	gsize len = strlen(text);

	if (len >= 2 && text[0] == '"' && text[len - 1] == '"')
		name->text = g_strndup(text + 1, len - 2);
	else
		name->text = g_strdup(text);
	return name;
}

/* A number that fits into 64 bits, signed if it is negative. */
static gboolean parse_number(const char *text, gint64 *out)
{
	char *end;

	errno = 0;
	*out = *text == '-' ? g_ascii_strtoll(text, &end, 0)
			    : (gint64)g_ascii_strtoull(text, &end, 0);
	return end != text && !*end && errno != ERANGE;
}

static void insert(struct iot_names *names, gint64 value, struct name *name)
{
	g_hash_table_insert(names->names, g_memdup2(&value, sizeof(value)), name);
	names->first = MIN(names->first, value);
	names->last = MAX(names->last, value);
}

void iot_names_add(struct iot_names *names, gint64 value, const char *text)
{
	struct name *name;

	if (g_hash_table_contains(names->names, &value))
		return;
	name = g_new0(struct name, 1);
	name->text = iot_escape_bytes(text, strlen(text));
	insert(names, value, name);
}

static gboolean add_number(struct iot_names *names, const struct iot_setting *setting,
			   GError **error)
{
	gint64 value;

	if (!parse_number(setting->key, &value))
		return iot_setting_key_error(
			setting, error, "\"%s\" is neither a number nor \"else\" or \"negative\"",
			setting->key);
	if (g_hash_table_contains(names->names, &value))
		return iot_setting_key_error(setting, error, "the number %s stands twice",
					     setting->key);
	insert(names, value, name_new(setting->value));
	return TRUE;
}

/* The settings of names that are found in recordings. */
static gboolean is_source(const struct iot_setting *setting)
{
	return !strcmp(setting->key, "proof") || g_str_has_prefix(setting->key, "find ");
}

struct iot_names *iot_names_new(const struct iot_section *section, GError **error)
{
	struct iot_names *names = g_new0(struct iot_names, 1);

	names->names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, name_free);
	names->first = G_MAXINT64;
	names->last = G_MININT64;
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];
		struct name **special = !strcmp(setting->key, "else")	    ? &names->otherwise
					: !strcmp(setting->key, "negative") ? &names->negative
									    : NULL;

		if (is_source(setting)) {
			names->proved = TRUE;
		} else if (special) {
			name_free(*special);
			*special = name_new(setting->value);
		} else if (!add_number(names, setting, error)) {
			iot_names_free(names);
			return NULL;
		}
	}
	return names;
}

void iot_names_free(struct iot_names *names)
{
	if (!names)
		return;
	g_hash_table_unref(names->names);
	name_free(names->otherwise);
	name_free(names->negative);
	g_free(names);
}

struct iot_names_range iot_names_range(const struct iot_names *names)
{
	return (struct iot_names_range){ names->first, names->last, names->negative != NULL,
					 names->otherwise != NULL, names->proved };
}

static struct name *look_up(const struct iot_names *names, gint64 value)
{
	struct name *name = g_hash_table_lookup(names->names, &value);

	if (name)
		return name;
	return value < 0 && names->negative ? names->negative : names->otherwise;
}

static struct name *find(struct iot_names *names, gint64 value)
{
	guint at = (guint)((guint64)value % N_RECENT);

	if (iot_slow_only())
		return look_up(names, value);
	/* fast path: no number out of range has a name of its own; recent lookups are cached */
	if (value < names->first || value > names->last)
		return value < 0 && names->negative ? names->negative : names->otherwise;
	if (!names->recent[at].name || names->recent[at].value != value) {
		/* slow path */
		names->recent[at].value = value;
		names->recent[at].name = look_up(names, value);
	}
	return names->recent[at].name;
}

const char *iot_names_get(struct iot_names *names, gint64 value)
{
	const struct name *name = find(names, value);

	return name ? name->text : NULL;
}

gboolean iot_names_str(struct iot_names *names, gint64 value, struct iot_intern *strings,
		       guint32 *out_str)
{
	struct name *name = find(names, value);

	if (!name)
		return FALSE;
	if (G_UNLIKELY(!name->has_str)) {
		name->str = iot_intern_str(strings, name->text);
		name->has_str = TRUE;
	}
	*out_str = name->str;
	return TRUE;
}
