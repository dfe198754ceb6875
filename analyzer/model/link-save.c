/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved state of links: counts, and ends in the order of arrival. Groups and lists follow from
 * them. */
#include "model/link-local.h"
#include "model/standalone-call.h"

#include <string.h>

/* Members of an end that are one bit. */
enum {
	UNDECIDED = 1 << 0,
	EXAMINED = 1 << 1,
	LATE = 1 << 2,
	STUCK = 1 << 3,
	SETTLED = 1 << 4,
	EXPIRES = 1 << 5,
	JOINED = 1 << 6,
	DOUBTFUL = 1 << 7,
	PLACED = 1 << 8,
	OF_OBJECT = 1 << 9,
	/* it is in its group */
	GROUPED = 1 << 10,
	HAS_CALL = 1 << 11,
	HAS_END = 1 << 12,
	CROWDED = 1 << 13,
	OPTIONAL = 1 << 14,
	/* end->stub */
	STUB_SHIFT = 15,
	ALL_BITS = (1 << (STUB_SHIFT + 2)) - 1,
};

static guint get_bits(const struct iot_link_end *end)
{
	return (end->undecided ? UNDECIDED : 0) | (end->examined ? EXAMINED : 0) |
	       (end->late ? LATE : 0) | (end->stuck ? STUCK : 0) | (end->settled ? SETTLED : 0) |
	       (end->optional ? OPTIONAL : 0) | (end->expires ? EXPIRES : 0) |
	       (end->joined ? JOINED : 0) | (end->doubtful ? DOUBTFUL : 0) |
	       (end->placed ? PLACED : 0) | (end->of_object ? OF_OBJECT : 0) |
	       (end->group ? GROUPED : 0) | (end->call ? HAS_CALL : 0) | (end->end ? HAS_END : 0) |
	       (end->group && end->group->crowded ? CROWDED : 0) | (guint)end->stub << STUB_SHIFT;
}

static guint number_of(GHashTable *numbers, const struct iot_link_end *end)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(numbers, end)) - 1;
}

static void save_end(struct iot_saver *s, const struct iot_link_end *end, GHashTable *numbers)
{
	const struct iot_link *link = end->side->link;
	const struct iot_link_group *group = end->group;
	guint bits = get_bits(end);

	iot_pack_uint(s->out, end->side->which);
	iot_pack_uint(s->out, bits);
	iot_save_rec(s, &end->start);
	if (bits & HAS_END)
		iot_save_rec(s, end->end);
	iot_pack_uint(s->out, end->t);
	iot_pack_uint(s->out, end->number);
	iot_pack_uint(s->out, end->until);
	for (guint i = 0; i < link->n_same; i++)
		iot_pack_uint(s->out, end->same[i]);
	if (bits & (PLACED | OF_OBJECT)) {
		iot_pack_uint(s->out, end->row);
		iot_pack_uint(s->out, end->lane);
		iot_pack_uint(s->out, end->end_number);
	}
	if (bits & HAS_CALL)
		iot_pack_uint(s->out, iot_standalone_call_saved(end->call));
	if (bits & GROUPED) {
		iot_pack_uint(s->out, group->texts);
		for (guint i = 0; i < link->n_keys; i++)
			iot_pack_uint(s->out, group->key[i]);
		iot_pack_uint(s->out, group->is_stuck ? group->deadline : 0);
	}
	/* in the order in which they will be drawn */
	for (const struct iot_link_end *other = end->waiting; other; other = other->waits_next)
		iot_pack_uint(s->out, number_of(numbers, other) + 1);
	iot_pack_uint(s->out, 0);
}

static void save_link(struct iot_saver *s, const struct iot_link *link)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
	guint n = 0;

	for (guint i = 0; i < IOT_LINK_N_COUNTS; i++)
		iot_pack_uint(s->out, link->count[i]);
	iot_pack_uint(s->out, link->evicted);
	iot_pack_uint(s->out, link->evicted_to);
	iot_pack_uint(s->out, link->n_ends);
	/* an end may be newer than the one that waits for it */
	for (struct iot_link_end *end = link->oldest; end; end = end->newer)
		g_hash_table_insert(numbers, end, GUINT_TO_POINTER(++n));
	for (const struct iot_link_end *end = link->oldest; end; end = end->newer)
		save_end(s, end, numbers);
	/* calls end in another order than they start */
	n = 0;
	for (const struct iot_link_end *end = link->expires; end; end = end->expires_next)
		n++;
	iot_pack_uint(s->out, n);
	for (const struct iot_link_end *end = link->expires; end; end = end->expires_next)
		iot_pack_uint(s->out, number_of(numbers, end));
	/* in the order of their deadlines, which may be equal */
	n = 0;
	for (const struct iot_link_group *group = link->stuck; group; group = group->stuck_next)
		n++;
	iot_pack_uint(s->out, n);
	for (const struct iot_link_group *group = link->stuck; group; group = group->stuck_next)
		iot_pack_uint(s->out, number_of(numbers, group->side[IOT_LINK_TO].first));
}

