/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that a source makes of records of another kind, such as the lines of a log: their names
 * and fields, what models want of them, and a queue of those that are to be delivered. For sources
 * with one run. One thread.
 */
#ifndef IOT_INPUT_MADE_EVENTS_H
#define IOT_INPUT_MADE_EVENTS_H

#include "input/clock.h"
#include "input/source.h"

/* The fields of all events of a source; a mask of them has 32 bits. */
enum { IOT_MADE_FIELDS = 27, IOT_MADE_COMMON = 2 };

struct iot_made_event {
	const char *system, *name;
	guint32 fields; /* mask of the fields that it has */
};

/* What a source can make. Two fields may have one name if no event has both. */
struct iot_made_kinds {
	const char *file; /* "a log of strace", in messages */
	const struct iot_made_event *event;
	guint n_events;
	const char *const *field; /* names: whole numbers, then real ones, then texts */
	guint n_fields, first_real, first_text;
};

/* An event before its slots are known. */
struct iot_made_rec {
	guint event; /* of iot_made_kinds */
	guint machine; /* of iot_made_bind_machine; 0: the source's own */
	gint32 pid;
	guint64 ts;
	/* a whole number, a real one (iot_real_bits), or the number of a text */
	gint64 field[IOT_MADE_FIELDS + IOT_MADE_COMMON]; /* the last ones: private */
};

struct iot_made {
	guint64 now_ns;	  /* of the last event that was put; before the first the source sets it */
	guint64 n_events; /* delivered, gaps and those of further machines not counted */
	/*
	 * Put the events of the next record, if it has any; FALSE at the end of the file, when the
	 * last ones have been put, or with @error set.
	 */
	gboolean (*more)(struct iot_source *base, GError **error);
	gboolean ended;
	/* private */
	const struct iot_made_kinds *kinds;
	struct iot_intern *strings;
	GArray *machines; /* of struct iot_made_machine: the source's own, then further ones */
	struct iot_event gap_begin, gap_end;
	guint32 input, first_run;
	struct iot_made_item *queue; /* in order of time */
	guint n_queued, room, next;  /* of the queue */
};

/** iot_made_new - @kinds, @strings: outlive it; @more: as in struct iot_made
 * @strings: the texts of the source; a real number that a model does not declare as real becomes
 * one
 */
struct iot_made *iot_made_new(const struct iot_made_kinds *kinds, const struct iot_input_spec *spec,
			      struct iot_intern *strings,
			      gboolean (*more)(struct iot_source *base, GError **error));
/** iot_made_free - accepts NULL */
void iot_made_free(struct iot_made *made);
/** iot_made_has_event - whether a source makes the event */
gboolean iot_made_has_event(const struct iot_made_kinds *kinds, const char *system,
			    const char *name);
/**
 * iot_made_bind - find what models want; once, before events are read
 * @path: of the file, for messages; @diag: counts fields of another type
 *
 * FALSE and IOT_ERROR_MODEL: a model requires a field that no such event has, or has otherwise.
 */
gboolean iot_made_bind(struct iot_made *made, const struct iot_schema *schema, const char *path,
		       struct iot_diag *diag, GError **error);
/** iot_made_bind_machine - the same for the events of a further machine (1 ...), which are those of
 * the input @input; after iot_made_bind; those of a machine that is not bound are left out */
gboolean iot_made_bind_machine(struct iot_made *made, guint machine, guint32 input,
			       const struct iot_schema *schema, const char *path,
			       struct iot_diag *diag, GError **error);
/** iot_made_machine_events - how many events of a further machine were delivered */
guint64 iot_made_machine_events(const struct iot_made *made, guint machine);
/** iot_made_add - append an event at @ns, or at the time of the event before if that is later; all
 * its fields are 0. Valid until the next one is put */
struct iot_made_rec *iot_made_add(struct iot_made *made, guint event, guint machine, gint32 pid,
				  guint64 ns);
/** iot_made_put - append a copy of the event, as iot_made_add. Returns the copy */
struct iot_made_rec *iot_made_put(struct iot_made *made, const struct iot_made_rec *rec,
				  guint64 ns);
/** iot_made_put_gap - events are missing between the last event and one at @to_ns that comes next;
 * G_MAXUINT64: none comes */
void iot_made_put_gap(struct iot_made *made, guint64 to_ns);
/** iot_made_read - the function read of a source of one run */
enum iot_next iot_made_read(struct iot_made *made, struct iot_source *base, guint run,
			    struct iot_batch *batch, GError **error);
/** iot_made_n_runs - the function n_runs of such a source: 1 */
guint iot_made_n_runs(const struct iot_source *base);
/** iot_made_cpu - its function cpu: 0 */
guint32 iot_made_cpu(const struct iot_source *base, guint run);

#endif
