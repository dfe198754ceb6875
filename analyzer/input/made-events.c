/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/real.h"
#include "input/made-events.h"

/* An event that models want: for each slot the field. */
struct iot_made_binding {
	struct iot_event *event; /* NULL: not wanted */
	guint8 field[IOT_MAX_SLOTS];
	gboolean has_texts; /* real numbers as texts */
};

/* A machine of which the source tells. */
struct iot_made_machine {
	guint64 n_events;		   /* delivered */
	struct iot_made_binding *bindings; /* of each event; NULL: it is not bound */
};

/* What is delivered next: an event, or the begin or end of a gap. */
struct iot_made_item {
	const struct iot_event *gap; /* NULL: an event */
	guint64 other_end;	     /* of a gap */
	struct iot_made_rec rec;
};

struct iot_made *iot_made_new(const struct iot_made_kinds *kinds, const struct iot_input_spec *spec,
			      struct iot_intern *strings,
			      gboolean (*more)(struct iot_source *base, GError **error))
{
	struct iot_made *made = g_new0(struct iot_made, 1);

	g_assert(kinds->n_fields <= IOT_MADE_FIELDS);
	made->kinds = kinds;
	made->strings = strings;
	made->more = more;
	made->input = spec->input;
	made->first_run = spec->first_run;
	made->machines = g_array_new(FALSE, TRUE, sizeof(struct iot_made_machine));
	iot_event_init_gap(&made->gap_begin, IOT_EVENT_GAP_BEGIN, spec->input);
	iot_event_init_gap(&made->gap_end, IOT_EVENT_GAP_END, spec->input);
	return made;
}

static void free_bindings(const struct iot_made *made, const struct iot_made_machine *machine)
{
	for (guint i = 0; machine->bindings && i < made->kinds->n_events; i++)
		g_free(machine->bindings[i].event);
	g_free(machine->bindings);
}

void iot_made_free(struct iot_made *made)
{
	if (!made)
		return;
	for (guint i = 0; i < made->machines->len; i++)
		free_bindings(made, &g_array_index(made->machines, struct iot_made_machine, i));
	g_array_unref(made->machines);
	g_free(made->queue);
	g_free(made);
}

/* ---- bind */

gboolean iot_made_has_event(const struct iot_made_kinds *kinds, const char *system,
			    const char *name)
{
	for (guint i = 0; i < kinds->n_events; i++)
		if (!strcmp(system, kinds->event[i].system) && !strcmp(name, kinds->event[i].name))
			return TRUE;
	return FALSE;
}

/* Fields of every event, behind its own: the process, and 0: that it was no interrupt, or that it
 * has no such field. */
enum { FIELD_PID = IOT_MADE_FIELDS, FIELD_ZERO };

/* The field of the event with this name; -1: it has none. */
static gint8 find_field(const struct iot_made_kinds *kinds, guint event, const char *name)
{
	for (guint i = 0; i < kinds->n_fields; i++)
		if (kinds->event[event].fields >> i & 1 && !strcmp(kinds->field[i], name))
			return (gint8)i;
	return !strcmp(name, "common_pid")	  ? FIELD_PID
	       : !strcmp(name, IOT_CONTEXT_FIELD) ? FIELD_ZERO
						  : -1;
}

static guint8 type_of(const struct iot_made_kinds *kinds, guint field)
{
	return field >= kinds->n_fields	    ? IOT_SLOT_INT
	       : field >= kinds->first_text ? IOT_SLOT_STR
	       : field >= kinds->first_real ? IOT_SLOT_REAL
					    : IOT_SLOT_INT;
}

static gboolean bind_slot(const struct iot_made *made, struct iot_made_binding *binding, guint kind,
			  const struct iot_schema_event *wanted, guint slot, const char *path,
			  struct iot_diag *diag, GError **error)
{
	const struct iot_schema_field *field = &wanted->field[slot];
	const char *name = field->numbers ? wanted->field[field->from].name : field->name;
	gint8 found =
		field->from >= 0 && !field->numbers ? -1 : find_field(made->kinds, kind, name);
	guint8 type;

