/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/file-use-local.h"
#include "base/hashset.h"
#include "timeline/certainty.h"

guint iot_file_thread_hash(gconstpointer data)
{
	const struct iot_file_thread *thread = data;

	return (guint)iot_hash_mix(iot_hash_mix(thread->node, (guint64)thread->process),
				   (guint64)thread->thread);
}

gboolean iot_file_thread_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_file_thread *a = pa, *b = pb;

	return a->node == b->node && a->process == b->process && a->thread == b->thread;
}

static guint user_hash(gconstpointer data)
{
	const struct iot_file_user *user = data;

	return (guint)iot_hash_mix(user->file, user->thread);
}

static gboolean user_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_file_user *a = pa, *b = pb;

	return a->file == b->file && a->thread == b->thread;
}

static guint dependency_hash(gconstpointer data)
{
	const struct iot_file_dependency *dependency = data;

	return (guint)iot_hash_mix(iot_hash_mix(dependency->file, dependency->before),
				   iot_hash_mix(dependency->after, dependency->kind));
}

static gboolean dependency_equal(gconstpointer pa, gconstpointer pb)
{
	const struct iot_file_dependency *a = pa, *b = pb;

	return a->file == b->file && a->before == b->before && a->after == b->after &&
	       a->kind == b->kind;
}

struct iot_file_use *iot_file_use_new(const struct iot_timeline *tl)
{
	struct iot_file_use *use = g_new0(struct iot_file_use, 1);

	use->tl = tl;
	use->file_of_row = g_array_new(FALSE, TRUE, sizeof(guint));
	use->files = g_array_new(FALSE, TRUE, sizeof(struct iot_file));
	use->thread_of = g_hash_table_new(iot_file_thread_hash, iot_file_thread_equal);
	use->threads = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(use->threads, NULL);
	use->users = g_hash_table_new_full(user_hash, user_equal, g_free, NULL);
	use->dependency = g_hash_table_new(dependency_hash, dependency_equal);
	use->dependencies = g_ptr_array_new_with_free_func(g_free);
	iot_range_budget_init(&use->budget);
	return use;
}

void iot_file_use_free(struct iot_file_use *use)
{
	if (!use)
		return;
	for (guint i = 0; i < use->files->len; i++)
		iot_file_ranges_clear(&iot_file_at(use, i)->ranges, &use->budget);
	g_array_unref(use->file_of_row);
	g_array_unref(use->files);
	g_hash_table_unref(use->thread_of);
	g_ptr_array_unref(use->threads);
	g_hash_table_unref(use->users);
	g_hash_table_unref(use->dependency);
	g_ptr_array_unref(use->dependencies);
	g_free(use);
}

struct iot_range_budget *iot_file_use_budget(struct iot_file_use *use)
{
	return &use->budget;
}

/* ---- files and users */

/* The number of the file of a row: of the row above if the row is the part of a machine. */
static guint file_of(struct iot_file_use *use, iot_row_id row)
{
	iot_row_id thing = iot_row_thing(use->tl, iot_row_node(use->tl, row));
	iot_row_id of = thing ? thing : row;
	guint *number;

	if (use->file_of_row->len <= MAX(row, of))
		g_array_set_size(use->file_of_row, 2 * MAX(row, of) + 1);
	number = &g_array_index(use->file_of_row, guint, row);
	if (!*number)
		*number = g_array_index(use->file_of_row, guint, of);
	if (!*number) {
		const struct iot_file file = { .row = of };

		g_array_append_val(use->files, file);
		*number = use->files->len;
		g_array_index(use->file_of_row, guint, of) = *number;
	}
	iot_file_at(use, *number - 1)->shown |= !iot_row_at(use->tl, row)->hidden;
	return *number - 1;
}

