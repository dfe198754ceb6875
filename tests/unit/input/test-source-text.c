/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text source: its records and its errors. Expected values were derived from the format. */
#include "base/error.h"
#include "input/source.h"
#include "unit.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

static char *write_file(const char *text, gssize len)
{
	char *path = NULL;
	int fd = g_file_open_tmp("trace-nodeA-XXXXXX.txt", &path, NULL);

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	CU_ASSERT_FATAL(g_file_set_contents(path, text, len, NULL));
	return path;
}

static struct iot_source *open_text(const char *text, gssize len, GError **error)
{
	g_autofree char *path = write_file(text, len);
	struct iot_input_spec spec = { .path = path, .input = 3, .first_run = 40 };
	struct iot_source *src = iot_source_text.open(&spec, error);

	g_unlink(path);
	return src;
}

/* All records of all runs, one line each: "run event ts pid slot slot ..." */
static char *dump(struct iot_source *src, const struct iot_schema *schema, gsize batch_size)
{
	struct iot_batch *batch = iot_batch_new(batch_size, NULL);
	GString *out = g_string_new(NULL);

	for (guint run = 0; run < src->ops->n_runs(src); run++) {
		const struct iot_intern *strings = src->ops->strings(src, run);
		enum iot_next next;

		while ((next = src->ops->read(src, run, batch, NULL)) == IOT_NEXT_OK) {
			CU_ASSERT(batch->n > 0);
			for (struct iot_rec *rec = iot_batch_first(batch);
			     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
				guint index = rec->event->index;
				const struct iot_schema_event *event =
					index < schema->events->len ? schema->events->pdata[index]
								    : NULL;

				CU_ASSERT_EQUAL(rec->event->input, 3);
				g_string_append_printf(out, "%u %s %" G_GUINT64_FORMAT " %d",
						       rec->run,
						       event			    ? event->name
						       : index == IOT_EVENT_GAP_END ? "END"
										    : "BEGIN",
						       rec->ts, rec->pid);
				for (guint i = 0; i < rec->event->n_slots; i++) {
					if (rec->event->slot_type[i] == IOT_SLOT_STR)
						g_string_append_printf(
							out, " '%s'",
							iot_intern_get(strings,
								       (guint32)rec->slot[i].u,
								       NULL));
					else if (rec->event->slot_type[i] == IOT_SLOT_ABSENT)
						g_string_append_printf(out, " absent%d",
								       (int)rec->slot[i].i);
					else
						g_string_append_printf(out, " %" G_GINT64_FORMAT,
								       rec->slot[i].i);
				}
				g_string_append_c(out, '\n');
			}
		}
		CU_ASSERT_EQUAL(next, IOT_NEXT_END);
		CU_ASSERT_EQUAL(src->ops->read(src, run, batch, NULL), IOT_NEXT_END);
	}
	iot_batch_free(batch);
	return g_string_free(out, FALSE);
}

static void check_dump(const char *text, const struct iot_schema *schema, const char *expected)
{
	/* the smallest batch holds one record with four slots: every place is a border once */
	static const gsize sizes[] = { 56, 120, 65536 };

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GError) error = NULL;
		struct iot_source *src = open_text(text, -1, &error);
		g_autofree char *got = NULL;

		if (error)
			fprintf(stderr, "%s\n", error->message);
		CU_ASSERT_PTR_NOT_NULL_FATAL(src);
		CU_ASSERT_FATAL(src->ops->bind(src, schema, &error));
		got = dump(src, schema, sizes[i]);
		if (strcmp(got, expected))
			fprintf(stderr, "batch %d, got:\n%s", (int)sizes[i], got);
		CU_ASSERT_STRING_EQUAL(got, expected);
		src->ops->close(src);
	}
}

static struct iot_schema *lock_schema(void)
{
	struct iot_schema *schema = iot_schema_new();
	struct iot_schema_event *lock = iot_schema_event(schema, "dlm", "lock");
	struct iot_schema_event *done = iot_schema_event(schema, "dlm", "done");

