/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/fault.h"

#ifdef IOT_FAULTS
#include <stdlib.h>
#include <string.h>

gboolean iot_fault_slow;

__attribute__((constructor)) static void read_slow(void)
{
	const char *env = getenv("IOTRACE_FAULT");

	iot_fault_slow = env && !strcmp(env, "slow");
}

static const char *const kinds[] = { "write", "read", "alloc", "thread" };

struct plan {
	int kind; /* -1: nothing fails */
	gint after;
};

static const struct plan *plan_get(void)
{
	static struct plan plan = { -1, 0 };
	static gsize once;

	if (g_once_init_enter(&once)) {
		const char *env = getenv("IOTRACE_FAULT");
		const char *colon = env ? strchr(env, ':') : NULL;

		for (int i = 0; colon && i < (int)G_N_ELEMENTS(kinds); i++) {
			if (strncmp(env, kinds[i], (size_t)(colon - env)) || kinds[i][colon - env])
				continue;
			plan.kind = i;
			plan.after = atoi(colon + 1);
		}
		g_once_init_leave(&once, 1);
	}
	return &plan;
}

gboolean iot_fault_hit(enum iot_fault kind)
{
	static gint seen;
	const struct plan *plan = plan_get();

	if (plan->kind != (int)kind)
		return FALSE;
	return g_atomic_int_add(&seen, 1) + 1 == plan->after;
}
#endif
