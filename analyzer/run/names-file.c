/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/names-file-local.h"
#include "base/error.h"

#include <string.h>

static void node_free(gpointer data)
{
	struct names_node *node = data;

	g_strfreev(node->hosts);
	g_strfreev(node->recordings);
	g_free(node);
}

/* ---- levels */

static const struct names_level *find_level(const GArray *levels, const char *name)
{
	for (guint i = 0; i < levels->len; i++)
		if (!strcmp(names_level_at(levels, i)->section->name, name))
			return names_level_at(levels, i);
	return NULL;
}

/* Keys of [node] that no level may be called. */
static const char *const node_keys[] = { "name", "host", "recording", NULL };

static gboolean add_level(GArray *levels, const struct iot_section *section, GError **error)
{
	struct names_level level = { .section = section, .title = section->name };
	const struct names_level *other = find_level(levels, section->name);

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
		else if (!strcmp(setting->key, "is"))
			level.is = setting;
		else if (!strcmp(setting->key, "title"))
			level.title = setting->value;
		else
			return iot_setting_key_error(
				setting, error,
				"no such key in [level] (there are: in, is, title)");
	}
	if (!section->settings->len)
		return iot_section_error(section, error,
					 "\"in = ...\" makes a level above nodes, "
					 "\"title = ...\" renames a level of a model, \"is = "
					 "...\" makes it that of another one");
	if (level.is && section->settings->len > 1)
		return iot_setting_key_error(level.is, error,
					     "the other level has the place and the title");
	if (level.in && (strchr(section->name, ' ') || !strcmp(section->name, "node") ||
			 g_strv_contains(node_keys, section->name)))
		return iot_section_error(section, error,
					 "a level cannot have this name (it is a key of [node])");
	g_array_append_val(levels, level);
	return TRUE;
}

