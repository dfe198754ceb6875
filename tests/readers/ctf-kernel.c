// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctf-kernel FOLDER SEED EVENTS [tid] - write a random trace as LTTng's kernel tracer writes it,
 * without any library, and print the same events as a text recording (iotrace-text(5)) with the
 * kernel's names. Two processors; threads that are switched, woken and made, that open and read
 * files, and requests of a block device. With tid the events have the context tid; else the thread
 * follows from sched_switch. Times are ns since 1970.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 2, THREADS = 6, OFFSET = 1700000000 };
enum { SWITCH, WAKING, WAKEUP, FORK, OPEN, OPENED, READ, WAS_READ, ISSUE, COMPLETE };

static GByteArray *streams[CPUS];
static GByteArray *out; /* of the event's processor */
static GRand *rnd;
static gboolean with_tid;

static void put(guint64 value, guint bytes)
{
	for (guint i = 0; i < bytes; i++) {
		guint8 byte = (guint8)(value >> 8 * i);

		g_byte_array_append(out, &byte, 1);
	}
}

static void put_text(const char *text)
{
	g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text) + 1);
}

/* A text of 16 bytes, as names of threads are. */
static void put_comm(int thread)
{
	char comm[16] = "";

	g_snprintf(comm, sizeof(comm), "t%d", thread);
	g_byte_array_append(out, (const guint8 *)comm, sizeof(comm));
}

static void field(GString *meta, const char *name, guint bits, gboolean is_signed)
{
	g_string_append_printf(meta, "integer { size = %u; align = 8; signed = %s; } _%s; ", bits,
			       is_signed ? "true" : "false", name);
}

static void comm(GString *meta, const char *name)
{
	g_string_append_printf(
		meta, "integer { size = 8; align = 8; signed = true; encoding = UTF8; } _%s[16]; ",
		name);
}

static void class(GString *meta, guint id, const char *name)
{
	g_string_append_printf(
		meta, "%sevent { name = \"%s\"; id = %u; stream_id = 0; fields := struct { ",
		id ? "}; };\n" : "", name, id);
}

static void write_metadata(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "metadata", NULL);
	GString *meta = g_string_new(
		"/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; packet.header := "
		"struct { "
		"integer { size = 32; align = 8; } magic; integer { size = 32; align = 8; } "
		"stream_id; }; };\n"
		"env { hostname = \"node\"; domain = \"kernel\"; kernel_release = \"6.1\"; "
		"tracer_name = \"lttng-modules\"; };\n"
		"clock { name = \"monotonic\"; freq = 1000000000; offset_s = 1700000000; absolute "
		"= true; };\n"
		"stream { id = 0; event.header := struct { integer { size = 16; align = 8; } id; "
		"integer { size = 64; align = 8; map = clock.monotonic.value; } timestamp; };\n"
		"packet.context := struct { integer { size = 32; align = 8; } cpu_id; };\n");

	if (with_tid)
		g_string_append(meta, "event.context := struct { integer { size = 32; align = 8; "
				      "signed = true; } _tid; };\n");
	g_string_append(meta, "};\n");
	class(meta, SWITCH, "sched_switch");
	comm(meta, "prev_comm"), field(meta, "prev_tid", 32, TRUE),
		field(meta, "prev_prio", 32, TRUE);
	g_string_append(
		meta, "enum : integer { size = 64; align = 8; signed = true; } { TASK_RUNNING = 0, "
		      "TASK_INTERRUPTIBLE = 1, TASK_UNINTERRUPTIBLE = 2 } _prev_state; ");
	comm(meta, "next_comm"), field(meta, "next_tid", 32, TRUE),
		field(meta, "next_prio", 32, TRUE);
	for (guint id = WAKING; id <= WAKEUP; id++) {
		class(meta, id, id == WAKING ? "sched_waking" : "sched_wakeup");
		comm(meta, "comm"), field(meta, "tid", 32, TRUE), field(meta, "prio", 32, TRUE);
		field(meta, "target_cpu", 32, TRUE);
	}
	class(meta, FORK, "sched_process_fork");
	comm(meta, "parent_comm"), field(meta, "parent_tid", 32, TRUE),
		field(meta, "parent_pid", 32, TRUE);
	comm(meta, "child_comm"), field(meta, "child_tid", 32, TRUE),
		field(meta, "child_pid", 32, TRUE);
	class(meta, OPEN, "syscall_entry_openat");
	field(meta, "dfd", 32, TRUE);
	g_string_append(meta, "string _filename; ");
	field(meta, "flags", 32, TRUE), field(meta, "mode", 16, FALSE);
	class(meta, OPENED, "syscall_exit_openat");
	field(meta, "ret", 64, TRUE);
	class(meta, READ, "syscall_entry_read");
	field(meta, "fd", 32, FALSE), field(meta, "count", 64, FALSE);
	class(meta, WAS_READ, "syscall_exit_read");
	field(meta, "ret", 64, TRUE);
	class(meta, ISSUE, "block_rq_issue");
	field(meta, "dev", 32, FALSE), field(meta, "sector", 64, FALSE),
		field(meta, "nr_sector", 32, FALSE);
	field(meta, "bytes", 32, FALSE), field(meta, "tid", 32, TRUE);
	field(meta, "rwbs", 32, FALSE), comm(meta, "comm");
	class(meta, COMPLETE, "block_rq_complete");
	field(meta, "dev", 32, FALSE), field(meta, "sector", 64, FALSE),
		field(meta, "nr_sector", 32, FALSE);
	field(meta, "error", 32, TRUE), field(meta, "rwbs", 32, FALSE);
	g_string_append(meta, "}; };\n");
	if (!g_file_set_contents(path, meta->str, (gssize)meta->len, NULL))
		exit(1);
	g_string_free(meta, TRUE);
}

