/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys, waiting effects and queues of the causality filter; shared by the causal-*.c files. */
#ifndef IOT_ORDER_CAUSAL_LOCAL_H
#define IOT_ORDER_CAUSAL_LOCAL_H

#include "base/hashset.h"
#include "order/causal.h"

/* A change of a key by a held record: it counts when the record is delivered. */
struct change {
	struct entry *entry;
	struct change *next, *prev; /* of the key, in the order of the merge */
	guint64 idx;		    /* number of the record */
	guint32 queue;
	guint8 part; /* enum iot_order_part */
	guint8 cause;
	gint64 number;
	gint64 node; /* number of the record's machine */
	guint64 ns;  /* time of the record, as recorded */
	guint32 input;
};

/* One key of one rule. */
struct entry {
	guint64 hash;
	struct iot_order_rule *rule;
	struct entry *older, *newer; /* all keys, by creation */
	guint32 texts;		     /* values of the key that are texts */
	guint32 passed;		     /* a bit for each cause that was delivered */
	gboolean active;	     /* the begin of the key was delivered */
	gint64 begun;		     /* its number */
	guint64 begun_ns;	     /* its time */
	/* Of a rule with "final": when and where the key ended; 0: it has not, or has begun again
	 */
	guint64 ended_ns;
	guint32 ended_input;
	struct waiter *waiters;
	struct change *first, *last; /* of held records */
	/* then number (or count), level, node of each cause, and its numbers that came too soon */
	guint64 key[];
};

/* Words of a key. */
static inline guint entry_words(const struct iot_order_rule *rule)
{
	return rule->n_keys + 4 * rule->n_causes;
}

enum { MAX_ENTRY_WORDS = IOT_ORDER_KEYS + 4 * IOT_ORDER_CAUSES };

/* Numbers of nodes: any node; several nodes. */
#define ANY_NODE      G_MININT64
#define SEVERAL_NODES G_MAXINT64

enum decision {
	UNDECIDED, /* no cause has come yet */
	EXPECTED,  /* a cause has come and will pass */
	FREE,	   /* it waits no longer */
};

/* An effect whose condition was not true when it came. */
struct waiter {
	struct entry *entry;
	struct waiter *next;	     /* of its key */
	struct waiter *also;	     /* of its record */
	struct waiter *prev, *after; /* undecided, of its rule, by time */
	struct held *held;	     /* NULL: it is only counted */
	guint64 t, idx;
	guint32 input, run, queue;
	guint8 decision;
	guint8 inside;	  /* its machine did a counted cause after it */
	guint64 begun_ns; /* of a rule with "begins": time of the begin */
	guint64 ended_ns; /* of a rule with "final": its key has ended then; 0: it has not */
	guint32 ended_input;
	gint64 node; /* number of the machine of its causes, or ANY_NODE */
	gint64 wants[IOT_ORDER_CAUSES];
};

/* The gaps of an input. */
struct gaps {
	guint depth;	 /* CPUs that are in a gap now */
	guint64 last_ns; /* end of the last one; 0: there was none */
};

struct held {
	struct held *next; /* in the list ahead, or in its queue */
	guint64 idx;	   /* number of the record in the order of the merge */
	guint64 level;	   /* of causes that had passed when it came */
	guint32 queue;
	guint n_undecided;
	struct waiter *waiters;
	guint n_changes, max_changes;
	struct change *changes; /* in the same memory, as is the record of a copy */
	struct iot_rec *rec;
};

struct list {
	struct held *first, *last;
};

/* The held records of one machine, or of one thread. */
struct queue {
	struct list list;
	struct queue *next_busy;
	guint64 level;		    /* round of the last delivered record */
	guint64 last_raw, last_out; /* its times, as recorded and as delivered */
	enum { UNKNOWN, ON_PATH, HOPEFUL } search;
	/* The window of spread: records that have left the list, but are not delivered. */
	struct past *first_past, *last_past;
	struct past *first_open; /* may still be moved */
	guint n_open;
	gint64 base; /* own height of the last one that is not open; G_MAXINT64: there is none */
	/* of the last delivered one: its height, and whether an effect holds it there */
	gint64 last_height;
	gboolean last_limited;
};

/* A record in the window of spread. */
struct past_state {
	struct held *held;
	guint64 out;	/* its time, if no later record moves it */
	guint64 round;	/* 0: not asked for */
	gint64 reached; /* how far later records move it, see causal-spread.c */
	gboolean open;	/* it may still be moved */
};

struct rule_state {
	struct iot_causal_report report;
	guint64 hold_ns;
	struct waiter *first, *last; /* undecided, by time */
};

