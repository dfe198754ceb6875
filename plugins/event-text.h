/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOT_EVENT_TEXT_H
#define IOT_EVENT_TEXT_H

/*
 * Text of events for programs that load plugins of libtraceevent (trace-cmd report, KernelShark).
 * This file is compiled into each plugin. A plugin is a table of events, with the way to show each
 * field: "name=value" in the order of the table, then the fields unknown to the table.
 *
 * Fields are found by name in the recording's format. So missing fields of a kernel are left out,
 * and new fields are shown. A record that is shorter than its format is shown up to its end.
 */

#include <event-parse.h>
#include <stdbool.h>

/* One field of one record. */
struct text_value {
	const struct text_record *record;
	const char *bytes; /* of an array */
	unsigned int len;  /* of an array; a text ends before its NUL */
	bool is_array, is_text, is_signed;
	long long number; /* the value, sign extended; of an array its length */
};

/* Numbers with names; the last has no name. For flags, each number is a mask. */
struct text_name {
	long long number;
	const char *name;
};

typedef void (*text_func)(struct trace_seq *out, const struct text_value *value, const void *arg);

struct text_field {
	const char *name;
	text_func show;	 /* NULL: by the type of the field */
	const void *arg; /* of show */
	bool (*left_out)(
		long long number); /* values to leave out unless "all" is set; NULL: none */
	const char *label;	   /* NULL: the name */
	long long (*put_right)(
		const struct text_value *value); /* the number that the kernel should have
						    written; NULL: it did. Not of raw ones */
};

struct text_event {
	const char *system, *name;
	const struct text_field *fields; /* the last has no name */
};

/* The tables of the plugin, which defines this. */
struct text_plugin {
	const char *name;		 /* the part of its options before the colon */
	const struct text_event *events; /* the last has no system */
};
extern const struct text_plugin text_plugin;

/* Ways to show values. Text in quotes has the escapes of iotrace-text(5): \xNN, \\ and \". */
void text_hex(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_octal(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_bytes(struct trace_seq *out, const struct text_value *value, const void *arg); /* 0x... */
void text_quoted(struct trace_seq *out, const struct text_value *value, const void *arg);
/* The name of the event's task, which is shown with its other events from now on. */
void text_task_name(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_device(struct trace_seq *out, const struct text_value *value, const void *arg);
void text_names(struct trace_seq *out, const struct text_value *value, const void *names);
void text_flags(struct trace_seq *out, const struct text_value *value, const void *names);
/* A count, or a negative errno as -NAME; arg: names of further numbers, or NULL. */
void text_result(struct trace_seq *out, const struct text_value *value, const void *names);

/* Numbers and bytes are to be shown as recorded. */
bool text_is_raw(void);
/* Another field of the same record; 0: no such field. */
long long text_other(const struct text_value *value, const char *name);

bool text_if_zero(long long number);
bool text_if_one(long long number);
bool text_if_negative(long long number);
bool text_always(long long number);

#endif
