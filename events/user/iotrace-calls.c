/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ids, records and batches. */
#include "user-local.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define IDS_AT_ONCE  1024
#define BATCH_MAX    65536
#define ID_BASE_MASK (IOTRACE_ID_CALL / 2 - 1) /* leaves room to count up below bit 62 */

static struct iotrace_counts counts; /* by atomic operations */

static void count(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

void iotrace_get_counts(struct iotrace_counts *out)
{
	out->written = __atomic_load_n(&counts.written, __ATOMIC_RELAXED);
	out->dropped = __atomic_load_n(&counts.dropped, __ATOMIC_RELAXED);
	out->cut = __atomic_load_n(&counts.cut, __ATOMIC_RELAXED);
}

/* --- ids --- */

static __thread struct iotrace_ids at_hand; /* of this thread; count: ids left */

void iotrace_ids_forget(void)
{
	at_hand.count = 0;
}

static uint64_t random_base(void)
{
	uint64_t base;
	struct timespec now;

	if (getrandom(&base, sizeof(base), GRND_NONBLOCK) != sizeof(base)) {
		clock_gettime(CLOCK_REALTIME, &now); /* fallback, early in boot */
		base = ((uint64_t)now.tv_sec << 30 | (uint64_t)now.tv_nsec) ^ (uint64_t)getpid()
										      << 40;
	}
	return IOTRACE_ID_CALL | (base & ID_BASE_MASK);
}

static void fetch_ids(void)
{
	int saved = errno;

	at_hand = (struct iotrace_ids){ .count = IDS_AT_ONCE };
	if (iotrace_device_ids(&at_hand))
		at_hand.first = random_base();
	errno = saved;
}

uint64_t iotrace_id(void)
{
	if (!at_hand.count)
		fetch_ids();
	at_hand.count--;
	return at_hand.first++;
}

/* --- records --- */

static void put_text(char *out, size_t size, const char *text)
{
	size_t len = text ? strnlen(text, size) : 0;

	if (len == size) {
		count(&counts.cut, 1);
		len--;
	}
	memcpy(out, text ?: "", len);
}

static void encode(struct iotrace_record *r, enum iotrace_kind kind,
		   const struct iotrace_call *call)
{
	*r = (struct iotrace_record){
		.magic = IOTRACE_ABI_MAGIC,
		.version = IOTRACE_ABI_VERSION,
		.size = sizeof(*r),
		.kind = (uint16_t)kind,
		.mode = call->mode,
		.status = call->status,
		.flags = call->flags,
		.id = call->id,
		.object = call->object,
	};
	put_text(r->domain, sizeof(r->domain), call->domain);
	put_text(r->resource, sizeof(r->resource), call->resource);
	put_text(r->op, sizeof(r->op), call->op);
}

static int write_records(const struct iotrace_record *records, unsigned int n)
{
	unsigned int taken;
	int err = iotrace_device_write(records, n, &taken);

	count(&counts.written, taken);
	count(&counts.dropped, n - taken);
	return err;
}

/* 1 if somebody records the kind, 0 if nobody, -EINVAL if there is no such kind. */
static int is_wanted(enum iotrace_kind kind)
{
	if (kind < IOTRACE_CALL_START || kind > IOTRACE_CALL_NOTIFY)
		return -EINVAL;
	if (!iotrace_recording(kind))
		return 0;
	iotrace_device_ask();
	return iotrace_recording(kind);
}

int iotrace_emit(enum iotrace_kind kind, const struct iotrace_call *call)
{
	struct iotrace_record record;
	int wanted = is_wanted(kind);

	if (wanted <= 0)
		return wanted;
	encode(&record, kind, call);
	return write_records(&record, 1);
}

/* --- batches --- */

struct iotrace_batch {
	pid_t owner; /* process that added its events */
	unsigned int capacity, used;
	struct iotrace_record records[];
};

struct iotrace_batch *iotrace_batch_new(unsigned int capacity)
{
	struct iotrace_batch *batch;

	if (!capacity || capacity > BATCH_MAX)
		return NULL;
	batch = malloc(sizeof(*batch) + capacity * sizeof(batch->records[0]));
	if (batch) {
		batch->owner = getpid();
		batch->capacity = capacity;
		batch->used = 0;
	}
	return batch;
}

/* Events added before a fork belong to the parent. */
static void take_over(struct iotrace_batch *batch)
{
	pid_t self = getpid();

	if (batch->owner != self)
		batch->used = 0;
	batch->owner = self;
}

int iotrace_batch_flush(struct iotrace_batch *batch)
{
	unsigned int n;

	take_over(batch);
	n = batch->used;
	batch->used = 0;
	return n ? write_records(batch->records, n) : 0;
}

int iotrace_batch_add(struct iotrace_batch *batch, enum iotrace_kind kind,
		      const struct iotrace_call *call)
{
	int wanted = is_wanted(kind), err = 0;

	if (wanted <= 0)
		return wanted;
	take_over(batch);
	if (batch->used == batch->capacity)
		err = iotrace_batch_flush(batch);
	encode(&batch->records[batch->used++], kind, call);
	return err;
}

void iotrace_batch_free(struct iotrace_batch *batch)
{
	if (!batch)
		return;
	(void)iotrace_batch_flush(batch);
	free(batch);
}
