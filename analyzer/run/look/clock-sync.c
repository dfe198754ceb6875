/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/clock-sync.h"
#include "run/look/nodes.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

/* One line: REFERENCE REFERENCE_CLOCK MACHINE MACHINE_CLOCK [ERROR] */
struct line {
	guint number;
	char *reference, *machine;
	struct iot_clock_pair pair;
	gboolean used; /* the machine is an input */
};

struct sync_file {
	const char *path;
	char *unit;    /* of numbers without one */
	GArray *lines; /* of struct line */
};

static void clear_line(gpointer data)
{
	struct line *line = data;

	g_free(line->reference);
	g_free(line->machine);
}

static gboolean fail(const struct sync_file *file, guint number, GError **error, const char *text)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s:%u: %s", file->path, number, text);
	return FALSE;
}

static gboolean parse_clock(const struct sync_file *file, const char *word, guint64 *out_ns)
{
	gboolean bare = strspn(word, "0123456789.") == strlen(word);
	g_autofree char *text = g_strconcat(word, bare ? file->unit : NULL, NULL);

	return iot_parse_duration(text, out_ns, NULL);
}

static gboolean parse_unit(struct sync_file *file, char **words, guint number, GError **error)
{
	if (words[2] || (strcmp(words[1], "s") && strcmp(words[1], "ms") &&
			 strcmp(words[1], "us") && strcmp(words[1], "ns")))
		return fail(file, number, error, "the unit is s, ms, us or ns");
	g_free(file->unit);
	file->unit = g_strdup(words[1]);
	return TRUE;
}

static gboolean parse_pair(struct sync_file *file, char **words, guint number, GError **error)
{
	struct line line = { .number = number };
	guint n = g_strv_length(words);

	if (n < 4 || n > 5 || !parse_clock(file, words[1], &line.pair.reference_ns) ||
	    !parse_clock(file, words[3], &line.pair.machine_ns) ||
	    (n == 5 && !parse_clock(file, words[4], &line.pair.error_ns)))
		return fail(
			file, number, error,
			"a line is REFERENCE REFERENCE_CLOCK MACHINE MACHINE_CLOCK [ERROR], for "
			"example: admin 12.000210450s web 9.513000122s 20us");
	if (!strcmp(words[0], words[2]))
		return fail(file, number, error, "the machine is the reference itself");
	if (file->lines->len &&
	    strcmp(words[0], g_array_index(file->lines, struct line, 0).reference))
		return fail(file, number, error,
			    "the reference differs from that of the lines before; all pairs of a "
			    "file have one reference");
	line.reference = g_strdup(words[0]);
	line.machine = g_strdup(words[2]);
	g_array_append_val(file->lines, line);
	return TRUE;
}

static gboolean parse_line(struct sync_file *file, char *text, guint number, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_auto(GStrv) all = NULL;

	text[strcspn(text, "#\r")] = '\0';
	all = g_strsplit_set(text, " \t", -1);
	for (guint i = 0; all[i]; i++)
		if (*all[i])
			g_ptr_array_add(words, all[i]);
	if (!words->len)
		return TRUE;
	g_ptr_array_add(words, NULL);
	if (words->len == 3 && !strcmp(words->pdata[0], "unit"))
		return parse_unit(file, (char **)words->pdata, number, error);
	return parse_pair(file, (char **)words->pdata, number, error);
}

static gboolean read_file(struct sync_file *file, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;
	g_auto(GStrv) lines = NULL;
	gsize length;

	if (!g_file_get_contents(file->path, &text, &length, &cause)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "--sync: %s", cause->message);
		return FALSE;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++)
		if (!parse_line(file, lines[i], i + 1, error))
			return FALSE;
	if (strlen(text) < length)
		return fail(file, g_strv_length(lines), error,
			    "the line has a byte 0; the file is no text");
	return TRUE;
}

/* ---- which input a name means */

static gboolean is_named(const struct iot_input_info *info, const char *node, const char *name)
{
	return !strcmp(node, name) || iot_nodes_input_is(info, name);
}

static gboolean add_pair(const struct sync_file *file, const struct line *line,
			 struct iot_clock_change *change, GError **error)
{
	const struct iot_clock_pair *last = NULL;

	if (change->pairs)
		last = &g_array_index(change->pairs, struct iot_clock_pair, change->pairs->len - 1);
	else
		change->pairs = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_pair));
	if (last && (line->pair.machine_ns <= last->machine_ns ||
		     line->pair.reference_ns <= last->reference_ns))
		return fail(
			file, line->number, error,
			"a clock is not later than in the line before of the same machine; lines "
			"have the order of time");
	g_array_append_val(change->pairs, line->pair);
	return TRUE;
}

/* "web, db"; the caller frees */
static char *list_machines(const struct sync_file *file)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < file->lines->len; i++) {
		const struct line *line = &g_array_index(file->lines, struct line, i);

		if (!g_ptr_array_find_with_equal_func(names, line->machine, g_str_equal, NULL))
			g_ptr_array_add(names, line->machine);
	}
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

