/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes and their descendants: a bit for each, which a new process inherits. */
#ifndef IOTRACE_PROCESSES_H
#define IOTRACE_PROCESSES_H

#include "filter.h"

/** iotrace_processes_set - a new empty set for iotrace_filter.tgids; free with kvfree(). Return: NULL without memory */
unsigned long *iotrace_processes_set(void);

/** iotrace_processes_mark - add the roots of @filter, which is active, and their descendants to its set */
void iotrace_processes_mark(struct iotrace_filter *filter);

/** iotrace_processes_watch - start or stop watching forks and exits. Context: sleeps. Return: 0 or an error */
int iotrace_processes_watch(bool on);

int iotrace_processes_init(void);

#endif /* IOTRACE_PROCESSES_H */