static guint thread_number(struct iot_file_use *use, const struct iot_file_thread *thread)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(use->thread_of, thread));
	gpointer copy;

	if (number)
		return number;
	number = use->threads->len;
	copy = g_memdup2(thread, sizeof(*thread));
	g_ptr_array_add(use->threads, copy);
	g_hash_table_insert(use->thread_of, copy, GUINT_TO_POINTER(number));
	return number;
}

/* NULL: there are too many. */
static struct iot_file_user *find_user(struct iot_file_use *use, guint file,
				       const struct iot_access *access, const struct iot_item *item)
{
	iot_row_id node = iot_row_node(use->tl, item->row);
	const struct iot_file_thread thread = {
		.node = node ? iot_row_at(use->tl, node)->name : 0,
		.process = (gint64)iot_item_number(item, access->process),
		.thread = (gint64)iot_item_number(item, access->thread),
	};
	struct iot_file_user key = { .file = file }, *user;

	if (use->threads->len > IOT_FILE_USERS && !g_hash_table_contains(use->thread_of, &thread))
		return NULL;
	key.thread = thread_number(use, &thread);
	user = g_hash_table_lookup(use->users, &key);
	if (user || g_hash_table_size(use->users) >= IOT_FILE_USERS)
		return user;
	user = g_memdup2(&key, sizeof(key));
	g_hash_table_add(use->users, user);
	return user;
}

/* ---- dependencies */

struct piece_of {
	struct iot_file_use *use;
	guint file, thread;
	guint64 begin_ns, end_ns;
};

enum { APART, PERHAPS, SAME_TIME };

/* Whether the access began before the other thread's one had ended, as far as clocks and joined
 * segments allow to say it. */
static guint same_time(const struct piece_of *of, const struct iot_range_piece *piece)
{
	const struct iot_timeline *tl = of->use->tl;
	iot_str node = iot_file_use_thread(of->use, of->thread)->node;
	iot_str other = iot_file_use_thread(of->use, piece->who)->node;

	if (node == other && of->begin_ns < piece->first_end)
		return SAME_TIME;
	if (node == other)
		return of->begin_ns < piece->last_end ? PERHAPS : APART;
	if (!tl->clocks)
		return PERHAPS;
	if (iot_order(tl->clocks, node, of->begin_ns, other, piece->first_end) == IOT_PROVED)
		return SAME_TIME;
	return iot_order(tl->clocks, other, piece->last_end, node, of->begin_ns) == IOT_PROVED
		       ? APART
		       : PERHAPS;
}

static struct iot_file_dependency *find_dependency(const struct piece_of *of,
						   const struct iot_range_piece *piece)
{
	const struct iot_file_dependency key = {
		.file = of->file, .before = piece->who, .after = of->thread, .kind = piece->kind
	};
	struct iot_file_dependency *dependency = g_hash_table_lookup(of->use->dependency, &key);

	if (dependency)
		return dependency;
	if (of->use->dependencies->len >= IOT_FILE_DEPENDENCIES) {
		of->use->n_dependencies_left_out++;
		return NULL;
	}
	dependency = g_memdup2(&key, sizeof(key));
	dependency->from = piece->from;
	dependency->first_ns = of->end_ns;
	g_ptr_array_add(of->use->dependencies, dependency);
	g_hash_table_add(of->use->dependency, dependency);
	return dependency;
}

static void count_dependency(const struct piece_of *of, const struct iot_range_piece *piece)
{
	struct iot_file_dependency *dependency = find_dependency(of, piece);
	guint same;

	if (!dependency)
		return;
	same = same_time(of, piece);
	if (dependency->last_access != of->use->n_accesses) {
		dependency->last_access = of->use->n_accesses;
		dependency->last_same = APART;
		dependency->calls++;
	}
	/* one call counts once, as the most certain of its pieces */
	if (same > dependency->last_same) {
		dependency->perhaps_same_time -= dependency->last_same == PERHAPS;
		dependency->perhaps_same_time += same == PERHAPS;
		dependency->same_time += same == SAME_TIME;
		dependency->last_same = same;
	}
	dependency->bytes += piece->to - piece->from;
	dependency->from = MIN(dependency->from, piece->from);
	dependency->to = MAX(dependency->to, piece->to);
}

