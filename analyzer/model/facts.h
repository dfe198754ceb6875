/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds for whole recordings and is found out by a first look at them, before a node or a row
 * gets its name: the number of the node that a recording is of ([node]), names that a checksum
 * proves ([names] with a proof), and the commands of processes ([commands]). Models say in which
 * events these facts are. Pipeline thread only.
 */
#ifndef IOT_MODEL_FACTS_H
#define IOT_MODEL_FACTS_H

#include "input/record.h"
#include "input/schema.h"
#include "language/commands.h"
#include "language/model-file.h"
#include "language/names.h"

struct iot_facts;

struct iot_facts *iot_facts_new(guint n_inputs);
void iot_facts_free(struct iot_facts *facts);
typedef struct iot_facts iot_facts;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_facts, iot_facts_free)

/** iot_facts_check - whether a section of a model that says where facts are is right */
gboolean iot_facts_check(const struct iot_section *section, GError **error);
/** iot_facts_add_model - look for what @file wants to know */
gboolean iot_facts_add_model(struct iot_facts *facts, const struct iot_model_file *file,
			     GError **error);
/** iot_facts_schema - the events that are looked at */
const struct iot_schema *iot_facts_schema(const struct iot_facts *facts);

/** iot_facts_begin - records of a run of @input come now; FALSE if none is wanted: @systems are
 * those of its events, NULL or "" if that is not known */
gboolean iot_facts_begin(struct iot_facts *facts, guint input, const char *const *systems);
/** iot_facts_record - look at a record; @strings: the table of its run */
void iot_facts_record(struct iot_facts *facts, const struct iot_rec *rec,
		      const struct iot_intern *strings);
/** iot_facts_enough - nothing more will be learned from this run */
gboolean iot_facts_enough(const struct iot_facts *facts);
/** iot_facts_candidate - perhaps a name of the sections [names @names] */
void iot_facts_candidate(struct iot_facts *facts, const char *names, const char *text);
/** iot_facts_command_lines - names of commands that were saved in @input: lines "PID NAME" */
void iot_facts_command_lines(struct iot_facts *facts, guint input, const char *lines);
/** iot_facts_end - all has been looked at */
void iot_facts_end(struct iot_facts *facts);

/** iot_facts_node - the node that @input is of, as text; NULL if it does not tell, or tells several
 */
const char *iot_facts_node(const struct iot_facts *facts, guint input);
/** iot_facts_commands - NULL if none is known */
struct iot_commands *iot_facts_commands(const struct iot_facts *facts, guint input);
/** iot_facts_fill - give @names, made from @section, what was proved */
void iot_facts_fill(const struct iot_facts *facts, const struct iot_section *section,
		    struct iot_names *names);

#endif
