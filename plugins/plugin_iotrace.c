/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of the events of events/iotrace.h. Flags have the names of this machine's architecture,
 * because the recording does not contain its own. Some open flags differ (O_DIRECT on ARM).
 */
#include "event-text.h"
#include "iotrace-ops.h"

#include <linux/falloc.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/xattr.h>
#include <sys/stat.h>
#include <trace-seq.h>

#define FLAG(flag)          \
	{                   \
		flag, #flag \
	}

#define OP_NAME(name, number, text) { number, text },
static const struct text_name ops[] = { IOTRACE_OPS(OP_NAME){ 0 } };

/* A name for several bits comes before the names for its parts. */
static const struct text_name open_flags[] = {
	FLAG(O_CREAT),	   FLAG(O_EXCL),    FLAG(O_NOCTTY),
	FLAG(O_TRUNC),	   FLAG(O_APPEND),  FLAG(O_NONBLOCK),
	FLAG(O_SYNC),	   FLAG(O_DSYNC),   FLAG(O_DIRECT),
	FLAG(O_LARGEFILE), FLAG(O_TMPFILE), FLAG(O_DIRECTORY),
	FLAG(O_NOFOLLOW),  FLAG(O_NOATIME), FLAG(O_CLOEXEC),
	FLAG(O_PATH),	   { 0 },
};

static const struct text_name access_modes[] = {
	FLAG(O_RDONLY), FLAG(O_WRONLY), FLAG(O_RDWR), FLAG(O_ACCMODE), { 0 },
};

static const struct text_name read_write_flags[] = {
	FLAG(RWF_HIPRI), FLAG(RWF_DSYNC), FLAG(RWF_SYNC), FLAG(RWF_NOWAIT), FLAG(RWF_APPEND), { 0 },
};

/* Not in the kernel's headers for user space: include/linux/splice.h */
static const struct text_name splice_flags[] = {
	{ 1, "SPLICE_F_MOVE" },
	{ 2, "SPLICE_F_NONBLOCK" },
	{ 4, "SPLICE_F_MORE" },
	{ 8, "SPLICE_F_GIFT" },
	{ 0 },
};

static const struct text_name range_flags[] = {
	FLAG(SYNC_FILE_RANGE_WAIT_BEFORE),
	FLAG(SYNC_FILE_RANGE_WRITE),
	FLAG(SYNC_FILE_RANGE_WAIT_AFTER),
	{ 0 },
};

static const struct text_name msync_flags[] = {
	FLAG(MS_ASYNC),
	FLAG(MS_INVALIDATE),
	FLAG(MS_SYNC),
	{ 0 },
};

/* events/iotrace.h: MAP_ in the lower bits, PROT_ above */
#define PROT(flag)                  \
	{                           \
		(flag) << 24, #flag \
	}
static const struct text_name mmap_flags[] = {
	PROT(PROT_READ),	   PROT(PROT_WRITE),
	PROT(PROT_EXEC),	   FLAG(MAP_SHARED_VALIDATE),
	FLAG(MAP_SHARED),	   FLAG(MAP_PRIVATE),
	FLAG(MAP_FIXED),	   FLAG(MAP_ANONYMOUS),
	FLAG(MAP_GROWSDOWN),	   FLAG(MAP_DENYWRITE),
	FLAG(MAP_EXECUTABLE),	   FLAG(MAP_LOCKED),
	FLAG(MAP_NORESERVE),	   FLAG(MAP_POPULATE),
	FLAG(MAP_NONBLOCK),	   FLAG(MAP_STACK),
	FLAG(MAP_HUGETLB),	   FLAG(MAP_SYNC),
	FLAG(MAP_FIXED_NOREPLACE), { 0 },
};

static const struct text_name allocate_flags[] = {
	FLAG(FALLOC_FL_KEEP_SIZE),
	FLAG(FALLOC_FL_PUNCH_HOLE),
	FLAG(FALLOC_FL_COLLAPSE_RANGE),
	FLAG(FALLOC_FL_ZERO_RANGE),
	FLAG(FALLOC_FL_INSERT_RANGE),
	FLAG(FALLOC_FL_UNSHARE_RANGE),
	{ 0 },
};

static const struct text_name at_flags[] = {
	FLAG(AT_SYMLINK_NOFOLLOW),
	FLAG(AT_SYMLINK_FOLLOW),
	FLAG(AT_NO_AUTOMOUNT),
	FLAG(AT_EMPTY_PATH),
	FLAG(AT_STATX_FORCE_SYNC),
	FLAG(AT_STATX_DONT_SYNC),
	{ 0 },
};

/* One bit with two meanings. */
static const struct text_name unlink_flags[] = { FLAG(AT_REMOVEDIR), { 0 } };
static const struct text_name access_flags[] = {
	FLAG(AT_EACCESS),
	FLAG(AT_SYMLINK_NOFOLLOW),
	FLAG(AT_EMPTY_PATH),
	{ 0 },
};