static void add_piece(gpointer data, const struct iot_range_piece *piece)
{
	const struct piece_of *of = data;
	struct iot_file *file = iot_file_at(of->use, of->file);
	gboolean own = piece->who == of->thread;
	guint64 bytes = piece->to - piece->from;

	if (piece->kind == IOT_RANGE_READ_READ) {
		file->metric[IOT_METRIC_REREAD] += bytes;
		return;
	}
	if (piece->kind == IOT_RANGE_WRITE_WRITE) {
		file->metric[IOT_METRIC_OVERWRITTEN] += bytes;
		file->own_overwrites += own;
	}
	file->own_reads += own && piece->kind == IOT_RANGE_WRITE_READ;
	if (own)
		return;
	file->dependencies++;
	count_dependency(of, piece);
}

/* ---- reads and writes */

/* How the position follows from the one before. */
static void count_step(guint64 *metric, struct iot_file_user *user, guint way, guint64 from)
{
	guint64 step = from - user->last[way];

	if (from == user->end[way]) {
		metric[IOT_METRIC_SEQUENTIAL]++;
		user->step[way] = 0;
	} else if (step == user->step[way] && step) {
		metric[IOT_METRIC_STRIDED]++;
		/* now the step before is known to be one of several */
		metric[IOT_METRIC_STRIDED] += user->counted_random[way];
		metric[IOT_METRIC_RANDOM] -= user->counted_random[way];
	} else {
		metric[IOT_METRIC_RANDOM]++;
		user->step[way] = step;
		user->counted_random[way] = TRUE;
		return;
	}
	user->counted_random[way] = FALSE;
}

static void count_place(struct iot_file_use *use, struct iot_file *file, guint number,
			struct iot_file_user *user, guint way, const struct iot_item *item,
			guint64 from, guint64 bytes)
{
	struct piece_of of = { .use = use,
			       .file = number,
			       .thread = user->thread,
			       .begin_ns = item->t0,
			       .end_ns = item->t1 };
	const struct iot_range_access access = { .from = from,
						 .to = from + bytes,
						 .who = user->thread,
						 .is_write = way == WRITE,
						 .end_ns = item->t1 };

	file->metric[IOT_METRIC_UNALIGNED_4K] += from % 4096 != 0;
	if (user->placed[way])
		count_step(file->metric, user, way, from);
	user->placed[way] = TRUE;
	user->last[way] = from;
	user->end[way] = access.to;
	if (way == WRITE && file->end && access.to > file->end) {
		file->metric[IOT_METRIC_APPENDED] += access.to - MAX(file->end, from);
		file->metric[IOT_METRIC_APPENDS_TO_OTHERS] +=
			from == file->end && file->end_by && file->end_by != user->thread;
	}
	if (access.to > file->end) {
		file->end = access.to;
		file->end_by = way == WRITE ? user->thread : 0;
	}
	iot_file_ranges_access(&file->ranges, &use->budget, &access, add_piece, &of);
}

/* The number of bytes: the result if it is a number, else unknown, which is 0. */
static guint64 bytes_of(const struct iot_access *access, const struct iot_item *item)
{
	guint64 result = iot_item_number(item, access->result);

	return iot_text_is_number(result) ? result & ~IOT_TEXT_NUMBER : 0;
}

