/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sampler on a folder with stored texts of /proc, at times that the test sets. Rates are
 * computed by hand from the texts. */
#include "metrics.h"
#include "metrics-scan.h"
#include "unit.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct bench {
	char *root, *path;
	struct rec_metrics *metrics;
	char *text;	/* of the file, after finish */
	char *sentence; /* about it */
};

static guint64 test_now;

static guint64 test_clock(void)
{
	return test_now;
}

/* In place, because the sampler has the file open. */
static void put(const struct bench *b, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(b->root, name, NULL);
	g_autofree char *dir = g_path_get_dirname(path);
	FILE *file;

	CU_ASSERT_EQUAL_FATAL(g_mkdir_with_parents(dir, 0700), 0);
	file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	CU_ASSERT_EQUAL_FATAL(fclose(file), 0);
}

static void start(struct bench *b)
{
	*b = (struct bench){ .root = g_dir_make_tmp("iotrace-metrics-XXXXXX", NULL) };
	CU_ASSERT_PTR_NOT_NULL_FATAL(b->root);
	b->path = g_build_filename(b->root, "out.txt", NULL);
}

static void sample(struct bench *b, guint64 ms)
{
	const struct rec_metrics_from from = { b->root, "n1", test_clock };

	test_now = ms * 1000000;
	if (!b->metrics)
		b->metrics = rec_metrics_open(b->path, "trace.dat", &from, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b->metrics);
	rec_metrics_sample(b->metrics);
}

static void finish(struct bench *b)
{
	gboolean whole;

	b->sentence = rec_metrics_close(b->metrics, &whole);
	CU_ASSERT_TRUE(whole);
	CU_ASSERT_TRUE_FATAL(g_file_get_contents(b->path, &b->text, NULL, NULL));
}

static void remove_all(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *below = g_build_filename(path, name, NULL);

		remove_all(below);
	}
	g_clear_pointer(&dir, g_dir_close);
	g_remove(path);
}

static void clear(struct bench *b)
{
	remove_all(b->root);
	g_free(b->root);
	g_free(b->path);
	g_free(b->text);
	g_free(b->sentence);
}

static guint count(const struct bench *b, const char *part)
{
	guint n = 0;

	for (const char *at = b->text; (at = strstr(at, part)); at++)
		n++;
	return n;
}

/* A line of the file. */
static gboolean has(const struct bench *b, const char *line)
{
	g_autofree char *whole = g_strconcat("\n", line, "\n", NULL);

	if (count(b, whole) == 1)
		return TRUE;
	fprintf(stderr, "not once: %s\n%s", line, b->text);
	return FALSE;
}

static const char stat_1[] = "cpu  1000 10 500 8000 100 20 30 40 999 0\n"
			     "cpu0 600 10 300 3900 100 20 30 40 999 0\n"
			     "cpu1 400 0 200 4100 0 0 0 0 0 0\n"
			     "intr 50000 9 0 0 1\nctxt 90000\nbtime 1700000000\nprocesses 3000\n"
			     "procs_running 2\nprocs_blocked 1\nsoftirq 1 2 3\n";
/* two seconds later: 400 ticks on both, of which cpu0 has 200 */
static const char stat_2[] = "cpu  1098 12 520 8244 120 24 34 48 1000 0\n"
			     "cpu0 698 12 320 3944 120 24 34 48 1000 0\n"
			     "cpu1 400 0 200 4300 0 0 0 0 0 0\n"
			     "intr 50301 9 0 0 1\nctxt 94000\nbtime 1700000000\nprocesses 3007\n"
			     "procs_running 2\nprocs_blocked 0\nsoftirq 1 2 3\n";

