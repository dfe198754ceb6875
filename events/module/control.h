/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings of the user: module parameters, and the same as files in /sys/kernel/debug/iotrace. EVENTS.md
 * describes them.
 */
#ifndef IOTRACE_CONTROL_H
#define IOTRACE_CONTROL_H

/** iotrace_slot_count - calls that may run at once; fixed when the module is loaded */
unsigned int iotrace_slot_count(void);

int iotrace_control_init(void);
void iotrace_control_exit(void);

#endif /* IOTRACE_CONTROL_H */
