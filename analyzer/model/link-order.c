/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doubts about two ends: errors of the clocks, gaps of the recordings. */
#include "model/link-local.h"

/* More gaps of one input than this are joined, the oldest first: that only adds doubt. */
enum { MAX_GAPS = 256 };

struct gap {
	guint64 t0, t1;
};

struct iot_unrecorded_input {
	/* of struct gap, in order of time, disjoint */
	GArray *gaps;
	/* CPUs that are in a gap now */
	guint depth;
};

guint64 iot_clock_error(const struct iot_model *model, guint32 input_a, guint32 input_b)
{
	return model->inputs[input_a].recording == model->inputs[input_b].recording
		       ? 0
		       : model->clock_error_ns;
}

gboolean iot_may_be_before(const struct iot_model *model, guint32 input_a, guint64 a,
			   guint32 input_b, guint64 b)
{
	return a <= iot_link_time(b, iot_clock_error(model, input_a, input_b));
}

void iot_unrecorded_start(struct iot_model *model)
{
	model->unrecorded = g_new0(struct iot_unrecorded_input, MAX(model->n_inputs, 1));
	for (guint i = 0; i < model->n_inputs; i++)
		model->unrecorded[i].gaps = g_array_new(FALSE, FALSE, sizeof(struct gap));
}

void iot_unrecorded_free(struct iot_model *model)
{
	for (guint i = 0; model->unrecorded && i < model->n_inputs; i++)
		g_array_unref(model->unrecorded[i].gaps);
	g_clear_pointer(&model->unrecorded, g_free);
}

void iot_unrecorded_gap(struct iot_model *model, guint input, guint64 ts, gboolean begin)
{
	struct iot_unrecorded_input *at = &model->unrecorded[input];
	struct gap gap = { ts, G_MAXUINT64 };
	struct gap *last =
		at->gaps->len ? &g_array_index(at->gaps, struct gap, at->gaps->len - 1) : NULL;

	if (!begin) {
		if (at->depth && !--at->depth)
			last->t1 = ts;
		return;
	}
	if (at->depth++)
		return;
	if (last && last->t1 >= ts) {
		last->t1 = G_MAXUINT64;
		return;
	}
	if (at->gaps->len == MAX_GAPS) {
		g_array_index(at->gaps, struct gap, 1).t0 =
			g_array_index(at->gaps, struct gap, 0).t0;
		g_array_remove_index(at->gaps, 0);
	}
	g_array_append_val(at->gaps, gap);
}

static gboolean has_gap(const struct iot_unrecorded_input *at, guint64 t0, guint64 t1)
{
	for (guint i = at->gaps->len; i-- > 0;) {
		const struct gap *gap = &g_array_index(at->gaps, struct gap, i);

		if (gap->t1 < t0)
			return FALSE;
		if (gap->t0 <= t1)
			return TRUE;
	}
	return FALSE;
}

enum iot_unrecorded iot_unrecorded(const struct iot_link *link, guint32 input, guint64 t0,
				   guint64 t1)
{
	const struct iot_model *model = link->model;
	enum iot_unrecorded found = IOT_ALL_RECORDED;

	for (guint i = 0; i < model->n_inputs; i++) {
		const struct iot_model_input *other = &model->inputs[i];
		guint64 error = iot_clock_error(model, input, i), low = t0 - MIN(t0, error),
			high = iot_link_time(t1, error);

		if (!other->used ||
		    (link->local && other->recording != model->inputs[input].recording))
			continue;
		if (has_gap(&model->unrecorded[i], low, high))
			return IOT_IN_GAP;
		if (other->from_ns > low || other->to_ns < high)
			found = IOT_OUTSIDE;
	}
	return found;
}

void iot_unrecorded_save(const struct iot_model *model, GByteArray *out)
{
	for (guint i = 0; i < model->n_inputs; i++) {
		const struct iot_unrecorded_input *at = &model->unrecorded[i];

		iot_pack_uint(out, at->depth);
		iot_pack_uint(out, at->gaps->len);
		for (guint k = 0; k < at->gaps->len; k++) {
			iot_pack_uint(out, g_array_index(at->gaps, struct gap, k).t0);
			iot_pack_uint(out, g_array_index(at->gaps, struct gap, k).t1);
		}
	}
}

gboolean iot_unrecorded_load(struct iot_model *model, struct iot_unpack *in)
{
	for (guint i = 0; i < model->n_inputs; i++) {
		struct iot_unrecorded_input *at = &model->unrecorded[i];
		guint n;

		at->depth = (guint)iot_unpack_uint(in, G_MAXUINT32);
		n = (guint)iot_unpack_uint(in, MAX_GAPS);
		if (at->depth && !n)
			return iot_unpack_fail(in);
		while (n--) {
			struct gap gap;

			gap.t0 = iot_unpack_uint(in, G_MAXUINT64);
			gap.t1 = iot_unpack_uint(in, G_MAXUINT64);
			g_array_append_val(at->gaps, gap);
		}
	}
	return !in->bad;
}
