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

/* Events that are missing between two ends of packets, as the tracer says. */
struct loss {
	guint64 from_ns, to_ns; /* to_ns G_MAXUINT64: up to the next event */
	gboolean counted;
	guint64 n; /* events; if counted */
};

/* Whether the message says that events are missing. */
static gboolean is_loss(const bt_message *message)
{
	bt_message_type type = bt_message_get_type(message);

	return type == BT_MESSAGE_TYPE_DISCARDED_EVENTS ||
	       type == BT_MESSAGE_TYPE_DISCARDED_PACKETS;
}

/* The ends of a loss; packets may have no times of their own. */
static gboolean find_ends(struct iot_ctf_run *run, const bt_message *message, gboolean events,
			  struct loss *out, GError **error)
{
	const bt_stream_class *stream = bt_stream_borrow_class_const(
		events ? bt_message_discarded_events_borrow_stream_const(message)
		       : bt_message_discarded_packets_borrow_stream_const(message));
	const bt_clock_snapshot *from, *to;

	out->from_ns = run->now_ns;
	out->to_ns = G_MAXUINT64;
	if (events ? !bt_stream_class_discarded_events_have_default_clock_snapshots(stream)
		   : !bt_stream_class_discarded_packets_have_default_clock_snapshots(stream))
		return TRUE;
	from = events ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
				message)
		      : bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
				message);
	to = events ? bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message)
		    : bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message);
	if (!time_of(run, from, &out->from_ns, error) || !time_of(run, to, &out->to_ns, error))
		return FALSE;
	out->from_ns = MAX(iot_clock_cursor_correct(&run->cursor, out->from_ns), run->now_ns);
	out->to_ns = MAX(iot_clock_cursor_correct(&run->cursor, out->to_ns), out->from_ns);
	return TRUE;
}

/* Nobody knows how many events were in a packet that is lost. */
static gboolean read_loss(struct iot_ctf_run *run, const bt_message *message, struct loss *out,
			  GError **error)
{
	gboolean events = bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_EVENTS;

	*out = (struct loss){ 0 };
	if (events)
		out->counted = bt_message_discarded_events_get_count(message, &out->n) ==
			       BT_PROPERTY_AVAILABILITY_AVAILABLE;
	return find_ends(run, message, events, out, error);
}

/* A loss begins a gap, or is a part of the one that has not been told yet. */
static void take_loss(struct iot_ctf_run *run, const struct loss *loss)
{
	guint64 lost = loss->counted ? loss->n : G_MAXUINT64;

	if (run->in_gap) {
		run->gap_to = MAX(run->gap_to, loss->to_ns);
		run->gap_lost = MAX(run->gap_lost, lost) == G_MAXUINT64 ? G_MAXUINT64
									: run->gap_lost + lost;
	} else {
		run->in_gap = TRUE;
		run->gap_told = FALSE;
		run->gap_from = loss->from_ns;
		run->gap_to = loss->to_ns;
		run->gap_lost = lost;
		iot_diag_add(&run->src->diag, IOT_DIAG_gaps, 1);
	}
	run->running = -1;
	run->src->n_lost += loss->n;
	iot_diag_add(&run->src->diag, IOT_DIAG_events_lost, loss->n);
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

/* Deliver the ends of the gap that are before the next event, at @ns, or the end of the stream
 * (G_MAXUINT64); FALSE: the batch is full. */
static gboolean add_gap(struct iot_ctf_run *run, struct iot_batch *batch, guint64 ns)
{
	if (!run->in_gap)
		return TRUE;
	if (run->gap_to == G_MAXUINT64)
		run->gap_to = ns;
	if (!run->gap_told && !add_gap_end(run, batch, TRUE))
		return FALSE;
	return run->gap_to > ns || run->gap_to == G_MAXUINT64 || add_gap_end(run, batch, FALSE);
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

/* A message that is neither an event nor a loss. */
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
	default:
		return TRUE;
	}
}

/* ---- begin */

gboolean iot_ctf_run_begin(struct iot_ctf_run *run, GError **error)
{
	g_autoptr(GError) failed = NULL;
	const bt_message *message;
	struct loss loss;
	guint64 ns;

	run->cpu = G_MAXUINT32;
	run->running = -1;
	run->strings = iot_intern_new();
	iot_clock_cursor_init(&run->cursor, &run->src->clock, 0);
	while ((message = iot_ctf_graph_peek(run->src->graph, run->index, &failed)) &&
	       bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT) {
		if (is_loss(message)) {
			if (!read_loss(run, message, &loss, error))
				return FALSE;
			take_loss(run, &loss);
		} else if (!take_other(run, message, error)) {
			return FALSE;
		}
		iot_ctf_graph_take(run->src->graph, run->index);
	}
	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	run->first_ns = run->in_gap && run->gap_from ? run->gap_from : G_MAXUINT64;
	if (message) {
		if (!time_of(run, bt_message_event_borrow_default_clock_snapshot_const(message),
			     &ns, error))
			return FALSE;
		run->first_ns = MIN(run->first_ns, iot_clock_cursor_correct(&run->cursor, ns));
	}
	if (run->in_gap && !run->gap_from)
		run->gap_from = run->first_ns;
	run->has_events = run->first_ns != G_MAXUINT64;
	run->in_gap &= run->has_events; /* else nobody knows when it was; it is counted */
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

/* A loss that begins in a gap which has been told ends it. */
static gboolean take_loss_in_order(struct iot_ctf_run *run, struct iot_batch *batch,
				   const bt_message *message, gboolean *out_full, GError **error)
{
	struct loss loss;

	if (!read_loss(run, message, &loss, error))
		return FALSE;
	if (run->in_gap && (run->gap_told || run->gap_to <= loss.from_ns)) {
		loss.to_ns = MAX(loss.to_ns, run->gap_to);
		run->gap_to = MIN(run->gap_to, loss.from_ns);
		*out_full = !add_gap(run, batch, G_MAXUINT64);
		if (*out_full)
			return TRUE;
	}
	take_loss(run, &loss);
	return TRUE;
}

static gboolean take(struct iot_ctf_run *run, struct iot_batch *batch, const bt_message *message,
		     gboolean *out_full, GError **error)
{
	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT)
		return take_event(run, batch, message, out_full, error);
	return is_loss(message) ? take_loss_in_order(run, batch, message, out_full, error)
				: take_other(run, message, error);
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
		if (!message) {
			full = !add_gap(run, batch, G_MAXUINT64);
			break;
		}
		if (!take(run, batch, message, &full, error))
			return IOT_NEXT_ERROR;
		if (full)
			break;
		iot_ctf_graph_take(run->src->graph, run->index);
	}
	if (batch->n)
		return IOT_NEXT_OK;
	return full ? iot_batch_too_small(batch, error) : IOT_NEXT_END;
}
