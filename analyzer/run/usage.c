/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/usage.h"
#include "base/units.h"

#include <string.h>
#include <sys/resource.h>

void iot_usage_add(struct iot_usage *usage, const char *what, guint64 bytes)
{
	guint i = 0;

	while (i < usage->n && strcmp(usage->part[i].what, what))
		i++;
	if (i == IOT_USAGE_PARTS)
		return;
	if (i == usage->n)
		usage->part[usage->n++] = (struct iot_usage_part){ .what = what };
	usage->part[i].bytes += bytes;
}

static guint64 peak_bytes(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_SELF, &usage);
	return (guint64)usage.ru_maxrss * 1024;
}

static void add_line(GString *text, const char *what, guint64 bytes)
{
	g_autofree char *size = iot_format_size(bytes);

	g_string_append_printf(text, "  %-32s %10s\n", what, size);
}

char *iot_usage_text(const struct iot_usage *usage, guint64 allowed)
{
	GString *text = g_string_new(NULL);
	guint64 peak = peak_bytes(), known = 0;
	g_autofree char *size = iot_format_size(peak);
	g_autofree char *limit = iot_format_size(allowed);
	g_autofree char *spilled = iot_format_count(usage->spilled);

	g_string_append_printf(text, "memory: %s at most, --memory %s\n", size, limit);
	for (guint i = 0; i < usage->n; i++) {
		add_line(text, usage->part[i].what, usage->part[i].bytes);
		known += usage->part[i].bytes;
	}
	add_line(text, "the rest (program, formats)", peak > known ? peak - known : 0);
	if (usage->spilled)
		g_string_append_printf(text, "  %s items waited on disk\n", spilled);
	return g_string_free(text, FALSE);
}
