/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What programs and the device /dev/iotrace say to each other. Programs use libiotrace instead.
 *
 * write(2) takes any number of whole records. Each is checked field by field, and becomes one event
 * call_start, call_end, call_done or call_notify of the process that writes. The first bad record
 * ends the write: the result is the number of bytes of the good ones before it, or, if there are
 * none,
 *
 *   EMSGSIZE         fewer bytes than a record, or the record names another size
 *   EINVAL           wrong magic, unknown kind, a reserved field that is not 0, a text without end
 *   EPROTONOSUPPORT  another version
 *   EFAULT           memory that cannot be read
 *
 * A write may also stop early, behind a whole record, when a signal is pending.
 *
 * mmap(2), one page, read-only, tells who is interested: see struct iotrace_page. It keeps the
 * module in use, as an open descriptor does.
 *
 * ioctl(2) IOTRACE_IOC_IDS hands out ids.
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
	IOTRACE_CALL_DONE = 3,	 /* what it asked for has happened: the completion, or ast */
	IOTRACE_CALL_NOTIFY = 4, /* somebody else waits for what it got: the bast */
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
	__u64 object;	   /* what several calls work on, as a lock; 0: the call stands alone */
	__u64 reserved[3]; /* 0 */
	/* Any bytes that end with a 0; what stands behind it does not count. */
	char domain[IOTRACE_DOMAIN_SIZE];     /* protocol or lockspace */
	char resource[IOTRACE_RESOURCE_SIZE]; /* what the call is about */
	char op[IOTRACE_OP_SIZE];	      /* what it does: lock, read ... */
};

/* The page that can be mapped; the rest of it is 0. */
struct iotrace_page {
	__u32 magic;	   /* IOTRACE_ABI_MAGIC */
	__u16 version;	   /* IOTRACE_ABI_VERSION */
	__u16 record_size; /* sizeof(struct iotrace_record) */
	__u32 recording;   /* bit 1 << kind: somebody records that event; changes at any time */
};

/*
 * Ids that nobody else gets: not on this node, as they come from one counter, and hardly on
 * another, as the counter begins at random. Bit 62 is set in them and bit 63 is not; ids of file
 * I/O are smaller.
 */
#define IOTRACE_ID_CALL (1ULL << 62)

#define IOTRACE_IDS_MAX 65536

struct iotrace_ids {
	__u64 first;	/* out: first, first + 1 ... first + count - 1 are the caller's */
	__u32 count;	/* in: how many, 1 to IOTRACE_IDS_MAX, else EINVAL */
	__u32 reserved; /* 0, else EINVAL */
};

#define IOTRACE_IOC_IDS _IOWR(0xD7, 1, struct iotrace_ids)

#endif /* IOTRACE_ABI_H */