struct iot_causal {
	struct iot_causal_config config;
	gboolean moves; /* the policy delivers in another order */
	gboolean by_thread;
	struct rule_state *rules;
	guint n_rules;
	gboolean *seen; /* by event of the schema */
	struct iot_hashset entries;
	struct entry *oldest, *newest;
	guint n_entries, most_entries;
	guint64 due; /* an undecided effect is given up after this time */
	struct iot_causal_moves *inputs;
	struct gaps *gaps;	     /* by input */
	guint32 *machine;	     /* by input: its queue, if queues are those of machines */
	GHashTable *by_thread_queue; /* machine and pid -> queue + 1 */

	/* Only if the policy moves records. */
	struct list ahead;  /* read, but not in a queue yet: the first one is undecided */
	GPtrArray *queues;  /* of struct queue */
	struct queue *busy; /* those with held records */
	guint64 now;	    /* time of the delivery */
	guint64 next_idx, replayed,
		top_idx; /* next record, last one in a queue, latest delivered */
	gsize bytes, most_bytes;
	GPtrArray *events;     /* of records from a checkpoint */
	struct spread *spread; /* NULL: intervals may change as they like */
	guint64 pushed;	       /* time of the last record of the merge */
};

static inline guint64 *iot_entry_numbers(struct entry *entry)
{
	return entry->key + entry->rule->n_keys;
}
static inline guint64 *iot_entry_levels(struct entry *entry)
{
	return iot_entry_numbers(entry) + entry->rule->n_causes;
}

static inline guint64 *iot_entry_nodes(struct entry *entry)
{
	return iot_entry_levels(entry) + entry->rule->n_causes;
}

static inline guint64 *iot_entry_ahead(struct entry *entry)
{
	return iot_entry_nodes(entry) + entry->rule->n_causes;
}

/* How many of each counted cause there are: of numbered ones those without a hole, with a bit for
 * each number after the hole, from the second one on. */
struct tally {
	gint64 count[IOT_ORDER_CAUSES];
	guint64 ahead[IOT_ORDER_CAUSES];
};

/* ---- causal-key.c */

/** iot_causal_find - the entry of a key; NULL: there is none */
struct entry *iot_causal_find(const struct iot_causal *causal, const struct iot_order_rule *rule,
			      guint64 hash, const guint64 *key, guint32 texts);
/** iot_causal_add - a new entry; if there are too many, the oldest one without waiters goes */
struct entry *iot_causal_add(struct iot_causal *causal, struct iot_order_rule *rule, guint64 hash,
			     const guint64 *key, guint32 texts);
void iot_causal_remove(struct iot_causal *causal, struct entry *entry);
/** iot_causal_reset - no cause has passed, except initial numbers */
void iot_causal_reset(struct entry *entry);
/** iot_causal_tidy - remove the entry if nothing is known of its key */
void iot_causal_tidy(struct iot_causal *causal, struct entry *entry);
/** iot_causal_mask - the causes that have passed, with the number that the effect wants, and on its
 * node */
guint32 iot_causal_mask(struct entry *entry, const struct waiter *waiter);
/** iot_tally_init - what has been delivered */
void iot_tally_init(struct tally *tally, struct entry *entry);
/** iot_tally_add - one more counted cause; FALSE: its number is too far after the hole */
gboolean iot_tally_add(struct tally *tally, const struct iot_order_rule *rule,
		       const struct change *change);
/** iot_tally_reaches - whether the change completes the causes of its name; @tally has all before
 * it, and gets it. Causes that are not counted are complete at once. */
gboolean iot_tally_reaches(struct tally *tally, const struct change *change,
			   const struct waiter *waiter);
/** iot_change_counts - whether the cause is on the effect's node and has the wanted number. The
 * largest number counts, but a larger one than the wanted one may itself depend on the effect. */
static inline gboolean iot_change_counts(const struct change *change, const struct waiter *waiter)
{
	return (waiter->node == ANY_NODE || change->node == waiter->node) &&
	       (!waiter->entry->rule->cause[change->cause].numbered ||
		waiter->entry->rule->cause[change->cause].counted ||
		change->number == waiter->wants[change->cause]);
}
/** iot_causal_wait - add a waiter to its key and to the undecided ones of its rule */
void iot_causal_wait(struct iot_causal *causal, struct waiter *waiter);
/** iot_causal_decide - an undecided effect is expected, or free; one that is only counted is freed
 */
void iot_causal_decide(struct iot_causal *causal, struct waiter *waiter, enum decision decision);
/** iot_causal_forget - the effect was delivered: free the waiter */
void iot_causal_forget(struct iot_causal *causal, struct waiter *waiter);

/* ---- causal-doubt.c */

