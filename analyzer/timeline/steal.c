/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/steal.h"

enum { MAX_PARTS = 8192 };

/* The last two: how much of a part of the part was stolen is not known. */
enum content { STOLEN, NOT_STOLEN, UNKNOWN, MIXED };

/* A part of the time of a virtual CPU, up to the next part. */
struct part {
	guint64 t0;
	guint64 stolen, unknown; /* ns from the first part to t0 */
	enum content content;
};

struct vcpu {
	iot_str node;
	guint32 cpu;
	gboolean in_window;
	GArray *parts; /* of struct part */
};

struct iot_steal {
	struct iot_timeline *tl;
	guint64 from, to;
	GPtrArray *vcpus; /* of struct vcpu */
	GPtrArray *runs;  /* struct vcpu by run; NULL: no virtual CPU */
	GArray *by_row;	  /* guint by row: 0 not looked up, 1 none, else 2 + number of the vcpu */
};

static void vcpu_free(gpointer data)
{
	g_array_unref(((struct vcpu *)data)->parts);
	g_free(data);
}

static void add_attributes(struct iot_timeline *tl)
{
	for (iot_cat_id id = 1; id < tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(tl, id);
		const struct iot_type *type = iot_type_at(tl, cat->type);

		if (type->kind == IOT_TYPE_SPAN && !type->stolen && iot_cat_may_be_stolen(cat))
			iot_type_add_stolen(tl, cat->type);
	}
}

struct iot_steal *iot_steal_new(struct iot_timeline *tl)
{
	struct iot_steal *steal;
	iot_type_id id = 1;

	while (id < tl->types.n && !iot_type_at(tl, id)->steals)
		id++;
	if (id == tl->types.n)
		return NULL;
	add_attributes(tl);
	steal = g_new0(struct iot_steal, 1);
	steal->tl = tl;
	steal->vcpus = g_ptr_array_new_with_free_func(vcpu_free);
	steal->runs = g_ptr_array_new();
	steal->by_row = g_array_new(FALSE, TRUE, sizeof(guint));
	return steal;
}

void iot_steal_free(struct iot_steal *steal)
{
	if (!steal)
		return;
	g_ptr_array_unref(steal->vcpus);
	g_ptr_array_unref(steal->runs);
	g_array_unref(steal->by_row);
	g_free(steal);
}

static guint find_vcpu(const struct iot_steal *steal, iot_str node, guint32 cpu)
{
	guint i = 0;

	for (; i < steal->vcpus->len; i++) {
		const struct vcpu *vcpu = steal->vcpus->pdata[i];

		if (vcpu->node == node && vcpu->cpu == cpu)
			break;
	}
	return i;
}

void iot_steal_add_cpu(struct iot_steal *steal, iot_str node, guint32 cpu)
{
	struct vcpu *vcpu;

	if (find_vcpu(steal, node, cpu) < steal->vcpus->len)
		return;
	vcpu = g_new0(struct vcpu, 1);
	vcpu->node = node;
	vcpu->cpu = cpu;
	vcpu->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	g_ptr_array_add(steal->vcpus, vcpu);
}

void iot_steal_add_run(struct iot_steal *steal, iot_str node, guint32 cpu)
{
	guint at = find_vcpu(steal, node, cpu);

	g_ptr_array_add(steal->runs, at < steal->vcpus->len ? steal->vcpus->pdata[at] : NULL);
}

void iot_steal_set_window(struct iot_steal *steal, guint64 from_ns, guint64 to_ns)
{
	steal->from = from_ns;
	steal->to = to_ns;
}

/* The virtual CPU whose states are drawn on @row: the row's id is its number, below its node. */
static guint vcpu_of_row(const struct iot_steal *steal, iot_row_id row)
{
	const char *id = iot_tl_str(steal->tl, iot_row_at(steal->tl, row)->id);
	iot_row_id node = iot_row_node(steal->tl, row);
	guint64 cpu;

	if (!node || !g_ascii_string_to_unsigned(id, 10, 0, G_MAXUINT32, &cpu, NULL))
		return steal->vcpus->len;
	return find_vcpu(steal, iot_row_at(steal->tl, node)->id, (guint32)cpu);
}

static struct vcpu *find_by_row(struct iot_steal *steal, iot_row_id row)
{
	guint *found;

	if (steal->by_row->len <= row)
		g_array_set_size(steal->by_row, row + 1);
	found = &g_array_index(steal->by_row, guint, row);
	if (!*found) {
		guint at = vcpu_of_row(steal, row);

		*found = at < steal->vcpus->len ? at + 2 : 1;
	}
	return *found > 1 ? steal->vcpus->pdata[*found - 2] : NULL;
}

/* ---- history */

static struct part *part_at(const struct vcpu *vcpu, guint i)
{
	return &g_array_index(vcpu->parts, struct part, i);
}

static struct part *last_part(const struct vcpu *vcpu)
{
	return vcpu->parts->len ? part_at(vcpu, vcpu->parts->len - 1) : NULL;
}

/* Each two parts of the older half become one. */
static void thin(struct vcpu *vcpu)
{
	guint half = vcpu->parts->len / 2 & ~1u, n = 0;

	for (guint i = 0; i < half; i += 2) {
		struct part joined = *part_at(vcpu, i);

		if (joined.content != part_at(vcpu, i + 1)->content)
			joined.content = MIXED;
		*part_at(vcpu, n++) = joined;
	}
	g_array_remove_range(vcpu->parts, n, half - n);
}

