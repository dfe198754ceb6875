/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of iotrace-record. */
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
	gboolean preload;	/* --preload */
	gboolean metrics, metrics_only;
	gboolean check, no_check, dry_run, quiet, patient, view, uncompressed;
	int action;	/* enum iot_action: print and exit */
	char **command; /* after "--"; NULL: none */

	/* as typed */
	char *for_text, *size_text, *limit_text, *buffer_text, *flight_text, *memory_text,
		*dumps_text;
};

/**
 * rec_options_parse - read the command line
 * @argv: NULL-terminated, with the program's name; values stay there
 *
 * @options is initialised also after an error (IOT_ERROR_USAGE, one sentence); free it with
 * rec_options_clear.
 */
gboolean rec_options_parse(struct rec_options *options, const char *const *argv, GError **error);
void rec_options_clear(struct rec_options *options);

/** rec_options_print - what the action asks for, on @out, whose errors the caller sees */
void rec_options_print(const struct rec_options *options, FILE *out);

#endif
