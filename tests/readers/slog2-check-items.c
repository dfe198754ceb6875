/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawables as lines of the text output: what a pop-up box says, value by value. */
#include "slog2-check.h"
#include "items.h"

#include <math.h>

/* One value of an info: the text before it, and itself as the text output writes it. */
struct value {
	char *name; /* of an attribute or row type, without "=" and a unit */
	GString *text;
	gboolean empty; /* 0 or "" */
};

static void read_value(struct slog2_cursor *cursor, char type, const char *key, struct value *value)
{
	gboolean hex = g_str_has_suffix(key, "=0x");
	g_autofree char *text = NULL;
	gint64 number;
	gdouble real;

	switch (type) {
	case 's':
		text = slog2_str(cursor);
		items_quote(value->text, text, strlen(text));
		value->empty = !*text;
		return;
	case 'E':
		if (!strstr(key, "[s]")) {
			real = slog2_f64(cursor);
			memcpy(&number, &real, sizeof(number));
			items_real(value->text, real);
			value->empty = !number;
			return;
		}
		number = llround(slog2_f64(cursor) * 1e9);
		break;
	default:
		number = slog2_int(cursor, 8);
	}
	g_string_append_printf(value->text, hex ? "0x%" G_GINT64_MODIFIER "x" : "%" G_GINT64_FORMAT,
			       number);
	value->empty = !number;
}

/* " took[s]=" becomes "took". */
static char *name_of(const char *key)
{
	gsize skip = strspn(key, " \n");

	return g_strndup(key + skip, strcspn(key + skip, "=["));
}

/* The values of a pop-up box by what they mean. */
struct box {
	GString *path, *attrs, *marks;
	gboolean in_rows; /* names of rows come first, then a line break or the marks */
};

static void add_value(struct box *box, const char *key, const struct value *value)
{
	if (*key == '\n' || !strcmp(key, " marks="))
		box->in_rows = FALSE;
	if (box->in_rows) {
		g_string_append_printf(box->path, "%s%.*s", box->path->len ? "/" : "",
				       (int)value->text->len - 2, value->text->str + 1);
	} else if (!strcmp(key, " marks=")) {
		g_string_append_len(box->marks, value->text->str + 1, (gssize)value->text->len - 2);
	} else if (!value->empty) {
		g_string_append_printf(box->attrs, " %s=%s", value->name, value->text->str);
	}
}

static void read_box(const struct slog2 *file, const struct slog2_drawable *d, struct box *box)
{
	struct slog2_cursor cursor = { .file = (struct slog2 *)file,
				       .what = "info",
				       .at = d->info_at,
				       .end = d->info_at + d->info_len };
	const GPtrArray *keys = d->cat->keys;

	*box = (struct box){ g_string_new(NULL), g_string_new(NULL), g_string_new(NULL), TRUE };
	for (guint i = 0; d->cat->types[i] && i < keys->len; i++) {
		struct value value = { name_of(keys->pdata[i]), g_string_new(NULL), FALSE };

		read_value(&cursor, d->cat->types[i], keys->pdata[i], &value);
		add_value(box, keys->pdata[i], &value);
		g_string_free(value.text, TRUE);
		g_free(value.name);
	}
}

static void free_box(struct box *box)
{
	g_string_free(box->path, TRUE);
	g_string_free(box->attrs, TRUE);
	g_string_free(box->marks, TRUE);
}

static gboolean is_gap(const struct slog2_drawable *d)
{
	return d->cat->keys->len == 3 && !strcmp(d->cat->keys->pdata[0], "node=") &&
	       !strcmp(d->cat->keys->pdata[1], " events lost=");
}

/* Of a gap: "NODE/LOST" are its two first values. */
static void print_gap(const struct items_item *item, const char *values)
{
	g_autofree char *node = g_strdup(values);
	char *lost = strrchr(node, '/');

	*lost++ = '\0';
	printf("%" G_GINT64_FORMAT " gap \"%s\" - \"not observed\" %" G_GINT64_FORMAT
	       "%s%s lost=%s\n",
	       item->start, node, item->end - item->start, *item->marks ? " flags=" : "",
	       item->marks, lost);
}

/* The title of its type behind a name that is not unique: "EX (lock mode)". */
static char *category_name(const struct slog2_cat *cat)
{
	const char *paren = g_str_has_suffix(cat->name, ")") ? g_strrstr(cat->name, " (") : NULL;

	return paren ? g_strndup(cat->name, (gsize)(paren - cat->name)) : g_strdup(cat->name);
}

/* The box of an arrow has the paths of both ends instead. */
static void compare_names(struct box *box, const struct slog2_drawable *d,
			  const struct slog2_name *name)
{
	g_autoptr(GString) quoted = g_string_new(NULL);

	if (d->cat->topology == SLOG2_ARROW)
		return;
	items_quote(quoted, name->path, strlen(name->path));
	if (strncmp(box->path->str, quoted->str + 1, box->path->len) ||
	    box->path->len != quoted->len - 2)
		g_string_append_printf(box->attrs, " pop-up=\"%s\"", box->path->str);
}

static void print_item(const struct slog2 *file, const struct slog2_names *names,
		       const struct slog2_drawable *d)
{
	static const struct slog2_name unknown = { .path = (char *)"?", .lane = (char *)"0" };
	static const char *const kinds[] = { "point", "span", "link" };
	const struct slog2_name *name = slog2_names_find(file, names, d->line[0]);
	const struct slog2_name *to = slog2_names_find(file, names, d->line[1]);
	g_autofree char *category = category_name(d->cat);
	struct items_item item = { .kind = kinds[d->cat->topology], .type = "*" };
	struct box box;

	read_box(file, d, &box);
	name = name ? name : &unknown;
	to = to ? to : &unknown;
	item.category = category;
	item.marks = box.marks->str;
	item.start = llround(MIN(d->t[0], d->t[1]) * 1e9);
	item.end = llround(MAX(d->t[0], d->t[1]) * 1e9);
	item.row = name->path;
	item.lane = g_ascii_strtoll(name->lane, NULL, 10);
	item.attrs = box.attrs->str;
	if (d->cat->topology == SLOG2_ARROW) {
		item.row_to = to->path;
		item.lane_to = g_ascii_strtoll(to->lane, NULL, 10);
	}
	if (is_gap(d)) {
		print_gap(&item, box.path->str);
	} else {
		compare_names(&box, d, name);
		item.attrs = box.attrs->str;
		items_print(&item, 0);
	}
	free_box(&box);
}

void slog2_items(const struct slog2 *file, const struct slog2_names *names)
{
	g_autoptr(GPtrArray) order = slog2_by_time(file);

	for (guint i = 0; i < order->len; i++)
		print_item(file, names, g_ptr_array_index(order, i));
}
