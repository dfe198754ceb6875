/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/follow.h"
#include "base/error.h"

#include <string.h>

/* Links that are followed from one call. A chain of calls has dozens; where all are connected with
 * all, the first ones say more than all. */
enum { MAX_LINKS = 10000, LAST_PASS = 3 };

/* An instant on a lane of a row. */
struct place {
	iot_row_id row;
	guint16 lane;
	guint64 t;
};

/* One end of a link. */
struct end {
	struct place at;
	/* a from-end; links arrive and leave at this instant */
	guint8 leaves, passes;
	guint link;
	guint group; /* ends that lead to each other; 0: none yet */
};

/* The items shown on a lane: one, and all inside it. */
struct shown {
	struct place at; /* its begin */
	guint64 t1;
	gboolean connects;
	iot_type_id type;
	iot_cat_id cat;
	guint64 last; /* the latest t1 of this one and those before it on its lane */
};

struct iot_follow {
	char *name; /* of the attribute; NULL: "id" or "call" */
	char *value;
	gint64 number;
	gboolean is_number;
	struct iot_timeline *tl;
	guint look;	/* 1 or 2, or LAST_PASS; 0: before the first one */
	GArray *shown;	/* of struct shown; seeds first. In the last pass in the order of lanes */
	GArray *ends;	/* of struct end: from and to of each link; after the first look sorted */
	GArray *groups; /* of struct shown, by group - 1: the span, or an instant */
	guint n_links;
	guint n_seeds;
	GByteArray *followed; /* by link */
	guint next_link;      /* in the last pass */
	guint64 n_cut;
};

static gboolean parse_number(const char *text, gint64 *out)
{
	char *end;

	if (g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, out, NULL))
		return TRUE;
	*out = (gint64)g_ascii_strtoull(text, &end, 0);
	return *text && !*end && g_ascii_isdigit(*text);
}

struct iot_follow *iot_follow_new(const char *what, GError **error)
{
	const char *equals = strchr(what, '=');
	struct iot_follow *follow;

	if (!*what || equals == what || (equals && !equals[1])) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "\"%s\" is neither the id of a call nor ATTRIBUTE=VALUE, for "
			    "example 17, or lkb_id=0x1",
			    what);
		return NULL;
	}
	follow = g_new0(struct iot_follow, 1);
	follow->name = equals ? g_strndup(what, (gsize)(equals - what)) : NULL;
	follow->value = g_strdup(equals ? equals + 1 : what);
	follow->is_number = parse_number(follow->value, &follow->number);
	follow->shown = g_array_new(FALSE, TRUE, sizeof(struct shown));
	follow->ends = g_array_new(FALSE, TRUE, sizeof(struct end));
	follow->groups = g_array_new(FALSE, TRUE, sizeof(struct shown));
	follow->followed = g_byte_array_new();
	return follow;
}

void iot_follow_free(struct iot_follow *follow)
{
	if (!follow)
		return;
	g_free(follow->name);
	g_free(follow->value);
	g_array_unref(follow->shown);
	g_array_unref(follow->ends);
	g_array_unref(follow->groups);
	g_byte_array_unref(follow->followed);
	g_free(follow);
}

void iot_follow_begin(struct iot_follow *follow, struct iot_timeline *tl)
{
	follow->tl = tl;
	follow->next_link = 0;
	if (follow->look < LAST_PASS)
		follow->look++;
}

/* ---- the first look: seeds and links */

static gboolean is_asked(const struct iot_follow *follow, const struct iot_attr_def *attr)
{
	const char *name = iot_tl_str(follow->tl, attr->name);

	return follow->name ? !strcmp(name, follow->name)
			    : !strcmp(name, "id") || !strcmp(name, "call");
}

static gboolean has_value(const struct iot_follow *follow, const struct iot_attr_def *attr,
			  const union iot_attr *value)
{
	char digits[IOT_DIGITS_ROOM];

	if (attr->format != IOT_ATTR_STR)
		return follow->is_number && value->i == follow->number;
	return !strcmp(iot_tl_text(follow->tl, value->str, digits, NULL), follow->value);
}

