/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of strace 6.1, and what strace(1) says of other forms; the calls of which they tell. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "input/strace/strace-call.h"
#include "input/strace/strace-log.h"
#include "input/strace/strace-table.h"

static struct iot_strace_line line;

static gboolean parse(const char *text)
{
	return iot_strace_line_parse(text, strlen(text), &line);
}

static gboolean is(struct iot_strace_text text, const char *expected)
{
	gboolean same = text.text && iot_strace_is(text, expected);

	if (!same)
		printf("got '%.*s', not '%s'\n", (int)text.len, text.text ? text.text : "",
		       expected);
	return same;
}

static struct iot_strace_text of(const char *text)
{
	return (struct iot_strace_text){ text, strlen(text) };
}

UNIT_TEST(a_whole_call)
{
	CU_ASSERT(parse("5048  1795678165.872610720 read(3</etc/pass wd>, \"a) = 1\\\"<\"..., 64) "
			"= 64 <0.000007612>"));
	CU_ASSERT_EQUAL(line.kind, IOT_STRACE_CALL);
	CU_ASSERT_EQUAL(line.pid, 5048);
	CU_ASSERT_EQUAL(line.ns, G_GUINT64_CONSTANT(1795678165872610720));
	CU_ASSERT_EQUAL(line.digits, 9);
	CU_ASSERT(is(line.name, "read"));
	CU_ASSERT(is(line.args, "3</etc/pass wd>, \"a) = 1\\\"<\"..., 64"));
	CU_ASSERT(is(line.result, "64"));
	CU_ASSERT(line.timed);
	CU_ASSERT_EQUAL(line.took_ns, 7612);
}

UNIT_TEST(other_heads_of_lines)
{
	CU_ASSERT(parse("1795678165.872610 getpid()      = 17 <0.000010>"));
	CU_ASSERT_EQUAL(line.pid, -1);
	CU_ASSERT_EQUAL(line.digits, 6);
	CU_ASSERT_EQUAL(line.ns, G_GUINT64_CONSTANT(1795678165872610000));
	CU_ASSERT_EQUAL(line.took_ns, 10000);
	CU_ASSERT(parse("[pid  17] 1795678165.872610 getpid() = 17 <0.000010>"));
	CU_ASSERT_EQUAL(line.pid, 17);
	CU_ASSERT(parse("17<a b> 1795678165.872610 getpid() = 17 <0.000010>"));
	CU_ASSERT_EQUAL(line.pid, 17);
	CU_ASSERT(is(line.comm, "a b"));
	CU_ASSERT(parse("17 1795678165.872610 +++ exited with 0 +++"));
	CU_ASSERT_EQUAL(line.kind, IOT_STRACE_EXIT);
	CU_ASSERT(parse("17 1795678165.872610 --- SIGCHLD {si_signo=SIGCHLD} ---"));
	CU_ASSERT_EQUAL(line.kind, IOT_STRACE_OTHER);
	CU_ASSERT(parse("17 1795678165.872610 exit_group(0) = ?"));
	CU_ASSERT(is(line.result, "?"));
	CU_ASSERT_FALSE(line.timed);
}

UNIT_TEST(the_two_parts_of_a_call)
{
	CU_ASSERT(parse("17 1795678165.5 read(3</x>,  <unfinished ...>"));
	CU_ASSERT_EQUAL(line.kind, IOT_STRACE_UNFINISHED);
	CU_ASSERT(is(line.args, "3</x>,"));
	CU_ASSERT(parse("17 1795678166.5 <... read resumed>\"ab\", 2) = 2 <1.000000>"));
	CU_ASSERT_EQUAL(line.kind, IOT_STRACE_RESUMED);
	CU_ASSERT(is(line.name, "read"));
	CU_ASSERT(is(line.args, "\"ab\", 2"));
	CU_ASSERT_EQUAL(line.took_ns, 1000000000);
}

UNIT_TEST(lines_that_are_none)
{
	static const char *const bad[] = {
		"",
		"17",
		"17 read(3, \"\", 1) = 0 <0.1>",
		"17 12:00:01.123456 read(3, \"\", 1) = 0 <0.1>",
		"17 1795678165.872610 read(3, \"",
		"17 1795678165.872610 read(3, \"\", 1)",
		"17 1795678165.872610 read(3</x, 1) = 1 <0.1>",
		"17 99999999999999999999.872610 getpid() = 1 <0.1>",
		"17 1795678165.8726101234 getpid() = 1 <0.1>",
	};

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
		CU_ASSERT_FALSE(parse(bad[i]));
}

