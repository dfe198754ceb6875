/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"

#include <string.h>

/* The distance of two words: insertions, deletions, changes and swaps of neighbours. */
static guint edit_distance(const char *a, const char *b)
{
	guint row[3][32] = { 0 };
	gsize na = strlen(a), nb = strlen(b);

	if (na >= 32 || nb >= 32)
		return G_MAXUINT;
	for (gsize j = 0; j <= nb; j++)
		row[0][j] = (guint)j;
	for (gsize i = 1; i <= na; i++) {
		guint *now = row[i % 3];
		const guint *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (guint)i;
		for (gsize j = 1; j <= nb; j++) {
			now[j] = MIN(MIN(last[j], now[j - 1]) + 1,
				     last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = MIN(now[j], before[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

const char *iot_nearest_name(const char *typed, const char *const *names)
{
	const char *nearest = NULL;
	guint best = MAX(2, (guint)strlen(typed) / 3) + 1;

	if (strlen(typed) < 2)
		return NULL;
	for (; *names; names++) {
		guint distance = g_str_has_prefix(*names, typed) ? 1 : edit_distance(typed, *names);

		if (distance < best && distance < strlen(*names)) {
			best = distance;
			nearest = *names;
		}
	}
	return nearest;
}
