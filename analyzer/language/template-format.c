/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formatting values of templates. */
#include "language/template-local.h"
#include "base/digits.h"
#include "base/real.h"
#include "base/units.h"

#include <string.h>

/* A hexadecimal number, right-aligned in a field of @len characters. */
static gboolean parse_hex_field(const char *text, gsize len, guint64 *out)
{
	gsize blanks = 0;

	while (blanks < len && text[blanks] == ' ')
		blanks++;
	*out = 0;
	for (gsize i = blanks; i < len; i++) {
		if (!g_ascii_isxdigit(text[i]) || g_ascii_isupper(text[i]))
			return FALSE;
		*out = *out << 4 | (guint64)g_ascii_xdigit_value(text[i]);
	}
	return blanks < len;
}

/* The same without blanks, all digits. */
static gboolean parse_hex_digits(const char *text, gsize len, guint64 *out)
{
	return text[0] != ' ' && parse_hex_field(text, len, out);
}

/*
 * OCFS2's DLM resource names (fs/ocfs2/ocfs2_lockid.h, dlmglue.c): a letter, six zeros, the number
 * of a block in 16 digits, a generation in 8; of the lock of a directory's entry (N) the
 * directory's block in 16 digits, a NUL, and the block of the entry's inode in 8 bytes, the
 * greatest first. Unused bytes at the end are NUL.
 */
static gboolean append_lettered(GString *out, struct iot_names *names, const char *text, gsize len)
{
	const char *name = len >= 26 ? iot_names_get(names, text[0]) : NULL;
	guint64 block, generation, inode = 0;

	while (len > 31 && !text[len - 1])
		len--;
	if (!name || !g_ascii_isupper(text[0]))
		return FALSE;
	if (len == 31 && !strncmp(text + 1, "000000", 6) &&
	    parse_hex_digits(text + 7, 16, &block) && parse_hex_digits(text + 23, 8, &generation)) {
		g_string_append_printf(out, "%s %" G_GINT64_MODIFIER "x", name, block);
		if (generation)
			g_string_append_printf(out, ".%" G_GINT64_MODIFIER "x", generation);
		return TRUE;
	}
	if (text[17] || !parse_hex_digits(text + 1, 16, &block))
		return FALSE;
	for (gsize i = 26; i < len; i++)
		if (text[i])
			return FALSE;
	for (guint i = 18; i < 26; i++)
		inode = inode << 8 | (guint8)text[i];
	g_string_append_printf(out, "%s %" G_GINT64_MODIFIER "x in %" G_GINT64_MODIFIER "x", name,
			       inode, block);
	return TRUE;
}

/* GFS2's DLM resource names (fs/gfs2/lock_dlm.c: gdlm_lock): type in 8 columns, number in 16. */
static void append_typed(GString *out, struct iot_names *names, const char *text, gsize len)
{
	g_autofree char *plain = NULL;
	const char *name;
	guint64 type, number;

	if (len != 24 || !parse_hex_field(text, 8, &type) ||
	    !parse_hex_field(text + 8, 16, &number)) {
		if (append_lettered(out, names, text, len))
			return;
		plain = iot_escape_bytes(text, len);
		g_string_append(out, plain);
		return;
	}
	name = iot_names_get(names, (gint64)type);
	if (name)
		g_string_append_printf(out, "%s %" G_GINT64_MODIFIER "x", name, number);
	else
		g_string_append_printf(out, "type %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
				       type, number);
}

static void append_flags(GString *out, struct iot_names *names, guint64 value)
{
	gsize start = out->len;

	for (guint bit = 0; bit < 64; bit++) {
		guint64 mask = G_GUINT64_CONSTANT(1) << bit;
		const char *name;

		if (!(value & mask))
			continue;
		if (out->len > start)
			g_string_append_c(out, '|');
		name = iot_names_get(names, (gint64)mask);
		if (name)
			g_string_append(out, name);
		else
			g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", mask);
	}
}

static void append_decimal(GString *out, guint64 value)
{
	char digits[IOT_DIGITS_ROOM];

	g_string_append_len(out, digits, iot_digits(digits, value) - digits);
}

static void append_number(GString *out, const struct resolved *resolved)
{
	const struct piece *piece = resolved->piece;
	union iot_val value = resolved->value;

	switch (piece->format) {
	case FORMAT_HEX:
		g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", value.u);
		return;
	case FORMAT_X:
		g_string_append_printf(out, "%" G_GINT64_MODIFIER "x", value.u);
		return;
	case FORMAT_OCT:
		g_string_append_printf(out, "0%" G_GINT64_MODIFIER "o", value.u);
		return;
	case FORMAT_DEVICE: /* as the kernel packs it (include/linux/kdev_t.h) */
		append_decimal(out, (guint32)(value.u >> 20));
		g_string_append_c(out, ':');
		append_decimal(out, value.u & 0xfffff);
		return;
	case FORMAT_FLAGS:
		append_flags(out, piece->names, value.u);
		return;
	default:
		break;
	}
	if (resolved->kind == KIND_INT && value.i < 0) {
		g_string_append_c(out, '-');
		value.u = 0 - value.u;
	}
	append_decimal(out, value.u);
}

gboolean iot_template_is_plain(const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '\\')
			return FALSE;
	return TRUE;
}

static void append_text(const struct iot_template *tmpl, const struct piece *piece, iot_str str)
{
	GString *out = tmpl->out;
	gsize len;
	const char *text = iot_intern_get(tmpl->tl->strings, str, &len);
	g_autofree char *plain = NULL;

	if (piece->format == FORMAT_TYPED) {
		append_typed(out, piece->names, text, len);
	} else if (tmpl->raw || iot_template_is_plain(text, len)) {
		g_string_append_len(out, text, (gssize)len);
	} else {
		plain = iot_escape_bytes(text, len);
		g_string_append(out, plain);
	}
}

void iot_template_append(const struct iot_template *tmpl, const struct resolved *resolved)
{
	char real[IOT_REAL_ROOM];

	switch (resolved->kind) {
	case KIND_FINAL:
		g_string_append(tmpl->out, iot_tl_str(tmpl->tl, (iot_str)resolved->value.u));
		break;
	case KIND_STR:
		append_text(tmpl, resolved->piece, (iot_str)resolved->value.u);
		break;
	case KIND_INT:
	case KIND_UINT:
		append_number(tmpl->out, resolved);
		break;
	case KIND_REAL:
		g_string_append(tmpl->out, iot_real_text(real, iot_real_of(resolved->value.u)));
		break;
	default:
		break;
	}
}
