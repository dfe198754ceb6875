/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-formats.h"
#include "input/schema.h"

enum { MAX_PAYLOAD = 1 << 16 };

/* "KEY: value" at the start of a line; the value ends with the line. */
static const char *find_value(const char *text, gsize len, const char *key, gsize *out_len)
{
	gsize key_len = strlen(key);
	const char *end = text + len, *line, *next;

	for (line = text; line < end; line = next) {
		const char *nl = memchr(line, '\n', (gsize)(end - line));

		next = nl ? nl + 1 : end;
		if ((gsize)(next - line) <= key_len || memcmp(line, key, key_len))
			continue;
		line += key_len;
		while (line < next && (*line == ' ' || *line == '\n'))
			line++;
		*out_len = (gsize)((nl ? nl : end) - line);
		return *out_len > 0 && line < end ? line : NULL;
	}
	return NULL;
}

static gboolean parse_id(const char *text, gsize len, guint16 *out_id)
{
	guint32 id = 0;

	if (!len)
		return FALSE;
	for (gsize i = 0; i < len; i++) {
		if (!g_ascii_isdigit(text[i]))
			return FALSE;
		id = id * 10 + (guint32)(text[i] - '0');
		if (id > G_MAXUINT16)
			return FALSE;
	}
	*out_id = (guint16)id;
	return TRUE;
}

static void add_format(struct iot_dat_file *file, const char *system, const guint8 *text, gsize len)
{
	struct iot_dat_format format = { .system = system, .text = (const char *)text, .len = len };
	gsize name_len = 0, id_len = 0;
	/* both are in the first lines; a text without them is not searched to its end */
	gsize head = MIN(len, 512);
	const char *name = find_value(format.text, head, "name:", &name_len);
	const char *id = find_value(format.text, head, "ID:", &id_len);

	if (!name || !id || name_len >= sizeof(format.name) || !parse_id(id, id_len, &format.id)) {
		iot_diag_add(&file->diag, IOT_DIAG_format_unparsed, 1);
		return;
	}
	memcpy(format.name, name, name_len);
	g_array_append_val(file->formats, format);
}

static void add_system(struct iot_dat_file *file, const char *system)
{
	for (guint i = 0; i < file->systems->len; i++)
		if (!strcmp(file->systems->pdata[i], system))
			return;
	g_ptr_array_add(file->systems, (gpointer)(gsize)system);
}

void iot_dat_formats(struct iot_dat_file *file, struct iot_bytes *b)
{
	guint32 n_systems = iot_bytes_u32(b);

	for (guint32 s = 0; s < n_systems && !b->bad; s++) {
		const char *system = iot_schema_system(iot_bytes_str(b));
		guint32 n = iot_bytes_u32(b);

		if (file && !b->bad && g_utf8_validate(system, -1, NULL))
			add_system(file, system);
		for (guint32 i = 0; i < n && !b->bad; i++) {
			guint64 len = iot_bytes_u64(b);
			const guint8 *text = iot_bytes_take(b, len);

			if (file && text)
				add_format(file, system, text, len);
		}
	}
}

void iot_dat_ftrace_formats(struct iot_dat_file *file, struct iot_bytes *b)
{
	guint32 n = iot_bytes_u32(b);

	for (guint32 i = 0; i < n && !b->bad; i++) {
		guint64 len = iot_bytes_u64(b);
		const guint8 *text = iot_bytes_take(b, len);

		if (file && text)
			add_format(file, IOT_DAT_FTRACE, text, len);
	}
}

/* "field: char data;	offset:16;	size:4080;" */
static gboolean find_field(const char *text, const char *name, guint *out_offset, guint *out_size)
{
	g_autofree char *key = g_strdup_printf(" %s;", name);
	const char *at = strstr(text, key);
	const char *offset = at ? strstr(at, "offset:") : NULL;
	const char *size = offset ? strstr(offset, "size:") : NULL;

	if (!size)
		return FALSE;
	*out_offset = (guint)MIN(g_ascii_strtoull(offset + 7, NULL, 10), G_MAXINT);
	*out_size = (guint)MIN(g_ascii_strtoull(size + 5, NULL, 10), G_MAXINT);
	return TRUE;
}

