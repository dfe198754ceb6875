/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the body. Repeated text (numbers of events, types, rows, words, times) is cached and
 * copied as an array of constant size, two or four instructions instead of a call of memcpy; the
 * text that follows overwrites the excess.
 */
#include "sinks/paje/paje-trace.h"

/* The buffer has room for a whole array after every line. */
#define PUT_ARRAY(p, array, len) (memcpy((p), (array), sizeof(array)), (p) + (len))

static inline char *put_chars(char *p, char a, char b)
{
	p[0] = a;
	p[1] = b;
	return p + 2;
}

static char *put_new_word(struct paje *paje, char *p, iot_str str)
{
	struct paje_word *word = &paje->words[str % PAJE_WORDS];
	gboolean cut = FALSE;
	gsize len;
	const char *text = iot_intern_get(paje->tl->strings, str, &len);
	char *end;

	*p = ' ';
	end = paje_put_text(p + 1, text, len, &cut);
	if (cut)
		iot_diag_add(&paje->diag, IOT_DIAG_name_cut, 1);
	if ((gsize)(end - p) <= sizeof(word->text)) {
		word->str = str;
		word->len = (guint8)(end - p);
		memcpy(word->text, p, word->len);
	}
	return end;
}

/* Most texts are names of modes, flags and results: few, short and repeated. */
static inline char *put_word(struct paje *paje, char *p, iot_str str)
{
	const struct paje_word *word = &paje->words[str % PAJE_WORDS];

	/* fast path */
	if (G_LIKELY(word->str == str) && !iot_slow_only())
		return PUT_ARRAY(p, word->text, word->len);
	/* slow path */
	return put_new_word(paje, p, str);
}

static char *put_negative(char *p, gint64 value)
{
	*p++ = '-';
	return iot_digits(p, 0 - (guint64)value);
}

static G_GNUC_NO_INLINE char *put_real(char *p, gdouble real)
{
	return p + strlen(iot_real_text(p, real));
}

static inline char *put_number(char *p, guint8 format, guint64 value)
{
	*p++ = ' ';
	if (G_UNLIKELY(format == IOT_ATTR_REAL))
		return put_real(p, iot_real_of(value));
	if (format == IOT_ATTR_HEX)
		return paje_put_hex(p, value);
	if (G_UNLIKELY(value > G_MAXINT64 && format == IOT_ATTR_INT))
		return put_negative(p, (gint64)value);
	return iot_digits(p, value);
}

static inline char *put_attr(struct paje *paje, char *p, guint8 format, union iot_attr value)
{
	if (format != IOT_ATTR_STR)
		return put_number(p, format, value.u);
	if (!iot_text_is_number((guint64)value.str))
		return put_word(paje, p, (iot_str)value.str);
	p = put_chars(p, ' ', '"');
	p = iot_digits(p, value.u & ~IOT_TEXT_NUMBER);
	*p++ = '"';
	return p;
}

static inline char *put_attrs(struct paje *paje, char *p, const struct paje_use *use,
			      const union iot_attr *attr)
{
	for (guint i = 0; i < use->n_attrs; i++)
		p = put_attr(paje, p, use->attr[i].format, attr[use->attr[i].at]);
	return p;
}

/* An item without attributes has zeros. */
static char *put_missing(struct paje *paje, char *p, const struct paje_use *use,
			 const struct iot_item *item)
{
	union iot_attr attr[IOT_MAX_ATTRS] = { 0 };

	memcpy(attr, item->attr, item->n_attrs * sizeof(*attr));
	return put_attrs(paje, p, use, attr);
}

char *paje_line_attrs(struct paje *paje, char *p, const struct paje_use *use,
		      const struct iot_item *item)
{
	return put_missing(paje, p, use, item);
}

static inline gboolean end_line(const struct paje *paje, char *p)
{
	*p++ = '\n';
	paje->body->used = (gsize)((guint8 *)p - paje->body->buffer);
	return TRUE;
}

/* Called last in put_line, which needs no stack frame thanks to the tail call. */
static G_GNUC_NO_INLINE gboolean put_sample(const struct paje *paje, char *p,
					    const struct iot_item *item)
{
	gboolean real = iot_type_is_real(iot_type_at(paje->tl, item->type));

	return end_line(paje, put_number(p, real ? IOT_ATTR_REAL : IOT_ATTR_INT,
					 (guint64)iot_sample_value(item)));
}

static G_GNUC_NO_INLINE gboolean put_values(struct paje *paje, char *p, const struct paje_use *use,
					    const struct iot_item *item)
{
	p = put_chars(p, ' ', item->lane ? use->lane_value : 'v');
	p = iot_digits(p, item->cat);
	if (G_UNLIKELY(item->n_attrs < use->min_attrs))
		p = put_missing(paje, p, use, item);
	else
		p = put_attrs(paje, p, use, item->attr);
	if (use->marks_leaving)
		p = item->flags & IOT_LEAVING ? PUT_ARRAY(p, " \"yes\"", 6)
					      : PUT_ARRAY(p, " \"-\"", 4);
	return end_line(paje, p);
}

/* Replaces the letter of the type, which is that of lane 0. */
static char *put_lane(char *p, char *letter, const struct paje_use *use, guint lane)
{
	p = PUT_ARRAY(p, use->further.text, use->further.len);
	if (!lane)
		return p;
	*letter = use->lane_letter;
	*p++ = 'l';
	return iot_digits(p, lane);
}

static inline gboolean put_line(struct paje *paje, const struct paje_use *use,
				const struct paje_row *row, const struct iot_item *item,
				gboolean has_lane)
{
	char *p = (char *)paje->body->buffer + paje->body->used, *letter;

	if (item->kind == IOT_ITEM_SPAN)
		p = put_chars(p, '0' + PAJE_POP, ' ');
	else
		p = PUT_ARRAY(p, use->head.text, use->head.len);
	p = PUT_ARRAY(p, paje->time.text, paje->time.len);
	letter = p + 1;
	p = PUT_ARRAY(p, row->text, row->len);
	if (has_lane)
		p = put_lane(p, letter, use, item->lane);
	if (item->kind == IOT_ITEM_SPAN)
		return end_line(paje, p);
	if (item->kind == IOT_ITEM_SAMPLE)
		return put_sample(paje, p, item);
	return put_values(paje, p, use, item);
}

static G_GNUC_NO_INLINE gboolean put_line_of_lane(struct paje *paje, const struct paje_use *use,
						  const struct paje_row *row,
						  const struct iot_item *item)
{
	return put_line(paje, use, row, item, TRUE);
}

gboolean paje_line_put(struct paje *paje, const struct paje_use *use, const struct paje_row *row,
		       const struct iot_item *item)
{
	if (G_UNLIKELY(item->lane || use->further.len))
		return put_line_of_lane(paje, use, row, item);
	return put_line(paje, use, row, item, FALSE);
}