static void count_data(struct iot_file_use *use, guint number, struct iot_file_user *user,
		       guint way, const struct iot_access *access, const struct iot_item *item)
{
	struct iot_file *file = iot_file_at(use, number);
	gint64 position = access->position ? (gint64)iot_item_number(item, access->position) : -1;
	guint64 bytes = bytes_of(access, item), *metric = file->metric;

	metric[IOT_METRIC_ACCESSES]++;
	metric[IOT_METRIC_BYTES] += bytes;
	metric[way == WRITE ? IOT_METRIC_WRITES : IOT_METRIC_READS]++;
	metric[way == WRITE ? IOT_METRIC_BYTES_WRITTEN : IOT_METRIC_BYTES_READ] += bytes;
	metric[way == WRITE ? IOT_METRIC_WRITES_BELOW_4K : IOT_METRIC_READS_BELOW_4K] +=
		bytes && bytes < 4096;
	metric[way == WRITE ? IOT_METRIC_WRITES_BELOW_1M : IOT_METRIC_READS_BELOW_1M] +=
		bytes && bytes < 1 << 20;
	if (user) {
		user->n[way]++;
		user->bytes[way] += bytes;
		user->wrote = way == WRITE;
	}
	if (position < 0)
		metric[IOT_METRIC_NOWHERE]++;
	else if (user && bytes && (guint64)position + bytes > (guint64)position)
		count_place(use, file, number, user, way, item, (guint64)position, bytes);
}

static void truncate_at(struct iot_file_use *use, struct iot_file *file, guint64 length)
{
	iot_file_ranges_cut(&file->ranges, &use->budget, length);
	if (length < file->end) {
		file->end = length;
		file->end_by = 0;
	}
}

static void count_call(struct iot_file_use *use, guint number, struct iot_file_user *user,
		       enum iot_access_kind kind, const struct iot_access *access,
		       const struct iot_item *item)
{
	struct iot_file *file = iot_file_at(use, number);

	switch (kind) {
	case IOT_ACCESS_READ:
	case IOT_ACCESS_WRITE:
		count_data(use, number, user, kind == IOT_ACCESS_WRITE ? WRITE : READ, access,
			   item);
		return;
	case IOT_ACCESS_SYNC:
		file->metric[IOT_METRIC_SYNCS]++;
		file->metric[IOT_METRIC_SYNCED_WRITES] += user && user->wrote;
		if (user)
			user->wrote = FALSE;
		return;
	case IOT_ACCESS_OPEN:
		file->metric[IOT_METRIC_OPENS]++;
		return;
	case IOT_ACCESS_CLOSE:
		file->metric[IOT_METRIC_CLOSES]++;
		return;
	case IOT_ACCESS_METADATA:
		file->metric[IOT_METRIC_METADATA_READS]++;
		return;
	case IOT_ACCESS_MAP:
		file->metric[IOT_METRIC_MAPS]++;
		return;
	case IOT_ACCESS_TRUNCATE:
		truncate_at(use, file, iot_item_number(item, access->length));
		return;
	case IOT_ACCESS_LOCK:
		file->metric[IOT_METRIC_LOCK_TIME] += item->t1 - item->t0;
		return;
	case IOT_ACCESS_NONE:
	case IOT_N_ACCESSES:
		return;
	}
}

void iot_file_use_lose(struct iot_file_use *use)
{
	use->n_gaps++;
}

void iot_file_use_add(struct iot_file_use *use, const struct iot_access *access,
		      const struct iot_item *item)
{
	enum iot_access_kind kind = iot_access_kind(access, item);
	struct iot_file_user *user;
	struct iot_file *file;
	guint number;

	if (kind == IOT_ACCESS_NONE)
		return;
	if (iot_flags_no_end(item->flags) || (item->flags & (IOT_SUSPECT | IOT_UNKNOWN))) {
		use->n_unfinished++;
		return;
	}
	number = file_of(use, item->row);
	file = iot_file_at(use, number);
	user = find_user(use, number, access, item);
	use->n_accesses++;
	use->n_users_left_out += !user;
	file->users_left_out |= !user;
	if (!file->first_ns)
		file->first_ns = item->t0;
	file->first_ns = MIN(file->first_ns, item->t0);
	file->last_ns = item->t1;
	file->metric[IOT_METRIC_TIME] += item->t1 - item->t0;
	count_call(use, number, user, kind, access, item);
}