	binding->field[slot] = found < 0 ? FIELD_ZERO : (guint8)found;
	if (found < 0) {
		if (!field->required || field->from >= 0)
			return TRUE;
		g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
			    "%s: event %s of %s has no field %s (required by %s)", path,
			    wanted->name, made->kinds->file, name,
			    field->needed_by ? field->needed_by : "a model");
		return FALSE;
	}
	type = type_of(made->kinds, (guint)found);
	if (!iot_schema_check_type(wanted, slot, &type, path, diag, error))
		return FALSE;
	if (type == IOT_SLOT_ABSENT)
		binding->field[slot] = FIELD_ZERO;
	binding->event->slot_type[slot] = type;
	if (type == IOT_SLOT_STR && (guint)found < made->kinds->first_text)
		binding->has_texts = TRUE;
	return TRUE;
}

gboolean iot_made_bind_machine(struct iot_made *made, guint machine, guint32 input,
			       const struct iot_schema *schema, const char *path,
			       struct iot_diag *diag, GError **error)
{
	struct iot_made_machine *own;

	if (made->machines->len <= machine)
		g_array_set_size(made->machines, machine + 1);
	own = &g_array_index(made->machines, struct iot_made_machine, machine);
	own->bindings = g_new0(struct iot_made_binding, made->kinds->n_events);
	for (guint i = 0; i < made->kinds->n_events; i++) {
		const struct iot_schema_event *wanted = iot_schema_find(
			schema, made->kinds->event[i].system, made->kinds->event[i].name);
		struct iot_event *event;

		if (!wanted)
			continue;
		event = own->bindings[i].event = g_new0(struct iot_event, 1);
		event->index = wanted->index;
		event->input = input;
		event->n_slots = wanted->n_fields;
		for (guint slot = 0; slot < wanted->n_fields; slot++)
			if (!bind_slot(made, &own->bindings[i], i, wanted, slot, path, diag, error))
				return FALSE;
		iot_event_find_strs(event);
	}
	return TRUE;
}

gboolean iot_made_bind(struct iot_made *made, const struct iot_schema *schema, const char *path,
		       struct iot_diag *diag, GError **error)
{
	return iot_made_bind_machine(made, 0, made->input, schema, path, diag, error);
}

guint64 iot_made_machine_events(const struct iot_made *made, guint machine)
{
	return machine < made->machines->len
		       ? g_array_index(made->machines, struct iot_made_machine, machine).n_events
		       : 0;
}

/* ---- put */

static inline struct iot_made_item *add_room(struct iot_made *made)
{
	if (G_UNLIKELY(made->n_queued == made->room)) {
		made->room = MAX(2 * made->room, 16);
		made->queue = g_renew(struct iot_made_item, made->queue, made->room);
	}
	return &made->queue[made->n_queued++];
}

struct iot_made_rec *iot_made_add(struct iot_made *made, guint event, guint machine, gint32 pid,
				  guint64 ns)
{
	struct iot_made_item *item = add_room(made);

	made->now_ns = MAX(made->now_ns, ns);
	item->gap = NULL;
	item->rec.event = event;
	item->rec.machine = machine;
	item->rec.pid = pid;
	item->rec.ts = made->now_ns;
	memset(item->rec.field, 0, made->kinds->n_fields * sizeof(*item->rec.field));
	return &item->rec;
}

struct iot_made_rec *iot_made_put(struct iot_made *made, const struct iot_made_rec *rec, guint64 ns)
{
	struct iot_made_item *item = add_room(made);

	made->now_ns = MAX(made->now_ns, ns);
	item->gap = NULL;
	item->rec = *rec;
	item->rec.ts = made->now_ns;
	return &item->rec;
}

