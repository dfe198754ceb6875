/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes every system call that iotrace.ko records, with known arguments, and lists the calls in the
 * form of the events. A recording must have these between the two access() calls on /list-begins
 * and /list-ends. usage: file-calls FOLDER [all]     all: files of all kinds are recorded, not only
 * regular ones and directories
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PATH_SHOWN 1983 /* bytes of a path that fit an event */

static FILE *list;
static const char *folder;
static bool all_kinds;
static struct stat known[64]; /* by descriptor; all 0 if it is not open */
static char buffer[65536];

/* A system call by its number; negative: errno. */
static long sys(long number, ...)
{
	long a[6], ret;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	ret = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	return ret == -1 ? -errno : ret;
}

/* Arguments are long, or garbage would fill the upper half of the registers. */
#define SYS6(n, a, b, c, d, e, f, ...) \
	sys(SYS_##n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define SYS(...) SYS6(__VA_ARGS__, 0, 0, 0, 0, 0, 0)

static const struct stat *of(int fd)
{
	static const struct stat none;

	return fd >= 0 && fd < 64 ? &known[fd] : &none;
}

static unsigned int kind_of(int fd)
{
	return of(fd)->st_mode & S_IFMT;
}

/* Is a call on this descriptor recorded? */
static bool listed(int fd)
{
	return all_kinds || S_ISREG(of(fd)->st_mode) || S_ISDIR(of(fd)->st_mode) ||
	       !of(fd)->st_mode;
}

/* A call on an open file. */
static void file(const char *pair, const char *op, int fd, long pos, long len, unsigned int flags,
		 unsigned int segs, long ret, long end)
{
	const struct stat *st = of(fd);

	if (listed(fd))
		fprintf(list,
			"%s op=%s fd=%d dev=%u:%u ino=%lu pos=%ld len=%ld flags=0x%x segs=%u "
			"kind=0%o -> ret=%ld pos=%ld\n",
			pair, op, fd, major(st->st_dev), minor(st->st_dev), st->st_ino, pos, len,
			flags, segs, kind_of(fd), ret, end);
}

static void path_start(const char *pair, const char *op, int fd, const char *path,
		       const char *path2, unsigned int flags, unsigned int mode, unsigned long arg,
		       int on)
{
	const struct stat *st = of(on);

	fprintf(list,
		"%s op=%s fd=%d path=%.*s path2=%.*s flags=0x%x mode=0%o arg=%lu dev=%u:%u ino=%lu "
		"kind=0%o",
		pair, op, fd, PATH_SHOWN, path, PATH_SHOWN, path2, flags, mode, arg,
		major(st->st_dev), minor(st->st_dev), st->st_ino, kind_of(on));
}

/* A call by path. */
static void meta(const char *op, int fd, const char *path, const char *path2, unsigned int flags,
		 unsigned int mode, unsigned long arg, long ret)
{
	path_start("meta", op, fd, path, path2, flags, mode, arg, -1);
	fprintf(list, " -> ret=%ld pos=-1 elsewhere=0\n", ret);
}

/* A call on the metadata of an open file. */
static void fmeta(const char *op, int fd, const char *path2, unsigned int flags, unsigned int mode,
		  unsigned long arg, long ret)
{
	if (!listed(fd))
		return;
	path_start("meta", op, fd, "", path2, flags, mode, arg, fd);
	fprintf(list, " -> ret=%ld pos=-1 elsewhere=0\n", ret);
}

/* Finds out the file of fd, by a call that is itself listed. */
static void look(int fd)
{
	struct stat *st = &known[fd];

	fmeta("fstat", fd, "", 0, 0, 0, SYS(fstat, fd, st));
}

/* Finds out the file of fd before it lists the call that opened the file. name: of the file, if it
 * is in the folder */
static void opened_as(const char *name, const char *op, int dir, const char *path,
		      unsigned int flags, unsigned int mode, long fd)
{
	long ret = fd < 0 ? 0 : SYS(fstat, fd, &known[fd]);

	path_start("open", op, dir, path, "", flags, mode, 0, -1);
	fprintf(list, " -> ret=%ld dev=%u:%u ino=%lu kind=0%o elsewhere=0 path=", fd,
		major(of(fd)->st_dev), minor(of(fd)->st_dev), of(fd)->st_ino, kind_of(fd));
	if (fd >= 0 && name[0] != '/')
		fprintf(list, "%s/", folder);
	fprintf(list, "%s\n", fd >= 0 ? name : "");
	if (fd >= 0)
		fmeta("fstat", fd, "", 0, 0, 0, ret);
}

static void opened(const char *op, int dir, const char *path, unsigned int flags, unsigned int mode,
		   long fd)
{
	opened_as(path, op, dir, path, flags, mode, fd);
}

static int open_file(const char *path, int flags)
{
	int fd = SYS(openat, AT_FDCWD, path, flags, 0644);

	opened("openat", AT_FDCWD, path, flags, flags & O_CREAT ? 0644 : 0, fd);
	return fd;
}

static void close_file(int fd)
{
	file("close", "close", fd, -1, 0, 0, 1, SYS(close, fd), -1);
	memset(&known[fd], 0, sizeof(known[fd]));
}

static void writes(int fd)
{
	struct iovec iov[3] = { { buffer, 100 }, { buffer + 100, 1 }, { buffer + 300, 4000 } };

	file("write", "write", fd, 0, 1000, 0, 1, SYS(write, fd, buffer, 1000), 1000);
	file("write", "pwrite64", fd, 5000, 100, 0, 1, SYS(pwrite64, fd, buffer, 100, 5000), 5100);
	file("write", "writev", fd, 1000, 4101, 0, 3, SYS(writev, fd, iov, 3), 5101);
	file("write", "pwritev", fd, 8192, 101, 0, 2, SYS(pwritev, fd, iov, 2, 8192, 0), 8293);
	file("write", "pwritev2", fd, 0, 100, RWF_DSYNC, 1,
	     SYS(pwritev2, fd, iov, 1, 0, 0, RWF_DSYNC), 100);
	file("write", "pwritev2", fd, 5101, 100, 0, 1, SYS(pwritev2, fd, iov, 1, -1, -1, 0), 5201);
	file("write", "write", fd, 5201, 0, 0, 1, SYS(write, fd, buffer, 0), 5201);
}

static void reads(int fd)
{
	struct iovec iov[20];

	for (int i = 0; i < 20; i++)
		iov[i] = (struct iovec){ buffer, 10 + i };
	SYS(lseek, fd, 7, SEEK_SET);
	file("read", "read", fd, 7, 100, 0, 1, SYS(read, fd, buffer, 100), 107);
	file("read", "pread64", fd, 10, 50, 0, 1, SYS(pread64, fd, buffer, 50, 10), 60);
	file("read", "readv", fd, 107, 390, 0, 20, SYS(readv, fd, iov, 20), 497);
	file("read", "preadv", fd, 8290, 21, 0, 2, SYS(preadv, fd, iov, 2, 8290, 0), 8293);
	file("read", "preadv2", fd, 1, 10, RWF_HIPRI, 1, SYS(preadv2, fd, iov, 1, 1, 0, RWF_HIPRI),
	     11);
	file("read", "preadv2", fd, 497, 10, 0, 1, SYS(preadv2, fd, iov, 1, -1, -1, 0), 507);
	SYS(lseek, fd, 0, SEEK_END);
	file("read", "read", fd, 8293, 65536, 0, 1, SYS(read, fd, buffer, 65536), 8293);
}

static void failures(int fd, const char *path)
{
	int writable = open_file(path, O_WRONLY);

	file("read", "read", writable, 0, 10, 0, 1, SYS(read, writable, buffer, 10), 0);
	close_file(writable);
	file("read", "read", -1, -1, 10, 0, 1, SYS(read, -1, buffer, 10), -1);
	file("write", "write", 60, -1, 10, 0, 1, SYS(write, 60, buffer, 10), -1);
	SYS(close, 60); /* not listed: nothing was open */
	SYS(lseek, fd, 3, SEEK_SET);
	file("read", "read", fd, 3, 10, 0, 1, SYS(read, fd, 16, 10), 3);
	file("read", "pread64", fd, -5, 10, 0, 1, SYS(pread64, fd, buffer, 10, -5), -5);
	opened("open", AT_FDCWD, "/no/such file", 0, 0, SYS(open, "/no/such file", 0, 0));
	opened("openat", AT_FDCWD, "", 0, 0, SYS(openat, AT_FDCWD, NULL, 0, 0));
	opened("openat", AT_FDCWD, "", 0, 0, SYS(openat, AT_FDCWD, 16, 0, 0));
}

/* Both sides of a transfer have the same result. */
static void transfer(const char *op, int in, long in_pos, int out, long out_pos, unsigned long len,
		     unsigned int flags, long ret)
{
	file("read", op, in, in_pos, len, flags, 1, ret, in_pos < 0 ? -1 : in_pos + ret);
	file("write", op, out, out_pos, len, flags, 1, ret, out_pos < 0 ? -1 : out_pos + ret);
}

static void transfers(int in, int out)
{
	int64_t from = 100, to = 20000;
	int fds[2];

	SYS(lseek, in, 0, SEEK_SET);
	SYS(lseek, out, 0, SEEK_SET);
	transfer("sendfile", in, 0, out, 0, 500, 0, SYS(sendfile, out, in, NULL, 500));
	transfer("sendfile", in, 100, out, 500, 10, 0, SYS(sendfile, out, in, &from, 10));
	from = 100;
	transfer("copy_file_range", in, 100, out, 20000, 300, 0,
		 SYS(copy_file_range, in, &from, out, &to, 300, 0));
	transfer("copy_file_range", in, 500, out, 510, 30, 0,
		 SYS(copy_file_range, in, NULL, out, NULL, 30, 0));
	SYS(pipe2, fds, 0);
	look(fds[0]);
	look(fds[1]);
	from = 4096;
	transfer("splice", in, 4096, fds[1], -1, 1000, 1,
		 SYS(splice, in, &from, fds[1], NULL, 1000, 1));
	to = 30000;
	transfer("splice", fds[0], -1, out, 30000, 1000, 0,
		 SYS(splice, fds[0], NULL, out, &to, 1000, 0));
	file("write", "write", fds[1], -1, 5, 0, 1, SYS(write, fds[1], buffer, 5), -1);
	file("read", "read", fds[0], -1, 50, 0, 1, SYS(read, fds[0], buffer, 50), -1);
	close_file(fds[0]);
	close_file(fds[1]);
}

static void appends(const char *path)
{
	int fd = open_file(path, O_WRONLY | O_APPEND);
	struct iovec iov = { buffer, 10 };

	file("write", "write", fd, 0, 10, 0, 1, SYS(write, fd, buffer, 10), of(fd)->st_size + 10);
	file("write", "pwrite64", fd, 5, 10, 0, 1, SYS(pwrite64, fd, buffer, 10, 5), -1);
	close_file(fd);
	/* A single write is appended. With position -1 it also moves the file's position. */
	fd = open_file(path, O_WRONLY);
	file("write", "pwritev2", fd, 3, 10, RWF_APPEND, 1,
	     SYS(pwritev2, fd, &iov, 1, 3, 0, RWF_APPEND), -1);
	file("write", "pwritev2", fd, 0, 10, RWF_APPEND, 1,
	     SYS(pwritev2, fd, &iov, 1, -1, -1, RWF_APPEND), of(fd)->st_size + 20);
	close_file(fd);
}

static void syncs(int fd)
{
	file("sync", "fsync", fd, -1, 0, 0, 1, SYS(fsync, fd), -1);
	file("sync", "fdatasync", fd, -1, 0, 0, 1, SYS(fdatasync, fd), -1);
	file("sync", "sync_file_range", fd, 4096, 8192, 2, 1,
	     SYS(sync_file_range, fd, 4096, 8192, 2), -1);
	file("sync", "syncfs", fd, -1, 0, 0, 1, SYS(syncfs, fd), -1);
	file("sync", "sync", -1, -1, 0, 0, 1, SYS(sync, 0), -1);
}

static void sizes(int fd, const char *path)
{
	file("truncate", "ftruncate", fd, -1, 40000, 0, 1, SYS(ftruncate, fd, 40000), -1);
	file("truncate", "fallocate", fd, 4096, 8192, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 1,
	     SYS(fallocate, fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 4096, 8192), -1);
	meta("truncate", AT_FDCWD, path, "", 0, 0, 30000, SYS(truncate, path, 30000));
}

static void maps(int fd)
{
	long at = SYS(mmap, NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);

	file("mmap", "mmap", fd, 4096, 8192, MAP_SHARED | (PROT_READ | PROT_WRITE) << 24, 1, at,
	     -1);
	*(char *)at = 1;
	file("sync", "msync", -1, -1, 4096, MS_SYNC, 1, SYS(msync, at, 4096, MS_SYNC), -1);
	SYS(munmap, at, 8192);
	SYS(munmap, SYS(mmap, NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
}

static void opens(int dir, const char *name, const char *path)
{
	struct open_how how = { .flags = O_RDWR | O_CREAT, .mode = 0600 };
	int fds[4];

	fds[0] = SYS(open, "b", O_RDONLY | O_CLOEXEC, 0777);
	opened("open", AT_FDCWD, "b", O_RDONLY | O_CLOEXEC, 0, fds[0]);
	fds[1] = SYS(openat2, dir, name, &how, sizeof(how));
	opened("openat2", dir, name, O_RDWR | O_CREAT, 0600, fds[1]);
	fds[2] = SYS(creat, path, 0640);
	opened("creat", AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, 0640, fds[2]);
	fds[3] = SYS(open, path, O_RDONLY, 0);
	opened("open", AT_FDCWD, path, O_RDONLY, 0, fds[3]);
	close_file(fds[3]);
	SYS(close_range, fds[0], fds[2], 4); /* CLOSE_RANGE_CLOEXEC closes nothing */
	SYS(close_range, fds[0], fds[2], 0);
	for (int i = 0; i < 3; i++) {
		file("close", "close_range", fds[i], -1, 0, 0, 1, 0, -1);
		memset(&known[fds[i]], 0, sizeof(known[0]));
	}
}

/* A file opened by its handle has no path, but the kernel knows its name, because it was just in
 * use. */
static void handles(int dir)
{
	struct {
		struct file_handle head;
		char bytes[MAX_HANDLE_SZ];
	} handle = { .head.handle_bytes = MAX_HANDLE_SZ };
	int mount, fd;

	meta("name_to_handle_at", dir, "b", "", 0, 0, 0,
	     SYS(name_to_handle_at, dir, "b", &handle, &mount, 0));
	fd = SYS(open_by_handle_at, dir, &handle, O_RDONLY);
	opened_as("b", "open_by_handle_at", dir, "", O_RDONLY, 0, fd);
	close_file(fd);
}

static void directories(int dir)
{
	meta("chdir", AT_FDCWD, "/", "", 0, 0, 0, SYS(chdir, "/"));
	fmeta("fchdir", dir, "", 0, 0, 0, SYS(fchdir, dir));
	meta("chroot", AT_FDCWD, "/no such", "", 0, 0, 0, SYS(chroot, "/no such"));
}

/* A file that has been deleted, or never had a name, has no path. */
static void nameless(int dir)
{
	long fd = SYS(openat, dir, ".", O_TMPFILE | O_RDWR, 0600), again;
	char self[64];

	SYS(fstat, fd, &known[fd]);
	path_start("open", "openat", dir, ".", "", O_TMPFILE | O_RDWR, 0600, 0, -1);
	fprintf(list, " -> ret=%ld dev=%u:%u ino=%lu kind=0%o elsewhere=0 path=\n", fd,
		major(of(fd)->st_dev), minor(of(fd)->st_dev), of(fd)->st_ino, kind_of(fd));
	fmeta("fstat", fd, "", 0, 0, 0, 0);
	snprintf(self, sizeof(self), "/proc/self/fd/%ld", fd);
	again = SYS(open, self, O_RDONLY, 0);
	path_start("open", "open", AT_FDCWD, self, "", O_RDONLY, 0, 0, -1);
	fprintf(list, " -> ret=%ld dev=%u:%u ino=%lu kind=0%o elsewhere=0 path=\n", again,
		major(of(fd)->st_dev), minor(of(fd)->st_dev), of(fd)->st_ino, kind_of(fd));
	known[again] = known[fd];
	close_file(again);
	close_file(fd);
}

static void stats(int dir, int fd, const char *name, const char *path)
{
	struct statfs fs;
	struct statx stx;
	struct stat st;

	meta("stat", AT_FDCWD, path, "", 0, 0, 0, SYS(stat, path, &st));
	meta("lstat", AT_FDCWD, path, "", 0, 0, 0, SYS(lstat, path, &st));
	meta("stat", AT_FDCWD, "/no such", "", 0, 0, 0, SYS(stat, "/no such", &st));
	fmeta("fstat", fd, "", 0, 0, 0, SYS(fstat, fd, &st));
	meta("newfstatat", dir, name, "", AT_SYMLINK_NOFOLLOW, 0, 0,
	     SYS(newfstatat, dir, name, &st, AT_SYMLINK_NOFOLLOW));
	fmeta("newfstatat", fd, "", AT_EMPTY_PATH, 0, 0,
	      SYS(newfstatat, fd, "", &st, AT_EMPTY_PATH));
	meta("statx", dir, name, "", 0, 0, 0, SYS(statx, dir, name, 0, STATX_ALL, &stx));
	meta("access", AT_FDCWD, path, "", 0, R_OK | W_OK, 0, SYS(access, path, R_OK | W_OK));
	meta("faccessat", dir, name, "", 0, X_OK, 0, SYS(faccessat, dir, name, X_OK));
	meta("faccessat2", dir, name, "", AT_EACCESS, F_OK, 0,
	     SYS(faccessat2, dir, name, F_OK, AT_EACCESS));
	meta("statfs", AT_FDCWD, path, "", 0, 0, 0, SYS(statfs, path, &fs));
	fmeta("fstatfs", fd, "", 0, 0, 0, SYS(fstatfs, fd, &fs));
	fmeta("getdents64", dir, "", 0, 0, 4096, SYS(getdents64, dir, buffer, 4096));
	fmeta("getdents", dir, "", 0, 0, 2048, SYS(getdents, dir, buffer, 2048));
}

static void names(int dir)
{
	meta("mkdir", AT_FDCWD, "d1", "", 0, 0750, 0, SYS(mkdir, "d1", 0750));
	meta("mkdirat", dir, "d2", "", 0, 0700, 0, SYS(mkdirat, dir, "d2", 0700));
	meta("mknod", AT_FDCWD, "n1", "", 0, S_IFIFO | 0600, 0,
	     SYS(mknod, "n1", S_IFIFO | 0600, 0));
	meta("mknodat", dir, "n2", "", 0, S_IFCHR | 0600, makedev(1, 3),
	     SYS(mknodat, dir, "n2", S_IFCHR | 0600, makedev(1, 3)));
	meta("link", AT_FDCWD, "n1", "n3", 0, 0, 0, SYS(link, "n1", "n3"));
	meta("linkat", dir, "n1", "n4", AT_SYMLINK_FOLLOW, 0, 0,
	     SYS(linkat, dir, "n1", dir, "n4", AT_SYMLINK_FOLLOW));
	meta("symlink", AT_FDCWD, "some where", "s1", 0, 0, 0, SYS(symlink, "some where", "s1"));
	meta("symlinkat", dir, "n1", "s2", 0, 0, 0, SYS(symlinkat, "n1", dir, "s2"));
	meta("readlink", AT_FDCWD, "s1", "", 0, 0, 100, SYS(readlink, "s1", buffer, 100));
	meta("readlinkat", dir, "s2", "", 0, 0, 50, SYS(readlinkat, dir, "s2", buffer, 50));
	meta("rename", AT_FDCWD, "n1", "m1", 0, 0, 0, SYS(rename, "n1", "m1"));
	meta("renameat", dir, "n2", "m2", 0, 0, 0, SYS(renameat, dir, "n2", dir, "m2"));
	meta("renameat2", dir, "m1", "m2", RENAME_EXCHANGE, 0, 0,
	     SYS(renameat2, dir, "m1", dir, "m2", RENAME_EXCHANGE));
	meta("unlink", AT_FDCWD, "m1", "", 0, 0, 0, SYS(unlink, "m1"));
	meta("unlinkat", dir, "d2", "", AT_REMOVEDIR, 0, 0, SYS(unlinkat, dir, "d2", AT_REMOVEDIR));
	meta("rmdir", AT_FDCWD, "d1", "", 0, 0, 0, SYS(rmdir, "d1"));
}

static void owners(int dir, int fd, const char *name)
{
	long now[4] = { 1, 0, 2, 0 };

	meta("chmod", AT_FDCWD, name, "", 0, 0600, 0, SYS(chmod, name, 0600));
	fmeta("fchmod", fd, "", 0, 0640, 0, SYS(fchmod, fd, 0640));
	meta("fchmodat", dir, name, "", 0, 0644, 0, SYS(fchmodat, dir, name, 0644));
	meta("chown", AT_FDCWD, name, "", 0, 0, 0, SYS(chown, name, 1, 2));
	fmeta("fchown", fd, "", 0, 0, 0, SYS(fchown, fd, 1, 2));
	meta("lchown", AT_FDCWD, "s1", "", 0, 0, 0, SYS(lchown, "s1", 1, 2));
	meta("fchownat", dir, "s1", "", AT_SYMLINK_NOFOLLOW, 0, 0,
	     SYS(fchownat, dir, "s1", 3, 4, AT_SYMLINK_NOFOLLOW));
	meta("utime", AT_FDCWD, name, "", 0, 0, 0, SYS(utime, name, NULL));
	meta("utimes", AT_FDCWD, name, "", 0, 0, 0, SYS(utimes, name, NULL));
	meta("futimesat", dir, name, "", 0, 0, 0, SYS(futimesat, dir, name, NULL));
	meta("utimensat", dir, "s1", "", AT_SYMLINK_NOFOLLOW, 0, 0,
	     SYS(utimensat, dir, "s1", now, AT_SYMLINK_NOFOLLOW));
	fmeta("utimensat", fd, "", 0, 0, 0, SYS(utimensat, fd, NULL, now, 0));
}

static void attributes(int fd, const char *path)
{
	const char *name = "user.test", *value = "value";

	meta("setxattr", AT_FDCWD, path, name, XATTR_CREATE, 0, 5,
	     SYS(setxattr, path, name, value, 5, XATTR_CREATE));
	meta("lsetxattr", AT_FDCWD, path, name, 0, 0, 4, SYS(lsetxattr, path, name, value, 4, 0));
	fmeta("fsetxattr", fd, name, 0, 0, 3, SYS(fsetxattr, fd, name, value, 3, 0));
	meta("getxattr", AT_FDCWD, path, name, 0, 0, 64, SYS(getxattr, path, name, buffer, 64));
	meta("lgetxattr", AT_FDCWD, path, name, 0, 0, 65, SYS(lgetxattr, path, name, buffer, 65));
	fmeta("fgetxattr", fd, name, 0, 0, 66, SYS(fgetxattr, fd, name, buffer, 66));
	meta("listxattr", AT_FDCWD, path, "", 0, 0, 100, SYS(listxattr, path, buffer, 100));
	meta("llistxattr", AT_FDCWD, path, "", 0, 0, 101, SYS(llistxattr, path, buffer, 101));
	fmeta("flistxattr", fd, "", 0, 0, 102, SYS(flistxattr, fd, buffer, 102));
	meta("removexattr", AT_FDCWD, path, name, 0, 0, 0, SYS(removexattr, path, name));
	meta("lremovexattr", AT_FDCWD, path, name, 0, 0, 0, SYS(lremovexattr, path, name));
	fmeta("fremovexattr", fd, name, 0, 0, 0, SYS(fremovexattr, fd, name));
}

static void lock(const char *op, int fd, const char *type, int wait, long start, unsigned long len,
		 int whence, long ret)
{
	const struct stat *st = of(fd);

	fprintf(list,
		"lock op=%s fd=%d dev=%u:%u ino=%lu type=%s wait=%d start=%ld len=%lu whence=%d "
		"kind=0%o -> ret=%ld pos=-1\n",
		op, fd, major(st->st_dev), minor(st->st_dev), st->st_ino, type, wait, start, len,
		whence, kind_of(fd), ret);
}

static long range(int fd, int command, int type, int whence, long start, long len)
{
	struct flock wanted = {
		.l_type = type, .l_whence = whence, .l_start = start, .l_len = len
	};

	return SYS(fcntl, fd, command, &wanted);
}

/* The file is positioned at byte 100. Commands of fcntl without locks are no events. */
static void locks(int fd)
{
	SYS(lseek, fd, 100, SEEK_SET);
	SYS(fcntl, fd, F_GETFL);
	lock("flock", fd, "read", 1, 0, 0, 0, SYS(flock, fd, LOCK_SH));
	lock("flock", fd, "write", 0, 0, 0, 0, SYS(flock, fd, LOCK_EX | LOCK_NB));
	lock("flock", fd, "unlock", 0, 0, 0, 0, SYS(flock, fd, LOCK_UN));
	lock("flock", fd, "unknown", 1, 0, 0, 0, SYS(flock, fd, 3));
	lock("fcntl setlk", fd, "write", 0, 10, 5, 0, range(fd, F_SETLK, F_WRLCK, SEEK_SET, 10, 5));
	lock("fcntl setlk", fd, "read", 0, 90, 20, 0,
	     range(fd, F_SETLK, F_RDLCK, SEEK_CUR, -10, 20));
	lock("fcntl setlkw", fd, "write", 1, 40, 10, 0,
	     range(fd, F_SETLKW, F_WRLCK, SEEK_SET, 50, -10));
	lock("fcntl setlkw", fd, "write", 1, -4, 4, 2,
	     range(fd, F_SETLKW, F_WRLCK, SEEK_END, -4, 4));
	lock("fcntl getlk", fd, "write", 0, 7, 0, 0, range(fd, F_GETLK, F_WRLCK, SEEK_SET, 7, 0));
	lock("fcntl setlkw", fd, "unlock", 0, 0, 0, 0,
	     range(fd, F_SETLKW, F_UNLCK, SEEK_SET, 0, 0));
	lock("fcntl ofd_setlk", fd, "read", 0, 1, 2, 0,
	     range(fd, F_OFD_SETLK, F_RDLCK, SEEK_SET, 1, 2));
	lock("fcntl ofd_setlkw", fd, "write", 1, 3, 4, 0,
	     range(fd, F_OFD_SETLKW, F_WRLCK, SEEK_SET, 3, 4));
	lock("fcntl ofd_getlk", fd, "read", 0, 5, 6, 0,
	     range(fd, F_OFD_GETLK, F_RDLCK, SEEK_SET, 5, 6));
	lock("fcntl setlk", fd, "unknown", 0, -1, 0, 0, SYS(fcntl, fd, F_SETLK, 8));
	lock("fcntl setlk", 60, "read", 0, 1, 1, 0, range(60, F_SETLK, F_RDLCK, SEEK_SET, 1, 1));
}

/* Paths of odd bytes, at the end of the address space that is mapped, too long, and in a page that
 * nobody has touched yet. */
static void odd_paths(int fd)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char longest[4000];
	struct stat st;
	long at;

	meta("stat", AT_FDCWD, "\001 =\377\"\\ path2=x", "", 0, 0, 0,
	     SYS(stat, "\001 =\377\"\\ path2=x", &st));
	munmap(pages + 4096, 4096);
	strcpy(pages + 4096 - 6, "/edge");
	meta("stat", AT_FDCWD, "/edge", "", 0, 0, 0, SYS(stat, pages + 4096 - 6, &st));
	memset(longest, '/', sizeof(longest));
	longest[3999] = '\0';
	meta("stat", AT_FDCWD, longest, "", 0, 0, 0, SYS(stat, longest, &st));
	SYS(lseek, fd, 0, SEEK_SET);
	file("write", "write", fd, 0, 10, 0, 1, SYS(write, fd, "/not here", 10), 10);
	at = SYS(mmap, NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	file("mmap", "mmap", fd, 0, 4096, MAP_SHARED | PROT_READ << 24, 1, at, -1);
	meta("stat", AT_FDCWD, "/not here", "", 0, 0, 0, SYS(stat, at, &st));
	munmap(pages, 4096);
}

/* The same page again, mapped where nobody has touched it yet. */
static char *untouched(int fd, long where)
{
	long at = SYS(mmap, NULL, 4096, PROT_READ, MAP_SHARED, fd, where);

	file("mmap", "mmap", fd, where, 4096, MAP_SHARED | PROT_READ << 24, 1, at, -1);
	return (char *)at;
}

/* An empty path, and a list of buffers, in pages that nobody has touched yet. */
static void absent_pages(int dir, int fd)
{
	struct iovec iov[2] = { { buffer, 100 }, { buffer + 100, 20 } };
	struct stat st;
	char *at;

	file("write", "pwrite64", fd, 4096, sizeof(iov), 0, 1,
	     SYS(pwrite64, fd, iov, sizeof(iov), 4096), 4096 + sizeof(iov));
	at = untouched(fd, 0) + 9; /* the end of "/not here" */
	fmeta("newfstatat", fd, "", AT_EMPTY_PATH, 0, 0,
	      SYS(newfstatat, fd, at, &st, AT_EMPTY_PATH));
	at = untouched(fd, 0) + 9;
	fmeta("newfstatat", dir, "", AT_EMPTY_PATH, 0, 0,
	      SYS(newfstatat, dir, at, &st, AT_EMPTY_PATH));
	SYS(lseek, fd, 0, SEEK_SET);
	at = untouched(fd, 4096);
	file("read", "readv", fd, 0, -1, 0, 2, SYS(readv, fd, at, 2), 120);
}

static void everything(int dir, const char *path)
{
	int a = open_file(path, O_RDWR | O_CREAT | O_TRUNC),
	    b = open_file("b", O_RDWR | O_CREAT | O_TRUNC);

	writes(a);
	reads(a);
	failures(a, path);
	transfers(a, b);
	appends(path);
	syncs(a);
	locks(a);
	sizes(a, path);
	maps(a);
	opens(dir, "c", "e");
	stats(dir, a, "b", path);
	handles(dir);
	directories(dir);
	nameless(dir);
	names(dir);
	owners(dir, a, "b");
	attributes(a, path);
	odd_paths(b);
	absent_pages(dir, b);
	close_file(a);
	close_file(b);
}

int main(int argc, char **argv)
{
	char path[256], *text;
	size_t size;
	int dir;

	if (argc < 2 || chdir(argv[1])) {
		fprintf(stderr, "usage: file-calls FOLDER [all]\n");
		return 2;
	}
	all_kinds = argc > 2;
	folder = argv[1];
	snprintf(path, sizeof(path), "%s/a file", folder);
	dir = open(".", O_RDONLY | O_DIRECTORY);
	fstat(dir, &known[dir]);
	list = open_memstream(&text, &size);
	access("/list-begins", F_OK);
	everything(dir, path);
	access("/list-ends", F_OK);
	fclose(list);
	fwrite(text, 1, size, stdout);
	return 0;
}
