/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions that the library replaces: the one table of which the wrappers, the archive for
 * the linker's --wrap and its options are made. Without a guard: each user defines
 *
 *   CALL(type, name, parameters, arguments, how it begins...)  a call on files
 *   OPEN(...)		 the same of one that opens a file
 *   OTHER(type, name, parameters)	 its wrapper is written by hand
 *   OLD(...)		 as CALL; only programs built with an old C library call it
 *
 * Types are as the ABI passes them: pointers to data that the library does not read are void, and a
 * variable last argument is a fixed one, which is the same for numbers and pointers on the machines
 * that the library is built for.
 */

/* A function, and its name for files of any size, which is the same one with 64 bits. */
#define CALL64(type, name, ...)	 CALL(type, name, __VA_ARGS__) CALL(type, name##64, __VA_ARGS__)
#define OLD64(type, name, ...)	 OLD(type, name, __VA_ARGS__) OLD(type, name##64, __VA_ARGS__)
#define OPEN64(type, name, ...)	 OPEN(type, name, __VA_ARGS__) OPEN(type, name##64, __VA_ARGS__)
#define OTHER64(type, name, ...) OTHER(type, name, __VA_ARGS__) OTHER(type, name##64, __VA_ARGS__)

/* ---- read and write */

CALL(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), ON(READ, fd, -1, n))
CALL(ssize_t, __read_chk, (int fd, void *to, size_t n, size_t size), (fd, to, n, size),
     ON(READ, fd, -1, n))
CALL64(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at),
       ON(PREAD64, fd, at, n))
CALL(ssize_t, __pread_chk, (int fd, void *to, size_t n, off_t at, size_t size),
     (fd, to, n, at, size), ON(PREAD64, fd, at, n))
CALL(ssize_t, __pread64_chk, (int fd, void *to, size_t n, off_t at, size_t size),
     (fd, to, n, at, size), ON(PREAD64, fd, at, n))
CALL(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), ON(READV, fd, -1, -1),
     BUFFERS(v, n))
CALL64(ssize_t, preadv, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at),
       ON(PREADV, fd, at, -1), BUFFERS(v, n))
CALL(ssize_t, preadv2, (int fd, const struct iovec *v, int n, off_t at, int flags),
     (fd, v, n, at, flags), ON(PREADV2, fd, at, -1), BUFFERS(v, n))
CALL(ssize_t, preadv64v2, (int fd, const struct iovec *v, int n, off_t at, int flags),
     (fd, v, n, at, flags), ON(PREADV2, fd, at, -1), BUFFERS(v, n))
CALL(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), ON(WRITE, fd, -1, n))
CALL64(ssize_t, pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at),
       ON(PWRITE64, fd, at, n))
CALL(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), ON(WRITEV, fd, -1, -1),
     BUFFERS(v, n))
CALL64(ssize_t, pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at),
       ON(PWRITEV, fd, at, -1), BUFFERS(v, n))
CALL(ssize_t, pwritev2, (int fd, const struct iovec *v, int n, off_t at, int flags),
     (fd, v, n, at, flags), ON(PWRITEV2, fd, at, -1), BUFFERS(v, n))
CALL(ssize_t, pwritev64v2, (int fd, const struct iovec *v, int n, off_t at, int flags),
     (fd, v, n, at, flags), ON(PWRITEV2, fd, at, -1), BUFFERS(v, n))
/* on two files */
OTHER64(ssize_t, sendfile, (int to, int from, off_t *at, size_t n))
OTHER(ssize_t, splice, (int from, off_t *at, int to, off_t *to_at, size_t n, unsigned int flags))
OTHER(ssize_t, copy_file_range,
      (int from, off_t *at, int to, off_t *to_at, size_t n, unsigned int flags))

/* ---- sync, truncate, mmap, close, locks */

CALL(int, fsync, (int fd), (fd), ON(FSYNC, fd, -1, 0))
CALL(int, fdatasync, (int fd), (fd), ON(FDATASYNC, fd, -1, 0))
CALL(int, sync_file_range, (int fd, off_t at, off_t n, unsigned int flags), (fd, at, n, flags),
     ON(SYNC_FILE_RANGE, fd, at, n))
CALL(int, syncfs, (int fd), (fd), ON(SYNCFS, fd, -1, 0))
CALL(int, msync, (void *at, size_t n, int flags), (at, n, flags), ON(MSYNC, -1, -1, n))
CALL64(int, ftruncate, (int fd, off_t n), (fd, n), ON(FTRUNCATE, fd, -1, n))
CALL64(int, fallocate, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n),
       ON(FALLOCATE, fd, at, n))
