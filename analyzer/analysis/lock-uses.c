/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/lock-uses.h"

enum {
	/* Neighbours of a group, and groups that are enough for a variance. */
	GROUP = 16,
	MIN_GROUPS = 8,
};

/* ---- moments */

void iot_moments_add(struct iot_moments *moments, double value)
{
	double mean;

	moments->n++;
	moments->sum += value;
	moments->squares += value * value;
	moments->open_sum += value;
	if (++moments->n_open < GROUP)
		return;
	mean = moments->open_sum / GROUP;
	moments->n_groups++;
	moments->group_sum += mean;
	moments->group_squares += mean * mean;
	moments->open_sum = 0;
	moments->n_open = 0;
}

void iot_moments_merge(struct iot_moments *moments, const struct iot_moments *other)
{
	moments->n += other->n;
	moments->n_groups += other->n_groups;
	moments->sum += other->sum;
	moments->squares += other->squares;
	moments->group_sum += other->group_sum;
	moments->group_squares += other->group_squares;
}

double iot_moments_mean(const struct iot_moments *moments)
{
	return moments->n ? moments->sum / (double)moments->n : 0;
}

static double variance(guint64 n, double sum, double squares)
{
	return n > 1 ? MAX((squares - sum * sum / (double)n) / (double)(n - 1), 0) : 0;
}

double iot_moments_variance(const struct iot_moments *moments)
{
	double single = variance(moments->n, moments->sum, moments->squares);

	if (moments->n_groups < MIN_GROUPS)
		return single;
	return MAX(single,
		   GROUP * variance(moments->n_groups, moments->group_sum, moments->group_squares));
}

/* ---- uses */

static void use_clear(struct iot_lock_use *use)
{
	iot_counts_clear(&use->wait);
	iot_counts_clear(&use->hold);
	iot_counts_clear(&use->trip);
}

static void use_free(gpointer use)
{
	use_clear(use);
	g_free(use);
}

static void resource_free(gpointer data)
{
	struct iot_lock_resource *resource = data;

	g_ptr_array_unref(resource->uses);
	g_free(resource);
}

struct iot_lock_uses *iot_lock_uses_new(const struct iot_timeline *tl)
{
	struct iot_lock_uses *uses = g_new0(struct iot_lock_uses, 1);

	uses->tl = tl;
	uses->by_row = g_ptr_array_new();
	uses->by_parent = g_hash_table_new(NULL, NULL);
	uses->resources = g_ptr_array_new_with_free_func(resource_free);
	uses->talks = g_hash_table_new(NULL, NULL);
	return uses;
}

void iot_lock_uses_free(struct iot_lock_uses *uses)
{
	if (!uses)
		return;
	g_ptr_array_unref(uses->by_row);
	g_hash_table_unref(uses->by_parent);
	g_ptr_array_unref(uses->resources);
	g_hash_table_unref(uses->talks);
	use_clear(&uses->others);
	g_free(uses);
}

static struct iot_lock_resource *resource_at(struct iot_lock_uses *uses, iot_row_id row)
{
	struct iot_lock_resource *resource =
		g_hash_table_lookup(uses->by_parent, GUINT_TO_POINTER(row));

	if (resource || uses->resources->len == IOT_LOCK_RESOURCES)
		return resource;
	resource = g_new0(struct iot_lock_resource, 1);
	resource->row = row;
	resource->uses = g_ptr_array_new_with_free_func(use_free);
	g_hash_table_insert(uses->by_parent, GUINT_TO_POINTER(row), resource);
	g_ptr_array_add(uses->resources, resource);
	return resource;
}

static struct iot_lock_use *add_use(struct iot_lock_uses *uses, iot_row_id row)
{
	iot_row_id node = iot_row_node(uses->tl, row);
	iot_row_id parent = iot_row_thing(uses->tl, node);
	struct iot_lock_resource *resource = parent ? resource_at(uses, parent) : NULL;
	struct iot_lock_use *use;

	if (!parent)
		return NULL;
	if (!resource) {
		uses->n_others++;
		return &uses->others;
	}
	for (guint i = 0; i < resource->uses->len; i++) {
		use = resource->uses->pdata[i];
		if (use->row == node)
			return use;
	}
	use = g_new0(struct iot_lock_use, 1);
	use->row = node;
	use->resource = parent;
	g_ptr_array_add(resource->uses, use);
	return use;
}

struct iot_lock_use *iot_lock_use(struct iot_lock_uses *uses, iot_row_id row)
{
	if (row >= uses->by_row->len)
		g_ptr_array_set_size(uses->by_row, (gint)MAX(row + 1, 2 * uses->by_row->len));
	if (!uses->by_row->pdata[row])
		uses->by_row->pdata[row] = add_use(uses, row);
	return uses->by_row->pdata[row];
}

void iot_lock_use_master(struct iot_lock_uses *uses, iot_row_id row)
{
	struct iot_lock_use *use = iot_lock_use(uses, row);
	struct iot_lock_resource *resource;

	if (!use)
		return;
	use->n_answers++;
	resource = g_hash_table_lookup(uses->by_parent, GUINT_TO_POINTER(use->resource));
	if (resource)
		resource->master = use->row;
}

iot_str iot_lock_use_node(const struct iot_lock_uses *uses, const struct iot_lock_use *use)
{
	return iot_row_at(uses->tl, use->row)->name;
}

void iot_lock_uses_finish(struct iot_lock_uses *uses)
{
	for (guint i = 0; i < uses->resources->len; i++) {
		const struct iot_lock_resource *resource = uses->resources->pdata[i];

		for (guint k = 0; k < resource->uses->len; k++) {
			const struct iot_lock_use *use = resource->uses->pdata[k];

			if (use->talks)
				g_hash_table_add(uses->talks,
						 GUINT_TO_POINTER(iot_lock_use_node(uses, use)));
		}
	}
}

static gboolean is_only_user(const struct iot_lock_resource *resource,
			     const struct iot_lock_use *use)
{
	for (guint i = 0; i < resource->uses->len; i++) {
		const struct iot_lock_use *other = resource->uses->pdata[i];

		if (other != use && (iot_lock_calls(other->n_calls) || other->n_answers))
			return FALSE;
	}
	return TRUE;
}

enum iot_lock_place iot_lock_place(const struct iot_lock_uses *uses,
				   const struct iot_lock_resource *resource,
				   const struct iot_lock_use *use)
{
	gpointer node = GUINT_TO_POINTER(iot_lock_use_node(uses, use));

	if (use->n_answers || use->n_self)
		return IOT_PLACE_KNOWN;
	if (!resource->master && is_only_user(resource, use) &&
	    g_hash_table_contains(uses->talks, node))
		return IOT_PLACE_INFERRED;
	return IOT_PLACE_UNKNOWN;
}

guint64 iot_lock_calls(const guint64 n[IOT_CALL_KINDS])
{
	guint64 sum = 0;

	for (guint i = 0; i < IOT_CALL_KINDS; i++)
		sum += n[i];
	return sum;
}

guint64 iot_lock_use_messages(const struct iot_lock_use *use)
{
	return iot_lock_calls(use->n_messages) + use->n_asked + use->n_directory + use->n_others;
}
