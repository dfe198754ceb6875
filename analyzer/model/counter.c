/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/counter.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/section-table.h"
#include "model/thread-follow.h"
#include "base/colour.h"

#include <string.h>

struct value {
	gint64 now; /* real numbers: base/real.h */
	gboolean known;
};

struct iot_counter {
	struct iot_model *model;
	struct iot_row_type *on;
	gboolean real;
	/* of struct value, by row */
	GArray *values;
	/* the last sample */
	struct iot_item item;
};

void iot_counter_free(gpointer data)
{
	struct iot_counter *counter = data;

	g_array_unref(counter->values);
	g_free(counter);
}

static gint64 changed(const struct iot_counter *counter, gint64 before, enum iot_change change,
		      gint64 amount)
{
	gdouble real = iot_real_of((guint64)before), by = iot_real_of((guint64)amount);

	if (change == IOT_SET)
		return amount;
	if (counter->real)
		return (gint64)iot_real_bits(change == IOT_SUBTRACT ? real - by : real + by);
	return (gint64)(change == IOT_SUBTRACT ? (guint64)before - (guint64)amount
					       : (guint64)before + (guint64)amount);
}

void iot_counter_change(struct iot_counter *counter, iot_row_id row, enum iot_change change,
			gint64 amount, guint64 ts)
{
	struct iot_item *item = &counter->item;
	struct value *value;
	gint64 now;

	if (counter->values->len <= row)
		g_array_set_size(counter->values, row + 1);
	value = &g_array_index(counter->values, struct value, row);
	now = changed(counter, value->now, change, amount);
	if (value->known && now == value->now)
		return;
	item->row = row;
	item->t0 = ts;
	if (counter->real)
		iot_sample_set(item, now, value->now);
	else
		iot_sample_set(item, now, (gint64)((guint64)now - (guint64)value->now));
	value->now = now;
	value->known = TRUE;
	iot_emit_sample(counter->model->emit, item);
}

/* ---- saved state */

void iot_counter_save(const struct iot_counter *counter, GByteArray *out)
{
	iot_row_id last = 0;

	for (iot_row_id row = 1; row < counter->values->len; row++) {
		const struct value *value = &g_array_index(counter->values, struct value, row);

		if (!value->known)
			continue;
		iot_pack_uint(out, row - last);
		iot_pack_uint(out, (guint64)value->now);
		last = row;
	}
	iot_pack_uint(out, 0);
}

gboolean iot_counter_load(struct iot_counter *counter, struct iot_unpack *in)
{
	const struct iot_timeline *tl = counter->model->tl;
	iot_row_id row = 0, step;

	while ((step = (iot_row_id)iot_unpack_uint(in, tl->rows.n - 1 - row))) {
		struct value value = { .known = TRUE };

		row += step;
		value.now = (gint64)iot_unpack_uint(in, G_MAXUINT64);
		g_array_set_size(counter->values, row + 1);
		g_array_index(counter->values, struct value, row) = value;
	}
	return !in->bad;
}

/* ---- [counter] */

static void add_type(const struct iot_builder *b, guint32 rgb, struct iot_counter *counter)
{
	static const char *const attrs[] = { "value", "change" };
	const struct iot_setting *title = iot_section_get(b->section, "title");
	const char *name = title ? title->value : b->section->name;

	iot_timeline_type(b->model->tl, IOT_TYPE_COUNTER, b->section->name, name, counter->on->type,
			  &counter->item.type);
	for (guint i = 0; i < G_N_ELEMENTS(attrs); i++)
		iot_type_add_attr(b->model->tl, counter->item.type,
				  &(struct iot_attr_def){
					  .name = iot_intern_str(b->model->tl->strings, attrs[i]),
					  .format = counter->real ? IOT_ATTR_REAL : IOT_ATTR_INT });
	counter->item.cat =
		iot_timeline_cat(b->model->tl, counter->item.type, name, rgb, IOT_ROLE_NONE);
}

static gboolean build_counter(const struct iot_builder *b)
{
	const struct iot_setting *on = iot_section_require(b->section, "on", b->error);
	const struct iot_setting *colour = iot_section_get(b->section, "colour");
	const struct iot_setting *format = iot_section_get(b->section, "format");
	struct iot_row_type *container = on ? iot_bind_row_type(b, on) : NULL;
	guint32 rgb = iot_colour_auto(b->model->counters->len);
	g_autoptr(GError) local = NULL;
	struct iot_hook_target target = { 0 };
	struct iot_counter *counter;

	if (!container)
		return FALSE;
	if (!iot_bind_own_rows(b, on, container))
		return FALSE;
	if (strpbrk(b->section->name, " \t"))
		return iot_section_error(b->section, b->error, "the name of a counter is one word");
	if (colour && !iot_colour_parse(colour->value, &rgb, &local))
		return iot_setting_error(colour, 0, b->error, "%s", local->message);
	if (format && strcmp(format->value, "real"))
		return iot_setting_error(format, 0, b->error, "\"real\" is the only value");
	counter = g_new0(struct iot_counter, 1);
	counter->real = target.real = format != NULL;
	counter->model = b->model;
	counter->on = container;
	counter->values = g_array_new(FALSE, TRUE, sizeof(struct value));
	g_ptr_array_add(b->model->counters, counter);
	add_type(b, rgb, counter);
	target.counter = counter;
	target.on = container;
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "rule") && !iot_hook_add(b, setting, &target))
			return FALSE;
	}
	return TRUE;
}

static const char *const keys[] = { "on", "title", "colour", "format", "rule *", NULL };
const struct iot_section_kind iot_section_kind_counter = { "counter", keys, build_counter, NULL };
