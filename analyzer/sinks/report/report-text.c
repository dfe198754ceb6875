/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/report/report-text.h"
#include "base/units.h"

void iot_report_heading(struct iot_report *report, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (report->n_sections++)
		iot_out_putc(report->out, '\n');
	iot_out_wrapped(report->out, IOT_BOLD, report->colour, text, 0, 2, report->width);
	iot_out_putc(report->out, '\n');
}

struct iot_table *iot_report_table(const struct iot_report *report)
{
	struct iot_table *table = iot_table_new();

	table->max_width = report->width;
	return table;
}

void iot_report_note(struct iot_report *report, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	iot_out_puts(report->out, "  ");
	iot_out_wrapped(report->out, IOT_PLAIN, FALSE, text, 2, 2, report->width);
	iot_out_putc(report->out, '\n');
}

char *iot_report_rel(const struct iot_report *report, guint64 ns)
{
	guint64 origin = report->tl->origin_ns;
	g_autofree char *before = ns < origin ? iot_format_seconds(origin - ns) : NULL;

	/* the host's file may begin before the recordings of the nodes */
	return before ? g_strconcat("-", before, NULL) : iot_format_seconds(ns - origin);
}

char *iot_report_clock(guint64 ns)
{
	guint64 us = ns / 1000 + (ns % 1000 >= 500);

	return g_strdup_printf("%" G_GUINT64_FORMAT ".%06u", us / 1000000,
			       (unsigned int)(us % 1000000));
}

char *iot_report_count(guint64 n)
{
	return n ? iot_format_count(n) : g_strdup("-");
}

char *iot_report_duration(guint64 ns)
{
	return ns ? iot_format_duration(ns) : g_strdup("-");
}
