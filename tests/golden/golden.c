/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs golden cases: text recordings with the output that the rules of the model demand. README.md
 * describes the format of cases. Shares no code with the analyser, so that both cannot be wrong in
 * the same way.
 */
#include "golden-case.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct run {
	int status;
	char *out;	/* of the text output; NULL if none was written */
	char *messages; /* standard error */
};

static char *analyze, *slog2_check, *paje_check, *agree, *readers, *work_dir;
static gboolean keep, verbose, quick;

/* All of these runs must give the same output. */
static const struct {
	const char *what;
	const char *argument[5]; /* ends with NULL */
} variants[] = {
	{ "--threads 1", { "--threads", "1" } },
	{ "--memory 64K", { "--memory", "64K" } },
	{ "--threads 8 --memory 64K", { "--threads", "8", "--memory", "64K" } },
};

/* --- running the program --- */

static char *in_work(const char *name)
{
	return g_build_filename(work_dir, name, NULL);
}

static char *input_name(guint i)
{
	return g_strdup_printf("input-%u.txt", i + 1);
}

static char *model_name(const struct node *model)
{
	return g_strdup_printf("./%s.model", model->name);
}

static gboolean write_inputs(const struct golden *c, GError **error)
{
	g_autofree char *model = in_work("case.model");
	g_autofree char *names = in_work("names.txt");

	if (c->model_text && !g_file_set_contents(model, c->model_text->str, -1, error))
		return FALSE;
	if (c->names && !g_file_set_contents(names, c->names->str, -1, error))
		return FALSE;
	for (guint i = 0; i < c->models->len; i++) {
		const struct node *own = c->models->pdata[i];
		g_autofree char *name = model_name(own);
		g_autofree char *path = in_work(name);

		if (!g_file_set_contents(path, own->text->str, (gssize)own->text->len, error))
			return FALSE;
	}
	for (guint i = 0; i < c->nodes->len; i++) {
		const struct node *node = c->nodes->pdata[i];
		g_autofree char *name = input_name(i);
		g_autofree char *path = in_work(name);

		if (!g_file_set_contents(path, node->text->str, (gssize)node->text->len, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_case_arguments(const struct golden *c, GPtrArray *argv, GError **error)
{
	g_auto(GStrv) words = NULL;

	if (!c->args || !*g_strstrip(c->args->str))
		return TRUE;
	if (!g_shell_parse_argv(c->args->str, NULL, &words, error))
		return FALSE;
	for (guint i = 0; words[i]; i++)
		g_ptr_array_add(argv, g_strdup(words[i]));
	return TRUE;
}

static GPtrArray *command_line(const struct golden *c, GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_strdup(analyze));
	g_ptr_array_add(argv, g_strdup("-q"));
	g_ptr_array_add(argv, g_strdup("--index"));
	g_ptr_array_add(argv, g_strdup("off"));
	for (guint i = 0; i < c->nodes->len; i++)
		g_ptr_array_add(argv, input_name(i));
	for (guint i = 0; i < c->nodes->len; i++) {
		const struct node *node = c->nodes->pdata[i];
		g_autofree char *name = input_name(i);

		if (!node->name)
			continue;
		g_ptr_array_add(argv, g_strdup("--map"));
		g_ptr_array_add(argv, g_strdup_printf("%s=%s", node->name, name));
	}
	for (guint i = 0; i < c->models->len; i++) {
		g_ptr_array_add(argv, g_strdup("-m"));
		g_ptr_array_add(argv, model_name(c->models->pdata[i]));
	}
	if (c->model) {
		g_ptr_array_add(argv, g_strdup("-m"));
		g_ptr_array_add(argv, g_strdup(c->model->str));
	}
	if (c->model_text) {
		g_ptr_array_add(argv, g_strdup("-m"));
		g_ptr_array_add(argv, g_strdup("./case.model"));
	}
	if (c->names) {
		g_ptr_array_add(argv, g_strdup("--names"));
		g_ptr_array_add(argv, g_strdup("names.txt"));
	}
	if (!add_case_arguments(c, argv, error))
		return NULL;
	return g_steal_pointer(&argv);
}

/* exit status of a command; 1000 + signal if one killed it, -1 and @error if it could not be
 * started */
static int spawn(GPtrArray *argv, char **out_messages, GError **error)
{
	int raw;

	g_ptr_array_add(argv, NULL);
	if (verbose) {
		g_autofree char *line = g_strjoinv(" ", (char **)argv->pdata);

		g_print("# %s\n", line);
	}
	if (!g_spawn_sync(work_dir, (char **)argv->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
			  NULL, NULL, out_messages, &raw, error))
		return -1;
	return WIFSIGNALED(raw) ? 1000 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

static void run_clear(struct run *run)
{
	g_free(run->out);
	g_free(run->messages);
	memset(run, 0, sizeof(*run));
}
typedef struct run run_result;
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_result, run_clear)

static gboolean run_program(const struct golden *c, const char *const *extra, struct run *run,
			    GError **error)
{
	g_autoptr(GPtrArray) argv = command_line(c, error);
	g_autofree char *path = in_work("out.txt");

	if (!argv)
		return FALSE;
	(void)g_unlink(path);
	for (; *extra; extra++)
		g_ptr_array_add(argv, g_strdup(*extra));
	g_ptr_array_add(argv, g_strdup("-o"));
	g_ptr_array_add(argv, g_strdup("text:out.txt"));
	run->status = spawn(argv, &run->messages, error);
	if (run->status < 0)
		return FALSE;
	(void)g_file_get_contents(path, &run->out, NULL, NULL);
	return TRUE;
}

/* --- comparing --- */

static guint64 end_time(const char *line)
{
	char *rest;
	guint64 t = g_ascii_strtoull(line, &rest, 10);
	guint quotes = 0;

	if (!g_str_has_prefix(rest, " span ") && !g_str_has_prefix(rest, " gap ") &&
	    !g_str_has_prefix(rest, " link "))
		return t;
	/* T0 span "PATH" TYPE "CATEGORY" DURATION: after the fourth unescaped quote */
	for (; *rest && quotes < 4; rest++) {
		if (*rest == '\\' && rest[1])
			rest++;
		else if (*rest == '"')
			quotes++;
	}
	return t + g_ascii_strtoull(rest, NULL, 10);
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	guint64 tx = g_ascii_strtoull(x, NULL, 10), ty = g_ascii_strtoull(y, NULL, 10);

	return tx != ty ? (tx < ty ? -1 : 1) : strcmp(x, y);
}

/* The lines of @text with (or without) @prefix, the prefix cut off; "# " comments of cases left
 * out. */
static GPtrArray *pick(const char *text, const char *prefix, gboolean with)
{
	g_auto(GStrv) lines = g_strsplit_set(text ? text : "", "\n", -1);
	GPtrArray *picked = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; lines[i]; i++)
		if (*lines[i] && g_str_has_prefix(lines[i], prefix) == with)
			g_ptr_array_add(picked, g_strdup(lines[i] + (with ? strlen(prefix) : 0)));
	return picked;
}

/* Both lists as sorted multisets; prints them merged like a unified diff if they differ. */
static gboolean same_lines(const char *what, GPtrArray *want, GPtrArray *got)
{
	g_autoptr(GString) diff = g_string_new(NULL);
	gboolean same = TRUE;
	guint i = 0, k = 0;

	g_ptr_array_sort(want, compare_lines);
	g_ptr_array_sort(got, compare_lines);
	while (i < want->len || k < got->len) {
		int order = i == want->len  ? 1
			    : k == got->len ? -1
					    : compare_lines(&want->pdata[i], &got->pdata[k]);

		same &= order == 0;
		g_string_append_printf(diff, "%c%s\n",
				       order < 0   ? '-'
				       : order > 0 ? '+'
						   : ' ',
				       (char *)(order > 0 ? got->pdata[k] : want->pdata[i]));
		i += order <= 0;
		k += order >= 0;
	}
	if (!same)
		g_print("--- expected %s\n+++ %s of the program\n%s", what, what, diff->str);
	return same;
}

static gboolean same_bytes(const char *what, const char *first, const char *other)
{
	g_auto(GStrv) a = g_strsplit_set(first ? first : "", "\n", -1);
	g_auto(GStrv) b = g_strsplit_set(other ? other : "", "\n", -1);
	guint i = 0;

	if (!g_strcmp0(first, other))
		return TRUE;
	while (a[i] && b[i] && !strcmp(a[i], b[i]))
		i++;
	g_print("--- output with %s\n+++ output with %s\n@@ line %u @@\n", variants[0].what, what,
		i + 1);
	g_print("-%s\n+%s\n", a[i] ? a[i] : "(end)", b[i] ? b[i] : "(end)");
	return FALSE;
}

static gboolean check_end_order(const char *out)
{
	g_autoptr(GPtrArray) lines = pick(out, "# diag ", FALSE);
	guint64 last = 0;

	for (guint i = 0; i < lines->len; i++) {
		guint64 t = end_time(lines->pdata[i]);

		if (t < last) {
			g_print("line %u ends at %" G_GUINT64_FORMAT
				", before the line above it:\n %s\n %s\n",
				i + 1, t, (char *)lines->pdata[i - 1], (char *)lines->pdata[i]);
			return FALSE;
		}
		last = t;
	}
	return TRUE;
}

/* The output must contain the wanted lines in this order; other lines may be between. */
static gboolean check_sequence(const char *wanted, const char *out)
{
	g_autoptr(GPtrArray) want = pick(wanted, "#", FALSE);
	g_autoptr(GPtrArray) got = pick(out, "# diag ", FALSE);
	guint k = 0;

	for (guint i = 0; i < want->len; i++, k++) {
		while (k < got->len && strcmp(want->pdata[i], got->pdata[k]))
			k++;
		if (k >= got->len) {
			g_print("expected in this order, but missing here:\n-%s\n",
				(char *)want->pdata[i]);
			return FALSE;
		}
	}
	return TRUE;
}

static gboolean check_messages(const struct golden *c, const char *messages)
{
	g_autoptr(GPtrArray) want = pick(c->errors ? c->errors->str : NULL, "#", FALSE);
	gboolean ok = TRUE;

	for (guint i = 0; i < want->len; i++)
		if (!strstr(messages ? messages : "", want->pdata[i])) {
			g_print("not in the messages of the program: %s\n", (char *)want->pdata[i]);
			ok = FALSE;
		}
	return ok;
}

/* Words with one blank between them. */
static char *squeeze(const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	guint n = 0;

	for (guint i = 0; words[i]; i++)
		if (*words[i])
			words[n++] = words[i];
		else
			g_free(words[i]);
	words[n] = NULL;
	return g_strjoinv(" ", words);
}

/* A line of the section is a line of the report; after "! " a text that is in no line. */
static gboolean check_report(const struct golden *c, GError **error)
{
	static const char *const extra[] = { "-o", "report,tables:out.report", NULL };
	g_autoptr(GPtrArray) want = pick(c->report ? c->report->str : NULL, "#", FALSE);
	g_autofree char *path = in_work("out.report");
	g_autofree char *text = NULL;
	g_autoptr(GString) squeezed = g_string_new("\n");
	g_auto(GStrv) lines = NULL;
	g_auto(run_result) run = { 0 };
	gboolean ok = TRUE;

	if (!want->len)
		return TRUE;
	if (!run_program(c, extra, &run, error) || !g_file_get_contents(path, &text, NULL, error))
		return FALSE;
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_autofree char *line = squeeze(lines[i]);

		g_string_append_printf(squeezed, "%s\n", line);
	}
	for (guint i = 0; i < want->len; i++) {
		const char *line = want->pdata[i];
		gboolean absent = g_str_has_prefix(line, "! ");
		g_autofree char *words = squeeze(absent ? line + 2 : line);
		g_autofree char *whole = g_strdup_printf(absent ? "%s" : "\n%s\n", words);

		if ((strstr(squeezed->str, whole) != NULL) == absent) {
			g_print("%s the report: %s\n", absent ? "in" : "not in", words);
			ok = FALSE;
		}
	}
	if (!ok)
		g_print("the report:\n%s\n", text);
	return ok;
}

static gboolean check_run(const struct golden *c, const struct run *run)
{
	gboolean ok = check_messages(c, run->messages);

	if (run->status != c->status) {
		g_print("exit status %d, expected %d\n", run->status, c->status);
		ok = FALSE;
	}
	if (c->text) {
		g_autoptr(GPtrArray) want = pick(c->text->str, "#", FALSE);
		g_autoptr(GPtrArray) got = pick(run->out, "# diag ", FALSE);

		ok &= same_lines("text", want, got) & check_end_order(run->out);
	}
	if (c->order)
		ok &= check_sequence(c->order->str, run->out);
	/* a case with expected text also has all counters: no section means no counter */
	if (c->text || c->diag) {
		g_autoptr(GPtrArray) want = pick(c->diag ? c->diag->str : NULL, "#", FALSE);
		g_autoptr(GPtrArray) got = pick(run->out, "# diag ", TRUE);

		ok &= same_lines("diag", want, got);
	}
	if (!ok)
		g_print("messages of the program:\n%s\n", run->messages ? run->messages : "");
	return ok;
}

/* --- binary formats --- */

/*
 * Hook: the checkers judge only their format. Compare `CHECK --dump FILE` with the text output
 * here, once the dumps have the same names.
 */
static gboolean check_command(GPtrArray *argv, GError **error)
{
	g_autofree char *messages = NULL;
	int status = spawn(argv, &messages, error);

	if (status > 0)
		g_print("%s: exit status %d\n%s\n", (char *)argv->pdata[0], status, messages);
	return status == 0;
}

static gboolean check_file(const char *checker, const char *name, GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_strdup(checker));
	g_ptr_array_add(argv, g_strdup(name));
	return check_command(argv, error);
}

