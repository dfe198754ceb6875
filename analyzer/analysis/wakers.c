/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/wakers.h"
#include "analysis/item-thread.h"
#include "base/intern.h"

/* More chains are MANY. */
enum { MAX_CHAINS = 65536 };

struct iot_wakers {
	struct iot_timeline *tl;
	GArray *chains;	  /* struct iot_waker, by number */
	GHashTable *find; /* struct iot_waker -> number */
};

static guint waker_hash(gconstpointer data)
{
	const struct iot_waker *waker = data;

	return (guint)iot_hash_mix(iot_hash_mix(waker->row, waker->interrupt),
				   (guint64)waker->next << 1 | (guint)waker->cut);
}

static gboolean waker_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_waker *a = pa, *b = pb;

	return a->row == b->row && a->interrupt == b->interrupt && a->next == b->next &&
	       a->cut == b->cut;
}

struct iot_wakers *iot_wakers_new(struct iot_timeline *tl)
{
	struct iot_wakers *wakers = g_new0(struct iot_wakers, 1);

	wakers->tl = tl;
	wakers->chains = g_array_new(FALSE, TRUE, sizeof(struct iot_waker));
	g_array_set_size(wakers->chains, IOT_WAKERS_MANY + 1);
	wakers->find = g_hash_table_new_full(waker_hash, waker_equal, g_free, NULL);
	return wakers;
}

void iot_wakers_free(struct iot_wakers *wakers)
{
	if (!wakers)
		return;
	g_array_unref(wakers->chains);
	g_hash_table_unref(wakers->find);
	g_free(wakers);
}

static guint32 intern(struct iot_wakers *wakers, const struct iot_waker *waker)
{
	guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(wakers->find, waker));

	if (number)
		return number;
	if (wakers->chains->len == MAX_CHAINS) {
		iot_diag_add(&wakers->tl->stage_diag, IOT_DIAG_wakers_folded, 1);
		return IOT_WAKERS_MANY;
	}
	number = wakers->chains->len;
	g_array_append_vals(wakers->chains, waker, 1);
	g_hash_table_insert(wakers->find, g_memdup2(waker, sizeof(*waker)),
			    GUINT_TO_POINTER(number));
	return number;
}

guint32 iot_wakers_interrupt(struct iot_wakers *wakers, iot_str what)
{
	const struct iot_waker waker = { .interrupt = what, .n = 1 };

	return intern(wakers, &waker);
}

static guint32 add_thread(struct iot_wakers *wakers, iot_row_id row, guint32 next, gboolean cut)
{
	const struct iot_waker *other = iot_wakers_at(wakers, next);
	const struct iot_waker waker = { .row = row,
					 .next = next,
					 .n = (guint8)(1 + (other ? other->n : 0)),
					 .cut = cut || (other && other->cut) };

	return intern(wakers, &waker);
}

/* A chain that has one waker less, the last one. */
static guint32 shorten(struct iot_wakers *wakers, guint32 chain)
{
	iot_row_id row[IOT_MAX_WAKERS];
	const struct iot_waker *waker = iot_wakers_at(wakers, chain);
	guint n = 0;
	guint32 out;

	for (; waker && waker->next; waker = iot_wakers_at(wakers, waker->next))
		row[n++] = waker->row;
	out = add_thread(wakers, row[n - 1], 0, TRUE);
	for (guint i = n - 1; i; i--)
		out = add_thread(wakers, row[i - 1], out, FALSE);
	return out;
}

guint32 iot_wakers_thread(struct iot_wakers *wakers, iot_row_id row, guint32 next)
{
	const struct iot_waker *other = iot_wakers_at(wakers, next);

	if (other && other->n == IOT_MAX_WAKERS)
		next = shorten(wakers, next);
	return add_thread(wakers, row, next, FALSE);
}

const struct iot_waker *iot_wakers_at(const struct iot_wakers *wakers, guint32 chain)
{
	return chain > IOT_WAKERS_MANY ? &g_array_index(wakers->chains, struct iot_waker, chain)
				       : NULL;
}

const struct iot_waker *iot_wakers_last(const struct iot_wakers *wakers, guint32 chain)
{
	const struct iot_waker *waker = iot_wakers_at(wakers, chain);

	while (waker && waker->next > IOT_WAKERS_MANY)
		waker = iot_wakers_at(wakers, waker->next);
	return waker;
}

iot_row_id iot_wakers_last_thread(const struct iot_wakers *wakers, guint32 chain)
{
	const struct iot_waker *waker = iot_wakers_at(wakers, chain);
	iot_row_id row = 0;

	for (; waker && waker->row; waker = iot_wakers_at(wakers, waker->next))
		row = waker->row;
	return row;
}

static void add_waker(const struct iot_wakers *wakers, const struct iot_waker *waker, GString *out)
{
	const struct iot_timeline *tl = wakers->tl;
	guint64 pid;
	iot_row_id row = iot_thread_row(tl, waker->row, &pid);

	if (waker->interrupt)
		g_string_append_printf(out, "woken by an interrupt (%s)",
				       iot_tl_str(tl, waker->interrupt));
	else
		g_string_append_printf(
			out, "woken by %s",
			iot_tl_str(tl, iot_row_at(tl, row ? row : waker->row)->name));
}

void iot_wakers_first_name(const struct iot_wakers *wakers, guint32 chain, GString *out)
{
	const struct iot_waker *waker = iot_wakers_at(wakers, chain);

	if (waker)
		add_waker(wakers, waker, out);
	else
		g_string_append(out, "woken by several");
}

void iot_wakers_name(const struct iot_wakers *wakers, guint32 chain, guint most, GString *out)
{
	const struct iot_waker *waker = iot_wakers_at(wakers, chain);

	if (!waker)
		g_string_append(out, "woken by several");
	for (guint i = 0; waker; i++, waker = iot_wakers_at(wakers, waker->next)) {
		if (i)
			g_string_append(out, ", ");
		if (i == most) {
			g_string_append_printf(out, "and %u more", waker->n);
			return;
		}
		add_waker(wakers, waker, out);
		if (waker->next == IOT_WAKERS_MANY)
			g_string_append(out, ", woken by several");
	}
}
