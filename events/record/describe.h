/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.json: docs/formats/recording.md. */
#ifndef REC_DESCRIBE_H
#define REC_DESCRIBE_H

#include "judge.h"
#include "session.h"

struct rec_description {
	const struct rec_plan *plan;
	char *const *command;  /* of iotrace-record */
	char *const *recorder; /* of trace-cmd */
	const GPtrArray *machines;
	/* the rest is not known while it records */
	const GPtrArray *verdicts;		 /* of @machines; or NULL */
	const struct rec_session_result *result; /* or NULL */
	int status;
	const char *verdict; /* or NULL */
};

/** rec_describe - write or replace recording.json in @folder, whole or not at all */
gboolean rec_describe(const struct rec_description *description, const char *folder,
		      GError **error);

#endif
