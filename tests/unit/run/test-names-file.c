/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What files of names say, and which of them are wrong. The pictures of them are golden cases
 * (92-*). */
#include "../unit.h"
#include "input/rank-clock.h"
#include "run/names-file.h"

#include <string.h>

static const char sample[] = "# a site\n"
			     "[level rack]\n"
			     "in = cluster\n"
			     "[level cluster]\n"
			     "in = root\n"
			     "title = Cluster\n"
			     "[level process]\n"
			     "title = program\n"
			     "[level host]\n"
			     "is = node\n"
			     "[node 1]\n"
			     "name = alpha\n"
			     "host = alpha.example \t 10.0.0.5\n"
			     "recording = app.txt\n"
			     "cluster = east\n"
			     "rack = r7\n"
			     "[node 2]\n"
			     "rack = r7\n"
			     "[node gamma]\n"
			     "name = c\n"
			     "[rank 0..2 7]\n"
			     "node = 2\n"
			     "[rank 3]\n"
			     "of = job\n"
			     "node = gamma\n"
			     "process = 4711\n";

static struct iot_names_file *parse(const char *text, GError **error)
{
	return iot_names_file_parse("F", text, strlen(text), error);
}

/* A recording is a host name and a file name. */
static gboolean is(gconstpointer recording, const char *what, gboolean host)
{
	const char *const *names = recording;

	return !strcmp(names[host ? 0 : 1], what);
}

static const char *claimed(const struct iot_names_file *file, const char *host, const char *name)
{
	const char *recording[] = { host, name }, *node;

	CU_ASSERT_TRUE(iot_names_file_claim(file, is, recording, name, &node, NULL));
	return node;
}

UNIT_TEST(recordings_and_nodes)
{
	struct iot_names_file *file = parse(sample, NULL);
	const char *both[] = { "10.0.0.5", "b.txt" }, *node = NULL;
	char *above;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_STRING_EQUAL(claimed(file, "10.0.0.5", "x"), "1");
	CU_ASSERT_STRING_EQUAL(claimed(file, "alpha.example", "x"), "1");
	CU_ASSERT_STRING_EQUAL(claimed(file, "other", "app.txt"), "1");
	/* neither its name nor its identity is a host name of it */
	CU_ASSERT_PTR_NULL(claimed(file, "alpha", "x"));
	CU_ASSERT_PTR_NULL(claimed(file, "gamma", "x"));
	/* a file name is no host name */
	CU_ASSERT_PTR_NULL(claimed(file, "app.txt", "x"));
	CU_ASSERT_TRUE(iot_names_file_claim(NULL, is, both, "b.txt", &node, NULL));
	CU_ASSERT_PTR_NULL(node);

	CU_ASSERT_STRING_EQUAL(iot_names_file_name(file, "1"), "alpha");
	CU_ASSERT_PTR_NULL(iot_names_file_name(file, "2"));
	CU_ASSERT_PTR_NULL(iot_names_file_name(NULL, "1"));
	CU_ASSERT_TRUE(iot_names_file_has(file, "c") && iot_names_file_has(file, "gamma"));
	CU_ASSERT_FALSE(iot_names_file_has(file, "delta"));

	above = iot_names_file_above(file, "1");
	CU_ASSERT_STRING_EQUAL(above, "east/r7");
	g_free(above);
	above = iot_names_file_above(file, "2");
	CU_ASSERT_STRING_EQUAL(above, "-/r7");
	g_free(above);
	CU_ASSERT_PTR_NULL(iot_names_file_above(file, "gamma"));
	iot_names_file_free(file);
}

UNIT_TEST(names_of_one_node)
{
	struct iot_names_file *file = parse(sample, NULL);
	GError *error = NULL;

	CU_ASSERT_TRUE(iot_names_file_check_name(file, "1", "alpha", "x.dat", &error));
	CU_ASSERT_TRUE(iot_names_file_check_name(file, "x", "x", "x.dat", &error));
	CU_ASSERT_FALSE(iot_names_file_check_name(file, "node 2", "node 2", "x.dat", &error));
	CU_ASSERT_STRING_EQUAL(error->message,
			       "F:17:1: [node 2]: x.dat is of another node with the name node 2; "
			       "if it is of this one, add its host or recording");
	g_clear_error(&error);
	iot_names_file_free(file);
}

