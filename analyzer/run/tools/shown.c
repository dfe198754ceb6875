/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/shown.h"
#include "run/tools/chosen.h"
#include "run/ordering.h"
#include "base/units.h"

enum { N_EXAMPLES = 3 };

/* An instant in the notation of the option @typed: "@" is the host's clock. */
static char *instant(const struct iot_timeline *tl, const char *typed, guint64 ns)
{
	g_autofree char *seconds =
		iot_format_seconds(*typed == '@' ? ns : ns - MIN(tl->origin_ns, ns));

	return g_strdup_printf("%s%s", *typed == '@' ? "@" : "", seconds);
}

/* The error if the window is before or after the recording, else NULL. */
static char *window_outside(const struct iot_options *options, const struct iot_timeline *tl,
			    const struct iot_summary *summary)
{
	g_autofree char *edge = NULL;

	if (options->from && summary->from_ns > summary->end_ns) {
		edge = instant(tl, options->from, summary->end_ns);
		return g_strdup_printf("--from %s is after the end of the recording, %s s",
				       options->from, edge);
	}
	if (options->to && summary->to_ns < summary->begin_ns) {
		edge = instant(tl, options->to, summary->begin_ns);
		return g_strdup_printf("--to %s is before the beginning of the recording, %s s",
				       options->to, edge);
	}
	return NULL;
}

static gboolean selects(const struct iot_options *options)
{
	return options->select->len || options->exclude->len || options->nodes->len ||
	       options->kinds->len || options->follow || options->slower_than_ns;
}