UNIT_TEST(arguments)
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	gint64 n;

	CU_ASSERT_EQUAL(
		iot_strace_split(
			of("5<TCP:[10.0.0.1:5->10.0.0.2:80]>, [{iov_base=\"a,b\", iov_len=3}, "
			   "{iov_base=\"\", iov_len=0x10}], 2, 0x7f /* 9, entries */, 1<<CAP_CHOWN"),
			arg),
		5);
	CU_ASSERT(is(arg[1], "[{iov_base=\"a,b\", iov_len=3}, {iov_base=\"\", iov_len=0x10}]"));
	CU_ASSERT(is(iot_strace_path(arg[0]), "TCP:[10.0.0.1:5->10.0.0.2:80]"));
	CU_ASSERT(is(arg[3], "0x7f /* 9, entries */"));
	CU_ASSERT(is(iot_strace_path(of("0</dev/null<char 1:3>>")), "/dev/null<char 1:3>"));
	CU_ASSERT(is(iot_strace_path(of("AT_FDCWD</a[b>")), "/a[b"));
	CU_ASSERT_PTR_NULL(iot_strace_path(of("3")).text);
	CU_ASSERT(iot_strace_int(of("0644"), &n) && n == 0644);
	CU_ASSERT(iot_strace_int(of("0"), &n) && n == 0);
	CU_ASSERT(iot_strace_int(of("-0x1f"), &n) && n == -31);
	CU_ASSERT_FALSE(iot_strace_int(of("NULL"), &n));
}

UNIT_TEST(quoted_strings)
{
	g_autoptr(GString) text = g_string_new(NULL);

	CU_ASSERT(iot_strace_string(of("\"a\\\"b\\n\\0\\101\\\\\"..."), text));
	CU_ASSERT_EQUAL(text->len, 7);
	CU_ASSERT(!memcmp(text->str, "a\"b\n\0A\\", 7));
	CU_ASSERT_FALSE(iot_strace_string(of("0x7ffd"), text));
}

/* ---- calls */

static struct iot_strace_call call;
static struct iot_intern *strings;
static struct iot_strace_files *files;

static gboolean make(const char *args)
{
	g_autofree char *text = g_strdup_printf("17 1795678165.872610 %s <0.000010>", args);

	if (!strings) {
		strings = iot_intern_new();
		files = iot_strace_files_new("log", strings);
	}
	return parse(text) && iot_strace_call_make(files, &line, 17, &call);
}

static void forget(void)
{
	iot_strace_files_free(files);
	iot_intern_free(strings);
	strings = NULL;
}

static gboolean path_is(gint64 number, const char *expected)
{
	return !strcmp(iot_intern_get(strings, (guint32)number, NULL), expected);
}

UNIT_TEST(the_table_of_calls_is_sorted)
{
	CU_ASSERT(iot_strace_table_is_sorted());
}

UNIT_TEST(calls_on_descriptors)
{
	gint64 ino;

	CU_ASSERT(make("pread64(3</d/x>, \"\"..., 784, 64) = 700"));
	CU_ASSERT_EQUAL(call.n, 1);
	CU_ASSERT_EQUAL(call.start[0].event, IOT_FILE_READ_START);
	CU_ASSERT_EQUAL(call.end[0].event, IOT_FILE_READ_END);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_OP], 2);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_FD], 3);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_LEN], 784);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_POS], 64);
	CU_ASSERT_EQUAL(call.end[0].field[IOT_FILE_RET], 700);
	CU_ASSERT_EQUAL(call.n_files, 1);
	CU_ASSERT(path_is(call.file[0].field[IOT_FILE_PATH], "/d/x"));
	ino = call.start[0].field[IOT_FILE_INO];
	CU_ASSERT(ino > 0);
	/* named once; the same file by another descriptor */
	CU_ASSERT(make("fsync(9</d/x>) = -1 EIO (Input/output error)"));
	CU_ASSERT_EQUAL(call.n_files, 0);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_INO], ino);
	CU_ASSERT_EQUAL(call.end[0].field[IOT_FILE_RET], -EIO);
	CU_ASSERT(make("writev(4</d/y>, [{iov_base=\"a\", iov_len=1}, {iov_base=\"\", "
		       "iov_len=20}], 2) = ? ERESTARTSYS (To be restarted)"));
	CU_ASSERT_NOT_EQUAL(call.start[0].field[IOT_FILE_INO], ino);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_LEN], 21);
	CU_ASSERT_EQUAL(call.end[0].field[IOT_FILE_RET], -EINTR);
	CU_ASSERT(make("writev(4</d/y>, [{iov_base=\"a\", iov_len=1}, ...], 50) = 99"));
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_LEN], -1);
	CU_ASSERT(make("sendfile(5</d/z>, 3</d/x>, [128] => [138], 10) = 10"));
	CU_ASSERT_EQUAL(call.n, 2);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_INO], ino);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_POS], 128);
	CU_ASSERT_EQUAL(call.start[1].event, IOT_FILE_WRITE_START);
	CU_ASSERT_EQUAL(call.start[1].field[IOT_FILE_FD], 5);
	CU_ASSERT_EQUAL(call.start[1].field[IOT_FILE_POS], -1);
	CU_ASSERT_FALSE(call.unnamed);
	CU_ASSERT(make("read(3, \"\", 10) = 0"));
	CU_ASSERT(call.unnamed);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_INO], 0);
	CU_ASSERT_FALSE(make("mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f"));
	CU_ASSERT_FALSE(make("futex(0x7f, FUTEX_WAIT, 0, NULL) = 0"));
	CU_ASSERT_FALSE(make("reada(3, \"\", 10) = 0"));
	forget();
}