/* A bit of access has another meaning here: AT_HANDLE_FID, from 6.6 on. */
static const struct text_name handle_flags[] = {
	FLAG(AT_SYMLINK_FOLLOW),
	FLAG(AT_EMPTY_PATH),
	{ 0x200, "AT_HANDLE_FID" },
	{ 0 },
};

static const struct text_name rename_flags[] = {
	FLAG(RENAME_NOREPLACE),
	FLAG(RENAME_EXCHANGE),
	FLAG(RENAME_WHITEOUT),
	{ 0 },
};

static const struct text_name xattr_flags[] = { FLAG(XATTR_CREATE), FLAG(XATTR_REPLACE), { 0 } };

static const struct text_name uring_sync_flags[] = { { 1, "IORING_FSYNC_DATASYNC" }, { 0 } };

static const struct text_name kinds[] = {
	{ S_IFREG, "file" },	     { S_IFDIR, "directory" },
	{ S_IFLNK, "symlink" },	     { S_IFIFO, "fifo" },
	{ S_IFSOCK, "socket" },	     { S_IFCHR, "character-device" },
	{ S_IFBLK, "block-device" }, { 0 },
};

static const struct text_name directories[] = { FLAG(AT_FDCWD), { 0 } };

static const struct text_name *flag_names(long long op)
{
	switch (op) {
	case IOTRACE_OP_PREADV2:
	case IOTRACE_OP_PWRITEV2:
	case IOTRACE_OP_URING_READ:
	case IOTRACE_OP_URING_WRITE:
	case IOTRACE_OP_AIO_READ:
	case IOTRACE_OP_AIO_WRITE:
		return read_write_flags;
	case IOTRACE_OP_SPLICE:
		return splice_flags;
	case IOTRACE_OP_SYNC_FILE_RANGE:
		return range_flags;
	case IOTRACE_OP_MSYNC:
		return msync_flags;
	case IOTRACE_OP_MMAP:
		return mmap_flags;
	case IOTRACE_OP_FALLOCATE:
		return allocate_flags;
	case IOTRACE_OP_UNLINKAT:
		return unlink_flags;
	case IOTRACE_OP_FACCESSAT2:
		return access_flags;
	case IOTRACE_OP_NEWFSTATAT:
	case IOTRACE_OP_STATX:
	case IOTRACE_OP_LINKAT:
	case IOTRACE_OP_FCHOWNAT:
	case IOTRACE_OP_UTIMENSAT:
	case IOTRACE_OP_SETXATTRAT:
	case IOTRACE_OP_GETXATTRAT:
	case IOTRACE_OP_LISTXATTRAT:
	case IOTRACE_OP_REMOVEXATTRAT:
		return at_flags;
	case IOTRACE_OP_NAME_TO_HANDLE_AT:
		return handle_flags;
	case IOTRACE_OP_RENAMEAT2:
		return rename_flags;
	case IOTRACE_OP_SETXATTR:
	case IOTRACE_OP_LSETXATTR:
	case IOTRACE_OP_FSETXATTR:
		return xattr_flags;
	case IOTRACE_OP_URING_FSYNC:
		return uring_sync_flags;
	default:
		return NULL;
	}
}

static void call_flags(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	text_flags(out, value, flag_names(text_other(value, "op")));
}

/* The access mode of open is a number in two bits, the rest are flags. */
static void opening(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	struct text_value access = *value, rest = *value;

	(void)arg;
	if (text_is_raw()) {
		text_hex(out, value, NULL);
		return;
	}
	access.number &= O_ACCMODE;
	rest.number &= ~O_ACCMODE;
	text_names(out, &access, access_modes);
	if (rest.number) {
		trace_seq_putc(out, '|');
		text_flags(out, &rest, open_flags);
	}
}

static void address(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	if (value->number < 0 && value->number > -4096)
		text_result(out, value, arg);
	else
		text_hex(out, value, NULL);
}

static bool if_regular(long long kind)
{
	return kind == 0 || kind == S_IFREG;
}

#define CALL                                                    \
	{ "id" }, { "tgid" }, { "op", text_names, ops },        \
	{                                                       \
		"fd", text_names, directories, text_if_negative \
	}
#define FILE_ID                                     \
	{ "dev", text_device, NULL, text_if_zero }, \
	{                                           \
		"ino", NULL, NULL, text_if_zero     \
	}
#define KIND                                          \
	{                                             \
		"kind", text_names, kinds, if_regular \
	}
#define POS                                         \
	{                                           \
		"pos", NULL, NULL, text_if_negative \
	}
#define TEXT(field)                                    \
	{                                              \
		field, text_quoted, NULL, text_if_zero \
	}