static gboolean take_pairs(const struct sync_file *file, const struct iot_input_info *info,
			   const char *node, struct iot_clock_change *change, GError **error)
{
	g_autofree char *names = NULL;

	for (guint i = 0; i < file->lines->len; i++) {
		struct line *line = &g_array_index(file->lines, struct line, i);

		change->is_reference |= is_named(info, node, line->reference);
		if (!is_named(info, node, line->machine))
			continue;
		line->used = TRUE;
		if (!add_pair(file, line, change, error))
			return FALSE;
	}
	if (change->pairs && change->pairs->len >= 2)
		return TRUE;
	if (change->is_reference && !change->pairs)
		return TRUE;
	names = list_machines(file);
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s has %s of %s (node %s); two lines are needed, one before and one after the "
		    "run; its machines are %s",
		    file->path, change->pairs ? "one pair of clocks" : "no pair of clocks",
		    info->path, node, *names ? names : "none");
	return FALSE;
}

static gboolean apply_file(const char *path, const struct iot_input_info *const *infos,
			   char *const *nodes, struct iot_clock_change *changes, guint *out_unused,
			   GError **error)
{
	struct sync_file file = { path, g_strdup("ns"),
				  g_array_new(FALSE, FALSE, sizeof(struct line)) };
	gboolean ok;

	g_array_set_clear_func(file.lines, clear_line);
	ok = read_file(&file, error);
	/* machines of one recording have its clock */
	for (guint i = 0; ok && infos[i]; i++)
		ok = infos[i]->machine || take_pairs(&file, infos[i], nodes[i], &changes[i], error);
	for (guint i = 0; i < file.lines->len; i++)
		*out_unused += !g_array_index(file.lines, struct line, i).used;
	g_array_unref(file.lines);
	g_free(file.unit);
	return ok;
}

/* The times of a recording of several machines are those of one clock. */
static gboolean shift_of_machine(const struct iot_shift *shift, const struct iot_input_info *info,
				 GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "--shift: %s tells of %s and of other machines, by one clock; shift the "
		    "recording: --shift %.*s=TIME",
		    info->path, shift->node,
		    (int)(strlen(info->file_name) - strlen(info->hostname) - 1), info->file_name);
	return FALSE;
}

static gboolean add_shift(const struct iot_shift *shift, struct iot_clock_change *change,
			  GError **error)
{
	if (!__builtin_add_overflow(change->shift_ns, shift->ns, &change->shift_ns))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "--shift: %s is shifted by more than 292 years", shift->node);
	return FALSE;
}

/* The name is that of a node, else of one of its recordings: trace-5.dat may be of node 1, and
 * trace-1.dat of node 5. */
static gboolean apply_shift(const struct iot_options *options, const struct iot_shift *shift,
			    const struct iot_input_info *const *infos, char *const *nodes,
			    struct iot_clock_change *changes, GError **error)
{
	guint n_nodes = 0, n_files = 0, file = 0;

	for (guint i = 0; infos[i]; i++) {
		g_autofree char *display = iot_nodes_display(options->names, nodes[i]);

		if (strcmp(shift->node, nodes[i]) && strcmp(shift->node, display))
			continue;
		if (infos[i]->machine)
			return shift_of_machine(shift, infos[i], error);
		if (!add_shift(shift, &changes[i], error))
			return FALSE;
		n_nodes++;
	}
	for (guint i = 0; infos[i] && !n_nodes; i++) {
		if (!iot_nodes_input_is(infos[i], shift->node))
			continue;
		if (infos[i]->machine)
			return shift_of_machine(shift, infos[i], error);
		n_files++;
		file = i;
	}
	if (n_files == 1)
		return add_shift(shift, &changes[file], error);
	if (n_files) {
		g_set_error(
			error, IOT_ERROR, IOT_ERROR_USAGE,
			"--shift: \"%s\" is no node, and fits %u recordings; give the path of one",
			shift->node, n_files);
	} else if (!n_nodes) {
		g_autofree char *list = g_strjoinv(", ", (char **)(gsize)nodes);

		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "--shift: there is no node or recording \"%s\"; the nodes are %s",
			    shift->node, list);
	}
	return n_nodes > 0;
}

struct iot_clock_change *iot_clock_changes(const struct iot_options *options,
					   const struct iot_clock_change *first,
					   const struct iot_input_info *const *infos,
					   char *const *nodes, guint *out_unused, GError **error)
{
	guint n = g_strv_length((char **)(gsize)nodes);
	struct iot_clock_change *changes = g_new0(struct iot_clock_change, n + 1);
	gboolean ok = !options->sync_file ||
		      apply_file(options->sync_file, infos, nodes, changes, out_unused, error);

	for (guint i = 0; first && i < n && !infos[i]->machine; i++)
		iot_clock_change_copy(&changes[i], &first[i]);
	for (guint i = 0; ok && i < options->shifts->len; i++)
		ok = apply_shift(options, &g_array_index(options->shifts, struct iot_shift, i),
				 infos, nodes, changes, error);
	if (ok)
		return changes;
	iot_clock_changes_free(changes, n);
	return NULL;
}

void iot_clock_changes_free(struct iot_clock_change *changes, guint n)
{
	for (guint i = 0; changes && i < n; i++)
		iot_clock_change_clear(&changes[i]);
	g_free(changes);
}