	iot_schema_field(lock, "id", TRUE, "a.model:1: lock");
	iot_schema_field(lock, "name", FALSE, "a.model:2: lock");
	iot_schema_field(lock, "never", FALSE, "a.model:3: lock");
	iot_schema_field(done, "id", TRUE, "a.model:4: done");
	return schema;
}

UNIT_TEST(text_runs_are_cpus_by_number)
{
	g_autoptr(iot_schema) schema = lock_schema();

	check_dump("iotrace-text 1\n"
		   "# a comment\n"
		   "\n"
		   "10 7 100 dlm:lock id=1 name=\"a b\" extra=9\n"
		   "5 0 101 lock id=-2 name=x   # by name alone\r\n"
		   "20 7 102 other:lock id=3 name=z\n"
		   "20\t7\t-1\tdlm:done\tid=0xffffffffffffffff\n"
		   "30 7 103 dlm:unwanted foo=bar",
		   schema,
		   "40 lock 5 101 -2 'x' absent0\n"
		   "41 lock 10 100 1 'a b' absent0\n"
		   "41 done 20 -1 -1\n");
}

/* "PID/CONTEXT" is the field common_flags of the kernel; a line may state it as a field, too. */
UNIT_TEST(text_contexts)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_schema_event *lock = iot_schema_event(schema, "dlm", "lock");

	iot_schema_field(lock, "common_flags", FALSE, "a.model:1: lock");
	iot_schema_field(lock, "id", TRUE, "a.model:2: lock");
	check_dump("iotrace-text 1\n"
		   "1 0 5 dlm:lock id=1\n"
		   "2 0 5/task dlm:lock id=2\n"
		   "3 0 5/softirq dlm:lock id=3\n"
		   "4 0 -5/hardirq dlm:lock id=4\n"
		   "5 0 5/nmi dlm:lock id=5\n"
		   "6 0 5/nmi dlm:lock id=6 common_flags=0x11\n",
		   schema,
		   "40 lock 1 5 0 1\n"
		   "40 lock 2 5 0 2\n"
		   "40 lock 3 5 16 3\n"
		   "40 lock 4 -5 8 4\n"
		   "40 lock 5 5 64 5\n"
		   "40 lock 6 5 17 6\n");
}

UNIT_TEST(text_values)
{
	g_autoptr(iot_schema) schema = lock_schema();

	check_dump("iotrace-text 1\n"
		   "1 0 1 dlm:lock id=-9223372036854775808 name=\"\\\\\\\"\\x41\"\n"
		   "2 0 1 dlm:lock id=9223372036854775807 name=0x\n"
		   "3 0 1 dlm:lock id=-0x10 name=\"12\"\n"
		   "4 0 1 dlm:lock id=007 name=12a\n"
		   "5 0 1 dlm:lock id=0\n"
		   "6 0 1 dlm:lock id=1 name=\"# no comment\" # one\n",
		   schema,
		   "40 lock 1 1 -9223372036854775808 '\\\"A' absent0\n"
		   "40 lock 2 1 9223372036854775807 '0x' absent0\n"
		   "40 lock 3 1 -16 '12' absent0\n"
		   "40 lock 4 1 7 '12a' absent0\n"
		   "40 lock 5 1 0 '' absent0\n"
		   "40 lock 6 1 1 '# no comment' absent0\n");
}

UNIT_TEST(text_string_with_nul_byte)
{
	g_autoptr(iot_schema) schema = lock_schema();
	struct iot_source *src =
		open_text("iotrace-text 1\n1 0 1 lock id=1 name=\"a\\x00b\"\n", -1, NULL);
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	gsize len = 0;

	CU_ASSERT_FATAL(src && batch && src->ops->bind(src, schema, NULL));
	CU_ASSERT_EQUAL(src->ops->read(src, 0, batch, NULL), IOT_NEXT_OK);
	CU_ASSERT(!memcmp(iot_intern_get(src->ops->strings(src, 0),
					 (guint32)iot_batch_first(batch)->slot[1].u, &len),
			  "a\0b", 4));
	CU_ASSERT_EQUAL(len, 3);
	iot_batch_free(batch);
	src->ops->close(src);
}

