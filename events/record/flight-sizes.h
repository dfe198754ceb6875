/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sizes of the buffers of a flight recorder, from what they hold. */
#ifndef REC_FLIGHT_SIZES_H
#define REC_FLIGHT_SIZES_H

#include <glib.h>

struct rec_ring_cpu {
	guint cpu;
	guint64 size;	     /* of its buffer, bytes */
	guint64 bytes;	     /* of events in the buffer */
	guint64 overrun;     /* events overwritten since the last rec_ring_clear */
	guint64 oldest, now; /* trace clock, ns; @oldest is 0 if the buffer is empty */
	guint64 next_size;   /* bytes, by rec_plan_sizes */
};

/**
 * rec_plan_sizes - set next_size of each buffer, so that at the measured rates they hold @ns
 * @cpus: (element-type struct rec_ring_cpu)
 * @memory: bytes that all buffers together may have
 *
 * If they cannot hold it, all processors go back about equally far, because before that the
 * recording is not complete: buffers of processors that have become quieter shrink then. A buffer
 * is left as it is if it would change by an eighth or less.
 */
void rec_plan_sizes(GArray *cpus, guint64 memory, guint64 ns);

#endif
