/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lives of one key. A key, such as the id of a lock, is used again when its object has ended.
 * Its new life can begin before the completion that ends the former one has come: the DLM frees a
 * lock and its id before the callback has run. The former life then stays until this completion.
 * Events find theirs by "apart by", such as the name of the resource, and else by what they
 * complete.
 *
 * Among the objects the former lives stand beside the life that the key has now; only that one
 * gets calls.
 */
#ifndef IOT_MODEL_LIVES_H
#define IOT_MODEL_LIVES_H

#include "model/object.h"

/** iot_life_tell_apart - set step->apart; the event is in step->eval */
void iot_life_tell_apart(struct iot_step *step);
/** iot_life_find_known - set step->object to the life that the event belongs to; changes nothing
 * else */
void iot_life_find_known(struct iot_step *step);
/** iot_life_find - the same; if the event shows that the key is used again, this ends the life that
 * the key had, or makes it a former one */
void iot_life_find(struct iot_step *step);
/** iot_life_find_former - set step->object to the former life with this number; 0: to the life that
 * the key has now */
void iot_life_find_former(struct iot_step *step, guint64 number);
/** iot_life_reuse - the key of step->object is used again; sets step->object to NULL */
void iot_life_reuse(struct iot_step *step);
/** iot_life_is_former - the key of @object was used again at @ts */
void iot_life_is_former(struct iot_object *object, guint64 ts);
/** iot_life_count_reused - the key was used again at @ts, and the object was not seen to end */
void iot_life_count_reused(const struct iot_object *object, guint64 ts);
/** iot_life_release - after an event at @ts: free the object if it is over, or if it is a former
 * life and nothing is pending */
void iot_life_release(struct iot_object *object, guint64 ts);

#endif
