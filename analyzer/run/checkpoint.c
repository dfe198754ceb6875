/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/checkpoint.h"
#include "timeline/lanes.h"

/* ---- positions of the runs */

static gboolean save_runs(const struct iot_pass_state *pass, const struct iot_merge *merge,
			  GByteArray *out)
{
	guint run = 0;

	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++) {
		const struct iot_source *source = iot_inputs_at(pass->inputs, i)->source;
		guint n = source->ops->n_runs(source);

		for (guint local = 0; local < n; local++, run++) {
			guint taken = 0;
			const GByteArray *mark = iot_merge_mark(merge, run, &taken);
			g_autoptr(GByteArray) now = g_byte_array_new();

			if (!mark) {
				source->ops->tell(source, local, now);
				mark = now;
			}
			if (!mark->len)
				return FALSE;
			iot_pack_bytes(out, mark->data, mark->len);
			iot_pack_uint(out, taken);
		}
	}
	return TRUE;
}

static gboolean load_runs(const struct iot_pass_state *pass, guint *skip, struct iot_unpack *in,
			  GError **error)
{
	for (guint i = 0; i < iot_inputs_count(pass->inputs); i++) {
		struct iot_source *source = iot_inputs_at(pass->inputs, i)->source;
		guint n = source->ops->n_runs(source);

		for (guint local = 0; local < n; local++) {
			gsize len;
			const guint8 *data = iot_unpack_bytes(in, &len);
			struct iot_unpack mark = iot_unpack_init(data, len);

			*skip++ = (guint)iot_unpack_uint(in, G_MAXUINT32);
			if (in->bad || !source->ops->seek(source, local, &mark, error) ||
			    !iot_unpack_end(&mark))
				return FALSE;
		}
	}
	return TRUE;
}

/* ---- the whole state */

GByteArray *iot_checkpoint_save(const struct iot_pass_state *pass, const struct iot_merge *merge,
				guint64 ts)
{
	g_autoptr(GByteArray) out = g_byte_array_new();

	iot_pack_uint(out, ts);
	iot_pack_uint(out, pass->records);
	iot_pack_diag(out, &pass->tl->diag);
	iot_lanes_save(pass->tl->lanes, ts, out);
	iot_inputs_save(pass->inputs, out);
	if (pass->entries)
		iot_guest_entries_save(pass->entries, out);
	iot_emit_save(pass->emit, out);
	iot_models_save(pass->models, out);
	if (pass->causal)
		iot_causal_save(pass->causal, out);
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

static void select_rows(struct iot_timeline *tl, struct iot_select *select)
{
	for (iot_row_id row = 1; row < tl->rows.n; row++)
		if (!iot_select_row(select, tl, row))
			iot_row_hide(tl, row);
}

static gboolean load_state(struct iot_pass_state *pass, guint64 ts, struct iot_unpack *in)
{
	gboolean ok = iot_unpack_uint(in, G_MAXUINT64) == ts;

	pass->records = iot_unpack_uint(in, G_MAXUINT64);
	iot_unpack_diag(in, &pass->tl->diag);
	ok = ok && iot_lanes_load(pass->tl->lanes, ts, in) && iot_inputs_load(pass->inputs, in);
	if (pass->entries)
		iot_guest_entries_load(pass->entries, in);
	ok = ok && iot_emit_load(pass->emit, in) && iot_models_resume(pass->models, in) &&
	     (!pass->causal || iot_causal_load(pass->causal, in));
	iot_emit_loaded(pass->emit);
	return ok;
}

gboolean iot_checkpoint_load(struct iot_pass_state *pass, const struct iot_index_point *point,
			     struct iot_select *select, guint **out_skip, GError **error)
{
	g_autofree guint *skip = g_new0(guint, MAX(iot_inputs_runs(pass->inputs), 1));
	gsize len;
	const void *data = g_bytes_get_data(point->state, &len);
	struct iot_unpack in = iot_unpack_init(data, len);

	if (!load_tables(pass->tl, point->tables))
		return FALSE;
	select_rows(pass->tl, select);
	if (!load_state(pass, point->ts, &in) || !load_runs(pass, skip, &in, error) ||
	    !iot_unpack_end(&in))
		return FALSE;
	*out_skip = g_steal_pointer(&skip);
	return TRUE;
}
