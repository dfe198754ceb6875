/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of the events of the distributed lock manager (include/trace/events/dlm.h) and of the glocks
 * that GFS2 builds on its locks (fs/gfs2/trace_gfs2.h), in kernels 6.1 to 6.12.
 */
#include "event-text.h"

#include <linux/dlmconstants.h>
#include <trace-seq.h>

/* GFS2 shows the states of its glocks as modes of DLM, in fields of one byte. */
static const struct text_name modes[] = {
	{ DLM_LOCK_IV, "IV" }, { DLM_LOCK_NL, "NL" }, { DLM_LOCK_CR, "CR" },
	{ DLM_LOCK_CW, "CW" }, { DLM_LOCK_PR, "PR" }, { DLM_LOCK_PW, "PW" },
	{ DLM_LOCK_EX, "EX" }, { 0xff, "IV" },	      { 0 },
};

#define LKF(name)                     \
	{                             \
		DLM_LKF_##name, #name \
	}
static const struct text_name lock_flags[] = {
	LKF(NOQUEUE),  LKF(CANCEL),	 LKF(CONVERT),	   LKF(VALBLK),	  LKF(QUECVT),
	LKF(IVVALBLK), LKF(CONVDEADLK),	 LKF(PERSISTENT),  LKF(NODLCKWT), LKF(NODLCKBLK),
	LKF(EXPEDITE), LKF(NOQUEUEBAST), LKF(HEADQUE),	   LKF(NOORDER),  LKF(ORPHAN),
	LKF(ALTPR),    LKF(ALTCW),	 LKF(FORCEUNLOCK), LKF(TIMEOUT),  { 0 },
};

static const struct text_name status_flags[] = {
	{ 0x1, "DEMOTED" },
	{ 0x2, "VALNOTVALID" },
	{ 0x4, "ALTMODE" },
	{ 0 },
};

static const struct text_name results[] = {
	{ DLM_ECANCEL, "DLM_ECANCEL" },
	{ DLM_EUNLOCK, "DLM_EUNLOCK" },
	{ 0 },
};

/* fs/dlm/dlm_internal.h: DLM_MSG, DLM_MSG_*, DLM_IFL_*, DLM_LKSTS_*, DLM_RCOM_* */
static const struct text_name commands[] = {
	{ 1, "MSG" }, { 2, "RCOM" }, { 3, "OPTS" }, { 4, "ACK" }, { 5, "FIN" }, { 0 },
};

enum { REQUEST = 1, LOOKUP = 11, REMOVE = 12 };
static const struct text_name messages[] = {
	{ REQUEST, "REQUEST" }, { 2, "CONVERT" },	{ 3, "UNLOCK" },
	{ 4, "CANCEL" },	{ 5, "REQUEST_REPLY" }, { 6, "CONVERT_REPLY" },
	{ 7, "UNLOCK_REPLY" },	{ 8, "CANCEL_REPLY" },	{ 9, "GRANT" },
	{ 10, "BAST" },		{ LOOKUP, "LOOKUP" },	{ REMOVE, "REMOVE" },
	{ 13, "LOOKUP_REPLY" }, { 14, "PURGE" },	{ 0 },
};

static const struct text_name message_flags[] = {
	{ 0x10000, "MSTCPY" },
	{ 0x20000, "RESEND" },
	{ 0x40000, "DEAD" },
	{ 0x80000, "OVERLAP_UNLOCK" },
	{ 0x100000, "OVERLAP_CANCEL" },
	{ 0x200000, "ENDOFLIFE" },
	{ 0x1000000, "DEADLOCK_CANCEL" },
	{ 0x2000000, "STUB_MS" },
	{ 0x1, "USER" },
	{ 0x2, "ORPHAN" },
	{ 0 },
};

static const struct text_name queues[] = {
	{ 1, "WAITING" },
	{ 2, "GRANTED" },
	{ 3, "CONVERT" },
	{ 0 },
};

static const struct text_name callbacks[] = { { 1, "AST" }, { 2, "BAST" }, { 0 } };

static const struct text_name recoveries[] = {
	{ 1, "STATUS" },       { 2, "NAMES" },	      { 3, "LOOKUP" },
	{ 4, "LOCK" },	       { 5, "STATUS_REPLY" }, { 6, "NAMES_REPLY" },
	{ 7, "LOOKUP_REPLY" }, { 8, "LOCK_REPLY" },   { 0 },
};

static const struct text_name plock_calls[] = {
	{ 1, "LOCK" }, { 2, "UNLOCK" }, { 3, "GET" }, { 4, "CANCEL" }, { 0 },
};

