// SPDX-License-Identifier: GPL-2.0-or-later
#include "sink-load.h"

#include <string.h>

enum { BEGIN_NS = 1000, MAX_STEP_NS = 2000, MAX_ITEMS = 12 /* of one step */ };
enum { MODES = 6, OPS = 4, FLAGS = 5, NODES = 3 };

/* State of one row; for I/O: of the row of a thread and the row of its file. */
struct row {
	iot_row_id row, file, process;
	guint64 since, wait_since, pos;
	guint8 phase, mode, to, op;
	gboolean held; /* begun and not ended */
	iot_str path;
	guint32 number;
};

/* One in so many hand-overs makes links to several nodes, runs backwards, or has no length. */
enum { SEVERAL = 8, BACKWARDS = 5, NO_LENGTH = 7, LANES = 3 };

struct load {
	struct iot_timeline *tl;
	enum iot_feed feed;
	void (*step)(struct load *load, struct row *row);
	void (*end)(struct load *load, struct row *row);
	struct row *row;
	guint n_rows, closed;
	guint64 now, random, seq;
	struct iot_item *items; /* LOAD_BATCH and some more */
	guint n;
	iot_type_id span, point, use, link, counter[2]; /* link: 0 in loads without links */
	iot_cat_id pending, granted, blocked, mode[MODES], lock, lock_return, ast, op[OPS],
		use_op[OPS], count[2];
	iot_str mode_name[MODES], op_name[OPS], flags[FLAGS], zero;
};

static const char *const mode_names[MODES] = { "NL", "CR", "CW", "PR", "PW", "EX" };
static const char *const op_names[OPS] = { "read", "write", "pread64", "fsync" };
static const char *const flag_names[FLAGS] = { "", "CONVERT", "NOQUEUE|CONVERT", "NOQUEUE",
					       "VALBLK" };

static guint64 next_random(struct load *load)
{
	load->random ^= load->random << 13;
	load->random ^= load->random >> 7;
	load->random ^= load->random << 17;
	return load->random >> 16;
}

static iot_str intern(struct load *load, const char *text)
{
	return iot_intern_str(load->tl->strings, text);
}

/* "lkb_id:x pid:i to:s result:S": name and format; capitals are known at the end only */
static void add_attrs(struct load *load, struct iot_type *type, const char *spec)
{
	static const struct {
		char letter;
		enum iot_attr_format format;
	} formats[] = { { 'x', IOT_ATTR_HEX },
			{ 'i', IOT_ATTR_INT },
			{ 's', IOT_ATTR_STR },
			{ 'd', IOT_ATTR_DURATION } };
	g_auto(GStrv) words = g_strsplit(spec, " ", -1);

	for (guint i = 0; words[i]; i++) {
		struct iot_attr_def *attr = &type->attr[type->n_attrs++];
		char *colon = strchr(words[i], ':');

		for (guint k = 0; k < G_N_ELEMENTS(formats); k++)
			if (formats[k].letter == g_ascii_tolower(colon[1]))
				attr->format = formats[k].format;
		attr->late = g_ascii_isupper(colon[1]);
		*colon = '\0';
		attr->name = intern(load, words[i]);
	}
}

static iot_type_id add_type(struct load *load, enum iot_type_kind kind, const char *name,
			    iot_type_id on, const char *attrs)
{
	iot_type_id id;
	struct iot_type *type = iot_timeline_type(load->tl, kind, name, name, on, &id);

	if (attrs)
		add_attrs(load, type, attrs);
	return id;
}

static iot_row_id add_row(struct load *load, iot_type_id type, iot_row_id parent,
			  const char *format, guint i)
{
	g_autofree char *name = g_strdup_printf(format, i);
	iot_str id = intern(load, name);
	gboolean is_new;

	return iot_timeline_row(load->tl, type, parent, id, id, &is_new);
}

static void add_view(struct load *load, const char *title, guint n, const iot_type_id *types)
{
	struct iot_view *view = &load->tl->view[load->tl->n_views++];

	view->title = intern(load, title);
	view->n_columns = n;
	memcpy(view->column, types, n * sizeof(*types));
}

static struct iot_item *add(struct load *load, enum iot_item_kind kind, iot_type_id type,
			    iot_cat_id cat, iot_row_id row, guint64 t0)
{
	struct iot_item *item = &load->items[load->n++];

	*item = (struct iot_item){ .kind = kind,
				   .type = type,
				   .cat = cat,
				   .row = row,
				   .t0 = t0,
				   .t1 = load->now,
				   .seq = load->seq++,
				   .n_attrs = (guint8)iot_type_at(load->tl, type)->n_attrs };
	return item;
}

