/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics-take.h"

#include <string.h>
#include <unistd.h>

/* More than any device does in a second; what grows by more was set to another number. */
static const guint64 most_bytes = G_GUINT64_CONSTANT(1) << 40, most_sectors = 1 << 31u,
		     most_events = G_GUINT64_CONSTANT(1) << 32, most_ms = 2000,
		     most_waiting_ms = 1000000000, most_us = 2000000;

/* rows of /proc/stat that are not those of a processor */
static const char all_processors[] = "processors", whole_system[] = "system";

const char *rec_take_group(const struct rec_proc_file *file, const char *name)
{
	if (file->kind->take == rec_take_stat &&
	    (!strcmp(name, all_processors) || !strcmp(name, whole_system)))
		return "load";
	return file->kind->group;
}

static guint64 period(const struct rec_proc_file *file)
{
	return MAX(file->now - file->before, 1);
}

static guint64 per_second(const struct rec_proc_file *file, guint64 by, guint unit)
{
	return (guint64)((double)by * unit * 1e9 / (double)period(file) + 0.5);
}

/* Of the time between both samples; @ns is the unit of @by. */
static guint64 percent_hundredths(const struct rec_proc_file *file, guint64 by, guint ns)
{
	return (guint64)((double)by * ns * 1e4 / (double)period(file) + 0.5);
}

/* An event of the time between both samples. */
static void begin(struct rec_proc *proc, const struct rec_proc_file *file, const char *event,
		  const char *name)
{
	rec_line_begin(proc->lines, file->before, 1, event);
	rec_line_text(proc->lines, "group", rec_take_group(file, name));
	rec_line_text(proc->lines, "name", name);
}

/*
 * FALSE: by how much the numbers of the device have grown is not known, and that is said.
 * @most: for each number by how much it may grow in a second
 */
static gboolean grown(struct rec_proc *proc, const struct rec_proc_file *file,
		      struct rec_device *device, guint64 id, const guint64 *now,
		      const guint64 *most, guint n, guint64 *by)
{
	guint64 limit[REC_DEVICE_NUMBERS];
	enum rec_growth growth;

	for (guint i = 0; i < n; i++)
		limit[i] = most[i] * (period(file) / 1000000000 + 1);
	growth = rec_devices_take(&file->devices, device, id, now, limit, n, by);
	if (!file->before)
		return FALSE;
	if (growth == REC_GROWTH_NEW)
		rec_take_note(proc, file->now, rec_take_group(file, device->name), device->name,
			      "came");
	else if (growth == REC_GROWTH_SET_BACK)
		rec_take_gap(proc, file, device->name, "set back");
	return growth == REC_GROWTH_KNOWN;
}

/* ---- load and processors */

/* "0.52" as 52 */
static gboolean take_hundredths(struct rec_scan *scan, guint64 *out)
{
	guint64 whole, part;

	if (!rec_scan_number(scan, &whole) || scan->at + 2 >= scan->end || *scan->at != '.')
		return FALSE;
	scan->at++;
	if (!rec_scan_number(scan, &part) || part > 99)
		return FALSE;
	*out = whole * 100 + part;
	return TRUE;
}

/* "0.52 0.58 0.59 3/1234 5678" */
void rec_take_load(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan)
{
	guint64 load[3], runnable, threads;

	for (guint i = 0; i < G_N_ELEMENTS(load); i++)
		if (!take_hundredths(scan, &load[i])) {
			proc->n_misread++;
			return;
		}
	if (!rec_scan_number(scan, &runnable) || scan->at == scan->end || *scan->at++ != '/' ||
	    !rec_scan_number(scan, &threads)) {
		proc->n_misread++;
		return;
	}
	rec_line_begin(proc->lines, file->now, 0, "metrics:load");
	rec_line_text(proc->lines, "group", "load");
	rec_line_hundredths(proc->lines, "load1", load[0]);
	rec_line_hundredths(proc->lines, "load5", load[1]);
	rec_line_hundredths(proc->lines, "load15", load[2]);
	rec_line_number(proc->lines, "runnable", runnable);
	rec_line_number(proc->lines, "threads", threads);
	rec_line_end(proc->lines);
}

