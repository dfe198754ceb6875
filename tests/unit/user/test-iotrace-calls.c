/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libiotrace-calls against a file in place of the device: what would reach the module, byte by byte. */
#include "unit.h"
#include "iotrace-calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECORD \
	512 /* bytes; the layout below is written down once more, not taken from the header */

static char path[] = "/tmp/libiotrace-calls-XXXXXX";
static int file = -1;

/* An empty file is the device from here on. */
static void begin(void)
{
	strcpy(strrchr(path, '-'), "-XXXXXX");
	file = mkstemp(path);
	CU_ASSERT_FATAL(file >= 0);
	setenv("IOTRACE_DEVICE", path, 1);
	iotrace_close();
	CU_ASSERT_EQUAL_FATAL(iotrace_open(), 0);
}

static void end(void)
{
	iotrace_close();
	close(file);
	unlink(path);
}

static off_t bytes_written(void)
{
	struct stat st;

	return fstat(file, &st) ? -1 : st.st_size;
}

static void read_record(unsigned int i, unsigned char record[RECORD])
{
	CU_ASSERT_EQUAL_FATAL(pread(file, record, RECORD, (off_t)i * RECORD), RECORD);
}

/* As the machine stores it, like everything at the border to the kernel. */
static uint64_t number(const unsigned char *record, unsigned int at, unsigned int size)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	memcpy(&two, record + at, sizeof(two));
	memcpy(&four, record + at, sizeof(four));
	memcpy(&eight, record + at, sizeof(eight));
	return size == 2 ? two : size == 4 ? four : eight;
}

static struct iotrace_counts counts_since(const struct iotrace_counts *before)
{
	struct iotrace_counts now;

	iotrace_get_counts(&now);
	now.written -= before->written;
	now.dropped -= before->dropped;
	now.cut -= before->cut;
	return now;
}

static const struct iotrace_call sample = {
	.id = 0x1122334455667788,
	.object = 0x99aabbccddeeff00,
	.mode = -1,
	.status = -22,
	.flags = 0xfeedbeef,
	.domain = "ls",
	.resource = "a\xff \"\\\n\x01z",
	.op = "lock",
};

UNIT_TEST(record_layout)
{
	unsigned char r[RECORD], zeros[RECORD] = { 0 };

	begin();
	CU_ASSERT_EQUAL(iotrace_call_done(&sample), 0);
	CU_ASSERT_EQUAL(bytes_written(), RECORD);
	read_record(0, r);
	CU_ASSERT_EQUAL(number(r, 0, 4), 0x494f5452);
	CU_ASSERT_EQUAL(number(r, 4, 2), 1);
	CU_ASSERT_EQUAL(number(r, 6, 2), RECORD);
	CU_ASSERT_EQUAL(number(r, 8, 2), 3);
	CU_ASSERT_EQUAL(number(r, 10, 2), 0);
	CU_ASSERT_EQUAL(number(r, 12, 4), 0xffffffff);
	CU_ASSERT_EQUAL(number(r, 16, 4), 0xffffffea);
	CU_ASSERT_EQUAL(number(r, 20, 4), 0xfeedbeef);
	CU_ASSERT_EQUAL(number(r, 24, 8), 0x1122334455667788);
	CU_ASSERT_EQUAL(number(r, 32, 8), 0x99aabbccddeeff00);
	CU_ASSERT(!memcmp(r + 40, zeros, 24));
	CU_ASSERT(!memcmp(r + 64, "ls", 3));
	CU_ASSERT(!memcmp(r + 160, "a\xff \"\\\n\x01z", 9));
	CU_ASSERT(!memcmp(r + 480, "lock", 5));
	end();
}

