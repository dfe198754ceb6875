/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an agent of trace-cmd listens on a machine. */
#ifndef REC_AGENT_H
#define REC_AGENT_H

#include "machines.h"

enum rec_agent {
	REC_AGENT_ANSWERS,
	REC_AGENT_REFUSES, /* the machine is there, nobody listens */
	REC_AGENT_BUSY,	   /* it closes the connection at once: it serves another recorder */
	REC_AGENT_SILENT,  /* no answer within the time limit, or no way to the machine */
};

/**
 * rec_agent_probe - connect to the agent and hang up
 *
 * For an instant the agent is busy then, so this is for machines that are not recorded at once.
 * Waits two seconds at most.
 */
enum rec_agent rec_agent_probe(const struct rec_machine *machine);
/** rec_agent_advice - what to do about it: a part of a sentence; the caller frees */
char *rec_agent_advice(const struct rec_machine *machine, enum rec_agent state);

#endif
