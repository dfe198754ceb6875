/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/file-events.h"
#include "input/strace/strace-table.h"

/* One row a line, sorted by name. */
/* clang-format off */
static const struct iot_strace_row calls[] = {
	{ "access", 55, IOT_FILE_META_START, .path = 1 },
	{ "chdir", 103, IOT_FILE_META_START, .path = 1 },
	{ "chmod", 79, IOT_FILE_META_START, .path = 1 },
	{ "chown", 82, IOT_FILE_META_START, .path = 1 },
	{ "chroot", 105, IOT_FILE_META_START, .path = 1 },
	{ "close", 29, IOT_FILE_CLOSE_START, .fd = 1 },
	{ "close_range", 30, IOT_FILE_CLOSE_START, .fd = 0 },
	{ "copy_file_range", 13, IOT_FILE_READ_START, .fd = 1, .fd2 = 3, .len = 5, .pos = 2,
	  .pos2 = 4 },
	{ "creat", 43, IOT_FILE_OPEN_START, .path = 1, .mode = 2 },
	{ "faccessat", 56, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "faccessat2", 57, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "fallocate", 27, IOT_FILE_TRUNCATE_START, .fd = 1, .len = 4, .pos = 3 },
	{ "fchdir", 104, IOT_FILE_META_START, .fd = 1 },
	{ "fchmod", 80, IOT_FILE_META_START, .fd = 1 },
	{ "fchmodat", 81, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "fchmodat2", 102, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "fchown", 83, IOT_FILE_META_START, .fd = 1 },
	{ "fchownat", 85, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "fcntl", 32, IOT_FILE_LOCK_START, .fd = 1 },
	{ "fcntl64", 32, IOT_FILE_LOCK_START, .fd = 1 },
	{ "fdatasync", 21, IOT_FILE_SYNC_START, .fd = 1 },
	{ "fgetxattr", 92, IOT_FILE_META_START, .fd = 1, .path2 = 2, .arg = 4 },
	{ "flistxattr", 98, IOT_FILE_META_START, .fd = 1, .arg = 3 },
	{ "flock", 37, IOT_FILE_LOCK_START, .fd = 1 },
	{ "fremovexattr", 101, IOT_FILE_META_START, .fd = 1, .path2 = 2 },
	{ "fsetxattr", 95, IOT_FILE_META_START, .fd = 1, .path2 = 2, .arg = 4 },
	{ "fstat", 52, IOT_FILE_META_START, .fd = 1 },
	{ "fstat64", 52, IOT_FILE_META_START, .fd = 1 },
	{ "fstatat64", 53, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "fstatfs", 59, IOT_FILE_META_START, .fd = 1 },
	{ "fsync", 20, IOT_FILE_SYNC_START, .fd = 1 },
	{ "ftruncate", 26, IOT_FILE_TRUNCATE_START, .fd = 1, .len = 2 },
	{ "ftruncate64", 26, IOT_FILE_TRUNCATE_START, .fd = 1, .len = 2 },
	{ "futimesat", 88, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "getdents", 60, IOT_FILE_META_START, .fd = 1, .arg = 3 },
	{ "getdents64", 61, IOT_FILE_META_START, .fd = 1, .arg = 3 },
	{ "getxattr", 90, IOT_FILE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "getxattrat", 108, IOT_FILE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "lchown", 84, IOT_FILE_META_START, .path = 1 },
	{ "lgetxattr", 91, IOT_FILE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "link", 75, IOT_FILE_META_START, .path = 1, .path2 = 2 },
	{ "linkat", 76, IOT_FILE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "listxattr", 96, IOT_FILE_META_START, .path = 1, .arg = 3 },
	{ "listxattrat", 109, IOT_FILE_META_START, .fd = 1, .path = 2, .arg = 5 },
	{ "llistxattr", 97, IOT_FILE_META_START, .path = 1, .arg = 3 },
	{ "lremovexattr", 100, IOT_FILE_META_START, .path = 1, .path2 = 2 },
	{ "lsetxattr", 94, IOT_FILE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "lstat", 51, IOT_FILE_META_START, .path = 1 },
	{ "lstat64", 51, IOT_FILE_META_START, .path = 1 },
	{ "mkdir", 70, IOT_FILE_META_START, .path = 1 },
	{ "mkdirat", 71, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "mknod", 73, IOT_FILE_META_START, .path = 1, .arg = 3 },
	{ "mknodat", 74, IOT_FILE_META_START, .fd = 1, .path = 2, .arg = 4 },
	{ "mmap", 28, IOT_FILE_MMAP_START, .fd = 5, .len = 2, .pos = 6 },
	{ "mmap2", 28, IOT_FILE_MMAP_START, .fd = 5, .len = 2, .pos = 6 },
	{ "msync", 25, IOT_FILE_SYNC_START, .len = 2 },
	{ "name_to_handle_at", 106, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "newfstatat", 53, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "open", 40, IOT_FILE_OPEN_START, .path = 1, .flags = 2, .mode = 3 },
	{ "open_by_handle_at", 44, IOT_FILE_OPEN_START, .fd = 1, .flags = 3 },
	{ "openat", 41, IOT_FILE_OPEN_START, .fd = 1, .path = 2, .flags = 3, .mode = 4 },
	{ "openat2", 42, IOT_FILE_OPEN_START, .fd = 1, .path = 2, .how = 3 },
	{ "pread64", 2, IOT_FILE_READ_START, .fd = 1, .len = 3, .pos = 4 },
	{ "preadv", 4, IOT_FILE_READ_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "preadv2", 5, IOT_FILE_READ_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "pwrite64", 7, IOT_FILE_WRITE_START, .fd = 1, .len = 3, .pos = 4 },
	{ "pwritev", 9, IOT_FILE_WRITE_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "pwritev2", 10, IOT_FILE_WRITE_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "read", 1, IOT_FILE_READ_START, .fd = 1, .len = 3 },
	{ "readlink", 62, IOT_FILE_META_START, .path = 1, .arg = 3 },
	{ "readlinkat", 63, IOT_FILE_META_START, .fd = 1, .path = 2, .arg = 4 },
	{ "readv", 3, IOT_FILE_READ_START, .fd = 1, .iov = 2 },
	{ "removexattr", 99, IOT_FILE_META_START, .path = 1, .path2 = 2 },
	{ "removexattrat", 110, IOT_FILE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "rename", 65, IOT_FILE_META_START, .path = 1, .path2 = 2 },
	{ "renameat", 66, IOT_FILE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "renameat2", 67, IOT_FILE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "rmdir", 72, IOT_FILE_META_START, .path = 1 },
	{ "sendfile", 11, IOT_FILE_READ_START, .fd = 2, .fd2 = 1, .len = 4, .pos = 3 },
	{ "sendfile64", 11, IOT_FILE_READ_START, .fd = 2, .fd2 = 1, .len = 4, .pos = 3 },
	{ "setxattr", 93, IOT_FILE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "setxattrat", 107, IOT_FILE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "splice", 12, IOT_FILE_READ_START, .fd = 1, .fd2 = 3, .len = 5, .pos = 2, .pos2 = 4 },
	{ "stat", 50, IOT_FILE_META_START, .path = 1 },
	{ "stat64", 50, IOT_FILE_META_START, .path = 1 },
	{ "statfs", 58, IOT_FILE_META_START, .path = 1 },
	{ "statx", 54, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "symlink", 77, IOT_FILE_META_START, .path = 1, .path2 = 2 },
	{ "symlinkat", 78, IOT_FILE_META_START, .fd = 2, .path = 1, .path2 = 3 },
	{ "sync", 24, IOT_FILE_SYNC_START, .fd = 0 },
	{ "sync_file_range", 22, IOT_FILE_SYNC_START, .fd = 1, .len = 3, .pos = 2 },
	{ "syncfs", 23, IOT_FILE_SYNC_START, .fd = 1 },
	{ "truncate", 64, IOT_FILE_META_START, .path = 1, .arg = 2 },
	{ "truncate64", 64, IOT_FILE_META_START, .path = 1, .arg = 2 },
	{ "unlink", 68, IOT_FILE_META_START, .path = 1 },
	{ "unlinkat", 69, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "utime", 86, IOT_FILE_META_START, .path = 1 },
	{ "utimensat", 89, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "utimensat_time64", 89, IOT_FILE_META_START, .fd = 1, .path = 2 },
	{ "utimes", 87, IOT_FILE_META_START, .path = 1 },
	{ "write", 6, IOT_FILE_WRITE_START, .fd = 1, .len = 3 },
	{ "writev", 8, IOT_FILE_WRITE_START, .fd = 1, .iov = 2 },
};
/* clang-format on */

gboolean iot_strace_table_is_sorted(void)
{
	for (guint i = 1; i < G_N_ELEMENTS(calls); i++)
		if (strcmp(calls[i - 1].name, calls[i].name) >= 0)
			return FALSE;
	return TRUE;
}

const struct iot_strace_row *iot_strace_find_row(struct iot_strace_text name)
{
	guint low = 0, high = G_N_ELEMENTS(calls);

	while (low < high) {
		guint middle = (low + high) / 2;
		const char *other = calls[middle].name;
		int order = strncmp(name.text, other, name.len);

		if (!order && !other[name.len])
			return &calls[middle];
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
