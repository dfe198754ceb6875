/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section of a version 7 file: a header and its content, which may be compressed. */
#ifndef IOT_INPUT_DAT_DAT_SECTION_H
#define IOT_INPUT_DAT_DAT_SECTION_H

#include "input/dat/dat-file.h"

enum { IOT_DAT_SECTION_HEADER = 16 }; /* bytes */

struct iot_dat_section {
	guint16 id; /* enum iot_dat_id; G_MAXUINT16: there is no whole header */
	gboolean compressed;
	guint64 size; /* of the content in the file, without the header */
};

/** iot_dat_section_header - read the header at @offset; FALSE only if the system cannot read */
gboolean iot_dat_section_header(const struct iot_dat_file *file, guint64 offset,
				struct iot_dat_section *out, GError **error);
/**
 * iot_dat_section_read - read and unpack a section of metadata
 * @out_data: the caller frees; NULL if another section is at @offset or this one is damaged
 *
 * FALSE only for errors of the system (reading, memory).
 */
gboolean iot_dat_section_read(const struct iot_dat_file *file, guint64 offset, enum iot_dat_id id,
			      guint8 **out_data, gsize *out_len, GError **error);

#endif
