/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "input/strace/strace-call.h"

/* ---- events */

static const char *const field_names[IOT_STRACE_FIELDS] = {
	[IOT_STRACE_ID] = "id",		[IOT_STRACE_INO] = "ino",     [IOT_STRACE_POS] = "pos",
	[IOT_STRACE_LEN] = "len",	[IOT_STRACE_TGID] = "tgid",   [IOT_STRACE_FD] = "fd",
	[IOT_STRACE_DEV] = "dev",	[IOT_STRACE_FLAGS] = "flags", [IOT_STRACE_OP] = "op",
	[IOT_STRACE_ARG] = "arg",	[IOT_STRACE_MODE] = "mode",   [IOT_STRACE_RET] = "ret",
	[IOT_STRACE_START] = "start",	[IOT_STRACE_WAIT] = "wait",   [IOT_STRACE_TYPE] = "type",
	[IOT_STRACE_WHENCE] = "whence", [IOT_STRACE_PATH] = "path",   [IOT_STRACE_PATH2] = "path2",
	[IOT_STRACE_COMM] = "comm",
};

#define F(field) (1u << IOT_STRACE_##field)
enum {
	CALL = F(ID) | F(TGID) | F(FD) | F(OP),
	ON_FILE = CALL | F(INO) | F(DEV) | F(POS) | F(LEN) | F(FLAGS),
	BY_PATH = CALL | F(INO) | F(DEV) | F(ARG) | F(FLAGS) | F(MODE) | F(PATH) | F(PATH2),
	ON_RANGE = CALL | F(INO) | F(DEV) | F(START) | F(LEN) | F(WAIT) | F(TYPE) | F(WHENCE),
	END = F(ID) | F(RET) | F(POS),
	OPEN_END = F(ID) | F(RET) | F(INO) | F(DEV) | F(PATH),
};

/* As in events/iotrace.h; "file" is of logs only. */
static const struct {
	const char *name;
	guint32 fields;
} events[IOT_STRACE_EVENTS] = {
	[IOT_STRACE_OPEN_START] = { "open_start", BY_PATH },
	[IOT_STRACE_OPEN_END] = { "open_end", OPEN_END },
	[IOT_STRACE_CLOSE_START] = { "close_start", ON_FILE },
	[IOT_STRACE_CLOSE_END] = { "close_end", END },
	[IOT_STRACE_READ_START] = { "read_start", ON_FILE },
	[IOT_STRACE_READ_END] = { "read_end", END },
	[IOT_STRACE_WRITE_START] = { "write_start", ON_FILE },
	[IOT_STRACE_WRITE_END] = { "write_end", END },
	[IOT_STRACE_SYNC_START] = { "sync_start", ON_FILE },
	[IOT_STRACE_SYNC_END] = { "sync_end", END },
	[IOT_STRACE_TRUNCATE_START] = { "truncate_start", ON_FILE },
	[IOT_STRACE_TRUNCATE_END] = { "truncate_end", END },
	[IOT_STRACE_MMAP_START] = { "mmap_start", ON_FILE },
	[IOT_STRACE_MMAP_END] = { "mmap_end", END },
	[IOT_STRACE_META_START] = { "meta_start", BY_PATH },
	[IOT_STRACE_META_END] = { "meta_end", END },
	[IOT_STRACE_LOCK_START] = { "lock_start", ON_RANGE },
	[IOT_STRACE_LOCK_END] = { "lock_end", END },
	[IOT_STRACE_TASK] = { "task", F(TGID) | F(COMM) },
	[IOT_STRACE_FILE] = { "file", F(INO) | F(DEV) | F(PATH) },
};

const char *iot_strace_event_name(enum iot_strace_event event)
{
	return events[event].name;
}

gboolean iot_strace_event_has(enum iot_strace_event event, enum iot_strace_field field)
{
	return events[event].fields >> field & 1;
}

const char *iot_strace_field_name(enum iot_strace_field field)
{
	return field_names[field];
}

/* ---- calls */

