/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of --names: what the user says of nodes, in the syntax of models.
 *
 *	[level cluster]			a level of rows above nodes; or another title of a level
 *	in = root
 *	[node 1]			the identity of a node
 *	name = alpha			what outputs call it
 *	host = alpha 10.0.0.5		host names and addresses of its recordings
 *	recording = app.txt		recordings of it, as WHAT of --map
 *	cluster = east			the row above it
 *	[rank 0..3]			ranks of MPI programs
 *	node = 1			that ran on this node
 *	begin = real=...		the clock of a rank (libiotrace-mpi-ranks)
 *
 * Read once, when the command line is parsed, and not changed afterwards. Errors (IOT_ERROR_MODEL)
 * are "FILE:LINE:COLUMN: ...".
 */
#ifndef IOT_RUN_NAMES_FILE_H
#define IOT_RUN_NAMES_FILE_H

#include "language/model-file.h"
#include "timeline/node-names.h"

struct iot_names_file;

/** iot_names_file_load - read and check a file; freed with iot_names_file_free */
struct iot_names_file *iot_names_file_load(const char *path, GError **error);
/** iot_names_file_parse - the same of a text; @path is for messages */
struct iot_names_file *iot_names_file_parse(const char *path, const char *text, gsize len,
					    GError **error);
/** iot_names_file_free - accepts NULL */
void iot_names_file_free(struct iot_names_file *file);
/** iot_names_file_path - its path, valid until it is freed */
const char *iot_names_file_path(const struct iot_names_file *file);

/* In all functions below @file may be NULL: then nothing is said of any node. */

/** iot_names_file_is - whether the recording has one of the names in a list: host names (@hosts),
 * or what --map calls WHAT */
typedef gboolean (*iot_names_file_is)(gconstpointer recording, const char *what, gboolean host);
/**
 * iot_names_file_claim - the node that a recording is of, by "host" and "recording"
 * @out_node: its identity, valid until the file is freed; NULL: nothing is said of the recording
 * @path: of the recording, for the error if it is said to be of two nodes
 */
gboolean iot_names_file_claim(const struct iot_names_file *file, iot_names_file_is is,
			      gconstpointer recording, const char *path, const char **out_node,
			      GError **error);
/** iot_names_file_name - what outputs call the node with the identity @node; NULL: not said */
const char *iot_names_file_name(const struct iot_names_file *file, const char *node);
/** iot_names_file_check_name - an error if another node than @node, that of the recording @path,
 * has its name @name */
gboolean iot_names_file_check_name(const struct iot_names_file *file, const char *node,
				   const char *name, const char *path, GError **error);
/** iot_names_file_has - whether the file names a node with this identity or name */
gboolean iot_names_file_has(const struct iot_names_file *file, const char *node);
/** iot_names_file_above - "east/rack7": the rows above the node; NULL: none is said; the caller
 * frees */
char *iot_names_file_above(const struct iot_names_file *file, const char *node);
/** iot_names_file_tell - what is said of nodes, for the rows of a timeline, which gets names;
 * before models are loaded */
void iot_names_file_tell(const struct iot_names_file *file, struct iot_timeline *tl);
/** iot_names_file_titles - give levels of models the titles that are said; after models are loaded
 */
void iot_names_file_titles(const struct iot_names_file *file, struct iot_timeline *tl);
/**
 * iot_names_file_unused - the sections that nothing has matched, such as "[node beta] (line 7)"
 * @nodes: identities of the nodes of all recordings, NULL-terminated
 * @tl: after the last event
 *
 * The caller frees the array with g_ptr_array_unref.
 */
GPtrArray *iot_names_file_unused(const struct iot_names_file *file, const char *const *nodes,
				 const struct iot_timeline *tl);
/**
 * iot_names_file_rank_clocks - the clocks of the ranks in recordings of the node @node
 * @out_node: the node on which all of them ran; NULL: they ran on several
 *
 * An array of struct iot_rank_clock, which the caller frees; NULL: none is said.
 */
GArray *iot_names_file_rank_clocks(const struct iot_names_file *file, const char *node,
				   const char **out_node);
/** iot_names_file_identify - append all that it says, for the key of an index */
void iot_names_file_identify(const struct iot_names_file *file, GString *out);

#endif
