/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libiotrace-calls - asynchronous calls of a program as trace events of the module iotrace
 *
 * A call has a beginning (start) and an end. An asynchronous call also has a completion (done) and
 * perhaps messages that somebody else waits (notify). The call's id joins these events. A client
 * can pass the id to a server, so that the server's events for the call carry the same id.
 *
 * The first use of any function opens the device. Without the module every function does nothing;
 * iotrace_open() says why. The environment variable IOTRACE_TEXT names a file that gets the events
 * as a text recording instead, for machines without the module. With the module but without a
 * recorder, a call costs a load and a branch, and with IOTRACE_CALLS_OFF nothing. The time of an
 * event is the time at which it is written.
 *
 * Any thread may use all functions except iotrace_close() at any time, also after fork(3) (not
 * after a bare clone(2)). They preserve errno. Functions of type int return 0 or a negative errno.
 * See libiotrace-calls(3).
 */
#ifndef IOTRACE_CALLS_H
#define IOTRACE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iotrace-abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IOTRACE_API __attribute__((visibility("default")))

/* In flags: the call serves the call of the same id, which was made elsewhere. The other bits are
 * the protocol's. */
#define IOTRACE_SERVED 0x80000000u

/* A call. Texts may be NULL for none; texts that are too long are cut, and counted. */
struct iotrace_call {
	uint64_t id;	      /* iotrace_id(), or any other number */
	uint64_t object;      /* shared by several calls, such as a lock; 0: standalone call */
	int32_t mode;	      /* asked for, held, or wanted by the other; -1: none */
	int32_t status;	      /* result of the call (end) or of its completion (done); 0: success */
	uint32_t flags;	      /* of the protocol; IOTRACE_SERVED: this is the server's side */
	const char *domain;   /* protocol or lockspace; up to 95 bytes */
	const char *resource; /* subject of the call: any bytes except 0, up to 319 */
	const char *op;	      /* operation; up to 31 bytes */
};

/* Counts of this process so far. */
struct iotrace_counts {
	uint64_t written; /* events that the module took */
	uint64_t dropped; /* events that it refused; the functions returned the error */
	uint64_t cut;	  /* texts that were too long */
};

/**
 * iotrace_open - open the device now, or try again after it could not be opened
 *
 * Call it to learn whether the device works, to save this time at the first event, or if the
 * process started before the module was loaded. The environment variable IOTRACE_DEVICE names
 * another device, or a file or pipe that gets all records (not for setuid programs).
 *
 * Returns: 0, also if it is already open; else a negative errno for iotrace_explain()
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
 * iotrace_explain - a sentence for people about the result of a function
 * @error: negative errno, or 0
 * @text: written here, ends with a 0
 * @size: of text, in bytes; 256 are enough
 *
 * Returns: text
 */
IOTRACE_API char *iotrace_explain(int error, char *text, size_t size);

/**
 * iotrace_id - a unique id for a call
 *
 * Unique on this node if the module is loaded. On different nodes, or without the module, ids begin
 * at random in a space of 2^61. Bit 62 is set, bit 63 is clear. Works even if nobody records here,
 * because the id may be passed to a server that is recorded.
 */
IOTRACE_API uint64_t iotrace_id(void);

/**
 * iotrace_emit - one event of any kind, if somebody records that kind
 *
 * Does the work of the four functions below, for languages that cannot use inline functions of C.
 *
 * Returns: 0 if it was written, or if nobody records; -EINVAL for an unknown kind; else the errno
 * of the device, and the event counts as dropped
 */
IOTRACE_API int iotrace_emit(enum iotrace_kind kind, const struct iotrace_call *call);

/** iotrace_get_counts - events written and dropped, texts cut; a child counts on from its parent */
IOTRACE_API void iotrace_get_counts(struct iotrace_counts *out);

/**
 * iotrace_pause - this process emits nothing until iotrace_resume()
 *
 * For parts of a program that are not of interest. Nothing tells of the events that are missing: a
 * call that ends in a pause is drawn as not ended, so pause between calls. Pauses do not nest. A
 * child of fork(3) begins paused if its parent is; iotrace_open() and iotrace_close() change
 * nothing. What is in a batch can be flushed.
 */
IOTRACE_API void iotrace_pause(void);

/** iotrace_resume - the end of all pauses */
IOTRACE_API void iotrace_resume(void);

/* Whether somebody records; replaced by the library. Use iotrace_recording(). */
IOTRACE_API extern const struct iotrace_page *iotrace_page_now;

