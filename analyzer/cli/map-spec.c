/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/map-spec.h"
#include "base/error.h"

#include <string.h>

static const struct iot_mapping *find_mapping(const GPtrArray *mappings, const char *what)
{
	for (guint i = 0; i < mappings->len; i++) {
		const struct iot_mapping *mapping = g_ptr_array_index(mappings, i);

		if (!strcmp(mapping->what, what))
			return mapping;
	}
	return NULL;
}

gboolean iot_mapping_add(GPtrArray *mappings, const char *pair, GError **error)
{
	g_autofree char *what = g_strstrip(g_strdup(pair));
	char *equals = strchr(what, '=');
	g_autofree char *node = equals ? g_strndup(what, (gsize)(equals - what)) : NULL;
	const struct iot_mapping *other;
	struct iot_mapping *mapping;

	if (node) {
		g_strstrip(node);
		memmove(what, equals + 1, strlen(equals));
		g_strstrip(what);
	}
	if (!node || !*node || !*what)
		return iot_usage_error(error, "\"%s\" is not NODE=WHAT, for example 1=5", pair);
	other = find_mapping(mappings, what);
	if (other)
		return iot_usage_error(error,
				       "\"%s\": %s is mapped twice, to node %s and to node %s",
				       pair, what, other->node, node);
	mapping = g_new0(struct iot_mapping, 1);
	mapping->node = g_steal_pointer(&node);
	mapping->what = g_steal_pointer(&what);
	g_ptr_array_add(mappings, mapping);
	return TRUE;
}
