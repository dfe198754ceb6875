/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line on a terminal while it records; nothing if standard error is no terminal. */
#ifndef REC_STATUS_LINE_H
#define REC_STATUS_LINE_H

#include "machines.h"
#include "record-options.h"

struct rec_status {
	gint64 elapsed_us;
	GPid group; /* of trace-cmd */
};

/** rec_status_begin - say that it records, and how it ends */
void rec_status_begin(const struct rec_options *options, const char *folder);
/** rec_status_draw - draw the line, once a second */
void rec_status_draw(const struct rec_options *options, const char *folder,
		     const GPtrArray *machines, const struct rec_status *status);
/** rec_status_clear - remove the line */
void rec_status_clear(const struct rec_options *options);

#endif
