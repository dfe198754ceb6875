/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the OTF2 output: otf2.c packs items into the store, by location, as they come;
 * otf2-archive.c writes the archive at the end: otf2-events.c the events of each location, and
 * otf2-tree.c the locations with their groups. docs/formats/otf2.md describes the archive.
 */
#ifndef IOT_SINKS_OTF2_OTF2_H
#define IOT_SINKS_OTF2_OTF2_H

#include "base/out-dir.h"
#include "sinks/gap-lane.h"
#include "sinks/otf2/otf2-store.h"
#include "sinks/sink.h"

#include <otf2/otf2.h>

/* The name that readers expect: traces.otf2, traces.def and the folder traces. */
#define OTF2_NAME "traces"

/*
 * The key of a location: the type drawn there, the lane, and the row. Spans of one type nest on a
 * lane, those of different types need not, so each type has locations of its own; points and
 * samples of a row share one.
 */
#define OTF2_KEY_TYPE(type) ((guint64)(type) << 48)
#define OTF2_KEY_LANE(lane) ((guint64)(lane) << 32)

/* The number of the first location. ViTE makes a name of name and number, so a location must not
 * have the number of a system tree node or group that has its name. */
enum { OTF2_FIRST_LOCATION = 1000000 };

enum { OTF2_EVENTS = 0, OTF2_GAPS = 0xFFFF }; /* instead of the type of spans */

static inline guint otf2_key_type(guint64 key)
{
	return (guint)(key >> 48);
}
static inline guint otf2_key_lane(guint64 key)
{
	return (guint)(key >> 32) & 0xFFFF;
}
static inline iot_row_id otf2_key_row(guint64 key)
{
	return (iot_row_id)key;
}

/* An event in the store: a byte with kind and flag, then numbers: the time since the event before,
 * category (samples: type), marks if there are any, a mask of attributes, their values. */
enum otf2_kind { OTF2_ENTER, OTF2_LEAVE, OTF2_POINT, OTF2_SAMPLE };
enum { OTF2_KIND_MASK = 3, OTF2_HAS_MARKS = 4 };

struct otf2 {
	struct iot_sink base;
	const struct iot_timeline *tl;
	gboolean no_events, no_counters;
	struct iot_out_dir *dir;
	struct otf2_store *store;
	struct otf2_stream *last;  /* of the last item */
	GArray *gaps;		   /* struct iot_gap_lane; the number is the row in the key */
	guint64 first_ns, last_ns; /* of all events */
	struct iot_diag diag;
};

/* Numbers of definitions, and the errors of the library, while the archive is written. */
struct otf2_archive {
	struct otf2 *otf2;
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *defs;
	OTF2_AttributeList *attrs;
	guint32 *texts; /* by string: the number of its definition; 0: none yet */
	guint n_texts;
	guint32 n_strings, n_regions, n_attrs, n_metrics, n_nodes, n_groups;
	GHashTable *regions;  /* by category: number + 1 */
	GHashTable *metrics;  /* by type: number + 1 */
	GHashTable *names;    /* of attributes, by name and format: number + 1 */
	GHashTable *marks;    /* by set of flags: number of the text */
	GPtrArray *locations; /* struct otf2_stream, in the order of their numbers */
	void *spare[2];	      /* free chunks: for definitions, for events */
	int code;	      /* first OTF2_ErrorCode that is no success */
	gboolean no_memory;
};

/** otf2_archive_write - make the whole archive in the temporary folder */
gboolean otf2_archive_write(struct otf2 *otf2, GError **error);
/** otf2_text - the number of a text of the timeline, which is defined when it is used first */
OTF2_StringRef otf2_text(struct otf2_archive *a, iot_str str);
/** otf2_new_text - define a text that is used once */
OTF2_StringRef otf2_new_text(struct otf2_archive *a, const char *text, gsize len);
/** otf2_marks - the number of the text of a set of flags */
OTF2_StringRef otf2_marks(struct otf2_archive *a, guint flags);
/** otf2_check - keep the first error of the library */
void otf2_check(struct otf2_archive *a, OTF2_ErrorCode code);

/** otf2_events_write - the events of all locations, with the definitions that they use */
gboolean otf2_events_write(struct otf2_archive *a, GError **error);
/** otf2_tree_sort - put the locations into their order: rows by rank, lanes, events, gaps */
void otf2_tree_sort(struct otf2_archive *a);
/** otf2_tree_write - system tree nodes, location groups and locations */
void otf2_tree_write(struct otf2_archive *a);

#endif
