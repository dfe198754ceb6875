/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many events of each guest lie in the times in which its virtual CPUs ran: between kvm_entry
 * and kvm_exit of the host's recording. A virtual CPU records events only then, so events elsewhere
 * say that a clock is wrong, whatever the synchronisation says of itself.
 *
 * Only events between two of the host's about the virtual CPU count, without a gap of the host
 * between them, and only those in the window. Pipeline thread only.
 */
#ifndef IOT_RUN_LOOK_GUEST_ENTRIES_H
#define IOT_RUN_LOOK_GUEST_ENTRIES_H

#include "run/inputs.h"

struct iot_guest_entries;

/**
 * iot_guest_entries_new - after iot_inputs_start
 * @schema: all events that are read
 * @from_ns, @to_ns: the window
 *
 * NULL if no model reads entries and exits, or no recording names virtual CPUs.
 */
struct iot_guest_entries *iot_guest_entries_new(const struct iot_inputs *inputs,
						const struct iot_timeline *tl,
						const struct iot_schema *schema, guint64 from_ns,
						guint64 to_ns);
/** iot_guest_entries_free - accepts NULL */
void iot_guest_entries_free(struct iot_guest_entries *entries);
/** iot_guest_entries_record - the next record of any input, in order of time; no gap */
void iot_guest_entries_record(struct iot_guest_entries *entries, const struct iot_rec *rec);
/** iot_guest_entries_gap - a gap of the input begins */
void iot_guest_entries_gap(struct iot_guest_entries *entries, guint input);
/** iot_guest_entries_counts - the events of the input inside and outside of these times; 0 if it is
 * no guest. @entries may be NULL. */
void iot_guest_entries_counts(const struct iot_guest_entries *entries, guint input,
			      guint64 *out_inside, guint64 *out_outside);
/** iot_guest_entries_save - append the state of the virtual CPUs to @out */
void iot_guest_entries_save(const struct iot_guest_entries *entries, GByteArray *out);
/** iot_guest_entries_load - restore it */
void iot_guest_entries_load(struct iot_guest_entries *entries, struct iot_unpack *in);

#endif
