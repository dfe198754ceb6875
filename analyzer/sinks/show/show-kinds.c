/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/show/show-kinds.h"

#include <string.h>

GArray *iot_show_kinds_new(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct iot_show_kind));
}

const struct iot_show_kind *iot_show_kinds_find(const GArray *kinds, iot_cat_id cat)
{
	for (guint i = 0; i < kinds->len; i++)
		if (g_array_index(kinds, struct iot_show_kind, i).cat == cat)
			return &g_array_index(kinds, struct iot_show_kind, i);
	return NULL;
}

struct iot_show_kind *iot_show_kinds_at(GArray *kinds, iot_cat_id cat)
{
	struct iot_show_kind kind = { .cat = cat };

	if (!iot_show_kinds_find(kinds, cat))
		g_array_append_val(kinds, kind);
	return (struct iot_show_kind *)iot_show_kinds_find(kinds, cat);
}

static int compare_cats(gconstpointer pa, gconstpointer pb)
{
	const struct iot_show_kind *a = pa, *b = pb;

	return a->cat < b->cat ? -1 : a->cat > b->cat;
}

struct letters {
	GArray *kinds;
	const struct iot_timeline *tl;
	int owner[26]; /* number of a kind, or -1 */
	gboolean tried[26];
};

/*
 * Find a letter of its name for a kind, moving other kinds to another letter of theirs if needed
 * (a matching by augmenting paths): PR and PW get R and P, so that PW need not take a digit.
 */
static gboolean assign(struct letters *letters, int number)
{
	const struct iot_show_kind *kind =
		&g_array_index(letters->kinds, struct iot_show_kind, number);
	const char *name = iot_tl_str(letters->tl, iot_cat_at(letters->tl, kind->cat)->name);

	for (; *name; name++) {
		int at = g_ascii_toupper(*name) - 'A';

		if (!g_ascii_isalpha(*name) || letters->tried[at])
			continue;
		letters->tried[at] = TRUE;
		if (letters->owner[at] < 0 || assign(letters, letters->owner[at])) {
			letters->owner[at] = number;
			return TRUE;
		}
	}
	return FALSE;
}

void iot_show_kinds_name(GArray *kinds, const struct iot_timeline *tl)
{
	struct letters letters = { .kinds = kinds, .tl = tl };
	gboolean waits = FALSE;
	char digit = '1';

	g_array_sort(kinds, compare_cats);
	memset(letters.owner, -1, sizeof(letters.owner));
	for (guint i = 0; i < kinds->len; i++) {
		struct iot_show_kind *kind = &g_array_index(kinds, struct iot_show_kind, i);
		const struct iot_category *cat = iot_cat_at(tl, kind->cat);

		memset(letters.tried, 0, sizeof(letters.tried));
		if (cat->role == IOT_ROLE_WAIT && !waits) {
			kind->letter = '#';
			waits = TRUE;
		} else if (!strcmp(iot_tl_str(tl, cat->name), "unknown")) {
			kind->letter = '?';
		} else if (!assign(&letters, (int)i)) {
			kind->letter = digit <= '9' ? digit++ : '*';
		}
	}
	for (int i = 0; i < 26; i++)
		if (letters.owner[i] >= 0)
			g_array_index(kinds, struct iot_show_kind, letters.owner[i]).letter =
				(char)('A' + i);
}
