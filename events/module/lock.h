/* SPDX-License-Identifier: GPL-2.0 */
/* Locks on files: what fcntl(2) and flock(2) are asked for. */
#ifndef IOTRACE_LOCK_H
#define IOTRACE_LOCK_H

#include "event-args.h"
#include "files.h"

/**
 * iotrace_lock_wanted - is this call about a lock? Most calls of fcntl are not
 * @op: IOTRACE_OP_FLOCK; else it is fcntl
 * @args: of the system call
 */
bool iotrace_lock_wanted(u16 op, const unsigned long *args);

/**
 * iotrace_lock_read - what is asked for
 * @a: filled in, but for the id
 * @op: as above
 * @args: of a system call for which iotrace_lock_wanted() is true
 * @file: what the descriptor stands for
 *
 * Context: any in which the task is current; does not sleep.
 */
void iotrace_lock_read(struct iotrace_lock_args *a, u16 op, const unsigned long *args,
		       const struct iotrace_file *file);

#endif /* IOTRACE_LOCK_H */
