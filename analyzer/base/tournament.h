/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The smallest of many keys, when only the smallest key changes: a tree in which each node holds
 * the smaller of its two children. A heap takes fewer steps if the new key is small, but each step
 * has two comparisons whose branches cannot be predicted; here the comparisons select data and
 * branch nowhere. Among equal keys the first player wins. Not thread safe.
 */
#ifndef IOT_BASE_TOURNAMENT_H
#define IOT_BASE_TOURNAMENT_H

#include <glib.h>

/* A zeroed struct has no players. */
struct iot_tournament {
	guint n, size;	 /* players, and a power of two that is not less */
	guint64 *key;	 /* of each player, then G_MAXUINT64 up to size */
	guint32 *winner; /* [1] of all players, [2] and [3] of the halves, ... */
};

/** iot_tournament_set - start again with @n players and their keys (copied) */
void iot_tournament_set(struct iot_tournament *tournament, const guint64 *key, guint n);
void iot_tournament_clear(struct iot_tournament *tournament);

/** iot_tournament_winner - the player with the smallest key; there must be one */
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
