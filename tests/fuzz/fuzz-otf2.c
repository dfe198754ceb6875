/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target: definitions and events of OTF2 archives, as the library hands them over; the library
 * itself is not fuzzed. The bytes are calls: definitions in any order, then events in order of
 * time. What they become must be records of the kinds that the source promises.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz-source.h"
#include "input/otf2/otf2-convert.h"
#include "input/otf2/otf2-kinds.h"
/* their functions that take definitions and events are private: the library calls them */
#include "input/otf2/otf2-defs.c"
#include "input/otf2/otf2-marks.c"

enum { MAX_EVENTS = 4096, INPUT = 3, MAX_MACHINES = 8 };

static const char *const texts[] = { "node",	     "row",  "type",  "MPI_Barrier", "MPI_Send",
				     "not observed", "open", "creat", "P#0",	     "localhost" };

struct play {
	struct iot_source base;
	const guint8 *at, *end;
	struct iot_otf2_defs *defs;
	struct iot_made *made;
	struct iot_otf2_convert *convert;
	struct iot_intern *strings;
	struct iot_clock clock;
	struct iot_diag diag;
	struct watch *watches;
	guint64 time;
	guint n_events;
};

static guint8 next_byte(struct play *p)
{
	return p->at < p->end ? *p->at++ : 0;
}

/* Mostly numbers that others have, too. */
static guint32 next_ref(struct play *p)
{
	guint8 byte = next_byte(p);

	return byte == 0xff ? G_MAXUINT32 : byte & 0x80 ? (guint32)next_byte(p) << 24 : byte & 7;
}

static guint64 next_big(struct play *p)
{
	guint8 byte = next_byte(p);

	return byte == 0xff  ? G_MAXUINT64
	       : byte & 0x80 ? (guint64)next_byte(p) << 56 | next_byte(p)
			     : byte;
}

/* ---- definitions */

static void define_group(struct play *p)
{
	guint64 members[8];
	guint32 n = next_byte(p) & 7;
	OTF2_GroupRef self = next_ref(p);
	OTF2_GroupType type = next_byte(p) % 5 + OTF2_GROUP_TYPE_UNKNOWN;
	OTF2_GroupFlag flags = next_byte(p) & 1;

	type = next_byte(p) & 1 ? OTF2_GROUP_TYPE_COMM_LOCATIONS
	       : flags		? OTF2_GROUP_TYPE_COMM_GROUP
	       : type == 1	? OTF2_GROUP_TYPE_COMM_SELF
				: OTF2_GROUP_TYPE_COMM_GROUP;
	for (guint32 i = 0; i < n; i++)
		members[i] = next_big(p);
	on_group(p->defs, self, next_ref(p), type, OTF2_PARADIGM_MPI, flags, n, members);
}

static void define_class(struct play *p)
{
	OTF2_MetricMemberRef members[4];
	guint8 n = next_byte(p) & 3;

	for (guint i = 0; i < n; i++)
		members[i] = next_ref(p);
	on_class(p->defs, next_ref(p), n, members, 0, 0);
}

static void define_property(struct play *p)
{
	OTF2_AttributeValue value = { .stringRef = next_ref(p) };
	OTF2_Type type = next_byte(p) & 1 ? OTF2_TYPE_STRING : OTF2_TYPE_UINT8;

	on_property(p->defs, next_big(p), next_ref(p), type, value);
}

/* FALSE: the definitions are over. */
static gboolean define(struct play *p)
{
	struct iot_otf2_defs *defs = p->defs;

	switch (next_byte(p) % 18) {
	case 1:
		on_clock(defs, next_big(p), next_big(p), next_big(p),
			 next_byte(p) & 1 ? OTF2_UNDEFINED_TIMESTAMP : next_big(p));
		break;
	case 2:
		on_string(defs, next_ref(p), texts[next_byte(p) % G_N_ELEMENTS(texts)]);
		break;
	case 3:
		on_node(defs, next_ref(p), next_ref(p), next_ref(p), next_ref(p));
		break;
	case 4:
		on_process(defs, next_ref(p), next_ref(p), 0, next_ref(p), 0);
		break;
	case 5:
		on_location(defs, next_big(p), next_ref(p), 0, next_big(p), next_ref(p));
		break;
	case 6:
		define_property(p);
		break;
	case 7:
		on_region(defs, next_ref(p), next_ref(p), 0, 0, next_byte(p), next_byte(p), 0, 0, 0,
			  0);
		break;
	case 8:
		define_group(p);
		break;
	case 9:
		on_comm(defs, next_ref(p), next_ref(p), next_ref(p), 0, 0);
		break;
	case 10:
		on_inter_comm(defs, next_ref(p), next_ref(p), next_ref(p), next_ref(p), 0, 0);
		break;
	case 11:
		on_member(defs, next_ref(p), next_ref(p), 0, 0, 0, 0, 0, 0, 0);
		break;
	case 12:
		define_class(p);
		break;
	case 13:
		on_instance(defs, next_ref(p), next_ref(p), 0, 0, 0);
		break;
	case 14:
		on_file(defs, next_ref(p), next_ref(p), 0);
		break;
	case 15:
		on_handle(defs, next_ref(p), next_ref(p), next_ref(p), 0, 0, 0, 0);
		break;
	case 16:
		on_attribute(defs, next_ref(p), next_ref(p), 0, 0);
		break;
	default:
		return FALSE;
	}
	return TRUE;
}

