/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugins as libtraceevent loads them, with records made by hand for the saved formats of
 * tests/formats, and with random ones: each in a block of memory of its own size, so that a
 * sanitizer sees reads past its end.
 */
#include "unit.h"

#include <ctype.h>
#include <event-parse.h>
#include <glob.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

struct host {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
};

static void host_open(struct host *host, enum tep_endian endian)
{
	unsetenv("HOME");
	unsetenv("TRACEEVENT_PLUGIN_DIR");
	host->tep = tep_alloc();
	tep_set_flag(host->tep, TEP_DISABLE_SYS_PLUGINS);
	tep_set_file_bigendian(host->tep, endian);
	tep_add_plugin_path(host->tep, (char *)CHECKED_PLUGIN_DIR, TEP_PLUGIN_FIRST);
	host->plugins = tep_load_plugins(host->tep);
	CU_ASSERT_PTR_NOT_NULL_FATAL(host->plugins);
}

static void host_close(struct host *host)
{
	tep_unload_plugins(host->plugins, host->tep);
	tep_free(host->tep);
}

static struct tep_event *parse(const struct host *host, const char *system, const char *text)
{
	CU_ASSERT_EQUAL_FATAL(tep_parse_event(host->tep, text, strlen(text), system), 0);
	CU_ASSERT_EQUAL_FATAL(tep_get_events_count(host->tep), 1);
	return tep_get_first_event(host->tep);
}

/* ---- records */

static void put_number(GByteArray *data, const struct tep_event *event, guint offset, guint size,
		       gint64 number)
{
	gboolean big = tep_is_file_bigendian(event->tep);

	for (guint i = 0; i < size; i++)
		data->data[offset + (big ? size - 1 - i : i)] = (guint8)(number >> 8 * i);
}

static void put_array(GByteArray *data, const struct tep_event *event,
		      const struct tep_format_field *field, const char *text)
{
	/* Without "unsigned" it is a text, which the kernel ends with a NUL. */
	guint len = (guint)strlen(text) + !strstr(field->type, "unsigned");

	if (!(field->flags & TEP_FIELD_IS_DYNAMIC)) {
		memcpy(data->data + field->offset, text, MIN(len, (guint)field->size));
		return;
	}
	put_number(data, event, (guint)field->offset, 4, (gint64)len << 16 | data->len);
	g_byte_array_append(data, (const guint8 *)text, len);
}

/* values: "FIELD=VALUE;FIELD=VALUE..."; others are 0 */
static GByteArray *record_of(struct tep_event *event, const char *values)
{
	GByteArray *data = g_byte_array_new();
	g_auto(GStrv) pairs = g_strsplit(values, ";", -1);
	guint size = 8;

	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		size = MAX(size,
			   (guint)(f->offset + (f->flags & TEP_FIELD_IS_DYNAMIC ? 4 : f->size)));
	g_byte_array_set_size(data, size);
	memset(data->data, 0, size);
	for (char **pair = pairs; *pair && **pair; pair++) {
		char *value = strchr(*pair, '=');
		struct tep_format_field *field;

		*value++ = '\0';
		field = tep_find_any_field(event, *pair);
		CU_ASSERT_PTR_NOT_NULL_FATAL(field);
		if (field->flags & TEP_FIELD_IS_ARRAY)
			put_array(data, event, field, value);
		else
			put_number(data, event, (guint)field->offset, (guint)field->size,
				   (gint64)strtoull(value, NULL, 0));
	}
	return data;
}

static char *text_of(struct tep_event *event, const guint8 *bytes, guint size)
{
	g_autofree guint8 *exact = g_memdup2(bytes, size);
	struct tep_record record = { .data = exact, .size = (int)size };
	struct trace_seq out;
	char *text;

	CU_ASSERT_PTR_NOT_NULL_FATAL(event->handler);
	trace_seq_init(&out);
	CU_ASSERT_EQUAL(event->handler(&out, &record, event, event->context), 0);
	trace_seq_terminate(&out);
	text = g_strdup(out.buffer);
	trace_seq_destroy(&out);
	return text;
}