static gboolean is_seed(const struct iot_follow *follow, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(follow->tl, item->type);

	for (guint i = 0; i < item->n_attrs && i < type->n_attrs; i++)
		if (is_asked(follow, &type->attr[i]) &&
		    has_value(follow, &type->attr[i], &item->attr[i]))
			return TRUE;
	return FALSE;
}

static struct shown shown_of(const struct iot_follow *follow, const struct iot_item *item)
{
	return (struct shown){
		.at = { item->row, item->lane, item->t0 },
		.t1 = item->t1,
		.connects = item->kind == IOT_ITEM_SPAN &&
			    iot_cat_at(follow->tl, item->cat)->role != IOT_ROLE_HOLD,
		.type = item->type,
		.cat = item->cat,
	};
}

static void collect(struct iot_follow *follow, const struct iot_item *item)
{
	gboolean seed = is_seed(follow, item);

	if (item->kind == IOT_ITEM_LINK) {
		struct end from = { .at = { item->row, item->lane, iot_link_from(item) },
				    .leaves = TRUE,
				    .link = follow->n_links };
		struct end to = { .at = { item->row_to, item->lane_to, iot_link_to(item) },
				  .link = follow->n_links };
		guint8 followed = seed;

		g_array_append_val(follow->ends, from);
		g_array_append_val(follow->ends, to);
		g_byte_array_append(follow->followed, &followed, 1);
		follow->n_links++;
	} else if (seed) {
		struct shown shown = shown_of(follow, item);

		g_array_append_val(follow->shown, shown);
	}
	follow->n_seeds += seed;
}

/* ---- the second look: spans at the ends of links */

static int compare_places(const struct place *a, const struct place *b)
{
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	return a->t < b->t ? -1 : a->t > b->t;
}

static gboolean same_lane(const struct place *a, const struct place *b)
{
	return a->row == b->row && a->lane == b->lane;
}

static gint compare_ends(gconstpointer pa, gconstpointer pb)
{
	const struct end *a = pa, *b = pb;
	int diff = compare_places(&a->at, &b->at);

	return diff ? diff : a->link < b->link ? -1 : a->link > b->link;
}