/* Whether all outputs have the items of the text output. */
static gboolean check_agree(GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_strdup(agree));
	g_ptr_array_add(argv, g_strdup("out"));
	g_ptr_array_add(argv, g_strdup(readers));
	return check_command(argv, error);
}

/*
 * All formats in one run, with a checker or without: the run must succeed (it fails when a feed
 * breaks its contract, in builds that audit) and the text must not change by it.
 */
static gboolean check_formats(const struct golden *c, const struct run *first, GError **error)
{
	static const char *const extra[] = {
		"-o", "slog2:out.slog2",      "-o", "paje,events,counters,links,paths:out.paje",
		"-o", "perfetto:out.pftrace", "-o", "report,all,json:out.json",
#ifdef IOT_HTML
		"-o", "html:out.html",
#endif
		"-o", "jsonl:out.jsonl",      "-o", "csv:out.csv",
#ifdef IOT_SQLITE
		"-o", "sqlite:out.sqlite",
#endif
#ifdef IOT_OTF2
		"-o", "otf2:out-otf2",
#endif
		NULL
	};
	g_auto(run_result) run = { 0 };
	gboolean ok;

	if (c->status)
		return TRUE;
	if (!run_program(c, extra, &run, error))
		return FALSE;
	if (run.status != c->status)
		g_print("exit status %d with all formats\n%s\n", run.status, run.messages);
	ok = run.status == c->status;
	ok = ok && (!slog2_check || check_file(slog2_check, "out.slog2", error));
	ok = ok && (!paje_check || *error || check_file(paje_check, "out.paje", error));
	ok = ok && (!agree || *error || check_agree(error));
	/* the summary has the formats' own counters, too (name_cut): compare only the items */
	if (ok) {
		g_autoptr(GPtrArray) want = pick(first->out, "# diag ", FALSE);
		g_autoptr(GPtrArray) got = pick(run.out, "# diag ", FALSE);

		ok = same_lines("text with other formats", want, got);
	}
	return ok;
}

