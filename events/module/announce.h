/* SPDX-License-Identifier: GPL-2.0 */
/* The event "task": who a task is, once for each task and name. */
#ifndef IOTRACE_ANNOUNCE_H
#define IOTRACE_ANNOUNCE_H

/** iotrace_announce - emits the event if the current task has not been told, or has a new name */
void iotrace_announce(void);

/** iotrace_announce_again - somebody new listens: tell all tasks once more */
void iotrace_announce_again(void);

#endif /* IOTRACE_ANNOUNCE_H */
