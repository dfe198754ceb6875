// SPDX-License-Identifier: GPL-2.0-only
#include <linux/aio_abi.h>
#include <linux/uaccess.h>
#include "event-args.h"
#include "stats.h"
#include "submit.h"
#include "usercopy.h"

static bool copy_iocb(unsigned long list, u32 i, struct iocb *out)
{
	const void __user *at = (const void __user *)(list + i * sizeof(unsigned long));
	unsigned long iocb;

	if (!copy_from_user_nofault(&iocb, at, sizeof(iocb)) &&
	    !copy_from_user_nofault(out, (const void __user *)iocb, sizeof(*out)))
		return true;
	iotrace_count(unreadable);
	return false;
}

static void take_vector(struct iotrace_file_args *a, const struct iocb *iocb)
{
	a->segs = iocb->aio_nbytes;
	a->len = iotrace_sum_iovec(iocb->aio_buf, a->segs);
}

bool iotrace_submit_read(unsigned long list, u32 i, struct iotrace_file_args *a)
{
	struct iocb iocb;

	if (!copy_iocb(list, i, &iocb))
		return false;
	a->fd = iocb.aio_fildes;
	a->pos = iocb.aio_offset;
	a->len = iocb.aio_nbytes;
	a->segs = 1;
	a->flags = (__force u32)iocb.aio_rw_flags;
	switch (iocb.aio_lio_opcode) {
	case IOCB_CMD_PREADV:
		take_vector(a, &iocb);
		fallthrough;
	case IOCB_CMD_PREAD:
		a->op = IOTRACE_OP_AIO_READ;
		return true;
	case IOCB_CMD_PWRITEV:
		take_vector(a, &iocb);
		fallthrough;
	case IOCB_CMD_PWRITE:
		a->op = IOTRACE_OP_AIO_WRITE;
		return true;
	case IOCB_CMD_FSYNC:
	case IOCB_CMD_FDSYNC:
		a->op = IOTRACE_OP_AIO_FSYNC;
		a->pos = -1;
		a->len = 0;
		return true;
	}
	return false;
}
