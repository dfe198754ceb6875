/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's command, which runs while something records. */
#ifndef REC_COMMAND_H
#define REC_COMMAND_H

#include <glib.h>

/** rec_command_check - 0: the command can be started; else 126 or 127 and an error */
int rec_command_check(char *const *command, GError **error);
/**
 * rec_command_start - start it as the caller of sudo; 0: no process can be made
 *
 * It stays in our process group, and so keeps the terminal and gets its Ctrl-C.
 */
GPid rec_command_start(char **command);
/** rec_command_status - exit status of an ended process, as a shell has it */
int rec_command_status(int wait_status);

#endif
