/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests of io_submit() (Linux AIO). */
#ifndef IOTRACE_SUBMIT_H
#define IOTRACE_SUBMIT_H

#include <linux/types.h>

struct iotrace_file_args;

/* Requests of one io_submit() that are examined. */
#define IOTRACE_SUBMIT_MAX 256

/**
 * iotrace_submit_read - read one request
 * @list: address of the program's array of pointers to struct iocb
 * @i: number of the request
 * @a: op, fd, pos, len, segs and flags are filled in
 *
 * Return: false if the request concerns no file, or is not in memory, which is counted.
 */
bool iotrace_submit_read(unsigned long list, u32 i, struct iotrace_file_args *a);

#endif /* IOTRACE_SUBMIT_H */
