/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "input/preload/preload-calls.h"
#include "events/iotrace-ops.h"

/* As close_range(2) and flock(2) have them; types of files are st_mode >> 12. */
enum { ONLY_CLOSES_ON_EXEC = 1 << 2, REGULAR = S_IFREG >> 12, BLOCK = S_IFBLK >> 12 };

static const char *const stdio_names[] = {
#define NAME(name, text) text,
	IOTRACE_STDIO_OPS(NAME)
#undef NAME
};

void iot_preload_calls_init(struct iot_preload_calls *calls, struct iot_intern *strings)
{
	*calls = (struct iot_preload_calls){ .strings = strings };
	calls->descriptors = iot_descriptors_new();
	calls->names = g_hash_table_new(NULL, NULL);
}

void iot_preload_calls_clear(struct iot_preload_calls *calls)
{
	iot_descriptors_free(calls->descriptors);
	g_clear_pointer(&calls->names, g_hash_table_unref);
}

void iot_preload_calls_lose(struct iot_preload_calls *calls)
{
	iot_descriptors_free(calls->descriptors);
	calls->descriptors = iot_descriptors_new();
	calls->unsure = TRUE;
}

/* ---- files */

/* A device as the kernel's events have it. */
static gint64 device_of(gint64 dev)
{
	return (gint64)major((dev_t)dev) << 20 | (gint64)minor((dev_t)dev);
}

static const struct iot_open_file *file_of(const struct iot_preload_calls *calls, gint32 tgid,
					   gint64 fd)
{
	return calls->unsure ? NULL : iot_descriptors_file(calls->descriptors, tgid, fd);
}

/* A path below its directory, if that is known. */
static guint32 resolve(struct iot_preload_calls *calls, gint32 tgid, gint64 directory,
		       const char *text)
{
	guint32 number = !text || *text == '/' || calls->unsure
				 ? 0
				 : iot_descriptors_path(calls->descriptors, tgid, directory);
	g_autofree char *path = NULL;

	if (!text || !*text)
		return 0;
	if (number && !strcmp(text, "."))
		return number;
	if (!number)
		return iot_intern_str(calls->strings, text);
	if (g_str_has_prefix(text, "./") && text[2])
		text += 2;
	path = g_strdup_printf("%s/%s", iot_intern_get(calls->strings, number, NULL), text);
	return iot_intern_str(calls->strings, path);
}

/* The file that a record has opened, or begins with. */
static struct iot_open_file opened(const struct iotrace_preload_record *r, guint32 path)
{
	guint type = r->extra >> 16;

	return (struct iot_open_file){ .path = path,
				       .dev = device_of(r->len),
				       .ino = r->pos,
				       .appends = (r->flags & O_APPEND) != 0,
				       .unclear = type != REGULAR && type != BLOCK };
}

static void put_opened(struct iot_preload_calls *calls, const struct iot_preload_call *call,
		       gboolean unclear)
{
	const struct iotrace_preload_record *r = &call->record;
	struct iot_open_file file = opened(r, call->path);

	file.unclear |= unclear;
	if (!calls->unsure)
		iot_descriptors_open(calls->descriptors, r->tgid, r->ret, &file,
				     (r->flags & O_CLOEXEC) != 0);
}

/* ---- processes and threads */

static struct iot_made_rec *add(struct iot_preload_events *out, guint event)
{
	out->rec[out->n] = (struct iot_made_rec){ .event = event };
	return &out->rec[out->n++];
}

static void name_thread(struct iot_preload_calls *calls, gint32 tid, guint32 name,
			struct iot_preload_events *out)
{
	if (!name)
		return;
	g_hash_table_insert(calls->names, GINT_TO_POINTER(tid), GUINT_TO_POINTER(name));
	add(out, IOT_FILE_TASK)->field[IOT_FILE_COMM] = name;
}

static guint32 number_of(struct iot_preload_calls *calls, const char *text)
{
	return text && *text ? iot_intern_str(calls->strings, text) : 0;
}

static void inherit(struct iot_preload_calls *calls, const struct iot_preload_item *item,
		    struct iot_preload_events *out)
{
	const struct iotrace_preload_record *r = &item->record;
	struct iot_open_file file = opened(r, number_of(calls, item->text[0]));
	struct iot_made_rec *named;

	if (!calls->unsure)
		iot_descriptors_inherit(calls->descriptors, r->tgid, r->fd, &file,
					(r->flags & O_CLOEXEC) != 0);
	if (!item->text[0] || *item->text[0] != '/')
		return;
	named = add(out, IOT_FILE_FILE);
	named->field[IOT_FILE_INO] = file.ino;
	named->field[IOT_FILE_DEV] = file.dev;
	named->field[IOT_FILE_PATH] = file.path;
}

