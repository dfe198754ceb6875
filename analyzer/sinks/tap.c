/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tap: the rules of the models as lines of the Test Anything Protocol 13. A rule with a proved
 * finding is not ok; a rule of which nothing is decided is skipped. Findings follow as comments.
 */
#include "sinks/findings-lines.h"
#include "base/out.h"

static struct iot_sink *tap_open(const struct iot_sink_args *args, GError **error)
{
	return iot_rules_open(&iot_sink_tap, args, error);
}

/* "#" begins a directive, and a line is one test. */
static char *description(const struct iot_rule_result *result)
{
	g_autofree char *text = g_strconcat(result->rule, ": ", result->finds, NULL);

	return g_strdelimit(g_steal_pointer(&text), "#\n\r", ' ');
}

static void write_result(const struct iot_rule_result *result, guint number, struct iot_out *out)
{
	gboolean skipped = !result->n_proved && !result->n_possible && result->n_undecided;
	g_autofree char *text = description(result);
	g_autofree char *line = g_strdup_printf("%sok %u - %s%s\n", result->n_proved ? "not " : "",
						number, text, skipped ? " # SKIP undecided" : "");
	g_auto(GStrv) lines = g_strsplit(result->lines, "\n", -1);

	iot_out_puts(out, line);
	for (guint i = 0; lines[i] && *lines[i]; i++) {
		g_autofree char *comment = g_strconcat("# ", lines[i], "\n", NULL);

		iot_out_puts(out, comment);
	}
}

static gboolean tap_finish(struct iot_sink *sink, const struct iot_summary *summary, GError **error)
{
	struct iot_rules_sink *rules = (struct iot_rules_sink *)sink;
	guint n = iot_rule_count(summary);
	g_autofree char *plan =
		g_strdup_printf("TAP version 13\n1..%u%s\n", n,
				n ? "" : " # SKIP no model of these recordings has a [check]");

	iot_out_puts(rules->out, plan);
	for (guint i = 0; i < n; i++) {
		struct iot_rule_result result;

		iot_rule_result(summary, rules->tl, i, &result);
		write_result(&result, i + 1, rules->out);
		g_free(result.lines);
	}
	return iot_out_finish(rules->out, error);
}

const struct iot_sink_ops iot_sink_tap = {
	.name = "tap",
	.summary = "rules of the models as tests of the Test Anything Protocol, for CI",
	.suffix = ".tap",
	.word_path = "-",
	.prints_at_end = TRUE,
	.analysis = "check",
	.feed = IOT_FEED_WHOLE_SPANS,
	.open = tap_open,
	.item = iot_rules_item,
	.finish = tap_finish,
	.free = iot_rules_free,
};
