/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses the text of a setting into its part of a filter. */
#ifndef IOTRACE_SETTINGS_H
#define IOTRACE_SETTINGS_H

#include "filter.h"

/**
 * struct iotrace_setting - one criterion of filters
 * @name: of the module parameter and of the file
 * @parse: applies @text, which it may modify, to @filter; an empty text means no restriction.
 *	Return: 0, or an error and a message in the log. Context: may sleep
 */
struct iotrace_setting {
	const char *name;
	int (*parse)(struct iotrace_filter *filter, char *text);
};

#define IOTRACE_SETTINGS 5
extern const struct iotrace_setting iotrace_settings[IOTRACE_SETTINGS];

#endif /* IOTRACE_SETTINGS_H */