/* From @t on the virtual CPU has another state. */
static void change(const struct iot_steal *steal, struct vcpu *vcpu, guint64 t,
		   enum content content)
{
	struct part *last = last_part(vcpu);
	struct part part = { .t0 = t, .content = content };

	/* a run that begins at a checkpoint knows nothing of the time before the window */
	if (last && t > steal->from && !vcpu->in_window) {
		const struct part edge = { .t0 = steal->from, .content = last->content };

		g_array_set_size(vcpu->parts, 0);
		g_array_append_val(vcpu->parts, edge);
		last = last_part(vcpu);
	}
	vcpu->in_window |= t > steal->from;
	if (last) {
		/* a late state is known from the present on */
		part.t0 = MAX(t, last->t0);
		part.stolen = last->stolen + (last->content == STOLEN ? part.t0 - last->t0 : 0);
		part.unknown = last->unknown + (last->content == UNKNOWN ? part.t0 - last->t0 : 0);
		if (last->t0 == part.t0) {
			last->content = content;
			return;
		}
	}
	if (vcpu->parts->len == MAX_PARTS)
		thin(vcpu);
	g_array_append_val(vcpu->parts, part);
}

static enum content content_of(const struct iot_item *item, iot_cat_id steals)
{
	if (item->flags & IOT_UNKNOWN)
		return UNKNOWN;
	return item->cat == steals ? STOLEN : NOT_STOLEN;
}

void iot_steal_state(struct iot_steal *steal, const struct iot_item *item, guint64 t,
		     gboolean begins)
{
	iot_cat_id steals = iot_type_at(steal->tl, item->type)->steals;
	struct vcpu *vcpu = steals ? find_by_row(steal, item->row) : NULL;

	if (vcpu)
		change(steal, vcpu, MIN(t, steal->to), begins ? content_of(item, steals) : UNKNOWN);
}

/* ---- spans */

/* The part in which @t lies: the last one that does not begin after it; NULL: @t is before all. */
static const struct part *find_part(const struct vcpu *vcpu, guint64 t)
{
	guint low = 0, high = vcpu->parts->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (part_at(vcpu, middle)->t0 <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? part_at(vcpu, low - 1) : NULL;
}

/* The first instant from @t on whose state is kept: neither before all parts nor inside a sum. */
static guint64 first_kept(const struct vcpu *vcpu, guint64 t)
{
	const struct part *part = find_part(vcpu, t);

	if (!part)
		return part_at(vcpu, 0)->t0;
	return part->content == MIXED && part->t0 < t ? part[1].t0 : t;
}

/* ns from the first part up to an instant */
struct sums {
	guint64 stolen, unknown;
};

static struct sums sums_at(const struct vcpu *vcpu, guint64 t)
{
	const struct part *part = find_part(vcpu, t);
	struct sums sums = { 0 };

	if (!part)
		return sums;
	sums.stolen = part->stolen + (part->content == STOLEN ? t - part->t0 : 0);
	sums.unknown = part->unknown + (part->content >= UNKNOWN ? t - part->t0 : 0);
	return sums;
}

/* The first virtual CPU of the node above @row; NULL: it has none. */
static struct vcpu *first_vcpu(const struct iot_steal *steal, iot_row_id row, guint *out_n)
{
	iot_row_id node = iot_row_node(steal->tl, row);
	struct vcpu *first = NULL;

	*out_n = 0;
	for (guint i = 0; node && i < steal->vcpus->len; i++) {
		struct vcpu *vcpu = steal->vcpus->pdata[i];

		if (vcpu->node == iot_row_at(steal->tl, node)->id && !(*out_n)++)
			first = vcpu;
	}
	return first;
}

guint iot_steal_cpus(const struct iot_steal *steal, iot_row_id row)
{
	guint n;

	first_vcpu(steal, row, &n);
	return n;
}

/* The end was not an event, or one after the window. */
static gboolean has_no_end(const struct iot_item *item)
{
	return item->flags & (IOT_UNFINISHED | IOT_SUSPECT | IOT_CUT_RIGHT);
}

void iot_steal_mark(struct iot_steal *steal, struct iot_item *item, guint32 run)
{
	const struct iot_type *type = iot_type_at(steal->tl, item->type);
	union iot_attr *attr;
	struct vcpu *vcpu = NULL;
	struct sums from, to;
	guint n_vcpus;
	guint64 t0;

	if (!type->stolen)
		return;
	attr = &item->attr[type->stolen - 1];
	attr[0].u = 0;
	attr[1].u = item->t1 - item->t0;
	if (!iot_cat_may_be_stolen(iot_cat_at(steal->tl, item->cat)))
		return;
	if (!has_no_end(item) && run < steal->runs->len)
		vcpu = steal->runs->pdata[run];
	if (!vcpu) {
		vcpu = first_vcpu(steal, item->row, &n_vcpus);
		if (n_vcpus != 1)
			return;
	}
	if (!vcpu->parts->len)
		return;
	t0 = MIN(first_kept(vcpu, item->t0), item->t1);
	from = sums_at(vcpu, t0);
	to = sums_at(vcpu, item->t1);
	attr[0].u = to.stolen - from.stolen;
	attr[1].u = t0 - item->t0 + to.unknown - from.unknown;
}
