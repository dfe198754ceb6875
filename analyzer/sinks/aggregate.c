/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/aggregate.h"

static void clear_row(gpointer data)
{
	g_free(((struct iot_row_sum *)data)->cats);
	g_free(((struct iot_row_sum *)data)->counters);
}

struct failure_key {
	iot_cat_id cat;
	guint64 result;
};

static guint failure_hash(gconstpointer data)
{
	const struct failure_key *key = data;

	return (guint)iot_hash_mix(key->cat, key->result);
}

static gboolean failure_equal(gconstpointer pa, gconstpointer pb)
{
	const struct failure_key *a = pa, *b = pb;

	return a->cat == b->cat && a->result == b->result;
}

struct iot_aggregate *iot_aggregate_new(const struct iot_timeline *tl)
{
	struct iot_aggregate *sums = g_new0(struct iot_aggregate, 1);

	sums->tl = tl;
	sums->rows = g_array_new(FALSE, TRUE, sizeof(struct iot_row_sum));
	g_array_set_clear_func(sums->rows, clear_row);
	sums->points = g_array_new(FALSE, TRUE, sizeof(struct iot_point_sum));
	sums->calls = g_array_new(FALSE, TRUE, sizeof(struct iot_call_sum));
	sums->failures = g_hash_table_new_full(failure_hash, failure_equal, g_free, g_free);
	sums->gaps = g_array_new(FALSE, TRUE, sizeof(struct iot_gap_sum));
	sums->stolen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	sums->units = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	sums->nodes = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	sums->tops = g_array_new(FALSE, FALSE, sizeof(iot_row_id));
	return sums;
}

void iot_aggregate_free(struct iot_aggregate *sums)
{
	if (!sums)
		return;
	g_array_unref(sums->rows);
	g_array_unref(sums->points);
	g_array_unref(sums->calls);
	g_hash_table_unref(sums->failures);
	g_array_unref(sums->gaps);
	g_hash_table_unref(sums->stolen);
	g_array_unref(sums->units);
	g_array_unref(sums->nodes);
	g_array_unref(sums->tops);
	g_free(sums);
}

void iot_row_sum_add(struct iot_row_sum *sum, iot_cat_id cat, guint64 ns)
{
	guint32 i = 0;

	while (i < sum->n_cats && sum->cats[i].cat != cat)
		i++;
	if (i == sum->n_cats) {
		sum->cats = g_renew(struct iot_cat_sum, sum->cats, ++sum->n_cats);
		sum->cats[i] = (struct iot_cat_sum){ .cat = cat };
	}
	sum->cats[i].ns += ns;
}

static struct iot_counter_sum *counter_of(struct iot_row_sum *sum, iot_cat_id cat, gboolean is_real)
{
	guint32 i = 0;

	while (i < sum->n_counters && sum->counters[i].cat != cat)
		i++;
	if (i == sum->n_counters) {
		sum->counters = g_renew(struct iot_counter_sum, sum->counters, ++sum->n_counters);
		sum->counters[i] = (struct iot_counter_sum){ .cat = cat, .is_real = is_real };
	}
	return &sum->counters[i];
}

void iot_row_sum_count(struct iot_row_sum *sum, const struct iot_counter_sum *from)
{
	struct iot_counter_sum *counter = counter_of(sum, from->cat, from->is_real);

	if (from->is_real)
		counter->real += from->real;
	else
		counter->value = (gint64)((guint64)counter->value + (guint64)from->value);
}

/* Changes of real numbers do not add up to the last value. */
static void add_sample(const struct iot_timeline *tl, struct iot_row_sum *row,
		       const struct iot_item *item)
{
	struct iot_counter_sum change = { .cat = item->cat, .value = iot_sample_change(item) };

	if (iot_type_is_real(iot_type_at(tl, item->type)))
		counter_of(row, item->cat, TRUE)->real = iot_sample_real(item);
	else
		iot_row_sum_count(row, &change);
}

guint64 iot_aggregate_cat_ns(const struct iot_row_sum *sum, iot_cat_id cat)
{
	for (guint32 i = 0; i < sum->n_cats; i++)
		if (sum->cats[i].cat == cat)
			return sum->cats[i].ns;
	return 0;
}

static gboolean wait_before(const struct iot_item *a, const struct iot_item *b)
{
	guint64 ns_a = a->t1 - a->t0, ns_b = b->t1 - b->t0;

	if (iot_item_is_unbounded(a) != iot_item_is_unbounded(b))
		return iot_item_is_unbounded(b);
	if (ns_a != ns_b)
		return ns_a > ns_b;
	if (a->t0 != b->t0)
		return a->t0 < b->t0;
	return a->seq < b->seq;
}

