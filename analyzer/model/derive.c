/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/derive.h"
#include "model/bind.h"
#include "model/proof.h"
#include "model/scope.h"

#include <string.h>

/* The number that a part of the text in the slot @from is the name of. */
struct derived {
	int slot, from;
	char *pattern;
	struct iot_proof *proof;
};

static void derived_free(gpointer data)
{
	struct derived *derived = data;

	iot_proof_free(derived->proof);
	g_free(derived->pattern);
	g_free(derived);
}

gboolean iot_derive_is(const struct iot_setting *setting)
{
	return strpbrk(setting->value, " \t\"") != NULL;
}

/* The proof of [names @name]; NULL and an error. */
static struct iot_proof *find_proof(const struct iot_builder *b, const struct iot_setting *setting,
				    const char *name)
{
	const GPtrArray *sections = b->model->file->sections;

	for (guint i = 0; i < sections->len && sections->pdata[i] != b->section; i++) {
		const struct iot_section *section = sections->pdata[i];
		const struct iot_setting *proof = iot_section_get(section, "proof");

		if (strcmp(section->kind, "names") || strcmp(section->name, name))
			continue;
		if (proof)
			return iot_proof_parse(proof, b->error);
		iot_setting_error(setting, 0, b->error, "[names %s] has no \"proof\"", name);
		return NULL;
	}
	iot_setting_error(setting, 0, b->error, "there is no section [names %s] above", name);
	return NULL;
}

/* The word at @at of the value, which moves to the next one; the caller frees it. */
static char *take_word(const struct iot_setting *setting, gsize *at)
{
	const char *word = setting->value + *at;
	gsize len = strcspn(word, " \t");

	*at += len + strspn(word + len, " \t");
	return g_strndup(word, len);
}

static gboolean too_many(const struct iot_setting *setting, const struct iot_schema_event *role,
			 GError **error)
{
	return iot_setting_error(setting, 0, error, "more than %d fields of %s are used",
				 IOT_MAX_SLOTS, role->of->name);
}

/* "let NAME = NUMBERS of FIELD": sources compute it, by the print format of the recording. */
static gboolean add_number(const struct iot_builder *b, struct iot_schema_event *role,
			   const struct iot_setting *setting, const char *name,
			   const char *numbers, const char *field)
{
	const struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = role });
	struct iot_numbers *found = g_hash_table_lookup(b->model->numbers, numbers);

	if (!found)
		return iot_setting_error(setting, 0, b->error,
					 "there is no section [numbers %s] above", numbers);
	return iot_schema_number(role, name, field, found, scope.needed_by) >= 0 ||
	       too_many(setting, role, b->error);
}

gboolean iot_derive_add(const struct iot_builder *b, struct iot_schema_event *role,
			const struct iot_setting *setting, const char *name)
{
	gsize at = 0, at_field;
	g_autofree char *names = take_word(setting, &at);
	g_autofree char *in = take_word(setting, &at);
	g_autofree char *field = NULL;
	const struct iot_scope_events scope =
		iot_bind_scope(b, (struct iot_in_scope){ .self = role });
	struct iot_event_role *first = iot_bind_role(b->model, role);
	struct derived *derived;

	at_field = at;
	field = take_word(setting, &at);
	if (strcmp(in, "in") && strcmp(in, "of"))
		return iot_setting_error(setting, 0, b->error,
					 "the name of a field, NUMBERS of FIELD, or NAMES in FIELD "
					 "\"PATTERN\" expected");
	if (!iot_scope_is_field_name(field))
		return iot_setting_error(setting, at_field, b->error,
					 "\"%s\" is not the name of a field", field);
	if (!strcmp(in, "of") && setting->value[at])
		return iot_setting_error(setting, at, b->error, "nothing more expected");
	if (!strcmp(in, "of"))
		return add_number(b, role, setting, name, names, field);
	derived = g_new0(struct derived, 1);
	if (!first->derived)
		first->derived = g_ptr_array_new_with_free_func(derived_free);
	g_ptr_array_add(first->derived, derived);
	derived->pattern = iot_proof_take_pattern(setting, at, b->error);
	if (!derived->pattern)
		return FALSE;
	derived->proof = find_proof(b, setting, names);
	if (!derived->proof)
		return FALSE;
	derived->slot = iot_schema_derive(role, name, field, scope.needed_by, &derived->from);
	return derived->slot >= 0 || too_many(setting, role, b->error);
}

/* ---- run time */

/* The event of records with the computed fields. */
static const struct iot_event *event_of(struct iot_model *model, struct iot_event_role *role,
					const struct iot_event *recorded)
{
	struct iot_event *event;

	if (!role->derived_event)
		role->derived_event = g_new0(struct iot_event, model->n_inputs);
	event = &role->derived_event[recorded->input];
	*event = *recorded;
	for (guint i = 0; i < role->derived->len; i++) {
		const struct derived *derived = role->derived->pdata[i];

		event->slot_type[derived->slot] = IOT_SLOT_UINT;
	}
	return event;
}

static guint32 number_of(struct iot_model *model, const struct derived *derived,
			 const struct iot_rec *rec)
{
	const char *text;
	gsize len;

	if (rec->event->slot_type[derived->from] != IOT_SLOT_STR)
		return 0;
	text = iot_intern_get(model->tl->strings, (guint32)rec->slot[derived->from].u, NULL);
	return iot_proof_match(derived->pattern, text, &text, &len)
		       ? iot_proof_number(derived->proof, text, len)
		       : 0;
}

const struct iot_rec *iot_derive(struct iot_model *model, struct iot_event_role *role,
				 const struct iot_rec *rec)
{
	struct iot_rec *out = model->derived;

	if (!out)
		out = model->derived =
			g_malloc(sizeof(struct iot_rec) + IOT_MAX_SLOTS * sizeof(union iot_val));
	memcpy(out, rec, iot_rec_size(rec->event));
	out->event = event_of(model, role, rec->event);
	for (guint i = 0; i < role->derived->len; i++) {
		const struct derived *derived = role->derived->pdata[i];

		out->slot[derived->slot].u = number_of(model, derived, rec);
	}
	return out;
}
