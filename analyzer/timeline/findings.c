/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/findings.h"

enum {
	/* Findings of a check and grade that are kept. */
	MAX_KEPT = 1000,
	/* Gaps that are kept apart; later ones are joined with the last one. */
	MAX_GAPS = 4096
};

struct gap {
	iot_str node;
	guint64 t0, t1;
};

/* Proved findings about two machines, or one, that are counted only. */
struct others {
	guint check;
	iot_str node[2];
	guint64 n;
};

struct iot_findings {
	GArray *checks;	 /* struct iot_check */
	GArray *found;	 /* struct iot_finding */
	GArray *gaps;	 /* struct gap */
	GArray *counts;	 /* guint64, by check and grade */
	GArray *others;	 /* struct others */
	GArray *damaged; /* iot_str, names of machines */
	gboolean wanted;
	guint64 from_ns, to_ns;
};

static void clear_check(gpointer data)
{
	struct iot_check *check = data;

	g_free(check->model);
	g_free(check->name);
	g_free(check->says);
}

static void clear_finding(gpointer data)
{
	g_free(((struct iot_finding *)data)->text);
}

struct iot_findings *iot_findings_new(void)
{
	struct iot_findings *findings = g_new0(struct iot_findings, 1);

	findings->checks = g_array_new(FALSE, FALSE, sizeof(struct iot_check));
	g_array_set_clear_func(findings->checks, clear_check);
	findings->found = g_array_new(FALSE, FALSE, sizeof(struct iot_finding));
	g_array_set_clear_func(findings->found, clear_finding);
	findings->gaps = g_array_new(FALSE, FALSE, sizeof(struct gap));
	findings->counts = g_array_new(FALSE, TRUE, sizeof(guint64));
	findings->others = g_array_new(FALSE, FALSE, sizeof(struct others));
	findings->damaged = g_array_new(FALSE, FALSE, sizeof(iot_str));
	findings->to_ns = G_MAXUINT64;
	return findings;
}

void iot_findings_free(struct iot_findings *findings)
{
	if (!findings)
		return;
	g_array_unref(findings->checks);
	g_array_unref(findings->found);
	g_array_unref(findings->gaps);
	g_array_unref(findings->counts);
	g_array_unref(findings->others);
	g_array_unref(findings->damaged);
	g_free(findings);
}

guint iot_findings_add_check(struct iot_findings *findings, const struct iot_check *check)
{
	struct iot_check copy = *check;

	copy.model = g_strdup(check->model);
	copy.name = g_strdup(check->name);
	copy.says = g_strdup(check->says);
	g_array_append_val(findings->checks, copy);
	g_array_set_size(findings->counts, findings->checks->len * IOT_N_GRADES);
	return findings->checks->len - 1;
}

const GArray *iot_findings_checks(const struct iot_findings *findings)
{
	return findings->checks;
}

void iot_findings_ask(struct iot_findings *findings)
{
	findings->wanted = TRUE;
}

gboolean iot_findings_wanted(const struct iot_findings *findings)
{
	return findings->wanted;
}

void iot_findings_limit(struct iot_findings *findings, guint64 from_ns, guint64 to_ns)
{
	findings->from_ns = from_ns;
	findings->to_ns = to_ns;
}

static guint64 *count_of(const struct iot_findings *findings, guint check, enum iot_grade grade)
{
	return &g_array_index(findings->counts, guint64, check * IOT_N_GRADES + grade);
}

guint64 iot_findings_count(const struct iot_findings *findings, guint check, enum iot_grade grade)
{
	return *count_of(findings, check, grade);
}

static void lower(struct iot_finding *finding, enum iot_grade grade, const char *why)
{
	if (finding->grade >= grade)
		return;
	finding->grade = grade;
	finding->why = why;
}

static gboolean lost_events(const struct iot_findings *findings, const struct iot_finding *finding)
{
	for (guint i = 0; i < findings->gaps->len; i++) {
		const struct gap *gap = &g_array_index(findings->gaps, struct gap, i);

		if ((gap->node == finding->node[0] || gap->node == finding->node[1]) &&
		    gap->t0 <= finding->t1 && gap->t1 >= finding->t0)
			return TRUE;
	}
	return FALSE;
}

gboolean iot_findings_distrusted(const struct iot_findings *findings, iot_str node)
{
	for (guint i = 0; i < findings->damaged->len; i++)
		if (g_array_index(findings->damaged, iot_str, i) == node)
			return TRUE;
	return FALSE;
}

gboolean iot_findings_some_distrusted(const struct iot_findings *findings)
{
	return findings->damaged->len > 0;
}

static gboolean is_damaged(const struct iot_findings *findings, const iot_str *node)
{
	return iot_findings_distrusted(findings, node[0]) ||
	       iot_findings_distrusted(findings, node[1]);
}

/* Clocks that contradict messages prove nothing, and may be all that is wrong. */
static void take_clocks(const struct iot_timeline *tl, struct iot_finding *finding,
			const struct iot_instant *order)
{
	const struct iot_check *check =
		&g_array_index(tl->findings->checks, struct iot_check, finding->check);

	if (tl->clocks && iot_order(tl->clocks, order[0].node, order[0].ns, order[1].node,
				    order[1].ns) == IOT_PROVED)
		return;
	lower(finding, IOT_GRADE_POSSIBLE, "within the error of the clocks");
	if (finding->grade == IOT_GRADE_POSSIBLE && tl->clocks &&
	    iot_clocks_disagree(tl->clocks, order[0].node, order[1].node))
		finding->why = check->kind == IOT_CHECK_DISORDER
				       ? "messages contradict the clocks, so one of them is wrong"
				       : "messages contradict the clocks of the two machines";
}

