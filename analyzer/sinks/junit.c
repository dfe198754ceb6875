/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * junit: the rules of the models as test cases. A proved finding is a failure; a rule of which
 * nothing is decided is skipped; possible findings are the output of a test that passes.
 */
#include "sinks/findings-lines.h"
#include "base/out.h"

static struct iot_sink *junit_open(const struct iot_sink_args *args, GError **error)
{
	return iot_rules_open(&iot_sink_junit, args, error);
}

/* Models may contain any text, XML 1.0 no control characters. */
static char *escape(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	for (char *c = valid; *c; c++)
		if (g_ascii_iscntrl(*c) && *c != '\n')
			*c = '?';
	return g_markup_escape_text(valid, -1);
}

static gboolean is_skipped(const struct iot_rule_result *result)
{
	return !result->n_proved && !result->n_possible && result->n_undecided;
}

static void write_case(const struct iot_rule_result *result, struct iot_out *out)
{
	g_autofree char *name = escape(result->rule), *finds = escape(result->finds);
	g_autofree char *lines = escape(result->lines);
	g_autofree char *head =
		g_strdup_printf("  <testcase classname=\"check\" name=\"%s: %s\"", name, finds);

	iot_out_puts(out, head);
	if (!*lines) {
		iot_out_puts(out, "/>\n");
		return;
	}
	iot_out_puts(out, ">\n");
	if (result->n_proved) {
		g_autofree char *message =
			g_strdup_printf("    <failure type=\"proved\" message=\"%" G_GUINT64_FORMAT
					" proved: %s\">",
					result->n_proved, finds);

		iot_out_puts(out, message);
		iot_out_puts(out, lines);
		iot_out_puts(out, "</failure>\n");
	} else {
		if (is_skipped(result))
			iot_out_puts(out, "    <skipped message=\"undecided\"/>\n");
		iot_out_puts(out, "    <system-out>");
		iot_out_puts(out, lines);
		iot_out_puts(out, "</system-out>\n");
	}
	iot_out_puts(out, "  </testcase>\n");
}

static gboolean junit_finish(struct iot_sink *sink, const struct iot_summary *summary,
			     GError **error)
{
	struct iot_rules_sink *rules = (struct iot_rules_sink *)sink;
	g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(struct iot_rule_result));
	guint n = iot_rule_count(summary), n_failed = 0, n_skipped = 0;
	g_autofree char *head = NULL;

	for (guint i = 0; i < n; i++) {
		struct iot_rule_result result;

		iot_rule_result(summary, rules->tl, i, &result);
		n_failed += result.n_proved > 0;
		n_skipped += is_skipped(&result);
		g_array_append_val(results, result);
	}
	head = g_strdup_printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			       "<testsuite name=\"iotrace-analyze check\" tests=\"%u\" "
			       "failures=\"%u\" errors=\"0\" skipped=\"%u\">\n",
			       n, n_failed, n_skipped);
	iot_out_puts(rules->out, head);
	for (guint i = 0; i < n; i++) {
		struct iot_rule_result *result = &g_array_index(results, struct iot_rule_result, i);

		write_case(result, rules->out);
		g_free(result->lines);
	}
	iot_out_puts(rules->out, "</testsuite>\n");
	return iot_out_finish(rules->out, error);
}

const struct iot_sink_ops iot_sink_junit = {
	.name = "junit",
	.summary = "rules of the models as test cases in JUnit's XML, for CI",
	.suffix = ".junit.xml",
	.word_path = "-",
	.prints_at_end = TRUE,
	.analysis = "check",
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = junit_open,
	.item = iot_rules_item,
	.finish = junit_finish,
	.free = iot_rules_free,
};
