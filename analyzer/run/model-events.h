/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that a recording needs for a model. */
#ifndef IOT_RUN_MODEL_EVENTS_H
#define IOT_RUN_MODEL_EVENTS_H

#include <glib.h>

/**
 * iot_model_events - the events that a model knows; the caller frees the text
 * @name: of an installed model, or its file
 *
 * A line for each event, sorted: SYSTEM:EVENT, and a tab and "optional" if the model draws its
 * calls and states without the event, too: only points, links, key tables and objects of all
 * recordings name it, or a [pair] does not and it is of another system. NULL and an error if there is no such model, or it is
 * wrong.
 */
char *iot_model_events(const char *name, GError **error);

#endif
