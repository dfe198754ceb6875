/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/cut-files.h"
#include "base/out.h"
#include "base/units.h"
#include "timeline/certainty.h"

#include <string.h>

/* A machine. */
struct machine {
	char *node, *file;
	char *hostname, *kernel;
	GHashTable *commands; /* pid -> name */
	enum iot_sync sync;
	gboolean nothing_before, nothing_after;
	GArray *knots; /* struct iot_clock_knot */
	guint first_run;
	guint64 first_seen_ns, seen_ns;
};

struct iot_cut_files {
	GArray *machines; /* struct machine, by input */
	GArray *events;	  /* struct iot_cut_event */
};

/* An event that no model knows. Its time counts as one of the recording. */
static const char mark[] = "iotrace:recorded";

static void clear_machine(gpointer data)
{
	struct machine *machine = data;

	g_free(machine->node);
	g_free(machine->file);
	g_free(machine->hostname);
	g_free(machine->kernel);
	g_hash_table_unref(machine->commands);
	g_array_unref(machine->knots);
}

static void clear_event(gpointer data)
{
	g_free(((struct iot_cut_event *)data)->text);
}

static char *one_line(const char *text)
{
	return text && *text ? iot_escape_bytes(text, strlen(text)) : NULL;
}

static void add_commands(struct machine *machine, const char *saved)
{
	g_auto(GStrv) lines = g_strsplit(saved ? saved : "", "\n", -1);

	for (guint i = 0; lines[i]; i++) {
		char *name;
		gint64 pid = g_ascii_strtoll(lines[i], &name, 10);

		name = g_strstrip(name);
		if (*name)
			g_hash_table_replace(machine->commands, GINT_TO_POINTER((gint)pid),
					     one_line(name));
	}
}

/* A name of a file that stands for the node, and is no other one's. */
static char *file_name(const struct iot_cut_files *files, const char *node)
{
	g_autofree char *word =
		g_strcanon(g_strdup(node), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-", '_');
	char *name = g_strdup_printf("node-%s.txt", word);

	for (guint i = 0; i < files->machines->len; i++) {
		if (strcmp(g_array_index(files->machines, struct machine, i).file, name))
			continue;
		g_free(name);
		return g_strdup_printf("node-%s-%u.txt", word, files->machines->len);
	}
	return name;
}

static void add_machine(struct iot_cut_files *files, const struct iot_input *input,
			const struct iot_clock_facts *facts, guint first_run)
{
	struct machine machine = {
		.node = g_strdup(input->node),
		.file = file_name(files, input->node),
		.hostname = one_line(input->info.hostname),
		.kernel = one_line(input->info.kernel),
		.commands = g_hash_table_new_full(NULL, NULL, NULL, g_free),
		.knots = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_knot)),
		.sync = input->info.sync,
		.nothing_before = input->info.nothing_before,
		.nothing_after = input->info.nothing_after,
		.first_run = first_run,
		.first_seen_ns = input->info.first_seen_ns,
		.seen_ns = input->info.seen_ns,
	};

	add_commands(&machine, input->info.commands);
	if (facts->knots)
		g_array_append_vals(machine.knots, facts->knots->data, facts->knots->len);
	g_array_append_val(files->machines, machine);
}

struct iot_cut_files *iot_cut_files_new(const struct iot_pass *pass)
{
	struct iot_cut_files *files = g_new0(struct iot_cut_files, 1);
	guint first_run = 0;

	files->machines = g_array_new(FALSE, FALSE, sizeof(struct machine));
	g_array_set_clear_func(files->machines, clear_machine);
	files->events = g_array_new(FALSE, FALSE, sizeof(struct iot_cut_event));
	g_array_set_clear_func(files->events, clear_event);
	for (guint i = 0; i < iot_inputs_count(pass->at.inputs); i++) {
		const struct iot_input *input = iot_inputs_at(pass->at.inputs, i);

		add_machine(files, input, iot_clocks_facts(pass->at.tl->clocks, i), first_run);
		first_run += input->source->ops->n_runs(input->source);
	}
	return files;
}

void iot_cut_files_free(struct iot_cut_files *files)
{
	if (!files)
		return;
	g_array_unref(files->events);
	g_array_unref(files->machines);
	g_free(files);
}

GArray *iot_cut_files_events(struct iot_cut_files *files)
{
	return files->events;
}

/* ---- events */

/* With a point or an exponent, so that the text is read as a real number. */
static void put_real(GString *text, gdouble real)
{
	char digits[IOT_REAL_ROOM];

	g_string_append(text, iot_real_text(digits, real));
	if (!strpbrk(digits, ".e"))
		g_string_append(text, ".0");
}

static void put_value(GString *text, const struct iot_timeline *tl, enum iot_slot_type type,
		      union iot_val value)
{
	g_autofree char *quoted = NULL;
	const char *data;
	gsize len;

