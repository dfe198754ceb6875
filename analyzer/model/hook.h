/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles lines that change a table or a counter: "call PAIR when EXPR key EXPR value TEMPLATE".
 * hook-run.h applies them. */
#ifndef IOT_MODEL_HOOK_H
#define IOT_MODEL_HOOK_H

#include "model/model-local.h"

struct iot_counter;
/* of a counter */
enum iot_change { IOT_ADD, IOT_SUBTRACT, IOT_SET };
/* of a table */
enum iot_table_change {
	IOT_TABLE_SET,
	IOT_TABLE_PUSH,
	IOT_TABLE_COPY,
	IOT_TABLE_POP,
	IOT_TABLE_DROP
};

struct iot_hook {
	/* the table or counter */
	gconstpointer group;
	/* NULL: always */
	struct iot_expr *when;
	/* nothing changes while this table is empty; NULL: not known */
	const struct iot_keytable *needs;
	struct iot_keytable *table;
	enum iot_table_change table_change;
	struct iot_expr *key[IOT_MAX_TABLE_KEYS];
	/* a drop of all keys that begin with the first one; and that this table holds, too, or NULL
	 */
	gboolean group_only;
	const struct iot_keytable *among;
	/* of a table of texts; NULL: the key is dropped, or the values are typed */
	struct iot_template *value;
	/* typed values; of a pop, the first ones of the values to be found; of a copy, the first
	 * key of the entries that are copied */
	guint n_values;
	struct iot_expr *values[IOT_MAX_TABLE_VALUES];
	struct iot_counter *counter;
	enum iot_change change;
	struct iot_expr *amount;
	struct iot_row_path *path;
};

/* The table, or the counter and the rows it is on, that a section's lines change. */
struct iot_hook_target {
	struct iot_keytable *table;
	struct iot_counter *counter;
	gboolean real; /* the counter counts real numbers */
	struct iot_row_type *on;
};

/** iot_hook_add - compile a line of a section for all events or pairs it names */
gboolean iot_hook_add(const struct iot_builder *b, const struct iot_setting *setting,
		      const struct iot_hook_target *target);
/** iot_hooks_leave_out - drop the hooks of tables that nobody reads; before the first event */
void iot_hooks_leave_out(struct iot_hooks *hooks);
/** iot_hooks_clear - free all hooks of an event or a pair */
void iot_hooks_clear(struct iot_hooks *hooks);

#endif
