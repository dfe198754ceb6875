/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/slurm/slurm-table.h"

enum { MOST_FIELDS = 256, HOUR = 3600 };

static const char *const names[IOT_SLURM_COLUMNS] = {
	[IOT_SLURM_COLUMN_ID] = "JobID",       [IOT_SLURM_COLUMN_NAME] = "JobName",
	[IOT_SLURM_COLUMN_STATE] = "State",    [IOT_SLURM_COLUMN_EXIT] = "ExitCode",
	[IOT_SLURM_COLUMN_USER] = "User",      [IOT_SLURM_COLUMN_PARTITION] = "Partition",
	[IOT_SLURM_COLUMN_HOSTS] = "NodeList", [IOT_SLURM_COLUMN_SUBMIT] = "Submit",
	[IOT_SLURM_COLUMN_START] = "Start",    [IOT_SLURM_COLUMN_END] = "End",
};

/* ---- lines of fields */

/* Cut the line into its fields; their number, or 0 if there are too many. */
static guint split(char *line, const char **fields)
{
	guint n = 0;

	for (char *p = line; p; n++) {
		char *bar = strchr(p, '|');

		if (n == MOST_FIELDS)
			return 0;
		fields[n] = p;
		if (bar)
			*bar++ = '\0';
		p = bar;
	}
	return n;
}

static int find_column(const char *field)
{
	for (int i = 0; i < IOT_SLURM_COLUMNS; i++)
		if (!g_ascii_strcasecmp(names[i], field))
			return i;
	return -1;
}

/* The place of each column, -1: it is missing; FALSE: this is no such line. */
static gboolean find_columns(const char *const *fields, guint n, int *columns)
{
	for (guint i = 0; i < IOT_SLURM_COLUMNS; i++)
		columns[i] = -1;
	for (guint i = 0; i < n; i++) {
		int column = find_column(fields[i]);

		if (column >= 0 && columns[column] < 0)
			columns[column] = (int)i;
	}
	return columns[IOT_SLURM_COLUMN_ID] >= 0;
}

gboolean iot_slurm_is(const guint8 *head, gsize len)
{
	const guint8 *end = memchr(head, '\n', len);
	g_autofree char *line = end ? g_strndup((const char *)head, (gsize)(end - head)) : NULL;
	const char *fields[MOST_FIELDS];
	int columns[IOT_SLURM_COLUMNS];
	guint n;

	if (!line || !strchr(line, '|'))
		return FALSE;
	n = split(line, fields);
	return find_columns(fields, n, columns) &&
	       (columns[IOT_SLURM_COLUMN_START] >= 0 || columns[IOT_SLURM_COLUMN_STATE] >= 0 ||
		columns[IOT_SLURM_COLUMN_NAME] >= 0);
}

/* ---- times */

/* Whether local clocks show the same at both instants. */
static gboolean same_local(gint64 a, gint64 b)
{
	g_autoptr(GDateTime) x = g_date_time_new_from_unix_local(a);
	g_autoptr(GDateTime) y = g_date_time_new_from_unix_local(b);

	return x && y && g_date_time_get_minute(x) == g_date_time_get_minute(y) &&
	       g_date_time_get_hour(x) == g_date_time_get_hour(y);
}

/* -1: the text is no time, such as "Unknown". */
static gint64 read_time(const char *text, GTimeZone *zone, struct iot_diag *diag)
{
	g_autoptr(GDateTime) time = NULL;
	int year, month, day, hour, minute, second, end = 0;
	gint64 seconds;

	/* SLURM_TIME_FORMAT=%s */
	if (*text && strspn(text, "0123456789") == strlen(text)) {
		seconds = g_ascii_strtoll(text, NULL, 10);
		return seconds <= G_MAXINT64 / 1000000000 ? seconds : -1;
	}
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second,
		   &end) != 6 ||
	    text[end] || year < 1970 || year > 2261)
		return -1;
	time = g_date_time_new(zone, year, month, day, hour, minute, second);
	if (!time)
		return -1;
	seconds = g_date_time_to_unix(time);
	if (g_date_time_get_hour(time) != hour) {
		iot_diag_add(diag, IOT_DIAG_times_ambiguous, 1);
	} else if (same_local(seconds, seconds - HOUR)) {
		iot_diag_add(diag, IOT_DIAG_times_ambiguous, 1);
		seconds -= HOUR;
	} else if (same_local(seconds, seconds + HOUR)) {
		iot_diag_add(diag, IOT_DIAG_times_ambiguous, 1);
	}
	return MAX(seconds, 0);
}

