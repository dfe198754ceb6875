/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iotrace-agent: runs "trace-cmd agent" on a machine that is recorded, and cleans up after
 * recordings. For the systemd unit iotrace-agent.service; see iotrace-agent(8).
 */
#include "agent-accept.h"
#include "handlers.h"
#include "local.h"
#include "mark.h"
#include "base/error.h"

#include <glib-unix.h>
#include <linux/vm_sockets.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TICK_S = 1,
	LOST_TICKS = 5,	    /* a handler without its client is ended after so many */
	REFRESH_TICKS = 60, /* settings are saved again while nothing is recorded */
	STATUS_USAGE = 2,
};

struct agent {
	char **modules;
	char *client, *port, *percent;
	int cid; /* of VSOCK, whose programs may connect */
	char *peers; /* as in REC_ACCEPT_PEERS */
	struct rec_mark *mark;
	GPid pid;
	GMainLoop *loop;
	guint lost, idle; /* ticks */
	guint64 past;	  /* rec_handlers_past() at the last tick */
	gboolean patient;
	gboolean version; /* it is to be printed, and nothing else */
	gboolean recording, stopping;
};

static void say(const char *message)
{
	fprintf(stderr, "iotrace-agent: %s\n", message);
}

/* A module that cannot be loaded only lacks its events. */
static void load_modules(char **modules)
{
	for (guint i = 0; modules && modules[i]; i++) {
		const char *argv[] = { "modprobe", "--", modules[i], NULL };
		g_autofree char *line =
			g_strdup_printf("the module %s could not be loaded", modules[i]);
		int status = 0;

		if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
				  NULL, &status, NULL) ||
		    status)
			say(line);
	}
}

/* The addresses of --client, or the CID. */
static gboolean find_peers(struct agent *agent, GError **error)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found = NULL;
	g_autoptr(GString) peers = g_string_new(NULL);
	int result;

	if (!agent->client) {
		agent->peers = g_strdup_printf("vsock:%d", agent->cid);
		return TRUE;
	}
	result = getaddrinfo(agent->client, NULL, &hints, &found);
	if (result)
		return iot_usage_error(error, "--client %s: no address: %s", agent->client,
				       gai_strerror(result));
	for (const struct addrinfo *at = found; at; at = at->ai_next) {
		char address[NI_MAXHOST];

		if (!getnameinfo(at->ai_addr, at->ai_addrlen, address, sizeof(address), NULL, 0,
				 NI_NUMERICHOST))
			g_string_append_printf(peers, "%s%s", peers->len ? "," : "", address);
	}
	freeaddrinfo(found);
	agent->peers = g_strdup(peers->str);
	return TRUE;
}

/* The library in front of trace-cmd's accept(): next to us in the build tree, else where it was
 * installed. */
static char *find_library(void)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = g_path_get_dirname(self ? self : "");
	char *path = g_build_filename(folder, REC_ACCEPT_FILE, NULL);

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	g_free(path);
	return g_build_filename(folder, REC_ACCEPT_PATH, NULL);
}

/* trace-cmd's environment; NULL and an error if the library is not loaded into trace-cmd, as into a
 * static one, for then everybody could connect. */
static char **guarded_environment(const struct agent *agent, GError **error)
{
	g_autofree char *library = find_library(), *out = NULL, *id = rec_mark_id();
	const char *argv[] = { "trace-cmd", "--version", NULL };
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LD_PRELOAD", library, TRUE);

	environment = g_environ_setenv(environment, REC_ACCEPT_SHOW, "1", TRUE);
	if (!g_spawn_sync(NULL, (char **)argv, environment,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL,
			  NULL, error))
		return NULL;
	if (!strstr(out, REC_ACCEPT_LINE)) {
		iot_usage_error(error,
				"%s cannot be loaded into trace-cmd, and without it every user of "
				"this machine could connect",
				library);
		return NULL;
	}
	environment = g_environ_unsetenv(environment, REC_ACCEPT_SHOW);
	environment = g_environ_setenv(environment, REC_ACCEPT_PEERS, agent->peers, TRUE);
	environment = g_environ_setenv(environment, REC_MARK_VARIABLE, id, TRUE);
	return g_steal_pointer(&environment);
}

