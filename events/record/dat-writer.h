/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a file of trace-cmd, version 7, uncompressed, from the ring buffers of an instance of this
 * machine. Not trace-cmd extract: it removes the instance, or names a wrong clock.
 *
 * First the parts that take long and do not change (rec_dat_new), then the pages while the
 * instance does not record, then the rest (rec_dat_finish), when it records again.
 */
#ifndef REC_DAT_WRITER_H
#define REC_DAT_WRITER_H

#include <glib.h>

struct rec_dat_writer;
struct tracefs_instance;

/**
 * rec_dat_new - begin the file @path
 * @names: events (char *, "SYSTEM:EVENT") whose formats it has; not kept
 */
struct rec_dat_writer *rec_dat_new(const char *path, const GPtrArray *names, GError **error);
/** rec_dat_pages - consume and write the pages of all processors of @instance */
gboolean rec_dat_pages(struct rec_dat_writer *writer, struct tracefs_instance *instance,
		       GError **error);
/** rec_dat_finish - write the rest; rec_dat_free must follow */
gboolean rec_dat_finish(struct rec_dat_writer *writer, struct tracefs_instance *instance,
			GError **error);
/** rec_dat_free - close the file; one that was not finished is removed. Accepts NULL */
void rec_dat_free(struct rec_dat_writer *writer);

#endif
