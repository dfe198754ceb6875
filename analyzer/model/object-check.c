/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/object-check.h"
#include "model/bind.h"
#include "model/deferral.h"
#include "model/row.h"
#include "model/scope.h"
#include "model/section-table.h"
#include "model/values.h"
#include "base/units.h"
#include "timeline/access.h"
#include "timeline/findings.h"

#include <string.h>

/* A check of an object. */
struct iot_object_check {
	guint number;
	enum iot_check_kind kind;
	const struct iot_schema_event *event; /* STRAY, EVENT */
	struct iot_expr *when;		      /* NULL: always */
};

static void check_free(gpointer data)
{
	struct iot_object_check *check = data;

	iot_expr_free(check->when);
	g_free(check);
}

/* ---- [check] */

/* A section that is being compiled. */
struct draft {
	const struct iot_builder *b;
	struct iot_check check;
};

static gboolean read_within(struct draft *draft)
{
	const struct iot_setting *within =
		iot_section_require(draft->b->section, "within", draft->b->error);
	g_autoptr(GError) local = NULL;

	if (!within)
		return FALSE;
	if (iot_parse_duration(within->value, &draft->check.within_ns, &local))
		return TRUE;
	return iot_setting_error(within, 0, draft->b->error, "%s", local->message);
}

static gboolean read_holds(struct draft *draft)
{
	const struct iot_builder *b = draft->b;
	const struct iot_setting *holds = iot_section_require(b->section, "holds", b->error);
	const struct iot_values *values = holds ? iot_bind_values(b, holds, "values") : NULL;

	if (!values)
		return FALSE;
	draft->check.type = values->type;
	if (iot_type_at(b->model->tl, values->type)->range_last)
		return iot_setting_error(holds, 0, b->error,
					 "[values %s] are locks on ranges, which no check compares",
					 holds->value);
	return values->compared ||
	       iot_setting_error(holds, 0, b->error, "[values %s] has no [compatible] above",
				 holds->value);
}

/* "notice = POINTS VALUE" */
static gboolean read_notice(struct draft *draft)
{
	const struct iot_builder *b = draft->b;
	const struct iot_setting *notice = iot_section_require(b->section, "notice", b->error);
	g_auto(GStrv) words = notice ? g_strsplit(notice->value, " ", 2) : NULL;
	struct iot_setting name;
	const struct iot_values *points;

	if (!notice)
		return FALSE;
	if (!words[0] || !words[1])
		return iot_setting_error(notice, 0, b->error,
					 "the name of [points] and a value are needed");
	name = *notice;
	name.value = words[0];
	points = iot_bind_values(b, &name, "points");
	if (!points)
		return FALSE;
	draft->check.notice =
		iot_values_listed_cat(points, iot_intern_str(b->model->tl->strings, words[1]));
	return draft->check.notice ||
	       iot_setting_error(notice, strlen(words[0]) + 1, b->error,
				 "[points %s] has no value \"%s\"", words[0], words[1]);
}

static struct iot_object_check *add_object_check(struct draft *draft, struct iot_object_kind *kind)
{
	struct iot_object_check *check = g_new0(struct iot_object_check, 1);

	check->number = iot_findings_add_check(draft->b->model->tl->findings, &draft->check);
	check->kind = draft->check.kind;
	if (!kind->checks)
		kind->checks = g_ptr_array_new_with_free_func(check_free);
	g_ptr_array_add(kind->checks, check);
	return check;
}

static gboolean build_overlap(struct draft *draft)
{
	if (!read_holds(draft))
		return FALSE;
	iot_findings_add_check(draft->b->model->tl->findings, &draft->check);
	return TRUE;
}

static gboolean build_unreleased(struct draft *draft)
{
	return read_notice(draft) && read_within(draft) && build_overlap(draft);
}

static gboolean build_stray(struct draft *draft)
{
	const struct iot_builder *b = draft->b;
	const struct iot_setting *call = iot_section_require(b->section, "call", b->error);
	const struct iot_pair *pair = call ? iot_bind_pair(b, call, call->value) : NULL;
	struct iot_scope_events scope;
	struct iot_object_check *check;

	if (!pair)
		return FALSE;
	if (!pair->of || !pair->done)
		return iot_setting_error(call, 0, b->error,
					 "[pair %s] has no object, or no \"done\" event",
					 call->value);
	scope = iot_bind_scope(b, (struct iot_in_scope){ .done = pair->done });
	check = add_object_check(draft, pair->of);
	check->event = iot_schema_recorded(pair->done);
	return iot_bind_optional_expr(b, "when", &scope, &check->when);
}

static struct iot_object_kind *read_of(struct draft *draft)
{
	const struct iot_setting *of =
		iot_section_require(draft->b->section, "of", draft->b->error);

	return of ? iot_bind_kind(draft->b, of) : NULL;
}

static gboolean build_second(struct draft *draft)
{
	struct iot_object_kind *kind = read_of(draft);

	return kind && add_object_check(draft, kind);
}

