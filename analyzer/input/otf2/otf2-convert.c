/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

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
	iot_clock_cursor_init(&own->clock, clock, 0);
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
		g_free(own->now[i].level);
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
	struct iot_otf2_now *now = at->now;

	return now->n_levels ? &now->level[now->n_levels - 1] : NULL;
}

gint64 *iot_otf2_put(const struct iot_otf2_at *at, enum iot_otf2_made event)
{
	const struct iot_otf2_place *place = at->place;
	gint64 *field =
		iot_made_add(at->own->made, event, place->machine, place->pid, at->ns)->field;

	field[IOT_OTF2_RANK] = place->rank;
	field[IOT_OTF2_THREAD] = place->thread;
	field[IOT_OTF2_ROW] = place->row;
	field[IOT_OTF2_TGID] = place->tgid;
	return field;
}

/* ---- regions */

static void end_level(const struct iot_otf2_at *at, guint depth, guint32 values)
{
	struct iot_otf2_now *now = at->now;
	struct iot_otf2_level *level = &now->level[depth];
	const struct iot_otf2_region *region = iot_otf2_region(at->own->defs, level->region);
	gint64 *field;

	iot_otf2_end_calls(at, level);
	field = iot_otf2_put(at, IOT_OTF2_STATE_END);
	field[IOT_OTF2_ID] = level->id;
	field[IOT_OTF2_NAME] = region ? region->name : 0;
	field[IOT_OTF2_USER] = region ? region->user : TRUE;
	field[IOT_OTF2_VALUES] = values ? values : level->values;
	now->n_levels--;
	memmove(level, level + 1, (now->n_levels - depth) * sizeof(*level));
}

static struct iot_otf2_level *add_level(struct iot_otf2_now *now)
{
	if (now->n_levels == now->room) {
		now->room = MAX(2 * now->room, 8);
		now->level = g_renew(struct iot_otf2_level, now->level, now->room);
	}
	return &now->level[now->n_levels++];
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
	*add_level(at->now) = level;
	if (at->own->defs->has_io && region && region->may_open)
		iot_otf2_begin_open(at, iot_otf2_innermost(at));
}

/* Regions nest, but EZTrace leaves some before those within. */
static void take_leave(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	guint depth;

	if (at->place->points)
		return;
	depth = at->now->n_levels;
	while (depth && at->now->level[depth - 1].region != event->a)
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

static guint32 collective_text(struct iot_otf2_convert *own, const struct iot_otf2_event *event)
{
	const char *name =
		iot_intern_get(own->strings, iot_otf2_comm_name(own->defs, event->b), NULL);

	g_string_printf(own->text, "comm=%s", name);
	if (event->a < OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		g_string_append_printf(own->text, " root=%u", event->a);
	g_string_append_printf(own->text, " sent=%" G_GUINT64_FORMAT " received=%" G_GUINT64_FORMAT,
			       event->x, event->y);
	return iot_intern_bytes(own->strings, own->text->str, own->text->len);
}

/* What is known of a collective call is told at the end of its state. All ranks tell the same of
 * most calls. */
static void take_collective(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level *level = iot_otf2_innermost(at);
	struct iot_otf2_collective *last = &at->own->collective;

	if (!level)
		return;
	if (!last->text || last->root != event->a || last->comm != event->b ||
	    last->sent != event->x || last->received != event->y)
		*last = (struct iot_otf2_collective){ .root = event->a,
						      .comm = event->b,
						      .sent = event->x,
						      .received = event->y,
						      .text = collective_text(at->own, event) };
	level->values = last->text;
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
	at.ns = iot_clock_cursor_correct(
		&own->clock, own->in_ns ? event->time : iot_otf2_ns(own->defs, event->time));
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
