/* SPDX-License-Identifier: GPL-2.0-or-later */
/* References from one section to another, and the roles of events. Lookups by name fail with
 * "there is no section ... above". */
#ifndef IOT_MODEL_BIND_H
#define IOT_MODEL_BIND_H

#include "model/model-local.h"

/** iot_bind_role - the first role of the event in the model; it is made if there is none */
struct iot_event_role *iot_bind_role(struct iot_model *model, struct iot_schema_event *event);
/** iot_find_role - the role of that part for objects of @of (NULL: for standalone calls); NULL:
 * there is none */
struct iot_event_role *iot_find_role(const struct iot_model *model,
				     const struct iot_schema_event *event,
				     const struct iot_object_kind *of, enum iot_part part);
/** iot_bind_part - one more role of the event, for objects of @of (NULL: for standalone calls) */
struct iot_event_role *iot_bind_part(const struct iot_builder *b, struct iot_schema_event *event,
				     struct iot_object_kind *of, enum iot_part part);
/** iot_bind_event - a [role] above, "event" of the model's own system, or "system:event" */
struct iot_schema_event *iot_bind_event(struct iot_model *model, const char *name);
/**
 * iot_bind_object_event - the role of an event of an object, with its key and row
 *
 * Pairs may share a completion. NULL and an error if one record would start two calls of one
 * object, or be two notices of it.
 */
struct iot_event_role *iot_bind_object_event(const struct iot_builder *b,
					     struct iot_object_kind *kind,
					     struct iot_schema_event *event, enum iot_part part);
/** iot_bind_row_type - the [container] that the setting names */
struct iot_row_type *iot_bind_row_type(const struct iot_builder *b,
				       const struct iot_setting *setting);
/** iot_bind_end_row_type - the same for ends of links, which may be on rows of another model */
struct iot_row_type *iot_bind_end_row_type(const struct iot_builder *b,
					   const struct iot_setting *setting);
/** iot_bind_values - the section that the setting names; @kind: "values" or "points" */
struct iot_values *iot_bind_values(const struct iot_builder *b, const struct iot_setting *setting,
				   const char *kind);
/** iot_bind_kind - the [object] that the setting names */
struct iot_object_kind *iot_bind_kind(const struct iot_builder *b,
				      const struct iot_setting *setting);
/**
 * iot_bind_other_kind - the [object] with a [machine] that @setting names as MODEL:OBJECT, when
 * all models are loaded
 * @models: struct iot_model
 * @out: NULL if MODEL is not loaded; @out_missing is then its name, to be freed, if it was NULL
 */
gboolean iot_bind_other_kind(const struct iot_setting *setting, const GPtrArray *models,
			     struct iot_object_kind **out, char **out_missing, GError **error);
/** iot_bind_colon - check that the value is MODEL:OBJECT */
gboolean iot_bind_colon(const struct iot_setting *setting, GError **error);
/** iot_bind_is_below_machines - whether rows of the type are machines below other rows */
gboolean iot_bind_is_below_machines(const struct iot_timeline *tl, iot_type_id id);
/** iot_bind_pair - the [pair] @name; @setting is the place of errors */
struct iot_pair *iot_bind_pair(const struct iot_builder *b, const struct iot_setting *setting,
			       const char *name);
/** iot_bind_exprs - compile a list of at most IOT_MAX_KEYS fields or built-ins; appends to @out */
gboolean iot_bind_exprs(const struct iot_setting *setting, struct iot_scope_events *scope,
			struct iot_expr **out, guint *out_n, GError **error);
/** iot_bind_optional_expr - compile the expression of @key; NULL if the section has no such key */
gboolean iot_bind_optional_expr(const struct iot_builder *b, const char *key,
				struct iot_scope_events *scope, struct iot_expr **out);

#endif
