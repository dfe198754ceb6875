/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The system calls that the events of iotrace.h distinguish. Recordings contain the numbers: add
 * new numbers at the end of a group, never change one.
 */
#ifndef IOTRACE_OPS_H
#define IOTRACE_OPS_H

/* on open files and their mappings: DECLARE_EVENT_CLASS(iotrace_file_start) */
#define IOTRACE_FILE_OPS(X)                                                                        \
	/* read, write */                                                                          \
	X(READ, 1, "read") X(PREAD64, 2, "pread64") X(READV, 3, "readv") X(PREADV, 4, "preadv")    \
	X(PREADV2, 5, "preadv2") X(WRITE, 6, "write") X(PWRITE64, 7, "pwrite64")                   \
	X(WRITEV, 8, "writev") X(PWRITEV, 9, "pwritev") X(PWRITEV2, 10, "pwritev2")                \
	X(SENDFILE, 11, "sendfile") X(SPLICE, 12, "splice")                                        \
	X(COPY_FILE_RANGE, 13, "copy_file_range")                                                  \
	/* sync, truncate, mmap, close */                                                          \
	X(FSYNC, 20, "fsync") X(FDATASYNC, 21, "fdatasync") X(SYNC_FILE_RANGE, 22, "sync_file_range") \
	X(SYNCFS, 23, "syncfs") X(SYNC, 24, "sync") X(MSYNC, 25, "msync")                          \
	X(FTRUNCATE, 26, "ftruncate") X(FALLOCATE, 27, "fallocate") X(MMAP, 28, "mmap")            \
	X(CLOSE, 29, "close") X(CLOSE_RANGE, 30, "close_range")                                    \
	/* locks */                                                                                \
	X(GETLK, 31, "fcntl getlk") X(SETLK, 32, "fcntl setlk") X(SETLKW, 33, "fcntl setlkw")      \
	X(OFD_GETLK, 34, "fcntl ofd_getlk") X(OFD_SETLK, 35, "fcntl ofd_setlk")                    \
	X(OFD_SETLKW, 36, "fcntl ofd_setlkw") X(FLOCK, 37, "flock")                                \
	/* asynchronous */                                                                         \
	X(URING_READ, 120, "io_uring read") X(URING_WRITE, 121, "io_uring write")                  \
	X(URING_FSYNC, 122, "io_uring fsync") X(URING_OTHER, 123, "io_uring other")     \
	X(AIO_READ, 124, "io_submit read") X(AIO_WRITE, 125, "io_submit write")                    \
	X(AIO_FSYNC, 126, "io_submit fsync")

/* by path, or on metadata of a file: DECLARE_EVENT_CLASS(iotrace_path_start) */
#define IOTRACE_PATH_OPS(X)                                                                        \
	/* open */                                                                                 \
	X(OPEN, 40, "open") X(OPENAT, 41, "openat") X(OPENAT2, 42, "openat2") X(CREAT, 43, "creat") \
	X(OPEN_BY_HANDLE_AT, 44, "open_by_handle_at")                                              \
	/* metadata */                                                                             \
	X(STAT, 50, "stat") X(LSTAT, 51, "lstat") X(FSTAT, 52, "fstat")                            \
	X(NEWFSTATAT, 53, "newfstatat") X(STATX, 54, "statx") X(ACCESS, 55, "access")              \
	X(FACCESSAT, 56, "faccessat") X(FACCESSAT2, 57, "faccessat2") X(STATFS, 58, "statfs")      \
	X(FSTATFS, 59, "fstatfs") X(GETDENTS, 60, "getdents") X(GETDENTS64, 61, "getdents64")      \
	X(READLINK, 62, "readlink") X(READLINKAT, 63, "readlinkat") X(TRUNCATE, 64, "truncate")    \
	X(RENAME, 65, "rename") X(RENAMEAT, 66, "renameat") X(RENAMEAT2, 67, "renameat2")          \
	X(UNLINK, 68, "unlink") X(UNLINKAT, 69, "unlinkat") X(MKDIR, 70, "mkdir")                  \
	X(MKDIRAT, 71, "mkdirat") X(RMDIR, 72, "rmdir") X(MKNOD, 73, "mknod")                      \
	X(MKNODAT, 74, "mknodat") X(LINK, 75, "link") X(LINKAT, 76, "linkat")                      \
	X(SYMLINK, 77, "symlink") X(SYMLINKAT, 78, "symlinkat") X(CHMOD, 79, "chmod")              \
	X(FCHMOD, 80, "fchmod") X(FCHMODAT, 81, "fchmodat") X(CHOWN, 82, "chown")                  \
	X(FCHOWN, 83, "fchown") X(LCHOWN, 84, "lchown") X(FCHOWNAT, 85, "fchownat")                \
	X(UTIME, 86, "utime") X(UTIMES, 87, "utimes") X(FUTIMESAT, 88, "futimesat")                \
	X(UTIMENSAT, 89, "utimensat") X(GETXATTR, 90, "getxattr") X(LGETXATTR, 91, "lgetxattr")    \
	X(FGETXATTR, 92, "fgetxattr") X(SETXATTR, 93, "setxattr") X(LSETXATTR, 94, "lsetxattr")    \
	X(FSETXATTR, 95, "fsetxattr") X(LISTXATTR, 96, "listxattr") X(LLISTXATTR, 97, "llistxattr") \
	X(FLISTXATTR, 98, "flistxattr") X(REMOVEXATTR, 99, "removexattr")                          \
	X(LREMOVEXATTR, 100, "lremovexattr") X(FREMOVEXATTR, 101, "fremovexattr")                  \
	X(FCHMODAT2, 102, "fchmodat2") X(CHDIR, 103, "chdir") X(FCHDIR, 104, "fchdir")             \
	X(CHROOT, 105, "chroot") X(NAME_TO_HANDLE_AT, 106, "name_to_handle_at")                    \
	X(SETXATTRAT, 107, "setxattrat") X(GETXATTRAT, 108, "getxattrat")                          \
	X(LISTXATTRAT, 109, "listxattrat") X(REMOVEXATTRAT, 110, "removexattrat")

#define IOTRACE_OPS(X) IOTRACE_FILE_OPS(X) IOTRACE_PATH_OPS(X)

#define IOTRACE_OP_ENUM(name, number, text) IOTRACE_OP_##name = (number),
enum iotrace_op { IOTRACE_OPS(IOTRACE_OP_ENUM) IOTRACE_OP_LIMIT = 128 };
#undef IOTRACE_OP_ENUM

#endif /* IOTRACE_OPS_H */
