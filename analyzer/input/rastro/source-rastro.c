/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of traces of libRastro: events "event" of system "rastro", for the model rastro and
 * for those of the program that wrote them, which alone knows what its types mean. A recording is a
 * process: the files rastro-ID1-*.rst of a folder, one for each thread, which are merged by time,
 * so it has one run.
 */
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/real.h"
#include "base/units.h"
#include "input/made-source.h"
#include "input/rastro/rastro-file.h"

/* Whole numbers, real ones, texts. */
enum field {
	TYPE,
	ID1,
	ID2,
	INTS,
	REALS = INTS + IOT_RASTRO_INTS,
	TEXTS = REALS + IOT_RASTRO_REALS,
	HOST = TEXTS + IOT_RASTRO_TEXTS,
	VALUES, /* all of them, for people */
	N_FIELDS
};
G_STATIC_ASSERT((int)N_FIELDS <= (int)IOT_MADE_FIELDS);

static const char *const field_names[N_FIELDS] = {
	"type", "id1", "id2", "i1", "i2", "i3", "i4", "i5", "i6", "i7",	  "i8",	    "f1",
	"f2",	"f3",  "f4",  "s1", "s2", "s3", "s4", "s5", "s6", "host", "values",
};

static const struct iot_made_event events[] = { { "rastro", "event", (1u << N_FIELDS) - 1 } };

static const struct iot_made_kinds kinds = {
	.file = "a trace of libRastro",
	.event = events,
	.n_events = G_N_ELEMENTS(events),
	.field = field_names,
	.n_fields = N_FIELDS,
	.first_real = REALS,
	.first_text = TEXTS,
};

/* A thread, and its next event. */
struct part {
	struct iot_rastro_file *file;
	struct iot_rastro_event event;
};

struct rastro_source {
	struct iot_made_source own;
	GArray *parts;	      /* of struct part, in order of their names */
	struct iot_heap next; /* index of the parts that have one, by its time */
	guint32 host;	      /* number of its text */
	GString *text;
	guint64 bytes, n_done;
	gboolean has_events, begins, ends, damaged;
};

static const char system_name[] = "rastro";
/* As marks of a recording beside it say it (clock-marks.h). */
static const char clock_name[] = "real";
static const char prefix[] = "rastro-", suffix[] = ".rst";

/* ---- files */

static int rastro_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return iot_rastro_is(head, len) ? 80 : 0;
}

/* "rastro-3-" of "rastro-3-0.rst"; NULL: the file does not have such a name. The caller frees. */
static char *process_of(const char *name)
{
	gsize at = strlen(prefix), id1, id2;

	if (!g_str_has_prefix(name, prefix) || !g_str_has_suffix(name, suffix))
		return NULL;
	id1 = strspn(name + at, "0123456789");
	if (!id1 || name[at + id1] != '-')
		return NULL;
	id2 = strspn(name + at + id1 + 1, "0123456789");
	if (!id2 || strcmp(name + at + id1 + 1 + id2, suffix))
		return NULL;
	return g_strndup(name, at + id1 + 1);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return iot_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

/* The files of the threads of one process; a file of another name is alone. */
static GPtrArray *find_files(const char *path)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = g_path_get_dirname(path), *name = g_path_get_basename(path);
	g_autofree char *process = process_of(name);
	GDir *dir = process ? g_dir_open(folder, 0, NULL) : NULL;
	const char *other;

	while (dir && (other = g_dir_read_name(dir))) {
		g_autofree char *of = process_of(other);
		gboolean beside = strchr(path, '/') != NULL;

		if (of && !strcmp(of, process))
			g_ptr_array_add(paths, beside ? g_build_filename(folder, other, NULL)
						      : g_strdup(other));
	}
	g_clear_pointer(&dir, g_dir_close);
	if (!paths->len)
		g_ptr_array_add(paths, g_strdup(path));
	g_ptr_array_sort(paths, by_name);
	return paths;
}

static char *rastro_first_part(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *process = process_of(name);
	g_autoptr(GPtrArray) paths = process ? find_files(path) : NULL;

	return paths ? g_strdup(paths->pdata[0]) : NULL;
}

static void part_clear(gpointer data)
{
	iot_rastro_free(((struct part *)data)->file);
}

/* ---- open and close */

static void rastro_close(struct iot_source *base)
{
	struct rastro_source *src = (struct rastro_source *)base;

	if (!src)
		return;
	g_array_unref(src->parts);
	iot_heap_clear(&src->next);
	g_string_free(src->text, TRUE);
	iot_made_source_clear(&src->own);
	g_free(src);
}

/* All files are read once when the recording is opened: only then its end is known, and whether it
 * is whole. */
static void survey(struct rastro_source *src, struct iot_rastro_file *file)
{
	struct iot_rastro_event event;

	while (iot_rastro_next(file, &event)) {
		guint64 ns = iot_made_source_correct(&src->own, event.ns);

		src->own.first_ns = src->has_events ? MIN(src->own.first_ns, ns) : ns;
		src->own.last_ns = src->has_events ? MAX(src->own.last_ns, ns) : ns;
		src->has_events = TRUE;
		iot_diag_add(&src->own.diag, IOT_DIAG_values_left_out, event.n_left_out);
	}
	iot_diag_add(&src->own.diag, IOT_DIAG_file_cut, file->cut);
	iot_diag_add(&src->own.diag, IOT_DIAG_blocks_skipped, file->strange);
	src->damaged |= file->cut || file->strange;
	src->begins &= file->begins;
	src->ends &= file->ends;
	iot_rastro_rewind(file);
}

