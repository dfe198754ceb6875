/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a model as bytes and back: the parts in their order. Caches are built again. */
#include "model/model.h"
#include "model/counter.h"
#include "model/link.h"
#include "model/object-save.h"
#include "model/standalone-call.h"
#include "model/tie-apply.h"
#include "timeline/thread-rows.h"

void iot_model_save(const struct iot_model *model, GByteArray *out)
{
	struct iot_saver s = { .model = model, .out = out };

	s.events = g_hash_table_new(NULL, NULL);
	s.calls = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < model->kinds->len; i++)
		iot_kind_save(&s, model->kinds->pdata[i]);
	iot_standalone_calls_save(&s);
	iot_links_save(&s);
	iot_ties_save(&s);
	if (iot_model_finds_threads(model))
		iot_thread_rows_save(model->tl->threads, out);
	for (guint i = 0; i < model->own_tables->len; i++)
		iot_keytable_save(model->own_tables->pdata[i], out);
	for (guint i = 0; i < model->counters->len; i++)
		iot_counter_save(model->counters->pdata[i], out);
	g_hash_table_unref(s.events);
	g_hash_table_unref(s.calls);
}

/* Categories that were made while events were read are found by their names. */
static void find_cats(struct iot_model *model)
{
	const struct iot_timeline *tl = model->tl;

	for (guint i = 0; i < model->values->len; i++) {
		struct iot_values *values = model->values->pdata[i];

		for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
			if (iot_cat_at(tl, cat)->type == values->type)
				g_hash_table_insert(values->cat_by_text,
						    GUINT_TO_POINTER(iot_cat_at(tl, cat)->name),
						    GUINT_TO_POINTER(cat));
	}
}

gboolean iot_model_resume(struct iot_model *model, struct iot_unpack *in)
{
	struct iot_loader l = { .model = model, .in = in };
	gboolean ok = TRUE;

	find_cats(model);
	l.calls = g_ptr_array_new();
	l.standalone = g_ptr_array_new();
	for (guint i = 0; ok && i < model->kinds->len; i++)
		ok = iot_kind_load(&l, model->kinds->pdata[i]);
	ok = ok && iot_standalone_calls_load(&l) && iot_links_load(&l) && iot_ties_load(&l) &&
	     (!iot_model_finds_threads(model) || iot_thread_rows_load(model->tl->threads, in));
	for (guint i = 0; ok && i < model->own_tables->len; i++)
		ok = iot_keytable_load(model->own_tables->pdata[i], model->tl, in);
	for (guint i = 0; ok && i < model->counters->len; i++)
		ok = iot_counter_load(model->counters->pdata[i], in);
	g_ptr_array_unref(l.calls);
	g_ptr_array_unref(l.standalone);
	return ok;
}
