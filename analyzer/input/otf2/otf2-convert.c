/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock.h"
#include "input/otf2/otf2-convert-local.h"

struct iot_otf2_convert *iot_otf2_convert_new(const struct iot_otf2_defs *defs,
					      struct iot_made *made, struct iot_intern *strings,
					      const struct iot_clock *clock, gboolean in_ns,
					      struct iot_diag *diag)
{
	struct iot_otf2_convert *own = g_new0(struct iot_otf2_convert, 1);

	own->defs = defs;
	own->made = made;
	own->strings = strings;
	own->clock = clock;
	own->in_ns = in_ns;
	own->diag = diag;
	own->now = g_new0(struct iot_otf2_now, defs->places->len + 1);
	own->messages = iot_made_ids_new();
	own->operations = iot_otf2_operations_new();
	own->named = g_hash_table_new(NULL, NULL);
	own->text = g_string_new(NULL);
	return own;
}

void iot_otf2_convert_free(struct iot_otf2_convert *own)
{
	if (!own)
		return;
	for (guint i = 0; i < own->defs->places->len; i++)
		if (own->now[i].levels)
			g_array_unref(own->now[i].levels);
	g_free(own->now);
	iot_made_ids_free(own->messages);
	g_hash_table_unref(own->operations);
	g_hash_table_unref(own->named);
	g_string_free(own->text, TRUE);
	g_free(own);
}

/* ---- what all events have */

struct iot_otf2_level *iot_otf2_innermost(const struct iot_otf2_at *at)
{
	GArray *levels = at->now->levels;

	return levels->len ? &g_array_index(levels, struct iot_otf2_level, levels->len - 1) : NULL;
}

gint64 *iot_otf2_put(const struct iot_otf2_at *at, enum iot_otf2_made event)
{
	const struct iot_otf2_place *place = at->place;
	struct iot_made_rec rec = { .event = event, .machine = place->machine, .pid = place->pid };

	rec.field[IOT_OTF2_RANK] = place->rank;
	rec.field[IOT_OTF2_THREAD] = place->thread;
	rec.field[IOT_OTF2_ROW] = place->row;
	rec.field[IOT_OTF2_TGID] = place->tgid;
	return iot_made_put(at->own->made, &rec, at->ns)->field;
}

/* ---- regions */

static void end_level(const struct iot_otf2_at *at, guint depth, guint32 values)
{
	struct iot_otf2_level *level =
		&g_array_index(at->now->levels, struct iot_otf2_level, depth);
	const struct iot_otf2_region *region = iot_otf2_region(at->own->defs, level->region);
	gint64 *field;

	iot_otf2_end_calls(at, level);
	field = iot_otf2_put(at, IOT_OTF2_STATE_END);
	field[IOT_OTF2_ID] = level->id;
	field[IOT_OTF2_NAME] = region ? region->name : 0;
	field[IOT_OTF2_USER] = region ? region->user : TRUE;
	field[IOT_OTF2_VALUES] = values ? values : level->values;
	g_array_remove_index(at->now->levels, depth);
}

static void take_enter(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level level = { .region = event->a, .pos = -1 };
	const struct iot_otf2_region *region;
	gint64 *field;

	region = iot_otf2_region(at->own->defs, event->a);
	level.values = event->values;
	level.id = ++at->own->n;
	field = iot_otf2_put(at, at->place->points ? IOT_OTF2_POINT : IOT_OTF2_STATE_START);
	field[IOT_OTF2_ID] = level.id;
	field[IOT_OTF2_NAME] = region ? region->name : 0;
	field[IOT_OTF2_USER] = region ? region->user : TRUE;
	field[IOT_OTF2_VALUES] = event->values;
	if (at->place->points)
		return;
	g_array_append_val(at->now->levels, level);
	if (at->own->defs->has_io && region && iot_otf2_may_open(at->own, region))
		iot_otf2_begin_open(at, iot_otf2_innermost(at));
}

