/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of real and made recordings. Numbers of real ones are those of "trace-cmd report -t". */
#include "dat-make.h"

#define DLM3	  IOT_SOURCE_DIR "/examples/dlm/"
#define SYNTHETIC IOT_SOURCE_DIR "/tests/data/synthetic/"
#define AGENT	  IOT_SOURCE_DIR "/tests/data/agent/"

struct counts {
	guint64 n_records, first_ts, last_ts;
	guint64 n_by_event[16];
	guint64 gaps, lost_known, lost_unknown;
	gboolean backwards; /* a run's records are not in order */
	struct iot_input_info info;
	struct iot_diag diag;
};

static void count_record(struct counts *c, const struct iot_rec *rec)
{
	if (rec->event->index == IOT_EVENT_GAP_BEGIN) {
		c->gaps++;
		if (rec->slot[IOT_GAP_LOST].u == G_MAXUINT64)
			c->lost_unknown++;
		else
			c->lost_known += rec->slot[IOT_GAP_LOST].u;
	}
	if (rec->event->index >= IOT_EVENT_GAP_BEGIN)
		return;
	c->first_ts = c->n_records ? MIN(c->first_ts, rec->ts) : rec->ts;
	c->last_ts = MAX(c->last_ts, rec->ts);
	c->n_records++;
	c->n_by_event[rec->event->index]++;
}

/* Read everything; the source stays open because the info points into it. */
static struct iot_source *count(const char *path, const struct iot_schema *schema, struct counts *c)
{
	struct iot_input_spec spec = { .path = path, .first_run = 5, .input = 2 };
	struct iot_source *src = iot_source_open(NULL, &spec, NULL);
	struct iot_batch *batch = iot_batch_new(8192, NULL);

	memset(c, 0, sizeof(*c));
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	for (guint run = 0; run < src->ops->n_runs(src); run++) {
		guint64 last = 0;

		while (src->ops->read(src, run, batch, NULL) == IOT_NEXT_OK) {
			CU_ASSERT_EQUAL(batch->run, 5 + run);
			for (struct iot_rec *rec = iot_batch_first(batch);
			     !iot_batch_at_end(batch, rec); rec = iot_rec_next(rec)) {
				c->backwards |= rec->ts < last || rec->event->input != 2 ||
						rec->run != 5 + run;
				last = rec->ts;
				count_record(c, rec);
			}
		}
		CU_ASSERT_EQUAL(src->ops->read(src, run, batch, NULL), IOT_NEXT_END);
	}
	src->ops->describe(src, &c->info);
	c->diag = *c->info.diag;
	CU_ASSERT_EQUAL(src->ops->progress(src), c->info.bytes);
	CU_ASSERT_FALSE(c->backwards);
	iot_batch_free(batch);
	return src;
}

static struct iot_schema *schema_of(const char *system, const char *const *names)
{
	struct iot_schema *schema = iot_schema_new();

	for (guint i = 0; names[i]; i++)
		iot_schema_event(schema, system, names[i]);
	return schema;
}

static const char *const dlm_events[] = {
	"dlm_lock_start",
	"dlm_lock_end",
	"dlm_unlock_start",
	"dlm_unlock_end",
	"dlm_ast",
	"dlm_bast",
	"dlm_send_message",
	"dlm_recv_message",
	"dlm_send",
	"dlm_recv",
	NULL,
};

static void check_guest(const char *path, const guint64 *expected, guint64 total, guint64 first,
			guint64 last)
{
	g_autoptr(iot_schema) schema = schema_of("dlm", dlm_events);
	struct counts c;
	struct iot_source *src = count(path, schema, &c);

	for (guint i = 0; dlm_events[i]; i++)
		CU_ASSERT_EQUAL(c.n_by_event[i], expected[i]);
	CU_ASSERT_EQUAL(c.info.n_events, total);
	CU_ASSERT_EQUAL(c.first_ts, first);
	CU_ASSERT_EQUAL(c.last_ts, last);
	CU_ASSERT_EQUAL(c.info.first_ns, first);
	CU_ASSERT_EQUAL(c.info.last_ns, last);
	CU_ASSERT_EQUAL(iot_diag_worst(&c.diag), -1);
	CU_ASSERT_FALSE(c.info.damaged);
	CU_ASSERT_EQUAL(c.info.sync, IOT_SYNC_YES);
	CU_ASSERT_EQUAL(c.info.n_samples, 2);
	CU_ASSERT_STRING_EQUAL(c.info.protocol, "kvm");
	CU_ASSERT_STRING_EQUAL(c.info.clock, "tsc2nsec");
	CU_ASSERT_STRING_EQUAL(c.info.format, "trace-cmd 7, zstd, little endian, 64 bit");
	CU_ASSERT_STRING_EQUAL(c.info.kernel, "6.1.0-56-amd64");
	CU_ASSERT_EQUAL(c.info.peer_id, G_GUINT64_CONSTANT(0x59B5C5BC47136364));
	src->ops->close(src);
}

