/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "base/real.h"
#include "input/pcp/pcp-kinds.h"
#include "input/pcp/pcp-samples.h"

/* An event that is not put yet. */
struct held {
	guint64 ns;		       /* as recorded */
	struct iot_pcp_series *series; /* NULL: a sample of @metric, or a gap */
	struct iot_pcp_metric *metric;
	gint64 number;	/* of its kind: value, bits of a real number, period, end of the gap */
	guint8 event;	/* of the metric itself, enum iot_pcp_made; GAP_OF_ALL, NOTHING */
	guint8 unknown; /* enum iot_pcp_number */
	gboolean waits;
	const char *what;
};
enum { GAP_OF_ALL = IOT_PCP_EVENTS, NOTHING };

struct iot_pcp_samples {
	const struct iot_pcp_library *pcp;
	struct iot_pcp_metrics *metrics;
	struct iot_made *made;
	struct iot_intern *strings;
	const struct iot_clock *clock;
	struct iot_diag *diag;
	GArray *held;  /* of struct held, in order of time; the first @n_put are put */
	guint64 first; /* number of the first element; numbers begin with 1 */
	guint n_put, most;
	guint64 record;	 /* number of the present record */
	guint64 now_ns;	 /* its time, which never steps back */
	gboolean marked; /* the records before it ended with a mark */
};

static const char came[] = "came", gone[] = "gone", failed[] = "no value", set_back[] = "set back",
		  sampled_no_more[] = "sampled no more", given_up[] = "next sample too late";

struct iot_pcp_samples *iot_pcp_samples_new(const struct iot_pcp_archive *archive,
					    struct iot_made *made, struct iot_intern *strings,
					    const struct iot_clock *clock, struct iot_diag *diag,
					    guint most)
{
	struct iot_pcp_samples *samples = g_new0(struct iot_pcp_samples, 1);

	samples->pcp = archive->pcp;
	samples->metrics = iot_pcp_metrics_new(archive, strings, diag);
	samples->made = made;
	samples->strings = strings;
	samples->clock = clock;
	samples->diag = diag;
	samples->held = g_array_new(FALSE, TRUE, sizeof(struct held));
	samples->first = 1;
	samples->most = most;
	return samples;
}

void iot_pcp_samples_free(struct iot_pcp_samples *samples)
{
	if (!samples)
		return;
	iot_pcp_metrics_free(samples->metrics);
	g_array_unref(samples->held);
	g_free(samples);
}

/* ---- events that wait */

static struct held *hold(struct iot_pcp_samples *samples, const struct held *event)
{
	g_array_append_val(samples->held, *event);
	return &g_array_index(samples->held, struct held, samples->held->len - 1);
}

/* The number of a series, at the time of the record. */
static struct held *hold_number(struct iot_pcp_samples *samples, struct iot_pcp_series *series,
				enum iot_pcp_made event, gint64 number)
{
	return hold(samples, &(struct held){ .ns = samples->now_ns,
					     .series = series,
					     .metric = series->metric,
					     .event = (guint8)event,
					     .number = number });
}

/* The event that waits for a value of the series, which comes now or never; NULL: there is none. */
static struct held *awaited(struct iot_pcp_samples *samples, struct iot_pcp_series *series)
{
	struct held *event;

	if (!series->held)
		return NULL;
	event = &g_array_index(samples->held, struct held, (guint)(series->held - samples->first));
	event->waits = FALSE;
	series->held = 0;
	return event;
}

/* The rate of a counter is not known up to now; @what says why. NULL: something else does. */
static void give_up(struct iot_pcp_samples *samples, struct iot_pcp_series *series,
		    const char *what)
{
	struct held *event = awaited(samples, series);

	if (!event)
		return;
	event->event = what ? IOT_PCP_GAP : IOT_PCP_UNKNOWN;
	event->unknown = IOT_PCP_RATE_NUMBER;
	event->number = (gint64)(samples->now_ns - event->ns);
	event->what = what;
}

static guint64 corrected(const struct iot_pcp_samples *samples, guint64 ns)
{
	return iot_clock_correct(samples->clock, 0, ns);
}

static void put(struct iot_pcp_samples *samples, const struct held *event)
{
	const struct iot_pcp_metric *metric = event->metric;
	struct iot_made_rec rec = { .event = event->event };
	gint64 *field = rec.field;

	if (event->event == NOTHING)
		return;
	if (event->event == GAP_OF_ALL) {
		/* up to the mark it was observed, also if nothing is drawn there */
		samples->made->now_ns = MAX(samples->made->now_ns, corrected(samples, event->ns));
		iot_made_put_gap(samples->made, corrected(samples, (guint64)event->number));
		return;
	}
	if (event->series && event->series->is_instance) {
		rec.event++;
		field[IOT_PCP_INSTANCE] = event->series->name;
	}
	field[IOT_PCP_GROUP] = metric->group;
	field[IOT_PCP_METRIC] = metric->name;
	field[IOT_PCP_TITLE] = metric->title;
	field[IOT_PCP_SEMANTICS] = metric->semantics;
	field[IOT_PCP_UNITS] = metric->units;
	field[IOT_PCP_NUMBER] = event->unknown;
	if (event->what)
		field[IOT_PCP_WHAT] = iot_intern_str(samples->strings, event->what);
	/* an event has one of these */
	field[IOT_PCP_WHOLE] = field[IOT_PCP_REAL_VALUE] = field[IOT_PCP_PERIOD] =
		field[IOT_PCP_LASTS] = event->number;
	iot_made_put(samples->made, &rec, corrected(samples, event->ns));
}