/* fs/gfs2/incore.h: LM_TYPE_*; the words are those of events/models/dlm.model */
static const struct text_name glock_types[] = {
	{ 1, "trans" }, { 2, "inode" }, { 3, "rgrp" },	{ 4, "meta" },	  { 5, "iopen" },
	{ 6, "flock" }, { 7, "plock" }, { 8, "quota" }, { 9, "journal" }, { 0 },
};

static void append_glock(struct trace_seq *out, unsigned long long type, unsigned long long number)
{
	for (const struct text_name *name = glock_types; name->name; name++) {
		if ((unsigned long long)name->number == type) {
			trace_seq_printf(out, "\"%s %llx\"", name->name, number);
			return;
		}
	}
	trace_seq_printf(out, "\"type %llx %llx\"", type, number);
}

/* Blanks, then hexadecimal digits, as written by "%*llx". */
static bool read_padded_hex(const char *text, unsigned int len, unsigned long long *number)
{
	static const char digits[] = "0123456789abcdef";
	unsigned int i = 0;

	*number = 0;
	while (i < len && text[i] == ' ')
		i++;
	if (i == len)
		return false;
	for (; i < len; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (!digit)
			return false;
		*number = *number << 4 | (unsigned long long)(digit - digits);
	}
	return true;
}

/* fs/gfs2/lock_dlm.c, gdlm_lock(): GFS2 names its locks by type in 8 and number in 16 columns. */
static void resource(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	unsigned long long type, number;

	(void)arg;
	if (!text_is_raw() && value->is_array && value->len == 24 &&
	    read_padded_hex(value->bytes, 8, &type) &&
	    read_padded_hex(value->bytes + 8, 16, &number))
		append_glock(out, type, number);
	else
		text_quoted(out, value, NULL);
}

/* The data after the header of a message: the name of the resource, or a lock value block. */
static void extra(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	long long type = text_other(value, "m_type");

	if (type == REQUEST || type == LOOKUP || type == REMOVE)
		resource(out, value, arg);
	else
		text_bytes(out, value, arg);
}

/*
 * Some kernels exchange status and flags of an ast: see events/models/dlm.model. Then a byte of the
 * status is in sb_flags, and the flags are in sb_status.
 */
static bool is_swapped(long long flags, long long status)
{
	return status >= 0 && status < 8 && (flags & 0x80 || (flags == 0 && status != 0));
}

static long long status_of_byte(long long byte)
{
	switch (byte & 0xff) {
	case 0xff:
		return -DLM_ECANCEL;
	case 0xfe:
		return -DLM_EUNLOCK;
	default:
		return (byte & 0x80) ? byte - 0x100 : byte;
	}
}

static long long ast_flags(const struct text_value *value)
{
	long long status = text_other(value, "sb_status");

	return is_swapped(value->number, status) ? status : value->number;
}

static long long ast_status(const struct text_value *value)
{
	long long flags = text_other(value, "sb_flags");

	return is_swapped(flags, value->number) ? status_of_byte(flags) : value->number;
}

static void version(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	trace_seq_printf(out, "%lld.%lld", value->number >> 16, value->number & 0xffff);
}

/* In the lock manager nodes are signed numbers; -1: not known yet. */
static void node(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	trace_seq_printf(out, "%d", (int)value->number);
}

static void glock(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	unsigned long long type = (unsigned long long)value->number;
	unsigned long long number = (unsigned long long)text_other(value, "glnum");

	(void)arg;
	if (text_is_raw())
		trace_seq_printf(out, "%llu:0x%llx", type, number);
	else
		append_glock(out, type, number);
}

#define LOCK                       \
	{ "ls_id", text_hex },     \
	{                          \
		"lkb_id", text_hex \
	}
#define MODE(field)                      \
	{                                \
		field, text_names, modes \
	}
#define FLAGS(field, names)                            \
	{                                              \
		field, text_flags, names, text_if_zero \
	}
#define RESOURCE                                         \
	{                                                \
		"res_name", resource, NULL, text_if_zero \
	}

static const struct text_field lock[] = {
	LOCK,	  MODE("mode"), FLAGS("flags", lock_flags), { "error", text_result, results },
	RESOURCE, { 0 },
};

static const struct text_field ast[] = {
	LOCK,
	{ "sb_flags", text_flags, status_flags, text_if_zero, .put_right = ast_flags },
	{ "sb_status", text_result, results, .put_right = ast_status },
	RESOURCE,
	{ 0 },
};

