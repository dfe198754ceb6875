/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saved state: records and keys as bytes and back (base/pack.h). A bound event is saved as its
 * number in order of first use; its contents follow the first use. Every index is checked when it
 * is loaded, so that damaged bytes may give a wrong picture, but no access outside of a table.
 */
#ifndef IOT_MODEL_SAVE_RECORD_H
#define IOT_MODEL_SAVE_RECORD_H

#include "model/model-local.h"

struct iot_saver {
	const struct iot_model *model;
	GByteArray *out;
	/* struct iot_event -> number + 1 */
	GHashTable *events;
	/* open calls of the kind -> number */
	GHashTable *calls;
};

struct iot_loader {
	struct iot_model *model;
	struct iot_unpack *in;
	/* open calls of the kind */
	GPtrArray *calls;
	/* open standalone calls, the oldest first */
	GPtrArray *standalone;
};

/** iot_save_rec - append a record with its event */
void iot_save_rec(struct iot_saver *s, const struct iot_rec *rec);
/** iot_load_event - the event of the next record; owned by the model */
const struct iot_event *iot_load_event(struct iot_loader *l);
/** iot_load_rec - the rest of the record; @rec has room for the fields of its event */
void iot_load_rec(struct iot_loader *l, const struct iot_event *event, struct iot_rec *rec);
/** iot_save_role - append which of its event's roles this is */
void iot_save_role(struct iot_saver *s, const struct iot_event_role *role);
/** iot_load_role - read that number */
guint iot_load_role(struct iot_loader *l);
/** iot_loaded_role - the role of that number; NULL: the event has none */
struct iot_event_role *iot_loaded_role(const struct iot_loader *l, const struct iot_event *event,
				       guint number);
/** iot_save_key - append a key of IOT_MAX_KEYS numbers */
void iot_save_key(struct iot_saver *s, const guint64 *key);
/** iot_load_key - read such a key */
void iot_load_key(struct iot_loader *l, guint64 *key);

#endif
