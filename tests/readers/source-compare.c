/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source-compare FILE... : reads each recording with the own reader and with libtracecmd, all events with
 * all fields, and compares every record and the facts of the file. Prints counts, or the first difference.
 *
 * Exit status: 0 no difference, 1 a difference, 2 a file could not be read by both.
 *
 * One difference is expected: libtracecmd does not report losses before a page that begins with a time
 * extend. The number of these pages must be the number of missing gaps.
 */
#include "base/error.h"
#include "input/dat/dat-open.h"
#include "input/dat/dat-pages.h"
#include "input/source.h"

#include <event-parse.h>
#include <stdio.h>

/* Different sizes, so that the records that begin a batch differ. */
enum { OWN_BATCH = 1 << 16, LIBRARY_BATCH = 3001 };

/* One source and its position in the run. */
struct side {
	struct iot_source *src;
	struct iot_batch *batch;
	const struct iot_rec *rec;	/* NULL at the end of the run */
};

/* Losses that the library cannot see. */
struct hidden {
	guint64 gaps, lost;
};

struct compare {
	const char *path;
	const struct iot_schema *schema;
	struct side own, library;
	guint64 n_records, n_gaps, n_hidden;	/* of the file */
};

G_GNUC_PRINTF(2, 3)
static gboolean differ(const struct compare *cmp, const char *format, ...)
{
	va_list args;

	printf("%s: ", cmp->path);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	return FALSE;
}

/* --- the schema: everything --- */

static void add_event(struct iot_schema *schema, struct tep_handle *tep,
		      const struct iot_dat_format *format)
{
	struct iot_schema_event *event;
	struct tep_event *parsed = NULL;

	if (tep_parse_event(tep, format->text, format->len, format->system) ||
	    !(parsed = tep_find_event_by_name(tep, format->system, format->name)))
		return;
	event = iot_schema_event(schema, format->system, format->name);
	for (struct tep_format_field *f = parsed->format.common_fields; f; f = f->next)
		iot_schema_field(event, f->name, FALSE, "source-compare");
	/* an event with more fields than slots is compared as far as these go */
	for (struct tep_format_field *f = parsed->format.fields; f; f = f->next)
		iot_schema_field(event, f->name, FALSE, "source-compare");
}

static struct iot_schema *full_schema(const struct iot_dat_file *file)
{
	struct iot_schema *schema = iot_schema_new();
	struct tep_handle *tep = tep_alloc();

	tep_set_file_bigendian(tep, file->layout.big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, (int)file->layout.commit_size);
	for (guint i = 0; i < file->formats->len; i++)
		add_event(schema, tep, &g_array_index(file->formats, struct iot_dat_format, i));
	tep_free(tep);
	return schema;
}

/* --- losses that the library does not report --- */

static gboolean begins_with_extend(const struct iot_dat_file *file, const struct iot_dat_page *page)
{
	gsize at = iot_ring_header_size(&file->layout);
	guint32 word;

	if (page->len < at + 4)
		return FALSE;
	word = iot_load_u32(page->data + at, file->layout.big_endian);
	return (file->layout.big_endian ? word >> 27 : word & 31) >= 30;
}

/* @run counts through all buffers, as the runs of a source do. */
static gboolean count_hidden(const struct iot_dat_file *file, guint run, struct hidden *hidden)
{
	struct iot_diag unused = { 0 };
	struct iot_dat_page page;

	for (guint b = 0; b < file->buffers->len; b++) {
		const struct iot_dat_buffer *buffer = file->buffers->pdata[b];
		g_autoptr(iot_dat_pages) pages = NULL;

		if (run >= buffer->areas->len) {
			run -= buffer->areas->len;
			continue;
		}
		pages = iot_dat_pages_new(file, buffer,
					  &g_array_index(buffer->areas, struct iot_dat_area, run),
					  &unused, NULL);
		while (iot_dat_pages_next(pages, &page, NULL) == IOT_DAT_PAGE) {
			struct iot_ring_page ring;

			iot_ring_page_init(&ring, &file->layout, page.data, page.len);
			if (!ring.lost || !begins_with_extend(file, &page))
				continue;
			hidden->gaps++;
			hidden->lost += ring.n_lost == G_MAXUINT64 ? 0 : ring.n_lost;
		}
		return TRUE;
	}
	return FALSE;
}

