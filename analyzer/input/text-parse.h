/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a hand-written recording: directives, losses and events, line by line. */
#ifndef IOT_INPUT_TEXT_PARSE_H
#define IOT_INPUT_TEXT_PARSE_H

#include "input/text-file.h"

/** iot_text_file_load - read and check a file; NULL and IOT_ERROR_INPUT "FILE:LINE:COLUMN: ..." if
 * it is wrong */
struct iot_text_file *iot_text_file_load(const char *path, GError **error);

#endif
