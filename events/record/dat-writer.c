/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dat-writer.h"
#include "base/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <tracefs.h>
#include <unistd.h>

/* numbers of trace-cmd, docs/formats */
enum section {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_EVENTS,
	SECTION_EVENT_FORMATS,
	SECTION_KALLSYMS,
	SECTION_PRINTK,
	SECTION_CMDLINES,
	N_SECTIONS,
};

enum option {
	OPTION_DONE = 0,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_CPUCOUNT = 8,
	OPTION_VERSION = 9,
	OPTION_TRACEID = 11,
};

/* The size in a page's word "commit". Bit 31, which the kernel extends like a sign, and bit 30 say
 * that events were lost before the page. */
static const guint32 commit_size = 0x3fffffff;

struct cpu_data {
	guint32 cpu;
	guint64 at, bytes;
};

struct rec_dat_writer {
	char *path;
	FILE *file;
	gboolean bad; /* a write failed; errno is in @code */
	int code;
	gboolean finished;
	guint64 options_at; /* where the place of the options is */
	guint64 section_at[N_SECTIONS];
	guint64 buffer_at;
	int page_size;
	GArray *cpus; /* of struct cpu_data */
};

static void note_error(struct rec_dat_writer *w)
{
	if (!w->bad)
		w->code = errno;
	w->bad = TRUE;
}

static void put(struct rec_dat_writer *w, const void *data, gsize len)
{
	if (!w->bad && fwrite(data, 1, len, w->file) != len)
		note_error(w);
}

static void put_u16(struct rec_dat_writer *w, guint16 value)
{
	put(w, &value, sizeof(value));
}

static void put_u32(struct rec_dat_writer *w, guint32 value)
{
	put(w, &value, sizeof(value));
}

static void put_u64(struct rec_dat_writer *w, guint64 value)
{
	put(w, &value, sizeof(value));
}

static void put_text(struct rec_dat_writer *w, const char *text)
{
	put(w, text, strlen(text) + 1);
}

static guint64 place(struct rec_dat_writer *w)
{
	return (guint64)ftello(w->file);
}

static void patch(struct rec_dat_writer *w, guint64 at, guint64 value)
{
	if (fseeko(w->file, (off_t)at, SEEK_SET) == 0)
		put_u64(w, value);
	if (fseeko(w->file, 0, SEEK_END))
		note_error(w);
}

static gboolean check(struct rec_dat_writer *w, GError **error)
{
	if (!w->bad)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "%s cannot be written: %s", w->path,
		    g_strerror(w->code));
	return FALSE;
}

/* Returns where its size is, for end_section. */
static guint64 begin_section(struct rec_dat_writer *w, enum section id)
{
	if (id < N_SECTIONS)
		w->section_at[id] = place(w);
	put_u16(w, id);
	put_u16(w, 0); /* not compressed */
	put_u32(w, 0); /* no description */
	put_u64(w, 0);
	return place(w) - 8;
}

static void end_section(struct rec_dat_writer *w, guint64 size_at)
{
	patch(w, size_at, place(w) - size_at - 8);
}

/* A size of @width bytes and the text, which may be empty. */
static void put_file(struct rec_dat_writer *w, const char *path, guint width)
{
	g_autofree char *text = NULL;
	gsize len = 0;

	/* files of the kernel have no size before they are read */
	if (!g_file_get_contents(path, &text, &len, NULL))
		len = 0;
	if (width == 4)
		put_u32(w, (guint32)len);
	else
		put_u64(w, len);
	put(w, text, len);
}

static void put_tracing(struct rec_dat_writer *w, const char *name, guint width)
{
	g_autofree char *path = g_build_filename(tracefs_tracing_dir(), name, NULL);

	put_file(w, path, width);
}

static void put_header_info(struct rec_dat_writer *w)
{
	guint64 size_at = begin_section(w, SECTION_HEADER_INFO);

	put_text(w, "header_page");
	put_tracing(w, "events/header_page", 8);
	put_text(w, "header_event");
	put_tracing(w, "events/header_event", 8);
	end_section(w, size_at);
}

static void put_format(struct rec_dat_writer *w, const char *system, const char *event)
{
	g_autofree char *name = g_build_filename("events", system, event, "format", NULL);

	put_tracing(w, name, 8);
}

