// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates the trace events of iotrace.h, and notices when one is enabled or disabled. The callbacks of
 * DEFINE_EVENT_FN() cannot do this: they run under the mutex of all tracepoints, and registering a probe
 * takes the same mutex. The callback of the event class runs one level above, so the classes below have
 * our own function in place of trace_event_reg().
 */
#include <linux/module.h>
#include <linux/trace_events.h>
#include "announce.h"
#include "watch.h"

static int event_reg(struct trace_event_call *call, enum trace_reg type, void *data);

#define trace_event_reg event_reg
#define CREATE_TRACE_POINTS
#include "iotrace.h"
#undef trace_event_reg

/* The probes that an event needs; NULL: it has another origin, or is emitted with other events. */
static struct iotrace_watch *watch_for(const struct trace_event_call *call)
{
	if (call->class == &event_class_iotrace_call || call == &event_task || call == &event_fs)
		return NULL;
	if (call == &event_aio_start || call == &event_aio_skip || call == &event_aio_done)
		return &iotrace_uring;
	return &iotrace_fileio;
}

static int event_on(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct iotrace_watch *watch = watch_for(call);
	int err = 0;

	if (call == &event_task || call == &event_fs)
		iotrace_announce_again();
	if (watch)
		err = iotrace_watch_get(watch);
	if (err)
		return err;
	err = trace_event_reg(call, type, data);
	if (err && watch)
		iotrace_watch_put(watch);
	return err;
}

/* A record with two full paths fits into a page of the ring buffer, with its own header and the page's. */
static_assert(sizeof(struct trace_event_raw_iotrace_path_start) + 2 * IOTRACE_PATH_MAX <= 4072);
static_assert(sizeof(struct trace_event_raw_path_late) + 2 * IOTRACE_PATH_MAX <= 4072);
static_assert(sizeof(struct trace_event_raw_iotrace_call) + IOTRACE_DOMAIN_SIZE + IOTRACE_RESOURCE_SIZE +
		      IOTRACE_OP_SIZE <= 4072);

static int event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct iotrace_watch *watch = watch_for(call);
	int err;

	switch (type) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		return event_on(call, type, data);
	case TRACE_REG_UNREGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		err = trace_event_reg(call, type, data);
		if (watch)
			iotrace_watch_put(watch);
		return err;
	default:
		return trace_event_reg(call, type, data);
	}
}
