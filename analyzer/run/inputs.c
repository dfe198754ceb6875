/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/inputs.h"
#include "input/clock-marks.h"
#include "run/look/clock-sync.h"
#include "run/model-path.h"
#include "run/names-file.h"
#include "run/look/nodes.h"
#include "run/look/survey.h"
#include "run/look/vcpus.h"
#include "base/error.h"
#include "input/kept.h"

#include <string.h>
#include <sys/stat.h>

/* Bytes of unpacked chunks that are kept from the opening and the first look to the pass. */
enum { KEPT_EACH = 1 << 20, KEPT_ALL = 4 << 20 };

struct run_strings {
	const struct iot_intern *table;
	GArray *global; /* of guint32: number in tl->strings + 1; 0: not looked up yet */
};

struct iot_inputs {
	struct iot_timeline *tl;
	guint n, n_runs;
	struct iot_input *input;
	GPtrArray *models; /* of struct iot_model_file */
	struct iot_facts *facts;
	struct iot_schema *nothing;	    /* for inputs that need not be read */
	struct iot_model_input *for_models; /* by input; filled by bind */
	struct run_strings *strings;	    /* by run; NULL before start */
	guint64 early_end_ns;		    /* option: how much earlier is early */
	guint64 next_edge_ns;		    /* the next one that has not been returned */
	guint n_sync_unused;		    /* lines of --sync FILE about other machines */
	guint n_marks_back;		    /* marks of clocks that were set back */
	gboolean several_of_one;	    /* a machine has several recordings */
	GHashTable *owners; /* machine and event -> 1 + the input that has it; NULL: nobody asked */
};

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

/* @clock: the user's statements about each input; or NULL */
static gboolean open_all(struct iot_inputs *inputs, const struct iot_options *options,
			 const struct iot_clock_change *clock, GError **error)
{
	inputs->n_runs = 0;
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input_spec spec = {
			.path = options->inputs->pdata[i],
			.input = i,
			.first_run = inputs->n_runs,
			.clock = clock ? &clock[i] : NULL,
			.kept = inputs->input[i].kept,
		};

		inputs->input[i].source = iot_source_open(options->reader, &spec, error);
		if (!inputs->input[i].source)
			return FALSE;
		inputs->n_runs += n_runs(&inputs->input[i]);
	}
	iot_inputs_describe(inputs);
	return TRUE;
}

