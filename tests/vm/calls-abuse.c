/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All records that /dev/iotrace must refuse or accept, one after the other. For each accepted
 * record the expected line of the trace goes to standard output; failures go to standard error.
 * Offsets and numbers are repeated here, so that a change of the interface shows.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE	 "/dev/iotrace"
#define RECORD	 512
#define DOMAIN	 64
#define RESOURCE 160
#define OP	 480
#define IDS	 _IOC(_IOC_READ | _IOC_WRITE, 0xD7, 1, 16)

static int failures, device;
static uint64_t next_id = 1;

#define EXPECT(result, expected, ...)                                                 \
	do {                                                                          \
		long long got_ = (result), want_ = (expected);                        \
		if (got_ != want_) {                                                  \
			failures++;                                                   \
			fprintf(stderr, "calls-abuse: ");                             \
			fprintf(stderr, __VA_ARGS__);                                 \
			fprintf(stderr, ": got %lld instead of %lld\n", got_, want_); \
		}                                                                     \
	} while (0)

/* -errno instead of -1 */
static long long outcome(long long result)
{
	return result == -1 ? -errno : result;
}

/* write(2) of anything, without the compiler's warnings */
static long long emit(const void *data, size_t len)
{
	return outcome(syscall(SYS_write, device, data, len));
}

static void put(void *record, size_t at, uint64_t value, size_t size)
{
	memcpy((char *)record + at, &value, size); /* little-endian, as the guest is */
}

static uint64_t get(const void *record, size_t at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, (const char *)record + at, size);
	return value;
}

/* A good record; each has its own id. */
static void make(void *record)
{
	memset(record, 0, RECORD);
	put(record, 0, 0x494f5452, 4);
	put(record, 4, 1, 2);
	put(record, 6, RECORD, 2);
	put(record, 8, 1 + next_id % 4, 2);
	put(record, 12, (uint64_t)-1, 4);
	put(record, 24, next_id, 8);
	strcpy((char *)record + DOMAIN, "abuse");
	sprintf((char *)record + RESOURCE, "resource %llu", (unsigned long long)next_id++);
	strcpy((char *)record + OP, "test");
}

static void taken(const void *record, unsigned int count)
{
	static const char *const events[] = { "", "start", "end", "done", "notify" };

	for (; count--; record = (const char *)record + RECORD)
		printf("call_%s: id=%llu domain=%s resource=%s op=%s mode=%d status=%d object=%llu "
		       "flags=0x%x tgid=%d\n",
		       events[get(record, 8, 2)], (unsigned long long)get(record, 24, 8),
		       (const char *)record + DOMAIN, (const char *)record + RESOURCE,
		       (const char *)record + OP, (int)get(record, 12, 4), (int)get(record, 16, 4),
		       (unsigned long long)get(record, 32, 8), (unsigned int)get(record, 20, 4),
		       getpid());
}

/* --- records --- */

static const struct bad {
	const char *what;
	unsigned int at, size; /* size 0: the text that begins there has no end */
	uint64_t value;
	int error;
} bads[] = {
	{ "magic 0", 0, 4, 0, EINVAL },
	{ "magic with its bytes swapped", 0, 4, 0x52544f49, EINVAL },
	{ "version 0", 4, 2, 0, EPROTONOSUPPORT },
	{ "version 2", 4, 2, 2, EPROTONOSUPPORT },
	{ "version 65535", 4, 2, 65535, EPROTONOSUPPORT },
	{ "size 0", 6, 2, 0, EMSGSIZE },
	{ "size 511", 6, 2, 511, EMSGSIZE },
	{ "size 513", 6, 2, 513, EMSGSIZE },
	{ "kind 0", 8, 2, 0, EINVAL },
	{ "kind 5", 8, 2, 5, EINVAL },
	{ "kind 257", 8, 2, 257, EINVAL },
	{ "kind 65535", 8, 2, 65535, EINVAL },
	{ "reserved bytes 10", 10, 2, 1, EINVAL },
	{ "reserved bytes 40", 40, 8, 1, EINVAL },
	{ "reserved bytes 48", 48, 8, 0x8000000000000000, EINVAL },
	{ "reserved bytes 56", 56, 8, 0x0100000000000000, EINVAL },
	{ "domain without end", DOMAIN, 0, 96, EINVAL },
	{ "resource without end", RESOURCE, 0, 320, EINVAL },
	{ "op without end", OP, 0, 32, EINVAL },
};

