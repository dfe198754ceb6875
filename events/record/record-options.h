/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of iotrace-record. One table is the source of --help, the manual and the
 * completion. */
#ifndef REC_OPTIONS_H
#define REC_OPTIONS_H

#include <glib.h>
#include <stdio.h>

struct rec_options {
	char **agents;		 /* -A; NULL: this machine */
	char **models, **events; /* -m, -e */
	char **maps;		 /* --map */
	char **pids, **lockspaces;
	char *cgroup, **mounts; /* filters of iotrace.ko */
	char *folder;		/* -o; NULL: a name with the time */
	guint64 for_ns;		/* --for; 0: until a signal, or until the command ends */
	guint64 size;		/* --size, bytes; 0: no limit */
	guint64 limit_ns;	/* --limit */
	guint buffer_kb;	/* -b; 0: sized from free memory */
	guint64 flight_ns;	/* --flight; 0: an ordinary recording */
	guint64 memory;		/* --memory, bytes; 0: by the free memory */
	guint max_dumps;	/* --dumps */
	char *dump_on;		/* --dump-on; or NULL */
	gboolean dump;		/* --dump */
	gboolean all;		/* --all */
	gboolean check, no_check, dry_run, quiet, patient, view, uncompressed;
	gboolean help, man, version; /* print and exit, as --completion */
	char **command;		     /* after "--"; NULL: none */

	/* as typed */
	char *for_text, *size_text, *limit_text, *buffer_text, *completion_text, *flight_text,
		*memory_text, *dumps_text;
};

/**
 * rec_options_parse - read the command line
 * @words: NULL-terminated, with the program's name
 *
 * @options is initialised also after an error (IOT_ERROR_USAGE, one sentence); free it with
 * rec_options_clear.
 */
gboolean rec_options_parse(struct rec_options *options, const char *const *words, GError **error);
void rec_options_clear(struct rec_options *options);

/** rec_options_print - what --help, --help-man, --completion or --version ask for, on @out, whose
 * errors the caller sees; FALSE: nothing is asked for */
gboolean rec_options_print(const struct rec_options *options, FILE *out);

#endif
