/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pajé output (ViTE, PajeNG, paje.app): one line per begin, end and point; finish puts the file
 * together. */
#include "sinks/paje/paje-trace.h"
#include "base/try-alloc.h"
#include "base/error.h"

static const struct iot_sink_option options[] = {
	{ "events", NULL, "draw point events, too; ViTE covers states with a disc for each" },
	{ "no-events", NULL, "leave out point events (default)" },
	{ "counters", NULL, "draw values of counters, too; ViTE fills rows with them" },
	{ "no-counters", NULL, "leave out values of counters (default)" },
	{ "links", NULL, "draw links, too; ViTE covers states with an arrow for each" },
	{ "no-links", NULL, "leave out links (default)" },
	{ "paths", NULL, "names of rows have the path above them, for pj_dump; ViTE cuts them" },
	{ NULL },
};

static void paje_free(struct iot_sink *sink)
{
	struct paje *paje = (struct paje *)sink;

	if (!paje)
		return;
	for (guint i = 0; i < paje->n_types; i++) {
		if (paje->uses[i])
			g_free(paje->uses[i]->rows);
		g_free(paje->uses[i]);
		if (paje->slots[i])
			g_free(paje->slots[i]->lanes);
		g_free(paje->slots[i]);
	}
	g_free(paje->uses);
	g_free(paje->slots);
	paje_sort_free(paje->late);
	g_free(paje->gaps.data);
	g_free(paje->link_types.data);
	iot_out_free(paje->head);
	iot_out_free(paje->body);
	iot_out_free(paje->out);
	g_clear_pointer(&paje->drawn, g_ptr_array_unref);
	g_free(paje->path);
	g_free(paje);
}

/* "no-" wins: --no-events applies to all outputs. */
static gboolean wants(const struct iot_sink_args *args, const char *with, const char *without)
{
	return iot_sink_flag(args, with) && !iot_sink_flag(args, without);
}

static struct iot_sink *paje_open(const struct iot_sink_args *args, GError **error)
{
	struct paje *paje = g_new0(struct paje, 1);

	paje->base.ops = &iot_sink_paje;
	paje->tl = args->tl;
	paje->late = paje_sort_new(args->path, args->memory / 4);
	paje->without_line = 1 << IOT_ITEM_GAP;
	if (!wants(args, "events", "no-events"))
		paje->without_line |= 1 << IOT_ITEM_POINT;
	if (!wants(args, "counters", "no-counters"))
		paje->without_line |= 1 << IOT_ITEM_SAMPLE;
	if (!wants(args, "links", "no-links"))
		paje->without_line |= 1 << IOT_ITEM_LINK;
	paje->paths = iot_sink_flag(args, "paths");
	paje->time.len = (gsize)(iot_digits_seconds(paje->time.text, 0) - paje->time.text);
	paje->words[0].str = 1; /* free: the word 1 has another slot */
	if (paje_file_open(paje, args->path, error))
		return &paje->base;
	paje_free(&paje->base);
	return NULL;
}

static void grow_types(struct paje *paje, guint n)
{
	guint size = MAX(n, 2 * paje->n_types);

	paje->uses = g_renew(struct paje_use *, paje->uses, size);
	paje->slots = g_renew(struct paje_slot *, paje->slots, size);
	for (guint i = paje->n_types; i < size; i++) {
		paje->uses[i] = NULL;
		paje->slots[i] = NULL;
	}
	paje->n_types = size;
}

static struct paje_slot *new_slot(iot_type_id on, iot_type_id span, gboolean further)
{
	struct paje_slot *slot = g_new0(struct paje_slot, 1);

	slot->on = on;
	slot->span = span;
	slot->further = further;
	return slot;
}

static struct paje_slot *find_slot(struct paje *paje, iot_type_id id, const struct iot_type *type)
{
	struct paje_slot **first = &paje->slots[type->on];

	if (!*first)
		*first = new_slot(type->on, 0, FALSE);
	if (type->kind != IOT_TYPE_SPAN)
		return *first;
	if (!(*first)->span) {
		(*first)->span = id;
		return *first;
	}
	return paje->slots[id] = new_slot(type->on, id, TRUE);
}

void paje_list_attrs(struct paje_use *use)
{
	for (guint i = 0; i < use->type->n_attrs; i++) {
		const struct iot_attr_def *def = &use->type->attr[i];

		if (def->late && use->type->kind == IOT_TYPE_SPAN)
			continue;
		use->attr[use->n_attrs].format = (guint8)def->format;
		use->attr[use->n_attrs++].at = (guint8)i;
		use->min_attrs = i + 1;
	}
}

static void G_GNUC_PRINTF(2, 3) set_part(struct paje_part *part, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	part->len = (gsize)g_vsnprintf(part->text, sizeof(part->text), format, args);
	va_end(args);
}