static void add_to_longest(struct iot_aggregate *sums, const struct iot_item *item)
{
	guint at = sums->n_longest;

	if (at == IOT_N_LONGEST) {
		if (!wait_before(item, &sums->longest[at - 1]))
			return;
		at--;
	} else {
		sums->n_longest++;
	}
	for (; at && wait_before(item, &sums->longest[at - 1]); at--)
		sums->longest[at] = sums->longest[at - 1];
	sums->longest[at] = *item;
}

static void add_failure(struct iot_aggregate *sums, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(sums->tl, item->type);
	int attr = iot_type_attr(sums->tl, type, "result");
	struct failure_key key = { item->cat, 0 };
	guint64 *count;

	if (attr >= 0 && attr < item->n_attrs && type->attr[attr].format == IOT_ATTR_STR)
		key.result = item->attr[attr].str;
	count = g_hash_table_lookup(sums->failures, &key);
	if (!count) {
		count = g_new0(guint64, 1);
		g_hash_table_insert(sums->failures, g_memdup2(&key, sizeof(key)), count);
	}
	++*count;
}

/* The first attribute of format DURATION is the duration of the call; 0 is an absent value. */
static void add_took(struct iot_aggregate *sums, struct iot_point_sum *sum,
		     const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(sums->tl, item->type);

	for (guint i = 0; i < item->n_attrs; i++) {
		if (type->attr[i].format != IOT_ATTR_DURATION)
			continue;
		sum->took_n += item->attr[i].u > 0;
		sum->took_ns += item->attr[i].u;
		sum->took_max_ns = MAX(sum->took_max_ns, item->attr[i].u);
		return;
	}
}

static struct iot_point_sum *count_item(struct iot_aggregate *sums, const struct iot_item *item)
{
	struct iot_point_sum *sum;

	if (item->cat >= sums->points->len)
		g_array_set_size(sums->points, item->cat + 1);
	sum = &g_array_index(sums->points, struct iot_point_sum, item->cat);
	sum->n++;
	if (item->flags & IOT_FAILED) {
		sum->failed++;
		add_failure(sums, item);
	}
	return sum;
}

static void add_point(struct iot_aggregate *sums, struct iot_row_sum *row,
		      const struct iot_item *item)
{
	gboolean is_call = iot_cat_at(sums->tl, item->cat)->role == IOT_ROLE_CALL;
	struct iot_point_sum *sum = count_item(sums, item);

	row->calls += is_call;
	if (is_call && item->flags & (IOT_UNFINISHED | IOT_SUSPECT))
		sum->not_ended++;
	else if (is_call)
		add_took(sums, sum, item);
}

/* How long the calls of a category took that are drawn as spans. */
static void add_span_took(struct iot_aggregate *sums, const struct iot_item *item)
{
	struct iot_point_sum *sum = count_item(sums, item);
	guint64 ns = item->t1 - item->t0;

	if (item->flags & (IOT_UNFINISHED | IOT_SUSPECT | IOT_CUT_LEFT | IOT_CUT_RIGHT)) {
		sum->not_ended++;
		return;
	}
	sum->took_n++;
	sum->took_ns += ns;
	sum->took_max_ns = MAX(sum->took_max_ns, ns);
}

/* A call that is drawn as a span. */
static void add_call(struct iot_aggregate *sums, struct iot_row_sum *row,
		     const struct iot_item *item)
{
	guint64 ns = item->t1 - item->t0;
	struct iot_call_sum *sum;

	row->calls++;
	iot_row_sum_add(row, item->cat, ns);
	if (item->type >= sums->calls->len)
		g_array_set_size(sums->calls, item->type + 1);
	sum = &g_array_index(sums->calls, struct iot_call_sum, item->type);
	sum->ns += ns;
	sum->n++;
	if (!iot_type_at(sums->tl, item->type)->repeats)
		add_span_took(sums, item);
}

static void add_stolen(struct iot_aggregate *sums, const struct iot_item *item)
{
	const struct iot_type *type = iot_type_at(sums->tl, item->type);
	const union iot_attr *stolen = &item->attr[type->stolen - 1], *unknown = stolen + 1;
	iot_row_id row = iot_row_node(sums->tl, item->row);
	iot_str node = row ? iot_row_at(sums->tl, row)->name : 0;
	gint64 key = (gint64)item->cat << 32 | node;
	struct iot_stolen_sum *sum = g_hash_table_lookup(sums->stolen, &key);

	if (!sum) {
		sum = g_new0(struct iot_stolen_sum, 1);
		sum->cat = item->cat;
		sum->node = node;
		g_hash_table_insert(sums->stolen, g_memdup2(&key, sizeof(key)), sum);
	}
	sum->n++;
	sum->ns += item->t1 - item->t0;
	sum->stolen_ns += stolen->u;
	sum->unknown_ns += unknown->u;
	if (stolen->u > sum->most_ns) {
		sum->most_ns = stolen->u;
		sum->most_t0 = item->t0;
	}
}