static void put_ftrace_events(struct rec_dat_writer *w)
{
	guint64 size_at = begin_section(w, SECTION_FTRACE_EVENTS);
	char **events = tracefs_system_events(NULL, "ftrace");
	guint n = events ? g_strv_length(events) : 0;

	put_u32(w, n);
	for (guint i = 0; i < n; i++)
		put_format(w, "ftrace", events[i]);
	tracefs_list_free(events);
	end_section(w, size_at);
}

static gboolean same_system(const char *a, const char *b)
{
	gsize len = strcspn(a, ":");

	return strcspn(b, ":") == len && !strncmp(a, b, len);
}

/* @names are sorted, so the events of a system stand together. */
static void put_event_formats(struct rec_dat_writer *w, const GPtrArray *names)
{
	guint64 size_at = begin_section(w, SECTION_EVENT_FORMATS);
	guint n = 0;

	for (guint i = 0; i < names->len; i++)
		n += !i || !same_system(names->pdata[i - 1], names->pdata[i]);
	put_u32(w, n);
	for (guint i = 0, end; i < names->len; i = end) {
		const char *name = names->pdata[i];
		g_autofree char *system = g_strndup(name, strcspn(name, ":"));

		for (end = i; end < names->len && same_system(name, names->pdata[end]);)
			end++;
		put_text(w, system);
		put_u32(w, end - i);
		for (guint k = i; k < end; k++)
			put_format(w, system, strchr(names->pdata[k], ':') + 1);
	}
	end_section(w, size_at);
}

static void put_kallsyms(struct rec_dat_writer *w)
{
	guint64 size_at = begin_section(w, SECTION_KALLSYMS);

	put_file(w, "/proc/kallsyms", 4);
	end_section(w, size_at);
}

static void put_printk(struct rec_dat_writer *w)
{
	guint64 size_at = begin_section(w, SECTION_PRINTK);

	put_tracing(w, "printk_formats", 4);
	end_section(w, size_at);
}

struct rec_dat_writer *rec_dat_new(const char *path, const GPtrArray *names, GError **error)
{
	static const guint8 magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct rec_dat_writer *w = g_new0(struct rec_dat_writer, 1);

	w->path = g_strdup(path);
	w->cpus = g_array_new(FALSE, FALSE, sizeof(struct cpu_data));
	w->file = fopen(path, "w+e");
	if (!w->file) {
		note_error(w);
	} else {
		put(w, magic, sizeof(magic));
		put_text(w, "7");
		put(w, &(guint8){ G_BYTE_ORDER == G_BIG_ENDIAN }, 1);
		put(w, &(guint8){ sizeof(long) }, 1);
		put_u32(w, (guint32)getpagesize());
		put_text(w, "none");
		put_text(w, "");
		w->options_at = place(w);
		put_u64(w, 0);
		put_header_info(w);
		put_ftrace_events(w);
		put_event_formats(w, names);
		put_kallsyms(w);
		put_printk(w);
	}
	if (check(w, error))
		return w;
	rec_dat_free(w);
	return NULL;
}

/* The first page of a processor says how many events were overwritten before it. In a flight
 * recorder these are no losses. */
static void clear_loss(guint8 *page)
{
	long commit;

	memcpy(&commit, page + 8, sizeof(commit));
	commit &= commit_size;
	memcpy(page + 8, &commit, sizeof(commit));
}

static void pad(struct rec_dat_writer *w)
{
	guint64 rest = place(w) % (guint64)w->page_size;
	g_autofree char *zeros = g_malloc0((gsize)w->page_size);

	if (rest)
		put(w, zeros, (gsize)w->page_size - rest);
}

/* FALSE: the processor has no buffer. */
static gboolean put_cpu(struct rec_dat_writer *w, struct tracefs_instance *instance, int cpu)
{
	struct tracefs_cpu *reader = tracefs_cpu_open(instance, cpu, true);
	struct cpu_data row = { .cpu = (guint32)cpu };
	g_autofree guint8 *page = NULL;
	int n;

	if (!reader)
		return FALSE;
	w->page_size = tracefs_cpu_read_size(reader);
	page = g_malloc0((gsize)w->page_size);
	pad(w);
	row.at = place(w);
	while ((n = tracefs_cpu_read(reader, page, true)) > 0) {
		memset(page + n, 0, (gsize)(w->page_size - n));
		if (!row.bytes)
			clear_loss(page);
		put(w, page, (gsize)w->page_size);
		row.bytes += (guint64)w->page_size;
	}
	tracefs_cpu_close(reader);
	g_array_append_val(w->cpus, row);
	return TRUE;
}

