/* SPDX-License-Identifier: GPL-2.0-only */
/* File I/O of system calls: from the probes on raw_syscalls to the events. */
#ifndef IOTRACE_FILEIO_H
#define IOTRACE_FILEIO_H

int iotrace_fileio_init(void);
void iotrace_fileio_exit(void);

#endif /* IOTRACE_FILEIO_H */
