/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache file beside a recording: what is known at instants of it (checkpoints), so that reading
 * of a window need not begin at the beginning. The file is never trusted: it must be made by this
 * very program for these inputs, models and options, all parts that are used carry checksums, and
 * whatever they say is checked once more when it is taken over. Pipeline thread only.
 *
 *   header       magic, the key it was made for, checksum
 *   checkpoints  each: new entries of tables that only grow, since the last one; all other state
 *   directory    of the checkpoints: instant, lengths, checksums
 *   trailer      where the directory is, checksum
 */
#ifndef IOT_RUN_INDEX_H
#define IOT_RUN_INDEX_H

#include <glib.h>

struct iot_index;

/**
 * iot_index_new - find the index of the inputs, and prepare to make one
 * @mode: "auto", or a path
 * @first_input: path of the first input; in mode "auto" the index is beside it, or else in the
 * user's cache folder
 * @key: everything that the checkpoints depend on
 * @bytes: of event data in the inputs
 *
 * NULL and IOT_ERROR_USAGE if the path is that of some other file.
 */
struct iot_index *iot_index_new(const char *mode, const char *first_input, const char *key,
				guint64 bytes, GError **error);
/** iot_index_free - what was made but not finished is removed; accepts NULL */
void iot_index_free(struct iot_index *index);

/* The last checkpoint before a window. */
struct iot_index_point {
	guint64 ts;
	GPtrArray *tables; /* of GBytes: of all checkpoints up to this one */
	GBytes *state;
};

/** iot_index_find - the last checkpoint before @from_ns; FALSE if there is none */
gboolean iot_index_find(struct iot_index *index, guint64 from_ns, struct iot_index_point *out);
void iot_index_point_clear(struct iot_index_point *point);
/** iot_index_distrust - it was found to be wrong: use nothing of it, and make a new one */
void iot_index_distrust(struct iot_index *index, const char *why);

/**
 * iot_index_makes - whether reading from where iot_index_find pointed to up to @to_ns would make
 * the index better
 */
gboolean iot_index_makes(struct iot_index *index, guint64 to_ns);
/** iot_index_is_dense - for tests: a checkpoint is due in front of every record */
gboolean iot_index_is_dense(const struct iot_index *index);
/** iot_index_due - whether another checkpoint is worth it when @bytes of the event data were read
 */
gboolean iot_index_due(const struct iot_index *index, guint64 bytes);
/** iot_index_add - a checkpoint at @ts, behind all others */
void iot_index_add(struct iot_index *index, guint64 bytes, guint64 ts, const GByteArray *tables,
		   const GByteArray *state);
/** iot_index_give_up - make none */
void iot_index_give_up(struct iot_index *index, const char *why);
/** iot_index_finish - write the directory; @complete: the recording was read to its end */
void iot_index_finish(struct iot_index *index, gboolean complete);
/** iot_index_written - path of the file that was written, NULL if none was; after finish */
const char *iot_index_written(const struct iot_index *index);
/** iot_index_note - what was done, for people */
const char *iot_index_note(const struct iot_index *index);

#endif
