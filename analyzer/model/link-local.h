/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A [link] as compiled, and its ends; shared by the link-*.c files. */
#ifndef IOT_MODEL_LINK_LOCAL_H
#define IOT_MODEL_LINK_LOCAL_H

#include "base/hashset.h"
#include "model/link.h"
#include "model/scope.h"

/* UNTIL is no end: an event after which from-ends with its key have no partner. */
enum { IOT_LINK_FROM, IOT_LINK_TO, IOT_LINK_UNTIL };
enum { IOT_MAX_LINK_KEYS = 16, IOT_MAX_LINK_SAME = 4 };
/* More undecided ends of one key than this are all taken as ambiguous. */
enum { IOT_MAX_LINK_RIVALS = 64 };

/* From-ends, to-ends, or events that end the wait of from-ends. */
struct iot_link_side {
	struct iot_link *link;
	guint which;
	/* the event; of a call: its start */
	struct iot_schema_event *event;
	/* NULL: an event */
	struct iot_pair *pair;
	/* the end of the call, not its start */
	gboolean at_end;
	/* line of the setting that gives the key, for messages */
	const struct iot_setting *key_setting;
	struct iot_expr *key[IOT_MAX_LINK_KEYS];
	struct iot_expr *when;
	/* there is no end while this table is empty; NULL: not known */
	const struct iot_keytable *needs;
	struct iot_row_path *path;
	/* an end without a partner is nothing special */
	gboolean lone;
	/* the row depends on the other end */
	gboolean row_of_both;
	/* "let" lines: name -> field */
	GHashTable *aliases;
	/* by input: key values that are texts, a bit for each, of the event that was seen last */
	struct iot_link_texts {
		const struct iot_event *event;
		guint32 texts;
	} *typed;
};

/* All ends with one key. */
struct iot_link_group {
	guint64 hash;
	guint32 texts;
	/* by side, in order of arrival */
	struct iot_link_list {
		struct iot_link_end *first, *last;
		guint n;
	} side[2];
	/* to-ends that wait for a late from-end, and to-ends with rivals */
	guint n_late, n_stuck;
	/* when the rivals are decided */
	guint64 deadline;
	struct iot_link_group *stuck_prev, *stuck_next;
	/* too many rivals: all ends are ambiguous */
	gboolean crowded;
	gboolean is_stuck;
	guint keepers;
	guint64 key[];
};

struct iot_link_end {
	struct iot_link_side *side;
	/* NULL: it has left */
	struct iot_link_group *group;
	/* in the group's side */
	struct iot_link_end *prev, *next;
	/* all ends, by arrival */
	struct iot_link_end *older, *newer;
	/* undecided ends, by arrival */
	struct iot_link_end *undecided_prev, *undecided_next;
	/* ends that expire, in that order */
	struct iot_link_end *expires_prev, *expires_next;
	/* the instant, and the number of the record */
	guint64 t, number;
	/* no partner after this; G_MAXUINT64: no limit yet */
	guint64 until;
	/* from-ends: values of "same" */
	guint64 same[IOT_MAX_LINK_SAME];
	/* joined ends that wait for a row: to-ends name their from-end, of which there is one for
	 * many to-ends, and the next one that waits; of a link that gathers, from-ends their to-end
	 */
	struct iot_link_end *partner, *waits_next;
	/* of the partner: those that wait */
	struct iot_link_end *waiting;
	/* in the list of undecided ends; examined once; waits for a late from-end; is kept because
	 * it takes one of several from-ends */
	guint undecided : 1, examined : 1, late : 1, stuck : 1, settled : 1;
	/* its from-end may not have been recorded */
	guint optional : 1;
	/* in the list of ends that expire; a partner was found; a partner was possible */
	guint expires : 1, joined : 1, doubtful : 1;
	/* of a call: row and lane are known; of an object: they are the object's */
	guint placed : 1, of_object : 1;
	iot_row_id row;
	guint16 lane;
	/* of a call: number of its end event (@end) */
	guint8 end_number;
	/* it has no partner, and its stub waits for the row: enum iot_unrecorded and 1 */
	guint8 stub;
	/* the open call; NULL: it has ended, or there is none */
	gpointer call;
	/* other ends of this call's start */
	struct iot_link_end *call_next;
	/* copy of the end event of the call; NULL: none */
	struct iot_rec *end;
	/* copy; its slots follow */
	struct iot_rec start;
};

