/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel counts for each processor, disk or network device: the numbers of the last
 * sample, and by how much they have grown. A device may come, go, or come again with other numbers.
 */
#ifndef REC_METRICS_DEVICES_H
#define REC_METRICS_DEVICES_H

#include <glib.h>

enum { REC_DEVICE_NUMBERS = 12, REC_DEVICE_NAME = 64 };

struct rec_device {
	char name[REC_DEVICE_NAME];
	guint64 id; /* tells a device from another one with its name; 0: nothing does */
	guint64 round;
	gboolean left_out; /* for the caller: nothing of it is recorded */
	guint64 number[REC_DEVICE_NUMBERS];
};

struct rec_devices {
	GArray *list; /* of struct rec_device, in the order in which they were first seen */
	guint next;   /* where the next one is looked for first */
	guint64 round;
};

/* How the numbers of a device have changed since the sample before. */
enum rec_growth {
	REC_GROWTH_NEW,	    /* it was not there then */
	REC_GROWTH_KNOWN,   /* its numbers have grown, or are the same */
	REC_GROWTH_SET_BACK /* one was set back, or has grown by more than can be: another device */
};

/** rec_devices_init - no devices; rec_devices_clear */
void rec_devices_init(struct rec_devices *devices);
void rec_devices_clear(struct rec_devices *devices);
/** rec_devices_begin - the next sample begins */
void rec_devices_begin(struct rec_devices *devices);
/** rec_devices_find - the device called @name, made if it is new; valid until the next call. Of a
 * longer name the first 63 bytes count */
struct rec_device *rec_devices_find(struct rec_devices *devices, const char *name, gsize len);
/**
 * rec_devices_take - take the numbers of a device in this sample
 * @id: as in struct rec_device
 * @now: @n numbers
 * @most: by how much each may have grown
 * @by: gets by how much each has grown, for REC_GROWTH_KNOWN
 */
enum rec_growth rec_devices_take(const struct rec_devices *devices, struct rec_device *device,
				 guint64 id, const guint64 *now, const guint64 *most, guint n,
				 guint64 *by);
/** rec_devices_gone - the first device from @*at on that was in the sample before and is not in
 * this one; NULL: there is none. Before the first call *@at is 0 */
const struct rec_device *rec_devices_gone(const struct rec_devices *devices, guint *at);

/**
 * rec_grown - by how much a number has grown; FALSE: it was set back, or has grown by more than
 *	@most. A number of 32 bits that was near its end and is near its begin has gone around
 */
gboolean rec_grown(guint64 before, guint64 now, guint64 most, guint64 *out);

#endif
