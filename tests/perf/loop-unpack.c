// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-unpack FILE... - the limit of any reader of compressed recordings on one core: unpacks all
 * chunks of all CPUs into one buffer, without reading the buffer. Reads one word of each cache line
 * of uncompressed files.
 */
#include "input/dat/dat-open.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

enum { MAX_CHUNK = 1 << 20, LINE = 64 };

struct totals {
	guint64 packed, unpacked, sum;
};

static gboolean unpack_area(const guint8 *p, const guint8 *end, gboolean big, struct totals *totals)
{
	static guint8 chunk[MAX_CHUNK];
	static ZSTD_DCtx *zstd;

	if (!zstd)
		zstd = ZSTD_createDCtx();
	while (end - p > 8) {
		guint32 packed = iot_load_u32(p, big), unpacked = iot_load_u32(p + 4, big);

		if (unpacked > sizeof(chunk) || packed > (gsize)(end - p) - 8 ||
		    ZSTD_decompressDCtx(zstd, chunk, unpacked, p + 8, packed) != unpacked)
			return FALSE;
		p += 8 + packed;
		totals->packed += packed;
		totals->unpacked += unpacked;
	}
	return TRUE;
}

static void touch_area(const guint8 *p, const guint8 *end, struct totals *totals)
{
	totals->packed += (guint64)(end - p);
	totals->unpacked += (guint64)(end - p);
	for (; end - p >= LINE; p += LINE)
		totals->sum += iot_load_u64(p, FALSE);
}

static gboolean read_file(const char *path, struct totals *totals, GError **error)
{
	g_autoptr(iot_dat_file) file = iot_dat_file_open(path, error);
	const guint8 *map;
	gboolean ok = TRUE;

	if (!file)
		return FALSE;
	map = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, file->fd, 0);
	if (map == MAP_FAILED)
		return FALSE;
	for (guint b = 0; b < file->buffers->len; b++) {
		const struct iot_dat_buffer *buffer = file->buffers->pdata[b];

		for (guint a = 0; ok && a < buffer->areas->len; a++) {
			const struct iot_dat_area *area =
				&g_array_index(buffer->areas, struct iot_dat_area, a);
			const guint8 *p = map + area->offset;

			if (buffer->compressed)
				ok = unpack_area(p, p + area->size, file->layout.big_endian,
						 totals);
			else
				touch_area(p, p + area->size, totals);
		}
	}
	munmap((void *)(gsize)map, file->size);
	return ok;
}

int main(int argc, char **argv)
{
	struct totals totals = { 0 };
	gint64 start = g_get_monotonic_time();
	double seconds;

	for (int i = 1; i < argc; i++) {
		g_autoptr(GError) error = NULL;

		if (read_file(argv[i], &totals, &error))
			continue;
		g_printerr("loop-unpack: %s\n", error ? error->message : "a damaged file");
		return 2;
	}
	seconds = (g_get_monotonic_time() - start) / 1e6;
	g_print("packed %" G_GUINT64_FORMAT "\nunpacked %" G_GUINT64_FORMAT "\n", totals.packed,
		totals.unpacked);
	g_printerr("%.3f s, %.0f MB/s (%" G_GUINT64_FORMAT ")\n", seconds,
		   totals.unpacked / seconds / 1e6, totals.sum);
	return 0;
}