/* The kind of object whose calls are to be completed in time; NULL: an error. */
static struct iot_object_kind *read_late(struct draft *draft)
{
	struct iot_object_kind *kind = read_of(draft);

	if (!kind || !read_within(draft))
		return NULL;
	if (kind->machine) {
		draft->check.type = kind->machine->type;
		return kind;
	}
	iot_section_error(draft->b->section, draft->b->error, "[object %s] has no [machine] above",
			  kind->name);
	return NULL;
}

static gboolean build_unanswered(struct draft *draft)
{
	struct iot_object_kind *kind = read_late(draft);

	return kind && add_object_check(draft, kind);
}

static gboolean build_lost(struct draft *draft)
{
	if (!read_late(draft))
		return FALSE;
	iot_findings_add_check(draft->b->model->tl->findings, &draft->check);
	return TRUE;
}

static gboolean build_event(struct draft *draft)
{
	const struct iot_builder *b = draft->b;
	const struct iot_setting *name = iot_section_require(b->section, "event", b->error);
	struct iot_object_kind *kind = name ? read_of(draft) : NULL;
	struct iot_schema_event *event;
	struct iot_scope_events scope;
	struct iot_object_check *check;

	if (!kind)
		return FALSE;
	event = iot_bind_event(b->model, name->value);
	scope = iot_bind_scope(b, (struct iot_in_scope){ .self = event, .optional = TRUE });
	check = add_object_check(draft, kind);
	check->event = iot_schema_recorded(event);
	return iot_bind_optional_expr(b, "when", &scope, &check->when);
}

static gboolean build_disorder(struct draft *draft)
{
	iot_findings_add_check(draft->b->model->tl->findings, &draft->check);
	return TRUE;
}

/* "consistency = MODEL": what the file system promises. */
static gboolean read_consistency(struct draft *draft)
{
	const struct iot_setting *setting = iot_section_get(draft->b->section, "consistency");

	for (guint i = 0; i < IOT_N_CONSISTENCIES; i++) {
		draft->check.consistency = (enum iot_consistency)i;
		if (!strcmp(setting ? setting->value : "posix",
			    iot_consistency_name(draft->check.consistency)))
			return TRUE;
	}
	return iot_setting_error(setting, 0, draft->b->error,
				 "\"posix\", \"commit\", \"session\" or \"mpi-io\" expected");
}

static gboolean build_race(struct draft *draft)
{
	const struct iot_builder *b = draft->b;
	const struct iot_setting *accesses = iot_section_require(b->section, "accesses", b->error);
	const struct iot_values *values = accesses ? iot_bind_values(b, accesses, "values") : NULL;

	if (!values || !read_consistency(draft))
		return FALSE;
	if (!iot_access_of(b->model->tl, values->type))
		return iot_setting_error(accesses, 0, b->error, "[values %s] has no [access] above",
					 accesses->value);
	draft->check.type = values->type;
	iot_findings_add_check(b->model->tl->findings, &draft->check);
	return TRUE;
}

static const struct {
	const char *name;
	enum iot_check_kind kind;
	gboolean (*build)(struct draft *draft);
} builders[] = {
	{ "overlap", IOT_CHECK_OVERLAP, build_overlap },
	{ "stray", IOT_CHECK_STRAY, build_stray },
	{ "second", IOT_CHECK_SECOND, build_second },
	{ "unanswered", IOT_CHECK_UNANSWERED, build_unanswered },
	{ "lost", IOT_CHECK_LOST, build_lost },
	{ "unreleased", IOT_CHECK_UNRELEASED, build_unreleased },
	{ "event", IOT_CHECK_EVENT, build_event },
	{ "disorder", IOT_CHECK_DISORDER, build_disorder },
	{ "race", IOT_CHECK_RACE, build_race },
};

static gboolean build_check(const struct iot_builder *b)
{
	const struct iot_setting *finds = iot_section_require(b->section, "finds", b->error);
	const struct iot_setting *says =
		finds ? iot_section_require(b->section, "says", b->error) : NULL;
	const struct iot_setting *most = iot_section_get(b->section, "at most");
	struct draft draft = { .b = b };

	if (!says)
		return FALSE;
	if (most && strcmp(most->value, "possible"))
		return iot_setting_error(most, 0, b->error, "\"possible\" is the only value");
	draft.check.model = b->model->name;
	draft.check.name = b->section->name;
	draft.check.says = says->value;
	draft.check.best = most ? IOT_GRADE_POSSIBLE : IOT_GRADE_PROVED;
	for (guint i = 0; i < G_N_ELEMENTS(builders); i++) {
		if (strcmp(builders[i].name, finds->value))
			continue;
		draft.check.kind = builders[i].kind;
		return builders[i].build(&draft);
	}
	return iot_setting_error(finds, 0, b->error,
				 "it finds overlap, stray, second, unanswered, lost, unreleased, "
				 "event, disorder or race");
}

