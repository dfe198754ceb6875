/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"

#include <limits.h>
#include <string.h>

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* The distance of two words: insertions, deletions, changes and swaps of neighbours. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[3][32] = { 0 };
	size_t na = strlen(a), nb = strlen(b);

	if (na >= 32 || nb >= 32)
		return UINT_MAX;
	for (size_t j = 0; j <= nb; j++)
		row[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned int *now = row[i % 3];
		const unsigned int *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = least(least(last[j], now[j - 1]) + 1,
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

const char *iot_nearest_name(const char *typed, const char *const *names)
{
	const char *nearest = NULL;
	size_t len = strlen(typed);
	unsigned int best = len < 6 ? 3 : (unsigned int)len / 3 + 1;

	if (len < 2)
		return NULL;
	for (; *names; names++) {
		unsigned int distance =
			strncmp(*names, typed, len) ? edit_distance(typed, *names) : 1;

		if (distance < best && distance < strlen(*names)) {
			best = distance;
			nearest = *names;
		}
	}
	return nearest;
}
