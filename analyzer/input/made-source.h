/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all sources of made events (made-events.h) have, and the functions of iot_source_ops that
 * are the same for all of them. It is the first member of such a source.
 */
#ifndef IOT_INPUT_MADE_SOURCE_H
#define IOT_INPUT_MADE_SOURCE_H

#include "base/diag.h"
#include "input/made-events.h"

struct iot_made_source {
	struct iot_source base;
	struct iot_made *made;
	struct iot_intern *strings;
	struct iot_clock clock; /* stated by the user */
	const char *clock_name; /* of the times in the file: "real", "mono", "program" */
	char *path;
	char *file_name, *format;  /* the source sets them, allocated */
	guint64 first_ns, last_ns; /* of the file, corrected; the source sets them */
	guint64 done;		   /* bytes; atomic, as progress is asked for by any thread */
	struct iot_diag diag;
};

/**
 * iot_made_source_init - begin to open a file
 * @own: of zeros
 * @ops: its functions; @kinds: what it makes: both outlive it; @more: as in struct iot_made
 * @clock_name: outlives it
 */
void iot_made_source_init(struct iot_made_source *own, const struct iot_source_ops *ops,
			  const struct iot_made_kinds *kinds, const char *clock_name,
			  const struct iot_input_spec *spec,
			  gboolean (*more)(struct iot_source *base, GError **error));
/** iot_made_source_clear - free what it has, but not @own */
void iot_made_source_clear(struct iot_made_source *own);
/** iot_made_source_correct - a time of the file on the common clock */
guint64 iot_made_source_correct(const struct iot_made_source *own, guint64 ns);
/** iot_made_source_tell - so many bytes are read */
void iot_made_source_tell(struct iot_made_source *own, guint64 bytes);

/* Functions of iot_source_ops. */

gboolean iot_made_source_has_event(const struct iot_source *base, const char *system,
				   const char *name);
gboolean iot_made_source_bind(struct iot_source *base, const struct iot_schema *schema,
			      GError **error);
enum iot_next iot_made_source_read(struct iot_source *base, guint run, struct iot_batch *batch,
				   GError **error);
/** iot_made_source_progress - of a source that calls iot_made_source_tell */
guint64 iot_made_source_progress(const struct iot_source *base);
const struct iot_intern *iot_made_source_strings(const struct iot_source *base, guint run);
/** iot_made_source_describe - what holds of each; the source adds its sizes and systems, and what
 * it knows of its begin and end */
void iot_made_source_describe(const struct iot_source *base, struct iot_input_info *info);
/** iot_made_source_judge - a clock that may differ from that of other machines by any amount */
void iot_made_source_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			   struct iot_clock_facts *out);

#endif
