/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line. One table describes every option; parsing, --help, the manual page and the
 * shell completion all follow from it. Nothing here prints.
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
	IOT_ACTION_MODELS,	 /* the installed models */
	IOT_ACTION_MODEL_EVENTS, /* the events of one */
	IOT_ACTION_FORMATS,	 /* the output formats, for programs */
};

enum iot_colour_mode { IOT_COLOUR_AUTO, IOT_COLOUR_ALWAYS, IOT_COLOUR_NEVER };

/* The parsed command line; a deep copy of argv. */
struct iot_command {
	enum iot_action action;
	struct iot_options options;
	char *check_model; /* --check-model FILE */
	char *limits;	   /* --limits FILE */
	/* the word compare: the inputs are two runs; as_json: its output */
	gboolean compares, as_json;
	char *events_of;	  /* --model-events MODEL */
	GHashTable *list_options; /* --sort, --tsv: of the output list:- */
	gboolean list, quiet, events, no_events;
	/* the output of a word is paged on a terminal, unless --no-pager is given */
	gboolean pages, no_pager;
	/* the page of the word view, one of the outputs; its path is a template; or NULL */
	struct iot_output *viewed;
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

/* The values of an option that a shell offers. */
enum iot_complete {
	IOT_COMPLETE_NOTHING,
	IOT_COMPLETE_CHOICES,
	IOT_COMPLETE_FILE,
	IOT_COMPLETE_OUTPUT,
	IOT_COMPLETE_MODEL,
	IOT_COMPLETE_READER,
	IOT_COMPLETE_ANALYSIS,
	IOT_COMPLETE_SORT
};

/* Errors: `"VALUE" is not ...`, to which arguments.c adds the option. @value is NULL if the option
 * may come without one. */
typedef gboolean iot_option_setter(struct iot_command *command, const char *value, GError **error);

struct iot_option {
	const char *name;     /* without the two dashes */
	const char *alias;    /* a second spelling, or NULL */
	char letter;	      /* short form or 0 */
	const char *argument; /* as in the help; NULL: a flag */
	gboolean optional;    /* the value may be left out; given only as --name=VALUE */
	enum iot_option_group group;
	enum iot_complete complete;
	/* A command that shows another window of the same recordings repeats all options of the
	 * groups recordings, model and selection but those marked once, and of the other groups
	 * those marked repeated. */
	gboolean once, repeated;
	/* IOT_COMPLETE_CHOICES: the accepted words, separated by blanks */
	const char *choices;
	/* the default, parsed like a typed value; NULL: none */
	const char *standard;
	/* Exactly one of these three is given. A flag: offset of the int in struct
	 * iot_command that counts it. An action instead of an analysis. A setter. */
	gsize flag_at;
	enum iot_action action;
	iot_option_setter *set;
	const char *help; /* whole sentences, one paragraph */
};

/** iot_option_table - every option, grouped; ends with a NULL name */
extern const struct iot_option iot_option_table[];
/** iot_option_group_title - "Recordings" ... */
const char *iot_option_group_title(enum iot_option_group group);
/** iot_option_choices - the accepted values, NULL-terminated, or NULL for any; free with
 * g_strfreev */
char **iot_option_choices(const struct iot_option *option);

/**
 * iot_command_parse - read the command line into @command
 * @argv: NULL-terminated; the first element is the program's name and is skipped
 *
 * @command is initialised even after an error; free it with iot_command_clear. --help, --version
 * and other actions end the parsing. Errors are IOT_ERROR_USAGE: one sentence with the option, its
 * value and the expected values.
 */
gboolean iot_command_parse(struct iot_command *command, const char *const *argv, GError **error);
void iot_command_clear(struct iot_command *command);

#endif
