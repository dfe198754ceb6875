/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/ring-page.h"
#include "unit.h"

enum { PAGE = 256 };

#define LOST   0x80000000u
#define STORED 0x40000000u

/* A page that is written word by word; "used" counts the words after the header. */
struct made {
	struct iot_ring_layout layout;
	guint8 data[PAGE];
	guint used;
};

static const struct iot_ring_layout layouts[] = {
	{ FALSE, 8 },
	{ FALSE, 4 },
	{ TRUE, 8 },
	{ TRUE, 4 },
};

static void store(const struct made *m, guint8 *p, guint64 v, guint size)
{
	for (guint i = 0; i < size; i++)
		p[m->layout.big_endian ? size - 1 - i : i] = (guint8)(v >> (8 * i));
}

static struct made page_new(const struct iot_ring_layout *layout, guint64 ts)
{
	struct made m = { .layout = *layout };

	store(&m, m.data, ts, 8);
	return m;
}

static void put(struct made *m, guint32 word)
{
	store(m, m->data + iot_ring_header_size(&m->layout) + 4 * m->used++, word, 4);
}

static void put_head(struct made *m, guint32 type, guint32 delta)
{
	put(m, m->layout.big_endian ? type << 27 | delta : delta << 5 | type);
}

/* A short event with @n words, each @value. */
static void put_event(struct made *m, guint32 delta, guint n, guint32 value)
{
	put_head(m, n, delta);
	while (n--)
		put(m, value);
}

static struct iot_ring_page start(struct made *m, guint32 valid, guint32 flags)
{
	struct iot_ring_page page;

	store(m, m->data + 8, valid | flags, m->layout.commit_size);
	iot_ring_page_init(&page, &m->layout, m->data, PAGE);
	return page;
}

static struct iot_ring_page start_all(struct made *m)
{
	return start(m, 4 * m->used, 0);
}

static void expect(struct iot_ring_page *page, guint64 ts, guint32 size, guint32 value)
{
	struct iot_ring_event event;

	CU_ASSERT_TRUE_FATAL(iot_ring_page_next(page, &event));
	CU_ASSERT_EQUAL(page->ts, ts);
	CU_ASSERT_EQUAL(event.size, size);
	if (size)
		CU_ASSERT_EQUAL(iot_load_u32(event.payload, page->big_endian), value);
}

static void expect_end(struct iot_ring_page *page, gboolean damaged)
{
	struct iot_ring_event event;

	for (int i = 0; i < 2; i++)
		CU_ASSERT_FALSE(iot_ring_page_next(page, &event));
	CU_ASSERT_EQUAL(page->damaged, damaged);
}

#define EACH_LAYOUT(layout)                                  \
	for (const struct iot_ring_layout *layout = layouts; \
	     layout < layouts + G_N_ELEMENTS(layouts); layout++)

UNIT_TEST(known_bytes)
{
	/* little endian, 64 bit: two events of a recording, written down by hand */
	static const guint8 bytes[] = {
		0x40, 0x42, 0x0f, 0, 0,	   0, 0, 0, 20, 0,  0,	0,
		0,    0,    0,	  0, 0x21, 0, 0, 0, 1,	2,  3,	4,  /* one word, delta 1 */
		0x62, 0,    0,	  0, 5,	   6, 7, 8, 9,	10, 11, 12, /* two words, delta 3 */
	};
	struct iot_ring_page page;

	iot_ring_page_init(&page, &layouts[0], bytes, sizeof(bytes));
	CU_ASSERT_FALSE(page.lost);
	expect(&page, 1000001, 4, 0x04030201);
	expect(&page, 1000004, 8, 0x08070605);
	expect_end(&page, FALSE);
}

UNIT_TEST(deltas_accumulate)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_event(&m, 0, 1, 0xa1a2a3a4);
		put_event(&m, 5, 28, 0xb1b2b3b4);
		put_event(&m, 0x7ffffff, 2, 0xc1c2c3c4);
		page = start_all(&m);
		CU_ASSERT_FALSE(page.lost);
		expect(&page, 1000, 4, 0xa1a2a3a4);
		expect(&page, 1005, 112, 0xb1b2b3b4);
		expect(&page, 1005 + 0x7ffffff, 8, 0xc1c2c3c4);
		expect_end(&page, FALSE);
	}
}

