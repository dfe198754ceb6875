/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of hosts. Expected are the lines that scontrol show hostnames prints, but where a comment
 * says otherwise. */
#include "unit.h"

#include <string.h>

#include "input/slurm/slurm-hosts.h"

static char *expanded(const char *list)
{
	g_autoptr(GPtrArray) hosts = iot_slurm_hosts(list);

	if (!hosts)
		return g_strdup("none");
	g_ptr_array_add(hosts, NULL);
	return g_strjoinv(" ", (char **)hosts->pdata);
}

UNIT_TEST(lists_are_expanded_in_their_order)
{
	static const char *const cases[][2] = {
		{ "n1", "n1" },
		{ "n[01-03,7],login1", "n01 n02 n03 n7 login1" },
		{ "r[1-2]n[08-11]", "r1n08 r1n09 r1n10 r1n11 r2n08 r2n09 r2n10 r2n11" },
		{ "n[098-102]", "n098 n099 n100 n101 n102" },
		{ "n[9-11]", "n9 n10 n11" },
		{ "n[009-11]", "n009 n010 n011" },
		{ "n[5-4]", "none" },
		{ "n[1,x]", "none" },
		{ "n[]", "none" },
		/* scontrol prints half a name, ends in brackets, or leaves out the empty one */
		{ "n[1-2", "none" },
		{ "n1]", "none" },
		{ "a,,b", "none" },
		{ "n[[1]]", "none" },
		{ "n[1,]", "none" },
		{ "", "none" },
		/* it takes no text after the brackets */
		{ "x[1-2]-ib", "x1-ib x2-ib" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = expanded(cases[i][0]);

		CU_ASSERT_STRING_EQUAL(got, cases[i][1]);
	}
}

UNIT_TEST(lists_that_are_too_long_are_none)
{
	static const struct {
		const char *list;
		guint n;
	} cases[] = { { "n[1-131072]", 131072 },
		      { "n[0-131072]", 0 },
		      { "n[0-999999999999999999]", 0 },
		      { "n[0000000000000000000]", 0 },
		      { "a[1-400]b[1-400]", 0 } };

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GPtrArray) hosts = iot_slurm_hosts(cases[i].list);

		CU_ASSERT_EQUAL(hosts ? hosts->len : 0, cases[i].n);
	}
}