/* BEGIN and END carry the number and the time of the other end (-1 is "not known" and "never"). */
UNIT_TEST(text_losses_become_gaps)
{
	g_autoptr(iot_schema) schema = lock_schema();

	check_dump("iotrace-text 1\n"
		   "1 0 - LOST 4\n"
		   "10 0 1 dlm:lock id=1\n"
		   "12 0 1 dlm:unwanted\n"
		   "13 0 - LOST 5\n"
		   "13 0 - LOST 6\n"
		   "20 0 1 dlm:unwanted\n"
		   "30 0 1 dlm:lock id=2\n"
		   "0 0 - LOST ?\n"
		   "0 0 - LOST 7\n"
		   "40 0 1 dlm:lock id=3\n"
		   "50 0 - LOST 8\n"
		   "15 1 1 dlm:lock id=9\n"
		   "15 2 - LOST 3\n",
		   schema,
		   "40 BEGIN 10 0 4 10\n"
		   "40 END 10 0 4 10\n"
		   "40 lock 10 1 1 absent0 absent0\n"
		   "40 BEGIN 12 0 11 20\n"
		   "40 END 20 0 11 12\n"
		   "40 lock 30 1 2 absent0 absent0\n"
		   "40 BEGIN 30 0 -1 40\n"
		   "40 END 40 0 -1 30\n"
		   "40 lock 40 1 3 absent0 absent0\n"
		   "40 BEGIN 40 0 8 -1\n"
		   "41 lock 15 1 9 absent0 absent0\n");
}

UNIT_TEST(text_describe)
{
	struct iot_source *src =
		open_text("iotrace-text 1\n"
			  "vcpu web 3 127\nvcpu web  4\t-1\n"
			  "hostname node-a\nkernel  6.1.0 #1 SMP \nclock local\nsync host\n"
			  "50 1 1 dlm:lock id=1\n"
			  "40 1 1 aaa:done id=1\n"
			  "45 0 - LOST 4\n"
			  "45 0 1 done id=1\n"
			  "46 0 - LOST ?\n"
			  "60 0 1 aaa:x\n",
			  -1, NULL);
	struct iot_input_info info;

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	src->ops->describe(src, &info);
	CU_ASSERT_STRING_EQUAL(info.reader, "text");
	CU_ASSERT_STRING_EQUAL(info.hostname, "node-a");
	CU_ASSERT_STRING_EQUAL(info.kernel, "6.1.0 #1 SMP");
	CU_ASSERT_STRING_EQUAL(info.clock, "local");
	CU_ASSERT_EQUAL(info.sync, IOT_SYNC_HOST);
	CU_ASSERT(info.is_host);
	CU_ASSERT_EQUAL_FATAL(info.n_vcpus, 2);
	CU_ASSERT_STRING_EQUAL(info.vcpus[0].guest, "web");
	CU_ASSERT_EQUAL(info.vcpus[0].cpu, 3);
	CU_ASSERT_EQUAL(info.vcpus[0].pid, 127);
	CU_ASSERT_EQUAL(info.vcpus[1].cpu, 4);
	CU_ASSERT_EQUAL(info.vcpus[1].pid, -1);
	CU_ASSERT(g_str_has_prefix(info.file_name, "nodeA-"));
	CU_ASSERT_PTR_NULL(strchr(info.file_name, '.'));
	CU_ASSERT_EQUAL(info.n_cpus, 2);
	CU_ASSERT(info.has_times);
	CU_ASSERT_EQUAL(info.first_ns, 45);
	CU_ASSERT_EQUAL(info.last_ns, 60);
	CU_ASSERT_EQUAL(info.n_events, 4);
	CU_ASSERT_EQUAL(info.n_lost, 4);
	CU_ASSERT_EQUAL(info.diag->count[IOT_DIAG_clock_stepped_back], 1);
	CU_ASSERT_EQUAL(info.diag->count[IOT_DIAG_gaps], 2);
	CU_ASSERT_EQUAL(info.diag->count[IOT_DIAG_events_lost], 4);
	CU_ASSERT_STRING_EQUAL(info.systems[0], "aaa");
	CU_ASSERT_STRING_EQUAL(info.systems[1], "dlm");
	CU_ASSERT_PTR_NULL(info.systems[2]);
	CU_ASSERT_EQUAL(src->ops->progress(src), 0);
	src->ops->close(src);
	iot_source_text.close(NULL);
}

