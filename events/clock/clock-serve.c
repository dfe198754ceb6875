/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock-serve.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* More clients at once wait until another one closes; a silent one is closed after a minute. */
enum { MAX_LISTEN = 8, MAX_CLIENTS = 64, SILENT_MS = 60000 };

struct client {
	size_t n; /* bytes of the request that have come */
	uint64_t last_ns;
	struct clock_message message;
};

/* The first n_listen sockets accept, the others are clients; client i is of socket n_listen + i. */
struct server {
	unsigned int n_listen, n;
	struct pollfd polled[MAX_LISTEN + MAX_CLIENTS];
	struct client client[MAX_CLIENTS];
};

static void accept_client(struct server *server, unsigned int i)
{
	int on = 1, fd;

	if (server->n == server->n_listen + MAX_CLIENTS)
		return;
	fd = accept4(server->polled[i].fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		return;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	server->polled[server->n] = (struct pollfd){ .fd = fd, .events = POLLIN };
	server->client[server->n - server->n_listen] = (struct client){ .last_ns = clock_read(0) };
	server->n++;
}

static void close_client(struct server *server, unsigned int i)
{
	unsigned int last = --server->n;

	close(server->polled[i].fd);
	server->polled[i] = server->polled[last];
	server->client[i - server->n_listen] = server->client[last - server->n_listen];
}

/* FALSE: the request is none. */
static int answer(int fd, struct clock_message *message)
{
	uint64_t ns;

	if (memcmp(message->magic, CLOCK_MAGIC, sizeof(message->magic)))
		return 0;
	if (gethostname(message->name, sizeof(message->name)))
		*message->name = '\0';
	message->name[sizeof(message->name) - 1] = '\0';
	ns = clock_read(ntohl(message->clock));
	if (!ns)
		message->clock = htonl(CLOCK_UNKNOWN);
	message->ns = htobe64(ns);
	/* a message that does not fit into the socket's buffer is of a client that does not read */
	return send(fd, message, sizeof(*message), MSG_NOSIGNAL) == sizeof(*message);
}

/* FALSE: the client is to be closed. */
static int serve_client(struct server *server, unsigned int i)
{
	struct client *client = &server->client[i - server->n_listen];
	int fd = server->polled[i].fd;
	ssize_t n = recv(fd, (char *)&client->message + client->n,
			 sizeof(client->message) - client->n, 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	client->n += (size_t)n;
	client->last_ns = clock_read(0);
	if (client->n < sizeof(client->message))
		return n > 0;
	client->n = 0;
	return answer(fd, &client->message);
}

static int is_silent(const struct server *server, unsigned int i)
{
	return clock_read(0) - server->client[i - server->n_listen].last_ns >
	       SILENT_MS * UINT64_C(1000000);
}

int clock_serve(const char *const *addresses, unsigned int n, struct clock_error *error)
{
	static struct server server;

	if (n > MAX_LISTEN)
		return clock_fail(error, "more than %d addresses", MAX_LISTEN);
	for (unsigned int i = 0; i < n; i++) {
		unsigned int port;
		int fd = clock_listen(addresses[i], &port, error);

		if (fd < 0)
			return -1;
		server.polled[i] = (struct pollfd){ .fd = fd, .events = POLLIN };
		printf("iotrace-clock: %s, port %u\n", addresses[i], port);
	}
	fflush(stdout);
	server.n = server.n_listen = n;
	for (;;) {
		if (poll(server.polled, server.n, SILENT_MS) < 0 && errno != EINTR)
			return clock_fail(error, "poll: %s", strerror(errno));
		/* from the last one, as closing moves the last one to the place of the closed one
		 */
		for (unsigned int i = server.n; i-- > server.n_listen;)
			if (server.polled[i].revents ? !serve_client(&server, i)
						     : is_silent(&server, i))
				close_client(&server, i);
		for (unsigned int i = 0; i < server.n_listen; i++)
			if (server.polled[i].revents)
				accept_client(&server, i);
	}
}
