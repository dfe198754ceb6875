/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel counts about this machine, in files of /proc (proc(5), Documentation/admin-guide/
 * iostats.rst, Documentation/accounting/psi.rst), as events of the model "metrics". The files stay
 * open, and a sample allocates nothing, unless a device or a file is greater than all before.
 *
 * A value of an instant (load, memory) is an event of CPU 0 at this instant. A value of
 * the time between two samples (shares of time, bytes per second) is an event of CPU 1, and its
 * time is the begin of that time; so it is known from then on until the next one.
 */
#ifndef REC_METRICS_PROC_H
#define REC_METRICS_PROC_H

#include "metrics-devices.h"
#include "metrics-lines.h"

/** rec_clock_func - a clock, in ns; never 0 */
typedef guint64 (*rec_clock_func)(void);

struct rec_proc_kind;

struct rec_proc_file {
	const struct rec_proc_kind *kind;
	int fd;
	int error;	     /* errno of the last reading; 0: it was read */
	guint64 before, now; /* right before it was read; 0: not at all */
	struct rec_devices devices;
};

enum { REC_PROC_FILES = 9 };

struct rec_proc {
	struct rec_lines *lines;
	char *root;
	struct rec_proc_file file[REC_PROC_FILES];
	char *text; /* of the file that is read */
	gsize room;
	guint n_misread; /* lines that are not as they should be */
	guint n_unknown; /* times without a rate of a device: events "gap" */
	guint n_back;	 /* idle time of a processor was set back */
};

/** rec_proc_open - open the files below @root ("/"; tests have their own) that are there
 * @lines: gets the events; it outlives @proc */
void rec_proc_open(struct rec_proc *proc, const char *root, struct rec_lines *lines);
void rec_proc_close(struct rec_proc *proc);
/** rec_proc_sample - read all files and write their events; a file that cannot be read is an event,
 * too. May be called at any intervals */
void rec_proc_sample(struct rec_proc *proc, rec_clock_func clock);
/** rec_proc_path - the path of a file below the root: "proc/stat" */
const char *rec_proc_path(const struct rec_proc_file *file);

#endif