static void expect_text(struct tep_event *event, const char *values, const char *expected)
{
	g_autoptr(GByteArray) data = record_of(event, values);
	g_autofree char *text = text_of(event, data->data, data->len);

	if (strcmp(text, expected))
		fprintf(stderr, "%s: got      %s\n%*s expected %s\n", event->name, text,
			(int)strlen(event->name) + 1, "", expected);
	CU_ASSERT_STRING_EQUAL(text, expected);
}

static char *format_text(const char *system, const char *name)
{
	g_autofree char *path =
		g_build_filename(IOT_SOURCE_DIR "/tests/formats", system, "6.1", name, NULL);
	char *text = NULL;

	CU_ASSERT_FATAL(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

struct row {
	const char *system, *event, *values, *text;
};

static void expect_rows(const struct row *rows, guint n, enum tep_endian endian)
{
	for (guint i = 0; i < n; i++) {
		g_autofree char *format = format_text(rows[i].system, rows[i].event);
		struct host host;

		host_open(&host, endian);
		expect_text(parse(&host, rows[i].system, format), rows[i].values, rows[i].text);
		host_close(&host);
	}
}

/* ---- text */

/* Numbers are those of the headers of the kernel, x86 and others that use the generic ones. */
static const struct row iotrace_rows[] = {
	{ "iotrace", "open_start",
	  "id=17;tgid=812;op=41;fd=-100;path=/etc/passwd;path2=;flags=0x80000",
	  "id=17 tgid=812 op=openat path=\"/etc/passwd\" flags=O_RDONLY|O_CLOEXEC" },
	{ "iotrace", "open_start", "id=17;op=42;fd=7;path=a;path2=;flags=0x101042;mode=420",
	  "id=17 tgid=0 op=openat2 fd=7 path=\"a\" flags=O_RDWR|O_CREAT|O_SYNC mode=0644" },
	{ "iotrace", "open_start",
	  "id=1;op=40;fd=-100;path=/srv/\xc3\xa4 \"b\"\\\x01\xff\xc2\x9b;path2=;flags=0x40000201",
	  "id=1 tgid=0 op=open path=\"/srv/\xc3\xa4 \\\"b\\\"\\\\\\x01\\xff\\xc2\\x9b\" "
	  "flags=O_WRONLY|O_TRUNC|0x40000000" },
	{ "iotrace", "open_end", "id=17;ret=3;ino=131;dev=0xfd00001;kind=0100000",
	  "id=17 ret=3 dev=253:1 ino=131" },
	{ "iotrace", "open_end", "id=17;ret=4;ino=1;dev=0x800003;kind=040000",
	  "id=17 ret=4 dev=8:3 ino=1 kind=directory" },
	{ "iotrace", "open_end", "id=17;ret=-2", "id=17 ret=-ENOENT" },
	{ "iotrace", "open_end", "id=17;ret=3;ino=131;dev=0xfd00001;kind=0100000;gen=42",
	  "id=17 ret=3 dev=253:1 ino=131 gen=42" },
	{ "iotrace", "fs", "dev=0xfd00001;type=gfs2;source=dm-1;uuid_hi=0xab;uuid_lo=1",
	  "dev=253:1 type=\"gfs2\" source=\"dm-1\" uuid_hi=0xab uuid_lo=0x1" },
	{ "iotrace", "open_end", "id=17;ret=4;ino=1;dev=0x800003;kind=0100000;path=/srv/a b",
	  "id=17 ret=4 dev=8:3 ino=1 path=\"/srv/a b\"" },
	{ "iotrace", "open_end", "id=17;ret=4;elsewhere=1;path=", "id=17 ret=4 elsewhere=1" },
	{ "iotrace", "meta_end", "id=17;ret=-2;pos=-1;elsewhere=1",
	  "id=17 ret=-ENOENT elsewhere=1" },
	{ "iotrace", "meta_end", "id=17;ret=0;pos=-1", "id=17 ret=0" },
	{ "iotrace", "read_start", "id=18;op=3;fd=3;pos=0;len=-1;flags=0;segs=2;kind=0100000",
	  "id=18 tgid=0 op=readv fd=3 pos=0 len=-1 segs=2" },
	{ "iotrace", "open_start", "id=17;op=44;fd=7;path=;path2=;flags=0",
	  "id=17 tgid=0 op=open_by_handle_at fd=7 flags=O_RDONLY" },
	{ "iotrace", "meta_start", "id=2;op=106;fd=7;path=a;path2=;flags=0x1600",
	  "id=2 tgid=0 op=name_to_handle_at fd=7 path=\"a\" "
	  "flags=AT_SYMLINK_FOLLOW|AT_EMPTY_PATH|AT_HANDLE_FID" },
	{ "iotrace", "meta_start", "id=2;op=107;fd=7;path=a;path2=user.b;flags=0x100",
	  "id=2 tgid=0 op=setxattrat fd=7 path=\"a\" path2=\"user.b\" flags=AT_SYMLINK_NOFOLLOW" },
	{ "iotrace", "read_start",
	  "id=18446744073709551615;tgid=812;op=2;fd=3;dev=0xfd00001;ino=131;pos=8192;len=4096;segs="
	  "1;kind=0100000",
	  "id=18446744073709551615 tgid=812 op=pread64 fd=3 dev=253:1 ino=131 pos=8192 len=4096" },
	{ "iotrace", "read_start", "id=18;op=5;fd=3;pos=-1;len=1;flags=0x1a;segs=7;kind=010000",
	  "id=18 tgid=0 op=preadv2 fd=3 len=1 flags=RWF_DSYNC|RWF_NOWAIT|RWF_APPEND segs=7 "
	  "kind=fifo" },
	{ "iotrace", "read_end", "id=18;ret=4096;pos=12288", "id=18 ret=4096 pos=12288" },
	{ "iotrace", "read_end", "id=18;ret=-512;pos=-1", "id=18 ret=-ERESTARTSYS" },
	{ "iotrace", "read_end", "id=18;ret=-4095;pos=-1", "id=18 ret=-4095" },
	{ "iotrace", "write_end", "id=18;ret=-28;pos=-1", "id=18 ret=-ENOSPC" },
	{ "iotrace", "write_start", "id=18;op=119;fd=3;pos=0;flags=2;segs=1",
	  "id=18 tgid=0 op=119 fd=3 pos=0 flags=0x2" },
	{ "iotrace", "sync_start", "id=1;op=22;fd=3;pos=0;len=9;flags=7;segs=1",
	  "id=1 tgid=0 op=sync_file_range fd=3 pos=0 len=9 flags=SYNC_FILE_RANGE_WAIT_BEFORE|"
	  "SYNC_FILE_RANGE_WRITE|SYNC_FILE_RANGE_WAIT_AFTER" },
	{ "iotrace", "truncate_start", "id=1;op=27;fd=3;pos=0;len=9;flags=3;segs=1",
	  "id=1 tgid=0 op=fallocate fd=3 pos=0 len=9 "
	  "flags=FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE" },
	{ "iotrace", "mmap_start", "id=1;op=28;fd=3;pos=0;len=9;flags=0x3000001;segs=1",
	  "id=1 tgid=0 op=mmap fd=3 pos=0 len=9 flags=PROT_READ|PROT_WRITE|MAP_SHARED" },
	{ "iotrace", "mmap_end", "id=1;ret=0x7f0000001000;pos=-1", "id=1 ret=0x7f0000001000" },
	{ "iotrace", "mmap_end", "id=1;ret=-12;pos=-1", "id=1 ret=-ENOMEM" },
	{ "iotrace", "aio_start", "id=1;op=120;fd=3;pos=0;len=9;segs=1",
	  "id=1 tgid=0 op=\"io_uring read\" fd=3 pos=0 len=9" },
	{ "iotrace", "submit_start", "id=1;op=125;fd=3;pos=0;len=9;segs=1;flags=2",
	  "id=1 tgid=0 op=\"io_submit write\" fd=3 pos=0 len=9 flags=RWF_DSYNC" },
	{ "iotrace", "submit_end", "id=1;ret=1;pos=-1", "id=1 ret=1" },
	{ "iotrace", "aio_skip", "id=1;op=121;fd=3;pos=0;len=9;segs=1",
	  "id=1 tgid=0 op=\"io_uring write\" fd=3 pos=0 len=9" },
	{ "iotrace", "lock_start",
	  "id=5;tgid=812;op=33;fd=3;dev=0xfd00001;ino=131;type=1;wait=1;start=4096;len=10",
	  "id=5 tgid=812 op=\"fcntl setlkw\" fd=3 dev=253:1 ino=131 type=write wait=1 start=4096 "
	  "len=10" },
	{ "iotrace", "lock_start", "id=5;op=35;fd=3;type=2;start=-8;len=8;whence=2",
	  "id=5 tgid=0 op=\"fcntl ofd_setlk\" fd=3 type=unlock start=-8 len=8 whence=SEEK_END" },
	{ "iotrace", "lock_end", "id=5;ret=-11;pos=-1", "id=5 ret=-EAGAIN" },
	{ "iotrace", "meta_start", "id=2;op=67;fd=-100;path=a;path2=b c;flags=1",
	  "id=2 tgid=0 op=renameat2 path=\"a\" path2=\"b c\" flags=RENAME_NOREPLACE" },
	{ "iotrace", "meta_start",
	  "id=2;op=54;fd=5;path=;path2=;flags=0x1100;dev=0x800003;ino=4;arg=256",
	  "id=2 tgid=0 op=statx fd=5 flags=AT_SYMLINK_NOFOLLOW|AT_EMPTY_PATH arg=256 dev=8:3 "
	  "ino=4" },
	{ "iotrace", "meta_start", "id=2;op=69;fd=-100;path=d;path2=;flags=0x200",
	  "id=2 tgid=0 op=unlinkat path=\"d\" flags=AT_REMOVEDIR" },
	{ "iotrace", "task", "tgid=812;ptgid=1;comm=a b", "tgid=812 ptgid=1 comm=\"a b\"" },
	{ "iotrace", "task",
	  "tgid=812;ptgid=1;comm=sh;cgroup=4660;pidns=4026531836;nspid=2;nstgid=1",
	  "tgid=812 ptgid=1 comm=\"sh\" cgroup=4660 pidns=4026531836 nspid=2 nstgid=1" },
	{ "iotrace", "call_done",
	  "id=77;tgid=5;domain=lease;resource=/x;op=lock;mode=3;status=-65538",
	  "id=77 tgid=5 domain=\"lease\" resource=\"/x\" op=\"lock\" mode=3 status=-DLM_EUNLOCK" },
	{ "iotrace", "call_end", "id=77;tgid=5;domain=;resource=;op=;mode=-1;flags=0x10;object=6",
	  "id=77 tgid=5 status=0 object=6 flags=0x10" },
};

UNIT_TEST(iotrace_events_in_words)
{
	expect_rows(iotrace_rows, G_N_ELEMENTS(iotrace_rows), TEP_LITTLE_ENDIAN);
}

UNIT_TEST(iotrace_events_of_a_big_endian_machine)
{
	expect_rows(iotrace_rows, G_N_ELEMENTS(iotrace_rows), TEP_BIG_ENDIAN);
}

/* Events that the recordings of examples/dlm lack; plugins-report.sh compares those event by event.
 */
UNIT_TEST(rare_dlm_events_in_words)
{
	static const struct row rows[] = {
		{ "dlm", "dlm_lock_start",
		  "ls_id=1;lkb_id=0x7a;mode=-1;flags=0x80000001;res_name=a\"\\\xff",
		  "ls_id=0x1 lkb_id=0x7a mode=IV flags=NOQUEUE|0x80000000 "
		  "res_name=\"a\\\"\\\\\\xff\"" },
		{ "dlm", "dlm_bast", "ls_id=1;lkb_id=2;mode=9;res_name=       7            beef",
		  "ls_id=0x1 lkb_id=0x2 mode=9 res_name=\"plock beef\"" },
		{ "dlm", "dlm_bast", "ls_id=1;lkb_id=2;mode=5;res_name=      1f               0",
		  "ls_id=0x1 lkb_id=0x2 mode=EX res_name=\"type 1f 0\"" },
		{ "dlm", "dlm_bast", "ls_id=1;lkb_id=2;mode=5;res_name=       2            BEEF",
		  "ls_id=0x1 lkb_id=0x2 mode=EX res_name=\"       2            BEEF\"" },
		{ "dlm", "dlm_bast", "ls_id=1;lkb_id=2;mode=5;res_name=                    beef",
		  "ls_id=0x1 lkb_id=0x2 mode=EX res_name=\"                    beef\"" },
		{ "dlm", "dlm_ast", "ls_id=1;lkb_id=2;sb_flags=6;sb_status=-65537;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 sb_flags=VALNOTVALID|ALTMODE sb_status=-DLM_ECANCEL "
		  "res_name=\"x\"" },
		/* status and flags exchanged */
		{ "dlm", "dlm_ast", "ls_id=1;lkb_id=2;sb_flags=0xf5;sb_status=0;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 sb_status=-EAGAIN res_name=\"x\"" },
		{ "dlm", "dlm_ast", "ls_id=1;lkb_id=2;sb_flags=0xff;sb_status=2;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 sb_flags=VALNOTVALID sb_status=-DLM_ECANCEL "
		  "res_name=\"x\"" },
		{ "dlm", "dlm_ast", "ls_id=1;lkb_id=2;sb_flags=0xfe;sb_status=0;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 sb_status=-DLM_EUNLOCK res_name=\"x\"" },
		{ "dlm", "dlm_ast", "ls_id=1;lkb_id=2;sb_flags=0;sb_status=4;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 sb_flags=ALTMODE sb_status=0 res_name=\"x\"" },
		{ "dlm", "dlm_ast", "ls_id=1;lkb_id=2;sb_flags=0x84;sb_status=-22;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 sb_flags=ALTMODE|0x80 sb_status=-EINVAL res_name=\"x\"" },
		{ "dlm", "dlm_unlock_end", "ls_id=1;lkb_id=2;flags=0x20000;error=-22;res_name=x",
		  "ls_id=0x1 lkb_id=0x2 flags=FORCEUNLOCK error=-EINVAL res_name=\"x\"" },
		{ "gfs2", "gfs2_glock_state_change",
		  "dev=0xfd00001;glnum=0x924;gltype=2;cur_state=3;new_state=5;dmt_state=5;tgt_"
		  "state=5;flags=0x8002",
		  "dev=253:1 glock=\"inode 924\" cur_state=PR new_state=EX dmt_state=EX "
		  "tgt_state=EX flags=0x8002" },
		{ "gfs2", "gfs2_glock_queue", "dev=0x100000;glnum=1;gltype=8;queue=1;state=3",
		  "dev=1:0 glock=\"quota 1\" queue=yes state=PR" },
		{ "gfs2", "gfs2_demote_rq",
		  "dev=0x100000;glnum=0;gltype=1;cur_state=5;dmt_state=0;remote=1",
		  "dev=1:0 glock=\"trans 0\" cur_state=EX dmt_state=NL remote=yes" },
	};

	expect_rows(rows, G_N_ELEMENTS(rows), TEP_LITTLE_ENDIAN);
	expect_rows(rows, G_N_ELEMENTS(rows), TEP_BIG_ENDIAN);
}

/* 6.12 has no seq, but dst and h_seq; fields unknown to the tables are shown by their type, after
 * the known ones. */
UNIT_TEST(fields_come_and_go)
{
	g_autofree char *format = format_text("dlm", "dlm_recv_message");
	g_auto(GStrv) parts = g_strsplit(format, "uint32_t seq;\toffset:8;\tsize:4;\tsigned:0;", 2);
	g_autofree char *newer = g_strjoinv(
		"uint32_t dst;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:uint32_t h_seq;\toffset:104;\tsize:4;\tsigned:0;\n"
		"\tfield:s16 extra;\toffset:108;\tsize:2;\tsigned:1;\n"
		"\tfield:__data_loc unsigned char[] more;\toffset:112;\tsize:4;\tsigned:0;",
		parts);
	struct host host;

	CU_ASSERT_EQUAL_FATAL(g_strv_length(parts), 2);
	host_open(&host, TEP_LITTLE_ENDIAN);
	expect_text(parse(&host, "dlm", newer),
		    "m_type=9;h_nodeid=3;dst=1;h_seq=4;h_lockspace=16;m_nodeid=-1;m_rqmode=-1;"
		    "extra=-5;more=ab",
		    "m_type=GRANT h_nodeid=3 dst=1 h_seq=4 h_lockspace=0x10 m_nodeid=-1 m_pid=0 "
		    "m_grmode=NL "
		    "extra=-5 more=0x6162");
	host_close(&host);
}

UNIT_TEST(cut_records)
{
	g_autofree char *format = format_text("dlm", "dlm_lock_end");
	g_autoptr(GByteArray) data = NULL;
	g_autofree char *fixed = NULL, *without_name = NULL, *nothing = NULL;
	struct tep_event *event;
	struct host host;

	host_open(&host, TEP_LITTLE_ENDIAN);
	event = parse(&host, "dlm", format);
	data = record_of(event, "ls_id=1;lkb_id=2;mode=3;error=-11;res_name=abcd");
	without_name = text_of(event, data->data, data->len - 1);
	CU_ASSERT_STRING_EQUAL(without_name,
			       "ls_id=0x1 lkb_id=0x2 mode=PR error=-EAGAIN res_name=?");
	fixed = text_of(event, data->data, 18);
	CU_ASSERT_STRING_EQUAL(fixed, "ls_id=0x1 lkb_id=0x2 mode=? flags=? error=? res_name=?");
	nothing = text_of(event, data->data, 0);
	CU_ASSERT_STRING_EQUAL(nothing, "ls_id=? lkb_id=? mode=? flags=? error=? res_name=?");
	host_close(&host);
}

/* trace-cmd knows names of tasks from before the recording; our event has the later ones.
 */
UNIT_TEST(names_of_tasks)
{
	g_autofree char *format = format_text("iotrace", "task");
	struct tep_event *event;
	struct host host;

	host_open(&host, TEP_LITTLE_ENDIAN);
	event = parse(&host, "iotrace", format);
	expect_text(event, "common_pid=812;comm=sh", "tgid=0 ptgid=0 comm=\"sh\"");
	CU_ASSERT_STRING_EQUAL(tep_data_comm_from_pid(host.tep, 812), "sh");
	expect_text(event, "common_pid=812;tgid=812;comm=dd", "tgid=812 ptgid=0 comm=\"dd\"");
	CU_ASSERT_STRING_EQUAL(tep_data_comm_from_pid(host.tep, 812), "dd");
	expect_text(event, "common_pid=812;comm=\x1b[2J", "tgid=0 ptgid=0 comm=\"\\x1b[2J\"");
	CU_ASSERT_STRING_EQUAL(tep_data_comm_from_pid(host.tep, 812), "dd");
	CU_ASSERT_STRING_EQUAL(tep_data_comm_from_pid(host.tep, 813), "<...>");
	host_close(&host);
}

/* ---- options */

/* A second recording of the same process must not toggle an option back. */
UNIT_TEST(options_hold_for_all_recordings)
{
	g_autofree char *format = format_text("dlm", "dlm_bast");
	const char *values = "ls_id=1;lkb_id=2;mode=5;res_name=       2               c";
	const char *words = "ls_id=0x1 lkb_id=0x2 mode=EX res_name=\"inode c\"";
	const char *raw = "ls_id=0x1 lkb_id=0x2 mode=5 res_name=\"       2               c\"";
	struct host first, second;
	struct tep_event *event;

	tep_plugin_add_option("dlm:raw", NULL);
	host_open(&first, TEP_LITTLE_ENDIAN);
	host_open(&second, TEP_LITTLE_ENDIAN);
	expect_text(parse(&first, "dlm", format), values, raw);
	event = parse(&second, "dlm", format);
	expect_text(event, values, raw);
	host_close(&first);
	expect_text(event, values, raw);
	tep_plugin_add_option("dlm:raw", "0");
	expect_text(event, values, words);
	host_close(&second);
	host_open(&first, TEP_LITTLE_ENDIAN);
	expect_text(parse(&first, "dlm", format), values, words);
	host_close(&first);
}

UNIT_TEST(all_fields)
{
	g_autofree char *format = format_text("iotrace", "read_start");
	const char *values = "id=1;op=1;fd=-1;pos=-1;segs=1;kind=0100000";
	struct tep_event *event;
	struct host host;

	host_open(&host, TEP_LITTLE_ENDIAN);
	event = parse(&host, "iotrace", format);
	expect_text(event, values, "id=1 tgid=0 op=read");
	tep_plugin_add_option("iotrace:all", "1");
	expect_text(
		event, values,
		"id=1 tgid=0 op=read fd=-1 dev=0:0 ino=0 pos=-1 len=0 flags=0 segs=1 kind=file");
	tep_plugin_add_option("iotrace:all", "0");
	host_close(&host);
}

/* ---- anything */

/* "NAME=" first, and no characters that affect a terminal. */
static gboolean is_one_line(const char *text)
{
	for (const char *c = text; *c; c++)
		if (g_ascii_iscntrl(*c))
			return FALSE;
	return g_utf8_validate(text, -1, NULL) && strchr(text, '=');
}

static void random_records(const char *path, GRand *random, enum tep_endian endian)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	const char *system = parts[g_strv_length(parts) - 3];
	g_autofree char *format = NULL;
	struct tep_event *event;
	struct host host;

	CU_ASSERT_FATAL(g_file_get_contents(path, &format, NULL, NULL));
	host_open(&host, endian);
	event = parse(&host, system, format);
	/* the kernel's text remains for some events of GFS2, and for systems without a plugin */
	CU_ASSERT(event->handler || (strcmp(system, "dlm") && strcmp(system, "iotrace")));
	for (guint i = 0; event->handler && i < 500; i++) {
		guint8 bytes[256];
		guint size = (guint)g_rand_int_range(random, 0, sizeof(bytes));
		g_autofree char *text = NULL;

		/* small numbers find more: places inside of the record */
		for (guint j = 0; j < size; j++)
			bytes[j] = (guint8)g_rand_int_range(random, 0, i % 2 ? 256 : 96);
		text = text_of(event, bytes, size);
		if (!is_one_line(text))
			fprintf(stderr, "%s: %s\n", event->name, text);
		CU_ASSERT(is_one_line(text));
	}
	host_close(&host);
}

UNIT_TEST(random_bytes)
{
	GRand *random = g_rand_new_with_seed(1);
	glob_t files;

	CU_ASSERT_EQUAL_FATAL(glob(IOT_SOURCE_DIR "/tests/formats/*/*/*", 0, NULL, &files), 0);
	CU_ASSERT(files.gl_pathc > 40);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		random_records(files.gl_pathv[i], random, TEP_LITTLE_ENDIAN);
		random_records(files.gl_pathv[i], random, TEP_BIG_ENDIAN);
	}
	globfree(&files);
	g_rand_free(random);
}

/* Every event of the formats that is not GFS2's has a text of ours; an event that no plugin knows
 * has none. */
UNIT_TEST(other_events_are_left_alone)
{
	g_autofree char *format = format_text("dlm", "dlm_send");
	struct host host;

	host_open(&host, TEP_LITTLE_ENDIAN);
	CU_ASSERT_PTR_NULL(parse(&host, "other", format)->handler);
	host_close(&host);
}
