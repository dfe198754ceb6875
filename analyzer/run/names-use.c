/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file of names says, for recordings, rows and the key of an index. */
#include "run/names-file-local.h"

#include <string.h>

static gboolean is_any(iot_names_file_is is, gconstpointer recording, char *const *words,
		       gboolean hosts)
{
	for (; *words; words++)
		if (is(recording, *words, hosts))
			return TRUE;
	return FALSE;
}

gboolean iot_names_file_claim(const struct iot_names_file *file, iot_names_file_is is,
			      gconstpointer recording, const char *path, const char **out_node,
			      GError **error)
{
	const struct names_node *found = NULL;

	*out_node = NULL;
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct names_node *node = file->nodes->pdata[i];

		if (!is_any(is, recording, node->hosts, TRUE) &&
		    !is_any(is, recording, node->recordings, FALSE))
			continue;
		if (found)
			return iot_section_error(node->section, error,
						 "%s is of node %s, too (line %u)", path, found->id,
						 found->section->line);
		found = node;
		*out_node = node->id;
	}
	return TRUE;
}

const char *iot_names_file_name(const struct iot_names_file *file, const char *id)
{
	const struct names_node *node = iot_names_node(file, id);

	return node ? node->name : NULL;
}

char *iot_names_file_above(const struct iot_names_file *file, const char *id)
{
	const struct names_node *node = iot_names_node(file, id);
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean any = FALSE;

	for (guint i = 0; node && i < file->levels->len; i++) {
		any |= node->above[i] != NULL;
		g_string_append_printf(text, "%s%s", i ? "/" : "",
				       node->above[i] ? node->above[i] : "-");
	}
	return any ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

gboolean iot_names_file_has(const struct iot_names_file *file, const char *node)
{
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct names_node *known = file->nodes->pdata[i];

		if (!strcmp(known->id, node) || !g_strcmp0(known->name, node))
			return TRUE;
	}
	return FALSE;
}

gboolean iot_names_file_check_name(const struct iot_names_file *file, const char *id,
				   const char *name, const char *path, GError **error)
{
	for (guint i = 0; i < file->nodes->len; i++) {
		const struct names_node *node = file->nodes->pdata[i];
		g_autofree char *shown = iot_names_shown(node);

		if (strcmp(node->id, id) && !strcmp(shown, name))
			return iot_section_error(node->section, error,
						 "%s is of another node with the name %s; if it is "
						 "of this one, add its host or recording",
						 path, name);
	}
	return TRUE;
}

static iot_str str_of(const struct iot_timeline *tl, const char *text)
{
	return text ? iot_intern_str(tl->strings, text) : 0;
}

static void tell_ranks(const struct names_ranks *ranks, const struct iot_timeline *tl)
{
	for (guint i = 0; i < ranks->spans->len; i++) {
		const struct names_span *span = &g_array_index(ranks->spans, struct names_span, i);
		struct iot_node_ranks said = { .first = span->first,
					       .last = span->last,
					       .recording = str_of(tl, ranks->recording),
					       .node = str_of(tl, ranks->node->id),
					       .process = ranks->process };

		iot_node_names_add_ranks(tl->names, &said);
	}
}

void iot_names_file_tell(const struct iot_names_file *file, struct iot_timeline *tl)
{
	if (!file || tl->names)
		return;
	tl->names = iot_node_names_new(tl);
	for (guint i = 0; i < file->levels->len; i++)
		iot_node_names_add_level(tl->names, names_level_at(file->levels, i)->section->name,
					 names_level_at(file->levels, i)->title);
	for (guint i = 0; i < file->nodes->len; i++) {
		const struct names_node *node = file->nodes->pdata[i];
		g_autofree char *shown = iot_names_shown(node);
		struct iot_node_name said = { .id = str_of(tl, node->id),
					      .name = str_of(tl, shown) };

		for (guint k = 0; k < file->levels->len; k++)
			said.above[k] = str_of(tl, node->above[k]);
		iot_node_names_add(tl->names, &said);
		for (guint k = 0; node->hosts[k]; k++)
			iot_node_names_add_alias(tl->names, str_of(tl, node->hosts[k]), said.id);
	}
	for (guint i = 0; i < file->same->len; i++)
		iot_node_names_add_same(tl->names, names_level_at(file->same, i)->section->name,
					names_level_at(file->same, i)->is->value);
	for (guint i = 0; i < file->ranks->len; i++)
		tell_ranks(file->ranks->pdata[i], tl);
}