void iot_links_save(struct iot_saver *s)
{
	const struct iot_model *model = s->model;

	if (!model->links->len)
		return;
	iot_pack_uint(s->out, model->n_events);
	iot_pack_uint(s->out, (guint64)model->unordered);
	iot_unrecorded_save(model, s->out);
	for (guint i = 0; i < model->links->len; i++)
		save_link(s, model->links->pdata[i]);
}

/* ---- loading */

/* An end that was in its group, or only waits for a row. */
static struct iot_link_end *load_grouped(struct iot_loader *l, struct iot_link_side *side,
					 const struct iot_rec *rec, const struct iot_link_end *read,
					 guint bits)
{
	struct iot_link *link = side->link;
	guint64 key[IOT_MAX_LINK_KEYS] = { 0 }, deadline = 0;
	struct iot_link_group *group;
	struct iot_link_end *end;
	guint32 texts = 0;

	if (bits & GROUPED) {
		texts = (guint32)iot_unpack_uint(l->in, G_MAXUINT32);
		for (guint i = 0; i < link->n_keys; i++)
			key[i] = iot_unpack_uint(l->in, G_MAXUINT64);
		deadline = iot_unpack_uint(l->in, G_MAXUINT64);
	}
	group = iot_link_find_group(link, key, texts);
	iot_link_keep_group(group);
	group->deadline = MAX(group->deadline, deadline);
	group->crowded |= (bits & CROWDED) != 0;
	end = iot_link_new_end(side, group, rec);
	end->t = read->t;
	end->number = read->number;
	end->until = read->until;
	memcpy(end->same, read->same, sizeof(end->same));
	end->row = read->row;
	end->lane = read->lane;
	end->end_number = read->end_number;
	if (!(bits & GROUPED))
		iot_link_detach(link, end);
	iot_link_drop_group(link, group);
	return end;
}

static gboolean load_record(struct iot_loader *l, const struct iot_schema_event *wanted,
			    struct iot_rec *rec)
{
	const struct iot_event *event = iot_load_event(l);

	if (l->in->bad || event->index != wanted->index)
		return iot_unpack_fail(l->in);
	iot_load_rec(l, event, rec);
	return !l->in->bad;
}

union room {
	struct iot_rec rec;
	guint8 bytes[sizeof(struct iot_rec) + IOT_MAX_SLOTS * sizeof(union iot_val)];
};

/* @waiting: numbers of the ends that wait for it, and a 0, are appended */
static struct iot_link_end *load_end(struct iot_loader *l, struct iot_link *link, GArray *waiting)
{
	struct iot_link_side *side = &link->side[iot_unpack_uint(l->in, 1)];
	guint bits = (guint)iot_unpack_uint(l->in, ALL_BITS);
	struct iot_link_end read = { 0 }, *end;
	guint64 call = 0;
	union room start, last;

	if (!load_record(l, side->event, &start.rec) ||
	    ((bits & HAS_END) && (!side->pair || !load_record(l, side->pair->end, &last.rec))))
		return NULL;
	read.t = iot_unpack_uint(l->in, G_MAXUINT64);
	read.number = iot_unpack_uint(l->in, G_MAXUINT64);
	read.until = iot_unpack_uint(l->in, G_MAXUINT64);
	for (guint i = 0; i < link->n_same; i++)
		read.same[i] = iot_unpack_uint(l->in, G_MAXUINT64);
	if (bits & (PLACED | OF_OBJECT)) {
		read.row = (iot_row_id)iot_unpack_uint(l->in, l->model->tl->rows.n - 1);
		read.lane = (guint16)iot_unpack_uint(l->in, G_MAXUINT16);
		read.end_number = (guint8)iot_unpack_uint(l->in, G_MAXUINT8);
		if (!read.row || read.lane >= iot_row_at(l->model->tl, read.row)->n_lanes)
			iot_unpack_fail(l->in);
	}
	if (bits & HAS_CALL)
		call = iot_unpack_uint(l->in, G_MAXUINT32) + 1;
	if (l->in->bad || call > l->standalone->len || (call && (!side->pair || side->at_end))) {
		iot_unpack_fail(l->in);
		return NULL;
	}
	end = load_grouped(l, side, &start.rec, &read, bits);
	if (bits & HAS_END)
		end->end = g_memdup2(&last.rec, iot_rec_size(last.rec.event));
	end->joined = (bits & JOINED) != 0;
	end->doubtful = (bits & DOUBTFUL) != 0;
	end->placed = (bits & PLACED) != 0;
	end->of_object = (bits & OF_OBJECT) != 0;
	end->examined = (bits & EXAMINED) != 0;
	end->stub = (guint8)(bits >> STUB_SHIFT);
	if (call) {
		struct iot_link_end **chain;

		end->call = l->standalone->pdata[call - 1];
		chain = iot_standalone_call_links(end->call);
		end->call_next = *chain;
		*chain = end;
	}
	do {
		call = iot_unpack_uint(l->in, G_MAXUINT32);
		g_array_append_val(waiting, call);
	} while (call);
	if (!(bits & GROUPED))
		return end;
	end->late = (bits & LATE) != 0;
	end->stuck = (bits & STUCK) != 0;
	end->settled = (bits & SETTLED) != 0;
	end->optional = (bits & OPTIONAL) != 0;
	end->group->n_late += end->late;
	end->group->n_stuck += end->stuck;
	if (bits & UNDECIDED) {
		iot_link_undecided(link, end);
		if (end->examined && link->unexamined == end)
			link->unexamined = NULL;
	}
	return end;
}