struct iot_link {
	struct iot_model *model;
	const struct iot_section *section;
	/* title of the type, and the name of the section if it is another */
	char *title;
	struct iot_values *values;
	struct iot_link_side side[2];
	/* of struct iot_link_side */
	GPtrArray *untils;
	guint n_keys, n_same;
	struct iot_expr *same[IOT_MAX_LINK_SAME];
	/* many: a from-end has many to-ends; gathers: a to-end has many from-ends */
	gboolean unique, many, gathers;
	/* ends without a partner are drawn */
	gboolean stubs;
	/* the key names the machine or the recording, so both ends are of one recording */
	gboolean local;
	/* the to-end comes while the call of the from-end is open */
	gboolean contained;
	/* G_MAXUINT64: no limit */
	guint64 within;
	struct iot_template *value;
	struct iot_expr *failed;
	struct iot_setter set;
	/* of to-ends without a from-end */
	struct iot_template *stub_value;
	struct iot_setter stub_set;

	/* of struct iot_link_group, by key */
	struct iot_hashset groups;
	guint n_ends;
	struct iot_link_end *oldest, *newest;
	struct iot_link_end *undecided, *undecided_last;
	/* the first undecided end that was not examined */
	struct iot_link_end *unexamined;
	struct iot_link_end *expires, *expires_last;
	struct iot_link_group *stuck, *stuck_last;
	/* ends before this may have been evicted */
	guint64 evicted_to;
	gboolean evicted;
	/* for reuse; linked by newer and by stuck_next */
	struct iot_link_end *spare_ends;
	struct iot_link_group *spare_groups;
	/* bytes of an end, with the fields of any event, and of a group */
	gsize end_size, group_size;
	/* ever allocated */
	gsize n_allocated, n_groups;
	guint64 count[IOT_LINK_N_COUNTS];
};

/* A time and a duration, either of which may have no limit (G_MAXUINT64). */
static inline guint64 iot_link_time(guint64 t, guint64 ns)
{
	return t > G_MAXUINT64 - ns ? G_MAXUINT64 : t + ns;
}

/* The largest error of clocks that matters to the link. */
static inline guint64 iot_link_error(const struct iot_link *link)
{
	return link->local || link->model->n_inputs < 2 ? 0 : link->model->clock_error_ns;
}

/* The time at which iot_link_settle has something to do. */
static inline guint64 iot_link_due(const struct iot_link *link)
{
	guint64 error = iot_link_error(link), due = G_MAXUINT64;

	if (link->unexamined)
		due = iot_link_time(link->unexamined->t, error);
	if (link->stuck)
		due = MIN(due, link->stuck->deadline);
	if (link->expires)
		due = MIN(due, iot_link_time(link->expires->until, 2 * error));
	return due;
}

/* ---- link-ends.c: the store */

/** iot_link_known_group - the group of a key; NULL: it has no ends */
struct iot_link_group *iot_link_known_group(const struct iot_link *link, const guint64 *key,
					    guint32 texts);
/** iot_link_find_group - the group of a key; it is made if there is none */
struct iot_link_group *iot_link_find_group(struct iot_link *link, const guint64 *key,
					   guint32 texts);
/** iot_link_keep_group, iot_link_drop_group - between these calls the group is not freed */
void iot_link_keep_group(struct iot_link_group *group);
void iot_link_drop_group(struct iot_link *link, struct iot_link_group *group);
/** iot_link_new_end - an end with a copy of @rec, the last of all and of its group; the caller sets
 * the rest */
struct iot_link_end *iot_link_new_end(struct iot_link_side *side, struct iot_link_group *group,
				      const struct iot_rec *rec);
