/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/inputs-local.h"
#include "input/clock-marks.h"
#include "run/look/clock-sync.h"
#include "run/model-path.h"
#include "run/names-file.h"
#include "run/look/nodes.h"
#include "run/look/survey.h"
#include "base/error.h"
#include "input/kept.h"

#include <string.h>
#include <sys/stat.h>

/* Bytes of unpacked chunks that are kept from the opening and the first look to the pass. */
enum { KEPT_EACH = 1 << 20, KEPT_ALL = 4 << 20 };

/* ---- opening and naming */

/* The same file twice would count everything twice. */
static gboolean check_not_twice(const GPtrArray *paths, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		struct stat a, b;

		if (stat(paths->pdata[i], &a) < 0)
			continue;
		for (guint j = 0; j < i; j++) {
			if (stat(paths->pdata[j], &b) < 0 || a.st_dev != b.st_dev ||
			    a.st_ino != b.st_ino)
				continue;
			g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
				    "%s is given twice (as %s); name each file once",
				    (char *)paths->pdata[i], (char *)paths->pdata[j]);
			return FALSE;
		}
	}
	return TRUE;
}

static guint n_runs(const struct iot_input *input)
{
	return input->source->ops->n_runs(input->source);
}

/* Make room for @n inputs. */
static void reserve(struct iot_inputs *inputs, guint n)
{
	if (n <= inputs->n)
		return;
	inputs->input = g_renew(struct iot_input, inputs->input, n);
	inputs->for_models = g_renew(struct iot_model_input, inputs->for_models, n);
	memset(&inputs->input[inputs->n], 0, (n - inputs->n) * sizeof(*inputs->input));
	memset(&inputs->for_models[inputs->n], 0, (n - inputs->n) * sizeof(*inputs->for_models));
	inputs->n = n;
}

/* Each machine of a recording of several is an input after those of all files. */
static void open_machines(struct iot_inputs *inputs, guint recording, guint *n)
{
	struct iot_source *whole = inputs->input[recording].source, *source;

	for (guint i = 1; (source = iot_source_of_machine(whole, i, *n)); i++) {
		reserve(inputs, *n + 1);
		inputs->input[*n].source = source;
		inputs->input[*n].recording = recording;
		++*n;
	}
}

/* @clock: the user's statements about each input; or NULL */
static gboolean open_all(struct iot_inputs *inputs, const struct iot_options *options,
			 const struct iot_clock_change *clock, GError **error)
{
	guint n_files = options->inputs->len, n = n_files, before = inputs->n;

	reserve(inputs, n);
	inputs->n_runs = 0;
	for (guint i = 0; i < n_files; i++) {
		struct iot_input_spec spec = {
			.path = options->inputs->pdata[i],
			.input = i,
			.first_run = inputs->n_runs,
			.clock = clock ? &clock[i] : NULL,
		};

		if (!inputs->input[i].kept)
			inputs->input[i].kept = iot_kept_new(MIN(KEPT_EACH, KEPT_ALL / n_files));
		spec.kept = inputs->input[i].kept;
		inputs->input[i].recording = i;
		inputs->input[i].source = iot_source_open(options->reader, &spec, error);
		if (!inputs->input[i].source)
			return FALSE;
		inputs->n_runs += n_runs(&inputs->input[i]);
	}
	for (guint i = 0; i < n_files; i++)
		open_machines(inputs, i, &n);
	if (before && n != before) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "a recording has changed while it was read: it tells of other machines "
			    "than before; try again");
		return FALSE;
	}
	iot_inputs_describe(inputs);
	return TRUE;
}

static gboolean have(gconstpointer inputs, const char *system)
{
	return iot_inputs_have(inputs, system);
}

static guint32 machine_of(const struct iot_inputs *inputs, guint index)
{
	for (guint i = 0; i < index; i++)
		if (inputs->for_models[i].node == inputs->for_models[index].node)
			return i;
	return index;
}