static iot_str str(const struct iot_timeline *tl, const char *text)
{
	return iot_intern_str(tl->strings, text);
}

UNIT_TEST(told_to_a_timeline)
{
	struct iot_names_file *file = parse(sample, NULL);
	struct iot_timeline *tl = iot_timeline_new();
	iot_type_id column[IOT_MAX_NODE_LEVELS], process, node;
	const struct iot_node_name *alpha;
	iot_row_id row;
	char *path;

	iot_names_file_tell(file, tl);
	CU_ASSERT_EQUAL(iot_node_names_columns(tl->names, column), 0);
	iot_timeline_type(tl, IOT_TYPE_ROW, "node", "node", iot_node_names_above(tl->names), &node);
	iot_type_set_role(tl, node, IOT_ROLE_NODE);
	iot_timeline_type(tl, IOT_TYPE_ROW, "process", "process", node, &process);
	CU_ASSERT_EQUAL(iot_node_names_columns(tl->names, column), 2);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, iot_type_at(tl, column[0])->title), "Cluster");
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, iot_type_at(tl, column[1])->title), "rack");
	CU_ASSERT_EQUAL(iot_type_at(tl, node)->on, column[1]);
	/* nodes are no things of their racks */
	CU_ASSERT_EQUAL(iot_type_of_things(tl, node), 0);
	CU_ASSERT_EQUAL(iot_type_of_things(tl, process), node);

	iot_names_file_titles(file, tl);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, iot_type_at(tl, process)->title), "program");
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, iot_type_at(tl, process)->name), "process");

	alpha = iot_node_names_find(tl->names, str(tl, "10.0.0.5"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(alpha);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, alpha->id), "1");
	row = iot_node_names_parent(tl->names, alpha, NULL, NULL);
	path = iot_timeline_path(tl, row, "/");
	CU_ASSERT_STRING_EQUAL(path, "east/r7");
	g_free(path);
	/* r7 of no cluster is another one */
	row = iot_node_names_parent(tl->names, iot_node_names_find(tl->names, str(tl, "2")), NULL,
				    NULL);
	path = iot_timeline_path(tl, row, "/");
	CU_ASSERT_STRING_EQUAL(path, "(no Cluster)/r7");
	g_free(path);
	iot_timeline_free(tl);
	iot_names_file_free(file);
}

