/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge.h"
#include "restore.h"
#include "input/clock-marks.h"
#include "input/source.h"

#include <string.h>

enum { BATCH_BYTES = 1 << 16 };

/* Read all events of all processors, for a schema of marks only. Returns the number of gaps.
 * @out_marks: events that iotrace-record made itself; added up */
static guint64 read_all(struct iot_source *source, guint64 *out_marks, GError **error)
{
	struct iot_batch *batch = iot_batch_new(BATCH_BYTES, error);
	guint64 n_gaps = 0;

	for (guint run = 0; batch && run < source->ops->n_runs(source); run++) {
		enum iot_next next = IOT_NEXT_OK;

		while (next == IOT_NEXT_OK) {
			next = source->ops->read(source, run, batch, error);
			for (const struct iot_rec *rec = iot_batch_first(batch);
			     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
				if (rec->event->index >= IOT_EVENT_GAP_BEGIN)
					n_gaps++;
				else
					*out_marks += iot_clock_marks_is(
						iot_intern_get(source->ops->strings(source, run),
							       (guint32)rec->slot[0].u, NULL));
			}
		}
		if (next == IOT_NEXT_ERROR)
			break;
	}
	iot_batch_free(batch);
	return n_gaps;
}

static void set(struct rec_verdict *verdict, enum rec_grade grade, char *sentence)
{
	verdict->grade = grade;
	g_free(verdict->sentence);
	verdict->sentence = sentence;
}

/* @n: 0: not known */
static char *lost_sentence(guint64 n, guint kb)
{
	g_autofree char *number =
		n ? g_strdup_printf("%" G_GUINT64_FORMAT, n) : g_strdup("an unknown number of");

	return g_strdup_printf("%s events were lost; record again with a larger ring buffer: -b %u",
			       number, kb);
}

/* Only the worst thing is said. */
static void judge_info(const struct rec_plan *plan, const struct rec_machine *machine,
		       struct rec_verdict *verdict, guint64 n_gaps)
{
	gboolean agent = machine->transport != REC_HERE;
	guint kb = rec_plan_buffer_kb(plan, machine);

	if (!verdict->n_events)
		set(verdict, REC_EMPTY,
		    g_strdup("no event was recorded: nothing happened, or the load ran before or "
			     "after"));
	else if (verdict->damaged)
		set(verdict, REC_DOUBTFUL,
		    g_strdup("the file is damaged; its good part can be used"));
	else if (n_gaps)
		set(verdict, REC_DOUBTFUL, lost_sentence(verdict->n_lost, kb * 4));
	else if (agent && !verdict->synchronised)
		set(verdict, REC_DOUBTFUL,
		    g_strdup("its clock was not synchronised: order against other machines is "
			     "unknown"));
	else
		set(verdict, REC_GOOD,
		    g_strdup(agent ? "complete, if nothing was lost after the last page"
				   : "complete"));
}

/* The command that joins raw files, or that there are none. */
static char *leftover_sentence(const struct rec_machine *machine, const char *folder)
{
	g_auto(GStrv) argv = rec_restore_command(folder, machine);
	g_autofree char *command = argv ? rec_plan_text(argv) : NULL;

	return command ? g_strdup_printf("its raw files are not joined; when there is room: %s",
					 command)
		       : g_strdup("nothing was recorded");
}

struct rec_verdict *rec_judge(const struct rec_plan *plan, const struct rec_machine *machine,
			      const char *folder)
{
	struct rec_verdict *verdict = g_new0(struct rec_verdict, 1);
	g_autofree char *path = g_build_filename(folder, machine->file, NULL);
	g_auto(GStrv) leftovers = rec_restore_command(folder, machine);
	const struct iot_input_spec spec = { .path = path };
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_input_info info = { 0 };
	struct iot_source *source;
	guint64 n_gaps, n_marks = 0;

	if (leftovers || !g_file_test(path, G_FILE_TEST_EXISTS)) {
		set(verdict, REC_EMPTY, leftover_sentence(machine, folder));
		return verdict;
	}
	source = iot_source_open(NULL, &spec, &error);
	if (!source) {
		set(verdict, REC_EMPTY, g_strdup(error->message));
		return verdict;
	}
	source->to_ns = G_MAXUINT64;
	iot_clock_marks_want(schema);
	source->ops->bind(source, schema, NULL);
	n_gaps = read_all(source, &n_marks, &error);
	source->ops->describe(source, &info);
	verdict->exists = TRUE;
	verdict->host = g_strdup(info.hostname);
	verdict->kernel = g_strdup(info.kernel);
	/* trace-cmd 3.1 writes the clock of the top buffer even if it recorded an instance */
	verdict->clock = g_strdup(plan->agents->len ? info.clock : REC_LOCAL_CLOCK);
	verdict->protocol = g_strdup(info.protocol);
	verdict->synchronised = info.sync == IOT_SYNC_YES;
	verdict->n_samples = info.n_samples;
	verdict->n_events = info.n_events - n_marks;
	verdict->n_lost = info.n_lost;
	verdict->first_ns = info.has_times ? info.first_ns : 0;
	verdict->last_ns = info.has_times ? info.last_ns : 0;
	verdict->damaged = info.damaged || error;
	judge_info(plan, machine, verdict, n_gaps);
	source->ops->close(source);
	return verdict;
}

void rec_verdict_free(struct rec_verdict *verdict)
{
	if (!verdict)
		return;
	g_free(verdict->host);
	g_free(verdict->kernel);
	g_free(verdict->clock);
	g_free(verdict->protocol);
	g_free(verdict->sentence);
	g_free(verdict);
}
