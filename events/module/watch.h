/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes that are registered only while their events are recorded, with slots for running calls. */
#ifndef IOTRACE_WATCH_H
#define IOTRACE_WATCH_H

#include <linux/mutex.h>
#include <linux/types.h>
#include "probes.h"
#include "slots.h"

struct iotrace_watch {
	struct iotrace_probe *probes;	/* registered in this order */
	int count;
	void (*clear)(void);	/* NULL, or what belongs to the slots, which are all released */
	struct mutex lock;
	unsigned int users;	/* enabled events; lock */
	bool ready;		/* between init and exit; events can be enabled before and after; lock */
	struct iotrace_slots slots;
};

#define IOTRACE_WATCH(name, probes_, clear_) \
	{ .probes = probes_, .count = ARRAY_SIZE(probes_), .clear = clear_, .lock = __MUTEX_INITIALIZER(name.lock) }

extern struct iotrace_watch iotrace_fileio, iotrace_uring;

/** iotrace_watch_get - another event is enabled. Context: may sleep. Return: 0 or an error */
int iotrace_watch_get(struct iotrace_watch *watch);

/** iotrace_watch_put - an event is disabled; after the last one the probes are removed. Context: may sleep */
void iotrace_watch_put(struct iotrace_watch *watch);

/**
 * iotrace_watch_init - find the tracepoints and allocate
 * @watch: see above
 * @size: bytes of the slot of a call
 */
int iotrace_watch_init(struct iotrace_watch *watch, size_t size);

/** iotrace_watch_exit - enabled events may be put afterwards; init may have failed. Context: sleeps */
void iotrace_watch_exit(struct iotrace_watch *watch);

#endif /* IOTRACE_WATCH_H */
