/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of containers. ViTE shares some width among the levels and cuts each name that is longer,
 * so names are short and begin with what tells them apart from their siblings. pj_dump prints no
 * names of parents: for it the option "paths" adds the path to the names.
 */
#include "sinks/paje/paje-trace.h"

/* Letters of all levels together in a window of ViTE as it opens; measured. */
enum { VITE_LETTERS = 28 };

static guint levels_of(const struct paje *paje, iot_row_id id)
{
	iot_type_id type = iot_row_at(paje->tl, id)->type;
	guint levels = 0;

	for (guint i = 0; i < paje->n_types; i++) {
		const struct paje_slot *slot = paje->slots[i];

		if (slot && slot->on == type && id < slot->n_rows &&
		    slot->lanes[id] > (slot->further ? 0 : 1))
			levels = 1;
	}
	for (; id; id = iot_row_at(paje->tl, id)->parent)
		levels++;
	return levels;
}

void paje_name_levels(struct paje *paje, const gboolean *shown, gboolean grouped)
{
	guint levels = 1;

	for (iot_row_id id = 1; id < paje->tl->rows.n; id++)
		if (shown[id])
			levels = MAX(levels, levels_of(paje, id));
	paje->name_room = VITE_LETTERS / (levels + (grouped ? 1 : 0));
}

/* The last word, if the name has two and this one is a number: of "inode 3346". Else NULL. */
static const char *last_number(const char *name)
{
	const char *space = strchr(name, ' '), *word = space ? space + 1 : "";

	if (!*word)
		return NULL;
	for (const char *p = g_str_has_prefix(word, "0x") ? word + 2 : word; *p; p++)
		if (!g_ascii_isxdigit(*p))
			return NULL;
	return word;
}

/* "3346 inode" and "own1 in /mnt" if the name would be cut, else the name. */
static char *short_name(const struct paje *paje, const char *name)
{
	const char *number = last_number(name), *slash = strrchr(name, '/');

	if (g_utf8_strlen(name, -1) <= (glong)paje->name_room)
		return g_strdup(name);
	if (number)
		return g_strdup_printf("%s %.*s", number, (int)(number - 1 - name), name);
	if (*name == '/' && slash > name && slash[1])
		return g_strdup_printf("%s in %.*s", slash + 1, (int)(slash - name), name);
	return g_strdup(name);
}

char *paje_row_name(const struct paje *paje, iot_row_id id)
{
	const struct iot_row *row = iot_row_at(paje->tl, id);
	const char *name = iot_tl_str(paje->tl, row->name);
	g_autofree char *path = NULL;

	if (!paje->paths)
		return short_name(paje, name);
	if (!row->parent || row->type >= paje->n_types || !paje->slots[row->type])
		return g_strdup(name);
	path = iot_timeline_path(paje->tl, row->parent, "/");
	return g_strdup_printf("%s of %s", name, path);
}

char *paje_lane_name(const struct paje *paje, iot_row_id id, const char *title, guint lane)
{
	g_autofree char *number = lane ? g_strdup_printf("lane %u", lane + 1) : g_strdup("");
	g_autofree char *text = g_strconcat(title, *title && *number ? " " : "", number, NULL);
	g_autofree char *row = NULL;

	if (!paje->paths)
		return g_steal_pointer(&text);
	row = paje_row_name(paje, id);
	return g_strdup_printf("%s of %s", text, row);
}
