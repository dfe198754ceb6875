// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events: the texts of their `format` files, word for word as Linux 6.1 prints them, and their
 * payloads.
 */
#include "gen.h"
#include "../../events/iotrace-ops.h"

#include <string.h>

/* clang-format off */
#define MODES "{ (-1), \"IV\"}, { 0, \"NL\"}, { 1, \"CR\"}, { 2, \"CW\"}, { 3, \"PR\"}, { 4, \"PW\"}, { 5, \"EX\"}"
#define FLAGS "{ 0x00000001, \"NOQUEUE\" }, { 0x00000002, \"CANCEL\" }, { 0x00000004, \"CONVERT\" }, " \
	"{ 0x00000008, \"VALBLK\" }, { 0x00000010, \"QUECVT\" }, { 0x00000020, \"IVVALBLK\" }, " \
	"{ 0x00000040, \"CONVDEADLK\" }, { 0x00000080, \"PERSISTENT\" }, { 0x00000100, \"NODLCKWT\" }, " \
	"{ 0x00000200, \"NODLCKBLK\" }, { 0x00000400, \"EXPEDITE\" }, { 0x00000800, \"NOQUEUEBAST\" }, " \
	"{ 0x00001000, \"HEADQUE\" }, { 0x00002000, \"NOORDER\" }, { 0x00004000, \"ORPHAN\" }, " \
	"{ 0x00008000, \"ALTPR\" }, { 0x00010000, \"ALTCW\" }, { 0x00020000, \"FORCEUNLOCK\" }, " \
	"{ 0x00040000, \"TIMEOUT\" }"
#define SB_FLAGS "{ 0x01, \"DEMOTED\" }, { 0x02, \"VALNOTVALID\" }, { 0x04, \"ALTMODE\" }"
#define PRINT_MODE "__print_symbolic(REC->mode, " MODES ")"
#define PRINT_FLAGS "__print_flags(REC->flags, \"|\", " FLAGS ")"
#define PRINT_NAME "__print_hex_str(__get_dynamic_array(res_name), __get_dynamic_array_len(res_name))"

#define FIELD(decl, offset, size, is_signed) \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"
#define IDS FIELD("__u32 ls_id", 8, 4, 0) FIELD("__u32 lkb_id", 12, 4, 0)
#define NAME_AT(offset) FIELD("__data_loc unsigned char[] res_name", offset, 4, 0)

#define MESSAGE \
	FIELD("uint32_t seq", 8, 4, 0) \
	FIELD("uint32_t h_version", 12, 4, 0) FIELD("uint32_t h_lockspace", 16, 4, 0) \
	FIELD("uint32_t h_nodeid", 20, 4, 0) FIELD("uint16_t h_length", 24, 2, 0) FIELD("uint8_t h_cmd", 26, 1, 0) \
	FIELD("uint32_t m_type", 28, 4, 0) FIELD("uint32_t m_nodeid", 32, 4, 0) FIELD("uint32_t m_pid", 36, 4, 0) \
	FIELD("uint32_t m_lkid", 40, 4, 0) FIELD("uint32_t m_remid", 44, 4, 0) FIELD("uint32_t m_parent_lkid", 48, 4, 0) \
	FIELD("uint32_t m_parent_remid", 52, 4, 0) FIELD("uint32_t m_exflags", 56, 4, 0) \
	FIELD("uint32_t m_sbflags", 60, 4, 0) FIELD("uint32_t m_flags", 64, 4, 0) FIELD("uint32_t m_lvbseq", 68, 4, 0) \
	FIELD("uint32_t m_hash", 72, 4, 0) FIELD("int32_t m_status", 76, 4, 1) FIELD("int32_t m_grmode", 80, 4, 1) \
	FIELD("int32_t m_rqmode", 84, 4, 1) FIELD("int32_t m_bastmode", 88, 4, 1) FIELD("int32_t m_asts", 92, 4, 1) \
	FIELD("int32_t m_result", 96, 4, 1) FIELD("__data_loc unsigned char[] m_extra", 100, 4, 0)