/* --- windows and the index --- */

enum {
	MAX_INDEXED = 1 << 20
}; /* bytes of text; longer cases take too long with an index this dense */

static const char *const written[] = { "out.txt",   "out.slog2",  "out.slog2.rows.tsv",
				       "out.paje",  "out.report", "out.pftrace",
				       "out.jsonl", "out.sqlite" };

/* Run with all outputs; their bytes, concatenated. NULL if something failed. */
static GString *run_all_outputs(const struct golden *c, const char *index, const char *from,
				const char *to, GError **error)
{
	enum { FROM = 14 };
	const char *extra[20] = { "--index", index,
				  "-o",	     "slog2:out.slog2",
				  "-o",	     "paje,events,counters,links,paths:out.paje",
				  "-o",	     "report,all:out.report",
				  "-o",	     "perfetto:out.pftrace",
				  "-o",	     "jsonl:out.jsonl",
#ifdef IOT_SQLITE
				  "-o",	     "sqlite:out.sqlite"
#else
				  "-o",	     "csv:out.csv"
#endif
	};
	g_auto(run_result) run = { 0 };
	GString *bytes;

	if (from) {
		extra[FROM] = "--from";
		extra[FROM + 1] = from;
		extra[FROM + 2] = "--to";
		extra[FROM + 3] = to;
	}
	if (!run_program(c, extra, &run, error))
		return NULL;
	if (run.status) {
		g_print("exit status %d with --index %s\n%s\n", run.status, index, run.messages);
		return NULL;
	}
	bytes = g_string_new(NULL);
	for (guint i = 0; i < G_N_ELEMENTS(written); i++) {
		g_autofree char *path = in_work(written[i]);
		g_autofree char *data = NULL;
		gsize len = 0;

		if (g_file_get_contents(path, &data, &len, NULL))
			g_string_append_len(bytes, data, (gssize)len);
	}
	return bytes;
}

