/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "golden-case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void node_free(gpointer data)
{
	struct node *node = data;

	g_free(node->name);
	g_string_free(node->text, TRUE);
	g_free(node);
}

static void string_free(GString *text)
{
	if (text)
		g_string_free(text, TRUE);
}

void golden_free(struct golden *c)
{
	g_ptr_array_unref(c->nodes);
	g_ptr_array_unref(c->models);
	string_free(c->model);
	string_free(c->model_text);
	string_free(c->names);
	string_free(c->args);
	string_free(c->text);
	string_free(c->order);
	string_free(c->diag);
	string_free(c->errors);
	string_free(c->report);
	string_free(c->comment);
	g_free(c);
}

static GString *begin(GString **section)
{
	if (!*section)
		*section = g_string_new(NULL);
	return *section;
}

static const struct {
	const char *head;
	size_t offset;
} plain_sections[] = {
	{ "model", G_STRUCT_OFFSET(struct golden, model_text) },
	{ "names", G_STRUCT_OFFSET(struct golden, names) },
	{ "args", G_STRUCT_OFFSET(struct golden, args) },
	{ "expect text", G_STRUCT_OFFSET(struct golden, text) },
	{ "expect order", G_STRUCT_OFFSET(struct golden, order) },
	{ "expect diag", G_STRUCT_OFFSET(struct golden, diag) },
	{ "expect stderr", G_STRUCT_OFFSET(struct golden, errors) },
	{ "expect report", G_STRUCT_OFFSET(struct golden, report) },
	{ "comment", G_STRUCT_OFFSET(struct golden, comment) },
};

/* the section that a "--- HEAD" line opens; NULL if there is no such section */
static GString *open_section(struct golden *c, const char *head)
{
	struct node *node;

	if (g_str_has_prefix(head, "node ") || !strcmp(head, "recording")) {
		node = g_new0(struct node, 1);
		node->name = *head == 'n' ? g_strdup(head + strlen("node ")) : NULL;
		node->text = g_string_new("iotrace-text 1\n");
		g_ptr_array_add(c->nodes, node);
		return node->text;
	}
	if (g_str_has_prefix(head, "own model ")) {
		node = g_new0(struct node, 1);
		node->name = g_strdup(head + strlen("own model "));
		node->text = g_string_new(NULL);
		g_ptr_array_add(c->models, node);
		return node->text;
	}
	if (g_str_has_prefix(head, "model ")) {
		g_string_assign(begin(&c->model), head + strlen("model "));
		return begin(&c->comment);
	}
	if (g_str_has_prefix(head, "status ")) {
		c->status = atoi(head + strlen("status "));
		return begin(&c->comment);
	}
	for (guint i = 0; i < G_N_ELEMENTS(plain_sections); i++)
		if (!strcmp(head, plain_sections[i].head))
			return begin(G_STRUCT_MEMBER_P(c, plain_sections[i].offset));
	return NULL;
}

/* A line with its first word, a time, moved. */
static void add_line(GString *section, const char *line, guint64 shift)
{
	char *rest = (char *)line;
	guint64 t = g_ascii_isdigit(*line) ? g_ascii_strtoull(line, &rest, 10) + shift : 0;

	if (rest > line)
		g_string_append_printf(section, "%" G_GUINT64_FORMAT, t);
	g_string_append_printf(section, "%s\n", rest);
}

/* "@repeat N STEP": the lines up to "@end" N times, each time STEP ns later. FALSE: no repetition.
 */
static gboolean add_repeated(GString *section, char **lines, guint *i)
{
	guint64 step;
	guint n, end = *i;

	if (sscanf(lines[*i], "@repeat %u %" G_GUINT64_FORMAT, &n, &step) != 2)
		return FALSE;
	while (lines[end] && strcmp(lines[end], "@end"))
		end++;
	if (!lines[end])
		return FALSE;
	for (guint k = 0; k < n; k++)
		for (guint line = *i + 1; line < end; line++)
			add_line(section, lines[line], k * step);
	*i = end;
	return TRUE;
}

struct golden *golden_read(const char *path, GError **error)
{
	g_autoptr(golden) c = g_new0(struct golden, 1);
	g_autofree char *all = NULL;
	g_auto(GStrv) lines = NULL;
	GString *section = begin(&c->comment); /* the text above the first section */

	c->nodes = g_ptr_array_new_with_free_func(node_free);
	c->models = g_ptr_array_new_with_free_func(node_free);
	if (!g_file_get_contents(path, &all, NULL, error))
		return NULL;
	lines = g_strsplit_set(all, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		guint number = i + 1;
		gboolean ok = TRUE;

		if (g_str_has_prefix(lines[i], "--- "))
			ok = (section = open_section(c, lines[i] + 4)) != NULL;
		else if (*lines[i] == '@')
			ok = add_repeated(section, lines, &i);
		else if (*lines[i])
			add_line(section, lines[i], 0);
		if (!ok) {
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
				    "%s:%u: neither a section nor a repetition", path, number);
			return NULL;
		}
	}
	return g_steal_pointer(&c);
}
