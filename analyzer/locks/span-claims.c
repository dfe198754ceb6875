/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/span-claims.h"

#include <string.h>

/* A type and the attributes of its spans, for iot_item_number. */
struct claim_type {
	gboolean compared; /* spans of the type are claims */
	guint pid, command, result, flags, first, last, owner;
	iot_str try_flag; /* 0: no call only tries */
};

struct iot_span_claims {
	const struct iot_timeline *tl;
	GArray *types; /* struct claim_type, by type */
};

static gboolean is_compared(const struct iot_timeline *tl, iot_type_id type)
{
	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->type == type && iot_cat_at(tl, cat)->mode)
			return TRUE;
	return FALSE;
}

struct iot_span_claims *iot_span_claims_new(const struct iot_timeline *tl)
{
	struct iot_span_claims *spans = g_new0(struct iot_span_claims, 1);

	spans->tl = tl;
	spans->types = g_array_new(FALSE, TRUE, sizeof(struct claim_type));
	g_array_set_size(spans->types, tl->types.n);
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		g_array_index(spans->types, struct claim_type, id) = (struct claim_type){
			.compared = is_compared(tl, id) && !type->repeats,
			.pid = (guint)(1 + iot_type_attr(tl, type, "pid")),
			.command = (guint)(1 + iot_type_attr(tl, type, "command")),
			.result = (guint)(1 + iot_type_attr(tl, type, "result")),
			.flags = type->try_attr,
			.try_flag = type->try_flag,
			.first = type->range_first,
			.last = type->range_last,
			.owner = type->range_owner,
		};
	}
	return spans;
}

void iot_span_claims_free(struct iot_span_claims *spans)
{
	if (!spans)
		return;
	g_array_unref(spans->types);
	g_free(spans);
}

static const struct claim_type *facts_of(const struct iot_span_claims *spans, iot_type_id type)
{
	return &g_array_index(spans->types, struct claim_type, type);
}

gboolean iot_span_claims_wants(const struct iot_span_claims *spans, iot_cat_id cat)
{
	enum iot_role role = iot_cat_at(spans->tl, cat)->role;
	iot_type_id type = iot_cat_at(spans->tl, cat)->type;

	return type < spans->types->len && facts_of(spans, type)->compared &&
	       (role == IOT_ROLE_WAIT || role == IOT_ROLE_LEAVING || role == IOT_ROLE_HOLD);
}

gboolean iot_span_claim_kind(const struct iot_span_claims *spans, const struct iot_item *item,
			     guint8 *kind)
{
	const struct iot_category *cat = iot_cat_at(spans->tl, item->cat);

	if (!facts_of(spans, item->type)->compared)
		return FALSE;
	if (cat->role == IOT_ROLE_WAIT)
		*kind = IOT_CLAIM_WAIT;
	else if (cat->role == IOT_ROLE_LEAVING)
		*kind = IOT_CLAIM_LEAVING;
	else if (cat->role == IOT_ROLE_HOLD && item->flags & IOT_UNKNOWN)
		*kind = IOT_CLAIM_UNKNOWN;
	else if (cat->role == IOT_ROLE_HOLD && cat->mode)
		*kind = IOT_CLAIM_HOLD;
	else
		return FALSE;
	return TRUE;
}

/* Whether a call only tries: its flags ("NOQUEUE|CONVERT") have the flag that says so. */
static gboolean has_flag(const struct iot_timeline *tl, guint64 flags, iot_str flag)
{
	char digits[IOT_DIGITS_ROOM];
	const char *text = flags ? iot_tl_text(tl, flags, digits, NULL) : "";
	const char *name = iot_tl_str(tl, flag);
	gsize len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len)
		if ((at == text || at[-1] == '|') && (!at[len] || at[len] == '|'))
			return TRUE;
	return FALSE;
}

/* The mode that a claim is about. */
static iot_cat_id mode_of(const struct iot_item *item, guint8 kind)
{
	return kind == IOT_CLAIM_WAIT || kind == IOT_CLAIM_LEAVING ? item->asks : item->cat;
}

struct iot_claim iot_span_claim_begin(const struct iot_span_claims *spans,
				      const struct iot_item *item, guint8 kind)
{
	const struct claim_type *facts = facts_of(spans, item->type);

	return (struct iot_claim){
		.kind = kind,
		.open = TRUE,
		.lane = item->lane,
		.flags = item->flags,
		.row = item->row,
		.tries = facts->try_flag && kind == IOT_CLAIM_WAIT &&
			 has_flag(spans->tl, iot_item_number(item, facts->flags), facts->try_flag),
		.cat = mode_of(item, kind),
		.t0 = item->t0,
		.drawn = item->t0,
		.t1 = G_MAXUINT64,
		.ranged = facts->last > 0,
		.unqueued = (guint8)iot_type_at(spans->tl, item->type)->unqueued,
		.first = iot_item_number(item, facts->first),
		.last = iot_item_number(item, facts->last),
		.owner = iot_item_number(item, facts->owner),
		.lock = iot_item_number(item, 1),
		.pid = iot_item_number(item, facts->pid),
		.command = iot_item_number(item, facts->command),
		.result = iot_item_number(item, facts->result),
	};
}

struct iot_claim iot_span_claim_end(const struct iot_span_claims *spans,
				    const struct iot_item *item, guint8 kind)
{
	return (struct iot_claim){
		.kind = kind,
		.lane = item->lane,
		.flags = item->flags,
		.row = item->row,
		.cat = mode_of(item, kind),
		.drawn = item->t0,
		.result = iot_item_number(item, facts_of(spans, item->type)->result),
	};
}
