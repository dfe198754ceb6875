/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/repair.h"
#include "model/bind.h"
#include "model/scope.h"
#include "model/section-table.h"

#include <string.h>

enum { MAX_REPAIRED = 8 };

struct iot_repair {
	struct iot_expr *when;
	guint n;
	struct {
		int slot;
		struct iot_expr *expr;
	} field[MAX_REPAIRED];
};

static void repair_free(gpointer data)
{
	struct iot_repair *repair = data;

	iot_expr_free(repair->when);
	for (guint i = 0; i < repair->n; i++)
		iot_expr_free(repair->field[i].expr);
	g_free(repair);
}

/* "set FIELD = EXPRESSION" */
static gboolean add_field(struct iot_repair *repair, const struct iot_setting *setting,
			  struct iot_scope_events *scope, GError **error)
{
	const char *name = setting->key + strlen("set ");
	g_autofree char *problem = NULL;
	enum iot_expr_type type;
	enum iot_scope where;
	int slot;

	if (repair->n == MAX_REPAIRED)
		return iot_setting_key_error(setting, error, "more than %d fields", MAX_REPAIRED);
	if (!iot_scope_resolve(scope, name, &where, &slot, &problem))
		return iot_setting_key_error(setting, error, "%s", problem);
	if (where != IOT_SCOPE_SELF)
		return iot_setting_key_error(setting, error, "a field of the event is expected");
	repair->field[repair->n].slot = slot;
	repair->field[repair->n].expr =
		iot_expr_compile(setting, 0, strlen(setting->value), scope, error);
	if (!repair->field[repair->n].expr)
		return FALSE;
	type = iot_expr_type(repair->field[repair->n++].expr, NULL);
	if (type == IOT_EXPR_REAL || iot_schema_is_real(scope->event[where], slot))
		return iot_setting_error(setting, 0, error, "real numbers cannot be repaired");
	if (type != IOT_EXPR_UNKNOWN) {
		g_autofree char *place = iot_setting_place(setting, 0);

		iot_schema_want(scope->event[where], slot, type == IOT_EXPR_TEXT, place);
	}
	return TRUE;
}

static gboolean build_repair(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "event", b->error);
	struct iot_schema_event *event;
	struct iot_scope_events scope;
	struct iot_repair *repair;
	struct iot_event_role *role;

	if (!name || !iot_section_require(b->section, "when", b->error))
		return FALSE;
	event = iot_bind_event(b->model, name->value);
	role = iot_bind_role(b->model, event);
	scope = iot_bind_scope(b, (struct iot_in_scope){ .self = event, .optional = TRUE });
	repair = g_new0(struct iot_repair, 1);
	if (!role->repairs)
		role->repairs = g_ptr_array_new_with_free_func(repair_free);
	g_ptr_array_add(role->repairs, repair);
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "set ") &&
		    !add_field(repair, setting, &scope, b->error))
			return FALSE;
	}
	if (!repair->n)
		return iot_section_error(b->section, b->error, "\"set FIELD\" is missing");
	return iot_bind_optional_expr(b, "when", &scope, &repair->when);
}

/* ---- run time */

/* Whether a field of one type would get a value of the other one, as they are recorded. */
static gboolean changes_type(const struct iot_repair *repair, const struct iot_eval *eval)
{
	const guint8 *slot_type = eval->rec[IOT_SCOPE_SELF]->event->slot_type;

	for (guint i = 0; i < repair->n; i++) {
		enum iot_expr_type type = iot_expr_type(repair->field[i].expr, eval);

		if (slot_type[repair->field[i].slot] != IOT_SLOT_ABSENT &&
		    type != IOT_EXPR_UNKNOWN &&
		    (slot_type[repair->field[i].slot] == IOT_SLOT_STR) != (type == IOT_EXPR_TEXT))
			return TRUE;
	}
	return FALSE;
}

static struct iot_rec *copy(struct iot_model *model, const struct iot_rec *rec)
{
	if (!model->repaired)
		model->repaired =
			g_malloc(sizeof(struct iot_rec) + IOT_MAX_SLOTS * sizeof(union iot_val));
	if (rec != model->repaired)
		memcpy(model->repaired, rec, iot_rec_size(rec->event));
	return model->repaired;
}

