/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handlers of a running "trace-cmd agent": a process for each recorder that it serves. */
#ifndef REC_HANDLERS_H
#define REC_HANDLERS_H

#include <glib.h>

/** rec_handlers_find - processes (int) below the agent, children before grandchildren */
GArray *rec_handlers_find(GPid agent);
/** rec_handlers_past - a number that grows with each handler that has ended, however short it lived
 */
guint64 rec_handlers_past(GPid agent);
/** rec_handlers_connected - whether one has a connection. TRUE if that is not known: for VSOCK */
gboolean rec_handlers_connected(const GArray *handlers);
/** rec_handlers_kill - end them */
void rec_handlers_kill(const GArray *handlers);

#endif