static gboolean open_parts(struct rastro_source *src, const char *path, GError **error)
{
	g_autoptr(GPtrArray) paths = find_files(path);

	src->begins = src->ends = TRUE;
	for (guint i = 0; i < paths->len; i++) {
		struct part part = { .file = iot_rastro_open(paths->pdata[i]) };

		if (!part.file) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
				    "%s: cannot be read, or is no file of libRastro",
				    (const char *)paths->pdata[i]);
			return FALSE;
		}
		src->bytes += g_mapped_file_get_length(part.file->map);
		survey(src, part.file);
		g_array_append_val(src->parts, part);
	}
	return TRUE;
}

/* The next event of a part stands in the heap, by its time, or the part is over. */
static gboolean advance(struct part *part)
{
	return iot_rastro_next(part->file, &part->event);
}

static gboolean take_next(struct iot_source *base, GError **error);

static struct iot_source *rastro_open(const struct iot_input_spec *spec, GError **error)
{
	struct rastro_source *src = g_new0(struct rastro_source, 1);
	const char *host;

	iot_made_source_init(&src->own, &iot_source_rastro, &kinds, clock_name, spec, take_next);
	src->own.file_name = iot_source_file_name(spec->path);
	src->text = g_string_new(NULL);
	src->parts = g_array_new(FALSE, TRUE, sizeof(struct part));
	g_array_set_clear_func(src->parts, part_clear);
	if (!open_parts(src, spec->path, error)) {
		rastro_close(&src->own.base);
		return NULL;
	}
	host = g_array_index(src->parts, struct part, 0).file->host;
	src->host = host ? iot_intern_str(src->own.strings, host) : 0;
	src->own.made->now_ns = src->own.first_ns;
	src->own.format = g_strdup_printf("libRastro, %u thread%s%s", src->parts->len,
					  src->parts->len == 1 ? "" : "s",
					  iot_source_complete(src->begins, src->ends));
	for (guint i = 0; i < src->parts->len; i++) {
		struct part *part = &g_array_index(src->parts, struct part, i);

		if (advance(part))
			iot_heap_push(&src->next, part->event.ns, i, i);
	}
	return &src->own.base;
}

/* ---- read */

/* "begin, 3, 0.5": texts, whole numbers and real ones; 0: there are none. */
static guint32 describe_values(struct rastro_source *src, const struct iot_rastro_event *event)
{
	GString *text = g_string_truncate(src->text, 0);
	char real[IOT_REAL_ROOM];

	for (guint i = 0; i < event->n_texts; i++) {
		g_string_append_len(text, event->texts[i].p, (gssize)event->texts[i].len);
		g_string_append(text, ", ");
	}
	for (guint i = 0; i < event->n_ints; i++)
		g_string_append_printf(text, "%" G_GUINT64_FORMAT ", ", (guint64)event->ints[i]);
	for (guint i = 0; i < event->n_reals; i++)
		g_string_append_printf(text, "%s, ", iot_real_text(real, event->reals[i]));
	return text->len ? iot_intern_bytes(src->own.strings, text->str, text->len - 2) : 0;
}

static void put(struct rastro_source *src, const struct part *part)
{
	const struct iot_rastro_event *event = &part->event;
	struct iot_made_rec rec = { .pid = (gint32)(part->file->id2 & G_MAXINT32) };
	guint64 ns = iot_made_source_correct(&src->own, event->ns);

	rec.field[TYPE] = event->type;
	rec.field[ID1] = (gint64)part->file->id1;
	rec.field[ID2] = (gint64)part->file->id2;
	for (guint i = 0; i < event->n_ints; i++)
		rec.field[INTS + i] = event->ints[i];
	for (guint i = 0; i < event->n_reals; i++)
		rec.field[REALS + i] = (gint64)iot_real_bits(event->reals[i]);
	for (guint i = 0; i < event->n_texts; i++)
		rec.field[TEXTS + i] =
			iot_intern_bytes(src->own.strings, event->texts[i].p, event->texts[i].len);
	rec.field[HOST] = src->host;
	rec.field[VALUES] = describe_values(src, event);
	iot_diag_add(&src->own.diag, IOT_DIAG_clock_stepped_back, ns < src->own.made->now_ns);
	iot_made_put(src->own.made, &rec, ns);
}

/* The first event of all threads; FALSE at the end. */
static gboolean take_next(struct iot_source *base, GError **error)
{
	struct rastro_source *src = (struct rastro_source *)base;
	const struct iot_heap_entry *top = iot_heap_top(&src->next);
	struct part *part;
	guint64 index;
	gsize left;

	(void)error;
	if (!top)
		return FALSE;
	index = top->value;
	part = &g_array_index(src->parts, struct part, index);
	put(src, part);
	left = iot_bytes_left(&part->file->at);
	if (advance(part))
		iot_heap_replace_top(&src->next, part->event.ns, index, index);
	else
		iot_heap_pop(&src->next);
	src->n_done += left - iot_bytes_left(&part->file->at);
	iot_made_source_tell(&src->own, MIN(src->n_done, src->bytes));
	return TRUE;
}

/* ---- describe */

static void rastro_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct rastro_source *src = (const struct rastro_source *)base;

	iot_made_source_describe(base, info);
	info->hostname = src->host ? iot_intern_get(src->own.strings, src->host, NULL) : NULL;
	info->has_times = src->has_events;
	info->bytes = src->bytes;
	info->damaged = src->damaged;
	info->nothing_before = src->begins;
	info->nothing_after = src->ends;
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_rastro = {
	.name = system_name,
	.runs_independent = TRUE,
	.probe = rastro_probe,
	.first_part = rastro_first_part,
	.open = rastro_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = iot_made_source_progress,
	.strings = iot_made_source_strings,
	.describe = rastro_describe,
	.judge = iot_made_source_judge,
	.close = rastro_close,
};
