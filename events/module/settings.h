/* SPDX-License-Identifier: GPL-2.0 */
/* From the text of a setting to the part of a filter that it describes. */
#ifndef IOTRACE_SETTINGS_H
#define IOTRACE_SETTINGS_H

#include "filter.h"

/**
 * struct iotrace_setting - one thing that can be filtered by
 * @name: of the module parameter and of the file
 * @parse: changes @filter as @text says, which it may cut into pieces; an empty text means no restriction.
 *	Return: 0, or an error with a message in the log that says why. Context: may sleep
 */
struct iotrace_setting {
	const char *name;
	int (*parse)(struct iotrace_filter *filter, char *text);
};

#define IOTRACE_SETTINGS 5
extern const struct iotrace_setting iotrace_settings[IOTRACE_SETTINGS];

#endif /* IOTRACE_SETTINGS_H */
