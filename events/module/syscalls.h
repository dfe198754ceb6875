/* SPDX-License-Identifier: GPL-2.0-only */
/* The recorded system calls: a table row for each describes its arguments. */
#ifndef IOTRACE_SYSCALLS_H
#define IOTRACE_SYSCALLS_H

#include <linux/types.h>

/* Events of iotrace.h that come as start and end. */
enum iotrace_pair {
	IOTRACE_NO_PAIR,
	IOTRACE_READ,
	IOTRACE_WRITE,
	IOTRACE_SYNC,
	IOTRACE_TRUNCATE,
	IOTRACE_MMAP,
	IOTRACE_CLOSE,
	IOTRACE_OPEN,
	IOTRACE_META,
	IOTRACE_SUBMIT,
	IOTRACE_LOCK,
};

/* The position of a call in its file. */
enum iotrace_at {
	IOTRACE_AT_NOWHERE,	/* the file as a whole */
	IOTRACE_AT_FILE,	/* the position of the open file, which moves */
	IOTRACE_AT_ARG,		/* the argument pos, which does not */
	IOTRACE_AT_ARG_OR_FILE,	/* pos unless it is -1 */
	IOTRACE_AT_POINTER,	/* the argument pos points to it; NULL: the position of the file */
};

/* Every u8 from fd on is the number of an argument, counted from 1; 0: none. */
struct iotrace_call {
	u8 op;		/* enum iotrace_op */
	u8 pair;	/* enum iotrace_pair */
	u8 at;		/* enum iotrace_at */
	u8 fd;
	u8 pos;
	u8 fd2;		/* target of the copy, if fd is its source */
	u8 pos2;
	u8 len;
	u8 iov;		/* array of buffers; the next argument is their number */
	u8 flags;
	u8 mode;
	u8 path;
	u8 path2;
	u8 arg;
};

/** iotrace_find_call - the row of a system call of a 64-bit program; NULL: it is not recorded */
const struct iotrace_call *iotrace_find_call(long nr);

static inline unsigned long iotrace_arg(const unsigned long *args, u8 number)
{
	return number ? args[number - 1] : 0;
}

#endif /* IOTRACE_SYSCALLS_H */