/* ---- */

static void take_line(struct iot_slurm_table *table, const char *const *fields, const int *columns,
		      GTimeZone *zone, struct iot_diag *diag)
{
	struct iot_slurm_line line = { .n_hosts = 0 };

	for (guint i = 0; i < IOT_SLURM_COLUMNS; i++)
		line.text[i] = columns[i] >= 0 ? fields[columns[i]] : "";
	line.submit = read_time(line.text[IOT_SLURM_COLUMN_SUBMIT], zone, diag);
	line.start = read_time(line.text[IOT_SLURM_COLUMN_START], zone, diag);
	line.end = read_time(line.text[IOT_SLURM_COLUMN_END], zone, diag);
	g_array_append_val(table->lines, line);
}

static gboolean check_columns(const char *path, const int *columns, GError **error)
{
	static const enum iot_slurm_column needed[] = { IOT_SLURM_COLUMN_ID, IOT_SLURM_COLUMN_STATE,
							IOT_SLURM_COLUMN_START,
							IOT_SLURM_COLUMN_END };

	for (guint i = 0; i < G_N_ELEMENTS(needed); i++) {
		if (columns[needed[i]] >= 0)
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: this output of sacct has no field %s; ask for it: sacct "
			    "--parsable2 --format=JobID,JobName,User,Partition,State,ExitCode,"
			    "Submit,Start,End,NodeList",
			    path, names[needed[i]]);
		return FALSE;
	}
	return TRUE;
}

static gboolean read_lines(struct iot_slurm_table *table, const char *path, struct iot_diag *diag,
			   GError **error)
{
	g_autoptr(GTimeZone) zone = g_time_zone_new_local();
	const char *fields[MOST_FIELDS];
	int columns[IOT_SLURM_COLUMNS];
	guint expected = 0;

	for (char *line = table->text; line && *line;) {
		char *next = strchr(line, '\n');
		guint n;

		if (next)
			*next++ = '\0';
		n = split(line, fields);
		if (!expected) {
			expected = n;
			find_columns(fields, n, columns);
			if (!check_columns(path, columns, error))
				return FALSE;
		} else if (n != expected || !*fields[columns[IOT_SLURM_COLUMN_ID]] || !next) {
			/* the last line without its end was cut, perhaps in a field */
			iot_diag_add(diag, IOT_DIAG_lines_skipped, 1);
		} else {
			take_line(table, fields, columns, zone, diag);
		}
		line = next;
	}
	return TRUE;
}

struct iot_slurm_table *iot_slurm_table_read(const char *path, struct iot_diag *diag,
					     GError **error)
{
	struct iot_slurm_table *table = g_new0(struct iot_slurm_table, 1);
	g_autoptr(GError) failed = NULL;
	gsize len = 0;

	table->lines = g_array_new(FALSE, FALSE, sizeof(struct iot_slurm_line));
	if (!g_file_get_contents(path, &table->text, &len, &failed)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be read: %s", path,
			    failed->message);
	} else if (strlen(table->text) != len) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: this output of sacct has bytes that are no text; it is damaged",
			    path);
	} else if (read_lines(table, path, diag, error)) {
		table->bytes = len;
		return table;
	}
	iot_slurm_table_free(table);
	return NULL;
}

void iot_slurm_table_free(struct iot_slurm_table *table)
{
	if (!table)
		return;
	g_array_unref(table->lines);
	g_free(table->text);
	g_free(table);
}
