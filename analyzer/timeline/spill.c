/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/spill.h"
#include "base/heap.h"
#include "base/out.h"

enum { WINDOW = 32 }; /* items read ahead per run */

struct spilled {
	guint64 key;
	struct iot_item item;
};

struct run {
	guint64 offset; /* of the next item in the file that is not in the window */
	guint64 left;	/* items in the file after the window */
	guint at, n;	/* window */
	struct spilled window[WINDOW];
};

struct iot_spill {
	struct iot_out *file;
	GPtrArray *runs;       /* of struct run; NULL when used up */
	struct iot_heap heads; /* (key, seq) of each run's first item; value = index of the run */
	struct run *filling;
};

struct iot_spill *iot_spill_new(void)
{
	struct iot_spill *spill = g_new0(struct iot_spill, 1);

	spill->runs = g_ptr_array_new_with_free_func(g_free);
	return spill;
}

void iot_spill_free(struct iot_spill *spill)
{
	if (!spill)
		return;
	iot_out_free(spill->file);
	g_ptr_array_unref(spill->runs);
	iot_heap_clear(&spill->heads);
	g_free(spill->filling);
	g_free(spill);
}

/* Once every run is used up the space on disk can be given back. */
static void recycle(struct iot_spill *spill)
{
	if (spill->heads.n || !spill->file)
		return;
	g_clear_pointer(&spill->file, iot_out_free);
	g_ptr_array_set_size(spill->runs, 0);
}

gboolean iot_spill_begin(struct iot_spill *spill, GError **error)
{
	recycle(spill);
	if (!spill->file)
		spill->file = iot_out_open_scratch("-", IOT_OUT_BUFFER, error);
	if (!spill->file)
		return FALSE;
	spill->filling = g_new0(struct run, 1);
	spill->filling->offset = iot_out_tell(spill->file);
	return TRUE;
}

void iot_spill_add(struct iot_spill *spill, const struct iot_item *item, guint64 key)
{
	struct spilled entry = { key, *item };

	iot_out_write(spill->file, &entry, sizeof(entry));
	spill->filling->left++;
}

static gboolean refill(struct iot_spill *spill, struct run *run, GError **error)
{
	guint n = (guint)MIN(run->left, WINDOW);

	if (!iot_out_read_at(spill->file, run->offset, run->window, n * sizeof(struct spilled),
			     error))
		return FALSE;
	run->offset += n * sizeof(struct spilled);
	run->left -= n;
	run->at = 0;
	run->n = n;
	return TRUE;
}

gboolean iot_spill_end(struct iot_spill *spill, GError **error)
{
	struct run *run = g_steal_pointer(&spill->filling);

	iot_out_flush(spill->file);
	g_ptr_array_add(spill->runs, run);
	if (!iot_out_check(spill->file, error) || !refill(spill, run, error))
		return FALSE;
	iot_heap_push(&spill->heads, run->window[0].key, run->window[0].item.seq,
		      spill->runs->len - 1);
	return TRUE;
}

gboolean iot_spill_top(const struct iot_spill *spill, guint64 *out_key, guint64 *out_seq)
{
	const struct iot_heap_entry *top = iot_heap_top(&spill->heads);

	if (!top)
		return FALSE;
	*out_key = top->key;
	*out_seq = top->tie;
	return TRUE;
}

gboolean iot_spill_pop(struct iot_spill *spill, struct iot_item *out_item, GError **error)
{
	guint64 index = spill->heads.entries[0].value;
	struct run *run = spill->runs->pdata[index];

	*out_item = run->window[run->at++].item;
	if (run->at == run->n && run->left && !refill(spill, run, error))
		return FALSE;
	if (run->at < run->n) {
		iot_heap_replace_top(&spill->heads, run->window[run->at].key,
				     run->window[run->at].item.seq, index);
		return TRUE;
	}
	iot_heap_pop(&spill->heads);
	g_clear_pointer(&spill->runs->pdata[index], g_free);
	return TRUE;
}
