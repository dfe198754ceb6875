// SPDX-License-Identifier: GPL-2.0
/* The one place in which the trace events of iotrace.h come to life. */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "iotrace.h"
