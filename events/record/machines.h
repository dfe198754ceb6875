/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machines that are recorded: this one, or those on which trace-cmd agents run. Names are
 * resolved here, because trace-cmd starts a shell with a name; it gets numbers and addresses only.
 */
#ifndef REC_MACHINES_H
#define REC_MACHINES_H

#include <glib.h>

enum { REC_AGENT_PORT = 823 };

enum rec_transport { REC_HERE, REC_VSOCK, REC_TCP };

struct tep_handle;

struct rec_machine {
	char *given; /* as the user wrote it; "this machine" */
	char *name;  /* made of [A-Za-z0-9_.-]; that of the file */
	enum rec_transport transport;
	guint32 cid;   /* REC_VSOCK */
	char *address; /* REC_TCP: IPv4 */
	guint port;
	char *node;   /* of --map; or NULL */
	char *file;   /* base name of the recording */
	guint n_cpus; /* of a trial recording; 0: not known */

	/* Formats of the wanted events: of this kernel, or of a trial recording. NULL: not known.
	 */
	struct tep_handle *tep;
};

/** rec_machine_here - this machine */
struct rec_machine *rec_machine_here(void);
void rec_machine_free(struct rec_machine *machine);
/** rec_machine_agent - what trace-cmd gets after -A; the caller frees */
char *rec_machine_agent(const struct rec_machine *machine);

/**
 * rec_machines_find - the machines of all words of -A; empty without words
 * @words: CID, CID:PORT, NAME of a virtual machine, HOST:PORT, or "all"; may be NULL
 * @out_note: gets a line for "all": virtual machines that were left out, and why; or NULL
 *
 * IOT_ERROR_USAGE: a machine cannot be resolved, or is given twice.
 */
GPtrArray *rec_machines_find(char **words, char **out_note, GError **error);
/** rec_machines_map - set the nodes; @pairs: "NODE=WHAT", WHAT a word of -A, a name or an address
 */
gboolean rec_machines_map(GPtrArray *machines, char **pairs, GError **error);
/** rec_machines_clash - a sentence about two machines that have one host name, and no node of
 * --map; NULL: there are none. The caller frees
 * @hosts: of @machines, in their order; NULL: not known
 */
char *rec_machines_clash(const GPtrArray *machines, const char *const *hosts);

#endif
