/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a model on made-up events; the items it draws become lines of text. */
#ifndef IOT_TESTS_MODEL_BENCH_H
#define IOT_TESTS_MODEL_BENCH_H

#include "../language/model-sample.h"
#include "base/error.h"
#include "model/model.h"

#include <glib/gstdio.h>
#include <unistd.h>

struct bench {
	struct iot_timeline *tl;
	struct iot_schema *schema;
	struct iot_model *model, *others;
	struct iot_emit *emit;
	struct iot_model_input input[2];
	struct iot_diag diag;
	GString *out;
	struct iot_event events[2][16];	/* by input and schema index */
};

static inline struct iot_model *load_sharing(struct iot_timeline *tl, struct iot_schema *schema,
					     const char *text, GPtrArray *shared, GError **error)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("XXXXXX.model", &path, NULL);
	const struct iot_model_company company = { .shared = shared };
	struct iot_model *model;

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	CU_ASSERT_FATAL(g_file_set_contents(path, text, -1, NULL));
	model = iot_model_load(path, tl, schema, shared ? &company : NULL, error);
	if (model && shared)
		CU_ASSERT(iot_model_load_rest(model, error));
	g_unlink(path);
	/* the name of the file is not the same twice */
	if (error && *error && g_str_has_prefix((*error)->message, path))
		memmove((*error)->message, (*error)->message + strlen(path),
			strlen((*error)->message + strlen(path)) + 1);
	return model;
}

static inline struct iot_model *load(struct iot_timeline *tl, struct iot_schema *schema, const char *text,
			      GError **error)
{
	return load_sharing(tl, schema, text, NULL, error);
}

/* A model is refused with the message @expected, or loaded (NULL). */
static inline void check_load(const char *text, const char *expected)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model = load(tl, schema, text, &error);

	CU_ASSERT_EQUAL(model != NULL, expected == NULL);
	CU_ASSERT(!error || g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	check_message(error, expected ? expected : "no error");
	iot_model_free(model);
}

/* The same for @model with line @line replaced by @text ("": left out). */
static inline void check_load_line(const char *model, guint line, const char *text, const char *expected)
{
	g_auto(GStrv) lines = g_strsplit(model, "\n", -1);
	g_autofree char *changed = NULL;

	g_free(lines[line - 1]);
	lines[line - 1] = g_strdup(text);
	changed = g_strjoinv("\n", lines);
	check_load(changed, expected);
}

static inline const char *str(const struct bench *b, guint64 id)
{
	return iot_tl_str(b->tl, (iot_str)id);
}

static inline gboolean print_item(gpointer data, const struct iot_item *item, GError **error)
{
	static const char *const kinds[] = { "span", "begin", "point", "gap",
						    "sample" };
	struct bench *b = data;
	const struct iot_type *type = iot_type_at(b->tl, item->type);
	g_autofree char *path = iot_timeline_path(b->tl, item->row, "/");
	char digits[IOT_DIGITS_ROOM];

	(void)error;
	g_string_append_printf(b->out, "%s %s %s %d", kinds[item->kind], path,
			       str(b, iot_cat_at(b->tl, item->cat)->name), (int)item->t0);
	if (item->kind == IOT_ITEM_SPAN)
		g_string_append_printf(b->out, "-%d", (int)item->t1);
	for (guint i = 0; i < item->n_attrs; i++) {
		if (type->attr[i].format == IOT_ATTR_STR)
			g_string_append_printf(b->out, " %s",
					       iot_tl_text(b->tl, item->attr[i].str, digits, NULL));
		else
			g_string_append_printf(b->out, " %d", (int)item->attr[i].i);
	}
	if (item->flags)
		g_string_append_printf(b->out, " flags %x", item->flags);
	if (item->kind == IOT_ITEM_SPAN && item->asks)
		g_string_append_printf(b->out, " asks %s",
				       str(b, iot_cat_at(b->tl, item->asks)->name));
	g_string_append_c(b->out, '\n');
	return TRUE;
}

/* All fields are numbers, until one is a text. */
static inline void bench_bind(struct bench *b, guint i)
{
	for (guint e = 0; e < b->schema->events->len; e++) {
		const struct iot_schema_event *event = b->schema->events->pdata[e];

		b->events[i][e].index = e;
		b->events[i][e].input = i;
		b->events[i][e].n_slots = event->n_fields;
		memset(b->events[i][e].slot_type, IOT_SLOT_INT, event->n_fields);
	}
}