/**
 * iotrace_recording - whether somebody records events of this kind
 *
 * Saves the work of making names for nobody. True before the first use of the device; false in a
 * pause, and where IOTRACE_CALLS_OFF is defined.
 */
static inline bool iotrace_recording(enum iotrace_kind kind)
{
#ifdef IOTRACE_CALLS_OFF
	(void)kind;
	return false;
#else
	const struct iotrace_page *page = __atomic_load_n(&iotrace_page_now, __ATOMIC_ACQUIRE);

	return __atomic_load_n(&page->recording, __ATOMIC_RELAXED) & (1U << kind);
#endif
}

/* Here, for the functions below. */
#ifdef IOTRACE_CALLS_OFF
#define iotrace_emit(...) (false ? iotrace_emit(__VA_ARGS__) : 0)
#endif

/** iotrace_call_start - a call begins; use it before making the call */
static inline int iotrace_call_start(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_START) ? iotrace_emit(IOTRACE_CALL_START, call) : 0;
}

/** iotrace_call_end - the call has returned; use it in the thread that started the call */
static inline int iotrace_call_end(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_END) ? iotrace_emit(IOTRACE_CALL_END, call) : 0;
}

/** iotrace_call_done - the completion of the call (ast); in any thread or process */
static inline int iotrace_call_done(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_DONE) ? iotrace_emit(IOTRACE_CALL_DONE, call) : 0;
}

/** iotrace_call_notify - somebody waits for the thing that the call obtained (bast) */
static inline int iotrace_call_notify(const struct iotrace_call *call)
{
	return iotrace_recording(IOTRACE_CALL_NOTIFY) ? iotrace_emit(IOTRACE_CALL_NOTIFY, call) : 0;
}

/**
 * Batches: several events with one system call. The events have the time and the thread of the
 * flush. So use a batch for events of one moment, such as the completions of one reply. A batch
 * belongs to one thread at a time.
 */
struct iotrace_batch;

/**
 * iotrace_batch_new - an empty batch
 * @capacity: number of events at which it is flushed automatically, 1 to 65536
 *
 * Returns: the batch, for iotrace_batch_free(); NULL if there is no memory or capacity is wrong
 */
IOTRACE_API struct iotrace_batch *iotrace_batch_new(unsigned int capacity);

/** iotrace_batch_add - like iotrace_emit(), at the next flush; the texts are copied. A full batch
 * is flushed first. The error of this flush is returned, and the event is in the batch
 * nevertheless.
 */
IOTRACE_API int iotrace_batch_add(struct iotrace_batch *batch, enum iotrace_kind kind,
				  const struct iotrace_call *call);

/** iotrace_batch_flush - write the events now; afterwards the batch is empty. Events that the
 * device refused count as dropped. */
IOTRACE_API int iotrace_batch_flush(struct iotrace_batch *batch);

/** iotrace_batch_free - flush the rest; in a child of fork(3) discard the events that its parent
 * had added. NULL is allowed. */
IOTRACE_API void iotrace_batch_free(struct iotrace_batch *batch);

/**
 * iotrace_text - an event of any kind in a text recording
 * @event: "NAME" or "SYSTEM:NAME"
 * @format: as of printf: the fields, as in iotrace-text(5)
 *
 * For events that otherwise the kernel records, such as file I/O, or that a model of one's own
 * knows. Does nothing if IOTRACE_TEXT is not set.
 *
 * Returns: 0, or the errno of the file; -E2BIG: the line has more than 4095 bytes
 */
IOTRACE_API int iotrace_text(const char *event, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A file that defines IOTRACE_CALLS_OFF emits no events: its calls are checked, but their arguments
 * are not evaluated, and no code is made. */
#ifdef IOTRACE_CALLS_OFF
#define iotrace_call_start(call)  (false ? iotrace_call_start(call) : 0)
#define iotrace_call_end(call)	  (false ? iotrace_call_end(call) : 0)
#define iotrace_call_done(call)	  (false ? iotrace_call_done(call) : 0)
#define iotrace_call_notify(call) (false ? iotrace_call_notify(call) : 0)
#define iotrace_batch_add(...)	  (false ? iotrace_batch_add(__VA_ARGS__) : 0)
#define iotrace_text(...)	  (false ? iotrace_text(__VA_ARGS__) : 0)
#endif

#ifdef __cplusplus
}
#endif

#endif