UNIT_TEST(ranks_of_recordings)
{
	struct iot_names_file *file = parse(sample, NULL);
	struct iot_timeline *tl = iot_timeline_new();
	const struct iot_node_ranks *ranks;
	iot_str job = str(tl, "job"), other = str(tl, "dir/other"), moved;
	guint32 rank = 0;

	iot_names_file_tell(file, tl);
	ranks = iot_node_names_rank(tl->names, other, str(tl, "rank 7 thread 12"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(ranks);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, ranks->node), "2");
	ranks = iot_node_names_rank(tl->names, job, str(tl, "rank 3"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(ranks);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(tl, ranks->node), "gamma");
	CU_ASSERT_EQUAL(ranks->process, 4711);
	CU_ASSERT_PTR_NULL(iot_node_names_rank(tl->names, other, str(tl, "rank 3")));
	CU_ASSERT_PTR_NULL(iot_node_names_rank(tl->names, job, str(tl, "rank 4")));
	CU_ASSERT_PTR_NULL(iot_node_names_rank(tl->names, job, str(tl, "rank")));
	CU_ASSERT_PTR_NULL(
		iot_node_names_rank(tl->names, job, str(tl, "rank 1 of communicator 5")));
	CU_ASSERT_PTR_NULL(iot_node_names_rank(NULL, job, str(tl, "rank 1")));

	moved = iot_node_names_move(tl->names, other, str(tl, "rank 1"));
	CU_ASSERT_TRUE(iot_node_names_moved(tl->names, moved, 0, &rank));
	CU_ASSERT_EQUAL(rank, 1);
	CU_ASSERT_TRUE(iot_node_names_moved(tl->names, moved, other, &rank));
	CU_ASSERT_FALSE(iot_node_names_moved(tl->names, moved, job, &rank));
	CU_ASSERT_FALSE(iot_node_names_moved(tl->names, str(tl, "rank 1"), 0, &rank));
	iot_timeline_free(tl);
	iot_names_file_free(file);
}

UNIT_TEST(clocks_of_ranks)
{
	static const char text[] = "[node a]\n"
				   "[node b]\n"
				   "[rank 1]\n"
				   "of = job\n"
				   "node = a\n"
				   "begin = real=5000 mono=40 took=7 barrier=3/4\n"
				   "end = real=6000 mono=1040 took=8 barrier=1/4\n"
				   "[rank 2]\n"
				   "node = a\n"
				   "begin = real=5001 mono=41 took=9 barrier=4/4\n"
				   "[rank 3]\n"
				   "node = b\n";
	struct iot_names_file *file = parse(text, NULL);
	const struct iot_rank_clock *clock;
	const char *node;
	GArray *clocks;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	clocks = iot_names_file_rank_clocks(file, "job", &node);
	CU_ASSERT_PTR_NOT_NULL_FATAL(clocks);
	CU_ASSERT_EQUAL_FATAL(clocks->len, 2);
	CU_ASSERT_STRING_EQUAL(node, "a");
	clock = &g_array_index(clocks, struct iot_rank_clock, 0);
	CU_ASSERT_EQUAL(clock->rank, 1);
	CU_ASSERT_EQUAL(clock->begin.real_ns, 5000);
	CU_ASSERT_EQUAL(clock->begin.mono_ns, 40);
	CU_ASSERT_EQUAL(clock->begin.took_ns, 7);
	CU_ASSERT_EQUAL(clock->begin.number, 3);
	CU_ASSERT_EQUAL(clock->end.real_ns, 6000);
	CU_ASSERT_EQUAL(clock->end.of, 4);
	clock = &g_array_index(clocks, struct iot_rank_clock, 1);
	CU_ASSERT_EQUAL(clock->rank, 2);
	CU_ASSERT_EQUAL(clock->end.number, 0);
	g_array_unref(clocks);
	/* another program has only the clocks that name no recording */
	clocks = iot_names_file_rank_clocks(file, "other", &node);
	CU_ASSERT_PTR_NOT_NULL_FATAL(clocks);
	CU_ASSERT_EQUAL(clocks->len, 1);
	g_array_unref(clocks);
	iot_names_file_free(file);
	CU_ASSERT_PTR_NULL(iot_names_file_rank_clocks(NULL, "job", &node));
}

static void refused_mark(const char *lines, const char *message)
{
	g_autofree char *text = g_strconcat("[node a]\n[rank 0]\nnode = a\n", lines, NULL);
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(parse(text, &error));
	CU_ASSERT_STRING_EQUAL(error ? error->message : "", message);
}

UNIT_TEST(clocks_that_are_wrong)
{
	static const char form[] = "F:4:9: a mark is real=NS mono=NS took=NS barrier=N/M, as "
				   "iotrace-mpi-ranks writes it";

	refused_mark("begin = real=5 mono=4 took=7 barrier=3/4 x\n", form);
	refused_mark("begin = real=5 mono=4 took=-7 barrier=3/4\n", form);
	refused_mark("begin = real=5 mono=4 took=7 barrier=0/4\n", form);
	refused_mark("begin = real=5 mono=4 took=7 barrier=5/4\n", form);
	refused_mark("begin = real=5 mono=4 took=7 barrier=3/17\n", form);
	refused_mark("begin = real=5\n", form);
	refused_mark("end = real=5 mono=4 took=7 barrier=3/4\n",
		     "F:2:1: [rank 0]: there is an end without a begin");
	refused_mark("begin = real=5 mono=4 took=7 barrier=3/4\n"
		     "end = real=5 mono=3 took=7 barrier=3/4\n",
		     "F:2:1: [rank 0]: the end is before the begin");
}

UNIT_TEST(unused_sections)
{
	struct iot_names_file *file = parse(sample, NULL);
	struct iot_timeline *tl = iot_timeline_new();
	const char *nodes[] = { "1", "other", NULL };
	g_autofree char *all = NULL;
	iot_type_id node;
	GPtrArray *unused;

	iot_names_file_tell(file, tl);
	iot_timeline_type(tl, IOT_TYPE_ROW, "node", "node", 0, &node);
	iot_type_set_role(tl, node, IOT_ROLE_NODE);
	iot_timeline_row(tl, node, 0, str(tl, "gamma"), str(tl, "c"), NULL);
	unused = iot_names_file_unused(file, nodes, tl);
	g_ptr_array_add(unused, NULL);
	all = g_strjoinv(", ", (char **)unused->pdata);
	CU_ASSERT_STRING_EQUAL(all, "[level cluster] (line 4), [level rack] (line 2), "
				    "[level process] (line 7), [level host] (line 9), "
				    "[node 2] (line 17), [rank 0..2 7] (line 21), [rank 3] (line "
				    "23)");
	g_ptr_array_unref(unused);
	iot_timeline_free(tl);
	iot_names_file_free(file);
}

UNIT_TEST(wrong_files)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{ "[node]\n", "F:1:1: [node]: a node needs its number or name, as in [node 1]" },
		{ "name = x\n", "F:1:1: a setting before the first [section]" },
		{ "[level]\nin = root\n",
		  "F:1:1: [level]: a level needs a name, as in [level rack]" },
		{ "[level a]\n",
		  "F:1:1: [level a]: \"in = ...\" makes a level above nodes, \"title = "
		  "...\" renames a level of a model, \"is = ...\" makes it that of another one" },
		{ "[level a]\nis = node\ntitle = x\n",
		  "F:2:1: the other level has the place and the title" },
		{ "[level a]\nis = b\n[level b]\nis = node\n",
		  "F:2:6: b (line 3) is not a level of a model" },
		{ "[level a]\nis = a\n", "F:2:6: a (line 1) is not a level of a model" },
		{ "[level a]\nis = b\n[level b]\nin = root\n",
		  "F:2:6: b (line 3) is not a level of a model" },
		{ "[level name]\nin = root\n",
		  "F:1:1: [level name]: a level cannot have this name (it is a key of [node])" },
		{ "[level a]\nin = root\n[level a]\ntitle = x\n",
		  "F:3:1: [level a]: this level stands twice (line 1)" },
		{ "[level a]\nin = a\n",
		  "F:2:6: these levels are in a circle; one must be in root" },
		{ "[level a]\nin = b\n[level b]\ntitle = x\n",
		  "F:2:6: there is no [level b] with \"in = ...\"" },
		{ "[level a]\nin = root\n[level b]\nin = a\n[level c]\nin = b\n[level d]\nin = c\n",
		  "F:7:1: [level d]: more than 3 levels above nodes" },
		{ "[level a]\nwidth = 1\n",
		  "F:2:1: no such key in [level] (there are: in, is, title)" },
		{ "[node a]\nhost = x y x\n", "F:2:8: \"x\" stands twice" },
		{ "[node a]\nhost = x b\n[node b]\nname = z\n",
		  "F:2:10: b is a node itself (line 3)" },
		{ "[node a]\nname = z\n[node b]\nname = z\n",
		  "F:4:8: node a (line 1) has this name, too" },
		{ "[node a]\nname = b\n[node b]\nhost = z\n",
		  "F:3:1: [node b]: node a (line 1) has this name, too" },
		{ "[rank 1]\n", "F:1:1: [rank 1]: \"node = ...\" is missing" },
		{ "[rank]\nnode = a\n[node a]\nname = b\n",
		  "F:1:1: [rank]: ranks are numbers and ranges, as in [rank 0..3 7]" },
		{ "[node a]\nname = b\n[rank 1 0..2]\nnode = a\n",
		  "F:3:1: [rank 1 0..2]: rank 1 stands twice (line 3)" },
		{ "[node a]\nname = b\n[rank 1]\nnode = a\nprocess = x\n",
		  "F:5:11: \"x\" is not the number of a process" },
		{ "[node a]\nname = b\n[rank 4294967296]\nnode = a\n",
		  "F:3:1: [rank 4294967296]: ranks are numbers and ranges, as in [rank 0..3 7]" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		GError *error = NULL;
		struct iot_names_file *file = parse(wrong[i].text, &error);

		CU_ASSERT_PTR_NULL(file);
		CU_ASSERT_STRING_EQUAL(error ? error->message : "no error", wrong[i].message);
		g_clear_error(&error);
		iot_names_file_free(file);
	}
}
