/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "status-line.h"
#include "record-folder.h"
#include "recorder.h"
#include "base/units.h"

#include <stdio.h>
#include <unistd.h>

static gint64 drawn_s = -1; /* the second that the line shows; -1: there is no line */

void rec_status_begin(const struct rec_options *options, const char *folder)
{
	if (!options->quiet)
		fprintf(stderr, "iotrace-record: recording into %s; %s\n", folder,
			options->command  ? "until the command ends"
			: options->for_ns ? "Ctrl-C ends earlier"
					  : "Ctrl-C ends");
}

void rec_status_draw(const struct rec_options *options, const char *folder,
		     const GPtrArray *machines, const struct rec_status *status)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (options->quiet || !isatty(STDERR_FILENO) || status->elapsed_us / 1000000 == drawn_s)
		return;
	drawn_s = status->elapsed_us / 1000000;
	g_string_append_printf(line, "%" G_GINT64_FORMAT " s", drawn_s);
	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *machine = machines->pdata[i];
		g_autofree char *size = iot_format_size(rec_folder_raw(folder, machine));

		g_string_append_printf(line, "   %s: %s", machine->given, size);
	}
	g_string_append_printf(line, "   processor time here: %.1f s",
			       (double)rec_group_cpu_ms(status->group) / 1000);
	fprintf(stderr, "\r%s\033[K", line->str);
	fflush(stderr);
}

void rec_status_clear(const struct rec_options *options)
{
	if (drawn_s >= 0 && !options->quiet)
		fprintf(stderr, "\r\033[K");
	drawn_s = -1;
}
