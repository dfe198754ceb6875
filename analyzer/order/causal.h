/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The causality filter: takes records in the order of the merge, and delivers them in an order that
 * obeys the rules of [order], or only counts what contradicts them.
 *
 * Each machine has one queue (each thread, if the rules say so). An effect that comes before its
 * cause waits there, and all later records of its machine wait after it, so that the order inside a
 * machine stays as it is. An effect is only moved if its cause is really in the recordings: before
 * the filter decides, it looks ahead, at most as far as the rule's hold time. Pipeline thread only.
 *
 * docs/CAUSALITY.md describes the policies and their proofs. An event without a role in a rule
 * costs one lookup by its number. Without a policy that moves events the filter only counts. A
 * record that cannot be delivered yet is copied. It waits in the list "ahead" while an effect
 * before it is undecided: its cause may come, or not. Then it goes to the queue of its machine,
 * whose first record leaves when its causes have been delivered. causal-doubt.c decides whether a
 * later cause can be that of another effect: nothing moves then. Nor does anything move by more
 * than the bounds of the clocks (iot_order). So an effect is held only if its cause is in the
 * recordings, and no event of another machine passes an effect that waits in vain.
 *
 * A record gets its time and the number of its round when it leaves its queue. So both can be had
 * in one pass (--causality adjust,rounds).
 *
 * Held records hold the watermark and the edges of inputs (delivery() in run/pass.c), and are part
 * of checkpoints (causal-save.c). They take at most an eighth of --memory; beyond that the oldest
 * effect is delivered, and counted.
 */
#ifndef IOT_ORDER_CAUSAL_H
#define IOT_ORDER_CAUSAL_H

#include "base/diag.h"
#include "base/pack.h"
#include "language/order-rule.h"

enum iot_causality {
	IOT_CAUSALITY_OFF,    /* no rule is looked at */
	IOT_CAUSALITY_REPORT, /* count */
	IOT_CAUSALITY_HOLD,   /* deliver in a valid order, with the times as recorded */
	IOT_CAUSALITY_ADJUST, /* and with the least later times that fit this order */
};

/* The choice of --causality. */
struct iot_causality_choice {
	enum iot_causality policy;
	gboolean rounds; /* HOLD, ADJUST: number what can happen together */
	/* ADJUST: intervals keep at least this share (ppm) of their length after a jump, and grow
	 * by at most the rest before it; 0: they may shrink to nothing, and grow without limit */
	guint32 keep_ppm;
	guint64 back_ns; /* with @keep_ppm: a jump moves events that are at most so much older */
	gboolean strict; /* not OFF: the run fails if events are early */
	gboolean inside; /* also rules whose causes are on the effect's own machine */
	guint64 hold_ns; /* instead of the hold time of all rules; 0: as the rules say */
};

/* An input, for the filter. */
struct iot_causal_input {
	iot_str node, node_name;
	guint32 recording;	/* as in struct iot_model_input */
	gint64 number;		/* of its node; G_MININT64: it has none */
	guint64 first_ns;	/* of its first event */
	guint64 from_ns, to_ns; /* as in struct iot_model_input */
	gboolean used;		/* it has events of models */
	struct iot_commands *commands;
};

/* How a record was changed on its way. */
struct iot_moved {
	guint64 shift; /* ns by which its time is later than recorded */
	guint64 round; /* from 1; 0: not asked for */
};

/* @rec is valid during the call. */
typedef void (*iot_causal_func)(gpointer user_data, struct iot_rec *rec,
				const struct iot_moved *moved);

/* An effect that came before its cause, or after the end of its key. */
struct iot_causal_early {
	const char *rule;	     /* "dlm message" */
	guint64 effect_ns, cause_ns; /* effect_ns <= cause_ns, unless @late */
	guint32 effect, cause;	     /* inputs */
	gboolean late;		     /* cause: the end of the key */
	gboolean doubt; /* its own cause may be unrecorded, and this one may be another's */
};
typedef void (*iot_causal_early_func)(gpointer user_data, const struct iot_causal_early *early);

/* Whether no error of the clocks explains that the effect is before its cause. */
typedef gboolean (*iot_causal_certain_func)(gpointer user_data,
					    const struct iot_causal_early *early);