UNIT_TEST(shares_of_processors_are_those_of_all_ticks)
{
	struct bench b;

	start(&b);
	put(&b, "proc/stat", stat_1);
	sample(&b, 5000);
	put(&b, "proc/stat", stat_2);
	sample(&b, 6400);
	finish(&b);
	CU_ASSERT_TRUE(g_str_has_prefix(b.text, "iotrace-text 1\nhostname n1\nkernel "));
	CU_ASSERT_EQUAL(count(&b, "\nclock mono\nbeside trace.dat\n"), 1);
	CU_ASSERT_TRUE(has(&b, "5000000000 1 0 metrics:cpu group=\"load\" name=\"processors\" "
			       "user=25.00 system=5.00 irq=2.00 iowait=5.00 steal=2.00"));
	CU_ASSERT_TRUE(has(&b, "5000000000 1 0 metrics:cpu group=\"cpu\" name=\"cpu0\" "
			       "user=50.00 system=10.00 irq=4.00 iowait=10.00 steal=4.00"));
	CU_ASSERT_TRUE(has(&b, "5000000000 1 0 metrics:cpu group=\"cpu\" name=\"cpu1\" "
			       "user=0.00 system=0.00 irq=0.00 iowait=0.00 steal=0.00"));
	/* 301, 4000 and 7 in 1.4 s */
	CU_ASSERT_TRUE(has(&b, "5000000000 1 0 metrics:system group=\"load\" name=\"system\" "
			       "interrupts=215 switches=2857 forks=5"));
	CU_ASSERT_TRUE(has(&b, "5000000000 0 0 metrics:blocked group=\"load\" blocked=1"));
	CU_ASSERT_TRUE(has(&b, "6400000000 0 0 metrics:blocked group=\"load\" blocked=0"));
	CU_ASSERT_EQUAL(count(&b, "late"), 0);
	CU_ASSERT_TRUE(g_str_has_prefix(b.sentence, "2 samples, "));
	clear(&b);
}

UNIT_TEST(load_and_memory_are_gauges)
{
	struct bench b;

	start(&b);
	put(&b, "proc/loadavg", "0.52 12.08 0.05 3/1234 5678\n");
	put(&b, "proc/meminfo",
	    "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    9000 kB\n"
	    "Buffers:           5 kB\nCached:          700 kB\nSwapCached:        1 kB\n"
	    "SwapTotal:       200 kB\nSwapFree:        150 kB\nDirty:             7 kB\n"
	    "Writeback:         0 kB\nAnonPages:       30 kB\nSlab:             40 kB\n"
	    "HugePages_Total:   0\n");
	sample(&b, 1);
	finish(&b);
	CU_ASSERT_TRUE(has(&b, "1000000 0 0 metrics:load group=\"load\" load1=0.52 load5=12.08 "
			       "load15=0.05 runnable=3 threads=1234"));
	CU_ASSERT_TRUE(has(
		&b,
		"1000000 0 0 metrics:memory group=\"memory\" available=9216000 "
		"total=16384000 free=1024000 cached=716800 anonymous=30720 slab=40960 dirty=7168 "
		"writeback=0 swap=204800 swap_free=153600"));
	CU_ASSERT_PTR_NOT_NULL(strstr(b.sentence, "no rates"));
	CU_ASSERT_PTR_NULL(strstr(b.sentence, "understood"));
	clear(&b);
}

UNIT_TEST(idle_time_that_steps_back_is_no_set_back)
{
	struct bench b;

	start(&b);
	put(&b, "proc/stat",
	    "cpu  10 0 10 100 50 0 0 0 0 0\nintr 1\nctxt 1\nprocesses 1\nprocs_blocked 0\n");
	sample(&b, 1000);
	put(&b, "proc/stat",
	    "cpu  60 0 60 100 45 0 0 0 0 0\nintr 1\nctxt 1\nprocesses 1\nprocs_blocked 0\n");
	sample(&b, 2000);
	finish(&b);
	CU_ASSERT_TRUE(has(&b, "1000000000 1 0 metrics:cpu group=\"load\" name=\"processors\" "
			       "user=50.00 system=50.00 irq=0.00 iowait=0.00 steal=0.00"));
	CU_ASSERT_PTR_NOT_NULL(strstr(b.sentence, "; 1 times the kernel set idle time"));
	CU_ASSERT_EQUAL(count(&b, "metrics:gap"), 0);
	clear(&b);
}