/* Times of a line "cpu3 ...", in ticks; guest time is part of user time. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, N_TIMES };

static void take_processor(struct rec_proc *proc, struct rec_proc_file *file,
			   struct rec_device *device, struct rec_scan *scan)
{
	guint64 now[N_TIMES] = { 0 }, by[N_TIMES], most[N_TIMES], all = 0, share[N_TIMES];

	if (rec_scan_numbers(scan, now, N_TIMES) <= IDLE) {
		proc->n_misread++;
		return;
	}
	/* the kernel computes these two from others, and they may step back a little (proc(5)) */
	for (guint i = IDLE; i <= IOWAIT; i++)
		if (device->round && now[i] < device->number[i] &&
		    device->number[i] - now[i] < 1000) {
			now[i] = device->number[i];
			proc->n_back++;
		}
	for (guint i = 0; i < N_TIMES; i++)
		most[i] = most_events;
	if (!grown(proc, file, device, 0, now, most, N_TIMES, by))
		return;
	for (guint i = 0; i < N_TIMES; i++)
		all += by[i];
	/* less than a tick has passed */
	if (!all)
		return;
	for (guint i = 0; i < N_TIMES; i++)
		share[i] = (by[i] * 10000 + all / 2) / all;
	begin(proc, file, "metrics:cpu", device->name);
	rec_line_hundredths(proc->lines, "user", share[USER] + share[NICE]);
	rec_line_hundredths(proc->lines, "system", share[SYSTEM]);
	rec_line_hundredths(proc->lines, "irq", share[IRQ] + share[SOFTIRQ]);
	rec_line_hundredths(proc->lines, "iowait", share[IOWAIT]);
	rec_line_hundredths(proc->lines, "steal", share[STEAL]);
	rec_line_end(proc->lines);
}

/* Interrupts, context switches and forks since the machine was started. */
static void take_system(struct rec_proc *proc, struct rec_proc_file *file, const guint64 *now)
{
	const guint64 most[] = { most_events, most_events, most_events };
	struct rec_device *device =
		rec_devices_find(&file->devices, whole_system, strlen(whole_system));
	guint64 by[G_N_ELEMENTS(most)];

	if (!grown(proc, file, device, 0, now, most, G_N_ELEMENTS(most), by))
		return;
	begin(proc, file, "metrics:system", device->name);
	rec_line_number(proc->lines, "interrupts", per_second(file, by[0], 1));
	rec_line_number(proc->lines, "switches", per_second(file, by[1], 1));
	rec_line_number(proc->lines, "forks", per_second(file, by[2], 1));
	rec_line_end(proc->lines);
}

static gboolean is_word(const char *word, gsize len, const char *other)
{
	return strlen(other) == len && !memcmp(word, other, len);
}

void rec_take_stat(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan)
{
	static const char *const words[] = { "intr", "ctxt", "processes", "procs_blocked" };
	guint64 number[G_N_ELEMENTS(words)];
	guint found = 0;

	do {
		gsize len;
		const char *word = rec_scan_word(scan, '\n', &len);

		if (len >= 3 && !memcmp(word, "cpu", 3)) {
			struct rec_device *device =
				len > 3 ? rec_devices_find(&file->devices, word, len)
					: rec_devices_find(&file->devices, all_processors,
							   strlen(all_processors));

			take_processor(proc, file, device, scan);
		}
		for (guint i = 0; i < G_N_ELEMENTS(words); i++)
			if (is_word(word, len, words[i]) && rec_scan_number(scan, &number[i]))
				found |= 1u << i;
	} while (rec_scan_line(scan));
	if (found != (1u << G_N_ELEMENTS(words)) - 1) {
		proc->n_misread++;
		return;
	}
	take_system(proc, file, number);
	rec_line_begin(proc->lines, file->now, 0, "metrics:blocked");
	rec_line_text(proc->lines, "group", "load");
	rec_line_number(proc->lines, "blocked", number[3]);
	rec_line_end(proc->lines);
}