OTHER64(int, posix_fallocate, (int fd, off_t at, off_t n))
OTHER64(void *, mmap, (void *want, size_t n, int prot, int flags, int fd, off_t at))
CALL(int, close, (int fd), (fd), ON(CLOSE, fd, -1, 0))
CALL(int, close_range, (unsigned int first, unsigned int last, int flags), (first, last, flags),
     ON(CLOSE_RANGE, (int)first, (int64_t)last, 0), .r.flags = (uint32_t)flags)
CALL(int, closedir, (DIR * dir), (dir), ON(CLOSE, dir ? dirfd(dir) : -1, -1, 0))
CALL(int, flock, (int fd, int how), (fd, how), ON(FLOCK, fd, 0, 0),
     .r.extra = preload_flock_type(how))
OTHER64(int, fcntl, (int fd, int command, long arg))
OTHER64(int, lockf, (int fd, int command, off_t n))

/* ---- open */

OPEN64(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode),
       BY(OPEN, AT_FDCWD, path), .r.flags = (uint32_t)flags, .r.extra = (uint16_t)mode)
OPEN(int, __open_2, (const char *path, int flags), (path, flags), BY(OPEN, AT_FDCWD, path),
     .r.flags = (uint32_t)flags)
OPEN(int, __open64_2, (const char *path, int flags), (path, flags), BY(OPEN, AT_FDCWD, path),
     .r.flags = (uint32_t)flags)
OPEN64(int, openat, (int dir, const char *path, int flags, mode_t mode), (dir, path, flags, mode),
       BY(OPENAT, dir, path), .r.flags = (uint32_t)flags, .r.extra = (uint16_t)mode)
OPEN(int, __openat_2, (int dir, const char *path, int flags), (dir, path, flags),
     BY(OPENAT, dir, path), .r.flags = (uint32_t)flags)
OPEN(int, __openat64_2, (int dir, const char *path, int flags), (dir, path, flags),
     BY(OPENAT, dir, path), .r.flags = (uint32_t)flags)
OPEN64(int, creat, (const char *path, mode_t mode), (path, mode), BY(CREAT, AT_FDCWD, path),
       .r.flags = O_WRONLY | O_CREAT | O_TRUNC, .r.extra = (uint16_t)mode)
OPEN(int, open_by_handle_at, (int mount, void *handle, int flags), (mount, handle, flags),
     BY(OPEN_BY_HANDLE_AT, mount, NULL), .r.flags = (uint32_t)flags)
OPEN64(int, mkstemp, (char *path), (path), BY(OPEN, AT_FDCWD, path),
       .r.flags = O_RDWR | O_CREAT | O_EXCL, .r.extra = 0600)
OTHER(DIR *, opendir, (const char *path))

/* ---- descriptors */

CALL(off_t, lseek, (int fd, off_t by, int whence), (fd, by, whence), EFFECT(SEEK, fd))
CALL(off_t, lseek64, (int fd, off_t by, int whence), (fd, by, whence), EFFECT(SEEK, fd))
CALL(int, dup, (int fd), (fd), EFFECT(DUP, fd))
CALL(int, dup2, (int fd, int to), (fd, to), EFFECT(DUP, fd))
CALL(int, dup3, (int fd, int to, int flags), (fd, to, flags), EFFECT(DUP, fd),
     .r.flags = (uint32_t)flags)
CALL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), EFFECT(NEW, -1))
CALL(int, accept, (int fd, void *address, void *n), (fd, address, n), EFFECT(NEW, fd))
CALL(int, accept4, (int fd, void *address, void *n, int flags), (fd, address, n, flags),
     EFFECT(NEW, fd))
CALL(int, memfd_create, (const char *name, unsigned int flags), (name, flags), EFFECT(NEW, -1))
CALL(int, eventfd, (unsigned int value, int flags), (value, flags), EFFECT(NEW, -1))
CALL(int, epoll_create, (int size), (size), EFFECT(NEW, -1))
CALL(int, epoll_create1, (int flags), (flags), EFFECT(NEW, -1))
OTHER(int, pipe, (int fd[2]))
OTHER(int, pipe2, (int fd[2], int flags))
OTHER(int, socketpair, (int domain, int type, int protocol, int fd[2]))
OTHER(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags))

/* ---- metadata */

