/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/memo.h"

#include <string.h>

/* The greatest size of a key of four values is 400 KiB. */
enum { FIRST_PLACES = 16, MAX_PLACES = 8192 };

static gsize place_size(const struct iot_memo *memo)
{
	return (memo->n_values + 2) * sizeof(guint64);
}

/* What was in it is asked for again, and found out again. */
static void resize(struct iot_memo *memo, guint places)
{
	g_free(memo->words);
	memo->words = g_malloc0_n(places, place_size(memo));
	memo->mask = places - 1;
	memo->misses = 0;
}

guint64 *iot_memo_take(struct iot_memo *memo, const struct iot_memo_key *key)
{
	guint64 *place;

	if (!memo->words)
		resize(memo, FIRST_PLACES);
	else if (++memo->misses > 4 * memo->mask && memo->mask + 1 < MAX_PLACES)
		resize(memo, 2 * (memo->mask + 1));
	place = iot_memo_place(memo, key);
	place[0] = 0;
	place[1] = key->kinds;
	memcpy(place + 2, key->value, memo->n_values * sizeof(guint64));
	return place;
}

void iot_memo_clear(struct iot_memo *memo)
{
	g_clear_pointer(&memo->words, g_free);
}