/* The first item of a type: make the text that its lines share. */
static struct paje_use *new_use(struct paje *paje, iot_type_id id)
{
	static const char letters[][2] = { [IOT_TYPE_SPAN] = { 's', 'u' },
					   [IOT_TYPE_POINT] = { 'e', 'f' },
					   [IOT_TYPE_COUNTER] = { 'y', 'y' } };
	const struct iot_type *type = iot_type_at(paje->tl, id);
	guint number = type->kind == IOT_TYPE_COUNTER ? PAJE_SET_VARIABLE : PAJE_FIRST_FREE + id;
	struct paje_use *use = g_new0(struct paje_use, 1);
	gboolean further;

	if (MAX(id, type->on) >= paje->n_types)
		grow_types(paje, MAX(id, type->on) + 1);
	use->type = type;
	use->slot = find_slot(paje, id, type);
	further = use->slot->further;
	set_part(&use->head, "%u ", number);
	use->letter = letters[type->kind][0];
	/* Further slots have containers of one type for all their lanes. */
	use->lane_letter = letters[type->kind][!further];
	use->lane_value = further ? 'v' : 'w';
	if (further)
		set_part(&use->further, "x%u", id);
	use->marks_leaving = type->leaving != 0;
	paje_list_attrs(use);
	return paje->uses[id] = use;
}

/* Grow an array by row until it has @row; new elements are zero. */
static gboolean grow_rows(gpointer *array, guint *n_rows, gsize elem, iot_row_id row,
			  GError **error)
{
	guint size = MAX(MAX(row + 1, 64), 2 * *n_rows);
	guint8 *grown;

	if (row < *n_rows)
		return TRUE;
	grown = iot_try_realloc(*array, size * elem, "rows", error);
	if (!grown)
		return FALSE;
	memset(grown + *n_rows * elem, 0, (size - *n_rows) * elem);
	*array = grown;
	*n_rows = size;
	return TRUE;
}

/* The row of an item, or NULL if nothing of its type was drawn on that lane. */
static inline const struct paje_row *find_row(const struct paje_use *use,
					      const struct iot_item *item)
{
	if (item->row < use->n_rows && item->lane < use->rows[item->row].lanes)
		return &use->rows[item->row];
	return NULL;
}

/* A variable needs a value at the begin of the trace: the value before its first change. */
static gboolean begin_value(struct paje *paje, const struct iot_item *item, GError **error)
{
	gint64 before =
		(gint64)((guint64)iot_sample_value(item) - (guint64)iot_sample_change(item));
	char line[PAJE_LINE_MAX / 16], number[IOT_REAL_ROOM];
	int len;

	paje->has_counters = TRUE;
	if (iot_type_is_real(iot_type_at(paje->tl, item->type)))
		iot_real_text(number, iot_sample_real_before(item));
	else
		g_snprintf(number, sizeof(number), "%" G_GINT64_FORMAT, before);
	len = g_snprintf(line, sizeof(line), "%d 0.000000000 y%u c%u %s\n", PAJE_SET_VARIABLE,
			 item->type, item->row, number);
	return paje_late_add(paje, 0, line, (gsize)len, error);
}

/* Something is drawn on a lane of the slot. */
static gboolean use_lane(struct paje *paje, struct paje_slot *slot, iot_row_id row, guint lane,
			 GError **error)
{
	if (!grow_rows((gpointer *)&slot->lanes, &slot->n_rows, sizeof(*slot->lanes), row, error))
		return FALSE;
	if (lane < slot->lanes[row])
		return TRUE;
	slot->lanes[row] = lane + 1;
	slot->has_lanes |= lane > 0;
	paje->n_rows++;
	return TRUE;
}

/* The first item of its type on its lane, or the first value of a counter. */
static gboolean new_row(struct paje *paje, struct paje_use *use, const struct iot_item *item,
			GError **error)
{
	struct paje_slot *slot = use->slot;
	struct paje_row *row;

	if (!use_lane(paje, slot, item->row, item->lane, error) ||
	    !grow_rows((gpointer *)&use->rows, &use->n_rows, sizeof(*use->rows), item->row, error))
		return FALSE;
	row = &use->rows[item->row];
	if (item->kind == IOT_ITEM_SAMPLE && !row->lanes && !begin_value(paje, item, error))
		return FALSE;
	row->lanes = item->lane + 1u;
	row->len = (guint8)g_snprintf(row->text, sizeof(row->text), " %c%u c%u", use->letter,
				      item->type, item->row);
	return TRUE;
}

/* An end of a link is on the row itself or on one of its lanes, in the first slot. */
static gboolean use_end(struct paje *paje, iot_row_id row, guint lane, GError **error)
{
	iot_type_id on = iot_row_at(paje->tl, row)->type;

	if (on >= paje->n_types)
		grow_types(paje, on + 1);
	if (!paje->slots[on])
		paje->slots[on] = new_slot(on, 0, FALSE);
	return use_lane(paje, paje->slots[on], row, lane, error);
}

static gboolean add_gap(struct paje *paje, const struct iot_item *item, GError **error)
{
	struct paje_gap *gap = paje_array_room(&paje->gaps, 1, sizeof(*gap), error);

	if (!gap)
		return FALSE;
	gap->node = iot_gap_node(item);
	gap->t0 = iot_tl_rel(paje->tl, item->t0);
	gap->t1 = iot_tl_rel(paje->tl, item->t1);
	gap->lost = iot_gap_lost(item);
	paje->gaps.n++;
	return TRUE;
}

