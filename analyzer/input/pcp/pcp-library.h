/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libpcp, loaded when the first PCP archive is opened: with the libraries that it needs (OpenSSL,
 * SASL, systemd) it would cost each run of the program 4.6 million instructions, a fifth of a run
 * on a small recording, and a machine without archives does not need it at all.
 */
#ifndef IOT_INPUT_PCP_LIBRARY_H
#define IOT_INPUT_PCP_LIBRARY_H

#include <glib.h>
#include <pcp/pmapi.h>

/* The functions that are called. */
#define IOT_PCP_CALLS(CALL)            \
	CALL(pmNewContext)             \
	CALL(pmDestroyContext)         \
	CALL(pmUseContext)             \
	CALL(pmGetHighResArchiveLabel) \
	CALL(pmGetHighResArchiveEnd)   \
	CALL(pmFetchHighResArchive)    \
	CALL(pmFreeHighResResult)      \
	CALL(pmLookupDesc)             \
	CALL(pmNameID)                 \
	CALL(pmNameInDomArchive)       \
	CALL(pmExtractValue)           \
	CALL(pmUnitsStr_r)             \
	CALL(pmIDStr_r)                \
	CALL(pmErrStr_r)

struct iot_pcp_library {
#define IOT_PCP_MEMBER(function) __typeof__(&function) function;
	IOT_PCP_CALLS(IOT_PCP_MEMBER)
#undef IOT_PCP_MEMBER
};

/**
 * iot_pcp_library - the functions of libpcp, which is loaded by the first call, and stays loaded
 * @path: the archive for which it is, in the message
 *
 * NULL and IOT_ERROR_INPUT: it is not installed, or lacks the configuration without which it ends
 * the program. Any thread.
 */
const struct iot_pcp_library *iot_pcp_library(const char *path, GError **error);

#endif