/* Where a call has what: numbers of arguments, from 1; 0: nowhere. The second number of each row is
 * that of [names op] in events/models/fileio.model. */
struct call {
	const char *name;
	guint8 op;
	guint8 start; /* event; the end follows it */
	guint8 fd, path, path2, fd2, len, iov, pos, pos2, flags, mode, arg, how;
};

/* clang-format off: one row a line, sorted by name */
static const struct call calls[] = {
	{ "access", 55, IOT_STRACE_META_START, .path = 1 },
	{ "chdir", 103, IOT_STRACE_META_START, .path = 1 },
	{ "chmod", 79, IOT_STRACE_META_START, .path = 1 },
	{ "chown", 82, IOT_STRACE_META_START, .path = 1 },
	{ "chroot", 105, IOT_STRACE_META_START, .path = 1 },
	{ "close", 29, IOT_STRACE_CLOSE_START, .fd = 1 },
	{ "close_range", 30, IOT_STRACE_CLOSE_START, .fd = 0 },
	{ "copy_file_range", 13, IOT_STRACE_READ_START, .fd = 1, .fd2 = 3, .len = 5, .pos = 2,
	  .pos2 = 4 },
	{ "creat", 43, IOT_STRACE_OPEN_START, .path = 1, .mode = 2 },
	{ "faccessat", 56, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "faccessat2", 57, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "fallocate", 27, IOT_STRACE_TRUNCATE_START, .fd = 1, .len = 4, .pos = 3 },
	{ "fchdir", 104, IOT_STRACE_META_START, .fd = 1 },
	{ "fchmod", 80, IOT_STRACE_META_START, .fd = 1 },
	{ "fchmodat", 81, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "fchmodat2", 102, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "fchown", 83, IOT_STRACE_META_START, .fd = 1 },
	{ "fchownat", 85, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "fcntl", 32, IOT_STRACE_LOCK_START, .fd = 1 },
	{ "fcntl64", 32, IOT_STRACE_LOCK_START, .fd = 1 },
	{ "fdatasync", 21, IOT_STRACE_SYNC_START, .fd = 1 },
	{ "fgetxattr", 92, IOT_STRACE_META_START, .fd = 1, .path2 = 2, .arg = 4 },
	{ "flistxattr", 98, IOT_STRACE_META_START, .fd = 1, .arg = 3 },
	{ "flock", 37, IOT_STRACE_LOCK_START, .fd = 1 },
	{ "fremovexattr", 101, IOT_STRACE_META_START, .fd = 1, .path2 = 2 },
	{ "fsetxattr", 95, IOT_STRACE_META_START, .fd = 1, .path2 = 2, .arg = 4 },
	{ "fstat", 52, IOT_STRACE_META_START, .fd = 1 },
	{ "fstat64", 52, IOT_STRACE_META_START, .fd = 1 },
	{ "fstatat64", 53, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "fstatfs", 59, IOT_STRACE_META_START, .fd = 1 },
	{ "fsync", 20, IOT_STRACE_SYNC_START, .fd = 1 },
	{ "ftruncate", 26, IOT_STRACE_TRUNCATE_START, .fd = 1, .len = 2 },
	{ "ftruncate64", 26, IOT_STRACE_TRUNCATE_START, .fd = 1, .len = 2 },
	{ "futimesat", 88, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "getdents", 60, IOT_STRACE_META_START, .fd = 1, .arg = 3 },
	{ "getdents64", 61, IOT_STRACE_META_START, .fd = 1, .arg = 3 },
	{ "getxattr", 90, IOT_STRACE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "getxattrat", 108, IOT_STRACE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "lchown", 84, IOT_STRACE_META_START, .path = 1 },
	{ "lgetxattr", 91, IOT_STRACE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "link", 75, IOT_STRACE_META_START, .path = 1, .path2 = 2 },
	{ "linkat", 76, IOT_STRACE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "listxattr", 96, IOT_STRACE_META_START, .path = 1, .arg = 3 },
	{ "listxattrat", 109, IOT_STRACE_META_START, .fd = 1, .path = 2, .arg = 5 },
	{ "llistxattr", 97, IOT_STRACE_META_START, .path = 1, .arg = 3 },
	{ "lremovexattr", 100, IOT_STRACE_META_START, .path = 1, .path2 = 2 },
	{ "lsetxattr", 94, IOT_STRACE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "lstat", 51, IOT_STRACE_META_START, .path = 1 },
	{ "lstat64", 51, IOT_STRACE_META_START, .path = 1 },
	{ "mkdir", 70, IOT_STRACE_META_START, .path = 1 },
	{ "mkdirat", 71, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "mknod", 73, IOT_STRACE_META_START, .path = 1, .arg = 3 },
	{ "mknodat", 74, IOT_STRACE_META_START, .fd = 1, .path = 2, .arg = 4 },
	{ "mmap", 28, IOT_STRACE_MMAP_START, .fd = 5, .len = 2, .pos = 6 },
	{ "mmap2", 28, IOT_STRACE_MMAP_START, .fd = 5, .len = 2, .pos = 6 },
	{ "msync", 25, IOT_STRACE_SYNC_START, .len = 2 },
	{ "name_to_handle_at", 106, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "newfstatat", 53, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "open", 40, IOT_STRACE_OPEN_START, .path = 1, .flags = 2, .mode = 3 },
	{ "open_by_handle_at", 44, IOT_STRACE_OPEN_START, .fd = 1, .flags = 3 },
	{ "openat", 41, IOT_STRACE_OPEN_START, .fd = 1, .path = 2, .flags = 3, .mode = 4 },
	{ "openat2", 42, IOT_STRACE_OPEN_START, .fd = 1, .path = 2, .how = 3 },
	{ "pread64", 2, IOT_STRACE_READ_START, .fd = 1, .len = 3, .pos = 4 },
	{ "preadv", 4, IOT_STRACE_READ_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "preadv2", 5, IOT_STRACE_READ_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "pwrite64", 7, IOT_STRACE_WRITE_START, .fd = 1, .len = 3, .pos = 4 },
	{ "pwritev", 9, IOT_STRACE_WRITE_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "pwritev2", 10, IOT_STRACE_WRITE_START, .fd = 1, .iov = 2, .pos = 4 },
	{ "read", 1, IOT_STRACE_READ_START, .fd = 1, .len = 3 },
	{ "readlink", 62, IOT_STRACE_META_START, .path = 1, .arg = 3 },
	{ "readlinkat", 63, IOT_STRACE_META_START, .fd = 1, .path = 2, .arg = 4 },
	{ "readv", 3, IOT_STRACE_READ_START, .fd = 1, .iov = 2 },
	{ "removexattr", 99, IOT_STRACE_META_START, .path = 1, .path2 = 2 },
	{ "removexattrat", 110, IOT_STRACE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "rename", 65, IOT_STRACE_META_START, .path = 1, .path2 = 2 },
	{ "renameat", 66, IOT_STRACE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "renameat2", 67, IOT_STRACE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "rmdir", 72, IOT_STRACE_META_START, .path = 1 },
	{ "sendfile", 11, IOT_STRACE_READ_START, .fd = 2, .fd2 = 1, .len = 4, .pos = 3 },
	{ "sendfile64", 11, IOT_STRACE_READ_START, .fd = 2, .fd2 = 1, .len = 4, .pos = 3 },
	{ "setxattr", 93, IOT_STRACE_META_START, .path = 1, .path2 = 2, .arg = 4 },
	{ "setxattrat", 107, IOT_STRACE_META_START, .fd = 1, .path = 2, .path2 = 4 },
	{ "splice", 12, IOT_STRACE_READ_START, .fd = 1, .fd2 = 3, .len = 5, .pos = 2, .pos2 = 4 },
	{ "stat", 50, IOT_STRACE_META_START, .path = 1 },
	{ "stat64", 50, IOT_STRACE_META_START, .path = 1 },
	{ "statfs", 58, IOT_STRACE_META_START, .path = 1 },
	{ "statx", 54, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "symlink", 77, IOT_STRACE_META_START, .path = 1, .path2 = 2 },
	{ "symlinkat", 78, IOT_STRACE_META_START, .fd = 2, .path = 1, .path2 = 3 },
	{ "sync", 24, IOT_STRACE_SYNC_START, .fd = 0 },
	{ "sync_file_range", 22, IOT_STRACE_SYNC_START, .fd = 1, .len = 3, .pos = 2 },
	{ "syncfs", 23, IOT_STRACE_SYNC_START, .fd = 1 },
	{ "truncate", 64, IOT_STRACE_META_START, .path = 1, .arg = 2 },
	{ "truncate64", 64, IOT_STRACE_META_START, .path = 1, .arg = 2 },
	{ "unlink", 68, IOT_STRACE_META_START, .path = 1 },
	{ "unlinkat", 69, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "utime", 86, IOT_STRACE_META_START, .path = 1 },
	{ "utimensat", 89, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "utimensat_time64", 89, IOT_STRACE_META_START, .fd = 1, .path = 2 },
	{ "utimes", 87, IOT_STRACE_META_START, .path = 1 },
	{ "write", 6, IOT_STRACE_WRITE_START, .fd = 1, .len = 3 },
	{ "writev", 8, IOT_STRACE_WRITE_START, .fd = 1, .iov = 2 },
};
/* clang-format on */

