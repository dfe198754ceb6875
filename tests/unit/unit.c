/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *file, *name;
	void (*func)(void);
} tests[512];
static unsigned int n_tests;

void unit_register(const char *file, const char *name, void (*func)(void))
{
	if (n_tests == sizeof(tests) / sizeof(tests[0]))
		abort();
	tests[n_tests].file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	tests[n_tests].name = name;
	tests[n_tests++].func = func;
}

int main(void)
{
	unsigned int failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
	for (unsigned int i = 0; i < n_tests; i++) {
		CU_pSuite suite = CU_get_suite(tests[i].file);

		if (!suite)
			suite = CU_add_suite(tests[i].file, NULL, NULL);
		if (!suite || !CU_add_test(suite, tests[i].name, tests[i].func))
			return 2;
	}
	CU_basic_set_mode(CU_BRM_NORMAL);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures();
	CU_cleanup_registry();
	return failed ? 1 : 0;
}
