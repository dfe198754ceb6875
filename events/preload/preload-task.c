/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes and threads: who writes a record, and with which descriptors it began. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload-local.h"

struct preload_state preload;
__thread struct preload_thread preload_self;

void *preload_find(const char *name)
{
#ifdef IOTRACE_WRAP
	(void)name;
	return NULL;
#else
	return dlsym(RTLD_NEXT, name);
#endif
}

/* ---- records */

static unsigned int slots_of(size_t n)
{
	return n <= IOTRACE_PRELOAD_TEXT
		       ? 1
		       : (unsigned int)((n + IOTRACE_PRELOAD_TEXT - 1) / IOTRACE_PRELOAD_TEXT);
}

static struct iotrace_preload_text *put_text(struct iotrace_preload_text *slot, const char *text,
					     size_t n)
{
	uint32_t kind = IOTRACE_PRELOAD_TEXT_BEGIN;

	do {
		size_t part = n < IOTRACE_PRELOAD_TEXT ? n : IOTRACE_PRELOAD_TEXT;

		memcpy(slot->bytes, text, part);
		slot->state = kind | (uint32_t)part << 8;
		kind = IOTRACE_PRELOAD_TEXT_MORE;
		text += part;
		n -= part;
		slot++;
	} while (n);
	return slot;
}

void preload_put(const struct iotrace_preload_record *r, const char *text, const char *text2)
{
	size_t n = text ? strnlen(text, PATH_MAX) : 0, n2 = text2 ? strnlen(text2, PATH_MAX) : 0;
	/* the second one is always the second */
	unsigned int texts = (text || text2 ? slots_of(n) : 0) + (text2 ? slots_of(n2) : 0);
	struct iotrace_preload_record *slot = preload_take(r->tid, 1 + texts);
	struct iotrace_preload_text *at = (struct iotrace_preload_text *)slot + 1;

	if (!slot)
		return;
	if (texts)
		at = put_text(at, text ? text : "", n);
	if (text2)
		put_text(at, text2, n2);
	memcpy((char *)slot + sizeof(r->state), (const char *)r + sizeof(r->state),
	       sizeof(*r) - sizeof(r->state));
	__atomic_store_n(&slot->state, r->state | texts << 8, __ATOMIC_RELEASE);
}

static int64_t sum_of(const struct iovec *iov, int n)
{
	int64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += (int64_t)iov[i].iov_len;
	return sum;
}

/* Pointers of the program are looked at only if the call did not find them bad. */
void preload_end(struct preload_call *call, int64_t ret)
{
	int err = errno;
	bool bad;

	if (!call->r.end_ns)
		call->r.end_ns = preload_now();
	call->r.ret = ret == -1 ? -err : ret;
	bad = call->r.ret == -EFAULT;
	if (call->iov && ret >= 0)
		call->r.len = sum_of(call->iov, call->n_iov);
	preload_task(&call->r);
	preload_put(&call->r, bad ? NULL : call->path, bad ? NULL : call->path2);
	errno = err;
}

/* The type of an open file (st_mode >> 12; 0: none), its device and inode number. */
static uint32_t stat_of(int fd, int64_t *dev, int64_t *ino)
{
	struct stat st;

	if (syscall(SYS_fstat, fd, &st))
		return 0;
	*dev = (int64_t)st.st_dev;
	*ino = (int64_t)st.st_ino;
	return (uint32_t)(st.st_mode & S_IFMT) >> 12;
}

void preload_end_open(struct preload_call *call, int64_t ret)
{
	int err = errno;

	call->r.end_ns = preload_now();
	if (ret >= 0)
		call->r.extra |= stat_of((int)ret, &call->r.len, &call->r.pos) << 16;
	errno = err;
	preload_end(call, ret);
}

/* ---- who */

static int32_t raw_pid(void)
{
	return (int32_t)syscall(SYS_getpid);
}

static int32_t raw_tid(void)
{
	return (int32_t)syscall(SYS_gettid);
}

/* @when: not after the record that needs it */
static void put_own(uint32_t kind, int32_t tgid, int32_t tid, uint64_t when, int64_t ret,
		    const char *text, const char *text2)
{
	struct iotrace_preload_record r = { .state = kind,
					    .tgid = tgid,
					    .tid = tid,
					    .fd = -1,
					    .begin_ns = when,
					    .end_ns = when,
					    .ret = ret,
					    .pos = -1 };

	preload_put(&r, text, text2);
}

static void put_name(int32_t tgid, int32_t tid, uint64_t when)
{
	char name[17] = "";

	syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0);
	put_own(IOTRACE_PRELOAD_THREAD, tgid, tid, when, 0, name, NULL);
}

/* In a child that shares the memory of its parent (vfork), whose thread it seems to be. */
static void tell_child(int32_t tgid, int32_t tid, uint64_t when)
{
	if (preload_self.child == tgid)
		return;
	preload_self.child = tgid;
	put_own(IOTRACE_PRELOAD_CHILD, tgid, tid, when, preload_self.tid, NULL, NULL);
}

