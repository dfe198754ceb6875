/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/clock-marks.h"

#include <string.h>

/* Marks of one thread within this time are about one instant. */
enum { ROW_NS = 100000000, BATCH = 256 << 10 };

/* In these bytes of a processor are the first marks, if there are some. */
enum { FIRST_BYTES = 4 << 20 };

static const char *const clocks[] = { "mono", "boot", "real", "tai" };

enum { N_CLOCKS = G_N_ELEMENTS(clocks) };

struct mark {
	guint64 at_ns;		 /* of the common clock */
	guint64 error_ns;	 /* 0: it is not known */
	guint64 clock[N_CLOCKS]; /* 0: the mark does not say it */
};

struct iot_clock_marks {
	GArray *marks; /* of struct mark, by time */
	/* the best one of the row of marks */
	struct mark best;
	/* the last mark; 0: there was none */
	guint64 last_ns;
	gint32 last_pid;
};

static guint clock_index(const char *clock)
{
	guint i = 0;

	while (i < N_CLOCKS && g_strcmp0(clock, clocks[i]))
		i++;
	return i;
}

gboolean iot_clock_marks_serve(const char *clock)
{
	return clock_index(clock) < N_CLOCKS;
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
static gboolean parse(const char *text, guint64 *clock)
{
	g_auto(GStrv) words = NULL;

	if (!iot_clock_marks_is(text))
		return FALSE;
	words = g_strsplit(text, " ", -1);
	for (guint i = 1; words[i]; i++) {
		char *equals = strchr(g_strchomp(words[i]), '=');
		guint index;

		if (!equals)
			return FALSE;
		*equals = '\0';
		index = clock_index(words[i]);
		if (index < N_CLOCKS &&
		    !g_ascii_string_to_unsigned(equals + 1, 10, 1, G_MAXINT64, &clock[index], NULL))
			return FALSE;
	}
	return TRUE;
}

/* The boot id in a mark; NULL: it says none. */
static char *boot_of(const char *text)
{
	static const char key[] = " boot_id=";
	const char *at = iot_clock_marks_is(text) ? strstr(text, key) : NULL;

	if (!at)
		return NULL;
	at += strlen(key);
	return *at && !g_ascii_isspace(*at) ? g_strndup(at, strcspn(at, " \n")) : NULL;
}

static void end_row(struct iot_clock_marks *marks)
{
	if (marks->best.error_ns)
		g_array_append_val(marks->marks, marks->best);
	marks->best.error_ns = 0;
}

static void take(struct iot_clock_marks *marks, const struct iot_rec *rec, const char *text)
{
	guint64 after = rec->ts - marks->last_ns;
	gboolean in_row = marks->last_ns && rec->pid == marks->last_pid && after < ROW_NS;
	struct mark mark = { 0 };

	if (!parse(text, mark.clock))
		return;
	if (!in_row)
		end_row(marks);
	/* half of the time between both marks, rounded up, and never 0: that is "not known" */
	mark.at_ns = marks->last_ns + after / 2;
	mark.error_ns = after / 2 + 1;
	if (in_row && (!marks->best.error_ns || mark.error_ns < marks->best.error_ns))
		marks->best = mark;
	marks->last_ns = rec->ts;
	marks->last_pid = rec->pid;
}

static gboolean read_run(struct iot_clock_marks *marks, struct iot_source *source, guint run,
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

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct mark *a = pa, *b = pb;

	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/* The errors of the recording's own times are those of the marks, too. */
static void add_errors(const struct iot_source *source, GArray *marks)
{
	struct iot_clock_facts facts = { 0 };

	source->ops->judge(source, &IOT_CLOCK_ASSUMED, &facts);
	for (guint i = 0; facts.knots && i < marks->len; i++) {
		struct mark *mark = &g_array_index(marks, struct mark, i);

		mark->error_ns += iot_clock_facts_bound(&facts, mark->at_ns);
	}
	iot_clock_facts_clear(&facts);
}

struct iot_clock_marks *iot_clock_marks_read(const struct iot_input_spec *spec, GError **error)
{
	struct iot_clock_marks *marks = g_new0(struct iot_clock_marks, 1);
	struct iot_source *source = iot_source_open(NULL, spec, error);
	struct iot_batch *batch = source ? iot_batch_new(BATCH, error) : NULL;
	g_autoptr(iot_schema) schema = iot_schema_new();
	gboolean ok;

	iot_clock_marks_want(schema);
	marks->marks = g_array_new(FALSE, FALSE, sizeof(struct mark));
	ok = batch && source->ops->bind(source, schema, error);
	for (guint run = 0; ok && run < source->ops->n_runs(source); run++)
		ok = read_run(marks, source, run, batch, error);
	if (ok) {
		/* runs are of one CPU each, and a mark is of any */
		g_array_sort(marks->marks, by_time);
		add_errors(source, marks->marks);
	} else {
		g_clear_pointer(&marks, iot_clock_marks_free);
	}
	iot_batch_free(batch);
	if (source)
		source->ops->close(source);
	return marks;
}

/* Up to the first mark, or as far as marks are that stand at the begin. */
static char *find_boot(struct iot_source *source, guint run, struct iot_batch *batch)
{
	const struct iot_intern *strings = source->ops->strings(source, run);
	guint64 before = source->ops->progress(source);
	char *boot = NULL;

	while (!boot && source->ops->progress(source) - before < FIRST_BYTES &&
	       source->ops->read(source, run, batch, NULL) == IOT_NEXT_OK)
		for (const struct iot_rec *rec = iot_batch_first(batch);
		     !boot && !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec))
			if (rec->event->index < IOT_EVENT_GAP_BEGIN)
				boot = boot_of(
					iot_intern_get(strings, (guint32)rec->slot[0].u, NULL));
	return boot;
}

char *iot_clock_marks_boot(const struct iot_input_spec *spec)
{
	struct iot_schema *schema = iot_schema_new();
	struct iot_batch *batch = iot_batch_new(BATCH, NULL);
	struct iot_source *source = batch ? iot_source_open(NULL, spec, NULL) : NULL;
	char *boot = NULL;

	iot_clock_marks_want(schema);
	if (source && source->ops->bind(source, schema, NULL))
		for (guint run = 0; !boot && run < source->ops->n_runs(source); run++)
			boot = find_boot(source, run, batch);
	if (source)
		source->ops->close(source);
	iot_batch_free(batch);
	iot_schema_free(schema);
	return boot;
}

void iot_clock_marks_free(struct iot_clock_marks *marks)
{
	if (!marks)
		return;
	g_array_unref(marks->marks);
	g_free(marks);
}

GArray *iot_clock_marks_pairs(const struct iot_clock_marks *marks, const char *clock,
			      guint *out_back)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_pair));
	guint index = clock_index(clock);
	/* both clocks must ascend */
	struct iot_clock_pair last = { 0 };

	for (guint i = 0; i < marks->marks->len; i++) {
		const struct mark *mark = &g_array_index(marks->marks, struct mark, i);

		if (!mark->clock[index] || mark->at_ns == last.reference_ns)
			continue;
		if (mark->clock[index] <= last.machine_ns) {
			++*out_back;
			continue;
		}
		last = (struct iot_clock_pair){ mark->at_ns, mark->clock[index], mark->error_ns };
		g_array_append_val(pairs, last);
	}
	if (pairs->len < 2)
		g_clear_pointer(&pairs, g_array_unref);
	return pairs;
}