/* Puts the events before the first one that waits; that one is given up if too many are after it.
 */
static void put_held(struct iot_pcp_samples *samples)
{
	while (samples->n_put < samples->held->len) {
		const struct held *event =
			&g_array_index(samples->held, struct held, samples->n_put);

		if (event->waits) {
			if (samples->held->len - samples->n_put <= samples->most)
				break;
			give_up(samples, event->series, given_up);
			iot_diag_add(samples->diag, IOT_DIAG_rates_given_up, 1);
		}
		put(samples, event);
		samples->n_put++;
	}
	/* moving the rest costs less than putting these */
	if (samples->n_put * 2 >= samples->held->len) {
		g_array_remove_range(samples->held, 0, samples->n_put);
		samples->first += samples->n_put;
		samples->n_put = 0;
	}
}

/* ---- values */

/* A number of 32 bits has about seven digits: 8.91, and not 8.90999984741211, which is nearer. */
static gdouble fewest_digits(gfloat number)
{
	char text[IOT_REAL_ROOM];

	if (!isfinite(number))
		return (gdouble)number;
	for (guint digits = 6; digits <= 9; digits++) {
		const char format[] = { '%', '.', (char)('0' + digits), 'g', '\0' };
		gdouble real = g_ascii_strtod(
			g_ascii_formatd(text, sizeof(text), format, (gdouble)number), NULL);

		if ((gfloat)real == number)
			return real;
	}
	return (gdouble)number;
}

/* FALSE: it is no number that can be drawn. */
static gboolean read_value(const struct iot_pcp_library *pcp, const struct iot_pcp_metric *metric,
			   int format, const pmValue *from, struct iot_pcp_value *out)
{
	pmAtomValue atom;

	*out = (struct iot_pcp_value){ 0 };
	if (pcp->pmExtractValue(format, from, metric->desc.type, &atom, metric->desc.type) < 0)
		return FALSE;
	switch (metric->desc.type) {
	case PM_TYPE_32:
		out->number = (gdouble)(out->whole = atom.l);
		break;
	case PM_TYPE_U32:
		out->number = (gdouble)(out->whole = atom.ul);
		break;
	case PM_TYPE_64:
		out->number = (gdouble)(out->whole = atom.ll);
		break;
	case PM_TYPE_U64:
		out->whole = (gint64)atom.ull;
		out->number = (gdouble)atom.ull;
		break;
	case PM_TYPE_FLOAT:
	default:
		out->real = TRUE;
		out->number = metric->desc.type == PM_TYPE_FLOAT ? fewest_digits(atom.f) : atom.d;
		break;
	}
	return isfinite(out->number);
}

static gint64 drawn_whole(struct iot_pcp_samples *samples, const struct iot_pcp_metric *metric,
			  gint64 whole)
{
	if (metric->desc.type != PM_TYPE_U64 || whole >= 0)
		return whole;
	iot_diag_add(samples->diag, IOT_DIAG_values_too_large, 1);
	return G_MAXINT64;
}

/* Growth since the last value; FALSE: the counter went back. */
static gboolean growth(const struct iot_pcp_series *series, const struct iot_pcp_value *now,
		       gdouble *out)
{
	const struct iot_pcp_value *last = &series->last;
	gboolean is_u64 = series->metric->desc.type == PM_TYPE_U64;

	if (now->real) {
		*out = now->number - last->number;
		return *out >= 0;
	}
	*out = (gdouble)((guint64)now->whole - (guint64)last->whole);
	return is_u64 ? (guint64)now->whole >= (guint64)last->whole : now->whole >= last->whole;
}

static void take_rate(struct iot_pcp_samples *samples, struct iot_pcp_series *series,
		      const struct iot_pcp_value *now)
{
	gdouble grown = 0, seconds = (gdouble)(samples->now_ns - series->last_ns) / 1e9;
	struct held *event;

	if (series->held && !growth(series, now, &grown)) {
		give_up(samples, series, set_back);
		iot_diag_add(samples->diag, IOT_DIAG_counter_set_back, 1);
	}
	event = awaited(samples, series);
	if (event && seconds > 0)
		event->number = (gint64)iot_real_bits(grown * series->metric->scale / seconds);
	else if (event) /* two values of one instant: the later one counts */
		event->event = NOTHING;
	hold_number(samples, series, IOT_PCP_RATE, 0)->waits = TRUE;
	series->held = samples->first + samples->held->len - 1;
}

