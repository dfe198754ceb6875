/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/otf2/otf2-convert-local.h"

static guint hash_operation(gconstpointer key)
{
	return (guint)iot_hash_bytes(key, sizeof(struct iot_otf2_operation));
}

static gboolean equal_operations(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct iot_otf2_operation));
}

GHashTable *iot_otf2_operations_new(void)
{
	return g_hash_table_new_full(hash_operation, equal_operations, g_free, g_free);
}

/* Most places have one operation at a time. */
static void begin_running(const struct iot_otf2_at *at, const struct iot_otf2_operation *key,
			  struct iot_otf2_running running)
{
	struct iot_otf2_now *now = at->now;

	if (now->running.id && !equal_operations(&now->operation, key)) {
		g_hash_table_replace(at->own->operations, g_memdup2(key, sizeof(*key)),
				     g_memdup2(&running, sizeof(running)));
		return;
	}
	if (g_hash_table_size(at->own->operations))
		g_hash_table_remove(at->own->operations, key);
	now->operation = *key;
	now->running = running;
}

/* FALSE: it has not begun. */
static gboolean end_running(const struct iot_otf2_at *at, const struct iot_otf2_operation *key,
			    struct iot_otf2_running *out)
{
	struct iot_otf2_now *now = at->now;
	const struct iot_otf2_running *running;

	if (now->running.id && equal_operations(&now->operation, key)) {
		*out = now->running;
		now->running.id = 0;
		return TRUE;
	}
	running = g_hash_table_lookup(at->own->operations, key);
	if (!running)
		return FALSE;
	*out = *running;
	g_hash_table_remove(at->own->operations, key);
	return TRUE;
}

/* A failed call whose error the archive does not have: no error of Linux has this number. */
enum { ERROR_UNKNOWN = -4095 };

/* The number of the call that the region is; @usual: of a region with another name. */
static gint64 op_of(const struct iot_otf2_convert *own, const struct iot_otf2_level *level,
		    gint64 usual)
{
	const struct iot_otf2_region *region =
		level ? iot_otf2_region(own->defs, level->region) : NULL;

	return region && region->op ? region->op : usual;
}

/* The file of a path, which models learn when it is first used on a machine. */
static gint64 file_of(const struct iot_otf2_at *at, guint32 path)
{
	gsize key = (gsize)at->place->machine << 32 | path;
	gint64 *field;

	if (path && g_hash_table_add(at->own->named, GSIZE_TO_POINTER(key))) {
		field = iot_otf2_put(at, IOT_OTF2_FILE_NAME);
		field[IOT_OTF2_INO] = path;
		field[IOT_OTF2_PATH] = path;
	}
	return path;
}

static void tell_name(const struct iot_otf2_at *at)
{
	if (!at->now->told && at->own->defs->has_io)
		iot_otf2_put(at, IOT_OTF2_TASK)[IOT_OTF2_TASK_NAME] = at->place->name;
	at->now->told = TRUE;
}

void iot_otf2_begin_open(const struct iot_otf2_at *at, struct iot_otf2_level *level)
{
	gint64 *field;

	tell_name(at);
	level->opens = ++at->own->n;
	field = iot_otf2_put(at, IOT_OTF2_OPEN_START);
	field[IOT_OTF2_ID] = level->opens;
	field[IOT_OTF2_OP] = op_of(at->own, level, 40);
}

/* One without a handle was no open, or was refused; nobody knows of what. */
static void end_open(const struct iot_otf2_at *at, struct iot_otf2_level *level)
{
	gint64 *field;

	if (level->opened || !level->opens)
		return;
	field = iot_otf2_put(at, IOT_OTF2_OPEN_END);
	field[IOT_OTF2_ID] = level->opens;
	field[IOT_OTF2_RET] = ERROR_UNKNOWN;
	field[IOT_OTF2_ELSEWHERE] = 1;
}

void iot_otf2_end_calls(const struct iot_otf2_at *at, struct iot_otf2_level *level)
{
	end_open(at, level);
	if (level->closes)
		iot_otf2_put(at, IOT_OTF2_CLOSE_END)[IOT_OTF2_ID] = level->closes;
	if (level->removes)
		iot_otf2_put(at, IOT_OTF2_META_END)[IOT_OTF2_ID] = level->removes;
}

static void take_create_handle(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level *level;
	gint64 *field, id, file;
	guint32 path;

	tell_name(at);
	path = iot_otf2_path(at->own->defs, event->a);
	file = file_of(at, path);
	level = iot_otf2_innermost(at);
	if (level && level->opens && !level->opened) {
		level->opened = TRUE;
		id = level->opens;
		field = iot_otf2_put(at, IOT_OTF2_PATH_LATE);
		field[IOT_OTF2_ID] = id;
		field[IOT_OTF2_PATH] = path;
	} else {
		id = ++at->own->n;
		field = iot_otf2_put(at, IOT_OTF2_OPEN_START);
		field[IOT_OTF2_ID] = id;
		field[IOT_OTF2_OP] = 40;
		field[IOT_OTF2_FLAGS] = event->b;
		field[IOT_OTF2_PATH] = path;
	}
	field = iot_otf2_put(at, IOT_OTF2_OPEN_END);
	field[IOT_OTF2_ID] = id;
	field[IOT_OTF2_RET] = event->a;
	field[IOT_OTF2_INO] = file;
	field[IOT_OTF2_PATH] = path;
}