UNIT_TEST(guests_of_a_cluster)
{
	static const guint64 node1[] = { 2040, 2040, 659, 659, 2699, 251, 2955, 2836, 1825, 3306 };
	static const guint64 node2[] = { 1145, 1145, 309, 309, 1454, 265, 1865, 1930, 1761, 2539 };
	static const guint64 node3[] = { 1203, 1203, 348, 348, 1551, 253, 1828, 1882, 1839, 2498 };

	check_guest(DLM3 "trace-5.dat", node1, 19270, 131851585201, 259466341788);
	check_guest(DLM3 "trace-4.dat", node2, 12722, 134606203393, 259470523174);
	check_guest(DLM3 "trace-3.dat", node3, 12953, 131538670572, 258425574851);
}

UNIT_TEST(host_of_a_cluster)
{
	static const char *const names[] = { "sched_process_exec", NULL };
	g_autoptr(iot_schema) schema = schema_of("sched", names);
	struct counts c;
	struct iot_source *src = count(DLM3 "trace.dat", schema, &c);

	CU_ASSERT_EQUAL(c.n_records, 400);
	CU_ASSERT_EQUAL(c.first_ts, G_GUINT64_CONSTANT(109879112996));
	CU_ASSERT_EQUAL(c.last_ts, G_GUINT64_CONSTANT(299906763130));
	CU_ASSERT_EQUAL(c.info.sync, IOT_SYNC_HOST);
	CU_ASSERT_TRUE(c.info.is_host);
	CU_ASSERT_EQUAL(c.info.trace_id, G_GUINT64_CONSTANT(0x59B5C5BC47136364));
	CU_ASSERT_EQUAL_FATAL(c.info.n_guests, 3);
	CU_ASSERT_EQUAL(c.info.guest_ids[0], G_GUINT64_CONSTANT(0xC21BFDB3F403F2FB));
	CU_ASSERT_EQUAL(c.info.guest_ids[2], G_GUINT64_CONSTANT(0x1CC6408D31DA6CC3));
	/* trace-cmd dump --options shows the same */
	CU_ASSERT_EQUAL_FATAL(c.info.n_vcpus, 3);
	CU_ASSERT_STRING_EQUAL(c.info.vcpus[0].guest, "3");
	CU_ASSERT_EQUAL(c.info.vcpus[0].trace_id, c.info.guest_ids[0]);
	CU_ASSERT_EQUAL(c.info.vcpus[0].cpu, 0);
	CU_ASSERT_EQUAL(c.info.vcpus[0].pid, 320);
	CU_ASSERT_EQUAL(c.info.vcpus[1].pid, 224);
	CU_ASSERT_STRING_EQUAL(c.info.vcpus[2].guest, "5");
	CU_ASSERT_EQUAL(c.info.vcpus[2].pid, 127);
	CU_ASSERT_STRING_EQUAL(c.info.file_name, "trace");
	CU_ASSERT_STRING_EQUAL(c.info.systems[0], "sched");
	CU_ASSERT_PTR_NULL(c.info.systems[1]);
	src->ops->close(src);
}