static const struct text_field message[] = {
	{ "m_type", text_names, messages },
	{ "h_nodeid", node },
	{ "dst", node },
	{ "seq" },
	{ "h_seq" },
	{ "h_lockspace", text_hex },
	{ "m_nodeid", node },
	{ "m_pid" },
	{ "m_lkid", text_hex, NULL, text_if_zero },
	{ "m_remid", text_hex, NULL, text_if_zero },
	{ "m_parent_lkid", text_hex, NULL, text_if_zero },
	{ "m_parent_remid", text_hex, NULL, text_if_zero },
	FLAGS("m_exflags", lock_flags),
	FLAGS("m_sbflags", status_flags),
	FLAGS("m_flags", message_flags),
	{ "m_status", text_names, queues, text_if_zero },
	{ "m_grmode", text_names, modes, text_if_negative },
	{ "m_rqmode", text_names, modes, text_if_negative },
	{ "m_bastmode", text_names, modes, text_if_zero },
	{ "m_result", text_result, results, text_if_zero },
	{ "m_lvbseq", NULL, NULL, text_if_zero },
	{ "m_asts", text_flags, callbacks, text_always },
	{ "m_hash", text_hex, NULL, text_always },
	{ "h_version", version, NULL, text_always },
	{ "h_cmd", text_names, commands, text_always },
	{ "h_length", NULL, NULL, text_always },
	{ "m_extra", extra, NULL, text_if_zero },
	RESOURCE,
	{ 0 },
};

static const struct text_field recovery[] = {
	{ "rc_type", text_names, recoveries },
	{ "h_nodeid", node },
	{ "dst", node },
	{ "seq" },
	{ "h_seq" },
	{ "h_lockspace", text_hex },
	{ "rc_result" },
	{ "rc_id" },
	{ "rc_seq" },
	{ "rc_seq_reply", NULL, NULL, text_if_zero },
	{ "h_version", version, NULL, text_always },
	{ "h_cmd", text_names, commands, text_always },
	{ "h_length", NULL, NULL, text_always },
	{ "rc_buf", text_bytes, NULL, text_always },
	{ 0 },
};

static const struct text_field transfer[] = { { "nodeid" }, { "ret", text_result }, { 0 } };

static const struct text_field plock[] = {
	{ "optype", text_names, plock_calls },
	{ "fsid", text_hex },
	{ "number", text_hex },
	{ "start" },
	{ "end" },
	{ "ex" },
	{ "wait" },
	{ "flags", text_hex, NULL, text_if_zero },
	{ "nodeid" },
	{ "pid" },
	{ "owner", text_hex },
	{ "rv", text_result },
	{ 0 },
};

/* Bits of glock flags differ between kernels, and formats do not contain their numbers. */
static const struct text_field glocks[] = {
	{ "dev", text_device },
	{ "gltype", glock, .label = "glock" },
	{ "glnum", text_hex, NULL, text_always },
	{ "queue", text_names, (const struct text_name[]){ { 0, "no" }, { 1, "yes" }, { 0 } } },
	MODE("state"),
	MODE("cur_state"),
	MODE("new_state"),
	MODE("dmt_state"),
	MODE("tgt_state"),
	{ "remote", text_names, (const struct text_name[]){ { 0, "no" }, { 1, "yes" }, { 0 } } },
	{ "status", text_result, results },
	{ "flags", text_hex, NULL, text_if_zero },
	{ 0 },
};

static const struct text_event events[] = {
	{ "dlm", "dlm_lock_start", lock },
	{ "dlm", "dlm_lock_end", lock },
	{ "dlm", "dlm_unlock_start", lock },
	{ "dlm", "dlm_unlock_end", lock },
	{ "dlm", "dlm_bast", lock },
	{ "dlm", "dlm_ast", ast },
	{ "dlm", "dlm_send_message", message },
	{ "dlm", "dlm_recv_message", message },
	{ "dlm", "dlm_send_rcom", recovery },
	{ "dlm", "dlm_recv_rcom", recovery },
	{ "dlm", "dlm_send", transfer },
	{ "dlm", "dlm_recv", transfer },
	{ "dlm", "dlm_plock_read", plock },
	{ "dlm", "dlm_plock_write", plock },
	{ "gfs2", "gfs2_glock_state_change", glocks },
	{ "gfs2", "gfs2_glock_put", glocks },
	{ "gfs2", "gfs2_demote_rq", glocks },
	{ "gfs2", "gfs2_promote", glocks },
	{ "gfs2", "gfs2_glock_queue", glocks },
	{ "gfs2", "gfs2_glock_lock_time", glocks },
	{ NULL },
};

const struct text_plugin text_plugin = { "dlm", events };
