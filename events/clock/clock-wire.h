/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages and connections of iotrace-clock, over TCP or VSOCK. Functions return -1 after an error,
 * of which the text is in struct clock_error. Not thread safe.
 */
#ifndef IOTRACE_CLOCK_WIRE_H
#define IOTRACE_CLOCK_WIRE_H

#include <stdint.h>

#define CLOCK_PORT "8230"
enum { CLOCK_NAME_SIZE = 64 };

/* Request and answer; numbers in network order. */
struct clock_message {
	char magic[8];
	uint32_t number; /* of the request, repeated in the answer */
	uint32_t clock;	 /* index in clock_names; in the answer CLOCK_UNKNOWN: not there */
	uint64_t ns;	 /* of the answer: the reading */
	char name[CLOCK_NAME_SIZE]; /* of the answer: the host's name, ends with 0 */
};
#define CLOCK_MAGIC   "iotclk1"
#define CLOCK_UNKNOWN UINT32_MAX

struct clock_error {
	char text[512];
};
int clock_fail(struct clock_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** clock_number - index of the trace clock @name ("mono"), -1 if no program can read it */
int clock_number(const char *name);
/** clock_read - reading in ns; 0: the machine does not have this clock */
uint64_t clock_read(unsigned int number);

/** clock_connect - a socket; @address is HOST, HOST:PORT, [IPV6]:PORT, vsock:CID or vsock:CID:PORT
 */
int clock_connect(const char *address, int timeout_ms, struct clock_error *error);
/** clock_listen - a socket; @address is vsock, vsock:PORT, PORT or HOST:PORT; @out_port: the port
 */
int clock_listen(const char *address, unsigned int *out_port, struct clock_error *error);

/**
 * clock_transfer - send or receive a whole message
 * @send: direction
 *
 * -1: the text says that the peer closed the connection, or did not answer in time.
 */
int clock_transfer(int fd, struct clock_message *message, int send, int timeout_ms,
		   struct clock_error *error);

#endif
