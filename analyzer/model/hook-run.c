/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/hook-run.h"
#include "model/counter.h"
#include "model/hook.h"
#include "model/row.h"

static void change_table(const struct iot_hook *hook, const struct iot_eval *eval)
{
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 }, values[IOT_MAX_TABLE_VALUES] = { 0 };

	for (guint i = 0; i < IOT_MAX_TABLE_KEYS && hook->key[i]; i++)
		key[i] = (guint64)iot_expr_eval(hook->key[i], eval);
	if (hook->value)
		values[0] = iot_template_eval(hook->value, eval);
	for (guint i = 0; i < hook->n_values; i++)
		values[i] = hook->table_change != IOT_TABLE_COPY &&
					    iot_keytable_type(hook->table, i) == IOT_TABLE_TEXT
				    ? iot_expr_eval_text(hook->values[i], eval)
				    : (guint64)iot_expr_eval(hook->values[i], eval);
	switch (hook->table_change) {
	case IOT_TABLE_SET:
		iot_keytable_set(hook->table, eval->machine, key, values);
		break;
	case IOT_TABLE_PUSH:
		iot_keytable_push(hook->table, eval->machine, key, values);
		break;
	case IOT_TABLE_COPY:
		iot_keytable_copy_group(hook->table, eval->machine, key[0], values[0]);
		break;
	case IOT_TABLE_POP:
		iot_keytable_pop(hook->table, eval->machine, key, values, hook->n_values);
		break;
	default:
		if (hook->group_only)
			iot_keytable_drop_group(hook->table, eval->machine, key[0], hook->among);
		else
			iot_keytable_drop(hook->table, eval->machine, key);
	}
}

void iot_hooks_run(struct iot_model *model, const GPtrArray *hooks, const struct iot_eval *eval,
		   guint64 ts)
{
	gconstpointer decided = NULL;

	for (guint i = 0; i < hooks->len; i++) {
		const struct iot_hook *hook = hooks->pdata[i];

		if (hook->group == decided || (hook->needs && iot_keytable_is_empty(hook->needs)) ||
		    (hook->when && !iot_expr_eval(hook->when, eval)))
			continue;
		decided = hook->group;
		if (hook->table)
			change_table(hook, eval);
		else
			iot_counter_change(hook->counter,
					   iot_row_path_find(model, hook->path, eval), hook->change,
					   iot_expr_eval(hook->amount, eval), ts);
	}
}
