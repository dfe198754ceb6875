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
			g_free(paje->slots[i]->lanes);
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
	paje->no_events = iot_sink_flag(args, "no-events");
	paje->no_counters = iot_sink_flag(args, "no-counters");
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

/* The first item of a type: make the text that all its lines share. */
static struct paje_use *new_use(struct paje *paje, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(paje->tl, id);
	const char *letters = type->kind == IOT_TYPE_POINT ? "ef" : "su";
	struct paje_use *use = g_new0(struct paje_use, 1);

	if (MAX(id, type->on) >= paje->n_types)
		grow_types(paje, MAX(id, type->on) + 1);
	use->type = type;
	use->slot = find_slot(paje, id, type);
	g_snprintf(use->head, sizeof(use->head), "%u ", PAJE_FIRST_FREE + id);
	use->head_len = strlen(use->head);
	for (guint lane = 0; lane < 2; lane++) {
		/* Further slots have containers of one type for all their lanes. */
		g_snprintf(use->middle[lane], sizeof(use->middle[lane]), " %c%u c",
			   letters[use->slot->further ? 0 : lane], id);
		use->middle_len[lane] = strlen(use->middle[lane]);
		g_snprintf(use->value[lane], sizeof(use->value[lane]), " %c",
			   "vw"[use->slot->further ? 0 : lane]);
	}
	if (use->slot->further)
		g_snprintf(use->further, sizeof(use->further), "x%u", id);
	use->further_len = strlen(use->further);
	return paje->uses[id] = use;
}

static gboolean grow_boxes(struct paje_slot *slot, guint n, GError **error)
{
	guint size = MAX(MAX(n, 64), 2 * slot->n_boxes);
	guint32 *lanes = iot_try_realloc(slot->lanes, size * sizeof(*lanes), "rows", error);

	if (!lanes)
		return FALSE;
	memset(lanes + slot->n_boxes, 0, (size - slot->n_boxes) * sizeof(*lanes));
	slot->lanes = lanes;
	slot->n_boxes = size;
	return TRUE;
}

static inline gboolean mark_drawn(struct paje *paje, struct paje_slot *slot,
				  const struct iot_item *item, GError **error)
{
	if (G_UNLIKELY(item->box >= slot->n_boxes) && !grow_boxes(slot, item->box + 1, error))
		return FALSE;
	if (G_UNLIKELY(slot->lanes[item->box] <= item->lane)) {
		slot->lanes[item->box] = item->lane + 1u;
		paje->n_rows++;
	}
	slot->has_lanes |= item->lane > 0;
	return TRUE;
}

/* Copies all of an array: a size that is known takes two instructions. There is room for it in
 * every line. */
#define PUT_ARRAY(p, array, len) (memcpy((p), (array), sizeof(array)), (p) + (len))

/* Most texts are names of modes, flags and results: few, short, and the same again and again. */
static char *put_str(struct paje *paje, char *p, iot_str str)
{
	struct paje_word *word = &paje->words[str % PAJE_WORDS];
	gboolean cut = FALSE;
	const char *text;
	gsize len;
	char *end;

	if (G_LIKELY(word->len && word->str == str)) {
		memcpy(p, word->text, sizeof(word->text));
		return p + word->len;
	}
	text = iot_intern_get(paje->tl->strings, str, &len);
	end = paje_put_text(p, text, len, &cut);
	if (G_UNLIKELY(cut))
		iot_diag_add(&paje->diag, IOT_DIAG_name_cut, 1);
	if ((gsize)(end - p) <= sizeof(word->text)) {
		word->str = str;
		word->len = (guint32)(end - p);
		memcpy(word->text, p, word->len);
	}
	return end;
}

static char *put_int(char *p, gint64 value)
{
	if (value < 0)
		*p++ = '-';
	return paje_put_uint(p, value < 0 ? 0 - (guint64)value : (guint64)value);
}

static char *put_attr(struct paje *paje, char *p, enum iot_attr_format format, union iot_attr value)
{
	switch (format) {
	case IOT_ATTR_INT:
		return put_int(p, value.i);
	case IOT_ATTR_HEX:
		return paje_put_hex(p, value.u);
	case IOT_ATTR_STR:
		if (iot_text_is_number(value.str)) {
			*p++ = '"';
			p = paje_put_uint(p, value.str & ~IOT_TEXT_NUMBER);
			*p++ = '"';
			return p;
		}
		return put_str(paje, p, (iot_str)value.str);
	case IOT_ATTR_UINT:
	case IOT_ATTR_DURATION:
		break;
	}
	return paje_put_uint(p, value.u);
}

