/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UNIT_TEST(name) { ... } is a CUnit test; it registers itself in the suite named after its file. */
#ifndef IOT_TESTS_UNIT_H
#define IOT_TESTS_UNIT_H

#include <CUnit/CUnit.h>

void unit_register(const char *file, const char *name, void (*func)(void));

#define UNIT_TEST(name)                                                      \
	static void name(void);                                              \
	__attribute__((constructor)) static void unit_register_##name(void)  \
	{                                                                    \
		unit_register(__FILE__, #name, name);                        \
	}                                                                    \
	static void name(void)

#endif
