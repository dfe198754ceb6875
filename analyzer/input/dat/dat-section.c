/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-section.h"
#include "base/try-alloc.h"

#include <zstd.h>

enum { MAX_METADATA = 64 << 20 }; /* event formats of a big kernel have 5 MiB */

gboolean iot_dat_section_header(const struct iot_dat_file *file, guint64 offset,
				struct iot_dat_section *out, GError **error)
{
	guint8 head[IOT_DAT_SECTION_HEADER];
	gboolean big = file->layout.big_endian;
	gsize got;

	*out = (struct iot_dat_section){ .id = G_MAXUINT16 };
	if (!iot_dat_file_read(file, offset, head, sizeof(head), &got, error))
		return FALSE;
	if (got < sizeof(head))
		return TRUE;
	out->id = iot_load_u16(head, big);
	out->compressed = iot_load_u16(head + 2, big) & 1;
	out->size = iot_load_u64(head + 8, big);
	return TRUE;
}

/* NULL: damaged (@error not set) or no memory (@error set) */
static guint8 *unpack(const guint8 *data, gsize len, gboolean big_endian, gsize *out_len,
		      GError **error)
{
	g_autofree guint8 *plain = NULL;
	guint32 packed, unpacked;
	struct iot_bytes b;
	gsize n;

	iot_bytes_init(&b, data, len, big_endian);
	packed = iot_bytes_u32(&b);
	unpacked = iot_bytes_u32(&b);
	if (b.bad || packed > iot_bytes_left(&b) || unpacked > MAX_METADATA)
		return NULL;
	plain = iot_try_malloc(unpacked + 1u, "the metadata of a recording", error);
	if (!plain)
		return NULL;
	n = ZSTD_decompress(plain, unpacked, b.p, packed);
	if (ZSTD_isError(n))
		return NULL;
	*out_len = n;
	return g_steal_pointer(&plain);
}

gboolean iot_dat_section_read(const struct iot_dat_file *file, guint64 offset, enum iot_dat_id id,
			      guint8 **out_data, gsize *out_len, GError **error)
{
	g_autofree guint8 *data = NULL;
	struct iot_dat_section section;
	GError *failed = NULL;

	*out_data = NULL;
	*out_len = 0;
	if (!iot_dat_section_header(file, offset, &section, error))
		return FALSE;
	if (section.id != id)
		return TRUE;
	/* a section that was cut off is used as far as it goes; there are 16 bytes, so no wrap here
	 */
	section.size = MIN(section.size, file->size - offset - IOT_DAT_SECTION_HEADER);
	if (section.size > MAX_METADATA)
		return TRUE;
	data = iot_try_malloc(section.size + 1, "the metadata of a recording", error);
	if (!data || !iot_dat_file_read(file, offset + IOT_DAT_SECTION_HEADER, data, section.size,
					out_len, error))
		return FALSE;
	if (!section.compressed) {
		*out_data = g_steal_pointer(&data);
		return TRUE;
	}
	*out_data = unpack(data, *out_len, file->layout.big_endian, out_len, &failed);
	if (failed)
		g_propagate_error(error, failed);
	return !failed;
}
