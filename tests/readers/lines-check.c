// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines-check json|csv FILE - the items of -o jsonl: or -o csv: as lines of the text output.
 * Hexadecimal values are strings there, and so quoted here. See docs/formats/json.md.
 */
#include "items.h"

#include <json-c/json.h>

enum { N_COLUMNS = 11 };

static guint64 begin;
static guint64 n_line;

static void G_GNUC_NORETURN die(const char *what)
{
	fprintf(stderr, "lines-check: line %" G_GUINT64_FORMAT ": %s\n", n_line, what);
	exit(1);
}

static json_object *parse(const char *text, gsize len)
{
	json_tokener *tokener = json_tokener_new();
	json_object *object;

	/* strict, json-c 0.18 takes bytes from 0x80 on for control characters */
	json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8 |
						(json_c_version_num() < 18 << 8 ? JSON_TOKENER_STRICT : 0));
	object = json_tokener_parse_ex(tokener, text, (int)len);
	if (!object || json_tokener_get_error(tokener) != json_tokener_success ||
	    json_tokener_get_parse_end(tokener) != len)
		die("no JSON object");
	json_tokener_free(tokener);
	return object;
}

/* "" if there is no such member. */
static const char *member(json_object *object, const char *name)
{
	json_object *value;

	if (!json_object_object_get_ex(object, name, &value))
		return "";
	if (!json_object_is_type(value, json_type_string))
		die("a text is no string");
	return json_object_get_string(value);
}

static gint64 number(json_object *object, const char *name, gint64 otherwise)
{
	json_object *value;

	if (!json_object_object_get_ex(object, name, &value))
		return otherwise;
	if (!json_object_is_type(value, json_type_int))
		die("a number is none");
	return json_object_get_int64(value);
}

static char *attrs_of(json_object *attrs, const char *kind)
{
	GString *text = g_string_new(NULL);
	json_object *sample;

	if (!strcmp(kind, "sample")) {
		if (json_object_object_get_ex(attrs, "value", &sample) &&
		    json_object_is_type(sample, json_type_double)) {
			g_string_append_c(text, ' ');
			items_real(text, json_object_get_double(sample));
		} else {
			g_string_append_printf(text, " %" G_GINT64_FORMAT,
					       number(attrs, "value", 0));
		}
		return g_string_free(text, FALSE);
	}
	if (!attrs)
		return g_string_free(text, FALSE);
	json_object_object_foreach(attrs, name, value)
	{
		g_string_append_printf(text, " %s=", name);
		if (!value)
			g_string_append_c(text, '?');
		else if (json_object_is_type(value, json_type_string))
			items_quote(text, json_object_get_string(value),
				    (gsize)json_object_get_string_len(value));
		else if (json_object_is_type(value, json_type_double))
			items_real(text, json_object_get_double(value));
		else
			g_string_append_printf(text, "%" G_GINT64_FORMAT,
					       json_object_get_int64(value));
	}
	return g_string_free(text, FALSE);
}

static void take(struct items_item *item, json_object *attrs)
{
	g_autofree char *text = NULL;

	if (!strcmp(item->kind, "recording"))
		begin = g_ascii_strtoull(member(attrs, "begin_ns"), NULL, 10);
	if (!strcmp(item->kind, "recording") || !strcmp(item->kind, "diag"))
		return;
	text = attrs_of(attrs, item->kind);
	item->attrs = text;
	items_print(item, begin);
}

static void read_json(const char *line, gsize len)
{
	json_object *object = parse(line, len), *attrs = NULL, *marks = NULL;
	g_autoptr(GString) names = g_string_new(NULL);
	struct items_item item = { .kind = member(object, "kind"),
				   .row = member(object, "row"),
				   .type = member(object, "type"),
				   .category = member(object, "category"),
				   .start = number(object, "start_ns", G_MAXINT64),
				   .lane = number(object, "lane", 0),
				   .row_to = member(object, "row_to"),
				   .lane_to = number(object, "lane_to", 0) };

	item.end = number(object, "end_ns", item.start);
	if (json_object_object_get_ex(object, "marks", &marks))
		for (size_t i = 0; i < json_object_array_length(marks); i++)
			g_string_append_printf(
				names, "%s%s", i ? "," : "",
				json_object_get_string(json_object_array_get_idx(marks, i)));
	item.marks = names->str;
	json_object_object_get_ex(object, "attributes", &attrs);
	take(&item, attrs);
	json_object_put(object);
}

/* The next column of a line, without its quotes; NULL after the last. */
static GString *next_column(const char **p, const char *end)
{
	GString *text;
	gboolean quoted;

	if (*p > end)
		return NULL;
	text = g_string_new(NULL);
	quoted = *p < end && **p == '"';
	for (*p += quoted; *p < end; (*p)++) {
		if (quoted && **p == '"' && (*p + 1 == end || (*p)[1] != '"'))
			break;
		if (!quoted && **p == ',')
			break;
		*p += quoted && **p == '"';
		g_string_append_c(text, **p);
	}
	if (quoted && (*p == end || *(*p)++ != '"'))
		die("a quote is not closed");
	if (*p < end && **p != ',')
		die("something between a quote and a comma");
	(*p)++;
	return text;
}

static gint64 integer(const GString *column)
{
	char *end;
	gint64 value = g_ascii_strtoll(column->str, &end, 10);

	if (!column->len || *end)
		die("a number is none");
	return value;
}

static void read_csv(const char *line, gsize len)
{
	const char *p = line, *end = line + len;
	GString *column[N_COLUMNS + 1] = { NULL };
	struct items_item item = { 0 };
	guint n = 0;

	if (n_line == 1) {
		if (strcmp(line, "kind,start_ns,end_ns,row,lane,type,category,marks,attributes,"
				 "row_to,lane_to"))
			die("other columns");
		return;
	}
	while (n <= N_COLUMNS && (column[n] = next_column(&p, end)))
		n++;
	if (n != N_COLUMNS)
		die("the number of columns is wrong");
	item.kind = column[0]->str;
	item.start = integer(column[1]);
	item.end = integer(column[2]);
	item.row = column[3]->str;
	item.lane = integer(column[4]);
	item.type = column[5]->str;
	item.category = column[6]->str;
	item.marks = column[7]->str;
	item.row_to = column[9]->str;
	if (!strcmp(item.kind, "link"))
		item.lane_to = integer(column[10]);
	else if (column[9]->len || column[10]->len)
		die("a second end of something that is no link");
	take(&item, parse(column[8]->str, column[8]->len));
	for (guint i = 0; i < N_COLUMNS; i++)
		g_string_free(column[i], TRUE);
}

int main(int argc, char **argv)
{
	gboolean csv = argc == 3 && !strcmp(argv[1], "csv");
	g_autofree char *data = NULL;
	gsize len;

	if (argc != 3 || !g_file_get_contents(argv[2], &data, &len, NULL) || !len ||
	    data[len - 1] != '\n')
		die("usage: lines-check json|csv FILE");
	for (char *p = data; p < data + len;) {
		char *end = memchr(p, '\n', (gsize)(data + len - p));

		n_line++;
		*end = '\0';
		if (csv)
			read_csv(p, (gsize)(end - p));
		else
			read_json(p, (gsize)(end - p));
		p = end + 1;
	}
	return 0;
}
