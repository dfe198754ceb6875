/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of the ranks of an MPI program, as libiotrace-mpi-ranks writes them (events/mpi,
 * iotrace-names(5)): each rank called MPI_Barrier of itself alone some times in a row. The
 * recording of a tracer has these calls by a clock of its own.
 */
#ifndef IOT_INPUT_RANK_CLOCK_H
#define IOT_INPUT_RANK_CLOCK_H

#include <glib.h>

/** IOT_RANK_BARRIERS - the most calls in a row */
enum { IOT_RANK_BARRIERS = 16 };

/* The quickest call of a row. */
struct iot_rank_mark {
	guint64 real_ns, mono_ns; /* CLOCK_REALTIME and CLOCK_MONOTONIC before it */
	guint64 took_ns;	  /* from then until it had returned */
	guint32 number, of;	  /* it is the @number-th of @of, from 1; 0: there is no mark */
};

struct iot_rank_clock {
	guint32 rank;
	struct iot_rank_mark begin, end; /* after MPI_Init, before MPI_Finalize */
};

#endif
