/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/strace/strace-streams.h"

/* What one end of a connection sends, or receives. */
struct iot_strace_direction {
	guint32 from, to; /* numbers of addresses */
	gint64 scope;	  /* the machine, if the addresses are its own only; else 0 */
	guint64 bytes;
	guint open;	 /* calls that have begun */
	gboolean unsure; /* the number of bytes is not known any more */
};

struct iot_strace_streams {
	struct iot_intern *strings;
	gint64 machine;
	/* "local->remote" or "local<-remote" -> struct iot_strace_direction */
	GHashTable *directions;
	GHashTable *connecting; /* process << 32 | descriptor, of gint64 */
	GString *local, *remote, *key;
};

struct iot_strace_streams *iot_strace_streams_new(struct iot_intern *strings, guint64 machine)
{
	struct iot_strace_streams *streams = g_new0(struct iot_strace_streams, 1);

	streams->strings = strings;
	streams->machine = (gint64)(machine >> 1 | 1);
	streams->directions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	streams->connecting = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	streams->local = g_string_new(NULL);
	streams->remote = g_string_new(NULL);
	streams->key = g_string_new(NULL);
	return streams;
}

void iot_strace_streams_free(struct iot_strace_streams *streams)
{
	if (!streams)
		return;
	g_hash_table_unref(streams->directions);
	g_hash_table_unref(streams->connecting);
	g_string_free(streams->local, TRUE);
	g_string_free(streams->remote, TRUE);
	g_string_free(streams->key, TRUE);
	g_free(streams);
}

gboolean iot_strace_streams_hidden(const struct iot_strace_line *line)
{
	return iot_strace_is(line->name, "io_uring_setup") ||
	       iot_strace_is(line->name, "pidfd_getfd") ||
	       ((iot_strace_is(line->name, "sendmsg") || iot_strace_is(line->name, "recvmsg")) &&
		iot_strace_has(line->args, "SCM_RIGHTS"));
}

/* "10.0.0.1:5", also of "[::ffff:10.0.0.1]:5" */
static void take_address(GString *out, const char *text, gsize len)
{
	static const char mapped[] = "[::ffff:";
	gsize n = strlen(mapped);
	const char *close = memchr(text, ']', len);

	g_string_truncate(out, 0);
	if (len > n && !memcmp(text, mapped, n) && close && memchr(text, '.', len)) {
		g_string_append_len(out, text + n, close - text - (gssize)n);
		g_string_append_len(out, close + 1, text + len - close - 1);
	} else {
		g_string_append_len(out, text, (gssize)len);
	}
}

/* "3<TCP:[10.0.0.1:5->10.0.0.2:80]>": both addresses; FALSE: it is no connection of TCP */
static gboolean take_addresses(struct iot_strace_streams *streams, struct iot_strace_text arg)
{
	struct iot_strace_text path = iot_strace_path(arg);
	const char *open = path.text ? memchr(path.text, '[', path.len) : NULL, *arrow;

	if (!open || path.text[path.len - 1] != ']' ||
	    (memcmp(path.text, "TCP:", 4) && memcmp(path.text, "TCPv6:", 6)))
		return FALSE;
	open++;
	arrow = memmem(open, (gsize)(path.text + path.len - open), "->", 2);
	if (!arrow)
		return FALSE;
	take_address(streams->local, open, (gsize)(arrow - open));
	take_address(streams->remote, arrow + 2, (gsize)(path.text + path.len - 1 - arrow - 2));
	return TRUE;
}

static gboolean is_loopback(const GString *address)
{
	return g_str_has_prefix(address->str, "127.") || g_str_has_prefix(address->str, "[::1]");
}

static const char *key_of(struct iot_strace_streams *streams, gboolean sends)
{
	g_string_printf(streams->key, "%s%s%s", streams->local->str, sends ? "->" : "<-",
			streams->remote->str);
	return streams->key->str;
}

/* A connection is new: nothing was sent before, even if the addresses are used again. */
static void add_connection(struct iot_strace_streams *streams)
{
	guint32 local = iot_intern_str(streams->strings, streams->local->str);
	guint32 remote = iot_intern_str(streams->strings, streams->remote->str);

	for (guint sends = 0; sends < 2; sends++) {
		const char *key = key_of(streams, sends != 0);
		struct iot_strace_direction *known = g_hash_table_lookup(streams->directions, key);
		struct iot_strace_direction new = {
			.from = sends ? local : remote,
			.to = sends ? remote : local,
			.scope = is_loopback(streams->local) || is_loopback(streams->remote)
					 ? streams->machine
					 : 0,
		};

		/* bytes of two connections with the same addresses would have the same numbers */
		if (known)
			known->unsure = TRUE;
		else
			g_hash_table_insert(streams->directions, g_strdup(key),
					    g_memdup2(&new, sizeof(new)));
	}
}

static void set_connecting(struct iot_strace_streams *streams, gint32 tgid, gint64 fd, gboolean on)
{
	gint64 key = (gint64)tgid << 32 | (fd & G_MAXUINT32);

	if (on)
		g_hash_table_add(streams->connecting, g_memdup2(&key, sizeof(key)));
	else
		g_hash_table_remove(streams->connecting, &key);
}

