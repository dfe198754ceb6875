/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock-measure.h"

#include <arpa/inet.h>
#include <endian.h>
#include <string.h>
#include <unistd.h>

/* Times of 292 years and more are no readings. */
#define MOST_NS (UINT64_MAX / 2)

static int is_name(const char *name)
{
	return *name && memchr(name, '\0', CLOCK_NAME_SIZE) && !strpbrk(name, " \t\r\n#");
}

static int check(const struct clock_message *answer, const struct clock_measure *how,
		 uint32_t number, struct clock_error *error)
{
	if (memcmp(answer->magic, CLOCK_MAGIC, sizeof(answer->magic)) ||
	    ntohl(answer->number) != number || !memchr(answer->name, '\0', sizeof(answer->name)))
		return clock_fail(error, "what answers is not iotrace-clock of this version");
	if (ntohl(answer->clock) == CLOCK_UNKNOWN)
		return clock_fail(error, "it does not have this clock (--clock)");
	if (ntohl(answer->clock) != how->clock || !be64toh(answer->ns) ||
	    be64toh(answer->ns) > MOST_NS)
		return clock_fail(error, "what answers is not iotrace-clock of this version");
	return 0;
}

/* One round trip; the reading is kept if it is the fastest so far. */
static int go_round(int fd, const struct clock_measure *how, uint32_t number,
		    struct clock_reading *best, struct clock_error *error)
{
	struct clock_message message = { .magic = CLOCK_MAGIC,
					 .number = htonl(number),
					 .clock = htonl(how->clock) };
	uint64_t sent = clock_read(how->clock), received, half;

	if (clock_transfer(fd, &message, 1, how->timeout_ms, error) ||
	    clock_transfer(fd, &message, 0, how->timeout_ms, error))
		return -1;
	received = clock_read(how->clock);
	if (check(&message, how, number, error))
		return -1;
	/* rounded up, and 1 ns for the resolution of both clocks */
	half = (received - sent + 1) / 2 + 1;
	if (number && half >= best->error_ns)
		return 0;
	best->reference_ns = sent + (received - sent) / 2;
	best->machine_ns = be64toh(message.ns);
	best->error_ns = half;
	memcpy(best->name, message.name, sizeof(best->name));
	return 0;
}

static int measure(int fd, const struct clock_target *target, const struct clock_measure *how,
		   struct clock_reading *out, struct clock_error *error)
{
	struct clock_error cause;

	for (uint32_t i = 0; i < how->rounds; i++)
		if (go_round(fd, how, i, out, &cause))
			return clock_fail(error, "%s: round trip %u of %u: %s", target->address,
					  i + 1, how->rounds, cause.text);
	if (target->name)
		strncpy(out->name, target->name, sizeof(out->name) - 1);
	if (!is_name(out->name))
		return clock_fail(error, "%s: the machine has no usable name; give it one: NAME=%s",
				  target->address, target->address);
	return 0;
}

int clock_measure(const struct clock_target *target, const struct clock_measure *how,
		  struct clock_reading *out, struct clock_error *error)
{
	int fd = clock_connect(target->address, how->timeout_ms, error), status;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return -1;
	status = measure(fd, target, how, out, error);
	close(fd);
	return status;
}
