/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Races as findings, and as a table. */
#include "analysis/races-local.h"
#include "base/units.h"
#include "tables/ranked.h"

static gboolean lost_events(const struct iot_races *races, const struct iot_race_case *found)
{
	guint64 t0 = MIN(found->first.t0, found->second.t0), t1 = found->second.t1;

	for (guint i = 0; i < races->gaps->len; i++) {
		const struct gap *gap = &g_array_index(races->gaps, struct gap, i);

		if (gap->t0 <= t1 && gap->t1 >= t0)
			return TRUE;
	}
	return FALSE;
}

/* Whether both were at one time, by their times as they are. */
static gboolean at_one_time(const struct iot_race_case *found)
{
	return found->second.t0 < found->first.t1 && found->first.t0 < found->second.t1;
}

/* ---- findings */

static char *describe(const struct iot_races *races, const struct iot_race_access *access)
{
	const struct iot_timeline *tl = races->tl;
	g_autofree char *name = iot_before_name(races->before, tl, access->process);
	g_autofree char *since = iot_format_seconds(iot_tl_rel(tl, access->t0));
	g_autofree char *until = iot_format_seconds(iot_tl_rel(tl, access->t1));

	return g_strdup_printf(
		"%s %s bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " from %s to %s", name,
		access->is_write ? "wrote" : "read", access->from, access->to - 1, since, until);
}

static const char *what_is_missing(enum iot_consistency model)
{
	static const char *const missing[IOT_N_CONSISTENCIES] = {
		[IOT_CONSISTENCY_POSIX] = "nothing puts them in order",
		[IOT_CONSISTENCY_COMMIT] =
			"no sync or close of the first, with what puts them in order",
		[IOT_CONSISTENCY_SESSION] =
			"no close by the first and open by the other, with what puts them in order",
		[IOT_CONSISTENCY_MPI_IO] = "no sync or close by the first and sync or open by the "
					   "other, with what puts them in order",
	};

	return missing[model];
}

static void set_access(struct iot_finding *finding, guint i, const struct iot_races *races,
		       const struct iot_race_access *access)
{
	finding->row[i] = access->row;
	finding->node[i] = iot_before_node(races->before, access->process);
}

static void add_order(const struct iot_races *races, struct iot_finding *finding,
		      const struct iot_race_access *began, const struct iot_race_access *ended)
{
	struct iot_instant *order = finding->order[finding->n_orders++];

	order[0] =
		(struct iot_instant){ iot_before_node(races->before, began->process), began->t0 };
	order[1] =
		(struct iot_instant){ iot_before_node(races->before, ended->process), ended->t1 };
}

static void add_finding(const struct iot_races *races, guint check, enum iot_consistency model,
			const struct iot_race *race)
{
	const struct iot_race_case *found = &race->of[model];
	g_autofree char *first = describe(races, &found->first);
	g_autofree char *second = describe(races, &found->second);
	gboolean together = at_one_time(found);
	struct iot_finding finding = {
		.check = check,
		.grade = found->grade,
		.at = found->second.t0,
		.t0 = MIN(found->first.t0, found->second.t0),
		.t1 = found->second.t1,
	};

	set_access(&finding, 0, races, &found->second);
	set_access(&finding, 1, races, &found->first);
	if (together && (model == IOT_CONSISTENCY_POSIX || found->grade == IOT_GRADE_PROVED)) {
		/* each began before the other one had ended */
		finding.grade = IOT_GRADE_PROVED;
		add_order(races, &finding, &found->second, &found->first);
		add_order(races, &finding, &found->first, &found->second);
	} else if (finding.grade == IOT_GRADE_POSSIBLE) {
		finding.why = "something that is not recorded may do it";
	}
	if (lost_events(races, found)) {
		finding.grade = IOT_GRADE_UNDECIDED;
		finding.why = "events are missing";
	}
	finding.text = together ? g_strdup_printf("at one time %s and %s", first, second)
				: g_strdup_printf("%s, then %s: %s", first, second,
						  what_is_missing(model));
	iot_findings_add(races->tl, &finding);
}

void iot_races_finish(struct iot_races *races)
{
	const GArray *checks = iot_findings_checks(races->tl->findings);

	iot_races_judge_again(races);
	for (guint i = 0; i < checks->len; i++) {
		const struct iot_check *check = &g_array_index(checks, struct iot_check, i);

		if (check->kind != IOT_CHECK_RACE)
			continue;
		for (guint k = 0; k < races->found->len; k++) {
			const struct iot_race *race = races->found->pdata[k];

			if (race->type == check->type && race->of[check->consistency].n)
				add_finding(races, i, check->consistency, race);
		}
	}
}

/* ---- the table */

static const struct iot_ranked_column columns[] = {
	{ "file", "file", IOT_COLUMN_ROW, IOT_COLUMN_SHRINK, .max_width = 40 },
	{ "first", "process", IOT_COLUMN_TEXT },
	{ "does", "does", IOT_COLUMN_TEXT, .help = "to bytes that the other one writes" },
	{ "second", "and", IOT_COLUMN_TEXT },
	{ "other_does", "does", IOT_COLUMN_TEXT },
	{ "from", "bytes from", IOT_COLUMN_COUNT, .help = "that both touch, in the first race" },
	{ "to", "to", IOT_COLUMN_COUNT, .help = "excluded" },
	{ "at", "at", IOT_COLUMN_INSTANT, .help = "the begin of the later access" },
	{ "other_at", "other at", IOT_COLUMN_INSTANT, IOT_COLUMN_DATA },
	{ "accesses", "races", IOT_COLUMN_COUNT,
	  .help = "accesses that came after others with which they are in a race" },
	{ "posix", "POSIX", IOT_COLUMN_TEXT,
	  .help = "nothing puts the accesses in order; proved: they were at one time" },
	{ "commit", "commit", IOT_COLUMN_TEXT,
	  .help = "or the writer has not synced or closed the file in between" },
	{ "session", "session", IOT_COLUMN_TEXT,
	  .help = "or it was not closed by the writer and opened by the other one in between" },
	{ "mpi_io", "MPI-IO", IOT_COLUMN_TEXT,
	  .help = "or there was no sync or close, and sync or open, in between" },
};