static void put_gap_end(struct iot_made *made, const struct iot_event *gap, guint64 ts,
			guint64 other_end)
{
	*add_room(made) =
		(struct iot_made_item){ .gap = gap, .other_end = other_end, .rec.ts = ts };
}

void iot_made_put_gap(struct iot_made *made, guint64 to_ns)
{
	guint64 from_ns = made->now_ns;

	if (to_ns != G_MAXUINT64)
		to_ns = made->now_ns = MAX(from_ns, to_ns);
	put_gap_end(made, &made->gap_begin, from_ns, to_ns);
	if (to_ns != G_MAXUINT64)
		put_gap_end(made, &made->gap_end, to_ns, from_ns);
}

/* ---- read */

/* Real numbers that a model wants as texts. */
static void make_texts(const struct iot_made *made, const struct iot_made_binding *binding,
		       struct iot_rec *rec)
{
	char text[IOT_REAL_ROOM];

	for (guint slot = 0; slot < binding->event->n_slots; slot++)
		if (binding->event->slot_type[slot] == IOT_SLOT_STR &&
		    binding->field[slot] < made->kinds->first_text)
			rec->slot[slot].i = iot_intern_str(
				made->strings, iot_real_text(text, iot_real_of(rec->slot[slot].u)));
}

static gboolean add_event(struct iot_made *made, struct iot_batch *batch, struct iot_made_rec *from)
{
	struct iot_made_machine *machine =
		from->machine < made->machines->len
			? &g_array_index(made->machines, struct iot_made_machine, from->machine)
			: NULL;
	const struct iot_made_binding *binding;
	struct iot_rec *rec;

	if (!machine || !machine->bindings)
		return TRUE;
	binding = &machine->bindings[from->event];
	if (!binding->event) {
		machine->n_events++;
		return TRUE;
	}
	rec = iot_batch_add(batch, binding->event, from->ts, from->pid);
	if (!rec)
		return FALSE;
	from->field[FIELD_PID] = from->pid;
	from->field[FIELD_ZERO] = 0;
	for (guint slot = 0; slot < binding->event->n_slots; slot++)
		rec->slot[slot].i = from->field[binding->field[slot]];
	if (binding->has_texts)
		make_texts(made, binding, rec);
	machine->n_events++;
	return TRUE;
}

/* FALSE: the batch is full. */
static gboolean add_item(struct iot_made *made, struct iot_batch *batch, struct iot_made_item *item)
{
	struct iot_rec *rec;

	if (!item->gap) {
		if (!add_event(made, batch, &item->rec))
			return FALSE;
		made->n_events += !item->rec.machine;
		return TRUE;
	}
	rec = iot_batch_add(batch, item->gap, item->rec.ts, 0);
	if (rec)
		iot_rec_set_gap(rec, G_MAXUINT64, item->other_end);
	return rec != NULL;
}

enum iot_next iot_made_read(struct iot_made *made, struct iot_source *base, guint run,
			    struct iot_batch *batch, GError **error)
{
	iot_batch_reset(batch, made->first_run + run);
	for (;;) {
		g_autoptr(GError) failed = NULL;

		for (; made->next < made->n_queued; made->next++)
			if (!add_item(made, batch, &made->queue[made->next]))
				return batch->n ? IOT_NEXT_OK : iot_batch_too_small(batch, error);
		made->n_queued = made->next = 0;
		if (made->ended || made->now_ns > base->to_ns)
			return batch->n ? IOT_NEXT_OK : IOT_NEXT_END;
		if (made->more(base, &failed))
			continue;
		if (failed) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return IOT_NEXT_ERROR;
		}
		made->ended = TRUE;
	}
}

guint iot_made_n_runs(const struct iot_source *base)
{
	(void)base;
	return 1;
}

guint32 iot_made_cpu(const struct iot_source *base, guint run)
{
	(void)base;
	(void)run;
	return 0;
}