UNIT_TEST(kinds)
{
	unsigned char r[RECORD];

	begin();
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_call_end(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_call_done(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_call_notify(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_emit((enum iotrace_kind)0, &sample), -EINVAL);
	CU_ASSERT_EQUAL(iotrace_emit((enum iotrace_kind)5, &sample), -EINVAL);
	CU_ASSERT_EQUAL(iotrace_emit((enum iotrace_kind) - 1, &sample), -EINVAL);
	CU_ASSERT_EQUAL(bytes_written(), 4 * RECORD);
	for (unsigned int i = 0; i < 4; i++) {
		read_record(i, r);
		CU_ASSERT_EQUAL(number(r, 8, 2), i + 1);
	}
	end();
}

/* The longest texts that fit, those that are a byte longer, and none. */
UNIT_TEST(long_texts)
{
	char domain[97], resource[321], op[33];
	struct iotrace_call call = { .domain = domain, .resource = resource, .op = op };
	struct iotrace_counts before;
	unsigned char r[RECORD];

	memset(domain, 'd', 97);
	memset(resource, 'r', 321);
	memset(op, 'o', 33);
	domain[95] = resource[319] = op[31] = '\0';
	begin();
	iotrace_get_counts(&before);
	iotrace_call_start(&call);
	CU_ASSERT_EQUAL(counts_since(&before).cut, 0);
	domain[95] = 'd', resource[319] = 'r', op[31] = 'o';
	domain[96] = resource[320] = op[32] = '\0';
	iotrace_call_start(&call);
	CU_ASSERT_EQUAL(counts_since(&before).cut, 3);
	for (unsigned int i = 0; i < 2; i++) {
		read_record(i, r);
		CU_ASSERT_EQUAL(strlen((char *)r + 64), 95);
		CU_ASSERT_EQUAL(strlen((char *)r + 160), 319);
		CU_ASSERT_EQUAL(strlen((char *)r + 480), 31);
	}
	iotrace_call_start(&(struct iotrace_call){ 0 });
	read_record(2, r);
	CU_ASSERT_EQUAL(r[64] | r[160] | r[480], 0);
	end();
}

UNIT_TEST(batches)
{
	struct iotrace_batch *batch = iotrace_batch_new(3);
	struct iotrace_call call = sample;
	unsigned char r[RECORD];

	CU_ASSERT_PTR_NULL(iotrace_batch_new(0));
	CU_ASSERT_PTR_NULL(iotrace_batch_new(65537));
	CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
	begin();
	for (call.id = 0; call.id < 4; call.id++)
		CU_ASSERT_EQUAL(iotrace_batch_add(batch, IOTRACE_CALL_START, &call), 0);
	CU_ASSERT_EQUAL(bytes_written(), 3 * RECORD); /* the fourth made room for itself */
	CU_ASSERT_EQUAL(iotrace_batch_add(batch, (enum iotrace_kind)9, &call), -EINVAL);
	CU_ASSERT_EQUAL(iotrace_batch_flush(batch), 0);
	CU_ASSERT_EQUAL(iotrace_batch_flush(batch), 0);
	CU_ASSERT_EQUAL(bytes_written(), 4 * RECORD);
	iotrace_batch_add(batch, IOTRACE_CALL_END, &call);
	iotrace_batch_free(batch);
	iotrace_batch_free(NULL);
	CU_ASSERT_EQUAL(bytes_written(), 5 * RECORD);
	for (unsigned int i = 0; i < 5; i++) {
		read_record(i, r);
		CU_ASSERT_EQUAL(number(r, 24, 8), i);
	}
	end();
}

/* The device takes two records of four, and then none. */
UNIT_TEST(device_is_full)
{
	struct rlimit old, two = { .rlim_cur = 2 * RECORD };
	struct iotrace_batch *batch = iotrace_batch_new(4);
	struct iotrace_counts before, now;

	begin();
	iotrace_get_counts(&before);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	two.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &two);
	for (int i = 0; i < 4; i++)
		iotrace_batch_add(batch, IOTRACE_CALL_START, &sample);
	CU_ASSERT_EQUAL(iotrace_batch_flush(batch), -EFBIG);
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	now = counts_since(&before);
	CU_ASSERT_EQUAL(now.written, 2);
	CU_ASSERT_EQUAL(now.dropped, 3);
	CU_ASSERT_EQUAL(bytes_written(), 2 * RECORD);
	iotrace_batch_free(batch);
	end();
}

static void expect_refused(const char *device, int expected, const char *sentence)
{
	char text[256];
	struct iotrace_counts before, now;

	iotrace_close();
	setenv("IOTRACE_DEVICE", device, 1);
	iotrace_get_counts(&before);
	errno = 77;
	CU_ASSERT_EQUAL(iotrace_open(), expected);
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_emit(IOTRACE_CALL_END, &sample), 0);
	CU_ASSERT(!iotrace_recording(IOTRACE_CALL_START));
	CU_ASSERT_NOT_EQUAL(iotrace_id(), iotrace_id());
	CU_ASSERT_EQUAL(errno, 77);
	now = counts_since(&before);
	CU_ASSERT_EQUAL(now.written + now.dropped, 0);
	CU_ASSERT_STRING_EQUAL(iotrace_explain(expected, text, sizeof(text)), sentence);
}

