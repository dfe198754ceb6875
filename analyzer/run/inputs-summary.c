/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/inputs-summary.h"
#include "run/names-file.h"
#include "run/look/clocks.h"
#include "run/look/nodes.h"

static const struct iot_input_info *info_at(const struct iot_inputs *inputs, guint index)
{
	return &iot_inputs_at(inputs, index)->info;
}

/* Mark the rows whose clock was measured in another session than that of most. */
static void compare_clocks(const struct iot_inputs *inputs, struct iot_summary_input *rows,
			   struct iot_diag *diag)
{
	guint n = iot_inputs_count(inputs);
	struct iot_clock_group group = iot_inputs_clock_group(inputs);
	guint n_compared = 0;

	/* what marks place has the clock of its machine's other recording */
	for (guint i = 0; i < n; i++)
		n_compared += !info_at(inputs, i)->machine &&
			      g_strcmp0(info_at(inputs, i)->protocol, IOT_CLOCK_CHANGE_MARKS) != 0;
	for (guint i = 0; i < n; i++) {
		const struct iot_input_info *info = info_at(inputs, i);
		guint64 id = iot_inputs_session(info);

		if (iot_inputs_clock_stated(info) || info->machine)
			continue;
		if (n_compared > 1 && info->sync == IOT_SYNC_NO)
			iot_diag_add(diag, IOT_DIAG_clock_unsynchronised, 1);
		if (g_strcmp0(info->clock, group.clock))
			iot_diag_add(diag, IOT_DIAG_clock_differs, 1);
		rows[i].other_session = id && id != group.session;
		if (rows[i].other_session)
			iot_diag_add(diag, IOT_DIAG_peer_differs, 1);
	}
}

/* Each recording of a session has a trace id of its own. */
static void count_copies(const struct iot_inputs *inputs, struct iot_diag *diag)
{
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const struct iot_input_info *info = info_at(inputs, i);
		gboolean found = FALSE;

		for (guint j = 0; j < i && info->trace_id; j++)
			found |= info->trace_id == info_at(inputs, j)->trace_id &&
				 !g_strcmp0(info->hostname, info_at(inputs, j)->hostname);
		if (found)
			iot_diag_add(diag, IOT_DIAG_same_recording, 1);
	}
}

static gboolean are_disjoint(const struct iot_input_info *a, const struct iot_input_info *b)
{
	return (!a->goes_on && b->first_ns > a->last_ns) ||
	       (!b->goes_on && b->last_ns < a->first_ns);
}

/* Inputs that have no instant in common with the one that overlaps with the most others. */
static void count_disjoint(const struct iot_inputs *inputs, struct iot_diag *diag)
{
	guint n = iot_inputs_count(inputs), fewest = n;

	for (guint i = 0; i < n; i++) {
		guint disjoint = 0;

		if (!info_at(inputs, i)->has_times || info_at(inputs, i)->machine)
			continue;
		for (guint k = 0; k < n; k++)
			disjoint += info_at(inputs, k)->has_times && !info_at(inputs, k)->machine &&
				    are_disjoint(info_at(inputs, i), info_at(inputs, k));
		fewest = MIN(fewest, disjoint);
	}
	iot_diag_add(diag, IOT_DIAG_clock_disjoint, fewest == n ? 0 : fewest);
}

static const char *sync_text(enum iot_sync sync)
{
	static const char *const texts[] = { "unknown", "no", "yes", "host" };

	return texts[sync];
}

static void fill_row(const struct iot_inputs *inputs, guint index, struct iot_summary_input *row)
{
	const struct iot_input *input = iot_inputs_at(inputs, index);
	const char *found = iot_facts_node(iot_inputs_facts(inputs), index);
	const struct iot_input_info *info = &input->info;

	*row = (struct iot_summary_input){
		.path = info->path,
		.node = input->name,
		.hostname = info->hostname,
		.kernel = info->kernel,
		.format = info->format,
		.clock = info->clock,
		.protocol = info->protocol,
		.sync = sync_text(info->sync),
		.n_cpus = info->n_cpus,
		.n_samples = info->n_samples,
		.n_events = info->n_events,
		.n_lost = info->n_lost,
		.has_times = info->has_times,
		.first_ns = info->first_ns,
		.last_ns = info->last_ns,
		.damaged = info->damaged,
		.goes_on = info->goes_on,
		.messages_name = iot_nodes_contradict(input->node, found) ? found : NULL,
		.host_name_shared = input->host_name_shared,
	};
	if (info->diag)
		row->diag = *info->diag;
}

