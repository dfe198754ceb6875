/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clog2/clog2-cargo.h"
#include "input/clog2/clog2-events.h"
#include "input/made-ids.h"

struct iot_clog2_events {
	const struct iot_clog2_defs *defs;
	struct iot_intern *strings;
	struct iot_diag *diag;
	struct iot_made_ids *states, *messages;
	GString *text;
};

/* ---- names */

static const char *const field_names[IOT_CLOG2_FIELDS] = {
	[IOT_CLOG2_RANK] = "rank", [IOT_CLOG2_THREAD] = "thread", [IOT_CLOG2_ID] = "id",
	[IOT_CLOG2_USER] = "user", [IOT_CLOG2_PEER] = "peer",	  [IOT_CLOG2_COMM] = "comm",
	[IOT_CLOG2_TAG] = "tag",   [IOT_CLOG2_LENGTH] = "size",	  [IOT_CLOG2_ROW] = "row",
	[IOT_CLOG2_NAME] = "name", [IOT_CLOG2_VALUES] = "values",
};

#define F(field) (1u << IOT_CLOG2_##field)
enum {
	PLACE = F(RANK) | F(THREAD) | F(ROW),
	STATE = PLACE | F(ID) | F(USER) | F(NAME) | F(VALUES),
	POINT = PLACE | F(USER) | F(NAME) | F(VALUES),
	MESSAGE = PLACE | F(ID) | F(PEER) | F(COMM) | F(TAG) | F(LENGTH),
};

static const struct iot_made_event events[IOT_CLOG2_EVENTS] = {
	[IOT_CLOG2_STATE_START] = { "mpi", "state_start", STATE },
	[IOT_CLOG2_STATE_END] = { "mpi", "state_end", STATE },
	[IOT_CLOG2_EVENT] = { "mpi", "event", POINT },
	[IOT_CLOG2_SEND] = { "mpi", "send", MESSAGE },
	[IOT_CLOG2_RECEIVE] = { "mpi", "receive", MESSAGE },
};

const struct iot_made_kinds iot_clog2_kinds = {
	.file = "a CLOG2 file",
	.event = events,
	.n_events = IOT_CLOG2_EVENTS,
	.field = field_names,
	.n_fields = IOT_CLOG2_FIELDS,
	.first_real = IOT_CLOG2_NUMBERS,
	.first_text = IOT_CLOG2_NUMBERS,
};

struct iot_clog2_events *iot_clog2_events_new(const struct iot_clog2_defs *defs,
					      struct iot_intern *strings, struct iot_diag *diag)
{
	struct iot_clog2_events *own = g_new0(struct iot_clog2_events, 1);

	own->defs = defs;
	own->diag = diag;
	own->strings = strings;
	own->states = iot_made_ids_new();
	own->messages = iot_made_ids_new();
	own->text = g_string_new(NULL);
	return own;
}

void iot_clog2_events_free(struct iot_clog2_events *own)
{
	if (!own)
		return;
	iot_made_ids_free(own->states);
	iot_made_ids_free(own->messages);
	g_string_free(own->text, TRUE);
	g_free(own);
}

void iot_clog2_events_lost(struct iot_clog2_events *own)
{
	iot_made_ids_lost(own->states);
	iot_made_ids_lost(own->messages);
}

/* ---- records */

static void take_place(struct iot_clog2_events *own, const struct iot_clog2_record *record,
		       struct iot_made_rec *out)
{
	gint32 rank = iot_clog2_defs_rank(own->defs, record->comm, record->rank);

	if (rank < 0)
		g_string_printf(own->text,
				"rank %" G_GINT32_FORMAT " of communicator %" G_GINT32_FORMAT,
				record->rank, record->comm);
	else
		g_string_printf(own->text, "rank %" G_GINT32_FORMAT, rank);
	if (record->thread)
		g_string_append_printf(own->text, " thread %" G_GINT32_FORMAT, record->thread);
	out->pid = MAX(rank, 0);
	out->field[IOT_CLOG2_RANK] = rank;
	out->field[IOT_CLOG2_THREAD] = record->thread;
	out->field[IOT_CLOG2_ROW] = iot_intern_str(own->strings, own->text->str);
}

/* A state that begins again within itself ends from the inside. 0: it did not begin. */
static guint64 state_id(struct iot_clog2_events *own, const struct iot_clog2_record *record,
			const struct iot_clog2_def *def, gint64 rank)
{
	struct iot_made_key key = { { rank < 0 ? record->comm : -1,
				      rank < 0 ? record->rank : (gint32)rank, record->thread,
				      def->state, 0 } };

	return def->role == IOT_CLOG2_BEGINS ? iot_made_ids_leave(own->states, &key)
					     : iot_made_ids_take(own->states, &key);
}

