/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring buffers of a flight recorder: an instance of this machine in overwrite mode. Sizes are
 * for each processor.
 */
#ifndef REC_FLIGHT_RING_H
#define REC_FLIGHT_RING_H

#include "flight-sizes.h"
#include "machines.h"
#include "wanted.h"

struct tracefs_instance;

struct rec_ring {
	struct tracefs_instance *instance;
	guint64 memory; /* of all buffers, bytes; a limit */
	GArray *cpus;	/* of struct rec_ring_cpu, as they were at the last rec_ring_measure */
};

/** rec_ring_open - take the instance @name; it does not record yet
 * @memory: bytes that all buffers together may have */
struct rec_ring *rec_ring_open(const char *name, guint64 memory, GError **error);
/** rec_ring_close - stop recording, switch off all events, and leave the instance; accepts NULL */
void rec_ring_close(struct rec_ring *ring);

/** rec_ring_enable - record the events that @machine, this one, has, with their filters */
gboolean rec_ring_enable(struct rec_ring *ring, const struct rec_wanted *wanted,
			 const struct rec_machine *machine, GError **error);
/** rec_ring_event_of - "SYSTEM:EVENT" of a condition of rec_ring_freeze_on; the caller frees */
char *rec_ring_event_of(const char *condition);
/**
 * rec_ring_freeze_on - stop recording at an event
 * @condition: "SYSTEM:EVENT" or "SYSTEM:EVENT if FILTER", of an event name that was checked
 *
 * The event itself is recorded, if it is enabled.
 */
gboolean rec_ring_freeze_on(struct rec_ring *ring, const char *condition, GError **error);
/** rec_ring_freeze_never - undo rec_ring_freeze_on */
void rec_ring_freeze_never(struct rec_ring *ring, const char *condition);

/** rec_ring_clear - discard the contents of the buffers; needed after their pages were consumed */
void rec_ring_clear(struct rec_ring *ring);
void rec_ring_on(struct rec_ring *ring);
void rec_ring_off(struct rec_ring *ring);
/** rec_ring_is_on - FALSE after rec_ring_off, and after an event of rec_ring_freeze_on */
gboolean rec_ring_is_on(const struct rec_ring *ring);

/** rec_ring_measure - fill in ring->cpus */
void rec_ring_measure(struct rec_ring *ring);
/** rec_ring_resize - change the buffers, so that at the measured rates they hold @ns: see
 * rec_plan_sizes */
void rec_ring_resize(struct rec_ring *ring, guint64 ns);
/** rec_ring_since - since when no processor has overwritten an event, ns of the trace clock; 0:
 * since the recording began */
guint64 rec_ring_since(const struct rec_ring *ring);
/** rec_ring_bytes - events in all buffers */
guint64 rec_ring_bytes(const struct rec_ring *ring);

/** rec_ring_clock - time of the ring's trace clock, ns */
guint64 rec_ring_clock(void);

#endif
