/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One clock for all machines, from their messages alone (docs/CLOCKS.md): an estimate for each two
 * machines that exchange messages, and from the reference the path with the least bound to each.
 */
#ifndef IOT_INPUT_CLOCK_RECOVER_H
#define IOT_INPUT_CLOCK_RECOVER_H

#include "base/clock-facts.h"
#include "input/clock-change.h"

/* A message; times are of the two machines' own clocks, below IOT_CLOCK_MOST. */
struct iot_clock_message {
	guint32 from, to; /* positions of the machines */
	guint64 from_ns, to_ns;
};

struct iot_recover_machine {
	guint64 begin_ns, end_ns; /* of the recording, by its own clock */
	guint64 resolution_ns;
	gboolean cycles; /* the clock counts cycles: its rate may be anything */
	/* its times are those of the common clock, with this bound: only the others are found, by
	 * way of such machines; NULL: its clock is not known */
	const struct iot_clock_facts *known;
};

struct iot_recover_config {
	const struct iot_recover_machine *machines;
	guint n_machines;
	const GArray *messages; /* of struct iot_clock_message */
	struct iot_clock_assumed assumed;
};

/* Two machines. */
struct iot_recovered_pair {
	guint a, b; /* a < b */
	enum iot_clock_grade grade;
	guint64 n_messages;
	guint64 n_wrong; /* messages that the best constant rate contradicts */
	gboolean n_wrong_proved;
	gboolean drift_impossible, rate_widened;
};

struct iot_recovered {
	guint n_machines;
	guint reference;
	/* by machine; those without a path from the reference have no pairs and are no reference.
	 * Known machines have no method */
	struct iot_clock_change *changes;
	GArray *pairs; /* of struct iot_recovered_pair: those that exchanged messages, of which
			* at most one is known */
};

/**
 * iot_clock_recover - the reference is the first machine of the largest group that exchanges
 * messages, or one of the known ones. The caller frees.
 *
 * If a machine's clock began after zero of the reference, all times are shifted, so that none is
 * below zero.
 */
struct iot_recovered *iot_clock_recover(const struct iot_recover_config *config);
/** iot_recovered_free - accepts NULL */
void iot_recovered_free(struct iot_recovered *recovered);

#endif
