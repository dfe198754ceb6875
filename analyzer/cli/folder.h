/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder given instead of recordings: docs/formats/recording.md. */
#ifndef IOT_CLI_FOLDER_H
#define IOT_CLI_FOLDER_H

#include "run/request.h"

/**
 * iot_folders_open - replace each input that is a folder by the recordings in it
 *
 * recording.json in the folder names the recordings, in their order, and their nodes; --map
 * replaces these nodes. Its calls that were only counted become options->other_calls, also if its
 * recordings are given themselves. Without recording.json they are all files *.dat in natural
 * order, trace.dat (the recording of a host) last, or, without any, the logs of strace. Several
 * files that are one recording (strace -ff) become one input. Samples of machines, files
 * metrics*.txt, follow, whether they are named or not. IOT_ERROR_INPUT: the folder cannot be
 * read, has no recordings, or its recording.json is wrong.
 */
gboolean iot_folders_open(struct iot_options *options, GError **error);

#endif
