/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the row on which an event is drawn. The row depends on few fields, and on key tables. Two
 * caches avoid making text: entries of by_fields are valid until one of those tables changes; the
 * key of by_values includes the answers of the tables, so its entries are always valid.
 */
#ifndef IOT_MODEL_ROW_H
#define IOT_MODEL_ROW_H

#include "language/operands.h"
#include "model/model-local.h"

enum { IOT_MAX_LEVELS = 8 };

/* [container]: one level of the tree. */
struct iot_row_type {
	const struct iot_section *section;
	struct iot_row_type *parent;
	/* the rows are threads; pid: key of the section */
	gboolean is_thread;
	/* "as = thread": the rows are those of threads that another model draws */
	gboolean as_thread;
	/* "below = thread": the rows may be, or are, below those of other models' threads */
	gboolean may_follow, follows;
	/* follows: identity and name of each row */
	iot_str follow_id, follow_name;
	iot_type_id type;
	/* caches from the operands of "id" of all levels to the row */
	struct iot_memo by_fields, by_values;
	/* version of the tables that are asked */
	guint64 tables_version;
	/* version of all tables of the model at the last look at tables_version */
	guint64 seen_version;
	/* order of the operands in by_fields */
	guint64 fields_order;
	/* an entry of by_fields is valid if it is of this generation */
	guint32 generation;
};

/* The way from one event to a row: the templates of all levels, compiled for that event. */
struct iot_row_path {
	guint n_levels;
	struct iot_level {
		iot_type_id type;
		/* also, thing ("is" or "about"), process: NULL if there is none */
		struct iot_template *id, *name, *also, *thing, *process;
	} level[IOT_MAX_LEVELS];
	/* the thread, of rows that are threads or follow them; else NULL */
	struct iot_expr *pid;
	/* of the ids, and the number of values they stand for */
	struct iot_operands operands;
	guint n_values;
	/* the container's cache; NULL: it cannot be used for this event */
	struct iot_memo *by_fields;
	/* paths are shared by sections with the same rows and events in scope */
	struct iot_row_type *on;
	struct iot_scope_events scope;
};

/** iot_bind_row_path - the path to rows of @on for the events in scope, owned by the model; NULL on
 * errors */
struct iot_row_path *iot_bind_row_path(const struct iot_builder *b, struct iot_row_type *on,
				       struct iot_scope_events *scope);
/** iot_row_path_find - the row of an event or call; it is made if it is new; 0: it would be, or be
 * below, the row of a thread that no other model has drawn yet */
iot_row_id iot_row_path_find(struct iot_model *model, struct iot_row_path *path,
			     const struct iot_eval *eval);
/** iot_row_below_thread - the row of @on below that of a thread; 0: the thread has no row yet */
iot_row_id iot_row_below_thread(struct iot_model *model, struct iot_row_type *on, guint32 input,
				gint64 pid);
/** iot_row_path_free - GDestroyNotify of a struct iot_row_path */
void iot_row_path_free(gpointer path);
/** iot_row_type_free - GDestroyNotify of a struct iot_row_type */
void iot_row_type_free(gpointer type);

#endif
