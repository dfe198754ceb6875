/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/guest-entries.h"
#include "input/made-events.h"

/* A virtual CPU, as the host tells of it. */
struct vcpu {
	guint host;
	gint32 pid;
	iot_str node;
	guint32 cpu;
	gboolean known, inside;
	guint64 changed_ns; /* of the last entry or exit */
};

/* The events that a recording of the guest has of one of its virtual CPUs, since the host's last
 * event about it. */
struct view {
	struct vcpu *vcpu;
	guint64 inside, outside;
	guint64 at_ns, n_at; /* of those outside: how many are of the last instant */
};

/* A recording of a guest. */
struct guest {
	GArray *views; /* of struct view; NULL: it is none */
	guint64 inside, outside;
};

struct iot_guest_entries {
	GPtrArray *vcpus;   /* of struct vcpu */
	GHashTable *by_pid; /* host and pid -> struct vcpu */
	struct guest *guests;
	guint n_inputs;
	const GArray *run_cpus;
	guint entry, exit; /* numbers of events */
	guint64 from_ns, to_ns;
};

static gpointer key_of(guint input, gint32 pid)
{
	return GSIZE_TO_POINTER((gsize)input << 32 | (guint32)pid);
}

static void find_vcpus(struct iot_guest_entries *own, const struct iot_model_input *known)
{
	for (guint i = 0; i < own->n_inputs; i++)
		for (guint k = 0; k < known[i].n_vcpus; k++) {
			const struct iot_model_vcpu *from = &known[i].vcpus[k];
			struct vcpu *vcpu = g_new0(struct vcpu, 1);

			*vcpu = (struct vcpu){
				.host = i, .pid = from->pid, .node = from->node, .cpu = from->cpu
			};
			g_ptr_array_add(own->vcpus, vcpu);
			g_hash_table_insert(own->by_pid, key_of(i, from->pid), vcpu);
		}
}

/* The virtual CPUs whose events the input has, if its events name CPUs. */
static void find_views(struct iot_guest_entries *own, const struct iot_inputs *inputs,
		       const struct iot_model_input *known, guint input)
{
	const struct iot_source *source = iot_inputs_at(inputs, input)->source;
	struct guest *guest = &own->guests[input];

	if (source->ops->cpu == iot_made_cpu || known[input].n_vcpus)
		return;
	for (guint i = 0; i < own->vcpus->len; i++) {
		struct view view = { .vcpu = own->vcpus->pdata[i] };

		if (view.vcpu->node != known[input].node)
			continue;
		if (!guest->views)
			guest->views = g_array_new(FALSE, FALSE, sizeof(struct view));
		g_array_append_val(guest->views, view);
	}
}

struct iot_guest_entries *iot_guest_entries_new(const struct iot_inputs *inputs,
						const struct iot_timeline *tl,
						const struct iot_schema *schema, guint64 from_ns,
						guint64 to_ns)
{
	const struct iot_schema_event *entry = iot_schema_find(schema, "kvm", "kvm_entry");
	const struct iot_schema_event *exit = iot_schema_find(schema, "kvm", "kvm_exit");
	const struct iot_model_input *known = iot_inputs_for_models(inputs);
	struct iot_guest_entries *own;

	if (!entry || !exit)
		return NULL;
	own = g_new0(struct iot_guest_entries, 1);
	own->vcpus = g_ptr_array_new_with_free_func(g_free);
	own->by_pid = g_hash_table_new(NULL, NULL);
	own->n_inputs = iot_inputs_count(inputs);
	own->guests = g_new0(struct guest, own->n_inputs + 1);
	own->run_cpus = tl->run_cpus;
	own->entry = entry->index;
	own->exit = exit->index;
	own->from_ns = from_ns;
	own->to_ns = to_ns;
	find_vcpus(own, known);
	for (guint i = 0; i < own->n_inputs; i++)
		find_views(own, inputs, known, i);
	if (own->vcpus->len)
		return own;
	iot_guest_entries_free(own);
	return NULL;
}

void iot_guest_entries_free(struct iot_guest_entries *own)
{
	if (!own)
		return;
	for (guint i = 0; i < own->n_inputs; i++)
		if (own->guests[i].views)
			g_array_unref(own->guests[i].views);
	g_free(own->guests);
	g_hash_table_unref(own->by_pid);
	g_ptr_array_unref(own->vcpus);
	g_free(own);
}

