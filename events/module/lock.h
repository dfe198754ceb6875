/* SPDX-License-Identifier: GPL-2.0-only */
/* Locks on files: requests of fcntl(2) and flock(2). */
#ifndef IOTRACE_LOCK_H
#define IOTRACE_LOCK_H

#include "event-args.h"
#include "files.h"

/**
 * iotrace_lock_wanted - does this call concern a lock? Most calls of fcntl do not
 * @op: IOTRACE_OP_FLOCK; else fcntl
 * @args: of the system call
 */
bool iotrace_lock_wanted(u16 op, const unsigned long *args);

/**
 * iotrace_lock_read - read the request
 * @a: filled in, except the id
 * @op: as above
 * @args: of a system call for which iotrace_lock_wanted() is true
 * @file: the file of the descriptor
 *
 * Context: any in which the task is current; does not sleep.
 */
void iotrace_lock_read(struct iotrace_lock_args *a, u16 op, const unsigned long *args,
		       const struct iotrace_file *file);

#endif /* IOTRACE_LOCK_H */
