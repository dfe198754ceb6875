/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What file-use.c and file-classify.c share. */
#ifndef IOT_ANALYSIS_FILE_USE_LOCAL_H
#define IOT_ANALYSIS_FILE_USE_LOCAL_H

#include "analysis/file-use.h"

/* Positions in the arrays of struct iot_file_user. */
enum { READ, WRITE };

struct iot_file_use {
	const struct iot_timeline *tl;
	GArray *file_of_row;	 /* guint: 1 + number, by row */
	GArray *files;		 /* struct iot_file */
	GHashTable *thread_of;	 /* struct iot_file_thread -> number */
	GPtrArray *threads;	 /* struct iot_file_thread; element 0 is unused */
	GHashTable *users;	 /* struct iot_file_user, by file and thread */
	GHashTable *dependency;	 /* struct iot_file_dependency, by its first members */
	GPtrArray *dependencies; /* the same, in order; owned */
	struct iot_range_budget budget;
	guint64 run[IOT_N_METRICS];
	guint64 n_accesses;
	guint64 n_gaps; /* in which events were lost */
	guint64 n_unfinished, n_users_left_out, n_dependencies_left_out;
};

/* One file of iot_file_use_files. */
static inline struct iot_file *iot_file_at(const struct iot_file_use *use, guint number)
{
	return &g_array_index(use->files, struct iot_file, number);
}

/* Of struct iot_file_thread. */
guint iot_file_thread_hash(gconstpointer data);
gboolean iot_file_thread_equal(gconstpointer a, gconstpointer b);

#endif
