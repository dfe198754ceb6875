/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recording without any rights: what a command and its children do to files, by libiotrace-preload.
 */
#ifndef REC_PRELOAD_H
#define REC_PRELOAD_H

#include "record-options.h"

/** rec_preload_is_wanted - whether to record so: --preload, or there is a command, nothing asks for
 * events of a kernel, and the caller has no right to trace this one */
gboolean rec_preload_is_wanted(const struct rec_options *options);

struct rec_preload_result {
	int command_status; /* as a shell has it */
	gboolean recorded;
	guint64 n_lost;
};

/**
 * rec_preload_run - run the command and record it into @folder, which is there
 *
 * FALSE and an error: the command was not started.
 */
gboolean rec_preload_run(const struct rec_options *options, const char *folder,
			 struct rec_preload_result *out, GError **error);

#endif
