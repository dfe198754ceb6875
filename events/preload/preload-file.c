/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file: made whole or not at all, and grown by segments whose space is there before they are
 * used, so that a full disk never becomes a SIGBUS. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "preload-local.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
	SEGMENT_CHUNKS = 64,
	SEGMENT = SEGMENT_CHUNKS * IOTRACE_PRELOAD_CHUNK, /* 4 MiB */
	SEGMENTS = 1 << 16,
};

static char path[PATH_MAX];
static struct iotrace_preload_head *head;
static char *segments[SEGMENTS]; /* mapped; never unmapped, as other threads may write there */

void preload_say(const char *file, const char *what)
{
	static const char name[] = "libiotrace-preload: ", end[] = ": nothing is recorded\n";
	char line[PATH_MAX + 256], *at = line;

	at = mempcpy(at, name, sizeof(name) - 1);
	at = mempcpy(at, file, strnlen(file, PATH_MAX));
	at = mempcpy(at, ": ", 2);
	at = mempcpy(at, what, strnlen(what, 128));
	at = mempcpy(at, end, sizeof(end) - 1);
	syscall(SYS_write, 2, line, (size_t)(at - line));
}

static int open_raw(const char *name, int flags)
{
	return (int)syscall(SYS_openat, AT_FDCWD, name, flags | O_CLOEXEC, 0666);
}

static void close_raw(int fd)
{
	syscall(SYS_close, fd);
}

/* The first line of a file. */
static void read_line(const char *name, char *out, size_t size)
{
	int fd = open_raw(name, O_RDONLY);
	long n = fd >= 0 ? syscall(SYS_read, fd, out, size - 1) : -1;

	if (fd >= 0)
		close_raw(fd);
	out[n > 0 ? n : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

/* Space for the file from @from on; it is never shorter afterwards. */
static bool reserve(int fd, uint64_t from, uint64_t size)
{
	struct rlimit limit;

	/* beyond this limit the kernel sends SIGXFSZ */
	if (syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) ||
	    (limit.rlim_cur != RLIM_INFINITY && from + size > limit.rlim_cur))
		return false;
	return syscall(SYS_fallocate, fd, 0, (off_t)from, (off_t)size) == 0;
}

static void *map(int fd, uint64_t from, size_t size)
{
	void *at = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				   (off_t)from);

	return at == MAP_FAILED ? NULL : at;
}

static void fill_head(struct iotrace_preload_head *out, const char *boot_id)
{
	struct timespec mono, real, again;
	struct stat st;
	struct utsname names;

	memcpy(out->magic, IOTRACE_PRELOAD_MAGIC, sizeof(IOTRACE_PRELOAD_MAGIC));
	out->version = IOTRACE_PRELOAD_VERSION;
	out->byte_order = 0x01020304;
	strncpy(out->boot_id, boot_id, sizeof(out->boot_id) - 1);
	if (!uname(&names)) {
		memcpy(out->host, names.nodename, strnlen(names.nodename, 64));
		memcpy(out->kernel, names.release, strnlen(names.release, 64));
	}
	if (!syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &st, 0))
		out->pid_namespace = st.st_ino;
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &again);
	out->mono_ns = ((uint64_t)mono.tv_sec + (uint64_t)again.tv_sec) * 500000000u +
		       ((uint64_t)mono.tv_nsec + (uint64_t)again.tv_nsec) / 2;
	out->real_ns = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
	out->chunks = 1;
}

/* Make the file under another name and give it its own when it is whole; the process that comes
 * second uses that of the first. */
static int make(const char *boot_id)
{
	char temporary[PATH_MAX + 16], *digit = temporary + strlen(path);
	struct iotrace_preload_head *fresh;
	int fd, err = 0;

	memcpy(temporary, path, (size_t)(digit - temporary));
	*digit++ = '.';
	for (unsigned long pid = (unsigned long)syscall(SYS_getpid); pid; pid /= 10)
		*digit++ = (char)('0' + pid % 10);
	*digit = '\0';
	fd = open_raw(temporary, O_RDWR | O_CREAT | O_EXCL);
	if (fd < 0)
		return -errno;
	fresh = reserve(fd, 0, IOTRACE_PRELOAD_CHUNK) ? map(fd, 0, IOTRACE_PRELOAD_CHUNK) : NULL;
	if (fresh) {
		fill_head(fresh, boot_id);
		syscall(SYS_munmap, fresh, IOTRACE_PRELOAD_CHUNK);
		if (syscall(SYS_linkat, AT_FDCWD, temporary, AT_FDCWD, path, 0) && errno != EEXIST)
			err = -errno;
	} else {
		err = errno == EOPNOTSUPP ? -EOPNOTSUPP : -ENOSPC;
	}
	syscall(SYS_unlinkat, AT_FDCWD, temporary, 0);
	close_raw(fd);
	return err ? err : open_raw(path, O_RDWR);
}