static gboolean has_marks(const struct iot_inputs *inputs, guint index)
{
	return iot_source_names_event(inputs->input[index].source, IOT_CLOCK_MARKS_SYSTEM,
				      IOT_CLOCK_MARKS_EVENT);
}

/* Whether another recording with the host name of this one says its boot. */
static gboolean is_boot_asked(const struct iot_inputs *inputs, const struct iot_input_info *info)
{
	for (guint i = 0; info->hostname && !info->machine && i < inputs->n; i++)
		if (inputs->input[i].info.boot_id &&
		    !g_strcmp0(inputs->input[i].info.hostname, info->hostname))
			return TRUE;
	return FALSE;
}

/* The boot of each machine: as the recording says, or as marks of clocks in it. These are looked
 * for only beside a recording that says it: those of guests made from one image have one host name,
 * and would all be read. */
static void find_boots(struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		g_clear_pointer(&input->boot_id, g_free);
		if (input->info.boot_id)
			input->boot_id = g_strdup(input->info.boot_id);
		else if (is_boot_asked(inputs, &input->info) && has_marks(inputs, i))
			input->boot_id = iot_clock_marks_boot(
				&(struct iot_input_spec){ .path = input->info.path,
							  .input = i,
							  .only_read = TRUE,
							  .kept = input->kept });
	}
}

/* Name each node: by --map, else by a fact that the survey has found, else as the input. */
static gboolean name_nodes(struct iot_inputs *inputs, const struct iot_options *options,
			   GError **error)
{
	g_autofree const struct iot_input_info **infos =
		g_new0(const struct iot_input_info *, inputs->n + 1);
	g_autofree const char **found = g_new0(const char *, inputs->n + 1);
	g_autofree const char **boots = g_new0(const char *, inputs->n + 1);
	g_autofree struct iot_kept **kept = g_new0(struct iot_kept *, inputs->n + 1);
	g_autofree gboolean *shared = g_new0(gboolean, inputs->n + 1);
	g_auto(GStrv) nodes = NULL;

	for (guint i = 0; i < inputs->n; i++) {
		infos[i] = &inputs->input[i].info;
		kept[i] = inputs->input[i].kept;
	}
	inputs->models = iot_model_files(options->models, have, inputs, error);
	inputs->facts =
		inputs->models ? iot_survey(options, inputs->models, infos, kept, error) : NULL;
	if (!inputs->facts)
		return FALSE;
	for (guint i = 0; i < inputs->n; i++)
		found[i] = iot_facts_node(inputs->facts, i);
	find_boots(inputs);
	for (guint i = 0; i < inputs->n; i++)
		boots[i] = inputs->input[i].boot_id;
	nodes = iot_nodes_resolve(options->mappings, options->names, found, boots, infos, shared,
				  error);
	if (!nodes || !iot_nodes_check(options->nodes, options->names, nodes, error))
		return FALSE;
	if (!options->force_map && !iot_nodes_check_found(nodes, found, infos, error))
		return FALSE;
	iot_names_file_tell(options->names, inputs->tl);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		input->node = g_strdup(nodes[i]);
		input->name = iot_nodes_display(options->names, nodes[i]);
		input->host_name_shared = shared[i];
		inputs->for_models[i].node = iot_intern_str(inputs->tl->strings, input->node);
		inputs->for_models[i].machine = machine_of(inputs, i);
		inputs->for_models[i].recording = input->recording;
		inputs->several_of_one |= inputs->for_models[i].machine != i;
		input->gap.node = iot_intern_str(inputs->tl->strings, input->name);
		input->gap.unseen_ns = G_MAXUINT64;
	}
	return TRUE;
}

/* Times that the common clock cannot hold become its first or last instant, and lose their order.
 */
static gboolean check_range(const struct iot_input *input, GError **error)
{
	const struct iot_input_info *info = &input->info;

	if (!info->has_times || (info->first_ns && MAX(info->last_ns, info->end_ns) < G_MAXINT64))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "--sync or --shift moves %s (node %s) to before 0 of the common clock, or to "
		    "more than 292 years after it",
		    info->path, input->node);
	return FALSE;
}

