/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/units.h"
#include "base/error.h"

#include <string.h>

struct unit {
	const char *name;
	guint64 factor;
};

/*
 * Decimal digits with at most one point, as digits / 10^decimals. In integers: a time since 1970 in
 * ns needs more digits than a double has. Decimals after the 19th digit are ignored.
 */
static const char *parse_decimal(const char *text, guint64 *out_digits, guint *out_decimals)
{
	gboolean any = FALSE, point = FALSE;

	*out_digits = 0;
	*out_decimals = 0;
	for (; g_ascii_isdigit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = TRUE;
			continue;
		}
		any = TRUE;
		if (*out_digits <= (G_MAXUINT64 - 9) / 10) {
			*out_digits = *out_digits * 10 + (guint)(*text - '0');
			*out_decimals += point;
		} else if (!point) {
			return NULL;
		}
	}
	return any ? text : NULL;
}

static gboolean parse_scaled(const char *text, const struct unit *units, const char *what,
			     guint64 *out, GError **error)
{
	guint64 digits;
	guint decimals;
	const char *end = parse_decimal(text, &digits, &decimals);

	while (end && *end == ' ')
		end++;
	for (; end && units->name; units++) {
		unsigned __int128 value = (unsigned __int128)digits * units->factor;
		unsigned __int128 divisor = 1;

		if (g_ascii_strcasecmp(end, units->name))
			continue;
		for (guint i = 0; i < decimals; i++)
			divisor *= 10;
		value = (value + divisor / 2) / divisor;
		if (value > G_MAXINT64)
			break;
		*out = (guint64)value;
		return TRUE;
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE, "\"%s\" is not %s", text, what);
	return FALSE;
}

gboolean iot_parse_duration(const char *text, guint64 *out_ns, GError **error)
{
	static const struct unit units[] = {
		{ "", 1000000000 },
		{ "s", 1000000000 },
		{ "ms", 1000000 },
		{ "us", 1000 },
		{ "ns", 1 },
		{ "min", 60000000000 },
		{ "h", 3600000000000 },
		{ "d", 86400000000000 },
		{ NULL, 0 },
	};

	return parse_scaled(text, units, "a time (examples: 1.5ms, 20us, 3s, 2min, 1h, 1d)", out_ns,
			    error);
}

gboolean iot_parse_instant(const char *text, guint64 begin_ns, guint64 *out_ns, GError **error)
{
	gboolean of_host = *text == '@';
	guint64 ns;

	if (!iot_parse_duration(text + of_host, &ns, NULL))
		return iot_usage_error(
			error,
			"\"%s\" is not an instant: seconds since the beginning of the "
			"recording (2.5, 300ms) or @ and seconds of the host's clock",
			text);
	*out_ns = of_host ? ns : begin_ns + ns;
	return TRUE;
}

gboolean iot_parse_rate(const char *text, guint64 *out_ppb, GError **error)
{
	static const struct unit units[] = {
		{ "", 1000 },
		{ "ppm", 1000 },
		{ "ppb", 1 },
		{ NULL, 0 },
	};

	return parse_scaled(text, units, "a rate (examples: 10ppm, 200ppb)", out_ppb, error);
}

gboolean iot_parse_size(const char *text, guint64 *out_bytes, GError **error)
{
	static const struct unit units[] = {
		{ "", 1 },	    { "K", 1024 },	 { "KiB", 1024 },	{ "M", 1048576 },
		{ "MiB", 1048576 }, { "G", 1073741824 }, { "GiB", 1073741824 }, { NULL, 0 },
	};

	return parse_scaled(text, units, "a size (examples: 64K, 256M, 1G)", out_bytes, error);
}

static char *format_three_digits(double value, const char *unit)
{
	int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;

	return g_strdup_printf("%.*f %s", decimals, value, unit);
}

char *iot_format_duration(guint64 ns)
{
	if (ns < 1000)
		return g_strdup_printf("%u ns", (unsigned int)ns);
	if (ns < 999500)
		return format_three_digits((double)ns / 1e3, "us");
	if (ns < 999500000)
		return format_three_digits((double)ns / 1e6, "ms");
	return format_three_digits((double)ns / 1e9, "s");
}

char *iot_format_seconds(guint64 ns)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT ".%09u", ns / 1000000000,
			       (unsigned int)(ns % 1000000000));
}

char *iot_format_size(guint64 bytes)
{
	static const char *const names[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes / 1024;
	guint i = 0;

	if (bytes < 1024)
		return g_strdup_printf("%u B", (unsigned int)bytes);
	for (; value >= 1023.5 && i + 1 < G_N_ELEMENTS(names); i++)
		value /= 1024;
	return format_three_digits(value, names[i]);
}

char *iot_format_count(guint64 n)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT, n);
}

char *iot_escape_bytes(const char *data, gsize len)
{
	GString *text = g_string_sized_new(len);

	while (len) {
		gunichar c = g_utf8_get_char_validated(data, (gssize)len);
		gsize n = 1;

		if (c == (gunichar)-1 || c == (gunichar)-2 || !g_unichar_isprint(c)) {
			g_string_append_printf(text, "\\x%02x", (guint8)*data);
		} else if (c == '\\') {
			g_string_append(text, "\\\\");
		} else {
			n = (gsize)g_unichar_to_utf8(c, NULL);
			g_string_append_len(text, data, (gssize)n);
		}
		data += n;
		len -= n;
	}
	return g_string_free(text, FALSE);
}

char *iot_printable(const char *text)
{
	gboolean good = g_utf8_validate(text, -1, NULL);

	for (const char *p = text; good && *p; p++)
		good = (guint8)*p >= 0x20 && *p != 0x7f;
	return good ? g_strdup(text) : iot_escape_bytes(text, strlen(text));
}

char *iot_quote_bytes(const char *data, gsize len)
{
	GString *quoted = g_string_sized_new(len + 2);

	g_string_append_c(quoted, '"');
	for (gsize i = 0; i < len; i++) {
		guint8 c = (guint8)data[i];

		if (c == '"' || c == '\\')
			g_string_append_c(quoted, '\\');
		if (c < 0x20 || c == 0x7f)
			g_string_append_printf(quoted, "\\x%02x", c);
		else
			g_string_append_c(quoted, (char)c);
	}
	g_string_append_c(quoted, '"');
	return g_string_free(quoted, FALSE);
}

static gsize digit_run(const char *text)
{
	return strspn(text, "0123456789");
}

int iot_natural_compare(const char *a, const char *b)
{
	const char *a0 = a, *b0 = b;

	while (*a && *b) {
		gsize na, nb;
		int diff;

		if (!g_ascii_isdigit(*a) || !g_ascii_isdigit(*b)) {
			if (*a != *b)
				return (guchar)*a < (guchar)*b ? -1 : 1;
			a++, b++;
			continue;
		}
		a += strspn(a, "0");
		b += strspn(b, "0");
		na = digit_run(a);
		nb = digit_run(b);
		if (na != nb)
			return na < nb ? -1 : 1;
		diff = strncmp(a, b, na);
		if (diff)
			return diff;
		a += na;
		b += nb;
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(a0, b0);
}

int iot_texts_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}
