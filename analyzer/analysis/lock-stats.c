/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lock statistics: counts the calls on locks and the messages for them (lock-uses.h), measures the
 * part of each wait that depends on the place of the master, and publishes tables. Puts in nothing.
 */
#include "analysis/lock-tables.h"
#include "analysis/master-moves.h"
#include "analysis/stage.h"
#include "base/hashset.h"

#include <string.h>

enum {
	/* Locks that are followed at a time. */
	MAX_LOCKS = 1 << 16,
	/* Calls of a lock whose messages may be on the way. */
	MAX_CALLS = 8,
};

/* A call on a lock, and its messages. */
struct call {
	enum iot_call_kind kind;
	guint64 from;
	gboolean remote, redirected;
};

struct lock {
	struct lock *next;
	iot_row_id row;
	guint64 number;
	struct iot_lock_use *use;
	struct call call[MAX_CALLS]; /* the last one first */
	guint64 asked; /* when the request left that has no answer yet; 0: there is none */
};

struct lock_stats {
	struct iot_stage stage;
	struct iot_timeline *tl;
	struct iot_lock_uses *uses;
	struct iot_master_moves *moves;
	struct iot_hashset locks; /* struct lock */
	struct lock *spare;	  /* removed ones, by next */
	guint64 n_forgotten;	  /* locks, because there were too many */
	GArray *types;		  /* gboolean, by type: spans and points of locks */
	GArray *excludes;	  /* gboolean, by category: a mode that excludes another one */
	gboolean lost;		  /* some node was not observed for a while */
};

/* Models with calls on locks and with messages that name locks. */
static gboolean locks_possible(const struct iot_timeline *tl)
{
	gboolean calls = FALSE, messages = FALSE;

	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		calls |= iot_cat_at(tl, cat)->role == IOT_ROLE_CALL &&
			 iot_type_at(tl, iot_cat_at(tl, cat)->type)->kind == IOT_TYPE_POINT;
	for (iot_type_id id = 1; id < tl->types.n; id++)
		messages |= iot_type_at(tl, id)->lock_from != 0;
	return calls && messages;
}

static struct iot_stage *locks_open(struct iot_timeline *tl)
{
	struct lock_stats *s = g_new0(struct lock_stats, 1);

	s->tl = tl;
	s->uses = iot_lock_uses_new(tl);
	s->moves = iot_master_moves_new(s->uses);
	s->types = g_array_new(FALSE, TRUE, sizeof(gboolean));
	g_array_set_size(s->types, tl->types.n);
	for (iot_type_id id = 1; id < tl->types.n; id++)
		g_array_index(s->types, gboolean, id) =
			!iot_type_at(tl, id)->repeats &&
			iot_anatomy_has_callbacks(tl, iot_type_at(tl, id)->on);
	iot_hashset_init(&s->locks);
	s->excludes = g_array_new(FALSE, TRUE, sizeof(gboolean));
	g_array_set_size(s->excludes, tl->cats.n);
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		g_array_index(s->excludes, gboolean, cat) = iot_cat_excludes_any(tl, cat);
	return &s->stage;
}

static void locks_free(struct iot_stage *stage)
{
	struct lock_stats *s = (struct lock_stats *)stage;

	iot_hashset_clear_full(&s->locks, g_free);
	while (s->spare) {
		struct lock *next = s->spare->next;

		g_free(s->spare);
		s->spare = next;
	}
	g_array_unref(s->types);
	g_array_unref(s->excludes);
	iot_master_moves_free(s->moves);
	iot_lock_uses_free(s->uses);
	g_free(s);
}

static void take_wait(gpointer data, const struct iot_anatomy_wait *wait)
{
	struct lock_stats *s = data;

	iot_master_moves_add(s->moves, iot_lock_use(s->uses, wait->row), wait);
}

static void locks_listen(struct iot_stage *stage)
{
	if (iot_anatomy_possible(((struct lock_stats *)stage)->tl))
		iot_anatomy_listen(iot_stage_parts(stage), take_wait, stage);
}

/* ---- locks */

static struct lock *find_lock(const struct lock_stats *s, iot_row_id row, guint64 number)
{
	guint64 hash = iot_hash_mix(row, number);
	guint at = iot_hashset_first(&s->locks, hash);
	struct lock *lock;

