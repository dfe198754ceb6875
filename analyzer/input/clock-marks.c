/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-marks.h"

#include <string.h>

/* Marks of one thread within this time are about one instant. */
enum { ROW_NS = 100000000, BATCH = 256 << 10 };

static const char *const clocks[] = { "mono", "boot", "real", "tai" };

struct marks {
	const char *clock;
	GArray *pairs; /* of struct iot_clock_pair */
	/* the best pair of the row of marks */
	struct iot_clock_pair best;
	/* the last mark; 0: there was none */
	guint64 last_ns;
	gint32 last_pid;
};

gboolean iot_clock_marks_serve(const char *clock)
{
	for (guint i = 0; clock && i < G_N_ELEMENTS(clocks); i++)
		if (!strcmp(clock, clocks[i]))
			return TRUE;
	return FALSE;
}

gboolean iot_clock_marks_is(const char *text)
{
	return g_str_has_prefix(text, "iotrace-clocks ");
}

void iot_clock_marks_want(struct iot_schema *schema)
{
	struct iot_schema_event *event =
		iot_schema_event(schema, IOT_CLOCK_MARKS_SYSTEM, IOT_CLOCK_MARKS_EVENT);

	iot_schema_want(event, iot_schema_field(event, "buf", FALSE, "marks"), TRUE, "marks");
}

/* "iotrace-clocks mono=12 boot=12 real=1795678165000000012 tai=..." */
static gboolean parse(const char *text, const char *clock, guint64 *out_ns)
{
	g_auto(GStrv) words = NULL;

	if (!iot_clock_marks_is(text))
		return FALSE;
	words = g_strsplit(text, " ", -1);
	for (guint i = 1; words[i]; i++) {
		char *equals = strchr(g_strchomp(words[i]), '=');

		if (!equals)
			return FALSE;
		*equals = '\0';
		if (!strcmp(words[i], clock))
			return g_ascii_string_to_unsigned(equals + 1, 10, 1, G_MAXINT64, out_ns,
							  NULL);
	}
	return FALSE;
}

static void end_row(struct marks *marks)
{
	if (marks->best.error_ns)
		g_array_append_val(marks->pairs, marks->best);
	marks->best.error_ns = 0;
}

static void take(struct marks *marks, const struct iot_rec *rec, const char *text)
{
	guint64 after = rec->ts - marks->last_ns, ns;
	gboolean in_row = marks->last_ns && rec->pid == marks->last_pid && after < ROW_NS;

	if (!parse(text, marks->clock, &ns))
		return;
	if (!in_row)
		end_row(marks);
	/* half of the time between both marks, rounded up, and never 0: that is "not known" */
	if (in_row && (!marks->best.error_ns || after / 2 + 1 < marks->best.error_ns))
		marks->best =
			(struct iot_clock_pair){ marks->last_ns + after / 2, ns, after / 2 + 1 };
	marks->last_ns = rec->ts;
	marks->last_pid = rec->pid;
}

static gboolean read_run(struct marks *marks, struct iot_source *source, guint run,
			 struct iot_batch *batch, GError **error)
{
	const struct iot_intern *strings = source->ops->strings(source, run);
	enum iot_next next;

	marks->last_ns = 0;
	while ((next = source->ops->read(source, run, batch, error)) == IOT_NEXT_OK)
		for (const struct iot_rec *rec = iot_batch_first(batch);
		     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec))
			if (rec->event->index < IOT_EVENT_GAP_BEGIN)
				take(marks, rec,
				     iot_intern_get(strings, (guint32)rec->slot[0].u, NULL));
	end_row(marks);
	return next != IOT_NEXT_ERROR;
}

static gint by_reference(gconstpointer pa, gconstpointer pb)
{
	const struct iot_clock_pair *a = pa, *b = pb;

	return (a->reference_ns > b->reference_ns) - (a->reference_ns < b->reference_ns);
}

/* Runs are of one CPU each, and a mark is of any. Both clocks must ascend. */
static guint put_in_order(GArray *pairs)
{
	guint n = 0, back = 0;

	g_array_sort(pairs, by_reference);
	for (guint i = 0; i < pairs->len; i++) {
		const struct iot_clock_pair pair = g_array_index(pairs, struct iot_clock_pair, i);
		struct iot_clock_pair *last =
			n ? &g_array_index(pairs, struct iot_clock_pair, n - 1) : NULL;

		if (last && pair.reference_ns == last->reference_ns)
			continue;
		if (last && pair.machine_ns <= last->machine_ns)
			back++;
		else
			g_array_index(pairs, struct iot_clock_pair, n++) = pair;
	}
	g_array_set_size(pairs, n);
	return back;
}

/* The errors of the recording's own times are those of the pairs, too. */
static void add_errors(const struct iot_source *source, GArray *pairs)
{
	struct iot_clock_facts facts = { 0 };

	source->ops->judge(source, &IOT_CLOCK_ASSUMED, &facts);
	for (guint i = 0; facts.knots && i < pairs->len; i++) {
		struct iot_clock_pair *pair = &g_array_index(pairs, struct iot_clock_pair, i);

		pair->error_ns += iot_clock_facts_bound(&facts, pair->reference_ns);
	}
	iot_clock_facts_clear(&facts);
}

gboolean iot_clock_marks_read(const struct iot_input_spec *spec, const char *clock,
			      GArray **out_pairs, guint *out_back, GError **error)
{
	struct marks marks = { .clock = clock };
	struct iot_source *source = iot_source_open(NULL, spec, error);
	struct iot_batch *batch = source ? iot_batch_new(BATCH, error) : NULL;
	g_autoptr(iot_schema) schema = iot_schema_new();
	gboolean ok;

	iot_clock_marks_want(schema);
	marks.pairs = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_pair));
	ok = batch && source->ops->bind(source, schema, error);
	for (guint run = 0; ok && run < source->ops->n_runs(source); run++)
		ok = read_run(&marks, source, run, batch, error);
	if (ok) {
		*out_back += put_in_order(marks.pairs);
		add_errors(source, marks.pairs);
	}
	if (ok && marks.pairs->len >= 2)
		*out_pairs = g_steal_pointer(&marks.pairs);
	g_clear_pointer(&marks.pairs, g_array_unref);
	iot_batch_free(batch);
	if (source)
		source->ops->close(source);
	return ok;
}
