/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/certainty.h"

struct recording {
	guint32 node;
	struct iot_clock_facts facts;
};

struct pair {
	guint32 a, b; /* a < b */
};

struct iot_clocks {
	/* Few: one for each recording. */
	GArray *recordings, *contradicted;
	GArray *grades;	     /* of struct iot_clock_pair_grade */
	GArray *links;	     /* of struct iot_link_sum */
	GHashTable *link_of; /* from << 32 | to -> 1 + position in links */
};

struct iot_clocks *iot_clocks_new(void)
{
	struct iot_clocks *clocks = g_new0(struct iot_clocks, 1);

	clocks->recordings = g_array_new(FALSE, FALSE, sizeof(struct recording));
	clocks->contradicted = g_array_new(FALSE, FALSE, sizeof(struct pair));
	clocks->grades = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_pair_grade));
	clocks->links = g_array_new(FALSE, FALSE, sizeof(struct iot_link_sum));
	clocks->link_of = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return clocks;
}

void iot_clocks_free(struct iot_clocks *clocks)
{
	if (!clocks)
		return;
	for (guint i = 0; i < clocks->recordings->len; i++)
		iot_clock_facts_clear(
			&g_array_index(clocks->recordings, struct recording, i).facts);
	g_array_unref(clocks->recordings);
	g_array_unref(clocks->contradicted);
	g_array_unref(clocks->grades);
	g_array_unref(clocks->links);
	g_hash_table_unref(clocks->link_of);
	g_free(clocks);
}

void iot_clocks_add(struct iot_clocks *clocks, guint32 node, const struct iot_clock_facts *facts)
{
	struct recording recording = { node, *facts };

	if (facts->knots)
		g_array_ref(facts->knots);
	g_array_append_val(clocks->recordings, recording);
}

const struct iot_clock_facts *iot_clocks_facts(const struct iot_clocks *clocks, guint index)
{
	return &g_array_index(clocks->recordings, struct recording, index).facts;
}

guint64 iot_clocks_bound(const struct iot_clocks *clocks, guint32 node, guint64 ns)
{
	gboolean known = FALSE;
	guint64 most = 0;

	for (guint i = 0; i < clocks->recordings->len; i++) {
		const struct recording *recording =
			&g_array_index(clocks->recordings, struct recording, i);

		if (recording->node != node)
			continue;
		known = TRUE;
		most = MAX(most, iot_clock_facts_bound(&recording->facts, ns));
	}
	return known ? most : IOT_CLOCK_UNBOUNDED;
}

static struct pair pair_of(guint32 a, guint32 b)
{
	return (struct pair){ MIN(a, b), MAX(a, b) };
}

gboolean iot_clocks_disagree(const struct iot_clocks *clocks, guint32 a, guint32 b)
{
	struct pair pair = pair_of(a, b);

	for (guint i = 0; i < clocks->contradicted->len; i++) {
		const struct pair *known = &g_array_index(clocks->contradicted, struct pair, i);

		if (known->a == pair.a && known->b == pair.b)
			return TRUE;
	}
	return FALSE;
}

gboolean iot_clocks_some_disagree(const struct iot_clocks *clocks)
{
	return clocks->contradicted->len > 0;
}

void iot_clocks_contradict(struct iot_clocks *clocks, guint32 node_a, guint32 node_b)
{
	struct pair pair = pair_of(node_a, node_b);

	if (!iot_clocks_disagree(clocks, node_a, node_b))
		g_array_append_val(clocks->contradicted, pair);
}

void iot_clocks_grade(struct iot_clocks *clocks, const struct iot_clock_pair_grade *grade)
{
	g_array_append_val(clocks->grades, *grade);
	if (grade->grade == IOT_CLOCK_CONTRADICTED)
		iot_clocks_contradict(clocks, grade->a, grade->b);
}

const struct iot_clock_pair_grade *iot_clocks_grades(const struct iot_clocks *clocks, guint *out_n)
{
	*out_n = clocks->grades->len;
	return (const struct iot_clock_pair_grade *)(const void *)clocks->grades->data;
}

enum iot_certainty iot_order(const struct iot_clocks *clocks, guint32 node_a, guint64 a,
			     guint32 node_b, guint64 b)
{
	guint64 bound_a, bound_b;

	if (a == b)
		return IOT_WITHIN_ERROR;
	if (node_a == node_b)
		return a < b ? IOT_PROVED : IOT_CONTRADICTED;
	bound_a = iot_clocks_bound(clocks, node_a, a);
	bound_b = iot_clocks_bound(clocks, node_b, b);
	/* times are below 2^63: a distance cannot exceed an unbounded error */
	if (bound_a == IOT_CLOCK_UNBOUNDED || bound_b == IOT_CLOCK_UNBOUNDED ||
	    MAX(a, b) - MIN(a, b) <= bound_a + bound_b ||
	    iot_clocks_disagree(clocks, node_a, node_b))
		return IOT_WITHIN_ERROR;
	return a < b ? IOT_PROVED : IOT_CONTRADICTED;
}

static struct iot_link_sum *link_sum(struct iot_clocks *clocks, guint32 from, guint32 to)
{
	gint64 key = (gint64)((guint64)from << 32 | to);
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(clocks->link_of, &key));

	if (!at) {
		struct iot_link_sum new = { .from = from, .to = to };

		g_array_append_val(clocks->links, new);
		at = clocks->links->len;
		g_hash_table_insert(clocks->link_of, g_memdup2(&key, sizeof(key)),
				    GUINT_TO_POINTER(at));
	}
	return &g_array_index(clocks->links, struct iot_link_sum, at - 1);
}

gboolean iot_clocks_link(struct iot_clocks *clocks, guint32 from, guint64 from_ns, guint32 to,
			 guint64 to_ns)
{
	struct iot_link_sum *sum;
	enum iot_certainty order;

	if (from == to)
		return TRUE;
	sum = link_sum(clocks, from, to);
	order = iot_order(clocks, from, from_ns, to, to_ns);
	sum->n++;
	sum->n_proved += order == IOT_PROVED;
	sum->n_contradicted += order == IOT_CONTRADICTED;
	if (to_ns >= from_ns)
		return TRUE;
	sum->n_backwards++;
	if (from_ns - to_ns > sum->worst_ns) {
		sum->worst_ns = from_ns - to_ns;
		sum->worst_at_ns = to_ns;
	}
	return order != IOT_CONTRADICTED;
}

void iot_clocks_settle(struct iot_clocks *clocks)
{
	for (guint i = 0; i < clocks->links->len; i++) {
		const struct iot_link_sum *sum =
			&g_array_index(clocks->links, struct iot_link_sum, i);

		if (sum->n_contradicted)
			iot_clocks_contradict(clocks, sum->from, sum->to);
	}
}

const struct iot_link_sum *iot_clocks_links(const struct iot_clocks *clocks, guint *out_n)
{
	*out_n = clocks->links->len;
	return (const struct iot_link_sum *)(const void *)clocks->links->data;
}
