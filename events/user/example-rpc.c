/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A client sends requests to a server over TCP, and both emit events. The request carries the id of
 * the client's call, so the server's events have the same id.
 *
 *   example-rpc server PORT            answers until it is stopped
 *   example-rpc client HOST PORT N     N requests, up to 16 at once
 *   example-rpc both N                 client and server, over loopback
 */
#include <libiotrace.h>

#include <endian.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WINDOW 16

static const char *const words[] = { "a", "to", "sea", "wave", "water", "tsunami" };

/* Request and answer have the same format; numbers are little-endian. */
struct message {
	uint64_t id; /* of the client's call */
	int32_t status;
	char name[52];
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "example-rpc: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void send_message(int fd, const struct message *message)
{
	if (send(fd, message, sizeof(*message), MSG_NOSIGNAL) != sizeof(*message))
		fail("send");
}

/* false: the other side has closed */
static bool receive_message(int fd, struct message *message)
{
	ssize_t n = recv(fd, message, sizeof(*message), MSG_WAITALL);

	if (n && n != sizeof(*message))
		fail("receive");
	message->name[sizeof(message->name) - 1] = '\0';
	return n;
}

/* --- server --- */

static void serve(int fd)
{
	struct message m;

	while (receive_message(fd, &m)) {
		struct iotrace_call call = {
			.id = le64toh(m.id), /* the id is the client's */
			.mode = -1,
			.domain = "example-rpc server",
			.resource = m.name,
			.op = "length",
		};

		iotrace_call_start(&call);
		call.status = (int32_t)strlen(m.name);
		iotrace_call_end(&call);
		m.status = (int32_t)htole32((uint32_t)call.status);
		send_message(fd, &m);
	}
}

/* A listening socket; port 0: any. */
static int listen_on(const char *port)
{
	struct addrinfo hints = { .ai_family = AF_INET,
				  .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	int fd, one = 1;

	if (getaddrinfo(NULL, port, &hints, &found))
		fail(port);
	fd = socket(found->ai_family, found->ai_socktype, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, 16))
		fail("listen");
	freeaddrinfo(found);
	return fd;
}

static void run_server(int listener, int clients)
{
	while (clients < 0 || clients--) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			fail("accept");
		serve(fd);
		close(fd);
	}
}

/* --- client --- */

static int connect_to(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	int fd;

	if (getaddrinfo(host, port, &hints, &found))
		fail(host);
	fd = socket(found->ai_family, found->ai_socktype, 0);
	if (fd < 0 || connect(fd, found->ai_addr, found->ai_addrlen))
		fail(host);
	freeaddrinfo(found);
	return fd;
}

/* The call ends when the request is sent; the answer completes it. */
static void ask(int fd, int number)
{
	struct message m = { 0 };
	struct iotrace_call call = {
		.id = iotrace_id(), .mode = -1, .domain = "example-rpc", .op = "length"
	};

	strcpy(m.name, words[number % (int)(sizeof(words) / sizeof(words[0]))]);
	m.id = htole64(call.id);
	call.resource = m.name;
	iotrace_call_start(&call);
	send_message(fd, &m);
	iotrace_call_end(&call);
}

static void take_answer(int fd)
{
	struct message m;
	struct iotrace_call call = { .mode = -1, .domain = "example-rpc", .op = "length" };

	if (!receive_message(fd, &m)) {
		errno = ECONNRESET;
		fail("receive");
	}
	call.id = le64toh(m.id);
	call.status = (int32_t)le32toh((uint32_t)m.status);
	call.resource = m.name;
	iotrace_call_done(&call);
}

static void run_client(const char *host, const char *port, int count)
{
	int fd = connect_to(host, port);

	for (int i = 0; i < count + WINDOW; i++) {
		if (i >= WINDOW && i - WINDOW < count)
			take_answer(fd);
		if (i < count)
			ask(fd, i);
	}
	close(fd);
}

static void run_both(int count)
{
	int listener = listen_on("0");
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	char port[NI_MAXSERV];
	pid_t server;

	if (getsockname(listener, (struct sockaddr *)&address, &len) ||
	    getnameinfo((struct sockaddr *)&address, len, NULL, 0, port, sizeof(port),
			NI_NUMERICSERV))
		fail("port");
	server = fork();
	if (server < 0)
		fail("fork");
	if (!server) {
		run_server(listener, 1);
		exit(0);
	}
	close(listener);
	run_client("127.0.0.1", port, count);
	waitpid(server, NULL, 0);
}

int main(int argc, char **argv)
{
	char text[256];
	struct iotrace_counts counts;

	fprintf(stderr, "example-rpc: %s\n", iotrace_explain(iotrace_open(), text, sizeof(text)));
	if (argc == 3 && !strcmp(argv[1], "server"))
		run_server(listen_on(argv[2]), -1);
	else if (argc == 5 && !strcmp(argv[1], "client"))
		run_client(argv[2], argv[3], atoi(argv[4]));
	else if (argc == 3 && !strcmp(argv[1], "both"))
		run_both(atoi(argv[2]));
	else {
		fprintf(stderr, "usage: example-rpc server PORT | client HOST PORT N | both N\n");
		return 1;
	}
	iotrace_get_counts(&counts);
	fprintf(stderr, "example-rpc: %llu events written, %llu dropped\n",
		(unsigned long long)counts.written, (unsigned long long)counts.dropped);
	return 0;
}
