/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that the two ends of a state or a message share, for sources whose files do not have
 * them. One thread.
 */
#ifndef IOT_INPUT_MADE_IDS_H
#define IOT_INPUT_MADE_IDS_H

#include <glib.h>

/* Who can share a queue of open ends: a state of a thread, or messages with a tag from one rank to
 * another. */
struct iot_made_key {
	gint32 part[5];
};

struct iot_made_ids;

/** iot_made_ids_new - no open ends */
struct iot_made_ids *iot_made_ids_new(void);
/** iot_made_ids_free - accepts NULL */
void iot_made_ids_free(struct iot_made_ids *ids);
/** iot_made_ids_leave - a new number, from 1, that the other end will take */
guint64 iot_made_ids_leave(struct iot_made_ids *ids, const struct iot_made_key *key);
/** iot_made_ids_take - the number that was left last; 0: there is none */
guint64 iot_made_ids_take(struct iot_made_ids *ids, const struct iot_made_key *key);
/**
 * iot_made_ids_message - the number of a message, of which this is one end
 * @sends: whether it is that of the sender
 *
 * MPI delivers messages with one tag between two ranks in order, so the n-th that is received is
 * the n-th that was sent. By the clocks it may come first.
 */
guint64 iot_made_ids_message(struct iot_made_ids *ids, const struct iot_made_key *key,
			     gboolean sends);
/** iot_made_ids_lost - some ends are missing: those that are open have no other end, and from here
 * on messages cannot be counted, so none has one */
void iot_made_ids_lost(struct iot_made_ids *ids);

#endif