	if (type == IOT_SLOT_INT) {
		g_string_append_printf(text, "%" G_GINT64_FORMAT, value.i);
	} else if (type == IOT_SLOT_UINT) {
		/* decimal numbers are signed */
		g_string_append_printf(text,
				       value.u > G_MAXINT64 ? "0x%" G_GINT64_MODIFIER "x"
							    : "%" G_GUINT64_FORMAT,
				       value.u);
	} else if (type == IOT_SLOT_REAL) {
		put_real(text, iot_real_of(value.u));
	} else {
		data = iot_intern_get(tl->strings, (guint32)value.u, &len);
		quoted = iot_quote_bytes(data, len);
		g_string_append(text, quoted);
	}
}

/* Whether another slot has the number that a model means by this one. */
static gboolean has_number(const struct iot_schema_event *event, const struct iot_rec *rec,
			   guint slot)
{
	for (guint i = 0; i < event->n_fields; i++)
		if (event->field[i].numbers && rec->event->slot_type[i] != IOT_SLOT_ABSENT &&
		    (event->field[slot].numbers ? i < slot : event->field[i].from == (int)slot) &&
		    (!event->field[slot].numbers ||
		     event->field[i].from == event->field[slot].from))
			return TRUE;
	return FALSE;
}

static char *event_text(const struct iot_pass *pass, const struct iot_rec *rec)
{
	struct iot_schema_event *event =
		iot_models_schema(pass->at.models)->events->pdata[rec->event->index];
	GString *text = g_string_new(NULL);

	if (*event->system)
		g_string_append_printf(text, "%s:", event->system);
	g_string_append(text, event->name);
	for (guint slot = 0; slot < rec->event->n_slots; slot++) {
		enum iot_slot_type type = rec->event->slot_type[slot];
		int from = event->field[slot].numbers ? event->field[slot].from : (int)slot;
		const char *name = event->field[from].name;

		/* text has the numbers of the model */
		if (has_number(event, rec, slot))
			continue;
		/* the process is the third word of the line */
		if (type == IOT_SLOT_ABSENT || !strcmp(name, "common_pid"))
			continue;
		g_string_append_printf(text, " %s=", name);
		put_value(text, pass->at.tl, type, rec->slot[slot]);
	}
	return g_string_free(text, FALSE);
}

void iot_cut_files_add(struct iot_cut_files *files, const struct iot_pass *pass,
		       const struct iot_rec *rec, guint64 shift, guint8 distance)
{
	const struct iot_source *source = iot_inputs_at(pass->at.inputs, rec->event->input)->source;
	const struct machine *machine =
		&g_array_index(files->machines, struct machine, rec->event->input);
	struct iot_cut_event event = {
		.ts = rec->ts - shift,
		.input = rec->event->input,
		.cpu = source->ops->cpu(source, rec->run - machine->first_run),
		.pid = rec->pid,
		.distance = distance,
	};

	if (rec->event->index == IOT_EVENT_GAP_END)
		return;
	if (rec->event->index == IOT_EVENT_GAP_BEGIN) {
		event.lost = rec->slot[IOT_GAP_LOST].u;
		event.until = rec->slot[IOT_GAP_OTHER_END].u;
	} else {
		event.text = event_text(pass, rec);
	}
	g_array_append_val(files->events, event);
}

void iot_cut_files_edges(struct iot_cut_files *files, const struct iot_pass *pass, guint8 distance)
{
	for (guint i = 0; i < files->machines->len; i++) {
		const struct iot_input *input = iot_inputs_at(pass->at.inputs, i);
		struct iot_cut_event event = {
			.ts = input->info.first_ns,
			.input = i,
			.distance = distance,
		};

		if (!input->used || !input->info.has_times)
			continue;
		event.cpu = input->source->ops->cpu(input->source, 0);
		event.text = g_strdup(mark);
		g_array_prepend_val(files->events, event);
		event.ts = MAX(input->info.last_ns, input->info.end_ns);
		event.text = g_strdup(mark);
		g_array_append_val(files->events, event);
	}
}

/* ---- writing */

static void put_errors(iot_out *out, const GArray *knots, guint64 first_ns, guint64 last_ns)
{
	for (guint i = 0; i < knots->len; i++) {
		const struct iot_clock_knot *knot = &g_array_index(knots, struct iot_clock_knot, i);

		/* the bound between two knots needs both */
		if ((i + 1 < knots->len && knot[1].ns <= first_ns) || (i && knot[-1].ns >= last_ns))
			continue;
		iot_out_printf(out, "error %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
			       knot->bound_ns, knot->ns);
	}
}

/* The times of the kept events of an input; FALSE: there are none. */
static gboolean find_times(const struct iot_cut_files *files, guint input, guint64 *out_first,
			   guint64 *out_last)
{
	*out_first = G_MAXUINT64;
	*out_last = 0;
	for (guint i = 0; i < files->events->len; i++) {
		const struct iot_cut_event *event =
			&g_array_index(files->events, struct iot_cut_event, i);

		if (!event->kept || event->input != input)
			continue;
		*out_first = MIN(*out_first, event->ts);
		*out_last = MAX(*out_last, event->ts);
	}
	return *out_first <= *out_last;
}

