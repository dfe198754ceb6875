/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What names-file.c reads and names-use.c tells. */
#ifndef IOT_RUN_NAMES_FILE_LOCAL_H
#define IOT_RUN_NAMES_FILE_LOCAL_H

#include "input/rank-clock.h"
#include "run/names-file.h"

struct names_level {
	const struct iot_section *section;
	const struct iot_setting *in; /* NULL: a level of models, not one above nodes */
	const struct iot_setting *is; /* the level of other models that it is; NULL: not said */
	const char *title;
};

struct names_node {
	const struct iot_section *section;
	const char *id, *name;			/* name: NULL if it is not said */
	char **hosts, **recordings;		/* empty lists if they are not said */
	const char *above[IOT_MAX_NODE_LEVELS]; /* NULL: not said */
};

struct iot_names_file {
	struct iot_model_file *file;
	GArray *levels;	  /* of struct names_level: those above nodes, outermost first */
	GArray *titles;	  /* of struct names_level: those of models, which get a title */
	GArray *same;	  /* of struct names_level: those that are another one */
	GPtrArray *nodes; /* of struct names_node */
	GPtrArray *ranks; /* of struct names_ranks */
};

static inline const struct names_level *names_level_at(const GArray *levels, guint i)
{
	return &g_array_index(levels, struct names_level, i);
}

/** iot_names_node - the node with the identity @id; NULL: nothing is said of it. @file may be NULL
 */
const struct names_node *iot_names_node(const struct iot_names_file *file, const char *id);
/** iot_names_shown - what outputs call the node; the caller frees */
char *iot_names_shown(const struct names_node *node);
/** iot_names_offset - the offset of word number @n, from 0, in a value */
gsize iot_names_offset(const struct iot_setting *setting, guint n);

/* [rank 0..3]: ranks of MPI programs, and where they ran. */
struct names_ranks {
	const struct iot_section *section;
	GArray *spans; /* of struct names_span */
	const struct names_node *node;
	const char *recording; /* identity of the recordings' node; NULL: of all */
	guint64 process;       /* 0: not said */
	struct iot_rank_mark begin, end; /* of its clock; of one rank */
};

struct names_span {
	guint32 first, last;
};

/** iot_names_ranks_add - read a section [rank ...]; nodes must be known */
gboolean iot_names_ranks_add(struct iot_names_file *file, const struct iot_section *section,
			     GError **error);
/** iot_names_ranks_free - GDestroyNotify of a struct names_ranks */
void iot_names_ranks_free(gpointer ranks);

#endif
