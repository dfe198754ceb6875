// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-sinks [-r ROWS] [-o OPTION=VALUE] NAME LOAD ITEMS [PATH] - one output alone: feeds it about
 * ITEMS items of a load ("dlm" or "io") in the order of its feed, and prints the time and the bytes
 * written. The items are made between the measured parts. PATH "-", the default, is standard
 * output.
 *
 * It also prints the time of a bare write of the same number of bytes to another file next to PATH:
 * no output can be faster.
 */
#include "sink-load.h"
#include "base/out.h"
#include "sinks/sink.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ROWS = 3000, MEMORY = 16 << 20 };

struct times {
	double wall, user, system;
};

struct loop {
	struct load *load;
	struct iot_sink *sink;
	struct times at, sum; /* begin of the part that is measured; all parts */
	guint64 items, samples;
	GError *error;
};

static struct times now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct times){
		.wall = g_get_monotonic_time() / 1e6,
		.user = usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6,
		.system = usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6,
	};
}

static void add_times(struct times *sum, struct times since)
{
	struct times until = now();

	sum->wall += until.wall - since.wall;
	sum->user += until.user - since.user;
	sum->system += until.system - since.system;
}

static gboolean feed(struct loop *loop, const struct iot_item *items, guint n)
{
	struct times start = now();

	for (guint i = 0; i < n && !loop->error; i++)
		loop->sink->ops->item(loop->sink, &items[i], &loop->error);
	add_times(&loop->sum, start);
	loop->items += n;
	for (guint i = 0; i < n; i++)
		loop->samples += items[i].kind == IOT_ITEM_SAMPLE;
	return !loop->error;
}

static gboolean run(struct loop *loop, guint64 n_items)
{
	struct iot_summary summary = { .begin_ns = load_timeline(loop->load)->origin_ns };
	const struct iot_item *items;
	struct times start;
	gboolean ok;
	guint n;

	while (loop->items < n_items)
		if (n = load_batch(loop->load, &items), !feed(loop, items, n))
			return FALSE;
	while ((n = load_last(loop->load, &items, &summary.end_ns)))
		if (!feed(loop, items, n))
			return FALSE;
	summary.from_ns = summary.begin_ns;
	summary.to_ns = summary.end_ns;
	start = now();
	ok = loop->sink->ops->finish(loop->sink, &summary, &loop->error);
	add_times(&loop->sum, start);
	return ok;
}

/* The same number of bytes, from a buffer in the processor's cache. */
static gboolean write_bare(const char *path, guint64 bytes, struct times *sum, GError **error)
{
	g_autofree char *name = g_strconcat(path, ".bare", NULL);
	g_autofree char *block = g_malloc0(IOT_OUT_BUFFER);
	g_autoptr(iot_out) out = iot_out_open(name, error);
	struct times start = now();

	if (!out)
		return FALSE;
	for (guint64 left = bytes; left;) {
		gsize n = MIN(left, IOT_OUT_BUFFER);

		iot_out_write(out, block, n);
		left -= n;
	}
	iot_out_flush(out);
	add_times(sum, start);
	return iot_out_check(out, error);
}

static void print(const struct loop *loop, const char *load, const char *path,
		  const struct times *bare, guint64 bytes)
{
	const struct iot_sink_ops *ops = loop->sink->ops;
	gboolean lines = ops->feed == IOT_FEED_WITH_BEGINS;
	guint64 n = loop->items - (lines ? 0 : loop->samples);

	g_printerr("%s %s: %" G_GUINT64_FORMAT
		   " %s, %.3f s (user %.3f, system %.3f), %.2f million/s, %" G_GUINT64_FORMAT
		   " bytes, %.1f each",
		   ops->name, load, n, lines ? "lines" : "drawables", loop->sum.wall,
		   loop->sum.user, loop->sum.system, n / loop->sum.wall / 1e6, bytes,
		   (double)bytes / n);
	if (bytes)
		g_printerr("; %s bare: %.3f s (system %.3f)", path, bare->wall, bare->system);
	g_printerr("\n");
}

static int usage(void)
{
	g_printerr("usage: loop-sinks [-r ROWS] [-o OPTION=VALUE] NAME LOAD ITEMS [PATH]\n");
	return 1;
}

static gboolean measure(struct loop *loop, const char *load, guint64 n_items, const char *path)
{
	struct times bare = { 0 };
	struct stat st = { 0 };

	if (!loop->sink || !run(loop, n_items))
		return FALSE;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		st.st_size = 0;
	if (st.st_size && !write_bare(path, (guint64)st.st_size, &bare, &loop->error))
		return FALSE;
	print(loop, load, path, &bare, (guint64)st.st_size);
	return TRUE;
}

/* Returns the number of words that were options. */
static int read_options(int argc, char **argv, guint *out_rows, GHashTable *options)
{
	int i;

	for (i = 1; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "-r")) {
			*out_rows = (guint)strtoul(argv[i + 1], NULL, 10);
		} else {
			char **pair = g_strsplit(argv[i + 1], "=", 2);

			g_hash_table_insert(options, pair[0], pair[1]);
			g_free(pair);
		}
	}
	return i - 1;
}

int main(int argc, char **argv)
{
	guint rows = ROWS;
	g_autoptr(GHashTable) options =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct iot_sink_args args = { .memory = MEMORY, .options = options };
	const struct iot_sink_ops *ops;
	struct loop loop = { 0 };
	int n_options = read_options(argc, argv, &rows, options);
	gboolean ok;

	argc -= n_options;
	argv += n_options;
	ops = argc > 3 && rows ? iot_sink_find(argv[1]) : NULL;
	loop.load = ops ? load_new(argv[2], rows, ops->feed) : NULL;
	if (!loop.load)
		return usage();
	args.tl = load_timeline(loop.load);
	args.path = argc > 4 ? argv[4] : "-";
	loop.sink = ops->open(&args, &loop.error);
	ok = measure(&loop, argv[2], strtoull(argv[3], NULL, 10), args.path);
	if (!ok)
		g_printerr("loop-sinks: %s\n", loop.error->message);
	ops->free(loop.sink);
	load_free(loop.load);
	g_clear_error(&loop.error);
	return ok ? 0 : 3;
}