/* The level that is below @above (NULL: the root). Two would be two trees. */
static gboolean next_level(const GArray *levels, const char *above, const struct names_level **out,
			   GError **error)
{
	*out = NULL;
	for (guint i = 0; i < levels->len; i++) {
		const struct names_level *level = names_level_at(levels, i);

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

/* A level that is another one is not one that this file makes, nor one that is a third one. */
static gboolean check_same(const struct iot_names_file *file, const GArray *all, GError **error)
{
	for (guint i = 0; i < file->same->len; i++) {
		const struct iot_setting *is = names_level_at(file->same, i)->is;
		const struct names_level *other = find_level(all, is->value);

		if (other && (other->is || other->in))
			return iot_setting_error(is, 0, error,
						 "%s (line %u) is not a level of a model",
						 is->value, other->section->line);
	}
	return TRUE;
}

/* Sort the levels above nodes, outermost first. */
static gboolean order_levels(struct iot_names_file *file, const GArray *all, GError **error)
{
	const struct names_level *next;
	const char *above = "root";

	for (guint i = 0; i < all->len; i++) {
		const struct names_level *level = names_level_at(all, i), *in;

		if (!level->in) {
			g_array_append_val(level->is ? file->same : file->titles, *level);
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
		if (names_level_at(all, i)->in &&
		    !find_level(file->levels, names_level_at(all, i)->section->name))
			return iot_setting_error(
				names_level_at(all, i)->in, 0, error,
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

gsize iot_names_offset(const struct iot_setting *setting, guint n)
{
	const char *at = setting->value;

	for (;; n--) {
		at += strspn(at, " \t");
		if (!n)
			return (gsize)(at - setting->value);
		at += strcspn(at, " \t");
	}
}

const struct names_node *iot_names_node(const struct iot_names_file *file, const char *id)
{
	for (guint i = 0; file && i < file->nodes->len; i++) {
		const struct names_node *node = file->nodes->pdata[i];

		if (!strcmp(node->id, id))
			return node;
	}
	return NULL;
}

/* No host and no recording is of two nodes. */
static gboolean check_words(const struct iot_names_file *file, const struct names_node *node,
			    const struct iot_setting *setting, char *const *words, gboolean hosts,
			    GError **error)
{
	for (guint i = 0; words[i]; i++) {
		const struct names_node *own = hosts ? iot_names_node(file, words[i]) : NULL;

		if (g_strv_contains((const char *const *)words + i + 1, words[i]))
			return iot_setting_error(setting, iot_names_offset(setting, i), error,
						 "\"%s\" stands twice", words[i]);
		if (own && own != node)
			return iot_setting_error(setting, iot_names_offset(setting, i), error,
						 "%s is a node itself (line %u)", words[i],
						 own->section->line);
		for (guint k = 0; file->nodes->pdata[k] != node; k++) {
			const struct names_node *other = file->nodes->pdata[k];
			char **theirs = hosts ? other->hosts : other->recordings;

			if (g_strv_contains((const char *const *)theirs, words[i]))
				return iot_setting_error(setting, iot_names_offset(setting, i),
							 error, "%s is of node %s, too (line %u)",
							 words[i], other->id, other->section->line);
		}
	}
	return TRUE;
}

static const struct names_level *level_of(const struct iot_names_file *file, const char *key,
					  guint *out_index)
{
	for (*out_index = 0; *out_index < file->levels->len; ++*out_index)
		if (!strcmp(names_level_at(file->levels, *out_index)->section->name, key))
			return names_level_at(file->levels, *out_index);
	return NULL;
}

static gboolean no_such_key(const struct iot_names_file *file, const struct iot_setting *setting,
			    GError **error)
{
	g_autofree char *keys = g_strjoinv(", ", (char **)node_keys);
	g_autoptr(GString) list = g_string_new(keys);

	for (guint i = 0; i < file->levels->len; i++)
		g_string_append_printf(list, ", %s",
				       names_level_at(file->levels, i)->section->name);
	return iot_setting_key_error(setting, error, "no such key in [node] (there are: %s)",
				     list->str);
}

static gboolean read_node(const struct iot_names_file *file, struct names_node *node,
			  GError **error)
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

char *iot_names_shown(const struct names_node *node)
{
	gboolean is_number = strspn(node->id, "0123456789") == strlen(node->id);

	if (node->name)
		return g_strdup(node->name);
	return g_strconcat(is_number ? "node " : "", node->id, NULL);
}

static gboolean check_node(const struct iot_names_file *file, const struct names_node *node,
			   GError **error)
{
	const struct iot_setting *name = iot_section_get(node->section, "name");
	const struct iot_setting *host = iot_section_get(node->section, "host");
	const struct iot_setting *recording = iot_section_get(node->section, "recording");
	g_autofree char *shown = iot_names_shown(node);

	for (guint k = 0; file->nodes->pdata[k] != node; k++) {
		const struct names_node *other = file->nodes->pdata[k];
		g_autofree char *theirs = iot_names_shown(other);

		if (strcmp(theirs, shown))
			continue;
		if (name)
			return iot_setting_error(name, 0, error,
						 "node %s (line %u) has this name, too", other->id,
						 other->section->line);
		return iot_section_error(node->section, error,
					 "node %s (line %u) has this name, too", other->id,
					 other->section->line);
	}
	return (!host || check_words(file, node, host, node->hosts, TRUE, error)) &&
	       (!recording || check_words(file, node, recording, node->recordings, FALSE, error));
}

static gboolean add_node(struct iot_names_file *file, const struct iot_section *section,
			 GError **error)
{
	const struct names_node *other = iot_names_node(file, section->name);
	struct names_node *node;

	if (!*section->name)
		return iot_section_error(section, error,
					 "a node needs its number or name, as in [node 1]");
	if (other)
		return iot_section_error(section, error, "this node stands twice (line %u)",
					 other->section->line);
	node = g_new0(struct names_node, 1);
	node->section = section;
	node->id = section->name;
	g_ptr_array_add(file->nodes, node);
	return read_node(file, node, error);
}

/* ---- the file */

static gboolean read_sections(struct iot_names_file *file, GError **error)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct names_level));
	const GPtrArray *sections = file->file->sections;

	for (guint i = 0; i < sections->len; i++) {
		const struct iot_section *section = sections->pdata[i];

		if (!strcmp(section->kind, "level")) {
			if (!add_level(levels, section, error))
				return FALSE;
		} else if (strcmp(section->kind, "node") && strcmp(section->kind, "rank")) {
			return iot_section_error(section, error,
						 "no such section (there are: level, node, rank)");
		}
	}
	if (!order_levels(file, levels, error) || !check_same(file, levels, error))
		return FALSE;
	for (guint i = 0; i < sections->len; i++) {
		const struct iot_section *section = sections->pdata[i];

		if (!strcmp(section->kind, "node") && !add_node(file, section, error))
			return FALSE;
	}
	for (guint i = 0; i < file->nodes->len; i++)
		if (!check_node(file, file->nodes->pdata[i], error))
			return FALSE;
	for (guint i = 0; i < sections->len; i++) {
		const struct iot_section *section = sections->pdata[i];

		if (!strcmp(section->kind, "rank") && !iot_names_ranks_add(file, section, error))
			return FALSE;
	}
	return TRUE;
}

static struct iot_names_file *take(struct iot_model_file *parsed, GError **error)
{
	struct iot_names_file *file;

	if (!parsed)
		return NULL;
	file = g_new0(struct iot_names_file, 1);
	file->file = parsed;
	file->levels = g_array_new(FALSE, FALSE, sizeof(struct names_level));
	file->titles = g_array_new(FALSE, FALSE, sizeof(struct names_level));
	file->same = g_array_new(FALSE, FALSE, sizeof(struct names_level));
	file->nodes = g_ptr_array_new_with_free_func(node_free);
	file->ranks = g_ptr_array_new_with_free_func(iot_names_ranks_free);
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
	g_array_unref(file->same);
	g_ptr_array_unref(file->nodes);
	g_ptr_array_unref(file->ranks);
	iot_model_file_free(file->file);
	g_free(file);
}

const char *iot_names_file_path(const struct iot_names_file *file)
{
	return file->file->path;
}
