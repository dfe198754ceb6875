// SPDX-License-Identifier: GPL-2.0-only
#include "control.h"
#include "stats.h"
#include "watch.h"

int iotrace_watch_get(struct iotrace_watch *watch)
{
	int err = 0;

	mutex_lock(&watch->lock);
	if (!watch->users && watch->ready) {
		iotrace_slots_clear(&watch->slots);
		if (watch->clear)
			watch->clear();
		err = iotrace_probes_on(watch->probes, watch->count);
	}
	if (!err)
		watch->users++;
	mutex_unlock(&watch->lock);
	return err;
}

void iotrace_watch_put(struct iotrace_watch *watch)
{
	mutex_lock(&watch->lock);
	if (!--watch->users && watch->ready) {
		iotrace_probes_off(watch->probes, watch->count);
		iotrace_stats_report();
	}
	mutex_unlock(&watch->lock);
}

int iotrace_watch_init(struct iotrace_watch *watch, size_t size)
{
	int err = iotrace_probes_find(watch->probes, watch->count);

	if (!err)
		err = iotrace_slots_init(&watch->slots, iotrace_slot_count(), size);
	if (err)
		return err;
	if (watch->clear)
		watch->clear();
	mutex_lock(&watch->lock);
	if (watch->users)
		err = iotrace_probes_on(watch->probes, watch->count);
	watch->ready = !err;
	mutex_unlock(&watch->lock);
	if (err)
		iotrace_slots_exit(&watch->slots);
	return err;
}

void iotrace_watch_exit(struct iotrace_watch *watch)
{
	mutex_lock(&watch->lock);
	if (watch->users && watch->ready)
		iotrace_probes_off(watch->probes, watch->count);
	watch->ready = false;
	mutex_unlock(&watch->lock);
	iotrace_slots_exit(&watch->slots);
}