/* The weakest demands that are broken: a race of POSIX is one of all models. */
static const struct iot_race_case *shown_case(const struct iot_race *race)
{
	for (guint i = 0; i < IOT_N_CONSISTENCIES; i++)
		if (race->of[i].n)
			return &race->of[i];
	return NULL;
}

static const char *grade_of(const struct iot_races *races, const struct iot_race_case *found)
{
	if (!found->n)
		return "none";
	return iot_grade_name(lost_events(races, found) ? IOT_GRADE_UNDECIDED : found->grade);
}

static void add_race(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_race *race = element;
	const struct iot_races *races = data;
	const struct iot_race_case *found = shown_case(race);
	const struct iot_race_access *a = &found->first, *b = &found->second;
	g_autofree char *first = iot_before_name(races->before, races->tl, a->process);
	g_autofree char *second = iot_before_name(races->before, races->tl, b->process);

	iot_ranked_row(table, iot_cell_number(race->file), iot_cell_text(first),
		       iot_cell_text(a->is_write ? "writes" : "reads"), iot_cell_text(second),
		       iot_cell_text(b->is_write ? "writes" : "reads"),
		       iot_cell_number(MAX(a->from, b->from)), iot_cell_number(MIN(a->to, b->to)),
		       iot_cell_number(b->t0), iot_cell_number(a->t0), iot_cell_number(found->n));
	for (guint i = 0; i < IOT_N_CONSISTENCIES; i++)
		iot_ranked_cell(table, iot_cell_text(grade_of(races, &race->of[i])));
}

static gboolean is_shown(const struct iot_races *races, const struct iot_race *race)
{
	const struct iot_race_case *found = shown_case(race);

	return !iot_row_at(races->tl, found->first.row)->hidden ||
	       !iot_row_at(races->tl, found->second.row)->hidden;
}

/* Surer races first, of POSIX before those of weaker models, and then those that come first. */
static int worst(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct iot_race *a = pa, *b = pb;

	(void)data;
	for (guint i = 0; i < IOT_N_CONSISTENCIES; i++)
		if (a->of[i].grade != b->of[i].grade)
			return a->of[i].grade < b->of[i].grade ? -1 : 1;
	return iot_compare_number(shown_case(a)->second.t1, shown_case(b)->second.t1);
}

static const struct iot_ranked some_ranked = {
	IOT_RANKED("races", "Races between accesses to files", columns),
	.help = "processes of two machines that touch the same bytes, one of them writing, without "
		"what puts it in order, by consistency model",
	.limit = 40,
	.most = "the surest ones",
	.loss = IOT_LOSS_IN_CELLS,
	.compare = worst,
	.add = add_race,
};

static const struct iot_ranked all_ranked = {
	IOT_RANKED("all_races", "All races between accesses to files", columns),
	.for_programs = TRUE,
	.loss = IOT_LOSS_IN_CELLS,
	.compare = worst,
	.add = add_race,
};

static void note(struct iot_result_table *table, guint64 n, const char *what)
{
	if (n)
		iot_result_note(table, "%" G_GUINT64_FORMAT " %s", n, what);
}

static void add_notes(const struct iot_races *races, struct iot_result_table *rules)
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);

	note(rules, races->n_nowhere, "accesses at unknown positions were not looked at");
	note(rules, races->n_unfinished, "calls whose end is not known were not looked at");
	note(rules, races->n_locks_unknown, "calls lock bytes that are not known");
	note(rules, races->n_links_unknown,
	     "links put processes in order that are not known: races may be none");
	note(rules, races->budget.n_forgotten,
	     "ranges of bytes were forgotten: races may be missing");
	note(rules, races->n_calls_forgotten,
	     "old syncs, opens and closes were forgotten: races of weaker models may be none");
	note(rules, races->n_left_out, "pairs of accesses are in races that are not kept");
	note(rules, iot_before_n_folded(races->before),
	     "processes count as one with others of their machine: races may be missing");
	note(rules, iot_before_n_forgotten(races->before),
	     "times a past that is not kept was asked for: races may be missing");
	iot_program_locks_notes(races->locks, notes);
	for (guint i = 0; i < notes->len; i++)
		iot_result_note(rules, "%s", (const char *)notes->pdata[i]);
}

void iot_races_publish(const struct iot_races *races, struct iot_result_table *rules,
		       struct iot_results *results)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	add_notes(races, rules);
	for (guint i = 0; i < races->found->len; i++)
		if (is_shown(races, races->found->pdata[i]))
			g_ptr_array_add(list, races->found->pdata[i]);
	iot_ranked_publish(results, races->tl, &some_ranked, list, races);
	iot_ranked_publish(results, races->tl, &all_ranked, list, races);
}
