/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/checkpoint.h"
#include "timeline/lanes.h"

#include <sys/stat.h>

/* Another build may think differently of the same events. */
static void identify_program(GString *out)
{
	struct stat st = { 0 };

	(void)stat("/proc/self/exe", &st);
	g_string_append_printf(out,
			       "iotrace-analyze " IOT_VERSION " %" G_GUINT64_FORMAT " %ld.%09ld\n",
			       (guint64)st.st_size, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

char *iot_checkpoint_key(const struct iot_options *options, const struct iot_inputs *inputs,
			 const struct iot_models *models, const struct iot_timeline *tl)
{
	g_autoptr(GString) key = g_string_new(NULL);
	struct iot_timeline_size size;

	identify_program(key);
	g_string_append_printf(key, "%u counters, max-open %u, max-containers %u\n", IOT_DIAG_COUNT,
			       options->max_open, options->max_containers);
	iot_timeline_count(tl, &size);
	g_string_append_printf(key, "%u strings, %u types, %u categories, %u rows\n", size.strings,
			       size.types, size.cats, size.rows);
	if (!iot_inputs_identify(inputs, key))
		return NULL;
	iot_models_identify(models, key);
	g_string_append_printf(key, "early-end %" G_GUINT64_FORMAT "\n", options->early_end_ns);
	for (guint i = 0; i < options->lockspaces->len; i++)
		g_string_append_printf(key, "lockspace %s\n",
				       (const char *)options->lockspaces->pdata[i]);
	return g_string_free(g_steal_pointer(&key), FALSE);
}

/* ---- where the runs stand */

static gboolean save_run(const struct iot_source *source, guint local,
			 const struct iot_merge *merge, guint run, GByteArray *out)
{
	guint taken = 0;
	const GByteArray *mark = iot_merge_mark(merge, run, &taken);
	g_autoptr(GByteArray) empty = NULL;

	if (!mark) {
		empty = g_byte_array_new();
		source->ops->tell(source, local, empty);
		mark = empty;
	}
	if (!mark->len)
		return FALSE;
	iot_pack_bytes(out, mark->data, mark->len);
	iot_pack_uint(out, taken);
	return TRUE;
}

static gboolean save_runs(const struct iot_pass_state *pass, const struct iot_merge *merge,
			  GByteArray *out)
{
	struct iot_source *const *sources = iot_inputs_sources(pass->inputs);
	guint run = 0;

	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++) {
		guint n = sources[i]->ops->n_runs(sources[i]);

		for (guint local = 0; local < n; local++, run++)
			if (!save_run(sources[i], local, merge, run, out))
				return FALSE;
	}
	return TRUE;
}

static gboolean load_run(struct iot_source *source, guint local, guint *out_skip,
			 struct iot_unpack *in, GError **error)
{
	gsize len;
	const guint8 *data = iot_unpack_bytes(in, &len);
	struct iot_unpack mark = iot_unpack_init(data, len);

	*out_skip = (guint)iot_unpack_uint(in, G_MAXUINT32);
	return !in->bad && source->ops->seek(source, local, &mark, error) && iot_unpack_end(&mark);
}

static gboolean load_runs(const struct iot_pass_state *pass, guint *skip, struct iot_unpack *in,
			  GError **error)
{
	struct iot_source *const *sources = iot_inputs_sources(pass->inputs);
	guint run = 0;

	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++) {
		guint n = sources[i]->ops->n_runs(sources[i]);

		for (guint local = 0; local < n; local++, run++)
			if (!load_run(sources[i], local, &skip[run], in, error))
				return FALSE;
	}
	return TRUE;
}

/* ---- everything */

GByteArray *iot_checkpoint_save(const struct iot_pass_state *pass, const struct iot_merge *merge,
				guint64 ts)
{
	g_autoptr(GByteArray) out = g_byte_array_new();

	iot_pack_uint(out, ts);
	iot_pack_uint(out, pass->records);
	iot_pack_diag(out, &pass->tl->diag);
	iot_lanes_save(pass->tl->lanes, ts, out);
	iot_inputs_save(pass->inputs, out);
	iot_emit_save(pass->emit, out);
	iot_models_save(pass->models, out);
	return save_runs(pass, merge, out) ? g_steal_pointer(&out) : NULL;
}

static gboolean load_tables(struct iot_timeline *tl, const GPtrArray *tables)
{
	for (guint i = 0; i < tables->len; i++) {
		gsize len;
		const void *data = g_bytes_get_data(tables->pdata[i], &len);
		struct iot_unpack in = iot_unpack_init(data, len);

		if (!iot_timeline_load_new(tl, &in) || !iot_unpack_end(&in))
			return FALSE;
	}
	return TRUE;
}

static void select_rows(struct iot_timeline *tl, iot_select_func select, gpointer select_data)
{
	for (iot_row_id row = 1; select && row < tl->rows.n; row++)
		iot_row_at(tl, row)->hidden = !select(select_data, tl, row);
}

static gboolean load_state(struct iot_pass_state *pass, guint64 ts, struct iot_unpack *in)
{
	gboolean ok = iot_unpack_uint(in, G_MAXUINT64) == ts;

	pass->records = iot_unpack_uint(in, G_MAXUINT64);
	iot_unpack_diag(in, &pass->tl->diag);
	ok = ok && iot_lanes_load(pass->tl->lanes, ts, in) && iot_inputs_load(pass->inputs, in) &&
	     iot_emit_load(pass->emit, in) && iot_models_resume(pass->models, in);
	iot_emit_loaded(pass->emit);
	return ok;
}

gboolean iot_checkpoint_load(struct iot_pass_state *pass, const struct iot_index_point *point,
			     iot_select_func select, gpointer select_data, guint **out_skip,
			     GError **error)
{
	g_autofree guint *skip = g_new0(guint, MAX(iot_inputs_runs(pass->inputs), 1));
	gsize len;
	const void *data = g_bytes_get_data(point->state, &len);
	struct iot_unpack in = iot_unpack_init(data, len);

	if (!load_tables(pass->tl, point->tables))
		return FALSE;
	select_rows(pass->tl, select, select_data);
	if (!load_state(pass, point->ts, &in) || !load_runs(pass, skip, &in, error) ||
	    !iot_unpack_end(&in))
		return FALSE;
	*out_skip = g_steal_pointer(&skip);
	return TRUE;
}
