/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who woke the thread of a slow call, and what the wakers did, in words. */
#include "analysis/slow-calls-local.h"

enum {
	/* Wakers of a thread that its sentence names, and of each what it did. */
	MAX_NAMED = 3,
	/* Wakers of a waker that a sentence names. */
	MAX_FOLLOWED = 2
};

/* The parts of one waker; of the others, waker 0. */
struct group {
	iot_row_id waker;
	iot_str interrupt;
	guint64 ns;
	guint32 wakers; /* of one of the parts */
};

static gboolean is_of(const struct iot_wakers *wakers, const struct iot_slow_part *part,
		      const struct group *group)
{
	const struct iot_waker *waker = iot_wakers_at(wakers, part->wakers);

	return part->wakers && group->waker == (waker ? waker->row : 0) &&
	       group->interrupt == (waker ? waker->interrupt : 0);
}

iot_row_id iot_slow_did_lock(const struct iot_timeline *tl, const struct iot_slow_part *part)
{
	const struct iot_category *cat = part->cat ? iot_cat_at(tl, part->cat) : NULL;

	if (!cat || (cat->role != IOT_ROLE_WAIT && cat->reason != 1 + IOT_REASON_LOCK))
		return 0;
	return iot_row_thing(tl, iot_row_node(tl, part->row));
}

void iot_slow_did_name(const struct iot_timeline *tl, const struct iot_wakers *wakers,
		       const struct iot_slow_part *part, GString *out)
{
	const struct iot_waker *last = iot_wakers_last(wakers, part->wakers);
	iot_row_id thing = iot_slow_did_lock(tl, part);
	g_autofree char *lock = thing ? iot_timeline_path(tl, thing, "/") : NULL;
	const char *call = part->asked ? iot_tl_str(tl, iot_cat_at(tl, part->asked)->name) : NULL;

	if (part->phase != IOT_PHASE_WORK) {
		if (part->phase == IOT_PHASE_MANY)
			g_string_append(out, "short parts");
		else
			iot_slow_part_name(tl, part, 0, out);
		return;
	}
	if (last && last->interrupt)
		return;
	if (last && last->cut)
		g_string_append(out, "asleep, not followed further");
	else if (lock)
		g_string_append_printf(out, "waited for %s", lock);
	else if (part->cat && iot_cat_reason(tl, part->cat) != IOT_REASON_NONE)
		g_string_append(out, iot_slow_spent(iot_cat_reason(tl, part->cat)));
	else if (part->cat && iot_cat_at(tl, part->cat)->sleeps)
		g_string_append(out, "asleep, waker not recorded");
	else if (part->cat)
		g_string_append(out, iot_tl_str(tl, iot_cat_at(tl, part->cat)->name));
	else
		g_string_append(out, "not recorded");
	if (call)
		g_string_append_printf(out, " in %s", call);
}

/* "woken by c 7: own work": what the waker of a thread did */
static char *name_of(const struct iot_timeline *tl, const struct iot_wakers *wakers,
		     const struct iot_slow_part *part)
{
	const struct iot_waker *first = iot_wakers_at(wakers, part->wakers);
	GString *name = g_string_new(NULL);

	if (first && first->next) {
		g_string_append(name, "asleep, ");
		iot_wakers_name(wakers, first->next, MAX_FOLLOWED, name);
	}
	if (name->len) {
		g_autoptr(GString) did = g_string_new(NULL);

		iot_slow_did_name(tl, wakers, part, did);
		g_string_append_printf(name, "%s%s", did->len ? ": " : "", did->str);
	} else {
		iot_slow_did_name(tl, wakers, part, name);
	}
	return g_string_free(name, FALSE);
}

/* " (60 % waited for a CPU, 4 % own work)" */
static void add_parts(const struct iot_timeline *tl, const struct iot_wakers *wakers,
		      const struct iot_slow_call *call, const struct group *group, GString *out)
{
	guint64 took = call->item.t1 - call->item.t0;
	guint n = 0;

	for (guint i = 0; i < call->n_parts && n < MAX_NAMED; i++) {
		const struct iot_slow_part *part = &call->part[i];
		g_autofree char *name = NULL;

		if (!is_of(wakers, part, group) || (n && part->ns * 100 < took))
			continue;
		name = name_of(tl, wakers, part);
		if (!*name)
			continue;
		g_string_append_printf(out, "%s%.0f %% %s", n++ ? ", " : " (",
				       (double)part->ns / (double)took * 100, name);
	}
	if (n)
		g_string_append_c(out, ')');
}

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct group *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->waker != b->waker)
		return a->waker < b->waker ? -1 : 1;
	return (a->interrupt > b->interrupt) - (a->interrupt < b->interrupt);
}

static GArray *find_groups(const struct iot_wakers *wakers, const struct iot_slow_call *call)
{
	GArray *groups = g_array_new(FALSE, FALSE, sizeof(struct group));

	for (guint i = 0; i < call->n_parts; i++) {
		const struct iot_slow_part *part = &call->part[i];
		const struct iot_waker *waker = iot_wakers_at(wakers, part->wakers);
		struct group new = { waker ? waker->row : 0, waker ? waker->interrupt : 0, part->ns,
				     part->wakers };
		guint k = 0;

		if (!part->wakers)
			continue;
		while (k < groups->len &&
		       !is_of(wakers, part, &g_array_index(groups, struct group, k)))
			k++;
		if (k < groups->len)
			g_array_index(groups, struct group, k).ns += part->ns;
		else
			g_array_append_val(groups, new);
	}
	g_array_sort(groups, by_time);
	return groups;
}

void iot_slow_sleeps_clauses(const struct iot_timeline *tl, const struct iot_wakers *wakers,
			     const struct iot_slow_call *call, GArray *clauses)
{
	g_autoptr(GArray) groups = find_groups(wakers, call);
	guint64 took = call->item.t1 - call->item.t0, rest = call->asleep_ns;
	struct iot_slow_clause clause = { .rank = 1 };

	for (guint i = 0; i < MIN(groups->len, MAX_NAMED); i++) {
		const struct group *group = &g_array_index(groups, struct group, i);
		GString *text = g_string_new("asleep, ");

		if (i && group->ns * 100 < took) {
			g_string_free(text, TRUE);
			break;
		}
		iot_wakers_first_name(wakers, group->wakers, text);
		add_parts(tl, wakers, call, group, text);
		clause = (struct iot_slow_clause){ group->ns, clauses->len, 0,
						   g_string_free(text, FALSE) };
		g_array_append_val(clauses, clause);
		rest -= group->ns;
	}
	clause = (struct iot_slow_clause){ rest, clauses->len, 1, NULL };
	if (!rest)
		return;
	clause.text = g_strdup("asleep, woken by others");
	g_array_append_val(clauses, clause);
}