UNIT_TEST(recording_over_tcp_with_ptp)
{
	static const char *const names[] = { "sys_enter", "sys_exit", NULL };
	g_autoptr(iot_schema) schema = schema_of("raw_syscalls", names);
	struct counts c;
	struct iot_source *src;

	iot_schema_event(schema, "sched", "sched_switch");
	src = count(AGENT "agent-ptp-small.dat", schema, &c);
	CU_ASSERT_EQUAL(c.n_by_event[0], 2184);
	CU_ASSERT_EQUAL(c.n_by_event[1], 2183);
	CU_ASSERT_EQUAL(c.n_by_event[2], 55);
	CU_ASSERT_EQUAL(c.info.n_events, 4422);
	/* raw 1698128683604 and 1698145341596, of CPU 1, by the samples of CPU 0: -198 at
	 * 1698028724944, -129 at 1698180749872 */
	CU_ASSERT_EQUAL(c.first_ts, G_GUINT64_CONSTANT(1698128683451));
	CU_ASSERT_EQUAL(c.last_ts, G_GUINT64_CONSTANT(1698145341451));
	CU_ASSERT_STRING_EQUAL(c.info.protocol, "ptp");
	CU_ASSERT_EQUAL(c.info.n_cpus, 2);
	CU_ASSERT_EQUAL(src->ops->n_runs(src), 2);
	src->ops->close(src);
}

UNIT_TEST(raw_names_of_resources)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_schema_event *event = iot_schema_event(schema, "dlm", "dlm_lock_start");
	struct iot_input_spec spec = { .path = DLM3 "trace-5.dat" };
	struct iot_source *src = iot_source_open(NULL, &spec, NULL);
	struct iot_batch *batch = iot_batch_new(4096, NULL);
	const struct iot_rec *rec;
	const char *name;
	gsize len;

	iot_schema_field(event, "res_name", TRUE, "test");
	iot_schema_field(event, "ls_id", TRUE, "test");
	iot_schema_field(event, "mode", TRUE, "test");
	iot_schema_field(event, "of_another_kernel", FALSE, "test");
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	CU_ASSERT_EQUAL_FATAL(src->ops->read(src, 0, batch, NULL), IOT_NEXT_OK);
	rec = iot_batch_first(batch);
	CU_ASSERT_EQUAL(rec->ts, G_GUINT64_CONSTANT(133244224844));
	CU_ASSERT_EQUAL(rec->pid, 179);
	name = iot_intern_get(src->ops->strings(src, 0), (guint32)rec->slot[0].u, &len);
	CU_ASSERT_EQUAL(len, 24); /* a glock of GFS2: transaction 4 */
	CU_ASSERT_EQUAL(memcmp(name, "       1               4", 24), 0);
	CU_ASSERT_EQUAL(rec->slot[1].u, 1039675946);
	CU_ASSERT_EQUAL(rec->slot[2].i, 0);
	CU_ASSERT_EQUAL(rec->slot[3].i, 0);
	CU_ASSERT_EQUAL(rec->event->slot_type[0], IOT_SLOT_STR);
	CU_ASSERT_EQUAL(rec->event->slot_type[1], IOT_SLOT_UINT);
	CU_ASSERT_EQUAL(rec->event->slot_type[2], IOT_SLOT_INT);
	CU_ASSERT_EQUAL(rec->event->slot_type[3], IOT_SLOT_ABSENT);
	iot_batch_free(batch);
	src->ops->close(src);
}

