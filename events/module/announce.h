/* SPDX-License-Identifier: GPL-2.0-only */
/* The event "task": identity and name of a task, once for each task and name. */
#ifndef IOTRACE_ANNOUNCE_H
#define IOTRACE_ANNOUNCE_H

/** iotrace_announce - emits the event if the current task was not announced yet, or has a new name */
void iotrace_announce(void);

/** iotrace_announce_again - for a new recorder: announce all tasks again */
void iotrace_announce_again(void);

#endif /* IOTRACE_ANNOUNCE_H */
