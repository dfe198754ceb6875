/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states and the counter of one call on several rows, some above others, some hidden. Expected:
 * each as if it were the only one, by the rules of iotrace-model(5). */
#include "model-bench.h"

static const char alike_model[] = "[model]\n"
				  "name = alike\n"
				  "system = sys\n"
				  "[names failed]\n"
				  "negative = \" failed\"\n"
				  "else = \"\"\n"
				  "[pair read]\n"
				  "start = read1\n"
				  "end = read2\n"
				  "key = id @pid\n"
				  "[keytable comm]\n"
				  "key = tgid\n"
				  "else = task {tgid}\n"
				  "set 1 = event name key tgid value {comm}\n"
				  "[container process]\n"
				  "in = root\n"
				  "id = {comm[tgid]} {tgid}\n"
				  "name = {comm[tgid]}\n"
				  "[container thread]\n"
				  "in = process\n"
				  "id = {@pid}\n"
				  "name = t{@pid}\n"
				  "[container file]\n"
				  "in = root\n"
				  "id = {ino}\n"
				  "name = f{ino}\n"
				  "[values io]\n"
				  "on = thread\n"
				  "attrs = pos:int size:text op:text\n"
				  "[values use]\n"
				  "on = file\n"
				  "attrs = op:text place:int got:int size:text\n"
				  "[state io]\n"
				  "call = read\n"
				  "when = op != 2\n"
				  "values = io\n"
				  "value = {@call}{end.ret:names failed}\n"
				  "failed = end.ret < 0\n"
				  "set pos = pos\n"
				  "set size = {end.ret}\n"
				  "set op = {op:names failed}{op}\n"
				  "[state use]\n"
				  "call = read\n"
				  "values = use\n"
				  "value = {@call}{end.ret:names failed}\n"
				  "failed = end.ret < 0\n"
				  "set op = {op:names failed}{op}\n"
				  "set place = pos\n"
				  "set got = end.ret\n"
				  "set size = {end.ret}\n"
				  "[counter bytes]\n"
				  "on = process\n"
				  "rule 1 = call read when end.ret > 0 add end.ret\n";

static gboolean no_threads(gpointer data, const struct iot_timeline *tl, iot_row_id row)
{
	(void)data;
	return *iot_tl_str(tl, iot_row_at(tl, row)->name) != 't' ||
	       iot_row_at(tl, row)->parent == 0;
}

static void read_file(struct bench *b, guint64 ts, const char *start, const char *end)
{
	event(b, 0, ts, 7, "read1", start);
	event(b, 0, ts + 1, 7, "read2", end);
}

UNIT_TEST(states_that_say_the_same)
{
	struct bench b;

	bench_start(&b, alike_model);
	read_file(&b, 10, "id=1 tgid=3 op=1 pos=100 ino=5", "id=1 ret=8");
	read_file(&b, 20, "id=1 tgid=3 op=1 pos=200 ino=5", "id=1 ret=-4");
	/* the first state is not drawn; the second must not take values of the call before */
	read_file(&b, 30, "id=1 tgid=3 op=2 pos=300 ino=5", "id=1 ret=9");
	read_file(&b, 40, "id=1 tgid=3 op=1 pos=400 ino=5", "id=1 ret=0");
	bench_finish(&b, 50,
		     "sample task 3 bytes 11 8 8\n"
		     "span task 3/t7 read 10-11 100 8 1\n"
		     "span f5 read 10-11 1 100 8 8\n"
		     "span task 3/t7 read failed 20-21 200 -4 1 flags 8\n"
		     "span f5 read failed 20-21 1 200 -4 -4 flags 8\n"
		     "sample task 3 bytes 31 17 9\n"
		     "span f5 read 30-31 2 300 9 9\n"
		     "span task 3/t7 read 40-41 400 0 1\n"
		     "span f5 read 40-41 1 400 0 0\n");
}

/* Nothing is drawn on a row that is not selected. */
UNIT_TEST(states_of_which_one_is_hidden)
{
	struct bench b;

	bench_start_selecting(&b, alike_model, no_threads);
	read_file(&b, 10, "id=1 tgid=3 op=1 pos=100 ino=5", "id=1 ret=8");
	read_file(&b, 20, "id=1 tgid=3 op=1 pos=200 ino=5", "id=1 ret=-4");
	bench_finish(&b, 30,
		     "sample task 3 bytes 11 8 8\n"
		     "span f5 read 10-11 1 100 8 8\n"
		     "span f5 read failed 20-21 1 200 -4 -4 flags 8\n");
}

/* The counter is on the row above that of the thread, whose row depends on a table; one thread may
 * be of several processes, as numbers come again. */
UNIT_TEST(a_row_is_found_from_the_one_below)
{
	struct bench b;

	bench_start(&b, alike_model);
	read_file(&b, 10, "id=1 tgid=3 op=2 pos=0 ino=5",
		  "id=1 ret=1"); /* no row of a thread yet */
	read_file(&b, 20, "id=1 tgid=3 op=1 pos=0 ino=5", "id=1 ret=2");
	read_file(&b, 30, "id=1 tgid=3 op=1 pos=0 ino=5", "id=1 ret=3");
	read_file(&b, 40, "id=1 tgid=4 op=1 pos=0 ino=5", "id=1 ret=4");
	event(&b, 0, 45, 7, "name", "tgid=3 comm=cat");
	read_file(&b, 50, "id=1 tgid=3 op=2 pos=0 ino=5", "id=1 ret=5");
	read_file(&b, 60, "id=1 tgid=3 op=1 pos=0 ino=5", "id=1 ret=6");
	bench_finish(&b, 70,
		     "sample task 3 bytes 11 1 1\n"
		     "span f5 read 10-11 2 0 1 1\n"
		     "sample task 3 bytes 21 3 2\n"
		     "span task 3/t7 read 20-21 0 2 1\n"
		     "span f5 read 20-21 1 0 2 2\n"
		     "sample task 3 bytes 31 6 3\n"
		     "span task 3/t7 read 30-31 0 3 1\n"
		     "span f5 read 30-31 1 0 3 3\n"
		     "sample task 4 bytes 41 4 4\n"
		     "span task 4/t7 read 40-41 0 4 1\n"
		     "span f5 read 40-41 1 0 4 4\n"
		     "sample cat bytes 51 5 5\n"
		     "span f5 read 50-51 2 0 5 5\n"
		     "sample cat bytes 61 11 6\n"
		     "span cat/t7 read 60-61 0 6 1\n"
		     "span f5 read 60-61 1 0 6 6\n");
}
