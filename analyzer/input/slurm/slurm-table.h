/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of sacct --parsable2 in memory: a line for each job and step, with fields between
 * bars, and a line with their names in front. Source: sacct(1) of Slurm 22.05. One thread.
 */
#ifndef IOT_INPUT_SLURM_TABLE_H
#define IOT_INPUT_SLURM_TABLE_H

#include <glib.h>

#include "base/diag.h"

/* What is known of a job or step. A text that the output does not have is "". */
enum iot_slurm_column {
	IOT_SLURM_COLUMN_ID,
	IOT_SLURM_COLUMN_NAME,
	IOT_SLURM_COLUMN_STATE,
	IOT_SLURM_COLUMN_EXIT,
	IOT_SLURM_COLUMN_USER,
	IOT_SLURM_COLUMN_PARTITION,
	IOT_SLURM_COLUMN_HOSTS,
	IOT_SLURM_COLUMN_SUBMIT,
	IOT_SLURM_COLUMN_START,
	IOT_SLURM_COLUMN_END,
	IOT_SLURM_COLUMNS
};

struct iot_slurm_line {
	const char *text[IOT_SLURM_COLUMNS]; /* belong to the table */
	gint64 submit, start, end;	     /* s since 1970; -1: not known */
	guint n_hosts;			     /* 0 at first: for who expands its list */
};

struct iot_slurm_table {
	char *text;    /* of the file, cut into its fields */
	GArray *lines; /* of struct iot_slurm_line */
	gsize bytes;
};

/** iot_slurm_is - whether a file begins as such an output does */
gboolean iot_slurm_is(const guint8 *head, gsize len);
/**
 * iot_slurm_table_read - read a file
 * @diag: counts lines with another number of fields, and local times that come twice or not at all
 *
 * NULL and IOT_ERROR_INPUT: it cannot be read, or lacks a column without which nothing can be
 * drawn.
 */
struct iot_slurm_table *iot_slurm_table_read(const char *path, struct iot_diag *diag,
					     GError **error);
/** iot_slurm_table_free - accepts NULL */
void iot_slurm_table_free(struct iot_slurm_table *table);

#endif
