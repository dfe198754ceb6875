// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-source [--threads=N] [--merge] READER FILE... - one of the analyser's own sources alone
 * ("dat", "libtracecmd", "text", "otf2" ...). Without options all runs of all files are read to the
 * end, one after the other, by one thread. --threads: N threads read, and the batches are taken
 * from all runs in turn. --merge: the records of all runs are taken in order of time.
 */
#include "loop.h"

#include "input/reader.h"
#include "order/merge.h"

#include <stdlib.h>

/* as the analyser has it: a sixteenth of 256 MiB, and three batches for each run */
enum { BATCH_BYTES = 256 * 1024, BATCHES_BYTES = 16 * 1024 * 1024 };

struct options {
	gint n_threads;
	gboolean merge;
};

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

static void add_record(struct loop_sums *sums, const struct iot_rec *rec)
{
	gint64 value[LOOP_FIELDS];

	if (rec->event->index >= IOT_EVENT_GAP_BEGIN)
		return;
	for (int i = 0; i < LOOP_FIELDS; i++)
		value[i] = rec->slot[i].i;
	loop_add(sums, rec->ts, value);
}

static void add_batch(struct loop_sums *sums, const struct iot_batch *batch)
{
	const struct iot_rec *rec;

	for (rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec))
		add_record(sums, rec);
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

static gboolean take_in_turn(struct iot_reader *reader, struct loop_sums *sums, GError **error)
{
	guint n = iot_reader_runs(reader), left = n;
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
	if (local)
		g_propagate_error(error, local);
	return !local;
}

static gboolean take_in_order(struct iot_reader *reader, struct loop_sums *sums, GError **error)
{
	struct iot_diag diag = { 0 };
	const struct iot_merge_config config = { .n_runs = iot_reader_runs(reader),
						 .fetch = iot_reader_fetch,
						 .fetch_data = reader,
						 .to_ns = G_MAXUINT64,
						 .diag = &diag };
	struct iot_merge *merge = iot_merge_new(&config);
	const struct iot_rec *rec;
	GError *local = NULL;

	while ((rec = iot_merge_next(merge, &local)))
		add_record(sums, rec);
	iot_merge_free(merge);
	if (local)
		g_propagate_error(error, local);
	return !local;
}

static gboolean read_all(const GPtrArray *sources, const struct options *options,
			 struct loop_sums *sums, GError **error)
{
	struct iot_reader *reader;
	guint n_runs = 1;
	gboolean ok;

	if (!options->n_threads && !options->merge)
		return read_alone(sources, sums, error);
	for (guint i = 0; i < sources->len; i++) {
		struct iot_source *src = sources->pdata[i];

		n_runs += src->ops->n_runs(src);
	}
	reader = iot_reader_new((struct iot_source *const *)sources->pdata, sources->len,
				(guint)options->n_threads,
				MIN(BATCHES_BYTES / (3 * n_runs), BATCH_BYTES), error);
	if (!reader)
		return FALSE;
	ok = options->merge ? take_in_order(reader, sums, error)
			    : take_in_turn(reader, sums, error);
	iot_reader_free(reader);
	return ok;
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

static void parse_options(struct options *o, int *argc, char ***argv)
{
	const GOptionEntry entries[] = {
		{ "threads", 0, 0, G_OPTION_ARG_INT, &o->n_threads, "readers", "N" },
		{ "merge", 0, 0, G_OPTION_ARG_NONE, &o->merge, "in order of time", NULL },
		{ 0 },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("READER FILE...");
	g_autoptr(GError) error = NULL;

	g_option_context_add_main_entries(context, entries, NULL);
	if (g_option_context_parse(context, argc, argv, &error) && *argc >= 3 && o->n_threads >= 0)
		return;
	g_printerr("loop-source: %s\n", error ? error->message : "see --help");
	exit(2);
}

int main(int argc, char **argv)
{
	g_autoptr(iot_schema) schema = make_schema();
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(close_source);
	struct loop_sums sums = { 0 };
	gint64 start = g_get_monotonic_time();
	g_autoptr(GError) error = NULL;
	struct options options = { 0 };

	parse_options(&options, &argc, &argv);
	if (!open_sources(argv[1], argv + 2, schema, sources, &error) ||
	    !read_all(sources, &options, &sums, &error)) {
		g_printerr("loop-source: %s\n", error->message);
		return 2;
	}
	count_events(sources, &sums);
	loop_print(&sums, start);
	return 0;
}
