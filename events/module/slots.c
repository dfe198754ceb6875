// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "slots.h"
#include "stats.h"

/* Owners of the slots that share a hash value: a lookup reads one cache line. */
#define WAYS 8

/*
 * Buckets in which an owner can be; the next is tried only if the one before is full. A table of 4096 slots that is
 * filled to 70 % has refused 4 owners in 100 with one bucket each, 1 in 5000 with four; filled to 90 %, 10 and 1
 * in 100.
 */
#define CHOICES 4

struct iotrace_bucket {
	const void *owner[WAYS];
} ____cacheline_aligned;

int iotrace_slots_init(struct iotrace_slots *slots, unsigned int count, size_t size)
{
	slots->bits = order_base_2(max(count, 64U) / WAYS);
	slots->size = ALIGN(size, SMP_CACHE_BYTES);
	slots->buckets = kvcalloc(1U << slots->bits, sizeof(*slots->buckets), GFP_KERNEL);
	slots->spilled = kvcalloc(1U << slots->bits, sizeof(*slots->spilled), GFP_KERNEL);
	slots->data = kvcalloc(WAYS << slots->bits, slots->size, GFP_KERNEL);
	if (!slots->buckets || !slots->spilled || !slots->data) {
		iotrace_slots_exit(slots);
		return -ENOMEM;
	}
	return 0;
}

void iotrace_slots_exit(struct iotrace_slots *slots)
{
	kvfree(slots->buckets);
	kvfree(slots->spilled);
	kvfree(slots->data);
	memset(slots, 0, sizeof(*slots));
}

unsigned int iotrace_slots_count(const struct iotrace_slots *slots)
{
	return WAYS << slots->bits;
}

void iotrace_slots_clear(struct iotrace_slots *slots)
{
	memset(slots->buckets, 0, sizeof(*slots->buckets) << slots->bits);
	memset(slots->spilled, 0, sizeof(*slots->spilled) << slots->bits);
}

static void *slot_data(const struct iotrace_slots *slots, u32 bucket, int way)
{
	return slots->data + ((size_t)bucket * WAYS + way) * slots->size;
}

static u32 bucket_of(const struct iotrace_slots *slots, const void *owner, int choice)
{
	return hash_64(ror64((unsigned long)owner, 16 * choice), slots->bits);
}

static int find_way(const struct iotrace_bucket *bucket, const void *owner)
{
	int way;

	for (way = 0; way < WAYS; way++) {
		if (READ_ONCE(bucket->owner[way]) == owner)
			return way;
	}
	return -1;
}

/* The index of @owner in *out_bucket, its choice number *out_choice; -1: it has no slot. */
static int find_owner(const struct iotrace_slots *slots, const void *owner, u32 *out_bucket, int *out_choice)
{
	u32 first = bucket_of(slots, owner, 0);
	int choice, way;

	for (choice = 0; choice < CHOICES; choice++) {
		*out_bucket = choice ? bucket_of(slots, owner, choice) : first;
		*out_choice = choice;
		way = find_way(&slots->buckets[*out_bucket], owner);
		if (way >= 0)
			return way;
		if (!atomic_read(&slots->spilled[first]))
			break;
	}
	return -1;
}

static int claim_way(struct iotrace_bucket *bucket, const void *owner)
{
	int way;

	for (way = 0; way < WAYS; way++) {
		if (!READ_ONCE(bucket->owner[way]) && !cmpxchg(&bucket->owner[way], NULL, owner))
			return way;
	}
	return -1;
}

void *iotrace_slots_claim(struct iotrace_slots *slots, const void *owner)
{
	int choice, way;
	u32 bucket;

	way = find_owner(slots, owner, &bucket, &choice);
	if (way >= 0) {
		iotrace_count(unended);
		return slot_data(slots, bucket, way);
	}
	for (choice = 0; choice < CHOICES; choice++) {
		bucket = bucket_of(slots, owner, choice);
		way = claim_way(&slots->buckets[bucket], owner);
		if (way < 0)
			continue;
		if (choice)
			atomic_inc(&slots->spilled[bucket_of(slots, owner, 0)]);
		return slot_data(slots, bucket, way);
	}
	iotrace_count(no_slot);
	return NULL;
}

void *iotrace_slots_find(struct iotrace_slots *slots, const void *owner)
{
	int choice, way;
	u32 bucket;

	way = find_owner(slots, owner, &bucket, &choice);
	return way < 0 ? NULL : slot_data(slots, bucket, way);
}

void iotrace_slots_release(struct iotrace_slots *slots, const void *owner)
{
	int choice, way;
	u32 bucket;

	way = find_owner(slots, owner, &bucket, &choice);
	if (way < 0)
		return;
	smp_store_release(&slots->buckets[bucket].owner[way], NULL);
	if (choice)
		atomic_dec(&slots->spilled[bucket_of(slots, owner, 0)]);
}