static gboolean same_outputs(GString *one, GString *on, const char *from, const char *to)
{
	gboolean same = one && on && g_string_equal(one, on);

	if (one && on && !same)
		g_print("with the index other bytes: --from %s --to %s\n", from ? from : "(none)",
			to ? to : "(none)");
	if (one)
		g_string_free(one, TRUE);
	if (on)
		g_string_free(on, TRUE);
	return same;
}

static gboolean check_window(const struct golden *c, const char *from, const char *to,
			     GError **error)
{
	GString *off = run_all_outputs(c, "off", from, to, error);

	return same_outputs(off, off ? run_all_outputs(c, "out.index", from, to, error) : NULL,
			    from, to);
}

static GArray *times_of(const char *text)
{
	g_autoptr(GPtrArray) lines = pick(text, "#", FALSE);
	GArray *times = g_array_new(FALSE, FALSE, sizeof(guint64));

	for (guint i = 0; i < lines->len; i++) {
		guint64 t = g_ascii_strtoull(lines->pdata[i], NULL, 10);

		g_array_append_val(times, t);
	}
	return times;
}

/*
 * A first run makes an index with a checkpoint before every record. With this index the case must
 * give the same bytes, and so must windows between some instants of drawn items: two of three, the
 * name of the case says which, so that all cases together have as many of each.
 */
