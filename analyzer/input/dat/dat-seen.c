/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/dat/dat-seen.h"
#include "input/dat/dat-formats.h"
#include "base/units.h"

#include <string.h>

/* The number of bytes. */
static guint n_ids(const struct iot_dat_file *file)
{
	guint n = 0;

	for (guint i = 0; i < file->formats->len; i++)
		n = MAX(n, g_array_index(file->formats, struct iot_dat_format, i).id + 1u);
	return n;
}

guint8 *iot_dat_seen_new(const struct iot_dat_file *file)
{
	return g_malloc0(n_ids(file) + 1);
}

void iot_dat_seen_merge(const struct iot_dat_file *file, guint8 *into, const guint8 *from)
{
	for (guint i = n_ids(file); i-- > 0;)
		into[i] |= from[i];
}

gboolean iot_dat_seen_event(const struct iot_dat_file *file, const guint8 *seen, const char *system,
			    const char *name)
{
	for (guint i = 0; i < file->formats->len; i++) {
		const struct iot_dat_format *format =
			&g_array_index(file->formats, struct iot_dat_format, i);

		if (seen[format->id] && !strcmp(format->name, name) &&
		    !strcmp(format->system, system))
			return TRUE;
	}
	return FALSE;
}

GPtrArray *iot_dat_seen_systems(const struct iot_dat_file *file, const guint8 *seen)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < file->formats->len; i++) {
		const struct iot_dat_format *format =
			&g_array_index(file->formats, struct iot_dat_format, i);
		g_autofree char *name = NULL;

		if (!seen[format->id] || !g_utf8_validate(format->system, -1, NULL) ||
		    !g_utf8_validate(format->name, -1, NULL))
			continue;
		name = strcmp(format->system, IOT_DAT_FTRACE)
			       ? g_strdup(format->system)
			       : g_strdup_printf("%s (%s)", format->system, format->name);
		if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
			g_ptr_array_add(names, g_steal_pointer(&name));
	}
	g_ptr_array_sort(names, iot_texts_compare);
	g_ptr_array_add(names, NULL);
	return names;
}

void iot_dat_seen_save(const struct iot_dat_file *file, const guint8 *seen, GByteArray *out)
{
	guint n = n_ids(file), count = 0;

	for (guint id = 0; id < n; id++)
		count += seen[id] != 0;
	iot_pack_uint(out, count);
	for (guint id = 0; id < n; id++)
		if (seen[id])
			iot_pack_uint(out, id);
}

void iot_dat_seen_load(const struct iot_dat_file *file, guint8 *seen, struct iot_unpack *in)
{
	guint n = n_ids(file);

	for (guint32 left = iot_unpack_count(in); left && !in->bad; left--)
		seen[iot_unpack_uint(in, n ? n - 1 : 0)] = 1;
}
