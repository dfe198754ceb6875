/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The models of a run, shared by models-load.c and models.c. */
#ifndef IOT_RUN_MODELS_LOCAL_H
#define IOT_RUN_MODELS_LOCAL_H

#include "run/models.h"

struct iot_models {
	const struct iot_timeline *tl;
	struct iot_schema *schema;
	GPtrArray *models; /* of struct iot_model */
	/* key tables that several models may use */
	GPtrArray *shared_tables;
	struct iot_order_rules *order; /* NULL: they are not looked at */
	/* for each event of the schema: the models that know it, and a NULL. First those that
	 * change a shared table, so that all models see the table as it is at this event */
	struct iot_model **by_event;
	struct iot_diag diag;
	GString *names; /* of the loaded models */
	char *given;	/* names of -m; NULL: the models that fit the inputs */
	char *unknown;	/* systems; NULL: none */
	/* system -> file of the model that would draw it, but has nothing to add to */
	GHashTable *left_out;
};

#endif
