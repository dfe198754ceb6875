/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text recordings (iotrace-text(5)), for programs on machines without the module. The lines of one
 * file are in the order of their times, with any number of writers: the time is taken under a lock,
 * which excludes the other threads by a mutex and the other processes by a lock on the file.
 */
#include "user-local.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 4096
/* a byte becomes \xNN at most, and two quotes */
#define QUOTED(size) (4 * (size) + 3)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int lock_file(int fd, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
	int result;

	do
		result = fcntl(fd, F_SETLKW, &lock);
	while (result < 0 && errno == EINTR);
	return result < 0 ? -errno : 0;
}

/* After a failure no half line stays if the file system can take it back. */
static int write_whole(int fd, const char *text, size_t len)
{
	off_t before = lseek(fd, 0, SEEK_END);
	ssize_t n = write(fd, text, len);

	if (n == (ssize_t)len)
		return 0;
	if (n > 0 && before >= 0 && ftruncate(fd, before) < 0)
		return -EIO;
	return n < 0 ? -errno : -ENOSPC;
}

/* Under the locks. */
static int write_line(int fd, const char *event, const char *fields)
{
	char line[LINE_MAX_BYTES];
	struct timespec now;
	int n, cpu = sched_getcpu();

	clock_gettime(CLOCK_MONOTONIC, &now);
	n = snprintf(line, sizeof(line), "%" PRIu64 " %d %d %s %s\n",
		     (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, cpu < 0 ? 0 : cpu,
		     gettid(), event, fields);
	if (n < 0 || (size_t)n >= sizeof(line))
		return -E2BIG;
	return write_whole(fd, line, (size_t)n);
}

/* A line "boot ID" if the machine says it; returns its length. */
static int boot_line(char *out, size_t size)
{
	char id[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, id, sizeof(id) - 1) < 0)
		id[0] = '\0';
	if (fd >= 0)
		close(fd);
	id[strcspn(id, "\n")] = '\0';
	return *id ? snprintf(out, size, "boot %s\n", id) : 0;
}

/* Host and boot: by both iotrace-analyze knows other recordings of this machine. */
static int make_head(char *out, size_t size)
{
	char host[65] = "";
	int n = snprintf(out, size, "iotrace-text 1\nclock mono\n");

	if (gethostname(host, sizeof(host) - 1) || !*host)
		return n;
	n += snprintf(out + n, size - (size_t)n, "hostname %s\n", host);
	return n + boot_line(out + n, size - (size_t)n);
}

int iotrace_text_begin(int fd)
{
	char head[256];
	int err, n = make_head(head, sizeof(head));

	pthread_mutex_lock(&mutex);
	err = lock_file(fd, F_WRLCK);
	if (!err && lseek(fd, 0, SEEK_END) == 0)
		err = write_whole(fd, head, (size_t)n);
	(void)lock_file(fd, F_UNLCK);
	pthread_mutex_unlock(&mutex);
	return err;
}

/* A line: the time, CPU and thread, @event, and @fields; 0 or -errno. */
static int append_line(int fd, const char *event, const char *fields)
{
	int err;

	pthread_mutex_lock(&mutex);
	err = lock_file(fd, F_WRLCK);
	if (!err)
		err = write_line(fd, event, fields);
	(void)lock_file(fd, F_UNLCK);
	pthread_mutex_unlock(&mutex);
	return err;
}

void iotrace_text_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void iotrace_text_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Quotes @text, of at most @size bytes. */
static void quote(char *out, const char *text, size_t size)
{
	*out++ = '"';
	for (size_t i = 0; i < size && text[i]; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c > '~') {
			out += sprintf(out, "\\x%02x", c);
		} else {
			if (c == '"' || c == '\\')
				*out++ = '\\';
			*out++ = (char)c;
		}
	}
	*out++ = '"';
	*out = '\0';
}

int iotrace_text_record(int fd, const struct iotrace_record *r)
{
	static const char *const events[] = {
		[IOTRACE_CALL_START] = "iotrace:call_start",
		[IOTRACE_CALL_END] = "iotrace:call_end",
		[IOTRACE_CALL_DONE] = "iotrace:call_done",
		[IOTRACE_CALL_NOTIFY] = "iotrace:call_notify",
	};
	char domain[QUOTED(IOTRACE_DOMAIN_SIZE)], resource[QUOTED(IOTRACE_RESOURCE_SIZE)];
	char op[QUOTED(IOTRACE_OP_SIZE)], fields[LINE_MAX_BYTES];

	quote(domain, r->domain, sizeof(r->domain));
	quote(resource, r->resource, sizeof(r->resource));
	quote(op, r->op, sizeof(r->op));
	snprintf(fields, sizeof(fields),
		 "id=%" PRIu64 " object=%" PRIu64 " tgid=%d mode=%d status=%d flags=%#x "
		 "domain=%s resource=%s op=%s",
		 (uint64_t)r->id, (uint64_t)r->object, getpid(), r->mode, r->status, r->flags,
		 domain, resource, op);
	return append_line(fd, events[r->kind], fields);
}

int iotrace_text(const char *event, const char *format, ...)
{
	char fields[LINE_MAX_BYTES];
	int saved = errno, fd, err, n;
	va_list args;

	fd = iotrace_device_text();
	if (fd < 0)
		return 0;
	va_start(args, format);
	n = vsnprintf(fields, sizeof(fields), format, args);
	va_end(args);
	err = n < 0 || (size_t)n >= sizeof(fields) ? -E2BIG : append_line(fd, event, fields);
	errno = saved;
	return err;
}