/* A record of a process, a thread or a descriptor. */
static void begin_other(struct iot_preload_calls *calls, const struct iot_preload_item *item,
			struct iot_preload_events *out)
{
	const struct iotrace_preload_record *r = &item->record;
	struct iot_descriptors *all = calls->descriptors;
	gint32 maker = (gint32)r->ret;

	switch (item->kind) {
	case IOTRACE_PRELOAD_START:
		iot_descriptors_start(all, r->tgid);
		iot_descriptors_set_directory(all, r->tgid, number_of(calls, item->text[1]));
		name_thread(calls, r->tid, number_of(calls, item->text[0]), out);
		break;
	case IOTRACE_PRELOAD_THREAD:
		iot_descriptors_share(all, r->tgid);
		name_thread(calls, r->tid, number_of(calls, item->text[0]), out);
		break;
	case IOTRACE_PRELOAD_FD:
		inherit(calls, item, out);
		break;
	case IOTRACE_PRELOAD_FORK:
		iot_descriptors_fork_begin(all, r->tgid, r->tid, FALSE);
		break;
	case IOTRACE_PRELOAD_CHILD:
		iot_descriptors_exit(all, r->tgid); /* its number may have been another's */
		iot_descriptors_fork(all, r->tgid, maker, maker);
		name_thread(
			calls, r->tid,
			GPOINTER_TO_UINT(g_hash_table_lookup(calls->names, GINT_TO_POINTER(maker))),
			out);
		break;
	default:
		break;
	}
}

/* ---- calls begin */

/* The event by which a call starts; IOT_FILE_EVENTS: it is none that is known. */
static guint event_of(guint kind, guint op)
{
	if (kind == IOTRACE_PRELOAD_WRITES)
		return IOT_FILE_WRITE_START;
	if (op == IOTRACE_OP_CLOSE || op == IOTRACE_OP_CLOSE_RANGE)
		return IOT_FILE_CLOSE_START;
	if (op == IOTRACE_OP_MMAP)
		return IOT_FILE_MMAP_START;
	if ((op >= IOTRACE_OP_READ && op <= IOTRACE_OP_PREADV2) ||
	    (op >= IOTRACE_OP_SENDFILE && op <= IOTRACE_OP_COPY_FILE_RANGE))
		return IOT_FILE_READ_START;
	if (op >= IOTRACE_OP_WRITE && op <= IOTRACE_OP_PWRITEV2)
		return IOT_FILE_WRITE_START;
	if (op >= IOTRACE_OP_FSYNC && op <= IOTRACE_OP_MSYNC)
		return IOT_FILE_SYNC_START;
	if (op == IOTRACE_OP_FTRUNCATE || op == IOTRACE_OP_FALLOCATE)
		return IOT_FILE_TRUNCATE_START;
	if (op >= IOTRACE_OP_GETLK && op <= IOTRACE_OP_FLOCK)
		return IOT_FILE_LOCK_START;
	if (op >= IOTRACE_OP_OPEN && op <= IOTRACE_OP_OPEN_BY_HANDLE_AT)
		return IOT_FILE_OPEN_START;
	if (op >= IOTRACE_OP_STAT && op <= IOTRACE_OP_REMOVEXATTRAT)
		return IOT_FILE_META_START;
	return IOT_FILE_EVENTS;
}

static void fill_file(const struct iot_preload_calls *calls, const struct iot_preload_call *call,
		      gint64 *field)
{
	const struct iotrace_preload_record *r = &call->record;
	const struct iot_open_file *file = file_of(calls, r->tgid, r->fd);

	if (file) {
		field[IOT_FILE_INO] = file->ino;
		field[IOT_FILE_DEV] = file->dev;
	}
}

static void fill_by_path(struct iot_preload_calls *calls, struct iot_preload_call *call,
			 const struct iot_preload_item *item, gint64 *field)
{
	const struct iotrace_preload_record *r = &call->record;
	gboolean links = call->op == IOTRACE_OP_SYMLINK || call->op == IOTRACE_OP_SYMLINKAT;
	gboolean second = links || call->op == IOTRACE_OP_RENAME || call->op == IOTRACE_OP_LINK;

	/* the first path of a symbolic link is its content */
	call->path = links ? number_of(calls, item->text[0])
			   : resolve(calls, r->tgid, r->fd, item->text[0]);
	field[IOT_FILE_PATH] = call->path;
	field[IOT_FILE_PATH2] =
		second ? resolve(calls, r->tgid, links ? r->fd : AT_FDCWD, item->text[1])
		       : number_of(calls, item->text[1]);
	field[IOT_FILE_MODE] = r->extra & 0xffff;
	if (call->event == IOT_FILE_META_START)
		field[IOT_FILE_ARG] = r->len;
	if (!call->path)
		fill_file(calls, call, field);
}

