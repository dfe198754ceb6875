/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libiotrace share; not installed. */
#ifndef IOTRACE_USER_LOCAL_H
#define IOTRACE_USER_LOCAL_H

#include "libiotrace.h"

/** iotrace_device_write - give whole records to the device, which is opened if it never was
 *
 * The number of those taken goes to *out_taken. Leaves errno alone. */
int iotrace_device_write(const struct iotrace_record *records, unsigned int count,
			 unsigned int *out_taken);
/** iotrace_device_ids - a block of ids from the device; -errno if there is none */
int iotrace_device_ids(struct iotrace_ids *ids);
/** iotrace_device_ask - open the device if it never was tried; then iotrace_page_now is right */
void iotrace_device_ask(void);
/** iotrace_ids_forget - in the child after a fork: the ids at hand are those of the parent */
void iotrace_ids_forget(void);

#endif
