// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "slots.h"
#include "stats.h"

/* Owners of the slots that share a hash value: one cache line is looked at. */
#define WAYS 8

struct iotrace_bucket {
	const void *owner[WAYS];
} ____cacheline_aligned;

int iotrace_slots_init(struct iotrace_slots *slots, unsigned int count, size_t size)
{
	slots->bits = order_base_2(max(count, 64U) / WAYS);
	slots->size = ALIGN(size, SMP_CACHE_BYTES);
	slots->buckets = kvcalloc(1U << slots->bits, sizeof(*slots->buckets), GFP_KERNEL);
	slots->data = kvcalloc(WAYS << slots->bits, slots->size, GFP_KERNEL);
	if (!slots->buckets || !slots->data) {
		iotrace_slots_exit(slots);
		return -ENOMEM;
	}
	return 0;
}

void iotrace_slots_exit(struct iotrace_slots *slots)
{
	kvfree(slots->buckets);
	kvfree(slots->data);
	memset(slots, 0, sizeof(*slots));
}

void iotrace_slots_clear(struct iotrace_slots *slots)
{
	memset(slots->buckets, 0, sizeof(*slots->buckets) << slots->bits);
}

static void *slot_data(struct iotrace_slots *slots, u32 bucket, int way)
{
	return slots->data + ((size_t)bucket * WAYS + way) * slots->size;
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

void *iotrace_slots_claim(struct iotrace_slots *slots, const void *owner)
{
	u32 hash = hash_ptr(owner, slots->bits);
	struct iotrace_bucket *bucket = &slots->buckets[hash];
	int way = find_way(bucket, owner);

	if (way >= 0) {
		iotrace_count(unended);
		return slot_data(slots, hash, way);
	}
	for (way = 0; way < WAYS; way++) {
		if (!READ_ONCE(bucket->owner[way]) && !cmpxchg(&bucket->owner[way], NULL, owner))
			return slot_data(slots, hash, way);
	}
	iotrace_count(no_slot);
	return NULL;
}

void *iotrace_slots_find(struct iotrace_slots *slots, const void *owner)
{
	u32 hash = hash_ptr(owner, slots->bits);
	int way = find_way(&slots->buckets[hash], owner);

	return way < 0 ? NULL : slot_data(slots, hash, way);
}

void iotrace_slots_release(struct iotrace_slots *slots, const void *owner)
{
	struct iotrace_bucket *bucket = &slots->buckets[hash_ptr(owner, slots->bits)];
	int way = find_way(bucket, owner);

	if (way >= 0)
		smp_store_release(&bucket->owner[way], NULL);
}
