/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics-devices.h"

#include <string.h>

void rec_devices_init(struct rec_devices *devices)
{
	*devices =
		(struct rec_devices){ .list = g_array_new(FALSE, TRUE, sizeof(struct rec_device)),
				      .round = 1 };
}

void rec_devices_clear(struct rec_devices *devices)
{
	g_clear_pointer(&devices->list, g_array_unref);
}

void rec_devices_begin(struct rec_devices *devices)
{
	devices->round++;
	devices->next = 0;
}

static struct rec_device *device_at(const struct rec_devices *devices, guint i)
{
	return &g_array_index(devices->list, struct rec_device, i);
}

static gboolean is_called(const struct rec_device *device, const char *name, gsize len)
{
	return !memcmp(device->name, name, len) && !device->name[len];
}

/* The kernel lists devices in the same order each time. */
struct rec_device *rec_devices_find(struct rec_devices *devices, const char *name, gsize len)
{
	guint n = devices->list->len, i;

	len = MIN(len, REC_DEVICE_NAME - 1);
	for (guint k = 0; k < n; k++) {
		i = (devices->next + k) % n;
		if (is_called(device_at(devices, i), name, len)) {
			devices->next = i + 1;
			return device_at(devices, i);
		}
	}
	g_array_set_size(devices->list, n + 1);
	memcpy(device_at(devices, n)->name, name, len);
	devices->next = n + 1;
	return device_at(devices, n);
}

gboolean rec_grown(guint64 before, guint64 now, guint64 most, guint64 *out)
{
	static const guint64 around = G_GUINT64_CONSTANT(1) << 32, near = 1 << 28;

	if (now >= before)
		*out = now - before;
	else if (before < around && before >= around - near && now < near)
		*out = now + around - before;
	else
		return FALSE;
	return *out <= most;
}

enum rec_growth rec_devices_take(const struct rec_devices *devices, struct rec_device *device,
				 guint64 id, const guint64 *now, const guint64 *most, guint n,
				 guint64 *by)
{
	enum rec_growth growth = REC_GROWTH_KNOWN;

	if (device->round + 1 != devices->round)
		growth = REC_GROWTH_NEW;
	else if (device->id != id)
		growth = REC_GROWTH_SET_BACK;
	for (guint i = 0; i < n; i++) {
		if (growth == REC_GROWTH_KNOWN &&
		    !rec_grown(device->number[i], now[i], most[i], &by[i]))
			growth = REC_GROWTH_SET_BACK;
		device->number[i] = now[i];
	}
	device->id = id;
	device->round = devices->round;
	return growth;
}

const struct rec_device *rec_devices_gone(const struct rec_devices *devices, guint *at)
{
	while (*at < devices->list->len) {
		const struct rec_device *device = device_at(devices, (*at)++);

		if (device->round + 1 == devices->round)
			return device;
	}
	return NULL;
}
