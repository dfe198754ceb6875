/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock-wire.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/vm_sockets.h>

/* The trace clocks that programs can read, too: /sys/kernel/tracing/trace_clock. */
static const struct {
	const char *name;
	clockid_t id;
} clocks[] = {
	{ "mono", CLOCK_MONOTONIC },
	{ "mono_raw", CLOCK_MONOTONIC_RAW },
	{ "boot", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
};

int clock_fail(struct clock_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -1;
}

int clock_number(const char *name)
{
	for (unsigned int i = 0; i < sizeof(clocks) / sizeof(*clocks); i++)
		if (!strcmp(name, clocks[i].name))
			return (int)i;
	return -1;
}

uint64_t clock_read(unsigned int number)
{
	struct timespec now;

	if (number >= sizeof(clocks) / sizeof(*clocks) || clock_gettime(clocks[number].id, &now))
		return 0;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- addresses */

/* Host and port of an address; the host is empty if there is only a port. */
struct place {
	char host[256], port[32];
	int vsock;
};

static int parse_number(const char *text, unsigned long most, unsigned int *out)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value > most)
		return -1;
	*out = (unsigned int)value;
	return 0;
}

static int split(const char *address, struct place *place, struct clock_error *error)
{
	const char *colon = strrchr(address, ':'), *bracket = strchr(address, ']');
	unsigned int unused;
	size_t len;

	memset(place, 0, sizeof(*place));
	snprintf(place->port, sizeof(place->port), "%s", CLOCK_PORT);
	/* the colons of an IPv6 address without a port are its own */
	if (colon && (colon < bracket || (!bracket && strchr(address, ':') != colon)))
		colon = NULL;
	len = colon ? (size_t)(colon - address) : strlen(address);
	if (bracket && *address == '[') {
		address++;
		len = (size_t)(bracket - address);
	}
	if (!len || len >= sizeof(place->host) ||
	    (colon && (!colon[1] || strlen(colon + 1) >= sizeof(place->port))))
		return clock_fail(error, "\"%s\" is neither HOST:PORT nor vsock:CID:PORT", address);
	memcpy(place->host, address, len);
	if (colon)
		strcpy(place->port, colon + 1);
	if (parse_number(place->port, 65535, &unused))
		return clock_fail(error, "%s is not a port of TCP", place->port);
	return 0;
}

/* vsock:CID and vsock:CID:PORT; to listen vsock and vsock:PORT */
static int parse_vsock(const char *address, int listens, struct sockaddr_vm *out,
		       struct clock_error *error)
{
	char text[64], *first, *second;
	unsigned int port, cid = VMADDR_CID_ANY;

	snprintf(text, sizeof(text), "%s", address + strlen("vsock"));
	first = *text == ':' ? text + 1 : NULL;
	second = first ? strchr(first, ':') : NULL;
	if (second)
		*second++ = '\0';
	if (listens ? second != NULL : !first)
		return clock_fail(error, "\"%s\" is not vsock:%s", address,
				  listens ? "PORT" : "CID:PORT");
	if (listens)
		second = first;
	else if (parse_number(first, UINT32_MAX - 1, &cid))
		return clock_fail(error, "\"%s\" has no CID: vsock:CID:PORT", address);
	if (parse_number(second ? second : CLOCK_PORT, UINT32_MAX - 1, &port))
		return clock_fail(error, "\"%s\" has no valid port", address);
	*out = (struct sockaddr_vm){ .svm_family = AF_VSOCK,
				     .svm_cid = cid,
				     .svm_port = listens && !port ? VMADDR_PORT_ANY : port };
	return 0;
}

static int is_vsock(const char *address)
{
	size_t len = strlen("vsock");

	return !strncmp(address, "vsock", len) && (!address[len] || address[len] == ':');
}

static struct addrinfo *resolve(const struct place *place, int passive, struct clock_error *error)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = passive ? AI_PASSIVE : 0 },
			*found = NULL;
	int status = getaddrinfo(*place->host ? place->host : NULL, place->port, &hints, &found);

	if (status)
		clock_fail(error, "%s:%s: %s", place->host, place->port,
			   status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status));
	return status ? NULL : found;
}

/* ---- connections */