/* Begin or end of a span, if this feed wants it; NULL otherwise. */
static struct iot_item *add_edge(struct load *load, gboolean end, iot_type_id type, iot_cat_id cat,
				 iot_row_id row, guint64 since)
{
	if (end)
		return add(load, IOT_ITEM_SPAN, type, cat, row, since);
	return load->feed == IOT_FEED_WHOLE_SPANS
		       ? NULL
		       : add(load, IOT_ITEM_SPAN_BEGIN, type, cat, row, load->now);
}

/* --- DLM: a lock of a node is asked for, waited for and held in one mode after the other --- */

static void fill_lock(struct load *load, struct row *row, struct iot_item *item, iot_str to)
{
	if (!item)
		return;
	item->attr[0].u = row->number;
	item->attr[1].i = 200 + row->number % 16;
	item->attr[2].str = to;
	item->attr[3].str = load->flags[row->number % FLAGS];
	item->attr[4].str = load->zero;
	if (item->kind == IOT_ITEM_POINT)
		item->attr[5].u = 1000 + next_random(load) % 4096;
}

static void dlm_point(struct load *load, struct row *row, iot_cat_id cat)
{
	fill_lock(load, row, add(load, IOT_ITEM_POINT, load->point, cat, row->row, load->now),
		  load->mode_name[row->to]);
}

static void dlm_pending(struct load *load, struct row *row, gboolean end)
{
	fill_lock(load, row,
		  add_edge(load, end, load->span, load->pending, row->row, row->wait_since),
		  load->mode_name[row->to]);
}

static void dlm_held(struct load *load, struct row *row, gboolean end)
{
	fill_lock(load, row,
		  add_edge(load, end, load->span, load->mode[row->mode], row->row, row->since), 0);
}

static void dlm_end(struct load *load, struct row *row)
{
	if (row->phase)
		dlm_pending(load, row, TRUE);
	if (row->held)
		dlm_held(load, row, TRUE);
}

/* From the row itself, its resource or another node of it; to a lane that may be empty. */
static void add_link(struct load *load, struct row *row)
{
	guint64 random = next_random(load), length = random % NO_LENGTH ? random % 50000 : 0;
	guint other = (guint)(random >> 16) % load->n_rows;
	iot_row_id from = load->row[other].row;
	struct iot_item *item;

	length = MIN(length, load->now - BEGIN_NS);
	if (other % 4 == 0)
		from = iot_row_at(load->tl, from)->parent;
	item = add(load, IOT_ITEM_LINK, load->link, random & 64 ? load->granted : load->blocked,
		   from, load->now);
	if (random % BACKWARDS)
		iot_link_set(item, load->now - length, row->row, 0, load->now);
	else
		iot_link_set(item, load->now, row->row, 0, load->now - length);
	item->lane_to = (guint16)(random >> 8) % LANES;
	item->lane = other % 4 ? (guint16)(random >> 10) % LANES : 0;
	item->attr[0].u = row->number;
	item->attr[1].str = load->mode_name[row->to];
	item->attr[2].u = random & 3 ? 0 : random;
}

static void dlm_links(struct load *load, struct row *row)
{
	guint n = load->link ? 1 : 0;

	if (n && next_random(load) % SEVERAL == 0)
		n = 3;
	for (guint i = 0; i < n; i++)
		add_link(load, row);
}

static void dlm_step(struct load *load, struct row *row)
{
	if (row->phase == 0) {
		row->to = (guint8)(next_random(load) % MODES);
		row->wait_since = load->now;
		dlm_point(load, row, load->lock);
		dlm_pending(load, row, FALSE);
	} else if (row->phase == 1) {
		dlm_point(load, row, load->lock_return);
	} else {
		dlm_point(load, row, load->ast);
		dlm_pending(load, row, TRUE);
		if (row->held)
			dlm_held(load, row, TRUE);
		row->held = TRUE;
		row->mode = row->to;
		row->since = load->now;
		dlm_held(load, row, FALSE);
		dlm_links(load, row);
	}
	row->phase = (guint8)((row->phase + 1) % 3);
}

static void dlm_cats(struct load *load)
{
	for (guint i = 0; i < MODES; i++) {
		load->mode_name[i] = intern(load, mode_names[i]);
		load->mode[i] = iot_timeline_cat(load->tl, load->span, mode_names[i],
						 0x304080 + 0x202020 * i, IOT_ROLE_HOLD);
	}
	for (guint i = 0; i < FLAGS; i++)
		load->flags[i] = intern(load, flag_names[i]);
	load->pending = iot_timeline_cat(load->tl, load->span, "PENDING", 0xff8000, IOT_ROLE_WAIT);
	load->lock = iot_timeline_cat(load->tl, load->point, "lock", 0x808080, IOT_ROLE_CALL);
	load->lock_return =
		iot_timeline_cat(load->tl, load->point, "lock return", 0x404040, IOT_ROLE_NONE);
	load->ast = iot_timeline_cat(load->tl, load->point, "ast", 0xffffff, IOT_ROLE_RESULT);
}

