/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/backing.h"
#include "base/intern.h"
#include "model/asks.h"
#include "model/bind.h"
#include "model/deferral.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/state.h"
#include "model/values.h"

#include <string.h>

/* The place at which holds and their locks meet. */
struct iot_backing_place {
	guint64 key;		  /* name << 32 | machine; the key of the table */
	GPtrArray *holds, *locks; /* of struct iot_object */
};

/* A file system and its lockspace. */
struct bond {
	iot_row_id of_hold, of_lock;
	gboolean broken;
};

struct iot_backing {
	const struct iot_object_kind *holds, *locks;
	GHashTable *places; /* set of struct iot_backing_place */
	GArray *bonds;	    /* struct bond */
	gboolean stopped;
};

/* ---- compiling */

gboolean iot_backing_build(const struct iot_builder *b, struct iot_object_kind *kind)
{
	const struct iot_setting *by = iot_section_get(b->section, "certain while");
	const struct iot_setting *name = by ? iot_section_require(b->section, "uncertain", b->error)
					    : iot_section_get(b->section, "uncertain");

	if (!by)
		return !name ||
		       iot_setting_key_error(name, b->error,
					     "\"certain while = MODEL:OBJECT\" is missing");
	if (!name)
		return FALSE;
	if (!iot_bind_colon(by, b->error))
		return FALSE;
	if (kind->pairs->len || kind->common)
		return iot_setting_error(by, 0, b->error,
					 "[object %s] has calls or belongs to all recordings; this "
					 "is for objects that have notices only",
					 kind->name);
	if (!kind->machine->compared)
		return iot_setting_error(by, 0, b->error,
					 "[values %s] needs a section [compatible ...] before its "
					 "machine, which says which holds need a lock",
					 kind->machine->section->name);
	kind->doubt_cat = iot_values_listed_cat(kind->machine,
						iot_intern_str(b->model->tl->strings, name->value));
	if (!kind->doubt_cat || iot_cat_at(b->model->tl, kind->doubt_cat)->role != IOT_ROLE_LEAVING)
		return iot_setting_error(name, 0, b->error,
					 "[values %s] has no value \"%s\" with the role leaving",
					 kind->machine->section->name, name->value);
	kind->certain_while = by;
	return TRUE;
}

/* The mode of @like's values with the name of @cat; 0: there is none that is compared. */
static iot_cat_id same_mode(const struct iot_timeline *tl, const struct iot_object_kind *like,
			    iot_cat_id cat)
{
	iot_cat_id same = iot_values_listed_cat(like->machine, iot_cat_at(tl, cat)->name);

	return same && iot_cat_at(tl, same)->mode ? same : 0;
}

/* Whether a hold of some mode can be backed: the modes have the same names. */
static gboolean shares_modes(const struct iot_object_kind *holds,
			     const struct iot_object_kind *locks)
{
	const struct iot_timeline *tl = holds->model->tl;

	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++)
		if (iot_cat_at(tl, cat)->type == holds->machine->type &&
		    iot_cat_excludes_any(tl, cat) && same_mode(tl, locks, cat))
			return TRUE;
	return FALSE;
}

gboolean iot_backing_connect(struct iot_object_kind *kind, const GPtrArray *models,
			     char **out_missing, GError **error)
{
	const struct iot_setting *by = kind->certain_while;
	struct iot_object_kind *locks;
	struct iot_backing *backing;

	if (!by)
		return TRUE;
	if (!iot_bind_other_kind(by, models, &locks, out_missing, error))
		return FALSE;
	if (!locks)
		return TRUE;
	if (locks->backing || locks->common)
		return iot_setting_error(by, 0, error,
					 "%s belongs to all recordings, or the holds of another "
					 "object are certain while it is held",
					 by->value);
	if (!iot_bind_is_below_machines(kind->model->tl, kind->on->type) ||
	    !iot_bind_is_below_machines(kind->model->tl, locks->on->type))
		return iot_setting_error(by, 0, error,
					 "the two objects are not on rows of role node, below rows "
					 "with the same names");
	if (!locks->machine->compared || !shares_modes(kind, locks))
		return iot_setting_error(by, 0, error,
					 "no mode of %s has the name of a mode of [object %s] that "
					 "excludes another one",
					 by->value, kind->name);
	backing = g_new0(struct iot_backing, 1);
	backing->holds = kind;
	backing->locks = locks;
	backing->places = g_hash_table_new(iot_pair_hash, g_int64_equal);
	backing->bonds = g_array_new(FALSE, FALSE, sizeof(struct bond));
	kind->backing = locks->backing = backing;
	return TRUE;
}

static void place_free(struct iot_backing_place *place)
{
	g_ptr_array_unref(place->holds);
	g_ptr_array_unref(place->locks);
	g_free(place);
}

void iot_backing_free(struct iot_backing *backing)
{
	GHashTableIter iter;
	gpointer place;

	if (!backing)
		return;
	g_hash_table_iter_init(&iter, backing->places);
	while (g_hash_table_iter_next(&iter, &place, NULL))
		place_free(place);
	g_hash_table_unref(backing->places);
	g_array_unref(backing->bonds);
	g_free(backing);
}

