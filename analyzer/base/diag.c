/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/diag.h"

#define NOTICE IOT_NOTICE
#define WARN   IOT_WARN
#define LOSS   IOT_LOSS

#define INTACT	FALSE
#define DAMAGED TRUE

static const struct iot_diag_info infos[IOT_DIAG_COUNT] = {
#define IOT_DIAG(name, severity, damaged, text) { #name, severity, damaged, text },
#include "base/diag-list.h"
#undef IOT_DIAG
};

const struct iot_diag_info *iot_diag_info(enum iot_diag_id id)
{
	g_assert((unsigned int)id < IOT_DIAG_COUNT);
	return &infos[id];
}

const char *iot_diag_severity_name(enum iot_severity severity)
{
	static const char *const names[] = { "notice", "warning", "loss" };

	return names[severity];
}

void iot_diag_merge(struct iot_diag *into, const struct iot_diag *from)
{
	for (unsigned int i = 0; i < IOT_DIAG_COUNT; i++)
		into->count[i] += from->count[i];
}

int iot_diag_worst(const struct iot_diag *diag)
{
	int worst = -1;

	for (unsigned int i = 0; i < IOT_DIAG_COUNT; i++)
		if (diag->count[i] && (int)infos[i].severity > worst)
			worst = infos[i].severity;
	return worst;
}

gboolean iot_diag_is_damaged(const struct iot_diag *diag)
{
	for (unsigned int i = 0; i < IOT_DIAG_COUNT; i++)
		if (diag->count[i] && infos[i].damaged)
			return TRUE;
	return FALSE;
}
