/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of recordings of libiotrace-preload: what programs do to files, recorded without any
 * rights. A recording has one run, of all processes. Records are read in the order in which they
 * begin; their ends wait in a heap.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/heap.h"
#include "input/clock-judge.h"
#include "input/preload/preload-calls.h"
#include "input/source.h"

struct preload_source {
	struct iot_source base;
	struct iot_preload_file *file;
	struct iot_clock clock; /* stated by the user */
	char *file_name, *format;
	struct iot_intern *strings;
	struct iot_preload_calls calls;
	struct iot_made *made;
	struct iot_heap ends; /* of struct iot_preload_call */
	guint64 first_ns, last_ns;
	gboolean lossy; /* records are missing from here on */
	struct iot_diag diag;
};

static const char system_name[] = "iotrace";
static const char clock_name[] = "mono";

static gboolean take_record(struct iot_source *base, GError **error);

/* --- open and close --- */

static int preload_probe(const char *path, const guint8 *head, gsize len)
{
	(void)path;
	return iot_preload_is(head, len) ? 100 : 0;
}

/* A folder has it among other files; it is whole by itself. */
static char *preload_first_part(const char *path)
{
	guint8 head[sizeof(IOTRACE_PRELOAD_MAGIC)];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	gssize n = fd >= 0 ? read(fd, head, sizeof(head)) : -1;

	if (fd >= 0)
		close(fd);
	return n > 0 && iot_preload_is(head, (gsize)n) ? g_strdup(path) : NULL;
}

static void preload_close(struct iot_source *base)
{
	struct preload_source *src = (struct preload_source *)base;

	if (!src)
		return;
	for (guint i = 0; i < src->ends.n; i++) {
		struct iot_preload_call *call = (gpointer)(guintptr)src->ends.entries[i].value;

		iot_descriptors_end_move(call->moves, -1);
		g_free(call);
	}
	iot_heap_clear(&src->ends);
	iot_made_free(src->made);
	iot_preload_calls_clear(&src->calls);
	iot_intern_free(src->strings);
	iot_clock_clear(&src->clock);
	iot_preload_free(src->file);
	g_free(src->file_name);
	g_free(src->format);
	g_free(src);
}

static guint64 corrected(const struct preload_source *src, guint64 ns)
{
	return iot_clock_correct(&src->clock, 0, ns);
}

/* Nothing is before its first program; whether its last one has ended is not recorded. */
static gboolean begins(const struct preload_source *src)
{
	return !src->file->n_missing_bytes && !src->file->n_bad;
}

static struct iot_source *preload_open(const struct iot_input_spec *spec, GError **error)
{
	struct iot_preload_file *file = iot_preload_open(spec->path, error);
	struct preload_source *src;

	if (!file)
		return NULL;
	src = g_new0(struct preload_source, 1);
	src->base.ops = &iot_source_preload;
	src->base.to_ns = G_MAXUINT64;
	src->file = file;
	if (!iot_clock_change_is_none(spec->clock))
		iot_clock_change_apply(spec->clock, &src->clock);
	src->file_name = iot_source_file_name(spec->path);
	src->format = g_strdup_printf("libiotrace-preload %u, %u processes%s", file->head.version,
				      g_hash_table_size(file->last_of),
				      iot_source_complete(begins(src), FALSE));
	src->made = iot_made_new(&iot_preload_kinds, spec, take_record);
	src->strings = iot_intern_new();
	iot_preload_calls_init(&src->calls, src->strings);
	src->first_ns = src->made->now_ns = corrected(src, file->first_ns);
	src->last_ns = corrected(src, file->last_ns);
	iot_diag_add(&src->diag, IOT_DIAG_file_cut, file->n_missing_bytes > 0);
	iot_diag_add(&src->diag, IOT_DIAG_records_unfinished, file->n_unfinished);
	iot_diag_add(&src->diag, IOT_DIAG_records_skipped, file->n_bad);
	return &src->base;
}

/* --- bind --- */

static gboolean preload_has_event(const struct iot_source *base, const char *system,
				  const char *name)
{
	(void)base;
	return iot_made_has_event(&iot_preload_kinds, system, name);
}

static gboolean preload_bind(struct iot_source *base, const struct iot_schema *schema,
			     GError **error)
{
	struct preload_source *src = (struct preload_source *)base;

	return iot_made_bind(src->made, schema, src->file->path, &src->diag, error);
}

/* --- read --- */

