/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/park.h"
#include "base/try-alloc.h"

void iot_park_init(struct iot_park *park, struct iot_out *out, gsize bytes, const char *what)
{
	*park = (struct iot_park){ .out = out, .size = MAX(bytes, 1), .what = what };
}

void iot_park_clear(struct iot_park *park)
{
	iot_out_free(park->file);
	g_free(park->top);
	g_free(park->back);
	*park = (struct iot_park){ 0 };
}

static void take_error(struct iot_park *park)
{
	if (park->file->error && !park->out->error)
		park->out->error = g_error_copy(park->file->error);
}

/* All of the top goes to its place in the file, part of which may have been written before. */
static void spill(struct iot_park *park)
{
	guint64 known;

	if (!park->used)
		return;
	if (!park->file)
		park->file = iot_out_open_scratch(park->out->path, 0, &park->out->error);
	if (!park->file)
		return;
	known = MIN(iot_out_tell(park->file) - park->base, park->used);
	iot_out_patch(park->file, park->base, park->top, known);
	iot_out_write(park->file, park->top + known, park->used - known);
	take_error(park);
	park->base += park->used;
	park->used = 0;
}

static gboolean grow(struct iot_park *park, guint8 **block, gsize size)
{
	guint8 *grown = iot_try_realloc(*block, size, park->what, &park->out->error);

	if (grown)
		*block = grown;
	return grown != NULL;
}

gpointer iot_park_push(struct iot_park *park, gsize len)
{
	if (iot_out_failed(park->out))
		return NULL;
	if (park->used + len > park->size)
		spill(park);
	if (iot_out_failed(park->out))
		return NULL;
	if ((!park->top || len > park->size) && !grow(park, &park->top, MAX(len, park->size)))
		return NULL;
	park->size = MAX(len, park->size);
	park->used += len;
	return park->top + park->used - len;
}

gconstpointer iot_park_at(struct iot_park *park, guint64 offset, gsize len)
{
	if (iot_out_failed(park->out))
		return NULL;
	if (offset >= park->base)
		return park->top + (offset - park->base);
	if (len > park->back_size) {
		if (!grow(park, &park->back, len))
			return NULL;
		park->back_size = len;
	}
	if (!iot_out_read_at(park->file, offset, park->back, len, &park->out->error))
		return NULL;
	return park->back;
}

void iot_park_cut(struct iot_park *park, guint64 offset)
{
	park->used = offset > park->base ? (gsize)(offset - park->base) : 0;
	park->base = MIN(park->base, offset);
}