UNIT_TEST(same_events_in_every_variant)
{
	static const char *const names[] = {
		"syn_v6_none_le64", "syn_v6_none_le32", "syn_v6_none_be64", "syn_v6_none_be32",
		"syn_v7_none_le64", "syn_v7_none_le32", "syn_v7_none_be64", "syn_v7_none_be32",
		"syn_v7_zstd_le64", "syn_v7_zstd_le32", "syn_v7_zstd_be64", "syn_v7_zstd_be32",
	};
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_schema_event *start = iot_schema_event(schema, "iotrace", "io_start");
	struct iot_schema_event *end = iot_schema_event(schema, "iotrace", "io_end");
	g_autofree char *first = NULL;

	for (guint i = 0; i < 4; i++)
		iot_schema_field(start, ((const char *[]){ "id", "op", "len", "path" })[i], TRUE,
				 "test");
	iot_schema_field(end, "ret", TRUE, "test");
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_strdup_printf(SYNTHETIC "%s.dat", names[i]);
		struct iot_input_spec spec = { .path = path };
		g_autofree char *text = NULL;
		struct iot_source *src;
		struct counts c;

		src = count(path, schema, &c);
		CU_ASSERT_EQUAL(src->ops->n_runs(src), 4);
		CU_ASSERT_EQUAL(c.info.n_buffers, 2);
		CU_ASSERT_EQUAL(c.info.n_events, 12010);
		CU_ASSERT_EQUAL(c.n_records, 12010);
		CU_ASSERT_EQUAL(c.info.first_ns, 1000000107);
		CU_ASSERT_EQUAL(c.last_ts, 1434519046);
		CU_ASSERT_EQUAL(c.gaps, 2);
		CU_ASSERT_EQUAL(c.lost_known, 77);
		CU_ASSERT_EQUAL(c.lost_unknown, 1);
		CU_ASSERT_EQUAL(c.info.n_lost, 77);
		CU_ASSERT_EQUAL(c.diag.count[IOT_DIAG_events_lost], 77);
		CU_ASSERT_EQUAL(c.diag.count[IOT_DIAG_gaps], 2);
		CU_ASSERT_FALSE(c.info.damaged);
		CU_ASSERT_EQUAL(c.info.sync, IOT_SYNC_NO);
		CU_ASSERT_STRING_EQUAL(c.info.hostname, "syn");
		CU_ASSERT_STRING_EQUAL(c.info.clock, "local");
		src->ops->close(src);
		text = make_dump(iot_source_open(NULL, &spec, NULL), schema, NULL);
		if (!first)
			first = g_steal_pointer(&text);
		else
			CU_ASSERT_STRING_EQUAL(text, first);
	}
	CU_ASSERT_PTR_NOT_NULL(strstr(first, "\n0 1000052034 100 1 1 4096 12:/mnt/gfs2/f1\n"
					     "0 1000053966 100 4096\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(first, "\n0 1000002034 100 -5\n"));
	/* the last event before and the first after the loss */
	CU_ASSERT_PTR_NOT_NULL(
		strstr(first, " lost=77 other=1216362878\n1 end 1216362878 lost=77 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(first, "\n1 gap 1224322468 lost=-1 other=1224323468\n"
					     "1 end 1224323468 lost=-1 other=1224322468\n"
					     "1 1224323468 101 "));
}

UNIT_TEST(events_that_are_not_wanted)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct counts c;
	struct iot_source *src = count(SYNTHETIC "syn_v7_zstd_le64.dat", schema, &c);

	CU_ASSERT_EQUAL(c.n_records, 0);
	CU_ASSERT_EQUAL(c.gaps, 2);
	CU_ASSERT_EQUAL(c.info.n_events, 12010);
	CU_ASSERT_EQUAL(c.info.last_ns, 1434519046);
	CU_ASSERT_EQUAL(c.diag.count[IOT_DIAG_event_unknown_id], 0);
	src->ops->close(src);
}

/* The file has the formats of two events, and one of them happened. */
UNIT_TEST(what_was_recorded)
{
	struct iot_input_spec spec = { .path = SYNTHETIC "u_back.dat" };
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_batch *batch = iot_batch_new(8192, NULL);
	struct iot_source *src = iot_source_open(NULL, &spec, NULL);
	struct iot_input_info info;

	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	src->ops->describe(src, &info);
	CU_ASSERT_PTR_NULL(info.recorded[0]);
	CU_ASSERT_FALSE(src->ops->has_read(src, "iotrace", "io_end"));
	for (guint run = 0; run < src->ops->n_runs(src); run++)
		while (src->ops->read(src, run, batch, NULL) == IOT_NEXT_OK)
			;
	src->ops->describe(src, &info);
	CU_ASSERT_STRING_EQUAL(info.recorded[0], "iotrace");
	CU_ASSERT_PTR_NULL(info.recorded[1]);
	CU_ASSERT_TRUE(src->ops->has_read(src, "iotrace", "io_end"));
	CU_ASSERT_FALSE(src->ops->has_read(src, "iotrace", "io_start"));
	src->ops->close(src);
	iot_batch_free(batch);
}