static gboolean open_again(struct iot_inputs *inputs, const struct iot_options *options,
			   const struct iot_clock_change *changes, GError **error)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_source *source = g_steal_pointer(&inputs->input[i].source);

		source->ops->close(source);
	}
	return open_all(inputs, options, changes, error);
}

/* The clock of an input: in a recording whose ranks have been placed it is the real time. */
static const char *clock_of(const struct iot_inputs *inputs, const struct iot_clock_change *changes,
			    guint index)
{
	return changes[inputs->input[index].recording].ranks ? "real"
							     : inputs->input[index].info.clock;
}

/* The recording with marks of the clock that input @index has, of its machine or, if that is not
 * NULL, of @node; -1: there is none. If that one has such a clock, too, its times may be corrected,
 * and those of @index are not; but two with marks do not place each other. */
static gint marked_recording(const struct iot_inputs *inputs, const char *clock, guint index,
			     const char *node)
{
	gint found = -1;

	if (!iot_clock_marks_serve(clock))
		return -1;
	for (guint i = 0; i < inputs->n; i++) {
		gboolean other_clock = !iot_clock_marks_serve(inputs->input[i].info.clock);
		gboolean of_machine =
			inputs->for_models[i].machine == inputs->for_models[index].machine;

		if (i == index || !(node ? !strcmp(inputs->input[i].node, node) : of_machine) ||
		    !has_marks(inputs, i))
			continue;
		if (other_clock)
			return (gint)i;
		if (found < 0 && !has_marks(inputs, index))
			found = (gint)i;
	}
	return found;
}

/* The clocks of the ranks of a program place a recording of it that has a clock of its own. Its
 * node is that of all ranks: @out_nodes, by input. */
static void place_by_ranks(const struct iot_inputs *inputs, const struct iot_options *options,
			   struct iot_clock_change *changes, const char **out_nodes,
			   gboolean *out_any)
{
	for (guint i = 0; i < options->inputs->len; i++) {
		const struct iot_input_info *info = &inputs->input[i].info;

		if (changes[i].pairs || changes[i].method || g_strcmp0(info->clock, "program") ||
		    !info->systems || !g_strv_contains(info->systems, "mpi"))
			continue;
		changes[i].ranks = iot_names_file_rank_clocks(options->names, inputs->input[i].node,
							      &out_nodes[i]);
		*out_any |= changes[i].ranks != NULL;
	}
}

/* Place recordings by the marks in another one of their machine, or of one of their machines,
 * unless the user states their clock.
 * @nodes: by input, the node of all its ranks; NULL: its own machine
 * @out_any: a change was added to @changes, by input */
static gboolean place_by_marks(struct iot_inputs *inputs, const struct iot_options *options,
			       struct iot_clock_change *changes, const char *const *nodes,
			       gboolean *out_any, GError **error)
{
	/* by input */
	g_autoptr(GPtrArray) read =
		g_ptr_array_new_with_free_func((GDestroyNotify)iot_clock_marks_free);

	g_ptr_array_set_size(read, (gint)inputs->n);
	for (guint i = 0; i < inputs->n; i++) {
		guint recording = inputs->input[i].recording;
		struct iot_clock_change *change = &changes[recording];
		const char *clock = clock_of(inputs, changes, i);
		gint marked = change->pairs || change->method
				      ? -1
				      : marked_recording(inputs, clock, i, nodes[i]);

		if (marked < 0)
			continue;
		if (!read->pdata[marked])
			read->pdata[marked] = iot_clock_marks_read(
				&(struct iot_input_spec){ .path = options->inputs->pdata[marked],
							  .input = (guint32)marked,
							  .clock = &changes[marked],
							  .kept = inputs->input[marked].kept },
				error);
		if (!read->pdata[marked])
			return FALSE;
		change->pairs =
			iot_clock_marks_pairs(read->pdata[marked], clock, &inputs->n_marks_back);
		if (change->pairs)
			change->method = IOT_CLOCK_CHANGE_MARKS;
		*out_any |= change->pairs != NULL;
	}
	return TRUE;
}

