/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/races-local.h"

/* Gaps that are kept apart; later ones are joined with the last one. */
enum { MAX_GAPS = 4096 };

static void user_free(gpointer data)
{
	struct race_user *user = data;

	iot_race_ranges_clear(&user->did[READ]);
	iot_race_ranges_clear(&user->did[WRITE]);
	g_array_unref(user->calls);
	g_free(user);
}

static void file_free(gpointer data)
{
	struct race_file *file = data;

	g_ptr_array_unref(file->users);
	g_free(file);
}

static guint race_hash(gconstpointer data)
{
	const struct iot_race *race = data;

	return ((race->file * 31 + race->process[0]) * 31 + race->process[1]) * 2 +
	       (guint)race->both_write;
}

static gboolean race_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_race *a = pa, *b = pb;

	return a->file == b->file && a->process[0] == b->process[0] &&
	       a->process[1] == b->process[1] && a->both_write == b->both_write;
}

/* Whether a check is about spans of @type; 0: of any one. */
static gboolean is_checked(const struct iot_timeline *tl, iot_type_id type)
{
	const GArray *checks = iot_findings_checks(tl->findings);

	for (guint i = 0; i < checks->len; i++) {
		const struct iot_check *check = &g_array_index(checks, struct iot_check, i);

		if (check->kind == IOT_CHECK_RACE && (!type || check->type == type))
			return TRUE;
	}
	return FALSE;
}

struct iot_races *iot_races_new(const struct iot_timeline *tl)
{
	struct iot_races *races;

	if (!is_checked(tl, 0))
		return NULL;
	races = g_new0(struct iot_races, 1);
	races->tl = tl;
	races->before = iot_before_new();
	races->locks = iot_program_locks_new(tl, races->before);
	races->file_of_row = g_array_new(FALSE, TRUE, sizeof(guint));
	races->files = g_ptr_array_new_with_free_func(file_free);
	races->known = g_hash_table_new(race_hash, race_equal);
	races->found = g_ptr_array_new_with_free_func(g_free);
	races->gaps = g_array_new(FALSE, FALSE, sizeof(struct gap));
	races->budget.max_of_one = IOT_RACE_RANGES;
	races->budget.max_of_all = IOT_RACE_ALL_RANGES;
	return races;
}

void iot_races_free(struct iot_races *races)
{
	if (!races)
		return;
	g_hash_table_unref(races->known);
	g_ptr_array_unref(races->found);
	g_ptr_array_unref(races->files);
	g_array_unref(races->file_of_row);
	g_array_unref(races->gaps);
	iot_program_locks_free(races->locks);
	iot_before_free(races->before);
	g_free(races);
}

gboolean iot_races_wants(const struct iot_races *races, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct iot_timeline *tl = races->tl;
	iot_type_id type;

	if (kind == IOT_ITEM_GAP)
		return TRUE;
	type = iot_cat_at(tl, cat)->type;
	if (kind == IOT_ITEM_LINK)
		return iot_type_at(tl, type)->orders != 0;
	return (kind == IOT_ITEM_SPAN || kind == IOT_ITEM_SPAN_BEGIN) && is_checked(tl, type);
}

/* ---- files and their users */

/* The number of the file of a row: of the row above if the row is the part of a machine. */
static guint file_of(struct iot_races *races, const struct iot_item *item)
{
	iot_row_id row = item->row;
	iot_row_id thing = iot_row_thing(races->tl, iot_row_node(races->tl, row));
	iot_row_id of = thing ? thing : row;
	guint *number;

	if (races->file_of_row->len <= MAX(row, of))
		g_array_set_size(races->file_of_row, 2 * MAX(row, of) + 1);
	number = &g_array_index(races->file_of_row, guint, of);
	if (!*number) {
		struct race_file *file = g_new0(struct race_file, 1);

		file->number = races->files->len;
		file->row = of;
		file->type = item->type;
		file->users = g_ptr_array_new_with_free_func(user_free);
		g_ptr_array_add(races->files, file);
		*number = races->files->len;
	}
	return *number - 1;
}

struct race_user *iot_races_user(const struct race_file *file, guint process)
{
	for (guint i = 0; i < file->users->len; i++) {
		struct race_user *user = file->users->pdata[i];

		if (user->process == process)
			return user;
	}
	return NULL;
}

static struct race_user *user_of(struct iot_races *races, struct race_file *file, guint process,
				 iot_row_id row)
{
	struct race_user *user = iot_races_user(file, process);

	if (user)
		return user;
	user = g_new0(struct race_user, 1);
	user->process = process;
	user->node = iot_before_node(races->before, process);
	user->row = row;
	user->calls = g_array_new(FALSE, FALSE, sizeof(struct race_call));
	g_ptr_array_add(file->users, user);
	return user;
}