static void grade(const struct iot_timeline *tl, struct iot_finding *finding)
{
	const struct iot_findings *findings = tl->findings;

	for (guint i = 0; i < finding->n_orders; i++)
		take_clocks(tl, finding, finding->order[i]);
	lower(finding, g_array_index(findings->checks, struct iot_check, finding->check).best,
	      "events that are not recorded may explain it");
	if (lost_events(findings, finding))
		lower(finding, IOT_GRADE_UNDECIDED, "events are missing");
	if (is_damaged(findings, finding->node))
		lower(finding, IOT_GRADE_UNDECIDED, "a recording is damaged");
}

/* The finding is not kept: note by which machines and clocks it is proved, if it is. */
static void count_other(struct iot_findings *findings, const struct iot_finding *finding)
{
	struct others new = { .check = finding->check, .n = 1 };

	if (finding->grade != IOT_GRADE_PROVED)
		return;
	new.node[0] = finding->n_orders ? finding->order[0][0].node : finding->node[0];
	new.node[1] = finding->n_orders ? finding->order[0][1].node : finding->node[1];
	for (guint i = 0; i < findings->others->len; i++) {
		struct others *known = &g_array_index(findings->others, struct others, i);

		if (known->check == new.check && known->node[0] == new.node[0] &&
		    known->node[1] == new.node[1]) {
			known->n++;
			return;
		}
	}
	g_array_append_val(findings->others, new);
}

void iot_findings_add(const struct iot_timeline *tl, const struct iot_finding *finding)
{
	struct iot_findings *findings = tl->findings;
	struct iot_finding copy = *finding;
	guint64 *count;

	if (!findings->wanted || finding->at < findings->from_ns || finding->at > findings->to_ns) {
		g_free(copy.text);
		return;
	}
	grade(tl, &copy);
	count = count_of(findings, copy.check, copy.grade);
	*count += 1;
	if (*count <= MAX_KEPT) {
		g_array_append_val(findings->found, copy);
		return;
	}
	count_other(findings, &copy);
	g_free(copy.text);
}

void iot_findings_distrust(struct iot_findings *findings, iot_str node)
{
	g_array_append_val(findings->damaged, node);
}

void iot_findings_gap(struct iot_findings *findings, iot_str node, guint64 t0, guint64 t1)
{
	struct gap gap = { node, t0, t1 };

	if (findings->gaps->len < MAX_GAPS) {
		g_array_append_val(findings->gaps, gap);
		return;
	}
	for (guint i = findings->gaps->len; i; i--) {
		struct gap *last = &g_array_index(findings->gaps, struct gap, i - 1);

		if (last->node != node)
			continue;
		last->t0 = MIN(last->t0, t0);
		last->t1 = MAX(last->t1, t1);
		return;
	}
}

static int compare(gconstpointer pa, gconstpointer pb)
{
	const struct iot_finding *a = pa, *b = pb;

	if (a->grade != b->grade)
		return a->grade < b->grade ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->check != b->check)
		return a->check < b->check ? -1 : 1;
	return g_strcmp0(a->text, b->text);
}

static gboolean is_hidden(const struct iot_timeline *tl, const struct iot_finding *finding)
{
	gboolean shown = !finding->row[0] && !finding->row[1];

	for (guint i = 0; i < 2; i++)
		shown |= finding->row[i] && !iot_row_at(tl, finding->row[i])->hidden;
	return !shown;
}

/* What is not kept cannot be graded again, except by its machines. */
static void grade_others(const struct iot_timeline *tl)
{
	const struct iot_findings *findings = tl->findings;

	for (guint i = 0; i < findings->others->len; i++) {
		struct others *others = &g_array_index(findings->others, struct others, i);
		gboolean damaged = is_damaged(findings, others->node);

		if (!damaged && (!tl->clocks || !iot_clocks_disagree(tl->clocks, others->node[0],
								     others->node[1])))
			continue;
		*count_of(findings, others->check, IOT_GRADE_PROVED) -= others->n;
		*count_of(findings, others->check,
			  damaged ? IOT_GRADE_UNDECIDED : IOT_GRADE_POSSIBLE) += others->n;
		others->n = 0;
	}
}

const GArray *iot_findings_finish(const struct iot_timeline *tl)
{
	struct iot_findings *findings = tl->findings;
	GArray *found = findings->found;

	for (guint i = 0; i < found->len;) {
		struct iot_finding *finding = &g_array_index(found, struct iot_finding, i);

		*count_of(findings, finding->check, finding->grade) -= 1;
		if (is_hidden(tl, finding)) {
			g_array_remove_index_fast(found, i);
			continue;
		}
		/* a gap or a contradiction of the clocks may have come after the finding */
		grade(tl, finding);
		*count_of(findings, finding->check, finding->grade) += 1;
		i++;
	}
	grade_others(tl);
	g_array_sort(found, compare);
	return found;
}

const char *iot_consistency_name(enum iot_consistency consistency)
{
	static const char *const names[IOT_N_CONSISTENCIES] = {
		[IOT_CONSISTENCY_POSIX] = "posix",
		[IOT_CONSISTENCY_COMMIT] = "commit",
		[IOT_CONSISTENCY_SESSION] = "session",
		[IOT_CONSISTENCY_MPI_IO] = "mpi-io",
	};

	return names[consistency];
}

const char *iot_grade_name(enum iot_grade grade)
{
	static const char *const names[] = {
		[IOT_GRADE_PROVED] = "proved",
		[IOT_GRADE_POSSIBLE] = "possible",
		[IOT_GRADE_UNDECIDED] = "undecided",
	};

	return names[grade];
}
