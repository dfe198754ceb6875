/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and fields of the events that jobs of Slurm become (docs/formats/slurm.md). */
#ifndef IOT_INPUT_SLURM_KINDS_H
#define IOT_INPUT_SLURM_KINDS_H

#include "input/made-events.h"

/* The end of each is the next one. */
enum iot_slurm_made {
	IOT_SLURM_WAIT_START, /* a job is submitted */
	IOT_SLURM_WAIT_END,
	IOT_SLURM_JOB_START,
	IOT_SLURM_JOB_END,
	IOT_SLURM_STEP_START,
	IOT_SLURM_STEP_END,
	IOT_SLURM_HOST_JOB_START, /* a job on one of its hosts */
	IOT_SLURM_HOST_JOB_END,
	IOT_SLURM_HOST_STEP_START,
	IOT_SLURM_HOST_STEP_END,
	IOT_SLURM_EVENTS
};

enum iot_slurm_field {
	IOT_SLURM_ID, /* start and end have it in common, and no others */
	IOT_SLURM_N_HOSTS,
	IOT_SLURM_BAD,	/* 1: it failed, by its state */
	IOT_SLURM_JOB,	/* "12", "12_3"; numbers of texts from here on */
	IOT_SLURM_STEP, /* "batch", "0" */
	IOT_SLURM_NAME,
	IOT_SLURM_TITLE, /* of the job: "12 NAME" */
	IOT_SLURM_HOST,
	IOT_SLURM_STATE, /* "COMPLETED" */
	IOT_SLURM_EXIT,	 /* "1:0" */
	IOT_SLURM_USER,
	IOT_SLURM_PARTITION,
	IOT_SLURM_HOSTS, /* as in the file: "node[01-03,7]" */
	IOT_SLURM_FIELDS
};

/** iot_slurm_kinds - names and fields of these events */
extern const struct iot_made_kinds iot_slurm_kinds;

#endif
