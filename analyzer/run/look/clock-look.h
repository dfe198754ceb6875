/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at the recordings for --sync: the messages between machines whose sender is certain. The
 * clocks do not matter for that: a message is certain if its key occurs once at each side in all
 * recordings. Pipeline thread only.
 *
 * At most @limit ends are kept. Beyond it only keys with some value of their hash count, so that
 * both ends of a message are kept or none.
 */
#ifndef IOT_RUN_LOOK_CLOCK_LOOK_H
#define IOT_RUN_LOOK_CLOCK_LOOK_H

#include "model/model.h"

struct iot_clock_look;

/** iot_clock_look_new - @limit: keys that are kept at a time, at least 1. The caller frees */
struct iot_clock_look *iot_clock_look_new(guint limit);
/** iot_clock_look_free - accepts NULL */
void iot_clock_look_free(struct iot_clock_look *look);
/** iot_clock_look_end - an end of a link (an iot_link_watch) */
void iot_clock_look_end(gpointer look, const struct iot_link_sighting *end);
/** iot_clock_look_messages - of struct iot_clock_message; the caller frees */
GArray *iot_clock_look_messages(const struct iot_clock_look *look);
/** iot_clock_look_left_out - ends beyond the limit */
guint64 iot_clock_look_left_out(const struct iot_clock_look *look);

#endif
