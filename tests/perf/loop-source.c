// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-source [--threads=N] READER FILE... - one of the analyser's own sources alone ("dat",
 * "libtracecmd", "text"). Without the option all runs of all files are read to the end, one after
 * the other, by one thread; with it by N threads, and their batches are taken from all runs in
 * turn. No merge.
 */
#include "loop.h"

#include "input/reader.h"

enum { BATCH_BYTES = 256 * 1024 };

static struct iot_schema *make_schema(void)
{
	struct iot_schema *schema = iot_schema_new();

	/* slots are numbered as the fields are added: slot i is field i */
	for (gsize i = 0; i < G_N_ELEMENTS(loop_events); i++) {
		struct iot_schema_event *event =
			iot_schema_event(schema, loop_events[i].system, loop_events[i].name);

		for (int f = 0; f < LOOP_FIELDS; f++)
			iot_schema_field(event, loop_events[i].field[f], FALSE, "loop-source");
	}
	return schema;
}

static void add_batch(struct loop_sums *sums, const struct iot_batch *batch)
{
	const struct iot_rec *rec;

	for (rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
		gint64 value[LOOP_FIELDS];

		if (rec->event->index >= IOT_EVENT_GAP_BEGIN)
			continue;
		for (int i = 0; i < LOOP_FIELDS; i++)
			value[i] = rec->slot[i].i;
		loop_add(sums, rec->ts, value);
	}
}

static gboolean read_run(struct iot_source *src, guint run, struct iot_batch *batch,
			 struct loop_sums *sums, GError **error)
{
	enum iot_next next;

	while ((next = src->ops->read(src, run, batch, error)) == IOT_NEXT_OK)
		add_batch(sums, batch);
	return next == IOT_NEXT_END;
}

static gboolean read_source(struct iot_source *src, struct loop_sums *sums, GError **error)
{
	struct iot_batch *batch = iot_batch_new(BATCH_BYTES, error);
	gboolean ok = batch != NULL;
	guint n = src->ops->n_runs(src);

	for (guint run = 0; ok && run < n; run++)
		ok = read_run(src, run, batch, sums, error);
	iot_batch_free(batch);
	return ok;
}

static gboolean read_alone(const GPtrArray *sources, struct loop_sums *sums, GError **error)
{
	for (guint i = 0; i < sources->len; i++)
		if (!read_source(sources->pdata[i], sums, error))
			return FALSE;
	return TRUE;
}

static gboolean read_ahead(const GPtrArray *sources, guint n_threads, struct loop_sums *sums,
			   GError **error)
{
	struct iot_reader *reader = iot_reader_new((struct iot_source *const *)sources->pdata,
						   sources->len, n_threads, BATCH_BYTES, error);
	guint n = reader ? iot_reader_runs(reader) : 0, left = n;
	g_autofree struct iot_batch **batch = g_new0(struct iot_batch *, n + 1);
	g_autofree gboolean *ended = g_new0(gboolean, n + 1);
	GError *local = NULL;

	for (guint run = 0; left && !local; run = (run + 1) % n) {
		if (ended[run])
			continue;
		batch[run] = iot_reader_fetch(reader, run, batch[run], &local);
		ended[run] = !batch[run];
		left -= ended[run];
		if (batch[run])
			add_batch(sums, batch[run]);
	}
	for (guint run = 0; run < n; run++)
		iot_batch_free(batch[run]);
	iot_reader_free(reader);
	if (local)
		g_propagate_error(error, local);
	return reader && !local;
}

static void close_source(gpointer data)
{
	struct iot_source *src = data;

	src->ops->close(src);
}

static gboolean open_sources(const char *reader, char **paths, const struct iot_schema *schema,
			     GPtrArray *sources, GError **error)
{
	struct iot_input_spec spec = { 0 };

	for (; *paths; paths++, spec.input++) {
		struct iot_source *src;

		spec.path = *paths;
		src = iot_source_open(reader, &spec, error);
		if (!src)
			return FALSE;
		g_ptr_array_add(sources, src);
		if (!src->ops->bind(src, schema, error))
			return FALSE;
		spec.first_run += src->ops->n_runs(src);
	}
	return TRUE;
}

static void count_events(const GPtrArray *sources, struct loop_sums *sums)
{
	for (guint i = 0; i < sources->len; i++) {
		struct iot_source *src = sources->pdata[i];
		struct iot_input_info info = { 0 };

		src->ops->describe(src, &info);
		sums->events += info.n_events;
	}
}

int main(int argc, char **argv)
{
	g_autoptr(iot_schema) schema = make_schema();
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(close_source);
	struct loop_sums sums = { 0 };
	gint64 start = g_get_monotonic_time();
	g_autoptr(GError) error = NULL;
	guint n_threads = 0;

	if (argc > 1 && g_str_has_prefix(argv[1], "--threads=")) {
		n_threads = (guint)g_ascii_strtoull(argv[1] + 10, NULL, 10);
		argv++;
		argc--;
	}
	if (argc < 3) {
		g_printerr("usage: loop-source [--threads=N] READER FILE...\n");
		return 2;
	}
	if (!open_sources(argv[1], argv + 2, schema, sources, &error) ||
	    !(n_threads ? read_ahead(sources, n_threads, &sums, &error)
			: read_alone(sources, &sums, &error))) {
		g_printerr("loop-source: %s\n", error->message);
		return 2;
	}
	count_events(sources, &sums);
	loop_print(&sums, start);
	return 0;
}
