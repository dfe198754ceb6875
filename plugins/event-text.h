/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOT_EVENT_TEXT_H
#define IOT_EVENT_TEXT_H

/*
 * Text of events for programs that load plugins of libtraceevent (trace-cmd report, KernelShark).
 * This file is compiled into each plugin; a plugin is a table of events and, for each, how its
 * fields are shown: "name=value" in the order of the table, then the fields that the table does not
 * know.
 *
 * Fields are found by name in the format that stands in the recording, so those that a kernel does
 * not have are left out, and those that are new are shown. A record that is shorter than its format
 * is shown as far as it goes.
 */

#include <event-parse.h>
#include <stdbool.h>

/* One field of one record. */
struct text_value {
	const struct text_record *record;
	const char *bytes; /* of an array */
	unsigned int len;  /* of an array; a text ends before its NUL */
	bool is_array, is_text, is_signed;
	long long number; /* of what is no array, sign extended; of an array its length */
};

/* Numbers with a name; the last has none. For flags, each number is a mask. */
struct text_name {
	long long number;
	const char *name;
};

typedef void (*text_func)(struct trace_seq *out, const struct text_value *value, const void *arg);

struct text_field {
	const char *name;
	text_func show;	 /* NULL: as the type of the field says */
	const void *arg; /* of show */
	bool (*left_out)(
		long long number); /* NULL: never; values that say nothing, unless "all" is set */
	const char *label;	   /* NULL: the name */
	long long (*put_right)(
		const struct text_value *value); /* the number that the kernel should have
						    written; NULL: it did. Not of raw ones */
};

struct text_event {
	const char *system, *name;
	const struct text_field *fields; /* the last has no name */
};

/* What the plugin that this is compiled into knows: defined by the plugin. */
struct text_plugin {
	const char *name;		 /* before the colon of its options */
	const struct text_event *events; /* the last has no system */
};
extern const struct text_plugin text_plugin;

/* How values are shown. Text in quotes has the escapes of iotrace-text(5): \xNN, \\ and \". */
void text_hex(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_octal(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_bytes(struct trace_seq *out, const struct text_value *value, const void *arg); /* 0x... */
void text_quoted(struct trace_seq *out, const struct text_value *value, const void *arg);
/* The name of the task that the event is from: is shown with its other events from now on. */
void text_task_name(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_device(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_names(struct trace_seq *out, const struct text_value *value, const void *names);
void text_flags(struct trace_seq *out, const struct text_value *value, const void *names);
/* A count, or a negative errno as -NAME; arg: names of further numbers, or NULL. */
void text_result(struct trace_seq *out, const struct text_value *value, const void *names);

void text_append_quoted(struct trace_seq *out, const char *bytes, unsigned int len);
/* Numbers and bytes are wanted as they were recorded. */
bool text_is_raw(void);
/* Another field of the same record; 0 if there is none. */
long long text_other(const struct text_value *value, const char *name);

bool text_if_zero(long long number);
bool text_if_one(long long number);
bool text_if_negative(long long number);
bool text_always(long long number);

#endif