static gboolean load_waiting(struct iot_loader *l, const struct iot_link *link,
			     const GPtrArray *ends, const GArray *waiting)
{
	guint side = link->gathers ? IOT_LINK_TO : IOT_LINK_FROM, n = 0;
	struct iot_link_end **at = NULL;

	for (guint i = 0; i < waiting->len; i++) {
		guint64 number = g_array_index(waiting, guint64, i);
		struct iot_link_end *one = ends->pdata[n], *other;

		if (!at)
			at = &one->waiting;
		if (!number) {
			n++;
			at = NULL;
			continue;
		}
		if (number > ends->len)
			return iot_unpack_fail(l->in);
		other = ends->pdata[number - 1];
		if (other->group || other->partner || other->side->which == side ||
		    one->side->which != side)
			return iot_unpack_fail(l->in);
		other->partner = one;
		*at = other;
		at = &other->waits_next;
	}
	return TRUE;
}

static gboolean load_lists(struct iot_loader *l, struct iot_link *link, const GPtrArray *ends)
{
	guint32 n = iot_unpack_count(l->in);

	for (; n && !l->in->bad && ends->len; n--) {
		struct iot_link_end *end = ends->pdata[iot_unpack_uint(l->in, ends->len - 1)];

		if (!end->group || end->expires)
			return iot_unpack_fail(l->in);
		iot_link_expire(link, end);
	}
	if (n)
		return iot_unpack_fail(l->in);
	for (n = iot_unpack_count(l->in); n && !l->in->bad && ends->len; n--) {
		struct iot_link_end *end = ends->pdata[iot_unpack_uint(l->in, ends->len - 1)];

		if (!end->group || !end->group->n_stuck || end->group->is_stuck)
			return iot_unpack_fail(l->in);
		iot_link_add_stuck(link, end->group);
	}
	return !n || iot_unpack_fail(l->in);
}

/* An end that nothing waits for would never be freed. */
static gboolean check_ends(struct iot_loader *l, const GPtrArray *ends)
{
	for (guint i = 0; i < ends->len; i++) {
		const struct iot_link_end *end = ends->pdata[i];

		if (!end->group && !end->call && !end->waiting && !end->partner)
			return iot_unpack_fail(l->in);
	}
	return TRUE;
}

static gboolean load_link(struct iot_loader *l, struct iot_link *link)
{
	g_autoptr(GPtrArray) ends = g_ptr_array_new();
	g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(guint64));

	for (guint i = 0; i < IOT_LINK_N_COUNTS; i++)
		link->count[i] = iot_unpack_uint(l->in, G_MAXUINT64);
	link->evicted = (gboolean)iot_unpack_uint(l->in, 1);
	link->evicted_to = iot_unpack_uint(l->in, G_MAXUINT64);
	for (guint32 n = iot_unpack_count(l->in); n; n--) {
		struct iot_link_end *end = load_end(l, link, waiting);

		if (!end || l->in->bad)
			return iot_unpack_fail(l->in);
		g_ptr_array_add(ends, end);
	}
	return load_waiting(l, link, ends, waiting) && load_lists(l, link, ends) &&
	       check_ends(l, ends);
}

gboolean iot_links_load(struct iot_loader *l)
{
	struct iot_model *model = l->model;

	if (!model->links->len)
		return TRUE;
	model->n_events = iot_unpack_uint(l->in, G_MAXUINT64);
	model->unordered = (gboolean)iot_unpack_uint(l->in, 1);
	if (!iot_unrecorded_load(model, l->in))
		return FALSE;
	for (guint i = 0; i < model->links->len; i++)
		if (!load_link(l, model->links->pdata[i]))
			return FALSE;
	model->links_due = 0;
	return TRUE;
}
