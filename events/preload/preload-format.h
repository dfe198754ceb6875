/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files that libiotrace-preload writes and iotrace-analyze reads; docs/formats/preload.md. Numbers
 * are those of the machine that writes.
 *
 * The file is a head and chunks, each of IOTRACE_PRELOAD_CHUNK bytes. A chunk has slots of 64
 * bytes, of which the first is its head. A record takes one slot, and the slots after it for its
 * texts. All processes of a run write into one file.
 */
#ifndef IOTRACE_PRELOAD_FORMAT_H
#define IOTRACE_PRELOAD_FORMAT_H

#include <stdint.h>

#define IOTRACE_PRELOAD_MAGIC "iotrace preload"

enum {
	IOTRACE_PRELOAD_VERSION = 1,
	IOTRACE_PRELOAD_SLOT = 64,
	IOTRACE_PRELOAD_CHUNK = 65536,
	IOTRACE_PRELOAD_SLOTS = IOTRACE_PRELOAD_CHUNK / IOTRACE_PRELOAD_SLOT,
	IOTRACE_PRELOAD_SHARDS = 16,
	IOTRACE_PRELOAD_TEXT = 60,	/* bytes of a text in one slot */
	IOTRACE_PRELOAD_ELSEWHERE = -2, /* not at the position of the descriptor, but unknown */
};

/* The head; the rest of its chunk is 0. */
struct iotrace_preload_head {
	char magic[16];
	uint32_t version, byte_order; /* 0x01020304 */
	char boot_id[40], host[72], kernel[72];
	/* both clocks at one moment, in ns, when the file was made */
	uint64_t mono_ns, real_ns;
	uint64_t pid_namespace; /* inode number of the first process's; 0: not known */
	/* these change; atomically */
	uint64_t lost;	  /* records without space */
	uint64_t lost_ns; /* when the first of them was lost */
	uint64_t chunks;  /* taken; the file may be longer */
	uint64_t spare;	  /* a chunk that was taken and is not used: its number; 0: none */
	/* the chunk into which threads with this number modulo 16 write: its number; 0: none */
	uint64_t shard[IOTRACE_PRELOAD_SHARDS];
};

/* The first slot of a chunk. Chunks count from 1; the head is at the place of chunk 0. */
struct iotrace_preload_chunk {
	uint32_t taken; /* slots after this one; may be more than there are */
	uint32_t reserved[15];
};

/* The kind of a slot. */
enum iotrace_preload_kind {
	IOTRACE_PRELOAD_NONE,	/* not written, or not to the end */
	IOTRACE_PRELOAD_CALL,	/* a call on files; its op: of iotrace-ops.h */
	IOTRACE_PRELOAD_WRITES, /* the second half of a call on two files: it writes */
	IOTRACE_PRELOAD_EFFECT, /* a call that changes descriptors: enum iotrace_preload_effect */
	IOTRACE_PRELOAD_STDIO,	/* a call of the C library's stdio: IOTRACE_STDIO_OPS */
	IOTRACE_PRELOAD_THREAD, /* a thread is seen first; text: its name */
	IOTRACE_PRELOAD_START,	/* a program begins, or a process of which no fork was seen:
				 * ret: its parent; texts: name, directory. FD records follow */
	IOTRACE_PRELOAD_FD,	/* a descriptor that was open at the start */
	IOTRACE_PRELOAD_FORK,	/* before a fork: the descriptors of the child are those of now */
	IOTRACE_PRELOAD_CHILD,	/* a forked child: ret: the thread that made it */
	IOTRACE_PRELOAD_TEXT_BEGIN, /* a slot of a text: its first */
	IOTRACE_PRELOAD_TEXT_MORE,  /* and its others */
	IOTRACE_PRELOAD_PAD,	    /* the rest of the chunk is not used */
};

enum iotrace_preload_effect {
	IOTRACE_EFFECT_DUP,   /* fd: the old one, ret: the new one, flags: O_CLOEXEC */
	IOTRACE_EFFECT_SEEK,  /* ret: the position */
	IOTRACE_EFFECT_SETFD, /* flags: O_CLOEXEC, or 0 */
	IOTRACE_EFFECT_SETFL, /* flags */
	IOTRACE_EFFECT_NEW,   /* ret: a descriptor without a file that is known */
	IOTRACE_EFFECT_PASS,  /* others may have the files of this process from now on */
};

#define IOTRACE_STDIO_OPS(X)                                                              \
	X(FOPEN, "fopen")                                                                 \
	X(FREOPEN, "freopen")                                                             \
	X(FDOPEN, "fdopen")                                                               \
	X(FCLOSE, "fclose") X(FFLUSH, "fflush") X(FREAD, "fread") X(FWRITE, "fwrite")     \
		X(FGETS, "fgets") X(FPUTS, "fputs") X(PUTS, "puts") X(GETLINE, "getline") \
			X(PRINTF, "printf") X(FPRINTF, "fprintf") X(FSEEK, "fseek")
#define IOTRACE_STDIO_ENUM(name, text) IOTRACE_STDIO_##name,
enum iotrace_stdio { IOTRACE_STDIO_OPS(IOTRACE_STDIO_ENUM) IOTRACE_STDIO_N };
#undef IOTRACE_STDIO_ENUM

/*
 * A record. Calls that open: fd is the directory, ret the descriptor; if ret >= 0, pos is the inode
 * number, len the device as stat(2) has it, and the upper 16 bits of @extra the type of the file
 * (st_mode >> 12); its lower 16 bits are the mode. FD: fd, and the same, with ret the position.
 * Locks: pos is the start; @extra the type of the lock (0 read, 1 write, 2 unlock, 3 unknown), with
 * bit 8 set if it waits, and the whence in bits 16 and above. Other calls: @extra is the mode.
 */
struct iotrace_preload_record {
	/* written last: the kind, the number of slots of texts << 8, the op << 16 */
	uint32_t state;
	int32_t tgid, tid, fd;
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t ret;		   /* or -errno */
	int64_t pos, len;	   /* -1: not told */
	uint32_t flags, extra;
};

struct iotrace_preload_text {
	uint32_t state; /* the kind, the number of bytes << 8 */
	char bytes[IOTRACE_PRELOAD_TEXT];
};

_Static_assert(sizeof(struct iotrace_preload_record) == IOTRACE_PRELOAD_SLOT, "size of a slot");
_Static_assert(sizeof(struct iotrace_preload_text) == IOTRACE_PRELOAD_SLOT, "size of a slot");
_Static_assert(sizeof(struct iotrace_preload_chunk) == IOTRACE_PRELOAD_SLOT, "size of a slot");

#endif
