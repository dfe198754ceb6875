/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests of io_uring on files: the events aio_start and aio_done. */
#ifndef IOTRACE_URING_H
#define IOTRACE_URING_H

int iotrace_uring_init(void);
void iotrace_uring_exit(void);

#endif /* IOTRACE_URING_H */
