/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf/ctf-run.h"
#include "base/error.h"
#include "input/source.h"

#define NS_PER_S 1000000000

/* ---- times */

/*
 * The time of a snapshot of the stream's clock, exact to the ns below: the library's own function
 * computes with real numbers if the clock does not count ns.
 */
static gboolean time_of(const struct iot_ctf_run *run, const bt_clock_snapshot *snapshot,
			guint64 *out_ns, GError **error)
{
	__int128 cycles = (__int128)bt_clock_snapshot_get_value(snapshot) + run->offset_cycles;
	__int128 ns = (__int128)run->offset_s * NS_PER_S;

	ns += run->frequency == NS_PER_S ? cycles : cycles * NS_PER_S / run->frequency;
	if (ns >= 0 && ns <= G_MAXINT64) {
		*out_ns = (guint64)ns;
		return TRUE;
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: this CTF trace has a time that is before 0 of its clock, or more than 292 "
		    "years after it: it is damaged, or its clock has a wrong offset",
		    run->src->path);
	return FALSE;
}

/* ---- gaps */

/* The tracer says how many events are missing, and between which two ends of packets. */
static gboolean take_loss(struct iot_ctf_run *run, const bt_clock_snapshot *from,
			  const bt_clock_snapshot *to, gboolean counted, guint64 lost,
			  GError **error)
{
	guint64 from_ns, to_ns;

	if (!time_of(run, from, &from_ns, error) || !time_of(run, to, &to_ns, error))
		return FALSE;
	from_ns = MAX(iot_clock_cursor_correct(&run->cursor, from_ns), run->now_ns);
	to_ns = MAX(iot_clock_cursor_correct(&run->cursor, to_ns), from_ns);
	if (run->in_gap) { /* its begin has not been told yet */
		run->gap_to = MAX(run->gap_to, to_ns);
		run->gap_lost = counted && run->gap_lost != G_MAXUINT64 ? run->gap_lost + lost
									: G_MAXUINT64;
	} else {
		run->in_gap = TRUE;
		run->gap_told = FALSE;
		run->gap_from = from_ns;
		run->gap_to = to_ns;
		run->gap_lost = counted ? lost : G_MAXUINT64;
		iot_diag_add(&run->src->diag, IOT_DIAG_gaps, 1);
	}
	run->running = -1;
	if (!counted)
		return TRUE;
	run->src->n_lost += lost;
	iot_diag_add(&run->src->diag, IOT_DIAG_events_lost, lost);
	return TRUE;
}

/* Deliver one end of the gap; FALSE: the batch is full. */
static gboolean add_gap_end(struct iot_ctf_run *run, struct iot_batch *batch, gboolean begin)
{
	struct iot_rec *rec =
		iot_batch_add(batch, begin ? &run->src->gap_begin : &run->src->gap_end,
			      begin ? run->gap_from : run->gap_to, 0);

	if (!rec)
		return FALSE;
	iot_rec_set_gap(rec, run->gap_lost, begin ? run->gap_to : run->gap_from);
	run->now_ns = MAX(run->now_ns, rec->ts);
	run->src->last_ns = MAX(run->src->last_ns, rec->ts);
	if (begin)
		run->gap_told = TRUE;
	else
		run->in_gap = FALSE;
	return TRUE;
}

/* The ends of the gap that are before what comes next, at @ns; FALSE: the batch is full. */
static gboolean add_gap(struct iot_ctf_run *run, struct iot_batch *batch, guint64 ns)
{
	if (run->in_gap && !run->gap_told && !add_gap_end(run, batch, TRUE))
		return FALSE;
	return !run->in_gap || run->gap_to > ns || add_gap_end(run, batch, FALSE);
}

/* ---- messages */

static gboolean take_clock(struct iot_ctf_run *run, const bt_stream *stream, GError **error)
{
	run->clock = bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(stream));
	if (!run->clock) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: this CTF trace has events without times: a stream has no clock",
			    run->src->path);
		return FALSE;
	}
	run->frequency = bt_clock_class_get_frequency(run->clock);
	bt_clock_class_get_offset(run->clock, &run->offset_s, &run->offset_cycles);
	return TRUE;
}

