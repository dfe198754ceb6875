/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of programs: many releases are joined and counted, locks beyond the limit are forgotten. */
#include "analysis/program-locks.h"

#include "unit.h"

struct world {
	struct iot_timeline *tl;
	struct iot_before *before;
	struct iot_program_locks *locks;
};

static void open_world(struct world *world)
{
	world->tl = iot_timeline_new();
	world->before = iot_before_new();
	world->locks = iot_program_locks_new(world->tl, world->before);
}

static guint close_world(struct world *world)
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);

	iot_program_locks_notes(world->locks, notes);
	iot_program_locks_free(world->locks);
	iot_before_free(world->before);
	iot_timeline_free(world->tl);
	return notes->len;
}

static void set(struct world *world, guint process, guint64 unit, enum iot_file_lock_mode mode,
		guint64 t)
{
	const struct iot_locked what = { .lock = 1, .first = unit, .last = unit };

	if (mode == IOT_FILE_LOCK_FREE)
		iot_program_locks_leave(world->locks, process, &what, TRUE, t - 1);
	iot_program_locks_set(world->locks, process, &what, iot_lock_mode_of(mode), t);
}

/* One machine, so that no clock is asked. Each process has a byte of its own; then one gets all. */
UNIT_TEST(releases_that_are_joined_make_order)
{
	const struct iot_locked all = { .lock = 1, .last = G_MAXUINT64 };
	struct world world;
	guint last, n = 2 * IOT_LOCK_RELEASES;

	open_world(&world);
	iot_program_locks_need_order(world.locks);
	for (guint i = 0; i < n; i++) {
		guint process = iot_before_process(world.before, 1, i + 1, i + 1);

		set(&world, process, i, IOT_FILE_LOCK_EXCLUSIVE, 10 * i + 2);
		set(&world, process, i, IOT_FILE_LOCK_FREE, 10 * i + 5);
	}
	last = iot_before_process(world.before, 1, 1000, 1000);
	iot_program_locks_set(world.locks, last, &all, iot_lock_mode_of(IOT_FILE_LOCK_SHARED),
			      100000);
	for (guint i = 0; i < n; i++)
		CU_ASSERT_EQUAL(iot_before_reach(world.before, last, 100000, i), 10 * i + 4);
	CU_ASSERT_EQUAL(close_world(&world), 1);
}

/* A release before the first access carries nothing; what is held then makes order when it is given
 * up. */
UNIT_TEST(locks_that_are_held_at_the_first_access_make_order)
{
	struct world world;
	guint first, second;

	open_world(&world);
	first = iot_before_process(world.before, 1, 1, 1);
	second = iot_before_process(world.before, 1, 2, 2);
	set(&world, first, 0, IOT_FILE_LOCK_EXCLUSIVE, 10);
	set(&world, first, 0, IOT_FILE_LOCK_FREE, 20);
	set(&world, second, 0, IOT_FILE_LOCK_EXCLUSIVE, 30);
	CU_ASSERT_EQUAL(iot_before_reach(world.before, second, 40, first), 0);
	iot_program_locks_need_order(world.locks);
	set(&world, second, 0, IOT_FILE_LOCK_FREE, 50);
	set(&world, first, 0, IOT_FILE_LOCK_EXCLUSIVE, 60);
	CU_ASSERT_EQUAL(iot_before_reach(world.before, first, 60, second), 49);
	CU_ASSERT_EQUAL(close_world(&world), 0);
}

UNIT_TEST(locks_beyond_the_limit_are_forgotten)
{
	struct world world;
	GArray *held;
	guint process;

	open_world(&world);
	process = iot_before_process(world.before, 1, 1, 1);
	for (guint i = 0; i < IOT_LOCKS_HELD + 3; i++)
		set(&world, process, 2 * i, IOT_FILE_LOCK_SHARED, i + 1);
	held = iot_program_locks_held(world.locks, process);
	CU_ASSERT_EQUAL(held->len, IOT_LOCKS_HELD);
	g_array_unref(held);
	CU_ASSERT_EQUAL(close_world(&world), 1);
}

/* A lock in the middle of another one cuts it, and what an access has kept does not change. */
UNIT_TEST(pieces_of_a_lock_are_given_up)
{
	const struct iot_locked all = { .lock = 1, .last = 99 };
	struct world world;
	GArray *before, *after;
	guint process;

	open_world(&world);
	iot_program_locks_need_order(world.locks);
	process = iot_before_process(world.before, 1, 1, 1);
	iot_program_locks_set(world.locks, process, &all, iot_lock_mode_of(IOT_FILE_LOCK_SHARED),
			      5);
	before = iot_program_locks_held(world.locks, process);
	set(&world, process, 50, IOT_FILE_LOCK_FREE, 10);
	after = iot_program_locks_held(world.locks, process);
	CU_ASSERT_EQUAL(before->len, 1);
	CU_ASSERT_EQUAL(after->len, 2);
	for (guint i = 0; i < 2; i++) {
		const struct iot_lock_held *piece = &g_array_index(after, struct iot_lock_held, i);

		CU_ASSERT(piece->what.last < 50 || piece->what.first > 50);
		CU_ASSERT_EQUAL(piece->since, 5);
	}
	g_array_unref(before);
	g_array_unref(after);
	CU_ASSERT_EQUAL(close_world(&world), 0);
}
