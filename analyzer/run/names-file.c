/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/names-file.h"
#include "base/error.h"

#include <string.h>

struct level {
	const struct iot_section *section;
	const struct iot_setting *in; /* NULL: a level of models, which gets another title */
	const char *title;
};

struct node {
	const struct iot_section *section;
	const char *id, *name;			/* name: NULL if it is not said */
	char **hosts, **recordings;		/* empty lists if they are not said */
	const char *above[IOT_MAX_NODE_LEVELS]; /* NULL: not said */
};

struct iot_names_file {
	struct iot_model_file *file;
	GArray *levels;	  /* of struct level: those above nodes, outermost first */
	GArray *titles;	  /* of struct level: those of models */
	GPtrArray *nodes; /* of struct node */
};

static void node_free(gpointer data)
{
	struct node *node = data;

	g_strfreev(node->hosts);
	g_strfreev(node->recordings);
	g_free(node);
}

/* ---- levels */

static const struct level *level_at(const GArray *levels, guint i)
{
	return &g_array_index(levels, struct level, i);
}

static const struct level *find_level(const GArray *levels, const char *name)
{
	for (guint i = 0; i < levels->len; i++)
		if (!strcmp(level_at(levels, i)->section->name, name))
			return level_at(levels, i);
	return NULL;
}

/* Keys of [node] that no level may be called. */
static const char *const node_keys[] = { "name", "host", "recording", NULL };

static gboolean add_level(GArray *levels, const struct iot_section *section, GError **error)
{
	struct level level = { .section = section, .title = section->name };
	const struct level *other = find_level(levels, section->name);

	if (!*section->name)
		return iot_section_error(section, error,
					 "a level needs a name, as in [level rack]");
	if (other)
		return iot_section_error(section, error, "this level stands twice (line %u)",
					 other->section->line);
	for (guint i = 0; i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if (!strcmp(setting->key, "in"))
			level.in = setting;
		else if (!strcmp(setting->key, "title"))
			level.title = setting->value;
		else
			return iot_setting_key_error(
				setting, error, "no such key in [level] (there are: in, title)");
	}
	if (!section->settings->len)
		return iot_section_error(section, error,
					 "\"in = ...\" makes a level above nodes, "
					 "\"title = ...\" renames a level of a model");
	if (level.in && (strchr(section->name, ' ') || !strcmp(section->name, "node") ||
			 g_strv_contains(node_keys, section->name)))
		return iot_section_error(section, error,
					 "a level cannot have this name (it is a key of [node])");
	g_array_append_val(levels, level);
	return TRUE;
}

/* The level that is below @above (NULL: the root). Two would be two trees. */
static gboolean next_level(const GArray *levels, const char *above, const struct level **out,
			   GError **error)
{
	*out = NULL;
	for (guint i = 0; i < levels->len; i++) {
		const struct level *level = level_at(levels, i);

		if (!level->in || strcmp(level->in->value, above))
			continue;
		if (*out)
			return iot_setting_error(level->in, 0, error,
						 "level %s (line %u) is in %s already; levels are "
						 "one below the other",
						 (*out)->section->name, (*out)->section->line,
						 above);
		*out = level;
	}
	return TRUE;
}

/* Sort the levels above nodes, outermost first. */
static gboolean order_levels(struct iot_names_file *file, const GArray *all, GError **error)
{
	const struct level *next;
	const char *above = "root";

	for (guint i = 0; i < all->len; i++) {
		const struct level *level = level_at(all, i), *in;

		if (!level->in) {
			g_array_append_val(file->titles, *level);
			continue;
		}
		in = find_level(all, level->in->value);
		if (strcmp(level->in->value, "root") && (!in || !in->in))
			return iot_setting_error(level->in, 0, error,
						 "there is no [level %s] with \"in = ...\"",
						 level->in->value);
	}
	for (;;) {
		if (!next_level(all, above, &next, error))
			return FALSE;
		if (!next)
			break;
		if (file->levels->len == IOT_MAX_NODE_LEVELS)
			return iot_section_error(next->section, error,
						 "more than %d levels above nodes",
						 IOT_MAX_NODE_LEVELS);
		g_array_append_val(file->levels, *next);
		above = next->section->name;
	}
	for (guint i = 0; i < all->len; i++)
		if (level_at(all, i)->in &&
		    !find_level(file->levels, level_at(all, i)->section->name))
			return iot_setting_error(
				level_at(all, i)->in, 0, error,
				"these levels are in a circle; one must be in root");
	return TRUE;
}

/* ---- nodes */