static const struct iot_rec *apply(struct iot_model *model, const struct iot_repair *repair,
				   const struct iot_eval *eval)
{
	const struct iot_rec *rec = eval->rec[IOT_SCOPE_SELF];

	if (changes_type(repair, eval)) {
		iot_diag_add(model->diag, IOT_DIAG_fields_not_repaired, 1);
		return rec;
	}
	copy(model, rec);
	for (guint i = 0; i < repair->n; i++)
		model->repaired->slot[repair->field[i].slot].i =
			iot_expr_eval(repair->field[i].expr, eval);
	iot_diag_add(model->diag, IOT_DIAG_fields_repaired, 1);
	return model->repaired;
}

const struct iot_rec *iot_repair(struct iot_model *model, const struct iot_event_role *role,
				 const struct iot_rec *rec)
{
	struct iot_eval eval;

	iot_eval_init(model, &eval, rec->event->input, rec, NULL, NULL);
	for (guint i = 0; i < role->repairs->len; i++) {
		const struct iot_repair *repair = role->repairs->pdata[i];

		if (iot_expr_eval(repair->when, &eval))
			return apply(model, repair, &eval);
	}
	return rec;
}

static const char *const keys[] = { "event", "when", "set *", NULL };
const struct iot_section_kind iot_section_kind_repair = { "repair", keys, build_repair, NULL };

/* ---- [real] */

static gboolean declare_real(const struct iot_builder *b, const struct iot_setting *fields,
			     struct iot_schema_event *event, const char *name, gsize at)
{
	struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = event, .optional = TRUE });
	g_autofree char *place = iot_setting_place(fields, at);
	g_autofree char *problem = NULL;
	const char *other;
	enum iot_scope where;
	int slot;

	if (!iot_scope_resolve(&scope, name, &where, &slot, &problem))
		return iot_setting_error(fields, at, b->error, "%s", problem);
	return iot_schema_real(event, slot, place, &other) ||
	       iot_setting_error(fields, at, b->error, "%s has taken \"%s\" for something else",
				 other, name);
}

static gboolean build_real(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "event", b->error);
	const struct iot_setting *fields =
		name ? iot_section_require(b->section, "fields", b->error) : NULL;
	g_auto(GStrv) words = g_strsplit_set(fields ? fields->value : "", " \t", -1);
	struct iot_schema_event *event = fields ? iot_bind_event(b->model, name->value) : NULL;
	gsize at = 0;

	for (guint i = 0; words[i]; at += strlen(words[i++]) + 1)
		if (*words[i] && !declare_real(b, fields, event, words[i], at))
			return FALSE;
	return fields != NULL;
}

static const char *const real_keys[] = { "event", "fields", NULL };
const struct iot_section_kind iot_section_kind_real = { "real", real_keys, build_real, NULL };

/* ---- [interrupts] */

static gboolean build_interrupts(const struct iot_builder *b)
{
	const struct iot_setting *events = iot_section_require(b->section, "events", b->error);
	g_auto(GStrv) words = g_strsplit_set(events ? events->value : "", " \t", -1);

	for (guint i = 0; words[i]; i++) {
		struct iot_schema_event *event;
		int slot;

		if (!*words[i])
			continue;
		event = iot_bind_event(b->model, words[i]);
		if (event->of)
			return iot_setting_error(events, 0, b->error, "%s is a [role]", words[i]);
		slot = iot_schema_field(event, IOT_CONTEXT_FIELD, FALSE, "interrupts");
		if (slot < 0)
			return iot_setting_error(events, 0, b->error,
						 "more than %d fields of %s are used",
						 IOT_MAX_SLOTS, event->name);
		iot_bind_role(b->model, event)->context_slot = (guint8)(slot + 1);
	}
	return events != NULL;
}

const struct iot_rec *iot_without_thread(struct iot_model *model, const struct iot_rec *rec)
{
	copy(model, rec)->pid = 0;
	iot_diag_add(model->diag, IOT_DIAG_thread_interrupted, 1);
	return model->repaired;
}

static const char *const interrupts_keys[] = { "events", NULL };
const struct iot_section_kind iot_section_kind_interrupts = { "interrupts", interrupts_keys,
							      build_interrupts, NULL };
