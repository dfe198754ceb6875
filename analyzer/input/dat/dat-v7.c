/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chain of options sections lists the sections. If the chain is broken, the sections are walked
 * in the order of the file; if that finds no event data either, the file is searched for pages.
 */
#include "input/dat/dat-v7.h"
#include "input/dat/dat-formats.h"
#include "input/dat/dat-options.h"
#include "input/dat/dat-salvage.h"
#include "input/dat/dat-section.h"

enum {
	MAX_CHAIN = 4096,  /* sections; usually 10 */
	MAX_KNOWN_ID = 64, /* newer writers have a few more section ids */
};

/* The sections found so far. */
struct walk {
	struct iot_dat_file *file;
	GArray *seen; /* offsets of the options sections that were read */
	/* of the next options section; 0: there is none; G_MAXUINT64: the last one is damaged */
	guint64 next;
	guint64 data; /* first section of event data, 0: none found */
	gboolean data_compressed;
	guint64 end; /* offset at which the walk ended */
};

/* Apply the options of one section, and find the next one. */
static gboolean read_options(struct walk *walk, guint64 offset, GError **error)
{
	struct iot_dat_file *file = walk->file;
	g_autofree guint8 *data = NULL;
	struct iot_bytes b;
	gsize len;

	walk->next = G_MAXUINT64;
	if (!iot_dat_section_read(file, offset, IOT_DAT_DONE, &data, &len, error))
		return FALSE;
	iot_bytes_init(&b, data, data ? len : 0, file->layout.big_endian);
	while (iot_bytes_left(&b)) {
		guint16 id = iot_bytes_u16(&b);
		guint32 size = iot_bytes_u32(&b);
		const guint8 *option = iot_bytes_take(&b, size);

		if (!option || (id == IOT_DAT_DONE && size < 8))
			break;
		if (id == IOT_DAT_DONE) {
			walk->next = iot_load_u64(option, b.big_endian);
			break;
		}
		if (!iot_dat_option(file, id, option, size, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean was_seen(const struct walk *walk, guint64 offset)
{
	for (guint i = 0; i < walk->seen->len; i++)
		if (g_array_index(walk->seen, guint64, i) == offset)
			return TRUE;
	return FALSE;
}

/* Follow the chain from @offset; file->complete says whether its end was reached. */
static gboolean follow_chain(struct walk *walk, guint64 offset, GError **error)
{
	struct iot_dat_file *file = walk->file;

	while (offset && offset < file->size && !was_seen(walk, offset) &&
	       walk->seen->len < MAX_CHAIN) {
		g_array_append_val(walk->seen, offset);
		if (!read_options(walk, offset, error))
			return FALSE;
		offset = walk->next;
		if (!offset)
			file->complete = TRUE;
	}
	return TRUE;
}

/* Walk the sections in the order of the file, for those that the chain did not lead to. */
static gboolean walk_sections(struct walk *walk, guint64 offset, GError **error)
{
	struct iot_dat_file *file = walk->file;
	struct iot_dat_section section;

	walk->end = offset;
	for (guint i = 0; offset < file->size && i < MAX_CHAIN; i++, walk->end = offset) {
		if (!iot_dat_section_header(file, offset, &section, error))
			return FALSE;
		/* no section is empty; a hole of zeros looks like many that are */
		if (section.id > MAX_KNOWN_ID || !section.size)
			break;
		if (section.id >= IOT_DAT_HEADER_INFO && section.id <= IOT_DAT_CMDLINES &&
		    !file->section[section.id])
			file->section[section.id] = offset;
		if (section.id == IOT_DAT_DONE && !follow_chain(walk, offset, error))
			return FALSE;
		if (section.id == IOT_DAT_BUFFER && !walk->data) {
			walk->data = offset;
			walk->data_compressed = section.compressed;
		}
		if (section.size > file->size - offset ||
		    section.size + IOT_DAT_SECTION_HEADER > file->size - offset)
			break;
		offset += section.size + IOT_DAT_SECTION_HEADER;
	}
	return TRUE;
}

/* The chain is complete; the last section says whether the file is. */
static gboolean check_end(struct iot_dat_file *file, guint64 offset, GError **error)
{
	struct iot_dat_section section;

	for (guint i = 0; offset < file->size && i < MAX_CHAIN; i++) {
		guint64 left = file->size - offset;

		if (!iot_dat_section_header(file, offset, &section, error))
			return FALSE;
		if (left < IOT_DAT_SECTION_HEADER || section.size > left - IOT_DAT_SECTION_HEADER) {
			if (!file->diag.count[IOT_DIAG_file_cut])
				iot_diag_add(&file->diag, IOT_DIAG_file_cut, 1);
			break;
		}
		if (section.id > MAX_KNOWN_ID || !section.size)
			break;
		offset += section.size + IOT_DAT_SECTION_HEADER;
	}
	return TRUE;
}

typedef void (*parse_fn)(struct iot_dat_file *file, struct iot_bytes *b);

static gboolean parse_section(struct iot_dat_file *file, enum iot_dat_id id, parse_fn parse,
			      GError **error)
{
	guint8 *data = NULL;
	struct iot_bytes b;
	gsize len = 0;

	if (file->section[id] &&
	    !iot_dat_section_read(file, file->section[id], id, &data, &len, error))
		return FALSE;
	if (!data) {
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
		return TRUE;
	}
	g_ptr_array_add(file->blobs, data);
	iot_bytes_init(&b, data, len, file->layout.big_endian);
	parse(file, &b);
	if (b.bad)
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
	return TRUE;
}

/* Optional: without it processes have no names. */
static gboolean parse_commands(struct iot_dat_file *file, GError **error)
{
	g_autofree guint8 *data = NULL;
	guint64 offset = file->section[IOT_DAT_CMDLINES];
	struct iot_bytes b;
	gsize len = 0;

	if (offset && !iot_dat_section_read(file, offset, IOT_DAT_CMDLINES, &data, &len, error))
		return FALSE;
	iot_bytes_init(&b, data, data ? len : 0, file->layout.big_endian);
	iot_dat_commands(file, &b);
	return TRUE;
}

static gboolean recover(struct walk *walk, guint64 start, GError **error)
{
	struct iot_dat_file *file = walk->file;
	guint64 from;

	if (!file->complete)
		iot_diag_add(&file->diag, IOT_DIAG_option_damaged, 1);
	if (!walk_sections(walk, start, error))
		return FALSE;
	if (file->buffers->len)
		return TRUE;
	/* the page layout is in the metadata */
	if (!parse_section(file, IOT_DAT_HEADER_INFO, iot_dat_header_info, error))
		return FALSE;
	from = walk->data ? walk->data + IOT_DAT_SECTION_HEADER : walk->end;
	return iot_dat_salvage(
		file, from,
		walk->data ? walk->data_compressed : strcmp(file->compressor, "none") != 0, error);
}

gboolean iot_dat_open_v7(struct iot_dat_file *file, guint64 offset, guint64 options, GError **error)
{
	g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(guint64));
	struct walk walk = { .file = file, .seen = seen };
	gboolean lost;

	if (!follow_chain(&walk, options, error))
		return FALSE;
	lost = !file->complete || (!file->buffers->len && !file->latency_text);
	if (!(lost ? recover(&walk, offset, error) : check_end(file, offset, error)))
		return FALSE;
	return parse_section(file, IOT_DAT_HEADER_INFO, iot_dat_header_info, error) &&
	       parse_section(file, IOT_DAT_EVENT_FORMATS, iot_dat_formats, error) &&
	       parse_section(file, IOT_DAT_FTRACE_EVENTS, iot_dat_ftrace_formats, error) &&
	       parse_commands(file, error);
}
