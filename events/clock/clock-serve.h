/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The server of iotrace-clock: it answers each request with a reading of the clock. */
#ifndef IOTRACE_CLOCK_SERVE_H
#define IOTRACE_CLOCK_SERVE_H

#include "clock-wire.h"

/** clock_serve - answer on all of @n addresses until a signal; returns only after an error */
int clock_serve(const char *const *addresses, unsigned int n, struct clock_error *error);

#endif
