/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/claim-names.h"
#include "base/units.h"

int iot_compare_names(const struct iot_timeline *tl, iot_str a, iot_str b)
{
	return a == b ? 0 : iot_natural_compare(iot_tl_str(tl, a), iot_tl_str(tl, b));
}

char *iot_name_share(char *before, const char *name, guint64 part, guint64 whole)
{
	char *text = g_strdup_printf("%s%s%s %.0f %%", before ? before : "", before ? ", " : "",
				     name, 100 * iot_share_of(part, whole));

	g_free(before);
	return text;
}
