/* SPDX-License-Identifier: GPL-2.0 */
/* File I/O of system calls: from the probes on raw_syscalls to the events. */
#ifndef IOTRACE_FILEIO_H
#define IOTRACE_FILEIO_H

/** iotrace_fileio_get - one more event of the system calls is enabled. Context: may sleep. Return: 0 or an error */
int iotrace_fileio_get(void);

/** iotrace_fileio_put - one less; the system calls run at full speed again after the last. Context: may sleep */
void iotrace_fileio_put(void);

int iotrace_fileio_init(void);
void iotrace_fileio_exit(void);

#endif /* IOTRACE_FILEIO_H */
