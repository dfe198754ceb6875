/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks of the ranks of an archive that has neither a date nor one clock (EZTrace). */
#ifndef IOT_INPUT_OTF2_CLOCKS_H
#define IOT_INPUT_OTF2_CLOCKS_H

#include "input/clock.h"
#include "input/otf2/otf2-defs.h"

struct iot_otf2_clocks {
	struct iot_clock **clocks; /* by rank: from ns of its clock to real time */
	guint n_ranks;
	const struct iot_clock *worst; /* the one with the greatest error */
	guint64 first_ns, last_ns;     /* of all events, real time */
};

/** iot_otf2_clocks_new - without clocks, for @n_ranks ranks; iot_otf2_clocks_free */
struct iot_otf2_clocks *iot_otf2_clocks_new(guint n_ranks);
/** iot_otf2_clocks_free - accepts NULL */
void iot_otf2_clocks_free(struct iot_otf2_clocks *clocks);
/** iot_otf2_clocks_real - real time of @ns of the clock of a place; one without rank has that of
 * rank 0 */
guint64 iot_otf2_clocks_real(const struct iot_otf2_clocks *clocks,
			     const struct iot_otf2_place *place, guint64 ns);

#endif