UNIT_TEST(no_device)
{
	char small[8];

	expect_refused("/nonexistent/iotrace", -ENOENT,
		       "there is no /nonexistent/iotrace: load the module (modprobe iotrace)");
	expect_refused("/dev/zero", -ENOTTY, "/dev/zero is not the device of iotrace");
	expect_refused("/dev/null", -ENOTTY, "/dev/null is not the device of iotrace");
	expect_refused("/", -EISDIR, "/: Is a directory");
	CU_ASSERT_STRING_EQUAL(iotrace_explain(-ENOENT, small, sizeof(small)), "there i");
}

/* A second try finds what has come meanwhile; what was closed stays closed. */
/* Nothing is written in a pause, whatever happens to the device in it. */
UNIT_TEST(pauses)
{
	struct iotrace_batch *batch = iotrace_batch_new(4);
	struct iotrace_counts before;

	begin();
	iotrace_get_counts(&before);
	CU_ASSERT_EQUAL(iotrace_batch_add(batch, IOTRACE_CALL_DONE, &sample), 0);
	iotrace_pause();
	iotrace_pause();
	CU_ASSERT(!iotrace_recording(IOTRACE_CALL_START));
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_emit(IOTRACE_CALL_END, &sample), 0);
	CU_ASSERT_EQUAL(iotrace_emit((enum iotrace_kind)5, &sample), -EINVAL);
	CU_ASSERT_EQUAL(iotrace_batch_add(batch, IOTRACE_CALL_DONE, &sample), 0);
	CU_ASSERT(iotrace_id() != iotrace_id());
	iotrace_close();
	CU_ASSERT_EQUAL(iotrace_open(), 0);
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(bytes_written(), 0);
	CU_ASSERT_EQUAL(iotrace_batch_flush(batch), 0);
	CU_ASSERT_EQUAL(bytes_written(), RECORD);
	iotrace_resume();
	CU_ASSERT(iotrace_recording(IOTRACE_CALL_START));
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(bytes_written(), 2 * RECORD);
	CU_ASSERT_EQUAL(counts_since(&before).written, 2);
	CU_ASSERT_EQUAL(counts_since(&before).dropped, 0);
	iotrace_batch_free(batch);
	/* a pause opens nothing, nor does its end */
	iotrace_close();
	iotrace_pause();
	iotrace_resume();
	CU_ASSERT(!iotrace_recording(IOTRACE_CALL_START));
	end();
}

UNIT_TEST(open_again)
{
	begin();
	CU_ASSERT_EQUAL(iotrace_open(), 0);
	iotrace_close();
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(bytes_written(), 0);
	CU_ASSERT_EQUAL(iotrace_open(), 0);
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(bytes_written(), RECORD);
	end();
}

/* A program closes all descriptors, and ours becomes a file of its own. New files get other numbers first. */
UNIT_TEST(descriptor_lost)
{
	char own_path[] = "/tmp/libiotrace-calls-own-XXXXXX";
	int own, mark = dup(0), lost;
	struct rlimit limit;
	struct stat st;

	CU_ASSERT_FATAL(mark >= 0);
	close(mark);
	begin(); /* the file is mark now; the library's descriptor is from the last quarter of 1024 */
	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &limit), 0);
	lost = (int)(limit.rlim_cur < 1024 ? limit.rlim_cur : 1024) * 3 / 4;
	CU_ASSERT(fcntl(lost, F_GETFD) & FD_CLOEXEC);
	close(lost);
	own = mkstemp(own_path);
	CU_ASSERT_EQUAL_FATAL(own, mark + 1);
	CU_ASSERT_EQUAL_FATAL(dup2(own, lost), lost);
	close(own);
	own = lost;
	CU_ASSERT_EQUAL(iotrace_call_start(&sample), 0);
	CU_ASSERT_EQUAL(iotrace_call_end(&sample), 0);
	CU_ASSERT_EQUAL(bytes_written(), 2 * RECORD);
	CU_ASSERT_EQUAL(fstat(own, &st), 0);
	CU_ASSERT_EQUAL(st.st_size, 0);
	end();
	CU_ASSERT(fcntl(own, F_GETFD) >= 0); /* not closed with the device */
	close(own);
	unlink(own_path);
}

