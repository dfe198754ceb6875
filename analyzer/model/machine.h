/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [machine]: the mode that an object is in, changed by completions and notices. Rules are tried in
 * order; the first that fits decides. While events of the node are missing every mode is "unknown":
 * a wrong one that looks right is worse.
 *
 * Notices, events that belong to no call, can move the machine, too (the glocks of GFS2), and can
 * state the previous mode.
 */
#ifndef IOT_MODEL_MACHINE_H
#define IOT_MODEL_MACHINE_H

#include "model/tracked.h"

/** iot_machine_rule - the rule for an event without a call, which is SELF (notices) or DONE
 * (completions) of @eval; @object: NULL if it is not known yet; NULL: none fits */
const struct iot_rule *iot_machine_rule(const struct iot_event_role *role,
					const struct iot_eval *eval, struct iot_object *object);
/** iot_machine_settle - evaluate what an object without a row has put off: its mode's span is valid
 * now */
void iot_machine_settle(struct iot_object *object);
/** iot_machine_move - the row of the object's thread changed at @ts: draw on it from there on */
void iot_machine_move(struct iot_object *object, guint64 ts);
/** iot_machine_done - apply the rules of the call's pair to its completion, DONE of @eval; TRUE if
 * the object has no mode now */
gboolean iot_machine_done(const struct iot_call *call, const struct iot_eval *eval);
/** iot_machine_ends - whether the object has no mode after this completion of the call, DONE of
 * @eval */
gboolean iot_machine_ends(const struct iot_call *call, const struct iot_eval *eval);
/** iot_machine_stray - apply the rule of a completion without a call, or NULL, at @t; TRUE if the
 * object has no mode now */
gboolean iot_machine_stray(struct iot_object *object, const struct iot_rule *rule, guint64 t);
/** iot_machine_notice - apply the rule of a notice, SELF of @eval; TRUE if the object has no mode
 * now */
gboolean iot_machine_notice(struct iot_object *object, const struct iot_rule *rule,
			    const struct iot_eval *eval);
/** iot_machine_was - begin the mode that the object must have had before a notice */
void iot_machine_was(struct iot_object *object, const struct iot_rule *rule,
		     const struct iot_eval *eval, struct iot_begin begin);
/** iot_machine_unknown - the mode is unknown from @t0 on; nothing if the object has no machine */
void iot_machine_unknown(struct iot_object *object, guint64 t0, guint16 flags);
/** iot_machine_go_on - the mode that @from had goes on in @object from @ts on, with its own range */
void iot_machine_go_on(struct iot_object *object, const struct iot_object *from, guint64 ts);
/** iot_machine_end - end the mode at @t1; the object has none then */
void iot_machine_end(struct iot_object *object, guint64 t1, guint16 flags);
/** iot_rule_free - GDestroyNotify of a struct iot_rule */
void iot_rule_free(gpointer rule);

#endif
