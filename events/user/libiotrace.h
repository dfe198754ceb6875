/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libiotrace - asynchronous calls of a program as trace events of the module iotrace
 *
 * A call has a beginning (start) and an end, and, if it is asynchronous, a completion (done) and
 * perhaps messages that somebody else waits (notify). They are told apart by the call's id, which
 * can be handed to a server, so that what it does for the call carries the same id.
 *
 * The device is opened by the first call of anything here. Where there is no module, every function
 * does nothing; iotrace_open() says why. With the module and nobody recording, a call costs a load
 * and a branch. Times of events are those at which they are written.
 *
 * Except for iotrace_close() everything may be used by any thread at any time, also after fork(3)
 * (not after a bare clone(2)), and leaves errno alone. Functions that return int return 0 or a
 * negative errno. See libiotrace(3).
 */
#ifndef LIBIOTRACE_H
#define LIBIOTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iotrace-abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IOTRACE_API __attribute__((visibility("default")))

/* What is known of a call. Texts may be NULL for none; too long ones are cut, and counted. */
struct iotrace_call {
	uint64_t id;	      /* iotrace_id(), or any number that the caller chose or was given */
	uint64_t object;      /* what several calls work on, as a lock; 0: the call stands alone */
	int32_t mode;	      /* asked for, held, or wanted by the other; -1: none */
	int32_t status;	      /* result of the call (end) or of its completion (done); 0: success */
	uint32_t flags;	      /* of the protocol */
	const char *domain;   /* protocol or lockspace; up to 95 bytes */
	const char *resource; /* what the call is about: any bytes but 0, up to 319 */
	const char *op;	      /* what it does; up to 31 bytes */
};

/* What this process has done so far. */
struct iotrace_counts {
	uint64_t written; /* events that the module took */
	uint64_t dropped; /* events that it did not take; the functions returned the error */
	uint64_t cut;	  /* texts that were too long */
};

/**
 * iotrace_open - open the device now, or try again after it could not be opened
 *
 * Only needed by those who want to know whether it works, who want to spare the first event the
 * time, or whose process began before the module was loaded. The environment variable
 * IOTRACE_DEVICE names another device, or a file or pipe that then gets all records (not for setuid
 * programs).
 *
 * Returns: 0, also if it is open already; a negative errno for iotrace_explain() else
 */
IOTRACE_API int iotrace_open(void);

/**
 * iotrace_close - close the device, so that the module can be unloaded
 *
 * Nothing is recorded until the next iotrace_open(). No other thread may be in a function of this
 * library that emits events; iotrace_recording() is harmless.
 */
IOTRACE_API void iotrace_close(void);

/**
 * iotrace_explain - a sentence on what a function here returned, for people
 * @error: negative errno, or 0
 * @text: written here, ends with a 0
 * @size: of text, in bytes; 256 are enough
 *
 * Returns: text
 */
IOTRACE_API char *iotrace_explain(int error, char *text, size_t size);

/**
 * iotrace_id - an id for a call that no other call has
 *
 * Unique on this node if the module is loaded; against other nodes, or without the module, ids
 * begin at random in a space of 2^61. Bit 62 is set, bit 63 is not. Works whether or not somebody
 * records, as the id may be given to a server that is recorded.
 */
IOTRACE_API uint64_t iotrace_id(void);

/**
 * iotrace_emit - one event of any kind, if somebody records that kind
 *
 * What the four functions below do; for languages that cannot use inline functions of C.
 *
 * Returns: 0 if it was written, or nobody records; -EINVAL for an unknown kind; else the errno of
 * the device, and the event counts as dropped
 */
IOTRACE_API int iotrace_emit(enum iotrace_kind kind, const struct iotrace_call *call);

/** iotrace_get_counts - what this process has written, dropped and cut (after a fork, both) */
IOTRACE_API void iotrace_get_counts(struct iotrace_counts *out);

/* Whether somebody records; replaced by the library. Use iotrace_recording(). */
IOTRACE_API extern const struct iotrace_page *iotrace_page_now;

/**
 * iotrace_recording - whether somebody records events of this kind
 *
 * For callers to whom finding out names is work. True before the device was first used.
 */
static inline bool iotrace_recording(enum iotrace_kind kind)
{
	const struct iotrace_page *page = __atomic_load_n(&iotrace_page_now, __ATOMIC_ACQUIRE);

	return __atomic_load_n(&page->recording, __ATOMIC_RELAXED) & (1U << kind);
}

/** iotrace_call_start - a call begins; before it is made */
static inline int iotrace_call_start(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_START) ? iotrace_emit(IOTRACE_CALL_START, call) : 0;
}

/** iotrace_call_end - the call has returned; by the thread that started it */
static inline int iotrace_call_end(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_END) ? iotrace_emit(IOTRACE_CALL_END, call) : 0;
}

/** iotrace_call_done - what the call asked for has happened (ast); by any thread or process */
static inline int iotrace_call_done(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_DONE) ? iotrace_emit(IOTRACE_CALL_DONE, call) : 0;
}

/** iotrace_call_notify - somebody waits for what the call got (bast) */
static inline int iotrace_call_notify(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_NOTIFY) ? iotrace_emit(IOTRACE_CALL_NOTIFY, call) : 0;
}

/**
 * Batches: several events with one system call. They happen when the batch is flushed: their times,
 * and their thread, are those of the flush. So a batch is for what belongs to one moment, as the
 * completions of one reply. A batch belongs to one thread at a time.
 */
struct iotrace_batch;

/**
 * iotrace_batch_new - an empty batch
 * @capacity: events that it holds before it is flushed by itself, 1 to 65536
 *
 * Returns: the batch, for iotrace_batch_free(); NULL if there is no memory or capacity is wrong
 */
IOTRACE_API struct iotrace_batch *iotrace_batch_new(unsigned int capacity);

/** iotrace_batch_add - like iotrace_emit(), at the next flush; the texts are copied. A batch that
 * is full is flushed first, whose error is returned; this event is then in the batch nevertheless.
 */
IOTRACE_API int iotrace_batch_add(struct iotrace_batch *batch, enum iotrace_kind kind,
				  const struct iotrace_call *call);

/** iotrace_batch_flush - the events happen now; the batch is empty then. After an error those that
 * the device did not take count as dropped. */
IOTRACE_API int iotrace_batch_flush(struct iotrace_batch *batch);

/** iotrace_batch_free - flushes what is left; in a child of fork(3) it forgets what its parent had
 * added. NULL is allowed. */
IOTRACE_API void iotrace_batch_free(struct iotrace_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
