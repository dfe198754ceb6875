/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/accounts-local.h"
#include "timeline/thread-rows.h"

void iot_work_release(struct iot_work *work)
{
	if (--work->refs)
		return;
	for (guint i = 0; work->callers && i < work->callers->len; i++)
		iot_work_release(g_array_index(work->callers, struct iot_work_caller, i).work);
	g_clear_pointer(&work->callers, g_array_unref);
	g_clear_pointer(&work->children, g_array_unref);
	g_clear_pointer(&work->parts, g_array_unref);
	g_free(work);
}

void iot_works_release(GPtrArray *works)
{
	g_ptr_array_foreach(works, (GFunc)(void (*)(void))iot_work_release, NULL);
	g_ptr_array_set_size(works, 0);
}

void iot_work_lane_free(gpointer data)
{
	struct iot_work_lane *lane = data;

	iot_works_release(lane->open);
	g_ptr_array_unref(lane->open);
	g_free(lane);
}

void iot_work_thread_free(gpointer data)
{
	g_ptr_array_unref(((struct iot_work_thread *)data)->open);
	g_free(data);
}

/* ---- where spans are */

guint64 iot_work_lane_hash(iot_row_id row, guint16 lane)
{
	return iot_hash_mix(row, lane);
}

static struct iot_work_lane *find_lane(const struct iot_accounts *accounts, iot_row_id row,
				       guint16 number)
{
	guint64 hash = iot_work_lane_hash(row, number);
	guint at = iot_hashset_first(&accounts->lanes, hash);
	struct iot_work_lane *lane;

	while ((lane = iot_hashset_next(&accounts->lanes, hash, &at)) &&
	       (lane->row != row || lane->lane != number))
		;
	return lane;
}

static struct iot_work_thread *find_thread(const struct iot_accounts *accounts, iot_str node,
					   guint64 pid)
{
	guint64 hash = iot_hash_mix(node, pid);
	guint at = iot_hashset_first(&accounts->threads, hash);
	struct iot_work_thread *thread;

	while ((thread = iot_hashset_next(&accounts->threads, hash, &at)) &&
	       (thread->node != node || thread->pid != pid))
		;
	return thread;
}

/* The attribute of an item, @at by type; FALSE: its type has none. */
static gboolean find_attr(const GArray *at, const struct iot_item *item, guint64 *out)
{
	gint8 position = item->type < at->len ? g_array_index(at, gint8, item->type) : -1;

	*out = position >= 0 && position < item->n_attrs ? item->attr[position].u : 0;
	return position >= 0;
}

static guint64 pid_of(const struct iot_accounts *accounts, const struct iot_item *item)
{
	const struct iot_row *row = iot_row_at(accounts->tl, item->row);
	guint64 pid;

	if (find_attr(accounts->pid_at, item, &pid))
		return pid;
	if (!accounts->thread_rows || row->type != accounts->thread_rows)
		return 0;
	return g_ascii_string_to_unsigned(iot_tl_str(accounts->tl, row->id), 10, 1, G_MAXINT32,
					  &pid, NULL)
		       ? pid
		       : 0;
}

iot_str iot_work_node(struct iot_accounts *accounts, iot_row_id row)
{
	return iot_place_of(&accounts->places, row)->name;
}

static void enter_thread(struct iot_accounts *accounts, struct iot_work *work)
{
	struct iot_work_thread *thread = find_thread(accounts, work->node, work->pid);

	if (!thread) {
		thread = g_new0(struct iot_work_thread, 1);
		thread->node = work->node;
		thread->pid = work->pid;
		thread->open = g_ptr_array_new();
		iot_hashset_add(&accounts->threads, iot_hash_mix(thread->node, thread->pid),
				thread);
	}
	g_ptr_array_add(thread->open, work);
	work->thread = thread;
}

void iot_work_leave_thread(struct iot_accounts *accounts, struct iot_work *work)
{
	struct iot_work_thread *thread = work->thread;

	work->thread = NULL;
	if (!thread)
		return;
	g_ptr_array_remove(thread->open, work);
	if (thread->open->len)
		return;
	iot_hashset_remove(&accounts->threads, iot_hash_mix(thread->node, thread->pid), thread);
	iot_work_thread_free(thread);
}

void iot_work_begin(struct iot_accounts *accounts, const struct iot_item *item)
{
	struct iot_work_lane *lane = find_lane(accounts, item->row, item->lane);
	struct iot_work *work = g_new0(struct iot_work, 1);
	guint64 queued, unsent;

	work->refs = 1;
	work->row = item->row;
	work->lane = item->lane;
	work->type = item->type;
	work->cat = item->cat;
	find_attr(accounts->queued_at, item, &queued);
	find_attr(accounts->unsent_at, item, &unsent);
	work->t0 = item->t0;
	work->sent = item->t0 + unsent;
	work->arrived = work->since = item->t0 - MIN(queued, item->t0);
	work->t1 = G_MAXUINT64;
	if (!lane) {
		lane = g_new0(struct iot_work_lane, 1);
		lane->row = item->row;
		lane->lane = item->lane;
		lane->open = g_ptr_array_new();
		iot_hashset_add(&accounts->lanes, iot_work_lane_hash(lane->row, lane->lane), lane);
	}
	g_ptr_array_add(lane->open, work);
	work->pid = pid_of(accounts, item);
	work->node = work->pid ? iot_work_node(accounts, item->row) : 0;
	if (work->node)
		enter_thread(accounts, work);
}

void iot_work_end(struct iot_accounts *accounts, const struct iot_item *item)
{
	const struct iot_work_lane *lane = find_lane(accounts, item->row, item->lane);

	for (guint i = lane ? lane->open->len : 0; i; i--) {
		struct iot_work *work = lane->open->pdata[i - 1];

		if (work->type != item->type || work->t0 != item->t0 || work->t1 != G_MAXUINT64)
			continue;
		work->t1 = item->t1;
		work->cat = item->cat;
		work->flags = item->flags;
		find_attr(accounts->file_at, item, &work->file);
		work->refs++;
		g_ptr_array_add(accounts->ended, work);
		return;
	}
}

/* The innermost span on the lane that covers @t; ended spans are here up to the end of their
 * instant. */
struct iot_work *iot_work_find(const struct iot_accounts *accounts, iot_row_id row, guint16 number,
			       guint64 t)
{
	const struct iot_work_lane *lane = find_lane(accounts, row, number);

	for (guint i = lane ? lane->open->len : 0; i; i--) {
		struct iot_work *work = lane->open->pdata[i - 1];

		if (work->t0 <= t && work->t1 >= t)
			return work;
	}
	return NULL;
}

/* The span is no longer on its lane. */
void iot_work_leave_lane(struct iot_accounts *accounts, struct iot_work *work)
{
	struct iot_work_lane *lane = find_lane(accounts, work->row, work->lane);

	if (!lane || !g_ptr_array_remove(lane->open, work))
		return;
	iot_work_release(work);
	if (lane->open->len)
		return;
	iot_hashset_remove(&accounts->lanes, iot_work_lane_hash(lane->row, lane->lane), lane);
	iot_work_lane_free(lane);
}
