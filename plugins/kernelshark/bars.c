/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bars.h"

/* An event that begins or ends bars; events with the same key belong together. */
struct bar_event {
	const char *name; /* in KernelShark's form: SYSTEM/EVENT */
	enum bar_kind kind;
	gboolean ends;
	const char *key, *key2; /* fields; the second may be NULL */
};

#define PAIR(name, kind)                                       \
	{ "iotrace/" name "_start", kind, FALSE, "id", NULL }, \
	{                                                      \
		"iotrace/" name "_end", kind, TRUE, "id", NULL \
	}

static const struct bar_event bar_events[] = {
	PAIR("read", BAR_READ),
	PAIR("write", BAR_WRITE),
	PAIR("sync", BAR_SYNC),
	PAIR("open", BAR_OPEN),
	PAIR("close", BAR_OPEN),
	PAIR("meta", BAR_META),
	PAIR("truncate", BAR_META),
	PAIR("mmap", BAR_META),
	PAIR("submit", BAR_AIO),
	{ "iotrace/aio_start", BAR_AIO, FALSE, "id", NULL },
	{ "iotrace/aio_done", BAR_AIO, TRUE, "id", NULL },
	{ "iotrace/call_start", BAR_CALL, FALSE, "id", NULL },
	{ "iotrace/call_done", BAR_CALL, TRUE, "id", NULL },
	{ "dlm/dlm_lock_start", BAR_LOCK, FALSE, "ls_id", "lkb_id" },
	{ "dlm/dlm_unlock_start", BAR_LOCK, FALSE, "ls_id", "lkb_id" },
	{ "dlm/dlm_ast", BAR_LOCK, TRUE, "ls_id", "lkb_id" },
	{ NULL, 0, FALSE, NULL, NULL },
};

struct mark {
	const struct kshark_entry *entry;
	gint64 key;
	enum bar_kind kind;
	gboolean ends;
	guint order;
};

/* The state of one recording. */
struct bars {
	GHashTable *events; /* its number of an event -> struct bar_event */
	GArray *marks;	    /* of struct mark, in the order of loading, until they are paired */
	GArray *bars;	    /* of struct bar, by task and time */
};

static GHashTable *streams; /* number -> struct bars */

static void bars_free(gpointer data)
{
	struct bars *bars = data;

	g_hash_table_unref(bars->events);
	g_array_unref(bars->marks);
	g_array_unref(bars->bars);
	g_free(bars);
}

static struct bars *find_bars(int sd)
{
	return streams ? g_hash_table_lookup(streams, GINT_TO_POINTER(sd)) : NULL;
}

static void on_event(struct kshark_data_stream *stream, void *record, struct kshark_entry *entry)
{
	struct bars *bars = find_bars(stream->stream_id);
	const struct bar_event *event =
		g_hash_table_lookup(bars->events, GINT_TO_POINTER(entry->event_id));
	int64_t key = 0, key2 = 0;
	struct mark mark = { .entry = entry };

	if (kshark_read_record_field_int(stream, record, event->key, &key) < 0)
		return;
	if (event->key2 && kshark_read_record_field_int(stream, record, event->key2, &key2) < 0)
		return;
	mark.key = event->key2 ? (gint64)((guint64)key << 32 | (guint64)key2) : key;
	mark.kind = event->kind;
	mark.ends = event->ends;
	mark.order = bars->marks->len;
	g_array_append_val(bars->marks, mark);
}

int bars_watch(struct kshark_data_stream *stream)
{
	struct bars *bars = g_new(struct bars, 1);
	int events;

	bars->events = g_hash_table_new(NULL, NULL);
	bars->marks = g_array_new(FALSE, FALSE, sizeof(struct mark));
	bars->bars = g_array_new(FALSE, FALSE, sizeof(struct bar));
	for (const struct bar_event *event = bar_events; event->name; event++) {
		int id = kshark_find_event_id(stream, event->name);

		if (id < 0)
			continue;
		g_hash_table_insert(bars->events, GINT_TO_POINTER(id), (gpointer)event);
		kshark_register_event_handler(stream, id, on_event);
	}
	events = (int)g_hash_table_size(bars->events);
	if (!streams)
		streams = g_hash_table_new_full(NULL, NULL, NULL, bars_free);
	if (events)
		g_hash_table_insert(streams, GINT_TO_POINTER(stream->stream_id), bars);
	else
		bars_free(bars);
	return events;
}

void bars_unwatch(struct kshark_data_stream *stream)
{
	struct bars *bars = find_bars(stream->stream_id);
	GHashTableIter i;
	gpointer id;

	if (!bars)
		return;
	g_hash_table_iter_init(&i, bars->events);
	while (g_hash_table_iter_next(&i, &id, NULL))
		kshark_unregister_event_handler(stream, GPOINTER_TO_INT(id), on_event);
	g_hash_table_remove(streams, GINT_TO_POINTER(stream->stream_id));
	if (!g_hash_table_size(streams))
		g_clear_pointer(&streams, g_hash_table_unref);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static gint compare_marks(gconstpointer a, gconstpointer b)
{
	const struct mark *x = a, *y = b;

	if (x->kind != y->kind)
		return COMPARE(x->kind, y->kind);
	if (x->key != y->key)
		return COMPARE(x->key, y->key);
	if (x->entry->ts != y->entry->ts)
		return COMPARE(x->entry->ts, y->entry->ts);
	return COMPARE(x->order, y->order);
}

static gint compare_bars(gconstpointer a, gconstpointer b)
{
	const struct bar *x = a, *y = b;

	if (x->begin->pid != y->begin->pid)
		return COMPARE(x->begin->pid, y->begin->pid);
	return COMPARE(x->begin->ts, y->begin->ts);
}

/* Between a beginning and the next end with the same key there may be other beginnings: a
 * cancellation while a request waits. */
static void make_bars(struct bars *bars)
{
	const struct mark *begin = NULL;

	g_array_sort(bars->marks, compare_marks);
	for (guint i = 0; i < bars->marks->len; i++) {
		const struct mark *mark = &g_array_index(bars->marks, struct mark, i);

		if (begin && (begin->kind != mark->kind || begin->key != mark->key))
			begin = NULL;
		if (begin && mark->ends) {
			struct bar bar = { begin->entry, mark->entry, mark->kind };

			g_array_append_val(bars->bars, bar);
			begin = NULL;
		} else if (!begin && !mark->ends) {
			begin = mark;
		}
	}
	g_array_set_size(bars->marks, 0);
	g_array_sort(bars->bars, compare_bars);
}

static guint first_of(const struct bars *bars, gint64 pid)
{
	guint low = 0, high = bars->bars->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(bars->bars, struct bar, middle).begin->pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct bar *bars_of_task(int sd, int pid, guint *out_n)
{
	struct bars *bars = find_bars(sd);
	guint first;

	*out_n = 0;
	if (!bars)
		return NULL;
	if (bars->marks->len)
		make_bars(bars);
	first = first_of(bars, pid);
	*out_n = first_of(bars, (gint64)pid + 1) - first;
	return *out_n ? &g_array_index(bars->bars, struct bar, first) : NULL;
}
