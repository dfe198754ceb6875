/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --sync FILE and --shift NODE=TIME: the user's statements about the clocks of the inputs. */
#ifndef IOT_RUN_LOOK_CLOCK_SYNC_H
#define IOT_RUN_LOOK_CLOCK_SYNC_H

#include "input/clock-change.h"
#include "input/source.h"
#include "run/request.h"

/**
 * iot_clock_changes - the statements of the options about each input
 * @first: by file, corrections to which those of the options are added; or NULL
 * @infos: of the inputs, NULL-terminated
 * @nodes: of the inputs
 * @out_unused: incremented for each line of the file whose machine is no input
 *
 * Returns an array by input, freed with iot_clock_changes_free; NULL and an IOT_ERROR_USAGE or
 * IOT_ERROR_INPUT that names file and line: an input without two pairs of clocks, clocks that run
 * backwards, a shift of a node that is none.
 */
struct iot_clock_change *iot_clock_changes(const struct iot_options *options,
					   const struct iot_clock_change *first,
					   const struct iot_input_info *const *infos,
					   char *const *nodes, guint *out_unused, GError **error);
void iot_clock_changes_free(struct iot_clock_change *changes, guint n);

#endif
