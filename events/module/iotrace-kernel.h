/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asynchronous calls of any protocol as trace events: for modules that make such calls, and for
 * programs through /dev/iotrace. EVENTS.md describes the events.
 */
#ifndef IOTRACE_KERNEL_H
#define IOTRACE_KERNEL_H

#include <linux/types.h>
#include "../iotrace-abi.h"

/* The fields of the call events; a text that is NULL is empty. */
struct iotrace_call_args {
	u64 id;		/* of the call, from iotrace_call_id() or elsewhere */
	u64 object;	/* shared by several calls, such as a lock; 0: standalone call */
	s32 tgid;	/* process; 0: of the current task */
	s32 mode;	/* asked for, held, or wanted by the other; -1: none */
	s32 status;	/* result; 0 is success */
	u32 flags;	/* of the protocol */
	const char *domain;
	const char *resource;
	const char *op;
};

/*
 * For other modules (EXPORT_SYMBOL_GPL). Any context except NMI. They do not sleep; without a recorder they
 * cost a function call. The arguments are copied.
 */

/* iotrace_call_start - a call begins */
void iotrace_call_start(const struct iotrace_call_args *args);
/* iotrace_call_end - the call itself has returned; its completion may follow */
void iotrace_call_end(const struct iotrace_call_args *args);
/* iotrace_call_done - the completion of a call (ast) */
void iotrace_call_done(const struct iotrace_call_args *args);
/* iotrace_call_notify - somebody waits for the thing that this call obtained (bast) */
void iotrace_call_notify(const struct iotrace_call_args *args);
/* iotrace_call_id - a new id, from the same series as IOTRACE_IOC_IDS */
u64 iotrace_call_id(void);
/* iotrace_call_recorded - whether somebody records this event, to avoid making texts in vain */
bool iotrace_call_recorded(enum iotrace_kind kind);

/* For module.c: create and remove /dev/iotrace. If init returns an errno, nothing remains. */
int iotrace_calls_init(void);
void iotrace_calls_exit(void);

/* Callbacks of the event definitions: recording begins and ends. */
int iotrace_call_start_reg(void);
void iotrace_call_start_unreg(void);
int iotrace_call_end_reg(void);
void iotrace_call_end_unreg(void);
int iotrace_call_done_reg(void);
void iotrace_call_done_unreg(void);
int iotrace_call_notify_reg(void);
void iotrace_call_notify_unreg(void);

#endif /* IOTRACE_KERNEL_H */
