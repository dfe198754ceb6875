/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What iotrace-agent tells the library that it puts in front of trace-cmd's accept(), see
 * agent-accept.c, by environment variables.
 */
#ifndef REC_AGENT_ACCEPT_H
#define REC_AGENT_ACCEPT_H

/** REC_ACCEPT_PEERS - who may connect: "vsock:CID" or IP addresses, separated by commas. Without it
 * nobody may */
#define REC_ACCEPT_PEERS "IOTRACE_ACCEPT_PEERS"
/** REC_ACCEPT_SHOW - the library prints REC_ACCEPT_LINE when it is loaded */
#define REC_ACCEPT_SHOW "IOTRACE_ACCEPT_SHOW"
#define REC_ACCEPT_LINE "iotrace-accept is loaded\n"

#endif
