/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of iotrace-analyze, iotrace-record, iotrace-agent and iotrace-clock. Each program has
 * one table, from which its parser, --help, manual page and completion follow. This folder needs
 * the C library only, as iotrace-clock has no other.
 */
#ifndef IOT_OPTIONS_OPTION_TABLE_H
#define IOT_OPTIONS_OPTION_TABLE_H

#include <stddef.h>
#include <stdio.h>

/* What an option wants instead of the program's work. */
enum iot_action {
	IOT_ACTION_NONE,
	IOT_ACTION_HELP,
	IOT_ACTION_MAN, /* option part of the manual page, asciidoc */
	IOT_ACTION_VERSION,
	IOT_ACTION_COMPLETION,
	IOT_ACTION_OWN /* the first action of a program's own */
};

/* What a shell offers as value of an option. */
enum iot_offer {
	IOT_OFFER_NOTHING,
	IOT_OFFER_WORDS,
	IOT_OFFER_TOLD, /* words that the help tells itself */
	IOT_OFFER_FILES,
	IOT_OFFER_FOLDERS,
	IOT_OFFER_MODELS,
	IOT_OFFER_OUTPUTS /* of iotrace-analyze */
};

/* iotrace-analyze reads values by functions. Errors: `"VALUE" is not ...`, to which the caller adds
 * the option. @value is NULL if the option may come without one. */
struct iot_command;
struct _GError;
typedef int iot_option_setter(struct iot_command *command, const char *value,
			      struct _GError **error);

/* A table ends with a NULL name. */
struct iot_option {
	const char *name;     /* without the two dashes */
	const char *alias;    /* a second spelling, or NULL */
	char letter;	      /* short form or 0 */
	const char *argument; /* as in the help; NULL: a flag */
	const char *help;     /* whole sentences, one paragraph */
	int optional;	      /* the value may be left out; given only as --name=VALUE */
	int group;	      /* number of a title */
	enum iot_offer offer;
	const char *words;    /* the accepted values, ", " between them; NULL: any */
	const char *standard; /* the default, as typed; NULL: none */
	/* One of these three: an action; a function; offset of an int, which counts a flag, of a
	 * char *, or, if repeatable, of a char **. */
	int action;
	iot_option_setter *set;
	size_t at;
	int repeatable;
	/* iotrace-analyze, see repeat() in arguments.c */
	int once, repeated;
};

/* The last rows of each table. */
/* clang-format off */
#define IOT_GENERAL_OPTIONS(version_help)                                                          \
	{ .name = "completion", .argument = "bash", .action = IOT_ACTION_COMPLETION,               \
	  .offer = IOT_OFFER_TOLD, .words = "bash",                                                \
	  .help = "Print the completion script for bash and exit." },                              \
	{ .name = "version", .letter = 'V', .action = IOT_ACTION_VERSION, .help = version_help },  \
	{ .name = "help", .letter = 'h', .argument = "man", .optional = 1,                         \
	  .action = IOT_ACTION_HELP, .offer = IOT_OFFER_TOLD, .words = "man",                      \
	  .help = "Print this help (or the generated part of the manual page, in asciidoc) and "   \
		  "exit." },                                                                       \
	{ .name = NULL }
/* clang-format on */

struct iot_program {
	const char *name;
	const struct iot_option *rows;
	const char *usage, *end;   /* of --help, before and after the options */
	const char *const *titles; /* of groups; NULL: none */
	int beside;		   /* in the help, texts stand beside the options, not below */
	const char *words;	   /* what the first word may be, too; NULL: nothing */
	int files;		   /* words that are no options are files */
	int runs;		   /* a command follows "--" */
};

/** iot_option_print - what @action asks for, on @out, whose errors the caller sees */
void iot_option_print(FILE *out, const struct iot_program *program, int action);

/** iot_option_help - the list of the options; @bold: titles stand out on a terminal */
void iot_option_help(FILE *out, const struct iot_program *program, int bold);
/** iot_option_title - the title of a part of the help */
void iot_option_title(FILE *out, const char *title, int bold);
/** iot_option_fill - a paragraph in lines from column @indent on; the line so far ends at
 * @column */
void iot_option_fill(FILE *out, size_t column, size_t indent, const char *text);

/** iot_option_man - the list in asciidoc, with the tag PROGRAM-options */
void iot_option_man(FILE *out, const struct iot_program *program);
/** iot_option_verbatim - text that asciidoc must not interpret */
void iot_option_verbatim(FILE *out, const char *text);

/** iot_option_completion - the completion script for bash; of iotrace-analyze, which prints
 * __iotrace_output before, all but that */
void iot_option_completion(FILE *out, const struct iot_program *program);

#endif
