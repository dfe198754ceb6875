/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The models of a run, shared by models-load.c and models.c. */
#ifndef IOT_RUN_MODELS_LOCAL_H
#define IOT_RUN_MODELS_LOCAL_H

#include "run/models.h"

struct iot_models {
	const struct iot_timeline *tl;
	struct iot_schema *schema;
	GPtrArray *models; /* of struct iot_model */
	GPtrArray *files;  /* their files, of struct iot_model_file */
	/* key tables that several models may use */
	GPtrArray *shared_tables;
	struct iot_order_rules *order; /* NULL: they are not looked at */
	/* for each event of the schema: the models that know it, and a NULL. First those that
	 * change a shared table, so that all models see the table as it is at this event */
	struct iot_model **by_event;
	/* by input: the part of by_event for recordings with virtual CPUs, or without */
	struct iot_model ***by_input;
	const struct iot_misfits *misfits; /* models that were not chosen; may be NULL */
	struct iot_diag diag;
	GString *names; /* of the loaded models */
	char *given;	/* names of -m; NULL: the models that fit the inputs */
	char *unknown;	/* recorded systems that are not drawn; NULL: none, or not asked for */
	/* system -> file of the model that would draw it, but has nothing to add to */
	GHashTable *left_out;
};

/** iot_models_schema_has - whether it has an event of @system */
gboolean iot_models_schema_has(const struct iot_schema *schema, const char *system);

#endif