/* --- records --- */

/* Go to the next record of the run; FALSE on an error. */
static gboolean advance(const struct compare *cmp, struct side *side, guint run)
{
	g_autoptr(GError) error = NULL;

	if (side->rec)
		side->rec = iot_rec_next(side->rec);
	if (side->rec && !iot_batch_at_end(side->batch, side->rec))
		return TRUE;
	side->rec = NULL;
	switch (side->src->ops->read(side->src, run, side->batch, &error)) {
	case IOT_NEXT_OK:
		side->rec = iot_batch_first(side->batch);
		return TRUE;
	case IOT_NEXT_END:
		return TRUE;
	default:
		return differ(cmp, "%s, run %u: %s", side->src->ops->name, run, error->message);
	}
}

static gboolean is_gap(const struct iot_rec *rec)
{
	return rec && rec->event->index >= IOT_EVENT_GAP_BEGIN;
}

static const char *event_name(const struct compare *cmp, const struct iot_rec *rec)
{
	const struct iot_schema_event *event;

	if (!rec)
		return "end of the run";
	if (is_gap(rec))
		return rec->event->index == IOT_EVENT_GAP_BEGIN ? "begin of a gap" : "end of a gap";
	event = cmp->schema->events->pdata[rec->event->index];
	return event->name;
}

static char *slot_text(const struct side *side, guint run, guint slot)
{
	const struct iot_rec *rec = side->rec;
	gsize len;
	const char *data;

	if (rec->event->slot_type[slot] != IOT_SLOT_STR)
		return g_strdup_printf("%" G_GINT64_FORMAT " (type %d)", rec->slot[slot].i,
				       rec->event->slot_type[slot]);
	data = iot_intern_get(side->src->ops->strings(side->src, run), (guint32)rec->slot[slot].u,
			      &len);
	return g_strdup_printf("\"%.*s\" (%" G_GSIZE_FORMAT " bytes)", (int)len, data, len);
}

static gboolean slot_equal(const struct compare *cmp, guint run, guint slot)
{
	const struct iot_rec *a = cmp->own.rec, *b = cmp->library.rec;
	const char *x, *y;
	gsize nx, ny;

	if (a->event->slot_type[slot] != b->event->slot_type[slot])
		return FALSE;
	if ((a->event->str_slots ^ b->event->str_slots) >> slot & 1)
		return FALSE;
	if (a->event->slot_type[slot] != IOT_SLOT_STR)
		return a->slot[slot].u == b->slot[slot].u;
	x = iot_intern_get(cmp->own.src->ops->strings(cmp->own.src, run), (guint32)a->slot[slot].u,
			   &nx);
	y = iot_intern_get(cmp->library.src->ops->strings(cmp->library.src, run),
			   (guint32)b->slot[slot].u, &ny);
	return nx == ny && !memcmp(x, y, nx);
}

static gboolean compare_records(const struct compare *cmp, guint run, guint64 n)
{
	const struct iot_rec *a = cmp->own.rec, *b = cmp->library.rec;

	if (!a || !b || a->event->index != b->event->index || a->ts != b->ts || a->run != b->run ||
	    a->pid != b->pid || a->event->n_slots != b->event->n_slots ||
	    a->event->input != b->event->input)
		return differ(cmp,
			      "run %u, record %" G_GUINT64_FORMAT ": own reader %s ts %" G_GUINT64_FORMAT
			      " pid %d run %u, library %s ts %" G_GUINT64_FORMAT " pid %d run %u",
			      run, n, event_name(cmp, a), a ? a->ts : 0, a ? a->pid : 0, a ? a->run : 0,
			      event_name(cmp, b), b ? b->ts : 0, b ? b->pid : 0, b ? b->run : 0);
	for (guint i = 0; i < a->event->n_slots; i++) {
		g_autofree char *x = NULL;
		g_autofree char *y = NULL;

		if (slot_equal(cmp, run, i))
			continue;
		x = slot_text(&cmp->own, run, i);
		y = slot_text(&cmp->library, run, i);
		return differ(cmp,
			      "run %u, record %" G_GUINT64_FORMAT " (%s, ts %" G_GUINT64_FORMAT
			      "), slot %u: own reader %s, library %s",
			      run, n, event_name(cmp, a), a->ts, i, x, y);
	}
	return TRUE;
}

