/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slog2-check-test CHECKER EXAMPLE.hex
 *
 * The checker must accept good files and refuse bad ones: the example of the format's description,
 * a small tree made here field by field, and both with one fault at a time. It must refuse a file
 * with a fault, and one of its sentences must name the fault.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *checker, *scratch;
static guint n_failed, n_run;

static char *run_dump(const char *rows)
{
	const char *argv[] = { checker, "--dump", "--rows", rows, scratch, NULL };
	char *dump = NULL;
	int status = -1;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL, &dump, NULL, &status, NULL))
		g_error("cannot run %s", checker);
	return dump;
}

/* Runs the checker; @sentence is NULL for a file that must be accepted. */
static char *check(const char *name, const guint8 *data, gsize len, const char *sentence)
{
	const char *argv[] = { checker, "--dump", scratch, NULL };
	g_autofree char *said = NULL;
	char *dump = NULL;
	int status = -1;

	n_run++;
	if (!g_file_set_contents(scratch, (const char *)data, (gssize)len, NULL) ||
	    !g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL, &dump, &said, &status, NULL))
		g_error("cannot run %s", checker);
	if (status != (sentence ? 1 << 8 : 0) || (sentence && !strstr(said, sentence))) {
		g_printerr("%s: wait status %d, expected %s%s%s\n%s\n", name, status,
			   sentence ? "\"" : "no violation", sentence ? sentence : "",
			   sentence ? "\"" : "", said);
		n_failed++;
	}
	return dump;
}

static void check_dump(const char *name, char *dump, const char *expected)
{
	if (strcmp(dump, expected)) {
		g_printerr("%s: the dump is\n%sand not\n%s", name, dump, expected);
		n_failed++;
	}
	g_free(dump);
}

/* ---- The example: bytes at known offsets ---- */

static void add_hex(GByteArray *bytes, const char *text)
{
	for (; g_ascii_isxdigit(text[0]) && g_ascii_isxdigit(text[1]);
	     text += text[2] == ' ' ? 3 : 2) {
		guint8 byte = (guint8)(g_ascii_xdigit_value(text[0]) << 4 |
				       g_ascii_xdigit_value(text[1]));

		g_byte_array_append(bytes, &byte, 1);
		if (text[2] == ' ' && !g_ascii_isxdigit(text[3]))
			return;
	}
}

static GByteArray *read_hex(const char *path)
{
	GByteArray *bytes = g_byte_array_new();
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_error("cannot read %s", path);
	lines = g_strsplit_set(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		char *rest;
		guint64 offset = g_ascii_strtoull(lines[i], &rest, 10);

		if (lines[i][0] == '#' || rest == lines[i])
			continue;
		if (offset != bytes->len)
			g_error("%s: line %u stands for byte %u", path, i + 1, bytes->len);
		add_hex(bytes, rest + strspn(rest, " "));
	}
	return bytes;
}

