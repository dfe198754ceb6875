/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "input/strace/strace-call.h"
#include "input/strace/strace-table.h"

/* ---- files */

/* The inode number of a descriptor's file, 0 if it is not known; a file that is named for the first
 * time is told to models. */
static gint64 file_of(struct iot_strace_files *files, struct iot_strace_text arg,
		      struct iot_strace_call *out)
{
	struct iot_made_rec *file;
	guint32 number;

	if (!iot_strace_files_find(files, arg)) {
		out->unnamed = TRUE;
		return 0;
	}
	number = iot_strace_files_number(files);
	if (out->n_files < G_N_ELEMENTS(out->file) &&
	    g_hash_table_add(files->named, GUINT_TO_POINTER(number))) {
		file = &out->file[out->n_files++];
		*file = (struct iot_made_rec){ .event = IOT_FILE_FILE };
		file->field[IOT_FILE_INO] = iot_strace_files_inode(files);
		file->field[IOT_FILE_PATH] = number;
	}
	return iot_strace_files_inode(files);
}

/* ---- arguments */

/* Of one call. */
struct args {
	struct iot_strace_files *files;
	const struct iot_strace_row *call;
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

/* flock: LOCK_SH, LOCK_EX, LOCK_UN, with LOCK_NB */
static void fill_flock(const struct args *args, gint64 *field)
{
	struct iot_strace_text how = arg_at(args, 2);

	field[IOT_FILE_TYPE] = iot_strace_has(how, "LOCK_UN")	? 2
			       : iot_strace_has(how, "LOCK_EX") ? 1
			       : iot_strace_has(how, "LOCK_SH") ? 0
								: 3;
	field[IOT_FILE_WAIT] = field[IOT_FILE_TYPE] < 2 && !iot_strace_has(how, "LOCK_NB");
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
	field[IOT_FILE_OP] = args->call->op - 1 + (gint64)i;
	field[IOT_FILE_WAIT] = i % 3 == 2;
	field[IOT_FILE_TYPE] = 3;
	if (!lock.text)
		return TRUE;
	member = iot_strace_member(lock, "l_type", &from);
	if (member.text)
		field[IOT_FILE_TYPE] = iot_strace_has(member, "F_RDLCK")   ? 0
				       : iot_strace_has(member, "F_WRLCK") ? 1
				       : iot_strace_has(member, "F_UNLCK") ? 2
									   : 3;
	member = iot_strace_member(lock, "l_whence", &from);
	if (member.text)
		field[IOT_FILE_WHENCE] = iot_strace_has(member, "SEEK_CUR")   ? 1
					 : iot_strace_has(member, "SEEK_END") ? 2
									      : 0;
	member = iot_strace_member(lock, "l_start", &from);
	if (member.text)
		iot_strace_int(member, &field[IOT_FILE_START]);
	member = iot_strace_member(lock, "l_len", &from);
	field[IOT_FILE_LEN] = 0;
	if (member.text)
		iot_strace_int(member, &field[IOT_FILE_LEN]);
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

/* Where a call without a position of its own read or wrote, and where the next one will. Of two
 * calls at one time on one position the log does not say which came first. */
static void fill_position(struct iot_strace_files *files, gboolean parted, guint pair,
			  struct iot_strace_call *out)
{
	gint64 *start = out->start[pair].field, *end = out->end[pair].field;
	gint64 fd = start[IOT_FILE_FD], at;
	gboolean writes = out->end[pair].event == IOT_FILE_WRITE_END;

	if (end[IOT_FILE_RET] < 0)
		return;
	if (parted)
		iot_descriptors_parted(files->fds, files->tgid, fd);
	at = iot_descriptors_position(files->fds, files->tgid, fd, writes);
	if (at >= 0) {
		start[IOT_FILE_POS] = at;
		end[IOT_FILE_POS] = at + end[IOT_FILE_RET];
	}
	iot_descriptors_move(files->fds, files->tgid, fd, end[IOT_FILE_POS]);
}

static void fill_end(struct iot_strace_files *files, const struct iot_strace_line *line,
		     struct iot_strace_call *out)
{
	/* in one of several logs (-ff) every call may overlap those of others */
	gboolean parted = line->parted || line->kind == IOT_STRACE_RESUMED || line->pid < 0;

	for (guint i = 0; i < out->n; i++) {
		gint64 *field = out->end[i].field;

		field[IOT_FILE_POS] = -1;
		field[IOT_FILE_RET] = result_of(line->result);
		if (out->moves[i])
			fill_position(files, parted, i, out);
		if (out->end[i].event == IOT_FILE_OPEN_END && field[IOT_FILE_RET] >= 0) {
			iot_strace_fds_open(files->fds, files->strings, files->tgid,
					    field[IOT_FILE_RET], out->opens, out->closes,
					    out->appends);
			field[IOT_FILE_INO] = file_of(files, line->result, out);
			field[IOT_FILE_PATH] =
				field[IOT_FILE_INO] ? iot_strace_files_number(files) : 0;
		}
	}
}

static struct iot_made_rec *add_pair(struct iot_strace_call *out, guint start)
{
	guint i = out->n++;

	out->moves[i] = FALSE;
	out->start[i] = (struct iot_made_rec){ .event = start };
	out->end[i] = (struct iot_made_rec){ .event = start + 1 };
	return &out->start[i];
}

static void fill_file(const struct args *args, guint fd, guint pos, struct iot_strace_call *out,
		      gint64 *field)
{
	const struct iot_strace_row *call = args->call;
	struct iot_strace_text arg = arg_at(args, fd);

	field[IOT_FILE_OP] = call->op;
	field[IOT_FILE_FD] = call->path && !fd ? -100 : descriptor_at(args, fd);
	if (arg.text && (!call->path || call->fd2))
		field[IOT_FILE_INO] = file_of(args->files, arg, out);
	field[IOT_FILE_POS] = number_at(args, pos, -1);
	/* reads and writes at no position, or at NULL, or -1 of preadv2 */
	out->moves[out->n - 1] =
		field[IOT_FILE_POS] == -1 && (out->start[out->n - 1].event == IOT_FILE_READ_START ||
					      out->start[out->n - 1].event == IOT_FILE_WRITE_START);
	if (call->name[0] == 'p' && iot_strace_has(arg_at(args, args->n), "RWF_APPEND")) {
		iot_descriptors_move(args->files->fds, args->files->tgid, field[IOT_FILE_FD], -1);
		out->moves[out->n - 1] = FALSE;
	}
	field[IOT_FILE_LEN] = call->iov	  ? buffers_at(args, call->iov)
			      : call->len ? number_at(args, call->len, -1)
					  : 0;
}

/* What a log without names of files opens: only a whole path says which file it is. */
static void fill_opens(const struct args *args, const gint64 *field, struct iot_strace_call *out)
{
	guint32 number = (guint32)field[IOT_FILE_PATH];

	if (args->call->start != IOT_FILE_OPEN_START)
		return;
	out->closes = (field[IOT_FILE_FLAGS] & 0x80000) != 0;
	out->appends = (field[IOT_FILE_FLAGS] & 0x400) != 0;
	if (number && *iot_intern_get(args->files->strings, number, NULL) == '/')
		out->opens = number;
}

gboolean iot_strace_call_make(struct iot_strace_files *files, const struct iot_strace_line *line,
			      gint32 tgid, struct iot_strace_call *out)
{
	struct args args = { .files = files, .call = iot_strace_find_row(line->name) };
	const struct iot_strace_row *call = args.call;
	gint64 *field;

	out->n = out->n_files = 0;
	out->unnamed = out->closes = out->appends = FALSE;
	out->opens = 0;
	files->tgid = tgid;
	if (!call)
		return FALSE;
	args.n = iot_strace_split(line->args, args.arg);
	if (call->start == IOT_FILE_MMAP_START && descriptor_at(&args, call->fd) < 0)
		return FALSE;
	field = add_pair(out, call->start)->field;
	fill_file(&args, call->fd, call->pos, out, field);
	if (call->start == IOT_FILE_LOCK_START) {
		if (call->op == 32 && !fill_lock(&args, field)) {
			out->n = 0;
			return FALSE;
		}
		if (call->op == 37)
			fill_flock(&args, field);
	}
	if (call->path) {
		field[IOT_FILE_PATH] =
			path_at(&args, call->path, call->fd < call->path ? call->fd : 0);
		field[IOT_FILE_PATH2] = path_at(&args, call->path2,
						call->path2 > call->path + 1 ? call->path2 - 1 : 0);
		if (!field[IOT_FILE_PATH] && call->fd && descriptor_at(&args, call->fd) >= 0)
			field[IOT_FILE_INO] = file_of(files, arg_at(&args, call->fd), out);
	}
	field[IOT_FILE_ARG] = call->arg ? number_at(&args, call->arg, 0) : 0;
	field[IOT_FILE_MODE] = call->mode ? number_at(&args, call->mode, 0) : 0;
	if (call->how) {
		gsize from = 0;

		field[IOT_FILE_FLAGS] =
			open_flags(iot_strace_member(arg_at(&args, call->how), "flags", &from));
	} else if (call->flags) {
		field[IOT_FILE_FLAGS] = open_flags(arg_at(&args, call->flags));
	}
	fill_opens(&args, field, out);
	if (call->fd2)
		fill_file(&args, call->fd2, call->pos2, out,
			  add_pair(out, IOT_FILE_WRITE_START)->field);
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
