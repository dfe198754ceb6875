/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is remembered from the start of a call to its end: a table of fixed size, found by a pointer that
 * stands for the call (the task in a system call, the request of io_uring), without locks and without
 * allocation. Only the owner of a pointer claims and releases its slot, so the word that says whose a
 * slot is is the only thing that CPUs compete for.
 *
 * A slot whose call never ends (its task died in an oops) is taken over when the same pointer claims
 * again; all are emptied when recording starts.
 */
#ifndef IOTRACE_SLOTS_H
#define IOTRACE_SLOTS_H

#include <linux/types.h>

struct iotrace_slots {
	struct iotrace_bucket *buckets;
	atomic_t *spilled;	/* for each bucket, owners that found it full and are in another */
	char *data;
	size_t size;		/* of what a slot holds */
	unsigned int bits;	/* log2 of the number of buckets */
};

/**
 * iotrace_slots_init - allocate
 * @slots: filled in
 * @count: of slots, rounded up to a power of two of at least 64
 * @size: bytes of each
 */
int iotrace_slots_init(struct iotrace_slots *slots, unsigned int count, size_t size);
void iotrace_slots_exit(struct iotrace_slots *slots);

/** iotrace_slots_clear - give all back; nobody may use the table meanwhile */
void iotrace_slots_clear(struct iotrace_slots *slots);

/** iotrace_slots_claim - a slot for @owner, its content undefined; NULL: no room, which is counted */
void *iotrace_slots_claim(struct iotrace_slots *slots, const void *owner);

/** iotrace_slots_find - the slot of @owner; NULL: it has none */
void *iotrace_slots_find(struct iotrace_slots *slots, const void *owner);

/** iotrace_slots_release - gives back the slot of @owner, if it has one */
void iotrace_slots_release(struct iotrace_slots *slots, const void *owner);

/* Does a slot fit? Its content may be about to change, or still be that of the owner before. */
typedef bool iotrace_slot_match(const void *owner, const void *slot, const void *arg);

/** iotrace_slots_search - an owner whose slot fits; NULL: there is none. Looks at all slots, so it takes time */
const void *iotrace_slots_search(struct iotrace_slots *slots, iotrace_slot_match *match, const void *arg);

#endif /* IOTRACE_SLOTS_H */