/* Attributes that are known only at the end have no place: Pajé takes them from the line that
 * begins a state. */
static char *put_attrs(struct paje *paje, char *p, const struct paje_use *use,
		       const struct iot_item *item)
{
	static const union iot_attr none;

	for (guint i = 0; i < use->type->n_attrs; i++) {
		const struct iot_attr_def *def = &use->type->attr[i];

		if (def->late && use->type->kind == IOT_TYPE_SPAN)
			continue;
		*p++ = ' ';
		p = put_attr(paje, p, def->format, i < item->n_attrs ? item->attr[i] : none);
	}
	return p;
}

static char *put_time(struct paje *paje, char *p, guint64 t)
{
	struct paje_time *time = &paje->time;

	if (time->t != t || !time->len) {
		time->t = t;
		time->len = (gsize)(paje_put_seconds(time->text, t) - time->text);
	}
	return PUT_ARRAY(p, time->text, time->len);
}

static char *put_line(struct paje *paje, char *p, const struct paje_use *use,
		      const struct iot_item *item, guint64 t)
{
	guint lane = item->lane > 0;

	if (item->kind == IOT_ITEM_SPAN) {
		*p++ = '0' + PAJE_POP;
		*p++ = ' ';
	} else {
		p = PUT_ARRAY(p, use->head, use->head_len);
	}
	p = put_time(paje, p, t);
	p = PUT_ARRAY(p, use->middle[lane], use->middle_len[lane]);
	p = paje_put_uint(p, item->box);
	p = PUT_ARRAY(p, use->further, use->further_len);
	if (lane) {
		*p++ = 'l';
		p = paje_put_uint(p, item->lane);
	}
	if (item->kind != IOT_ITEM_SPAN) {
		p = PUT_ARRAY(p, use->value[lane], 2);
		p = paje_put_uint(p, item->cat);
		p = put_attrs(paje, p, use, item);
	}
	*p++ = '\n';
	return p;
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

static char *put_sample(struct paje *paje, char *p, const struct iot_item *item, guint64 t,
			gint64 value)
{
	*p++ = '0' + PAJE_SET_VARIABLE;
	*p++ = ' ';
	p = put_time(paje, p, t);
	*p++ = ' ';
	*p++ = 'y';
	p = paje_put_uint(p, item->type);
	*p++ = ' ';
	*p++ = 'c';
	p = paje_put_uint(p, item->box);
	*p++ = ' ';
	p = put_int(p, value);
	*p++ = '\n';
	return p;
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
	char line[PAJE_LINE_MAX / 16], *end;

	if (item->box >= use->n_boxes && !grow_values(use, item->box + 1, error))
		return FALSE;
	if (use->has_value[item->box])
		return TRUE;
	use->has_value[item->box] = TRUE;
	paje->has_counters = TRUE;
	end = put_sample(paje, line, item, 0, before);
	return paje_late_add(paje, 0, line, (gsize)(end - line), error);
}

static gboolean paje_item(struct iot_sink *sink, const struct iot_item *item, GError **error)
{
	struct paje *paje = (struct paje *)sink;
	gboolean sample = item->kind == IOT_ITEM_SAMPLE;
	struct paje_use *use;
	char *line, *end;
	guint64 t;

	if (item->kind == IOT_ITEM_GAP)
		return add_gap(paje, item, error);
	if ((item->kind == IOT_ITEM_POINT && paje->no_events) || (sample && paje->no_counters))
		return TRUE;
	use = item->type < paje->n_types ? paje->uses[item->type] : NULL;
	if (G_UNLIKELY(!use))
		use = new_use(paje, item->type);
	if (!mark_drawn(paje, use->slot, item, error) ||
	    (sample && !begin_value(paje, use, item, error)))
		return FALSE;
	t = iot_tl_rel(paje->tl, item->t1);
	line = paje_line(paje);
	end = sample ? put_sample(paje, line, item, t, item->attr[0].i)
		     : put_line(paje, line, use, item, t);
	if (G_UNLIKELY(t < paje->last))
		return paje_late_add(paje, t, line, (gsize)(end - line), error);
	paje->last = t;
	iot_out_commit(paje->body, (gsize)(end - line));
	return !iot_out_failed(paje->body) || iot_out_check(paje->body, error);
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
			bytes += paje->slots[i]->n_boxes * sizeof(*paje->slots[i]->lanes);
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
