/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks: a run that resumes at a mark delivers the same rest, and ends in the same state. */
#include "dat-make.h"

#define DATA IOT_SOURCE_DIR "/tests/data/"
#define DLM  IOT_SOURCE_DIR "/examples/dlm/"

/* The records of one run, and its marks. */
struct reading {
	GString *text;
	GPtrArray *marks; /* of GByteArray, one for each batch */
	GArray *at;	  /* of gsize: where the batch begins in the text */
	GByteArray *last; /* where the run stood at its end */
};

static void reading_clear(struct reading *r)
{
	g_string_free(r->text, TRUE);
	g_ptr_array_unref(r->marks);
	g_array_unref(r->at);
	g_byte_array_unref(r->last);
}

static void dump(GString *text, const struct iot_source *src, guint run, const struct iot_rec *rec)
{
	g_string_append_printf(text, "%u %" G_GUINT64_FORMAT " %d", rec->event->index, rec->ts,
			       rec->pid);
	for (guint i = 0; i < rec->event->n_slots; i++) {
		gsize len;
		const char *s;

		if (rec->event->slot_type[i] != IOT_SLOT_STR) {
			g_string_append_printf(text, " %" G_GINT64_FORMAT, rec->slot[i].i);
			continue;
		}
		s = iot_intern_get(src->ops->strings(src, run), (guint32)rec->slot[i].u, &len);
		g_string_append_c(text, ' ');
		g_string_append_len(text, s, (gssize)len);
	}
	g_string_append_c(text, '\n');
}

static void read_run(struct iot_source *src, guint run, gsize batch_size, struct reading *r)
{
	struct iot_batch *batch = iot_batch_new(batch_size, NULL);

	r->text = g_string_new(NULL);
	r->marks = g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
	r->at = g_array_new(FALSE, FALSE, sizeof(gsize));
	r->last = g_byte_array_new();
	while (src->ops->read(src, run, batch, NULL) == IOT_NEXT_OK) {
		if (src->marks) {
			g_array_append_val(r->at, r->text->len);
			g_ptr_array_add(r->marks, g_byte_array_ref(batch->mark));
			g_clear_pointer(&batch->mark, g_byte_array_unref);
		}
		for (struct iot_rec *rec = iot_batch_first(batch); !iot_batch_at_end(batch, rec);
		     rec = iot_rec_next(rec))
			dump(r->text, src, run, rec);
	}
	src->ops->tell(src, run, r->last);
	iot_batch_free(batch);
}

static struct iot_source *open_bound(const guint8 *data, gsize len, const struct iot_schema *schema)
{
	struct iot_source *src = make_open_bytes(data, len, NULL);

	if (src)
		CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	return src;
}

static void check_mark(const guint8 *data, gsize len, const struct iot_schema *schema, guint run,
		       const struct reading *whole, guint i)
{
	const GByteArray *mark = whole->marks->pdata[i];
	struct iot_unpack in = iot_unpack_init(mark->data, mark->len);
	struct iot_source *src = open_bound(data, len, schema);
	struct reading rest;

	CU_ASSERT_TRUE_FATAL(src->ops->seek(src, run, &in, NULL));
	CU_ASSERT_TRUE(iot_unpack_end(&in));
	read_run(src, run, 1 << 16, &rest);
	CU_ASSERT_STRING_EQUAL(rest.text->str,
			       whole->text->str + g_array_index(whole->at, gsize, i));
	CU_ASSERT_EQUAL(rest.last->len, whole->last->len);
	CU_ASSERT(!memcmp(rest.last->data, whole->last->data, rest.last->len));
	reading_clear(&rest);
	src->ops->close(src);
}

/* Go on at about @n marks of each run. */
static guint check_bytes(const guint8 *data, gsize len, const struct iot_schema *schema, guint n)
{
	struct iot_source *src = open_bound(data, len, schema);
	guint checked = 0;

	if (!src)
		return 0; /* too damaged */
	src->marks = TRUE;
	for (guint run = 0; run < src->ops->n_runs(src); run++) {
		struct reading whole;

		read_run(src, run, 1024, &whole);
		for (guint i = 0; i < whole.marks->len; i += 1 + whole.marks->len / n) {
			check_mark(data, len, schema, run, &whole, i);
			checked++;
		}
		reading_clear(&whole);
	}
	src->ops->close(src);
	return checked;
}