/** iot_causal_doubts - whether the effect's own cause may be unrecorded, so that one that comes at
 * @ts may be another effect's */
gboolean iot_causal_doubts(const struct iot_causal *causal, const struct waiter *waiter,
			   guint64 ts);

/** iot_causal_doubts_late - whether the key of an effect may have begun again, unrecorded */
gboolean iot_causal_doubts_late(const struct iot_causal *causal, const struct waiter *waiter);

/* ---- causal-judge.c */

/**
 * iot_causal_judge - judge the effects of a record from the merge
 * @held: record, number and queue; gets the effects that have to wait, and the round after which
 *	the causes of the others allow it
 */
void iot_causal_judge(struct iot_causal *causal, struct held *held);
/** iot_causal_change - apply what a record causes that is not held; @level: its round */
void iot_causal_change(struct iot_causal *causal, const struct iot_rec *rec, guint64 level);
/** iot_causal_announce - note what a held record will cause */
void iot_causal_announce(struct iot_causal *causal, struct held *held);
/** iot_causal_pass - apply what a held record causes, which is delivered now */
void iot_causal_pass(struct iot_causal *causal, struct held *held, guint64 level);
/** iot_held_change - the record will change the key, by part, cause and number of @change */
void iot_held_change(struct held *held, struct entry *entry, const struct change *change);
/** iot_causal_give_up - no cause has come: the effect waits no longer. It is counted in @count, or
 * as one after the end of its key */
void iot_causal_give_up(struct iot_causal *causal, struct waiter *waiter, guint64 *count);
/** iot_causal_expire - give up the effects whose time is over at @ts */
void iot_causal_expire(struct iot_causal *causal, guint64 ts);
/** iot_causal_eval - what expressions see of a record */
void iot_causal_eval(const struct iot_causal *causal, struct iot_eval *eval,
		     const struct iot_rec *rec);
/** iot_causal_queue - number of the queue of a record */
guint32 iot_causal_queue(struct iot_causal *causal, const struct iot_rec *rec);

/* ---- causal-queue.c */

/** iot_held_new - a held record of an event, not filled in, with room for its changes */
struct held *iot_held_new(const struct iot_causal *causal, const struct iot_event *event);
/** iot_causal_hold - take over a copy of the record, and drain */
void iot_causal_hold(struct iot_causal *causal, struct held *held);
/** iot_causal_drain - deliver all records that may leave, after a decision */
void iot_causal_drain(struct iot_causal *causal);
/** iot_causal_hand_over - deliver one record of a queue, and return its round; 0: not asked for */
guint64 iot_causal_hand_over(struct iot_causal *causal, struct queue *queue, struct held *held);
/** iot_causal_deliver - deliver a record at the time @t */
void iot_causal_deliver(struct iot_causal *causal, struct held *held, guint64 t, guint64 round);
/** iot_causal_flush - deliver everything */
void iot_causal_flush(struct iot_causal *causal);
/** iot_held_append - append to a list, and account for its memory */
void iot_held_append(struct iot_causal *causal, struct list *list, struct held *held);
/** iot_queue_busy - the queue, which was empty, gets a record */
static inline void iot_queue_busy(struct iot_causal *causal, struct queue *queue)
{
	queue->next_busy = causal->busy;
	causal->busy = queue;
}
/** iot_queue_at - the queue with that number */
struct queue *iot_queue_at(const struct iot_causal *causal, guint32 index);
void iot_held_free(struct iot_causal *causal, struct held *held);

/* ---- causal-spread.c */

struct spread *iot_causal_spread_new(const struct iot_causality_choice *choice);
/** iot_causal_spread_free - with the records in its windows; before the queues are freed */
void iot_causal_spread_free(struct iot_causal *causal);
/** iot_past_add - take over a record that may leave at @out, or later; its raw time is in it */
void iot_past_add(struct iot_causal *causal, struct held *held, guint64 out, guint64 round);
/** iot_past_deliver - deliver the records that no later one moves */
void iot_past_deliver(struct iot_causal *causal);
/** iot_past_shorten - the oldest record can be moved no longer; FALSE: there is none */
gboolean iot_past_shorten(struct iot_causal *causal);
/** iot_past_finish - deliver everything */
void iot_past_finish(struct iot_causal *causal);
/** iot_past_list - the waiting records in the order of delivery, of struct past_state; the caller
 * frees */
GArray *iot_past_list(const struct iot_causal *causal);
/** iot_past_restore - the next record of such a list, which is taken over */
void iot_past_restore(struct iot_causal *causal, const struct past_state *state);
/** iot_past_oldest - no record of an earlier time will be delivered; G_MAXUINT64: none waits */
guint64 iot_past_oldest(const struct iot_causal *causal);

#endif
