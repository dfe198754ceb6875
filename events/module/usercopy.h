/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads arguments of system calls from user memory, without sleeping: absent pages are not fetched. */
#ifndef IOTRACE_USERCOPY_H
#define IOTRACE_USERCOPY_H

#include <linux/types.h>

/**
 * iotrace_copy_path - copy a string of the program
 * @dst: IOTRACE_PATH_MAX bytes, always terminated; a longer path is cut, which is counted
 * @user: address; 0 gives an empty path
 *
 * Return: false, with an empty path, if the string was not in memory.
 */
bool iotrace_copy_path(char *dst, unsigned long user);

/** iotrace_sum_iovec - bytes of @count buffers listed at @user; -1 and counted if the list was not in memory */
s64 iotrace_sum_iovec(unsigned long user, unsigned long count);

/** iotrace_copy_position - the file position at @user; -1 if it was not in memory */
s64 iotrace_copy_position(unsigned long user);

/** iotrace_copy_how - flags and mode of openat2(), 0 if they were not in memory */
void iotrace_copy_how(unsigned long user, u32 *flags, u32 *mode);

#endif /* IOTRACE_USERCOPY_H */