static void spoil(void *record, const struct bad *bad)
{
	if (bad->size)
		put(record, bad->at, bad->value, bad->size);
	else
		memset((char *)record + bad->at, 'x', bad->value);
}

/* Alone, and in the middle of good ones. */
static void test_bad_records(void)
{
	char records[5][RECORD];

	for (size_t i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		for (int k = 0; k < 5; k++)
			make(records[k]);
		spoil(records[2], &bads[i]);
		EXPECT(emit(records[2], RECORD), -bads[i].error, "%s", bads[i].what);
		EXPECT(emit(records, sizeof(records)), 2 * RECORD, "good before %s", bads[i].what);
		taken(records, 2);
	}
}

static void test_lengths(void)
{
	static const int short_ones[] = { 1, 3, 4, 8, 63, 64, 511 };
	char records[3][RECORD];

	for (int k = 0; k < 3; k++)
		make(records[k]);
	EXPECT(emit(records, 0), 0, "nothing");
	for (size_t i = 0; i < sizeof(short_ones) / sizeof(short_ones[0]); i++)
		EXPECT(emit(records, short_ones[i]), -EMSGSIZE, "%d bytes", short_ones[i]);
	EXPECT(emit(records, 513), RECORD, "a byte too much");
	EXPECT(emit(records[1], 1535 - RECORD), RECORD, "a byte too few");
	taken(records, 2);
}

/* Any number in any field that is not checked, and any bytes in a text. */
static void test_wild_values(void)
{
	static const uint64_t values[] = {
		0, 1, INT_MAX, (uint64_t)INT_MIN, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX
	};
	char r[RECORD];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		make(r);
		put(r, 12, values[i], 4);
		put(r, 16, values[i], 4);
		put(r, 20, values[i], 4);
		put(r, 24, values[i], 8);
		put(r, 32, values[i], 8);
		EXPECT(emit(r, RECORD), RECORD, "wild values %zu", i);
		taken(r, 1);
	}
	make(r);
	for (int i = 0; i < 255; i++)
		r[RESOURCE + i] = (char)(i + 1);
	r[RESOURCE + 255] = '\0';
	memset(r + RESOURCE + 256, 'x', 64); /* after the end: ignored */
	memset(r + DOMAIN, '%', 95);
	strcpy(r + OP, "%s%n%p");
	EXPECT(emit(r, RECORD), RECORD, "wild bytes");
	taken(r, 1);
	make(r);
	r[DOMAIN] = r[RESOURCE] = r[OP] = '\0';
	EXPECT(emit(r, RECORD), RECORD, "empty texts");
	taken(r, 1);
	make(r);
	memset(r + DOMAIN, 'd', 95);
	memset(r + RESOURCE, 'r', 319);
	memset(r + OP, 'o', 31);
	EXPECT(emit(r, RECORD), RECORD, "longest texts");
	taken(r, 1);
}

/* --- memory --- */

/* n records; the last is at the edge of readable memory, or beyond by some bytes. */
static char *make_at(char *edge, int n, int beyond)
{
	long page = sysconf(_SC_PAGESIZE);
	char *first = edge + beyond - n * RECORD;

	mprotect(edge, page, PROT_READ | PROT_WRITE);
	for (int k = 0; k < n; k++)
		make(first + k * RECORD);
	mprotect(edge, page, PROT_NONE);
	return first;
}

