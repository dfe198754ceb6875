/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The smallest of many keys, of which only that one changes: a tree in which each node knows the
 * smaller one of the two below it. A heap needs fewer steps if the new key is small, but of two
 * comparisons for each, whose results cannot be predicted; here nothing depends on them but data.
 * Among equal keys the first player wins. Not thread safe.
 */
#ifndef IOT_BASE_TOURNAMENT_H
#define IOT_BASE_TOURNAMENT_H

#include <glib.h>

/* A zeroed struct has no players. */
struct iot_tournament {
	guint n, size;	 /* players, and a power of two that is not less */
	guint64 *key;	 /* of each player; behind them G_MAXUINT64 */
	guint32 *winner; /* [1] of all, [2] and [3] of the halves, ... */
};

/** iot_tournament_set - other players: @n with these keys (copied) */
void iot_tournament_set(struct iot_tournament *tournament, const guint64 *key, guint n);
void iot_tournament_clear(struct iot_tournament *tournament);

/** iot_tournament_winner - who has the smallest key; there must be a player */
static inline guint iot_tournament_winner(const struct iot_tournament *tournament)
{
	return tournament->winner[1];
}

static inline guint64 iot_tournament_key(const struct iot_tournament *tournament)
{
	return tournament->key[tournament->winner[1]];
}

/** iot_tournament_replay - the winner gets another key */
static inline void iot_tournament_replay(struct iot_tournament *tournament, guint64 key)
{
	guint32 *winner = tournament->winner;
	guint player = winner[1];

	tournament->key[player] = key;
	for (guint node = (tournament->size + player) / 2; node; node /= 2) {
		guint32 a = winner[2 * node], b = winner[2 * node + 1];

		winner[node] = tournament->key[b] < tournament->key[a] ? b : a;
	}
}

#endif
