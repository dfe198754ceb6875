/* SPDX-License-Identifier: GPL-2.0 */
/* What is behind a descriptor of the current task, looked up without taking a reference. */
#ifndef IOTRACE_FILES_H
#define IOTRACE_FILES_H

#include <linux/types.h>

struct iotrace_file {
	u64 ino;
	s64 pos;	/* -1: the file has no position */
	u32 dev;
	u16 kind;	/* S_IFMT bits */
	bool append;	/* writes go to the end, wherever they were meant to go */
};

struct file;

/** iotrace_file_read - describe @file; the caller is in an RCU read-side section in which it was seen open */
bool iotrace_file_read(struct file *file, struct iotrace_file *out);

/**
 * iotrace_file_at - what a descriptor of the current task stands for
 * @fd: number
 * @out: filled in
 *
 * Return: false if it is not open, or was being closed by another thread. Context: any in which the task is
 * current; does not sleep.
 */
bool iotrace_file_at(unsigned int fd, struct iotrace_file *out);

/** iotrace_file_next - the first open descriptor from @fd to @last; -1: none */
int iotrace_file_next(unsigned int fd, unsigned int last);

/** iotrace_cwd_dev - device of the working directory of the current task */
u32 iotrace_cwd_dev(void);

#endif /* IOTRACE_FILES_H */
