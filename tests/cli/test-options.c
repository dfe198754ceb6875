/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Correct command lines and their struct iot_command. fault-usage.sh has the wrong ones. */
#include "cli/options.h"
#include "unit.h"

#include <string.h>

/* Parse a line of words; the words are overwritten afterwards, so that only deep copies survive. */
static void parse(struct iot_command *command, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	g_autoptr(GError) error = NULL;

	if (!iot_command_parse(command, (const char *const *)words, &error))
		g_error("%s: %s", line, error->message);
	for (guint i = 0; words[i]; i++)
		memset(words[i], '#', strlen(words[i]));
}

static const char *text_at(GPtrArray *array, guint i)
{
	return i < array->len ? g_ptr_array_index(array, i) : "(none)";
}

UNIT_TEST(defaults)
{
	struct iot_command command;
	const struct iot_output *output;
	guint page = iot_sink_html.default_path ? 1 : 0; /* a program may be built without it */

	parse(&command, "prog a b");
	CU_ASSERT_EQUAL(command.action, IOT_ACTION_ANALYSE);
	CU_ASSERT_EQUAL(command.options.inputs->len, 2);
	CU_ASSERT_STRING_EQUAL(text_at(command.options.inputs, 1), "b");
	CU_ASSERT_EQUAL(command.options.memory, 256 << 20);
	CU_ASSERT_EQUAL(command.options.threads, 0);
	CU_ASSERT(command.options.max_open > 0 && command.options.max_containers > 0);
	CU_ASSERT_EQUAL_FATAL(command.options.outputs->len, 3 + page);
	output = g_ptr_array_index(command.options.outputs, 0);
	CU_ASSERT_PTR_EQUAL(output->ops, page ? &iot_sink_html : &iot_sink_slog2);
	output = g_ptr_array_index(command.options.outputs, page);
	CU_ASSERT_PTR_EQUAL(output->ops, &iot_sink_slog2);
	CU_ASSERT_STRING_EQUAL(output->path, "iotrace.slog2");
	output = g_ptr_array_index(command.options.outputs, 2 + page);
	CU_ASSERT_PTR_EQUAL(output->ops, &iot_sink_report);
	CU_ASSERT_STRING_EQUAL(output->path, "-");
	iot_command_clear(&command);
	iot_command_clear(&command); /* twice is allowed */
}

UNIT_TEST(all_values)
{
	const struct iot_mapping *mapping;
	struct iot_command command;

	parse(&command,
	      "prog --map 1=5,2=4 a --map=web=x=y --from 1.5 --to=@7 --top 3 --slower-than 5ms "
	      "-mdlm -m ./x.model --select */res0? --exclude b --node 1,3 --node 4 --threads 2 "
	      "--memory 1G --max-open 7 --max-containers 9 -qvv --strict --audit --colour never b");
	CU_ASSERT_EQUAL_FATAL(command.options.mappings->len, 3);
	mapping = g_ptr_array_index(command.options.mappings, 1);
	CU_ASSERT_STRING_EQUAL(mapping->node, "2");
	CU_ASSERT_STRING_EQUAL(mapping->what, "4");
	mapping = g_ptr_array_index(command.options.mappings, 2);
	CU_ASSERT_STRING_EQUAL(mapping->node, "web");
	CU_ASSERT_STRING_EQUAL(mapping->what, "x=y");
	CU_ASSERT_STRING_EQUAL(command.options.from, "1.5");
	CU_ASSERT_STRING_EQUAL(command.options.to, "@7");
	CU_ASSERT_EQUAL(command.options.top, 3);
	CU_ASSERT_EQUAL(command.options.slower_than_ns, 5000000);
	CU_ASSERT_STRING_EQUAL(text_at(command.options.models, 0), "dlm");
	CU_ASSERT_STRING_EQUAL(text_at(command.options.models, 1), "./x.model");
	CU_ASSERT_STRING_EQUAL(text_at(command.options.select, 0), "*/res0?");
	CU_ASSERT_STRING_EQUAL(text_at(command.options.exclude, 0), "b");
	CU_ASSERT_EQUAL(command.options.nodes->len, 3);
	CU_ASSERT_STRING_EQUAL(text_at(command.options.nodes, 2), "4");
	CU_ASSERT_EQUAL(command.options.threads, 2);
	CU_ASSERT_EQUAL(command.options.memory, 1 << 30);
	CU_ASSERT_EQUAL(command.options.max_open, 7);
	CU_ASSERT_EQUAL(command.options.max_containers, 9);
	CU_ASSERT_EQUAL(command.options.verbose, 2);
	CU_ASSERT(command.quiet && command.options.strict && command.options.audit);
	CU_ASSERT_EQUAL(command.colour, IOT_COLOUR_NEVER);
	CU_ASSERT_EQUAL(command.options.inputs->len, 2);
	iot_command_clear(&command);
}

static void check_policy(const char *line, enum iot_causality policy, gboolean rounds,
			 gboolean strict)
{
	struct iot_command command;

	parse(&command, line);
	CU_ASSERT_EQUAL(command.options.causality.policy, policy);
	CU_ASSERT_EQUAL(command.options.causality.rounds, rounds);
	CU_ASSERT_EQUAL(command.options.causality.strict, strict);
	iot_command_clear(&command);
}

