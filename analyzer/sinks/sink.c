/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/sink.h"

const char *iot_sink_value(const struct iot_sink_args *args, const char *name)
{
	return args->options ? g_hash_table_lookup(args->options, name) : NULL;
}

gboolean iot_sink_flag(const struct iot_sink_args *args, const char *name)
{
	return args->options && g_hash_table_contains(args->options, name);
}

char *iot_sink_word_path(const struct iot_sink_ops *ops)
{
	return ops->word_path ? g_strdup(ops->word_path)
			      : g_strconcat("iotrace", ops->suffix, NULL);
}

const char *iot_item_flag_names(guint flags)
{
	static const char *const names[] = { "unfinished",  "before",	 "suspect",	"failed",
					     "cut-left",    "cut-right", "unknown",	"backwards",
					     "from-hidden", "to-hidden", "from-unseen", "to-unseen",
					     "leaving" };
	g_autofree char *text = g_strdup("");

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		char *longer;

		if (!(flags & 1u << i))
			continue;
		longer = g_strconcat(text, *text ? "," : "", names[i], NULL);
		g_free(text);
		text = longer;
	}
	return g_intern_string(text);
}
