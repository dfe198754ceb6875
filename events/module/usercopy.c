// SPDX-License-Identifier: GPL-2.0-only
#include <linux/minmax.h>
#include <linux/openat2.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include "event-args.h"
#include "stats.h"
#include "usercopy.h"

/* Paths are short: they are read in pieces of this size; no piece crosses a page. */
#define PIECE 128UL

bool iotrace_copy_path(char *dst, unsigned long user)
{
	unsigned long done = 0;

	*dst = '\0';
	if (!user)
		return true;
	while (done < IOTRACE_PATH_MAX) {
		unsigned long from = user + done;
		unsigned long n = min(IOTRACE_PATH_MAX - done, PIECE - (from & (PIECE - 1)));

		if (copy_from_user_nofault(dst + done, (const void __user *)from, n)) {
			*dst = '\0';
			return false;
		}
		if (memchr(dst + done, '\0', n))
			return true;
		done += n;
	}
	dst[IOTRACE_PATH_MAX - 1] = '\0';
	iotrace_count(cut_path);
	return true;
}

s64 iotrace_sum_iovec(unsigned long user, unsigned long count)
{
	struct iovec piece[8];
	s64 sum = 0;
	int i, n;

	for (count = min_t(unsigned long, count, UIO_MAXIOV); count; count -= n) {
		n = min_t(unsigned long, count, ARRAY_SIZE(piece));
		if (copy_from_user_nofault(piece, (const void __user *)user, n * sizeof(*piece))) {
			iotrace_count(unreadable);
			return -1;
		}
		for (i = 0; i < n; i++)
			sum += piece[i].iov_len;
		user += n * sizeof(*piece);
	}
	return sum;
}

s64 iotrace_copy_position(unsigned long user)
{
	loff_t pos;

	if (copy_from_user_nofault(&pos, (const void __user *)user, sizeof(pos))) {
		iotrace_count(unreadable);
		return -1;
	}
	return pos;
}

void iotrace_copy_how(unsigned long user, u32 *flags, u32 *mode)
{
	struct open_how how = {};

	if (copy_from_user_nofault(&how, (const void __user *)user, OPEN_HOW_SIZE_VER0)) {
		iotrace_count(unreadable);
		how = (struct open_how){};
	}
	*flags = how.flags;
	*mode = how.mode;
}
