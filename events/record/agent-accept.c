/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library that iotrace-agent loads into trace-cmd agent (LD_PRELOAD), in front of accept(). trace-cmd
 * listens for any CID of VSOCK, and takes data connections over TCP from any address: so every user of
 * the machine reaches an agent of root, by vsock_loopback or from an address of its own. Here a
 * connection of anybody but the peers of REC_ACCEPT_PEERS is closed, and nobody sees it.
 * Uses the C library only. No table of rules and no module that could be loaded later matters: the CID
 * of a peer comes from the kernel.
 */
#include "agent-accept.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/vm_sockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

union peer {
	struct sockaddr_storage storage;
	struct sockaddr any;
	struct sockaddr_vm vm;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* As in REC_ACCEPT_PEERS; false: it can be nobody there. */
static bool peer_text(const union peer *peer, char *out, size_t size)
{
	const struct in6_addr *address = &peer->in6.sin6_addr;

	switch (peer->any.sa_family) {
	case AF_VSOCK:
		snprintf(out, size, "vsock:%u", peer->vm.svm_cid);
		return true;
	case AF_INET:
		return inet_ntop(AF_INET, &peer->in.sin_addr, out, (socklen_t)size);
	case AF_INET6:
		if (IN6_IS_ADDR_V4MAPPED(address))
			return inet_ntop(AF_INET, &address->s6_addr[12], out, (socklen_t)size);
		return inet_ntop(AF_INET6, address, out, (socklen_t)size);
	default:
		return false;
	}
}

static bool may_connect(const union peer *peer)
{
	const char *list = getenv(REC_ACCEPT_PEERS);
	char text[INET6_ADDRSTRLEN];
	size_t len;

	if (!list || !peer_text(peer, text, sizeof(text)))
		return false;
	len = strlen(text);
	while (strncmp(list, text, len) != 0 || (list[len] && list[len] != ',')) {
		list = strchr(list, ',');
		if (!list++)
			return false;
	}
	return true;
}

static int accept_peer(int listener, struct sockaddr *address, socklen_t *len, int flags)
{
	for (;;) {
		union peer peer = { 0 };
		socklen_t got = sizeof(peer);
		int fd = (int)syscall(SYS_accept4, listener, &peer, &got, flags);

		if (fd < 0)
			return -1;
		if (may_connect(&peer)) {
			if (address && len) {
				memcpy(address, &peer, *len < got ? *len : got);
				*len = got;
			}
			return fd;
		}
		close(fd);
	}
}

__attribute__((visibility("default"))) int accept(int fd, struct sockaddr *restrict address,
						  socklen_t *restrict len)
{
	return accept_peer(fd, address, len, 0);
}

__attribute__((visibility("default"))) int accept4(int fd, struct sockaddr *restrict address,
						   socklen_t *restrict len, int flags)
{
	return accept_peer(fd, address, len, flags);
}

__attribute__((constructor)) static void show(void)
{
	if (getenv(REC_ACCEPT_SHOW))
		dprintf(STDOUT_FILENO, REC_ACCEPT_LINE);
}