struct iot_causal_config {
	struct iot_causality_choice choice;
	const struct iot_order_rules *rules; /* must outlive the filter */
	const struct iot_schema *schema;
	const struct iot_causal_input *inputs; /* copied */
	guint n_inputs;
	gsize memory; /* bytes of held records; beyond that the oldest effect is delivered */
	guint max_keys;
	struct iot_timeline *tl;
	iot_causal_func func;
	gpointer user_data;
	iot_causal_early_func early;	 /* NULL: nobody asks */
	iot_causal_certain_func certain; /* NULL: all clocks may be wrong */
	gpointer early_data;		 /* of both */
};

/* The effects of one rule. */
struct iot_causal_report {
	const char *name;
	guint64 n;	   /* effects to which the rule applies */
	guint64 early;	   /* came before their cause, which is on another machine */
	guint64 inside;	   /* came before it, or a counted one, on the same machine: never moved */
	guint64 missing;   /* no cause is in the recordings, or only later than the hold time */
	guint64 elsewhere; /* the node of the cause is not recorded */
	guint64 late;	   /* came after the end of their key, and no new begin followed */
	guint64 uncounted; /* nobody knows how many causes they have: not among @n */
	guint64 far;	   /* counted causes whose number is too far after one that is missing */
	/* came before what may be their cause; but that may be missing from the recordings */
	guint64 undecided;
	guint64 beyond; /* of the early ones: by more than the errors of the clocks; never moved */
	guint64 stuck;	/* waited for each other: the rules cannot all hold */
	guint64 overflow; /* waited when the memory was full */
	guint64 at_end;	  /* waited at the end of the recordings */
	guint64 evicted;  /* keys beyond --max-open */
	/* the greatest difference by which an effect came early, and when and where that was */
	guint64 worst_ns, worst_at;
	guint32 worst_effect, worst_cause; /* inputs */
};

/* The moved records of one input. */
struct iot_causal_moves {
	guint64 held;	 /* delivered after a record that came later */
	guint64 shifted; /* got a later time */
	guint64 largest_ns, largest_at;
	guint64 sum_ns;
	guint64 last_round; /* the greatest one; 0: not asked for */
	/* keep_ppm: intervals that grew by more than the share, because their first event may not
	 * pass an effect, or is older than a jump moves */
	guint64 grown_effect, grown_window;
	guint64 grown_ns; /* the most by which one grew in excess of the share */
};

struct iot_causal;

struct iot_causal *iot_causal_new(const struct iot_causal_config *config);
/** iot_causal_free - accepts NULL; held records are not delivered */
void iot_causal_free(struct iot_causal *causal);
/** iot_causal_push - the next record of the merge, whose strings are numbers of the timeline */
void iot_causal_push(struct iot_causal *causal, struct iot_rec *rec);
/** iot_causal_gap - a gap of the input begins or ends, in the order of the merge */
void iot_causal_gap(struct iot_causal *causal, guint input, guint64 ts, gboolean begins);
/** iot_causal_ignores - whether records of this event pass untouched: they need not be pushed */
gboolean iot_causal_ignores(const struct iot_causal *causal, guint event);
/** iot_causal_finish - no record will come: deliver all that is held */
void iot_causal_finish(struct iot_causal *causal);
/** iot_causal_oldest - no record of an earlier time will be delivered, except new ones;
 * G_MAXUINT64: none is held */
guint64 iot_causal_oldest(const struct iot_causal *causal);
/** iot_causal_memory - the most bytes that held records and keys took */
gsize iot_causal_memory(const struct iot_causal *causal);

/** iot_causal_report - rule by rule; FALSE: there are no more */
gboolean iot_causal_report(const struct iot_causal *causal, guint index,
			   struct iot_causal_report *out);
/** iot_causal_moves - how the records of an input were moved */
const struct iot_causal_moves *iot_causal_moves(const struct iot_causal *causal, guint input);
/** iot_causal_unseen - whether no record of the event came, which a rule names */
gboolean iot_causal_unseen(const struct iot_causal *causal, guint event);
/** iot_causal_count - add the counters of the report to @diag */
void iot_causal_count(const struct iot_causal *causal, struct iot_diag *diag);

/** iot_causal_save - append held records, keys and counters to @out */
void iot_causal_save(const struct iot_causal *causal, GByteArray *out);
/** iot_causal_load - restore them, before the first record; FALSE if they contradict the rules */
gboolean iot_causal_load(struct iot_causal *causal, struct iot_unpack *in);

#endif
