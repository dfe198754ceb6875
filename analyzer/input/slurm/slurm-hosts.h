/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of hosts as Slurm writes them: "node[01-03,7],login1". */
#ifndef IOT_INPUT_SLURM_HOSTS_H
#define IOT_INPUT_SLURM_HOSTS_H

#include <glib.h>

/* Hosts of one list. More are no list of a job, but a mistake that would take the memory. */
enum { IOT_SLURM_MOST_HOSTS = 1 << 17 };

/**
 * iot_slurm_hosts - the names (char *, owned by the array) of a list, in its order
 *
 * A name may have several brackets, each with numbers and ranges, which keep the zeros at their
 * begin. NULL: the text is no such list, or has more than IOT_SLURM_MOST_HOSTS hosts. Source:
 * scontrol show hostnames.
 */
GPtrArray *iot_slurm_hosts(const char *list);

#endif
