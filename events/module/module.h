/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of iotrace.ko: each has an init and, if need be, an exit that module.c calls in order. */
#ifndef IOTRACE_MODULE_H
#define IOTRACE_MODULE_H

#include <linux/types.h>

/**
 * iotrace_new_ids - ids for calls
 * @count: how many
 *
 * Context: any but NMI. Return: a number that no other call of this node has had since boot, not 0; the
 * others are iotrace_nth_id() of it.
 */
u64 iotrace_new_ids(unsigned int count);
u64 iotrace_nth_id(u64 first, unsigned int n);

int iotrace_ids_init(void);

#endif /* IOTRACE_MODULE_H */