/* The user names inputs by node, host or file, known only from open files, and marks in one
 * recording place another one: open the files again. */
static gboolean state_clocks(struct iot_inputs *inputs, const struct iot_options *options,
			     const struct iot_clock_change *clocks, GError **error)
{
	g_autofree const struct iot_input_info **infos =
		g_new0(const struct iot_input_info *, inputs->n + 1);
	g_autofree char **nodes = g_new0(char *, inputs->n + 1);
	g_autofree const char **rank_nodes = g_new0(const char *, inputs->n + 1);
	g_autofree gboolean *at_zero = g_new0(gboolean, inputs->n + 1);
	gboolean stated = options->sync_file || options->shifts->len || clocks;
	struct iot_clock_change *changes;
	gboolean ok = TRUE, placed = FALSE;

	if (!stated && !inputs->several_of_one && !options->names)
		return TRUE;
	for (guint i = 0; i < inputs->n; i++) {
		infos[i] = &inputs->input[i].info;
		nodes[i] = inputs->input[i].node;
		at_zero[i] = !inputs->input[i].info.first_ns;
	}
	changes = iot_clock_changes(options, clocks, infos, nodes, &inputs->n_sync_unused, error);
	if (!changes)
		return FALSE;
	place_by_ranks(inputs, options, changes, rank_nodes, &placed);
	ok = place_by_marks(inputs, options, changes, rank_nodes, &placed, error) &&
	     (!(stated || placed) || open_again(inputs, options, changes, error));
	iot_clock_changes_free(changes, inputs->n);
	for (guint i = 0; ok && (stated || placed) && i < inputs->n; i++)
		ok = at_zero[i] || check_range(&inputs->input[i], error);
	return ok;
}

struct iot_inputs *iot_inputs_open(const struct iot_options *options,
				   const struct iot_clock_change *clocks, struct iot_timeline *tl,
				   GError **error)
{
	struct iot_inputs *inputs;

	if (!check_not_twice(options->inputs, error))
		return NULL;
	inputs = g_new0(struct iot_inputs, 1);
	inputs->tl = tl;
	inputs->nothing = iot_schema_new();
	inputs->early_end_ns = options->early_end_ns;
	if (open_all(inputs, options, NULL, error) && name_nodes(inputs, options, error) &&
	    state_clocks(inputs, options, clocks, error))
		return inputs;
	iot_inputs_close(inputs);
	return NULL;
}

void iot_inputs_close(struct iot_inputs *inputs)
{
	if (!inputs)
		return;
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		if (input->source)
			input->source->ops->close(input->source);
		iot_kept_free(input->kept);
		g_clear_pointer(&input->vcpus, g_array_unref);
		g_free(input->node);
		g_free(input->name);
		g_free(input->boot_id);
	}
	for (guint run = 0; inputs->strings && run < inputs->n_runs; run++)
		g_array_unref(inputs->strings[run].global);
	g_free(inputs->strings);
	g_clear_pointer(&inputs->owners, g_hash_table_unref);
	iot_facts_free(inputs->facts);
	g_clear_pointer(&inputs->models, g_ptr_array_unref);
	iot_schema_free(inputs->nothing);
	g_free(inputs->input);
	g_free(inputs->for_models);
	g_free(inputs);
}

const GPtrArray *iot_inputs_models(const struct iot_inputs *inputs)
{
	return inputs->models;
}

guint iot_inputs_count(const struct iot_inputs *inputs)
{
	return inputs->n;
}

const struct iot_input *iot_inputs_at(const struct iot_inputs *inputs, guint index)
{
	return &inputs->input[index];
}

guint iot_inputs_sync_unused(const struct iot_inputs *inputs)
{
	return inputs->n_sync_unused;
}

guint iot_inputs_marks_back(const struct iot_inputs *inputs)
{
	return inputs->n_marks_back;
}

guint iot_inputs_runs(const struct iot_inputs *inputs)
{
	return inputs->n_runs;
}

