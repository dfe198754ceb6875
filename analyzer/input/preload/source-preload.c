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
#include "input/preload/preload-calls.h"
#include "input/made-source.h"

struct preload_source {
	struct iot_made_source own;
	struct iot_preload_file *file;
	struct iot_preload_calls calls;
	struct iot_heap ends; /* of struct iot_preload_call */
	gboolean lossy;	      /* records are missing from here on */
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
	iot_preload_calls_clear(&src->calls);
	iot_preload_free(src->file);
	iot_made_source_clear(&src->own);
	g_free(src);
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
	iot_made_source_init(&src->own, &iot_source_preload, &iot_preload_kinds, clock_name, spec,
			     take_record);
	src->file = file;
	src->own.file_name = iot_source_file_name(spec->path);
	src->own.format = g_strdup_printf("libiotrace-preload %u, %u processes%s",
					  file->head.version, g_hash_table_size(file->last_of),
					  iot_source_complete(begins(src), FALSE));
	iot_preload_calls_init(&src->calls, src->own.strings);
	src->own.first_ns = src->own.made->now_ns =
		iot_made_source_correct(&src->own, file->first_ns);
	src->own.last_ns = iot_made_source_correct(&src->own, file->last_ns);
	iot_diag_add(&src->own.diag, IOT_DIAG_file_cut, file->n_missing_bytes > 0);
	iot_diag_add(&src->own.diag, IOT_DIAG_records_unfinished, file->n_unfinished);
	iot_diag_add(&src->own.diag, IOT_DIAG_records_skipped, file->n_bad);
	return &src->own.base;
}

/* --- bind --- */

/* --- read --- */

static void put(struct preload_source *src, const struct iot_preload_events *events,
		const struct iotrace_preload_record *r, guint64 ns)
{
	for (guint i = 0; i < events->n; i++) {
		struct iot_made_rec *own = iot_made_put(src->own.made, &events->rec[i],
							iot_made_source_correct(&src->own, ns));

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
		iot_made_put_gap(src->own.made, next == G_MAXUINT64
							? next
							: iot_made_source_correct(&src->own, next));
	}
	if (next == G_MAXUINT64)
		return FALSE;
	begin_record(src);
	return TRUE;
}

/* --- describe --- */

static guint64 preload_progress(const struct iot_source *base)
{
	return ((const struct preload_source *)base)->file->offset;
}

static void preload_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { system_name, NULL };
	const struct preload_source *src = (const struct preload_source *)base;

	iot_made_source_describe(base, info);
	info->boot_id = *src->file->head.boot_id ? src->file->head.boot_id : NULL;
	info->hostname = *src->file->head.host ? src->file->head.host : NULL;
	info->kernel = *src->file->head.kernel ? src->file->head.kernel : NULL;
	info->bytes = src->file->size;
	info->n_lost = src->file->head.lost;
	info->damaged = src->file->n_missing_bytes > 0 || src->file->n_bad > 0;
	info->nothing_before = begins(src);
	info->systems = info->recorded = systems;
}

const struct iot_source_ops iot_source_preload = {
	.name = "preload",
	.runs_independent = TRUE,
	.probe = preload_probe,
	.first_part = preload_first_part,
	.open = preload_open,
	.bind = iot_made_source_bind,
	.has_event = iot_made_source_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = preload_progress,
	.strings = iot_made_source_strings,
	.describe = preload_describe,
	.judge = iot_made_source_judge,
	.close = preload_close,
};
