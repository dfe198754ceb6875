/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What inputs.c (opened, named, read), inputs-bind.c and inputs-edges.c share. */
#ifndef IOT_RUN_INPUTS_LOCAL_H
#define IOT_RUN_INPUTS_LOCAL_H

#include "run/inputs.h"

struct run_strings {
	const struct iot_intern *table;
	GArray *global; /* of guint32: number in tl->strings + 1; 0: not looked up yet */
};

struct iot_inputs {
	struct iot_timeline *tl;
	guint n, n_runs;
	struct iot_input *input;
	GPtrArray *models; /* of struct iot_model_file */
	struct iot_facts *facts;
	struct iot_schema *nothing;	    /* for inputs that need not be read */
	struct iot_model_input *for_models; /* by input; filled by bind */
	struct run_strings *strings;	    /* by run; NULL before start */
	guint64 early_end_ns;		    /* option: how much earlier is early */
	guint64 next_edge_ns;		    /* the next one that has not been returned */
	guint n_sync_unused;		    /* lines of --sync FILE about other machines */
	guint n_marks_back;		    /* marks of clocks that were set back */
	gboolean several_of_one;	    /* a machine has several recordings */
	GHashTable *owners; /* machine and event -> 1 + the input that has it; NULL: nobody asked */
};

/** iot_inputs_find_edges - find where recordings begin and end inside of the others'; once, before
 * events are read up to @to_ns */
void iot_inputs_find_edges(struct iot_inputs *inputs, guint64 to_ns);

#endif