static gboolean compare_run(struct compare *cmp, guint run, const struct hidden *hidden)
{
	guint64 skipped = 0;

	cmp->own.rec = cmp->library.rec = NULL;
	for (guint64 n = 1;; n++) {
		if (!advance(cmp, &cmp->own, run) || !advance(cmp, &cmp->library, run))
			return FALSE;
		/* both records of a gap that only the own reader sees */
		while (is_gap(cmp->own.rec) && !is_gap(cmp->library.rec) && skipped < 2 * hidden->gaps) {
			skipped++;
			if (!advance(cmp, &cmp->own, run))
				return FALSE;
		}
		if (!cmp->own.rec && !cmp->library.rec)
			break;
		if (!compare_records(cmp, run, n))
			return FALSE;
		cmp->n_records += !is_gap(cmp->own.rec);
		cmp->n_gaps += is_gap(cmp->own.rec);
	}
	if (skipped != 2 * hidden->gaps)
		return differ(cmp,
			      "run %u: %" G_GUINT64_FORMAT " pages with losses begin with a time extend, "
			      "but %" G_GUINT64_FORMAT " gap records are missing in the library",
			      run, hidden->gaps, skipped);
	cmp->n_hidden += hidden->gaps;
	return TRUE;
}

/* --- facts of the file --- */

#define SAME_NUMBER(field)                                                                        \
	if (a->field != b->field)                                                                 \
		return differ(cmp, #field ": own reader %" G_GUINT64_FORMAT                       \
				   ", library %" G_GUINT64_FORMAT,                                \
			      (guint64)a->field, (guint64)b->field)