/* The processor of a packet. */
static void take_packet(struct iot_ctf_run *run, const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet);
	const bt_field *cpu =
		context ? bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id")
			: NULL;

	if (cpu && bt_field_get_class_type(cpu) == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		run->cpu = (guint32)bt_field_integer_unsigned_get_value(cpu);
}

static gboolean take_lost_events(struct iot_ctf_run *run, const bt_message *message, GError **error)
{
	guint64 n = 0;
	gboolean counted = bt_message_discarded_events_get_count(message, &n) ==
			   BT_PROPERTY_AVAILABILITY_AVAILABLE;

	return take_loss(
		run,
		bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message),
		bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message),
		counted, n, error);
}

/* Nobody knows how many events were in a packet that is lost. */
static gboolean take_lost_packets(struct iot_ctf_run *run, const bt_message *message,
				  GError **error)
{
	return take_loss(
		run,
		bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message),
		bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message),
		FALSE, 0, error);
}

/* A message that is no event. */
static gboolean take_other(struct iot_ctf_run *run, const bt_message *message, GError **error)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING: {
		const bt_stream *stream = bt_message_stream_beginning_borrow_stream_const(message);

		run->trace = bt_stream_borrow_trace_const(stream);
		iot_ctf_classes_add(run->src->classes, bt_stream_borrow_class_const(stream));
		return take_clock(run, stream, error);
	}
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		if (!run->has_events)
			take_packet(run, bt_message_packet_beginning_borrow_packet_const(message));
		return TRUE;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return take_lost_events(run, message, error);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return take_lost_packets(run, message, error);
	default:
		return TRUE;
	}
}

/* ---- begin */

gboolean iot_ctf_run_begin(struct iot_ctf_run *run, GError **error)
{
	g_autoptr(GError) failed = NULL;
	const bt_message *message;
	guint64 ns;

	run->cpu = G_MAXUINT32;
	run->running = -1;
	run->strings = iot_intern_new();
	iot_clock_cursor_init(&run->cursor, &run->src->clock, 0);
	while ((message = iot_ctf_graph_peek(run->src->graph, run->index, &failed)) &&
	       bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT) {
		if (!take_other(run, message, error))
			return FALSE;
		iot_ctf_graph_take(run->src->graph, run->index);
	}
	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	run->first_ns = run->in_gap ? run->gap_from : G_MAXUINT64;
	if (message) {
		if (!time_of(run, bt_message_event_borrow_default_clock_snapshot_const(message),
			     &ns, error))
			return FALSE;
		run->first_ns = MIN(run->first_ns, iot_clock_cursor_correct(&run->cursor, ns));
	}
	run->has_events = message || run->in_gap;
	return TRUE;
}

void iot_ctf_run_clear(struct iot_ctf_run *run)
{
	iot_intern_free(run->strings);
}

/* ---- read */

static gint32 thread_of(struct iot_ctf_run *run, const struct iot_ctf_class *class,
			const bt_event *event)
{
	const bt_field *field = iot_ctf_field(event, &class->thread);

	if (field)
		return (gint32)iot_ctf_field_value(field, IOT_SLOT_INT, NULL).i;
	if (run->running >= 0)
		return run->running;
	if (class->event)
		iot_diag_add(&run->src->diag, IOT_DIAG_thread_unknown, 1);
	return 0;
}

static union iot_val slot_value(const struct iot_ctf_run *run, const bt_event *event,
				const struct iot_ctf_slot *slot, guint8 type, gint32 pid)
{
	const bt_field *field;
	char text[IOT_CTF_RWBS_ROOM];
	union iot_val value;

	if (slot->is_pid)
		return (union iot_val){ .i = pid };
	field = iot_ctf_field(event, &slot->place);
	if (slot->convert == IOT_CTF_RWBS) {
		value = iot_ctf_field_value(field, IOT_SLOT_UINT, NULL);
		value.u = iot_intern_str(run->strings, iot_ctf_rwbs(text, value.u));
		return value;
	}
	value = iot_ctf_field_value(field, type, run->strings);
	if (slot->convert == IOT_CTF_PRIO)
		value.i += 100;
	return value;
}