/* --- threads and processes --- */

#define THREADS 4
#define EACH	3000

static uint64_t ids[THREADS + 2][EACH];

static void *emit_many(void *arg)
{
	uint64_t *mine = arg;
	struct iotrace_call call = sample;

	for (unsigned int i = 0; i < EACH; i++) {
		call.id = mine[i] = iotrace_id();
		if (iotrace_call_start(&call))
			abort();
	}
	return NULL;
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static unsigned int count_equal(uint64_t *all, unsigned int n)
{
	unsigned int equal = 0;

	qsort(all, n, sizeof(*all), compare_ids);
	for (unsigned int i = 1; i < n; i++)
		equal += all[i] == all[i - 1];
	return equal;
}

UNIT_TEST(threads)
{
	pthread_t threads[THREADS];
	unsigned char r[RECORD];

	begin();
	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, emit_many, ids[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(bytes_written(), THREADS * EACH * RECORD);
	CU_ASSERT_EQUAL(count_equal(ids[0], THREADS * EACH), 0);
	for (unsigned int i = 0; i < THREADS * EACH; i++) {
		uint64_t id;

		read_record(i, r);
		id = number(r, 24, 8);
		CU_ASSERT_EQUAL(id >> 62, 1);
		CU_ASSERT_PTR_NOT_NULL(
			bsearch(&id, ids[0], THREADS * EACH, sizeof(id), compare_ids));
	}
	end();
}

/* The child goes on writing, has ids of its own, and leaves its parent's batch alone. */
/*
 * What the test below starts this program for: the library must not have seen any device before.
 * The status is 0 if the ids of parent and child differ.
 */
__attribute__((constructor)) static void fork_without_device(void)
{
	uint64_t child_id, id;
	int pipes[2];

	if (!getenv("IOTRACE_TEST_FORK"))
		return;
	iotrace_id();
	if (pipe(pipes))
		_exit(2);
	if (!fork()) {
		id = iotrace_id();
		_exit(write(pipes[1], &id, 8) != 8);
	}
	id = iotrace_id();
	_exit(read(pipes[0], &child_id, 8) != 8 || id == child_id);
}

UNIT_TEST(ids_after_fork_without_device)
{
	char self[] = "/proc/self/exe", *argv[] = { self, NULL };
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		setenv("IOTRACE_TEST_FORK", "1", 1);
		setenv("IOTRACE_DEVICE", "/nonexistent", 1);
		execv(self, argv);
		_exit(errno == ENOEXEC ? 77 : 2);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	/* under an emulator of another processor, which the kernel does not know */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		fputs("ids_after_fork_without_device is left out: this program cannot be started again\n", stderr);
	else
		CU_ASSERT_EQUAL(status, 0);
}

UNIT_TEST(fork_goes_on)
{
	struct iotrace_batch *batch = iotrace_batch_new(8);
	uint64_t last;
	int pipes[2], status;
	pid_t child;

	begin();
	CU_ASSERT_EQUAL_FATAL(pipe(pipes), 0);
	iotrace_batch_add(batch, IOTRACE_CALL_START, &sample);
	last = iotrace_id();
	child = fork();
	if (!child) {
		uint64_t id = iotrace_id();

		iotrace_batch_free(batch);
		_exit(iotrace_call_end(&sample) || write(pipes[1], &id, 8) != 8);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	ids[0][0] = iotrace_id();
	CU_ASSERT_EQUAL(ids[0][0], last + 1);
	CU_ASSERT_EQUAL(read(pipes[0], &ids[0][1], 8), 8);
	CU_ASSERT_NOT_EQUAL(ids[0][0], ids[0][1]);
	CU_ASSERT_EQUAL(bytes_written(), RECORD);
	iotrace_batch_free(batch);
	CU_ASSERT_EQUAL(bytes_written(), 2 * RECORD);
	close(pipes[0]);
	close(pipes[1]);
	end();
}

/* ---- text recordings */

static char text[1 << 20];

static void read_text(void)
{
	ssize_t n = pread(file, text, sizeof(text) - 1, 0);

	CU_ASSERT_FATAL(n >= 0);
	text[n] = '\0';
}

static void begin_text(void)
{
	strcpy(strrchr(path, '-'), "-XXXXXX");
	file = mkstemp(path);
	CU_ASSERT_FATAL(file >= 0);
	iotrace_close();
	setenv("IOTRACE_TEXT", path, 1);
	CU_ASSERT_EQUAL_FATAL(iotrace_open(), 0);
}

static void end_text(void)
{
	end();
	unsetenv("IOTRACE_TEXT");
}

UNIT_TEST(text_recordings_have_lines)
{
	const struct iotrace_call odd = { .id = 1ULL << 62,
					  .object = 7,
					  .mode = -1,
					  .status = -5,
					  .flags = IOTRACE_SERVED | 1,
					  .domain = "a \"b\"",
					  .resource = "c\\\n\xc3\xa4",
					  .op = NULL };
	char expected[600], *line;

	begin_text();
	CU_ASSERT_EQUAL(iotrace_call_end(&odd), 0);
	CU_ASSERT_EQUAL(iotrace_text("sys:own", "n=%d name=\"%s\"", 3, "x"), 0);
	read_text();
	line = strstr(text, " iotrace:call_end ");
	snprintf(expected, sizeof(expected),
		 "%d iotrace:call_end id=4611686018427387904 object=7 tgid=%d mode=-1 status=-5 "
		 "flags=0x80000001 domain=\"a \\\"b\\\"\" resource=\"c\\\\\\x0a\\xc3\\xa4\" op=\"\"\n",
		 getpid(), getpid());
	CU_ASSERT_EQUAL(strncmp(text, "iotrace-text 1\nclock mono\n", 26), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, expected));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " sys:own n=3 name=\"x\"\n"));
	CU_ASSERT_PTR_NOT_NULL(line);
	/* another use of the file goes on in it */
	iotrace_close();
	CU_ASSERT_EQUAL_FATAL(iotrace_open(), 0);
	CU_ASSERT_EQUAL(iotrace_call_start(&odd), 0);
	read_text();
	CU_ASSERT_PTR_NULL(strstr(text + 1, "iotrace-text"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "iotrace:call_start"));
	CU_ASSERT_EQUAL(iotrace_text("x", "%5000d", 1), -E2BIG);
	end_text();
	CU_ASSERT_EQUAL(iotrace_text("x", "n=1"), 0);
}