static gboolean check_index(const struct golden *c, const struct run *first, const char *path,
			    GError **error)
{
	enum { WINDOWS = 3 };
	g_autofree char *name = g_path_get_basename(path);
	guint n = quick ? 1 : WINDOWS, left_out = quick ? n : g_str_hash(name) % n;
	g_autoptr(GArray) times = times_of(first->out);
	GString *made;
	gboolean ok;

	if (c->status || !first->out || strlen(first->out) > MAX_INDEXED)
		return TRUE;
	made = run_all_outputs(c, "out.index", NULL, NULL, error);
	if (quick && made)
		g_string_free(made, TRUE);
	ok = quick ? made != NULL
		   : same_outputs(made,
				  made ? run_all_outputs(c, "out.index", NULL, NULL, error) : NULL,
				  NULL, NULL);
	for (guint i = 0; ok && i < n && times->len; i++) {
		guint at = (i + 1) * times->len / (n + 1);
		guint64 from = g_array_index(times, guint64, at) + i % 2;
		guint64 to = g_array_index(times, guint64, at + (times->len - at) / 2);
		g_autofree char *a = g_strdup_printf("@%" G_GUINT64_FORMAT "ns", from);
		g_autofree char *b =
			g_strdup_printf("@%" G_GUINT64_FORMAT "ns", MAX(from + 1, to) + i);

		ok = i == left_out || check_window(c, a, b, error);
	}
	return ok;
}

