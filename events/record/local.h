/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracing on this machine, by libtracefs. */
#ifndef REC_LOCAL_H
#define REC_LOCAL_H

#include "machines.h"
#include "wanted.h"

/** rec_local_open - find tracefs; the error names the missing thing: tracefs itself, or privileges
 */
gboolean rec_local_open(GError **error);
/** rec_local_pids - whether process ids here are those that the kernel records; not so in a
 * container with ids of its own (a PID namespace) */
gboolean rec_local_pids(GError **error);
/** rec_local_formats - read the formats of the wanted events that this kernel has into machine->tep
 */
void rec_local_formats(struct rec_machine *machine, const struct rec_wanted *wanted);
/** rec_local_event - an event of this kernel, whose format is read into machine->tep; NULL: there
 * is none */
struct tep_event *rec_local_event(struct rec_machine *machine, const char *name);
/** rec_local_trigger - set a trigger, or with "!" before it remove it; FALSE: errno is set
 * @event: "SYSTEM/EVENT" */
gboolean rec_local_trigger(const char *instance, const char *event, const char *text);
/** rec_local_instance - make an instance of ring buffers */
gboolean rec_local_instance(const char *name, GError **error);
/** rec_local_mark - write this machine's clocks into the trace; what cannot be written is left out
 * @instance: NULL: into the top buffer */
void rec_local_mark(const char *instance);
/** rec_local_remove - remove it, if it is still there; FALSE: somebody uses it */
gboolean rec_local_remove(const char *name);
/** rec_local_setting - a file of tracefs without its line end, NULL if it is not there; the caller
 * frees */
char *rec_local_setting(const char *name);
/** rec_local_set - write a file of tracefs; a failure leaves it as it is */
void rec_local_set(const char *name, const char *value);
/** rec_local_buffer_kb - a size of the ring buffer for each processor, from free memory and from
 * the space in @folder, into which its contents are written at the end */
guint rec_local_buffer_kb(const char *folder);
/** rec_local_flight_bytes - memory for a flight recorder, from free memory */
guint64 rec_local_flight_bytes(void);
/** rec_local_trace_cmd_version - "3.1.6"; NULL if there is no trace-cmd. The caller frees */
char *rec_local_trace_cmd_version(void);

/** rec_local_trace_cmd_before - whether trace-cmd here is older than this version; TRUE also if
 * that is not known */
gboolean rec_local_trace_cmd_before(guint major, guint minor, guint patch);

#endif
