/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/limits.h"
#include "compare/compare-local.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

static guint64 mean(const struct iot_histogram *durations)
{
	return durations->n ? durations->sum_ns / durations->n : 0;
}

static guint64 p50(const struct iot_histogram *durations)
{
	return iot_histogram_quantile(durations, 0.5);
}

static guint64 p90(const struct iot_histogram *durations)
{
	return iot_histogram_quantile(durations, 0.9);
}

static guint64 p99(const struct iot_histogram *durations)
{
	return iot_histogram_quantile(durations, 0.99);
}

static guint64 greatest(const struct iot_histogram *durations)
{
	return durations->n ? durations->max_ns : 0;
}

static guint64 sum(const struct iot_histogram *durations)
{
	return durations->sum_ns;
}

static guint64 count(const struct iot_histogram *durations)
{
	return durations->n;
}

static const struct quantity {
	const char *name;
	guint64 (*of)(const struct iot_histogram *durations); /* NULL: the ratio of the rank test */
} quantities[] = {
	{ "p50", p50 }, { "p90", p90 },	  { "p99", p99 },     { "max", greatest },
	{ "sum", sum }, { "mean", mean }, { "count", count }, { "typical", NULL },
};

static const struct quantity *find_quantity(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(quantities); i++)
		if (!strcmp(quantities[i].name, name))
			return &quantities[i];
	return NULL;
}

static void limit_free(gpointer data)
{
	struct iot_limit *limit = data;

	g_free(limit->state);
	g_free(limit->place);
	g_free(limit->part);
	g_free(limit->cause);
	g_free(limit->quantity);
	g_free(limit->text);
	g_free(limit);
}

static gboolean parse_percent(const char *text, double *out)
{
	char *end;

	*out = g_ascii_strtod(text, &end) / 100;
	return end > text && !strcmp(end, "%") && *out >= 0 && *out <= 1e6;
}

/* "+10%", or a duration, or for count a number, or for share "10%". */
static gboolean parse_bound(const char *text, struct iot_limit *limit)
{
	limit->is_growth = *text == '+';
	if (limit->is_growth)
		return parse_percent(text + 1, &limit->growth);
	if (!strcmp(limit->quantity, "share"))
		return parse_percent(text, &limit->share);
	if (!strcmp(limit->quantity, "count"))
		return g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT64, &limit->most, NULL);
	return strcmp(limit->quantity, "typical") && iot_parse_duration(text, &limit->most, NULL);
}

/* "PENDING", "PENDING/reaction" or "because:HOLDER" */
static void parse_state(const char *text, struct iot_limit *limit)
{
	static const char because[] = "because:";
	const char *slash = strchr(text, '/');

	if (g_str_has_prefix(text, because)) {
		limit->cause = g_strdup(text + strlen(because));
	} else if (slash) {
		limit->state = g_strndup(text, (gsize)(slash - text));
		limit->part = g_strdup(slash + 1);
	} else {
		limit->state = g_strdup(text);
	}
}

static gboolean is_quantity(const struct iot_limit *limit)
{
	static const char *const of_causes[] = { "share", "sum", "count", "typical", NULL };

	return limit->cause ? g_strv_contains(of_causes, limit->quantity)
			    : find_quantity(limit->quantity) != NULL;
}

/* NULL, or the reason why the line is wrong. */
static const char *parse_line(char **words, struct iot_limit *limit)
{
	if (g_strv_length(words) != 4)
		return "a line is STATE PLACE QUANTITY LIMIT";
	parse_state(words[0], limit);
	limit->place = g_strdup(words[1]);
	limit->quantity = g_strdup(words[2]);
	limit->text = g_strjoinv(" ", words);
	if (!is_quantity(limit))
		return limit->cause ? "the quantity of a cause is share, sum, count or typical"
				    : "the quantity is p50, p90, p99, max, mean, sum, count or "
				      "typical";
	return parse_bound(words[3], limit) ? NULL
					    : "the limit is a growth (+10%) or, except for "
					      "typical, a greatest value (5ms, of a share 5%)";
}

/* The words of a line without its comment, separated by blanks. */
static char **split_line(const char *line)
{
	g_autofree char *text = g_strndup(line, strcspn(line, "#\r"));
	g_auto(GStrv) parts = g_strsplit_set(text, " \t", -1);
	GPtrArray *words = g_ptr_array_new();

	for (guint i = 0; parts[i]; i++)
		if (*parts[i])
			g_ptr_array_add(words, g_strdup(parts[i]));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

GPtrArray *iot_limits_load(const char *path, GError **error)
{
	g_autoptr(GPtrArray) limits = g_ptr_array_new_with_free_func(limit_free);
	g_autoptr(GError) file_error = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	const char *bad;
	gsize length;

	if (!g_file_get_contents(path, &text, &length, &file_error)) {
		iot_usage_error(error, "--limits: %s", file_error->message);
		return NULL;
	}
	if (!g_utf8_validate_len(text, length, &bad)) {
		guint line = 1;

		for (const char *at = text; at < bad; at++)
			line += *at == '\n';
		iot_usage_error(error, "%s:%u: the line has a byte that is not text in UTF-8", path,
				line);
		return NULL;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_auto(GStrv) words = split_line(lines[i]);
		struct iot_limit *limit;
		const char *reason;

		if (!words[0])
			continue;
		limit = g_new0(struct iot_limit, 1);
		g_ptr_array_add(limits, limit);
		reason = parse_line(words, limit);
		if (reason) {
			iot_usage_error(error, "%s:%u: %s", path, i + 1, reason);
			return NULL;
		}
	}
	if (limits->len)
		return g_steal_pointer(&limits);
	iot_usage_error(error, "%s: there is no limit in the file", path);
	return NULL;
}

gboolean iot_limit_exceeded(const struct iot_limit *limit, const struct iot_histogram *a,
			    const struct iot_histogram *b)
{
	const struct quantity *quantity = find_quantity(limit->quantity);

	if (!quantity->of)
		return MIN(a->n, b->n) >= IOT_RANK_TEST_LEAST &&
		       iot_rank_test_ratio(a, b).low > 1 + limit->growth;
	if (!limit->is_growth)
		return quantity->of(b) > limit->most;
	return a->n && (double)quantity->of(b) > (double)quantity->of(a) * (1 + limit->growth);
}

gboolean iot_limit_exceeded_by_cause(const struct iot_limit *limit,
				     const struct iot_cause_shift *shift)
{
	const struct iot_blamed *a = &shift->run[0], *b = &shift->run[1];

	if (!strcmp(limit->quantity, "typical"))
		return MIN(a->n_waits, b->n_waits) >= IOT_RANK_TEST_LEAST &&
		       shift->low > limit->growth;
	if (!strcmp(limit->quantity, "share"))
		return limit->is_growth ? a->n_waits && iot_blamed_share(b) >
								iot_blamed_share(a) + limit->growth
					: iot_blamed_share(b) > limit->share;
	if (!strcmp(limit->quantity, "sum"))
		return limit->is_growth
			       ? a->ns && (double)b->ns > (double)a->ns * (1 + limit->growth)
			       : b->ns > limit->most;
	return limit->is_growth ? a->n && (double)b->n > (double)a->n * (1 + limit->growth)
				: b->n > limit->most;
}
