/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a Pajé file is put together. The head, which comes before the lines of events, is known only
 * at the end, and moving all lines to make room would write them twice. So room for it is left at
 * the start of the file when the first lines leave the buffer: as much as the head of the rows seen
 * so far needs, and some more. At the end the head is written there, filled up with blanks at the
 * ends of its lines, which readers skip. If all lines are still in the buffer, the head needs no
 * blanks.
 *
 * The lines are copied all the same if the head is larger than its room, if late lines must be
 * sorted in, and into a pipe. The bytes are the same for files and pipes.
 */
#include "sinks/paje/paje-trace.h"

enum {
	ROOM_BASE = 16384,
	/* A container, and perhaps the first value of a counter and a state from before. */
	ROOM_PER_ROW = 192,
};

gboolean paje_file_open(struct paje *paje, const char *path, GError **error)
{
	paje->path = g_strdup(path);
	paje->body = iot_out_open(path, error);
	if (!paje->body)
		return FALSE;
	/* A device or a pipe cannot be patched and read back. */
	if (!paje->body->temp_path) {
		paje->out = g_steal_pointer(&paje->body);
		paje->body = iot_out_open_scratch(path, IOT_OUT_BUFFER, error);
	}
	return paje->body != NULL;
}

gboolean paje_file_flush(struct paje *paje, GError **error)
{
	if (!paje->room) {
		g_autofree char *blanks = NULL;

		paje->room = MIN(ROOM_BASE + ROOM_PER_ROW * paje->n_rows, IOT_OUT_BUFFER);
		blanks = g_malloc(paje->room);
		memset(blanks, ' ', paje->room);
		iot_out_write_first(paje->body, blanks, paje->room);
	}
	iot_out_flush(paje->body);
	return iot_out_check(paje->body, error);
}

/*
 * The head, as long as its room: the ends of all lines share the blanks. Each row has a line, and
 * there are dozens more, so lines stay far shorter than ViTE's limit.
 */
static char *fill_up(const struct paje *paje)
{
	const char *from = (const char *)paje->head->buffer, *end = from + paje->head->used;
	gsize blanks = paje->room - paje->head->used, n_lines = 0;
	char *filled = g_malloc(paje->room), *to = filled;

	for (const char *p = from; p < end; p++)
		n_lines += *p == '\n';
	for (; from < end; n_lines--) {
		const char *newline = memchr(from, '\n', (gsize)(end - from));
		gsize len = (gsize)(newline - from), share = blanks / n_lines;

		memcpy(to, from, len);
		memset(to + len, ' ', share);
		to += len + share;
		*to++ = '\n';
		blanks -= share;
		from = newline + 1;
	}
	return filled;
}

/* Leaves the result in paje->out. */
static gboolean put_together(struct paje *paje, GError **error)
{
	g_autofree char *filled = NULL;
	struct iot_out *head = paje->head;
	gboolean in_place = !paje->out && !head->flushed && !paje_late_left(paje);

	if (in_place && !paje->room) {
		iot_out_write_first(paje->body, head->buffer, head->used);
		paje->out = g_steal_pointer(&paje->body);
		return TRUE;
	}
	if (!head->flushed && head->used <= paje->room)
		filled = fill_up(paje);
	if (in_place && filled) {
		iot_out_patch(paje->body, 0, filled, paje->room);
		paje->out = g_steal_pointer(&paje->body);
		return TRUE;
	}
	if (!paje->out)
		paje->out = iot_out_open(paje->path, error);
	if (!paje->out)
		return FALSE;
	if (filled)
		iot_out_write(paje->out, filled, paje->room);
	else
		iot_out_append(paje->out, head, 0);
	return paje_late_merge(paje, error);
}

gboolean paje_file_finish(struct paje *paje, guint64 end, GError **error)
{
	paje->head = iot_out_open_scratch(paje->path, IOT_OUT_BUFFER, error);
	if (!paje->head)
		return FALSE;
	paje_head_write(paje);
	if (!paje_late_sort(paje, error) || !put_together(paje, error))
		return FALSE;
	for (guint i = paje->drawn->len; i-- > 0;) {
		iot_out_printf(paje->out, "%d ", PAJE_DESTROY);
		iot_out_seconds(paje->out, end);
		iot_out_printf(paje->out, " %s\n", (const char *)g_ptr_array_index(paje->drawn, i));
	}
	return iot_out_finish(paje->out, error);
}