/* ---- accesses */

static void compare_with(struct iot_races *races, struct race_file *file, struct race_user *other,
			 guint way, struct race_user *user, const struct iot_race_range *range,
			 gboolean is_write)
{
	const struct iot_race_ranges *ranges = &other->did[way];
	const struct iot_race_range *before;

	for (guint i = iot_race_ranges_first(ranges, range->from);
	     (before = iot_race_ranges_at(ranges, i)) && before->from < range->to; i++)
		iot_races_judge(races, file, other, before, way == WRITE, user, range, is_write);
}

static void take_data(struct iot_races *races, struct race_file *file, struct race_user *user,
		      gboolean is_write, const struct iot_access *access,
		      const struct iot_item *item)
{
	struct iot_race_range range = { .t0 = item->t0, .t1 = item->t1 };

	if (!iot_access_bytes(access, item, &range.from, &range.to)) {
		races->n_nowhere += (gint64)range.from < 0;
		return;
	}
	races->n_accesses++;
	races->now = item->t1;
	iot_program_locks_need_order(races->locks);
	range.locks = iot_program_locks_held(races->locks, user->process);
	for (guint i = 0; i < file->users->len; i++) {
		struct race_user *other = file->users->pdata[i];

		if (other->node == user->node)
			continue;
		compare_with(races, file, other, WRITE, user, &range, is_write);
		if (is_write)
			compare_with(races, file, other, READ, user, &range, TRUE);
	}
	iot_race_ranges_set(&user->did[is_write ? WRITE : READ], &races->budget, &range);
	if (range.locks)
		g_array_unref(range.locks);
}

static void take_call(struct iot_races *races, struct race_user *user, guint what,
		      const struct iot_item *item)
{
	const struct race_call call = { .what = what, .t0 = item->t0, .t1 = item->t1 };

	if (user->calls->len >= IOT_RACE_CALLS) {
		g_array_remove_range(user->calls, 0, IOT_RACE_CALLS / 2);
		races->n_calls_forgotten += IOT_RACE_CALLS / 2;
	}
	g_array_append_val(user->calls, call);
}

/* ---- locks */

static guint64 lock_number(guint file, enum iot_file_lock lock)
{
	return (guint64)file * 2 + (lock == IOT_FILE_LOCK_WHOLE);
}

/* What a call locks; FALSE: it is not about a lock, or nobody knows about which bytes. */
static gboolean read_lock(struct iot_races *races, guint file, const struct iot_access *access,
			  const struct iot_item *item, struct iot_locked *what,
			  enum iot_file_lock_mode *mode)
{
	enum iot_file_lock lock = iot_access_lock(access, item, mode);
	gint64 first = (gint64)iot_item_number(item, access->position);
	guint64 n = iot_item_number(item, access->length);

	*what = (struct iot_locked){ .lock = lock_number(file, lock), .last = G_MAXUINT64 };
	if (lock == IOT_FILE_LOCK_NONE)
		return FALSE;
	if (*mode == IOT_FILE_LOCK_UNKNOWN || (lock == IOT_FILE_LOCK_RANGE && first < 0)) {
		races->n_locks_unknown += item->kind == IOT_ITEM_SPAN;
		return FALSE;
	}
	if (lock == IOT_FILE_LOCK_WHOLE)
		return TRUE;
	what->first = (guint64)first;
	/* a length below 0 is that of the bytes before */
	if ((gint64)n < 0) {
		what->last = what->first - 1;
		what->first += n;
	} else if (n) {
		what->last = what->first + n - 1;
	}
	return TRUE;
}

/* With the close of any descriptor of a file a process gives up its locks of bytes; a lock of the
 * whole file only with the last one, which is not known. */
static void take_close(struct iot_races *races, guint file, guint process,
		       const struct iot_item *item)
{
	const struct iot_locked bytes = { .lock = lock_number(file, IOT_FILE_LOCK_RANGE),
					  .last = G_MAXUINT64 };
	const struct iot_locked whole = { .lock = lock_number(file, IOT_FILE_LOCK_WHOLE),
					  .last = G_MAXUINT64 };

	if (item->kind == IOT_ITEM_SPAN) {
		iot_program_locks_set(races->locks, process, &bytes,
				      iot_lock_mode_of(IOT_FILE_LOCK_FREE), item->t1);
		return;
	}
	iot_program_locks_told(races->locks, process, &bytes, item->t0);
	iot_program_locks_told(races->locks, process, &whole, item->t0);
}

/* ---- items */