UNIT_TEST(disks_without_their_partitions)
{
	struct bench b;

	start(&b);
	put(&b, "sys/block/sda", "");
	put(&b, "sys/block/loop0", "");
	put(&b, "sys/block/cciss!c0d0", "");
	put(&b, "proc/diskstats",
	    "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"
	    "   8       0 sda 100 5 2048 300 50 6 4096 700 3 900 1000 0 0 0 0 9 9\n"
	    "   8       1 sda1 100 5 2048 300 50 6 4096 700 0 900 1000\n"
	    " 104       0 cciss/c0d0 1 0 8 1 0 0 0 0 0 1 1\n");
	sample(&b, 1000);
	put(&b, "proc/diskstats",
	    "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"
	    "   8       0 sda 110 5 4096 330 80 6 4098 880 0 1150 3000 0 0 0 0 9 9\n"
	    "   8       1 sda1 110 5 4096 330 80 6 4098 880 0 1150 3000\n"
	    " 104       0 cciss/c0d0 1 0 8 1 0 0 0 0 0 1 1\n");
	sample(&b, 1500);
	finish(&b);
	/* in half a second 1 MiB and 1 KiB, 10 and 30 requests of 210 ms together, 250 ms busy,
	 * 2000 ms of waiting */
	CU_ASSERT_TRUE(has(&b,
			   "1000000000 1 0 metrics:disk group=\"disk\" name=\"sda\" read=2097152 "
			   "written=2048 reads=20 writes=60 busy=50.00 queue=4.00 latency=5.25"));
	CU_ASSERT_TRUE(has(&b,
			   "1000000000 1 0 metrics:disk group=\"disk\" name=\"cciss/c0d0\" read=0 "
			   "written=0 reads=0 writes=0 busy=0.00 queue=0.00 latency=0.00"));
	CU_ASSERT_EQUAL(count(&b, "metrics:disk"), 2);
	CU_ASSERT_EQUAL(count(&b, "metrics:gap"), 0);
	clear(&b);
}

#define DISK(id, name, reads, sectors, ms) \
	"8 " id " " name " " reads " 0 " sectors " 0 0 0 0 0 0 " ms " 0\n"

UNIT_TEST(a_disk_that_comes_goes_and_is_another_one)
{
	struct bench b;

	start(&b);
	put(&b, "proc/diskstats", DISK("0", "sda", "10", "80", "5"));
	sample(&b, 1000);
	put(&b, "proc/diskstats",
	    DISK("0", "sda", "11", "88", "6") DISK("16", "sdb", "7000", "56000", "5"));
	sample(&b, 2000);
	put(&b, "proc/diskstats",
	    DISK("0", "sda", "11", "88", "6") DISK("16", "sdb", "7002", "56016", "6"));
	sample(&b, 3000);
	put(&b, "proc/diskstats", DISK("0", "sda", "11", "88", "6"));
	sample(&b, 4000);
	/* with more than it had when it went, so only its absence tells */
	put(&b, "proc/diskstats",
	    DISK("0", "sda", "1", "8", "1") DISK("16", "sdb", "9000", "99000", "9"));
	sample(&b, 5000);
	/* another disk of this name, with greater numbers */
	put(&b, "proc/diskstats",
	    DISK("0", "sda", "2", "16", "1") DISK("32", "sdb", "9500", "99900", "9"));
	sample(&b, 6000);
	finish(&b);
	CU_ASSERT_TRUE(
		has(&b, "2000000000 0 0 metrics:note group=\"disk\" name=\"sdb\" what=\"came\""));
	CU_ASSERT_TRUE(has(
		&b, "2000000000 1 0 metrics:disk group=\"disk\" name=\"sdb\" read=8192 written=0 "
		    "reads=2 writes=0 busy=0.10 queue=0.00 latency=0.00"));
	CU_ASSERT_TRUE(has(&b, "3000000000 1 0 metrics:gap group=\"disk\" name=\"sdb\" "
			       "what=\"gone\" lasts=1000000000"));
	CU_ASSERT_TRUE(
		has(&b, "5000000000 0 0 metrics:note group=\"disk\" name=\"sdb\" what=\"came\""));
	CU_ASSERT_TRUE(has(&b, "4000000000 1 0 metrics:gap group=\"disk\" name=\"sda\" what=\"set "
			       "back\" lasts=1000000000"));
	CU_ASSERT_TRUE(has(&b, "5000000000 1 0 metrics:gap group=\"disk\" name=\"sdb\" what=\"set "
			       "back\" lasts=1000000000"));
	CU_ASSERT_TRUE(has(
		&b, "5000000000 1 0 metrics:disk group=\"disk\" name=\"sda\" read=4096 written=0 "
		    "reads=1 writes=0 busy=0.00 queue=0.00 latency=0.00"));
	CU_ASSERT_EQUAL(count(&b, "metrics:gap"), 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(b.sentence, "; 3 times a device was gone"));
	clear(&b);
}

UNIT_TEST(numbers_of_32_bits_go_around)
{
	guint64 by = 0;

	CU_ASSERT_TRUE(rec_grown(4294967290, 10, 100, &by));
	CU_ASSERT_EQUAL(by, 16);
	CU_ASSERT_FALSE(rec_grown(4294967290, 10, 15, &by));
	CU_ASSERT_FALSE(rec_grown(2147483648, 10, G_MAXUINT64, &by));
	CU_ASSERT_FALSE(rec_grown(4294967290, 2147483648, G_MAXUINT64, &by));
	CU_ASSERT_FALSE(rec_grown(4294967296, 10, G_MAXUINT64, &by));
	CU_ASSERT_FALSE(rec_grown(G_MAXUINT64, 0, G_MAXUINT64, &by));
	CU_ASSERT_TRUE(rec_grown(5, 5, 0, &by));
	CU_ASSERT_EQUAL(by, 0);
	CU_ASSERT_FALSE(rec_grown(5, 7, 1, &by));
}

