/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which thread of a host is which CPU of which node: the map in the host's recording, joined with
 * the recordings of the guests.
 *
 * A model with "needs = vcpus" (kvm.model) gets them as key tables ("from = vcpu node") and draws
 * the states of the virtual CPUs on the nodes; it knows no format, and the C code knows no event
 * of the scheduler. The host is no node: a recording with virtual CPUs of which the other models
 * know no other events does not decide when the timeline begins and ends (sets_range), and
 * timeline/emit.c cuts its states before and after, as at the edges of a window. Events that mean
 * something to such a model only under a condition on these tables (iot_model_of_vcpus) do not come
 * to it from recordings that name no virtual CPU.
 */
#ifndef IOT_RUN_LOOK_VCPUS_H
#define IOT_RUN_LOOK_VCPUS_H

#include "run/inputs.h"

/**
 * iot_vcpus_join - the virtual CPUs that an input names, with the nodes of their guests
 * @host: position of the input
 *
 * A guest is the input with the trace id that the host's recording names, else the input whose file
 * or host has the guest's name, or that --map calls so; else it is a node of its own, "guest NAME".
 * CPUs of which no thread is known are left out. Returns an array of struct iot_model_vcpu, which
 * the caller frees.
 */
GArray *iot_vcpus_join(const struct iot_inputs *inputs, guint host, struct iot_timeline *tl);

/** iot_vcpus_steal - what says how long virtual CPUs were stolen, after the inputs were bound; NULL
 * if no model draws their states; the caller frees */
struct iot_steal *iot_vcpus_steal(const struct iot_inputs *inputs, struct iot_timeline *tl);

#endif