static const char *const keys[] = { "finds",	"says",	       "holds",	 "of",	   "call",
				    "event",	"when",	       "notice", "within", "at most",
				    "accesses", "consistency", NULL };
const struct iot_section_kind iot_section_kind_check = { "check", keys, build_check, NULL };

/* ---- events */

static gboolean is_wanted(const struct iot_object_kind *kind)
{
	return kind->checks && iot_findings_wanted(kind->model->tl->findings);
}

static void add(const struct iot_object_kind *kind, const struct iot_object_check *check,
		struct iot_finding *finding)
{
	const struct iot_timeline *tl = kind->model->tl;
	iot_row_id node = iot_row_node(tl, finding->row[0]);

	finding->check = check->number;
	finding->t1 = finding->at;
	finding->node[0] = node ? iot_row_at(tl, node)->name : 0;
	iot_findings_add(tl, finding);
}

static void set_object(struct iot_finding *finding, const struct iot_object *object)
{
	finding->row[0] = object->row;
	finding->lane[0] = object->lane;
	finding->t0 = object->mode_span.open ? object->mode_span.item.t0 : object->last_ns;
}

void iot_check_event(struct iot_step *step)
{
	const struct iot_object_kind *kind = step->kind;

	for (guint i = 0; is_wanted(kind) && i < kind->checks->len; i++) {
		const struct iot_object_check *check = kind->checks->pdata[i];
		struct iot_finding finding = { .at = step->rec->ts, .t0 = step->rec->ts };

		if (check->kind != IOT_CHECK_EVENT ||
		    check->event->index != step->rec->event->index ||
		    (check->when && !iot_expr_eval(check->when, &step->eval)))
			continue;
		if (step->object)
			set_object(&finding, step->object);
		else
			finding.row[0] =
				iot_row_path_find(kind->model, step->role->path, &step->eval);
		finding.text = g_strdup_printf("%s says so", check->event->name);
		add(kind, check, &finding);
	}
}

void iot_check_stray(const struct iot_step *step, const struct iot_eval *done)
{
	const struct iot_object_kind *kind = step->kind;
	const struct iot_object *object = step->object;

	for (guint i = 0; is_wanted(kind) && i < kind->checks->len; i++) {
		const struct iot_object_check *check = kind->checks->pdata[i];
		struct iot_finding finding = { .at = step->rec->ts, .t0 = step->rec->ts };

		if (check->kind != IOT_CHECK_STRAY ||
		    check->event->index != step->rec->event->index ||
		    (check->when && !iot_expr_eval(check->when, done)))
			continue;
		if (object)
			set_object(&finding, object);
		else
			finding.row[0] = iot_row_path_find(kind->model, step->role->path,
							   (struct iot_eval *)&step->eval);
		/* a known mode: every call before was answered */
		if (!object || object->mode != IOT_MODE_KNOWN ||
		    iot_kind_in_gap(kind, step->input)) {
			finding.grade = IOT_GRADE_UNDECIDED;
			finding.why = "the call may not be recorded";
		}
		finding.text = g_strdup_printf("%s answers no call", check->event->name);
		add(kind, check, &finding);
	}
}

void iot_check_second(const struct iot_object *object, const struct iot_call *call)
{
	const struct iot_object_kind *kind = object->kind;

	/* the answer to the older call may be recorded before the return of this one */
	if (!is_wanted(kind) || call->unseen_start || iot_deferral_has(object, IOT_PART_DONE))
		return;
	for (guint i = 0; i < kind->checks->len; i++) {
		const struct iot_object_check *check = kind->checks->pdata[i];
		struct iot_finding finding = { .at = call->t0 };

		if (check->kind != IOT_CHECK_SECOND)
			continue;
		set_object(&finding, object);
		finding.t0 = object->pending->t0;
		if (iot_kind_in_gap(kind, object->input)) {
			finding.grade = IOT_GRADE_UNDECIDED;
			finding.why = "the answer may not be recorded";
		}
		finding.text = g_strdup_printf("%s was accepted while %s had no answer",
					       call->pair->name, object->pending->pair->name);
		add(kind, check, &finding);
	}
}

void iot_check_unanswered(const struct iot_object *object, guint64 ts)
{
	const struct iot_object_kind *kind = object->kind;

	if (!is_wanted(kind) || !object->pending)
		return;
	for (guint i = 0; i < kind->checks->len; i++) {
		const struct iot_object_check *check = kind->checks->pdata[i];
		struct iot_finding finding = {
			.at = ts,
			.grade = IOT_GRADE_POSSIBLE,
			.why = "it may have ended without an event",
		};

		if (check->kind != IOT_CHECK_UNANSWERED)
			continue;
		set_object(&finding, object);
		finding.t0 = object->pending->t0;
		finding.text = g_strdup_printf("%s had no answer when its id was used again",
					       object->pending->pair->name);
		add(kind, check, &finding);
	}
}
