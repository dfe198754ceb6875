/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of dumps of Ganglia: events of system "ganglia" (ganglia-values.h), for the model
 * ganglia. A recording is a series of dumps, in one file or in the files of a folder, so it has one
 * run. All hosts that the daemon knows are in it.
 */
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "input/ganglia/ganglia-kinds.h"
#include "input/ganglia/ganglia-values.h"
#include "input/made-source.h"

struct ganglia_source {
	struct iot_made_source own;
	GPtrArray *paths; /* of char *: the files, in order */
	guint next;	  /* of them */
	GMappedFile *file;
	gsize at; /* in the file */
	struct iot_ganglia_values *values;
	guint64 bytes;
	guint64 before; /* bytes of the files that are read */
	gint64 last;	/* LOCALTIME of the dump before */
	gboolean damaged;
};

static const char system_name[] = "ganglia";
/* As marks of a recording beside it say it (clock-marks.h). */
static const char clock_name[] = "real";

/* ---- files */

static int ganglia_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return iot_ganglia_is(head, len) ? 60 : 0;
}

/* NULL: it cannot be read, or is empty. */
static GMappedFile *map(const char *path)
{
	GMappedFile *file = g_file_test(path, G_FILE_TEST_IS_REGULAR)
				    ? g_mapped_file_new(path, FALSE, NULL)
				    : NULL;

	if (file && g_mapped_file_get_length(file))
		return file;
	if (file)
		g_mapped_file_unref(file);
	return NULL;
}

static gboolean is_dump(const char *path)
{
	enum { HEAD = 4096 };
	GMappedFile *file = map(path);
	gboolean is = file && iot_ganglia_is((const guint8 *)g_mapped_file_get_contents(file),
					     MIN(g_mapped_file_get_length(file), HEAD));

	g_clear_pointer(&file, g_mapped_file_unref);
	return is;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return iot_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Itself, or the dumps in a folder by their names, which are to have the time, or count. */
static GPtrArray *find_files(const char *path)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	if (!dir)
		g_ptr_array_add(paths, g_strdup(path));
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);

		if (is_dump(file))
			g_ptr_array_add(paths, g_steal_pointer(&file));
	}
	g_clear_pointer(&dir, g_dir_close);
	g_ptr_array_sort(paths, by_name);
	return paths;
}

static gboolean ganglia_is_folder(const char *path)
{
	g_autoptr(GPtrArray) paths = find_files(path);

	return paths->len > 0;
}

/* ---- dumps */

/* The next dump of all files; NULL: there is none. */
static struct iot_ganglia_dump *next_dump(struct ganglia_source *src)
{
	struct iot_ganglia_dump *dump;

	for (;;) {
		if (!src->file) {
			if (src->next == src->paths->len)
				return NULL;
			src->file = map(src->paths->pdata[src->next++]);
			src->at = 0;
			if (!src->file)
				continue;
		}
		dump = iot_ganglia_next(g_mapped_file_get_contents(src->file),
					g_mapped_file_get_length(src->file), &src->at);
		iot_made_source_tell(&src->own, src->before + src->at);
		if (dump)
			return dump;
		src->before += g_mapped_file_get_length(src->file);
		g_clear_pointer(&src->file, g_mapped_file_unref);
	}
}

static void rewind_dumps(struct ganglia_source *src)
{
	g_clear_pointer(&src->file, g_mapped_file_unref);
	src->next = 0;
	src->before = 0;
	iot_made_source_tell(&src->own, 0);
}

/* The first value of the first dump that has clusters. */
static gint64 first_second(const struct iot_ganglia_dump *dump)
{
	gint64 first = dump->first;

	for (guint i = 0; i < dump->metrics->len; i++) {
		const struct iot_ganglia_metric *metric =
			&g_array_index(dump->metrics, struct iot_ganglia_metric, i);

		if (metric->type != IOT_GANGLIA_TEXT)
			first = MIN(first, metric->localtime - metric->age);
	}
	return first;
}

/* The time of the last dump, without parsing all of them; 0: there is none. */
static gint64 last_second(const struct ganglia_source *src)
{
	static const char attribute[] = " LOCALTIME=\"";
	gint64 last = 0;

	for (guint i = src->paths->len; i > 0 && !last; i--) {
		GMappedFile *file = map(src->paths->pdata[i - 1]);
		const char *text = file ? g_mapped_file_get_contents(file) : "";
		gsize len = file ? g_mapped_file_get_length(file) : 0;
		const char *found = g_strrstr_len(text, (gssize)len, attribute);
		char digits[20] = "";

		if (found) {
			found += strlen(attribute);
			memcpy(digits, found, MIN(sizeof(digits) - 1, (gsize)(text + len - found)));
			last = g_ascii_strtoll(digits, NULL, 10);
		}
		g_clear_pointer(&file, g_mapped_file_unref);
	}
	return CLAMP(last, 0, G_MAXINT64 / 1000000000);
}