static void test_pointers(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *memory =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *edge = memory + page, *first;

	EXPECT(emit(NULL, RECORD), -EFAULT, "NULL");
	EXPECT(emit((void *)0xffff888000000000, RECORD), -EFAULT, "kernel memory");
	EXPECT(emit((void *)0x0000800000000000, RECORD), -EFAULT, "no such address");
	first = make_at(edge, 1, 1);
	EXPECT(emit(edge, RECORD), -EFAULT, "memory without permission");
	EXPECT(emit(first, RECORD), -EFAULT, "the last byte is not there");
	first = make_at(edge, 3, 412);
	EXPECT(emit(first, 3 * RECORD), 2 * RECORD, "the third is not all there");
	taken(first, 2);
	first = make_at(edge, 1, 0);
	EXPECT(emit(first, 0x7ffff000), RECORD, "2 GiB, of which one record is there");
	taken(first, 1);
	EXPECT(emit(memory, (size_t)-1), -EFAULT, "a negative length");
	munmap(memory, 2 * page);
}

static void test_vectors(void)
{
	char records[2][RECORD];
	struct iovec bytes[2 * RECORD];

	for (int i = 0; i < 2 * RECORD; i++)
		bytes[i] = (struct iovec){ (char *)records + i, 1 };
	make(records[0]);
	make(records[1]);
	EXPECT(outcome(writev(device, bytes, 1024)), 1024, "records in single bytes");
	taken(records, 2);
	make(records[0]);
	make(records[1]);
	bytes[700].iov_base = NULL;
	EXPECT(outcome(writev(device, bytes, 1024)), RECORD, "a bad pointer in the second");
	taken(records, 1);
	bytes[0].iov_base = NULL;
	EXPECT(outcome(writev(device, bytes, 1024)), -EFAULT, "a bad pointer in the first");
}

/* --- other calls on the device --- */

static void test_other_calls(void)
{
	char r[RECORD];
	int pipes[2], readable = open(DEVICE, O_RDONLY), self = open("/proc/self/exe", O_RDONLY);

	make(r);
	EXPECT(outcome(read(device, r, RECORD)), -EINVAL, "read");
	EXPECT(outcome(lseek(device, 0, SEEK_END)), -ESPIPE, "lseek");
	EXPECT(outcome(pwrite(device, r, RECORD, 0)), -ESPIPE, "pwrite");
	EXPECT(outcome(ftruncate(device, 0)), -EINVAL, "ftruncate");
	EXPECT(outcome(write(readable, r, RECORD)), -EBADF,
	       "write to a descriptor open for reading");
	EXPECT(outcome(sendfile(device, self, NULL, RECORD)), -EINVAL, "sendfile");
	EXPECT(pipe(pipes), 0, "pipe");
	EXPECT(write(pipes[1], r, RECORD), RECORD, "pipe");
	EXPECT(outcome(splice(pipes[0], NULL, device, NULL, RECORD, 0)), -EINVAL, "splice");
	EXPECT(outcome(ioctl(device, _IO(0xD7, 0), 0)), -ENOTTY, "ioctl 0");
	EXPECT(outcome(ioctl(device, _IO(0xD7, 1), 0)), -ENOTTY, "ioctl without a size");
	EXPECT(outcome(ioctl(device, TIOCGWINSZ, r)), -ENOTTY, "ioctl of terminals");
	close(readable);
	close(self);
	close(pipes[0]);
	close(pipes[1]);
}

static uint64_t ids(uint32_t count, uint32_t reserved, int expected)
{
	char request[16] = { 0 };

	put(request, 8, count, 4);
	put(request, 12, reserved, 4);
	EXPECT(outcome(ioctl(device, IDS, request)), expected, "%u ids", count);
	return get(request, 0, 8);
}