	while ((lock = iot_hashset_next(&s->locks, hash, &at)) &&
	       (lock->row != row || lock->number != number))
		;
	return lock;
}

static struct lock *add_lock(struct lock_stats *s, iot_row_id row, guint64 number)
{
	struct lock *lock;

	if (s->locks.n == MAX_LOCKS) {
		s->n_forgotten += s->locks.n;
		iot_hashset_clear_full(&s->locks, g_free);
		iot_hashset_init(&s->locks);
	}
	lock = s->spare;
	if (lock)
		s->spare = lock->next;
	else
		lock = g_new(struct lock, 1);
	*lock = (struct lock){ .row = row, .number = number, .use = iot_lock_use(s->uses, row) };
	iot_hashset_add(&s->locks, iot_hash_mix(row, number), lock);
	return lock;
}

static void remove_lock(struct lock_stats *s, struct lock *lock)
{
	iot_hashset_remove(&s->locks, iot_hash_mix(lock->row, lock->number), lock);
	lock->next = s->spare;
	s->spare = lock;
}

/* ---- items */

static void take_call(struct lock_stats *s, const struct iot_item *item)
{
	struct iot_lock_use *use = iot_lock_use(s->uses, item->row);
	struct lock *lock;

	if (!use)
		return;
	if (item->flags & IOT_FAILED) {
		use->n_failed++;
		return;
	}
	if (!item->call)
		return;
	use->n_calls[item->call]++;
	if (!item->n_attrs)
		return;
	lock = find_lock(s, item->row, item->attr[0].u);
	if (!lock)
		lock = add_lock(s, item->row, item->attr[0].u);
	memmove(lock->call + 1, lock->call, sizeof(lock->call) - sizeof(lock->call[0]));
	lock->call[0] = (struct call){ .kind = item->call, .from = item->t0 };
}

static void take_point(struct lock_stats *s, const struct iot_item *item)
{
	struct iot_lock_use *use;

	if (iot_cat_at(s->tl, item->cat)->role == IOT_ROLE_CALL) {
		take_call(s, item);
		return;
	}
	use = iot_lock_use(s->uses, item->row);
	if (use)
		use->n_blocked++;
}

static void take_span(struct lock_stats *s, const struct iot_item *item)
{
	enum iot_role role = iot_cat_at(s->tl, item->cat)->role;
	struct iot_lock_use *use;
	struct lock *lock;

	use = iot_lock_use(s->uses, item->row);
	if (!use || use == &s->uses->others)
		return;
	lock = role == IOT_ROLE_HOLD && item->n_attrs ? find_lock(s, item->row, item->attr[0].u)
						      : NULL;
	if (lock && lock->call[0].kind == IOT_CALL_RELEASES)
		remove_lock(s, lock);
	/* modes that are compared have their categories before the first item */
	if (role == IOT_ROLE_HOLD &&
	    (item->cat >= s->excludes->len || !g_array_index(s->excludes, gboolean, item->cat)))
		return;
	if (item->flags & IOT_PARTIAL)
		use->n_partial++;
	else
		iot_counts_add(role == IOT_ROLE_HOLD ? &use->hold : &use->wait,
				  item->t1 - item->t0);
}

/* The call that a message left for. */
static struct call *call_at(struct lock *lock, guint64 t)
{
	guint i = 0;

	while (i + 1 < MAX_CALLS && lock->call[i].from > t && lock->call[i + 1].kind)
		i++;
	return &lock->call[i];
}

static void take_request(struct lock *lock, const struct iot_item *item)
{
	struct call *call = call_at(lock, iot_link_from(item));

	lock->use->n_messages[call->kind]++;
	if (!call->remote)
		lock->use->n_remote[call->kind]++;
	if (call->redirected)
		lock->use->n_self--;
	call->remote = TRUE;
	call->redirected = FALSE;
	lock->asked = iot_link_from(item);
}

/* The request asked for the master only. Unless another request follows, it is the node itself. */
static void take_redirect(struct lock *lock)
{
	struct call *call = &lock->call[0];

	lock->asked = 0;
	lock->use->n_directory++;
	if (!call->remote)
		return;
	lock->use->n_messages[call->kind]--;
	lock->use->n_directory++;
	lock->use->n_remote[call->kind]--;
	lock->use->n_self++;
	call->remote = FALSE;
	call->redirected = TRUE;
}