/** iot_link_detach - the end has left its group, and is no partner any more; the caller frees it */
void iot_link_detach(struct iot_link *link, struct iot_link_end *end);
/** iot_link_leave - detach and release */
void iot_link_leave(struct iot_link *link, struct iot_link_end *end);
/** iot_link_release - free a detached end, unless its call is open or a link waits for its row */
void iot_link_release(struct iot_link *link, struct iot_link_end *end);
/** iot_link_undecided, iot_link_decided - the end holds the watermark from here on, up to here */
void iot_link_undecided(struct iot_link *link, struct iot_link_end *end);
void iot_link_decided(struct iot_link *link, struct iot_link_end *end);
/** iot_link_expire, iot_link_unexpire - the end leaves when end->until has passed, or not */
void iot_link_expire(struct iot_link *link, struct iot_link_end *end);
void iot_link_unexpire(struct iot_link *link, struct iot_link_end *end);
/** iot_link_add_stuck, iot_link_remove_stuck - the group's rivals are decided at its deadline; the
 * second call may be made for any group */
void iot_link_add_stuck(struct iot_link *link, struct iot_link_group *group);
void iot_link_remove_stuck(struct iot_link *link, struct iot_link_group *group);
/** iot_link_evict_oldest - make room for another end */
void iot_link_evict_oldest(struct iot_link *link);
/** iot_link_count_at - add 1 to a count, if it happens before the end of the window */
void iot_link_count_at(struct iot_link *link, enum iot_link_count what, guint64 t);
/** iot_link_store_free - ends and groups */
void iot_link_store_free(struct iot_link *link);

/* ---- link-settle.c: the partners */

/** iot_link_settle - decide ends whose partners must all have come before @now */
void iot_link_settle(struct iot_link *link, guint64 now);
/** iot_link_no_later - the from-ends of a group have no partner after @t of the clock of @input */
void iot_link_no_later(struct iot_link *link, struct iot_link_group *group, guint32 input,
		       guint64 t);
/** iot_link_possible - whether the clocks and the time that the link may take allow the link */
gboolean iot_link_possible(const struct iot_link *link, const struct iot_link_end *from,
			   const struct iot_link_end *to);
/** iot_link_unmatched - count an end without a partner, by the reason, and draw its stub */
void iot_link_unmatched(struct iot_link *link, struct iot_link_end *end);

/* ---- link-gather.c: the partners of a link that gathers */

/** iot_link_gather_from - no to-end that is possible for the from-end will come any more */
void iot_link_gather_from(struct iot_link *link, struct iot_link_end *from);
/** iot_link_gather_to - all from-ends that are possible for the to-end have come */
void iot_link_gather_to(struct iot_link *link, struct iot_link_end *to);

/* ---- link-order.c: clocks and gaps */

/** iot_may_be_before - whether an instant of one input may be before an instant of another one */
gboolean iot_may_be_before(const struct iot_model *model, guint32 input_a, guint64 a,
			   guint32 input_b, guint64 b);
/** iot_clock_error - the largest difference between the clocks of two inputs, ns */
guint64 iot_clock_error(const struct iot_model *model, guint32 input_a, guint32 input_b);

enum iot_unrecorded { IOT_ALL_RECORDED, IOT_IN_GAP, IOT_OUTSIDE };
/** iot_unrecorded - whether some input lacks events between @t0 and @t1 of the clock of @input */
enum iot_unrecorded iot_unrecorded(const struct iot_link *link, guint32 input, guint64 t0,
				   guint64 t1);
void iot_unrecorded_start(struct iot_model *model);
void iot_unrecorded_free(struct iot_model *model);
void iot_unrecorded_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin);
void iot_unrecorded_save(const struct iot_model *model, GByteArray *out);
gboolean iot_unrecorded_load(struct iot_model *model, struct iot_unpack *in);

/* ---- link-draw.c */

/** iot_link_join - draw the link when both rows are known */
void iot_link_join(struct iot_link *link, struct iot_link_end *from, struct iot_link_end *to);
/** iot_link_place - the row of an end is known: draw the links that waited for it */
void iot_link_place(struct iot_link *link, struct iot_link_end *end);
/** iot_link_draw_stub - draw an end without a partner when its row is known; the caller detaches it
 */
void iot_link_draw_stub(struct iot_link *link, struct iot_link_end *end, enum iot_unrecorded why);

#endif
