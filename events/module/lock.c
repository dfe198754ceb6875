// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include "lock.h"
#include "stats.h"

/* The operation of a command of fcntl(); 0: no lock command. */
static u16 fcntl_op(unsigned int command)
{
	switch (command) {
	case F_GETLK: return IOTRACE_OP_GETLK;
	case F_SETLK: return IOTRACE_OP_SETLK;
	case F_SETLKW: return IOTRACE_OP_SETLKW;
	case F_OFD_GETLK: return IOTRACE_OP_OFD_GETLK;
	case F_OFD_SETLK: return IOTRACE_OP_OFD_SETLK;
	case F_OFD_SETLKW: return IOTRACE_OP_OFD_SETLKW;
	}
	return 0;
}

bool iotrace_lock_wanted(u16 op, const unsigned long *args)
{
	return op == IOTRACE_OP_FLOCK || fcntl_op(args[1]);
}

static void read_flock(struct iotrace_lock_args *a, unsigned int operation)
{
	a->wait = !(operation & LOCK_NB);
	a->start = 0;
	a->len = 0;
	a->whence = SEEK_SET;
	switch (operation & ~LOCK_NB) {
	case LOCK_SH: a->type = F_RDLCK; break;
	case LOCK_EX: a->type = F_WRLCK; break;
	case LOCK_UN: a->type = F_UNLCK; break;
	default: a->type = IOTRACE_LOCK_UNKNOWN;
	}
}

/* Converts a range relative to the file's position, or of negative length, to start and length, as the kernel does. */
static void set_range(struct iotrace_lock_args *a, const struct flock *lock, s64 pos)
{
	u64 start = lock->l_start, len = lock->l_len;

	a->whence = lock->l_whence;
	if (a->whence == SEEK_CUR) {
		start += pos;
		a->whence = SEEK_SET;
	}
	if ((s64)len < 0) {
		start += len;
		len = -len;
	}
	a->start = start;
	a->len = len;
}

static void read_fcntl(struct iotrace_lock_args *a, const unsigned long *args, s64 pos)
{
	struct flock lock;

	a->op = fcntl_op(args[1]);
	a->wait = a->op == IOTRACE_OP_SETLKW || a->op == IOTRACE_OP_OFD_SETLKW;
	if (copy_from_user_nofault(&lock, (const void __user *)args[2], sizeof(lock))) {
		iotrace_count(unreadable);
		lock = (struct flock){ .l_type = IOTRACE_LOCK_UNKNOWN, .l_start = -1 };
	}
	a->type = lock.l_type;
	set_range(a, &lock, pos);
}

void iotrace_lock_read(struct iotrace_lock_args *a, u16 op, const unsigned long *args,
		       const struct iotrace_file *file)
{
	*a = (struct iotrace_lock_args){
		.tgid = current->tgid,
		.fd = args[0],
		.op = op,
		.ino = file->ino,
		.dev = file->dev,
		.kind = file->kind,
	};
	if (op == IOTRACE_OP_FLOCK)
		read_flock(a, args[1]);
	else
		read_fcntl(a, args, file->pos);
	if (a->type == F_UNLCK)
		a->wait = 0;
}