static const struct {
	guint offset;
	const char *hex, *sentence;
} flips[] = {
	{ 11, "35", "version" },
	{ 12, "0001", "num_children_per_node" },
	{ 14, "0000 0000", "treeleaf_bytesize" },
	{ 18, "0001", "max_treedepth" },
	{ 20, "0000 00c3", "more than max_buffer_bytesize" },
	{ 24, "0000 0000 0000 0000", "category map is null" },
	{ 32, "0000 0116", "outside of the file" },
	{ 32, "0000 00c5", "overlap" },
	{ 36, "0000 0000 0000 006c 0000 0068", "method definitions is not null" },
	{ 56, "0000 0000", "line id map list is null" },
	{ 60, "0000 0000 0000 0000 0000 0000", "root node is null" },
	{ 60, "ffff ffff ffff ff6c", "outside of the file" },
	{ 60, "0000 0000 0000 0010", "outside of the file" },
	{ 80, "0000 0000", "directory is null" },
	{ 80, "7fff ffff", "outside of the file" },
	{ 80, "0000 0010", "ends early" },
	{ 84, "0000 0000 0000 006c 0000 0068", "annotations is not null" },
	{ 96, "0000 0000 0000 006c 0000 0068", "postamble is not null" },
	{ 116, "3fe8", "reaches out of the box" },
	{ 116, "0000", "root has no duration" },
	{ 116, "7ff8", "no time box" },
	{ 130, "0000 0000 0000 006d", "says that it is elsewhere" },
	{ 138, "0000 0069", "says that it is elsewhere" },
	{ 142, "ffff ffff", "negative" },
	{ 146, "01", "not a primitive" },
	{ 147, "0000 0005", "which is missing" },
	{ 147, "ffff ffff", "category of previews" },
	{ 147, "0000 0000", "wrong list" },
	{ 151, "7fff", "longer than its block" },
	{ 153, "0002", "vertices" },
	{ 155, "3ff0", "starts at the very end" },
	{ 155, "7ff8", "not a number" },
	{ 155, "3ff8", "reaches out of the box" },
	{ 163, "0000 0008", "line 8 is missing from the map" },
	{ 172, "0000 0001", "wrong list" },
	{ 184, "4000", "ends before it begins" },
	{ 204, "0000 0008", "different lines" },
	{ 208, "0000 0001", "is a leaf, but has stubs" },
	{ 212, "0000 0001", "which is missing" },
	{ 212, "0000 0005", "ends early" },
	{ 216, "0000 0001", "two categories with the index 1" },
	{ 220, "ffff", "number of bytes of a string is negative" },
	{ 220, "7fff", "longer than its block" },
	{ 222, "ff", "not UTF-8" },
	{ 226, "0000 0003", "topology 3" },
	{ 226, "0000 0000", "wrong list" },
	{ 245, "71", "info types" },
	{ 245, "6c", "ends early" },
	{ 245, "73", "more than its types" },
	{ 245, "68", "more than its types" },
	{ 248, "3f00 0000", "inclusive ratio is 0.5" },
	{ 248, "7fc0 0000", "not a number" },
	{ 252, "7fc0 0000", "not a number" },
	{ 252, "3f80 0100", "exclusive ratio is greater" },
	{ 256, "0000 0000 0000 0002", "counts 2 drawables, but there are 1" },
	{ 290, "3f80 0000", "inclusive ratio is 1" },
	{ 294, "3f80 0000", "is not of states" },
	{ 306, "ffff fffc", "not a preview category" },
	{ 306, "ffff fffe", "not a preview category" },
	{ 349, "0000 0000 0000 0001", "has ratios or a count" },
	{ 396, "3f80 0000", "has ratios or a count" },
	{ 408, "0000 0000", "no line id map" },
	{ 408, "0000 0002", "ends early" },
	{ 417, "0000 0000", "has 0 columns" },
	{ 433, "0000 0000", "line 7 is missing" },
	{ 437, "0000 0008", "line 7 is missing" },
	{ 441, "ffff ffff", "negative path value" },
	{ 449, "0002", "more than one method" },
	{ 451, "0000 0000", "1 nodes are missing from the directory" },
	{ 455, "0001", "which the tree has not" },
	{ 457, "0000 0001", "which the tree has not" },
	{ 461, "3f", "another box" },
	{ 477, "0000 0000 0000 006d", "another place" },
};

/* Names of rows, by line or by view and path. */
static void test_rows(const GByteArray *good)
{
	static const char *const tables[] = {
		"line\tspace\tspace name\tlane\twait_ns\titems\n7\t1\ta \"b\"/c\t3\t0\t2\n",
		"view\tspace\tspace name\tlane\twait_ns\titems\nx\t1\tno\t3\t0\t2\n"
		"DLM\t1\ta \"b\"/c\t3\t0\t2\nDLM\t1\tno\t2\t0\t2\n",
	};
	g_autofree char *rows = g_strconcat(scratch, ".rows.tsv", NULL);

	for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_file_set_contents(scratch, (const char *)good->data, good->len, NULL);
		g_file_set_contents(rows, tables[i], -1, NULL);
		check_dump("rows", run_dump(rows),
			   "span \"a \\\"b\\\"/c\" lane=3 \"read\" 0 1000000000\n"
			   "point \"a \\\"b\\\"/c\" lane=3 \"bast\" 500000000\n");
	}
	(void)remove(rows);
}

