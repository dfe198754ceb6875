// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-source READER FILE... - one of the analyser's own sources alone ("dat", "libtracecmd",
 * "text"): all runs of all files are read to the end, one after the other, by one thread. No merge.
 */
#include "loop.h"

#include "input/source.h"

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

static gboolean read_file(struct iot_source *src, const struct iot_schema *schema,
			  struct loop_sums *sums, GError **error)
{
	struct iot_batch *batch;
	struct iot_input_info info = { 0 };
	gboolean ok = TRUE;
	guint n;

	if (!src->ops->bind(src, schema, error))
		return FALSE;
	batch = iot_batch_new(BATCH_BYTES, error);
	if (!batch)
		return FALSE;
	n = src->ops->n_runs(src);
	for (guint run = 0; ok && run < n; run++)
		ok = read_run(src, run, batch, sums, error);
	iot_batch_free(batch);
	src->ops->describe(src, &info);
	sums->events += info.n_events;
	return ok;
}

int main(int argc, char **argv)
{
	g_autoptr(iot_schema) schema = make_schema();
	struct loop_sums sums = { 0 };
	gint64 start = g_get_monotonic_time();
	struct iot_input_spec spec = { 0 };
	g_autoptr(GError) error = NULL;

	for (int i = 2; i < argc && !error; i++) {
		struct iot_source *src;

		spec.path = argv[i];
		src = iot_source_open(argv[1], &spec, &error);
		if (!src)
			break;
		spec.input++;
		spec.first_run += src->ops->n_runs(src);
		if (!read_file(src, schema, &sums, &error))
			g_prefix_error(&error, "%s: ", spec.path);
		src->ops->close(src);
	}
	if (error || argc < 3) {
		g_printerr("loop-source: %s\n",
			   error ? error->message : "usage: loop-source READER FILE...");
		return 2;
	}
	loop_print(&sums, start);
	return 0;
}
