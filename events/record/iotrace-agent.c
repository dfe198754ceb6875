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
#include "options/option-words.h"

#include <glib-unix.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/vm_sockets.h> /* older ones need sys/socket.h */

enum {
	TICK_S = 1,
	LOST_TICKS = 5,	    /* a handler without its client is ended after so many */
	REFRESH_TICKS = 60, /* settings are saved again while nothing is recorded */
	STATUS_USAGE = 2,
};

struct agent {
	/* the command line; cid: of VSOCK, whose programs may connect */
	char **modules;
	char *client, *port, *percent, *cid;
	gboolean patient;
	int action;  /* enum iot_action */
	char *peers; /* as in REC_ACCEPT_PEERS */
	struct rec_mark *mark;
	GPid pid;
	GMainLoop *loop;
	guint lost, idle; /* ticks */
	guint64 past;	  /* rec_handlers_past() at the last tick */
	gboolean recording, stopping;
};

#define AT(member) .at = offsetof(struct agent, member)

/* clang-format off */
static const struct iot_option rows[] = {
	{ .name = "client", .letter = 'N', .argument = "ADDRESS", AT(client),
	  .help = "Listen on TCP, for connections from this address or host. Without it the agent listens on VSOCK." },
	{ .name = "port", .letter = 'p', .argument = "PORT", AT(port),
	  .help = "Port of TCP or VSOCK; 823 without it." },
	{ .name = "cid", .argument = "CID", AT(cid),
	  .help = "Over VSOCK accept connections from this CID only; 2, the host, without it. With 1 every user of this machine "
		  "may connect, by vsock_loopback." },
	{ .name = "module", .letter = 'M', .argument = "MODULE", AT(modules), .repeatable = TRUE,
	  .help = "Load this module first; a module that cannot be loaded is named and skipped. Repeatable." },
	{ .name = "buffer-percent", .argument = "N", AT(percent),
	  .help = "How full a buffer is when its data are sent. With 1 data are sent early, so that little is left to send when "
		  "a recording stops." },
	{ .name = "notimeout", AT(patient),
	  .help = "Wait for answers of the recorder without limit, on slow machines; also give it to iotrace-record." },
	IOT_GENERAL_OPTIONS("Print the version and exit."),
};
/* clang-format on */

static const struct iot_program program = {
	.name = "iotrace-agent",
	.rows = rows,
	.usage = "iotrace-agent - let iotrace-record record this machine from another one\n\n"
		 "usage: iotrace-agent [OPTION]...\n\n"
		 "Runs trace-cmd agent, and cleans up after recordings, until SIGTERM or SIGINT.\n"
		 "It needs root.\n\n",
	.end = "\nExit status: 0: a signal ended it; 1: trace-cmd agent has ended by itself;\n"
	       "2: an option is wrong, or something is missing.\n",
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
		agent->peers = g_strdup_printf(
			"vsock:%lu", agent->cid ? strtoul(agent->cid, NULL, 10) : VMADDR_CID_HOST);
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

static gboolean parse(struct agent *agent, const char *const *argv, GError **error)
{
	struct iot_option_words words = { rows, agent, argv + (*argv != NULL) };
	enum iot_word what;

	while ((what = iot_option_next(&words)) == IOT_WORD_OPTION && !words.action)
		;
	agent->action = words.action;
	if (words.action)
		return TRUE;
	if (words.error) {
		iot_usage_error(error, "%s", words.error);
		free(words.error);
		return FALSE;
	}
	if (what != IOT_WORD_END)
		return iot_usage_error(error, "%s: no such argument; --help shows the options",
				       words.value);
	if (agent->percent && !g_ascii_string_to_unsigned(agent->percent, 10, 0, 100, NULL, NULL))
		return iot_usage_error(error,
				       "--buffer-percent \"%s\" is not a number from 0 to 100",
				       agent->percent);
	if (agent->cid && !g_ascii_string_to_unsigned(agent->cid, 10, 0, G_MAXINT32, NULL, NULL))
		return iot_usage_error(error, "--cid \"%s\" is not a CID", agent->cid);
	return !agent->port || g_ascii_string_to_unsigned(agent->port, 10, 1, 65535, NULL, NULL) ||
	       iot_usage_error(error, "--port \"%s\" is not a number from 1 to 65535", agent->port);
}

static int run(struct agent *agent, GError **error)
{
	g_autofree char *note = NULL;

	if (agent->action) {
		iot_option_print(stdout, &program, agent->action);
		return fflush(stdout) || ferror(stdout);
	}
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
	struct agent agent = { .peers = NULL };
	int status;

	(void)argc;
	status = parse(&agent, (const char *const *)argv, &error) ? run(&agent, &error)
								  : STATUS_USAGE;
	if (error)
		say(error->message);
	iot_option_clear(&agent, rows);
	g_free(agent.peers);
	return status;
}
