/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/tournament.h"

#include <string.h>

void iot_tournament_clear(struct iot_tournament *tournament)
{
	g_free(tournament->key);
	g_free(tournament->winner);
	*tournament = (struct iot_tournament){ 0 };
}

void iot_tournament_set(struct iot_tournament *tournament, const guint64 *key, guint n)
{
	guint size = 1;
	guint32 *winner;

	while (size < n)
		size *= 2;
	iot_tournament_clear(tournament);
	tournament->n = n;
	tournament->size = size;
	tournament->key = g_new(guint64, size);
	tournament->winner = winner = g_new(guint32, 2 * size);
	if (n)
		memcpy(tournament->key, key, n * sizeof(*key));
	for (guint i = n; i < size; i++)
		tournament->key[i] = G_MAXUINT64;
	for (guint i = 0; i < size; i++)
		winner[size + i] = i;
	for (guint node = size; node-- > 1;) {
		guint32 a = winner[2 * node], b = winner[2 * node + 1];

		winner[node] = tournament->key[b] < tournament->key[a] ? b : a;
	}
}
