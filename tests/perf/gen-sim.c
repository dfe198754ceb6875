// SPDX-License-Identifier: GPL-2.0-or-later
/* Time, chance and noise of the generator. */
#include "gen.h"

/* splitmix64: the same numbers on every machine */
guint64 gen_mix(guint64 *state)
{
	guint64 z = *state += G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

guint64 gen_random(struct gen *gen)
{
	return gen_mix(&gen->rng);
}

guint32 gen_below(struct gen *gen, guint32 n)
{
	return (gen_random(gen) >> 32) * n >> 32;
}

/* Doubling by integers, not by pow(): results must not depend on the C library. */
guint64 gen_between(struct gen *gen, guint64 a, guint64 b)
{
	guint octaves = 0;
	guint64 low;

	while (a << (octaves + 1) <= b)
		octaves++;
	low = a << gen_below(gen, octaves + 1);
	return MIN(b, low + gen_random(gen) % MAX(low, 1));
}

static gboolean earlier(const struct gen_action *a, const struct gen_action *b)
{
	return a->t < b->t || (a->t == b->t && a->seq < b->seq);
}

void gen_schedule(struct gen *gen, guint64 delay, int kind, gpointer who, guint32 tag, int arg)
{
	gen_schedule_at(gen, gen->now + delay * gen->opts.slow, kind, who, tag, arg);
}

void gen_schedule_at(struct gen *gen, guint64 t, int kind, gpointer who, guint32 tag, int arg)
{
	struct gen_action action = { .t = t,
				     .seq = gen->heap_seq++,
				     .who = who,
				     .tag = tag,
				     .kind = kind,
				     .arg = arg };
	guint i = gen->heap_n++;

	if (gen->heap_n > gen->heap_size) {
		gen->heap_size = MAX(64, gen->heap_size * 2);
		gen->heap = g_renew(struct gen_action, gen->heap, gen->heap_size);
	}
	for (; i && earlier(&action, &gen->heap[(i - 1) / 2]); i = (i - 1) / 2)
		gen->heap[i] = gen->heap[(i - 1) / 2];
	gen->heap[i] = action;
}

gboolean gen_next_action(struct gen *gen, struct gen_action *out)
{
	struct gen_action last;
	guint i = 0, child;

	if (!gen->heap_n)
		return FALSE;
	*out = gen->heap[0];
	last = gen->heap[--gen->heap_n];
	while ((child = 2 * i + 1) < gen->heap_n) {
		if (child + 1 < gen->heap_n && earlier(&gen->heap[child + 1], &gen->heap[child]))
			child++;
		if (!earlier(&gen->heap[child], &last))
			break;
		gen->heap[i] = gen->heap[child];
		i = child;
	}
	gen->heap[i] = last;
	gen->now = out->t;
	return TRUE;
}

static guint64 write_event(struct gen *gen, struct gen_node *node, int cpu, guint64 t,
			   enum gen_event event, const struct gen_buf *payload)
{
	guint64 written = gen_cpu_event(&node->cpu[cpu], t, event, payload);

	gen->emitted++;
	gen->last_true = MAX(gen->last_true, node->last);
	return written;
}

static void write_switch(struct gen *gen, guint64 t)
{
	struct gen_node *node = &gen->nodes[gen_below(gen, gen->n_nodes)];
	int cpu = gen_below(gen, gen->opts.cpus);
	gint32 prev = 1000 + gen_below(gen, 50), next = 1000 + gen_below(gen, 50);
	struct gen_buf buf;

	gen_begin(&buf, node, GEN_SCHED_SWITCH, prev);
	gen_put_switch(&buf, gen->opts.word, prev, next);
	write_event(gen, node, cpu, t, GEN_SCHED_SWITCH, &buf);
}

/* The uninteresting events that are due before the one at @t, spread over the time since the last.
 */
static void write_noise(struct gen *gen, guint64 t)
{
	guint64 n, i, from = gen->last_emit, room = gen->opts.events - gen->emitted - 1;

	gen->noise += 100 - gen->opts.interest;
	n = MIN((guint64)(gen->noise / gen->opts.interest), room);
	gen->noise %= gen->opts.interest;
	for (i = 0; i < n; i++)
		write_switch(gen, from + (t - from) * (i + 1) / (n + 1));
}

guint64 gen_emit(struct gen *gen, struct gen_node *node, int cpu, enum gen_event event,
		 const struct gen_buf *payload)
{
	guint64 t;

	/* 2^27 ns do not fit into an event's time delta: now and then everything stands still
	 * longer */
	if (gen->opts.quirks && gen_below(gen, 20000) == 0)
		gen->pause += 200 * 1000 * 1000;
	t = gen->now + gen->pause;
	write_noise(gen, t);
	gen->last_emit = t;
	return write_event(gen, node, cpu, t, event, payload);
}

guint64 gen_emit_apart(struct gen *gen, struct gen_node *node, int cpu, enum gen_event event,
		       const struct gen_buf *payload)
{
	gen->now = MAX(gen->now, gen->last_apart + 2);
	gen->last_apart = gen->now;
	return gen_emit(gen, node, cpu, event, payload);
}
