/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-recover.h"
#include "input/clock-estimate.h"
#include "base/clock-band.h"

#define SECOND G_GINT64_CONSTANT(1000000000)

/* A machine whose clock is found, or not yet. */
struct machine {
	gboolean known, straight;
	GArray *places; /* of struct iot_clock_place: its clock, and the reference's */
	gint64 spread;
	guint group; /* machines that are connected by messages */
};

/* Messages of two machines, in order of the machine that is estimated, b, or a. */
struct both_ways {
	guint a, b;
	struct iot_clock_points of_b, of_a;
	struct iot_clock_estimate b_by_a, a_by_b;
};

struct recovery {
	const struct iot_recover_config *config;
	struct machine *machines;
	GHashTable *pair_of; /* a << 32 | b -> struct both_ways */
	GPtrArray *pairs;    /* of struct both_ways, in the order of a and b */
	struct iot_recovered *out;
};

static void free_both_ways(gpointer data)
{
	struct both_ways *both = data;

	iot_clock_points_clear(&both->of_a);
	iot_clock_points_clear(&both->of_b);
	iot_clock_estimate_clear(&both->a_by_b);
	iot_clock_estimate_clear(&both->b_by_a);
	g_free(both);
}

/* ---- messages of each two machines */

static struct both_ways *find_pair(struct recovery *recovery, guint x, guint y)
{
	guint a = MIN(x, y), b = MAX(x, y);
	gint64 key = (gint64)((guint64)a << 32 | b);
	struct both_ways *both = g_hash_table_lookup(recovery->pair_of, &key);

	if (both)
		return both;
	both = g_new0(struct both_ways, 1);
	both->a = a;
	both->b = b;
	iot_clock_points_init(&both->of_a);
	iot_clock_points_init(&both->of_b);
	g_hash_table_insert(recovery->pair_of, g_memdup2(&key, sizeof(key)), both);
	g_ptr_array_add(recovery->pairs, both);
	return both;
}

/*
 * An event is later than its time by less than the resolution of its clock, so a message arrives
 * before its time and the resolution.
 */
static void add_message(struct recovery *recovery, const struct iot_clock_message *message)
{
	struct both_ways *both = find_pair(recovery, message->from, message->to);
	gint64 sent = (gint64)message->from_ns;
	gint64 received =
		(gint64)(message->to_ns + recovery->config->machines[message->to].resolution_ns);
	struct iot_clock_point by_receiver = { received, sent }, by_sender = { sent, received };
	gboolean to_b = message->to == both->b;

	g_array_append_val(to_b ? both->of_b.lower : both->of_a.lower, by_receiver);
	g_array_append_val(to_b ? both->of_a.upper : both->of_b.upper, by_sender);
}

static gint by_numbers(gconstpointer x, gconstpointer y)
{
	const struct both_ways *p = *(const struct both_ways *const *)x,
			       *q = *(const struct both_ways *const *)y;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return p->b < q->b ? -1 : p->b > q->b;
}

static void estimate(const struct recovery *recovery, guint by, guint machine,
		     struct iot_clock_points *points, struct iot_clock_estimate *out)
{
	const struct iot_recover_machine *m = &recovery->config->machines[machine];
	struct iot_clock_estimate_config config = {
		.assumed = recovery->config->assumed,
		.cycles = m->cycles || recovery->config->machines[by].cycles,
		.begin = (gint64)m->begin_ns,
		.end = (gint64)m->end_ns,
		.resolution_ns = m->resolution_ns,
	};

	iot_clock_points_sort(points);
	iot_clock_estimate_init(out, points, &config);
}

static void collect(struct recovery *recovery)
{
	const GArray *messages = recovery->config->messages;

	for (guint i = 0; i < messages->len; i++) {
		const struct iot_clock_message *message =
			&g_array_index(messages, struct iot_clock_message, i);

		if (recovery->config->machines[message->from].known &&
		    recovery->config->machines[message->to].known)
			continue;
		if (message->from != message->to && message->from_ns < IOT_CLOCK_MOST - SECOND &&
		    message->to_ns < IOT_CLOCK_MOST - SECOND)
			add_message(recovery, message);
	}
	g_ptr_array_sort(recovery->pairs, by_numbers);
	for (guint i = 0; i < recovery->pairs->len; i++) {
		struct both_ways *both = recovery->pairs->pdata[i];

		estimate(recovery, both->a, both->b, &both->of_b, &both->b_by_a);
		estimate(recovery, both->b, both->a, &both->of_a, &both->a_by_b);
	}
}

