/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/slurm/slurm-hosts.h"

/* One host, or several with brackets, is expanded from the left: @begun has the text before it. */
static gboolean expand(GPtrArray *hosts, const char *begun, const char *rest, gsize len);

static gboolean add(GPtrArray *hosts, char *host)
{
	g_ptr_array_add(hosts, host);
	return hosts->len <= IOT_SLURM_MOST_HOSTS;
}

/* Digits at *@p up to @end; FALSE: there are none, or too many. */
static gboolean read_number(const char **p, const char *end, guint64 *out, int *out_width)
{
	const char *begin = *p;

	*out = 0;
	while (*p < end && g_ascii_isdigit(**p))
		*out = *out * 10 + (guint64)(*(*p)++ - '0');
	*out_width = (int)(*p - begin);
	return *out_width > 0 && *out_width <= 18;
}

/* Each number between the brackets, with the text after them. */
static gboolean expand_numbers(GPtrArray *hosts, const char *begun, const char *p, const char *end,
			       const char *rest, gsize len)
{
	while (p < end) {
		guint64 from, to;
		int width, other;

		if (!read_number(&p, end, &from, &width))
			return FALSE;
		to = from;
		if (p < end && *p == '-') {
			p++;
			if (!read_number(&p, end, &to, &other) || to < from ||
			    to - from >= IOT_SLURM_MOST_HOSTS)
				return FALSE;
		}
		for (guint64 n = from; n <= to; n++) {
			g_autofree char *name =
				g_strdup_printf("%s%0*" G_GUINT64_FORMAT, begun, width, n);

			if (!expand(hosts, name, rest, len))
				return FALSE;
		}
		if (p < end && (*p != ',' || ++p == end))
			return FALSE;
	}
	return TRUE;
}

static gboolean expand(GPtrArray *hosts, const char *begun, const char *rest, gsize len)
{
	const char *open = memchr(rest, '[', len), *close = memchr(rest, ']', len);
	g_autofree char *front = NULL;

	if (!open)
		return !close && add(hosts, g_strdup_printf("%s%.*s", begun, (int)len, rest));
	if (!close || close <= open + 1)
		return FALSE;
	front = g_strdup_printf("%s%.*s", begun, (int)(open - rest), rest);
	return expand_numbers(hosts, front, open + 1, close, close + 1,
			      len - (gsize)(close + 1 - rest));
}

GPtrArray *iot_slurm_hosts(const char *list)
{
	g_autoptr(GPtrArray) hosts = g_ptr_array_new_with_free_func(g_free);
	const char *begin = list;
	gboolean inside = FALSE;

	for (const char *p = list;; p++) {
		if (*p == '[' || *p == ']') {
			if (inside == (*p == '['))
				return NULL;
			inside = !inside;
		} else if (!*p || (*p == ',' && !inside)) {
			if (p == begin || inside || p - begin > G_MAXINT16 ||
			    !expand(hosts, "", begin, (gsize)(p - begin)))
				return NULL;
			if (!*p)
				return g_steal_pointer(&hosts);
			begin = p + 1;
		}
	}
}