static gboolean find_times(struct ganglia_source *src, GError **error)
{
	struct iot_ganglia_dump *dump;
	gint64 first = 0;

	while (!first && (dump = next_dump(src))) {
		if (dump->last)
			first = first_second(dump);
		iot_ganglia_dump_free(dump);
	}
	rewind_dumps(src);
	if (!first) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: there is no dump of gmond in it with a cluster and its LOCALTIME; "
			    "save what gmond sends to who connects to its port, which is 8649",
			    src->own.path);
		return FALSE;
	}
	src->own.first_ns = iot_made_source_correct(&src->own, iot_ganglia_ns(first));
	src->own.last_ns =
		iot_made_source_correct(&src->own, iot_ganglia_ns(MAX(first, last_second(src))));
	return TRUE;
}

/* ---- open and close */

static void ganglia_close(struct iot_source *base)
{
	struct ganglia_source *src = (struct ganglia_source *)base;

	if (!src)
		return;
	g_clear_pointer(&src->file, g_mapped_file_unref);
	g_ptr_array_unref(src->paths);
	iot_ganglia_values_free(src->values);
	iot_made_source_clear(&src->own);
	g_free(src);
}

static gboolean take_dump(struct iot_source *base, GError **error);

static struct iot_source *ganglia_open(const struct iot_input_spec *spec, GError **error)
{
	struct ganglia_source *src = g_new0(struct ganglia_source, 1);
	g_autofree char *whole = g_canonicalize_filename(spec->path, NULL);

	iot_made_source_init(&src->own, &iot_source_ganglia, &iot_ganglia_kinds, clock_name, spec,
			     take_dump);
	src->own.file_name = iot_source_file_name(whole);
	src->paths = find_files(spec->path);
	for (guint i = 0; i < src->paths->len; i++) {
		GMappedFile *file = map(src->paths->pdata[i]);

		src->bytes += file ? g_mapped_file_get_length(file) : 0;
		g_clear_pointer(&file, g_mapped_file_unref);
	}
	src->own.format = g_strdup_printf("dumps of Ganglia, %u file%s", src->paths->len,
					  src->paths->len == 1 ? "" : "s");
	if (!find_times(src, error)) {
		ganglia_close(&src->own.base);
		return NULL;
	}
	src->own.made->now_ns = src->own.first_ns;
	src->values = iot_ganglia_values_new(src->own.made, src->own.strings, &src->own.clock);
	return &src->own.base;
}

/* ---- bind and read */

/* The events of the next dump; FALSE at the end. */
static gboolean take_dump(struct iot_source *base, GError **error)
{
	struct ganglia_source *src = (struct ganglia_source *)base;
	struct iot_ganglia_dump *dump = next_dump(src);

	(void)error;
	if (!dump)
		return FALSE;
	iot_diag_add(&src->own.diag, IOT_DIAG_file_cut, dump->cut);
	iot_diag_add(&src->own.diag, IOT_DIAG_values_no_number, dump->n_texts);
	iot_diag_add(&src->own.diag, IOT_DIAG_clock_stepped_back,
		     dump->last && dump->last < src->last);
	src->damaged |= dump->cut;
	src->last = MAX(src->last, dump->last);
	if (dump->last)
		iot_ganglia_values_take(src->values, dump);
	src->own.last_ns = MAX(src->own.last_ns, src->own.made->now_ns);
	iot_ganglia_dump_free(dump);
	return TRUE;
}

/* ---- describe */

static void ganglia_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct ganglia_source *src = (const struct ganglia_source *)base;

	iot_made_source_describe(base, info);
	info->bytes = src->bytes;
	info->damaged = src->damaged;
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_ganglia = {
	.name = system_name,
	.runs_independent = TRUE,
	.probe = ganglia_probe,
	.is_folder = ganglia_is_folder,
	.open = ganglia_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = iot_made_source_progress,
	.strings = iot_made_source_strings,
	.describe = ganglia_describe,
	.judge = iot_made_source_judge,
	.close = ganglia_close,
};
