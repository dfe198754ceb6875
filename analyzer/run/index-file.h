/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of an index file (run/index.h):
 *
 *   header       magic, length and checksum of the key, the key
 *   checkpoints  each: new entries of the tables that only grow; all other state
 *   directory    of the checkpoints: instant, lengths, checksums
 *   trailer      offset, length and checksum of the directory, magic
 */
#ifndef IOT_RUN_INDEX_FILE_H
#define IOT_RUN_INDEX_FILE_H

#include "base/out.h"

/* One checkpoint: its state follows its tables in the file. */
struct iot_index_entry {
	guint64 ts; /* ns */
	guint64 offset, tables_len, state_len;
	guint64 tables_sum, state_sum;
};

struct iot_index_directory {
	gboolean complete;  /* the recording was read to its end */
	guint64 last_bytes; /* of event data read at the last checkpoint */
	GArray *entries;    /* of struct iot_index_entry, by time */
};

/** iot_index_entry_end - offset of the first byte after a checkpoint */
static inline guint64 iot_index_entry_end(const struct iot_index_entry *entry)
{
	return entry->offset + entry->tables_len + entry->state_len;
}

/** iot_index_file_is_other - whether @path exists and is not an index */
gboolean iot_index_file_is_other(const char *path);
/**
 * iot_index_file_read - read the directory of an index
 * @directory: has an empty array of entries
 *
 * Returns NULL, or the reason why the file cannot be used: "is damaged".
 */
const char *iot_index_file_read(int fd, const char *key, struct iot_index_directory *directory);
/** iot_index_file_part - read some bytes; NULL if the checksum @sum does not fit */
GBytes *iot_index_file_part(int fd, guint64 offset, guint64 len, guint64 sum);

/** iot_index_file_checksum - the checksum that iot_index_file_part compares */
guint64 iot_index_file_checksum(const void *data, gsize len);
/** iot_index_file_put_header - write everything before the first checkpoint */
void iot_index_file_put_header(iot_out *out, const char *key);
/** iot_index_file_copy - write the first @end bytes of the index @fd; FALSE if it cannot be read */
gboolean iot_index_file_copy(iot_out *out, int fd, guint64 end);
/** iot_index_file_put_directory - write directory and trailer */
void iot_index_file_put_directory(iot_out *out, const struct iot_index_directory *directory);

#endif