static gboolean is_level(const struct iot_timeline *tl, iot_type_id id,
			 const struct names_level *level)
{
	const struct iot_type *type = iot_type_at(tl, id);

	return type->kind == IOT_TYPE_ROW &&
	       !strcmp(iot_tl_str(tl, type->name), level->section->name);
}

void iot_names_file_titles(const struct iot_names_file *file, struct iot_timeline *tl)
{
	for (guint i = 0; file && i < file->titles->len; i++)
		for (iot_type_id id = 1; id < tl->types.n; id++)
			if (is_level(tl, id, names_level_at(file->titles, i)))
				iot_type_set_title(tl, id, names_level_at(file->titles, i)->title);
}

static void add_unused(GPtrArray *unused, const struct iot_section *section)
{
	g_ptr_array_add(unused, g_strdup_printf("[%s %s] (line %u)", section->kind, section->name,
						section->line));
}

/* Whether rows of nodes have this identity: models may draw nodes by what an event says. */
static gboolean has_row(const struct iot_timeline *tl, const char *id)
{
	for (iot_row_id row = 1; row < tl->rows.n; row++)
		if (iot_type_at(tl, iot_row_at(tl, row)->type)->role == IOT_ROLE_NODE &&
		    !strcmp(iot_tl_str(tl, iot_row_at(tl, row)->id), id))
			return TRUE;
	return FALSE;
}

/* Whether a rank of the section has a row, which stands below the node that the section says. */
static gboolean has_rank(const struct names_ranks *ranks, const struct iot_timeline *tl)
{
	iot_str node = str_of(tl, ranks->node->id), recording = str_of(tl, ranks->recording);

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		const struct iot_row *row = iot_row_at(tl, id);
		guint32 rank;

		if (iot_row_at(tl, row->parent)->id != node ||
		    !iot_node_names_moved(tl->names, row->id, recording, &rank))
			continue;
		for (guint i = 0; i < ranks->spans->len; i++) {
			const struct names_span *span =
				&g_array_index(ranks->spans, struct names_span, i);

			if (rank >= span->first && rank <= span->last)
				return TRUE;
		}
	}
	return FALSE;
}

static gboolean has_level(const struct iot_timeline *tl, const struct names_level *level)
{
	for (iot_type_id id = 1; id < tl->types.n; id++)
		if (is_level(tl, id, level))
			return TRUE;
	return FALSE;
}

GPtrArray *iot_names_file_unused(const struct iot_names_file *file, const char *const *nodes,
				 const struct iot_timeline *tl)
{
	GPtrArray *unused = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; file && i < file->levels->len; i++)
		if (!has_level(tl, names_level_at(file->levels, i)))
			add_unused(unused, names_level_at(file->levels, i)->section);
	for (guint i = 0; file && i < file->titles->len; i++)
		if (!has_level(tl, names_level_at(file->titles, i)))
			add_unused(unused, names_level_at(file->titles, i)->section);
	for (guint i = 0; file && i < file->same->len; i++)
		if (!iot_node_names_same_used(tl->names,
					      names_level_at(file->same, i)->section->name))
			add_unused(unused, names_level_at(file->same, i)->section);
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct names_node *node = file->nodes->pdata[i];

		if (!g_strv_contains(nodes, node->id) && !has_row(tl, node->id))
			add_unused(unused, node->section);
	}
	for (guint i = 0; file && i < file->ranks->len; i++)
		if (!has_rank(file->ranks->pdata[i], tl))
			add_unused(unused, ((struct names_ranks *)file->ranks->pdata[i])->section);
	return unused;
}

void iot_names_file_identify(const struct iot_names_file *file, GString *out)
{
	for (guint i = 0; file && i < file->file->sections->len; i++) {
		const struct iot_section *section = file->file->sections->pdata[i];

		g_string_append_printf(out, "names [%s %s]\n", section->kind, section->name);
		for (guint k = 0; k < section->settings->len; k++) {
			const struct iot_setting *setting = section->settings->pdata[k];

			g_string_append_printf(out, "%s = %s\n", setting->key, setting->value);
		}
	}
}