void iot_strace_streams_follow(struct iot_strace_streams *streams,
			       const struct iot_strace_line *line, gint32 tgid)
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	gint64 fd = -1, result = -1;
	gboolean parted = line->kind == IOT_STRACE_UNFINISHED;

	/* accept, connect, close, dup; most lines are not of sockets */
	if (!line->name.len || !strchr("acd", *line->name.text) ||
	    (!parted && !iot_strace_int(line->result, &result)))
		return;
	if (iot_strace_is(line->name, "accept") || iot_strace_is(line->name, "accept4")) {
		if (result >= 0 && take_addresses(streams, line->result))
			add_connection(streams);
	} else if (iot_strace_is(line->name, "connect") || iot_strace_is(line->name, "close")) {
		/* if it fails in its second part, the descriptor is closed */
		if (line->kind != IOT_STRACE_RESUMED && iot_strace_split(line->args, arg) &&
		    iot_strace_int(arg[0], &fd))
			set_connecting(streams, tgid, fd,
				       iot_strace_is(line->name, "connect") &&
					       (parted || !result ||
						iot_strace_has(line->result, "EINPROGRESS")));
	} else if (iot_strace_is(line->name, "dup2") || iot_strace_is(line->name, "dup3")) {
		set_connecting(streams, tgid, result, FALSE);
	}
}

enum moves { MOVES_NOTHING, SENDS, RECEIVES, MOVES_UNKNOWN };

static enum moves moves_of(const struct iot_strace_line *line)
{
	static const struct {
		const char *name;
		enum moves moves;
	} calls[] = {
		{ "read", RECEIVES },	       { "readv", RECEIVES },
		{ "recv", RECEIVES },	       { "recvfrom", RECEIVES },
		{ "recvmsg", RECEIVES },       { "write", SENDS },
		{ "writev", SENDS },	       { "send", SENDS },
		{ "sendto", SENDS },	       { "sendmsg", SENDS },
		{ "sendfile", SENDS },	       { "sendfile64", SENDS },
		{ "sendmmsg", MOVES_UNKNOWN }, { "recvmmsg", MOVES_UNKNOWN },
		{ "splice", MOVES_UNKNOWN },   { "vmsplice", MOVES_UNKNOWN },
	};

	for (guint i = 0; i < G_N_ELEMENTS(calls); i++) {
		if (!iot_strace_is(line->name, calls[i].name))
			continue;
		if (calls[i].moves == RECEIVES && iot_strace_has(line->args, "MSG_PEEK"))
			return MOVES_NOTHING;
		return iot_strace_has(line->args, "MSG_OOB") ? MOVES_UNKNOWN : calls[i].moves;
	}
	return MOVES_NOTHING;
}

/* The direction of a call on a descriptor; NULL: nothing is known of it. */
static struct iot_strace_direction *direction_of(struct iot_strace_streams *streams, gint32 tgid,
						 struct iot_strace_text arg, gboolean sends)
{
	gint64 fd = -1, key;

	if (!take_addresses(streams, arg))
		return NULL;
	iot_strace_int(arg, &fd);
	key = (gint64)tgid << 32 | (fd & G_MAXUINT32);
	/* now the log names the address of what connected before */
	if (g_hash_table_remove(streams->connecting, &key))
		add_connection(streams);
	return g_hash_table_lookup(streams->directions, key_of(streams, sends));
}

static void fill(const struct iot_strace_direction *direction, guint64 first,
		 enum iot_file_event event, struct iot_made_rec *out)
{
	*out = (struct iot_made_rec){ .event = event };
	out->field[IOT_FILE_FIRST] = (gint64)first;
	out->field[IOT_FILE_SCOPE] = direction->scope;
	out->field[IOT_FILE_FROM] = direction->from;
	out->field[IOT_FILE_TO] = direction->to;
}

void iot_strace_streams_result(struct iot_strace_transfer *call, struct iot_strace_text result)
{
	if (!call->direction || !result.text)
		return;
	/* the thread ended within the call; an error has moved nothing, nor has an interruption */
	if (iot_strace_is(result, "?"))
		call->direction->unsure = TRUE;
	else
		iot_strace_int(result, &call->result);
}

gboolean iot_strace_streams_begin(struct iot_strace_streams *streams,
				  const struct iot_strace_line *line, gint32 tgid,
				  struct iot_strace_transfer *call, struct iot_made_rec *sent)
{
	struct iot_strace_text arg[IOT_STRACE_ARGS];
	enum moves moves = moves_of(line);
	struct iot_strace_direction *direction;
	guint n;

	*call = (struct iot_strace_transfer){ .sends = moves == SENDS, .result = -1 };
	if (moves == MOVES_NOTHING) {
		iot_strace_streams_follow(streams, line, tgid);
		return FALSE;
	}
	if (!iot_strace_has(line->args, "<TCP"))
		return FALSE;
	n = iot_strace_split(line->args, arg);
	if (!n)
		return FALSE;
	for (guint i = 0; moves == MOVES_UNKNOWN && i < n; i++)
		for (guint sends = 0; sends < 2; sends++)
			if ((direction = direction_of(streams, tgid, arg[i], sends != 0)))
				direction->unsure = TRUE;
	if (moves == MOVES_UNKNOWN)
		return FALSE;
	direction = call->direction = direction_of(streams, tgid, arg[0], call->sends);
	if (!direction)
		return FALSE;
	direction->unsure |= direction->open++ > 0;
	call->first = direction->bytes;
	iot_strace_streams_result(call, line->result);
	if (!call->sends || direction->unsure || call->result <= 0)
		return FALSE;
	fill(direction, call->first, IOT_FILE_SENT, sent);
	return TRUE;
}

gboolean iot_strace_streams_end(struct iot_strace_transfer *call, struct iot_made_rec *received)
{
	struct iot_strace_direction *direction = g_steal_pointer(&call->direction);

	if (!direction)
		return FALSE;
	direction->open--;
	if (call->result <= 0)
		return FALSE;
	direction->bytes += (guint64)call->result;
	if (call->sends || direction->unsure)
		return FALSE;
	fill(direction, call->first, IOT_FILE_RECEIVED, received);
	return TRUE;
}