#define MESSAGE_6_12 \
	FIELD("uint32_t dst", 8, 4, 0) FIELD("uint32_t h_seq", 12, 4, 0) FIELD("uint32_t h_version", 16, 4, 0) \
	FIELD("uint32_t h_lockspace", 20, 4, 0) FIELD("uint32_t h_nodeid", 24, 4, 0) FIELD("uint16_t h_length", 28, 2, 0) \
	FIELD("uint8_t h_cmd", 30, 1, 0) FIELD("uint32_t m_type", 32, 4, 0) FIELD("uint32_t m_nodeid", 36, 4, 0) \
	FIELD("uint32_t m_pid", 40, 4, 0) FIELD("uint32_t m_lkid", 44, 4, 0) FIELD("uint32_t m_remid", 48, 4, 0) \
	FIELD("uint32_t m_parent_lkid", 52, 4, 0) FIELD("uint32_t m_parent_remid", 56, 4, 0) \
	FIELD("uint32_t m_exflags", 60, 4, 0) FIELD("uint32_t m_sbflags", 64, 4, 0) FIELD("uint32_t m_flags", 68, 4, 0) \
	FIELD("uint32_t m_lvbseq", 72, 4, 0) FIELD("uint32_t m_hash", 76, 4, 0) FIELD("int32_t m_status", 80, 4, 1) \
	FIELD("int32_t m_grmode", 84, 4, 1) FIELD("int32_t m_rqmode", 88, 4, 1) FIELD("int32_t m_bastmode", 92, 4, 1) \
	FIELD("int32_t m_asts", 96, 4, 1) FIELD("int32_t m_result", 100, 4, 1) \
	FIELD("__data_loc unsigned char[] m_extra", 104, 4, 0)
#define PRINT_MESSAGE "\"h_nodeid=%u m_type=%u\", REC->h_nodeid, REC->m_type"

#define STATES "{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, " \
	"{ 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }"
#define STATE_BITS "((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | " \
	"0x00000020 | 0x00000040) + 1) << 1) - 1)"
#define PRINT_SWITCH "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d " \
	"next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & " STATE_BITS \
	") ? __print_flags(REC->prev_state & " STATE_BITS ", \"|\", " STATES ") : \"R\", REC->prev_state & " \
	"(((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | " \
	"0x00000040) + 1) << 1) ? \"+\" : \"\", REC->next_comm, REC->next_pid, REC->next_prio"

#define OP_TEXT(name, number, text) "{ " #number ", \"" text "\" }, "
#define IO_START(pair) { "iotrace", pair "_start", \
	FIELD("u64 id", 8, 8, 0) FIELD("u64 ino", 16, 8, 0) FIELD("s64 pos", 24, 8, 1) FIELD("u64 len", 32, 8, 0) \
	FIELD("s32 tgid", 40, 4, 1) FIELD("s32 fd", 44, 4, 1) FIELD("u32 dev", 48, 4, 0) FIELD("u32 flags", 52, 4, 0) \
	FIELD("u32 segs", 56, 4, 0) FIELD("u16 op", 60, 2, 0) FIELD("u16 kind", 62, 2, 0), \
	"\"id=%llu tgid=%d op=%s fd=%d dev=%u:%u ino=%llu pos=%lld len=%llu flags=0x%x segs=%u kind=0%o\", REC->id, " \
	"REC->tgid, __print_symbolic(REC->op, " IOTRACE_FILE_OPS(OP_TEXT) "{ 0, \"unknown\" }), REC->fd, REC->dev >> 20, " \
	"REC->dev & 0xfffff, REC->ino, REC->pos, REC->len, REC->flags, REC->segs, REC->kind" }
#define IO_END(pair) { "iotrace", pair "_end", \
	FIELD("u64 id", 8, 8, 0) FIELD("s64 ret", 16, 8, 1) FIELD("s64 pos", 24, 8, 1), \
	"\"id=%llu ret=%lld pos=%lld\", REC->id, REC->ret, REC->pos" }

#define CALL(name) { "iotrace", name, \
	FIELD("u64 id", 8, 8, 0) FIELD("u64 object", 16, 8, 0) FIELD("s32 tgid", 24, 4, 1) FIELD("s32 mode", 28, 4, 1) \
	FIELD("s32 status", 32, 4, 1) FIELD("u32 flags", 36, 4, 0) FIELD("__data_loc char[] domain", 40, 4, 1) \
	FIELD("__data_loc char[] resource", 44, 4, 1) FIELD("__data_loc char[] op", 48, 4, 1), \
	"\"id=%llu domain=%s resource=%s op=%s mode=%d status=%d object=%llu flags=0x%x tgid=%d\", REC->id, " \
	"__get_str(domain), __get_str(resource), __get_str(op), REC->mode, REC->status, REC->object, REC->flags, REC->tgid" }

