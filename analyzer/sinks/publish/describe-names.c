/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lockspaces without a name, as the kernel records a checksum only, and file systems with two. */
#include "sinks/sentences.h"
#include "timeline/twins.h"

char *iot_unnamed_lockspaces(const struct iot_timeline *tl, const GArray *units)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	iot_row_id first = 0;
	guint n;

	for (guint i = 0; i < units->len; i++) {
		iot_row_id unit = g_array_index(units, iot_row_id, i);
		iot_row_id above = iot_row_at(tl, unit)->parent;
		const struct iot_row *row = iot_row_at(tl, above);

		if (!above || !g_str_has_prefix(iot_tl_str(tl, row->name), "0x") ||
		    g_strcmp0(iot_tl_str(tl, iot_type_at(tl, row->type)->name), "lockspace"))
			continue;
		g_hash_table_add(seen, GUINT_TO_POINTER(above));
		first = first ? MIN(first, above) : above;
	}
	n = g_hash_table_size(seen);
	if (!n)
		return NULL;
	if (n == 1)
		return g_strdup_printf("%s is the checksum of a lockspace's name; --lockspace NAME "
				       "shows it",
				       iot_tl_str(tl, iot_row_at(tl, first)->name));
	return g_strdup_printf("%s and %u more are checksums of lockspaces' names; --lockspace "
			       "NAME,NAME shows these",
			       iot_tl_str(tl, iot_row_at(tl, first)->name), n - 1);
}

/* The row above that of the resource: a file system, a lockspace. */
static iot_row_id world_of(const struct iot_timeline *tl, iot_row_id node)
{
	iot_row_id resource = iot_row_at(tl, node)->parent;

	return resource ? iot_row_at(tl, resource)->parent : 0;
}

void iot_note_twins(const struct iot_timeline *tl, iot_type_id type, struct iot_result_table *to)
{
	g_autoptr(GHashTable) said = g_hash_table_new(NULL, NULL);
	struct iot_twins *twins = iot_twins_new(tl);

	for (iot_row_id id = 1; id < tl->rows.n; id++) {
		iot_row_id resource = iot_row_at(tl, id)->parent, world = world_of(tl, id), other;
		gboolean has_twin = iot_type_at(tl, iot_row_at(tl, id)->type)->twin != 0;
		iot_row_id twin = has_twin && world && iot_row_at(tl, resource)->type == type
					  ? iot_twins_find(twins, id, tl->rows.n)
					  : 0;

		if (!twin || !g_hash_table_add(said, GUINT_TO_POINTER(world)))
			continue;
		other = world_of(tl, twin);
		if (iot_row_at(tl, world)->name != iot_row_at(tl, other)->name)
			iot_result_note(
				to, "%s is the %s %s", iot_tl_str(tl, iot_row_at(tl, world)->name),
				iot_tl_str(tl, iot_type_at(tl, iot_row_at(tl, other)->type)->title),
				iot_tl_str(tl, iot_row_at(tl, other)->name));
	}
	iot_twins_free(twins);
}
