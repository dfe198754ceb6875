/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event formats of a recording. Opening a file reads only name and number of each format: a
 * kernel has thousands of events, and a run needs the fields of a few (dat-bind.c).
 */
#ifndef IOT_INPUT_DAT_DAT_FORMATS_H
#define IOT_INPUT_DAT_DAT_FORMATS_H

#include "input/dat/dat-file.h"

/* The system of the events of tracers, such as "function": they stand apart in a file. */
#define IOT_DAT_FTRACE "ftrace"

/* The place of the bytes of a field. */
enum iot_dat_place {
	IOT_DAT_IN_PLACE,
	IOT_DAT_DATA_LOC, /* the field is a u32: offset in the payload, and length << 16 */
	IOT_DAT_REL_LOC,  /* the same, but the offset counts from the end of the u32 */
};

/* The declaration of one field. */
struct iot_dat_decl {
	char name[64];
	guint32 offset, size; /* bytes, in the payload */
	enum iot_dat_place place;
	gboolean is_signed, array;
	gboolean text; /* the elements are "char": the array ends at its first NUL */
};

/** iot_dat_header_info - commit size and page size from the text of header_page */
void iot_dat_header_info(struct iot_dat_file *file, struct iot_bytes *b);
/** iot_dat_formats - add the formats of an EVENT_FORMATS section; with @file NULL only skip them */
void iot_dat_formats(struct iot_dat_file *file, struct iot_bytes *b);
/** iot_dat_ftrace_formats - the same for FTRACE_EVENTS */
void iot_dat_ftrace_formats(struct iot_dat_file *file, struct iot_bytes *b);
/**
 * iot_dat_format_fields - parse all declarations of a format, common fields included
 *
 * Returns an array of struct iot_dat_decl that the caller frees; NULL if the text is damaged.
 */
GArray *iot_dat_format_fields(const struct iot_dat_format *format);

#endif