/* A source that knows no systems may hold events of any. */
static gboolean has_system(const struct iot_input *input, const char *system)
{
	const char *const *systems = input->info.systems;

	return !systems || !systems[0] || !systems[0][0] || g_strv_contains(systems, system);
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

/* Name each node: by --map, else by a fact that the survey has found, else as the input. */
static gboolean name_nodes(struct iot_inputs *inputs, const struct iot_options *options,
			   GError **error)
{
	g_autofree const struct iot_input_info **infos =
		g_new0(const struct iot_input_info *, inputs->n + 1);
	g_autofree const char **found = g_new0(const char *, inputs->n + 1);
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
	nodes = iot_nodes_resolve(options->mappings, options->names, found, infos, shared, error);
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

/* The recording with marks of the clock that input @index has; -1: its machine has none. */
static gint marked_recording(const struct iot_inputs *inputs, guint index)
{
	if (!iot_clock_marks_serve(inputs->input[index].info.clock))
		return -1;
	for (guint i = 0; i < inputs->n; i++)
		if (i != index &&
		    inputs->for_models[i].machine == inputs->for_models[index].machine &&
		    !iot_clock_marks_serve(inputs->input[i].info.clock) &&
		    iot_source_names_event(inputs->input[i].source, IOT_CLOCK_MARKS_SYSTEM,
					   IOT_CLOCK_MARKS_EVENT))
			return (gint)i;
	return -1;
}

/* Place recordings by the marks in another one of their machine, unless the user states their
 * clock.
 * @out_any: a change was added to @changes, by input */
static gboolean place_by_marks(struct iot_inputs *inputs, const struct iot_options *options,
			       struct iot_clock_change *changes, gboolean *out_any, GError **error)
{
	for (guint i = 0; i < inputs->n && inputs->several_of_one; i++) {
		gint marked =
			changes[i].pairs || changes[i].method ? -1 : marked_recording(inputs, i);

		if (marked < 0)
			continue;
		if (!iot_clock_marks_read(
			    &(struct iot_input_spec){ .path = options->inputs->pdata[marked],
						      .input = (guint32)marked,
						      .clock = &changes[marked],
						      .kept = inputs->input[marked].kept },
			    inputs->input[i].info.clock, &changes[i].pairs, &inputs->n_marks_back,
			    error))
			return FALSE;
		if (changes[i].pairs)
			changes[i].method = IOT_CLOCK_CHANGE_MARKS;
		*out_any |= changes[i].pairs != NULL;
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
	g_autofree gboolean *at_zero = g_new0(gboolean, inputs->n + 1);
	gboolean stated = options->sync_file || options->shifts->len || clocks;
	struct iot_clock_change *changes;
	gboolean ok = TRUE, placed = FALSE;

	if (!stated && !inputs->several_of_one)
		return TRUE;
	for (guint i = 0; i < inputs->n; i++) {
		infos[i] = &inputs->input[i].info;
		nodes[i] = inputs->input[i].node;
		at_zero[i] = !inputs->input[i].info.first_ns;
	}
	changes = iot_clock_changes(options, clocks, infos, nodes, &inputs->n_sync_unused, error);
	if (!changes)
		return FALSE;
	ok = place_by_marks(inputs, options, changes, &placed, error) &&
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
	inputs->n = options->inputs->len;
	inputs->input = g_new0(struct iot_input, inputs->n + 1);
	inputs->for_models = g_new0(struct iot_model_input, inputs->n + 1);
	inputs->early_end_ns = options->early_end_ns;
	for (guint i = 0; i < inputs->n; i++)
		inputs->input[i].kept = iot_kept_new(MIN(KEPT_EACH, KEPT_ALL / MAX(inputs->n, 1)));
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

/* ---- binding */

gboolean iot_inputs_have(const struct iot_inputs *inputs, const char *system)
{
	for (guint i = 0; i < inputs->n; i++)
		if (has_system(&inputs->input[i], system))
			return TRUE;
	return FALSE;
}

/* Whether the input may have events of the schema; @of_nodes: others than those
 * that a host has about its guests. */
static gboolean has_events(const struct iot_input *input, const struct iot_schema *schema,
			   gboolean of_nodes)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		gboolean host = event->of_host && input->info.n_vcpus;

		if ((of_nodes ? !event->adds && !host : !event->adds || host) &&
		    has_system(input, event->system))
			return TRUE;
	}
	return FALSE;
}

/* Whether the input may have events that add to those of others. */
static gboolean adds_events(const struct iot_input *input, const struct iot_schema *schema)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (event->adds && has_system(input, event->system))
			return TRUE;
	}
	return FALSE;
}

/* Whether the input may have events of objects. */
static gboolean has_objects(const struct iot_input *input, const struct iot_schema *schema)
{
	for (guint i = 0; i < schema->events->len; i++) {
		const struct iot_schema_event *event = schema->events->pdata[i];

		if (event->of_object && has_system(input, event->system) &&
		    iot_source_names_event(input->source, event->system, event->name))
			return TRUE;
	}
	return FALSE;
}

static void find_range(struct iot_inputs *inputs, const struct iot_schema *schema)
{
	gboolean any = FALSE;

	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		input->used = has_events(input, schema, FALSE);
		input->sets_range = has_events(input, schema, TRUE);
		input->of_objects = input->used && has_objects(input, schema);
		any |= input->sets_range && input->info.has_times;
	}
	/* one that only adds to what other recordings of its machine show, such as the scheduler's
	 * events beside the log of a program */
	for (guint i = 0; i < inputs->n && inputs->several_of_one; i++)
		for (guint k = 0; k < inputs->n && !inputs->input[i].used; k++)
			inputs->input[i].used =
				inputs->input[k].sets_range &&
				inputs->for_models[k].machine == inputs->for_models[i].machine &&
				adds_events(&inputs->input[i], schema);
	for (guint i = 0; i < inputs->n && !any; i++)
		inputs->input[i].sets_range = inputs->input[i].used;
}

