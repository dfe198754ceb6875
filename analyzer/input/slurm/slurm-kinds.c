/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/slurm/slurm-kinds.h"

static const char *const field_names[IOT_SLURM_FIELDS] = {
	[IOT_SLURM_ID] = "id",	     [IOT_SLURM_N_HOSTS] = "n_hosts",
	[IOT_SLURM_BAD] = "failed",  [IOT_SLURM_JOB] = "job",
	[IOT_SLURM_STEP] = "step",   [IOT_SLURM_NAME] = "name",
	[IOT_SLURM_TITLE] = "title", [IOT_SLURM_HOST] = "host",
	[IOT_SLURM_STATE] = "state", [IOT_SLURM_EXIT] = "exit",
	[IOT_SLURM_USER] = "user",   [IOT_SLURM_PARTITION] = "partition",
	[IOT_SLURM_HOSTS] = "hosts",
};

#define F(field) (1u << IOT_SLURM_##field)
enum {
	JOB = F(ID) | F(JOB) | F(TITLE) | F(NAME) | F(STATE) | F(EXIT) | F(USER) | F(PARTITION) |
	      F(N_HOSTS) | F(HOSTS) | F(BAD),
	END = F(ID),
};
#define BOTH(kind, name, fields)                                         \
	[IOT_SLURM_##kind##_START] = { "slurm", name "_start", fields }, \
	[IOT_SLURM_##kind##_END] = { "slurm", name "_end", END }

static const struct iot_made_event events[IOT_SLURM_EVENTS] = {
	BOTH(WAIT, "wait", JOB),
	BOTH(JOB, "job", JOB),
	BOTH(STEP, "step", JOB | F(STEP)),
	BOTH(HOST_JOB, "host_job", JOB | F(HOST)),
	BOTH(HOST_STEP, "host_step", JOB | F(STEP) | F(HOST)),
};

const struct iot_made_kinds iot_slurm_kinds = {
	.file = "an output of sacct",
	.event = events,
	.n_events = IOT_SLURM_EVENTS,
	.field = field_names,
	.n_fields = IOT_SLURM_FIELDS,
	.first_real = IOT_SLURM_JOB,
	.first_text = IOT_SLURM_JOB,
};
