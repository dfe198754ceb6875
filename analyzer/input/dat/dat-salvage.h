/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A version 7 file keeps its table of contents at its end. If that is lost, the pages are still
 * there: every page-aligned block, or compressed chunk, is tested. The numbers of the CPUs are
 * lost, but the time stamps of one CPU never step back: where they do, another CPU begins.
 */
#ifndef IOT_INPUT_DAT_DAT_SALVAGE_H
#define IOT_INPUT_DAT_DAT_SALVAGE_H

#include "input/dat/dat-file.h"

/**
 * iot_dat_salvage - search for pages from @offset to the end of the file
 *
 * Pages become areas of the top buffer, and file_salvaged is counted; without pages @file has no
 * buffers. FALSE only for errors of the system.
 */
gboolean iot_dat_salvage(struct iot_dat_file *file, guint64 offset, gboolean compressed,
			 GError **error);

#endif
