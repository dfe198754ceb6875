/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/tournament.h"
#include "unit.h"

enum { MAX_PLAYERS = 40 };

/* Small keys, so that there are ties, and the greatest, which is also that of nobody. */
static guint64 random_key(guint64 *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (*random >> 33) % 8 ? (*random >> 40) % 50 : G_MAXUINT64;
}

static guint first_of_smallest(const guint64 *key, guint n)
{
	guint first = 0;

	for (guint i = 1; i < n; i++)
		if (key[i] < key[first])
			first = i;
	return first;
}

UNIT_TEST(the_first_of_the_smallest_wins)
{
	struct iot_tournament tournament = { 0 };
	guint64 key[MAX_PLAYERS], random = 5;

	for (guint n = 1; n <= MAX_PLAYERS; n++) {
		for (guint i = 0; i < n; i++)
			key[i] = random_key(&random);
		iot_tournament_set(&tournament, key, n);
		for (guint step = 0; step < 200; step++) {
			guint first = first_of_smallest(key, n);

			CU_ASSERT_EQUAL_FATAL(iot_tournament_winner(&tournament), first);
			CU_ASSERT_EQUAL(iot_tournament_key(&tournament), key[first]);
			key[first] = random_key(&random);
			iot_tournament_replay(&tournament, key[first]);
		}
	}
	iot_tournament_set(&tournament, NULL, 0);
	CU_ASSERT_EQUAL(tournament.n, 0);
	iot_tournament_clear(&tournament);
}
