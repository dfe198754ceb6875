/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of this machine once a second: load, processors, memory, disks, networks and pressure,
 * from /proc, without a daemon, into a recording as text (docs/formats/text.md) with the clock
 * CLOCK_MONOTONIC. iotrace-record takes them in its main loop. The model "metrics" draws them. All
 * calls are made by one thread.
 */
#ifndef REC_METRICS_H
#define REC_METRICS_H

#include "metrics-proc.h"

struct rec_metrics;

/** REC_METRICS_FILE - beside the recording of this machine, in its folder */
#define REC_METRICS_FILE "metrics.txt"

/** struct rec_metrics_from - where the samples come from, for tests */
struct rec_metrics_from {
	const char *root;     /* NULL: "/" */
	const char *host;     /* NULL: the name of this machine */
	rec_clock_func clock; /* NULL: CLOCK_MONOTONIC */
};

/**
 * rec_metrics_open - begin the file @path, which must not exist; only its owner can read it
 * @beside: the recording of this machine beside which it stands (docs/formats/text.md); NULL: that
 *	of this host name
 * @from: may be NULL
 *
 * The text of @from stays with the caller, who frees the result with rec_metrics_close.
 * IOT_ERROR_USAGE: the file cannot be made.
 */
struct rec_metrics *rec_metrics_open(const char *path, const char *beside,
				     const struct rec_metrics_from *from, GError **error);

/** rec_metrics_sample - take a sample now. Errors are kept for rec_metrics_close */
void rec_metrics_sample(struct rec_metrics *metrics);

/** rec_metrics_failed - whether the file cannot be written any more */
gboolean rec_metrics_failed(const struct rec_metrics *metrics);

/** rec_metrics_start - take a sample now and then one each second, in the default main context */
void rec_metrics_start(struct rec_metrics *metrics);

/** rec_metrics_stop - take the last sample, unless one was taken in the last tenth of a second, in
 * which the kernel has counted too little; accepts NULL. Nothing happens if it was not started, or
 * was stopped */
void rec_metrics_stop(struct rec_metrics *metrics);

/**
 * rec_metrics_close - end the file; accepts NULL
 * @out_whole: gets FALSE if samples are missing because the file could not be written; or NULL
 *
 * Returns a sentence: how many samples, what they cost and what is missing; NULL for NULL. The
 * caller frees it.
 */
char *rec_metrics_close(struct rec_metrics *metrics, gboolean *out_whole);

#endif
