/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock-mark.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROW = 8 };

static uint64_t now(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Empty if the machine does not say it. */
static void read_boot_id(char *out, size_t size)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

int clock_mark(const char *marker)
{
	char boot_id[64];
	int fd = open(marker, O_WRONLY | O_CLOEXEC), result = fd < 0 ? -1 : 0, saved;

	read_boot_id(boot_id, sizeof(boot_id));
	for (int i = 0; i < ROW && result == 0; i++) {
		char text[224];
		int n = snprintf(text, sizeof(text),
				 CLOCK_MARK_TEXT "mono=%" PRIu64 " boot=%" PRIu64 " real=%" PRIu64
						 " tai=%" PRIu64 "%s%s\n",
				 now(CLOCK_MONOTONIC), now(CLOCK_BOOTTIME), now(CLOCK_REALTIME),
				 now(CLOCK_TAI), *boot_id ? " boot_id=" : "", boot_id);

		if (write(fd, text, (size_t)n) < 0)
			result = -1;
	}
	saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return result;
}