static void test_example(const char *hex)
{
	g_autoptr(GByteArray) good = read_hex(hex);

	if (good->len != 489)
		g_error("the example has %u bytes", good->len);
	check_dump("example", check("example", good->data, good->len, NULL),
		   "span 1/3 \"read\" 0 1000000000\npoint 1/3 \"bast\" 500000000\n");
	test_rows(good);
	for (guint len = 0; len < good->len; len += 4)
		g_free(check("cut example", good->data, len, ""));
	for (guint i = 0; i < G_N_ELEMENTS(flips); i++) {
		g_autoptr(GByteArray) patch = g_byte_array_new();
		g_autoptr(GByteArray) bad = g_byte_array_new();
		g_autofree char *name =
			g_strdup_printf("example with %s at %u", flips[i].hex, flips[i].offset);

		add_hex(patch, flips[i].hex);
		g_byte_array_append(bad, good->data, good->len);
		memcpy(bad->data + flips[i].offset, patch->data, patch->len);
		g_free(check(name, bad->data, bad->len, flips[i].sentence));
	}
}

/* ---- A tree: two leaves and a root, with previews of all kinds; made of named fields ---- */

/* One field gets another value; integers and floats alike are given as a number. */
struct change {
	const char *field;
	double value;
	const char *sentence;
};

static const struct change changes[] = {
	{ "stub0.box.t1", 2.75, "another box than its stub" },
	{ "stub0.box.t1", 3.25, "overlaps the one before it" },
	{ "stub0.box.t0", -1, "reaches out of the box of its parent" },
	{ "stub0.xpos", 2, "is not for a child of node (1, 0)" },
	{ "stub0.depth", 1, "is not for a child of node (1, 0)" },
	{ "stub1.xpos", 0, "does not come in order of xpos" },
	{ "stub0.offset", 109, "says that it is elsewhere" },
	{ "stub0.size", 100, "ends early" },
	{ "leaf1.xpos", 5, "not that of its stub" },
	{ "leaf1.box.t0", 3.5, "another box than its stub" },
	{ "stubs", 0, "is an inner node without a stub" },
	{ "stubs", 1, "which the tree has not" },
	{ "leaf1.b.start", 3.25, "out of order" },
	{ "leaf0.b.end", 3.5, "reaches out of the box" },
	{ "root.s.cat", 0, "equal drawables \"op\"" },
	{ "stub0.nestable", 0, "has no preview of topology 1, lines 7 and 7" },
	{ "stub0.nestless", 1, "has no preview of topology 0, lines 7 and 7" },
	{ "p.event.cat", -2, "has 1 vertices" },
	{ "p.event.cat", -3, "not for that list" },
	{ "p.event.cat", -4, "which is missing" },
	{ "p.state0.cat", -1, "not for that list" },
	{ "p.state0.info", 1, "has info" },
	{ "p.state0.vertices", 1, "has 1 vertices" },
	{ "p.state0.v0", 1.125, "average time of vertex 0 is 1.125000000, not 1.000000000" },
	{ "p.state0.v1", 2.0000001, "average time of vertex 1" },
	{ "p.event.v0", 0.25, "average time of vertex 0 is 0.250000000, not 0.500000000" },
	{ "p.state0.line0", 8, "has no drawables below it" },
	{ "p.state0.line0", 9, "line 9 is missing from the map" },
	{ "p.arrow.line1", 7, "has no preview of topology 2, lines 7 and 8" },
	{ "p.state0.t0", 0.5, "has the box 0.500000000" },
	{ "p.state0.t1", 3.5, "has the box" },
	{ "p.state0.n", 3, "counts 3 drawables, not 2" },
	{ "p.event.n", 0, "counts 0 drawables, not 1" },
	{ "p.state0.weights", 0, "has no weights" },
	{ "p.state0.w.cat", 9, "weight of category 9" },
	{ "p.state0.w.incl", 0.5, "inclusive ratio is 0.5" },
	{ "p.state0.w.incl", NAN, "inclusive ratio is" },
	{ "p.event.w.incl", 1, "inclusive ratio is 1, not 0" },
	{ "p.state0.w.excl", NAN, "exclusive ratio" },
	{ "p.state0.w.excl", 0.75, "does not fit the inclusive one" },
	{ "p.state0.w.n", 1, "counts 1, not 2" },
	{ "cat0.incl", 0.901, "inclusive ratio is" },
	{ "cat0.n", 5, "counts 5 drawables, but there are 4" },
	{ "pcat.index", -7, "which is missing" },
	{ "p.event.t0", 0.125, "out of order" },
	{ "row1.line", 7, "has two rows" },
	{ "dir1.xpos", 1, "lists it twice" },
};