/* ---- events */

static guint64 now = 5000;
static int running[CPUS];	 /* thread; 0: idle */
static int in_call[THREADS + 1]; /* the event that ends it */
static int cpu;

static void begin(int id, const char *system, const char *name)
{
	now += 1 + g_rand_int(rnd) % 3000;
	out = streams[cpu];
	put((guint64)id, 2);
	put(now, 8);
	if (with_tid)
		put((guint32)running[cpu], 4);
	printf("%" G_GUINT64_FORMAT " %d %d %s:%s", (guint64)OFFSET * 1000000000 + now, cpu,
	       running[cpu], system, name);
}

static void switch_to(int next, int state)
{
	int prev = running[cpu];

	begin(SWITCH, "sched", "sched_switch");
	put_comm(prev), put((guint64)prev, 4), put((guint64)(prev ? 20 : 20), 4);
	put((guint64)state, 8);
	put_comm(next), put((guint64)next, 4), put((guint64)20, 4);
	printf(" prev_comm=\"t%d\" prev_pid=%d prev_prio=120 prev_state=%d next_comm=\"t%d\" "
	       "next_pid=%d "
	       "next_prio=120\n",
	       prev, prev, state, next, next);
	running[cpu] = next;
}

static void wake(int id, int thread)
{
	begin(id, "sched", id == WAKING ? "sched_waking" : "sched_wakeup");
	put_comm(thread), put((guint64)thread, 4), put((guint64)-10, 4), put(0, 4);
	printf(" comm=\"t%d\" pid=%d prio=90 target_cpu=0\n", thread, thread);
}

static void fork_thread(void)
{
	begin(FORK, "sched", "sched_process_fork");
	put_comm(running[cpu]), put((guint64)running[cpu], 4), put(999, 4);
	put_comm(50), put(50, 4), put(999, 4);
	printf(" parent_comm=\"t%d\" parent_pid=%d child_comm=\"t50\" child_pid=50\n", running[cpu],
	       running[cpu]);
}

