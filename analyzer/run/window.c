/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/window.h"
#include "base/error.h"
#include "base/units.h"

gboolean iot_window_parse(struct iot_window *window, const struct iot_options *options,
			  guint64 begin_ns, GError **error)
{
	guint64 length;

	*window = (struct iot_window){ .to_ns = G_MAXUINT64 };
	if (options->from && !iot_parse_instant(options->from, begin_ns, &window->from_ns, error))
		return FALSE;
	if (options->to && !iot_parse_instant(options->to, begin_ns, &window->to_ns, error))
		return FALSE;
	if (window->from_ns > window->to_ns) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE, "--from %s is after --to %s",
			    options->from, options->to);
		return FALSE;
	}
	window->zero_ns = MAX(window->from_ns, begin_ns);
	/* as long again as the window */
	length = window->to_ns - MIN(window->zero_ns, window->to_ns);
	window->patience_ns = window->to_ns + MIN(length, G_MAXUINT64 - window->to_ns);
	return TRUE;
}
