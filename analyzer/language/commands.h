/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands that the processes of one recording ran, and from when on. They are collected before
 * the recording is read, so they are the same for every window.
 */
#ifndef IOT_LANGUAGE_COMMANDS_H
#define IOT_LANGUAGE_COMMANDS_H

#include "base/fault.h"
#include "base/intern.h"

struct iot_commands;

struct iot_commands *iot_commands_new(void);
void iot_commands_free(struct iot_commands *commands);
/** iot_commands_add - at @ts (ns) the process @pid ran @name; empty names and pid 0 are ignored */
void iot_commands_add(struct iot_commands *commands, gint32 pid, guint64 ts, const char *name);
/** iot_commands_add_lines - add the names that trace-cmd saved: lines "PID NAME" */
void iot_commands_add_lines(struct iot_commands *commands, const char *lines);
/** iot_commands_end - after the last name; frees @commands and returns NULL if there is none */
struct iot_commands *iot_commands_end(struct iot_commands *commands);
/**
 * iot_commands_find - the name as a number of @strings, always the same table; 0 if unknown
 *
 * The last name seen up to @ts; else the saved name; else the first name seen later.
 */
guint32 iot_commands_find(struct iot_commands *commands, gint32 pid, guint64 ts,
			  struct iot_intern *strings);

#endif
