/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/otf2/otf2-clocks.h"

struct iot_otf2_clocks *iot_otf2_clocks_new(guint n_ranks)
{
	struct iot_otf2_clocks *clocks = g_new0(struct iot_otf2_clocks, 1);

	clocks->n_ranks = n_ranks;
	clocks->clocks = g_new0(struct iot_clock *, n_ranks + 1);
	return clocks;
}

void iot_otf2_clocks_free(struct iot_otf2_clocks *clocks)
{
	if (!clocks)
		return;
	for (guint i = 0; i < clocks->n_ranks; i++) {
		if (clocks->clocks[i])
			iot_clock_clear(clocks->clocks[i]);
		g_free(clocks->clocks[i]);
	}
	g_free(clocks->clocks);
	g_free(clocks);
}

guint64 iot_otf2_clocks_real(const struct iot_otf2_clocks *clocks,
			     const struct iot_otf2_place *place, guint64 ns)
{
	guint rank = (guint)place->rank;

	return iot_clock_correct(clocks->clocks[rank < clocks->n_ranks ? rank : 0], 0, ns);
}
