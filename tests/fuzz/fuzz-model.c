/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target: the text of models. An accepted model also runs over events made up from its own
 * schema, and its items must keep the contract of the timeline.
 */
#include "fuzz-source.h"
#include "base/error.h"
#include "model/model.h"
#include "timeline/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N_INPUTS = 2, N_CPUS = 2, MAX_EVENTS = 40, N_RECORDS = 600, N_WORDS = 4 };

struct play {
	struct iot_timeline *tl;
	struct iot_schema *schema;
	struct iot_model *model;
	struct iot_emit *emit;
	struct iot_validate *validate;
	struct iot_diag diag;
	struct iot_model_input input[N_INPUTS];
	struct iot_event event[N_INPUTS][MAX_EVENTS];
	guint depth[N_INPUTS]; /* of gaps */
	guint32 word[N_WORDS];
	guint64 random;
};

static guint next_random(struct play *p, guint n)
{
	p->random = p->random * 6364136223846793005u + 1442695040888963407u;
	return (guint)(p->random >> 33) % n;
}

static gboolean check(gpointer data, const struct iot_item *item, GError **error)
{
	return iot_validate_item(((struct play *)data)->validate, item, error);
}

static void stop_on(GError *error)
{
	if (!error)
		return;
	fprintf(stderr, "%s\n", error->message);
	abort();
}

/* A type as a recording could have it: a number, a text, or missing. A recording with a type that the model does not
 * want would be refused, so the field gets the other one. */
static guint8 bind_type(struct play *p, const struct iot_schema_event *from, guint slot)
{
	guint8 type = (guint8)(IOT_SLOT_ABSENT + next_random(p, 4));

	if (iot_schema_check_type(from, slot, &type, "a recording", &p->diag, NULL))
		return type;
	type = type == IOT_SLOT_STR ? IOT_SLOT_INT : IOT_SLOT_STR;
	return iot_schema_check_type(from, slot, &type, "a recording", &p->diag, NULL) ? type : IOT_SLOT_ABSENT;
}

/* Events as two files could hold them. */
static void bind_events(struct play *p)
{
	for (guint i = 0; i < N_INPUTS; i++) {
		for (guint e = 0; e < p->schema->events->len && e < MAX_EVENTS; e++) {
			const struct iot_schema_event *from = p->schema->events->pdata[e];
			struct iot_event *event = &p->event[i][e];

			event->index = e;
			event->input = i;
			event->n_slots = from->n_fields;
			for (guint f = 0; f < from->n_fields; f++)
				event->slot_type[f] = bind_type(p, from, f);
		}
	}
}

static void fill_slots(struct play *p, struct iot_rec *rec)
{
	static const gint64 numbers[] = { 0, 0,	 0,   1,      2,	  3,
					  4, -1, -11, -65538, G_MININT64, G_MAXINT64 };

	for (guint f = 0; f < rec->event->n_slots; f++) {
		if (rec->event->slot_type[f] == IOT_SLOT_STR)
			rec->slot[f].u = p->word[next_random(p, N_WORDS)];
		else if (rec->event->slot_type[f] != IOT_SLOT_ABSENT)
			rec->slot[f].i = numbers[next_random(p, G_N_ELEMENTS(numbers))];
		else
			rec->slot[f].i = 0;
	}
}

static void play_gap(struct play *p, guint input, guint64 ts)
{
	gboolean begin = p->depth[input] == 0 || (p->depth[input] == 1 && next_random(p, 4) == 0);

	iot_model_gap(p->model, input, ts, begin);
	p->depth[input] += begin ? 1u : -1u;
}

static void play_records(struct play *p)
{
	guint n_events = MIN(p->schema->events->len, MAX_EVENTS);
	guint64 storage[4 + IOT_MAX_SLOTS], ts = 100;
	struct iot_rec *rec = (struct iot_rec *)storage;
	GError *error = NULL;

	for (guint i = 0; i < N_RECORDS && n_events; i++) {
		guint input = next_random(p, N_INPUTS);

		ts += next_random(p, 4);
		if (next_random(p, 4) == 0)
			iot_emit_advance(p->emit, MIN(ts, iot_model_watermark(p->model, ts)), &error);
		stop_on(error);
		if (next_random(p, 100) == 0) {
			play_gap(p, input, ts);
			continue;
		}
		rec->event = &p->event[input][next_random(p, n_events)];
		rec->ts = ts;
		rec->run = input * N_CPUS + next_random(p, N_CPUS);
		rec->pid = (gint32)next_random(p, 3);
		fill_slots(p, rec);
		iot_model_event(p->model, rec);
	}
	iot_model_finish(p->model, ts, next_random(p, 2) == 0);
	iot_emit_finish(p->emit, &error);
	stop_on(error);
}

static void play(struct play *p)
{
	struct iot_emit_config config = {
		.to_ns = G_MAXUINT64, .memory = 1, .begins = TRUE, .func = check, .user_data = p
	};
	static const char *const words[N_WORDS] = { "", "a", "       2             13b", "\xff\\" };
	GError *error = NULL;

	if (next_random(p, 2))
		config.from_ns = 100 + next_random(p, 900);
	for (guint i = 0; i < N_WORDS; i++)
		p->word[i] = iot_intern_str(p->tl->strings, words[i]);
	for (guint i = 0; i < N_INPUTS; i++) {
		p->input[i].node = p->input[i].node_name = p->word[i];
		p->input[i].machine = p->input[i].recording = (guint32)i;
		p->input[i].first_ns = 50;
		p->input[i].n_runs = N_CPUS;
	}
	p->validate = iot_validate_new(p->tl, IOT_FEED_WITH_BEGINS);
	bind_events(p);
	p->emit = iot_emit_new(p->tl, &config);
	iot_model_start(p->model, &(struct iot_model_run){ .emit = p->emit,
							   .inputs = p->input,
							   .n_inputs = N_INPUTS,
							   .max_open = 20,
							   .max_rows = 5 + next_random(p, 60),
							   .diag = &p->diag });
	play_records(p);
	iot_validate_finish(p->validate, &error);
	stop_on(error);
}

static struct iot_model *load(struct play *p, const guint8 *data, gsize len, GError **error)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	struct iot_model *model;

	CHECK(fd >= 0 && write(fd, data, len) == (gssize)len);
	model = iot_model_load(path, p->tl, p->schema, NULL, error);
	close(fd);
	return model;
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize len)
{
	struct play *p = g_new0(struct play, 1);
	g_autoptr(GError) error = NULL;

	g_log_set_always_fatal(G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL);
	p->tl = iot_timeline_new();
	p->schema = iot_schema_new();
	p->random = iot_hash_bytes(data, len);
	p->model = load(p, data, len, &error);
	CHECK((p->model == NULL) == (error != NULL));
	if (error) {
		CHECK(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
		CHECK(g_str_has_prefix(error->message, "/proc/self/fd/"));
	} else {
		g_free(iot_model_describe(p->model));
		play(p);
	}
	iot_emit_free(p->emit);
	iot_model_free(p->model);
	iot_validate_free(p->validate);
	iot_schema_free(p->schema);
	iot_timeline_free(p->tl);
	g_free(p);
	return 0;
}
