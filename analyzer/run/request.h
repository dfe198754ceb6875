/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked for: plain values, which cli/ makes from the command line and run/ carries out. */
#ifndef IOT_RUN_REQUEST_H
#define IOT_RUN_REQUEST_H

#include "sinks/sink.h"

/* -o FORMAT:PATH */
struct iot_output {
	const struct iot_sink_ops *ops;
	char *path;
	GHashTable *options; /* of the sink; name -> text; may be NULL */
};

/* --map NODE=WHAT, one pair */
struct iot_mapping {
	char *node; /* "1", "web" */
	char *what; /* CID, guest name, host name or file */
};

struct iot_options {
	GPtrArray *inputs;     /* of char *, in command-line order */
	GPtrArray *mappings;   /* of struct iot_mapping * */
	GPtrArray *lockspaces; /* of char *: names that may be of lockspaces */
	GPtrArray *outputs;    /* of struct iot_output * */
	GPtrArray *models; /* of char *: names or files; empty: every installed model that fits the
			      inputs */
	GPtrArray *select, *exclude, *nodes; /* of char * */
	guint top;			     /* 0: all */
	guint64 early_end_ns;	/* a recording that ends so much before the others has ended */
	guint64 slower_than_ns; /* 0: all */
	char *from, *to; /* as typed: seconds since the beginning, or @seconds of the host clock;
			    NULL */
	char *reader;	 /* name of a source or NULL */
	char *index;	 /* "auto", "off" or a path */
	guint threads;	 /* 0: one for each processor */
	guint64 memory;	 /* bytes */
	guint max_open;
	guint max_containers;
	gboolean strict, audit, colour;
	guint width; /* columns of the terminal that standard output is; 0: it is none */
	guint verbose;
};

#endif
