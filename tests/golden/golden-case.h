/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A golden case in memory. README.md describes the format. */
#ifndef IOT_TESTS_GOLDEN_CASE_H
#define IOT_TESTS_GOLDEN_CASE_H

#include <glib.h>

struct node {
	char *name; /* NULL: no --map for this input */
	GString *text;
};

/* A section is NULL if the case lacks it. */
struct golden {
	GPtrArray *nodes;  /* of struct node */
	GPtrArray *models; /* of struct node: models of the case itself */
	GString *model, *model_text, *names, *args, *text, *order, *diag, *errors, *report,
		*comment;
	int status;
};

/** golden_read - read and expand a case file; errors name file and line */
struct golden *golden_read(const char *path, GError **error);
void golden_free(struct golden *c);
typedef struct golden golden;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(golden, golden_free)

#endif
