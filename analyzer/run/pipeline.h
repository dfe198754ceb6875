/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole run: inputs -> merge -> models -> timeline -> sinks. The only interface that knows all
 * layers; it owns the threads.
 */
#ifndef IOT_RUN_PIPELINE_H
#define IOT_RUN_PIPELINE_H

#include "base/diag.h"
#include "base/error.h"
#include "run/request.h"
#include "run/usage.h"

/* The results of a run besides its outputs. */
struct iot_outcome {
	struct iot_diag diag; /* sum of all counters, also after a failure */
	/* path of the first damaged input, whose good part was used: exit status 2 although the run
	 * succeeded; NULL: none */
	char *damaged;
	/* why nothing, or not everything that was asked for, is shown; NULL: all is */
	char *missing;
	guint64 records;  /* events that models know */
	guint64 n_proved; /* findings of --derive check and its outputs that are proved */
	char *index;	  /* path of the index that was written; NULL: none was */
	char *cut;	  /* a sentence about the folder of --cut; NULL: it is not asked for */
	struct iot_usage usage; /* of memory */
};

/**
 * iot_pipeline_run - analyse
 * @progress: may be NULL
 * @out: filled in; the caller frees its strings
 *
 * The first error of any thread ends the run and is returned. No output file is left half written.
 */
gboolean iot_pipeline_run(const struct iot_options *options, iot_progress_func progress,
			  gpointer user_data, struct iot_outcome *out, GError **error);

/**
 * iot_pipeline_check_model - --check-model FILE
 *
 * Parses the model, resolves its events and fields in @options->inputs (if any), and returns a
 * description (container tree, values, rules) that the caller prints and frees; NULL and an error
 * "FILE:LINE:COLUMN: ...".
 */
char *iot_pipeline_check_model(const struct iot_options *options, const char *model,
			       GError **error);

#endif