/* The events since the host's last event about the virtual CPU count, or are forgotten. */
static void settle(struct iot_guest_entries *own, const struct vcpu *vcpu, gboolean counts)
{
	for (guint i = 0; i < own->n_inputs; i++) {
		struct guest *guest = &own->guests[i];

		for (guint k = 0; guest->views && k < guest->views->len; k++) {
			struct view *view = &g_array_index(guest->views, struct view, k);

			if (view->vcpu != vcpu)
				continue;
			guest->inside += counts ? view->inside : 0;
			guest->outside += counts ? view->outside : 0;
			*view = (struct view){ .vcpu = view->vcpu };
		}
	}
}

/* An event at the instant of an entry, which the merge has delivered before it, is inside. */
static void take_in(struct iot_guest_entries *own, const struct vcpu *vcpu, guint64 ns)
{
	for (guint i = 0; i < own->n_inputs; i++) {
		struct guest *guest = &own->guests[i];

		for (guint k = 0; guest->views && k < guest->views->len; k++) {
			struct view *view = &g_array_index(guest->views, struct view, k);

			if (view->vcpu != vcpu || view->at_ns != ns)
				continue;
			view->outside -= view->n_at;
			view->inside += view->n_at;
			view->n_at = 0;
		}
	}
}

static void host_event(struct iot_guest_entries *own, const struct iot_rec *rec)
{
	struct vcpu *vcpu = g_hash_table_lookup(own->by_pid, key_of(rec->event->input, rec->pid));

	if (!vcpu)
		return;
	if (rec->event->index == own->entry)
		take_in(own, vcpu, rec->ts);
	settle(own, vcpu, vcpu->known);
	vcpu->known = TRUE;
	vcpu->inside = rec->event->index == own->entry;
	vcpu->changed_ns = rec->ts;
}

static void guest_event(struct iot_guest_entries *own, struct guest *guest,
			const struct iot_rec *rec)
{
	guint32 cpu = g_array_index(own->run_cpus, guint32, rec->run);

	if (rec->ts < own->from_ns)
		return;
	for (guint i = 0; i < guest->views->len; i++) {
		struct view *view = &g_array_index(guest->views, struct view, i);

		if (view->vcpu->cpu != cpu)
			continue;
		/* an exit of this instant comes after it */
		if (view->vcpu->inside || view->vcpu->changed_ns == rec->ts) {
			view->inside++;
			continue;
		}
		view->n_at = view->at_ns == rec->ts ? view->n_at + 1 : 1;
		view->at_ns = rec->ts;
		view->outside++;
	}
}

void iot_guest_entries_record(struct iot_guest_entries *own, const struct iot_rec *rec)
{
	struct guest *guest = &own->guests[rec->event->input];

	if (rec->ts > own->to_ns)
		return;
	if (rec->event->index == own->entry || rec->event->index == own->exit)
		host_event(own, rec);
	else if (guest->views)
		guest_event(own, guest, rec);
}

void iot_guest_entries_gap(struct iot_guest_entries *own, guint input)
{
	for (guint i = 0; i < own->vcpus->len; i++) {
		struct vcpu *vcpu = own->vcpus->pdata[i];

		if (vcpu->host != input)
			continue;
		settle(own, vcpu, FALSE);
		vcpu->known = FALSE;
	}
}

void iot_guest_entries_counts(const struct iot_guest_entries *own, guint input, guint64 *out_inside,
			      guint64 *out_outside)
{
	*out_inside = own ? own->guests[input].inside : 0;
	*out_outside = own ? own->guests[input].outside : 0;
}

void iot_guest_entries_save(const struct iot_guest_entries *own, GByteArray *out)
{
	for (guint i = 0; i < own->vcpus->len; i++) {
		const struct vcpu *vcpu = own->vcpus->pdata[i];

		iot_pack_uint(out, vcpu->known);
		iot_pack_uint(out, vcpu->inside);
		iot_pack_uint(out, vcpu->changed_ns);
	}
}

void iot_guest_entries_load(struct iot_guest_entries *own, struct iot_unpack *in)
{
	for (guint i = 0; i < own->vcpus->len; i++) {
		struct vcpu *vcpu = own->vcpus->pdata[i];

		vcpu->known = (gboolean)iot_unpack_uint(in, 1);
		vcpu->inside = (gboolean)iot_unpack_uint(in, 1);
		vcpu->changed_ns = iot_unpack_uint(in, G_MAXUINT64);
	}
}