CALL64(int, stat, (const char *path, void *out), (path, out), BY(STAT, AT_FDCWD, path))
CALL64(int, lstat, (const char *path, void *out), (path, out), BY(LSTAT, AT_FDCWD, path))
CALL64(int, fstat, (int fd, void *out), (fd, out), BY(FSTAT, fd, NULL))
CALL64(int, fstatat, (int dir, const char *path, void *out, int flags), (dir, path, out, flags),
       BY(NEWFSTATAT, dir, path), .r.flags = (uint32_t)flags)
OLD64(int, __xstat, (int version, const char *path, void *out), (version, path, out),
      BY(STAT, AT_FDCWD, path))
OLD64(int, __lxstat, (int version, const char *path, void *out), (version, path, out),
      BY(LSTAT, AT_FDCWD, path))
OLD64(int, __fxstat, (int version, int fd, void *out), (version, fd, out), BY(FSTAT, fd, NULL))
OLD64(int, __fxstatat, (int version, int dir, const char *path, void *out, int flags),
      (version, dir, path, out, flags), BY(NEWFSTATAT, dir, path), .r.flags = (uint32_t)flags)
CALL(int, statx, (int dir, const char *path, int flags, unsigned int mask, void *out),
     (dir, path, flags, mask, out), BY(STATX, dir, path), .r.flags = (uint32_t)flags)
CALL(int, access, (const char *path, int mode), (path, mode), BY(ACCESS, AT_FDCWD, path))
CALL(int, faccessat, (int dir, const char *path, int mode, int flags), (dir, path, mode, flags),
     BY(FACCESSAT, dir, path), .r.flags = (uint32_t)flags)
CALL64(int, statfs, (const char *path, void *out), (path, out), BY(STATFS, AT_FDCWD, path))
CALL64(int, fstatfs, (int fd, void *out), (fd, out), BY(FSTATFS, fd, NULL))
CALL(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n),
     BY(READLINK, AT_FDCWD, path), .r.len = (int64_t)n)
CALL(ssize_t, readlinkat, (int dir, const char *path, char *to, size_t n), (dir, path, to, n),
     BY(READLINKAT, dir, path), .r.len = (int64_t)n)
CALL64(int, truncate, (const char *path, off_t n), (path, n), BY(TRUNCATE, AT_FDCWD, path),
       .r.len = n)
CALL(int, rename, (const char *path, const char *to), (path, to), BY(RENAME, AT_FDCWD, path),
     TO(to))
CALL(int, renameat, (int dir, const char *path, int to_dir, const char *to),
     (dir, path, to_dir, to), BY(RENAMEAT, dir, path), TO(to))
CALL(int, renameat2, (int dir, const char *path, int to_dir, const char *to, unsigned int flags),
     (dir, path, to_dir, to, flags), BY(RENAMEAT2, dir, path), TO(to), .r.flags = flags)
CALL(int, unlink, (const char *path), (path), BY(UNLINK, AT_FDCWD, path))
CALL(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags),
     BY(UNLINKAT, dir, path), .r.flags = (uint32_t)flags)
CALL(int, remove, (const char *path), (path), BY(UNLINK, AT_FDCWD, path))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), BY(MKDIR, AT_FDCWD, path),
     .r.extra = (uint16_t)mode)
CALL(int, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode),
     BY(MKDIRAT, dir, path), .r.extra = (uint16_t)mode)
CALL(int, rmdir, (const char *path), (path), BY(RMDIR, AT_FDCWD, path))
CALL(int, mknod, (const char *path, mode_t mode, dev_t dev), (path, mode, dev),
     BY(MKNOD, AT_FDCWD, path), .r.extra = (uint16_t)mode)
CALL(int, mknodat, (int dir, const char *path, mode_t mode, dev_t dev), (dir, path, mode, dev),
     BY(MKNODAT, dir, path), .r.extra = (uint16_t)mode)
CALL(int, link, (const char *path, const char *to), (path, to), BY(LINK, AT_FDCWD, path), TO(to))
CALL(int, linkat, (int dir, const char *path, int to_dir, const char *to, int flags),
     (dir, path, to_dir, to, flags), BY(LINKAT, dir, path), TO(to), .r.flags = (uint32_t)flags)
CALL(int, symlink, (const char *path, const char *to), (path, to), BY(SYMLINK, AT_FDCWD, path),
     TO(to))
CALL(int, symlinkat, (const char *path, int dir, const char *to), (path, dir, to),
     BY(SYMLINKAT, dir, path), TO(to))
