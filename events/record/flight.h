/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flight recorder of --flight: it keeps the last seconds of this machine, and dumps them. */
#ifndef REC_FLIGHT_H
#define REC_FLIGHT_H

#include "plan.h"

struct rec_flight_result {
	guint n_dumps, n_failed; /* written, and not */
	int command_status;	 /* as a shell has it; 0: none ran, or it ended well */
};

/**
 * rec_flight_run - record in plan->instance until a signal, until --for, or until the command ends
 * @command: of iotrace-record
 * @folder: gets dump-1, dump-2 ...
 *
 * Runs the default main context. Prints what becomes of dumps, which the user waits for. FALSE and
 * an error: it could not be started.
 */
gboolean rec_flight_run(const struct rec_plan *plan, char *const *command, const char *folder,
			struct rec_flight_result *out, GError **error);

/** rec_flight_ask - let the flight recorders of this machine dump, and print the folders. TRUE: all
 * have
 * @limit_ns: how long one may take */
gboolean rec_flight_ask(guint64 limit_ns, GError **error);

#endif