void iot_backing_stop(struct iot_backing *backing)
{
	backing->stopped = TRUE;
}

/* ---- places */

static gboolean is_hold(const struct iot_object *object)
{
	return object->kind == object->kind->backing->holds;
}

/* The file system of a hold, the lockspace of a lock: the row above the row with the name. */
static iot_row_id world(const struct iot_object *object)
{
	const struct iot_timeline *tl = object->kind->model->tl;

	return iot_row_at(tl, iot_row_at(tl, object->row)->parent)->parent;
}

/* The file system and the lockspace belong together. FALSE: a new name contradicts this. */
static gboolean make_bond(const struct iot_object *hold, const struct iot_object *lock)
{
	struct iot_backing *backing = hold->kind->backing;
	struct bond new = { world(hold), world(lock), FALSE };

	for (guint i = 0; i < backing->bonds->len; i++) {
		struct bond *bond = &g_array_index(backing->bonds, struct bond, i);

		if (bond->of_hold == new.of_hold && bond->of_lock == new.of_lock)
			return TRUE;
		if (bond->of_hold == new.of_hold || bond->of_lock == new.of_lock)
			bond->broken = new.broken = TRUE;
	}
	if (new.broken)
		iot_kind_count(hold->kind, IOT_DIAG_hold_lock_ambiguous);
	g_array_append_val(backing->bonds, new);
	return !new.broken;
}

static gboolean is_bonded(const struct iot_object *hold, const struct iot_object *lock)
{
	const struct iot_backing *backing = hold->kind->backing;

	for (guint i = 0; i < backing->bonds->len; i++) {
		const struct bond *bond = &g_array_index(backing->bonds, struct bond, i);

		if (bond->of_hold == world(hold) && bond->of_lock == world(lock))
			return !bond->broken;
	}
	return FALSE;
}

static struct iot_backing_place *place_at(struct iot_backing *backing, guint64 key)
{
	struct iot_backing_place *place = g_hash_table_lookup(backing->places, &key);

	if (place)
		return place;
	place = g_new0(struct iot_backing_place, 1);
	place->key = key;
	place->holds = g_ptr_array_new();
	place->locks = g_ptr_array_new();
	g_hash_table_add(backing->places, place);
	return place;
}

void iot_backing_join(struct iot_object *object)
{
	const struct iot_model *model = object->kind->model;
	const struct iot_row *row = iot_row_at(model->tl, object->row);
	const struct iot_row *named = iot_row_at(model->tl, row->parent);

	/* rows beyond the limit share one name */
	if (object->place || named->id == model->others)
		return;
	object->place = place_at(object->kind->backing, (guint64)named->name << 32 | row->id);
	g_ptr_array_add(is_hold(object) ? object->place->holds : object->place->locks, object);
}

static gboolean meet(const struct iot_object *object)
{
	const struct iot_backing_place *place = object->place;
	const GPtrArray *others = is_hold(object) ? place->locks : place->holds;
	gboolean fits = TRUE;

	for (guint i = 0; i < others->len; i++)
		fits &= is_hold(object) ? make_bond(object, others->pdata[i])
					: make_bond(others->pdata[i], object);
	return fits;
}

/* ---- certainty */

/* The mode that the lock certainly has. A call that gives it up counts from its start. */
static iot_cat_id certain_mode(const struct iot_object *lock)
{
	const struct iot_model *model = lock->kind->model;
	const struct iot_item *state = &lock->state_span.item;
	iot_cat_id cat = lock->mode_span.item.cat;

	if (lock->mode != IOT_MODE_KNOWN || iot_deferral_has(lock, IOT_PART_START))
		return 0;
	if (lock->state_span.open && iot_item_leaves(model->tl, state))
		cat = state->flags & IOT_LEAVING ? 0 : state->asks;
	for (const struct iot_call *call = lock->open; call && cat; call = call->next) {
		struct iot_asked asked;
		struct iot_eval eval;

		iot_eval_init(lock->kind->model, &eval, lock->input, &call->start, NULL, NULL);
		asked = iot_asks_judge(call, &eval);
		if (asked.gives_up == IOT_LEAVES)
			cat = 0;
		else if (asked.gives_up == IOT_RELEASES &&
			 !(asked.cat && iot_cat_covers(model->tl, asked.cat, cat)))
			cat = asked.cat;
	}
	return cat;
}

static gboolean is_backed(const struct iot_object *hold)
{
	const struct iot_timeline *tl = hold->kind->model->tl;
	const GPtrArray *locks = hold->place ? hold->place->locks : NULL;
	iot_cat_id cat = locks && locks->len ? same_mode(tl, hold->kind->backing->locks,
							 hold->mode_span.item.cat)
					     : 0;

	for (guint i = 0; cat && i < locks->len; i++) {
		const struct iot_object *lock = locks->pdata[i];
		iot_cat_id mode = certain_mode(lock);

		if (mode && iot_cat_covers(tl, mode, cat) && is_bonded(hold, lock))
			return TRUE;
	}
	return FALSE;
}

