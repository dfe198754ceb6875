/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/program-locks.h"

/* A lock that was given up, and all that came before. */
struct release {
	struct iot_locked what;
	guint process;
	struct iot_lock_mode mode;
	guint64 since, at; /* since: 0, when it was got is not known */
	struct iot_past *past;
};

/* By the clocks, which may be wrong by so much, @winner got the lock while @process held it: the
 * release comes later. */
struct pending {
	struct iot_locked what;
	guint process, winner;
	guint64 t; /* when the winner got it */
};

/* The releases of a lock, and the processes that hold it. */
struct program_lock {
	guint64 number;
	GArray *releases; /* struct release, in order of time */
	GArray *holders;  /* guint, without repetitions */
	GArray *pending;  /* struct pending */
};

struct iot_program_locks {
	const struct iot_timeline *tl;
	struct iot_before *before;
	GHashTable *all;     /* struct program_lock */
	GPtrArray *held;     /* by process; GArray of struct iot_lock_held; NULL: nothing */
	gboolean needs_order; /* there are accesses */
	guint64 worst_bound; /* of the clocks of holders, ns */
	guint64 n_uncertain, n_joined, n_forgotten;
};

static void clear_release(gpointer data)
{
	iot_past_unref(((struct release *)data)->past);
}

static void lock_free(gpointer data)
{
	struct program_lock *lock = data;

	g_array_unref(lock->releases);
	g_array_unref(lock->holders);
	g_array_unref(lock->pending);
	g_free(lock);
}

static void held_free(gpointer data)
{
	if (data)
		g_array_unref(data);
}

struct iot_program_locks *iot_program_locks_new(const struct iot_timeline *tl,
						struct iot_before *before)
{
	struct iot_program_locks *locks = g_new0(struct iot_program_locks, 1);

	locks->tl = tl;
	locks->before = before;
	locks->all = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, lock_free);
	locks->held = g_ptr_array_new_with_free_func(held_free);
	return locks;
}

void iot_program_locks_need_order(struct iot_program_locks *locks)
{
	locks->needs_order = TRUE;
}

void iot_program_locks_free(struct iot_program_locks *locks)
{
	if (!locks)
		return;
	g_hash_table_unref(locks->all);
	g_ptr_array_unref(locks->held);
	g_free(locks);
}

static struct program_lock *find_lock(struct iot_program_locks *locks, guint64 number)
{
	struct program_lock *lock = g_hash_table_lookup(locks->all, &number);

	if (lock)
		return lock;
	lock = g_new0(struct program_lock, 1);
	lock->number = number;
	lock->releases = g_array_new(FALSE, FALSE, sizeof(struct release));
	g_array_set_clear_func(lock->releases, clear_release);
	lock->holders = g_array_new(FALSE, FALSE, sizeof(guint));
	lock->pending = g_array_new(FALSE, FALSE, sizeof(struct pending));
	g_hash_table_insert(locks->all, &lock->number, lock);
	return lock;
}

static gboolean overlap(const struct iot_locked *a, const struct iot_locked *b)
{
	return a->lock == b->lock && a->first <= b->last && b->first <= a->last;
}

static gboolean exclude(struct iot_lock_mode a, struct iot_lock_mode b)
{
	return !(a.with >> b.mode & 1);
}

/* Whether a piece that the process holds is of the lock @what. */
static gboolean is_of(const struct iot_locked *piece, const struct iot_locked *what)
{
	return overlap(piece, what) && piece->owner == what->owner;
}

struct iot_lock_mode iot_lock_mode_of(enum iot_file_lock_mode mode)
{
	if (mode == IOT_FILE_LOCK_SHARED)
		return (struct iot_lock_mode){ .mode = 1, .with = 1 << 1 };
	return (struct iot_lock_mode){ .mode = mode == IOT_FILE_LOCK_EXCLUSIVE ? 2 : 0 };
}

static gboolean covers(const struct iot_locked *a, const struct iot_locked *b)
{
	return a->first <= b->first && a->last >= b->last;
}

/* ---- held locks */

static struct iot_lock_held *held_at(const GArray *held, guint i)
{
	return &g_array_index(held, struct iot_lock_held, i);
}