static void add_link_type(struct load *load)
{
	load->link = add_type(load, IOT_TYPE_LINK, "hand", 0, "lkb_id:x mode:s seq:i");
	load->granted = iot_timeline_cat(load->tl, load->link, "grant", 0x40c040, IOT_ROLE_NONE);
	load->blocked = iot_timeline_cat(load->tl, load->link, "bast", 0xc04040, IOT_ROLE_NONE);
	for (guint i = 0; i < load->n_rows; i++)
		iot_row_at(load->tl, load->row[i].row)->n_lanes = LANES;
}

static void dlm_init(struct load *load, guint rows)
{
	iot_type_id space = add_type(load, IOT_TYPE_ROW, "lockspace", 0, NULL);
	iot_type_id resource = add_type(load, IOT_TYPE_ROW, "resource", space, NULL);
	iot_type_id node = add_type(load, IOT_TYPE_ROW, "node", resource, NULL);
	iot_row_id top = add_row(load, space, 0, "0x%08x", 0xd101b5b9), parent = 0;

	load->span =
		add_type(load, IOT_TYPE_SPAN, "lock", node, "lkb_id:x pid:i to:s flags:s result:S");
	load->point = add_type(load, IOT_TYPE_POINT, "event", node,
			       "lkb_id:x pid:i mode:s flags:s result:s took:d");
	dlm_cats(load);
	add_view(load, "DLM", 3, (iot_type_id[]){ space, resource, node });
	load->n_rows = rows;
	load->row = g_new0(struct row, rows);
	for (guint i = 0; i < rows; i++) {
		if (i % NODES == 0)
			parent = add_row(load, resource, top, "inode %u", 100 + i);
		load->row[i].row = add_row(load, node, parent, "node%u", i % NODES + 1);
		load->row[i].number = 1 + i / NODES % 256;
	}
	load->step = dlm_step;
	load->end = dlm_end;
}

/* --- file I/O: calls of threads, each drawn on the thread's row and on the file's, and counted ---
 */

static void fill_io(struct load *load, struct row *row, struct iot_item *item, gboolean end,
		    guint64 len)
{
	if (!item)
		return;
	item->attr[0].str = load->op_name[row->op];
	item->attr[1].str = row->path;
	item->attr[2].i = 3 + row->number % 4;
	item->attr[3].u = row->pos;
	item->attr[4].u = len;
	item->attr[5].u = end ? row->pos + len : 0;
	item->attr[6].str = 0;
	item->attr[7].str = end ? row->path : 0;
}

static void fill_use(struct load *load, struct row *row, struct iot_item *item, gboolean end,
		     guint64 len)
{
	if (!item)
		return;
	item->attr[0].str = load->op_name[row->op];
	item->attr[1].i = item->attr[2].i = 600 + row->number % 1000;
	item->attr[3].u = row->pos;
	item->attr[4].u = len;
	item->attr[5].u = end ? row->pos + len : 0;
	item->attr[6].str = end ? row->path : 0;
}

static void io_spans(struct load *load, struct row *row, gboolean end)
{
	guint64 len = 1 + (row->pos * 2654435761u >> 12) % 1048576;

	fill_io(load, row, add_edge(load, end, load->span, load->op[row->op], row->row, row->since),
		end, len);
	fill_use(load, row,
		 add_edge(load, end, load->use, load->use_op[row->op], row->file, row->since), end,
		 len);
	if (end)
		row->pos += len;
}

static void io_end(struct load *load, struct row *row)
{
	if (row->phase)
		io_spans(load, row, TRUE);
}

static void io_step(struct load *load, struct row *row)
{
	if (!row->phase) {
		row->op = (guint8)(next_random(load) % OPS);
		row->since = load->now;
		io_spans(load, row, FALSE);
	} else {
		for (guint i = 0; i < 2; i++) {
			struct iot_item *item =
				add(load, IOT_ITEM_SAMPLE, load->counter[i], load->count[i],
				    i ? row->file : row->process, load->now);

			iot_sample_set(item, (gint64)row->pos, 4096);
		}
		io_spans(load, row, TRUE);
	}
	row->phase = !row->phase;
}