static void take_values(struct iot_clog2_events *own, struct iot_clog2_record *record,
			const char *format, struct iot_made_rec *out)
{
	const guint8 *data;

	if (record->type != IOT_CLOG2_CARGO || !*format)
		return;
	iot_bytes_u32(&record->body);
	data = iot_bytes_take(&record->body, IOT_CLOG2_CARGO_SIZE);
	g_string_truncate(own->text, 0);
	if (data)
		iot_clog2_cargo(format, data, own->text);
	out->field[IOT_CLOG2_VALUES] =
		iot_intern_bytes(own->strings, own->text->str, own->text->len);
}

static gboolean take_undefined(struct iot_clog2_events *own, gint32 event, struct iot_made_rec *out)
{
	g_string_printf(own->text, "event %" G_GINT32_FORMAT, event);
	out->event = IOT_CLOG2_EVENT;
	out->field[IOT_CLOG2_NAME] = iot_intern_str(own->strings, own->text->str);
	return TRUE;
}

static gboolean take_event(struct iot_clog2_events *own, struct iot_clog2_record *record,
			   struct iot_made_rec *out)
{
	static const enum iot_clog2_event event_of[] = {
		[IOT_CLOG2_BEGINS] = IOT_CLOG2_STATE_START,
		[IOT_CLOG2_ENDS] = IOT_CLOG2_STATE_END,
		[IOT_CLOG2_HAPPENS] = IOT_CLOG2_EVENT,
	};
	gint32 event = (gint32)iot_bytes_u32(&record->body);
	const struct iot_clog2_def *def = iot_clog2_defs_find(own->defs, event);

	take_place(own, record, out);
	if (!def)
		return take_undefined(own, event, out);
	out->event = event_of[def->role];
	out->field[IOT_CLOG2_NAME] = def->name;
	out->field[IOT_CLOG2_USER] = def->user;
	if (def->role != IOT_CLOG2_HAPPENS) {
		guint64 id = state_id(own, record, def, out->field[IOT_CLOG2_RANK]);

		if (!id) {
			iot_diag_add(own->diag, IOT_DIAG_pair_end_without_start, 1);
			return FALSE;
		}
		out->field[IOT_CLOG2_ID] = (gint64)id;
	}
	take_values(own, record, def->format, out);
	return TRUE;
}

/* The other end is named in its own communicator: that of an intercommunicator is another one. */
static gboolean take_message(struct iot_clog2_events *own, struct iot_clog2_record *record,
			     struct iot_made_rec *out)
{
	enum { SENT = -101, RECEIVED = -102 };
	struct iot_bytes *body = &record->body;
	gint32 kind = (gint32)iot_bytes_u32(body), comm = (gint32)iot_bytes_u32(body);
	gint32 rank = (gint32)iot_bytes_u32(body), tag = (gint32)iot_bytes_u32(body);
	struct iot_made_key sent = { { record->comm, record->rank, comm, rank, tag } };
	struct iot_made_key received = { { comm, rank, record->comm, record->rank, tag } };

	if (kind != SENT && kind != RECEIVED)
		return FALSE;
	take_place(own, record, out);
	out->event = kind == SENT ? IOT_CLOG2_SEND : IOT_CLOG2_RECEIVE;
	out->field[IOT_CLOG2_PEER] = iot_clog2_defs_rank(own->defs, comm, rank);
	out->field[IOT_CLOG2_COMM] = record->comm;
	out->field[IOT_CLOG2_TAG] = tag;
	out->field[IOT_CLOG2_LENGTH] = (gint32)iot_bytes_u32(body);
	out->field[IOT_CLOG2_ID] = (gint64)iot_made_ids_message(
		own->messages, kind == SENT ? &sent : &received, kind == SENT);
	return TRUE;
}

gboolean iot_clog2_events_take(struct iot_clog2_events *own, struct iot_clog2_record *record,
			       struct iot_made_rec *out)
{
	*out = (struct iot_made_rec){ 0 };
	switch (record->type) {
	case IOT_CLOG2_BARE:
	case IOT_CLOG2_CARGO:
		return take_event(own, record, out);
	case IOT_CLOG2_MESSAGE:
		return take_message(own, record, out);
	default:
		return FALSE;
	}
}
