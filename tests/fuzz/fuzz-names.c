/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target: files of --names. One that is refused has one line with its place; one that is
 * accepted is told to a timeline, and asked for everything that it can say.
 */
#include "fuzz-source.h"
#include "input/rank-clock.h"
#include "run/names-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Recordings have the names of the corpus. */
static const char *const words[] = { "1", "alpha", "beta", "10.0.0.5", "app.txt", "job", "east" };

static gboolean is(gconstpointer recording, const char *what, gboolean host)
{
	(void)host;
	return !strcmp(recording, what);
}

static void ask_of_recordings(const struct iot_names_file *file)
{
	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autofree char *above = iot_names_file_above(file, words[i]);
		g_autoptr(GError) twice = NULL, named = NULL;
		const char *node = NULL;
		GArray *clocks;

		CHECK(iot_names_file_claim(file, is, words[i], words[i], &node, &twice) == !twice);
		if (node)
			CHECK(iot_names_file_has(file, node));
		CHECK(iot_names_file_check_name(file, words[i], words[i], "x", &named) == !named);
		clocks = iot_names_file_rank_clocks(file, words[i], &node);
		for (guint k = 0; clocks && k < clocks->len; k++) {
			const struct iot_rank_clock *clock =
				&g_array_index(clocks, struct iot_rank_clock, k);

			CHECK(clock->begin.number && clock->begin.number <= clock->begin.of);
			CHECK(clock->end.number <= clock->end.of);
			CHECK(MAX(clock->begin.of, clock->end.of) <= IOT_RANK_BARRIERS);
		}
		if (clocks)
			g_array_unref(clocks);
	}
}

static void tell(const struct iot_names_file *file)
{
	static const char *const nodes[] = { "1", "beta", NULL };
	struct iot_timeline *tl = iot_timeline_new();
	g_autoptr(GString) identity = g_string_new(NULL);
	iot_type_id node, rank;

	iot_names_file_tell(file, tl);
	iot_timeline_type(tl, IOT_TYPE_ROW, iot_node_names_level(tl->names, "node"), "node",
			  iot_node_names_above(tl->names), &node);
	iot_type_set_role(tl, node, IOT_ROLE_NODE);
	iot_timeline_type(tl, IOT_TYPE_ROW, iot_node_names_level(tl->names, "rank"), "rank", node,
			  &rank);
	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		iot_str id = iot_intern_str(tl->strings, words[i]), row;
		const struct iot_node_name *name = iot_node_names_find(tl->names, id);
		const struct iot_node_ranks *ranks;
		iot_row_id above = iot_node_names_parent(tl->names, name, NULL, NULL), parent;

		parent = iot_timeline_row(tl, node, above, name ? name->id : id,
					  name ? name->name : id, NULL);
		row = iot_intern_str(tl->strings, "rank 1 thread 2");
		ranks = iot_node_names_rank(tl->names, id, row);
		if (ranks)
			CHECK(iot_node_names_find(tl->names, ranks->node));
		row = iot_node_names_move(tl->names, id, row);
		iot_timeline_row(tl, rank, parent, row, row, NULL);
	}
	iot_names_file_titles(file, tl);
	g_ptr_array_unref(iot_names_file_unused(file, nodes, tl));
	iot_names_file_identify(file, identity);
	iot_timeline_free(tl);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	/* not followed by a byte 0 that the parser might count on */
	g_autofree char *text = g_memdup2(data, len);
	g_autoptr(GError) error = NULL;
	struct iot_names_file *file = iot_names_file_parse("F", text ? text : "", len, &error);

	CHECK(!file == (error != NULL));
	if (error) {
		CHECK(g_str_has_prefix(error->message, "F:"));
		CHECK(!strchr(error->message, '\n'));
		return 0;
	}
	ask_of_recordings(file);
	tell(file);
	iot_names_file_free(file);
	return 0;
}