static void put(struct preload_source *src, const struct iot_preload_events *events,
		const struct iotrace_preload_record *r, guint64 ns)
{
	for (guint i = 0; i < events->n; i++) {
		struct iot_made_rec *own =
			iot_made_put(src->made, &events->rec[i], corrected(src, ns));

		own->pid = r->tid;
		own->field[IOT_FILE_TGID] = r->tgid;
	}
}

/* A process of which no record follows is forgotten. */
static void end_record(struct preload_source *src, const struct iot_preload_call *call)
{
	const struct iotrace_preload_record *r = &call->record;
	const guint64 *last = g_hash_table_lookup(src->file->last_of, GINT_TO_POINTER(r->tgid));
	struct iot_preload_events events;

	iot_preload_call_end(&src->calls, call, &events);
	put(src, &events, r, r->end_ns);
	if (!last || r->end_ns >= *last)
		iot_descriptors_exit(src->calls.descriptors, r->tgid);
}

static void begin_record(struct preload_source *src)
{
	struct iot_preload_call *call = g_new(struct iot_preload_call, 1);
	struct iot_preload_events events;
	struct iot_preload_item item;

	iot_preload_next(src->file, &item);
	iot_preload_call_begin(&src->calls, &item, call, &events);
	put(src, &events, &item.record, item.record.begin_ns);
	iot_heap_push(&src->ends, item.record.end_ns, (guint64)call->id, (guintptr)call);
	iot_preload_item_clear(&item);
}

/* The events of the next record that begins or ends; FALSE at the end of the file. Ends come before
 * begins at the same instant, but after their own. */
static gboolean take_record(struct iot_source *base, GError **error)
{
	struct preload_source *src = (struct preload_source *)base;
	g_autoptr(GError) failed = NULL;
	guint64 next = iot_preload_peek(src->file, &failed);
	const struct iot_heap_entry *top = iot_heap_top(&src->ends);

	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	if (top && top->key <= next) {
		struct iot_heap_entry entry = iot_heap_pop(&src->ends);
		struct iot_preload_call *call = (gpointer)(guintptr)entry.value;

		end_record(src, call);
		g_free(call);
		return TRUE;
	}
	if (src->file->head.lost && !src->lossy &&
	    (next == G_MAXUINT64 || next >= src->file->head.lost_ns)) {
		src->lossy = TRUE;
		iot_preload_calls_lose(&src->calls);
		iot_made_put_gap(src->made, next == G_MAXUINT64 ? next : corrected(src, next));
	}
	if (next == G_MAXUINT64)
		return FALSE;
	begin_record(src);
	return TRUE;
}

static enum iot_next preload_read(struct iot_source *base, guint run, struct iot_batch *batch,
				  GError **error)
{
	return iot_made_read(((struct preload_source *)base)->made, base, run, batch, error);
}

/* --- describe --- */

static guint64 preload_progress(const struct iot_source *base)
{
	return ((const struct preload_source *)base)->file->offset;
}

static const struct iot_intern *preload_strings(const struct iot_source *base, guint run)
{
	(void)run;
	return ((const struct preload_source *)base)->strings;
}

static void preload_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct preload_source *src = (const struct preload_source *)base;

	*info = iot_made_describe(src->made, &src->clock, src->first_ns, src->last_ns);
	info->path = src->file->path;
	info->reader = base->ops->name;
	info->file_name = src->file_name;
	info->format = src->format;
	info->clock = clock_name;
	info->boot_id = *src->file->head.boot_id ? src->file->head.boot_id : NULL;
	info->hostname = *src->file->head.host ? src->file->head.host : NULL;
	info->kernel = *src->file->head.kernel ? src->file->head.kernel : NULL;
	info->bytes = src->file->size;
	info->n_lost = src->file->head.lost;
	info->damaged = src->file->n_missing_bytes > 0 || src->file->n_bad > 0;
	info->nothing_before = begins(src);
	info->diag = &src->diag;
	info->systems = info->recorded = systems;
}

static void preload_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
			  struct iot_clock_facts *out)
{
	const struct preload_source *src = (const struct preload_source *)base;

	iot_clock_judge_stated(&src->clock, clock_name, assumed, src->first_ns, src->last_ns, out);
}

const struct iot_source_ops iot_source_preload = {
	.name = "preload",
	.runs_independent = TRUE,
	.probe = preload_probe,
	.first_part = preload_first_part,
	.open = preload_open,
	.bind = preload_bind,
	.has_event = preload_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = preload_read,
	.progress = preload_progress,
	.strings = preload_strings,
	.describe = preload_describe,
	.judge = preload_judge,
	.close = preload_close,
};