static gint64 *put_start(const struct iot_otf2_at *at, enum iot_otf2_made event, gint64 op,
			 OTF2_IoHandleRef handle)
{
	guint32 path = iot_otf2_path(at->own->defs, handle);
	gint64 *field, file;

	tell_name(at);
	file = file_of(at, path);
	field = iot_otf2_put(at, event);
	field[IOT_OTF2_ID] = ++at->own->n;
	field[IOT_OTF2_OP] = op;
	field[IOT_OTF2_FD] = handle;
	field[IOT_OTF2_INO] = file;
	field[IOT_OTF2_POS] = -1;
	return field;
}

/* A handle is destroyed within the call that closes it, which ends with its region. */
static void take_destroy_handle(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level *level;
	gint64 id;

	id = put_start(at, IOT_OTF2_CLOSE_START, 29, event->a)[IOT_OTF2_ID];
	level = iot_otf2_innermost(at);
	if (level && !level->closes)
		level->closes = id;
	else
		iot_otf2_put(at, IOT_OTF2_CLOSE_END)[IOT_OTF2_ID] = id;
}

static void take_delete_file(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level *level;
	gint64 *field, id;

	tell_name(at);
	level = iot_otf2_innermost(at);
	id = ++at->own->n;
	field = iot_otf2_put(at, IOT_OTF2_META_START);
	field[IOT_OTF2_ID] = id;
	field[IOT_OTF2_OP] = op_of(at->own, level, 68);
	field[IOT_OTF2_PATH] = iot_otf2_file(at->own->defs, event->a);
	if (level && !level->removes)
		level->removes = id;
	else
		iot_otf2_put(at, IOT_OTF2_META_END)[IOT_OTF2_ID] = id;
}

static void take_seek(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	struct iot_otf2_level *level = iot_otf2_innermost(at);

	if (level)
		level->pos = (gint64)event->x;
}

static void take_operation(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	static const struct {
		guint event;
		guint8 op;
	} kinds[] = {
		[OTF2_IO_OPERATION_MODE_READ] = { IOT_OTF2_READ_START, 1 },
		[OTF2_IO_OPERATION_MODE_WRITE] = { IOT_OTF2_WRITE_START, 6 },
		[OTF2_IO_OPERATION_MODE_FLUSH] = { IOT_OTF2_SYNC_START, 20 },
	};
	struct iot_otf2_operation key = { 0 };
	struct iot_otf2_running running;
	struct iot_otf2_level *level;
	gint64 *field;

	if (event->b >= G_N_ELEMENTS(kinds))
		return;
	level = iot_otf2_innermost(at);
	field = put_start(at, kinds[event->b].event, op_of(at->own, level, kinds[event->b].op),
			  event->a);
	field[IOT_OTF2_POS] = level ? level->pos : -1;
	field[IOT_OTF2_LEN] = event->x == OTF2_UNDEFINED_UINT64 ? -1 : (gint64)event->x;
	running.id = field[IOT_OTF2_ID];
	running.event = kinds[event->b].event + 1;
	key.id = event->y;
	key.place = at->place->index;
	key.handle = event->a;
	begin_running(at, &key, running);
}

static void end_operation(const struct iot_otf2_at *at, const struct iot_otf2_event *event,
			  gint64 ret)
{
	struct iot_otf2_operation key = { .id = event->y,
					  .place = at->place->index,
					  .handle = event->a };
	struct iot_otf2_running running;
	gint64 *field;

	if (!end_running(at, &key, &running)) {
		iot_diag_add(at->own->diag, IOT_DIAG_pair_end_without_start, 1);
		return;
	}
	field = iot_otf2_put(at, running.event);
	field[IOT_OTF2_ID] = running.id;
	field[IOT_OTF2_RET] = ret;
	field[IOT_OTF2_POS] = -1;
}

void iot_otf2_take_file(const struct iot_otf2_at *at, const struct iot_otf2_event *event)
{
	enum { CANCELLED = -125 /* ECANCELED */ };

	switch ((enum iot_otf2_what)event->what) {
	case IOT_OTF2_CREATED:
		take_create_handle(at, event);
		break;
	case IOT_OTF2_DESTROYED:
		take_destroy_handle(at, event);
		break;
	case IOT_OTF2_DELETED:
		take_delete_file(at, event);
		break;
	case IOT_OTF2_SOUGHT:
		take_seek(at, event);
		break;
	case IOT_OTF2_BEGUN:
		take_operation(at, event);
		break;
	case IOT_OTF2_COMPLETED:
		end_operation(at, event,
			      event->x == OTF2_UNDEFINED_UINT64 ? ERROR_UNKNOWN : (gint64)event->x);
		break;
	case IOT_OTF2_CANCELLED:
		end_operation(at, event, CANCELLED);
		break;
	default:
		break;
	}
}
