/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/park.h"
#include "unit.h"

#include <glib/gstdio.h>

enum { KEPT = 1000, STEPS = 20000, DEEPEST = 300 };

struct fixture {
	char *dir, *path;
	struct iot_out *out;
	struct iot_park park;
};

static void start(struct fixture *f, gsize bytes)
{
	f->dir = g_dir_make_tmp("iotrace-XXXXXX", NULL);
	f->path = g_build_filename(f->dir, "out", NULL);
	f->out = iot_out_open(f->path, NULL);
	iot_park_init(&f->park, f->out, bytes, "a test");
}

static void stop(struct fixture *f)
{
	iot_park_clear(&f->park);
	iot_out_free(f->out);
	CU_ASSERT_EQUAL(g_rmdir(f->dir), 0); /* the temporary file has no name */
	g_free(f->path);
	g_free(f->dir);
}

static void push(struct fixture *f, guint8 value, gsize len)
{
	guint8 *room = iot_park_push(&f->park, len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(room);
	memset(room, value, len);
}

static void expect(struct fixture *f, guint64 at, guint8 value, gsize len)
{
	const guint8 *bytes = iot_park_at(&f->park, at, len);
	gsize wrong = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	for (gsize i = 0; i < len; i++)
		wrong += bytes[i] != value;
	CU_ASSERT_EQUAL(wrong, 0);
}

/* A random walk up and down a stack some of whose elements are larger than its memory. */
static void walk(gsize kept, guint32 longest)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	struct {
		guint64 at;
		gsize len;
		guint8 value;
	} element[DEEPEST];
	struct fixture f;
	guint n = 0;

	start(&f, kept);
	for (guint i = 0; i < STEPS; i++) {
		guint k;

		if (n < DEEPEST && g_rand_int_range(rand, 0, DEEPEST) > (gint32)n) {
			element[n].at = iot_park_end(&f.park);
			element[n].len = 8 * (gsize)g_rand_int_range(rand, 1, (gint32)longest);
			element[n].value = (guint8)i;
			push(&f, element[n].value, element[n].len);
			n++;
		} else {
			n -= (guint)g_rand_int_range(rand, 1, (gint32)MIN(n, 4) + 1);
			iot_park_cut(&f.park, element[n].at);
		}
		if (!n)
			continue;
		k = (guint)g_rand_int_range(rand, 0, (gint32)n);
		expect(&f, element[k].at, element[k].value, element[k].len);
	}
	while (n--)
		expect(&f, element[n].at, element[n].value, element[n].len);
	stop(&f);
}

UNIT_TEST(park_gives_back_what_was_pushed)
{
	walk(KEPT, 40);
}

UNIT_TEST(park_keeps_nothing_when_nothing_may_be_kept)
{
	walk(0, 40);
}

UNIT_TEST(park_elements_larger_than_what_is_kept)
{
	walk(100, 400);
}

UNIT_TEST(park_that_is_large_enough_makes_no_file)
{
	struct fixture f;

	start(&f, KEPT);
	push(&f, 1, KEPT / 2);
	push(&f, 2, KEPT / 2);
	CU_ASSERT_PTR_NULL(f.park.file);
	push(&f, 3, 8);
	CU_ASSERT_PTR_NOT_NULL(f.park.file);
	expect(&f, 0, 1, KEPT / 2);
	stop(&f);
}

UNIT_TEST(park_without_a_place_for_its_file_is_an_error)
{
	struct fixture f;

	start(&f, KEPT);
	g_free(f.out->path);
	f.out->path = g_strdup("/nonexistent/folder/file");
	push(&f, 1, KEPT);
	CU_ASSERT_PTR_NULL(iot_park_push(&f.park, KEPT));
	CU_ASSERT(iot_out_failed(f.out));
	CU_ASSERT_PTR_NULL(iot_park_at(&f.park, 0, 8));
	stop(&f);
}
