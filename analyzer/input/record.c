/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/record.h"
#include "base/try-alloc.h"

static const struct {
	const char *name;
	guint8 flags;
} contexts[] = {
	[IOT_CONTEXT_TASK] = { "task", 0 },
	[IOT_CONTEXT_SOFTIRQ] = { "softirq", IOT_IN_SOFTIRQ },
	[IOT_CONTEXT_HARDIRQ] = { "hardirq", IOT_IN_HARDIRQ },
	[IOT_CONTEXT_NMI] = { "nmi", IOT_IN_NMI },
};

const char *iot_context_name(enum iot_context context)
{
	return contexts[context].name;
}

gboolean iot_context_find(const char *name, gsize len, guint8 *out_flags)
{
	for (guint i = 0; i < G_N_ELEMENTS(contexts); i++) {
		if (strlen(contexts[i].name) != len || memcmp(contexts[i].name, name, len))
			continue;
		*out_flags = contexts[i].flags;
		return TRUE;
	}
	return FALSE;
}

struct iot_batch *iot_batch_new(gsize size, GError **error)
{
	guint8 *data = iot_try_malloc(size, "a batch of records", error);
	struct iot_batch *batch;

	if (!data)
		return NULL;
	batch = g_new0(struct iot_batch, 1);
	batch->data = data;
	batch->size = size;
	return batch;
}

void iot_batch_free(struct iot_batch *batch)
{
	if (!batch)
		return;
	g_free(batch->data);
	if (batch->mark)
		g_byte_array_unref(batch->mark);
	g_free(batch);
}

void iot_event_init_gap(struct iot_event *event, guint32 index, guint32 input)
{
	*event = (struct iot_event){ .index = index,
				     .input = input,
				     .n_slots = IOT_GAP_SLOTS,
				     .slot_type = { IOT_SLOT_UINT, IOT_SLOT_UINT } };
}
