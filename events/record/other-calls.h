/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that a recording with a model of system calls does not look at: the kernel
 * counts them. */
#ifndef REC_OTHER_CALLS_H
#define REC_OTHER_CALLS_H

#include "plan.h"

struct rec_call_count {
	char *name; /* "mmap" */
	guint64 n;
};

/** rec_calls_start - let the kernel count all system calls of the plan's instance, if it can */
gboolean rec_calls_start(const struct rec_plan *plan, GError **error);
/** rec_calls_read - calls of which no event was recorded, of struct rec_call_count, the most
 * frequent first; NULL: they were not counted. Free with g_ptr_array_unref */
GPtrArray *rec_calls_read(const struct rec_plan *plan);

#endif
