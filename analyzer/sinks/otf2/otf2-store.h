/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packed events, sorted by location. OTF2 has a file for each location and a buffer of at least
 * 256 KiB for each open writer; a recording may have thousands of locations. So events are kept
 * here until the end, in memory up to a limit and otherwise in a nameless temporary file, and then
 * read back one location after the other.
 */
#ifndef IOT_SINKS_OTF2_OTF2_STORE_H
#define IOT_SINKS_OTF2_OTF2_STORE_H

#include "base/out.h"
#include "base/pack.h"

/* The events of one location. */
struct otf2_stream {
	guint64 key;
	guint8 *data; /* those in memory */
	guint32 len, size;
	guint64 last; /* offset of the last part in the file, plus 1; 0: none */
	guint64 time; /* of the last event, for its user */
	guint64 n_events;
};

struct otf2_store {
	char *path; /* the temporary file is created near it */
	guint64 limit, used;
	struct iot_out *file; /* NULL until memory was full */
	GPtrArray *streams;   /* struct otf2_stream, in the order of their first events */
	GHashTable *by_key;
};

/** otf2_store_new - @limit: bytes of events that are kept in memory */
struct otf2_store *otf2_store_new(const char *near_path, guint64 limit);
void otf2_store_free(struct otf2_store *store);
/** otf2_store_stream - the stream of a location; a new one has no events */
struct otf2_stream *otf2_store_stream(struct otf2_store *store, guint64 key);
/** otf2_store_append - append bytes of one event to a stream */
gboolean otf2_store_append(struct otf2_store *store, struct otf2_stream *stream, const void *data,
			   gsize len, GError **error);
/**
 * otf2_store_read - all events of a stream in their order
 * @each: called for each part; a part has whole events. FALSE and an error ends the walk.
 */
gboolean otf2_store_read(struct otf2_store *store, struct otf2_stream *stream,
			 gboolean (*each)(struct iot_unpack *part, void *data, GError **error),
			 void *data, GError **error);

#endif