gboolean rec_dat_pages(struct rec_dat_writer *w, struct tracefs_instance *instance, GError **error)
{
	int n = (int)MAX(sysconf(_SC_NPROCESSORS_CONF), 1);
	guint64 size_at;

	w->page_size = getpagesize();
	w->buffer_at = place(w);
	size_at = begin_section(w, SECTION_BUFFER);
	for (int cpu = 0; cpu < n; cpu++)
		put_cpu(w, instance, cpu);
	end_section(w, size_at);
	if (fflush(w->file))
		note_error(w);
	return check(w, error);
}

static void put_option(struct rec_dat_writer *w, enum option id, const void *data, gsize len)
{
	put_u16(w, id);
	put_u32(w, (guint32)len);
	put(w, data, len);
}

static void put_option_text(struct rec_dat_writer *w, enum option id, const char *text)
{
	put_option(w, id, text, strlen(text) + 1);
}

static void put_buffer_option(struct rec_dat_writer *w, const char *clock)
{
	put_u16(w, OPTION_BUFFER);
	put_u32(w, (guint32)(8 + 1 + strlen(clock) + 1 + 4 + 4 + w->cpus->len * 20));
	put_u64(w, w->buffer_at);
	put_text(w, ""); /* as the top buffer, which all programs read */
	put_text(w, clock);
	put_u32(w, (guint32)w->page_size);
	put_u32(w, w->cpus->len);
	for (guint i = 0; i < w->cpus->len; i++) {
		const struct cpu_data *row = &g_array_index(w->cpus, struct cpu_data, i);

		put_u32(w, row->cpu);
		put_u64(w, row->at);
		put_u64(w, row->bytes);
	}
}

static void put_options(struct rec_dat_writer *w, struct tracefs_instance *instance)
{
	guint64 size_at = begin_section(w, SECTION_OPTIONS);
	char *clocks = tracefs_instance_file_read(instance, "trace_clock", NULL);
	char *clock = tracefs_get_clock(instance);
	guint64 id = (guint64)g_get_real_time() << 16 | (guint16)getpid();
	struct utsname name;
	g_autofree char *uname_text = NULL;

	uname(&name);
	uname_text = g_strdup_printf("%s %s %s %s", name.sysname, name.nodename, name.release,
				     name.machine);
	for (guint i = SECTION_HEADER_INFO; i < N_SECTIONS; i++)
		put_option(w, (enum option)i, &w->section_at[i], 8);
	put_option_text(w, OPTION_TRACECLOCK, clocks ? clocks : "");
	put_option_text(w, OPTION_UNAME, uname_text);
	put_option_text(w, OPTION_VERSION, "iotrace-record " IOT_VERSION);
	put_option(w, OPTION_TRACEID, &id, 8);
	put_option(w, OPTION_CPUCOUNT, &(guint32){ w->cpus->len }, 4);
	put_buffer_option(w, clock ? clock : "");
	put_option(w, OPTION_DONE, &(guint64){ 0 }, 8);
	end_section(w, size_at);
	free(clocks);
	free(clock);
}

gboolean rec_dat_finish(struct rec_dat_writer *w, struct tracefs_instance *instance, GError **error)
{
	guint64 size_at = begin_section(w, SECTION_CMDLINES);

	put_tracing(w, "saved_cmdlines", 8);
	end_section(w, size_at);
	patch(w, w->options_at, place(w));
	put_options(w, instance);
	if (fflush(w->file))
		note_error(w);
	w->finished = !w->bad;
	return check(w, error);
}

void rec_dat_free(struct rec_dat_writer *w)
{
	if (!w)
		return;
	if (w->file) {
		fclose(w->file);
		if (!w->finished)
			g_unlink(w->path);
	}
	g_array_unref(w->cpus);
	g_free(w->path);
	g_free(w);
}
