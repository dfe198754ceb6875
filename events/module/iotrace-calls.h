/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asynchronous calls of any protocol as trace events: for modules that make such calls, and for
 * programs by /dev/iotrace. EVENTS.md says what each event means.
 */
#ifndef IOTRACE_CALLS_H
#define IOTRACE_CALLS_H

#include <linux/types.h>
#include "../iotrace-abi.h"

/* The fields of the call events; a text that is NULL is empty. */
struct iotrace_call_args {
	u64 id;		/* of the call, as iotrace_call_id() makes them, or from elsewhere */
	u64 object;	/* what several calls work on, as a lock; 0: the call stands alone */
	s32 tgid;	/* process; 0: that of the current task */
	s32 mode;	/* asked for, held, or wanted by the other; -1: none */
	s32 status;	/* result; 0 is success */
	u32 flags;	/* of the protocol */
	const char *domain;
	const char *resource;
	const char *op;
};

/*
 * For other modules (EXPORT_SYMBOL_GPL). From any context but NMI; they do not sleep, and cost a
 * function call when nobody records. The arguments are copied.
 */

/* iotrace_call_start - a call begins */
void iotrace_call_start(const struct iotrace_call_args *args);
/* iotrace_call_end - the call itself has returned; what it asked for may be still to come */
void iotrace_call_end(const struct iotrace_call_args *args);
/* iotrace_call_done - what a call asked for has happened (ast) */
void iotrace_call_done(const struct iotrace_call_args *args);
/* iotrace_call_notify - somebody waits for what this call got (bast) */
void iotrace_call_notify(const struct iotrace_call_args *args);
/* iotrace_call_id - a new id, as IOTRACE_IOC_IDS hands them out */
u64 iotrace_call_id(void);
/* iotrace_call_recorded - whether somebody records this event, so that its texts are worth making */
bool iotrace_call_recorded(enum iotrace_kind kind);

/* For module.c: /dev/iotrace appears and goes. init returns 0 or an errno and has then left nothing. */
int iotrace_calls_init(void);
void iotrace_calls_exit(void);

/* For the definitions of the events: recording begins and ends. */
int iotrace_call_start_reg(void);
void iotrace_call_start_unreg(void);
int iotrace_call_end_reg(void);
void iotrace_call_end_unreg(void);
int iotrace_call_done_reg(void);
void iotrace_call_done_unreg(void);
int iotrace_call_notify_reg(void);
void iotrace_call_notify_unreg(void);

#endif /* IOTRACE_CALLS_H */