static int wait_for(int fd, short events, int timeout_ms)
{
	struct pollfd poller = { .fd = fd, .events = events };
	int n;

	do
		n = poll(&poller, 1, timeout_ms);
	while (n < 0 && errno == EINTR);
	if (!n)
		errno = ETIMEDOUT;
	return n > 0 ? 0 : -1;
}

static int connect_within(const struct sockaddr *address, socklen_t len, int timeout_ms)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
	int problem = 0;
	socklen_t size = sizeof(problem);

	if (fd < 0)
		return -1;
	if (connect(fd, address, len) &&
	    (errno != EINPROGRESS || wait_for(fd, POLLOUT, timeout_ms)))
		problem = errno;
	else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size))
		problem = errno;
	if (!problem) {
		/* VSOCK has no such option, and needs none */
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		return fd;
	}
	close(fd);
	errno = problem;
	return -1;
}

int clock_connect(const char *address, int timeout_ms, struct clock_error *error)
{
	struct addrinfo *all, *at;
	struct sockaddr_vm vm;
	struct place place;
	int fd = -1;

	if (is_vsock(address)) {
		if (parse_vsock(address, 0, &vm, error))
			return -1;
		fd = connect_within((const struct sockaddr *)&vm, sizeof(vm), timeout_ms);
	} else {
		if (split(address, &place, error) || !(all = resolve(&place, 0, error)))
			return -1;
		for (at = all; at && fd < 0; at = at->ai_next)
			fd = connect_within(at->ai_addr, at->ai_addrlen, timeout_ms);
		freeaddrinfo(all);
	}
	if (fd < 0)
		clock_fail(error, "%s: %s; does iotrace-clock --serve run there?", address,
			   strerror(errno));
	return fd;
}

static int listen_at(const struct sockaddr *address, socklen_t len)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
	int problem;

	if (fd < 0)
		return -1;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, address, len) && !listen(fd, 16))
		return fd;
	problem = errno;
	close(fd);
	errno = problem;
	return -1;
}

static unsigned int port_of(int fd)
{
	struct sockaddr_storage bound;
	socklen_t len = sizeof(bound);

	if (getsockname(fd, (struct sockaddr *)&bound, &len))
		return 0;
	if (bound.ss_family == AF_VSOCK)
		return ((const struct sockaddr_vm *)&bound)->svm_port;
	if (bound.ss_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)&bound)->sin6_port);
	return ntohs(((const struct sockaddr_in *)&bound)->sin_port);
}

int clock_listen(const char *address, unsigned int *out_port, struct clock_error *error)
{
	struct addrinfo *all, *at;
	struct sockaddr_vm vm;
	struct place place = { .port = "" };
	unsigned int unused;
	int fd = -1;

	if (is_vsock(address)) {
		if (parse_vsock(address, 1, &vm, error))
			return -1;
		fd = listen_at((const struct sockaddr *)&vm, sizeof(vm));
	} else {
		if (!parse_number(address, 65535, &unused))
			snprintf(place.port, sizeof(place.port), "%u", unused);
		else if (split(address, &place, error))
			return -1;
		if (!(all = resolve(&place, 1, error)))
			return -1;
		for (at = all; at && fd < 0; at = at->ai_next)
			fd = listen_at(at->ai_addr, at->ai_addrlen);
		freeaddrinfo(all);
	}
	if (fd < 0)
		return clock_fail(error, "cannot listen at %s: %s", address, strerror(errno));
	*out_port = port_of(fd);
	return fd;
}

int clock_transfer(int fd, struct clock_message *message, int send_it, int timeout_ms,
		   struct clock_error *error)
{
	char *at = (char *)message;
	size_t left = sizeof(*message);

	while (left) {
		ssize_t n = send_it ? send(fd, at, left, MSG_NOSIGNAL) : recv(fd, at, left, 0);

		if (n > 0) {
			at += n;
			left -= (size_t)n;
		} else if (!n) {
			return clock_fail(error, "the connection was closed");
		} else if (errno == EAGAIN &&
			   !wait_for(fd, send_it ? POLLOUT : POLLIN, timeout_ms)) {
			continue;
		} else if (errno == ETIMEDOUT || errno == EAGAIN) {
			return clock_fail(error, "no answer within %d ms", timeout_ms);
		} else if (errno != EINTR) {
			return clock_fail(error, "%s", strerror(errno));
		}
	}
	return 0;
}