/* ---- memory */

/* Gauges in KiB. */
void rec_take_memory(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan)
{
	/* clang-format off */
	static const struct {
		const char *word, *field;
	} rows[] = {
		/* the first one: since Linux 3.14 */
		{ "MemAvailable", "available" }, { "MemTotal", "total" }, { "MemFree", "free" },
		{ "Cached", "cached" }, { "AnonPages", "anonymous" }, { "Slab", "slab" },
		{ "Dirty", "dirty" }, { "Writeback", "writeback" }, { "SwapTotal", "swap" },
		{ "SwapFree", "swap_free" },
	};
	/* clang-format on */
	guint64 kib[G_N_ELEMENTS(rows)];
	guint found = 0;

	do {
		gsize len;
		const char *word = rec_scan_word(scan, ':', &len);

		for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
			if (is_word(word, len, rows[i].word) && rec_scan_number(scan, &kib[i]))
				found |= 1u << i;
	} while (rec_scan_line(scan));
	/* an event has all fields */
	if ((found | 1) != (1u << G_N_ELEMENTS(rows)) - 1) {
		proc->n_misread++;
		return;
	}
	rec_line_begin(proc->lines, file->now, 0, "metrics:memory");
	rec_line_text(proc->lines, "group", "memory");
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (found & 1u << i)
			rec_line_number(proc->lines, rows[i].field, kib[i] << 10);
	rec_line_end(proc->lines);
}

/* ---- disks */

/* Numbers after the name of a disk. Sectors have 512 bytes, whatever the disk has. */
enum {
	READS,
	READS_MERGED,
	READ_SECTORS,
	READ_MS,
	WRITES,
	WRITES_MERGED,
	WRITTEN_SECTORS,
	WRITE_MS,
	IN_FLIGHT,
	BUSY_MS,
	WAITING_MS,
	N_DISK
};

enum { SECTOR = 512 };

/* A part of a disk, whose numbers are in those of the disk. */
static gboolean is_partition(const struct rec_proc *proc, const char *name)
{
	g_autofree char *blocks = g_build_filename(proc->root, "sys/block", NULL);
	g_autofree char *path = g_build_filename(blocks, name, NULL);

	/* a slash in the name, as in cciss/c0d0, is another character in the name of the file */
	g_strdelimit(path + strlen(blocks) + 1, "/", '!');
	return access(path, F_OK) != 0 && access(blocks, F_OK) == 0;
}

static void write_disk(struct rec_proc *proc, const struct rec_proc_file *file, const char *name,
		       const guint64 *by)
{
	guint64 calls = by[READS] + by[WRITES], ms = by[READ_MS] + by[WRITE_MS];

	begin(proc, file, "metrics:disk", name);
	rec_line_number(proc->lines, "read", per_second(file, by[READ_SECTORS], SECTOR));
	rec_line_number(proc->lines, "written", per_second(file, by[WRITTEN_SECTORS], SECTOR));
	rec_line_number(proc->lines, "reads", per_second(file, by[READS], 1));
	rec_line_number(proc->lines, "writes", per_second(file, by[WRITES], 1));
	rec_line_hundredths(proc->lines, "busy", percent_hundredths(file, by[BUSY_MS], 1000000));
	rec_line_hundredths(proc->lines, "queue",
			    percent_hundredths(file, by[WAITING_MS], 1000000) / 100);
	rec_line_hundredths(proc->lines, "latency", calls ? ms * 100 / calls : 0);
	rec_line_end(proc->lines);
}

