/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that are known by what a table says, and by fields of several types. Expected: by the rules
 * of iotrace-model(5). */
#include "model-bench.h"

static const char row_model[] = "[model]\n"
				"name = row\n"
				"system = sys\n"
				"[keytable path]\n"
				"key = ino\n"
				"else = inode {ino}\n"
				"set 1 = event name key ino value {path}\n"
				"drop 1 = event forget key ino\n"
				"[container file]\n"
				"in = root\n"
				"id = {path[ino]} {dev}\n"
				"name = {path[ino]} on {dev}\n"
				"[points use]\n"
				"on = file\n"
				"[point use]\n"
				"event = use\n"
				"points = use\n"
				"value = use\n"
				"[point look]\n"
				"event = look\n"
				"points = use\n"
				"value = look\n";

/* The same event again, when a table says something else. */
UNIT_TEST(a_row_follows_what_the_table_says)
{
	struct bench b;

	bench_start(&b, row_model);
	event(&b, 0, 10, 7, "use", "ino=5");
	event(&b, 0, 11, 7, "name", "ino=5 path=/a");
	event(&b, 0, 12, 7, "use", "ino=5");
	event(&b, 1, 13, 7, "use", "ino=5"); /* another machine's inode 5 */
	event(&b, 0, 14, 7, "name", "ino=5 path=/a");
	event(&b, 0, 15, 7, "use", "ino=5");
	event(&b, 0, 16, 7, "name", "ino=5 path=/b");
	event(&b, 0, 17, 7, "use", "ino=5");
	event(&b, 0, 18, 7, "look", "ino=5");
	event(&b, 0, 19, 7, "forget", "ino=6");
	event(&b, 0, 20, 7, "use", "ino=5");
	event(&b, 0, 21, 7, "forget", "ino=5");
	event(&b, 0, 22, 7, "use", "ino=5");
	event(&b, 0, 23, 7, "look", "ino=5");
	bench_finish(&b, 30,
		     "point inode 5 on 0 use 10\n"
		     "point /a on 0 use 12\n"
		     "point inode 5 on 0 use 13\n"
		     "point /a on 0 use 15\n"
		     "point /b on 0 use 17\n"
		     "point /b on 0 look 18\n"
		     "point /b on 0 use 20\n"
		     "point inode 5 on 0 use 22\n"
		     "point inode 5 on 0 look 23\n");
}

/* One machine has a number where another has a text, or nothing: the same bits are not the same
 * row. */
UNIT_TEST(types_of_fields_are_apart)
{
	g_autofree char *expected = NULL;
	struct bench b;
	iot_str text;

	bench_start(&b, row_model);
	text = iot_intern_str(b.tl->strings, "disk");
	event(&b, 0, 10, 7, "use", "ino=5 dev=disk");
	event(&b, 0, 11, 7, "look", "ino=5 dev=-1");
	for (guint i = 0; i < 2; i++) {
		g_autofree char *fields = g_strdup_printf("ino=5 dev=%u", text);
		struct iot_event *use = &b.events[1][0];

		while (strcmp(
			((struct iot_schema_event *)b.schema->events->pdata[use->index])->name,
			"use"))
			use++;
		event(&b, 1, 12 + i, 7, "use", fields);
		memset(use->slot_type, IOT_SLOT_ABSENT, use->n_slots);
	}
	expected = g_strdup_printf("point inode 5 on disk use 10\n"
				   "point inode 5 on -1 look 11\n"
				   "point inode 5 on %u use 12\n"
				   "point inode 5 on  use 13\n",
				   text);
	bench_finish(&b, 30, expected);
}