static void setup_child(gpointer data)
{
	(void)data;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void on_end(GPid pid, gint wait_status, gpointer data)
{
	struct agent *agent = data;

	(void)wait_status;
	kill(-pid, SIGKILL); /* its handlers */
	g_main_loop_quit(agent->loop);
}

static gboolean start(struct agent *agent, GError **error)
{
	g_auto(GStrv) environment = guarded_environment(agent, error);
	const char *argv[8] = { "trace-cmd", "agent" };
	guint n = 2;

	if (!environment)
		return FALSE;
	if (agent->patient)
		argv[n++] = "--notimeout";
	if (agent->client) {
		argv[n++] = "-N";
		argv[n++] = agent->client;
	}
	if (agent->port) {
		argv[n++] = "-p";
		argv[n++] = agent->port;
	}
	if (!g_spawn_async(NULL, (char **)argv, environment,
			   G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, setup_child, NULL,
			   &agent->pid, error))
		return FALSE;
	g_child_watch_add(agent->pid, on_end, agent);
	return TRUE;
}

static gboolean on_signal(gpointer data)
{
	struct agent *agent = data;

	agent->stopping = TRUE;
	kill(-agent->pid, SIGKILL);
	return G_SOURCE_CONTINUE;
}

static gboolean on_tick(gpointer data)
{
	struct agent *agent = data;
	g_autoptr(GArray) handlers = rec_handlers_find(agent->pid);
	guint64 past = rec_handlers_past(agent->pid);

	agent->recording |= past != agent->past;
	agent->past = past;
	if (handlers->len) {
		agent->recording = TRUE;
		agent->lost = rec_handlers_connected(handlers) ? 0 : agent->lost + 1;
		if (agent->lost >= LOST_TICKS) {
			say("a handler has lost its client, and is ended");
			rec_handlers_kill(handlers);
		}
	} else if (agent->recording) {
		rec_mark_restore(agent->mark);
		agent->recording = FALSE;
		agent->lost = agent->idle = 0;
	} else if (++agent->idle >= REFRESH_TICKS) {
		rec_mark_refresh(agent->mark);
		agent->idle = 0;
	}
	return G_SOURCE_CONTINUE;
}

static gboolean parse(struct agent *agent, int *argc, char ***argv, GError **error)
{
	const GOptionEntry entries[] = {
		{ "client", 'N', 0, G_OPTION_ARG_STRING, &agent->client,
		  "Listen on TCP, for connections from this address only", "ADDRESS" },
		{ "port", 'p', 0, G_OPTION_ARG_STRING, &agent->port, "Port; 823 without it",
		  "PORT" },
		{ "cid", 0, 0, G_OPTION_ARG_INT, &agent->cid,
		  "VSOCK: accept connections from this CID only; 2, the host, without it", "CID" },
		{ "module", 'M', 0, G_OPTION_ARG_STRING_ARRAY, &agent->modules,
		  "Load this module first; repeatable", "MODULE" },
		{ "buffer-percent", 0, 0, G_OPTION_ARG_STRING, &agent->percent,
		  "How full a buffer is when its data are sent", "N" },
		{ "notimeout", 0, 0, G_OPTION_ARG_NONE, &agent->patient,
		  "Wait for answers without limit, on slow machines", NULL },
		{ "version", 0, 0, G_OPTION_ARG_NONE, &agent->version, "Print the version", NULL },
		{ NULL },
	};
	g_autoptr(GOptionContext) context =
		g_option_context_new("- run an agent of trace-cmd and clean up after recordings");

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, error))
		return FALSE;
	if (*argc > 1)
		return iot_usage_error(error, "%s: no such argument; --help shows the options",
				       (*argv)[1]);
	if (agent->percent && !g_ascii_string_to_unsigned(agent->percent, 10, 0, 100, NULL, NULL))
		return iot_usage_error(error,
				       "--buffer-percent \"%s\" is not a number from 0 to 100",
				       agent->percent);
	if (agent->cid < 0)
		return iot_usage_error(error, "--cid %d is not a CID", agent->cid);
	return !agent->port || g_ascii_string_to_unsigned(agent->port, 10, 1, 65535, NULL, NULL) ||
	       iot_usage_error(error, "--port \"%s\" is not a number from 1 to 65535", agent->port);
}

static int run(struct agent *agent, GError **error)
{
	g_autofree char *note = NULL;

	if (agent->version)
		return printf("iotrace-agent %s\n", IOT_VERSION) < 0 || fflush(stdout);
	if (!find_peers(agent, error) || !rec_local_open(error) ||
	    !rec_mark_recover(TRUE, &note, error))
		return STATUS_USAGE;
	if (note)
		say(note);
	load_modules(agent->modules);
	if (agent->percent)
		rec_local_set("buffer_percent", agent->percent);
	agent->mark = rec_mark_new(NULL, error);
	if (!agent->mark || !start(agent, error)) {
		rec_mark_undo(agent->mark);
		return STATUS_USAGE;
	}
	agent->loop = g_main_loop_new(NULL, FALSE);
	g_unix_signal_add(SIGTERM, on_signal, agent);
	g_unix_signal_add(SIGINT, on_signal, agent);
	g_timeout_add_seconds(TICK_S, on_tick, agent);
	g_main_loop_run(agent->loop);
	g_main_loop_unref(agent->loop);
	rec_mark_undo(agent->mark);
	if (agent->stopping)
		return 0;
	say("trace-cmd agent has ended");
	return 1;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct agent agent = { .cid = VMADDR_CID_HOST };
	int status = parse(&agent, &argc, &argv, &error) ? run(&agent, &error) : STATUS_USAGE;

	if (error)
		say(error->message);
	g_strfreev(agent.modules);
	g_free(agent.client);
	g_free(agent.port);
	g_free(agent.percent);
	g_free(agent.peers);
	return status;
}