void rec_take_disks(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan)
{
	const guint64 most[N_DISK] = { most_events, most_events, most_sectors,	 most_waiting_ms,
				       most_events, most_events, most_sectors,	 most_waiting_ms,
				       G_MAXUINT32, most_ms,	 most_waiting_ms };

	do {
		guint64 major, minor, now[N_DISK], by[N_DISK];
		struct rec_device *device;
		const char *name;
		gsize len;

		if (!rec_scan_number(scan, &major))
			continue;
		name = rec_scan_number(scan, &minor) ? rec_scan_word(scan, '\n', &len) : NULL;
		if (!name || !len || rec_scan_numbers(scan, now, N_DISK) < N_DISK) {
			proc->n_misread++;
			continue;
		}
		device = rec_devices_find(&file->devices, name, len);
		if (!device->round)
			device->left_out = is_partition(proc, device->name);
		/* this one is no counter */
		now[IN_FLIGHT] = 0;
		if (device->left_out)
			device->round = file->devices.round;
		else if (grown(proc, file, device, major << 32 | minor, now, most, N_DISK, by) &&
			 (now[READS] || now[WRITES]))
			write_disk(proc, file, device->name, by);
	} while (rec_scan_line(scan));
}

/* ---- networks */

enum {
	BYTES_IN,
	PACKETS_IN,
	ERRORS_IN,
	DROPPED_IN,
	BYTES_OUT = 8,
	PACKETS_OUT,
	ERRORS_OUT,
	DROPPED_OUT,
	N_NET
};

void rec_take_nets(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan)
{
	guint64 most[N_NET];

	for (guint i = 0; i < N_NET; i++)
		most[i] = i == BYTES_IN || i == BYTES_OUT ? most_bytes : most_events;
	/* two lines of headings */
	if (!rec_scan_line(scan) || !rec_scan_line(scan))
		return;
	do {
		guint64 now[N_NET], by[N_NET];
		struct rec_device *device;
		gsize len;
		const char *name = rec_scan_word(scan, ':', &len);

		if (!len)
			continue;
		if (rec_scan_numbers(scan, now, N_NET) < N_NET) {
			proc->n_misread++;
			continue;
		}
		device = rec_devices_find(&file->devices, name, len);
		if (!grown(proc, file, device, 0, now, most, N_NET, by))
			continue;
		begin(proc, file, "metrics:net", device->name);
		rec_line_number(proc->lines, "received", per_second(file, by[BYTES_IN], 1));
		rec_line_number(proc->lines, "sent", per_second(file, by[BYTES_OUT], 1));
		rec_line_number(proc->lines, "packets_in", per_second(file, by[PACKETS_IN], 1));
		rec_line_number(proc->lines, "packets_out", per_second(file, by[PACKETS_OUT], 1));
		rec_line_number(proc->lines, "lost",
				per_second(file,
					   by[ERRORS_IN] + by[DROPPED_IN] + by[ERRORS_OUT] +
						   by[DROPPED_OUT],
					   1));
		rec_line_end(proc->lines);
	} while (rec_scan_line(scan));
}

/* ---- pressure */

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in us, and the same of "full" */
void rec_take_pressure(struct rec_proc *proc, struct rec_proc_file *file, struct rec_scan *scan)
{
	static const char *const events[] = { "metrics:some", "metrics:full" };
	const guint64 most[] = { most_us, most_us };
	struct rec_device *device =
		rec_devices_find(&file->devices, file->kind->name, strlen(file->kind->name));
	guint64 now[G_N_ELEMENTS(most)] = { 0 }, by[G_N_ELEMENTS(most)];
	gboolean there[G_N_ELEMENTS(most)] = { FALSE };

	do {
		gsize len;
		const char *word = rec_scan_word(scan, '\n', &len);
		guint full = is_word(word, len, "full");

		if (!full && !is_word(word, len, "some"))
			continue;
		while (len && !is_word(word, len, "total"))
			word = rec_scan_word(scan, '=', &len);
		there[full] = rec_scan_number(scan, &now[full]);
	} while (rec_scan_line(scan));
	if (!there[0] && !there[1]) {
		proc->n_misread++;
		return;
	}
	if (!grown(proc, file, device, 0, now, most, G_N_ELEMENTS(most), by))
		return;
	for (guint i = 0; i < G_N_ELEMENTS(events); i++) {
		if (!there[i])
			continue;
		begin(proc, file, events[i], device->name);
		rec_line_hundredths(proc->lines, "share", percent_hundredths(file, by[i], 1000));
		rec_line_end(proc->lines);
	}
}