#define SAME_TEXT(field)                                                                          \
	if (g_strcmp0(a->field, b->field))                                                        \
		return differ(cmp, #field ": own reader %s, library %s", a->field, b->field)

static gboolean compare_info(const struct compare *cmp, const struct iot_input_info *a,
			     const struct iot_input_info *b)
{
	SAME_TEXT(path);
	SAME_TEXT(hostname);
	SAME_TEXT(kernel);
	SAME_TEXT(file_name);
	SAME_TEXT(format);
	SAME_TEXT(clock);
	SAME_TEXT(protocol);
	SAME_NUMBER(sync);
	SAME_NUMBER(n_samples);
	SAME_NUMBER(trace_id);
	SAME_NUMBER(peer_id);
	SAME_NUMBER(is_host);
	SAME_NUMBER(n_guests);
	SAME_NUMBER(n_cpus);
	SAME_NUMBER(n_buffers);
	SAME_NUMBER(has_times);
	SAME_NUMBER(first_ns);
	SAME_NUMBER(last_ns);
	SAME_NUMBER(bytes);
	SAME_NUMBER(n_events);
	SAME_NUMBER(damaged);
	for (guint i = 0; a->systems[i] || b->systems[i]; i++)
		SAME_TEXT(systems[i]);
	return TRUE;
}

static gboolean compare_counters(const struct compare *cmp, const struct iot_input_info *a,
				 const struct iot_input_info *b, const struct hidden *hidden)
{
	struct iot_diag library = *b->diag;

	iot_diag_add(&library, IOT_DIAG_gaps, hidden->gaps);
	iot_diag_add(&library, IOT_DIAG_events_lost, hidden->lost);
	for (guint i = 0; i < IOT_DIAG_COUNT; i++)
		if (a->diag->count[i] != library.count[i])
			return differ(cmp, "%s: own reader %" G_GUINT64_FORMAT ", library %" G_GUINT64_FORMAT,
				      iot_diag_info(i)->name, a->diag->count[i], library.count[i]);
	if (a->n_lost != b->n_lost + hidden->lost)
		return differ(cmp, "n_lost: own reader %" G_GUINT64_FORMAT ", library %" G_GUINT64_FORMAT,
			      a->n_lost, b->n_lost + hidden->lost);
	return TRUE;
}

/* Compares the end of the file as found when opening it with the end as read by the library. */
static gboolean check_seen(const struct compare *cmp, const struct iot_input_info *info, guint64 last)
{
	if (info->has_times && (info->n_samples ? info->seen_ns >= last : info->seen_ns == last))
		return TRUE;
	return (!info->has_times && !info->seen_ns) ||
	       differ(cmp, "seen_ns: own reader %" G_GUINT64_FORMAT ", library %" G_GUINT64_FORMAT,
		      info->seen_ns, last);
}

/* --- one file --- */

static gboolean compare_sources(struct compare *cmp, const struct iot_dat_file *file)
{
	struct iot_source *own = cmp->own.src, *library = cmp->library.src;
	struct iot_input_info a, b;
	struct hidden total = { 0 };

	if (own->ops->n_runs(own) != library->ops->n_runs(library))
		return differ(cmp, "own reader %u runs, library %u", own->ops->n_runs(own),
			      library->ops->n_runs(library));
	own->ops->describe(own, &a);
	library->ops->describe(library, &b);
	if (!compare_info(cmp, &a, &b))		/* first_ns must be known before reading */
		return FALSE;
	for (guint run = 0; run < own->ops->n_runs(own); run++) {
		struct hidden hidden = { 0 };

		if (!count_hidden(file, run, &hidden) || !compare_run(cmp, run, &hidden))
			return FALSE;
		total.gaps += hidden.gaps;
		total.lost += hidden.lost;
	}
	own->ops->describe(own, &a);
	library->ops->describe(library, &b);
	if (!compare_info(cmp, &a, &b) || !compare_counters(cmp, &a, &b, &total))
		return FALSE;
	if (cmp->n_records + a.diag->count[IOT_DIAG_event_unknown_id] != a.n_events)
		return differ(cmp,
			      "%" G_GUINT64_FORMAT " records were delivered, but there are %" G_GUINT64_FORMAT
			      " events and %" G_GUINT64_FORMAT " of unknown kind",
			      cmp->n_records, a.n_events, a.diag->count[IOT_DIAG_event_unknown_id]);
	if (!check_seen(cmp, &a, b.last_ns))
		return FALSE;
	if (own->ops->progress(own) != a.bytes || library->ops->progress(library) != b.bytes)
		return differ(cmp, "progress is not complete at the end");
	return TRUE;
}

static gboolean open_side(struct side *side, const struct iot_source_ops *ops, const char *path,
			  const struct iot_schema *schema, gsize batch, GError **error)
{
	struct iot_input_spec spec = { .path = path, .input = 2, .first_run = 100 };

	side->src = ops->open(&spec, error);
	side->batch = side->src ? iot_batch_new(batch, error) : NULL;
	return side->batch && ops->bind(side->src, schema, error);
}

static int compare_file(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(iot_dat_file) file = iot_dat_file_open(path, &error);
	g_autoptr(iot_schema) schema = file ? full_schema(file) : NULL;
	struct compare cmp = { .path = path, .schema = schema };
	int status = 2;

	if (file &&
	    open_side(&cmp.own, &iot_source_dat, path, schema, OWN_BATCH, &error) &&
	    open_side(&cmp.library, &iot_source_tracecmd, path, schema, LIBRARY_BATCH, &error))
		status = compare_sources(&cmp, file) ? 0 : 1;
	else
		printf("%s\n", error->message);
	if (!status)
		printf("%s: same: %" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT
		       " gap records, %" G_GUINT64_FORMAT " losses that the library does not report\n",
		       path, cmp.n_records, cmp.n_gaps, cmp.n_hidden);
	iot_source_dat.close(cmp.own.src);
	iot_source_tracecmd.close(cmp.library.src);
	iot_batch_free(cmp.own.batch);
	iot_batch_free(cmp.library.batch);
	return status;
}

int main(int argc, char **argv)
{
	int worst = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE...\n", argv[0]);
		return 2;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	for (int i = 1; i < argc; i++) {
		int status = compare_file(argv[i]);

		worst = MAX(worst, status);
	}
	return worst;
}
