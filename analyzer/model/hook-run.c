/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/hook-run.h"
#include "model/counter.h"
#include "model/hook.h"
#include "model/row.h"

static void change_table(const struct iot_hook *hook, const struct iot_eval *eval)
{
	guint64 key[IOT_MAX_TABLE_KEYS] = { 0 };

	for (guint i = 0; i < IOT_MAX_TABLE_KEYS && hook->key[i]; i++)
		key[i] = (guint64)iot_expr_eval(hook->key[i], eval);
	if (hook->value)
		iot_keytable_set(hook->table, eval->input, key,
				 iot_template_eval(hook->value, eval));
	else
		iot_keytable_drop(hook->table, eval->input, key);
}

void iot_hooks_run(struct iot_model *model, const GPtrArray *hooks, const struct iot_eval *eval,
		   guint64 ts)
{
	gconstpointer decided = NULL;

	for (guint i = 0; i < hooks->len; i++) {
		const struct iot_hook *hook = hooks->pdata[i];

		if (hook->group == decided || (hook->when && !iot_expr_eval(hook->when, eval)))
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
