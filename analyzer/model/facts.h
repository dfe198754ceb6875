/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about whole recordings, found by a first look at them before nodes and rows get their
 * names: the number of the recording's node ([node]), names that a checksum proves ([names] with a
 * proof), and the commands of processes ([commands]). Models say which events contain them.
 * Pipeline thread only.
 */
#ifndef IOT_MODEL_FACTS_H
#define IOT_MODEL_FACTS_H

#include "input/record.h"
#include "input/schema.h"
#include "language/commands.h"
#include "language/model-file.h"
#include "language/names.h"

struct iot_facts;

/** iot_facts_new - nothing is known of any input, and nothing is wanted */
struct iot_facts *iot_facts_new(guint n_inputs);
/** iot_facts_free - NULL is allowed */
void iot_facts_free(struct iot_facts *facts);
typedef struct iot_facts iot_facts;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_facts, iot_facts_free)

/** iot_facts_check - check a section that names events with facts */
gboolean iot_facts_check(const struct iot_section *section, GError **error);
/** iot_facts_add_model - look for the facts that @file names */
gboolean iot_facts_add_model(struct iot_facts *facts, const struct iot_model_file *file,
			     GError **error);
/** iot_facts_schema - the events that are looked at */
const struct iot_schema *iot_facts_schema(const struct iot_facts *facts);

/** iot_facts_begin - the next records are of a run of @input; @systems: the systems of its events,
 * NULL or "" if unknown; FALSE if none of its records is wanted */
gboolean iot_facts_begin(struct iot_facts *facts, guint input, const char *const *systems);
/** iot_facts_record - look at a record; @strings: the table of its run */
void iot_facts_record(struct iot_facts *facts, const struct iot_rec *rec,
		      const struct iot_intern *strings);
/** iot_facts_seen - whether a record of the event was among them, in any input; FALSE if nobody
 * asked for it */
gboolean iot_facts_seen(const struct iot_facts *facts, const char *system, const char *event);
/** iot_facts_enough - nothing more will be learned from this run */
gboolean iot_facts_enough(const struct iot_facts *facts);
/** iot_facts_candidate - a text that may be a name of the sections [names @names] */
void iot_facts_candidate(struct iot_facts *facts, const char *names, const char *text);
/** iot_facts_command_lines - names of commands that were saved in @input: lines "PID NAME" */
void iot_facts_command_lines(struct iot_facts *facts, guint input, const char *lines);
/** iot_facts_end - all recordings have been looked at */
void iot_facts_end(struct iot_facts *facts);

/** iot_facts_node - the node of @input, as text; NULL if it is unknown or ambiguous */
const char *iot_facts_node(const struct iot_facts *facts, guint input);
/** iot_facts_commands - the commands of the processes of @input; NULL if none is known */
struct iot_commands *iot_facts_commands(const struct iot_facts *facts, guint input);
/** iot_facts_fill - add the proved names of @section to @names, which were made from it */
void iot_facts_fill(const struct iot_facts *facts, const struct iot_section *section,
		    struct iot_names *names);

#endif