struct build {
	GByteArray *bytes;
	GHashTable *labels; /* name -> offset, of the build before */
	GHashTable *next;
	const struct change *change;
	gboolean changed;
};

static guint32 label(struct build *b, const char *name)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(b->labels, name));
}

static void here(struct build *b, const char *name)
{
	g_hash_table_insert(b->next, (gpointer)name, GUINT_TO_POINTER(b->bytes->len));
}

static double choose(struct build *b, const char *prefix, const char *field, double value)
{
	g_autofree char *name = g_strconcat(prefix, field, NULL);

	if (!b->change || strcmp(b->change->field, name))
		return value;
	b->changed = TRUE;
	return b->change->value;
}

static void put_bits(struct build *b, guint64 bits, guint n)
{
	while (n--) {
		guint8 byte = (guint8)(bits >> 8 * n);

		g_byte_array_append(b->bytes, &byte, 1);
	}
}

static void put_int(struct build *b, guint n, const char *prefix, const char *field, gint64 value)
{
	put_bits(b, (guint64)(gint64)choose(b, prefix, field, (double)value), n);
}

static void put_f64(struct build *b, const char *prefix, const char *field, double value)
{
	guint64 bits;

	value = choose(b, prefix, field, value);
	memcpy(&bits, &value, sizeof(bits));
	put_bits(b, bits, 8);
}

static void put_f32(struct build *b, const char *prefix, const char *field, double value)
{
	float single = (float)choose(b, prefix, field, value);
	guint32 bits;

	memcpy(&bits, &single, sizeof(bits));
	put_bits(b, bits, 4);
}

static void put_str(struct build *b, const char *text)
{
	put_bits(b, strlen(text), 2);
	g_byte_array_append(b->bytes, (const guint8 *)text, (guint)strlen(text));
}

static void put_ptr(struct build *b, const char *prefix, const char *from, const char *to)
{
	put_int(b, 8, prefix, "offset", label(b, from));
	put_int(b, 4, prefix, "size", label(b, to) - label(b, from));
}

static void put_box(struct build *b, const char *prefix, double t0, double t1)
{
	put_f64(b, prefix, "t0", t0);
	put_f64(b, prefix, "t1", t1);
}

static void put_id(struct build *b, const char *prefix, int depth, int xpos)
{
	put_int(b, 2, prefix, "depth", depth);
	put_int(b, 4, prefix, "xpos", xpos);
}

static void put_header(struct build *b)
{
	put_str(b, "SLOG 2.0.6");
	put_int(b, 2, "", "children", 2);
	put_int(b, 4, "", "leaf size", 116);
	put_int(b, 2, "", "max depth", 1);
	put_int(b, 4, "", "max buffer", 4096);
	put_ptr(b, "", "cats", "maps");
	put_bits(b, 0, 8);
	put_bits(b, 0, 4);
	put_ptr(b, "", "maps", "directory");
	put_ptr(b, "", "root", "cats");
	put_ptr(b, "", "directory", "end");
	for (guint i = 0; i < 6; i++)
		put_bits(b, 0, 4);
}

/* A state or an arrow. */
static void put_two(struct build *b, const char *prefix, int cat, double start, int line0,
		    double end, int line1)
{
	put_bits(b, 0, 1);
	put_int(b, 4, prefix, "cat", cat);
	put_bits(b, 0, 2);
	put_bits(b, 2, 2);
	put_f64(b, prefix, "start", start);
	put_bits(b, (guint64)line0, 4);
	put_f64(b, prefix, "end", end);
	put_bits(b, (guint64)line1, 4);
}

static void put_event(struct build *b, int cat, double time, int line)
{
	put_bits(b, 0, 1);
	put_bits(b, (guint64)cat, 4);
	put_bits(b, 0, 2);
	put_bits(b, 1, 2);
	put_f64(b, "event.", "time", time);
	put_bits(b, (guint64)line, 4);
}