/* A copy that may be changed: accesses keep the one that there was. */
static GArray *change_held(struct iot_program_locks *locks, guint process)
{
	GArray *held, *old;

	if (locks->held->len <= process)
		g_ptr_array_set_size(locks->held, (gint)process + 1);
	old = locks->held->pdata[process];
	if (old && !locks->needs_order)
		return old;
	held = g_array_new(FALSE, FALSE, sizeof(struct iot_lock_held));
	if (old) {
		g_array_append_vals(held, old->data, old->len);
		g_array_unref(old);
	}
	locks->held->pdata[process] = held;
	return held;
}

GArray *iot_program_locks_held(struct iot_program_locks *locks, guint process)
{
	GArray *held = process < locks->held->len ? locks->held->pdata[process] : NULL;

	return held && held->len ? g_array_ref(held) : NULL;
}

/* Cut the held locks in pieces, so that each piece is in @what or outside of it. */
static void cut_pieces(GArray *held, const struct iot_locked *what)
{
	for (guint i = 0; i < held->len; i++) {
		struct iot_lock_held piece = *held_at(held, i);

		if (!overlap(&piece.what, what))
			continue;
		if (piece.what.first < what->first) {
			held_at(held, i)->what.last = what->first - 1;
			piece.what.first = what->first;
			g_array_append_val(held, piece);
		} else if (piece.what.last > what->last) {
			held_at(held, i)->what.last = what->last;
			piece.what.first = what->last + 1;
			g_array_append_val(held, piece);
		}
	}
}

static void note_holder(struct program_lock *lock, guint process, gboolean holds)
{
	for (guint i = 0; i < lock->holders->len; i++) {
		if (g_array_index(lock->holders, guint, i) != process)
			continue;
		if (!holds)
			g_array_remove_index_fast(lock->holders, i);
		return;
	}
	if (holds)
		g_array_append_val(lock->holders, process);
}

static gboolean holds_of(const GArray *held, guint64 lock)
{
	for (guint i = 0; i < held->len; i++)
		if (held_at(held, i)->what.lock == lock)
			return TRUE;
	return FALSE;
}

gboolean iot_held_exclude(const GArray *a, guint64 a_t0, guint64 a_t1, const GArray *b,
			  guint64 b_t0, guint64 b_t1)
{
	for (guint i = 0; a && b && i < a->len; i++) {
		const struct iot_lock_held *one = held_at(a, i);

		if (one->since > a_t0 || one->until < a_t1)
			continue;
		for (guint k = 0; k < b->len; k++) {
			const struct iot_lock_held *other = held_at(b, k);

			if (other->since <= b_t0 && other->until >= b_t1 &&
			    exclude(one->mode, other->mode) && overlap(&one->what, &other->what))
				return TRUE;
		}
	}
	return FALSE;
}

/* ---- releases */

/* All that a later release carries, too, is not needed any more. */
static gboolean is_carried(const struct release *old, const struct release *new)
{
	return !(new->mode.with & ~old->mode.with) && covers(&new->what, &old->what) &&
	       iot_past_has(new->past, old->process, old->at);
}

static void join_oldest(struct iot_program_locks *locks, GArray *releases)
{
	const struct release *old = &g_array_index(releases, struct release, 0);
	struct release *next = &g_array_index(releases, struct release, 1);
	struct iot_past *both = iot_past_both(old->past, next->past);

	next->what.first = MIN(next->what.first, old->what.first);
	next->what.last = MAX(next->what.last, old->what.last);
	next->mode.with &= old->mode.with;
	iot_past_unref(next->past);
	next->past = both;
	g_array_remove_index(releases, 0);
	locks->n_joined++;
}

/* The release of any machine was before an instant @t of any other one. */
static gboolean is_settled(struct iot_program_locks *locks, const struct release *release,
			   guint64 t)
{
	iot_str node = iot_before_node(locks->before, release->process);
	guint64 bound =
		locks->tl->clocks ? iot_clocks_bound(locks->tl->clocks, node, release->at) : 0;

	locks->worst_bound = MAX(locks->worst_bound, bound);
	return locks->worst_bound < G_MAXUINT64 / 8 &&
	       release->at + bound + 2 * locks->worst_bound < t;
}

/* A release that carries another one makes that one useless as soon as every later holder surely
 * comes after both. */
