/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock-pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0, or -1 and errno */
static int copy_old(const char *path, FILE *out)
{
	FILE *old = fopen(path, "re");
	int c, last = '\n', status;

	if (!old)
		return errno == ENOENT ? 0 : -1;
	while ((c = getc(old)) != EOF) {
		putc(c, out);
		last = c;
	}
	if (last != '\n')
		putc('\n', out);
	status = ferror(old) ? -1 : 0;
	fclose(old);
	return status;
}

static void print(const struct clock_pairs *to, const struct clock_reading *readings,
		  unsigned int n, FILE *out)
{
	fprintf(out, "# iotrace-clock %s, clock %s\n", IOT_VERSION, to->clock);
	for (unsigned int i = 0; i < n; i++)
		fprintf(out, "%s %" PRIu64 "ns %s %" PRIu64 "ns %" PRIu64 "ns\n", to->reference,
			readings[i].reference_ns, readings[i].name, readings[i].machine_ns,
			readings[i].error_ns);
}

/* 0, or -1 and errno; closes in any case */
static int finish(FILE *out)
{
	int bad = fflush(out) || ferror(out) || fsync(fileno(out)), problem = errno;

	bad = fclose(out) || bad;
	if (bad && problem)
		errno = problem;
	return bad ? -1 : 0;
}

int clock_pairs_write(const struct clock_pairs *to, const struct clock_reading *readings,
		      unsigned int n, int append, struct clock_error *error)
{
	char temporary[4096];
	int fd, problem = 0;
	struct stat st;
	FILE *out;

	if (!strcmp(to->path, "-")) {
		print(to, readings, n, stdout);
		return fflush(stdout) ? clock_fail(error, "standard output: %s", strerror(errno))
				      : 0;
	}
	if (!stat(to->path, &st) && !S_ISREG(st.st_mode))
		return clock_fail(error, "cannot write %s: it is not a regular file", to->path);
	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", to->path) >= (int)sizeof(temporary))
		return clock_fail(error, "%.64s...: the name is too long", to->path);
	fd = mkostemp(temporary, 0);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out)
		return clock_fail(error, "cannot write %s: %s", to->path, strerror(errno));
	(void)fchmod(fd, 0644);
	if (append && copy_old(to->path, out))
		problem = errno;
	print(to, readings, n, out);
	if ((finish(out) || (!problem && rename(temporary, to->path))) && !problem)
		problem = errno;
	if (!problem)
		return 0;
	unlink(temporary);
	return clock_fail(error, "cannot write %s: %s", to->path, strerror(problem));
}
