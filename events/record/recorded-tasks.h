/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose system calls are recorded on this machine. */
#ifndef REC_RECORDED_TASKS_H
#define REC_RECORDED_TASKS_H

#include "plan.h"

/**
 * rec_tasks_choose - limit the plan's instance to the command and its descendants, or leave this
 * process and those that it will start out of it
 * @out_note: if nobody is left out of a recording of system calls, why; or NULL. The caller frees
 *
 * The command of the plan waits to be released. Only models of system calls are limited: other
 * events, such as the end of a request of a disk, come in the context of any task.
 */
gboolean rec_tasks_choose(const struct rec_plan *plan, char **out_note, GError **error);

#endif
