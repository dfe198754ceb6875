/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pajé output (ViTE, PajeNG, paje.app): one line per begin, end and point; finish puts the file
 * together. */
#include "sinks/paje.h"
#include "base/chunk.h"
#include "base/error.h"

static const struct iot_sink_option options[] = {
	{ "no-links", NULL, "leave out arrows" },
	{ "no-events", NULL, "leave out points in time; only spans are drawn" },
	{ "no-counters", NULL, "leave out the values of counters" },
	{ NULL },
};

static void paje_free(struct iot_sink *sink)
{
	struct paje *paje = (struct paje *)sink;

	if (!paje)
		return;
	for (guint i = 0; i < paje->n_types; i++) {
		if (paje->uses[i])
			g_free(paje->uses[i]->has_value);
		g_free(paje->uses[i]);
		if (paje->slots[i])
			g_free(paje->slots[i]->rows);
		g_free(paje->slots[i]);
	}
	g_free(paje->uses);
	g_free(paje->slots);
	g_free(paje->late.data);
	g_free(paje->late_text.data);
	g_free(paje->gaps.data);
	iot_out_free(paje->head);
	iot_out_free(paje->body);
	iot_out_free(paje->out);
	g_free(paje->path);
	g_free(paje);
}

static struct iot_sink *paje_open(const struct iot_sink_args *args, GError **error)
{
	struct paje *paje = g_new0(struct paje, 1);

	paje->base.ops = &iot_sink_paje;
	paje->tl = args->tl;
	paje->apart = 1 << IOT_ITEM_GAP;
	if (iot_sink_flag(args, "no-events"))
		paje->apart |= 1 << IOT_ITEM_POINT;
	if (iot_sink_flag(args, "no-counters"))
		paje->apart |= 1 << IOT_ITEM_SAMPLE;
	paje->time.len = (gsize)(iot_digits_seconds(paje->time.text, 0) - paje->time.text);
	paje->words[0].str = 1; /* none of those that belong there */
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

static void list_attrs(struct paje_use *use)
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

/* The first item of a type: make the text that all its lines share. */
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
	set_part(&use->middle, " %c%u c", letters[type->kind][0], id);
	/* Further slots have containers of one type for all their lanes. */
	use->lane_letter = letters[type->kind][!further];
	use->lane_value = further ? 'v' : 'w';
	if (further)
		set_part(&use->further, "x%u", id);
	list_attrs(use);
	return paje->uses[id] = use;
}

static gboolean grow_boxes(struct paje_slot *slot, guint n, GError **error)
{
	guint size = MAX(MAX(n, 64), 2 * slot->n_boxes);
	struct paje_row *rows = iot_try_realloc(slot->rows, size * sizeof(*rows), "rows", error);

	if (!rows)
		return FALSE;
	memset(rows + slot->n_boxes, 0, (size - slot->n_boxes) * sizeof(*rows));
	slot->rows = rows;
	slot->n_boxes = size;
	return TRUE;
}

static gboolean add_lane(struct paje *paje, struct paje_slot *slot, const struct iot_item *item,
			 GError **error)
{
	char digits[PAJE_ROW_DIGITS + 1];
	struct paje_row *row;

	if (item->box >= slot->n_boxes && !grow_boxes(slot, item->box + 1, error))
		return FALSE;
	row = &slot->rows[item->box];
	row->n_digits = (guint8)(iot_digits(digits, item->box) - digits);
	memcpy(row->digits, digits, row->n_digits);
	row->lanes = item->lane + 1u;
	slot->has_lanes |= item->lane > 0;
	paje->n_rows++;
	return TRUE;
}

/* The row of an item, or NULL if nothing was drawn on that lane. */
static inline const struct paje_row *find_row(const struct paje_slot *slot,
					      const struct iot_item *item)
{
	if (item->box < slot->n_boxes && item->lane < slot->rows[item->box].lanes)
		return &slot->rows[item->box];
	return NULL;
}

static gboolean add_gap(struct paje *paje, const struct iot_item *item, GError **error)
{
	struct paje_gap *gap = paje_array_room(&paje->gaps, 1, sizeof(*gap), error);

	if (!gap)
		return FALSE;
	gap->node = (iot_str)item->attr[0].str;
	gap->t0 = iot_tl_rel(paje->tl, item->t0);
	gap->t1 = iot_tl_rel(paje->tl, item->t1);
	gap->lost = item->attr[1].u;
	paje->gaps.n++;
	return TRUE;
}

static gboolean grow_values(struct paje_use *use, guint n, GError **error)
{
	guint size = MAX(MAX(n, 64), 2 * use->n_boxes);
	guint8 *grown = iot_try_realloc(use->has_value, size, "rows", error);

	if (!grown)
		return FALSE;
	memset(grown + use->n_boxes, 0, size - use->n_boxes);
	use->has_value = grown;
	use->n_boxes = size;
	return TRUE;
}

