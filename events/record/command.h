/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's command, which runs while something records. */
#ifndef REC_COMMAND_H
#define REC_COMMAND_H

#include <glib.h>

/** rec_command_check - 0: the command can be started; else 126 or 127 and an error */
int rec_command_check(char *const *command, GError **error);
/** rec_command_private - from now on only their owner may read the files that we and trace-cmd make;
 * the command keeps the mask that we were started with */
void rec_command_private(void);

/* A process that waits to become the command: before that, it can be chosen for recording. */
struct rec_command {
	GPid pid; /* 0: none */
	int gate; /* -1: it has started */
};

/**
 * rec_command_hold - make the process, of the caller of sudo; pid is 0 if none can be made
 *
 * It stays in our process group, and so keeps the terminal and gets its Ctrl-C. It gets SIGTERM if we
 * are killed.
 */
struct rec_command rec_command_hold(char **command);
/** rec_command_release - let it become the command */
GPid rec_command_release(struct rec_command *command);
/** rec_command_cancel - end the process, if it still waits */
void rec_command_cancel(struct rec_command *command);
/** rec_command_status - exit status of an ended process, as a shell has it */
int rec_command_status(int wait_status);

#endif
