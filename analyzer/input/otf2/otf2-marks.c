/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/clock-change.h"
#include "input/otf2/otf2-marks.h"
#include "input/rank-clock.h"

/* A call, in ns of the rank's clock. */
struct call {
	guint64 enter_ns, leave_ns;
};

/* What a place does, and its calls of MPI_Barrier of itself alone. */
struct watch {
	guint64 enter_ns; /* of the last region that it has entered; and whether it is such a call
			   */
	gboolean inside, alone;
	struct call first[IOT_RANK_BARRIERS], last[IOT_RANK_BARRIERS]; /* the last ones: a ring */
	guint64 n;
	gboolean seen;
	guint64 first_ns, last_ns; /* of its events */
};

static gboolean is_barrier(const struct iot_otf2_defs *defs, OTF2_RegionRef ref)
{
	const struct iot_otf2_region *region = iot_otf2_region(defs, ref);

	return region && !strcmp(iot_intern_get(defs->strings, region->name, NULL), "MPI_Barrier");
}

static void take(struct watch *watch, const struct iot_otf2_defs *defs,
		 const struct iot_otf2_event *event)
{
	guint64 ns = iot_otf2_ns(defs, event->time);

	if (!watch->seen)
		watch->first_ns = ns;
	watch->seen = TRUE;
	watch->last_ns = ns;
	if (event->what == IOT_OTF2_ENTER) {
		watch->inside = is_barrier(defs, event->a);
		watch->alone = FALSE;
		watch->enter_ns = ns;
	} else if (event->what == IOT_OTF2_COLLECTIVE) {
		watch->alone = iot_otf2_comm_is_alone(defs, event->b);
	} else if (event->what == IOT_OTF2_LEAVE) {
		struct call call = { watch->enter_ns, ns };

		if (watch->inside && watch->alone) {
			if (watch->n < IOT_RANK_BARRIERS)
				watch->first[watch->n] = call;
			watch->last[watch->n++ % IOT_RANK_BARRIERS] = call;
		}
		watch->inside = FALSE;
	}
}

/* What a call and the real times around it say. The call is inside of them, so its place there is
 * known to half of the rest. FALSE: it is not. */
static gboolean pair_of(const struct call *call, const struct iot_rank_mark *mark,
			struct iot_clock_pair *out)
{
	guint64 took = call->leave_ns - MIN(call->enter_ns, call->leave_ns), left;

	if (took > mark->took_ns)
		return FALSE;
	left = mark->took_ns - took;
	*out = (struct iot_clock_pair){ .reference_ns = mark->real_ns + left / 2,
					.machine_ns = call->enter_ns,
					.error_ns = left - left / 2 + 1 };
	return TRUE;
}

/* Whether as much time is between two calls as between two marks: by clocks whose rates differ by
 * less than kernels can correct, and by what the calls leave open. */
static gboolean is_as_long(const struct iot_clock_pair *first, const struct iot_clock_pair *last,
			   const struct iot_rank_clock *rank)
{
	const guint64 drift_ppm = 500;
	guint64 calls = last->machine_ns - first->machine_ns;
	guint64 marks = rank->end.mono_ns - MIN(rank->begin.mono_ns, rank->end.mono_ns);
	guint64 apart = MAX(calls, marks) - MIN(calls, marks);

	return apart <= calls / 1000000 * drift_ppm + 2 * (first->error_ns + last->error_ns) + 1000;
}

static struct iot_clock *clock_of(const struct watch *watch, const struct iot_rank_clock *rank)
{
	const struct iot_rank_mark *begin = &rank->begin, *end = &rank->end;
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_pair));
	struct iot_clock_pair pair;
	struct iot_clock *clock;

	if (!begin->number || watch->n < begin->of + end->of ||
	    !pair_of(&watch->first[begin->number - 1], begin, &pair))
		return NULL;
	g_array_append_val(pairs, pair);
	if (end->number) {
		struct iot_clock_pair first = pair;
		guint64 at = watch->n - end->of + end->number - 1;

		if (!pair_of(&watch->last[at % IOT_RANK_BARRIERS], end, &pair) ||
		    pair.machine_ns <= first.machine_ns ||
		    pair.reference_ns <= first.reference_ns || !is_as_long(&first, &pair, rank))
			return NULL;
		g_array_append_val(pairs, pair);
	}
	clock = g_new0(struct iot_clock, 1);
	iot_clock_change_apply(&(struct iot_clock_change){ .pairs = pairs }, clock);
	return clock;
}

static const struct iot_rank_clock *find_rank(const GArray *ranks, gint32 rank)
{
	for (guint i = 0; i < ranks->len; i++)
		if (g_array_index(ranks, struct iot_rank_clock, i).rank == (guint32)rank)
			return &g_array_index(ranks, struct iot_rank_clock, i);
	return NULL;
}

/* The thread that called MPI_Init is the first one of its rank. */
static struct iot_otf2_clocks *find_clocks(const struct iot_otf2_defs *defs,
					   const struct watch *watches, const GArray *ranks)
{
	struct iot_otf2_clocks *clocks = iot_otf2_clocks_new(iot_otf2_n_ranks(defs));
	gboolean ok = TRUE;

	for (guint i = 0; i < defs->places->len; i++) {
		const struct iot_otf2_place *place = defs->places->pdata[i];
		const struct iot_rank_clock *rank = find_rank(ranks, place->rank);
		guint index = (guint)place->rank;

		if (rank && !place->thread && index < clocks->n_ranks && !clocks->clocks[index])
			clocks->clocks[index] = clock_of(&watches[i], rank);
	}
	for (guint i = 0; i < clocks->n_ranks; i++) {
		const struct iot_clock *clock = clocks->clocks[i];

		ok &= clock != NULL;
		if (clock &&
		    (!clocks->worst || clock->sample_error_ns > clocks->worst->sample_error_ns))
			clocks->worst = clock;
	}
	if (ok && clocks->worst)
		return clocks;
	iot_otf2_clocks_free(clocks);
	return NULL;
}

static void find_range(struct iot_otf2_clocks *clocks, const struct iot_otf2_defs *defs,
		       const struct watch *watches)
{
	clocks->first_ns = G_MAXUINT64;
	for (guint i = 0; i < defs->places->len; i++) {
		const struct iot_otf2_place *place = defs->places->pdata[i];

		if (!watches[i].seen)
			continue;
		clocks->first_ns = MIN(clocks->first_ns,
				       iot_otf2_clocks_real(clocks, place, watches[i].first_ns));
		clocks->last_ns = MAX(clocks->last_ns,
				      iot_otf2_clocks_real(clocks, place, watches[i].last_ns));
	}
}

gboolean iot_otf2_marks_read(struct iot_otf2_ahead *ahead, const struct iot_otf2_defs *defs,
			     const GArray *ranks, const struct iot_otf2_place **failed,
			     OTF2_ErrorCode *code, struct iot_otf2_clocks **out)
{
	g_autofree struct watch *watches = g_new0(struct watch, defs->places->len + 1);
	const struct iot_otf2_event *event;

	*failed = NULL;
	while ((event = iot_otf2_ahead_next(ahead, failed, code)))
		take(&watches[event->place], defs, event);
	if (*failed)
		return FALSE;
	*out = find_clocks(defs, watches, ranks);
	if (*out)
		find_range(*out, defs, watches);
	return TRUE;
}
