/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iotrace-record --metrics-only: samples of this machine, and no recording of events. */
#ifndef REC_METRICS_ALONE_H
#define REC_METRICS_ALONE_H

#include "record-options.h"

/**
 * rec_metrics_alone - sample until a signal, or until the time of --for has passed
 * @out_sentence: what was sampled; the caller frees
 * @out_whole: FALSE: the file could not be written to its end
 *
 * Runs the default main context. The clocks of this machine are written into its top trace buffer,
 * if that is possible, for a recording that an agent makes of it. IOT_ERROR_USAGE: folder or file
 * cannot be made.
 */
gboolean rec_metrics_alone(const struct rec_options *options, char **out_sentence,
			   gboolean *out_whole, GError **error);

#endif