static void take_gap(struct iot_races *races, guint64 t0, guint64 t1)
{
	const struct gap gap = { t0, t1 };
	struct gap *last;

	if (races->gaps->len < MAX_GAPS) {
		g_array_append_val(races->gaps, gap);
		return;
	}
	last = &g_array_index(races->gaps, struct gap, MAX_GAPS - 1);
	last->t0 = MIN(last->t0, t0);
	last->t1 = MAX(last->t1, t1);
}

/* The begin of a call can give up a lock. */
static void take_begin(struct iot_races *races, guint file, guint process,
		       const struct iot_access *access, const struct iot_item *item)
{
	enum iot_file_lock_mode mode;
	struct iot_locked what;

	if (iot_access_kind(access, item) == IOT_ACCESS_CLOSE)
		take_close(races, file, process, item);
	else if (read_lock(races, file, access, item, &what, &mode))
		iot_program_locks_leave(races->locks, process, &what, mode == IOT_FILE_LOCK_FREE,
					item->t0);
}

static void take_end(struct iot_races *races, guint number, guint process,
		     const struct iot_access *access, const struct iot_item *item)
{
	struct race_file *file = races->files->pdata[number];
	struct race_user *user = user_of(races, file, process, item->row);
	enum iot_file_lock_mode mode;
	struct iot_locked what;

	switch (iot_access_kind(access, item)) {
	case IOT_ACCESS_READ:
		take_data(races, file, user, FALSE, access, item);
		break;
	case IOT_ACCESS_WRITE:
		take_data(races, file, user, TRUE, access, item);
		break;
	case IOT_ACCESS_SYNC:
		take_call(races, user, CALL_SYNC, item);
		break;
	case IOT_ACCESS_OPEN:
		take_call(races, user, CALL_OPEN, item);
		break;
	case IOT_ACCESS_CLOSE:
		take_call(races, user, CALL_CLOSE, item);
		take_close(races, number, process, item);
		break;
	default:
		if (read_lock(races, number, access, item, &what, &mode))
			iot_program_locks_set(races->locks, process, &what, iot_lock_mode_of(mode),
					      item->t1);
		break;
	}
}

static void take_access(struct iot_races *races, const struct iot_item *item)
{
	const struct iot_access *access = iot_access_of(races->tl, item->type);
	iot_row_id node = iot_row_node(races->tl, item->row);
	guint process;

	if (item->kind == IOT_ITEM_SPAN &&
	    (iot_flags_no_end(item->flags) || (item->flags & (IOT_SUSPECT | IOT_UNKNOWN)))) {
		races->n_unfinished++;
		return;
	}
	process = iot_before_process(races->before, node ? iot_row_at(races->tl, node)->name : 0,
				     (gint64)iot_item_number(item, access->process),
				     (gint64)iot_item_number(item, access->thread));
	if (item->kind == IOT_ITEM_SPAN_BEGIN)
		take_begin(races, file_of(races, item), process, access, item);
	else
		take_end(races, file_of(races, item), process, access, item);
}

/* The process at the end of a link: the row, or a row above, says it, or its identity is the number
 * of a thread. FALSE: they do not. */
static gboolean process_of_row(struct iot_races *races, iot_row_id row, guint *out_process)
{
	const struct iot_timeline *tl = races->tl;
	iot_row_id node = iot_row_node(tl, row);
	guint64 pid;

	for (; row && row != node; row = iot_row_at(tl, row)->parent) {
		const struct iot_row *at = iot_row_at(tl, row);

		if (!g_ascii_string_to_unsigned(iot_tl_str(tl, at->process ? at->process : at->id),
						10, 1, G_MAXINT32, &pid, NULL))
			continue;
		*out_process =
			iot_before_thread(races->before, iot_row_at(tl, node)->name, (gint64)pid);
		return TRUE;
	}
	return FALSE;
}

static void take_link(struct iot_races *races, const struct iot_item *item)
{
	struct iot_past *past;
	guint from, to;

	/* before the first access nothing is to be put in order */
	if (iot_link_is_stub(item) || !races->n_accesses)
		return;
	if (!process_of_row(races, item->row, &from) || !process_of_row(races, item->row_to, &to)) {
		races->n_links_unknown++;
		return;
	}
	past = iot_before_past(races->before, from, iot_link_from(item));
	iot_before_join(races->before, to, iot_link_to(item), past);
	iot_past_unref(past);
}

void iot_races_item(struct iot_races *races, const struct iot_item *item)
{
	if (item->kind == IOT_ITEM_GAP)
		take_gap(races, item->t0, item->t1);
	else if (item->kind == IOT_ITEM_SPAN || item->kind == IOT_ITEM_SPAN_BEGIN)
		take_access(races, item);
	else
		take_link(races, item);
}