static void begin_doubt(struct iot_object *hold, struct iot_begin begin)
{
	struct iot_item *item = &hold->state_span.item;

	iot_item_start(hold->kind->model, item, hold->kind->machine);
	item->cat = hold->kind->doubt_cat;
	item->row = hold->row;
	item->lane = hold->lane;
	item->t0 = begin.t0;
	item->flags = begin.flags;
	memcpy(item->attr, hold->always, sizeof(item->attr));
	iot_emit_begin(hold->kind->model->emit, &hold->state_span);
	if (!hold->place || !hold->place->locks->len)
		iot_kind_count(hold->kind, IOT_DIAG_hold_lock_unseen);
}

/* A hold that began unseen was not known to be certain up to its first event. */
static gboolean was_unseen(const struct iot_object *hold, guint64 ts)
{
	const struct iot_item *mode = &hold->mode_span.item;

	return !hold->decided_ns && mode->t0 < ts && mode->flags & (IOT_BEFORE | IOT_SUSPECT);
}

static void decide(struct iot_object *hold, guint64 ts)
{
	const struct iot_item *mode = &hold->mode_span.item;
	gboolean held = hold->mode == IOT_MODE_KNOWN &&
			iot_cat_excludes_any(hold->kind->model->tl, mode->cat);
	gboolean doubt = held && !is_backed(hold);

	ts = MAX(ts, hold->decided_ns);
	if (held && was_unseen(hold, ts))
		begin_doubt(hold, (struct iot_begin){ mode->t0,
						      mode->flags & (IOT_BEFORE | IOT_SUSPECT) });
	else if (doubt && !hold->state_span.open)
		begin_doubt(hold, (struct iot_begin){ ts, 0 });
	if (!doubt)
		iot_state_end(hold, ts, 0);
	hold->decided_ns = ts;
}

/* While events are missing, modes of both are unknown. */
static void decide_all(const struct iot_backing_place *place, guint64 ts)
{
	for (guint i = 0; i < place->holds->len; i++) {
		struct iot_object *hold = place->holds->pdata[i];

		if (!iot_kind_in_gap(hold->kind->backing->locks, hold->input))
			decide(hold, ts);
	}
}

/* A bond was broken. */
static void decide_bonded(const struct iot_backing *backing, guint64 ts)
{
	for (struct iot_object *hold = backing->holds->first; hold; hold = hold->next)
		if (hold->place && hold->place->locks->len)
			decide_all(hold->place, ts);
}

void iot_backing_event(struct iot_object *object, guint64 ts)
{
	gboolean is_new = !object->place;

	iot_backing_join(object);
	if (object->place && is_new && !meet(object))
		decide_bonded(object->kind->backing, ts);
	if (is_hold(object))
		decide(object, ts);
	else if (object->place)
		decide_all(object->place, ts);
}

void iot_backing_forget(struct iot_object *object)
{
	struct iot_backing *backing = object->kind->backing;
	struct iot_backing_place *place = object->place;

	if (!place)
		return;
	object->place = NULL;
	g_ptr_array_remove(is_hold(object) ? place->holds : place->locks, object);
	if (!is_hold(object) && !backing->stopped)
		decide_all(place, object->last_ns);
	if (place->holds->len || place->locks->len)
		return;
	g_hash_table_remove(backing->places, &place->key);
	place_free(place);
}

void iot_backing_hold_ends(struct iot_object *object, guint64 ts)
{
	const struct iot_model *model = object->kind->model;

	if (object->mode != IOT_MODE_KNOWN || !object->mode_span.open ||
	    !iot_cat_excludes_any(model->tl, object->mode_span.item.cat))
		return;
	iot_emit_leaving(model->emit, &object->mode_span, object->mode_span.item.t0, ts);
	iot_kind_count(object->kind, IOT_DIAG_hold_lock_unseen);
}

/* ---- saved state */

void iot_backing_save(const struct iot_backing *backing, GByteArray *out)
{
	iot_pack_uint(out, backing->bonds->len);
	for (guint i = 0; i < backing->bonds->len; i++) {
		const struct bond *bond = &g_array_index(backing->bonds, struct bond, i);

		iot_pack_uint(out, bond->of_hold);
		iot_pack_uint(out, bond->of_lock);
		iot_pack_uint(out, bond->broken);
	}
}

gboolean iot_backing_load(struct iot_backing *backing, struct iot_unpack *in)
{
	const struct iot_timeline *tl = backing->holds->model->tl;

	for (guint32 n = iot_unpack_count(in); n; n--) {
		struct bond bond;

		bond.of_hold = (iot_row_id)iot_unpack_uint(in, tl->rows.n - 1);
		bond.of_lock = (iot_row_id)iot_unpack_uint(in, tl->rows.n - 1);
		bond.broken = (gboolean)iot_unpack_uint(in, 1);
		g_array_append_val(backing->bonds, bond);
	}
	return !in->bad;
}