/* A variable needs a value from the begin on: the one before its first change. */
static gboolean begin_value(struct paje *paje, struct paje_use *use, const struct iot_item *item,
			    GError **error)
{
	gint64 before = (gint64)(item->attr[0].u - item->attr[1].u);
	char line[PAJE_LINE_MAX / 16];
	int len;

	if (item->box >= use->n_boxes && !grow_values(use, item->box + 1, error))
		return FALSE;
	use->has_value[item->box] = TRUE;
	paje->has_counters = TRUE;
	len = g_snprintf(line, sizeof(line), "%d 0.000000000 y%u c%u %" G_GINT64_FORMAT "\n",
			 PAJE_SET_VARIABLE, item->type, item->box, before);
	return paje_late_add(paje, 0, line, (gsize)len, error);
}

/* Whether it is not the first value of a counter. */
static inline gboolean has_value(const struct paje_use *use, const struct iot_item *item)
{
	return item->kind != IOT_ITEM_SAMPLE ||
	       (item->box < use->n_boxes && use->has_value[item->box]);
}

/* Gaps and what is left out. */
static gboolean no_line(struct paje *paje, const struct iot_item *item, GError **error)
{
	return item->kind != IOT_ITEM_GAP || add_gap(paje, item, error);
}

/* The first item of its type or on its lane, or the first value of a counter. */
static G_GNUC_NO_INLINE struct paje_use *first_item(struct paje *paje, const struct iot_item *item,
						    GError **error)
{
	struct paje_use *use = item->type < paje->n_types ? paje->uses[item->type] : NULL;

	if (!use)
		use = new_use(paje, item->type);
	if (!find_row(use->slot, item) && !add_lane(paje, use->slot, item, error))
		return NULL;
	if (!has_value(use, item) && !begin_value(paje, use, item, error))
		return NULL;
	return use;
}

static gboolean paje_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct paje *paje = (struct paje *)sink;
	const struct paje_use *use = item->type < paje->n_types ? paje->uses[item->type] : NULL;
	const struct paje_row *row = use ? find_row(use->slot, item) : NULL;
	struct iot_out *body = paje->body;
	char *line, *end;
	guint64 t;

	if (G_UNLIKELY(!row || !has_value(use, item))) {
		if (paje->apart & 1u << item->kind)
			return no_line(paje, item, error);
		use = first_item(paje, item, error);
		if (!use)
			return FALSE;
		row = find_row(use->slot, item);
	}
	if (G_UNLIKELY(body->size - body->used < PAJE_LINE_ROOM) && !paje_file_flush(paje, error))
		return FALSE;
	t = iot_tl_rel(paje->tl, item->t1);
	line = (char *)body->buffer + body->used;
	end = paje_line_put(paje, line, use, row, item, t);
	if (G_UNLIKELY(t < paje->last))
		return paje_late_add(paje, t, line, (gsize)(end - line), error);
	paje->last = t;
	iot_out_commit(body, (gsize)(end - line));
	return TRUE;
}

static gboolean paje_finish(struct iot_sink *sink, const struct iot_summary *summary,
			    GError **error)
{
	struct paje *paje = (struct paje *)sink;
	guint64 end;

	if (!paje_late_gaps(paje, error))
		return FALSE;
	end = iot_tl_rel(paje->tl, MIN(summary->end_ns, summary->to_ns));
	return paje_file_finish(paje, MAX(end, paje->last), error);
}

static const struct iot_diag *paje_diag(const struct iot_sink *sink)
{
	return &((const struct paje *)sink)->diag;
}

static gsize paje_memory(const struct iot_sink *sink)
{
	const struct paje *paje = (const struct paje *)sink;
	gsize bytes = sizeof(*paje) + IOT_OUT_BUFFER + paje->late.size * sizeof(struct paje_late) +
		      paje->late_text.size + paje->gaps.size * sizeof(struct paje_gap);

	for (guint i = 0; i < paje->n_types; i++)
		if (paje->slots[i])
			bytes += paje->slots[i]->n_boxes * sizeof(*paje->slots[i]->rows);
	return bytes;
}

const struct iot_sink_ops iot_sink_paje = {
	.name = "paje",
	.summary = "Pajé trace for ViTE, PajeNG and paje.app",
	.suffix = ".trace",
	.feed = IOT_FEED_TIME,
	.options = options,
	.open = paje_open,
	.item = paje_item,
	.finish = paje_finish,
	.diag = paje_diag,
	.memory = paje_memory,
	.free = paje_free,
};
