/* SPDX-License-Identifier: GPL-2.0-only */
/* The events "task": identity and name of a task, once for each task and name; and "fs": once for each file system. */
#ifndef IOTRACE_ANNOUNCE_H
#define IOTRACE_ANNOUNCE_H

struct super_block;

/** iotrace_announce - emits the event if the current task was not announced yet, or has a new name */
void iotrace_announce(void);

/** iotrace_announce_fs - emits the event if the file system was not announced yet; does not sleep */
void iotrace_announce_fs(struct super_block *sb);

/** iotrace_announce_again - for a new recorder: announce all tasks and file systems again */
void iotrace_announce_again(void);

#endif /* IOTRACE_ANNOUNCE_H */