/* ---- the reference */

static guint find_group(const struct recovery *recovery, guint machine)
{
	while (recovery->machines[machine].group != machine)
		machine = recovery->machines[machine].group;
	return machine;
}

/* The first machine of the largest group; groups are numbered by their first machine. */
static guint find_reference(const struct recovery *recovery)
{
	guint n = recovery->config->n_machines, best = 0;
	g_autofree guint *size = g_new0(guint, n);

	for (guint i = 0; i < n; i++)
		recovery->machines[i].group = i;
	for (guint i = 0; i < recovery->pairs->len; i++) {
		const struct both_ways *both = recovery->pairs->pdata[i];
		guint a = find_group(recovery, both->a), b = find_group(recovery, both->b);

		recovery->machines[MAX(a, b)].group = MIN(a, b);
	}
	for (guint i = 0; i < n; i++)
		size[find_group(recovery, i)]++;
	for (guint i = 0; i < n; i++)
		if (size[i] > size[best])
			best = i;
	return best;
}

/* ---- paths */

static gint compare_ints(gconstpointer a, gconstpointer b)
{
	const gint64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void add_instants(GArray *to, const GArray *places, const GArray *translate)
{
	for (guint i = 0; i < places->len; i++) {
		gint64 y = g_array_index(places, struct iot_clock_place, i).y;

		if (translate)
			y = iot_clock_places_y(translate, y);
		g_array_append_val(to, y);
	}
}

static guint64 add_bounds(guint64 a, guint64 b)
{
	return a == IOT_CLOCK_UNBOUNDED || b == IOT_CLOCK_UNBOUNDED ? IOT_CLOCK_UNBOUNDED : a + b;
}

/* A bound by the clock @through, at its time @at, as time of the reference. */
static guint64 translate_bound(const struct machine *through, guint64 bound, gint64 at)
{
	gint64 away = (gint64)MIN(bound, (guint64)IOT_CLOCK_MOST / 16);
	gint64 x = iot_clock_places_x(through->places, at);

	if (bound == IOT_CLOCK_UNBOUNDED)
		return bound;
	return 2 + (guint64)MAX(iot_clock_places_x(through->places, at + away) - x,
				x - iot_clock_places_x(through->places, at - away));
}

/*
 * The machine's clock by the reference's: by that of the machine @through, whose clock is known.
 * The bounds add up.
 */
static GArray *compose(const struct machine *through, const struct iot_clock_estimate *step)
{
	g_autoptr(GArray) instants = g_array_new(FALSE, FALSE, sizeof(gint64));
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_place));
	gint64 first = g_array_index(step->places, struct iot_clock_place, 0).y;
	gint64 last = g_array_index(step->places, struct iot_clock_place, step->places->len - 1).y;

	add_instants(instants, step->places, NULL);
	add_instants(instants, through->places, step->places);
	g_array_sort(instants, compare_ints);
	for (guint i = 0; i < instants->len; i++) {
		gint64 y = g_array_index(instants, gint64, i);
		gint64 at = iot_clock_places_x(step->places, y);
		struct iot_clock_place place = { y, iot_clock_places_x(through->places, at), 0 };
		const struct iot_clock_place *before =
			places->len
				? &g_array_index(places, struct iot_clock_place, places->len - 1)
				: NULL;

		if (y < first || y > last || (before && (y == before->y || place.x <= before->x)))
			continue;
		place.bound_ns = add_bounds(
			translate_bound(through,
					iot_clock_places_bound(step->places, y, step->spread), at),
			iot_clock_places_bound(through->places, at, through->spread));
		g_array_append_val(places, place);
	}
	return places;
}

/* The worst bound of a way to a machine; ways without a bound come after all others. */
static guint64 cost(const GArray *places, enum iot_clock_grade grade)
{
	guint64 most = 0;

	if (grade <= IOT_CLOCK_CONTRADICTED)
		return IOT_CLOCK_UNBOUNDED - (guint64)grade;
	for (guint i = 0; i < places->len; i++)
		most = MAX(most, g_array_index(places, struct iot_clock_place, i).bound_ns);
	return MIN(most, IOT_CLOCK_UNBOUNDED - IOT_CLOCK_BOUNDED);
}