/* ---- events */

static gboolean more(struct iot_source *base, GError **error)
{
	struct play *p = (struct play *)base;
	struct iot_otf2_event event = { 0 };

	(void)error;
	if (p->at >= p->end || !p->defs->places->len || p->n_events++ == MAX_EVENTS)
		return FALSE;
	event.what = next_byte(p) % (IOT_OTF2_CANCELLED + 1);
	event.place = next_byte(p) % p->defs->places->len;
	p->time += MIN(next_big(p), G_MAXUINT64 - p->time);
	event.time = p->time;
	event.a = next_ref(p);
	event.b = next_ref(p);
	event.c = next_byte(p);
	event.x = next_big(p);
	event.y = next_byte(p);
	if (next_byte(p) & 1)
		event.values = iot_intern_str(p->strings, "a=1");
	take(&p->watches[event.place], p->defs, &event);
	iot_otf2_convert_take(p->convert, &event);
	return TRUE;
}

/* All that the source can make; the same for all inputs. */
static const struct iot_schema *all_events(void)
{
	const struct iot_made_kinds *kinds = &iot_otf2_kinds;
	static struct iot_schema *schema;

	if (schema)
		return schema;
	schema = iot_schema_new();
	for (guint i = 0; i < kinds->n_events; i++) {
		struct iot_schema_event *event =
			iot_schema_event(schema, kinds->event[i].system, kinds->event[i].name);

		for (guint k = 0; k < kinds->n_fields; k++)
			if (kinds->event[i].fields >> k & 1)
				iot_schema_field(event, kinds->field[k], FALSE, "fuzz");
	}
	return schema;
}

static void check_record(const struct play *p, const struct iot_rec *rec, guint64 *last)
{
	CHECK(rec->ts >= *last);
	*last = rec->ts;
	CHECK(rec->pid > 0);
	CHECK(rec->event->input >= INPUT && rec->event->input <= INPUT + MAX_MACHINES);
	for (guint i = 0; i < rec->event->n_slots; i++)
		if (rec->event->slot_type[i] == IOT_SLOT_STR)
			CHECK(rec->slot[i].u < iot_intern_count(p->strings));
}

static void read_all(struct play *p)
{
	struct iot_batch *batch = iot_batch_new(64 << 10, NULL);
	guint64 last = 0;

	while (iot_made_read(p->made, &p->base, 0, batch, NULL) == IOT_NEXT_OK)
		for (const struct iot_rec *rec = iot_batch_first(batch);
		     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec))
			check_record(p, rec, &last);
	iot_batch_free(batch);
}

/* Clocks of ranks that the calls seen so far may fit. */
static void find_marks(const struct play *p)
{
	g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(struct iot_rank_clock));
	struct iot_otf2_clocks *clocks;

	for (guint32 i = 0; i < 8; i++) {
		struct iot_rank_clock rank = { .rank = i,
					       .begin = { 1000, 1000, 1 << 20, 1, 1 },
					       .end = { 1 << 30, 1 << 30, 1 << 20, 2, 2 } };

		if (i & 1)
			rank.end.number = rank.end.of = 0;
		g_array_append_val(ranks, rank);
	}
	clocks = find_clocks(p->defs, p->watches, ranks);
	if (clocks) {
		find_range(clocks, p->defs, p->watches);
		CHECK(clocks->worst);
	}
	iot_otf2_clocks_free(clocks);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	const struct iot_input_spec spec = { .path = "F", .input = INPUT };
	struct play p = { .base.to_ns = G_MAXUINT64, .at = data, .end = data + len };
	const struct iot_schema *schema = all_events();

	p.strings = iot_intern_new();
	p.defs = iot_otf2_defs_new(p.strings);
	while (p.at < p.end && define(&p))
		;
	iot_otf2_defs_finish(p.defs);
	p.watches = g_new0(struct watch, p.defs->places->len + 1);
	p.made = iot_made_new(&iot_otf2_kinds, &spec, p.strings, more);
	p.convert = iot_otf2_convert_new(p.defs, p.made, p.strings, &p.clock, FALSE, &p.diag);
	CHECK(iot_made_bind(p.made, schema, "F", &p.diag, NULL));
	CHECK(p.defs->hosts->len != 1 || p.defs->host);
	for (guint i = 1; p.defs->hosts->len > 1 && i <= MIN(p.defs->hosts->len, MAX_MACHINES); i++)
		CHECK(iot_made_bind_machine(p.made, i, INPUT + i, schema, "F", &p.diag, NULL));
	read_all(&p);
	find_marks(&p);
	iot_otf2_convert_free(p.convert);
	iot_made_free(p.made);
	g_free(p.watches);
	iot_otf2_defs_free(p.defs);
	iot_intern_free(p.strings);
	return 0;
}
