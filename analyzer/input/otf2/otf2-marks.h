/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of ranks whose archive has neither a date nor one clock (EZTrace): each rank's calls
 * of MPI_Barrier of itself alone, whose real time is known (input/rank-clock.h), place its events.
 * One thread.
 */
#ifndef IOT_INPUT_OTF2_MARKS_H
#define IOT_INPUT_OTF2_MARKS_H

#include "input/otf2/otf2-ahead.h"
#include "input/otf2/otf2-clocks.h"

/**
 * iot_otf2_marks_read - read all events, and find the clocks
 * @ahead: at its begin; read to its end
 * @ranks: of struct iot_rank_clock
 * @failed, @code: as of iot_otf2_ahead_next
 * @out: iot_otf2_clocks_free; NULL: some rank of the archive has no such calls, or they took longer
 * than in @ranks, or are another time apart, so these are of another run
 *
 * FALSE: the events cannot be read.
 */
gboolean iot_otf2_marks_read(struct iot_otf2_ahead *ahead, const struct iot_otf2_defs *defs,
			     const GArray *ranks, const struct iot_otf2_place **failed,
			     OTF2_ErrorCode *code, struct iot_otf2_clocks **out);

#endif
