/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of the files of /proc as events; metrics-proc.c reads them. */
#ifndef REC_METRICS_TAKE_H
#define REC_METRICS_TAKE_H

#include "metrics-proc.h"
#include "metrics-scan.h"

/** rec_take_func - write the events of a file that was read at file->now, and before that at
 * file->before (0: this is the first time) */
typedef void (*rec_take_func)(struct rec_proc *proc, struct rec_proc_file *file,
			      struct rec_scan *scan);

struct rec_proc_kind {
	const char *path;  /* below the root */
	const char *group; /* of rows */
	const char *name;  /* the row that says that the file is not there */
	rec_take_func take;
};

void rec_take_load(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan);
void rec_take_stat(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan);
void rec_take_memory(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan);
void rec_take_disks(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan);
void rec_take_nets(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan);
void rec_take_pressure(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan);

/** rec_take_group - the group of the row of a device */
const char *rec_take_group(const struct rec_proc_file *file, const char *name);
/** rec_take_note - an event of a row at an instant: what was seen then */
void rec_take_note(struct rec_proc *proc, guint64 ns, const char *group, const char *name,
		   const char *what);
/** rec_take_gap - an event of a row: since the sample before nothing is known, and why */
void rec_take_gap(struct rec_proc *proc, const struct rec_proc_file *file, const char *name,
		  const char *what);

#endif
