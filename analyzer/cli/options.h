/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line. One table describes every option; parsing, --help, the manual page and the
 * shell completion all come from it, so they cannot drift apart. Nothing here prints.
 */
#ifndef IOT_CLI_OPTIONS_H
#define IOT_CLI_OPTIONS_H

#include "run/request.h"

enum iot_action {
	IOT_ACTION_ANALYSE,
	IOT_ACTION_CHECK_MODEL,
	IOT_ACTION_HELP,
	IOT_ACTION_MAN, /* option part of the manual page, asciidoc */
	IOT_ACTION_VERSION,
	IOT_ACTION_COMPLETION,
	IOT_ACTION_MODELS,  /* names of the installed models, for the completion */
	IOT_ACTION_FORMATS, /* the output formats, for programs */
};

enum iot_colour_mode { IOT_COLOUR_AUTO, IOT_COLOUR_ALWAYS, IOT_COLOUR_NEVER };

/* What the user asked for. Everything is a deep copy, argv may go away. */
struct iot_command {
	enum iot_action action;
	struct iot_options options;
	char *check_model;	  /* --check-model FILE */
	GHashTable *list_options; /* --sort, --tsv: of the output list:- */
	gboolean list, quiet, events, no_events;
	enum iot_colour_mode colour;
};

enum iot_option_group {
	IOT_GROUP_INPUT,
	IOT_GROUP_MODEL,
	IOT_GROUP_SELECT,
	IOT_GROUP_OUTPUT,
	IOT_GROUP_CHECK,
	IOT_GROUP_LIMIT,
	IOT_GROUP_GENERAL,
	IOT_GROUP_COUNT
};

/* What a shell may offer as the value of an option. */
enum iot_complete {
	IOT_COMPLETE_NOTHING,
	IOT_COMPLETE_CHOICES,
	IOT_COMPLETE_FILE,
	IOT_COMPLETE_OUTPUT,
	IOT_COMPLETE_MODEL,
	IOT_COMPLETE_READER,
	IOT_COMPLETE_SORT
};

struct iot_option {
	const char *name;     /* without the two dashes */
	const char *alias;    /* another spelling of it, or NULL */
	char letter;	      /* short form or 0 */
	const char *argument; /* as the help shows it; NULL: a flag */
	gboolean optional;    /* the value may be left out; given only as --name=VALUE */
	enum iot_option_group group;
	enum iot_complete complete;
	const char
		*choices; /* IOT_COMPLETE_CHOICES: words separated by blanks; others are refused */
	const char *standard; /* the default, parsed like a typed value; NULL: none */
	gsize flag_at; /* a flag: offset of the int in struct iot_command that counts it; 0: set is
			  called */
	/* what the program does instead of an analysis; 0: set or flag_at says what the option does
	 */
	enum iot_action action;
	gboolean (*set)(struct iot_command *command, const char *value, GError **error);
	const char *help; /* whole sentences, one paragraph */
};

/** iot_option_table - every option, grouped; ends with a NULL name */
extern const struct iot_option iot_option_table[];
/** iot_option_group_title - "Recordings" ... */
const char *iot_option_group_title(enum iot_option_group group);
/** iot_option_choices - the words that are allowed as its value, NULL-terminated, or NULL; free
 * with g_strfreev */
char **iot_option_choices(const struct iot_option *option);

/**
 * iot_command_parse - read the command line into @command
 * @argv: NULL-terminated; the first element is the program's name and is skipped
 *
 * @command is initialised in any case and wants iot_command_clear. --help, --version and the like
 * end parsing where they stand. Errors are IOT_ERROR_USAGE: one sentence with the option, its value
 * and what is expected.
 */
gboolean iot_command_parse(struct iot_command *command, const char *const *argv, GError **error);
void iot_command_clear(struct iot_command *command);

/** iot_options_init - empty lists, all numbers zero; iot_options_clear - free what it owns, may be
 * called twice */
void iot_options_init(struct iot_options *options);
void iot_options_clear(struct iot_options *options);

#endif