static void io_types(struct load *load, iot_type_id process, iot_type_id task, iot_type_id user)
{
	load->span = add_type(load, IOT_TYPE_SPAN, "io", task,
			      "op:s path:s fd:i pos:i len:i reached:I flags:s result:S");
	load->use = add_type(load, IOT_TYPE_SPAN, "use", user,
			     "op:s tgid:i pid:i pos:i len:i reached:I result:S");
	load->counter[0] = add_type(load, IOT_TYPE_COUNTER, "bytes_read", process, NULL);
	load->counter[1] = add_type(load, IOT_TYPE_COUNTER, "file_read", user, NULL);
	for (guint i = 0; i < OPS; i++) {
		load->op_name[i] = intern(load, op_names[i]);
		load->op[i] = iot_timeline_cat(load->tl, load->span, op_names[i], 0x4060a0,
					       IOT_ROLE_CALL);
		load->use_op[i] =
			iot_timeline_cat(load->tl, load->use, op_names[i], 0x60a040, IOT_ROLE_CALL);
	}
	for (guint i = 0; i < 2; i++)
		load->count[i] = iot_timeline_cat(load->tl, load->counter[i], "bytes", 0x808080,
						  IOT_ROLE_NONE);
}

static void io_init(struct load *load, guint rows)
{
	iot_type_id node = add_type(load, IOT_TYPE_ROW, "node", 0, NULL);
	iot_type_id process = add_type(load, IOT_TYPE_ROW, "process", node, NULL);
	iot_type_id task = add_type(load, IOT_TYPE_ROW, "task", process, NULL);
	iot_type_id file = add_type(load, IOT_TYPE_ROW, "file", 0, NULL);
	iot_type_id user = add_type(load, IOT_TYPE_ROW, "user", file, NULL);
	iot_row_id top = add_row(load, node, 0, "node%u", 1);

	io_types(load, process, task, user);
	add_view(load, "Processes", 3, (iot_type_id[]){ node, process, task });
	add_view(load, "Files", 2, (iot_type_id[]){ file, user });
	load->n_rows = MAX(rows / 2, 1);
	load->row = g_new0(struct row, load->n_rows);
	for (guint i = 0; i < load->n_rows; i++) {
		struct row *row = &load->row[i];
		iot_row_id parent = add_row(load, file, 0, "254:0:%u", 100000 + i);

		row->process = add_row(load, process, top, "process %u", 600 + i / 4);
		row->row = add_row(load, task, row->process, "task %u", 600 + i);
		row->path = iot_row_at(load->tl, parent)->name;
		row->file = add_row(load, user, parent, "node%u", 1);
		row->number = i;
		row->pos = next_random(load) % (1 << 28);
	}
	load->step = io_step;
	load->end = io_end;
}

/* --- */

struct load *load_new(const char *name, guint rows, enum iot_feed feed)
{
	struct load *load;

	if (strcmp(name, "dlm") && strcmp(name, "io") && strcmp(name, "links"))
		return NULL;
	load = g_new0(struct load, 1);
	load->tl = iot_timeline_new();
	load->feed = feed;
	load->random = G_GUINT64_CONSTANT(0x2545F4914F6CDD1D);
	load->items = g_new(struct iot_item, LOAD_BATCH + MAX_ITEMS);
	load->tl->origin_ns = load->tl->zero_ns = load->now = BEGIN_NS;
	load->zero = intern(load, "0");
	if (name[0] == 'i')
		io_init(load, rows);
	else
		dlm_init(load, rows);
	if (name[0] == 'l')
		add_link_type(load);
	return load;
}

void load_free(struct load *load)
{
	if (!load)
		return;
	iot_timeline_free(load->tl);
	g_free(load->row);
	g_free(load->items);
	g_free(load);
}

const struct iot_timeline *load_timeline(const struct load *load)
{
	return load->tl;
}

/* The cube of a random number: a tenth of the rows has nearly half of the items. */
static struct row *pick_row(struct load *load)
{
	double u = (double)(next_random(load) & 0xFFFFFFFF) / 4294967296.0;

	return &load->row[(guint)(u * u * u * load->n_rows)];
}

guint load_batch(struct load *load, const struct iot_item **out_items)
{
	for (load->n = 0; load->n < LOAD_BATCH;) {
		load->now += 1 + next_random(load) % MAX_STEP_NS;
		load->step(load, pick_row(load));
	}
	*out_items = load->items;
	return load->n;
}

guint load_last(struct load *load, const struct iot_item **out_items, guint64 *out_end_ns)
{
	load->now++;
	for (load->n = 0; load->n < LOAD_BATCH && load->closed < load->n_rows;)
		load->end(load, &load->row[load->closed++]);
	*out_items = load->items;
	*out_end_ns = load->now;
	if (!load->n)
		iot_timeline_rank(load->tl);
	return load->n;
}
