/* SPDX-License-Identifier: GPL-2.0-only */
/* Lookup of the file of a descriptor of the current task, without taking a reference. */
#ifndef IOTRACE_FILES_H
#define IOTRACE_FILES_H

#include <linux/fs.h>
#include <linux/types.h>

struct iotrace_file {
	u64 ino;
	s64 pos;	/* -1: the file has no position */
	u32 dev;
	u32 gen;	/* generation of the inode; 0: unknown */
	u16 kind;	/* S_IFMT bits */
	bool append;	/* writes go to the end, whatever their position */
};

#ifndef RWF_NOAPPEND	/* from 6.9 on */
#define RWF_NOAPPEND ((__force __kernel_rwf_t)0x00000020)
#endif

/** iotrace_appends - does a write with flags @rwf append? @append: the file was opened for appending */
static inline bool iotrace_appends(bool append, u32 rwf)
{
	if (rwf & (__force u32)RWF_NOAPPEND)
		return false;
	return append || (rwf & (__force u32)RWF_APPEND);
}

struct file;

/** iotrace_file_read - describe @file; the caller is in an RCU read-side section in which it was seen open */
bool iotrace_file_read(struct file *file, struct iotrace_file *out);

/**
 * iotrace_file_at - describe the file of a descriptor of the current task
 * @fd: number
 * @out: filled in; without a file all members are 0, and the position -1
 *
 * Return: false if the descriptor is closed, or another thread is closing it. Context: any in which the task is
 * current; does not sleep.
 */
bool iotrace_file_at(unsigned int fd, struct iotrace_file *out);

/** iotrace_file_next - the first open descriptor from @fd to @last; -1: none */
int iotrace_file_next(unsigned int fd, unsigned int last);

/** iotrace_files_from - number of open descriptors from @fd to @last; counts only the next million */
u32 iotrace_files_from(unsigned int fd, unsigned int last);

/**
 * iotrace_file_path - the path of an open file of the current task, from the root directory of the task on
 * @fd: number
 * @buffer: may be used
 * @size: of @buffer
 *
 * Return: the path, somewhere in @buffer or constant. Empty if the file has no path (deleted, opened by a handle with
 * an unknown directory, on an invisible file system), or if the path is too long, which is counted.
 * Context: as iotrace_file_at().
 */
const char *iotrace_file_path(unsigned int fd, char *buffer, size_t size);

/** iotrace_cwd_dev - device of the working directory of the current task */
u32 iotrace_cwd_dev(void);

/** iotrace_root_dev - device of the root directory of the current task */
u32 iotrace_root_dev(void);

#endif /* IOTRACE_FILES_H */
