/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that a model describes and no module offers ([probe] in iotrace-model(5)): event probes of
 * the kernel in the group iotrace_PID. A probe of two events of one thread is on a synthetic event.
 */
#ifndef REC_EVENT_PROBE_H
#define REC_EVENT_PROBE_H

#include <glib.h>

struct rec_mark;
struct rec_plan;
struct rec_wanted;

struct rec_probe_field {
	char *name, *type; /* of the new event; the type is one of the kernel's fetch arguments */
	char *source;	   /* field of the event that the new one is made of */
	gboolean after;	   /* of the earlier event of the thread */
};

struct rec_probe {
	char *name;	     /* "opened" */
	char *event, *after; /* "SYSTEM:EVENT"; after: an earlier one of the thread, or NULL */
	GPtrArray *fields;   /* of struct rec_probe_field */
	char *definition;    /* its text in --model-events */
};

/** rec_probe_new - @definition: "EVENT TAB AFTER or - TAB NAME=[after.]FIELD:TYPE..."; NULL: it is
 * something else */
struct rec_probe *rec_probe_new(const char *name, const char *definition);
void rec_probe_free(struct rec_probe *probe);

/**
 * rec_probes_check - whether the wanted probes can be made: here, by this kernel
 * @out_note: they cannot, and their calls are recorded without them; or NULL. The caller frees
 */
gboolean rec_probes_check(const struct rec_plan *plan, char **out_note, GError **error);
/** rec_probes_spared - whether all calls that probes are for are recorded without the probes, too
 */
gboolean rec_probes_spared(const struct rec_plan *plan, GError **error);
/** rec_probes_make - make the events, if the kernel can, and read their formats into plan->here;
 * the plan's mark removes the events. Probes of events that the kernel lacks are left out */
gboolean rec_probes_make(const struct rec_plan *plan, GError **error);
/** rec_probes_start - let synthetic events come about in the plan's instance */
gboolean rec_probes_start(const struct rec_plan *plan, GError **error);
/** rec_probes_there - whether there are events of a group */
gboolean rec_probes_there(const char *group);
/** rec_probes_remove - remove all events of a group, which are off; FALSE: somebody uses one */
gboolean rec_probes_remove(const char *group);

#endif
