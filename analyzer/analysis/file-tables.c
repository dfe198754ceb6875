/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables files and file_overlaps. */
#include "analysis/file-use.h"
#include "tables/ranked.h"

struct tables {
	const struct iot_timeline *tl;
	const struct iot_file_use *use;
};

static const char *const constellations[IOT_N_CONSTELLATIONS] = {
	[IOT_NO_DATA] = "no data",
	[IOT_ONE_WRITES_ONCE] = "one writes once",
	[IOT_ONE_WRITES] = "one writes repeatedly",
	[IOT_ONE_READS_ONCE] = "one reads once",
	[IOT_ONE_READS] = "one reads repeatedly",
	[IOT_ONE_READS_AND_WRITES] = "one reads and writes",
	[IOT_SEVERAL_WRITE] = "several write",
	[IOT_SEVERAL_READ] = "several read",
	[IOT_SEVERAL_READ_AND_WRITE] = "several read and write",
};

static const char *const needs[IOT_N_NEEDS] = {
	[IOT_NEED_NOTHING] = "free to optimise",      [IOT_NEED_CLOSE] = "free until the close",
	[IOT_NEED_ORDER] = "keep the order of calls", [IOT_NEED_APPEND] = "synchronise appends",
	[IOT_NEED_SYNCHRONISE] = "synchronise",	      [IOT_NEED_UNKNOWN] = "not known",
};

const char *iot_constellation_name(enum iot_constellation constellation)
{
	return constellations[constellation];
}

const char *iot_file_need_name(enum iot_file_need need)
{
	return needs[need];
}

/* ---- files */

static const struct iot_file *file_of(const struct tables *tables, guint number)
{
	return &g_array_index(iot_file_use_files(tables->use), struct iot_file, number);
}

static int most_bytes(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct iot_file *a = pa, *b = pb;
	guint64 x = a->metric[IOT_METRIC_BYTES], y = b->metric[IOT_METRIC_BYTES];

	(void)data;
	if (x != y)
		return iot_compare_number(y, x);
	x = a->metric[IOT_METRIC_TIME];
	y = b->metric[IOT_METRIC_TIME];
	return x != y ? iot_compare_number(y, x) : iot_compare_number(a->row, b->row);
}

static const struct iot_ranked_column file_columns[] = {
	{ "file", "file", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = 40 },
	{ "constellation", "constellation", IOT_COLUMN_TEXT, IOT_COLUMN_STRONG,
	  .help = "what threads do to its data" },
	{ "needs", "needs", IOT_COLUMN_TEXT,
	  .help = "what a file system or library must keep, so that the result is the same; of "
		  "what was recorded: others may use the file before or afterwards" },
	{ "nodes", "nodes", IOT_COLUMN_COUNT, .drop = 9, .help = "that read or write it" },
	{ "processes", "processes", IOT_COLUMN_COUNT, .drop = 10 },
	{ "readers", "readers", IOT_COLUMN_COUNT, .drop = 7, .help = "threads" },
	{ "writers", "writers", IOT_COLUMN_COUNT, .drop = 6, .help = "threads" },
	{ "bytes_read", "bytes read", IOT_COLUMN_COUNT, .drop = 1 },
	{ "bytes_written", "bytes written", IOT_COLUMN_COUNT, .drop = 1 },
	{ "overwritten", "overwritten", IOT_COLUMN_COUNT, .drop = 5,
	  .help = "bytes over others that were written while it was recorded" },
	{ "appended", "appended", IOT_COLUMN_COUNT, .drop = 4,
	  .help = "bytes after all that had been read or written so far" },
	{ "reread", "read again", IOT_COLUMN_COUNT, .drop = 8,
	  .help = "bytes that were read before, and not written meanwhile" },
	{ "sequential", "sequential", IOT_COLUMN_SHARE, .drop = 3,
	  .help = "accesses that begin where the thread's one before ended; of those with one "
		  "before" },
	{ "strided", "strided", IOT_COLUMN_SHARE, .drop = 11,
	  .help = "others at the same distance as the one before or after" },
	{ "random", "random", IOT_COLUMN_SHARE, .drop = 12 },
	{ "metadata_reads", "metadata reads", IOT_COLUMN_COUNT, .drop = 13,
	  .help = "by descriptor; if there are none, by descriptor or path, the times of accesses "
		  "need not be kept" },
	{ "time", "time", IOT_COLUMN_NS, .drop = 2, .help = "in calls" },
};