UNIT_TEST(text_times_are_clamped)
{
	g_autoptr(iot_schema) schema = lock_schema();

	check_dump("iotrace-text 1\n50 1 1 done id=1\n40 1 1 done id=2\n45 1 1 done id=3\n51 1 1 "
		   "done id=4\n",
		   schema, "40 done 50 1 1\n40 done 50 1 2\n40 done 50 1 3\n40 done 51 1 4\n");
}

UNIT_TEST(text_without_events)
{
	struct iot_source *src = open_text("iotrace-text 1", -1, NULL);
	struct iot_input_info info;

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_EQUAL(src->ops->n_runs(src), 0);
	src->ops->describe(src, &info);
	CU_ASSERT_FALSE(info.has_times);
	CU_ASSERT_EQUAL(info.sync, IOT_SYNC_UNKNOWN);
	CU_ASSERT_PTR_NULL(info.hostname);
	src->ops->close(src);
}

UNIT_TEST(text_errors_have_line_and_column)
{
	static const struct {
		const char *text, *where, *what;
	} rows[] = {
		{ "", ":1:1:", "first line" },
		{ "iotrace-text 2\n", ":1:1:", "first line" },
		{ "iotrace-text 1 \n", ":1:1:", "first line" },
		{ "1 0 1 a\n1 0 1 b\n", ":1:1:", "first line" },
		{ "iotrace-text 1\n\nwhat 1\n", ":3:1:", "\"what\"" },
		{ "iotrace-text 1\n  hostname \n", ":2:12:", "missing" },
		{ "iotrace-text 1\nsync maybe\n", ":2:6:", "yes, no or host" },
		{ "iotrace-text 1\ncomplete so\n", ":2:10:", "yes, no, begin or end" },
		{ "iotrace-text 1\n1 0 1 a\nclock x\n", ":3:1:", "before all events" },
		{ "iotrace-text 1\n1 0 - LOST 1\nclock x\n", ":3:1:", "before all events" },
		{ "iotrace-text 1\n1x 0 1 a\n", ":2:1:", "time stamp" },
		{ "iotrace-text 1\n9223372036854775808 0 1 a\n", ":2:1:", "time stamp" },
		{ "iotrace-text 1\n99999999999999999999 0 1 a\n", ":2:1:", "time stamp" },
		{ "iotrace-text 1\n1\n", ":2:2:", "CPU is missing" },
		{ "iotrace-text 1\nvcpu a 1\n", ":2:6:", "name of a guest" },
		{ "iotrace-text 1\nvcpu a x 1\n", ":2:6:", "name of a guest" },
		{ "iotrace-text 1\nvcpu a 1 -2\n", ":2:6:", "name of a guest" },
		{ "iotrace-text 1\nvcpu a 1 2 3\n", ":2:6:", "name of a guest" },
		{ "iotrace-text 1\n1 -1 1 a\n", ":2:3:", "CPU" },
		{ "iotrace-text 1\n1 65536 1 a\n", ":2:3:", "CPU" },
		{ "iotrace-text 1\n1 0 bash a\n", ":2:5:", "process id" },
		{ "iotrace-text 1\n1 0 2147483648 a\n", ":2:5:", "process id" },
		{ "iotrace-text 1\n1 0 /softirq a\n", ":2:5:", "process id is missing" },
		{ "iotrace-text 1\n1 0 7/ a\n", ":2:7:", "is no context" },
		{ "iotrace-text 1\n1 0 -7/irq a\n", ":2:8:", "\"irq\" is no context" },
		{ "iotrace-text 1\n1 0 -/softirq a\n", ":2:6:", "process id" },
		{ "iotrace-text 1\n1 0 1\n", ":2:6:", "name is missing" },
		{ "iotrace-text 1\n1 0 1 a:b:c\n", ":2:7:", "not an event" },
		{ "iotrace-text 1\n1 0 1 :c\n", ":2:7:", "not an event" },
		{ "iotrace-text 1\n1 0 1 a b\n", ":2:9:", "not a field" },
		{ "iotrace-text 1\n1 0 1 a =1\n", ":2:9:", "not a field" },
		{ "iotrace-text 1\n1 0 1 a b\xc3=1\n", ":2:9:", "not a field" },
		{ "iotrace-text 1\n1 0 1 a b= c=1\n", ":2:11:", "value is missing" },
		{ "iotrace-text 1\nerror\n", ":2:", "time in ns" },
		{ "iotrace-text 1\nerror 5 x\n", ":2:7:", "time in ns" },
		{ "iotrace-text 1\nerror 5 20\nerror 5 10\n", ":3:7:", "order of time" },
		{ "iotrace-text 1\n1 0 1 a b=\"x\n", ":2:11:", "closing quote" },
		{ "iotrace-text 1\n1 0 1 a b=\"x\\\"\n", ":2:11:", "closing quote" },
		{ "iotrace-text 1\n1 0 1 a b=\"x\"y\n", ":2:14:", "blank" },
		{ "iotrace-text 1\n1 0 1 a b=\"\\n\"\n", ":2:12:", "escape" },
		{ "iotrace-text 1\n1 0 1 a b=\"\\x4\"\n", ":2:12:", "escape" },
		{ "iotrace-text 1\n1 0 1 a b=x\"y\"\n", ":2:11:", "quote inside" },
		{ "iotrace-text 1\n1 0 1 a b=9223372036854775808\n", ":2:11:", "64 bits" },
		{ "iotrace-text 1\n1 0 1 a b=-9223372036854775809\n", ":2:11:", "64 bits" },
		{ "iotrace-text 1\n1 0 1 a b=0x10000000000000000\n", ":2:11:", "64 bits" },
		{ "iotrace-text 1\n1 0 1 a b=1 b=2\n", ":2:13:", "twice" },
		{ "iotrace-text 1\n1 0 1 a b=1\n1 0 1 a b=x\n", ":3:9:", "was a number in line 2" },
		{ "iotrace-text 1\n1 0 1 a b=x\n1 0 1 a b=1\n", ":3:9:", "was a text in line 2" },
		{ "iotrace-text 1\n1 0 - lost 3\n", ":2:7:", "LOST expected" },
		{ "iotrace-text 1\n1 0 - LOST\n", ":2:11:", "number of lost" },
		{ "iotrace-text 1\n1 0 - LOST 0\n", ":2:12:", "number of lost" },
		{ "iotrace-text 1\n1 0 - LOST -1\n", ":2:12:", "number of lost" },
		{ "iotrace-text 1\n1 0 - LOST 1 2\n", ":2:14:", "nothing more" },
		{ "iotrace-text 1\n1 0 1 a b=\x01\n", ":2:11:", "control character" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		struct iot_source *src = open_text(rows[i].text, -1, &error);

		CU_ASSERT_PTR_NULL(src);
		CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INPUT));
		if (!error || !strstr(error->message, rows[i].where) ||
		    !strstr(error->message, rows[i].what))
			fprintf(stderr, "row %u: %s\n", i, error ? error->message : "no error");
		CU_ASSERT(error && strstr(error->message, rows[i].where));
		CU_ASSERT(error && strstr(error->message, rows[i].what));
	}
}

