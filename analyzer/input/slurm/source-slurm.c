/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of outputs of sacct: events of system "slurm" (slurm-kinds.h), for the model slurm.
 * Such an output has the jobs and steps of a cluster, of any time, so all of it is sorted in
 * memory; a million lines are some hundred MB. It has one run.
 */
#include <string.h>

#include "base/error.h"
#include "input/slurm/slurm-hosts.h"
#include "input/slurm/slurm-kinds.h"
#include "input/slurm/slurm-table.h"
#include "input/made-source.h"

/* An end of a span. */
struct instant {
	gint64 seconds;
	guint32 line, host; /* index in the table; number of the text, 0: of no host */
	guint32 id;	    /* of the span */
	guint8 event;	    /* enum iot_slurm_made */
	/* Ends come before begins of the same second, so that one job follows another; those
	 * of spans without length come after them. */
	guint8 order;
};
enum { ORDER_END, ORDER_BEGIN, ORDER_END_AT_ONCE };

struct slurm_source {
	struct iot_made_source own;
	struct iot_slurm_table *table;
	GArray *instants; /* of struct instant, sorted */
	GHashTable *jobs; /* "12" -> the name of the job; texts of the table */
	guint next;	  /* of them; atomic, as progress is asked for by any thread */
	guint32 n_spans;
};

static const char system_name[] = "slurm";
/* As marks of a recording beside it say it (clock-marks.h). */
static const char clock_name[] = "real";

/* ---- spans */

static void add_instant(struct slurm_source *src, const struct instant *like, guint event,
			gint64 seconds, guint8 order)
{
	struct instant instant = *like;

	instant.event = (guint8)event;
	instant.seconds = seconds;
	instant.order = order;
	g_array_append_val(src->instants, instant);
}

/* @end: -1, it has not ended */
static void add_span(struct slurm_source *src, guint32 line, guint32 host,
		     enum iot_slurm_made start, gint64 from, gint64 end)
{
	struct instant like = { .line = line, .host = host, .id = ++src->n_spans };

	add_instant(src, &like, start, from, ORDER_BEGIN);
	if (end >= 0)
		add_instant(src, &like, (guint)start + 1, end,
			    end > from ? ORDER_END : ORDER_END_AT_ONCE);
}

static void add_hosts(struct slurm_source *src, guint32 index, struct iot_slurm_line *line,
		      enum iot_slurm_made start, gint64 end)
{
	const char *list = line->text[IOT_SLURM_COLUMN_HOSTS];
	g_autoptr(GPtrArray) hosts = NULL;

	if (!*list || !strcmp(list, "None assigned") || !strcmp(list, "Unknown"))
		return;
	hosts = iot_slurm_hosts(list);
	if (!hosts) {
		iot_diag_add(&src->own.diag, IOT_DIAG_node_lists_kept, 1);
		hosts = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(hosts, g_strdup(list));
	}
	line->n_hosts = hosts->len;
	for (guint i = 0; i < hosts->len; i++)
		add_span(src, index, iot_intern_str(src->own.strings, hosts->pdata[i]), start,
			 line->start, end);
}

static void add_line(struct slurm_source *src, guint32 index)
{
	struct iot_slurm_line *line =
		&g_array_index(src->table->lines, struct iot_slurm_line, index);
	gboolean is_step = strchr(line->text[IOT_SLURM_COLUMN_ID], '.') != NULL;
	gint64 end = line->end;

	/* of a job that began again there are several lines */
	if (!is_step)
		g_hash_table_insert(src->jobs, (gpointer)line->text[IOT_SLURM_COLUMN_ID],
				    (gpointer)line->text[IOT_SLURM_COLUMN_NAME]);
	if (line->start < 0 && (is_step || line->submit < 0)) {
		iot_diag_add(&src->own.diag, IOT_DIAG_jobs_undated, 1);
		return;
	}
	if (end >= 0 && end < MAX(line->start, line->submit)) {
		iot_diag_add(&src->own.diag, IOT_DIAG_clock_stepped_back, 1);
		end = MAX(line->start, line->submit);
	}
	/* one that was cancelled while it waited has an end, but no start */
	if (!is_step && line->submit >= 0 && (line->start < 0 || line->submit < line->start))
		add_span(src, index, 0, IOT_SLURM_WAIT_START, line->submit,
			 line->start >= 0 ? line->start : end);
	if (line->start < 0)
		return;
	add_span(src, index, 0, is_step ? IOT_SLURM_STEP_START : IOT_SLURM_JOB_START, line->start,
		 end);
	add_hosts(src, index, line, is_step ? IOT_SLURM_HOST_STEP_START : IOT_SLURM_HOST_JOB_START,
		  end);
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct instant *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static guint64 corrected(const struct slurm_source *src, gint64 seconds)
{
	return iot_made_source_correct(&src->own, (guint64)seconds * 1000000000);
}

static gboolean find_spans(struct slurm_source *src, GError **error)
{
	const struct instant *instants;

	for (guint32 i = 0; i < src->table->lines->len; i++)
		add_line(src, i);
	if (!src->instants->len) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: no job in this output of sacct has a time", src->own.path);
		return FALSE;
	}
	g_array_sort(src->instants, by_time);
	instants = (const struct instant *)(gconstpointer)src->instants->data;
	src->own.first_ns = src->own.made->now_ns = corrected(src, instants[0].seconds);
	src->own.last_ns = corrected(src, instants[src->instants->len - 1].seconds);
	return TRUE;
}

/* ---- open and close */