/* With one input there is nothing to compare its times with. */
static void count_facts(const struct iot_clock_facts *facts, struct iot_diag *diag)
{
	iot_diag_add(diag, IOT_DIAG_clock_error_widened, facts->error_widened);
	iot_diag_add(diag, IOT_DIAG_clock_rate_widened, facts->rate_widened);
	iot_diag_add(diag, IOT_DIAG_clock_drift, facts->drift_impossible);
}

static void summarise_names(const struct iot_names_file *names, const struct iot_inputs *inputs,
			    const struct iot_timeline *tl, struct iot_summary_input *rows,
			    struct iot_summary *summary)
{
	guint n = iot_inputs_count(inputs);
	g_autofree const char **nodes = g_new0(const char *, n + 1);
	GPtrArray *unused;

	if (!names)
		return;
	for (guint i = 0; i < n; i++) {
		nodes[i] = iot_inputs_at(inputs, i)->node;
		rows[i].above = iot_names_file_above(names, nodes[i]);
	}
	unused = iot_names_file_unused(names, nodes, tl);
	iot_diag_add(&summary->diag, IOT_DIAG_names_unused, unused->len);
	summary->names = iot_names_file_path(names);
	summary->names_unused = unused;
}

void iot_inputs_summarise(const struct iot_options *options, const struct iot_inputs *inputs,
			  const struct iot_guest_entries *entries, const struct iot_timeline *tl,
			  struct iot_summary *summary)
{
	guint n = iot_inputs_count(inputs);
	struct iot_summary_input *rows = g_new0(struct iot_summary_input, MAX(n, 1));

	for (guint i = 0; i < n; i++) {
		fill_row(inputs, i, &rows[i]);
		rows[i].clock_facts = *iot_clocks_facts(tl->clocks, i);
		iot_guest_entries_counts(entries, i, &rows[i].n_in_guest, &rows[i].n_not_in_guest);
		if (n > 1)
			count_facts(&rows[i].clock_facts, &summary->diag);
		iot_diag_merge(&summary->diag, &rows[i].diag);
		iot_diag_add(&summary->diag, IOT_DIAG_map_contradicted,
			     rows[i].messages_name != NULL);
		iot_diag_add(&summary->diag, IOT_DIAG_host_name_shared, rows[i].host_name_shared);
		iot_diag_add(&summary->diag, IOT_DIAG_recording_ends_early,
			     iot_inputs_at(inputs, i)->ended && !iot_inputs_at(inputs, i)->goes_on);
		iot_diag_add(&summary->diag, IOT_DIAG_recording_begins_late,
			     iot_inputs_at(inputs, i)->late_begin_ns != G_MAXUINT64);
	}
	iot_diag_add(&summary->diag, IOT_DIAG_sync_lines_unused, iot_inputs_sync_unused(inputs));
	iot_diag_add(&summary->diag, IOT_DIAG_clock_set_back, iot_inputs_marks_back(inputs));
	compare_clocks(inputs, rows, &summary->diag);
	count_copies(inputs, &summary->diag);
	count_disjoint(inputs, &summary->diag);
	summarise_names(options->names, inputs, tl, rows, summary);
	summary->inputs = rows;
	summary->n_inputs = n;
}

void iot_inputs_summary_free(struct iot_summary *summary)
{
	for (guint i = 0; summary->inputs && i < summary->n_inputs; i++)
		g_free(summary->inputs[i].above);
	g_free((gpointer)summary->inputs);
	if (summary->names_unused)
		g_ptr_array_unref((GPtrArray *)summary->names_unused);
	summary->names_unused = NULL;
	summary->inputs = NULL;
}