static inline void bench_run(struct bench *b, struct iot_model *model, iot_select_func select)
{
	iot_model_start(model, &(struct iot_model_run){ .emit = b->emit,
							.inputs = b->input,
							.n_inputs = 2,
							.max_open = 1000,
							.max_rows = 1000,
							.select = select,
							.diag = &b->diag });
}

/* The model is loaded and not yet started. */
static inline void bench_init(struct bench *b, const char *text)
{
	struct iot_emit_config config = { .to_ns = G_MAXUINT64, .memory = 1 << 20,
					  .func = print_item, .user_data = b };

	memset(b, 0, sizeof(*b));
	b->tl = iot_timeline_new();
	b->schema = iot_schema_new();
	b->out = g_string_new(NULL);
	b->model = load(b->tl, b->schema, text, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b->model);
	b->emit = iot_emit_new(b->tl, &config);
	for (guint i = 0; i < 2; i++) {
		b->input[i].node = iot_intern_str(b->tl->strings, i ? "n2" : "n1");
		b->input[i].node_name = b->input[i].node;
		b->input[i].machine = b->input[i].recording = (guint32)i;
		b->input[i].first_ns = b->input[i].from_ns = 5;
		bench_bind(b, i);
	}
}

static inline void bench_start_selecting(struct bench *b, const char *text, iot_select_func select)
{
	bench_init(b, text);
	bench_run(b, b->model, select);
}

static inline void bench_start(struct bench *b, const char *text)
{
	bench_start_selecting(b, text, NULL);
}

/* A second model in the same timeline; the caller frees it. */
static inline struct iot_model *bench_add(struct bench *b, const char *text)
{
	b->others = load(b->tl, b->schema, text, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b->others);
	for (guint i = 0; i < 2; i++)
		bench_bind(b, i);
	bench_run(b, b->others, NULL);
	return b->others;
}

/* A value that is no number is a text. */
static inline void set_field(struct bench *b, struct iot_rec *rec, guint slot, const char *value)
{
	char *end;

	rec->slot[slot].i = g_ascii_strtoll(value, &end, 10);
	if (!*end && end != value)
		return;
	b->events[rec->event->input][rec->event->index].slot_type[slot] = IOT_SLOT_STR;
	rec->slot[slot].u = iot_intern_str(b->tl->strings, value);
}

/* An event, with fields as "k=3 error=-1"; fields that no section names are passed over. */
static inline void event(struct bench *b, guint input, guint64 ts, gint32 pid, const char *name,
		  const char *fields)
{
	guint64 storage[40] = { 0 };
	struct iot_rec *rec = (struct iot_rec *)storage;
	g_auto(GStrv) words = g_strsplit(fields, " ", -1);
	const struct iot_schema_event *found = NULL;

	for (guint e = 0; e < b->schema->events->len; e++)
		if (!strcmp(((struct iot_schema_event *)b->schema->events->pdata[e])->name, name))
			found = b->schema->events->pdata[e];
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	rec->ts = ts;
	rec->pid = pid;
	rec->event = &b->events[input][found->index];
	for (guint i = 0; words[i]; i++) {
		g_auto(GStrv) pair = g_strsplit(words[i], "=", 2);

		for (guint f = 0; *words[i] && f < found->n_fields; f++)
			if (!strcmp(found->field[f].name, pair[0]))
				set_field(b, rec, f, pair[1]);
	}
	iot_model_event(b->model, rec);
	if (b->others)
		iot_model_event(b->others, rec);
}

static inline void bench_finish(struct bench *b, guint64 ts, const char *expected)
{
	iot_model_finish(b->model, ts, TRUE);
	CU_ASSERT(iot_emit_finish(b->emit, NULL));
	if (strcmp(b->out->str, expected))
		fprintf(stderr, "got:\n%sexpected:\n%s", b->out->str, expected);
	CU_ASSERT_STRING_EQUAL(b->out->str, expected);
	iot_model_free(b->model);
	iot_emit_free(b->emit);
	iot_schema_free(b->schema);
	iot_timeline_free(b->tl);
	g_string_free(b->out, TRUE);
}

#endif
