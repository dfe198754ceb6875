/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of ends, and the items of links. */
#include "model/link-local.h"
#include "model/pair.h"
#include "model/row.h"
#include "model/setter.h"
#include "model/values.h"

/* The end in scope SELF, the other one, if there is one, in scope DONE. */
static void evaluate(const struct iot_link_end *end, const struct iot_link_end *other,
		     struct iot_eval *eval)
{
	iot_eval_init(end->side->link->model, eval, end->start.event->input, &end->start, end->end,
		      other ? &other->start : NULL);
	if (end->side->pair)
		eval->call = end->side->pair->name_str;
	eval->end = end->end_number;
}

struct place {
	iot_row_id row;
	guint16 lane;
};

static struct place find_place(const struct iot_link_end *end, const struct iot_eval *eval)
{
	struct place at = { end->row, end->lane };

	if (end->placed)
		return at;
	at.row = iot_row_path_find(end->side->link->model, end->side->path, eval);
	if (!end->of_object || at.row != end->row)
		at.lane = 0;
	return at;
}

static void draw(struct iot_link *link, const struct iot_link_end *from,
		 const struct iot_link_end *to)
{
	struct iot_eval at_from, at_to;
	struct place here, there;
	struct iot_item item;

	evaluate(from, to, &at_from);
	here = find_place(from, &at_from);
	iot_item_start(link->model, &item, link->values);
	item.cat =
		iot_values_cat(link->model, link->values, iot_template_eval(link->value, &at_from));
	item.row = here.row;
	item.lane = here.lane;
	if (link->failed && iot_expr_eval(link->failed, &at_from))
		item.flags |= IOT_FAILED;
	iot_setter_apply(&link->set.all, &at_from, &item);
	evaluate(to, from, &at_to);
	there = find_place(to, &at_to);
	/* an end below the row of a thread that no other model draws */
	if (!here.row || !there.row)
		return;
	iot_link_set(&item, from->t, there.row, there.lane, to->t);
	iot_link_count_at(link, IOT_LINKED, item.t1);
	if (item.flags & IOT_BACKWARDS)
		iot_link_count_at(link, IOT_LINK_BACKWARDS, item.t1);
	iot_emit_link(link->model->emit, &item);
}

/* A to-end has no record of the from-end, so the category is made of its own fields. */
static iot_cat_id stub_category(struct iot_link *link, guint which, const struct iot_eval *eval)
{
	struct iot_model *model = link->model;
	iot_str text =
		iot_template_eval(which == IOT_LINK_FROM ? link->value : link->stub_value, eval);

	if (!*iot_tl_str(model->tl, text))
		text = iot_intern_str(model->tl->strings, link->section->name);
	return iot_values_cat(model, link->values, text);
}

static void draw_stub(struct iot_link *link, struct iot_link_end *end)
{
	static const guint16 flags[2][3] = {
		{ IOT_TO_UNSEEN, IOT_TO_UNSEEN | IOT_SUSPECT, IOT_TO_UNSEEN | IOT_UNFINISHED },
		{ IOT_FROM_UNSEEN, IOT_FROM_UNSEEN | IOT_SUSPECT, IOT_FROM_UNSEEN | IOT_BEFORE },
	};
	guint which = end->side->which;
	struct iot_eval eval;
	struct iot_item item;
	struct place at;

	if (!end->placed && end->side->row_of_both) {
		if (end->t <= iot_emit_to(link->model->emit))
			iot_diag_add(link->model->diag, IOT_DIAG_stub_without_row, 1);
		return;
	}
	evaluate(end, NULL, &eval);
	at = find_place(end, &eval);
	if (!at.row)
		return;
	iot_item_start(link->model, &item, link->values);
	item.cat = stub_category(link, which, &eval);
	item.row = at.row;
	item.lane = at.lane;
	iot_setter_apply(which == IOT_LINK_FROM ? &link->set.all : &link->stub_set.all, &eval,
			 &item);
	iot_link_set(&item, end->t, at.row, at.lane, end->t);
	item.flags |= flags[which][end->stub - 1];
	iot_emit_link(link->model->emit, &item);
}

static gboolean is_ready(const struct iot_link_end *end)
{
	return !end->call;
}

void iot_link_join(struct iot_link *link, struct iot_link_end *from, struct iot_link_end *to)
{
	struct iot_link_end *one = link->gathers ? to : from, *other = link->gathers ? from : to;

	if (is_ready(from) && is_ready(to)) {
		draw(link, from, to);
	} else {
		other->partner = one;
		other->waits_next = one->waiting;
		one->waiting = other;
	}
	iot_link_release(link, to);
	iot_link_release(link, from);
}

void iot_link_draw_stub(struct iot_link *link, struct iot_link_end *end, enum iot_unrecorded why)
{
	end->stub = (guint8)(why + 1);
	if (is_ready(end))
		draw_stub(link, end);
}

void iot_link_place(struct iot_link *link, struct iot_link_end *end)
{
	struct iot_link_end *one = end->partner ? end->partner : end, *other;
	struct iot_link_end **at = &one->waiting;

	end->call = NULL;
	if (end->stub)
		draw_stub(link, end);
	while ((other = *at)) {
		if ((end != one && other != end) || !is_ready(one) || !is_ready(other)) {
			at = &other->waits_next;
			continue;
		}
		*at = other->waits_next;
		other->partner = NULL;
		if (link->gathers)
			draw(link, other, one);
		else
			draw(link, one, other);
		if (other != end)
			iot_link_release(link, other);
	}
	if (one != end)
		iot_link_release(link, one);
	iot_link_release(link, end);
}