static void drop_carried(struct iot_program_locks *locks, GArray *releases, guint64 t)
{
	for (guint i = releases->len - 1; i; i--) {
		const struct release *new = &g_array_index(releases, struct release, i);

		if (!is_settled(locks, new, t))
			continue;
		for (guint k = i; k; k--) {
			if (!is_carried(&g_array_index(releases, struct release, k - 1), new))
				continue;
			g_array_remove_index(releases, k - 1);
			new = &g_array_index(releases, struct release, --i);
		}
		return;
	}
}

static void tell_winners(struct iot_program_locks *locks, GArray *all,
			 const struct release *release)
{
	for (guint i = all->len; i; i--) {
		const struct pending *pending = &g_array_index(all, struct pending, i - 1);

		if (pending->process != release->process ||
		    !overlap(&pending->what, &release->what))
			continue;
		iot_before_join(locks->before, pending->winner, pending->t, release->past);
		g_array_remove_index_fast(all, i - 1);
	}
}

static void add_release(struct iot_program_locks *locks, guint process,
			const struct iot_locked *what, struct iot_lock_mode mode, guint64 since,
			guint64 at)
{
	struct program_lock *lock;
	GArray *releases;
	struct release new;

	if (!locks->needs_order)
		return;
	lock = find_lock(locks, what->lock);
	releases = lock->releases;
	new = (struct release){ .what = *what,
				.process = process,
				.mode = mode,
				.since = since,
				.at = at,
				.past = iot_before_past(locks->before, process, at) };

	g_array_append_val(releases, new);
	tell_winners(locks, lock->pending, &new);
	if (releases->len > IOT_LOCK_RELEASES / 2)
		drop_carried(locks, releases, at);
	if (releases->len > IOT_LOCK_RELEASES)
		join_oldest(locks, releases);
}

void iot_program_locks_told(struct iot_program_locks *locks, guint process,
			    const struct iot_locked *what, guint64 t)
{
	const GArray *held = process < locks->held->len ? locks->held->pdata[process] : NULL;

	for (guint i = 0; held && i < held->len; i++) {
		const struct iot_lock_held *piece = held_at(held, i);

		if (is_of(&piece->what, what))
			add_release(locks, process, &piece->what, piece->mode, piece->since, t);
	}
}

void iot_program_locks_leave(struct iot_program_locks *locks, guint process,
			     const struct iot_locked *what, gboolean unlocks, guint64 t)
{
	GArray *held = change_held(locks, process);
	gboolean any = FALSE;

	cut_pieces(held, what);
	for (guint i = 0; i < held->len; i++) {
		struct iot_lock_held *piece = held_at(held, i);

		if (!is_of(&piece->what, what))
			continue;
		any = TRUE;
		piece->until = MIN(piece->until, t);
		add_release(locks, process, &piece->what, piece->mode, piece->since, t);
	}
	/* it may have been taken before the recording */
	if (unlocks && !any)
		add_release(locks, process, what, iot_lock_mode_of(IOT_FILE_LOCK_EXCLUSIVE), 0, t);
}

/* ---- getting locks */

/* Whether process @a, which had the lock since @since (0: not known) and until @at, had it before
 * process @b got it at @t. */
static gboolean is_before(struct iot_program_locks *locks, guint a, guint64 since, guint64 at,
			  guint b, guint64 t)
{
	const struct iot_clocks *clocks = locks->tl->clocks;
	iot_str node = iot_before_node(locks->before, a);
	iot_str other = iot_before_node(locks->before, b);

	if (node == other)
		return at <= t || since < t;
	if (clocks && (iot_order(clocks, node, at, other, t) == IOT_PROVED ||
		       (since && iot_order(clocks, node, since, other, t) == IOT_PROVED)))
		return TRUE;
	locks->n_uncertain += locks->needs_order;
	return FALSE;
}

/* The greatest instant of @node that may be the instant @t of @other. */
static guint64 at_most(const struct iot_timeline *tl, iot_str node, iot_str other, guint64 t)
{
	guint64 a, b;

	if (node == other || !tl->clocks)
		return t;
	a = iot_clocks_bound(tl->clocks, node, t);
	b = iot_clocks_bound(tl->clocks, other, t);
	return a >= G_MAXUINT64 / 4 || b >= G_MAXUINT64 / 4 ? G_MAXUINT64 : t + a + b;
}

