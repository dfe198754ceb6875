/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/vcpus.h"
#include "timeline/steal.h"

#include <string.h>

static gboolean is_called(const struct iot_input *input, const char *name)
{
	return !g_strcmp0(input->info.file_name, name) || !g_strcmp0(input->info.hostname, name) ||
	       !g_strcmp0(input->node, name) || !g_strcmp0(input->name, name);
}

static const struct iot_input *find_guest(const struct iot_inputs *inputs, guint host,
					  const struct iot_vcpu *vcpu)
{
	guint n = iot_inputs_count(inputs);

	for (guint i = 0; vcpu->trace_id && i < n; i++)
		if (i != host && iot_inputs_at(inputs, i)->info.trace_id == vcpu->trace_id)
			return iot_inputs_at(inputs, i);
	for (guint i = 0; i < n; i++)
		if (i != host && is_called(iot_inputs_at(inputs, i), vcpu->guest))
			return iot_inputs_at(inputs, i);
	return NULL;
}

GArray *iot_vcpus_join(const struct iot_inputs *inputs, guint host, struct iot_timeline *tl)
{
	const struct iot_input_info *info = &iot_inputs_at(inputs, host)->info;
	GArray *joined = g_array_new(FALSE, FALSE, sizeof(struct iot_model_vcpu));

	for (guint i = 0; i < info->n_vcpus; i++) {
		const struct iot_vcpu *vcpu = &info->vcpus[i];
		const struct iot_input *guest = find_guest(inputs, host, vcpu);
		g_autofree char *stranger = g_strconcat("guest ", vcpu->guest, NULL);
		struct iot_model_vcpu model = { .pid = vcpu->pid, .cpu = vcpu->cpu };

		if (vcpu->pid < 0)
			continue;
		model.node = iot_intern_str(tl->strings, guest ? guest->node : stranger);
		model.node_name = iot_intern_str(tl->strings, guest ? guest->name : stranger);
		g_array_append_val(joined, model);
	}
	return joined;
}

struct iot_steal *iot_vcpus_steal(const struct iot_inputs *inputs, struct iot_timeline *tl)
{
	const struct iot_model_input *known = iot_inputs_for_models(inputs);
	struct iot_steal *steal = iot_steal_new(tl);
	guint n = iot_inputs_count(inputs);

	for (guint i = 0; steal && i < n; i++)
		for (guint k = 0; k < known[i].n_vcpus; k++)
			iot_steal_add_cpu(steal, known[i].vcpus[k].node, known[i].vcpus[k].cpu);
	for (guint i = 0; steal && i < n; i++) {
		const struct iot_source *source = iot_inputs_at(inputs, i)->source;

		for (guint run = 0; run < known[i].n_runs; run++)
			iot_steal_add_run(steal, known[i].node, source->ops->cpu(source, run));
	}
	return steal;
}
