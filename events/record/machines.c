/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines.h"
#include "agent.h"
#include "guests.h"
#include "base/error.h"

#include <arpa/inet.h>
#include <event-parse.h>
#include <netdb.h>
#include <string.h>

struct rec_machine *rec_machine_here(void)
{
	struct rec_machine *machine = g_new0(struct rec_machine, 1);

	machine->given = g_strdup("this machine");
	machine->name = g_strdup(machine->given);
	machine->file = g_strdup("trace.dat");
	return machine;
}

void rec_machine_free(struct rec_machine *machine)
{
	if (!machine)
		return;
	tep_free(machine->tep);
	g_free(machine->given);
	g_free(machine->name);
	g_free(machine->address);
	g_free(machine->node);
	g_free(machine->file);
	g_free(machine);
}

char *rec_machine_agent(const struct rec_machine *machine)
{
	if (machine->transport == REC_TCP)
		return g_strdup_printf("%s:%u", machine->address, machine->port);
	return g_strdup_printf("%s@%u:%u", machine->name, machine->cid, machine->port);
}

/* Only letters that no shell and no file system cares about. */
static char *safe_name(const char *name)
{
	char *safe = g_strdup(name);

	return g_strcanon(safe, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-", '_');
}

static gboolean is_number(const char *text, guint64 low, guint64 high, guint64 *out)
{
	return g_ascii_string_to_unsigned(text, 10, low, high, out, NULL);
}

static struct rec_machine *vsock_machine(const char *given, const char *name, guint32 cid)
{
	struct rec_machine *machine = g_new0(struct rec_machine, 1);

	machine->given = g_strdup(given);
	machine->name = safe_name(name);
	machine->transport = REC_VSOCK;
	machine->cid = cid;
	machine->port = REC_AGENT_PORT;
	return machine;
}

static struct rec_machine *tcp_machine(const char *given, const char *host, guint port,
				       GError **error)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *found;
	struct rec_machine *machine;
	char address[INET_ADDRSTRLEN];
	int result = getaddrinfo(host, NULL, &hints, &found);

	if (result) {
		iot_usage_error(
			error,
			"-A %s: the host %s has no IPv4 address (%s); trace-cmd takes no other",
			given, host, gai_strerror(result));
		return NULL;
	}
	inet_ntop(AF_INET, &((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr, address,
		  sizeof(address));
	freeaddrinfo(found);
	machine = g_new0(struct rec_machine, 1);
	machine->given = g_strdup(given);
	machine->name = g_strdup(address);
	machine->address = g_strdup(address);
	machine->transport = REC_TCP;
	machine->port = port;
	return machine;
}

/* The guest called @name; else an error that lists all guests. */
static struct rec_machine *named_machine(const char *name, GError **error)
{
	g_autoptr(GPtrArray) guests = rec_guests_find();
	g_autoptr(GString) known = g_string_new(NULL);
	g_autofree char *shown = g_strescape(name, NULL);

	for (guint i = 0; i < guests->len; i++) {
		const struct rec_guest *guest = guests->pdata[i];

		if (!strcmp(guest->name, name))
			return vsock_machine(name, name, guest->cid);
		g_string_append_printf(known, "%s%s (CID %u)", i ? ", " : "", guest->name,
				       guest->cid);
	}
	iot_usage_error(
		error,
		"-A %s: no virtual machine of this name runs here with a VSOCK device; %s%s; "
		"another machine is HOST:PORT",
		shown, known->len ? "there are " : "none does", known->str);
	return NULL;
}

static struct rec_machine *find_machine(const char *word, GError **error)
{
	const char *colon = strrchr(word, ':');
	g_autofree char *host = colon ? g_strndup(word, (gsize)(colon - word)) : g_strdup(word);
	guint64 cid = 0, port = REC_AGENT_PORT;
	gboolean has_port = colon && is_number(colon + 1, 1, 65535, &port);
	struct rec_machine *machine;

	if (!*word || (colon && (!has_port || !*host))) {
		g_autofree char *shown = g_strescape(word, NULL);

		iot_usage_error(error, "-A \"%s\" is not CID, NAME, HOST:PORT or all", shown);
		return NULL;
	}
	if (strspn(host, "0123456789") == strlen(host)) {
		if (!is_number(host, 1, G_MAXUINT32 - 1, &cid) || cid == 2) {
			iot_usage_error(
				error,
				"-A %s: %s is not the CID of a guest: 3 or more; 1 is this machine",
				word, host);
			return NULL;
		}
		machine = vsock_machine(word, host, (guint32)cid);
		machine->port = (guint)port;
		return machine;
	}
	if (has_port)
		return tcp_machine(word, host, (guint)port, error);
	if (g_hostname_is_ip_address(word))
		return tcp_machine(word, word, REC_AGENT_PORT, error);
	return named_machine(word, error);
}

static gboolean same_machine(const struct rec_machine *a, const struct rec_machine *b)
{
	return a->transport == b->transport &&
	       (a->transport == REC_TCP ? !strcmp(a->address, b->address) : a->cid == b->cid);
}

/* Takes @machine. Names that became equal get the CID, too. */
static gboolean add_machine(GPtrArray *machines, struct rec_machine *machine, GError **error)
{
	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *other = machines->pdata[i];

		if (same_machine(machine, other)) {
			iot_usage_error(error, "-A %s and -A %s are the same machine", other->given,
					machine->given);
			rec_machine_free(machine);
			return FALSE;
		}
		if (!strcmp(other->name, machine->name)) {
			char *name = g_strdup_printf("%s-%u", machine->name, machine->cid);

			g_free(machine->name);
			machine->name = name;
			i = (guint)-1; /* compare the new name with all */
		}
	}
	machine->file = g_strdup_printf("trace-%s.dat", machine->name);
	g_ptr_array_add(machines, machine);
	return TRUE;
}

/* All guests whose agent accepts a connection. */
static gboolean add_all(GPtrArray *machines, char **out_note, GError **error)
{
	g_autoptr(GPtrArray) guests = rec_guests_find();
	g_autoptr(GString) note = g_string_new(NULL);

	for (guint i = 0; i < guests->len; i++) {
		const struct rec_guest *guest = guests->pdata[i];
		g_autofree char *cid = g_strdup_printf("%u", guest->cid);
		struct rec_machine *machine =
			vsock_machine(cid, *guest->name ? guest->name : cid, guest->cid);

		if (rec_agent_probe(machine) == REC_AGENT_ANSWERS) {
			if (!add_machine(machines, machine, error))
				return FALSE;
			continue;
		}
		g_string_append_printf(note, "%s%s (CID %u)", note->len ? ", " : "", guest->name,
				       guest->cid);
		rec_machine_free(machine);
	}
	if (note->len)
		*out_note =
			g_strdup_printf("left out, because no agent answers there: %s", note->str);
	return machines->len ||
	       iot_usage_error(error,
			       "-A all: no virtual machine here has an agent%s%s; start "
			       "\"trace-cmd agent\" in each",
			       note->len ? ", not even " : "", note->str);
}

GPtrArray *rec_machines_find(char **words, char **out_note, GError **error)
{
	g_autoptr(GPtrArray) machines =
		g_ptr_array_new_with_free_func((GDestroyNotify)rec_machine_free);

	*out_note = NULL;
	for (guint i = 0; words && words[i]; i++) {
		struct rec_machine *machine;

		if (!strcmp(words[i], "all")) {
			if (!add_all(machines, out_note, error))
				return NULL;
			continue;
		}
		machine = find_machine(words[i], error);
		if (!machine || !add_machine(machines, machine, error))
			return NULL;
	}
	return g_steal_pointer(&machines);
}

static struct rec_machine *mapped_machine(GPtrArray *machines, const char *what)
{
	for (guint i = 0; i < machines->len; i++) {
		struct rec_machine *machine = machines->pdata[i];

		if (!strcmp(machine->given, what) || !strcmp(machine->name, what) ||
		    !g_strcmp0(machine->address, what))
			return machine;
	}
	return NULL;
}

static gboolean map_pair(GPtrArray *machines, const char *pair, GError **error)
{
	const char *equals = strchr(pair, '=');
	g_autofree char *node = equals ? g_strndup(pair, (gsize)(equals - pair)) : NULL;
	struct rec_machine *machine = equals ? mapped_machine(machines, equals + 1) : NULL;

	if (!node || !*node || !equals[1])
		return iot_usage_error(error, "--map: \"%s\" is not NODE=WHAT, for example 1=5",
				       pair);
	if (!machine)
		return iot_usage_error(error, "--map %s: no -A names the machine %s", pair,
				       equals + 1);
	for (guint i = 0; i < machines->len; i++)
		if (!g_strcmp0(((struct rec_machine *)machines->pdata[i])->node, node))
			return iot_usage_error(error, "--map %s: node %s is mapped twice", pair,
					       node);
	if (machine->node)
		return iot_usage_error(error, "--map %s: %s is mapped twice", pair, equals + 1);
	machine->node = g_steal_pointer(&node);
	return TRUE;
}

gboolean rec_machines_map(GPtrArray *machines, char **pairs, GError **error)
{
	for (guint i = 0; pairs && pairs[i]; i++) {
		g_auto(GStrv) list = g_strsplit(pairs[i], ",", -1);

		for (guint k = 0; k == 0 || list[k]; k++)
			if (!map_pair(machines, list[k] ? list[k] : "", error))
				return FALSE;
	}
	return TRUE;
}

char *rec_machines_clash(const GPtrArray *machines, const char *const *hosts)
{
	for (guint i = 0; i < machines->len; i++) {
		const struct rec_machine *machine = machines->pdata[i];

		for (guint k = 0; k < i && hosts[i] && !machine->node; k++) {
			const struct rec_machine *other = machines->pdata[k];

			if (!other->node && !g_strcmp0(hosts[k], hosts[i]))
				return g_strdup_printf(
					"%s and %s both call themselves %s: name their nodes "
					"with --map",
					other->given, machine->given, hosts[i]);
		}
	}
	return NULL;
}
