/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the commands that the processes of one recording ran, and from when on, as far as a
 * first look told. They are the same for every window.
 */
#ifndef IOT_LANGUAGE_COMMANDS_H
#define IOT_LANGUAGE_COMMANDS_H

#include "base/intern.h"

struct iot_commands;

struct iot_commands *iot_commands_new(void);
void iot_commands_free(struct iot_commands *commands);
/** iot_commands_add - at @ts the process @pid ran @name; empty names and process 0 do not count */
void iot_commands_add(struct iot_commands *commands, gint32 pid, guint64 ts, const char *name);
/** iot_commands_add_lines - what was saved beside the events: lines "PID NAME" */
void iot_commands_add_lines(struct iot_commands *commands, const char *lines);
/** iot_commands_end - all has been added; NULL (and @commands freed) if that is nothing */
struct iot_commands *iot_commands_end(struct iot_commands *commands);
/**
 * iot_commands_find - the name as a number of @strings, always the same table; 0: not known
 *
 * It is the last one that was seen up to @ts; else the one that was saved; else the first one that
 * was seen.
 */
guint32 iot_commands_find(struct iot_commands *commands, gint32 pid, guint64 ts,
			  struct iot_intern *strings);

#endif
