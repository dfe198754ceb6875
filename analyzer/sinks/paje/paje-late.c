/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that cannot be written in time order. Spans from before the recording are found late. Gaps
 * of several CPUs of one node may overlap, which a stack cannot express, so they are joined once
 * all are known. There are few: a late span begins a lane, so the containers bound their number,
 * and gaps are kept as numbers. At the end the lines are merged into the body, as some readers need
 * time order in the whole file.
 */
#include "sinks/paje/paje-trace.h"
#include "base/try-alloc.h"
#include "base/units.h"

enum { BLOCK = 1 << 18 };

gpointer paje_array_room(struct paje_array *array, gsize n, gsize elem_size, GError **error)
{
	if (array->n + n > array->size) {
		gsize size = MAX(array->size * 2, array->n + n + 64);
		gpointer data = iot_try_realloc(array->data, size * elem_size,
						"lines to be sorted in", error);

		if (!data)
			return NULL;
		array->data = data;
		array->size = size;
	}
	return (guint8 *)array->data + array->n * elem_size;
}

gboolean paje_late_add(struct paje *paje, guint64 t, const char *line, gsize len, GError **error)
{
	struct paje_late *late = paje_array_room(&paje->late, 1, sizeof(*late), error);
	char *text = late ? paje_array_room(&paje->late_text, len, 1, error) : NULL;

	if (!text)
		return FALSE;
	memcpy(text, line, len);
	*late = (struct paje_late){ t, paje->late.n, paje->late_text.n, len };
	paje->late_text.n += len;
	paje->late.n++;
	return TRUE;
}

static int compare_gaps(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct iot_timeline *tl = user_data;
	const struct paje_gap *a = pa, *b = pb;

	if (a->node != b->node)
		return iot_natural_compare(iot_tl_str(tl, (iot_str)a->node),
					   iot_tl_str(tl, (iot_str)b->node));
	if (a->t0 != b->t0)
		return a->t0 < b->t0 ? -1 : 1;
	return a->t1 < b->t1 ? -1 : a->t1 > b->t1;
}

static gboolean add_gap_lines(struct paje *paje, guint row, const struct paje_gap *gap,
			      GError **error)
{
	char line[128], lost[24] = "?";
	int len;

	if (gap->lost != IOT_LOST_UNKNOWN)
		g_snprintf(lost, sizeof(lost), "%" G_GUINT64_FORMAT, gap->lost);
	len = g_snprintf(line, sizeof(line), "%d ", PAJE_PUSH_LOST);
	len = (int)(iot_digits_seconds(line + len, gap->t0) - line);
	len += g_snprintf(line + len, sizeof(line) - (gsize)len, " rs r%u rv \"%s\"\n", row, lost);
	if (!paje_late_add(paje, gap->t0, line, (gsize)len, error))
		return FALSE;
	len = g_snprintf(line, sizeof(line), "%d ", PAJE_POP);
	len = (int)(iot_digits_seconds(line + len, gap->t1) - line);
	len += g_snprintf(line + len, sizeof(line) - (gsize)len, " rs r%u\n", row);
	return paje_late_add(paje, gap->t1, line, (gsize)len, error);
}

gboolean paje_late_gaps(struct paje *paje, GError **error)
{
	struct paje_gap *gaps = paje->gaps.data, joined;
	guint row = 0;

	if (!paje->gaps.n)
		return TRUE;
	g_qsort_with_data(gaps, (int)paje->gaps.n, sizeof(*gaps), compare_gaps,
			  (gpointer)(gsize)paje->tl);
	for (gsize i = 0; i < paje->gaps.n;) {
		if (!i || gaps[i].node != gaps[i - 1].node)
			row++;
		joined = gaps[i++];
		for (; i < paje->gaps.n && gaps[i].node == joined.node && gaps[i].t0 < joined.t1;
		     i++) {
			joined.t1 = MAX(joined.t1, gaps[i].t1);
			if (joined.lost == IOT_LOST_UNKNOWN || gaps[i].lost == IOT_LOST_UNKNOWN)
				joined.lost = IOT_LOST_UNKNOWN;
			else
				joined.lost += gaps[i].lost;
		}
		paje->gaps_end = MAX(paje->gaps_end, joined.t1);
		if (!add_gap_lines(paje, row, &joined, error))
			return FALSE;
	}
	return TRUE;
}

static int compare_late(gconstpointer pa, gconstpointer pb, gpointer user_data)
{
	const struct paje_late *a = pa, *b = pb;

	(void)user_data;
	if (a->t != b->t)
		return a->t < b->t ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* The second word of a line that this sink wrote. */
static guint64 line_time(const char *line)
{
	const char *p = strchr(line, ' ') + 1;
	guint64 ns = 0;

	for (; *p != ' '; p++)
		if (*p != '.')
			ns = ns * 10 + (guint64)(*p - '0');
	return ns;
}

static void put_late(struct paje *paje, struct iot_out *out)
{
	const struct paje_late *late =
		(const struct paje_late *)paje->late.data + paje->late_done++;

	iot_out_write(out, (const char *)paje->late_text.data + late->at, late->len);
}

/* Lines of instant 0, states from before and first values of counters, come before the body. */
void paje_late_sort(struct paje *paje)
{
	const struct paje_late *late = paje->late.data;

	g_qsort_with_data(paje->late.data, (int)paje->late.n, sizeof(struct paje_late),
			  compare_late, NULL);
	while (paje->late_done < paje->late.n && !late[paje->late_done].t)
		put_late(paje, paje->head);
}

/* Late lines come before other lines of their instant, whose spans are nested in the late span. */
static void merge_block(struct paje *paje, const char *block, gsize len)
{
	const struct paje_late *late = paje->late.data;
	const char *line = block, *end = block + len;

	while (line < end && paje->late_done < paje->late.n) {
		guint64 t = line_time(line);

		while (paje->late_done < paje->late.n && late[paje->late_done].t <= t)
			put_late(paje, paje->out);
		if (paje->late_done == paje->late.n)
			break;
		t = (guint64)((const char *)memchr(line, '\n', (gsize)(end - line)) + 1 - line);
		iot_out_write(paje->out, line, t);
		line += t;
	}
	iot_out_write(paje->out, line, (gsize)(end - line));
}

static gboolean merge_blocks(struct paje *paje, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK);
	guint64 at = paje->room, end = iot_out_tell(paje->body);

	while (at < end) {
		gsize len = (gsize)MIN(end - at, BLOCK);

		if (!iot_out_read_at(paje->body, at, block, len, error))
			return FALSE;
		len = (gsize)((const char *)memrchr(block, '\n', len) + 1 - block);
		merge_block(paje, block, len);
		at += len;
	}
	while (paje->late_done < paje->late.n)
		put_late(paje, paje->out);
	return TRUE;
}

gboolean paje_late_merge(struct paje *paje, GError **error)
{
	if (paje->late_done < paje->late.n)
		return merge_blocks(paje, error);
	iot_out_append(paje->out, paje->body, paje->room);
	return iot_out_check(paje->out, error);
}
