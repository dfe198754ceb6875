/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that cannot be written in time order. Spans from before the recording are found late. Gaps
 * of several CPUs of one node may overlap, which a stack cannot express, so they are joined once
 * all are known; gaps are kept as numbers. A link has one late line. At the end the lines are
 * merged into the body, as some readers need time order in the whole file.
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
	return paje_sort_add(paje->late, t, line, len, error);
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

/* The late lines of instants up to @t. */
static gboolean put_late(struct paje *paje, struct iot_out *out, guint64 t, GError **error)
{
	const char *line;
	guint64 at;
	gsize len;

	while ((line = paje_sort_top(paje->late, &at, &len)) && at <= t) {
		iot_out_write(out, line, len);
		if (!paje_sort_pop(paje->late, error))
			return FALSE;
	}
	return TRUE;
}

/* Lines of instant 0, states from before and first values of counters, come before the body. */
gboolean paje_late_sort(struct paje *paje, GError **error)
{
	return paje_sort_finish(paje->late, error) && put_late(paje, paje->head, 0, error);
}

gboolean paje_late_left(const struct paje *paje)
{
	guint64 t;
	gsize len;

	return paje_sort_top(paje->late, &t, &len) != NULL;
}

/* Late lines come before other lines of their instant, whose spans are nested in the late span. */
static gboolean merge_block(struct paje *paje, const char *block, gsize len, GError **error)
{
	const char *line = block, *end = block + len;

	while (line < end && paje_late_left(paje)) {
		gsize n = (gsize)((const char *)memchr(line, '\n', (gsize)(end - line)) + 1 - line);

		if (!put_late(paje, paje->out, line_time(line), error))
			return FALSE;
		iot_out_write(paje->out, line, n);
		line += n;
	}
	iot_out_write(paje->out, line, (gsize)(end - line));
	return TRUE;
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
		if (!merge_block(paje, block, len, error))
			return FALSE;
		at += len;
	}
	return put_late(paje, paje->out, G_MAXUINT64, error);
}

gboolean paje_late_merge(struct paje *paje, GError **error)
{
	if (paje_late_left(paje))
		return merge_blocks(paje, error);
	iot_out_append(paje->out, paje->body, paje->room);
	return iot_out_check(paje->out, error);
}