void iot_dat_header_info(struct iot_dat_file *file, struct iot_bytes *b)
{
	const char *name = iot_bytes_str(b);
	guint64 len = iot_bytes_u64(b);
	const guint8 *data = iot_bytes_take(b, len);
	g_autofree char *text =
		data && !strcmp(name, "header_page") ? g_strndup((const char *)data, len) : NULL;
	guint offset, size;

	/* without it, commit_size stays the size of a long in the recording program */
	if (!text || !find_field(text, "commit", &offset, &size) || (size != 4 && size != 8)) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		return;
	}
	file->layout.commit_size = size;
	if (find_field(text, "data", &offset, &size) && size < 1u << 30 && offset < 4096)
		file->ring_page_size = offset + size;
}

/* Take "KEY:number;" and blanks before it from *@p. */
static gboolean take_number(const char **p, const char *key, guint32 *out)
{
	gsize len = strlen(key);
	guint64 v = 0;
	const char *at = *p;

	at += strspn(at, " \t");
	if (strncmp(at, key, len) || !g_ascii_isdigit(at[len]))
		return FALSE;
	for (at += len; g_ascii_isdigit(*at); at++) {
		v = v * 10 + (guint64)(*at - '0');
		if (v > MAX_PAYLOAD)
			return FALSE;
	}
	if (*at != ';')
		return FALSE;
	*p = at + 1;
	*out = (guint32)v;
	return TRUE;
}

static gboolean is_name_char(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Whether the elements are plain characters, not bytes ("unsigned char", "u8") or pointers. */
static gboolean is_text(const char *type)
{
	if (g_str_has_prefix(type, "const "))
		type += 6;
	return !strcmp(type, "char");
}

/* "__data_loc unsigned char[] res_name", "char comm[16]", "struct page * page"; @text is changed */
static gboolean parse_declaration(char *text, struct iot_dat_decl *decl)
{
	static const char *const places[] = {
		[IOT_DAT_DATA_LOC] = "__data_loc ",
		[IOT_DAT_REL_LOC] = "__rel_loc ",
	};
	char *bracket, *name, *end;

	for (guint i = IOT_DAT_DATA_LOC; i <= IOT_DAT_REL_LOC; i++) {
		if (!g_str_has_prefix(text, places[i]))
			continue;
		decl->place = (enum iot_dat_place)i;
		text += strlen(places[i]);
	}
	/* the brackets of a dynamic field belong to the type: the name follows them */
	bracket = strchr(text, '[');
	if (bracket && decl->place == IOT_DAT_IN_PLACE)
		*bracket = '\0';
	end = g_strchomp(text) + strlen(text);
	for (name = end; name > text && is_name_char(name[-1]);)
		name--;
	if (name == end || name == text || (gsize)(end - name) >= sizeof(decl->name))
		return FALSE;
	memcpy(decl->name, name, (gsize)(end - name));
	decl->array = bracket != NULL;
	*name = '\0';
	if (bracket && bracket < name)
		*bracket = '\0';
	decl->text = is_text(g_strchomp(text));
	return TRUE;
}

/* Parse a line after its "field:"; @line ends with a NUL. */
static gboolean parse_field(char *line, struct iot_dat_decl *decl)
{
	char *semicolon = strchr(line, ';');
	const char *p = semicolon ? semicolon + 1 : NULL;
	guint32 is_signed = 0;

	if (!p || !take_number(&p, "offset:", &decl->offset) ||
	    !take_number(&p, "size:", &decl->size))
		return FALSE;
	p += strspn(p, " \t\r");
	if (*p && !take_number(&p, "signed:", &is_signed))
		return FALSE;
	*semicolon = '\0';
	decl->is_signed = is_signed != 0;
	return parse_declaration(line, decl);
}

GArray *iot_dat_format_fields(const struct iot_dat_format *format)
{
	g_autoptr(GArray) decls = g_array_new(FALSE, TRUE, sizeof(struct iot_dat_decl));
	g_autofree char *text = g_strndup(format->text, format->len);
	char *next;

	for (char *line = text; line; line = next) {
		struct iot_dat_decl decl = { 0 };

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (g_str_has_prefix(line, "print fmt:"))
			break;
		line += strspn(line, " \t");
		if (!g_str_has_prefix(line, "field:"))
			continue;
		if (!parse_field(line + 6, &decl))
			return NULL;
		g_array_append_val(decls, decl);
	}
	return g_steal_pointer(&decls);
}
