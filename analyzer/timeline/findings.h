/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Invariants of the models ([check]), and findings: places where one is broken. Models and stages
 * add findings while they run; a stage publishes them as tables at the end.
 *
 * A finding is proved if it follows from the recordings whatever the errors of clocks are within
 * their bounds, possible if an error of clocks or an event of a kind that is not recorded may
 * explain it, and undecided if events are missing near it or a recording is damaged. Clocks that
 * contradict messages prove nothing. Pipeline thread only.
 *
 * Rules about objects and calls are judged by model/object-check.c, those about spans by the stage
 * check, those of [order] by run/ordering.c. A finding names instants whose order would prove it,
 * not clocks. Findings are graded again at the end, because a gap, a contradiction of the clocks
 * or a damage of a recording may come later than the finding. For the same reason causes, chains
 * and circular waits keep the nodes of their proofs, and publish the proofs that still hold
 * (iot_nodes_prove). Links that contradict the clocks count from the end of the pass on only
 * (iot_clocks_settle): stages run in another thread, and their results must not depend on how far
 * the pipeline is ahead. Checkpoints hold no findings: a window has the findings at its instants.
 * Without the stage nothing is looked for.
 */
#ifndef IOT_TIMELINE_FINDINGS_H
#define IOT_TIMELINE_FINDINGS_H

#include "timeline/certainty.h"

enum iot_check_kind {
	/* two hold modes that exclude each other */
	IOT_CHECK_OVERLAP,
	/* a completion without an accepted call */
	IOT_CHECK_STRAY,
	/* a call was accepted while another one on its object was pending */
	IOT_CHECK_SECOND,
	/* a call was never completed */
	IOT_CHECK_UNANSWERED,
	/* a conversion that was pending at a recovery was not completed after it */
	IOT_CHECK_LOST,
	/* a holder was asked to release and did not, although somebody waited */
	IOT_CHECK_UNRELEASED,
	/* an event says so itself */
	IOT_CHECK_EVENT,
	/* an event came before its cause ([order]) */
	IOT_CHECK_DISORDER,
	/* two accesses to the same bytes of a file that nothing puts in order */
	IOT_CHECK_RACE,
};

/* What must be between two accesses, besides their order, so that the later one finds what the
 * earlier one wrote: the models of VerifyIO. */
enum iot_consistency {
	IOT_CONSISTENCY_POSIX,	 /* nothing */
	IOT_CONSISTENCY_COMMIT,	 /* the writer syncs or closes the file after the write */
	IOT_CONSISTENCY_SESSION, /* the writer closes it, then the other one opens it */
	IOT_CONSISTENCY_MPI_IO,	 /* the writer syncs or closes it, then the other syncs or opens it
				  */
	IOT_N_CONSISTENCIES
};

enum iot_grade { IOT_GRADE_PROVED, IOT_GRADE_POSSIBLE, IOT_GRADE_UNDECIDED, IOT_N_GRADES };

/* A section [check]. */
struct iot_check {
	char *model, *name;
	char *says; /* the fault, for people: "incompatible modes" */
	enum iot_check_kind kind;
	enum iot_grade best; /* POSSIBLE: nothing is ever proved */
	iot_type_id type;    /* OVERLAP, UNANSWERED, LOST, UNRELEASED, RACE: of spans */
	iot_cat_id notice;   /* UNRELEASED: points that ask to release */
	guint64 within_ns;   /* UNANSWERED, LOST, UNRELEASED: longer is a finding */
	enum iot_consistency consistency; /* RACE */
};

struct iot_instant {
	iot_str node; /* name of the machine */
	guint64 ns;
};

struct iot_finding {
	guint check; /* number of the section, from 0 */
	enum iot_grade grade;
	const char *why; /* of a grade that is not PROVED; static */
	char *text;	 /* a sentence for people */
	guint64 at;
	/* the smallest interval whose events show it */
	guint64 t0, t1;
	/* the rows and lanes of the objects, the second one may be 0 */
	iot_row_id row[2];
	guint16 lane[2];
	/* machines whose lost events make it undecided; may be 0 */
	iot_str node[2];
	/* it is proved if each first instant was before the second one */
	guint n_orders;
	struct iot_instant order[2][2];
};

struct iot_findings;

struct iot_findings *iot_findings_new(void);
/** iot_findings_free - accepts NULL */
void iot_findings_free(struct iot_findings *findings);

/** iot_findings_add_check - a section of a model, which is copied; returns its number */
guint iot_findings_add_check(struct iot_findings *findings, const struct iot_check *check);
/** iot_findings_checks - of struct iot_check, by number */
const GArray *iot_findings_checks(const struct iot_findings *findings);

/** iot_findings_ask - findings are wanted; before the first event. Without it none is kept. */
void iot_findings_ask(struct iot_findings *findings);
gboolean iot_findings_wanted(const struct iot_findings *findings);
/** iot_findings_limit - findings outside of this interval are not wanted */
void iot_findings_limit(struct iot_findings *findings, guint64 from_ns, guint64 to_ns);

/** iot_findings_add - @finding is copied; its text is taken over */
void iot_findings_add(const struct iot_timeline *tl, const struct iot_finding *finding);
/** iot_findings_distrust - a recording of the machine is damaged: what it says may be wrong, so
 * nothing is proved by it. Before iot_findings_finish. */
void iot_findings_distrust(struct iot_findings *findings, iot_str node);
/** iot_findings_distrusted - whether one of the machine is damaged; after the last item */
gboolean iot_findings_distrusted(const struct iot_findings *findings, iot_str node);
/** iot_findings_some_distrusted - whether one of any machine is */
gboolean iot_findings_some_distrusted(const struct iot_findings *findings);
/** iot_findings_gap - events of the machine are missing in the interval */
void iot_findings_gap(struct iot_findings *findings, iot_str node, guint64 t0, guint64 t1);

/**
 * iot_findings_finish - grade and sort: proved ones first, each grade in order of time; after the
 * last one. Findings on rows that are not selected are left out.
 *
 * Returns them (of struct iot_finding), valid as long as @tl.
 */
const GArray *iot_findings_finish(const struct iot_timeline *tl);
/** iot_findings_count - findings of a check and grade, with those that are not kept */
guint64 iot_findings_count(const struct iot_findings *findings, guint check, enum iot_grade grade);
/** iot_consistency_name - the word of model files: "mpi-io" */
const char *iot_consistency_name(enum iot_consistency consistency);
/** iot_grade_name - "proved", "possible", "undecided" */
const char *iot_grade_name(enum iot_grade grade);

#endif