/* A thread that runs begins a call, or ends the one that it is in. */
static void call(void)
{
	int *end = &in_call[running[cpu]];
	gint64 ret = (gint64)(g_rand_int(rnd) % 20) - 4;

	if (*end) {
		begin(*end, "syscalls", *end == OPENED ? "sys_exit_openat" : "sys_exit_read");
		put((guint64)ret, 8);
		printf(" ret=%" G_GINT64_FORMAT "\n", ret);
		*end = 0;
	} else if (g_rand_boolean(rnd)) {
		begin(OPEN, "syscalls", "sys_enter_openat");
		put((guint64)-100, 4), put_text("/etc/hosts"), put(0x80000, 4), put(0, 2);
		printf(" dfd=-100 flags=0x80000 mode=0\n");
		*end = OPENED;
	} else {
		begin(READ, "syscalls", "sys_enter_read");
		put(3, 4), put(4096, 8);
		printf(" fd=3 count=4096\n");
		*end = WAS_READ;
	}
}

static void request(void)
{
	static const struct {
		guint bits;
		const char *text;
	} kinds[] = { { 1 << 2, "R" },		 { 1 | 1 << 5, "WS" },
		      { 1 << 2 | 1 << 3, "RA" }, { 1 | 1 << 9 | 1 << 5, "WFS" },
		      { 1 << 1, "D" },		 { 1 | 1 << 6, "WM" } };
	static guint64 sector;
	guint kind = g_rand_int(rnd) % G_N_ELEMENTS(kinds);

	sector += 8;
	for (int id = ISSUE; id <= COMPLETE; id++) {
		begin(id, "block", id == ISSUE ? "block_rq_issue" : "block_rq_complete");
		put(0x800010, 4), put(sector, 8), put(8, 4);
		printf(" dev=%d sector=%" G_GUINT64_FORMAT " nr_sector=8", 0x800010, sector);
		if (id == ISSUE)
			put(4096, 4), put((guint64)running[cpu], 4);
		else
			put(0, 4);
		put(kinds[kind].bits, 4);
		if (id == ISSUE)
			put_comm(running[cpu]);
		printf(id == ISSUE ? " bytes=4096 rwbs=\"%s\" comm=\"t%d\"\n"
				   : " error=0 rwbs=\"%s\"\n",
		       kinds[kind].text, running[cpu]);
	}
}

int main(int argc, char **argv)
{
	int events;

	if (argc < 4)
		return 2;
	rnd = g_rand_new_with_seed((guint32)atoi(argv[2]));
	events = atoi(argv[3]);
	with_tid = argc > 4;
	if (g_mkdir(argv[1], 0777))
		return 1;
	write_metadata(argv[1]);
	printf("iotrace-text 1\nhostname node\n");
	for (cpu = 0; cpu < CPUS; cpu++) {
		out = streams[cpu] = g_byte_array_new();
		put(0xc1fc1fc1, 4), put(0, 4), put((guint64)cpu, 4);
		switch_to(1 + cpu, 0);
	}
	for (int i = 0; i < events; i++) {
		cpu = (int)(g_rand_int(rnd) % CPUS);
		switch (g_rand_int(rnd) % 8) {
		case 0: { /* threads keep to a processor */
			int next = cpu + 1 + (int)(g_rand_int(rnd) % (THREADS / CPUS)) * CPUS;

			if (next != running[cpu])
				switch_to(next, (int)(g_rand_int(rnd) % 3));
			break;
		}
		case 1:
			wake(WAKING, 1 + (int)(g_rand_int(rnd) % THREADS));
			break;
		case 2:
			wake(WAKEUP, 1 + (int)(g_rand_int(rnd) % THREADS));
			break;
		case 3:
			if (i % 16 == 0)
				fork_thread();
			break;
		case 4:
			request();
			break;
		default:
			call();
		}
	}
	for (cpu = 0; cpu < CPUS; cpu++) {
		g_autofree char *name = g_strdup_printf("channel0_%d", cpu);
		g_autofree char *path = g_build_filename(argv[1], name, NULL);

		if (!g_file_set_contents(path, (const char *)streams[cpu]->data,
					 (gssize)streams[cpu]->len, NULL))
			return 1;
		g_byte_array_unref(streams[cpu]);
	}
	g_rand_free(rnd);
	return 0;
}
