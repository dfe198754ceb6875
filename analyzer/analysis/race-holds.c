/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of programs that the table of locks follows: those of the DLM, and fcntl's of a cluster. */
#include "analysis/races-local.h"

#include <string.h>

/* The part of the races in a lock of the table. */
struct raced {
	gboolean holds;
	guint process;
	struct iot_locked what;
};

/* The part in a resource. */
struct raced_resource {
	gboolean known, kernel; /* kernel: no program holds its locks */
};

static struct raced *raced_of(const struct iot_races *races, struct iot_lock *lock)
{
	return iot_locks_part(lock, races->of_lock);
}

static gboolean fits_one(const char *name, const char *lines)
{
	g_auto(GStrv) patterns = g_strsplit(lines, "\n", -1);

	for (guint i = 0; patterns[i]; i++)
		if (g_pattern_match_simple(patterns[i], name))
			return TRUE;
	return FALSE;
}

/* Whether programs hold the locks of the resource. */
static gboolean is_of_programs(const struct iot_races *races, const struct iot_lock *lock)
{
	const struct iot_timeline *tl = races->tl;
	const struct iot_type *type = iot_type_at(tl, lock->type);
	struct raced_resource *resource = iot_locks_part(lock->resource, races->of_resource);

	if (!type->orders)
		return FALSE;
	if (!resource->known && type->orders_not)
		resource->kernel =
			fits_one(iot_tl_str(tl, iot_row_at(tl, lock->resource->row)->name),
				 iot_tl_str(tl, type->orders_not));
	resource->known = TRUE;
	return !resource->kernel;
}

static void held(gpointer data, struct iot_lock *lock, const struct iot_item *item, guint64 t1)
{
	struct iot_races *races = data;
	struct raced *raced = raced_of(races, lock);

	(void)item;
	if (!raced->holds)
		return;
	raced->holds = FALSE;
	iot_program_locks_leave(races->locks, raced->process, &raced->what, FALSE, t1);
	iot_program_locks_set(races->locks, raced->process, &raced->what,
			      iot_lock_mode_of(IOT_FILE_LOCK_FREE), t1);
}

static void holds(gpointer data, struct iot_lock *lock, const struct iot_item *item)
{
	struct iot_races *races = data;
	const struct iot_type *type = iot_type_at(races->tl, lock->type);
	const struct iot_category *cat = iot_cat_at(races->tl, lock->hold.cat);
	struct raced *raced = raced_of(races, lock);
	gint64 thread = (gint64)iot_item_number(item, type->orders);

	/* With the answer to a call that gave it up, the lock is held again for an instant, in
	 * which somebody else may have it, or for longer if the call was refused, which is as good
	 * as never. */
	if (item->kind == IOT_ITEM_SPAN || !is_of_programs(races, lock) || !thread)
		return;
	raced->holds = TRUE;
	raced->process = iot_before_thread(races->before, lock->node, thread);
	/* numbers of files are even or odd below this bit */
	raced->what = (struct iot_locked){
		.lock = G_GUINT64_CONSTANT(1) << 63 | lock->resource->row,
		.last = G_MAXUINT64,
		.owner = (guint64)lock->row << 16 | lock->lane,
	};
	if (type->range_last) {
		raced->what.first = iot_item_number(item, type->range_first);
		raced->what.last = iot_item_number(item, type->range_last);
	}
	iot_program_locks_set(races->locks, raced->process, &raced->what,
			      (struct iot_lock_mode){ .mode = cat->mode, .with = cat->compatible },
			      lock->hold.t0);
}

void iot_races_listen(struct iot_races *races, struct iot_locks *table)
{
	const struct iot_locks_listener listener = { .holds = holds,
						     .held = held,
						     .user_data = races };

	races->of_lock = iot_locks_room_lock(table, sizeof(struct raced));
	races->of_resource = iot_locks_room_resource(table, sizeof(struct raced_resource));
	iot_locks_listen(table, &listener);
}

gboolean iot_races_want_locks(const struct iot_races *races)
{
	for (iot_type_id i = 1; i < races->tl->types.n; i++) {
		const struct iot_type *type = iot_type_at(races->tl, i);

		if (type->kind == IOT_TYPE_SPAN && type->orders)
			return TRUE;
	}
	return FALSE;
}
