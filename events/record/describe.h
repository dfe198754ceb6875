/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.json: docs/formats/recording.md. */
#ifndef REC_DESCRIBE_H
#define REC_DESCRIBE_H

#include "judge.h"
#include "session.h"

/* A dump of a flight recorder; times of the trace clock, ns. */
struct rec_dump {
	guint number;
	const char *reason;
	guint64 complete_ns;		  /* from here on no processor has overwritten an event */
	guint64 gap_begin_ns, gap_end_ns; /* the dump itself, in which nothing was recorded */
};

struct rec_description {
	const struct rec_plan *plan;
	char *const *command;  /* of iotrace-record */
	char *const *recorder; /* of trace-cmd; NULL: none runs */
	const GPtrArray *machines;
	/* the rest is not known while it records */
	const GPtrArray *verdicts;		 /* of @machines; or NULL */
	const struct rec_session_result *result; /* or NULL */
	const GPtrArray *other_calls;		 /* of rec_calls_read; or NULL */
	int status;
	const char *verdict;	     /* or NULL */
	const struct rec_dump *dump; /* or NULL */
};

/** rec_describe - write or replace recording.json in @folder, whole or not at all */
gboolean rec_describe(const struct rec_description *description, const char *folder,
		      GError **error);

#endif
