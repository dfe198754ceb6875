/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which spans are accesses to a file, and which attributes have the process, the thread, the
 * position and the bytes; and the rules of advice about files. Models say it ([access], [advice]);
 * the analysis of files reads it (analysis/file-stage.c). The tables are filled before the first
 * item and read by one thread at a time afterwards.
 */
#ifndef IOT_TIMELINE_ACCESS_H
#define IOT_TIMELINE_ACCESS_H

#include "timeline/timeline.h"

enum iot_access_kind {
	IOT_ACCESS_NONE, /* of no meaning for the use of files */
	IOT_ACCESS_READ,
	IOT_ACCESS_WRITE,
	IOT_ACCESS_SYNC,
	IOT_ACCESS_OPEN,
	IOT_ACCESS_CLOSE,
	IOT_ACCESS_METADATA, /* metadata are read */
	IOT_ACCESS_TRUNCATE, /* the length is the file's new one */
	IOT_ACCESS_MAP,	     /* into memory; what is read and written there is not seen */
	IOT_ACCESS_LOCK,     /* a lock of the file is waited for */
	IOT_N_ACCESSES
};

/* What a call locks that is about a lock of the file: bytes or the whole file. Locks of one kind
 * are not in the way of the other kind. */
enum iot_file_lock { IOT_FILE_LOCK_NONE, IOT_FILE_LOCK_RANGE, IOT_FILE_LOCK_WHOLE };

/* What the caller holds afterwards. */
enum iot_file_lock_mode {
	IOT_FILE_LOCK_UNKNOWN,
	IOT_FILE_LOCK_FREE,
	IOT_FILE_LOCK_SHARED,
	IOT_FILE_LOCK_EXCLUSIVE
};

/* Spans of a type are accesses to the file of their row, or of the row above if that is a machine.
 */
struct iot_access {
	iot_type_id type;
	/* 1 + index of the attribute; 0: there is none */
	guint process, thread, operation, position, length, result, mode;
	/* private: category or text of the operation -> kind; text of the operation -> enum
	 * iot_file_lock, text of the mode -> enum iot_file_lock_mode */
	GHashTable *by_cat, *by_operation, *locks, *modes;
};

/** iot_access_kind_name - the word of model files: "read"; NULL: IOT_ACCESS_NONE */
const char *iot_access_kind_name(enum iot_access_kind kind);
/** iot_timeline_add_access - spans of @type are accesses; valid as long as @tl. The caller sets the
 * attributes; NULL: the type has an access already */
struct iot_access *iot_timeline_add_access(struct iot_timeline *tl, iot_type_id type);
/** iot_access_add_cat - spans of category @cat are of this kind, whatever their operation */
void iot_access_add_cat(struct iot_access *access, iot_cat_id cat, enum iot_access_kind kind);
/** iot_access_add_operation - spans of other categories with the operation @text are of this kind
 */
void iot_access_add_operation(struct iot_access *access, iot_str text, enum iot_access_kind kind);
/** iot_access_add_lock - calls with the operation @text are about a lock of the kind @lock */
void iot_access_add_lock(struct iot_access *access, iot_str text, enum iot_file_lock lock);
/** iot_access_add_mode - the mode @text of a call about a lock means @mode */
void iot_access_add_mode(struct iot_access *access, iot_str text, enum iot_file_lock_mode mode);
/** iot_access_of - what the model says of spans of @type; NULL: they are no accesses */
const struct iot_access *iot_access_of(const struct iot_timeline *tl, iot_type_id type);
/** iot_access_kind - what a completed span does; NONE also for calls that failed */
enum iot_access_kind iot_access_kind(const struct iot_access *access, const struct iot_item *item);
/** iot_access_lock - which kind of lock a span is about, and what its caller holds afterwards; NONE
 * also for calls that failed */
enum iot_file_lock iot_access_lock(const struct iot_access *access, const struct iot_item *item,
				   enum iot_file_lock_mode *out_mode);
/** iot_access_bytes - the bytes that a span reads or writes, from *@out_from up to *@out_to, which
 * is excluded; FALSE: none, or it is not known which */
gboolean iot_access_bytes(const struct iot_access *access, const struct iot_item *item,
			  guint64 *out_from, guint64 *out_to);
/** iot_accesses_known - whether a model says that some spans are accesses */
gboolean iot_accesses_known(const struct iot_timeline *tl);

struct iot_accesses;
/** iot_accesses_free - accepts NULL; by iot_timeline_free */
void iot_accesses_free(struct iot_accesses *accesses);

#endif
