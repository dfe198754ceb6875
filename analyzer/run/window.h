/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window of time that is analysed: --from and --to. */
#ifndef IOT_RUN_WINDOW_H
#define IOT_RUN_WINDOW_H

#include "run/request.h"

/* In ns on the common clock; without --from and --to, 0 and G_MAXUINT64. */
struct iot_window {
	guint64 from_ns, to_ns;
	/* time 0 of pictures: the left edge, but not before the recording */
	guint64 zero_ns;
	/* calls that are open at to_ns are read up to here, to know how they end */
	guint64 patience_ns;
};

/**
 * iot_window_parse - the window that @options ask for
 * @begin_ns: begin of the recording, from which relative times count
 */
gboolean iot_window_parse(struct iot_window *window, const struct iot_options *options,
			  guint64 begin_ns, GError **error);

#endif