static void put_head(iot_out *out, const struct machine *machine)
{
	gboolean known = machine->knots->len > 0;

	iot_out_puts(out, "iotrace-text 1\n");
	if (machine->hostname)
		iot_out_printf(out, "hostname %s\n", machine->hostname);
	if (machine->kernel)
		iot_out_printf(out, "kernel %s\n", machine->kernel);
	iot_out_printf(out, "sync %s\n",
		       machine->sync == IOT_SYNC_HOST ? "host"
		       : known			      ? "yes"
						      : "no");
	if (machine->nothing_before || machine->nothing_after)
		iot_out_printf(out, "complete %s\n",
			       !machine->nothing_before	 ? "end"
			       : !machine->nothing_after ? "begin"
							 : "yes");
	if (machine->first_seen_ns)
		iot_out_printf(out, "sample %" G_GUINT64_FORMAT "\n", machine->first_seen_ns);
	if (machine->seen_ns)
		iot_out_printf(out, "sample %" G_GUINT64_FORMAT "\n", machine->seen_ns);
}

static void put_commands(iot_out *out, const struct iot_cut_files *files, guint input)
{
	const struct machine *machine = &g_array_index(files->machines, struct machine, input);
	g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < files->events->len; i++) {
		const struct iot_cut_event *event =
			&g_array_index(files->events, struct iot_cut_event, i);
		const char *name;

		if (!event->kept || event->input != input || event->pid <= 0 ||
		    !g_hash_table_add(written, GINT_TO_POINTER(event->pid)))
			continue;
		name = g_hash_table_lookup(machine->commands, GINT_TO_POINTER(event->pid));
		if (name)
			iot_out_printf(out, "command %d %s\n", event->pid, name);
	}
}

static void put_event(iot_out *out, const struct iot_cut_event *event)
{
	g_autofree char *at = g_strdup_printf("%" G_GUINT64_FORMAT " %u", event->ts, event->cpu);

	if (event->text) {
		iot_out_printf(out, "%s %d %s\n", at, event->pid, event->text);
		return;
	}
	/* the gap is between the two neighbours on its CPU */
	iot_out_printf(out, "%s 0 %s\n%s - LOST ", at, mark, at);
	if (event->lost == G_MAXUINT64)
		iot_out_puts(out, "?\n");
	else
		iot_out_printf(out, "%" G_GUINT64_FORMAT "\n", event->lost);
	if (event->until != G_MAXUINT64)
		iot_out_printf(out, "%" G_GUINT64_FORMAT " %u 0 %s\n", event->until, event->cpu,
			       mark);
}

static gboolean write_machine(const struct iot_cut_files *files, guint input, const char *path,
			      gboolean clocks, GError **error)
{
	const struct machine *machine = &g_array_index(files->machines, struct machine, input);
	g_autoptr(iot_out) out = iot_out_open_small(path, error);
	guint64 first_ns, last_ns;

	if (!out)
		return FALSE;
	put_head(out, machine);
	if (clocks && find_times(files, input, &first_ns, &last_ns))
		put_errors(out, machine->knots, first_ns, last_ns);
	put_commands(out, files, input);
	for (guint i = 0; i < files->events->len; i++) {
		const struct iot_cut_event *event =
			&g_array_index(files->events, struct iot_cut_event, i);

		if (event->kept && event->input == input)
			put_event(out, event);
	}
	return iot_out_finish(out, error);
}

gboolean iot_cut_files_write(const struct iot_cut_files *files, const char *folder, gboolean clocks,
			     struct iot_options *options, GError **error)
{
	g_ptr_array_set_size(options->inputs, 0);
	g_ptr_array_set_size(options->mappings, 0);
	for (guint i = 0; i < files->machines->len; i++) {
		const struct machine *machine = &g_array_index(files->machines, struct machine, i);
		struct iot_mapping *mapping;
		guint64 first_ns, last_ns;
		char *path;

		if (!find_times(files, i, &first_ns, &last_ns))
			continue;
		path = g_build_filename(folder, machine->file, NULL);
		g_ptr_array_add(options->inputs, path);
		mapping = g_new0(struct iot_mapping, 1);
		mapping->node = g_strdup(machine->node);
		mapping->what = g_strdup(path);
		g_ptr_array_add(options->mappings, mapping);
		if (!write_machine(files, i, path, clocks, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_cut_files_describe(const char *folder, const struct iot_options *options,
				GError **error)
{
	g_autofree char *path = g_build_filename(folder, "recording.json", NULL);
	g_autoptr(iot_out) out = iot_out_open_small(path, error);

	if (!out)
		return FALSE;
	iot_out_puts(out, "{\"machines\": [");
	for (guint i = 0; i < options->mappings->len; i++) {
		const struct iot_mapping *mapping = options->mappings->pdata[i];
		g_autofree char *file = g_path_get_basename(mapping->what);
		g_autofree char *plain = one_line(mapping->node);
		g_autofree char *node = iot_quote_bytes(plain, strlen(plain));

		iot_out_printf(out, "%s\n\t{\"node\": %s, \"file\": \"%s\"}", i ? "," : "", node,
			       file);
	}
	iot_out_puts(out, "\n]}\n");
	return iot_out_finish(out, error);
}
