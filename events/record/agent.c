/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agent.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECT_MS = 2000, HANG_UP_MS = 200 };

/* 0: the connection is being made, or is there; else the error. */
static int start_connect(const struct rec_machine *machine, int fd)
{
	struct sockaddr_vm vm = { .svm_family = AF_VSOCK,
				  .svm_cid = machine->cid,
				  .svm_port = machine->port };
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons((guint16)machine->port) };
	int result;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (machine->transport == REC_TCP) {
		inet_pton(AF_INET, machine->address, &in.sin_addr);
		result = connect(fd, (struct sockaddr *)&in, sizeof(in));
	} else {
		result = connect(fd, (struct sockaddr *)&vm, sizeof(vm));
	}
	return result == 0 || errno == EINPROGRESS ? 0 : errno;
}

static int wait_connected(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };
	int error = 0;
	socklen_t len = sizeof(error);

	if (poll(&wait, 1, CONNECT_MS) != 1)
		return ETIMEDOUT;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	return error;
}

/* An agent waits for a request; a busy one hangs up. */
static gboolean hangs_up(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char byte;

	return poll(&wait, 1, HANG_UP_MS) == 1 && recv(fd, &byte, 1, 0) <= 0;
}

enum rec_agent rec_agent_probe(const struct rec_machine *machine)
{
	int fd = socket(machine->transport == REC_TCP ? AF_INET : AF_VSOCK,
			SOCK_STREAM | SOCK_CLOEXEC, 0);
	int error = fd < 0 ? errno : start_connect(machine, fd);
	enum rec_agent state;

	if (!error)
		error = wait_connected(fd);
	if (!error)
		state = hangs_up(fd) ? REC_AGENT_BUSY : REC_AGENT_ANSWERS;
	else /* VSOCK resets a connection to a port without listener */
		state = error == ECONNREFUSED || error == ECONNRESET ? REC_AGENT_REFUSES
								     : REC_AGENT_SILENT;
	if (fd >= 0)
		close(fd);
	return state;
}

char *rec_agent_advice(const struct rec_machine *machine, enum rec_agent state)
{
	const char *options = machine->transport == REC_TCP ? " -N CONTROLLER" : "";

	switch (state) {
	case REC_AGENT_REFUSES:
		return g_strdup_printf(
			"no agent runs there: start \"trace-cmd agent%s -p %u\" as root on it",
			options, machine->port);
	case REC_AGENT_BUSY:
		return g_strdup("its agent serves another recorder, or one that died: end that "
				"recorder, or "
				"restart the agent");
	case REC_AGENT_SILENT:
		return g_strdup(
			machine->transport == REC_TCP
				? "the machine does not answer: check address, route and firewall"
				: "no guest with this CID answers: check that it runs and has a "
				  "VSOCK "
				  "device, and that the module vhost_vsock is loaded here");
	default:
		return g_strdup("its agent listens, but did not record: it is no agent of "
				"trace-cmd, or one of another version; use the same version on "
				"both machines");
	}
}
