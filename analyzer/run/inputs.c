/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/inputs.h"
#include "run/nodes.h"
#include "run/survey.h"
#include "base/error.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct gap {
	guint depth;
	guint64 t0, lost;
	gboolean lost_unknown;
};

struct run_strings {
	const struct iot_intern *table;
	GArray *global; /* of guint32: number in tl->strings + 1; 0: not asked yet */
};

struct iot_inputs {
	struct iot_timeline *tl;
	guint n, n_runs;
	struct iot_source **sources;
	struct iot_input_info *infos;
	char **nodes, **names;
	struct iot_facts *facts;
	struct iot_model_input *for_models;
	gboolean *used;		   /* some model knows events of the input */
	gboolean *other_session;   /* than the first input with a trace id */
	const char **contradicted; /* the node that the messages name, if --map says another */
	struct gap *gaps;
	/* by input: when its recording ends, if that is long before the others; G_MAXUINT64 */
	guint64 *end_ns;
	gboolean *ended; /* that was told */
	guint64 next_end_ns, early_end_ns;
	struct run_strings *strings; /* by run */
	struct iot_diag diag;	     /* of all inputs together: clocks compared */
};

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

static gboolean open_all(struct iot_inputs *inputs, const struct iot_options *options,
			 GError **error)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct iot_input_spec spec = {
			.path = options->inputs->pdata[i],
			.input = i,
			.first_run = inputs->n_runs,
		};

		inputs->sources[i] = iot_source_open(options->reader, &spec, error);
		if (!inputs->sources[i])
			return FALSE;
		inputs->for_models[i].n_runs = inputs->sources[i]->ops->n_runs(inputs->sources[i]);
		inputs->n_runs += inputs->for_models[i].n_runs;
	}
	iot_inputs_describe(inputs);
	return TRUE;
}

static void compare_clocks(struct iot_inputs *inputs)
{
	const struct iot_input_info *first = &inputs->infos[0];
	guint64 peer = 0;

	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input_info *info = &inputs->infos[i];
		guint64 id = info->sync == IOT_SYNC_HOST ? info->trace_id : info->peer_id;

		if (inputs->n > 1 && info->sync == IOT_SYNC_NO)
			iot_diag_add(&inputs->diag, IOT_DIAG_clock_unsynchronised, 1);
		if (g_strcmp0(info->clock, first->clock))
			iot_diag_add(&inputs->diag, IOT_DIAG_clock_differs, 1);
		inputs->other_session[i] = peer && id && id != peer;
		if (inputs->other_session[i])
			iot_diag_add(&inputs->diag, IOT_DIAG_peer_differs, 1);
		if (!peer)
			peer = id;
	}
}

/* Each recording of a session has a trace id of its own. */
static void find_copies(struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input_info *info = &inputs->infos[i];
		gboolean found = FALSE;

		for (guint j = 0; j < i && info->trace_id; j++)
			found |= info->trace_id == inputs->infos[j].trace_id &&
				 !g_strcmp0(info->hostname, inputs->infos[j].hostname);
		if (found)
			iot_diag_add(&inputs->diag, IOT_DIAG_same_recording, 1);
	}
}

/* Only after reading are the last times known. */
static guint disjoint_inputs(const struct iot_inputs *inputs)
{
	const struct iot_input_info *first = NULL;
	guint n = 0;

	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input_info *info = &inputs->infos[i];

		if (!info->has_times)
			continue;
		if (first && ((!first->goes_on && info->first_ns > first->last_ns) ||
			      (!info->goes_on && info->last_ns < first->first_ns)))
			n++;
		if (!first)
			first = info;
	}
	return n;
}

static void set_times(struct iot_inputs *inputs)
{
	guint64 origin = G_MAXUINT64;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->used[i] && inputs->infos[i].has_times)
			origin = MIN(origin, inputs->infos[i].first_ns);
	inputs->tl->origin_ns = origin == G_MAXUINT64 ? 0 : origin;
	for (guint i = 0; i < inputs->n; i++)
		inputs->for_models[i].first_ns = inputs->infos[i].has_times
							 ? inputs->infos[i].first_ns
							 : inputs->tl->origin_ns;
}

