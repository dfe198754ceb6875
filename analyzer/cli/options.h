/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of iotrace-analyze. Nothing here prints. */
#ifndef IOT_CLI_OPTIONS_H
#define IOT_CLI_OPTIONS_H

#include "options/option-table.h"
#include "run/request.h"

/* enum iot_action, and those of this program */
enum {
	IOT_ACTION_ANALYSE = IOT_ACTION_NONE,
	IOT_ACTION_CHECK_MODEL = IOT_ACTION_OWN,
	IOT_ACTION_MODELS,	 /* the installed models */
	IOT_ACTION_MODEL_EVENTS, /* the events of one */
	IOT_ACTION_FORMATS,	 /* the output formats, for programs */
};

enum iot_colour_mode { IOT_COLOUR_AUTO, IOT_COLOUR_ALWAYS, IOT_COLOUR_NEVER };

/* The parsed command line; a deep copy of argv. */
struct iot_command {
	int action;
	struct iot_options options;
	char *check_model; /* --check-model FILE */
	char *limits;	   /* --limits FILE */
	/* the word compare: the inputs are two runs; as_json: its output */
	gboolean compares, as_json;
	gboolean explains;	  /* the word inputs */
	char *events_of;	  /* --model-events MODEL */
	GHashTable *list_options; /* --sort, --tsv: of the output list:- */
	gboolean list, quiet, events, no_events;
	/* the output of a word is paged on a terminal, unless --no-pager is given */
	gboolean pages, no_pager;
	/* the page of the word view, one of the outputs; its path is a template; or NULL */
	struct iot_output *viewed;
	enum iot_colour_mode colour;
};

/* A command that shows another window of the same recordings repeats all options of the groups
 * recordings, model and selection but those marked once, and of the other groups those marked
 * repeated. */
enum iot_option_group {
	IOT_GROUP_GENERAL,
	IOT_GROUP_INPUT,
	IOT_GROUP_MODEL,
	IOT_GROUP_SELECT,
	IOT_GROUP_OUTPUT,
	IOT_GROUP_CHECK,
	IOT_GROUP_LIMIT,
};

/** iot_option_table - every option, grouped; ends with a NULL name */
const struct iot_option *iot_option_table(void);
/** iot_option_titles - of the groups of options */
extern const char *const iot_option_titles[];

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