/* The way to the machine whose clock can be known best among those that are not known. */
struct way {
	guint machine;
	GArray *places; /* NULL: there is none */
	guint64 cost;
	const struct iot_clock_estimate *step;
	const struct machine *through;
};

static void consider(const struct recovery *recovery, guint through, guint machine,
		     const struct iot_clock_estimate *step, struct way *best)
{
	const struct machine *from = &recovery->machines[through];
	GArray *places;
	guint64 c;

	if (!from->known || recovery->machines[machine].known)
		return;
	places = compose(from, step);
	c = cost(places, step->grade);
	if (best->places && c >= best->cost) {
		g_array_unref(places);
		return;
	}
	g_clear_pointer(&best->places, g_array_unref);
	*best = (struct way){ machine, places, c, step, from };
}

/* As Dijkstra: bounds only grow along a path. */
static gboolean find_next(struct recovery *recovery)
{
	struct way best = { 0 };
	struct machine *machine;

	for (guint i = 0; i < recovery->pairs->len; i++) {
		const struct both_ways *both = recovery->pairs->pdata[i];

		consider(recovery, both->a, both->b, &both->b_by_a, &best);
		consider(recovery, both->b, both->a, &both->a_by_b, &best);
	}
	if (!best.places)
		return FALSE;
	machine = &recovery->machines[best.machine];
	machine->known = TRUE;
	machine->places = best.places;
	machine->straight = best.through->straight && best.step->straight;
	machine->spread = best.through->spread + best.step->spread;
	return TRUE;
}

static void add_same(const struct iot_recover_machine *m, gint64 at, GArray *places)
{
	struct iot_clock_place place = {
		at, at, m->known ? iot_clock_facts_bound(m->known, (guint64)at) : 0
	};

	g_array_append_val(places, place);
}

/* The machine's clock is the common one. */
static void know(struct recovery *recovery, guint number)
{
	const struct iot_recover_machine *m = &recovery->config->machines[number];
	struct machine *machine = &recovery->machines[number];
	gint64 begin = (gint64)MIN(m->begin_ns, (guint64)IOT_CLOCK_MOST), last = begin;
	gint64 end = MAX((gint64)MIN(m->end_ns, (guint64)IOT_CLOCK_MOST), begin + SECOND);
	const GArray *knots = m->known ? m->known->knots : NULL;

	machine->known = machine->straight = TRUE;
	machine->places = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_place));
	add_same(m, begin, machine->places);
	for (guint i = 0; knots && i < knots->len; i++) {
		guint64 at = g_array_index(knots, struct iot_clock_knot, i).ns;

		if (at <= (guint64)last || at >= (guint64)end)
			continue;
		last = (gint64)at;
		add_same(m, last, machine->places);
	}
	add_same(m, end, machine->places);
}

static void know_first(struct recovery *recovery)
{
	const struct iot_recover_config *config = recovery->config;
	gboolean any = FALSE;

	for (guint i = config->n_machines; i-- > 0;) {
		if (!config->machines[i].known)
			continue;
		know(recovery, i);
		recovery->out->reference = i;
		any = TRUE;
	}
	if (any)
		return;
	recovery->out->reference = find_reference(recovery);
	know(recovery, recovery->out->reference);
}

/* ---- results */

/* Times below zero cannot be: this much is added to all. */
static gint64 find_shift(const struct recovery *recovery)
{
	gint64 least = 0;

	for (guint i = 0; i < recovery->config->n_machines; i++)
		if (recovery->machines[i].known)
			least = MIN(least, g_array_index(recovery->machines[i].places,
							 struct iot_clock_place, 0)
						   .x);
	return least < 0 ? (-least / SECOND + 1) * SECOND : 0;
}

static void add_pair(GArray *to, const struct iot_clock_place *place, gint64 shift)
{
	struct iot_clock_pair pair = { .machine_ns = (guint64)place->y,
				       .reference_ns = (guint64)(place->x + shift) };

	g_array_append_val(to, pair);
}

static void state_clock(const struct machine *machine, gint64 shift,
			struct iot_clock_change *change)
{
	const struct iot_clock_place *places =
		(const struct iot_clock_place *)(const void *)machine->places->data;
	guint last = machine->places->len - 1;