static gboolean name_nodes(struct iot_inputs *inputs, const struct iot_options *options,
			   GError **error)
{
	g_autofree const char **told = g_new0(const char *, inputs->n + 1);

	for (guint i = 0; i < inputs->n; i++)
		told[i] = iot_facts_node(inputs->facts, i);
	inputs->nodes = iot_nodes_resolve(options->mappings, told, inputs->infos, inputs->n, error);
	if (!inputs->nodes || !iot_nodes_check(options->nodes, inputs->nodes, error))
		return FALSE;
	inputs->names = g_new0(char *, inputs->n + 1);
	for (guint i = 0; i < inputs->n; i++) {
		inputs->names[i] = iot_nodes_display(inputs->nodes[i]);
		inputs->for_models[i].node = iot_intern_str(inputs->tl->strings, inputs->nodes[i]);
		inputs->for_models[i].node_name =
			iot_intern_str(inputs->tl->strings, inputs->names[i]);
		inputs->for_models[i].commands = iot_facts_commands(inputs->facts, i);
		if (iot_nodes_contradict(inputs->nodes[i], told[i])) {
			inputs->contradicted[i] = told[i];
			iot_diag_add(&inputs->diag, IOT_DIAG_map_contradicted, 1);
		}
	}
	return TRUE;
}

struct iot_inputs *iot_inputs_open(const struct iot_options *options, struct iot_timeline *tl,
				   GError **error)
{
	struct iot_inputs *inputs;

	if (!check_not_twice(options->inputs, error))
		return NULL;
	inputs = g_new0(struct iot_inputs, 1);
	inputs->tl = tl;
	inputs->n = options->inputs->len;
	inputs->sources = g_new0(struct iot_source *, inputs->n + 1);
	inputs->infos = g_new0(struct iot_input_info, inputs->n + 1);
	inputs->for_models = g_new0(struct iot_model_input, inputs->n + 1);
	inputs->gaps = g_new0(struct gap, inputs->n + 1);
	inputs->end_ns = g_new0(guint64, inputs->n + 1);
	inputs->ended = g_new0(gboolean, inputs->n + 1);
	inputs->next_end_ns = G_MAXUINT64;
	inputs->early_end_ns = options->early_end_ns;
	inputs->used = g_new0(gboolean, inputs->n + 1);
	inputs->other_session = g_new0(gboolean, inputs->n + 1);
	inputs->contradicted = g_new0(const char *, inputs->n + 1);
	for (guint i = 0; i < inputs->n; i++)
		inputs->used[i] = TRUE;
	if (!open_all(inputs, options, error) ||
	    !(inputs->facts = iot_survey(options, inputs->infos, error)) ||
	    !name_nodes(inputs, options, error)) {
		iot_inputs_close(inputs);
		return NULL;
	}
	compare_clocks(inputs);
	find_copies(inputs);
	set_times(inputs);
	return inputs;
}

static void free_strings(struct iot_inputs *inputs)
{
	for (guint i = 0; inputs->strings && i < inputs->n_runs; i++)
		if (inputs->strings[i].global)
			g_array_unref(inputs->strings[i].global);
	g_clear_pointer(&inputs->strings, g_free);
}

void iot_inputs_close(struct iot_inputs *inputs)
{
	if (!inputs)
		return;
	for (guint i = 0; i < inputs->n; i++)
		if (inputs->sources[i])
			inputs->sources[i]->ops->close(inputs->sources[i]);
	free_strings(inputs);
	iot_facts_free(inputs->facts);
	g_strfreev(inputs->nodes);
	g_strfreev(inputs->names);
	g_free(inputs->sources);
	g_free(inputs->infos);
	g_free(inputs->for_models);
	g_free(inputs->gaps);
	g_free(inputs->end_ns);
	g_free(inputs->ended);
	g_free(inputs->used);
	g_free(inputs->other_session);
	g_free(inputs->contradicted);
	g_free(inputs);
}

