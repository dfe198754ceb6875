/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that read the runs of all sources ahead, a few batches each. With no threads the caller's
 * thread reads. The batches of a run come in order whatever the number of threads.
 */
#ifndef IOT_INPUT_READER_H
#define IOT_INPUT_READER_H

#include "input/source.h"

struct iot_reader;

/**
 * iot_reader_new - start reading
 * @sources: @n_sources open and bound sources; they stay with the caller and must outlive the
 * reader
 * @n_threads: 0: the thread that fetches reads
 * @batch_bytes: size of a batch; about three exist for each run
 */
struct iot_reader *iot_reader_new(struct iot_source *const *sources, guint n_sources,
				  guint n_threads, gsize batch_bytes, GError **error);
/** iot_reader_free - stop the threads and wait for them; accepts NULL */
void iot_reader_free(struct iot_reader *reader);
/** iot_reader_runs - number of runs of all sources */
guint iot_reader_runs(const struct iot_reader *reader);
/** iot_reader_memory - bytes of all batches allocated so far; any thread */
gsize iot_reader_memory(const struct iot_reader *reader);
/** iot_reader_fetch - the next batch of @run (an iot_fetch_func with the reader as user_data) */
struct iot_batch *iot_reader_fetch(gpointer reader, guint run, struct iot_batch *used,
				   GError **error);

#endif