static const struct text_field file_start[] = {
	CALL,
	FILE_ID,
	POS,
	{ "len", NULL, NULL, text_if_zero },
	{ "flags", call_flags, NULL, text_if_zero },
	{ "segs", NULL, NULL, text_if_one },
	KIND,
	{ 0 },
};

#define ATTRIBUTES                                  \
	{ "mode", text_octal, NULL, text_if_zero }, \
	{                                           \
		"arg", NULL, NULL, text_if_zero     \
	}
static const struct text_field open_start[] = {
	CALL, TEXT("path"), TEXT("path2"), { "flags", opening }, ATTRIBUTES, FILE_ID, KIND, { 0 },
};
static const struct text_field meta_start[] = {
	CALL,	    TEXT("path"), TEXT("path2"), { "flags", call_flags, NULL, text_if_zero },
	ATTRIBUTES, FILE_ID,	  KIND,		 { 0 },
};

/* events/iotrace.h */
static const struct text_name lock_types[] = {
	{ F_RDLCK, "read" }, { F_WRLCK, "write" }, { F_UNLCK, "unlock" }, { 3, "unknown" }, { 0 },
};
static const struct text_name whences[] = { { SEEK_SET, "SEEK_SET" },
					    { SEEK_END, "SEEK_END" },
					    { 0 } };
static const struct text_field lock_start[] = {
	CALL,
	FILE_ID,
	{ "type", text_names, lock_types },
	{ "wait", NULL, NULL, text_if_zero },
	{ "start", NULL, NULL, text_if_zero },
	{ "len", NULL, NULL, text_if_zero },
	{ "whence", text_names, whences, text_if_zero },
	KIND,
	{ 0 },
};

#define ELSEWHERE                                     \
	{                                             \
		"elsewhere", NULL, NULL, text_if_zero \
	}
static const struct text_field end[] = {
	{ "id" },  { "ret", text_result },
	POS,	   FILE_ID,
	KIND,	   { "gen", NULL, NULL, text_if_zero },
	ELSEWHERE, TEXT("path"),
	{ 0 },
};
static const struct text_field mmap_end[] = { { "id" }, { "ret", address }, POS, { 0 } };
static const struct text_field path_late[] = { { "id" }, TEXT("path"), TEXT("path2"), { 0 } };
static const struct text_field task[] = {
	{ "tgid" },
	{ "ptgid" },
	{ "comm", text_task_name },
	{ "cgroup", NULL, NULL, text_if_zero },
	{ "pidns", NULL, NULL, text_if_zero },
	{ "nspid", NULL, NULL, text_if_zero },
	{ "nstgid", NULL, NULL, text_if_zero },
	{ 0 },
};

static const struct text_field fs[] = {
	{ "dev", text_device },
	{ "type" },
	{ "source" },
	{ "uuid_hi", text_hex, NULL, text_if_zero },
	{ "uuid_lo", text_hex, NULL, text_if_zero },
	{ 0 },
};

/* The states of the kernel's lock manager have their own names. */
static const struct text_name call_results[] = {
	{ 0x10001, "DLM_ECANCEL" },
	{ 0x10002, "DLM_EUNLOCK" },
	{ 0 },
};

static const struct text_field call[] = {
	{ "id" },
	{ "tgid" },
	TEXT("domain"),
	TEXT("resource"),
	TEXT("op"),
	{ "mode", NULL, NULL, text_if_negative },
	{ "status", text_result, call_results },
	{ "object", NULL, NULL, text_if_zero },
	{ "flags", text_hex, NULL, text_if_zero },
	{ 0 },
};

#define PAIR(name, start)                     \
	{ "iotrace", #name "_start", start }, \
	{                                     \
		"iotrace", #name "_end", end  \
	}
static const struct text_event events[] = {
	PAIR(read, file_start),
	PAIR(write, file_start),
	PAIR(sync, file_start),
	PAIR(truncate, file_start),
	PAIR(close, file_start),
	PAIR(submit, file_start),
	PAIR(lock, lock_start),
	PAIR(open, open_start),
	PAIR(meta, meta_start),
	{ "iotrace", "mmap_start", file_start },
	{ "iotrace", "mmap_end", mmap_end },
	{ "iotrace", "aio_start", file_start },
	{ "iotrace", "aio_skip", file_start },
	{ "iotrace", "aio_done", end },
	{ "iotrace", "path_late", path_late },
	{ "iotrace", "task", task },
	{ "iotrace", "fs", fs },
	{ "iotrace", "call_start", call },
	{ "iotrace", "call_end", call },
	{ "iotrace", "call_done", call },
	{ "iotrace", "call_notify", call },
	{ NULL },
};

const struct text_plugin text_plugin = { "iotrace", events };