gboolean iot_strace_call_is_sorted(void)
{
	for (guint i = 1; i < G_N_ELEMENTS(calls); i++)
		if (strcmp(calls[i - 1].name, calls[i].name) >= 0)
			return FALSE;
	return TRUE;
}

static const struct call *find_call(struct iot_strace_text name)
{
	guint low = 0, high = G_N_ELEMENTS(calls);

	while (low < high) {
		guint middle = (low + high) / 2;
		const char *other = calls[middle].name;
		int order = strncmp(name.text, other, name.len);

		if (!order && !other[name.len])
			return &calls[middle];
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* ---- files */

/* The inode number of a descriptor's file, 0 if it is not known; a file that is named for the first
 * time is told to models. */
static gint64 file_of(struct iot_strace_files *files, struct iot_strace_text arg,
		      struct iot_strace_call *out)
{
	struct iot_strace_rec *file;
	guint32 number;

	if (!iot_strace_files_find(files, arg)) {
		out->unnamed = TRUE;
		return 0;
	}
	number = iot_strace_files_number(files);
	if (out->n_files < G_N_ELEMENTS(out->file) &&
	    g_hash_table_add(files->named, GUINT_TO_POINTER(number))) {
		file = &out->file[out->n_files++];
		*file = (struct iot_strace_rec){ .event = IOT_STRACE_FILE };
		file->field[IOT_STRACE_INO] = iot_strace_files_inode(files);
		file->field[IOT_STRACE_PATH] = number;
	}
	return iot_strace_files_inode(files);
}

/* ---- arguments */

/* Of one call. */
struct args {
	struct iot_strace_files *files;
	const struct call *call;
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	guint n;
};

static struct iot_strace_text arg_at(const struct args *args, guint number)
{
	return number && number <= args->n ? args->arg[number - 1]
					   : (struct iot_strace_text){ NULL, 0 };
}

/* A number, also in brackets: "[128] => [256]" is a position that a pointer names. */
static gint64 number_at(const struct args *args, guint number, gint64 unknown)
{
	struct iot_strace_text arg = arg_at(args, number);
	gint64 n;

	if (arg.len && *arg.text == '[') {
		arg.text++;
		arg.len--;
	}
	return arg.text && iot_strace_int(arg, &n) ? n : unknown;
}

static gint64 descriptor_at(const struct args *args, guint number)
{
	struct iot_strace_text arg = arg_at(args, number);

	if (arg.text && g_str_has_prefix(arg.text, "AT_FDCWD"))
		return -100;
	return number_at(args, number, -1);
}

/* The sum of the lengths of buffers; strace leaves out those after the 32nd. */
static gint64 buffers_at(const struct args *args, guint number)
{
	struct iot_strace_text arg = arg_at(args, number), length;
	gint64 sum = 0, n;
	gsize from = 0;

	if (!arg.text || arg.len < 2 || *arg.text != '[' || arg.text[arg.len - 1] != ']' ||
	    (arg.len > 4 && !memcmp(arg.text + arg.len - 4, "...]", 4)))
		return -1;
	while ((length = iot_strace_member(arg, "iov_len", &from)).text)
		if (iot_strace_int(length, &n))
			sum += n;
	return sum;
}

/* A path of the call, below its directory if the log names that. */
static guint32 path_at(const struct args *args, guint number, guint directory)
{
	static const struct iot_strace_text here = { "AT_FDCWD", 8 };
	struct iot_strace_text arg = arg_at(args, number);
	GString *path = args->files->path;
	gsize n;

	g_string_truncate(path, 0);
	if (!arg.text || arg.len < 3 || *arg.text != '"')
		return 0;
	if (arg.text[1] != '/' &&
	    iot_strace_files_find(args->files, directory && arg_at(args, directory).text
						       ? arg_at(args, directory)
						       : here))
		g_string_append_c(path, '/');
	n = path->len;
	if (!iot_strace_string(arg, path) || path->len == n)
		return 0;
	return iot_strace_files_number(args->files);
}

static const struct {
	const char *name;
	gint64 bits;
} words[] = {
	{ "O_WRONLY", 0x1 },	    { "O_RDWR", 0x2 },	       { "O_CREAT", 0x40 },
	{ "O_EXCL", 0x80 },	    { "O_NOCTTY", 0x100 },     { "O_TRUNC", 0x200 },
	{ "O_APPEND", 0x400 },	    { "O_NONBLOCK", 0x800 },   { "O_DSYNC", 0x1000 },
	{ "FASYNC", 0x2000 },	    { "O_DIRECT", 0x4000 },    { "O_LARGEFILE", 0x8000 },
	{ "O_DIRECTORY", 0x10000 }, { "O_NOFOLLOW", 0x20000 }, { "O_NOATIME", 0x40000 },
	{ "O_CLOEXEC", 0x80000 },   { "O_SYNC", 0x101000 },    { "O_PATH", 0x200000 },
	{ "O_TMPFILE", 0x410000 },
};

/* "O_WRONLY|O_CREAT" as events/models/fileio.model knows the bits. */
static gint64 open_flags(struct iot_strace_text arg)
{
	gint64 bits = 0;

	for (gsize at = 0; at < arg.len;) {
		const char *bar = memchr(arg.text + at, '|', arg.len - at);
		struct iot_strace_text word = { arg.text + at,
						bar ? (gsize)(bar - arg.text) - at : arg.len - at };

		for (guint i = 0; i < G_N_ELEMENTS(words); i++)
			if (iot_strace_is(word, words[i].name))
				bits |= words[i].bits;
		at += word.len + 1;
	}
	return bits;
}

static gboolean has_word(struct iot_strace_text arg, const char *word)
{
	return arg.text && memmem(arg.text, arg.len, word, strlen(word));
}

/* flock: LOCK_SH, LOCK_EX, LOCK_UN, with LOCK_NB */
static void fill_flock(const struct args *args, gint64 *field)
{
	struct iot_strace_text how = arg_at(args, 2);

	field[IOT_STRACE_TYPE] = has_word(how, "LOCK_UN")   ? 2
				 : has_word(how, "LOCK_EX") ? 1
				 : has_word(how, "LOCK_SH") ? 0
							    : 3;
	field[IOT_STRACE_WAIT] = field[IOT_STRACE_TYPE] < 2 && !has_word(how, "LOCK_NB");
}

/* fcntl: "F_SETLKW, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=0, l_len=10}"; FALSE: no lock */
static gboolean fill_lock(const struct args *args, gint64 *field)
{
	static const char *const commands[] = { "F_GETLK",     "F_SETLK",     "F_SETLKW",
						"F_OFD_GETLK", "F_OFD_SETLK", "F_OFD_SETLKW" };
	struct iot_strace_text command = arg_at(args, 2), lock = arg_at(args, 3), member;
	gsize from = 0;
	guint i = 0;

	if (command.len > 2 && command.text[command.len - 2] == '6')
		command.len -= 2; /* F_SETLK64 */
	while (i < G_N_ELEMENTS(commands) && !(command.text && iot_strace_is(command, commands[i])))
		i++;
	if (i == G_N_ELEMENTS(commands))
		return FALSE;
	field[IOT_STRACE_OP] = args->call->op - 1 + (gint64)i;
	field[IOT_STRACE_WAIT] = i % 3 == 2;
	field[IOT_STRACE_TYPE] = 3;
	if (!lock.text)
		return TRUE;
	member = iot_strace_member(lock, "l_type", &from);
	if (member.text)
		field[IOT_STRACE_TYPE] = has_word(member, "F_RDLCK")   ? 0
					 : has_word(member, "F_WRLCK") ? 1
					 : has_word(member, "F_UNLCK") ? 2
								       : 3;
	member = iot_strace_member(lock, "l_whence", &from);
	if (member.text)
		field[IOT_STRACE_WHENCE] = has_word(member, "SEEK_CUR")	  ? 1
					   : has_word(member, "SEEK_END") ? 2
									  : 0;
	member = iot_strace_member(lock, "l_start", &from);
	if (member.text)
		iot_strace_int(member, &field[IOT_STRACE_START]);
	member = iot_strace_member(lock, "l_len", &from);
	field[IOT_STRACE_LEN] = 0;
	if (member.text)
		iot_strace_int(member, &field[IOT_STRACE_LEN]);
	return TRUE;
}

/* ---- results */

static gint64 errno_of(struct iot_strace_text name)
{
	for (int i = 1; i < 134; i++) {
		const char *known = strerrorname_np(i);

		if (known && iot_strace_is(name, known))
			return -i;
	}
	return -1;
}

/* "832", "-1 ENOENT (No such file or directory)", "? ERESTARTSYS (To be restarted...)" */
static gint64 result_of(struct iot_strace_text result)
{
	const char *blank = memchr(result.text, ' ', result.len);
	struct iot_strace_text name;
	gint64 n;

	if (*result.text != '?' && iot_strace_int(result, &n) && n != -1)
		return n;
	if (!blank)
		return *result.text == '?' ? 0 : -1;
	name.text = blank + 1;
	name.len = 0;
	while (name.text + name.len < result.text + result.len && name.text[name.len] != ' ')
		name.len++;
	/* a call that a signal interrupted */
	return *result.text == '?' ? -EINTR : errno_of(name);
}

static void fill_end(struct iot_strace_files *files, const struct iot_strace_line *line,
		     struct iot_strace_call *out)
{
	for (guint i = 0; i < out->n; i++) {
		gint64 *field = out->end[i].field;

		field[IOT_STRACE_POS] = -1;
		field[IOT_STRACE_RET] = result_of(line->result);
		if (out->end[i].event == IOT_STRACE_OPEN_END && field[IOT_STRACE_RET] >= 0) {
			if (!files->names)
				iot_strace_fds_open(files->fds, files->tgid, field[IOT_STRACE_RET],
						    out->opens, out->closes);
			field[IOT_STRACE_INO] = file_of(files, line->result, out);
			field[IOT_STRACE_PATH] =
				field[IOT_STRACE_INO] ? iot_strace_files_number(files) : 0;
		}
	}
}

static struct iot_strace_rec *add_pair(struct iot_strace_call *out, guint start)
{
	guint i = out->n++;

	out->start[i] = (struct iot_strace_rec){ .event = start };
	out->end[i] = (struct iot_strace_rec){ .event = start + 1 };
	return &out->start[i];
}

static void fill_file(const struct args *args, guint fd, guint pos, struct iot_strace_call *out,
		      gint64 *field)
{
	const struct call *call = args->call;
	struct iot_strace_text arg = arg_at(args, fd);

	field[IOT_STRACE_OP] = call->op;
	field[IOT_STRACE_FD] = call->path && !fd ? -100 : descriptor_at(args, fd);
	if (arg.text && (!call->path || call->fd2))
		field[IOT_STRACE_INO] = file_of(args->files, arg, out);
	field[IOT_STRACE_POS] = number_at(args, pos, -1);
	field[IOT_STRACE_LEN] = call->iov   ? buffers_at(args, call->iov)
				: call->len ? number_at(args, call->len, -1)
					    : 0;
}

/* What a log without names of files opens: only a whole path says which file it is. */
static void fill_opens(const struct args *args, const gint64 *field, struct iot_strace_call *out)
{
	guint32 number = (guint32)field[IOT_STRACE_PATH];

	if (args->files->names || args->call->start != IOT_STRACE_OPEN_START)
		return;
	out->closes = (field[IOT_STRACE_FLAGS] & 0x80000) != 0;
	if (number && *iot_intern_get(args->files->strings, number, NULL) == '/')
		out->opens = number;
}

gboolean iot_strace_call_make(struct iot_strace_files *files, const struct iot_strace_line *line,
			      gint32 tgid, struct iot_strace_call *out)
{
	struct args args = { .files = files, .call = find_call(line->name) };
	const struct call *call = args.call;
	gint64 *field;

	out->n = out->n_files = 0;
	out->unnamed = out->closes = FALSE;
	out->opens = 0;
	files->tgid = tgid;
	if (!call)
		return FALSE;
	args.n = iot_strace_split(line->args, args.arg);
	if (call->start == IOT_STRACE_MMAP_START && descriptor_at(&args, call->fd) < 0)
		return FALSE;
	field = add_pair(out, call->start)->field;
	fill_file(&args, call->fd, call->pos, out, field);
	if (call->start == IOT_STRACE_LOCK_START) {
		if (call->op == 32 && !fill_lock(&args, field)) {
			out->n = 0;
			return FALSE;
		}
		if (call->op == 37)
			fill_flock(&args, field);
	}
	if (call->path) {
		field[IOT_STRACE_PATH] =
			path_at(&args, call->path, call->fd < call->path ? call->fd : 0);
		field[IOT_STRACE_PATH2] = path_at(
			&args, call->path2, call->path2 > call->path + 1 ? call->path2 - 1 : 0);
		if (!field[IOT_STRACE_PATH] && call->fd && descriptor_at(&args, call->fd) >= 0)
			field[IOT_STRACE_INO] = file_of(files, arg_at(&args, call->fd), out);
	}
	field[IOT_STRACE_ARG] = call->arg ? number_at(&args, call->arg, 0) : 0;
	field[IOT_STRACE_MODE] = call->mode ? number_at(&args, call->mode, 0) : 0;
	if (call->how) {
		gsize from = 0;

		field[IOT_STRACE_FLAGS] =
			open_flags(iot_strace_member(arg_at(&args, call->how), "flags", &from));
	} else if (call->flags) {
		field[IOT_STRACE_FLAGS] = open_flags(arg_at(&args, call->flags));
	}
	fill_opens(&args, field, out);
	if (call->fd2)
		fill_file(&args, call->fd2, call->pos2, out,
			  add_pair(out, IOT_STRACE_WRITE_START)->field);
	if (line->kind == IOT_STRACE_CALL)
		fill_end(files, line, out);
	return TRUE;
}

void iot_strace_call_end(struct iot_strace_files *files, const struct iot_strace_line *line,
			 gint32 tgid, struct iot_strace_call *out)
{
	files->tgid = tgid;
	out->n_files = 0;
	out->unnamed = FALSE;
	fill_end(files, line, out);
}