/* The first end on the lane of @span, or a later one, at its begin or later. */
static guint first_end(const struct iot_follow *follow, const struct shown *span)
{
	guint low = 0, high = follow->ends->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct end *end = &g_array_index(follow->ends, struct end, middle);

		if (compare_places(&end->at, &span->at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where one link arrives and another one leaves, one event is the reason: the sending of a message,
 * for instance. It need not have to do with the span around it, which may be that of another lock.
 */
static void mark_passing(struct iot_follow *follow)
{
	for (guint i = 0, next; i < follow->ends->len; i = next) {
		const struct end *first = &g_array_index(follow->ends, struct end, i), *end = first;
		gboolean both = FALSE;

		for (next = i; next < follow->ends->len; next++) {
			end = &g_array_index(follow->ends, struct end, next);
			if (compare_places(&first->at, &end->at))
				break;
			both |= end->leaves != first->leaves;
		}
		for (guint k = i; k < next; k++)
			g_array_index(follow->ends, struct end, k).passes = (guint8)both;
	}
}

/* The ends of links that have no inner span lead to this one. Inner spans are delivered first. */
static void connect_span(struct iot_follow *follow, const struct iot_item *item)
{
	struct shown span = shown_of(follow, item);
	gboolean any = FALSE;

	if (!span.connects)
		return;
	for (guint i = first_end(follow, &span); i < follow->ends->len; i++) {
		struct end *end = &g_array_index(follow->ends, struct end, i);

		if (!same_lane(&end->at, &span.at) || end->at.t > span.t1)
			break;
		if (end->group || (end->passes && end->at.t > span.at.t && end->at.t < span.t1))
			continue;
		if (!any)
			g_array_append_val(follow->groups, span);
		any = TRUE;
		end->group = follow->groups->len;
	}
}

gboolean iot_follow_observe(gpointer data, const struct iot_item *item, GError **error)
{
	struct iot_follow *follow = data;

	(void)error;
	if (item->kind == IOT_ITEM_GAP || item->kind == IOT_ITEM_SAMPLE)
		return TRUE;
	if (follow->look == 1)
		collect(follow, item);
	else if (item->kind == IOT_ITEM_SPAN)
		connect_span(follow, item);
	return TRUE;
}

/* ---- after the looks */

/* Ends without a span lead to the other ends of their lane and instant. */
static void connect_instants(struct iot_follow *follow)
{
	const struct end *before = NULL;

	for (guint i = 0; i < follow->ends->len; i++) {
		struct end *end = &g_array_index(follow->ends, struct end, i);

		if (!end->group && before && !compare_places(&before->at, &end->at))
			end->group = before->group;
		if (!end->group) {
			struct shown instant = { .at = end->at, .t1 = end->at.t };

			g_array_append_val(follow->groups, instant);
			end->group = follow->groups->len;
		}
		before = end;
	}
}

/* Positions of ends, by group and by link. */
struct graph {
	guint *first_of_group, *next_of_group; /* chains of positions + 1 */
	guint *end_of_link;		       /* two for each link */
};

static void make_graph(const struct iot_follow *follow, struct graph *graph)
{
	guint *filled = g_new0(guint, follow->n_links + 1);

	graph->first_of_group = g_new0(guint, follow->groups->len + 1);
	graph->next_of_group = g_new0(guint, follow->ends->len + 1);
	graph->end_of_link = g_new0(guint, 2 * (gsize)follow->n_links + 1);
	for (guint i = follow->ends->len; i-- > 0;) {
		const struct end *end = &g_array_index(follow->ends, struct end, i);

		graph->next_of_group[i] = graph->first_of_group[end->group];
		graph->first_of_group[end->group] = i + 1;
		graph->end_of_link[2 * end->link + filled[end->link]++] = i;
	}
	g_free(filled);
}

static void clear_graph(struct graph *graph)
{
	g_free(graph->first_of_group);
	g_free(graph->next_of_group);
	g_free(graph->end_of_link);
}

/* A group is reached; its span is shown. */
static void reach(struct iot_follow *follow, guint group, GByteArray *reached, GArray *queue)
{
	const struct shown *span = &g_array_index(follow->groups, struct shown, group - 1);

	if (reached->data[group])
		return;
	reached->data[group] = TRUE;
	g_array_append_val(queue, group);
	if (span->type)
		g_array_append_vals(follow->shown, span, 1);
}

static gboolean same_item(const struct shown *a, const struct shown *b)
{
	return !compare_places(&a->at, &b->at) && a->t1 == b->t1 && a->cat == b->cat;
}

/* Groups of the seeds: the spans that are seeds, and the ends of links that are. */
static void reach_seeds(struct iot_follow *follow, GByteArray *reached, GArray *queue)
{
	guint n_seeds = follow->shown->len;

	for (guint i = 0; i < n_seeds; i++) {
		struct shown seed = g_array_index(follow->shown, struct shown, i);

		for (guint j = first_end(follow, &seed); j < follow->ends->len; j++) {
			const struct end *end = &g_array_index(follow->ends, struct end, j);
			const struct shown *span =
				&g_array_index(follow->groups, struct shown, end->group - 1);

			if (!same_lane(&end->at, &seed.at) || end->at.t > seed.t1)
				break;
			if (seed.at.t == seed.t1 || same_item(span, &seed))
				reach(follow, end->group, reached, queue);
		}
	}
	for (guint i = 0; i < follow->ends->len; i++) {
		const struct end *end = &g_array_index(follow->ends, struct end, i);

		if (follow->followed->data[end->link])
			reach(follow, end->group, reached, queue);
	}
}

/* Breadth first, so that the nearest links are followed if there are too many. */
static void follow_links(struct iot_follow *follow)
{
	g_autoptr(GByteArray) reached = g_byte_array_new();
	g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(guint));
	struct graph graph;
	guint n = 0;

	make_graph(follow, &graph);
	g_byte_array_set_size(reached, follow->groups->len + 1);
	memset(reached->data, 0, reached->len);
	reach_seeds(follow, reached, queue);
	for (guint at = 0; at < queue->len; at++) {
		guint group = g_array_index(queue, guint, at);

		for (guint i = graph.first_of_group[group]; i; i = graph.next_of_group[i - 1]) {
			guint link = g_array_index(follow->ends, struct end, i - 1).link;

			if (follow->followed->data[link])
				continue;
			if (n == MAX_LINKS) {
				follow->n_cut++;
				continue;
			}
			follow->followed->data[link] = TRUE;
			n++;
			for (guint k = 0; k < 2; k++)
				reach(follow,
				      g_array_index(follow->ends, struct end,
						    graph.end_of_link[2 * link + k])
					      .group,
				      reached, queue);
		}
	}
	clear_graph(&graph);
}

static gint compare_shown(gconstpointer pa, gconstpointer pb)
{
	const struct shown *a = pa, *b = pb;

	return compare_places(&a->at, &b->at);
}

static void mark_last(struct iot_follow *follow)
{
	const struct shown *before = NULL;

	for (guint i = 0; i < follow->shown->len; i++) {
		struct shown *shown = &g_array_index(follow->shown, struct shown, i);

		shown->last = shown->t1;
		if (before && same_lane(&before->at, &shown->at))
			shown->last = MAX(before->last, shown->t1);
		before = shown;
	}
}

gboolean iot_follow_end(struct iot_follow *follow)
{
	follow->tl = NULL;
	if (follow->look == 1 && follow->n_links && follow->n_seeds) {
		g_array_sort(follow->ends, compare_ends);
		mark_passing(follow);
		return TRUE;
	}
	if (follow->look == 2) {
		connect_instants(follow);
		follow_links(follow);
	}
	g_array_sort(follow->shown, compare_shown);
	mark_last(follow);
	follow->look = LAST_PASS;
	return FALSE;
}

/* ---- the last pass */

/* Whether @shown has the item. Of spans only the begin decides, because of a begin nothing else is
 * known; spans of a lane nest. */
static gboolean covers(const struct iot_follow *follow, const struct shown *shown,
		       const struct iot_item *item)
{
	if (item->kind == IOT_ITEM_POINT)
		return item->t0 <= shown->t1 &&
		       (shown->at.t < shown->t1 || item->cat == shown->cat);
	if (item->t0 > shown->at.t)
		return item->t0 < shown->t1;
	return item->cat == shown->cat ||
	       (shown->at.t < shown->t1 &&
		iot_cat_at(follow->tl, item->cat)->role != IOT_ROLE_HOLD);
}

static gboolean shows_link(struct iot_follow *follow)
{
	return follow->next_link < follow->followed->len &&
	       follow->followed->data[follow->next_link++];
}

gboolean iot_follow_shows(struct iot_follow *follow, const struct iot_item *item)
{
	const struct place place = { item->row, item->lane, item->t0 };
	guint low = 0, high = follow->shown->len;

	if (item->kind == IOT_ITEM_LINK)
		return shows_link(follow);
	if (item->kind == IOT_ITEM_SAMPLE)
		return FALSE;
	/* the first one on the lane that begins after the item */
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct shown *shown = &g_array_index(follow->shown, struct shown, middle);

		if (compare_places(&shown->at, &place) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0) {
		const struct shown *shown = &g_array_index(follow->shown, struct shown, low);

		if (!same_lane(&shown->at, &place) || shown->last < item->t0)
			return FALSE;
		if (covers(follow, shown, item))
			return TRUE;
	}
	return FALSE;
}

char *iot_follow_missing(const struct iot_follow *follow)
{
	if (follow->n_seeds)
		return NULL;
	if (follow->name)
		return g_strdup_printf("--follow %s=%s: nothing that is drawn has this attribute "
				       "with this value",
				       follow->name, follow->value);
	return g_strdup_printf("--follow %s: nothing that is drawn has this value as its \"id\" or "
			       "\"call\"; other attributes are asked for by name (lkb_id=0x1)",
			       follow->value);
}

void iot_follow_count(const struct iot_follow *follow, struct iot_diag *diag)
{
	iot_diag_add(diag, IOT_DIAG_links_not_followed, follow->n_cut);
}
