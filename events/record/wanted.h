/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to record: the events of models, and those that the user adds; and the filters of events. */
#ifndef REC_WANTED_H
#define REC_WANTED_H

#include "machines.h"

struct rec_event {
	char *name; /* "SYSTEM:EVENT" */
	gboolean optional;
	struct rec_probe *probe; /* NULL: the kernel or a module offers it */
	char *spare_of; /* the event that is made of it, and has all that it says; or NULL */
};

struct rec_model {
	char *name;	   /* NULL: the events of -e */
	GPtrArray *events; /* of struct rec_event */
};

struct rec_wanted {
	GPtrArray *models;  /* of struct rec_model */
	GPtrArray *probes;  /* of struct rec_probe, each once; the models own them */
	gboolean all;	    /* no -m: a model is recorded where its events are */
	char **pids;	    /* "[MACHINE:]N" */
	GArray *lockspaces; /* of guint32: their numbers */
};

/** rec_wanted_new - ask iotrace-analyze for the models @names and add @events
 * @names: NULL: all models without [probe], which costs every call of the machine
 * @group: the system of the events that are made for this recording */
struct rec_wanted *rec_wanted_new(char **names, char **events, const char *group, GError **error);
/** rec_is_event - whether @name is SYSTEM:EVENT, without letters that mean something to trace-cmd
 * or the kernel */
gboolean rec_is_event(const char *name);
/** rec_wanted_add - add an event, which may be there already; FALSE: @name is not SYSTEM:EVENT */
gboolean rec_wanted_add(struct rec_wanted *wanted, const char *name);
void rec_wanted_free(struct rec_wanted *wanted);
/**
 * rec_wanted_filter - record only these processes and lockspaces
 * @pids: "N" or "MACHINE:N"; may be NULL
 * @lockspaces: names; may be NULL
 */
gboolean rec_wanted_filter(struct rec_wanted *wanted, char **pids, char **lockspaces,
			   const GPtrArray *machines, GError **error);

/** rec_event_known - whether the machine has the event; TRUE if its formats are not known */
gboolean rec_event_known(const struct rec_machine *machine, const char *name);
/** rec_wanted_has - whether some model names the event */
gboolean rec_wanted_has(const struct rec_wanted *wanted, const char *name);
/** rec_wanted_of_calls - whether all events are of models with [probe]: events of system calls,
 * each of the thread that it is about */
gboolean rec_wanted_of_calls(const struct rec_wanted *wanted);
/** rec_wanted_spares - whether the event that @probe is made of can take its place */
gboolean rec_wanted_spares(const struct rec_wanted *wanted, const struct rec_probe *probe);
/** rec_model_fits - whether it is to be recorded on the machine: some event it needs is there */
gboolean rec_model_fits(const struct rec_wanted *wanted, const struct rec_model *model,
			const struct rec_machine *machine);
/** rec_wanted_on - names (char *) of the events to record on a machine, without repetition, sorted;
 * no spare events of others that were made */
GPtrArray *rec_wanted_on(const struct rec_wanted *wanted, const struct rec_machine *machine);
/**
 * rec_filter_of - the filter of an event, in the kernel's syntax; NULL: none. The caller frees
 * @out_open: set to TRUE if a filter was asked for, and the event lacks the field. May be NULL
 */
char *rec_filter_of(const struct rec_wanted *wanted, const struct rec_machine *machine,
		    const char *name, gboolean *out_open);

#endif
