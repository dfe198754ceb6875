/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds that rely on the locks of another model: "certain while" of [machine].
 *
 * A glock of GFS2 has no calls of its own, and its notice comes after the DLM has passed the lock
 * on. So its hold is certain only while a DLM lock with the same name on the same machine is
 * certainly held in a mode that covers it. Such a lock *backs* the hold. Meanwhile nothing is
 * drawn; otherwise the object has a state of role LEAVING around which the hold is drawn.
 *
 * A lock and a hold meet at a *place*: their machine, and the name of the row above it. The rows
 * above that one, a file system and a lockspace, belong together one to one. If the names
 * contradict this, the holds of both are certain no longer.
 *
 * A call that gives the lock up counts from its start, even if its end will refuse it, because the
 * notice of a glock may come before that end. Without the other model nothing is drawn, and
 * "leaving" is the whole hold.
 */
#ifndef IOT_MODEL_BACKING_H
#define IOT_MODEL_BACKING_H

#include "model/tracked.h"

/** iot_backing_build - compile "certain while" and "uncertain" of the section, the [machine] of
 * @kind */
gboolean iot_backing_build(const struct iot_builder *b, struct iot_object_kind *kind);
/** iot_backing_connect - find the locks of @kind among the objects of @models (struct iot_model)
 * that are loaded; @out_missing: name of the model if it is not, to be freed */
gboolean iot_backing_connect(struct iot_object_kind *kind, const GPtrArray *models,
			     char **out_missing, GError **error);
/** iot_backing_free - accepts NULL */
void iot_backing_free(struct iot_backing *backing);

/** iot_backing_event - an event of the object, a hold or a lock, was applied at @ts */
void iot_backing_event(struct iot_object *object, guint64 ts);
/** iot_backing_forget - the object ends */
void iot_backing_forget(struct iot_object *object);
/** iot_backing_hold_ends - the object's mode ends at @ts: if the model of the locks is not loaded,
 * nothing says how long it was certain */
void iot_backing_hold_ends(struct iot_object *object, guint64 ts);
/** iot_backing_stop - everything ends: no lock backs anything any longer */
void iot_backing_stop(struct iot_backing *backing);

/** iot_backing_save - what its objects do not say */
void iot_backing_save(const struct iot_backing *backing, GByteArray *out);
gboolean iot_backing_load(struct iot_backing *backing, struct iot_unpack *in);
/** iot_backing_join - put a restored object in its place */
void iot_backing_join(struct iot_object *object);

#endif
