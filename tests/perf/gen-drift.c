// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clocks that run wrong: host - guest is a polygon in true time, whose slope stays within --rate
 * and changes by at most --bend. Samples measure it with an error. The polygon has random numbers
 * of its own, so the same seed has the same events with any clocks. Integers only: results must not
 * depend on the C library.
 */
#include "gen.h"

enum { BILLION = 1000000000 };

static gint64 within(guint64 *rng, gint64 limit)
{
	return limit ? (gint64)(gen_mix(rng) % (2 * (guint64)limit + 1)) - limit : 0;
}

static const struct gen_piece *piece(const struct gen_drift *d, guint i)
{
	return &g_array_index(d->pieces, struct gen_piece, i);
}

static gint64 offset_in(const struct gen_piece *p, guint64 t)
{
	return p->offset + (gint64)((__int128)(gint64)(t - p->from) * p->ppb / BILLION);
}

/* A piece is half to three halves of piece_ns long. */
static void add_piece(struct gen_drift *d, guint64 from)
{
	guint n = d->pieces->len;
	struct gen_piece next = { from, n ? offset_in(piece(d, n - 1), from) : d->offset,
				  d->rate + within(&d->rng, d->bend / 2) };

	g_array_append_val(d->pieces, next);
	d->until = from + d->piece_ns / 2 + gen_mix(&d->rng) % d->piece_ns;
}

struct gen_drift *gen_drift_new(struct gen *gen, const struct gen_node *node, gint64 offset_ns)
{
	const struct gen_opts *o = &gen->opts;
	struct gen_drift *d = g_new0(struct gen_drift, 1);

	d->rng = o->seed * 1000 + (guint64)node->number;
	d->rate = within(&d->rng, o->rate_ppb);
	d->bend = o->bend_ppb;
	d->piece_ns = (guint64)o->sample_ms * 1000000 / 2;
	d->resolution = (guint64)o->resolution_ns;
	d->pieces = g_array_new(FALSE, FALSE, sizeof(struct gen_piece));
	d->offset = offset_ns;
	add_piece(d, GEN_BASE_NS);
	return d;
}

void gen_drift_free(struct gen_drift *d)
{
	if (!d)
		return;
	g_array_free(d->pieces, TRUE);
	g_free(d);
}

/* The clock of @d at true time @t, not rounded. */
static guint64 read_clock(struct gen_drift *d, guint64 t)
{
	guint i;

	while (t >= d->until)
		add_piece(d, d->until);
	i = d->pieces->len - 1;
	while (i && piece(d, i)->from > t)
		i--;
	return t - (guint64)offset_in(piece(d, i), t);
}

guint64 gen_drift_raw(struct gen_drift *d, guint64 t)
{
	guint64 raw = read_clock(d, t);

	return raw - raw % d->resolution;
}

/* A sample at true time @t, as the recorder finds it: the round trip has an error, and some are
 * delayed. */
void gen_drift_sample(struct gen *gen, struct gen_drift *d, guint64 t, gint64 *out_time,
		      gint64 *out_offset)
{
	const struct gen_opts *o = &gen->opts;
	gint64 error = within(&d->rng, o->sample_error_ns);

	if (o->delayed && gen_mix(&d->rng) % 1000 < (guint64)o->delayed)
		error = (gint64)(gen_mix(&d->rng) % 20) * o->sample_error_ns;
	*out_time = (gint64)read_clock(d, t);
	*out_offset = (gint64)t - *out_time + error;
}

void gen_drift_truth(struct gen *gen, const struct gen_node *node, struct gen_drift *d,
		     guint64 end_ns)
{
	for (guint i = 0; i < d->pieces->len; i++) {
		const struct gen_piece *p = piece(d, i);

		if (p->from > end_ns)
			break;
		fprintf(gen->truth,
			"clock\t%d\t%" G_GUINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT
			"\n",
			node->number, p->from, p->offset, p->ppb);
	}
}