/* No parser understands the print format of t:num: its numbers are "else", and this is counted. */
UNIT_TEST(print_format_that_is_not_understood)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_schema_event *event = iot_schema_event(schema, "t", "num");
	struct iot_schema_event *role = iot_schema_role(event, "role");
	struct iot_numbers *numbers = iot_numbers_new(7);
	g_autofree char *text = NULL;
	struct make m = make_new(FALSE, 8);
	struct iot_diag diag;
	guint offsets[22] = { 0 }, start, options, buffer;
	struct make_area area = { 0 };

	CU_ASSERT_EQUAL(iot_schema_number(role, "state", "v", numbers, "test"), 1);
	start = make_start(&m, 7, "none");
	make_metadata(&m, offsets);
	buffer = m.out->len;
	make_section(&m, 3, FALSE, 0);
	make_align(&m, MAKE_PAGE);
	area.offset = m.out->len;
	make_simple_page(&m, 1000, 2, 3);
	area.size = m.out->len - area.offset;
	make_store(&m, m.out->data + buffer + 8, m.out->len - buffer - 16, 8);
	options = make_options_start(&m);
	make_store(&m, m.out->data + start, options, 8);
	make_metadata_options(&m, offsets);
	make_buffer_option(&m, buffer, "", MAKE_PAGE, &area, 1);
	make_options_end(&m, options, 0);
	text = make_dump(make_open(&m, NULL), schema, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 1000 42 3 7\n0 1010 42 4 7\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_print_format_unknown], 1);
	iot_schema_role_free(role);
	iot_numbers_unref(numbers);
}

UNIT_TEST(time_runs_backwards)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_input_spec spec = { .path = SYNTHETIC "u_back.dat" };
	g_autofree char *text = NULL;
	struct iot_diag diag;

	iot_schema_field(iot_schema_event(schema, "iotrace", "io_end"), "id", TRUE, "test");
	text = make_dump(iot_source_open(NULL, &spec, NULL), schema, &diag);
	CU_ASSERT_STRING_EQUAL(text, "0 1000 100 1\n0 5000 100 2\n0 5000 100 3\n0 6000 100 4\n"
				     "1 4000 100 5\n");
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_clock_stepped_back], 1);
}

UNIT_TEST(loss_before_the_first_event)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_input_spec spec = { .path = SYNTHETIC "u_lost_ext.dat" };
	g_autofree char *text = NULL;

	iot_schema_field(iot_schema_event(schema, "iotrace", "io_end"), "id", TRUE, "test");
	text = make_dump(iot_source_open(NULL, &spec, NULL), schema, NULL);
	CU_ASSERT_STRING_EQUAL(text, "0 gap 1005 lost=9 other=1005\n0 end 1005 lost=9 other=1005\n"
				     "0 1005 100 1\n0 1006 100 2\n");
}

UNIT_TEST(unknown_event_after_a_loss)
{
	static const char *const names[] = { "io_end", NULL };
	g_autoptr(iot_schema) schema = schema_of("iotrace", names);
	struct counts c;
	struct iot_source *src = count(SYNTHETIC "u_unknown_lost.dat", schema, &c);

	/* the library ends here after 10 events */
	CU_ASSERT_EQUAL(c.info.n_events, 21);
	CU_ASSERT_EQUAL(c.n_records, 20);
	CU_ASSERT_EQUAL(c.diag.count[IOT_DIAG_event_unknown_id], 1);
	CU_ASSERT_EQUAL(c.info.n_lost, 5);
	src->ops->close(src);
}

UNIT_TEST(missing_field_names_everything)
{
	struct iot_input_spec spec = { .path = DLM3 "trace-5.dat" };
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_source *src = iot_source_open(NULL, &spec, NULL);
	g_autoptr(GError) error = NULL;

	iot_schema_event(schema, "dlm", "no_such_event");
	iot_schema_field(iot_schema_event(schema, "dlm", "dlm_ast"), "colour", TRUE,
			 "x.model:12: pair");
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	CU_ASSERT_FALSE(src->ops->bind(src, schema, &error));
	CU_ASSERT_TRUE_FATAL(g_error_matches(error, IOT_ERROR, IOT_ERROR_MODEL));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "x.model:12: pair"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "dlm:dlm_ast"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "\"colour\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "trace-5.dat"));
	src->ops->close(src);
}