static void take_answer(struct lock_stats *s, struct lock *lock, const struct iot_item *item)
{
	lock->use->n_messages[lock->call[0].kind]++;
	if (lock->asked && lock->use != &s->uses->others)
		iot_counts_add(&lock->use->trip,
				  MAX(iot_link_to(item), lock->asked) - lock->asked);
	lock->asked = 0;
}

static void take_link(struct lock_stats *s, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(s->tl, item->type);
	enum iot_role role = iot_cat_at(s->tl, item->cat)->role;
	gboolean answers =
		role == IOT_ROLE_GRANT || role == IOT_ROLE_REDIRECT || role == IOT_ROLE_BLOCK;
	guint64 from = iot_item_number(item, type->lock_from),
		to = iot_item_number(item, type->lock_to);
	iot_row_id row = answers ? item->row_to : item->row;
	struct iot_lock_use *use;
	struct lock *lock;

	/* a link of a node with itself is no message */
	if (iot_link_is_stub(item) || item->row == item->row_to)
		return;
	use = iot_lock_use(s->uses, row);
	if (!use)
		return;
	use->talks = TRUE;
	if (role == IOT_ROLE_GRANT || role == IOT_ROLE_BLOCK)
		iot_lock_use_master(s->uses, item->row);
	if (role == IOT_ROLE_BLOCK) {
		use->n_asked++;
		return;
	}
	lock = answers || role == IOT_ROLE_REQUEST ? find_lock(s, row, answers && to ? to : from)
						   : NULL;
	if (!lock || !lock->call[0].kind)
		use->n_others++;
	else if (role == IOT_ROLE_REQUEST)
		take_request(lock, item);
	else if (role == IOT_ROLE_REDIRECT)
		take_redirect(lock);
	else
		take_answer(s, lock, item);
}

static gboolean locks_wants(struct iot_stage *stage, enum iot_item_kind kind, iot_cat_id cat)
{
	const struct lock_stats *s = (struct lock_stats *)stage;
	enum iot_role role = iot_cat_at(s->tl, cat)->role;
	iot_type_id type = iot_cat_at(s->tl, cat)->type;
	gboolean of_locks = type < s->types->len && g_array_index(s->types, gboolean, type);

	switch (kind) {
	case IOT_ITEM_LINK:
		return iot_type_at(s->tl, type)->lock_from != 0;
	case IOT_ITEM_GAP:
		return TRUE;
	case IOT_ITEM_POINT:
		return of_locks && (role == IOT_ROLE_CALL || role == IOT_ROLE_BLOCK);
	case IOT_ITEM_SPAN:
		return of_locks && (role == IOT_ROLE_WAIT || role == IOT_ROLE_HOLD);
	default:
		return FALSE;
	}
}

static gboolean locks_item(struct iot_stage *stage, const struct iot_item *item, GError **error)
{
	struct lock_stats *s = (struct lock_stats *)stage;

	(void)error;
	if (item->kind == IOT_ITEM_LINK)
		take_link(s, item);
	else if (item->kind == IOT_ITEM_GAP)
		s->lost = TRUE;
	else if (item->kind == IOT_ITEM_POINT)
		take_point(s, item);
	else
		take_span(s, item);
	return TRUE;
}

static void locks_publish(struct iot_stage *stage, struct iot_results *results)
{
	struct lock_stats *s = (struct lock_stats *)stage;
	const struct iot_lock_doubts doubts = { .lost = s->lost, .n_forgotten = s->n_forgotten };

	iot_lock_uses_finish(s->uses);
	iot_lock_tables_publish(s->uses, &doubts, results);
	iot_master_moves_publish(s->moves, results);
}

const struct iot_stage_ops iot_stage_locks = {
	.name = "locks",
	.summary = "tables of calls and messages for each resource, and of better lock masters",
	.always = TRUE,
	.is_possible = locks_possible,
	.open = locks_open,
	.listen = locks_listen,
	.wants = locks_wants,
	.item = locks_item,
	.publish = locks_publish,
	.free = locks_free,
};
