/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damages of a CTF trace that libbabeltrace2 2.0 does not survive, found before it sees the trace.
 * Any thread. */
#ifndef IOT_INPUT_CTF_CHECK_H
#define IOT_INPUT_CTF_CHECK_H

#include <glib.h>

/**
 * iot_ctf_check - whether the packets of the metadata are whole: the library reads for ever in the
 * last one if it is cut
 * @path: as the user gave it, for messages; @trace: folder of the trace
 *
 * Source: CTF 1.8.3, 7.1 (metadata packets). FALSE and IOT_ERROR_INPUT: they are not, or cannot be
 * read.
 */
gboolean iot_ctf_check(const char *path, const char *trace, GError **error);

#endif
