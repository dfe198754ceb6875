/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trial recording without events shows whether agents record, and describes their machines; one with an
 * event shows whether this machine does. */
#ifndef REC_TRIAL_H
#define REC_TRIAL_H

#include "plan.h"

/* What a trial says about one machine. */
struct rec_finding {
	gboolean recorded;
	char *host, *kernel, *clock; /* NULL: not known */
	guint n_cpus;
	char *protocol; /* of synchronisation; NULL: none */
	guint n_samples;
	char *problem; /* why it did not record: a part of a sentence; NULL: it did */
};

/**
 * rec_trial_run - try to record on all agents of @plan
 *
 * First on all at once. If that fails, each one for itself, to find out which one fails. Agents
 * over VSOCK that negotiate "ptp" although this host offers "kvm" get two more chances. Sets
 * machine->tep and n_cpus. Returns struct rec_finding for each agent, in the order of @plan; NULL
 * and an error if the user interrupted.
 */
GPtrArray *rec_trial_run(const struct rec_plan *plan, GError **error);

/** rec_trial_here - record one event of this machine. What is wrong: a part of a sentence, the caller
 * frees; NULL: nothing, or an error if the user interrupted */
char *rec_trial_here(const struct rec_plan *plan, GError **error);

#endif