UNIT_TEST(policies_are_combined)
{
	struct iot_command command;

	check_policy("prog a", IOT_CAUSALITY_REPORT, FALSE, FALSE);
	check_policy("prog --causality strict a", IOT_CAUSALITY_REPORT, FALSE, TRUE);
	check_policy("prog --causality report,strict a", IOT_CAUSALITY_REPORT, FALSE, TRUE);
	check_policy("prog --causality rounds a", IOT_CAUSALITY_HOLD, TRUE, FALSE);
	check_policy("prog --causality rounds,hold a", IOT_CAUSALITY_HOLD, TRUE, FALSE);
	check_policy("prog --causality strict,rounds,hold=1s,adjust a", IOT_CAUSALITY_ADJUST, TRUE,
		     TRUE);
	parse(&command, "prog --causality rounds,back=3s,spread=20%,inside,adjust a");
	CU_ASSERT_EQUAL(command.options.causality.policy, IOT_CAUSALITY_ADJUST);
	CU_ASSERT_TRUE(command.options.causality.rounds);
	CU_ASSERT_TRUE(command.options.causality.inside);
	CU_ASSERT_EQUAL(command.options.causality.keep_ppm, 800000);
	CU_ASSERT_EQUAL(command.options.causality.back_ns, 3000000000);
	iot_command_clear(&command);
}

UNIT_TEST(blanks_in_lists_are_no_part_of_names)
{
	static const char *const argv[] = { "prog", "--map", " 1=5, 2 = 4", "--node",
					    "1, 2", "a",     NULL };
	const struct iot_mapping *mapping;
	struct iot_command command;

	CU_ASSERT_FATAL(iot_command_parse(&command, argv, NULL));
	CU_ASSERT_EQUAL_FATAL(command.options.mappings->len, 2);
	mapping = g_ptr_array_index(command.options.mappings, 0);
	CU_ASSERT_STRING_EQUAL(mapping->node, "1");
	mapping = g_ptr_array_index(command.options.mappings, 1);
	CU_ASSERT_STRING_EQUAL(mapping->node, "2");
	CU_ASSERT_STRING_EQUAL(mapping->what, "4");
	CU_ASSERT_STRING_EQUAL(text_at(command.options.nodes, 1), "2");
	iot_command_clear(&command);
}

UNIT_TEST(outputs)
{
	const struct iot_output *output;
	struct iot_command command;

	parse(&command, "prog a -o text:- -oslog2:dir/x:y --output=paje:p");
	CU_ASSERT_EQUAL_FATAL(command.options.outputs->len, 3);
	output = g_ptr_array_index(command.options.outputs, 1);
	CU_ASSERT_PTR_EQUAL(output->ops, &iot_sink_slog2);
	CU_ASSERT_STRING_EQUAL(output->path, "dir/x:y");
	CU_ASSERT_PTR_NULL(output->options);
	iot_command_clear(&command);
}

static gboolean has_option(const struct iot_command *command, guint i, const char *name)
{
	const struct iot_output *output = g_ptr_array_index(command->options.outputs, i);

	return output->options && g_hash_table_contains(output->options, name);
}

UNIT_TEST(events_are_chosen_for_all_timelines)
{
	struct iot_command command;
	guint page = iot_sink_html.default_path ? 1 : 0;

	parse(&command, "prog a --events"); /* html, slog2, paje, report */
	CU_ASSERT(has_option(&command, page + 1, "events") &&
		  has_option(&command, page + 1, "counters"));
	CU_ASSERT_FALSE(has_option(&command, 0, "events"));
	iot_command_clear(&command);
	parse(&command, "prog a --no-events -o text:- -o slog2:s -o paje:p");
	CU_ASSERT_FALSE(has_option(&command, 0, "no-events"));
	CU_ASSERT(has_option(&command, 1, "no-events") && has_option(&command, 2, "no-events"));
	iot_command_clear(&command);
	parse(&command, "prog a -o slog2,no-events:s -o paje,events,counters:p");
	CU_ASSERT(has_option(&command, 0, "no-events") && has_option(&command, 1, "counters"));
	iot_command_clear(&command);
}

UNIT_TEST(list_replaces_the_defaults)
{
	const struct iot_output *output;
	struct iot_command command;

	parse(&command, "prog --tsv a --list");
	CU_ASSERT_EQUAL_FATAL(command.options.outputs->len, 1);
	output = g_ptr_array_index(command.options.outputs, 0);
	CU_ASSERT_PTR_EQUAL(output->ops, &iot_sink_list);
	CU_ASSERT_STRING_EQUAL(output->path, "-");
	CU_ASSERT(g_hash_table_contains(output->options, "tsv"));
	iot_command_clear(&command);
}

UNIT_TEST(words_behind_two_dashes_are_files)
{
	struct iot_command command;

	parse(&command, "prog -q -- --top -x");
	CU_ASSERT_EQUAL(command.options.inputs->len, 2);
	CU_ASSERT_STRING_EQUAL(text_at(command.options.inputs, 0), "--top");
	iot_command_clear(&command);
}

UNIT_TEST(last_one_counts)
{
	struct iot_command command;

	parse(&command, "prog --top 3 --from 1 --top 4 --from 2 a");
	CU_ASSERT_EQUAL(command.options.top, 4);
	CU_ASSERT_STRING_EQUAL(command.options.from, "2");
	iot_command_clear(&command);
}

UNIT_TEST(help_ends_parsing)
{
	static const struct {
		const char *line;
		int action;
	} cases[] = {
		{ "prog --help --nonsense", IOT_ACTION_HELP },
		{ "prog -h", IOT_ACTION_HELP },
		{ "prog -qh --nonsense", IOT_ACTION_HELP },
		{ "prog --help=man", IOT_ACTION_MAN },
		{ "prog --version --nonsense", IOT_ACTION_VERSION },
		{ "prog --completion bash", IOT_ACTION_COMPLETION },
		{ "prog --check-model m", IOT_ACTION_CHECK_MODEL },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct iot_command command;

		parse(&command, cases[i].line);
		CU_ASSERT_EQUAL(command.action, cases[i].action);
		iot_command_clear(&command);
	}
}
