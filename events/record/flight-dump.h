/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One dump of a flight recorder: a folder with a recording and its description. */
#ifndef REC_FLIGHT_DUMP_H
#define REC_FLIGHT_DUMP_H

#include "describe.h"
#include "flight-ring.h"

struct rec_dump_order {
	const struct rec_plan *plan;
	struct rec_ring *ring;
	char *const *command; /* of iotrace-record */
	const char *folder;   /* of all dumps */
	guint number;
	const char *reason;
	GDateTime *begin; /* of the flight */
};

/**
 * rec_dump_make - write the events of the ring, empty it, and let it record again
 * @out_verdict: gets a sentence about the recording, the caller frees
 *
 * Returns the folder of the dump, the caller frees. NULL and an error: nothing was written, and the
 * ring records again.
 */
char *rec_dump_make(const struct rec_dump_order *order, char **out_verdict, GError **error);

#endif
