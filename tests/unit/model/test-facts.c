/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns that find names, and which command a process ran at an instant. */
#include "language/commands.h"
#include "model/proof.h"
#include "unit.h"

static void check_find(const char *pattern, const char *from, const char *expected)
{
	const char *text = NULL;
	gsize len = 0;
	gboolean found = iot_proof_match(pattern, from, &text, &len);
	g_autofree char *got = found ? g_strndup(text, len) : NULL;

	CU_ASSERT_EQUAL(found, expected != NULL);
	if (expected && got)
		CU_ASSERT_STRING_EQUAL(got, expected);
}

UNIT_TEST(find_takes_a_part_of_a_path)
{
	check_find("/sys/kernel/dlm/{text}/*", "/sys/kernel/dlm/test/control", "test");
	check_find("/sys/kernel/dlm/{text}/*", "/sys/kernel/dlm/test/", "test");
	check_find("/sys/kernel/dlm/{text}/*", "/sys/kernel/dlm/test", NULL);
	check_find("/sys/kernel/dlm/{text}/*", "/sys/kernel/dlm//control", NULL);
	check_find("/dev/misc/dlm_{text}", "/dev/misc/dlm_a_b", "a_b");
	check_find("/dev/misc/dlm_{text}", "/dev/misc/dlm_a/b", NULL);
	check_find("/dev/misc/dlm_{text}", "/dev/misc/dlm_", NULL);
	check_find("/sys/fs/gfs2/*:{text}/*", "/sys/fs/gfs2/lab:data/lock_module", "data");
	check_find("*{text}.log", "/var/x.log", "x");
}

static void check_command(struct iot_commands *commands, struct iot_intern *strings, gint32 pid,
			  guint64 ts, const char *expected)
{
	guint32 str = iot_commands_find(commands, pid, ts, strings);

	CU_ASSERT_STRING_EQUAL(iot_intern_get(strings, str, NULL), expected);
}

UNIT_TEST(commands_are_those_of_the_instant)
{
	g_autoptr(iot_intern) strings = iot_intern_new();
	struct iot_commands *commands = iot_commands_new();

	/* the order in which runs are read is not that of time */
	iot_commands_add(commands, 7, 300, "late");
	iot_commands_add(commands, 7, 100, "early");
	iot_commands_add(commands, 7, 200, "early");
	iot_commands_add(commands, 8, 500, "seen");
	iot_commands_add(commands, 0, 1, "idle");
	iot_commands_add_lines(commands, "9 saved\n8 old\n10 <...>\nnonsense\n-1 x\n");
	commands = iot_commands_end(commands);
	CU_ASSERT_PTR_NOT_NULL_FATAL(commands);
	for (guint round = 0; round < 2; round++) {
		check_command(commands, strings, 7, 300, "late");
		check_command(commands, strings, 7, 299, "early");
		check_command(commands, strings, 7, 50, "early");
		check_command(commands, strings, 8, 499, "old");
		check_command(commands, strings, 8, 500, "seen");
		check_command(commands, strings, 9, 1, "saved");
		check_command(commands, strings, 10, 1, "");
		check_command(commands, strings, 0, 1, "");
		check_command(commands, strings, 71, 300, ""); /* 64 away from 7 */
	}
	iot_commands_free(commands);
	CU_ASSERT_PTR_NULL(iot_commands_end(iot_commands_new()));
}