/* The words of a value, which has at least one. */
static char **words_of(const struct iot_setting *setting)
{
	g_auto(GStrv) parts = g_strsplit_set(setting->value, " \t", -1);
	GPtrArray *words = g_ptr_array_new();

	for (guint i = 0; parts[i]; i++)
		if (*parts[i])
			g_ptr_array_add(words, g_strdup(parts[i]));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

/* Offset of the word number @n in the value. */
static gsize offset_of(const struct iot_setting *setting, guint n)
{
	const char *at = setting->value;

	for (;; n--) {
		at += strspn(at, " \t");
		if (!n)
			return (gsize)(at - setting->value);
		at += strcspn(at, " \t");
	}
}

static const struct node *find_node(const struct iot_names_file *file, const char *id)
{
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct node *node = file->nodes->pdata[i];

		if (!strcmp(node->id, id))
			return node;
	}
	return NULL;
}

/* No host and no recording is of two nodes. */
static gboolean check_words(const struct iot_names_file *file, const struct node *node,
			    const struct iot_setting *setting, char *const *words, gboolean hosts,
			    GError **error)
{
	for (guint i = 0; words[i]; i++) {
		const struct node *own = hosts ? find_node(file, words[i]) : NULL;

		if (g_strv_contains((const char *const *)words + i + 1, words[i]))
			return iot_setting_error(setting, offset_of(setting, i), error,
						 "\"%s\" stands twice", words[i]);
		if (own && own != node)
			return iot_setting_error(setting, offset_of(setting, i), error,
						 "%s is a node itself (line %u)", words[i],
						 own->section->line);
		for (guint k = 0; file->nodes->pdata[k] != node; k++) {
			const struct node *other = file->nodes->pdata[k];
			char **theirs = hosts ? other->hosts : other->recordings;

			if (g_strv_contains((const char *const *)theirs, words[i]))
				return iot_setting_error(setting, offset_of(setting, i), error,
							 "%s is of node %s, too (line %u)",
							 words[i], other->id, other->section->line);
		}
	}
	return TRUE;
}

static const struct level *level_of(const struct iot_names_file *file, const char *key,
				    guint *out_index)
{
	for (*out_index = 0; *out_index < file->levels->len; ++*out_index)
		if (!strcmp(level_at(file->levels, *out_index)->section->name, key))
			return level_at(file->levels, *out_index);
	return NULL;
}

static gboolean no_such_key(const struct iot_names_file *file, const struct iot_setting *setting,
			    GError **error)
{
	g_autofree char *keys = g_strjoinv(", ", (char **)node_keys);
	g_autoptr(GString) list = g_string_new(keys);

	for (guint i = 0; i < file->levels->len; i++)
		g_string_append_printf(list, ", %s", level_at(file->levels, i)->section->name);
	return iot_setting_key_error(setting, error, "no such key in [node] (there are: %s)",
				     list->str);
}

static gboolean read_node(const struct iot_names_file *file, struct node *node, GError **error)
{
	node->hosts = g_new0(char *, 1);
	node->recordings = g_new0(char *, 1);
	for (guint i = 0; i < node->section->settings->len; i++) {
		const struct iot_setting *setting = node->section->settings->pdata[i];
		gboolean hosts = !strcmp(setting->key, "host");
		char ***words = hosts ? &node->hosts : &node->recordings;
		guint at;

		if (!strcmp(setting->key, "name")) {
			node->name = setting->value;
		} else if (hosts || !strcmp(setting->key, "recording")) {
			g_strfreev(*words);
			*words = words_of(setting);
		} else if (level_of(file, setting->key, &at)) {
			node->above[at] = setting->value;
		} else {
			return no_such_key(file, setting, error);
		}
	}
	return TRUE;
}

static gboolean check_node(const struct iot_names_file *file, const struct node *node,
			   GError **error)
{
	const struct iot_setting *name = iot_section_get(node->section, "name");
	const struct iot_setting *host = iot_section_get(node->section, "host");
	const struct iot_setting *recording = iot_section_get(node->section, "recording");

	for (guint k = 0; name && file->nodes->pdata[k] != node; k++) {
		const struct node *other = file->nodes->pdata[k];

		if (other->name && !strcmp(other->name, name->value))
			return iot_setting_error(name, 0, error,
						 "node %s (line %u) has this name, too", other->id,
						 other->section->line);
	}
	return (!host || check_words(file, node, host, node->hosts, TRUE, error)) &&
	       (!recording || check_words(file, node, recording, node->recordings, FALSE, error));
}

static gboolean add_node(struct iot_names_file *file, const struct iot_section *section,
			 GError **error)
{
	const struct node *other = find_node(file, section->name);
	struct node *node;

	if (!*section->name)
		return iot_section_error(section, error,
					 "a node needs its number or name, as in [node 1]");
	if (other)
		return iot_section_error(section, error, "this node stands twice (line %u)",
					 other->section->line);
	node = g_new0(struct node, 1);
	node->section = section;
	node->id = section->name;
	g_ptr_array_add(file->nodes, node);
	return read_node(file, node, error);
}

/* ---- the file */