static const struct {
	const char *system, *name, *fields, *print;
} events[GEN_N_EVENTS] = {
	[GEN_DLM_LOCK_START] = { "dlm", "dlm_lock_start",
		IDS FIELD("int mode", 16, 4, 1) FIELD("__u32 flags", 20, 4, 0) NAME_AT(24),
		"\"ls_id=%u lkb_id=%x mode=%s flags=%s res_name=%s\", REC->ls_id, REC->lkb_id, "
		PRINT_MODE ", " PRINT_FLAGS ", " PRINT_NAME },
	[GEN_DLM_LOCK_END] = { "dlm", "dlm_lock_end",
		IDS FIELD("int mode", 16, 4, 1) FIELD("__u32 flags", 20, 4, 0)
		FIELD("int error", 24, 4, 1) NAME_AT(28),
		"\"ls_id=%u lkb_id=%x mode=%s flags=%s error=%d res_name=%s\", REC->ls_id, REC->lkb_id, "
		PRINT_MODE ", " PRINT_FLAGS ", REC->error, " PRINT_NAME },
	[GEN_DLM_UNLOCK_START] = { "dlm", "dlm_unlock_start",
		IDS FIELD("__u32 flags", 16, 4, 0) NAME_AT(20),
		"\"ls_id=%u lkb_id=%x flags=%s res_name=%s\", REC->ls_id, REC->lkb_id, "
		PRINT_FLAGS ", " PRINT_NAME },
	[GEN_DLM_UNLOCK_END] = { "dlm", "dlm_unlock_end",
		IDS FIELD("__u32 flags", 16, 4, 0) FIELD("int error", 20, 4, 1) NAME_AT(24),
		"\"ls_id=%u lkb_id=%x flags=%s error=%d res_name=%s\", REC->ls_id, REC->lkb_id, "
		PRINT_FLAGS ", REC->error, " PRINT_NAME },
	[GEN_DLM_AST] = { "dlm", "dlm_ast",
		IDS FIELD("u8 sb_flags", 16, 1, 0) FIELD("int sb_status", 20, 4, 1) NAME_AT(24),
		"\"ls_id=%u lkb_id=%x sb_flags=%s sb_status=%d res_name=%s\", REC->ls_id, REC->lkb_id, "
		"__print_flags(REC->sb_flags, \"|\", " SB_FLAGS "), REC->sb_status, " PRINT_NAME },
	[GEN_DLM_BAST] = { "dlm", "dlm_bast",
		IDS FIELD("int mode", 16, 4, 1) NAME_AT(20),
		"\"ls_id=%u lkb_id=%x mode=%s res_name=%s\", REC->ls_id, REC->lkb_id, "
		PRINT_MODE ", " PRINT_NAME },
	[GEN_DLM_SEND_MESSAGE] = { "dlm", "dlm_send_message",
		MESSAGE NAME_AT(104), PRINT_MESSAGE },
	[GEN_DLM_RECV_MESSAGE] = { "dlm", "dlm_recv_message", MESSAGE, PRINT_MESSAGE },
	[GEN_IO_READ_START] = IO_START("read"),
	[GEN_IO_READ_END] = IO_END("read"),
	[GEN_IO_WRITE_START] = IO_START("write"),
	[GEN_IO_WRITE_END] = IO_END("write"),
	[GEN_IO_SYNC_START] = IO_START("sync"),
	[GEN_IO_SYNC_END] = IO_END("sync"),
	[GEN_CALL_START] = CALL("call_start"),
	[GEN_CALL_END] = CALL("call_end"),
	[GEN_CALL_DONE] = CALL("call_done"),
	[GEN_SCHED_SWITCH] = { "sched", "sched_switch", NULL, PRINT_SWITCH },
};