	change->method = IOT_CLOCK_CHANGE_PROTOCOL;
	change->pairs = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_pair));
	for (guint i = 0; i <= last; i++)
		if (!machine->straight || !i || i == last)
			add_pair(change->pairs, &places[i], shift);
	for (guint i = 0; i <= last && places[0].bound_ns != IOT_CLOCK_UNBOUNDED; i++) {
		struct iot_clock_knot knot = { (guint64)(places[i].x + shift), places[i].bound_ns };

		if (!change->knots)
			change->knots = g_array_new(FALSE, FALSE, sizeof(knot));
		g_array_append_val(change->knots, knot);
	}
}

static void state_clocks(struct recovery *recovery)
{
	gint64 shift = find_shift(recovery);
	struct iot_recovered *out = recovery->out;

	for (guint i = 0; i < out->n_machines; i++) {
		struct iot_clock_change *change = &out->changes[i];

		change->is_reference = i == out->reference &&
				       !recovery->config->machines[i].known;
		if (recovery->config->machines[i].known) {
			change->shift_ns = shift;
		} else if (change->is_reference) {
			change->method = IOT_CLOCK_CHANGE_PROTOCOL;
			change->shift_ns = shift;
		} else if (recovery->machines[i].known) {
			state_clock(&recovery->machines[i], shift, change);
		} else {
			/* no clock is like this one, so its own time is as good as any */
			change->method = IOT_CLOCK_CHANGE_NONE;
		}
	}
}

/* The path to each of the two machines, and their own messages, agree within all bounds. */
static gboolean closes(const struct recovery *recovery, const struct both_ways *both)
{
	const struct machine *a = &recovery->machines[both->a], *b = &recovery->machines[both->b];
	const GArray *places = both->b_by_a.places;

	for (guint i = 0; i < places->len; i++) {
		const struct iot_clock_place *place =
			&g_array_index(places, struct iot_clock_place, i);
		gint64 by_a = iot_clock_places_x(a->places, place->x);
		gint64 by_b = iot_clock_places_x(b->places, place->y);
		guint64 bound = add_bounds(
			add_bounds(iot_clock_places_bound(a->places, place->x, a->spread),
				   iot_clock_places_bound(b->places, place->y, b->spread)),
			translate_bound(a, place->bound_ns, place->x));

		if (bound != IOT_CLOCK_UNBOUNDED && (guint64)MAX(by_a - by_b, by_b - by_a) > bound)
			return FALSE;
	}
	return TRUE;
}

static void state_pairs(struct recovery *recovery)
{
	for (guint i = 0; i < recovery->pairs->len; i++) {
		const struct both_ways *both = recovery->pairs->pdata[i];
		const struct iot_clock_estimate *step = &both->b_by_a;
		struct iot_recovered_pair pair = {
			.a = both->a,
			.b = both->b,
			.grade = step->grade,
			.n_messages = step->n_to + step->n_from,
			.n_wrong = step->n_wrong,
			.n_wrong_proved = step->n_wrong_proved,
			.drift_impossible = step->drift_impossible,
			.rate_widened = step->rate_widened,
		};

		if (recovery->machines[both->a].known && !closes(recovery, both))
			pair.grade = IOT_CLOCK_CONTRADICTED;
		g_array_append_val(recovery->out->pairs, pair);
	}
}

struct iot_recovered *iot_clock_recover(const struct iot_recover_config *config)
{
	struct iot_recovered *out = g_new0(struct iot_recovered, 1);
	struct recovery recovery = {
		.config = config,
		.machines = g_new0(struct machine, config->n_machines + 1),
		.pair_of = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
		.pairs = g_ptr_array_new_with_free_func(free_both_ways),
		.out = out,
	};

	out->n_machines = config->n_machines;
	out->changes = g_new0(struct iot_clock_change, config->n_machines + 1);
	out->pairs = g_array_new(FALSE, FALSE, sizeof(struct iot_recovered_pair));
	collect(&recovery);
	know_first(&recovery);
	while (find_next(&recovery))
		;
	state_clocks(&recovery);
	state_pairs(&recovery);
	for (guint i = 0; i < config->n_machines; i++)
		g_clear_pointer(&recovery.machines[i].places, g_array_unref);
	g_free(recovery.machines);
	g_hash_table_unref(recovery.pair_of);
	g_ptr_array_unref(recovery.pairs);
	return out;
}

void iot_recovered_free(struct iot_recovered *recovered)
{
	if (!recovered)
		return;
	for (guint i = 0; i < recovered->n_machines; i++)
		iot_clock_change_clear(&recovered->changes[i]);
	g_free(recovered->changes);
	g_array_unref(recovered->pairs);
	g_free(recovered);
}
