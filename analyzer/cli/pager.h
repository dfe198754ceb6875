/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard output through the user's pager, as git and perf do. The pager starts with the first
 * byte of output, so a progress line and messages before it stay on the terminal.
 */
#ifndef IOT_CLI_PAGER_H
#define IOT_CLI_PAGER_H

#include <glib.h>
#include <sys/types.h>

struct iot_pager {
	pid_t child;  /* 0: there is no pager */
	int terminal; /* the standard output before */
};

/**
 * iot_pager_start - redirect standard output to PAGER, else to less or more
 *
 * Before the first thread. Does nothing if standard output is no terminal, if PAGER is empty or
 * "cat", or if there is no such program.
 */
void iot_pager_start(struct iot_pager *pager);
/** iot_pager_end - end the output, wait until the user leaves the pager, restore standard output */
void iot_pager_end(struct iot_pager *pager);

#endif
