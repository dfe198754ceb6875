/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inside libiotrace-preload: nothing here allocates, locks, or calls a function that the library
 * replaces; errno stays as the program's call left it.
 */
#ifndef IOTRACE_PRELOAD_LOCAL_H
#define IOTRACE_PRELOAD_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "preload-format.h"

struct iovec;

/* A call while it runs; its record is complete but for the end. */
struct preload_call {
	struct iotrace_preload_record r;
	const char *path, *path2; /* copied when the call has returned */
	const struct iovec *iov;  /* len is the sum of its buffers */
	int n_iov;
};

/* Of this process. */
struct preload_state {
	bool on;	 /* there is a file to write to */
	bool always;	 /* processes may share this memory: ask who is running each time */
	int32_t tgid;	 /* of the process that filled this */
	const int *same; /* 0 in a child of fork(2) until it has looked at who it is */
};

/* Of this thread. */
struct preload_thread {
	int32_t tid; /* 0: not asked for yet */
	/* set by vfork: a child may run in this memory; that child, if it has been seen */
	int32_t suspect, child;
};

extern struct preload_state preload __attribute__((visibility("hidden")));
extern __thread struct preload_thread preload_self
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline uint64_t preload_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** preload_file_open - use FILE, or make it; FALSE: said on stderr why not */
bool preload_file_open(const char *name);
/** preload_take - @n slots one after another for the thread @tid; NULL: no space, which is counted
 */
struct iotrace_preload_record *preload_take(int32_t tid, unsigned int n);
/** preload_put - write a record with its process and thread filled, and up to two texts or NULL */
void preload_put(const struct iotrace_preload_record *r, const char *text, const char *text2);
/** preload_task - fill the process and the thread of the record, which has its begin; tells of new
 * ones first */
void preload_task(struct iotrace_preload_record *r);
/** preload_task_begin - this process begins at @when: who it is, which descriptors it has */
void preload_task_begin(uint64_t when);
/** preload_end - the call has returned @ret: write its record. -1: errno tells why */
void preload_end(struct preload_call *call, int64_t ret);
/** preload_end_open - the same of a call that opens a file */
void preload_end_open(struct preload_call *call, int64_t ret);
/** preload_fork - a call that makes a process begins: the child has the descriptors of now */
void preload_fork(void);
/** preload_say - a line on stderr */
void preload_say(const char *file, const char *what);
/** preload_find - the function that this library hides; NULL: the C library has none such */
void *preload_find(const char *name);

#endif