static void set_time(struct paje *paje, guint64 t)
{
	struct paje_time *time = &paje->time;

	time->t = t;
	time->second = t - t % PAJE_SECOND;
	time->len = (gsize)(iot_digits_seconds(time->text, t) - time->text);
}

static inline gboolean has_room(const struct iot_out *body)
{
	return body->size - body->used >= PAJE_LINE_ROOM;
}

static gboolean rare_item(struct paje *paje, const struct iot_item *item, guint64 t,
			  GError **error);

/* Fast path: the row is known, the second is the same, and the buffer has room. */
static gboolean paje_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct paje *paje = (struct paje *)sink;
	struct paje_time *time = &paje->time;
	const struct paje_use *use = item->type < paje->n_types ? paje->uses[item->type] : NULL;
	const struct paje_row *row = use ? find_row(use, item) : NULL;
	guint64 t = iot_tl_rel(paje->tl, item->t1);

	if (G_UNLIKELY(!row || !has_room(paje->body)))
		return rare_item(paje, item, t, error);
	/* fast path: the time of the item before */
	if (t != time->t || iot_slow_only()) {
		if (G_UNLIKELY(t < time->t || t - time->second >= PAJE_SECOND))
			return rare_item(paje, item, t, error);
		time->t = t;
		iot_digits_nine(time->text + time->len - 9, (guint32)(t - time->second));
	}
	return paje_line_put(paje, use, row, item);
}

/* Move a line that is late from the body to the late lines. */
static gboolean put_late(struct paje *paje, const struct iot_item *item, guint64 t, GError **error)
{
	struct paje_time now = paje->time;
	struct iot_out *body = paje->body;
	gsize used = body->used, len;

	set_time(paje, t);
	if (!paje_item(&paje->base, item, error))
		return FALSE;
	len = body->used - used;
	body->used = used;
	paje->time = now;
	return paje_late_add(paje, t, (char *)body->buffer + used, len, error);
}

/* Slow path of paje_item: an item without a line, or a row, second or buffer that is new. */
static G_GNUC_NO_INLINE gboolean rare_item(struct paje *paje, const struct iot_item *item,
					   guint64 t, GError **error)
{
	struct paje_use *use = item->type < paje->n_types ? paje->uses[item->type] : NULL;

	if (paje->without_line & 1u << item->kind)
		return item->kind != IOT_ITEM_GAP || add_gap(paje, item, error);
	if (item->kind == IOT_ITEM_LINK && iot_link_is_stub(item)) {
		iot_diag_add(&paje->diag, IOT_DIAG_stubs_left_out, 1);
		return TRUE;
	}
	if (item->kind == IOT_ITEM_LINK) {
		set_time(paje, t);
		return use_end(paje, item->row, item->lane, error) &&
		       use_end(paje, item->row_to, item->lane_to, error) &&
		       paje_link_add(paje, item, error);
	}
	if (!use)
		use = new_use(paje, item->type);
	if (!find_row(use, item) && !new_row(paje, use, item, error))
		return FALSE;
	if (!has_room(paje->body) && !paje_file_flush(paje, error))
		return FALSE;
	if (t < paje->time.t)
		return put_late(paje, item, t, error);
	set_time(paje, t);
	return paje_item(&paje->base, item, error);
}

static gboolean paje_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct paje *paje = (struct paje *)sink;
	guint64 end;

	if (!paje_late_gaps(paje, error))
		return FALSE;
	end = iot_tl_rel(paje->tl, MIN(summary->end_ns, summary->to_ns));
	end = MAX(end, MAX(paje->time.t, paje->gaps_end));
	return paje_file_finish(paje, end, error);
}

static const struct iot_diag *paje_diag(const struct iot_sink *sink)
{
	return &((const struct paje *)sink)->diag;
}

static gsize paje_memory(const struct iot_sink *sink)
{
	const struct paje *paje = (const struct paje *)sink;
	gsize bytes = sizeof(*paje) + IOT_OUT_BUFFER + paje_sort_memory(paje->late) +
		      paje->gaps.size * sizeof(struct paje_gap);

	for (guint i = 0; i < paje->n_types; i++) {
		if (paje->slots[i])
			bytes += paje->slots[i]->n_rows * sizeof(*paje->slots[i]->lanes);
		if (paje->uses[i])
			bytes += paje->uses[i]->n_rows * sizeof(*paje->uses[i]->rows);
	}
	return bytes;
}

const struct iot_sink_ops iot_sink_paje = {
	.name = "paje",
	.summary = "Pajé trace for ViTE, PajeNG and paje.app",
	.suffix = ".paje",
	.default_path = "iotrace.paje",
	.feed = IOT_FEED_WITH_BEGINS,
	.options = options,
	.open = paje_open,
	.item = paje_item,
	.finish = paje_finish,
	.diag = paje_diag,
	.memory = paje_memory,
	.free = paje_free,
};