/* Between two stated errors the bound is linear; an error without a time replaces all. */
UNIT_TEST(text_that_is_complete)
{
	static const struct {
		const char *line, *format;
		gboolean before, after;
	} cases[] = {
		{ "", "iotrace-text 1", FALSE, FALSE },
		{ "complete no\n", "iotrace-text 1", FALSE, FALSE },
		{ "complete yes\n", "iotrace-text 1, complete", TRUE, TRUE },
		{ "complete begin\n", "iotrace-text 1, complete at its begin", TRUE, FALSE },
		{ "complete end\n", "iotrace-text 1, complete at its end", FALSE, TRUE },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text =
			g_strdup_printf("iotrace-text 1\n%s1 0 1 a\n", cases[i].line);
		struct iot_source *src = open_text(text, -1, NULL);
		struct iot_input_info info;

		CU_ASSERT_PTR_NOT_NULL_FATAL(src);
		src->ops->describe(src, &info);
		CU_ASSERT_STRING_EQUAL(info.format, cases[i].format);
		CU_ASSERT_EQUAL(info.nothing_before, cases[i].before);
		CU_ASSERT_EQUAL(info.nothing_after, cases[i].after);
		src->ops->close(src);
	}
}

UNIT_TEST(text_errors_of_the_clock)
{
	static const struct {
		const char *head;
		guint64 ns, bound;
	} rows[] = {
		{ "", 5, IOT_CLOCK_UNBOUNDED },
		{ "error 7\n", 5, 7 },
		{ "error 100 1000\nerror 300 2000\n", 900, 100 },
		{ "error 100 1000\nerror 300 2000\n", 1500, 200 },
		{ "error 100 1000\nerror 300 2000\n", 2001, 300 },
		{ "error 100 1000\nerror 7\n", 1000, 7 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text =
			g_strdup_printf("iotrace-text 1\n%s1 0 1 a\n", rows[i].head);
		struct iot_source *src = open_text(text, -1, NULL);
		struct iot_clock_facts facts;

		CU_ASSERT_PTR_NOT_NULL_FATAL(src);
		src->ops->judge(src, &IOT_CLOCK_ASSUMED, &facts);
		CU_ASSERT_EQUAL(iot_clock_facts_bound(&facts, rows[i].ns), rows[i].bound);
		iot_clock_facts_clear(&facts);
		src->ops->close(src);
	}
}

UNIT_TEST(text_nul_byte_is_refused)
{
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(open_text("iotrace-text 1\n1 0 1 a\0b\n", 25, &error));
	CU_ASSERT(error && strstr(error->message, ":2:8: a control character"));
}

UNIT_TEST(text_missing_file)
{
	struct iot_input_spec spec = { .path = "/nonexistent/x.txt" };
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(iot_source_text.open(&spec, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INPUT));
	CU_ASSERT(error && strstr(error->message, "/nonexistent/x.txt"));
}

UNIT_TEST(text_bind_names_what_is_missing)
{
	g_autoptr(iot_schema) schema = lock_schema();
	g_autoptr(GError) error = NULL;
	struct iot_source *src = open_text("iotrace-text 1\n"
					   "1 0 1 dlm:lock id=1\n"
					   "2 0 1 dlm:lock name=x\n",
					   -1, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_FALSE(src->ops->bind(src, schema, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	CU_ASSERT(error && strstr(error->message, ":3: event lock has no field id"));
	CU_ASSERT(error && strstr(error->message, "a.model:1: lock"));
	src->ops->close(src);
}

UNIT_TEST(text_bind_one_type_for_both_spellings)
{
	g_autoptr(iot_schema) schema = lock_schema();
	g_autoptr(GError) error = NULL;
	struct iot_source *src = open_text("iotrace-text 1\n"
					   "1 0 1 dlm:lock id=1 name=x\n"
					   "2 0 1 lock id=1 name=7\n",
					   -1, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_FALSE(src->ops->bind(src, schema, &error));
	CU_ASSERT(g_error_matches(error, IOT_ERROR, IOT_ERROR_INPUT));
	CU_ASSERT(error && strstr(error->message, ":3: name is a number here"));
	src->ops->close(src);
}

UNIT_TEST(text_probe)
{
	CU_ASSERT(iot_source_text.probe("x", (const guint8 *)"iotrace-text 1\n", 15) > 0);
	CU_ASSERT(iot_source_text.probe("x", (const guint8 *)"iotrace-text 9\n", 15) > 0);
	CU_ASSERT_EQUAL(iot_source_text.probe("x", (const guint8 *)"iotrace-tex", 11), 0);
	CU_ASSERT_EQUAL(iot_source_text.probe("x", (const guint8 *)"", 0), 0);
	CU_ASSERT_EQUAL(iot_source_text.probe("x", (const guint8 *)"\x17\x08\x44tracing6", 11), 0);
}
