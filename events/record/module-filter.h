/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of iotrace.ko, which are parameters of the module on this machine. */
#ifndef REC_MODULE_FILTER_H
#define REC_MODULE_FILTER_H

#include "plan.h"

/** rec_module_filter_check - refuse --cgroup and --mount for agents, and without the module */
gboolean rec_module_filter_check(const struct rec_plan *plan, GError **error);
/** rec_module_filter_set - set them; plan->mark gets the old values, and restores them.
 * IOT_ERROR_USAGE: the module does not accept a value */
gboolean rec_module_filter_set(const struct rec_plan *plan, GError **error);

#endif
