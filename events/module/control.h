/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the user sets: module parameters, and the same as files in /sys/kernel/debug/iotrace. All are
 * described in EVENTS.md.
 */
#ifndef IOTRACE_CONTROL_H
#define IOTRACE_CONTROL_H

/** iotrace_slot_count - calls that may be under way at once; fixed when the module is loaded */
unsigned int iotrace_slot_count(void);

int iotrace_control_init(void);
void iotrace_control_exit(void);

#endif /* IOTRACE_CONTROL_H */
