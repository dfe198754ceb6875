/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefetch of chunks: the reader delivers and counts the same with and without it.
 */
#include "dat-make.h"

#define DATA IOT_SOURCE_DIR "/tests/data/"
#define DLM  IOT_SOURCE_DIR "/examples/dlm/"

static const char *const paths[] = {
	DLM "trace-3.dat",
	DLM "trace.dat", /* hardly a chunk for each CPU */
	DATA "agent/agent-ptp-small.dat",
	DATA "synthetic/syn_v7_zstd_be32.dat",
	DATA "synthetic/syn_v7_none_le64.dat",
};

static struct iot_schema *some_events(void)
{
	struct iot_schema *schema = iot_schema_new();

	iot_schema_field(iot_schema_event(schema, "dlm", "dlm_lock_start"), "res_name", FALSE,
			 "test");
	iot_schema_field(iot_schema_event(schema, "iotrace", "io_start"), "path", FALSE, "test");
	iot_schema_event(schema, "sched", "sched_switch");
	return schema;
}

/* A thread that prefetches while a run is read. */
struct helper {
	struct iot_source *src;
	guint run;
	gint stop;
	guint n_worked;
};

static gpointer helper_main(gpointer data)
{
	struct helper *helper = data;

	while (!g_atomic_int_get(&helper->stop))
		if (!helper->src->ops->ahead(helper->src, helper->run))
			g_thread_yield();
	return NULL;
}

/* Between two batches as much as the random numbers say. */
static void help(struct helper *helper, GRand *random)
{
	for (gint n = random ? g_rand_int_range(random, 0, 7) : 0; n; n--)
		helper->n_worked += (guint)helper->src->ops->ahead(helper->src, helper->run);
}

static void dump_batch(GString *text, const struct iot_source *src, guint run,
		       struct iot_batch *batch)
{
	for (struct iot_rec *rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec);
	     rec = iot_rec_next(rec)) {
		const char *s = "";

		if (rec->event->n_slots && rec->event->slot_type[0] == IOT_SLOT_STR)
			s = iot_intern_get(src->ops->strings(src, run), (guint32)rec->slot[0].u,
					   NULL);
		g_string_append_printf(text, "%u %" G_GUINT64_FORMAT " %d %s\n", rec->event->index,
				       rec->ts, rec->pid, s);
	}
}

static void dump_counts(GString *text, const struct iot_source *src)
{
	struct iot_input_info info;

	src->ops->describe(src, &info);
	g_string_append_printf(text,
			       "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
			       info.n_events, info.n_lost, src->ops->progress(src));
	for (guint i = 0; i < G_N_ELEMENTS(info.diag->count); i++)
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, info.diag->count[i]);
}

/* All that is delivered and counted. @random: helped between batches; @threads: helped all the
 * time.
 */
static char *read_all(const guint8 *data, gsize len, GRand *random, guint n_threads,
		      guint *out_worked)
{
	g_autoptr(iot_schema) schema = some_events();
	struct iot_source *src = make_open_bytes(data, len, NULL);
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	GString *text = g_string_new(NULL);

	if (!src)
		g_string_append(text, "too damaged");
	else
		CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	for (guint run = 0; src && run < src->ops->n_runs(src); run++) {
		struct helper helper = { .src = src, .run = run };
		GThread *threads[4];

		for (guint i = 0; i < n_threads; i++)
			threads[i] = g_thread_new("helper", helper_main, &helper);
		while (src->ops->read(src, run, batch, NULL) == IOT_NEXT_OK) {
			dump_batch(text, src, run, batch);
			help(&helper, random);
		}
		g_atomic_int_set(&helper.stop, 1);
		for (guint i = 0; i < n_threads; i++)
			g_thread_join(threads[i]);
		*out_worked += helper.n_worked;
	}
	if (src)
		dump_counts(text, src);
	if (src)
		src->ops->close(src);
	iot_batch_free(batch);
	return g_string_free(text, FALSE);
}

static void check(const guint8 *data, gsize len, GRand *random, guint *out_worked)
{
	guint unused = 0;
	g_autofree char *alone = read_all(data, len, NULL, 0, &unused);
	g_autofree char *helped = read_all(data, len, random, 0, out_worked);
	g_autofree char *threads = read_all(data, len, NULL, 2, &unused);

	CU_ASSERT_STRING_EQUAL(helped, alone);
	CU_ASSERT_STRING_EQUAL(threads, alone);
}

UNIT_TEST(help_changes_nothing)
{
	GRand *random = g_rand_new_with_seed(4);
	guint compressed = 0;

	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autofree char *data = NULL;
		guint worked = 0;
		gsize len;

		CU_ASSERT_TRUE_FATAL(g_file_get_contents(paths[i], &data, &len, NULL));
		for (guint k = 0; k < 5; k++)
			check((const guint8 *)data, len, random, &worked);
		if (i + 1 < G_N_ELEMENTS(paths))
			compressed += worked;
		else
			CU_ASSERT_EQUAL(worked, 0); /* not compressed */
	}
	CU_ASSERT(compressed > 20);
	g_rand_free(random);
}

/* Chunks that cannot be unpacked, sizes that lead elsewhere, a cut end. */
UNIT_TEST(help_changes_nothing_in_a_damaged_file)
{
	GRand *random = g_rand_new_with_seed(5);
	guint worked = 0;

	for (guint i = 0; i < 40; i++) {
		g_autofree char *data = NULL;
		gsize len;

		CU_ASSERT_TRUE_FATAL(
			g_file_get_contents(paths[i % G_N_ELEMENTS(paths)], &data, &len, NULL));
		for (guint k = 0; k < 1 + i; k++)
			data[len / 8 +
			     (gsize)g_rand_int_range(random, 0, (gint32)(len / 8 * 7 - 1))] ^=
				(char)g_rand_int_range(random, 1, 256);
		check((const guint8 *)data, i % 3 ? len : len / 2, random, &worked);
	}
	CU_ASSERT(worked > 0);
	g_rand_free(random);
}

UNIT_TEST(help_is_limited)
{
	g_autoptr(iot_schema) schema = some_events();
	g_autofree char *data = NULL;
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	struct iot_source *src;
	gsize len;
	guint n = 0;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents(paths[0], &data, &len, NULL));
	src = make_open_bytes((const guint8 *)data, len, NULL);
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	/* nobody knows yet where reading begins */
	CU_ASSERT_FALSE(src->ops->ahead(src, 0));
	CU_ASSERT_EQUAL(src->ops->read(src, 0, batch, NULL), IOT_NEXT_OK);
	while (n < 100 && src->ops->ahead(src, 0))
		n++;
	CU_ASSERT(n >= 2 && n <= 4);
	src->ops->close(src);
	iot_batch_free(batch);
}
