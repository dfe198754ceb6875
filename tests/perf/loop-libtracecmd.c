// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-libtracecmd FILE... - the base line of the benchmark: the minimum for a program on the
 * public interface of libtracecmd that sees every event in order of time and reads three fields of
 * wanted events.
 */
#include "loop.h"

#include <trace-cmd.h>

enum { MAX_IDS = 1 << 16 };

struct file {
	struct tracecmd_input *handle;
	struct tep_handle *tep;
	struct tep_format_field *(*field)[LOOP_FIELDS]; /* by event id; NULL: not wanted */
};

struct loop {
	struct file *files;
	int n;
	struct loop_sums sums;
};

static void resolve(struct file *file)
{
	file->tep = tracecmd_get_tep(file->handle);
	file->field = g_malloc0(MAX_IDS * sizeof(*file->field));
	for (gsize i = 0; i < G_N_ELEMENTS(loop_events); i++) {
		const struct loop_event *e = &loop_events[i];
		struct tep_event *event = tep_find_event_by_name(file->tep, e->system, e->name);

		for (int f = 0; event && f < LOOP_FIELDS; f++)
			file->field[event->id][f] = tep_find_field(event, e->field[f]);
	}
}

/* The library swaps bytes but does not extend the sign. */
static gint64 number(struct tep_format_field *field, const void *data)
{
	unsigned long long v = 0;

	if (tep_read_number_field(field, data, &v) < 0)
		return 0;
	if (!(field->flags & TEP_FIELD_IS_SIGNED))
		return v;
	return field->size == 4 ? (gint32)v : (gint64)v;
}

static int on_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *data)
{
	struct loop *loop = data;
	struct file *file = loop->files;
	struct tep_format_field **field;
	gint64 value[LOOP_FIELDS];

	(void)cpu;
	while (file->handle != handle)
		file++;
	loop->sums.events++;
	field = file->field[tep_data_type(file->tep, record) & (MAX_IDS - 1)];
	if (!field[0])
		return 0;
	for (int i = 0; i < LOOP_FIELDS; i++)
		value[i] = number(field[i], record->data);
	loop_add(&loop->sums, record->ts, value);
	return 0;
}

int main(int argc, char **argv)
{
	struct loop loop = { .n = argc - 1 };
	gint64 start = g_get_monotonic_time();
	g_autofree struct tracecmd_input **handles = g_new0(struct tracecmd_input *, argc);

	tracecmd_set_loglevel(TEP_LOG_NONE);
	loop.files = g_new0(struct file, argc);
	for (int i = 0; i < loop.n; i++) {
		handles[i] = loop.files[i].handle = tracecmd_open(argv[i + 1], 1);
		if (!handles[i]) {
			g_printerr("loop-libtracecmd: cannot open %s\n", argv[i + 1]);
			return 2;
		}
		resolve(&loop.files[i]);
	}
	if (tracecmd_iterate_events_multi(handles, loop.n, on_record, &loop) < 0) {
		g_printerr("loop-libtracecmd: iteration failed\n");
		return 2;
	}
	loop_print(&loop.sums, start);
	for (int i = 0; i < loop.n; i++) {
		tracecmd_close(handles[i]);
		g_free(loop.files[i].field);
	}
	g_free(loop.files);
	return 0;
}
