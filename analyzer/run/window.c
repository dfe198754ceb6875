/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/window.h"
#include "base/error.h"
#include "base/units.h"

/* "1.5" counts from @begin_ns, "@1.5" is a time of the host's clock. */
static gboolean parse_time(const char *text, guint64 begin_ns, guint64 *out, GError **error)
{
	guint64 ns;

	if (!iot_parse_duration(*text == '@' ? text + 1 : text, &ns, error))
		return FALSE;
	*out = *text == '@' ? ns : begin_ns + ns;
	return TRUE;
}

gboolean iot_window_parse(struct iot_window *window, const struct iot_options *options,
			  guint64 begin_ns, GError **error)
{
	guint64 length;

	*window = (struct iot_window){ .to_ns = G_MAXUINT64 };
	if (options->from && !parse_time(options->from, begin_ns, &window->from_ns, error))
		return FALSE;
	if (options->to && !parse_time(options->to, begin_ns, &window->to_ns, error))
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
