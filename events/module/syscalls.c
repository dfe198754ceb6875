// SPDX-License-Identifier: GPL-2.0-only
/* The recorded system calls, one row each. */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <asm/unistd.h>
#include "iotrace-ops.h"
#include "syscalls.h"

#define ROW(pair_, op_, ...) { .op = IOTRACE_OP_##op_, .pair = IOTRACE_##pair_, __VA_ARGS__ }
#define AT(where) .at = IOTRACE_AT_##where

static const struct iotrace_call calls[] = {
	[__NR_read] = ROW(READ, READ, AT(FILE), .fd = 1, .len = 3),
	[__NR_pread64] = ROW(READ, PREAD64, AT(ARG), .fd = 1, .len = 3, .pos = 4),
	[__NR_readv] = ROW(READ, READV, AT(FILE), .fd = 1, .iov = 2),
	[__NR_preadv] = ROW(READ, PREADV, AT(ARG), .fd = 1, .iov = 2, .pos = 4),
	[__NR_preadv2] = ROW(READ, PREADV2, AT(ARG_OR_FILE), .fd = 1, .iov = 2, .pos = 4, .flags = 6),
	[__NR_write] = ROW(WRITE, WRITE, AT(FILE), .fd = 1, .len = 3),
	[__NR_pwrite64] = ROW(WRITE, PWRITE64, AT(ARG), .fd = 1, .len = 3, .pos = 4),
	[__NR_writev] = ROW(WRITE, WRITEV, AT(FILE), .fd = 1, .iov = 2),
	[__NR_pwritev] = ROW(WRITE, PWRITEV, AT(ARG), .fd = 1, .iov = 2, .pos = 4),
	[__NR_pwritev2] = ROW(WRITE, PWRITEV2, AT(ARG_OR_FILE), .fd = 1, .iov = 2, .pos = 4, .flags = 6),
	[__NR_sendfile] = ROW(READ, SENDFILE, AT(POINTER), .fd = 2, .pos = 3, .fd2 = 1, .len = 4),
	[__NR_splice] = ROW(READ, SPLICE, AT(POINTER), .fd = 1, .pos = 2, .fd2 = 3, .pos2 = 4, .len = 5,
			    .flags = 6),
	[__NR_copy_file_range] = ROW(READ, COPY_FILE_RANGE, AT(POINTER), .fd = 1, .pos = 2, .fd2 = 3,
				     .pos2 = 4, .len = 5, .flags = 6),

	[__NR_fsync] = ROW(SYNC, FSYNC, .fd = 1),
	[__NR_fdatasync] = ROW(SYNC, FDATASYNC, .fd = 1),
	[__NR_sync_file_range] = ROW(SYNC, SYNC_FILE_RANGE, AT(ARG), .fd = 1, .pos = 2, .len = 3, .flags = 4),
	[__NR_syncfs] = ROW(SYNC, SYNCFS, .fd = 1),
	[__NR_sync] = ROW(SYNC, SYNC),
	[__NR_msync] = ROW(SYNC, MSYNC, .len = 2, .flags = 3),
	[__NR_ftruncate] = ROW(TRUNCATE, FTRUNCATE, .fd = 1, .len = 2),
	[__NR_fallocate] = ROW(TRUNCATE, FALLOCATE, AT(ARG), .fd = 1, .flags = 2, .pos = 3, .len = 4),
	[__NR_mmap] = ROW(MMAP, MMAP, AT(ARG), .fd = 5, .pos = 6, .len = 2, .flags = 4, .mode = 3),
	[__NR_close] = ROW(CLOSE, CLOSE, .fd = 1),
	[__NR_close_range] = ROW(CLOSE, CLOSE_RANGE, .flags = 3),

	[__NR_io_submit] = ROW(SUBMIT, AIO_READ),	/* or as in its requests: submit.c */
	[__NR_fcntl] = ROW(LOCK, SETLK, .fd = 1), /* or another, depending on the command */
	[__NR_flock] = ROW(LOCK, FLOCK, .fd = 1),

	[__NR_openat] = ROW(OPEN, OPENAT, .fd = 1, .path = 2, .flags = 3, .mode = 4),
	[__NR_openat2] = ROW(OPEN, OPENAT2, .fd = 1, .path = 2),
	[__NR_open_by_handle_at] = ROW(OPEN, OPEN_BY_HANDLE_AT, .fd = 1, .flags = 3),

	[__NR_fstat] = ROW(META, FSTAT, .fd = 1),
	[__NR_newfstatat] = ROW(META, NEWFSTATAT, .fd = 1, .path = 2, .flags = 4),
	[__NR_statx] = ROW(META, STATX, .fd = 1, .path = 2, .flags = 3),
	[__NR_faccessat] = ROW(META, FACCESSAT, .fd = 1, .path = 2, .mode = 3),
	[__NR_faccessat2] = ROW(META, FACCESSAT2, .fd = 1, .path = 2, .mode = 3, .flags = 4),
	[__NR_statfs] = ROW(META, STATFS, .path = 1),
	[__NR_fstatfs] = ROW(META, FSTATFS, .fd = 1),
	[__NR_getdents64] = ROW(META, GETDENTS64, .fd = 1, .arg = 3),
	[__NR_readlinkat] = ROW(META, READLINKAT, .fd = 1, .path = 2, .arg = 4),
	[__NR_truncate] = ROW(META, TRUNCATE, .path = 1, .arg = 2),
	[__NR_renameat2] = ROW(META, RENAMEAT2, .fd = 1, .path = 2, .path2 = 4, .flags = 5),
	[__NR_unlinkat] = ROW(META, UNLINKAT, .fd = 1, .path = 2, .flags = 3),
	[__NR_mkdirat] = ROW(META, MKDIRAT, .fd = 1, .path = 2, .mode = 3),
	[__NR_mknodat] = ROW(META, MKNODAT, .fd = 1, .path = 2, .mode = 3, .arg = 4),
	[__NR_linkat] = ROW(META, LINKAT, .fd = 1, .path = 2, .path2 = 4, .flags = 5),
	[__NR_symlinkat] = ROW(META, SYMLINKAT, .path = 1, .fd = 2, .path2 = 3),
	[__NR_fchmod] = ROW(META, FCHMOD, .fd = 1, .mode = 2),
	[__NR_fchmodat] = ROW(META, FCHMODAT, .fd = 1, .path = 2, .mode = 3),
	[__NR_fchown] = ROW(META, FCHOWN, .fd = 1),
	[__NR_fchownat] = ROW(META, FCHOWNAT, .fd = 1, .path = 2, .flags = 5),
	[__NR_utimensat] = ROW(META, UTIMENSAT, .fd = 1, .path = 2, .flags = 4),
	[__NR_getxattr] = ROW(META, GETXATTR, .path = 1, .path2 = 2, .arg = 4),
	[__NR_lgetxattr] = ROW(META, LGETXATTR, .path = 1, .path2 = 2, .arg = 4),
	[__NR_fgetxattr] = ROW(META, FGETXATTR, .fd = 1, .path2 = 2, .arg = 4),
	[__NR_setxattr] = ROW(META, SETXATTR, .path = 1, .path2 = 2, .arg = 4, .flags = 5),
	[__NR_lsetxattr] = ROW(META, LSETXATTR, .path = 1, .path2 = 2, .arg = 4, .flags = 5),
	[__NR_fsetxattr] = ROW(META, FSETXATTR, .fd = 1, .path2 = 2, .arg = 4, .flags = 5),
	[__NR_listxattr] = ROW(META, LISTXATTR, .path = 1, .arg = 3),
	[__NR_llistxattr] = ROW(META, LLISTXATTR, .path = 1, .arg = 3),
	[__NR_flistxattr] = ROW(META, FLISTXATTR, .fd = 1, .arg = 3),
	[__NR_removexattr] = ROW(META, REMOVEXATTR, .path = 1, .path2 = 2),
	[__NR_lremovexattr] = ROW(META, LREMOVEXATTR, .path = 1, .path2 = 2),
	[__NR_fremovexattr] = ROW(META, FREMOVEXATTR, .fd = 1, .path2 = 2),
	[__NR_chdir] = ROW(META, CHDIR, .path = 1),
	[__NR_fchdir] = ROW(META, FCHDIR, .fd = 1),
	[__NR_chroot] = ROW(META, CHROOT, .path = 1),
	[__NR_name_to_handle_at] = ROW(META, NAME_TO_HANDLE_AT, .fd = 1, .path = 2, .flags = 5),
#ifdef __NR_setxattrat /* from 6.13 on */
	[__NR_setxattrat] = ROW(META, SETXATTRAT, .fd = 1, .path = 2, .flags = 3, .path2 = 4),
	[__NR_getxattrat] = ROW(META, GETXATTRAT, .fd = 1, .path = 2, .flags = 3, .path2 = 4),
	[__NR_listxattrat] = ROW(META, LISTXATTRAT, .fd = 1, .path = 2, .flags = 3, .arg = 5),
	[__NR_removexattrat] = ROW(META, REMOVEXATTRAT, .fd = 1, .path = 2, .flags = 3, .path2 = 4),
#endif
#ifdef __NR_fchmodat2
	[__NR_fchmodat2] = ROW(META, FCHMODAT2, .fd = 1, .path = 2, .mode = 3, .flags = 4),
#endif
#ifdef __NR_renameat
	[__NR_renameat] = ROW(META, RENAMEAT, .fd = 1, .path = 2, .path2 = 4),
#endif
#ifdef __NR_open /* absent on newer architectures */
	[__NR_open] = ROW(OPEN, OPEN, .path = 1, .flags = 2, .mode = 3),
	[__NR_creat] = ROW(OPEN, CREAT, .path = 1, .mode = 2),
	[__NR_stat] = ROW(META, STAT, .path = 1),
	[__NR_lstat] = ROW(META, LSTAT, .path = 1),
	[__NR_access] = ROW(META, ACCESS, .path = 1, .mode = 2),
	[__NR_getdents] = ROW(META, GETDENTS, .fd = 1, .arg = 3),
	[__NR_readlink] = ROW(META, READLINK, .path = 1, .arg = 3),
	[__NR_rename] = ROW(META, RENAME, .path = 1, .path2 = 2),
	[__NR_unlink] = ROW(META, UNLINK, .path = 1),
	[__NR_mkdir] = ROW(META, MKDIR, .path = 1, .mode = 2),
	[__NR_rmdir] = ROW(META, RMDIR, .path = 1),
	[__NR_mknod] = ROW(META, MKNOD, .path = 1, .mode = 2, .arg = 3),
	[__NR_link] = ROW(META, LINK, .path = 1, .path2 = 2),
	[__NR_symlink] = ROW(META, SYMLINK, .path = 1, .path2 = 2),
	[__NR_chmod] = ROW(META, CHMOD, .path = 1, .mode = 2),
	[__NR_chown] = ROW(META, CHOWN, .path = 1),
	[__NR_lchown] = ROW(META, LCHOWN, .path = 1),
	[__NR_utime] = ROW(META, UTIME, .path = 1),
	[__NR_utimes] = ROW(META, UTIMES, .path = 1),
	[__NR_futimesat] = ROW(META, FUTIMESAT, .fd = 1, .path = 2),
#endif
};

const struct iotrace_call *iotrace_find_call(long nr)
{
	if (nr < 0 || nr >= ARRAY_SIZE(calls))
		return NULL;
	nr = array_index_nospec(nr, ARRAY_SIZE(calls));
	return calls[nr].pair ? &calls[nr] : NULL;
}