/* "--select, --exclude" */
static char *list_options(const struct iot_options *options)
{
	GString *text = g_string_new(NULL);
	const struct {
		const char *name;
		gboolean given;
	} rows[] = {
		{ "--select", options->select->len > 0 },
		{ "--exclude", options->exclude->len > 0 },
		{ "--node", options->nodes->len > 0 },
		{ "--kind", options->kinds->len > 0 },
		{ "--follow", options->follow != NULL },
		{ "--slower-than", options->slower_than_ns > 0 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (rows[i].given)
			g_string_append_printf(text, "%s%s", text->len ? ", " : "", rows[i].name);
	return g_string_free(text, FALSE);
}

/* Paths of the first resources, as --select takes them; "" if there are none. */
static char *examples(const struct iot_timeline *tl)
{
	GString *text = g_string_new(NULL);
	guint n = 0;

	for (iot_row_id row = 1; row < tl->rows.n && n < N_EXAMPLES; row++) {
		g_autofree char *path = NULL;

		if (!iot_select_is_resource(tl, row))
			continue;
		path = iot_timeline_path(tl, row, "/");
		g_string_append_printf(text, "%s%s", n++ ? ", " : "; rows are, for example, ",
				       path);
	}
	return g_string_free(text, FALSE);
}

static char *nothing_selected(const struct iot_options *options, const struct iot_select *select,
			      const struct iot_timeline *tl)
{
	guint64 longest = iot_select_longest_wait(select);
	g_autofree char *names = NULL;
	g_autofree char *rows = NULL;

	if (options->slower_than_ns && longest) {
		g_autofree char *wait = iot_format_duration(longest);
		g_autofree char *limit = iot_format_duration(options->slower_than_ns);

		return g_strdup_printf(
			"no single wait is longer than %s (--slower-than); the longest is %s",
			limit, wait);
	}
	names = list_options(options);
	if (options->kinds->len || options->follow)
		return g_strdup_printf("%s: nothing of that is on rows that are shown", names);
	rows = examples(tl);
	return g_strdup_printf("%s: no row of the recordings fits%s", names, rows);
}

static gboolean is_used(const struct iot_timeline *tl, const char *pattern)
{
	for (iot_row_id row = 1; row < tl->rows.n; row++)
		if (iot_row_at(tl, row)->n_items && iot_select_matches(tl, row, pattern))
			return TRUE;
	return FALSE;
}

/* Append "; " between sentences. */
static void add_sentence(GString *text, const char *sentence)
{
	g_string_append_printf(text, "%s%s", text->len ? "; " : "", sentence);
}

/* One of several patterns may be mistyped. */
static void add_unused_patterns(const struct iot_options *options, const struct iot_timeline *tl,
				struct iot_diag *diag, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < options->select->len; i++) {
		const char *pattern = options->select->pdata[i];

		if (is_used(tl, pattern))
			continue;
		g_string_append_printf(text, "%s--select %s", text->len ? ", " : "", pattern);
		iot_diag_add(diag, IOT_DIAG_pattern_unused, 1);
	}
	if (!text->len)
		return;
	g_string_append(text, ": fits no row that is shown");
	add_sentence(out, text->str);
}

static gboolean has_row_named(const struct iot_timeline *tl, const char *name)
{
	for (iot_row_id row = 1; row < tl->rows.n; row++)
		if (!strcmp(iot_tl_str(tl, iot_row_at(tl, row)->name), name))
			return TRUE;
	return FALSE;
}

/* A name of a lockspace is used only if its checksum is right, so a mistyped one changes nothing.
 */
static void add_unused_lockspaces(const struct iot_options *options, const struct iot_timeline *tl,
				  struct iot_diag *diag, GString *out)
{
	for (guint i = 0; i < options->lockspaces->len; i++) {
		const char *name = options->lockspaces->pdata[i];
		g_autofree char *text = NULL;

		if (has_row_named(tl, name))
			continue;
		iot_diag_add(diag, IOT_DIAG_lockspace_unused, 1);
		text = g_strdup_printf("--lockspace %s: no lockspace that is shown has this name",
				       name);
		add_sentence(out, text);
	}
}

static void add_unknown_kinds(const struct iot_options *options, const struct iot_timeline *tl,
			      struct iot_diag *diag, GString *out)
{
	for (guint i = 0; i < options->kinds->len; i++) {
		g_autofree char *why = iot_kind_unknown(tl, options->kinds->pdata[i]);

		if (!why)
			continue;
		iot_diag_add(diag, IOT_DIAG_kind_unused, 1);
		add_sentence(out, why);
	}
}

char *iot_shown_check(const struct iot_pass *pass, struct iot_summary *summary)
{
	const struct iot_options *options = pass->options;
	const struct iot_timeline *tl = pass->at.tl;
	g_autofree char *why = window_outside(options, tl, summary);
	g_autofree char *unseen = pass->follow ? iot_follow_missing(pass->follow) : NULL;
	g_autofree char *misfit = NULL;
	g_autofree char *event = NULL;
	g_autofree char *link = NULL;
	g_autoptr(GString) mistyped = g_string_new(NULL);

	if (why) {
		iot_diag_add(&summary->diag, IOT_DIAG_window_outside, 1);
		return g_strconcat("nothing is shown: ", why, NULL);
	}
	add_unknown_kinds(options, tl, &summary->diag, mistyped);
	misfit = iot_misfits_describe(pass->misfits, pass->at.inputs, &summary->diag);
	if (misfit)
		add_sentence(mistyped, misfit);
	if (unseen)
		add_sentence(mistyped, unseen);
	if (pass->at.causal && !options->from && !options->to)
		event = iot_ordering_unknown(&pass->at, &summary->diag);
	if (event)
		add_sentence(mistyped, event);
	if (!options->from && !options->to)
		link = iot_models_mistyped(pass->at.models, &summary->diag);
	if (link)
		add_sentence(mistyped, link);
	if (iot_row_at(tl, 0)->n_items) {
		add_unused_patterns(options, tl, &summary->diag, mistyped);
		add_unused_lockspaces(options, tl, &summary->diag, mistyped);
		return mistyped->len ? g_strdup(mistyped->str) : NULL;
	}
	if (!selects(options))
		return mistyped->len ? g_strdup(mistyped->str) : NULL;
	iot_diag_add(&summary->diag, IOT_DIAG_nothing_selected, 1);
	why = mistyped->len ? g_strdup(mistyped->str) : nothing_selected(options, pass->select, tl);
	return g_strconcat("nothing is shown: ", why, NULL);
}