UNIT_TEST(calls_by_path)
{
	CU_ASSERT(make("openat(AT_FDCWD</d>, \"x\", O_WRONLY|O_CREAT|O_CLOEXEC, 0644) = 3</d/x>"));
	CU_ASSERT_EQUAL(call.start[0].event, IOT_FILE_OPEN_START);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_FD], -100);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_FLAGS], 0x80041);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_MODE], 0644);
	CU_ASSERT(path_is(call.start[0].field[IOT_FILE_PATH], "/d/x"));
	CU_ASSERT(path_is(call.end[0].field[IOT_FILE_PATH], "/d/x"));
	CU_ASSERT_EQUAL(call.end[0].field[IOT_FILE_RET], 3);
	CU_ASSERT(call.end[0].field[IOT_FILE_INO] > 0);
	CU_ASSERT(make("renameat2(AT_FDCWD</d>, \"x\", 7</e>, \"y\", 0) = -1 ENOENT (No such "
		       "file or directory)"));
	CU_ASSERT(path_is(call.start[0].field[IOT_FILE_PATH], "/d/x"));
	CU_ASSERT(path_is(call.start[0].field[IOT_FILE_PATH2], "/e/y"));
	CU_ASSERT_EQUAL(call.end[0].field[IOT_FILE_RET], -ENOENT);
	CU_ASSERT(make("unlink(\"/a\\\"b\") = 0"));
	CU_ASSERT(path_is(call.start[0].field[IOT_FILE_PATH], "/a\"b"));
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_FD], -100);
	/* of a descriptor, as the path is empty */
	CU_ASSERT(make("newfstatat(3</d/x>, \"\", {st_mode=S_IFREG|0644}, AT_EMPTY_PATH) = 0"));
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_PATH], 0);
	CU_ASSERT(call.start[0].field[IOT_FILE_INO] > 0);
	CU_ASSERT(make("openat2(AT_FDCWD</d>, \"x\", {flags=O_RDWR, resolve=0}, 24) = 4</d/x>"));
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_FLAGS], 2);
	forget();
}

UNIT_TEST(locks)
{
	CU_ASSERT(make("fcntl(3</d/x>, F_OFD_SETLKW, {l_type=F_WRLCK, l_whence=SEEK_END, "
		       "l_start=-5, l_len=10}) = 0"));
	CU_ASSERT_EQUAL(call.start[0].event, IOT_FILE_LOCK_START);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_OP], 36);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_WAIT], 1);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_TYPE], 1);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_WHENCE], 2);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_START], -5);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_LEN], 10);
	CU_ASSERT(make("flock(3</d/x>, LOCK_SH|LOCK_NB) = -1 EAGAIN (Resource temporarily "
		       "unavailable)"));
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_OP], 37);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_WAIT], 0);
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_TYPE], 0);
	CU_ASSERT(make("flock(3</d/x>, LOCK_EX) = 0"));
	CU_ASSERT_EQUAL(call.start[0].field[IOT_FILE_WAIT], 1);
	CU_ASSERT_FALSE(make("fcntl(3</d/x>, F_GETFD) = 0"));
	forget();
}
