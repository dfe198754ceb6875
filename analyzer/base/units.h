/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, sizes and names as people write and read them. All functions: any thread. */
#ifndef IOT_BASE_UNITS_H
#define IOT_BASE_UNITS_H

#include <glib.h>

/** iot_parse_duration - "1.5ms", "20us", "3s", "7ns", "2min", "1h", "1d"; a bare number is seconds.
 * Result in ns. */
gboolean iot_parse_duration(const char *text, guint64 *out_ns, GError **error);
/** iot_parse_instant - "2.5" or "300ms" after @begin_ns, "@1.5" of the host's clock; in ns. Errors:
 * IOT_ERROR_USAGE */
gboolean iot_parse_instant(const char *text, guint64 begin_ns, guint64 *out_ns, GError **error);
/** iot_parse_rate - "10ppm", "200ppb"; a bare number is ppm. Result in ppb. */
gboolean iot_parse_rate(const char *text, guint64 *out_ppb, GError **error);
/** iot_parse_size - "64K", "256M", "1G", bytes without a letter; powers of 1024 */
gboolean iot_parse_size(const char *text, guint64 *out_bytes, GError **error);
/** iot_format_duration - three significant digits and a unit ("1.25 ms"); the caller frees */
char *iot_format_duration(guint64 ns);
/** iot_format_seconds - "12.345678901"; the caller frees */
char *iot_format_seconds(guint64 ns);
/** iot_format_size - "1.5 MiB"; the caller frees */
char *iot_format_size(guint64 bytes);
/** iot_format_count - decimal digits, as programs that cut columns want them; the caller frees */
char *iot_format_count(guint64 n);
/**
 * iot_escape_bytes - raw bytes as printable text
 *
 * Printable ASCII and valid UTF-8 stay; a backslash becomes \\, every other byte \xNN. The caller
 * frees.
 */
char *iot_escape_bytes(const char *data, gsize len);
/** iot_printable - a copy of a name as printable text; control characters and what is not UTF-8 are
 * escaped, if there are any: names are mostly escaped already, which must not happen twice. The
 * caller frees */
char *iot_printable(const char *text);
/** iot_quote_bytes - a quoted text of iotrace-text(5): a backslash before " and \, control
 * characters as \xNN; the caller frees */
char *iot_quote_bytes(const char *data, gsize len);
/** iot_natural_compare - strcmp in which runs of digits compare as numbers ("res2" < "res10");
 * total order */
int iot_natural_compare(const char *a, const char *b);
/** iot_texts_compare - strcmp of two elements of an array of texts, for g_ptr_array_sort and qsort
 * @a, @b: pointers to char * */
int iot_texts_compare(const void *a, const void *b);

#endif