UNIT_TEST(long_events_have_a_length_word)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_head(&m, 0, 7);
		put(&m, 4 + 10); /* padded to three words */
		for (int i = 0; i < 3; i++)
			put(&m, 0x01020304);
		put_head(&m, 0, 1);
		put(&m, 4); /* no payload at all */
		put_event(&m, 2, 1, 0x05060708);
		page = start_all(&m);
		expect(&page, 1007, 10, 0x01020304);
		expect(&page, 1008, 0, 0);
		expect(&page, 1010, 4, 0x05060708);
		expect_end(&page, FALSE);
	}
}

UNIT_TEST(extended_and_absolute_times)
{
	const guint64 top = G_GUINT64_CONSTANT(0xa8) << 56;

	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, top + 1000);
		struct iot_ring_page page;

		put_head(&m, 30, 3);
		put(&m, 2);
		put_event(&m, 4, 1, 1);
		/* the upper five bits are those of the time so far */
		put_head(&m, 31, 9);
		put(&m, 0xffffffff);
		put_event(&m, 1, 1, 2);
		put_head(&m, 31, 500);
		put(&m, 0);
		put_event(&m, 0, 1, 3);
		page = start_all(&m);
		expect(&page, top + 1000 + 3 + (2 << 27) + 4, 4, 1);
		expect(&page, top + (G_GUINT64_CONSTANT(0xffffffff) << 27) + 9 + 1, 4, 2);
		expect(&page, top + 500, 4, 3);
		expect_end(&page, FALSE);
	}
}

UNIT_TEST(padding)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		/* a discarded event of three words, counted with its length */
		put_head(&m, 29, 6);
		put(&m, 12);
		put(&m, 0xdead);
		put(&m, 0xdead);
		put_event(&m, 1, 1, 1);
		/* the rest is not used */
		put_head(&m, 29, 0);
		put(&m, 0xdead);
		put_event(&m, 1, 1, 2);
		page = start_all(&m);
		expect(&page, 1007, 4, 1);
		expect_end(&page, FALSE);
		/* a lone word is enough for that */
		page = start(&m, 7 * 4, 0);
		expect(&page, 1007, 4, 1);
		expect_end(&page, FALSE);
	}
}

UNIT_TEST(losses)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_event(&m, 0, 1, 1);
		store(&m, m.data + iot_ring_header_size(layout) + 8, 77, layout->commit_size);
		page = start(&m, 8, 0);
		CU_ASSERT_FALSE(page.lost);
		page = start(&m, 8, LOST);
		CU_ASSERT_TRUE(page.lost);
		CU_ASSERT_EQUAL(page.n_lost, G_MAXUINT64);
		page = start(&m, 8, LOST | STORED);
		CU_ASSERT_TRUE(page.lost);
		CU_ASSERT_EQUAL(page.n_lost, 77);
		expect(&page, 1000, 4, 1);
		expect_end(&page, FALSE);
		store(&m, m.data + iot_ring_header_size(layout) + 8, 0, layout->commit_size);
		CU_ASSERT_EQUAL(start(&m, 8, LOST | STORED).n_lost, G_MAXUINT64);
	}
}

/* The kernel adds the flag as a negative int. */
UNIT_TEST(losses_as_64_bit_kernels_store_them)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		if (layout->commit_size != 8)
			continue;
		put_event(&m, 0, 1, 1);
		store(&m, m.data + iot_ring_header_size(layout) + 8, 77, 8);
		store(&m, m.data + 8, G_GUINT64_CONSTANT(0xffffffffc0000008), 8);
		iot_ring_page_init(&page, layout, m.data, PAGE);
		CU_ASSERT_TRUE(page.lost);
		CU_ASSERT_EQUAL(page.n_lost, 77);
		expect(&page, 1000, 4, 1);
		expect_end(&page, FALSE);
		/* without the flag these bits contradict themselves */
		store(&m, m.data + 8, G_GUINT64_CONSTANT(0xffffffff00000008), 8);
		iot_ring_page_init(&page, layout, m.data, PAGE);
		expect_end(&page, TRUE);
	}
}

UNIT_TEST(lost_count_does_not_fit)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		gsize room = PAGE - iot_ring_header_size(layout);
		struct iot_ring_page page;

		page = start(&m, (guint32)(room - layout->commit_size + 4), LOST | STORED);
		CU_ASSERT_TRUE(page.lost);
		CU_ASSERT_EQUAL(page.n_lost, G_MAXUINT64);
	}
}

