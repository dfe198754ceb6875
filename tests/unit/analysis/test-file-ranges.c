/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments of a file against an array with an element for each byte: with room for all segments
 * each dependence of each byte is reported; with little room none is invented, and the time of the
 * access before is within what is reported.
 */
#include "analysis/file-ranges.h"

#include "unit.h"

#include <string.h>

enum { BYTES = 400, USERS = 4, ACCESSES = 3000 };

struct byte {
	guint32 writer, reader[2];
	guint64 written, read[2];
};

struct world {
	struct byte byte[BYTES];
	struct iot_file_ranges ranges;
	struct iot_range_budget budget;
	const struct iot_range_access *access;
	guint64 n_true, n_reported, n_false;
};

/* What the access before was, by the byte; 0: there was none. */
static guint32 before(const struct world *world, enum iot_range_kind kind, guint64 at, guint64 *out)
{
	const struct byte *byte = &world->byte[at];
	guint other = byte->reader[0] == world->access->who;

	switch (kind) {
	case IOT_RANGE_WRITE_WRITE:
	case IOT_RANGE_WRITE_READ:
		*out = byte->written;
		return byte->writer;
	case IOT_RANGE_READ_WRITE:
		*out = byte->read[other];
		return byte->reader[other];
	case IOT_RANGE_READ_READ:
		*out = byte->read[0];
		return byte->reader[0];
	case IOT_RANGE_KINDS:
		break;
	}
	return 0;
}

static void check_piece(gpointer data, const struct iot_range_piece *piece)
{
	struct world *world = data;

	for (guint64 at = piece->from; at < piece->to; at++) {
		guint64 end_ns = 0;
		guint32 who = before(world, piece->kind, at, &end_ns);

		world->n_reported++;
		world->n_false +=
			who != piece->who || end_ns < piece->first_end || end_ns > piece->last_end;
	}
}

static void count_true(struct world *world)
{
	for (guint64 at = world->access->from; at < world->access->to; at++)
		for (guint kind = 0; kind < IOT_RANGE_KINDS; kind++) {
			gboolean of_write =
				kind == IOT_RANGE_WRITE_WRITE || kind == IOT_RANGE_READ_WRITE;
			guint64 end_ns;

			if (of_write == world->access->is_write)
				world->n_true += before(world, kind, at, &end_ns) != 0;
		}
}

static void touch_bytes(struct world *world)
{
	const struct iot_range_access *access = world->access;

	for (guint64 at = access->from; at < access->to; at++) {
		struct byte *byte = &world->byte[at];

		if (access->is_write) {
			*byte = (struct byte){ .writer = access->who, .written = access->end_ns };
			continue;
		}
		if (byte->reader[0] != access->who) {
			byte->reader[1] = byte->reader[0];
			byte->read[1] = byte->read[0];
		}
		byte->reader[0] = access->who;
		byte->read[0] = access->end_ns;
	}
}

static void run(struct world *world, guint max_of_file, guint max_of_all)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	memset(world, 0, sizeof(*world));
	iot_range_budget_init(&world->budget);
	world->budget.max_of_file = max_of_file;
	world->budget.max_of_all = max_of_all;
	for (guint i = 0; i < ACCESSES; i++) {
		struct iot_range_access access = { .from = (guint)g_rand_int_range(rand, 0, BYTES),
						   .end_ns = i + 1 };

		if (g_rand_int_range(rand, 0, 60) == 0) {
			iot_file_ranges_cut(&world->ranges, &world->budget, access.from);
			memset(&world->byte[access.from], 0,
			       (BYTES - access.from) * sizeof(struct byte));
			continue;
		}
		access.to = access.from + (guint)g_rand_int_range(rand, 1, 40);
		access.to = MIN(access.to, BYTES);
		access.who = (guint)g_rand_int_range(rand, 1, USERS + 1);
		access.is_write = g_rand_boolean(rand);
		world->access = &access;
		count_true(world);
		iot_file_ranges_access(&world->ranges, &world->budget, &access, check_piece, world);
		touch_bytes(world);
		CU_ASSERT(world->ranges.segments->len <= max_of_file);
		CU_ASSERT_EQUAL(world->ranges.segments->len, world->budget.n);
	}
	CU_ASSERT_EQUAL(world->n_false, 0);
	iot_file_ranges_clear(&world->ranges, &world->budget);
	CU_ASSERT_EQUAL(world->budget.n, 0);
}

UNIT_TEST(each_byte_is_found_with_room)
{
	struct world world;

	run(&world, IOT_FILE_SEGMENTS, IOT_ALL_SEGMENTS);
	CU_ASSERT(world.n_true > 10000);
	CU_ASSERT_EQUAL(world.n_reported, world.n_true);
	CU_ASSERT_FALSE(world.ranges.joined || world.ranges.evicted);
}

UNIT_TEST(nothing_is_invented_with_little_room)
{
	struct world world;

	run(&world, 20, IOT_ALL_SEGMENTS);
	CU_ASSERT(world.ranges.joined);
	CU_ASSERT(world.ranges.evicted);
	CU_ASSERT(world.n_reported < world.n_true);
	CU_ASSERT(world.n_reported > 0);
	CU_ASSERT(world.budget.n_evicted > 0);
	run(&world, 20, 10);
	CU_ASSERT(world.ranges.evicted);
}

/* A program that writes one block after the other: its segments are joined, and none is evicted. */
UNIT_TEST(blocks_of_one_writer_are_joined)
{
	struct world world = { 0 };

	iot_range_budget_init(&world.budget);
	for (guint i = 0; i < 4 * IOT_FILE_SEGMENTS; i++) {
		const struct iot_range_access access = {
			.from = i, .to = i + 1, .who = 1, .is_write = TRUE, .end_ns = i
		};

		iot_file_ranges_access(&world.ranges, &world.budget, &access, check_piece, &world);
	}
	CU_ASSERT(world.ranges.joined);
	CU_ASSERT_FALSE(world.ranges.evicted);
	CU_ASSERT(world.ranges.segments->len <= IOT_FILE_SEGMENTS);
	CU_ASSERT_EQUAL(world.n_reported, 0);
	iot_file_ranges_clear(&world.ranges, &world.budget);
}
