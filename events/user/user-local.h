/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of libiotrace-calls; not installed. */
#ifndef IOTRACE_USER_LOCAL_H
#define IOTRACE_USER_LOCAL_H

#include "iotrace-calls.h"

/** iotrace_device_write - write whole records to the device; opens it on first use
 *
 * *out_taken is the number of records taken. Preserves errno. */
int iotrace_device_write(const struct iotrace_record *records, unsigned int count,
			 unsigned int *out_taken);
/** iotrace_device_ids - a block of ids from the device; -errno if there is none */
int iotrace_device_ids(struct iotrace_ids *ids);
/** iotrace_device_ask - open the device on first use; afterwards iotrace_page_now is right */
void iotrace_device_ask(void);
/** iotrace_device_text - the file of a text recording (IOTRACE_TEXT), opened on first use; -1:
 * there is none */
int iotrace_device_text(void);

/** iotrace_text_begin - the first lines of a text recording, if the file is empty; 0 or -errno */
int iotrace_text_begin(int fd);
/** iotrace_text_record - the line for a record; 0 or -errno */
int iotrace_text_record(int fd, const struct iotrace_record *record);
/** iotrace_text_lock, iotrace_text_unlock - around a fork: no thread is within a line */
void iotrace_text_lock(void);
void iotrace_text_unlock(void);

/** iotrace_ids_forget - in the child after a fork: discard the ids reserved by the parent */
void iotrace_ids_forget(void);

#endif