static void find_out(struct iotrace_preload_record *r)
{
	if (!*preload.same)
		preload_task_begin(r->begin_ns); /* a fork that no handler told of */
	if (preload_self.suspect || preload.always) {
		r->tgid = raw_pid();
		r->tid = raw_tid();
		if (r->tgid != preload.tgid) {
			tell_child(r->tgid, r->tid, r->begin_ns);
			return;
		}
		/* the parent goes on when its child has left the memory */
		preload_self.suspect = preload_self.child = 0;
	}
	if (!preload_self.tid) {
		preload_self.tid = raw_tid();
		put_name(preload.tgid, preload_self.tid, r->begin_ns);
	}
	r->tgid = preload.tgid;
	r->tid = preload_self.tid;
}

void preload_task(struct iotrace_preload_record *r)
{
	r->tgid = preload.tgid;
	r->tid = preload_self.tid;
	if (__builtin_expect(!*preload.same || !preload_self.tid || preload_self.suspect ||
				     preload.always,
			     0))
		find_out(r);
}

/* ---- begin */

static void put_descriptor(int fd, const char *link, uint64_t when)
{
	char path[PATH_MAX];
	struct iotrace_preload_record r = { .state = IOTRACE_PRELOAD_FD,
					    .tgid = preload.tgid,
					    .tid = preload_self.tid,
					    .fd = fd,
					    .begin_ns = when,
					    .end_ns = when };
	long n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof(path) - 1);

	if (n < 0)
		return;
	path[n] = '\0';
	r.extra = stat_of(fd, &r.len, &r.pos) << 16;
	r.flags = (uint32_t)syscall(SYS_fcntl, fd, F_GETFL);
	if (syscall(SYS_fcntl, fd, F_GETFD) == FD_CLOEXEC)
		r.flags |= O_CLOEXEC;
	r.ret = syscall(SYS_lseek, fd, 0, SEEK_CUR);
	preload_put(&r, path, NULL);
}

/* Those that are open; readdir and opendir would allocate. */
static void put_descriptors(uint64_t when)
{
	static const char folder[] = "/proc/self/fd/";
	char names[1024], link[sizeof(folder) + 16];
	int dir = (int)syscall(SYS_openat, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n;

	if (dir < 0)
		return;
	memcpy(link, folder, sizeof(folder));
	while ((n = syscall(SYS_getdents64, dir, names, sizeof(names))) > 0)
		for (long at = 0; at < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(names + at);
			int fd = 0;

			at += entry->d_reclen;
			for (const char *c = entry->d_name; *c >= '0' && *c <= '9'; c++)
				fd = fd * 10 + *c - '0';
			if (*entry->d_name == '.' || fd == dir)
				continue;
			memcpy(link + sizeof(folder) - 1, entry->d_name,
			       strnlen(entry->d_name, 15) + 1);
			put_descriptor(fd, link, when);
		}
	syscall(SYS_close, dir);
}

void preload_task_begin(uint64_t when)
{
	char name[17] = "", directory[PATH_MAX];
	long n = syscall(SYS_getcwd, directory, sizeof(directory));

	*(int *)(uintptr_t)preload.same = 1;
	preload.tgid = raw_pid();
	preload_self = (struct preload_thread){ .tid = raw_tid() };
	syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0);
	put_own(IOTRACE_PRELOAD_START, preload.tgid, preload_self.tid, when, syscall(SYS_getppid),
		name, n > 0 ? directory : "");
	put_descriptors(when);
}

/* ---- fork(3) */

void preload_fork(void)
{
	struct iotrace_preload_record r = { .state = IOTRACE_PRELOAD_FORK, .fd = -1, .pos = -1 };
	int err = errno;

	r.begin_ns = r.end_ns = preload_now();
	preload_task(&r);
	preload_put(&r, NULL, NULL);
	errno = err;
}

static void in_child(void)
{
	int32_t maker = preload_self.tid;
	int err = errno;

	*(int *)(uintptr_t)preload.same = 1;
	preload.tgid = raw_pid();
	preload_self = (struct preload_thread){ .tid = raw_tid() };
	put_own(IOTRACE_PRELOAD_CHILD, preload.tgid, preload_self.tid, preload_now(), maker, NULL,
		NULL);
	errno = err;
}

/* ---- the library begins */

static int always_same = 1;

/* A page of which children of fork have an empty one. */
static void watch_forks(void)
{
	long size = sysconf(_SC_PAGESIZE);
	void *page = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page != MAP_FAILED && !syscall(SYS_madvise, page, size, MADV_WIPEONFORK)) {
		preload.same = page;
	} else { /* a kernel before 4.14 */
		preload.same = &always_same;
		preload.always = true;
	}
	pthread_atfork(preload_fork, NULL, in_child);
}

__attribute__((constructor(101))) static void begin(void)
{
	const char *name = secure_getenv("IOTRACE_PRELOAD");
	int err = errno;

	if (name && *name && preload_file_open(name)) {
		watch_forks();
		preload_task_begin(preload_now());
		preload.on = true;
	}
	errno = err;
}