UNIT_TEST(headers_that_cannot_be)
{
	EACH_LAYOUT(layout)
	{
		gsize room = PAGE - iot_ring_header_size(layout);
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_event(&m, 0, 1, 1);
		page = start(&m, (guint32)room + 4, 0);
		CU_ASSERT_TRUE(page.damaged);
		page = start(&m, 8, 1u << 28);
		expect_end(&page, TRUE);
		page = start(&m, 8, 0);
		iot_ring_page_init(&page, layout, m.data, iot_ring_header_size(layout) - 1);
		expect_end(&page, TRUE);
		iot_ring_page_init(&page, layout, m.data, 0);
		expect_end(&page, TRUE);
		/* a hole in the file */
		memset(m.data, 0, sizeof(m.data));
		iot_ring_page_init(&page, layout, m.data, PAGE);
		expect_end(&page, TRUE);
		/* but an empty page is none */
		m = page_new(layout, 1000);
		page = start(&m, 0, 0);
		expect_end(&page, FALSE);
	}
}

/* A good event, then @n words that end the page. */
static void violation(const struct iot_ring_layout *layout, guint32 type, guint32 delta, guint n,
		      guint32 next)
{
	struct made m = page_new(layout, 1000);
	struct iot_ring_page page;

	put_event(&m, 0, 1, 1);
	put_head(&m, type, delta);
	for (guint i = 1; i < n; i++)
		put(&m, next);
	page = start_all(&m);
	expect(&page, 1000, 4, 1);
	expect_end(&page, TRUE);
}

UNIT_TEST(violations_end_the_page)
{
	EACH_LAYOUT(layout)
	{
		violation(layout, 1, 1, 1, 0); /* no payload left */
		violation(layout, 2, 1, 2, 0); /* one word less than stated */
		violation(layout, 28, 1, 28, 0);
		violation(layout, 0, 1, 1, 0); /* no room for a length */
		violation(layout, 0, 1, 4, 3); /* length below its own size */
		violation(layout, 0, 1, 4, 0);
		violation(layout, 0, 1, 4, 13); /* one byte too long */
		violation(layout, 0, 1, 4, 0xffffffff);
		violation(layout, 0, 1, 4, 0xfffffffd); /* wraps around when padded */
		violation(layout, 29, 1, 3, 3);		/* discarded, length below its own size */
		violation(layout, 29, 1, 3, 12);	/* discarded, too long */
		violation(layout, 29, 1, 3, 0xffffffff);
		violation(layout, 29, 1, 1, 0);
		violation(layout, 30, 1, 1, 0); /* half a time stamp */
		violation(layout, 31, 1, 1, 0);
	}
}

UNIT_TEST(discarded_event_without_length)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_head(&m, 29, 1);
		put(&m, 0);
		put(&m, 8); /* together with the word before this could be an event */
		put(&m, 1);
		page = start_all(&m);
		expect_end(&page, TRUE);
	}
}

UNIT_TEST(odd_number_of_valid_bytes)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_event(&m, 0, 1, 1);
		put_event(&m, 1, 1, 2);
		page = start(&m, 10, 0);
		expect(&page, 1000, 4, 1);
		expect_end(&page, TRUE);
	}
}

UNIT_TEST(cut_page_gives_what_is_there)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		struct iot_ring_page page;

		put_event(&m, 0, 1, 1);
		put_event(&m, 1, 1, 2);
		start_all(&m);
		iot_ring_page_init(&page, layout, m.data, iot_ring_header_size(layout) + 12);
		expect(&page, 1000, 4, 1);
		expect_end(&page, TRUE);
		/* cut after the last valid byte: nothing is missing */
		iot_ring_page_init(&page, layout, m.data, iot_ring_header_size(layout) + 16);
		expect(&page, 1000, 4, 1);
		expect(&page, 1001, 4, 2);
		expect_end(&page, FALSE);
	}
}

UNIT_TEST(plausible_pages)
{
	EACH_LAYOUT(layout)
	{
		struct made m = page_new(layout, 1000);
		guint64 first = 0, last = 0;

		put_event(&m, 5, 1, 1);
		put_event(&m, 6, 1, 2);
		start_all(&m);
		CU_ASSERT_TRUE(iot_ring_page_plausible(layout, m.data, PAGE, &first, &last));
		CU_ASSERT_EQUAL(first, 1005);
		CU_ASSERT_EQUAL(last, 1011);
		start(&m, 12, 0);
		CU_ASSERT_FALSE(iot_ring_page_plausible(layout, m.data, PAGE, NULL, NULL));
		start(&m, 0, 0);
		CU_ASSERT_FALSE(iot_ring_page_plausible(layout, m.data, PAGE, NULL, NULL));
	}
}