const struct iot_facts *iot_inputs_facts(const struct iot_inputs *inputs)
{
	return inputs->facts;
}

/* ---- reading */

void iot_inputs_start(struct iot_inputs *inputs, guint64 to_ns)
{
	struct run_strings *strings;

	iot_inputs_find_edges(inputs, to_ns);
	strings = inputs->strings = g_new0(struct run_strings, MAX(inputs->n_runs, 1));
	g_array_set_size(inputs->tl->run_cpus, 0);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_source *source = inputs->input[i].source;
		guint n = n_runs(&inputs->input[i]);

		source->to_ns = to_ns;
		for (guint run = 0; run < n; run++, strings++) {
			guint32 cpu = source->ops->cpu(source, run);

			g_array_append_val(inputs->tl->run_cpus, cpu);
			strings->table = source->ops->strings(source, run);
			strings->global = g_array_new(FALSE, TRUE, sizeof(guint32));
		}
	}
}

void iot_inputs_want_marks(struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++)
		inputs->input[i].source->marks = TRUE;
}

static guint32 global_string(struct iot_inputs *inputs, guint run, guint32 local)
{
	struct run_strings *strings = &inputs->strings[run];
	guint32 *slot;

	if (strings->global->len <= local)
		g_array_set_size(strings->global, local + 1);
	slot = &g_array_index(strings->global, guint32, local);
	if (!*slot) {
		gsize len;
		const char *bytes = iot_intern_get(strings->table, local, &len);

		*slot = iot_intern_bytes(inputs->tl->strings, bytes, len) + 1;
	}
	return *slot - 1;
}

void iot_inputs_globalise(struct iot_inputs *inputs, struct iot_rec *rec)
{
	for (guint32 left = rec->event->str_slots; left; left &= left - 1) {
		guint i = (guint)__builtin_ctz(left);

		rec->slot[i].u = global_string(inputs, rec->run, (guint32)rec->slot[i].u);
	}
}

gboolean iot_inputs_check_once(struct iot_inputs *inputs, const struct iot_rec *rec, GError **error)
{
	const struct iot_event *event = rec->event;
	guint32 machine, recording, owner;
	gpointer key;

	if (G_LIKELY(!inputs->several_of_one) || event->index >= IOT_EVENT_GAP_BEGIN)
		return TRUE;
	if (!inputs->owners)
		inputs->owners = g_hash_table_new(NULL, NULL);
	machine = inputs->for_models[event->input].machine;
	key = GSIZE_TO_POINTER((gsize)machine << 32 | event->index);
	recording = inputs->input[event->input].recording;
	owner = GPOINTER_TO_UINT(g_hash_table_lookup(inputs->owners, key));
	if (!owner)
		g_hash_table_insert(inputs->owners, key, GUINT_TO_POINTER(recording + 1));
	if (!owner || owner == recording + 1)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "%s and %s are both node \"%s\" and have the same events, so these would count "
		    "twice; leave one out, or name them as two nodes with --map",
		    inputs->input[owner - 1].info.path, inputs->input[event->input].info.path,
		    inputs->input[event->input].node);
	return FALSE;
}

void iot_inputs_progress(const struct iot_inputs *inputs, guint64 *out_bytes, guint64 *out_total)
{
	*out_bytes = *out_total = 0;
	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_source *source = inputs->input[i].source;

		*out_bytes += source->ops->progress(source);
		*out_total += inputs->input[i].info.bytes;
	}
}

/* ---- after reading */

void iot_inputs_describe(struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		memset(&input->info, 0, sizeof(input->info));
		input->source->ops->describe(input->source, &input->info);
	}
}

guint64 iot_inputs_end(const struct iot_inputs *inputs)
{
	guint64 end = 0;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].sets_range && inputs->input[i].info.has_times)
			end = MAX(end, inputs->input[i].info.last_ns);
	return end;
}

const char *iot_inputs_damaged(const struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].info.damaged)
			return inputs->input[i].info.path;
	return NULL;
}