static void take_value(struct iot_pcp_samples *samples, struct iot_pcp_series *series,
		       const struct iot_pcp_value *now)
{
	const struct iot_pcp_metric *metric = series->metric;

	if (metric->counts)
		take_rate(samples, series, now);
	if (now->real)
		hold_number(samples, series, IOT_PCP_REAL, (gint64)iot_real_bits(now->number));
	else
		hold_number(samples, series, IOT_PCP_VALUE,
			    drawn_whole(samples, metric, now->whole));
	series->last = *now;
	series->last_ns = samples->now_ns;
}

/* Nothing is known of the series from the present record on. */
static void forget(struct iot_pcp_samples *samples, struct iot_pcp_series *series, const char *what)
{
	struct held *event;

	if (series->metric->counts) {
		give_up(samples, series, what);
		return;
	}
	event = hold_number(samples, series, what ? IOT_PCP_GAP : IOT_PCP_UNKNOWN, 0);
	event->what = what;
	event->unknown = series->last.real ? IOT_PCP_REAL_NUMBER : IOT_PCP_WHOLE_NUMBER;
}

/* ---- records */

static void take_sample(struct iot_pcp_samples *samples, struct iot_pcp_metric *metric)
{
	struct held sample = { .ns = samples->now_ns, .metric = metric, .event = IOT_PCP_SAMPLE };

	if (metric->sampled)
		sample.number = (gint64)(metric->period = samples->now_ns - metric->last_ns);
	hold(samples, &sample);
	metric->last_ns = samples->now_ns;
}

static void take_set(struct iot_pcp_samples *samples, const pmValueSet *set)
{
	struct iot_pcp_metric *metric = iot_pcp_metric(samples->metrics, set->pmid);
	g_autoptr(GPtrArray) before = metric->present;

	metric->present = g_ptr_array_new();
	if (!metric->known)
		return;
	if (set->numval < 0) {
		iot_diag_add(samples->diag, IOT_DIAG_samples_failed, 1);
	} else if (!metric->numbers) {
		iot_diag_add(samples->diag, IOT_DIAG_values_no_number, (guint64)set->numval);
		return;
	} else {
		take_sample(samples, metric);
	}
	for (int i = 0; i < set->numval; i++) {
		struct iot_pcp_series *series =
			iot_pcp_series(samples->metrics, metric, set->vlist[i].inst);
		struct iot_pcp_value value;

		if (!read_value(samples->pcp, metric, set->valfmt, &set->vlist[i], &value)) {
			iot_diag_add(samples->diag, IOT_DIAG_values_no_number, 1);
			continue;
		}
		if (metric->sampled && series->record != metric->record)
			hold_number(samples, series, IOT_PCP_NOTE, 0)->what = came;
		take_value(samples, series, &value);
		series->record = samples->record;
		g_ptr_array_add(metric->present, series);
	}
	for (guint i = 0; i < before->len; i++) {
		struct iot_pcp_series *series = before->pdata[i];

		if (series->record != samples->record)
			forget(samples, series, set->numval < 0 ? failed : gone);
	}
	metric->record = samples->record;
	metric->sampled |= set->numval >= 0;
}

/* A mark: the records before it and those after it are two recordings. */
static void take_mark(struct iot_pcp_samples *samples)
{
	const GPtrArray *metrics = iot_pcp_metrics_each(samples->metrics);

	for (guint i = 0; i < metrics->len; i++) {
		struct iot_pcp_metric *metric = metrics->pdata[i];

		for (guint k = 0; k < metric->present->len; k++)
			forget(samples, metric->present->pdata[k], NULL);
		g_ptr_array_set_size(metric->present, 0);
		metric->sampled = FALSE;
	}
	samples->marked = TRUE;
}

void iot_pcp_samples_take(struct iot_pcp_samples *samples, const pmHighResResult *record)
{
	guint64 ns = iot_pcp_ns(&record->timestamp);

	samples->record++;
	if (ns < samples->now_ns)
		iot_diag_add(samples->diag, IOT_DIAG_clock_stepped_back, 1);
	ns = MAX(ns, samples->now_ns);
	if (!record->numpmid) {
		samples->now_ns = ns;
		take_mark(samples);
		put_held(samples);
		return;
	}
	if (samples->marked)
		hold(samples, &(struct held){ .ns = samples->now_ns,
					      .event = GAP_OF_ALL,
					      .number = (gint64)ns });
	samples->marked = FALSE;
	samples->now_ns = ns;
	for (int i = 0; i < record->numpmid; i++)
		take_set(samples, record->vset[i]);
	put_held(samples);
}

void iot_pcp_samples_end(struct iot_pcp_samples *samples, gboolean damaged)
{
	for (guint i = samples->n_put; i < samples->held->len; i++) {
		struct held *event = &g_array_index(samples->held, struct held, i);

		if (!event->waits)
			continue;
		/* the next sample was not due yet, so the rate before is the best that is known */
		if (samples->now_ns - event->ns <= event->metric->period)
			awaited(samples, event->series)->event = NOTHING;
		else
			give_up(samples, event->series, sampled_no_more);
	}
	put_held(samples);
	if (damaged)
		iot_made_put_gap(samples->made, G_MAXUINT64);
}
