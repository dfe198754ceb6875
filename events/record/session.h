/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording from its start to its end, with the user's command, signals and limits. */
#ifndef REC_SESSION_H
#define REC_SESSION_H

#include "plan.h"

struct rec_session_result {
	gboolean recorded;	/* all machines have recorded at some time */
	int status;		/* of trace-cmd, as a shell has it */
	gboolean killed;	/* by a second signal, or by the time limit */
	gboolean early;		/* ended before anybody wanted it to end */
	int command_status;	/* as a shell has it; 0: none ran, or it ended well */
	char *reason;		/* why the recording ended, as a sentence; NULL: as wanted */
	char *log;		/* what trace-cmd printed */
	char *metrics;		/* a sentence about them; NULL: they were not wanted */
	gboolean metrics_whole; /* none is missing because it could not be written */
	GDateTime *begin, *end; /* NULL: it did not record */
};

/**
 * rec_session_run - record into @folder
 * @argv: of trace-cmd
 * @machines: whose bytes the status line shows
 *
 * Runs the default main context until trace-cmd has ended. SIGINT, SIGTERM and SIGHUP are ignored
 * afterwards. FALSE and an error: trace-cmd could not be started. Free the result with
 * rec_session_clear.
 */
gboolean rec_session_run(const struct rec_plan *plan, const char *folder, char **argv,
			 struct rec_session_result *out, GError **error);
void rec_session_clear(struct rec_session_result *result);

#endif
