/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/slow-calls-local.h"

static gint by_begin(gconstpointer pa, gconstpointer pb)
{
	const struct iot_slow_wait *a = pa, *b = pb;

	return a->t0 != b->t0 ? (a->t0 < b->t0 ? -1 : 1) : (a->t1 > b->t1) - (a->t1 < b->t1);
}

void iot_slow_waits_measure(GArray *waits, guint64 t0, guint64 t1)
{
	guint64 covered = t0;

	g_array_sort(waits, by_begin);
	for (guint i = 0; i < waits->len; i++) {
		struct iot_slow_wait *wait = &g_array_index(waits, struct iot_slow_wait, i);
		guint64 from = MAX(wait->t0, covered), to = MIN(wait->t1, t1);

		wait->ns = to > from ? to - from : 0;
		covered = MAX(covered, MIN(to, t1));
	}
}

/* The resource above the node of a wait's row. */
static iot_row_id resource_of(const struct iot_timeline *tl, const struct iot_slow_wait *wait)
{
	return iot_row_thing(tl, iot_row_node(tl, wait->row));
}

static gboolean is_rest(const struct iot_slow_wait *wait)
{
	return wait->asker >= IOT_ASKER_NOBODY;
}

static gint by_resource(gconstpointer pa, gconstpointer pb)
{
	const struct iot_slow_resource *a = pa, *b = pb;

	return a->ns != b->ns ? (a->ns > b->ns ? -1 : 1)
			      : (a->longest.t0 > b->longest.t0) - (a->longest.t0 < b->longest.t0);
}

/* Find the resources that were waited for most, and the longest wait for each. A wait that somebody
 * asked for says more than the rest. */
static void find_most(const struct iot_timeline *tl, const GArray *waits,
		      struct iot_slow_call *call)
{
	g_autoptr(GArray) sums = g_array_new(FALSE, TRUE, sizeof(struct iot_slow_resource));
	g_autoptr(GHashTable) at = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < waits->len; i++) {
		const struct iot_slow_wait *wait = &g_array_index(waits, struct iot_slow_wait, i);
		gpointer row = GUINT_TO_POINTER(resource_of(tl, wait));
		guint number = GPOINTER_TO_UINT(g_hash_table_lookup(at, row));
		struct iot_slow_resource *sum;

		if (!wait->ns)
			continue;
		if (!number) {
			number = sums->len + 1;
			g_array_set_size(sums, number);
			g_hash_table_insert(at, row, GUINT_TO_POINTER(number));
			g_array_index(sums, struct iot_slow_resource, number - 1).row =
				resource_of(tl, wait);
		}
		sum = &g_array_index(sums, struct iot_slow_resource, number - 1);
		sum->ns += wait->ns;
		if (!sum->longest.ns || is_rest(wait) < is_rest(&sum->longest) ||
		    (is_rest(wait) == is_rest(&sum->longest) && wait->ns > sum->longest.ns))
			sum->longest = *wait;
	}
	g_array_sort(sums, by_resource);
	for (guint i = 0; i < MIN(sums->len, IOT_SLOW_RESOURCES); i++)
		call->most[i] = g_array_index(sums, struct iot_slow_resource, i);
}

gboolean iot_slow_call_is_bystander(const struct iot_slow_call *call)
{
	guint64 caused = MAX(call->ns[IOT_REASON_LOCK], call->waited_ns) + call->linked_ns;

	for (guint reason = IOT_REASON_LOCK + 1; reason < IOT_REASON_OWN; reason++)
		caused += call->ns[reason];
	return iot_flags_no_end(call->item.flags) && caused < (call->item.t1 - call->item.t0) / 2;
}

/* The longer call; of equal ones the earlier. Bystanders are last. */
static gboolean is_slower(const struct iot_slow_call *a, const struct iot_slow_call *b)
{
	guint64 ns_a = a->item.t1 - a->item.t0, ns_b = b->item.t1 - b->item.t0;

	if (iot_slow_call_is_bystander(a) != iot_slow_call_is_bystander(b))
		return iot_slow_call_is_bystander(b);
	if (ns_a != ns_b)
		return ns_a > ns_b;
	return a->item.t0 != b->item.t0 ? a->item.t0 < b->item.t0 : a->item.seq < b->item.seq;
}

void iot_slowest_add(struct iot_slowest *slowest, const struct iot_slow_call *call)
{
	guint at = slowest->n;

	slowest->n_calls++;
	slowest->n_bystanders += iot_slow_call_is_bystander(call);
	if (at == IOT_SLOW_CALLS) {
		if (!is_slower(call, &slowest->call[--at]))
			return;
	} else {
		slowest->n++;
	}
	for (; at && is_slower(call, &slowest->call[at - 1]); at--)
		slowest->call[at] = slowest->call[at - 1];
	slowest->call[at] = *call;
}

/* Copy the longest waits, which are in order of time. */
static void copy_longest(const GArray *waits, struct iot_slow_call *call)
{
	for (guint i = 0; i < waits->len; i++) {
		const struct iot_slow_wait *wait = &g_array_index(waits, struct iot_slow_wait, i);
		guint shortest = 0;

		if (!wait->ns)
			continue;
		if (call->n_longest < IOT_SLOW_WAITS) {
			call->longest[call->n_longest++] = *wait;
			continue;
		}
		for (guint k = 1; k < IOT_SLOW_WAITS; k++)
			if (call->longest[k].ns < call->longest[shortest].ns)
				shortest = k;
		if (call->longest[shortest].ns >= wait->ns)
			continue;
		for (guint k = shortest; k + 1 < IOT_SLOW_WAITS; k++)
			call->longest[k] = call->longest[k + 1];
		call->longest[IOT_SLOW_WAITS - 1] = *wait;
	}
}

static void add_up_askers(const GArray *waits, struct iot_slow_call *call)
{
	for (guint i = 0; i < waits->len; i++) {
		const struct iot_slow_wait *wait = &g_array_index(waits, struct iot_slow_wait, i);

		call->waited_ns += wait->ns;
		call->asked_ns[wait->asker] += wait->ns;
	}
}

void iot_slow_waits_add_up(const struct iot_timeline *tl, GArray *waits, struct iot_slow_call *call)
{
	g_array_sort(waits, by_begin);
	add_up_askers(waits, call);
	find_most(tl, waits, call);
	copy_longest(waits, call);
}