static void fill_lock(const struct iot_preload_call *call, gint64 *field)
{
	const struct iotrace_preload_record *r = &call->record;

	field[IOT_FILE_START] = r->pos;
	field[IOT_FILE_LEN] = r->len;
	field[IOT_FILE_TYPE] = r->extra & 0xff;
	field[IOT_FILE_WAIT] = r->extra >> 8 & 1;
	field[IOT_FILE_WHENCE] = r->extra >> 16;
}

/* Of a call that has an effect on descriptors when it begins: others can get the number at once. */
static void close_at_begin(struct iot_preload_calls *calls, const struct iot_preload_call *call)
{
	const struct iotrace_preload_record *r = &call->record;

	if (call->kind == IOTRACE_PRELOAD_STDIO ? call->op == IOTRACE_STDIO_FCLOSE
						: call->op == IOTRACE_OP_CLOSE)
		iot_descriptors_close(calls->descriptors, r->tgid, r->fd, r->fd);
	else if (call->kind == IOTRACE_PRELOAD_CALL && call->op == IOTRACE_OP_CLOSE_RANGE &&
		 !r->ret && !(r->flags & ONLY_CLOSES_ON_EXEC))
		iot_descriptors_close(calls->descriptors, r->tgid, r->fd, r->pos);
}

static void begin_call(struct iot_preload_calls *calls, const struct iot_preload_item *item,
		       struct iot_preload_call *call, struct iot_preload_events *out)
{
	const struct iotrace_preload_record *r = &call->record;
	gint64 *field;

	call->event = event_of(call->kind, call->op);
	if (call->event == IOT_FILE_EVENTS)
		return;
	field = add(out, call->event)->field;
	field[IOT_FILE_ID] = call->id;
	field[IOT_FILE_FD] = r->fd;
	field[IOT_FILE_OP] = call->op;
	field[IOT_FILE_FLAGS] = r->flags;
	if (call->event == IOT_FILE_OPEN_START || call->event == IOT_FILE_META_START) {
		fill_by_path(calls, call, item, field);
		return;
	}
	fill_file(calls, call, field);
	if (call->event == IOT_FILE_LOCK_START) {
		fill_lock(call, field);
		return;
	}
	field[IOT_FILE_POS] = MAX(r->pos, -1);
	field[IOT_FILE_LEN] = r->len;
	if (r->pos == -1 &&
	    (call->event == IOT_FILE_READ_START || call->event == IOT_FILE_WRITE_START)) {
		/* where others may move it while the call lasts, its end tells */
		if (iot_descriptors_is_own(calls->descriptors, r->tgid, r->fd))
			field[IOT_FILE_POS] =
				iot_descriptors_position(calls->descriptors, r->tgid, r->fd,
							 call->event == IOT_FILE_WRITE_START);
		if (r->ret >= 0)
			call->moves =
				iot_descriptors_begin_move(calls->descriptors, r->tgid, r->fd);
	}
	close_at_begin(calls, call);
}

/* A call of the C library, inside which system calls are not seen. */
static void begin_stdio(struct iot_preload_calls *calls, const struct iot_preload_item *item,
			struct iot_preload_call *call, struct iot_preload_events *out)
{
	const struct iotrace_preload_record *r = &call->record;
	const struct iot_open_file *file = file_of(calls, r->tgid, r->fd);
	gint64 *field;

	if (call->op >= IOTRACE_STDIO_N)
		return;
	call->event = IOT_FILE_STDIO_START;
	call->path = item->text[0] ? resolve(calls, r->tgid, AT_FDCWD, item->text[0])
		     : file	   ? file->path
				   : 0;
	field = add(out, IOT_FILE_STDIO_START)->field;
	field[IOT_FILE_ID] = call->id;
	field[IOT_FILE_FD] = r->fd;
	field[IOT_FILE_PATH] = call->path;
	field[IOT_FILE_OPERATION] = iot_intern_str(calls->strings, stdio_names[call->op]);
	iot_descriptors_unclear(calls->descriptors, r->tgid, r->fd);
	close_at_begin(calls, call);
}

void iot_preload_call_begin(struct iot_preload_calls *calls, const struct iot_preload_item *item,
			    struct iot_preload_call *call, struct iot_preload_events *out)
{
	*call = (struct iot_preload_call){ .record = item->record,
					   .kind = item->kind,
					   .op = item->op,
					   .event = IOT_FILE_EVENTS,
					   .id = ++calls->n_calls };
	out->n = 0;
	switch (item->kind) {
	case IOTRACE_PRELOAD_CALL:
	case IOTRACE_PRELOAD_WRITES:
		begin_call(calls, item, call, out);
		break;
	case IOTRACE_PRELOAD_STDIO:
		begin_stdio(calls, item, call, out);
		break;
	case IOTRACE_PRELOAD_EFFECT:
		if (item->op == IOTRACE_EFFECT_SEEK)
			call->moves = iot_descriptors_begin_move(
				calls->descriptors, item->record.tgid, item->record.fd);
		break;
	default:
		begin_other(calls, item, out);
	}
}

