/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data of a call from its start to its end: a table of fixed size, without locks and without allocation. The key
 * is a pointer that identifies the call (the task in a system call, the request of io_uring). Only the owner of a
 * pointer claims and releases its slot, so CPUs compete only for the word that holds the owner.
 *
 * If a call never ends (its task died in an oops), its slot is reused when the same pointer claims again. All slots
 * are released when recording starts.
 */
#ifndef IOTRACE_SLOTS_H
#define IOTRACE_SLOTS_H

#include <linux/types.h>

struct iotrace_slots {
	struct iotrace_bucket *buckets;
	atomic_t *spilled;	/* for each bucket, owners that are in another because it was full */
	char *data;
	size_t size;		/* bytes of a slot */
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

/** iotrace_slots_count - how many there are */
unsigned int iotrace_slots_count(const struct iotrace_slots *slots);

/** iotrace_slots_clear - release all slots; nobody may use the table meanwhile */
void iotrace_slots_clear(struct iotrace_slots *slots);

/** iotrace_slots_claim - a slot for @owner, its content undefined; NULL: no room, which is counted */
void *iotrace_slots_claim(struct iotrace_slots *slots, const void *owner);

/** iotrace_slots_find - the slot of @owner; NULL: it has none */
void *iotrace_slots_find(struct iotrace_slots *slots, const void *owner);

/** iotrace_slots_release - release the slot of @owner, if it has one */
void iotrace_slots_release(struct iotrace_slots *slots, const void *owner);

#endif /* IOTRACE_SLOTS_H */