static struct iot_schema *all_events(void)
{
	static const char *const dlm[] = { "dlm_lock_start", "dlm_lock_end",	 "dlm_ast",
					   "dlm_bast",	     "dlm_unlock_start", "dlm_unlock_end" };
	struct iot_schema *schema = iot_schema_new();

	for (guint i = 0; i < G_N_ELEMENTS(dlm); i++) {
		struct iot_schema_event *event = iot_schema_event(schema, "dlm", dlm[i]);

		iot_schema_field(event, "lkb_id", FALSE, "test");
		iot_schema_field(event, "res_name", FALSE, "test");
	}
	iot_schema_field(iot_schema_event(schema, "iotrace", "io_start"), "path", FALSE, "test");
	iot_schema_event(schema, "iotrace", "io_end");
	iot_schema_event(schema, "sched", "sched_switch");
	return schema;
}

static guint check_file(const char *path, guint n)
{
	g_autoptr(iot_schema) schema = all_events();
	g_autofree char *data = NULL;
	gsize len;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &data, &len, NULL));
	return check_bytes((const guint8 *)data, len, schema, n);
}

UNIT_TEST(a_run_goes_on_at_a_mark)
{
	static const char *const folders[] = { DATA "synthetic", DATA "agent", DLM };
	guint checked = 0;

	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autoptr(GDir) dir = g_dir_open(folders[i], 0, NULL);
		const char *name;

		CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
		while ((name = g_dir_read_name(dir))) {
			g_autofree char *path = g_build_filename(folders[i], name, NULL);

			if (g_str_has_suffix(name, ".dat"))
				checked += check_file(path, 8);
		}
	}
	CU_ASSERT(checked > 100);
}

/* Also across pages, chunks and tails that cannot be read. */
UNIT_TEST(a_run_goes_on_in_a_damaged_file)
{
	g_autoptr(iot_schema) schema = all_events();
	static const char *const paths[] = { DLM "trace-3.dat", DATA "agent/agent-ptp-small.dat" };
	GRand *random = g_rand_new_with_seed(1);
	guint checked = 0;

	for (guint i = 0; i < 24; i++) {
		g_autofree char *data = NULL;
		gsize len;

		CU_ASSERT_TRUE_FATAL(g_file_get_contents(paths[i % 2], &data, &len, NULL));
		for (guint k = 0; k < 40; k++)
			data[len / 4 +
			     (gsize)g_rand_int_range(random, 0, (gint32)(len / 4 * 3 - 1))] ^=
				(char)g_rand_int_range(random, 1, 256);
		checked += check_bytes((const guint8 *)data, i % 3 ? len : len / 2, schema, 4);
	}
	CU_ASSERT(checked > 50);
	g_rand_free(random);
}

/* A mark is refused, or leads to some place in the file; it never does harm. */
UNIT_TEST(marks_are_not_trusted)
{
	g_autoptr(iot_schema) schema = all_events();
	g_autofree char *data = NULL;
	struct reading whole;
	struct iot_source *src;
	gsize len;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents(DLM "trace-3.dat", &data, &len, NULL));
	src = open_bound((const guint8 *)data, len, schema);
	src->marks = TRUE;
	read_run(src, 0, 4096, &whole);
	src->ops->close(src);
	for (guint i = 0; i < 400; i++) {
		GByteArray *mark = whole.marks->pdata[i % whole.marks->len];
		guint at = i * 7 % mark->len;
		guint8 old = mark->data[at];
		struct iot_unpack in = iot_unpack_init(mark->data, i % 5 ? mark->len : at);
		struct reading rest;

		mark->data[at] ^= (guint8)(1 + i % 255);
		src = open_bound((const guint8 *)data, len, schema);
		if (src->ops->seek(src, 0, &in, NULL)) {
			read_run(src, 0, 4096, &rest);
			reading_clear(&rest);
		} else if (i % 5 == 0) {
			CU_ASSERT_TRUE(in.bad);
		}
		src->ops->close(src);
		mark->data[at] = old;
	}
	reading_clear(&whole);
}