gboolean iot_inputs_bind(struct iot_inputs *inputs, const struct iot_schema *schema,
			 const struct iot_schema *const *schemas, GError **error)
{
	guint64 begin;

	find_range(inputs, schema);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];
		const struct iot_schema *wanted = schemas ? schemas[i] : schema;

		if (!input->source->ops->bind(input->source, input->used ? wanted : inputs->nothing,
					      error))
			return FALSE;
	}
	begin = iot_inputs_begin(inputs);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		g_clear_pointer(&input->vcpus, g_array_unref);
		input->vcpus = iot_vcpus_join(inputs, i, inputs->tl);
		inputs->for_models[i].vcpus =
			(const struct iot_model_vcpu *)(const void *)input->vcpus->data;
		inputs->for_models[i].n_vcpus = input->vcpus->len;
		inputs->for_models[i].node_name = input->gap.node;
		/* those of the machine are in any of its recordings */
		inputs->for_models[i].commands = iot_facts_commands(inputs->facts, i);
		for (guint k = 0; k < inputs->n && !inputs->for_models[i].commands; k++)
			if (inputs->for_models[k].machine == inputs->for_models[i].machine)
				inputs->for_models[i].commands =
					iot_facts_commands(inputs->facts, k);
		inputs->for_models[i].n_runs = n_runs(input);
		inputs->for_models[i].used = input->used;
		inputs->for_models[i].first_ns =
			input->info.has_times ? input->info.first_ns : begin;
		inputs->for_models[i].from_ns =
			input->info.nothing_before ? 0 : inputs->for_models[i].first_ns;
		inputs->for_models[i].to_ns = input->info.nothing_after || !input->info.seen_ns
						      ? G_MAXUINT64
						      : input->info.seen_ns;
	}
	return TRUE;
}

guint64 iot_inputs_begin(const struct iot_inputs *inputs)
{
	guint64 begin = G_MAXUINT64;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].sets_range && inputs->input[i].info.has_times)
			begin = MIN(begin, inputs->input[i].info.first_ns);
	return begin == G_MAXUINT64 ? 0 : begin;
}

gboolean iot_inputs_range(const struct iot_inputs *inputs, guint64 *out_begin, guint64 *out_end)
{
	guint64 end = 0;
	gboolean beyond = FALSE, known = TRUE;

	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input *input = &inputs->input[i];

		beyond |= input->used && !input->sets_range;
		if (!input->sets_range || !input->info.has_times)
			continue;
		known &= input->info.end_ns != 0;
		end = MAX(end, input->info.end_ns);
	}
	*out_begin = iot_inputs_begin(inputs);
	*out_end = known ? end : G_MAXUINT64;
	return beyond;
}

const struct iot_model_input *iot_inputs_for_models(const struct iot_inputs *inputs)
{
	return inputs->for_models;
}

/* ---- reading */

static void find_next_edge(struct iot_inputs *inputs)
{
	inputs->next_edge_ns = G_MAXUINT64;
	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input *input = &inputs->input[i];

		if (!input->begun)
			inputs->next_edge_ns = MIN(inputs->next_edge_ns, input->late_begin_ns);
		if (!input->ended)
			inputs->next_edge_ns = MIN(inputs->next_edge_ns, input->early_end_ns);
	}
}

gboolean iot_inputs_lose_sight(struct iot_inputs *inputs, guint index, guint64 ns)
{
	iot_str node = inputs->input[index].gap.node;

	/* the host of the guests has no states of theirs */
	if (!inputs->input[index].sets_range || inputs->input[index].gap.unseen_ns != G_MAXUINT64)
		return FALSE;
	/* several recordings may be of one machine */
	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].gap.node == node)
			inputs->input[i].gap.unseen_ns = ns;
	return TRUE;
}

/* Whether the machine of the input is observed outside of it: another recording of it covers @from
 * to @to. States of objects follow from events of one recording only, so one with objects does not
 * go on in another one. */
static gboolean goes_on(const struct iot_inputs *inputs, guint index, guint64 from, guint64 to)
{
	for (guint i = 0; i < inputs->n && !inputs->input[index].of_objects; i++) {
		const struct iot_input_info *info = &inputs->input[i].info;

		if (i != index && inputs->input[i].used && info->has_times &&
		    inputs->for_models[i].machine == inputs->for_models[index].machine &&
		    (info->nothing_before || info->first_seen_ns <= from) &&
		    (info->nothing_after || info->seen_ns >= to))
			return TRUE;
	}
	return FALSE;
}