/* ---- calls end */

static void end_effect(struct iot_preload_calls *calls, const struct iot_preload_call *call)
{
	const struct iotrace_preload_record *r = &call->record;
	struct iot_descriptors *all = calls->descriptors;
	gboolean closes = (r->flags & O_CLOEXEC) != 0;

	if (call->op == IOTRACE_EFFECT_SEEK && call->moves) {
		call->moves->unclear |= r->ret == -ESPIPE;
		iot_descriptors_end_move(call->moves, r->ret >= 0 ? r->ret : call->moves->position);
	}
	if (r->ret < 0 || calls->unsure)
		return;
	if (call->op == IOTRACE_EFFECT_DUP)
		iot_descriptors_dup(all, r->tgid, r->fd, r->ret, closes);
	else if (call->op == IOTRACE_EFFECT_SETFD)
		iot_descriptors_set_closes(all, r->tgid, r->fd, closes);
	else if (call->op == IOTRACE_EFFECT_SETFL)
		iot_descriptors_set_appends(all, r->tgid, r->fd, (r->flags & O_APPEND) != 0);
	else if (call->op == IOTRACE_EFFECT_NEW)
		iot_descriptors_close(all, r->tgid, r->ret, r->ret);
	else if (call->op == IOTRACE_EFFECT_PASS)
		iot_descriptors_pass(all, r->tgid);
}

/* Where a call without a position of its own has ended; -1: not known. */
static gint64 end_move(const struct iot_preload_call *call)
{
	struct iot_open_file *file = call->moves;
	gint64 ret = call->record.ret, reached = -1;
	gboolean writes = call->event == IOT_FILE_WRITE_START;

	if (!file)
		return -1;
	if (!file->unclear && file->position >= 0 && !(writes && file->appends))
		reached = file->position + ret;
	iot_descriptors_end_move(file, reached);
	return reached;
}

static void end_call(struct iot_preload_calls *calls, const struct iot_preload_call *call,
		     struct iot_preload_events *out)
{
	const struct iotrace_preload_record *r = &call->record;
	gint64 *field = add(out, call->event + 1)->field;

	field[IOT_FILE_ID] = call->id;
	field[IOT_FILE_RET] = r->ret;
	field[IOT_FILE_POS] = end_move(call);
	if (r->ret < 0)
		return;
	if (call->event == IOT_FILE_OPEN_START) {
		field[IOT_FILE_INO] = r->pos;
		field[IOT_FILE_DEV] = device_of(r->len);
		field[IOT_FILE_PATH] = call->path;
		put_opened(calls, call, FALSE);
	} else if (call->op == IOTRACE_OP_CHDIR && call->path) {
		iot_descriptors_set_directory(calls->descriptors, r->tgid, call->path);
	} else if (call->op == IOTRACE_OP_FCHDIR) {
		iot_descriptors_set_directory(
			calls->descriptors, r->tgid,
			iot_descriptors_path(calls->descriptors, r->tgid, r->fd));
	}
}

static void end_stdio(struct iot_preload_calls *calls, const struct iot_preload_call *call,
		      struct iot_preload_events *out)
{
	const struct iotrace_preload_record *r = &call->record;
	gint64 *field = add(out, IOT_FILE_STDIO_END)->field;

	field[IOT_FILE_ID] = call->id;
	field[IOT_FILE_RET] = r->ret;
	/* of those that open it is the device */
	field[IOT_FILE_LEN] = r->ret < 0 || call->op <= IOTRACE_STDIO_FDOPEN ? 0 : r->len;
	/* the C library reads and writes the file unseen */
	if (r->ret >= 0 && (call->op == IOTRACE_STDIO_FOPEN || call->op == IOTRACE_STDIO_FREOPEN))
		put_opened(calls, call, TRUE);
	else if (r->ret >= 0 && call->op == IOTRACE_STDIO_FDOPEN)
		iot_descriptors_unclear(calls->descriptors, r->tgid, r->ret);
}

void iot_preload_call_end(struct iot_preload_calls *calls, const struct iot_preload_call *call,
			  struct iot_preload_events *out)
{
	out->n = 0;
	if (call->kind == IOTRACE_PRELOAD_EFFECT)
		end_effect(calls, call);
	else if (call->event == IOT_FILE_STDIO_START)
		end_stdio(calls, call, out);
	else if (call->event != IOT_FILE_EVENTS)
		end_call(calls, call, out);
	else if (call->moves)
		iot_descriptors_end_move(call->moves, -1);
}
