/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By which names models know the events and fields of a CTF trace. perf and LTTng-UST name an event
 * "system:event". LTTng names tracepoints of the kernel without their system, gives system calls
 * other names, and some fields other names and values; models want those of the kernel.
 */
#ifndef IOT_INPUT_CTF_NAMES_H
#define IOT_INPUT_CTF_NAMES_H

#include <glib.h>

/* How a recorded value becomes the kernel's. */
enum iot_ctf_convert {
	IOT_CTF_AS_IS,
	IOT_CTF_PRIO, /* LTTng counts priorities from -100 */
	IOT_CTF_RWBS, /* LTTng has bits for the letters of a request of a block device */
};

struct iot_ctf_name {
	char *system; /* "": it has none, and models find it by the name alone */
	char *name;
};

/** iot_ctf_name - system and name of an event; iot_ctf_name_clear frees them */
struct iot_ctf_name iot_ctf_name(const char *recorded);
void iot_ctf_name_clear(struct iot_ctf_name *name);
/** iot_ctf_name_is - whether models mean this event by @system and @name; @system "": any */
gboolean iot_ctf_name_is(const struct iot_ctf_name *event, const char *system, const char *name);
/**
 * iot_ctf_field_name - the recorded name of a field
 * @recorded: name of the event in the trace; @field: the kernel's name
 * @out: how its value is converted
 */
const char *iot_ctf_field_name(const char *recorded, const char *field, enum iot_ctf_convert *out);
/** IOT_CTF_RWBS_ROOM - enough for the text of iot_ctf_rwbs and its end */
enum { IOT_CTF_RWBS_ROOM = 10 };
/** iot_ctf_rwbs - the kernel's letters for LTTng's bits; returns @text. Source: blk_fill_rwbs of
 * Linux, and instrumentation/events/block.h of lttng-modules 2.13 */
const char *iot_ctf_rwbs(char *text, guint64 bits);

#endif