static const char send_6_12[] = MESSAGE_6_12 NAME_AT(108), recv_6_12[] = MESSAGE_6_12;
static const char switch_64[] =
	FIELD("char prev_comm[16]", 8, 16, 1) FIELD("pid_t prev_pid", 24, 4, 1)
	FIELD("int prev_prio", 28, 4, 1) FIELD("long prev_state", 32, 8, 1)
	FIELD("char next_comm[16]", 40, 16, 1) FIELD("pid_t next_pid", 56, 4, 1)
	FIELD("int next_prio", 60, 4, 1);
static const char switch_32[] =
	FIELD("char prev_comm[16]", 8, 16, 1) FIELD("pid_t prev_pid", 24, 4, 1)
	FIELD("int prev_prio", 28, 4, 1) FIELD("long prev_state", 32, 4, 1)
	FIELD("char next_comm[16]", 36, 16, 1) FIELD("pid_t next_pid", 52, 4, 1)
	FIELD("int next_prio", 56, 4, 1);
/* clang-format on */

const char *gen_event_name(enum gen_event event)
{
	return events[event].name;
}

const char *gen_event_system(enum gen_event event)
{
	return events[event].system;
}

char *gen_event_format(const struct gen_node *node, enum gen_event event)
{
	const char *fields = events[event].fields;

	if (node->gen->opts.dst && event == GEN_DLM_SEND_MESSAGE)
		fields = send_6_12;
	if (node->gen->opts.dst && event == GEN_DLM_RECV_MESSAGE)
		fields = recv_6_12;
	if (event == GEN_SCHED_SWITCH)
		fields = node->gen->opts.word == 8 ? switch_64 : switch_32;
	return g_strdup_printf(
		"name: %s\nID: %d\nformat:\n" FIELD("unsigned short common_type", 0, 2, 0)
			FIELD("unsigned char common_flags", 2, 1, 0)
				FIELD("unsigned char common_preempt_count", 3, 1, 0)
					FIELD("int common_pid", 4, 4, 1) "\n%s\nprint fmt: %s\n",
		events[event].name, node->id_base + event, fields, events[event].print);
}

void gen_store(guint8 *at, guint64 value, int size, gboolean big_endian)
{
	for (int i = 0; i < size; i++)
		at[big_endian ? size - 1 - i : i] = value >> (8 * i);
}

void gen_put(struct gen_buf *buf, guint64 value, int size)
{
	gen_store(buf->data + buf->len, value, size, buf->big_endian);
	buf->len += size;
}

void gen_put_bytes(struct gen_buf *buf, const void *data, gsize len)
{
	memcpy(buf->data + buf->len, data, len);
	buf->len += len;
}

void gen_begin(struct gen_buf *buf, const struct gen_node *node, enum gen_event event, gint32 pid)
{
	buf->len = 0;
	buf->big_endian = node->gen->opts.big_endian;
	gen_put(buf, node->id_base + event, 2);
	gen_put(buf, 0, 2);
	gen_put(buf, (guint32)pid, 4);
}

void gen_in_softirq(struct gen_buf *buf)
{
	buf->data[2] |= 0x10;
}

void gen_put_dynamic(struct gen_buf *buf, const void *data, gsize len)
{
	gen_put(buf, len << 16 | (buf->len + 4), 4);
	gen_put_bytes(buf, data, len);
}

void gen_put_texts(struct gen_buf *buf, const char *const *texts, int n)
{
	gsize at = buf->len + 4 * (gsize)n;

	for (int i = 0; i < n; i++) {
		gsize len = strlen(texts[i]) + 1;

		gen_put(buf, len << 16 | at, 4);
		at += len;
	}
	for (int i = 0; i < n; i++)
		gen_put_bytes(buf, texts[i], strlen(texts[i]) + 1);
}

static void put_comm(struct gen_buf *buf, gint32 pid)
{
	char comm[16] = "";

	g_snprintf(comm, sizeof(comm), "task%d", pid);
	gen_put_bytes(buf, comm, sizeof(comm));
}

void gen_put_switch(struct gen_buf *buf, int word, gint32 prev, gint32 next)
{
	put_comm(buf, prev);
	gen_put(buf, prev, 4);
	gen_put(buf, 120, 4);
	gen_put(buf, prev & 1, word);
	put_comm(buf, next);
	gen_put(buf, next, 4);
	gen_put(buf, 120, 4);
}
