/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The setters of option values, for the option table. */
#ifndef IOT_CLI_OPTION_VALUES_H
#define IOT_CLI_OPTION_VALUES_H

#include "cli/options.h"

iot_option_setter iot_set_map, iot_set_names, iot_set_lockspace, iot_set_early_end, iot_set_sync,
	iot_set_shift, iot_set_clock_assume, iot_set_clock_error, iot_set_causality, iot_set_reader,
	iot_set_model, iot_set_derive, iot_set_check_model, iot_set_limits, iot_set_cut,
	iot_set_select, iot_set_exclude, iot_set_node, iot_set_kind, iot_set_follow, iot_set_top,
	iot_set_from, iot_set_to, iot_set_index, iot_set_slower_than, iot_set_output, iot_set_sort,
	iot_set_tsv, iot_set_threads, iot_set_memory, iot_set_max_open, iot_set_max_containers,
	iot_set_colour, iot_set_model_events;

#endif
