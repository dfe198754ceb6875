/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call by a path in an untouched page: the kernel reads the path when it makes the call, and not
 * before. usage: late-path open|stat FILE     FILE: its text is the path
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int from = argc == 3 ? open(argv[2], O_RDONLY) : -1, fd;
	struct stat st;
	char *path, byte;

	if (from < 0)
		errx(2, "usage: late-path open|stat FILE");
	path = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, from, 0);
	if (path == MAP_FAILED)
		err(1, "%s", argv[2]);
	if (!strcmp(argv[1], "stat"))
		return stat(path, &st) != 0;
	fd = open(path, O_RDONLY);
	return fd < 0 || read(fd, &byte, 1) != 1;
}