static void take_longer(guint64 *ns, gboolean *cut, guint64 other_ns, gboolean other_cut)
{
	*cut = other_ns > *ns ? other_cut : *cut || (other_ns == *ns && other_cut);
	*ns = MAX(*ns, other_ns);
}

void iot_row_sum_longest(struct iot_row_sum *to, const struct iot_row_sum *from)
{
	take_longer(&to->worst_ns, &to->worst_cut, from->worst_ns, from->worst_cut);
	to->perhaps_ns = MAX(to->perhaps_ns, from->perhaps_ns);
	take_longer(&to->bounded_worst_ns, &to->bounded_worst_cut, from->bounded_worst_ns,
		    from->bounded_worst_cut);
}

static void add_span(struct iot_aggregate *sums, struct iot_row_sum *sum,
		     const struct iot_item *item)
{
	const struct iot_category *cat = iot_cat_at(sums->tl, item->cat);
	guint64 ns = item->t1 - item->t0;
	struct iot_row_sum one = { 0 };

	if (G_UNLIKELY(iot_type_at(sums->tl, item->type)->stolen) && iot_cat_may_be_stolen(cat) &&
	    !iot_type_at(sums->tl, item->type)->repeats)
		add_stolen(sums, item);
	if (!iot_cat_waits(cat)) {
		if (!iot_type_at(sums->tl, item->type)->unsummed)
			iot_row_sum_add(sum, item->cat, ns);
		if (cat->role == IOT_ROLE_KEEPING && !iot_type_at(sums->tl, item->type)->repeats)
			add_span_took(sums, item);
		return;
	}
	if (!iot_item_waited(item, cat))
		return;
	sum->wait_ns += ns;
	if (!iot_item_is_unbounded(item))
		sum->bounded_ns += ns;
	if (!iot_flags_no_end(item->flags))
		sum->ended_ns += ns;
	if (item->flags & IOT_UNKNOWN) {
		one.perhaps_ns = ns;
	} else {
		one.worst_ns = ns;
		one.worst_cut = iot_flags_cut(item->flags);
	}
	if (!iot_item_is_unbounded(item)) {
		one.bounded_worst_ns = one.worst_ns;
		one.bounded_worst_cut = one.worst_cut;
	}
	iot_row_sum_longest(sum, &one);
	if (cat->role == IOT_ROLE_CALL)
		add_call(sums, sum, item);
	if (!iot_type_at(sums->tl, item->type)->repeats)
		add_to_longest(sums, item);
}

static void add_gap(struct iot_aggregate *sums, const struct iot_item *item)
{
	guint64 ns = item->t1 - item->t0;
	struct iot_gap_sum *sum;
	guint i = 0;

	while (i < sums->gaps->len &&
	       g_array_index(sums->gaps, struct iot_gap_sum, i).node != iot_gap_node(item))
		i++;
	if (i == sums->gaps->len)
		g_array_set_size(sums->gaps, i + 1);
	sum = &g_array_index(sums->gaps, struct iot_gap_sum, i);
	sum->node = iot_gap_node(item);
	if (!sum->n || ns > sum->longest_ns) {
		sum->longest_ns = ns;
		sum->longest_t0 = item->t0;
	}
	sum->n++;
	sum->ns += ns;
	if (iot_gap_lost(item) == IOT_LOST_UNKNOWN)
		sum->n_unknown++;
	else
		sum->lost += iot_gap_lost(item);
}

void iot_aggregate_add(struct iot_aggregate *sums, const struct iot_item *item)
{
	struct iot_row_sum *row;

	if (item->kind == IOT_ITEM_GAP) {
		add_gap(sums, item);
		return;
	}
	if (item->kind == IOT_ITEM_LINK)
		return;
	if (item->row >= sums->rows->len)
		g_array_set_size(sums->rows, item->row + 1);
	row = iot_aggregate_row(sums, item->row);
	row->n_items++;
	if (item->kind == IOT_ITEM_SPAN)
		add_span(sums, row, item);
	else if (item->kind == IOT_ITEM_SAMPLE)
		add_sample(sums->tl, row, item);
	else
		add_point(sums, row, item);
}

GArray *iot_aggregate_failures(const struct iot_aggregate *sums, iot_cat_id cat)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct iot_failure));
	gpointer key, value;
	GHashTableIter iter;

	g_hash_table_iter_init(&iter, sums->failures);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		const struct failure_key *failed = key;
		struct iot_failure failure = { failed->result, *(guint64 *)value };
		guint i = 0;

		if (failed->cat != cat)
			continue;
		/* a hash table has no order: insert by count, then by result */
		for (; i < list->len; i++) {
			const struct iot_failure *at = &g_array_index(list, struct iot_failure, i);

			if (failure.n > at->n ||
			    (failure.n == at->n && failure.result < at->result))
				break;
		}
		g_array_insert_val(list, i, failure);
	}
	return list;
}