static void test_ids(void)
{
	uint64_t first = ids(1, 0, 0), second = ids(65536, 0, 0), third = ids(1, 0, 0);

	EXPECT((long long)(first >> 62), 1, "the top bits of an id");
	EXPECT((long long)(second - first), 1, "the second id");
	EXPECT((long long)(third - second), 65536, "the third block of ids");
	ids(0, 0, -EINVAL);
	ids(65537, 0, -EINVAL);
	ids(UINT32_MAX, 0, -EINVAL);
	ids(1, 1, -EINVAL);
	EXPECT(outcome(ioctl(device, IDS, NULL)), -EFAULT, "ids to NULL");
	EXPECT(outcome(ioctl(device, IDS, 0xffff888000000000)), -EFAULT, "ids into the kernel");
}

static int mapping_error(int fd, size_t size, int protection, int flags, off_t at)
{
	void *page = mmap(NULL, size, protection, flags, fd, at);

	if (page == MAP_FAILED)
		return -errno;
	munmap(page, size);
	return 0;
}

static void test_page(void)
{
	long size = sysconf(_SC_PAGESIZE);
	int memory = open("/proc/self/mem", O_RDWR), writing = open(DEVICE, O_WRONLY);
	char zeros[65536] = { 0 }, *page;

	EXPECT(mapping_error(device, size, PROT_READ | PROT_WRITE, MAP_SHARED, 0), -EPERM,
	       "a page to write");
	EXPECT(mapping_error(device, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0), -EPERM,
	       "a copy to write");
	EXPECT(mapping_error(device, size, PROT_WRITE, MAP_SHARED, 0), -EPERM,
	       "a page only to write");
	EXPECT(mapping_error(device, 2 * size, PROT_READ, MAP_SHARED, 0), -EINVAL, "two pages");
	EXPECT(mapping_error(device, size, PROT_READ, MAP_SHARED, size), -EINVAL,
	       "the second page");
	EXPECT(mapping_error(writing, size, PROT_READ, MAP_SHARED, 0), -EACCES,
	       "mmap, open for writing");
	EXPECT(mapping_error(device, size, PROT_READ, MAP_PRIVATE, 0), 0, "mmap, private");
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, device, 0);
	EXPECT(page == MAP_FAILED, 0, "mmap");
	EXPECT((long long)get(page, 0, 4), 0x494f5452, "magic of the page");
	EXPECT((long long)get(page, 4, 2), 1, "version of the page");
	EXPECT((long long)get(page, 6, 2), RECORD, "size of a record in the page");
	EXPECT((long long)get(page, 8, 4), 0x1e, "events that are recorded");
	EXPECT(memcmp(page + 12, zeros, size - 12), 0, "the rest of the page");
	EXPECT(outcome(mprotect(page, size, PROT_READ | PROT_WRITE)), -EACCES, "mprotect");
	EXPECT(outcome(pwrite(memory, "x", 1, (off_t)(uintptr_t)page)), -EIO,
	       "writing past the protection");
	EXPECT(page[0], 'R', "the first byte of the page");
	munmap(page, size);
	close(memory);
	close(writing);
}

/* Only root and the group: mode 0660. */
static void test_permission(void)
{
	struct stat st;
	int status;
	pid_t child;

	EXPECT(stat(DEVICE, &st), 0, "stat");
	EXPECT(st.st_mode & 07777, 0660, "mode of the device");
	child = fork();
	if (!child) {
		if (setgid(65534) || setuid(65534))
			_exit(255);
		_exit(open(DEVICE, O_RDWR) < 0 ? errno : 0);
	}
	waitpid(child, &status, 0);
	EXPECT(WEXITSTATUS(status), EACCES, "open by nobody");
}

int main(void)
{
	device = open(DEVICE, O_RDWR);
	if (device < 0) {
		perror("calls-abuse: " DEVICE);
		return 1;
	}
	test_bad_records();
	test_lengths();
	test_wild_values();
	test_pointers();
	test_vectors();
	test_other_calls();
	test_ids();
	test_page();
	test_permission();
	return failures > 0;
}