/* FILE with %h replaced by the host's name, absolute. */
static bool set_path(const char *name)
{
	struct utsname names;
	size_t n = 0;

	if (*name != '/') {
		if (syscall(SYS_getcwd, path, sizeof(path)) < 0)
			return false;
		n = strlen(path);
		path[n++] = '/';
	}
	for (; *name && n < sizeof(path) - 72; name++) {
		if (name[0] == '%' && name[1] == 'h' && !uname(&names)) {
			n = (size_t)((char *)mempcpy(path + n, names.nodename,
						     strnlen(names.nodename, 64)) -
				     path);
			name++;
		} else {
			path[n++] = *name;
		}
	}
	path[n] = '\0';
	return !*name;
}

static const char *refusal(int err)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
	case -EROFS:
		return "this process may not write it";
	case -ENOENT:
		return "there is no such folder";
	case -EOPNOTSUPP:
		return "its file system cannot reserve space; use another one";
	case -ENOSPC:
	case -EDQUOT:
		return "there is no space for it";
	default:
		return "it cannot be made or opened";
	}
}

bool preload_file_open(const char *name)
{
	char boot_id[40];
	const char *why = NULL;
	int fd;

	if (!set_path(name)) {
		preload_say(name, "the name is too long");
		return false;
	}
	read_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	fd = open_raw(path, O_RDWR);
	if (fd < 0)
		fd = errno == ENOENT ? make(boot_id) : -errno;
	if (fd < 0) {
		preload_say(path, refusal(fd));
		return false;
	}
	if (syscall(SYS_lseek, fd, 0, SEEK_END) >= IOTRACE_PRELOAD_CHUNK)
		head = map(fd, 0, IOTRACE_PRELOAD_CHUNK);
	close_raw(fd);
	if (!head || memcmp(head->magic, IOTRACE_PRELOAD_MAGIC, sizeof(IOTRACE_PRELOAD_MAGIC)) ||
	    head->version != IOTRACE_PRELOAD_VERSION || head->byte_order != 0x01020304)
		why = "it is there, and is not a recording of this library";
	else if (strcmp(head->boot_id, boot_id) != 0)
		why = "it is of another machine or an earlier boot; remove it, or name the file "
		      "after the host with %h";
	if (why)
		preload_say(path, why);
	return !why;
}

/* Where a chunk is; NULL: there is no space. */
static char *chunk_at(uint64_t number)
{
	uint64_t index = (number - 1) / SEGMENT_CHUNKS;
	uint64_t from = IOTRACE_PRELOAD_CHUNK + index * SEGMENT;
	char *at, *none = NULL;
	int fd;

	if (index >= SEGMENTS)
		return NULL;
	at = __atomic_load_n(&segments[index], __ATOMIC_ACQUIRE);
	if (!at) {
		fd = open_raw(path, O_RDWR);
		at = fd >= 0 && reserve(fd, from, SEGMENT) ? map(fd, from, SEGMENT) : NULL;
		if (fd >= 0)
			close_raw(fd);
		if (!at)
			return NULL;
		syscall(SYS_madvise, at, SEGMENT, MADV_POPULATE_WRITE);
		if (!__atomic_compare_exchange_n(&segments[index], &none, at, false,
						 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			syscall(SYS_munmap, at, SEGMENT);
			at = none;
		}
	}
	return at + ((number - 1) % SEGMENT_CHUNKS) * IOTRACE_PRELOAD_CHUNK;
}

/* Another chunk instead of the full one; FALSE: there is no space. */
static bool next_chunk(uint64_t *shard, uint64_t full)
{
	uint64_t number = __atomic_exchange_n(&head->spare, 0, __ATOMIC_ACQ_REL);

	if (!number) {
		number = __atomic_load_n(&head->chunks, __ATOMIC_RELAXED);
		/* a chunk without space is not taken: the next record tries again */
		do {
			if (!chunk_at(number))
				return false;
		} while (!__atomic_compare_exchange_n(&head->chunks, &number, number + 1, false,
						      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	}
	if (!__atomic_compare_exchange_n(shard, &full, number, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		__atomic_store_n(&head->spare, number, __ATOMIC_RELEASE);
	return true;
}

struct iotrace_preload_record *preload_take(int32_t tid, unsigned int n)
{
	uint64_t *shard = &head->shard[(uint32_t)tid % IOTRACE_PRELOAD_SHARDS];

	for (;;) {
		uint64_t number = __atomic_load_n(shard, __ATOMIC_ACQUIRE);
		char *chunk = number ? chunk_at(number) : NULL;
		struct iotrace_preload_record *slot;
		uint32_t before;

		if (chunk) {
			before = __atomic_fetch_add(&((struct iotrace_preload_chunk *)chunk)->taken,
						    n, __ATOMIC_RELAXED);
			slot = (struct iotrace_preload_record *)chunk + 1 + before;
			if (before + n < IOTRACE_PRELOAD_SLOTS)
				return slot;
			if (before + 1 < IOTRACE_PRELOAD_SLOTS)
				__atomic_store_n(&slot->state, IOTRACE_PRELOAD_PAD,
						 __ATOMIC_RELEASE);
		}
		if ((number && !chunk) || !next_chunk(shard, number)) {
			if (!__atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED))
				__atomic_store_n(&head->lost_ns, preload_now(), __ATOMIC_RELAXED);
			return NULL;
		}
	}
}
