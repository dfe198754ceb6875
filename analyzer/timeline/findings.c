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

struct iot_findings {
	GArray *checks; /* struct iot_check */
	GArray *found;	/* struct iot_finding */
	GArray *gaps;	/* struct gap */
	GArray *counts; /* guint64, by check and grade */
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

static void grade(const struct iot_timeline *tl, struct iot_finding *finding)
{
	const struct iot_findings *findings = tl->findings;

	for (guint i = 0; i < finding->n_orders; i++) {
		const struct iot_instant *order = finding->order[i];

		if (!tl->clocks || iot_order(tl->clocks, order[0].node, order[0].ns, order[1].node,
					     order[1].ns) != IOT_PROVED)
			lower(finding, IOT_GRADE_POSSIBLE, "within the error of the clocks");
	}
	lower(finding, g_array_index(findings->checks, struct iot_check, finding->check).best,
	      "events that are not recorded may explain it");
	if (lost_events(findings, finding))
		lower(finding, IOT_GRADE_UNDECIDED, "events are missing");
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
	if (*count <= MAX_KEPT)
		g_array_append_val(findings->found, copy);
	else
		g_free(copy.text);
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
	g_array_sort(found, compare);
	return found;
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