static void put_leaves(struct build *b)
{
	here(b, "leaf0");
	put_box(b, "leaf0.box.", 0, 3);
	put_id(b, "leaf0.", 0, 0);
	put_ptr(b, "leaf0.", "leaf0", "leaf1");
	put_bits(b, 2, 4);
	put_two(b, "leaf0.arrow.", 3, 1.5, 7, 0.25, 8);
	put_event(b, 2, 0.5, 7);
	put_bits(b, 2, 4);
	put_two(b, "leaf0.a.", 0, 0, 7, 1, 7);
	put_two(b, "leaf0.b.", 0, 2, 7, 3, 7);
	put_bits(b, 0, 4);
	here(b, "leaf1");
	put_box(b, "leaf1.box.", 3, 6);
	put_id(b, "leaf1.", 0, 1);
	put_ptr(b, "leaf1.", "leaf1", "root");
	put_bits(b, 0, 4);
	put_bits(b, 2, 4);
	put_two(b, "leaf1.a.", 0, 3.5, 7, 5.9, 7);
	put_two(b, "leaf1.b.", 0, 4, 7, 5, 7);
	put_bits(b, 0, 4);
}

static void put_preview(struct build *b, const char *prefix, int cat, int n_vertices, double v0,
			double v1, int line1)
{
	put_int(b, 4, prefix, "cat", cat);
	put_int(b, 2, prefix, "info", 0);
	put_int(b, 2, prefix, "vertices", n_vertices);
	put_f64(b, prefix, "v0", v0);
	put_int(b, 4, prefix, "line0", 7);
	if (n_vertices == 1)
		return;
	put_f64(b, prefix, "v1", v1);
	put_int(b, 4, prefix, "line1", line1);
}

static void put_sums(struct build *b, const char *prefix, double t0, double t1, int n, int cat,
		     double inclusive, double exclusive)
{
	put_box(b, prefix, t0, t1);
	put_int(b, 8, prefix, "n", n);
	put_int(b, 4, prefix, "weights", 1);
	put_int(b, 4, prefix, "w.cat", cat);
	put_f32(b, prefix, "w.incl", inclusive);
	put_f32(b, prefix, "w.excl", exclusive);
	put_int(b, 8, prefix, "w.n", n);
}

static void put_root(struct build *b)
{
	here(b, "root");
	put_box(b, "root.box.", 0, 6);
	put_id(b, "root.", 1, 0);
	put_ptr(b, "root.", "root", "cats");
	put_bits(b, 0, 4);
	put_bits(b, 1, 4);
	put_two(b, "root.s.", 1, 2, 7, 3, 7);
	put_int(b, 4, "", "stubs", 2);
	put_box(b, "stub0.box.", 0, 3);
	put_id(b, "stub0.", 0, 0);
	put_ptr(b, "stub0.", "leaf0", "leaf1");
	put_int(b, 4, "stub0.", "nestless", 2);
	put_preview(b, "p.arrow.", -2, 2, 1.5, 0.25, 8);
	put_sums(b, "p.arrow.", 0.25, 1.5, 1, 3, 1, 0);
	put_preview(b, "p.event.", -1, 1, 0.5, 0, 0);
	put_sums(b, "p.event.", 0.5, 0.5, 1, 2, 0, 0);
	put_int(b, 4, "stub0.", "nestable", 1);
	put_preview(b, "p.state0.", -3, 2, 1, 2, 7);
	put_sums(b, "p.state0.", 0, 3, 2, 0, 2 / 3.0, 2 / 3.0);
	put_box(b, "stub1.box.", 3, 6);
	put_id(b, "stub1.", 0, 1);
	put_ptr(b, "stub1.", "leaf1", "root");
	put_int(b, 4, "stub1.", "nestless", 0);
	put_int(b, 4, "stub1.", "nestable", 1);
	put_preview(b, "p.state1.", -3, 2, 3.75, 5.45, 7);
	put_sums(b, "p.state1.", 3.5, 5.9, 2, 0, 3.4 / 2.4, 1);
}

