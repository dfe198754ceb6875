/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The check before a recording. */
#ifndef REC_CHECK_H
#define REC_CHECK_H

#include "plan.h"

struct rec_report {
	GString *table;	     /* for people */
	GPtrArray *problems; /* of char *: each keeps the recording from being made */
	GPtrArray *warnings; /* of char * */
};

/**
 * rec_check - ask all machines of @plan
 * @folder: where the recording will be; may not exist yet
 *
 * Sets machine->tep of agents. NULL and an error if the user interrupted, or trace-cmd cannot be
 * started.
 */
struct rec_report *rec_check(const struct rec_plan *plan, const char *folder, GError **error);
void rec_report_free(struct rec_report *report);

#endif
