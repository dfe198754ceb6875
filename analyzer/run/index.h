/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of a recording: a cache file with checkpoints, so that reading of a window can start in
 * the middle. The file is never trusted: its key must fit this program and these inputs, models and
 * options, all parts carry checksums, and every value is checked when it is loaded. index-file.h
 * describes the format. Pipeline thread only.
 *
 * There are at most 256 checkpoints. Between two of them lies at least 24 times the checkpoint's
 * size of input. Tables that only grow (strings, categories, rows) are saved as additions since
 * the last checkpoint. A normal run makes or extends the index while it reads. The selection is
 * applied after loading, so categories and lanes must not depend on it. The key (index-key.h)
 * holds the program and its build, the inputs (size, time, inode, hashes of parts), node names,
 * limits and the texts of the models. After any doubt everything is opened again and read from the
 * beginning. Outputs have the same bytes in any case; only -v reports it.
 */
#ifndef IOT_RUN_INDEX_H
#define IOT_RUN_INDEX_H

#include <glib.h>

struct iot_index;

/**
 * iot_index_new - find the index of the inputs, and prepare to write one
 * @mode: "auto", or a path
 * @first_input: path of the first input; in mode "auto" the index is next to it, or else in the
 * user's cache folder
 * @key: everything that the checkpoints depend on (run/index-key.h)
 * @bytes: of event data in the inputs
 *
 * NULL and IOT_ERROR_USAGE if the path is that of another kind of file.
 */
struct iot_index *iot_index_new(const char *mode, const char *first_input, const char *key,
				guint64 bytes, GError **error);
/** iot_index_free - remove an unfinished file; accepts NULL */
void iot_index_free(struct iot_index *index);

/* A checkpoint to resume from. */
struct iot_index_point {
	guint64 ts;	   /* ns */
	GPtrArray *tables; /* of GBytes: of all checkpoints up to this one */
	GBytes *state;
};

/** iot_index_find - read the last checkpoint before @from_ns; FALSE if there is none */
gboolean iot_index_find(struct iot_index *index, guint64 from_ns, struct iot_index_point *out);
/** iot_index_point_clear - free the bytes of a checkpoint */
void iot_index_point_clear(struct iot_index_point *point);
/** iot_index_distrust - the contents are wrong: use nothing of the file, and write a new one */
void iot_index_distrust(struct iot_index *index, const char *why);

/** iot_index_makes - whether reading up to @to_ns, from the checkpoint that iot_index_find
 * returned, adds checkpoints */
gboolean iot_index_makes(struct iot_index *index, guint64 to_ns);
/** iot_index_is_dense - for tests: a checkpoint is due before every record */
gboolean iot_index_is_dense(const struct iot_index *index);
/** iot_index_due - whether another checkpoint is due after reading @bytes of the event data */
gboolean iot_index_due(const struct iot_index *index, guint64 bytes);
/** iot_index_add - append a checkpoint at @ts, later than all others */
void iot_index_add(struct iot_index *index, guint64 bytes, guint64 ts, const GByteArray *tables,
		   const GByteArray *state);
/** iot_index_give_up - write no index; the note says @why */
void iot_index_give_up(struct iot_index *index, const char *why);
/** iot_index_finish - write the directory; @complete: the recording was read to its end */
void iot_index_finish(struct iot_index *index, gboolean complete);
/** iot_index_written - path of the file that was written, or NULL; after finish */
const char *iot_index_written(const struct iot_index *index);
/** iot_index_note - how the index was used, for -v */
const char *iot_index_note(const struct iot_index *index);

#endif
