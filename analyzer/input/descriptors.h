/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptors of processes: which file each one is of, and at which position of it the next read or
 * write is, for sources that tell of calls by descriptors (strace, libiotrace-preload).
 *
 * Copies of a descriptor (dup, fork) have one position. It is known from the open, lseek, and the
 * results of reads and writes, as long as the source tells all that may move it. One thread.
 */
#ifndef IOT_INPUT_DESCRIPTORS_H
#define IOT_INPUT_DESCRIPTORS_H

#include <glib.h>

struct iot_descriptors;

/* An open file, which copies of a descriptor share. */
struct iot_open_file {
	guint32 path;	 /* number of a text; 0: not known */
	gint64 dev, ino; /* as the source has them; 0: not known */
	gint64 position; /* of the next read or write, in bytes; -1: not known */
	gboolean appends;
	gboolean unclear; /* its position cannot be known any more */
	guint moving;	  /* calls that move the position, and have not ended */
};

/** iot_descriptors_new - no process has a descriptor yet */
struct iot_descriptors *iot_descriptors_new(void);
/** iot_descriptors_free - accepts NULL */
void iot_descriptors_free(struct iot_descriptors *all);
/** iot_descriptors_file - the file of a descriptor of process @tgid; NULL: not known. Valid until
 * the next change */
const struct iot_open_file *iot_descriptors_file(const struct iot_descriptors *all, gint32 tgid,
						 gint64 fd);
/** iot_descriptors_path - the number of the path of a descriptor; -100 (AT_FDCWD): of the directory
 * of the process; 0: not known */
guint32 iot_descriptors_path(const struct iot_descriptors *all, gint32 tgid, gint64 fd);
/** iot_descriptors_open - the descriptor is opened, and is another one than before
 * @closes: an exec closes it (O_CLOEXEC) */
void iot_descriptors_open(struct iot_descriptors *all, gint32 tgid, gint64 fd,
			  const struct iot_open_file *file, gboolean closes);
/** iot_descriptors_position - where the next read, or write (@writes), is in the file, in bytes;
 * -1: not known */
gint64 iot_descriptors_position(const struct iot_descriptors *all, gint32 tgid, gint64 fd,
				gboolean writes);
/** iot_descriptors_is_own - whether only one thread has it, and no copy of it is there */
gboolean iot_descriptors_is_own(const struct iot_descriptors *all, gint32 tgid, gint64 fd);
/** iot_descriptors_move - its position is @to now; -1: not known */
void iot_descriptors_move(struct iot_descriptors *all, gint32 tgid, gint64 fd, gint64 to);
/** iot_descriptors_parted - a call that moves its position may overlap others: from now on the
 * position is not known if others may move it meanwhile */
void iot_descriptors_parted(struct iot_descriptors *all, gint32 tgid, gint64 fd);
/** iot_descriptors_begin_move - a call that moves the position begins. If another one has not
 * ended, the position is not known any more. Returns the file for iot_descriptors_end_move, NULL:
 * it is not known */
struct iot_open_file *iot_descriptors_begin_move(struct iot_descriptors *all, gint32 tgid,
						 gint64 fd);
/** iot_descriptors_end_move - that call has ended, and the position is @to; -1: not known. The
 * descriptor may have been closed. Accepts NULL */
void iot_descriptors_end_move(struct iot_open_file *file, gint64 to);
/** iot_descriptors_unclear - its position cannot be known any more */
void iot_descriptors_unclear(struct iot_descriptors *all, gint32 tgid, gint64 fd);
/** iot_descriptors_unclear_file - the same of all descriptors of the file, in every process */
void iot_descriptors_unclear_file(struct iot_descriptors *all, gint64 dev, gint64 ino);
/** iot_descriptors_pass - the same of all descriptors of the process: others that the source does
 * not tell of may have them */
void iot_descriptors_pass(struct iot_descriptors *all, gint32 tgid);
/** iot_descriptors_share - several threads use the descriptors of the process */
void iot_descriptors_share(struct iot_descriptors *all, gint32 tgid);
/** iot_descriptors_blind - the files of the process may be read and written unseen */
void iot_descriptors_blind(struct iot_descriptors *all, gint32 tgid);
/** iot_descriptors_dup - @to is a copy of @from */
void iot_descriptors_dup(struct iot_descriptors *all, gint32 tgid, gint64 from, gint64 to,
			 gboolean closes);
/** iot_descriptors_close - those from @first to @last */
void iot_descriptors_close(struct iot_descriptors *all, gint32 tgid, gint64 first, gint64 last);
/** iot_descriptors_set_closes - whether an exec closes it */
void iot_descriptors_set_closes(struct iot_descriptors *all, gint32 tgid, gint64 fd,
				gboolean closes);
/** iot_descriptors_set_appends - whether writes go to the end of the file */
void iot_descriptors_set_appends(struct iot_descriptors *all, gint32 tgid, gint64 fd,
				 gboolean appends);
/** iot_descriptors_set_directory - @path: the number of the text; 0: not known */
void iot_descriptors_set_directory(struct iot_descriptors *all, gint32 tgid, guint32 path);
/** iot_descriptors_exec - another program begins */
void iot_descriptors_exec(struct iot_descriptors *all, gint32 tgid);
/** iot_descriptors_start - a program begins in process @tgid, of which the source tells all
 * descriptors next: iot_descriptors_inherit */
void iot_descriptors_start(struct iot_descriptors *all, gint32 tgid);
/** iot_descriptors_inherit - such a descriptor. One that the process had before, of the same file,
 * stays a copy of that one; else the position of the file, in all processes, is not known any more
 */
void iot_descriptors_inherit(struct iot_descriptors *all, gint32 tgid, gint64 fd,
			     const struct iot_open_file *file, gboolean closes);
/** iot_descriptors_fork_begin - the thread @maker of process @tgid begins a call that makes a
 * process
 * @shares: one that has the same table (CLONE_FILES) */
void iot_descriptors_fork_begin(struct iot_descriptors *all, gint32 tgid, gint32 maker,
				gboolean shares);
/** iot_descriptors_fork - process @child begins with the descriptors of @parent, as they were when
 * the thread @maker began its last call that makes a process */
void iot_descriptors_fork(struct iot_descriptors *all, gint32 child, gint32 parent, gint32 maker);
/** iot_descriptors_exit - process @tgid has ended */
void iot_descriptors_exit(struct iot_descriptors *all, gint32 tgid);

#endif
