/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings out of thin air, and records for them. */
#ifndef IOT_TESTS_MODEL_SAMPLE_H
#define IOT_TESTS_MODEL_SAMPLE_H

#include "language/expr.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Events self, end and done with the fields a (int), b (uint), s (text), x (absent). */
struct model_sample {
	struct iot_timeline *tl;
	struct iot_schema *schema;
	struct iot_model_file *file;
	struct iot_scope_events scope;
	struct iot_event event[IOT_N_SCOPES];
	guint64 storage[IOT_N_SCOPES][8];
	struct iot_eval eval;
};

static inline void model_sample_init(struct model_sample *m)
{
	static const char *const names[] = { "self", "end", "done" };
	static const guint8 types[] = { IOT_SLOT_INT, IOT_SLOT_UINT, IOT_SLOT_STR, IOT_SLOT_ABSENT };

	memset(m, 0, sizeof(*m));
	m->tl = iot_timeline_new();
	m->schema = iot_schema_new();
	m->scope.tl = m->tl;
	m->scope.required = TRUE;
	for (guint i = 0; i < IOT_N_SCOPES; i++) {
		struct iot_schema_event *event = iot_schema_event(m->schema, "sys", names[i]);
		struct iot_rec *rec = (struct iot_rec *)m->storage[i];

		iot_schema_field(event, "a", TRUE, "test");
		iot_schema_field(event, "b", TRUE, "test");
		iot_schema_field(event, "s", TRUE, "test");
		iot_schema_field(event, "x", TRUE, "test");
		m->scope.event[i] = event;
		m->event[i].index = i;
		m->event[i].n_slots = 4;
		memcpy(m->event[i].slot_type, types, sizeof(types));
		rec->event = &m->event[i];
		rec->ts = 1000 + 100 * i;
		rec->pid = 40 + (gint32)i;
		m->eval.rec[i] = rec;
	}
	m->eval.node = iot_intern_str(m->tl->strings, "3");
	m->eval.node_name = iot_intern_str(m->tl->strings, "node 3");
}

static inline void model_sample_clear(struct model_sample *m)
{
	iot_model_file_free(m->file);
	iot_schema_free(m->schema);
	iot_timeline_free(m->tl);
}

static inline struct iot_rec *model_sample_rec(struct model_sample *m, enum iot_scope scope)
{
	return (struct iot_rec *)m->storage[scope];
}

/* "key = VALUE" in line 2 of the file "t.model": the value begins in column 7. */
static inline const struct iot_setting *model_sample_setting(struct model_sample *m, const char *value)
{
	g_autofree char *text = g_strdup_printf("[names n]\nkey = %s\n", value);
	const struct iot_section *section;

	iot_model_file_free(m->file);
	m->file = iot_model_file_parse("t.model", text, strlen(text), NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->file);
	section = m->file->sections->pdata[0];
	return section->settings->pdata[0];
}

static inline void check_message(const GError *error, const char *expected)
{
	const char *got = error ? error->message : "no error";

	if (strcmp(got, expected))
		fprintf(stderr, "got:      %s\nexpected: %s\n", got, expected);
	CU_ASSERT_STRING_EQUAL(got, expected);
}

#endif
