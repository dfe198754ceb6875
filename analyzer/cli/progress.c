/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Short runs show nothing. */
static const gint64 DELAY_US = 300000;

static double fraction_done(const struct iot_progress *progress)
{
	double passes = MAX(progress->n_passes, 1), pass = CLAMP(progress->pass, 1, passes);
	double part =
		progress->total_bytes ? (double)progress->bytes / (double)progress->total_bytes : 0;

	return (pass - 1 + MIN(part, 1.0)) / passes;
}

static void add_remaining(GString *text, double fraction, double seconds)
{
	guint left = fraction > 0.01 ? (guint)(seconds * (1 - fraction) / fraction + 0.5) : 0;

	if (fraction <= 0.01)
		return;
	if (left >= 3600)
		g_string_append_printf(text, "  %u h %02u min left", left / 3600, left / 60 % 60);
	else if (left >= 60)
		g_string_append_printf(text, "  %u min %02u s left", left / 60, left % 60);
	else
		g_string_append_printf(text, "  %u s left", left);
}

char *iot_progress_format(const struct iot_progress *progress, gint64 elapsed_us)
{
	g_autofree char *events = iot_format_count(progress->records);
	double seconds = (double)elapsed_us / 1e6, fraction = fraction_done(progress);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%3.0f %%  %s events", fraction * 100, events);
	if (elapsed_us > 0) {
		g_autofree char *rate =
			iot_format_count((guint64)((double)progress->records / seconds));
		g_autofree char *bytes =
			iot_format_size((guint64)((double)progress->bytes / seconds));

		g_string_append_printf(text, "  %s/s  %s/s", rate, bytes);
	}
	if (progress->n_passes > 1)
		g_string_append_printf(text, "  pass %u of %u", progress->pass, progress->n_passes);
	add_remaining(text, fraction, seconds);
	if (text->len > IOT_PROGRESS_WIDTH)
		g_string_truncate(text, IOT_PROGRESS_WIDTH);
	return g_string_free(text, FALSE);
}

void iot_progress_clear(struct iot_progress_line *line)
{
	if (line->shown)
		fputs("\r\033[K", stderr);
	line->shown = FALSE;
}

/* After the last byte was read, outputs may print on the same terminal, so the line is removed for
 * good. */
void iot_progress_draw(const struct iot_progress *progress, gpointer user_data)
{
	struct iot_progress_line *line = user_data;
	gint64 now = g_get_monotonic_time();
	g_autofree char *text = NULL;

	if (line->done)
		return;
	if (!line->start_us)
		line->start_us = now;
	if (progress->pass >= progress->n_passes && progress->bytes >= progress->total_bytes) {
		iot_progress_clear(line);
		line->done = TRUE;
		return;
	}
	if (now - line->start_us < DELAY_US)
		return;
	text = iot_progress_format(progress, now - line->start_us);
	fprintf(stderr, "\r%s\033[K", text);
	line->shown = TRUE;
}

static gboolean is_written_file(const struct iot_output *output, guint64 *out_size)
{
	struct stat st;

	if (!strcmp(output->path, "-") || stat(output->path, &st) < 0 || !S_ISREG(st.st_mode))
		return FALSE;
	*out_size = (guint64)st.st_size;
	return TRUE;
}

char *iot_progress_closing(const GPtrArray *outputs, guint64 records, gint64 elapsed_us,
			   const char *index)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *count = iot_format_count(records);
	g_autofree char *time = iot_format_duration((guint64)elapsed_us * 1000);

	for (guint i = 0; i < outputs->len; i++) {
		const struct iot_output *output = g_ptr_array_index(outputs, i);
		g_autofree char *size = NULL;
		guint64 bytes;

		if (!is_written_file(output, &bytes))
			continue;
		size = iot_format_size(bytes);
		g_string_append_printf(text, "%s%s (%s)", text->len ? ", " : "", output->path,
				       size);
	}
	if (!text->len && !index)
		return NULL;
	if (text->len)
		g_string_append(text, " written; ");
	g_string_append_printf(text, "%s %s analysed in %s", count,
			       records == 1 ? "event" : "events", time);
	if (index)
		g_string_append_printf(text, "; index for windows left in %s (--index off: none)",
				       index);
	return g_string_free(g_steal_pointer(&text), FALSE);
}