/* FALSE: the batch is full. */
static gboolean add_event(struct iot_ctf_run *run, struct iot_batch *batch, const bt_event *event,
			  guint64 ns)
{
	const struct iot_ctf_class *class = iot_ctf_classes_find(run->src->classes, event);
	const struct iot_event *bound = class->event;
	struct iot_rec *rec = NULL;
	const bt_field *next;
	gint32 pid;

	if (bound && batch->size - batch->used < iot_rec_size(bound))
		return FALSE;
	pid = thread_of(run, class, event);
	if (bound) {
		rec = iot_batch_add(batch, bound, ns, pid);
		for (guint i = 0; i < bound->n_slots; i++)
			rec->slot[i] = bound->slot_type[i] == IOT_SLOT_ABSENT
					       ? (union iot_val){ 0 }
					       : slot_value(run, event, &class->slot[i],
							    bound->slot_type[i], pid);
	}
	next = iot_ctf_field(event, &class->next);
	if (next)
		run->running = (gint32)iot_ctf_field_value(next, IOT_SLOT_INT, NULL).i;
	return TRUE;
}

/* An event; *out_full: it did not go into the batch. */
static gboolean take_event(struct iot_ctf_run *run, struct iot_batch *batch,
			   const bt_message *message, gboolean *out_full, GError **error)
{
	guint64 ns;
	gboolean back;

	if (!time_of(run, bt_message_event_borrow_default_clock_snapshot_const(message), &ns,
		     error))
		return FALSE;
	if (!ns) {
		iot_diag_add(&run->src->diag, IOT_DIAG_event_undated, 1);
		return TRUE;
	}
	ns = iot_clock_cursor_correct(&run->cursor, ns);
	back = ns < run->now_ns;
	ns = MAX(ns, run->now_ns);
	*out_full = !add_gap(run, batch, ns) ||
		    !add_event(run, batch, bt_message_event_borrow_event_const(message), ns);
	if (*out_full)
		return TRUE;
	if (back)
		iot_diag_add(&run->src->diag, IOT_DIAG_clock_stepped_back, 1);
	run->now_ns = ns;
	run->src->n_events++;
	run->src->last_ns = MAX(run->src->last_ns, ns);
	return TRUE;
}

/* Before a message; FALSE: the batch is full. */
static gboolean end_gap(struct iot_ctf_run *run, struct iot_batch *batch, const bt_message *message)
{
	bt_message_type type = message ? bt_message_get_type(message) : BT_MESSAGE_TYPE_STREAM_END;

	/* the next loss begins where this one ends */
	if (!message || type == BT_MESSAGE_TYPE_DISCARDED_EVENTS ||
	    type == BT_MESSAGE_TYPE_DISCARDED_PACKETS)
		return add_gap(run, batch, G_MAXUINT64);
	return TRUE;
}

enum iot_next iot_ctf_run_read(struct iot_ctf_run *run, struct iot_batch *batch, guint64 to_ns,
			       GError **error)
{
	g_autoptr(GError) failed = NULL;
	const bt_message *message = NULL;
	gboolean full = FALSE;

	while (run->now_ns <= to_ns) {
		message = iot_ctf_graph_peek(run->src->graph, run->index, &failed);
		if (failed) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return IOT_NEXT_ERROR;
		}
		full = !end_gap(run, batch, message);
		if (full || !message)
			break;
		if (!(bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT
			      ? take_event(run, batch, message, &full, error)
			      : take_other(run, message, error)))
			return IOT_NEXT_ERROR;
		if (full)
			break;
		iot_ctf_graph_take(run->src->graph, run->index);
	}
	if (batch->n)
		return IOT_NEXT_OK;
	return full ? iot_batch_too_small(batch, error) : IOT_NEXT_END;
}