gboolean iot_inputs_bind(struct iot_inputs *inputs, const struct iot_schema *schema, GError **error)
{
	for (guint i = 0; i < inputs->n; i++)
		if (!inputs->sources[i]->ops->bind(inputs->sources[i], schema, error))
			return FALSE;
	return TRUE;
}

static void find_next_end(struct iot_inputs *inputs)
{
	inputs->next_end_ns = G_MAXUINT64;
	for (guint i = 0; i < inputs->n; i++)
		if (!inputs->ended[i])
			inputs->next_end_ns = MIN(inputs->next_end_ns, inputs->end_ns[i]);
}

/*
 * A recording ends with its last event of any kind, or with the clock sample that is taken when it
 * is stopped. Recordings stop one after the other, so only one that ends long before the last event
 * of another one is of interest: after that event nothing is drawn. Nor is what lies after the
 * window.
 */
static void find_early_ends(struct iot_inputs *inputs, guint64 to_ns)
{
	guint64 last = 0;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->used[i])
			last = MAX(last, inputs->infos[i].end_ns);
	for (guint i = 0; i < inputs->n; i++) {
		guint64 seen = inputs->infos[i].seen_ns;

		inputs->ended[i] = FALSE;
		inputs->end_ns[i] = inputs->used[i] && seen && seen <= to_ns && last > seen &&
						    last - seen > inputs->early_end_ns
					    ? seen
					    : G_MAXUINT64;
	}
	find_next_end(inputs);
}

guint64 iot_inputs_next_end(const struct iot_inputs *inputs)
{
	return inputs->next_end_ns;
}

gboolean iot_inputs_ended(struct iot_inputs *inputs, guint64 ts, guint *out_index, guint64 *out_ns)
{
	if (inputs->next_end_ns >= ts)
		return FALSE;
	*out_ns = inputs->next_end_ns;
	for (guint i = 0; i < inputs->n; i++) {
		if (inputs->ended[i] || inputs->end_ns[i] != *out_ns)
			continue;
		*out_index = i;
		inputs->ended[i] = TRUE;
		break;
	}
	find_next_end(inputs);
	return TRUE;
}

void iot_inputs_rewind(struct iot_inputs *inputs, struct iot_timeline *tl, guint64 to_ns)
{
	guint run = 0;

	inputs->tl = tl;
	memset(inputs->gaps, 0, inputs->n * sizeof(struct gap));
	find_early_ends(inputs, to_ns);
	free_strings(inputs);
	inputs->strings = g_new0(struct run_strings, MAX(inputs->n_runs, 1));
	for (guint i = 0; i < inputs->n; i++) {
		guint n = inputs->sources[i]->ops->n_runs(inputs->sources[i]);

		inputs->sources[i]->to_ns = to_ns;
		for (guint local = 0; local < n; local++, run++) {
			inputs->strings[run].table =
				inputs->sources[i]->ops->strings(inputs->sources[i], local);
			inputs->strings[run].global = g_array_new(FALSE, TRUE, sizeof(guint32));
		}
	}
}

void iot_inputs_want_marks(struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++)
		inputs->sources[i]->marks = TRUE;
}

const struct iot_facts *iot_inputs_facts(const struct iot_inputs *inputs)
{
	return inputs->facts;
}

guint iot_inputs_count(const struct iot_inputs *inputs)
{
	return inputs->n;
}

guint iot_inputs_runs(const struct iot_inputs *inputs)
{
	return inputs->n_runs;
}

struct iot_source *const *iot_inputs_sources(const struct iot_inputs *inputs)
{
	return inputs->sources;
}