static int slurm_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return iot_slurm_is(head, len) ? 60 : 0;
}

static void slurm_close(struct iot_source *base)
{
	struct slurm_source *src = (struct slurm_source *)base;

	if (!src)
		return;
	iot_slurm_table_free(src->table);
	g_array_unref(src->instants);
	g_hash_table_unref(src->jobs);
	iot_made_source_clear(&src->own);
	g_free(src);
}

static gboolean take_instant(struct iot_source *base, GError **error);

static struct iot_source *slurm_open(const struct iot_input_spec *spec, GError **error)
{
	struct slurm_source *src = g_new0(struct slurm_source, 1);

	iot_made_source_init(&src->own, &iot_source_slurm, &iot_slurm_kinds, clock_name, spec,
			     take_instant);
	src->own.file_name = iot_source_file_name(spec->path);
	src->own.format = g_strdup("jobs of Slurm (sacct)");
	src->instants = g_array_new(FALSE, FALSE, sizeof(struct instant));
	src->jobs = g_hash_table_new(g_str_hash, g_str_equal);
	src->table = iot_slurm_table_read(spec->path, &src->own.diag, error);
	if (src->table && find_spans(src, error))
		return &src->own.base;
	slurm_close(&src->own.base);
	return NULL;
}

/* ---- bind and read */

static gint64 text(struct slurm_source *src, const char *from, gsize len)
{
	return iot_intern_bytes(src->own.strings, from, len);
}

/* States by which a job or step failed by itself or its machine. */
static gboolean is_bad(const char *state, gsize len)
{
	static const char *const bad[] = { "FAILED",	    "TIMEOUT",	 "NODE_FAIL",
					   "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE" };

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
		if (strlen(bad[i]) == len && !strncmp(bad[i], state, len))
			return TRUE;
	return FALSE;
}

static void fill(struct slurm_source *src, const struct iot_slurm_line *line, gint64 *field)
{
	const char *id = line->text[IOT_SLURM_COLUMN_ID], *name = line->text[IOT_SLURM_COLUMN_NAME];
	const char *state = line->text[IOT_SLURM_COLUMN_STATE];
	const char *user = line->text[IOT_SLURM_COLUMN_USER];
	const char *partition = line->text[IOT_SLURM_COLUMN_PARTITION];
	const char *exit = line->text[IOT_SLURM_COLUMN_EXIT];
	const char *hosts = line->text[IOT_SLURM_COLUMN_HOSTS];
	const char *step = strchr(id, '.');
	gsize job = step ? (gsize)(step - id) : strlen(id);
	/* "CANCELLED by 1000" */
	gsize word = strcspn(state, " ");
	g_autofree char *job_id = g_strndup(id, job);
	/* the name of a step is its command */
	const char *job_name = g_hash_table_lookup(src->jobs, job_id);
	g_autofree char *title = job_name && *job_name ? g_strdup_printf("%s %s", job_id, job_name)
						       : g_strdup(job_id);

	field[IOT_SLURM_JOB] = text(src, id, job);
	field[IOT_SLURM_STEP] = step ? text(src, step + 1, strlen(step + 1)) : 0;
	field[IOT_SLURM_NAME] = text(src, name, strlen(name));
	field[IOT_SLURM_TITLE] = text(src, title, strlen(title));
	field[IOT_SLURM_STATE] = text(src, state, word);
	field[IOT_SLURM_EXIT] = text(src, exit, strlen(exit));
	field[IOT_SLURM_USER] = text(src, user, strlen(user));
	field[IOT_SLURM_PARTITION] = text(src, partition, strlen(partition));
	field[IOT_SLURM_HOSTS] = text(src, hosts, strlen(hosts));
	field[IOT_SLURM_N_HOSTS] = line->n_hosts;
	field[IOT_SLURM_BAD] = is_bad(state, word);
}

/* The event of the next instant; FALSE at the end. */
static gboolean take_instant(struct iot_source *base, GError **error)
{
	struct slurm_source *src = (struct slurm_source *)base;
	struct iot_made_rec rec = { 0 };
	const struct instant *instant;

	(void)error;
	if (src->next == src->instants->len)
		return FALSE;
	instant = &g_array_index(src->instants, struct instant, src->next);
	rec.event = instant->event;
	rec.field[IOT_SLURM_ID] = instant->id;
	rec.field[IOT_SLURM_HOST] = instant->host;
	if (instant->order == ORDER_BEGIN)
		fill(src, &g_array_index(src->table->lines, struct iot_slurm_line, instant->line),
		     rec.field);
	iot_made_put(src->own.made, &rec, corrected(src, instant->seconds));
	__atomic_store_n(&src->next, src->next + 1, __ATOMIC_RELAXED);
	return TRUE;
}

/* ---- describe */

static guint64 slurm_progress(const struct iot_source *base)
{
	const struct slurm_source *src = (const struct slurm_source *)base;

	return src->table->bytes * __atomic_load_n(&src->next, __ATOMIC_RELAXED) /
	       src->instants->len;
}

static void slurm_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct slurm_source *src = (const struct slurm_source *)base;

	iot_made_source_describe(base, info);
	info->bytes = src->table->bytes;
	info->damaged = src->own.diag.count[IOT_DIAG_lines_skipped] > 0;
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_slurm = {
	.name = system_name,
	.runs_independent = TRUE,
	.probe = slurm_probe,
	.open = slurm_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = slurm_progress,
	.strings = iot_made_source_strings,
	.describe = slurm_describe,
	.judge = iot_made_source_judge,
	.close = slurm_close,
};
