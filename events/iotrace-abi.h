/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The interface of the device /dev/iotrace. Programs should use libiotrace-calls instead.
 *
 * write(2) takes any number of whole records. Each record is checked field by field and becomes one
 * event call_start, call_end, call_done or call_notify of the writing process. The first bad record
 * ends the write: the result is the number of bytes of the good records before it, or, if there are
 * none,
 *
 *   EMSGSIZE         fewer bytes than a record, or the record names another size
 *   EINVAL           wrong magic, unknown kind, a reserved field that is not 0, a text without end
 *   EPROTONOSUPPORT  another version
 *   EFAULT           unreadable memory
 *
 * A write may also stop early, after a whole record, when a signal is pending.
 *
 * mmap(2), one page, read-only, shows which events are recorded: see struct iotrace_page. A mapping
 * keeps the module in use, as an open descriptor does.
 *
 * ioctl(2) IOTRACE_IOC_IDS reserves ids.
 */
#ifndef IOTRACE_ABI_H
#define IOTRACE_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define IOTRACE_ABI_MAGIC   0x494f5452 /* "IOTR" */
#define IOTRACE_ABI_VERSION 1

#define IOTRACE_DOMAIN_SIZE   96
#define IOTRACE_RESOURCE_SIZE 320
#define IOTRACE_OP_SIZE	      32

/* The event that a record becomes. */
enum iotrace_kind {
	IOTRACE_CALL_START = 1,	 /* the call begins */
	IOTRACE_CALL_END = 2,	 /* the call itself has returned */
	IOTRACE_CALL_DONE = 3,	 /* its completion: the ast */
	IOTRACE_CALL_NOTIFY = 4, /* somebody else waits for the thing that it obtained: the bast */
};

/* The same layout for 32 and 64 bit programs; no holes. */
struct iotrace_record {
	__u32 magic;	   /* IOTRACE_ABI_MAGIC */
	__u16 version;	   /* IOTRACE_ABI_VERSION */
	__u16 size;	   /* of this struct */
	__u16 kind;	   /* enum iotrace_kind */
	__u16 reserved16;  /* 0 */
	__s32 mode;	   /* asked for, held, or wanted by the other; -1: none */
	__s32 status;	   /* result; 0 is success */
	__u32 flags;	   /* of the protocol */
	__u64 id;	   /* of the call: any number, or one from IOTRACE_IOC_IDS */
	__u64 object;	   /* shared by several calls, such as a lock; 0: standalone call */
	__u64 reserved[3]; /* 0 */
	/* Any bytes up to a 0; the rest is ignored. */
	char domain[IOTRACE_DOMAIN_SIZE];     /* protocol or lockspace */
	char resource[IOTRACE_RESOURCE_SIZE]; /* subject of the call */
	char op[IOTRACE_OP_SIZE];	      /* operation: lock, read ... */
};

/* The page that can be mapped; its rest is 0. */
struct iotrace_page {
	__u32 magic;	   /* IOTRACE_ABI_MAGIC */
	__u16 version;	   /* IOTRACE_ABI_VERSION */
	__u16 record_size; /* sizeof(struct iotrace_record) */
	__u32 recording;   /* bit 1 << kind: somebody records that event; changes at any time */
};

/*
 * Unique ids. On one node they come from one counter. Nodes hardly share ids, because each counter
 * begins at random. Bit 62 is set and bit 63 is clear; ids of file I/O are smaller.
 */
#define IOTRACE_ID_CALL (1ULL << 62)

#define IOTRACE_IDS_MAX 65536

struct iotrace_ids {
	__u64 first;	/* out: first, first + 1 ... first + count - 1 are the caller's */
	__u32 count;	/* in: number, 1 to IOTRACE_IDS_MAX, else EINVAL */
	__u32 reserved; /* 0, else EINVAL */
};

#define IOTRACE_IOC_IDS _IOWR(0xD7, 1, struct iotrace_ids)

#endif /* IOTRACE_ABI_H */