const struct iot_input_info *iot_inputs_info(const struct iot_inputs *inputs, guint index)
{
	return &inputs->infos[index];
}

const struct iot_model_input *iot_inputs_for_models(const struct iot_inputs *inputs)
{
	return inputs->for_models;
}

void iot_inputs_describe(struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++) {
		memset(&inputs->infos[i], 0, sizeof(inputs->infos[i]));
		inputs->sources[i]->ops->describe(inputs->sources[i], &inputs->infos[i]);
	}
}

guint64 iot_inputs_end(const struct iot_inputs *inputs)
{
	guint64 end = 0;

	for (guint i = 0; i < inputs->n; i++)
		if (inputs->used[i] && inputs->infos[i].has_times)
			end = MAX(end, inputs->infos[i].last_ns);
	return end;
}

void iot_inputs_set_used(struct iot_inputs *inputs, guint index, gboolean used)
{
	inputs->used[index] = used;
	set_times(inputs);
}

const char *iot_inputs_damaged(const struct iot_inputs *inputs)
{
	for (guint i = 0; i < inputs->n; i++)
		if (inputs->infos[i].damaged)
			return inputs->infos[i].path;
	return NULL;
}

void iot_inputs_progress(const struct iot_inputs *inputs, guint64 *out_bytes, guint64 *out_total)
{
	*out_bytes = *out_total = 0;
	for (guint i = 0; i < inputs->n; i++) {
		*out_bytes += inputs->sources[i]->ops->progress(inputs->sources[i]);
		*out_total += inputs->infos[i].bytes;
	}
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

static void gap_item(const struct iot_inputs *inputs, guint index, guint64 t1,
		     struct iot_item *item)
{
	const struct gap *gap = &inputs->gaps[index];

	memset(item, 0, sizeof(*item));
	item->t0 = gap->t0;
	item->t1 = t1;
	iot_gap_set(item, inputs->for_models[index].node_name,
		    gap->lost_unknown ? IOT_LOST_UNKNOWN : gap->lost);
}

/* Gaps of several CPUs overlap; for the node it is one gap from the first begin to the last end. */
gboolean iot_inputs_gap(struct iot_inputs *inputs, const struct iot_rec *rec,
			struct iot_item *out_item)
{
	guint index = rec->event->input;
	struct gap *gap = &inputs->gaps[index];

	if (rec->event->index == IOT_EVENT_GAP_BEGIN) {
		if (!gap->depth++)
			*gap = (struct gap){ .depth = 1, .t0 = rec->ts };
		if (rec->slot[IOT_GAP_LOST].u == G_MAXUINT64)
			gap->lost_unknown = TRUE;
		else
			gap->lost += rec->slot[IOT_GAP_LOST].u;
		return FALSE;
	}
	if (!gap->depth || --gap->depth)
		return FALSE;
	gap_item(inputs, index, rec->ts, out_item);
	return TRUE;
}

gboolean iot_inputs_open_gap(struct iot_inputs *inputs, guint index, guint64 end,
			     struct iot_item *out_item)
{
	if (!inputs->gaps[index].depth)
		return FALSE;
	gap_item(inputs, index, MAX(end, inputs->gaps[index].t0), out_item);
	return TRUE;
}

/* Hash of some bytes at @offset; 0 if they cannot be read. */
static guint64 hash_part(int fd, guint64 offset)
{
	enum { PART = 64 << 10 };
	g_autofree guint8 *part = g_malloc(PART);
	gssize n = pread(fd, part, PART, (off_t)offset);

	return n > 0 ? iot_hash_bytes(part, (gsize)n) : 0;
}

/* Metadata, the beginning of the events and the end of the file. */
static gboolean identify_file(const char *path, GString *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	guint64 size, head, middle, tail;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		if (fd >= 0)
			close(fd);
		return FALSE;
	}
	size = (guint64)st.st_size;
	head = hash_part(fd, 0);
	middle = hash_part(fd, size / 2);
	tail = hash_part(fd, size - MIN(size, 64 << 10));
	close(fd);
	g_string_append_printf(out, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %ld.%09ld", size,
			       (guint64)st.st_ino, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	g_string_append_printf(
		out, " %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x\n",
		head, middle, tail);
	return TRUE;
}

gboolean iot_inputs_identify(const struct iot_inputs *inputs, GString *out)
{
	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_source *source = inputs->sources[i];

		if (!source->ops->seek)
			return FALSE;
		g_string_append_printf(out, "input %s, node %s (%s), %u runs,", source->ops->name,
				       inputs->nodes[i], inputs->names[i],
				       source->ops->n_runs(source));
		if (!identify_file(inputs->infos[i].path, out))
			return FALSE;
	}
	return TRUE;
}