/* Batches without wanted events have an end_ns. */
UNIT_TEST(batches_end_where_nothing_is_wanted)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_input_spec spec = { .path = DLM3 "trace-5.dat" };
	struct iot_source *src = iot_source_open(NULL, &spec, NULL);
	struct iot_batch *batch = iot_batch_new(1 << 20, NULL);
	struct iot_input_info info;
	guint64 last = 0;
	guint empty = 0;

	iot_schema_event(schema, "dlm", "no_such_event");
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	while (src->ops->read(src, 0, batch, NULL) == IOT_NEXT_OK) {
		CU_ASSERT_EQUAL(batch->n, 0);
		CU_ASSERT(batch->end_ns > last);
		last = batch->end_ns;
		empty++;
	}
	CU_ASSERT(empty >= 2);
	src->ops->describe(src, &info);
	CU_ASSERT(last <= info.last_ns);
	src->ops->close(src);
	iot_batch_free(batch);
}

/* Events up to an instant, counted by themselves. */
static guint64 count_until(const char *reader, gsize batch_size, guint64 to_ns, guint64 *out_last)
{
	g_autoptr(iot_schema) schema = iot_schema_new();
	struct iot_input_spec spec = { .path = DLM3 "trace-5.dat" };
	struct iot_source *src = iot_source_open(reader, &spec, NULL);
	struct iot_batch *batch = iot_batch_new(batch_size, NULL);
	struct iot_input_info info;

	src->to_ns = to_ns;
	iot_schema_event(schema, "dlm", "dlm_ast");
	CU_ASSERT_TRUE_FATAL(src->ops->bind(src, schema, NULL));
	while (src->ops->read(src, 0, batch, NULL) == IOT_NEXT_OK)
		;
	src->ops->describe(src, &info);
	CU_ASSERT_EQUAL(info.goes_on, to_ns != G_MAXUINT64);
	*out_last = info.last_ns;
	src->ops->close(src);
	iot_batch_free(batch);
	return info.n_events;
}

UNIT_TEST(what_is_behind_the_window_is_not_described)
{
	guint64 end, last, first_half, n;

	CU_ASSERT_EQUAL(count_until("dat", 4096, G_MAXUINT64, &end), 19270);
	first_half =
		count_until("libtracecmd", 4096, end - 50 * G_GUINT64_CONSTANT(1000000000), &last);
	CU_ASSERT(first_half > 1000 && first_half < 18000);
	for (gsize size = 256; size <= 1 << 18; size *= 4) {
		guint64 also;

		n = count_until("dat", size, end - 50 * G_GUINT64_CONSTANT(1000000000), &also);
		CU_ASSERT_EQUAL(n, first_half);
		CU_ASSERT_EQUAL(also, last);
	}
	CU_ASSERT(last > end - 50 * G_GUINT64_CONSTANT(1000000000) && last < end);
}

static void refused(const char *reader, const char *path, enum iot_error_code code,
		    const char *hint)
{
	struct iot_input_spec spec = { .path = path };
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(iot_source_open(reader, &spec, &error));
	CU_ASSERT_TRUE_FATAL(g_error_matches(error, IOT_ERROR, (gint)code));
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, hint));
	if (code == IOT_ERROR_INPUT)
		CU_ASSERT_PTR_NOT_NULL(strstr(error->message, path));
}

UNIT_TEST(files_that_are_no_recordings)
{
	int fd = memfd_create("iotrace-unit", 0);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);

	refused(NULL, "/no/such/file.dat", IOT_ERROR_INPUT, "check the name");
	refused(NULL, IOT_SOURCE_DIR, IOT_ERROR_INPUT, "is a directory");
	refused(NULL, "/dev/null", IOT_ERROR_INPUT, "not a regular file");
	refused(NULL, IOT_SOURCE_DIR "/COPYING", IOT_ERROR_INPUT, "not a trace");
	refused("dat", IOT_SOURCE_DIR "/COPYING", IOT_ERROR_INPUT, "\"dat\"");
	refused("magic", DLM3 "trace-5.dat", IOT_ERROR_USAGE, "no reader \"magic\"");
	refused(NULL, path, IOT_ERROR_INPUT, "is empty");
	close(fd);
}