static void *write_lines(void *unused)
{
	for (int i = 0; i < 200; i++)
		CU_ASSERT_EQUAL(iotrace_text("x", "n=%d", i), 0);
	return unused;
}

/* Lines of threads and processes are whole, and in the order of their times. */
UNIT_TEST(text_lines_are_in_order)
{
	pthread_t threads[3];
	unsigned long long t, last = 0;
	unsigned int lines = 0;
	int status;
	pid_t child;

	begin_text();
	child = fork();
	if (!child) {
		write_lines(NULL);
		_exit(0);
	}
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, write_lines, NULL), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	read_text();
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		int cpu, pid, n;

		if (sscanf(line, "%llu %d %d x n=%d", &t, &cpu, &pid, &n) != 4)
			continue;
		CU_ASSERT(t >= last);
		last = t;
		lines++;
	}
	CU_ASSERT_EQUAL(lines, 800);
	end_text();
}

UNIT_TEST(text_recordings_are_files)
{
	char said[256];

	iotrace_close();
	setenv("IOTRACE_TEXT", "/dev/null", 1);
	CU_ASSERT_EQUAL(iotrace_open(), -EINVAL);
	CU_ASSERT_STRING_EQUAL(iotrace_explain(-EINVAL, said, sizeof(said)),
			       "/dev/null: a text recording (IOTRACE_TEXT) must be a regular file");
	setenv("IOTRACE_TEXT", "/nonexistent/x", 1);
	CU_ASSERT_EQUAL(iotrace_open(), -ENOENT);
	CU_ASSERT_EQUAL(iotrace_text("x", "n=1"), 0);
	unsetenv("IOTRACE_TEXT");
}