/* Regions nest, but EZTrace leaves some before those within. */
static void take_leave(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	guint depth;

	if (at->place->points)
		return;
	depth = at->now->levels->len;
	while (depth &&
	       g_array_index(at->now->levels, struct iot_otf2_level, depth - 1).region != event->a)
		depth--;
	if (!depth) {
		iot_diag_add(at->own->diag, IOT_DIAG_pair_end_without_start, 1);
		return;
	}
	end_level(at, depth - 1, event->values);
}

/* ---- MPI */

static void take_message(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_convert *own = at->own;
	const struct iot_otf2_place *peer = iot_otf2_peer(own->defs, event->b, event->a, at->place);
	gboolean sends = event->what == IOT_OTF2_SENT;
	/* a rank that is not known has only its number in the communicator */
	gint32 self = at->place->rank, other = peer ? peer->rank : (gint32)event->a;
	struct iot_made_key key = { { sends ? self : other, sends ? other : self, (gint32)event->b,
				      (gint32)event->c, peer ? 0 : 1 } };
	gint64 *field = iot_otf2_put(at, sends ? IOT_OTF2_SEND : IOT_OTF2_RECEIVE);

	field[IOT_OTF2_ID] = (gint64)iot_made_ids_message(own->messages, &key, sends);
	field[IOT_OTF2_PEER] = peer ? peer->rank : -1;
	field[IOT_OTF2_COMM] = event->b;
	field[IOT_OTF2_TAG] = (gint32)event->c;
	field[IOT_OTF2_SIZE] = (gint64)event->x;
}

/* What is known of a collective call is told at the end of its state. */
static void take_collective(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level *level = iot_otf2_innermost(at);
	guint32 name;

	if (!level)
		return;
	name = iot_otf2_comm_name(at->own->defs, event->b);
	g_string_printf(at->own->text, "comm=%s", iot_intern_get(at->own->strings, name, NULL));
	if (event->a < OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		g_string_append_printf(at->own->text, " root=%u", event->a);
	g_string_append_printf(at->own->text,
			       " sent=%" G_GUINT64_FORMAT " received=%" G_GUINT64_FORMAT, event->x,
			       event->y);
	level->values = iot_intern_bytes(at->own->strings, at->own->text->str, at->own->text->len);
}

/* ---- metrics */

static void take_metric(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	gint64 *field = iot_otf2_put(at, IOT_OTF2_METRIC);

	field[IOT_OTF2_NAME] = iot_otf2_metric(at->own->defs, event->a, event->b);
	field[IOT_OTF2_VALUE] = (gint64)event->x;
}

void iot_otf2_convert_take(struct iot_otf2_convert *own, const struct iot_otf2_event *event)
{
	struct iot_otf2_at at = { .own = own, .place = own->defs->places->pdata[event->place] };

	at.now = &own->now[event->place];
	if (!at.now->levels)
		at.now->levels = g_array_new(FALSE, FALSE, sizeof(struct iot_otf2_level));
	at.ns = iot_clock_correct(own->clock, 0,
				  own->in_ns ? event->time : iot_otf2_ns(own->defs, event->time));
	if (at.ns < own->made->now_ns)
		iot_diag_add(own->diag, IOT_DIAG_clock_stepped_back, 1);
	switch ((enum iot_otf2_what)event->what) {
	case IOT_OTF2_ENTER:
		take_enter(&at, event);
		break;
	case IOT_OTF2_LEAVE:
		take_leave(&at, event);
		break;
	case IOT_OTF2_SENT:
	case IOT_OTF2_RECEIVED:
		take_message(&at, event);
		break;
	case IOT_OTF2_COLLECTIVE:
		take_collective(&at, event);
		break;
	case IOT_OTF2_VALUE_OF:
		take_metric(&at, event);
		break;
	default:
		iot_otf2_take_file(&at, event);
		break;
	}
}
