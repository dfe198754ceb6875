/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traces of a CTF folder, read through libbabeltrace2: a graph with a source component for each
 * trace and one sink, which pulls the messages of each data stream on its own. So nothing is merged
 * here, and only the few messages of each stream that come next are in memory. One thread at a
 * time.
 */
#ifndef IOT_INPUT_CTF_GRAPH_H
#define IOT_INPUT_CTF_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

struct iot_ctf_graph;

/**
 * iot_ctf_graph_new - open traces
 * @path: as the user gave it, for messages; @traces: of iot_ctf_traces (input/ctf-folder.h), at
 * least one
 *
 * NULL and IOT_ERROR_INPUT: a trace cannot be read.
 */
struct iot_ctf_graph *iot_ctf_graph_new(const char *path, const GPtrArray *traces, GError **error);
/** iot_ctf_graph_free - accepts NULL */
void iot_ctf_graph_free(struct iot_ctf_graph *graph);
/** iot_ctf_graph_n_streams - number of data streams of all traces */
guint iot_ctf_graph_n_streams(const struct iot_ctf_graph *graph);
/** iot_ctf_graph_last_ns - when the last packet of any stream ends, as the library rounds it; 0:
 * the traces do not say so */
guint64 iot_ctf_graph_last_ns(const struct iot_ctf_graph *graph);
/**
 * iot_ctf_graph_peek - the next message of @stream, which remains the next one
 *
 * Valid until it is taken. NULL: at the end of the stream, or with @error set (IOT_ERROR_INPUT).
 */
const bt_message *iot_ctf_graph_peek(struct iot_ctf_graph *graph, guint stream, GError **error);
/** iot_ctf_graph_take - go on to the message after the one that iot_ctf_graph_peek returned */
void iot_ctf_graph_take(struct iot_ctf_graph *graph, guint stream);

#endif
