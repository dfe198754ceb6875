/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links: a line for each end, joined by a number. The lines stand at the instants of the ends, but
 * a link is known at its later end only, so the line of the earlier one is a late line.
 *
 * A link type of Pajé has one type of containers at each end. So a type of the timeline becomes
 * one for each pair of container types: k3b5l7 leads from rows of type 5 to lanes of rows of type
 * 7. The root owns all links.
 */
#include "sinks/paje/paje-trace.h"

/* The text of a container type or of a container: the row type or the row, and the lane. */
static int put_container_type(char *to, gsize size, iot_type_id on, guint lane)
{
	return g_snprintf(to, size, "%c%u", lane ? 'l' : 'b', on);
}

static void set_container(char to[32], iot_row_id row, guint lane)
{
	if (lane)
		g_snprintf(to, 32, "c%ul%u", row, lane);
	else
		g_snprintf(to, 32, "c%u", row);
}

static struct paje_link_type *find_type(struct paje *paje, const struct iot_item *item,
					GError **error)
{
	struct paje_link_type *types = paje->link_types.data, *type;
	iot_type_id from = iot_row_at(paje->tl, item->row)->type;
	iot_type_id to = iot_row_at(paje->tl, item->row_to)->type;
	int len;

	for (gsize i = 0; i < paje->link_types.n; i++)
		if (types[i].use.type == iot_type_at(paje->tl, item->type) &&
		    types[i].from == from && types[i].to == to &&
		    types[i].from_lane == (item->lane > 0) &&
		    types[i].to_lane == (item->lane_to > 0))
			return &types[i];
	type = paje_array_room(&paje->link_types, 1, sizeof(*type), error);
	if (!type)
		return NULL;
	paje->link_types.n++;
	*type = (struct paje_link_type){ .id = item->type,
					 .from = from,
					 .to = to,
					 .from_lane = item->lane > 0,
					 .to_lane = item->lane_to > 0 };
	type->use.type = iot_type_at(paje->tl, item->type);
	paje_list_attrs(&type->use);
	len = g_snprintf(type->alias, sizeof(type->alias), "k%u", item->type);
	len += put_container_type(type->alias + len, sizeof(type->alias) - (gsize)len, from,
				  item->lane);
	put_container_type(type->alias + len, sizeof(type->alias) - (gsize)len, to, item->lane_to);
	return type;
}

/* Returns the length of the line of one end. */
static gsize make_line(struct paje *paje, const struct paje_link_type *type,
		       const struct iot_item *item, gboolean start, char line[PAJE_LINE_ROOM])
{
	guint64 t = iot_tl_rel(paje->tl, start ? iot_link_from(item) : iot_link_to(item));
	char container[32], *p = line;

	set_container(container, start ? item->row : item->row_to,
		      start ? item->lane : item->lane_to);
	p += g_snprintf(p, 16, "%u ", start ? PAJE_FIRST_FREE + item->type : PAJE_END_LINK);
	p = iot_digits_seconds(p, t);
	p += g_snprintf(p, 160, " %s 0 %s v%u %" G_GUINT64_FORMAT, type->alias, container,
			item->cat, paje->n_links);
	if (start)
		p = paje_line_attrs(paje, p, &type->use, item);
	*p++ = '\n';
	return (gsize)(p - line);
}

/* At the present time of the body. */
static gboolean add_line(struct paje *paje, const char *line, gsize len, GError **error)
{
	struct iot_out *body = paje->body;

	if (body->size - body->used < PAJE_LINE_ROOM && !paje_file_flush(paje, error))
		return FALSE;
	memcpy(body->buffer + body->used, line, len);
	body->used += len;
	return TRUE;
}

gboolean paje_link_add(struct paje *paje, const struct iot_item *item, GError **error)
{
	gboolean backwards = (item->flags & IOT_BACKWARDS) != 0;
	const struct paje_link_type *type = find_type(paje, item, error);
	char line[PAJE_LINE_ROOM];
	gsize len;

	if (!type)
		return FALSE;
	paje->n_links++;
	len = make_line(paje, type, item, !backwards, line);
	if (item->t0 < item->t1) {
		if (!paje_late_add(paje, iot_tl_rel(paje->tl, item->t0), line, len, error))
			return FALSE;
	} else if (!add_line(paje, line, len, error)) {
		return FALSE;
	}
	len = make_line(paje, type, item, backwards, line);
	return add_line(paje, line, len, error);
}
