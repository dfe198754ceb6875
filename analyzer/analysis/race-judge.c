/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/races-local.h"

/* Between two accesses there must be a call of the first process, and one of the second process
 * before the second access, in this order. 0: none is wanted. */
static const struct {
	guint leave, enter;
} wanted[IOT_N_CONSISTENCIES] = {
	[IOT_CONSISTENCY_COMMIT] = { .leave = CALL_SYNC | CALL_CLOSE },
	[IOT_CONSISTENCY_SESSION] = { .leave = CALL_CLOSE, .enter = CALL_OPEN },
	[IOT_CONSISTENCY_MPI_IO] = { .leave = CALL_SYNC | CALL_CLOSE,
				     .enter = CALL_SYNC | CALL_OPEN },
};

struct side {
	const struct race_user *user;
	const struct iot_race_range *access;
	gboolean is_write;
};

/* When the first call ends that begins after the access; FALSE: there is none. */
static gboolean leaves(const struct side *side, guint what, guint64 *out_ns)
{
	const GArray *calls = side->user->calls;
	guint low = 0, high = calls->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (g_array_index(calls, struct race_call, middle).t1 >= side->access->t1)
			high = middle;
		else
			low = middle + 1;
	}
	for (; low < calls->len; low++) {
		const struct race_call *call = &g_array_index(calls, struct race_call, low);

		*out_ns = call->t1;
		if ((call->what & what) && call->t0 >= side->access->t1)
			return TRUE;
	}
	return FALSE;
}

/* When the last call begins that ends before the access. */
static gboolean enters(const struct side *side, guint what, guint64 *out_ns)
{
	const GArray *calls = side->user->calls;

	for (guint i = calls->len; i; i--) {
		const struct race_call *call = &g_array_index(calls, struct race_call, i - 1);

		*out_ns = call->t0;
		if ((call->what & what) && call->t1 <= side->access->t0)
			return TRUE;
	}
	return FALSE;
}

/* Whether @first came before @second, with the calls that the model wants: by what programs did,
 * or, with @perhaps, as far as the clocks know. A call that is not seen by now may have been before
 * the second access, as the clocks may be wrong. */
static gboolean in_order(const struct iot_races *races, enum iot_consistency model,
			 const struct side *first, const struct side *second, gboolean perhaps)
{
	guint64 end = first->access->t1, begin = second->access->t0;

	/* what a read saw does not depend on calls after it */
	if (!first->is_write)
		model = IOT_CONSISTENCY_POSIX;
	/* nobody knows what was forgotten */
	if (perhaps && races->n_calls_forgotten && wanted[model].leave)
		return TRUE;
	if (wanted[model].enter && !enters(second, wanted[model].enter, &begin))
		return FALSE;
	if (wanted[model].leave && !leaves(first, wanted[model].leave, &end)) {
		if (!perhaps)
			return FALSE;
		end = races->now;
	}
	if (!perhaps)
		return iot_before_reach(races->before, second->user->process, begin,
					first->user->process) >= end;
	return !races->tl->clocks || iot_order(races->tl->clocks, second->user->node, begin,
					       first->user->node, end) != IOT_PROVED;
}

static enum iot_grade judge(const struct iot_races *races, enum iot_consistency model,
			    const struct side *first, const struct side *second)
{
	gboolean perhaps;

	if (in_order(races, model, first, second, FALSE) ||
	    in_order(races, model, second, first, FALSE))
		return IOT_N_GRADES;
	perhaps = in_order(races, model, first, second, TRUE) ||
		  in_order(races, model, second, first, TRUE);
	/* one came before the other */
	if (perhaps && model == IOT_CONSISTENCY_POSIX &&
	    iot_held_exclude(first->access->locks, first->access->t0, first->access->t1,
			     second->access->locks, second->access->t0, second->access->t1))
		return IOT_N_GRADES;
	return perhaps ? IOT_GRADE_POSSIBLE : IOT_GRADE_PROVED;
}

static struct iot_race *find_race(struct iot_races *races, const struct race_file *file,
				  const struct side *first, const struct side *second)
{
	guint a = first->user->process, b = second->user->process;
	struct iot_race key = { .file = file->row,
				.process = { MIN(a, b), MAX(a, b) },
				.both_write = first->is_write && second->is_write,
				.number = file->number,
				.type = file->type };
	struct iot_race *race = g_hash_table_lookup(races->known, &key);

	if (race)
		return race;
	if (races->found->len >= IOT_RACES) {
		races->n_left_out++;
		return NULL;
	}
	for (guint i = 0; i < IOT_N_CONSISTENCIES; i++)
		key.of[i].grade = IOT_N_GRADES;
	race = g_memdup2(&key, sizeof(key));
	g_ptr_array_add(races->found, race);
	g_hash_table_add(races->known, race);
	return race;
}

static struct iot_race_access access_of(const struct side *side)
{
	return (struct iot_race_access){ .process = side->user->process,
					 .row = side->user->row,
					 .from = side->access->from,
					 .to = side->access->to,
					 .t0 = side->access->t0,
					 .t1 = side->access->t1,
					 .is_write = side->is_write };
}

void iot_races_judge(struct iot_races *races, struct race_file *file, struct race_user *user,
		     const struct iot_race_range *before, gboolean is_write,
		     struct race_user *other, const struct iot_race_range *later,
		     gboolean later_writes)
{
	const struct side first = { user, before, is_write };
	const struct side second = { other, later, later_writes };
	struct iot_race *race = NULL;

	for (guint i = 0; i < IOT_N_CONSISTENCIES; i++) {
		enum iot_grade grade = judge(races, (enum iot_consistency)i, &first, &second);
		struct iot_race_case *found;

		if (grade == IOT_N_GRADES)
			continue;
		if (!race)
			race = find_race(races, file, &first, &second);
		if (!race)
			return;
		found = &race->of[i];
		found->n += found->last != races->n_accesses;
		found->last = races->n_accesses;
		if (grade >= found->grade)
			continue;
		found->grade = grade;
		found->first = access_of(&first);
		found->second = access_of(&second);
	}
}

/* ---- the end */

/* A race is proved if the calls that may have made it none have not come. */
static void judge_again(const struct iot_races *races, const struct race_file *file,
			enum iot_consistency model, struct iot_race_case *found)
{
	const struct iot_race_access *accesses[2] = { &found->first, &found->second };
	struct iot_race_range range[2];
	struct side side[2];

	for (guint i = 0; i < 2; i++) {
		range[i] = (struct iot_race_range){ .t0 = accesses[i]->t0, .t1 = accesses[i]->t1 };
		side[i] = (struct side){ iot_races_user(file, accesses[i]->process), &range[i],
					 accesses[i]->is_write };
	}
	if (!in_order(races, model, &side[0], &side[1], TRUE) &&
	    !in_order(races, model, &side[1], &side[0], TRUE))
		found->grade = IOT_GRADE_PROVED;
}

void iot_races_judge_again(struct iot_races *races)
{
	races->now = G_MAXUINT64;
	for (guint i = 0; i < races->found->len; i++) {
		struct iot_race *race = races->found->pdata[i];

		for (guint model = 0; model < IOT_N_CONSISTENCIES; model++)
			if (race->of[model].grade == IOT_GRADE_POSSIBLE)
				judge_again(races, races->files->pdata[race->number],
					    (enum iot_consistency)model, &race->of[model]);
	}
}