static void add_steps(struct iot_result_table *table, const guint64 *metric)
{
	double all = (double)(metric[IOT_METRIC_SEQUENTIAL] + metric[IOT_METRIC_STRIDED] +
			      metric[IOT_METRIC_RANDOM]);
	static const enum iot_metric steps[] = { IOT_METRIC_SEQUENTIAL, IOT_METRIC_STRIDED,
						 IOT_METRIC_RANDOM };

	for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
		iot_ranked_cell(
			table, iot_cell_if(all > 0,
					   iot_cell_share((double)metric[steps[i]] / MAX(all, 1))));
}

static void add_file(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_file *file = element;
	const guint64 *metric = file->metric;
	gboolean least = file->users_left_out, placed = !metric[IOT_METRIC_NOWHERE] && !least;

	(void)data;
	iot_ranked_row(
		table, iot_cell_number(file->row),
		iot_cell_text(constellations[file->constellation]),
		iot_cell_text(needs[file->need]), iot_cell_least(metric[IOT_METRIC_NODES], least),
		iot_cell_least(metric[IOT_METRIC_PROCESSES], least),
		iot_cell_least(file->readers, least), iot_cell_least(file->writers, least),
		iot_cell_number(metric[IOT_METRIC_BYTES_READ]),
		iot_cell_number(metric[IOT_METRIC_BYTES_WRITTEN]),
		iot_cell_least(metric[IOT_METRIC_OVERWRITTEN], !placed || file->ranges.evicted),
		iot_cell_least(metric[IOT_METRIC_APPENDED], !placed),
		iot_cell_least(metric[IOT_METRIC_REREAD], !placed || file->ranges.evicted));
	add_steps(table, metric);
	iot_ranked_cell(table, iot_cell_number(metric[IOT_METRIC_METADATA_READS]));
	iot_ranked_cell(table, iot_cell_number(metric[IOT_METRIC_TIME]));
}

static const struct iot_ranked files_ranked = {
	IOT_RANKED("files", "What programs do to files", file_columns),
	.help = "who reads and writes them, and what must be kept of that",
	.limit = 40,
	.most = "with the most bytes",
	.compare = most_bytes,
	.add = add_file,
};

/* ---- all that is counted, of all files */

static const struct iot_ranked_column use_columns[] = {
	{ "file", "file", IOT_COLUMN_ROW },
	{ "constellation", "constellation", IOT_COLUMN_TEXT },
	{ "needs", "needs", IOT_COLUMN_TEXT },
	{ "first", "first", IOT_COLUMN_INSTANT },
	{ "last", "last", IOT_COLUMN_INSTANT },
	{ "readers", "readers", IOT_COLUMN_COUNT },
	{ "writers", "writers", IOT_COLUMN_COUNT },
};

static void more_columns(struct iot_result_table *table, gconstpointer data)
{
	(void)data;
	for (guint i = 0; i < IOT_N_METRICS; i++)
		iot_result_column(table, iot_metric_name(i), iot_metric_name(i),
				  i == IOT_METRIC_TIME || i == IOT_METRIC_LOCK_TIME
					  ? IOT_COLUMN_NS
					  : IOT_COLUMN_COUNT);
}

static void add_use(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_file *file = element;

	(void)data;
	iot_ranked_row(table, iot_cell_number(file->row),
		       iot_cell_text(constellations[file->constellation]),
		       iot_cell_text(needs[file->need]), iot_cell_number(file->first_ns),
		       iot_cell_number(file->last_ns), iot_cell_number(file->readers),
		       iot_cell_number(file->writers));
	for (guint i = 0; i < IOT_N_METRICS; i++)
		iot_ranked_cell(table, iot_cell_number(file->metric[i]));
}

static const struct iot_ranked uses_ranked = {
	IOT_RANKED("file_uses", "All that is counted of files", use_columns),
	.more_columns = more_columns,
	.for_programs = TRUE,
	.compare = most_bytes,
	.add = add_use,
};

/* ---- ranges */