static gboolean read_sections(struct iot_names_file *file, GError **error)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	const GPtrArray *sections = file->file->sections;

	for (guint i = 0; i < sections->len; i++) {
		const struct iot_section *section = sections->pdata[i];

		if (!strcmp(section->kind, "level")) {
			if (!add_level(levels, section, error))
				return FALSE;
		} else if (strcmp(section->kind, "node")) {
			return iot_section_error(section, error,
						 "no such section (there are: level, node)");
		}
	}
	if (!order_levels(file, levels, error))
		return FALSE;
	for (guint i = 0; i < sections->len; i++) {
		const struct iot_section *section = sections->pdata[i];

		if (!strcmp(section->kind, "node") && !add_node(file, section, error))
			return FALSE;
	}
	for (guint i = 0; i < file->nodes->len; i++)
		if (!check_node(file, file->nodes->pdata[i], error))
			return FALSE;
	return TRUE;
}

static struct iot_names_file *take(struct iot_model_file *parsed, GError **error)
{
	struct iot_names_file *file;

	if (!parsed)
		return NULL;
	file = g_new0(struct iot_names_file, 1);
	file->file = parsed;
	file->levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	file->titles = g_array_new(FALSE, FALSE, sizeof(struct level));
	file->nodes = g_ptr_array_new_with_free_func(node_free);
	if (read_sections(file, error))
		return file;
	iot_names_file_free(file);
	return NULL;
}

struct iot_names_file *iot_names_file_load(const char *path, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text = NULL;
	gsize len;

	if (g_file_get_contents(path, &text, &len, &why))
		return iot_names_file_parse(path, text, len, error);
	iot_usage_error(error, "%s", why->message);
	return NULL;
}

struct iot_names_file *iot_names_file_parse(const char *path, const char *text, gsize len,
					    GError **error)
{
	return take(iot_model_file_parse(path, text, len, error), error);
}

void iot_names_file_free(struct iot_names_file *file)
{
	if (!file)
		return;
	g_array_unref(file->levels);
	g_array_unref(file->titles);
	g_ptr_array_unref(file->nodes);
	iot_model_file_free(file->file);
	g_free(file);
}

const char *iot_names_file_path(const struct iot_names_file *file)
{
	return file->file->path;
}

/* ---- use */

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
	const struct node *found = NULL;

	*out_node = NULL;
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct node *node = file->nodes->pdata[i];

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
	const struct node *node = find_node(file, id);

	return node ? node->name : NULL;
}

char *iot_names_file_above(const struct iot_names_file *file, const char *id)
{
	const struct node *node = find_node(file, id);
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean any = FALSE;

	for (guint i = 0; node && i < file->levels->len; i++) {
		any |= node->above[i] != NULL;
		g_string_append_printf(text, "%s%s", i ? "/" : "",
				       node->above[i] ? node->above[i] : "-");
	}
	return any ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

static iot_str str_of(const struct iot_timeline *tl, const char *text)
{
	return text ? iot_intern_str(tl->strings, text) : 0;
}

void iot_names_file_tell(const struct iot_names_file *file, struct iot_timeline *tl)
{
	if (!file || tl->names)
		return;
	tl->names = iot_node_names_new(tl);
	for (guint i = 0; i < file->levels->len; i++)
		iot_node_names_add_level(tl->names, level_at(file->levels, i)->section->name,
					 level_at(file->levels, i)->title);
	for (guint i = 0; i < file->nodes->len; i++) {
		const struct node *node = file->nodes->pdata[i];
		struct iot_node_name said = { .id = str_of(tl, node->id),
					      .name = str_of(tl, node->name) };

		for (guint k = 0; k < file->levels->len; k++)
			said.above[k] = str_of(tl, node->above[k]);
		iot_node_names_add(tl->names, &said);
		for (guint k = 0; node->hosts[k]; k++)
			iot_node_names_add_alias(tl->names, str_of(tl, node->hosts[k]), said.id);
	}
}

static gboolean is_level(const struct iot_timeline *tl, iot_type_id id, const struct level *level)
{
	const struct iot_type *type = iot_type_at(tl, id);

	return type->kind == IOT_TYPE_ROW &&
	       !strcmp(iot_tl_str(tl, type->name), level->section->name);
}

void iot_names_file_titles(const struct iot_names_file *file, struct iot_timeline *tl)
{
	for (guint i = 0; file && i < file->titles->len; i++)
		for (iot_type_id id = 1; id < tl->types.n; id++)
			if (is_level(tl, id, level_at(file->titles, i)))
				iot_type_set_title(tl, id, level_at(file->titles, i)->title);
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

static gboolean has_level(const struct iot_timeline *tl, const struct level *level)
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
		if (!has_level(tl, level_at(file->levels, i)))
			add_unused(unused, level_at(file->levels, i)->section);
	for (guint i = 0; file && i < file->titles->len; i++)
		if (!has_level(tl, level_at(file->titles, i)))
			add_unused(unused, level_at(file->titles, i)->section);
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct node *node = file->nodes->pdata[i];

		if (!g_strv_contains(nodes, node->id) && !has_row(tl, node->id))
			add_unused(unused, node->section);
	}
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