/* --- driver --- */

static gboolean run_case(const char *path, GError **error)
{
	g_autoptr(golden) c = golden_read(path, error);
	g_auto(run_result) first = { 0 };
	gboolean ok = TRUE;

	if (!c || !write_inputs(c, error))
		return FALSE;
	if (quick)
		return run_program(c, variants[0].argument, &first, error) &&
		       check_run(c, &first) && check_report(c, error) &&
		       check_index(c, &first, path, error);
	for (guint i = 0; i < G_N_ELEMENTS(variants); i++) {
		g_auto(run_result) run = { 0 };

		if (!run_program(c, variants[i].argument, i ? &run : &first, error))
			return FALSE;
		if (!i) {
			ok &= check_run(c, &first);
			continue;
		}
		ok &= same_bytes(variants[i].what, first.out, run.out);
		if (run.status != first.status) {
			g_print("exit status %d with %s\n", run.status, variants[i].what);
			ok = FALSE;
		}
	}
	return check_report(c, error) && check_formats(c, &first, error) &&
	       check_index(c, &first, path, error) && ok;
}

static void empty_folder(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			empty_folder(path);
		(void)g_remove(path);
	}
}

int main(int argc, char **argv)
{
	const GOptionEntry entries[] = {
		{ "analyze", 0, 0, G_OPTION_ARG_FILENAME, &analyze, "The program under test",
		  "PATH" },
		{ "slog2-check", 0, 0, G_OPTION_ARG_FILENAME, &slog2_check,
		  "Checker of SLOG2 files", "PATH" },
		{ "paje-check", 0, 0, G_OPTION_ARG_FILENAME, &paje_check, "Checker of Paje files",
		  "PATH" },
		{ "agree", 0, 0, G_OPTION_ARG_FILENAME, &agree, "Script that compares all outputs",
		  "PATH" },
		{ "readers", 0, 0, G_OPTION_ARG_FILENAME, &readers, "Folder of its programs",
		  "PATH" },
		{ "keep", 'k', 0, G_OPTION_ARG_NONE, &keep, "Keep the files of the last case",
		  NULL },
		{ "quick", 'q', 0, G_OPTION_ARG_NONE, &quick,
		  "Only what the case expects, and one window: no other threads and formats",
		  NULL },
		{ "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose, "Print the commands", NULL },
		{ NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("CASE...");
	g_autoptr(GError) error = NULL;
	guint passed = 0, failed = 0;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || !analyze || argc < 2) {
		g_printerr("golden: %s\n",
			   error ? error->message : "wants --analyze PATH and CASE...");
		return 2;
	}
	g_setenv("IOTRACE_INDEX_DENSE", "1", TRUE);
	work_dir = g_dir_make_tmp("golden-XXXXXX", &error);
	if (!work_dir) {
		g_printerr("golden: %s\n", error->message);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		g_autoptr(GError) trouble = NULL;
		gboolean ok;

		empty_folder(work_dir);
		ok = run_case(argv[i], &trouble);
		if (trouble)
			g_print("%s\n", trouble->message);
		g_print("%s: %s\n", ok ? "ok" : "FAILED", argv[i]);
		*(ok ? &passed : &failed) += 1;
	}
	if (keep) {
		g_print("files are in %s\n", work_dir);
	} else {
		empty_folder(work_dir);
		(void)g_rmdir(work_dir);
	}
	g_print("%u passed, %u failed\n", passed, failed);
	return failed ? 1 : 0;
}