#define NET_HEAD "Inter-|   Receive\n face |bytes    packets\n"

UNIT_TEST(networks)
{
	struct bench b;

	start(&b);
	put(&b, "proc/net/dev",
	    NET_HEAD "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
		     "  e\"0\\:4294967000 10 0 1 0 0 0 0 5000 20 0 0 0 0 0 0\n"
		     "veth1: 1 2 3\n");
	sample(&b, 1000);
	put(&b, "proc/net/dev",
	    NET_HEAD "    lo: 99 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
		     "  e\"0\\:704 14 1 3 0 0 0 0 8000 25 2 3 0 0 0 0\n"
		     "veth1: 1 2 3\n");
	sample(&b, 3000);
	/* no network device could do this in a second */
	put(&b, "proc/net/dev",
	    NET_HEAD "    lo: 18446744073709551615 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
		     "  e\"0\\:704 14 1 3 0 0 0 0 8000 25 2 3 0 0 0 0\n");
	sample(&b, 4000);
	finish(&b);
	/* 1000 bytes around 2^32 and 3000 bytes in two seconds; 1 + 2 + 2 + 3 that were lost */
	CU_ASSERT_TRUE(has(&b, "1000000000 1 0 metrics:net group=\"net\" name=\"e\\\"0\\\\\" "
			       "received=500 sent=1500 "
			       "packets_in=2 packets_out=3 lost=4"));
	CU_ASSERT_TRUE(has(&b, "1000000000 1 0 metrics:gap group=\"net\" name=\"lo\" what=\"set "
			       "back\" lasts=2000000000"));
	CU_ASSERT_TRUE(has(&b, "3000000000 1 0 metrics:gap group=\"net\" name=\"lo\" what=\"set "
			       "back\" lasts=1000000000"));
	CU_ASSERT_EQUAL(count(&b, "name=\"lo\""), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(b.sentence, "2 lines of /proc were not understood"));
	/* the sample after two seconds */
	CU_ASSERT_TRUE(has(&b, "3000000000 0 0 metrics:note group=\"sampler\" name=\"sampler\" "
			       "what=\"late\" lasts=2000000000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(b.sentence, "; 1 came late, by up to 1.0 s"));
	clear(&b);
}

UNIT_TEST(pressure_and_files_that_are_not_there)
{
	g_autofree char *dir = NULL;
	struct bench b;

	start(&b);
	put(&b, "proc/pressure/io",
	    "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=500\n");
	/* of a kernel before 5.13, and of interrupts */
	put(&b, "proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
	put(&b, "proc/pressure/irq", "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
	/* it can be opened and not be read */
	dir = g_build_filename(b.root, "proc/stat", NULL);
	CU_ASSERT_EQUAL_FATAL(g_mkdir(dir, 0700), 0);
	sample(&b, 1000);
	put(&b, "proc/pressure/io",
	    "some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=100500\n");
	put(&b, "proc/pressure/irq", "full avg10=0.00 avg60=0.00 avg300=0.00 total=1000007\n");
	sample(&b, 2000);
	/* the file is empty */
	put(&b, "proc/pressure/io", "");
	sample(&b, 3000);
	finish(&b);
	CU_ASSERT_TRUE(
		has(&b, "1000000000 1 0 metrics:some group=\"pressure\" name=\"io\" share=50.00"));
	CU_ASSERT_TRUE(
		has(&b, "1000000000 1 0 metrics:full group=\"pressure\" name=\"io\" share=10.00"));
	CU_ASSERT_TRUE(
		has(&b, "1000000000 1 0 metrics:some group=\"pressure\" name=\"cpu\" share=0.00"));
	CU_ASSERT_TRUE(has(
		&b, "1000000000 1 0 metrics:full group=\"pressure\" name=\"irq\" share=100.00"));
	CU_ASSERT_EQUAL(count(&b, "metrics:full group=\"pressure\" name=\"cpu\""), 0);
	CU_ASSERT_TRUE(has(&b, "2000000000 1 0 metrics:gap group=\"pressure\" name=\"io\" "
			       "what=\"gone\" lasts=1000000000"));
	/* said once, although it is so in each sample */
	CU_ASSERT_TRUE(has(&b, "1000000000 0 0 metrics:note group=\"cpu\" name=\"stat\" what=\"not "
			       "recorded: Is a directory\""));
	CU_ASSERT_TRUE(has(&b, "1000000000 0 0 metrics:note group=\"disk\" name=\"diskstats\" "
			       "what=\"not recorded: No such file or directory\""));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(b.sentence, "/proc/stat (Is a directory), /proc/meminfo (No such"));
	clear(&b);
}

/* The descriptor of the file becomes that of a folder, and that of the file again. */
UNIT_TEST(a_file_that_cannot_be_read_for_a_while)
{
	struct rec_lines lines;
	struct rec_proc proc;
	struct bench b;
	int saved, folder;

	start(&b);
	put(&b, "proc/net/dev", NET_HEAD "lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
	rec_lines_init(&lines, open(b.path, O_WRONLY | O_CREAT, 0600));
	rec_proc_open(&proc, b.root, &lines);
	folder = open(b.root, O_RDONLY);
	saved = proc.file[4].fd;
	for (guint i = 1; i <= 6; i++) {
		test_now = i;
		proc.file[4].fd = i == 3 || i == 4 ? folder : saved;
		rec_proc_sample(&proc, test_clock);
	}
	rec_proc_close(&proc);
	rec_lines_close(&lines);
	CU_ASSERT_EQUAL(lines.error, 0);
	close(folder);
	CU_ASSERT_TRUE_FATAL(g_file_get_contents(b.path, &b.text, NULL, NULL));
	CU_ASSERT_TRUE(has(&b, "3 0 0 metrics:note group=\"net\" name=\"dev\" what=\"not recorded: "
			       "Is a directory\""));
	CU_ASSERT_TRUE(
		has(&b, "2 1 0 metrics:gap group=\"net\" name=\"lo\" what=\"gone\" lasts=1"));
	CU_ASSERT_EQUAL(count(&b, "name=\"lo\""), 3);
	CU_ASSERT_EQUAL(count(&b, "\n1 1 0 metrics:net "), 1);
	CU_ASSERT_EQUAL(count(&b, "\n5 1 0 metrics:net "), 1);
	clear(&b);
}

UNIT_TEST(a_file_greater_than_the_room)
{
	g_autoptr(GString) text = g_string_new("cpu  1 1 1 1 1 1 1 1\nintr 5");
	struct bench b;

	for (guint i = 0; i < 70000; i++)
		g_string_append(text, " 0");
	g_string_append(text, "\nctxt 1\nprocesses 1\nprocs_blocked 17\n");
	start(&b);
	put(&b, "proc/stat", text->str);
	sample(&b, 1);
	finish(&b);
	CU_ASSERT_TRUE(has(&b, "1000000 0 0 metrics:blocked group=\"load\" blocked=17"));
	clear(&b);
}

UNIT_TEST(many_devices_in_one_sample)
{
	g_autoptr(GString) text = g_string_new(NET_HEAD);
	struct bench b;

	for (guint i = 0; i < 2000; i++)
		g_string_append_printf(text, "veth%u: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n", i);
	start(&b);
	put(&b, "proc/net/dev", text->str);
	sample(&b, 1000);
	sample(&b, 2000);
	finish(&b);
	CU_ASSERT_EQUAL(count(&b, "metrics:net"), 2000);
	clear(&b);
}

UNIT_TEST(the_file_must_be_new)
{
	g_autoptr(GError) error = NULL;
	struct bench b;

	start(&b);
	put(&b, "out.txt", "mine");
	CU_ASSERT_PTR_NULL(rec_metrics_open(b.path, NULL, NULL, &error));
	CU_ASSERT_PTR_NOT_NULL_FATAL(error);
	CU_ASSERT_PTR_NOT_NULL(strstr(error->message, "File exists"));
	clear(&b);
}

UNIT_TEST(numbers_that_are_too_great_are_none)
{
	const char text[] = "  18446744073709551615 18446744073709551616";
	struct rec_scan scan = { text, text + strlen(text) };
	guint64 number = 0;

	CU_ASSERT_TRUE(rec_scan_number(&scan, &number));
	CU_ASSERT_EQUAL(number, G_MAXUINT64);
	CU_ASSERT_FALSE(rec_scan_number(&scan, &number));
	CU_ASSERT_EQUAL(number, G_MAXUINT64);
}
