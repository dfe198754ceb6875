/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of the timeline as bytes and back (base/pack.h). Strings, categories and rows only
 * grow, so the entries that are new since the last time are enough.
 */
#include "timeline/timeline.h"

void iot_timeline_count(const struct iot_timeline *tl, struct iot_timeline_size *out)
{
	out->strings = iot_intern_count(tl->strings);
	out->types = tl->types.n;
	out->cats = tl->cats.n;
	out->rows = tl->rows.n;
}

static void save_row(const struct iot_row *row, GByteArray *out)
{
	iot_pack_uint(out, row->type);
	iot_pack_uint(out, row->parent);
	iot_pack_uint(out, row->id);
	iot_pack_uint(out, row->name);
	iot_pack_uint(out, row->also);
	iot_pack_uint(out, row->thing);
	iot_pack_uint(out, row->process);
}

static void save_cat(const struct iot_category *cat, GByteArray *out)
{
	iot_pack_uint(out, cat->type);
	iot_pack_uint(out, cat->name);
	iot_pack_uint(out, cat->rgb);
	iot_pack_uint(out, cat->role);
}

void iot_timeline_save_new(const struct iot_timeline *tl, const struct iot_timeline_size *since,
			   GByteArray *out)
{
	struct iot_timeline_size now;

	iot_timeline_count(tl, &now);
	iot_pack_uint(out, now.strings - since->strings);
	for (guint32 i = since->strings; i < now.strings; i++) {
		gsize len;
		const char *bytes = iot_intern_get(tl->strings, i, &len);

		iot_pack_bytes(out, bytes, len);
	}
	iot_pack_uint(out, now.cats - since->cats);
	for (iot_cat_id i = since->cats; i < now.cats; i++)
		save_cat(iot_cat_at(tl, i), out);
	iot_pack_uint(out, now.rows - since->rows);
	for (iot_row_id i = since->rows; i < now.rows; i++)
		save_row(iot_row_at(tl, i), out);
}

iot_str iot_timeline_load_str(const struct iot_timeline *tl, struct iot_unpack *in)
{
	return (iot_str)iot_unpack_uint(in, iot_intern_count(tl->strings) - 1);
}

guint64 iot_timeline_load_text(const struct iot_timeline *tl, struct iot_unpack *in)
{
	guint64 text = iot_unpack_uint(in, G_MAXUINT64);

	if (!iot_text_is_number(text) && text >= iot_intern_count(tl->strings))
		return iot_unpack_fail(in);
	return text;
}

static iot_type_id load_type(const struct iot_timeline *tl, gboolean row, struct iot_unpack *in)
{
	iot_type_id type = (iot_type_id)iot_unpack_uint(in, tl->types.n - 1);

	if (!type || (iot_type_at(tl, type)->kind == IOT_TYPE_ROW) != row)
		iot_unpack_fail(in);
	return type;
}

static void load_strings(struct iot_timeline *tl, struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n && !in->bad; n--) {
		guint32 expected = iot_intern_count(tl->strings);
		gsize len;
		const guint8 *bytes = iot_unpack_bytes(in, &len);

		if (!in->bad && iot_intern_bytes(tl->strings, bytes, len) != expected)
			iot_unpack_fail(in);
	}
}

static void load_cats(struct iot_timeline *tl, struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n && !in->bad; n--) {
		iot_type_id type = load_type(tl, FALSE, in);
		iot_str name = iot_timeline_load_str(tl, in);
		guint32 rgb = (guint32)iot_unpack_uint(in, G_MAXUINT32);
		enum iot_role role = (enum iot_role)iot_unpack_uint(in, IOT_ROLE_NODE);

		if (!in->bad)
			iot_timeline_cat(tl, type, iot_tl_str(tl, name), rgb, role);
	}
}

static void load_rows(struct iot_timeline *tl, struct iot_unpack *in)
{
	for (guint32 n = iot_unpack_count(in); n && !in->bad; n--) {
		iot_type_id type = load_type(tl, TRUE, in);
		iot_row_id parent = (iot_row_id)iot_unpack_uint(in, tl->rows.n - 1);
		iot_str id = iot_timeline_load_str(tl, in), name = iot_timeline_load_str(tl, in);
		iot_str also = iot_timeline_load_str(tl, in), thing = iot_timeline_load_str(tl, in);
		iot_str process = iot_timeline_load_str(tl, in);
		gboolean is_new = FALSE;

		if (!in->bad && iot_type_at(tl, type)->on == iot_row_at(tl, parent)->type) {
			struct iot_row *row = iot_row_at(
				tl, iot_timeline_row(tl, type, parent, id, name, &is_new));

			row->also = also;
			row->thing = thing;
			row->process = process;
		}
		if (!is_new)
			iot_unpack_fail(in);
	}
}

gboolean iot_timeline_load_new(struct iot_timeline *tl, struct iot_unpack *in)
{
	load_strings(tl, in);
	load_cats(tl, in);
	load_rows(tl, in);
	return !in->bad;
}