/* The release of @piece, which another process gets, is not seen yet, and may never be. */
static void expect_release(struct iot_program_locks *locks, struct program_lock *lock,
			   guint process, guint winner, const struct iot_lock_held *piece,
			   guint64 t)
{
	const struct pending pending = {
		.what = piece->what, .process = process, .winner = winner, .t = t
	};
	struct iot_past *past;

	if (!locks->needs_order)
		return;
	past = iot_before_past(locks->before, process, t);
	iot_before_join(locks->before, winner, t, past);
	iot_past_unref(past);
	if (lock->pending->len >= IOT_LOCK_RELEASES)
		g_array_remove_index(lock->pending, 0);
	g_array_append_val(lock->pending, pending);
}

/* Another process gets what @process holds, so it does not hold it any more. */
static void take_away(struct iot_program_locks *locks, struct program_lock *lock, guint process,
		      guint winner, const struct iot_locked *what, struct iot_lock_mode mode,
		      guint64 t)
{
	guint64 until = at_most(locks->tl, iot_before_node(locks->before, process),
				iot_before_node(locks->before, winner), t);
	GArray *held = locks->held->pdata[process];
	gboolean any = FALSE;

	for (guint i = 0; i < held->len && !any; i++)
		any = overlap(&held_at(held, i)->what, what) && held_at(held, i)->until > until;
	if (!any)
		return;
	held = change_held(locks, process);
	cut_pieces(held, what);
	for (guint i = 0; i < held->len; i++) {
		struct iot_lock_held *piece = held_at(held, i);

		if (!overlap(&piece->what, what) || !exclude(mode, piece->mode) ||
		    piece->until <= until ||
		    !is_before(locks, process, piece->since, until, winner, t))
			continue;
		piece->until = until;
		expect_release(locks, lock, process, winner, piece, t);
	}
}

static void get(struct iot_program_locks *locks, guint process, const struct iot_locked *what,
		struct iot_lock_mode mode, guint64 t)
{
	struct program_lock *lock = find_lock(locks, what->lock);

	for (guint i = 0; i < lock->releases->len; i++) {
		const struct release *release = &g_array_index(lock->releases, struct release, i);

		if (release->process != process && exclude(release->mode, mode) &&
		    overlap(&release->what, what) &&
		    is_before(locks, release->process, release->since, release->at, process, t))
			iot_before_join(locks->before, process, t, release->past);
	}
	for (guint i = 0; i < lock->holders->len; i++)
		if (g_array_index(lock->holders, guint, i) != process)
			take_away(locks, lock, g_array_index(lock->holders, guint, i), process,
				  what, mode, t);
}

void iot_program_locks_set(struct iot_program_locks *locks, guint process,
			   const struct iot_locked *what, struct iot_lock_mode mode, guint64 t)
{
	const struct iot_lock_held new = {
		.what = *what, .mode = mode, .since = t, .until = G_MAXUINT64
	};
	GArray *held = change_held(locks, process);

	cut_pieces(held, what);
	for (guint i = held->len; i; i--)
		if (is_of(&held_at(held, i - 1)->what, what))
			g_array_remove_index(held, i - 1);
	if (mode.mode) {
		get(locks, process, what, mode, t);
		g_array_append_val(held, new);
	}
	if (held->len > IOT_LOCKS_HELD) {
		g_array_remove_index(held, 0);
		locks->n_forgotten++;
	}
	note_holder(find_lock(locks, what->lock), process, holds_of(held, what->lock));
}

void iot_program_locks_notes(const struct iot_program_locks *locks, GPtrArray *notes)
{
	if (locks->n_uncertain)
		g_ptr_array_add(notes,
				g_strdup_printf("%" G_GUINT64_FORMAT
						" times the clocks do not allow to say which of "
						"two processes had a lock first",
						locks->n_uncertain));
	if (locks->n_joined)
		g_ptr_array_add(notes,
				g_strdup_printf("%" G_GUINT64_FORMAT
						" old releases of locks count as one with others: "
						"races may be missing",
						locks->n_joined));
	if (locks->n_forgotten)
		g_ptr_array_add(notes, g_strdup_printf("%" G_GUINT64_FORMAT
						       " locks that processes held were forgotten: "
						       "races may be none",
						       locks->n_forgotten));
}