static const struct iot_ranked_column range_columns[] = {
	{ "file", "file", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = 40 },
	{ "after", "thread", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "does", "", IOT_COLUMN_TEXT, IOT_COLUMN_UNTITLED },
	{ "before", "before by", IOT_COLUMN_TEXT, IOT_COLUMN_SHRINK },
	{ "bytes", "bytes", IOT_COLUMN_COUNT, IOT_COLUMN_STRONG, .drop = 1,
	  .help = "each time that it touches them" },
	{ "calls", "calls", IOT_COLUMN_COUNT, .drop = 2 },
	{ "from", "from byte", IOT_COLUMN_COUNT, .drop = 7 },
	{ "to", "to byte", IOT_COLUMN_COUNT, .drop = 6, .help = "the last one, and one more" },
	{ "first", "first at", IOT_COLUMN_INSTANT, .drop = 3 },
	{ "same_time", "same time", IOT_COLUMN_COUNT, IOT_COLUMN_DASH, .drop = 4,
	  .help = "calls that began before the other thread's one had ended, whatever the errors "
		  "of the clocks are" },
	{ "perhaps", "perhaps", IOT_COLUMN_COUNT, IOT_COLUMN_DASH, .drop = 5,
	  .help = "calls of which the clocks, or joined ranges, do not allow to say it" },
};

static int most_touched(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct iot_file_dependency *a = pa, *b = pb;

	(void)data;
	return iot_compare_number(b->bytes, a->bytes);
}

static char *thread_name(const struct tables *tables, guint number)
{
	const struct iot_file_thread *thread = iot_file_use_thread(tables->use, number);

	if (!thread->node)
		return g_strdup_printf("pid %" G_GINT64_FORMAT, thread->thread);
	return g_strdup_printf("%s (pid %" G_GINT64_FORMAT ")",
			       iot_tl_str(tables->tl, thread->node), thread->thread);
}

static void add_range(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	static const char *const does[IOT_RANGE_KINDS] = {
		[IOT_RANGE_WRITE_WRITE] = "overwrites what was written",
		[IOT_RANGE_WRITE_READ] = "reads what was written",
		[IOT_RANGE_READ_WRITE] = "overwrites what was read",
	};
	const struct iot_file_dependency *dependency = element;
	const struct tables *tables = data;
	g_autofree char *before = thread_name(tables, dependency->before);
	g_autofree char *after = thread_name(tables, dependency->after);

	iot_ranked_row(table, iot_cell_number(file_of(tables, dependency->file)->row),
		       iot_cell_text(after), iot_cell_text(does[dependency->kind]),
		       iot_cell_text(before), iot_cell_number(dependency->bytes),
		       iot_cell_number(dependency->calls), iot_cell_number(dependency->from),
		       iot_cell_number(dependency->to), iot_cell_number(dependency->first_ns),
		       iot_cell_number(dependency->same_time),
		       iot_cell_number(dependency->perhaps_same_time));
}

static const struct iot_ranked ranges_ranked = {
	IOT_RANKED("file_overlaps", "Bytes that several threads touch", range_columns),
	.help = "a thread's accesses to bytes that another thread touched last, in the order of "
		"their ends; one of the two accesses is a write",
	.limit = 40,
	.most = "with the most bytes",
	.compare = most_touched,
	.add = add_range,
};

static const struct iot_ranked all_ranges_ranked = {
	IOT_RANKED("all_file_overlaps", "All bytes that several threads touch", range_columns),
	.for_programs = TRUE,
	.compare = most_touched,
	.add = add_range,
};

void iot_file_tables_publish(const struct iot_timeline *tl, const struct iot_file_use *use,
			     struct iot_results *results)
{
	const struct tables tables = { .tl = tl, .use = use };
	const GPtrArray *dependencies = iot_file_use_dependencies(use);
	g_autoptr(GPtrArray) files = g_ptr_array_new(), ranges = g_ptr_array_new();
	struct iot_result_table *table;

	for (guint i = 0; i < iot_file_use_files(use)->len; i++)
		if (file_of(&tables, i)->shown)
			g_ptr_array_add(files, (gpointer)file_of(&tables, i));
	for (guint i = 0; i < dependencies->len; i++) {
		struct iot_file_dependency *dependency = dependencies->pdata[i];

		if (file_of(&tables, dependency->file)->shown)
			g_ptr_array_add(ranges, dependency);
	}
	table = iot_ranked_publish(results, tl, &files_ranked, files, &tables);
	if (!table)
		return;
	iot_file_use_notes(use, table);
	iot_ranked_publish(results, tl, &uses_ranked, files, &tables);
	table = iot_ranked_publish(results, tl, &ranges_ranked, ranges, &tables);
	if (!table)
		return;
	iot_file_use_notes(use, table);
	iot_ranked_publish(results, tl, &all_ranges_ranked, ranges, &tables);
}
