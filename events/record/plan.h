/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command lines of trace-cmd. */
#ifndef REC_PLAN_H
#define REC_PLAN_H

#include "command.h"
#include "machines.h"
#include "record-options.h"
#include "wanted.h"

/* of this machine alone, and of machines over TCP */
#define REC_LOCAL_CLOCK "mono"

struct rec_plan {
	const struct rec_options *options;
	const struct rec_wanted *wanted;
	GPtrArray *agents; /* of struct rec_machine; empty: this machine is recorded */
	struct rec_machine *here;
	char *instance;		     /* of this machine, without agents: a name of its own */
	guint buffer_kb;	     /* of this machine, for each processor */
	struct rec_mark *mark;	     /* of this process */
	struct rec_command *command; /* of the options; it waits until all machines record */
};

/** rec_plan_machines - the machines whose recordings are to be analysed: the agents', or this one
 */
GPtrArray *rec_plan_machines(const struct rec_plan *plan);
/** rec_plan_record - "trace-cmd record ..." that writes into @folder; free with g_strfreev */
char **rec_plan_record(const struct rec_plan *plan, const char *folder);
/** rec_plan_buffer_kb - size of the ring buffer for each processor of a machine */
guint rec_plan_buffer_kb(const struct rec_plan *plan, const struct rec_machine *machine);
/** rec_plan_buffers - bytes of all ring buffers, whose contents are written when the recording ends
 */
guint64 rec_plan_buffers(const struct rec_plan *plan);
/** rec_plan_trial - the same without events of the agents, for some of the agents */
char **rec_plan_trial(const struct rec_plan *plan, const char *folder, const GPtrArray *agents);
/** rec_plan_protocol - the protocol that trace-cmd has negotiated with an agent, by its output;
 * NULL: none. The caller frees */
char *rec_plan_protocol(const struct rec_machine *machine, const char *log);
/** rec_plan_text - a command line as a shell takes it; the caller frees */
char *rec_plan_text(char *const *argv);

#endif