/*
 * A recording ends with its last event of any kind, or with the clock sample that is taken when it
 * is stopped; it begins with the first one. Recordings stop one after the other, so only one that
 * ends long before the last event of another one is of interest: after that event nothing is drawn.
 * Nor is anything drawn after the window. A complete recording misses nothing.
 */
static void find_edges(struct iot_inputs *inputs, guint64 to_ns)
{
	guint64 begin = iot_inputs_begin(inputs), last = 0;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->input[i].sets_range)
			last = MAX(last, inputs->input[i].info.end_ns);
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];
		guint64 first = input->info.first_seen_ns, seen = input->info.seen_ns;
		gboolean early = input->used && !input->info.nothing_after && seen &&
				 seen <= to_ns && last > seen && last - seen > inputs->early_end_ns;
		gboolean late = input->used && !input->info.nothing_before && first > begin &&
				first - begin > inputs->early_end_ns;

		late = late && !goes_on(inputs, i, begin, first);
		input->early_end_ns = early ? seen : G_MAXUINT64;
		input->goes_on = early && goes_on(inputs, i, seen, last);
		input->late_begin_ns = late ? first : G_MAXUINT64;
		if (late) {
			iot_node_gap_begin(&input->gap, begin, 0);
			if (iot_inputs_lose_sight(inputs, i, begin))
				iot_timeline_set_unobserved(inputs->tl, input->gap.node, begin);
		}
	}
	find_next_edge(inputs);
}

void iot_inputs_start(struct iot_inputs *inputs, guint64 to_ns)
{
	struct run_strings *strings;

	find_edges(inputs, to_ns);
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
	guint32 machine, owner;
	gpointer key;

	if (G_LIKELY(!inputs->several_of_one) || event->index >= IOT_EVENT_GAP_BEGIN)
		return TRUE;
	if (!inputs->owners)
		inputs->owners = g_hash_table_new(NULL, NULL);
	machine = inputs->for_models[event->input].machine;
	key = GSIZE_TO_POINTER((gsize)machine << 32 | event->index);
	owner = GPOINTER_TO_UINT(g_hash_table_lookup(inputs->owners, key));
	if (!owner)
		g_hash_table_insert(inputs->owners, key, GUINT_TO_POINTER(event->input + 1));
	if (!owner || owner == event->input + 1)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "%s and %s are both node \"%s\" and have the same events, so these would count "
		    "twice; leave one out, or name them as two nodes with --map",
		    inputs->input[owner - 1].info.path, inputs->input[event->input].info.path,
		    inputs->input[event->input].node);
	return FALSE;
}

struct iot_node_gap *iot_inputs_gap(struct iot_inputs *inputs, guint index)
{
	return &inputs->input[index].gap;
}

guint64 iot_inputs_next_edge(const struct iot_inputs *inputs)
{
	return inputs->next_edge_ns;
}

gboolean iot_inputs_edge(struct iot_inputs *inputs, guint64 ts, struct iot_input_edge *out)
{
	guint64 next = inputs->next_edge_ns;

	if (next >= ts)
		return FALSE;
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input *input = &inputs->input[i];

		*out = (struct iot_input_edge){ .input = i, .ns = next };
		if (!input->begun && input->late_begin_ns == next) {
			input->begun = out->begins = TRUE;
			break;
		}
		if (!input->ended && input->early_end_ns == next) {
			input->ended = TRUE;
			out->goes_on = input->goes_on;
			break;
		}
	}
	find_next_edge(inputs);
	return TRUE;
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

/* ---- checkpoints */

void iot_inputs_save(const struct iot_inputs *inputs, GByteArray *out)
{
	for (guint i = 0; i < inputs->n; i++) {
		iot_node_gap_save(&inputs->input[i].gap, out);
		iot_pack_uint(out, inputs->input[i].ended);
		iot_pack_uint(out, inputs->input[i].begun);
	}
}

gboolean iot_inputs_load(struct iot_inputs *inputs, struct iot_unpack *in)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_node_gap *gap = &inputs->input[i].gap;

		iot_node_gap_load(gap, inputs->n_runs, in);
		if (gap->unseen_ns != G_MAXUINT64)
			iot_timeline_set_unobserved(inputs->tl, gap->node, gap->unseen_ns);
		inputs->input[i].ended = (gboolean)iot_unpack_uint(in, 1);
		inputs->input[i].begun = (gboolean)iot_unpack_uint(in, 1);
	}
	find_next_edge(inputs);
	return !in->bad;
}