CALL(int, chmod, (const char *path, mode_t mode), (path, mode), BY(CHMOD, AT_FDCWD, path),
     .r.extra = (uint16_t)mode)
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), BY(FCHMOD, fd, NULL),
     .r.extra = (uint16_t)mode)
CALL(int, fchmodat, (int dir, const char *path, mode_t mode, int flags), (dir, path, mode, flags),
     BY(FCHMODAT, dir, path), .r.extra = (uint16_t)mode)
CALL(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group),
     BY(CHOWN, AT_FDCWD, path))
CALL(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), BY(FCHOWN, fd, NULL))
CALL(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group),
     BY(LCHOWN, AT_FDCWD, path))
CALL(int, fchownat, (int dir, const char *path, uid_t user, gid_t group, int flags),
     (dir, path, user, group, flags), BY(FCHOWNAT, dir, path))
CALL(int, utime, (const char *path, const void *times), (path, times), BY(UTIME, AT_FDCWD, path))
CALL(int, utimes, (const char *path, const void *times), (path, times), BY(UTIMES, AT_FDCWD, path))
CALL(int, futimesat, (int dir, const char *path, const void *times), (dir, path, times),
     BY(FUTIMESAT, dir, path))
CALL(int, utimensat, (int dir, const char *path, const void *times, int flags),
     (dir, path, times, flags), BY(UTIMENSAT, dir, path))
CALL(int, futimens, (int fd, const void *times), (fd, times), BY(UTIMENSAT, fd, NULL))
CALL(ssize_t, getxattr, (const char *path, const char *name, void *to, size_t n),
     (path, name, to, n), BY(GETXATTR, AT_FDCWD, path), TO(name), .r.len = (int64_t)n)
CALL(ssize_t, lgetxattr, (const char *path, const char *name, void *to, size_t n),
     (path, name, to, n), BY(LGETXATTR, AT_FDCWD, path), TO(name), .r.len = (int64_t)n)
CALL(ssize_t, fgetxattr, (int fd, const char *name, void *to, size_t n), (fd, name, to, n),
     BY(FGETXATTR, fd, NULL), TO(name), .r.len = (int64_t)n)
CALL(int, setxattr, (const char *path, const char *name, const void *from, size_t n, int flags),
     (path, name, from, n, flags), BY(SETXATTR, AT_FDCWD, path), TO(name), .r.len = (int64_t)n)
CALL(int, lsetxattr, (const char *path, const char *name, const void *from, size_t n, int flags),
     (path, name, from, n, flags), BY(LSETXATTR, AT_FDCWD, path), TO(name), .r.len = (int64_t)n)
CALL(int, fsetxattr, (int fd, const char *name, const void *from, size_t n, int flags),
     (fd, name, from, n, flags), BY(FSETXATTR, fd, NULL), TO(name), .r.len = (int64_t)n)
CALL(ssize_t, listxattr, (const char *path, char *to, size_t n), (path, to, n),
     BY(LISTXATTR, AT_FDCWD, path), .r.len = (int64_t)n)
CALL(ssize_t, llistxattr, (const char *path, char *to, size_t n), (path, to, n),
     BY(LLISTXATTR, AT_FDCWD, path), .r.len = (int64_t)n)
CALL(ssize_t, flistxattr, (int fd, char *to, size_t n), (fd, to, n), BY(FLISTXATTR, fd, NULL),
     .r.len = (int64_t)n)
CALL(int, removexattr, (const char *path, const char *name), (path, name),
     BY(REMOVEXATTR, AT_FDCWD, path), TO(name))
CALL(int, lremovexattr, (const char *path, const char *name), (path, name),
     BY(LREMOVEXATTR, AT_FDCWD, path), TO(name))
CALL(int, fremovexattr, (int fd, const char *name), (fd, name), BY(FREMOVEXATTR, fd, NULL),
     TO(name))
CALL(int, chdir, (const char *path), (path), BY(CHDIR, AT_FDCWD, path))
CALL(int, fchdir, (int fd), (fd), BY(FCHDIR, fd, NULL))
CALL(int, chroot, (const char *path), (path), BY(CHROOT, AT_FDCWD, path))
CALL(int, name_to_handle_at, (int dir, const char *path, void *handle, int *mount, int flags),
     (dir, path, handle, mount, flags), BY(NAME_TO_HANDLE_AT, dir, path))

/* ---- processes */

OTHER(pid_t, vfork, (void))
OTHER(int, clone,
      (int (*run)(void *), void *stack, int flags, void *data, void *parent, void *tls,
       void *child))

#undef CALL64
#undef OLD64
#undef OPEN64
#undef OTHER64