static void put_cat(struct build *b, const char *prefix, int index, const char *name, int topology,
		    double inclusive, double exclusive, int n)
{
	put_int(b, 4, prefix, "index", index);
	put_str(b, name);
	put_bits(b, (guint64)topology, 4);
	put_bits(b, 0xffffffff, 4);
	put_bits(b, 0x0101, 2);
	put_bits(b, 0, 6);
	put_f32(b, prefix, "incl", inclusive);
	put_f32(b, prefix, "excl", exclusive);
	put_int(b, 8, prefix, "n", n);
}

static void put_tables(struct build *b)
{
	here(b, "cats");
	put_bits(b, 7, 4);
	put_cat(b, "cat0.", 0, "op", 1, 5.4 / 6, 4.4 / 6, 4);
	put_cat(b, "cat1.", 1, "other", 1, 1 / 6.0, 0, 1);
	put_cat(b, "cat2.", 2, "mark", 0, 0, 0, 1);
	put_cat(b, "cat3.", 3, "arrow", 2, 1.25 / 6, 0, 1);
	put_cat(b, "", -1, "Preview_Event", 0, 0, 0, 0);
	put_cat(b, "", -2, "Preview_Arrow", 2, 0, 0, 0);
	put_cat(b, "pcat.", -3, "Preview_State", 1, 0, 0, 0);
	here(b, "maps");
	put_bits(b, 1, 4);
	put_str(b, "view");
	put_bits(b, 1, 4);
	put_str(b, "node");
	put_bits(b, 2, 4);
	put_bits(b, 7, 4);
	put_bits(b, 1, 4);
	put_int(b, 4, "", "row1.line", 8);
	put_bits(b, 2, 4);
	put_bits(b, 0, 2);
	here(b, "directory");
	put_bits(b, 3, 4);
	put_id(b, "", 1, 0);
	put_box(b, "", 0, 6);
	put_ptr(b, "", "root", "cats");
	put_id(b, "dir1.", 0, 0);
	put_box(b, "", 0, 3);
	put_ptr(b, "", "leaf0", "leaf1");
	put_id(b, "", 0, 1);
	put_box(b, "", 3, 6);
	put_ptr(b, "", "leaf1", "root");
	here(b, "end");
}

/* Twice: the second time the labels are known. */
static GByteArray *build(const struct change *change)
{
	struct build b = { .change = change, .labels = g_hash_table_new(g_str_hash, g_str_equal) };

	for (guint round = 0; round < 2; round++) {
		g_clear_pointer(&b.bytes, g_byte_array_unref);
		b.bytes = g_byte_array_new();
		b.next = g_hash_table_new(g_str_hash, g_str_equal);
		put_header(&b);
		put_leaves(&b);
		put_root(&b);
		put_tables(&b);
		g_hash_table_unref(b.labels);
		b.labels = b.next;
	}
	g_hash_table_unref(b.labels);
	if (change && !b.changed)
		g_error("there is no field %s", change->field);
	return b.bytes;
}

static void test_tree(void)
{
	g_autoptr(GByteArray) good = build(NULL);

	check_dump("tree", check("tree", good->data, good->len, NULL),
		   "span 1 \"op\" 0 1000000000\n"
		   "point 1 \"mark\" 500000000\n"
		   "arrow 1 2 \"arrow\" 1500000000 -1250000000\n"
		   "span 1 \"op\" 2000000000 1000000000\n"
		   "span 1 \"other\" 2000000000 1000000000\n"
		   "span 1 \"op\" 3500000000 2400000000\n"
		   "span 1 \"op\" 4000000000 1000000000\n");
	for (guint len = 2; len < good->len; len += 12)
		g_free(check("cut tree", good->data, len, ""));
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autoptr(GByteArray) bad = build(&changes[i]);
		g_autofree char *name =
			g_strdup_printf("tree with %s = %g", changes[i].field, changes[i].value);

		g_free(check(name, bad->data, bad->len, changes[i].sentence));
	}
}

int main(int argc, char **argv)
{
	g_autofree char *path = NULL;

	if (argc != 3)
		return 2;
	checker = argv[1];
	g_close(g_file_open_tmp("slog2-XXXXXX", &path, NULL), NULL);
	scratch = path;
	test_example(argv[2]);
	test_tree();
	(void)remove(path);
	g_print("%u files, %u wrong verdicts\n", n_run, n_failed);
	return n_failed ? 1 : 0;
}