void iot_inputs_save(const struct iot_inputs *inputs, GByteArray *out)
{
	for (guint i = 0; i < inputs->n; i++) {
		const struct gap *gap = &inputs->gaps[i];

		iot_pack_uint(out, gap->depth);
		iot_pack_uint(out, gap->t0);
		iot_pack_uint(out, gap->lost);
		iot_pack_uint(out, gap->lost_unknown);
		iot_pack_uint(out, inputs->ended[i]);
	}
}

gboolean iot_inputs_load(struct iot_inputs *inputs, struct iot_unpack *in)
{
	for (guint i = 0; i < inputs->n; i++) {
		struct gap *gap = &inputs->gaps[i];

		gap->depth = (guint)iot_unpack_uint(in, inputs->n_runs);
		gap->t0 = iot_unpack_uint(in, G_MAXUINT64);
		gap->lost = iot_unpack_uint(in, G_MAXUINT64);
		gap->lost_unknown = (gboolean)iot_unpack_uint(in, 1);
		inputs->ended[i] = (gboolean)iot_unpack_uint(in, 1);
	}
	find_next_end(inputs);
	return !in->bad;
}

static const char *sync_text(enum iot_sync sync)
{
	static const char *const texts[] = { "unknown", "no", "yes", "host" };

	return texts[sync];
}

void iot_inputs_summarise(const struct iot_inputs *inputs, struct iot_summary *summary)
{
	struct iot_summary_input *rows = g_new0(struct iot_summary_input, MAX(inputs->n, 1));
	guint disjoint = disjoint_inputs(inputs);

	for (guint i = 0; i < inputs->n; i++) {
		const struct iot_input_info *info = &inputs->infos[i];
		struct iot_summary_input *row = &rows[i];

		row->path = info->path;
		row->node = inputs->names[i];
		row->hostname = info->hostname;
		row->kernel = info->kernel;
		row->format = info->format;
		row->clock = info->clock;
		row->protocol = info->protocol;
		row->sync = sync_text(info->sync);
		row->n_cpus = info->n_cpus;
		row->n_samples = info->n_samples;
		row->n_events = info->n_events;
		row->n_lost = info->n_lost;
		row->has_times = info->has_times;
		row->first_ns = info->first_ns;
		row->last_ns = info->last_ns;
		row->damaged = info->damaged;
		row->goes_on = info->goes_on;
		row->other_session = inputs->other_session[i];
		row->messages_name = inputs->contradicted[i];
		if (info->diag)
			row->diag = *info->diag;
		iot_diag_merge(&summary->diag, &row->diag);
	}
	iot_diag_merge(&summary->diag, &inputs->diag);
	iot_diag_add(&summary->diag, IOT_DIAG_clock_disjoint, disjoint);
	for (guint i = 0; i < inputs->n; i++)
		iot_diag_add(&summary->diag, IOT_DIAG_recording_ends_early, inputs->ended[i]);
	summary->inputs = rows;
	summary->n_inputs = inputs->n;
}

void iot_inputs_summary_free(struct iot_summary *summary)
{
	g_free((gpointer)summary->inputs);
	summary->inputs = NULL;
}
