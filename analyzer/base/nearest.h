/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spelling: which of some names was meant. It needs the C library only. */
#ifndef IOT_BASE_NEAREST_H
#define IOT_BASE_NEAREST_H

/**
 * iot_nearest_name - the name that the user most likely meant by @typed
 * @names: ends with NULL
 *
 * NULL if none is near.
 */
const char *iot_nearest_name(const char *typed, const char *const *names);

#endif
