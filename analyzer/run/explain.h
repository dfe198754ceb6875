/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the inputs are and what will be drawn of them, before any of them is read: the word inputs.
 */
#ifndef IOT_RUN_EXPLAIN_H
#define IOT_RUN_EXPLAIN_H

#include "run/request.h"
#include "timeline/result-table.h"

/**
 * iot_explain_inputs - tables with a row for each input, and for each file that is left out
 * @options: the inputs, and files of their folders that are not read (left_out)
 *
 * A row says what the file is, its node, when it begins and how long it is where that is known
 * before reading, the models that draw its events, systems of events that no model draws, and how
 * its clock is placed among the others. Inputs that cannot be opened are rows, too; then the error
 * about the first one is set, and there are no nodes and models. The caller frees the tables.
 */
struct iot_results *iot_explain_inputs(const struct iot_options *options, GError **error);

#endif
