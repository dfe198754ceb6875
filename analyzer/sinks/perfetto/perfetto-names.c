/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sinks/perfetto/perfetto.h"
#include "base/try-alloc.h"
#include "base/units.h"
#include "sinks/perfetto/perfetto-bytes.h"

/* --- messages of any length, made inside out --- */

static void add_varint(GByteArray *to, guint64 value)
{
	guint8 bytes[10];

	g_byte_array_append(to, bytes, (guint)(put_varint(bytes, value) - bytes));
}

static void add_number(GByteArray *to, guint tag, guint64 value)
{
	add_varint(to, tag);
	add_varint(to, value);
}

static void add_bytes(GByteArray *to, guint tag, const void *data, gsize len)
{
	add_varint(to, tag);
	add_varint(to, len);
	g_byte_array_append(to, data, (guint)len);
}

/* Texts must be UTF-8; names are, and so are nearly all values. */
static void add_text(GByteArray *to, guint tag, const char *text, gsize len)
{
	g_autofree char *escaped = NULL;

	if (!g_utf8_validate_len(text, len, NULL)) {
		escaped = iot_escape_bytes(text, len);
		text = escaped;
		len = strlen(text);
	}
	add_bytes(to, tag, text, len);
}

/* A packet with one message; each belongs to the one sequence of the file. */
static void write_packet(struct perfetto *perfetto, guint tag, const GByteArray *message)
{
	g_autoptr(GByteArray) packet = g_byte_array_new();
	guint8 head[11];

	add_number(packet, TAG_SEQUENCE, 1);
	add_number(packet, TAG_SEQUENCE_FLAGS, FLAG_NEEDS_STATE);
	add_bytes(packet, tag, message->data, message->len);
	head[0] = TAG_PACKET;
	iot_out_write(perfetto->out, head, (gsize)(put_varint(head + 1, packet->len) - head));
	iot_out_write(perfetto->out, packet->data, packet->len);
}

static void add_interned(GByteArray *to, guint tag, guint64 iid, const char *text, gsize len)
{
	g_autoptr(GByteArray) entry = g_byte_array_new();

	add_number(entry, TAG_IID, iid);
	add_text(entry, TAG_INTERNED_TEXT, text, len);
	add_bytes(to, tag, entry->data, entry->len);
}

void perfetto_begin(struct perfetto *perfetto)
{
	g_autoptr(GByteArray) packet = g_byte_array_new();
	g_autoptr(GByteArray) names = g_byte_array_new();
	guint8 head[11];

	add_interned(names, TAG_INTERNED_ANNOTATION_NAME, PERFETTO_NAME_MARKS, "marks", 5);
	add_interned(names, TAG_INTERNED_ANNOTATION_NAME, PERFETTO_NAME_LOST, "lost", 4);
	add_interned(names, TAG_INTERNED_CATEGORY, PERFETTO_GAP, "gap", 3);
	add_interned(names, TAG_INTERNED_NAME, PERFETTO_GAP, IOT_GAP_NAME,
		     sizeof(IOT_GAP_NAME) - 1);
	add_number(packet, TAG_SEQUENCE, 1);
	add_number(packet, TAG_SEQUENCE_FLAGS, FLAG_STATE_CLEARED);
	add_number(packet, TAG_FIRST_PACKET, 1);
	add_bytes(packet, TAG_INTERNED_DATA, names->data, names->len);
	head[0] = TAG_PACKET;
	iot_out_write(perfetto->out, head, (gsize)(put_varint(head + 1, packet->len) - head));
	iot_out_write(perfetto->out, packet->data, packet->len);
	perfetto->n_names = PERFETTO_NAMES;
	perfetto->begun = TRUE;
}

/* --- types, categories and texts --- */

/* Room for element @i in an array whose new elements are zero. */
static gboolean grow(gpointer *array, guint *n, gsize elem, guint i, GError **error)
{
	guint size = MAX(MAX(i + 1, 64), 2 * *n);
	guint8 *grown;

	if (i < *n)
		return TRUE;
	grown = iot_try_realloc(*array, size * elem, "tracks", error);
	if (!grown)
		return FALSE;
	memset(grown + *n * elem, 0, (size - *n) * elem);
	*array = grown;
	*n = size;
	return TRUE;
}

static void make_attr(struct perfetto *perfetto, GByteArray *names, struct perfetto_attr *attr,
		      const struct iot_type *type, guint at)
{
	static const guint tags[] = { [IOT_ATTR_INT] = TAG_ANNOTATION_INT,
				      [IOT_ATTR_UINT] = TAG_ANNOTATION_UINT,
				      [IOT_ATTR_HEX] = TAG_ANNOTATION_POINTER,
				      [IOT_ATTR_STR] = TAG_ANNOTATION_STRING_IID,
				      [IOT_ATTR_DURATION] = TAG_ANNOTATION_UINT,
				      [IOT_ATTR_REAL] = TAG_ANNOTATION_REAL };
	const char *name = iot_tl_str(perfetto->tl, type->attr[at].name);
	guint iid = perfetto->n_names++;
	guint8 *p = attr->head;

	add_interned(names, TAG_INTERNED_ANNOTATION_NAME, iid, name, strlen(name));
	attr->at = (guint8)at;
	attr->format = (guint8)type->attr[at].format;
	*p++ = TAG_ANNOTATION;
	*p++ = 0; /* its length, when the value is known */
	p = put_number(p, TAG_ANNOTATION_NAME_IID, iid);
	p = put_varint(p, tags[attr->format]);
	attr->len = (guint8)(p - attr->head);
}

/* The first type of spans that a type of rows has draws on the rows themselves. */
static gboolean draws_on_row(const struct iot_timeline *tl, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(tl, id);

	for (iot_type_id other = 1; type->kind == IOT_TYPE_SPAN && other < id; other++)
		if (iot_type_at(tl, other)->kind == IOT_TYPE_SPAN &&
		    iot_type_at(tl, other)->on == type->on)
			return FALSE;
	return type->kind != IOT_TYPE_COUNTER;
}

struct perfetto_type *perfetto_add_type(struct perfetto *perfetto, iot_type_id id, GError **error)
{
	g_autoptr(GByteArray) names = g_byte_array_new();
	const struct iot_type *type = iot_type_at(perfetto->tl, id);
	const char *name = iot_tl_str(perfetto->tl, type->name);
	struct perfetto_type *use;

	if (!grow((gpointer *)&perfetto->types, &perfetto->n_types, sizeof(*perfetto->types), id,
		  error))
		return NULL;
	use = perfetto->types[id] = g_new0(struct perfetto_type, 1);
	use->type = type;
	if (!draws_on_row(perfetto->tl, id))
		use->uuid = PERFETTO_UUID_TYPE(id);
	add_interned(names, TAG_INTERNED_CATEGORY, id, name, strlen(name));
	for (guint i = 0; i < type->n_attrs; i++) {
		gboolean late = type->attr[i].late && type->kind == IOT_TYPE_SPAN;

		make_attr(perfetto, names,
			  late ? &use->late[use->n_late++] : &use->attr[use->n_attrs++], type, i);
	}
	write_packet(perfetto, TAG_INTERNED_DATA, names);
	return use;
}

gboolean perfetto_add_cat(struct perfetto *perfetto, iot_cat_id id, GError **error)
{
	g_autoptr(GByteArray) names = g_byte_array_new();
	const struct iot_category *category = iot_cat_at(perfetto->tl, id);
	const char *name = iot_tl_str(perfetto->tl, category->name);
	gboolean is_span = iot_type_at(perfetto->tl, category->type)->kind == IOT_TYPE_SPAN;
	struct perfetto_cat *cat;
	guint8 *p;

	if (!grow((gpointer *)&perfetto->cats, &perfetto->n_cats, sizeof(*perfetto->cats), id,
		  error))
		return FALSE;
	cat = &perfetto->cats[id];
	p = put_number(cat->head, TAG_EVENT_TYPE, is_span ? EVENT_BEGIN : EVENT_INSTANT);
	p = put_number(p, TAG_CATEGORY_IID, category->type);
	p = put_number(p, TAG_NAME_IID, id);
	cat->len = (guint8)(p - cat->head);
	add_interned(names, TAG_INTERNED_NAME, id, name, strlen(name));
	write_packet(perfetto, TAG_INTERNED_DATA, names);
	return TRUE;
}

static gboolean add_item_text(struct perfetto *perfetto, GByteArray *names,
			      const struct perfetto_attr *attr, const struct iot_item *item,
			      GError **error)
{
	guint64 text = attr->at < item->n_attrs ? item->attr[attr->at].u : 0;
	const char *data;
	gsize len;

	if (attr->format != IOT_ATTR_STR || !text || iot_text_is_number(text) ||
	    perfetto_text(perfetto, text))
		return TRUE;
	if (!grow((gpointer *)&perfetto->texts, &perfetto->n_texts, sizeof(*perfetto->texts),
		  (guint)text, error))
		return FALSE;
	perfetto->texts[text] = ++perfetto->n_written;
	data = iot_intern_get(perfetto->tl->strings, (iot_str)text, &len);
	add_interned(names, TAG_INTERNED_STRING, perfetto->n_written, data, len);
	return TRUE;
}

gboolean perfetto_add_texts(struct perfetto *perfetto, const struct perfetto_type *type,
			    const struct iot_item *item, GError **error)
{
	g_autoptr(GByteArray) names = g_byte_array_new();

	for (guint i = 0; i < type->n_attrs; i++)
		if (!add_item_text(perfetto, names, &type->attr[i], item, error))
			return FALSE;
	for (guint i = 0; i < type->n_late && item->kind == IOT_ITEM_SPAN; i++)
		if (!add_item_text(perfetto, names, &type->late[i], item, error))
			return FALSE;
	if (names->len)
		write_packet(perfetto, TAG_INTERNED_DATA, names);
	return TRUE;
}

/* --- tracks --- */

struct track {
	guint64 uuid, parent;
	const char *name;
	guint64 rank;	   /* among its siblings */
	const char *merge; /* tracks of one parent with the same key are one; NULL: never merged */
	const GByteArray *counter; /* its description; NULL: none */
};

static void write_track(struct perfetto *perfetto, const struct track *track)
{
	g_autoptr(GByteArray) message = g_byte_array_new();

	add_number(message, TAG_UUID, track->uuid);
	if (track->parent)
		add_number(message, TAG_PARENT_UUID, track->parent);
	add_text(message, TAG_TRACK_NAME, track->name, strlen(track->name));
	if (track->counter)
		add_bytes(message, TAG_COUNTER, track->counter->data, track->counter->len);
	else
		add_number(message, TAG_CHILD_ORDERING, ORDERING_EXPLICIT);
	add_number(message, TAG_SIBLING_RANK, track->rank);
	if (track->merge) {
		add_number(message, TAG_MERGE_BEHAVIOR, MERGE_BY_KEY);
		add_bytes(message, TAG_MERGE_KEY, track->merge, strlen(track->merge));
	}
	write_packet(perfetto, TAG_TRACK_DESCRIPTOR, message);
}

/* Readers must know a counter before its first value. Its category is the type's short name. */
static void write_counter(struct perfetto *perfetto, const struct perfetto_type *type,
			  iot_row_id row)
{
	const char *name = iot_tl_str(perfetto->tl, type->type->name);
	g_autoptr(GByteArray) counter = g_byte_array_new();
	const struct track track = { .uuid = type->uuid | row,
				     .parent = row,
				     .name = iot_tl_str(perfetto->tl, type->type->title),
				     .counter = counter };

	add_bytes(counter, TAG_COUNTER_CATEGORY, name, strlen(name));
	write_track(perfetto, &track);
}

gboolean perfetto_add_lane(struct perfetto *perfetto, struct perfetto_type *type,
			   const struct iot_item *item, GError **error)
{
	if (!grow((gpointer *)&type->lanes, &type->n_rows, sizeof(*type->lanes), item->row, error))
		return FALSE;
	if (item->kind == IOT_ITEM_SAMPLE && !type->lanes[item->row])
		write_counter(perfetto, type, item->row);
	type->lanes[item->row] = MAX(type->lanes[item->row], item->lane + 1);
	return TRUE;
}

static guint lanes_of(const struct perfetto_type *type, iot_row_id row)
{
	return type && row < type->n_rows ? type->lanes[row] : 0;
}

/* Lanes of the row itself: of all types that draw on it. */
static guint lanes_of_row(const struct perfetto *perfetto, iot_row_id row)
{
	guint lanes = 1;

	for (guint i = 0; i < perfetto->n_types; i++)
		if (perfetto->types[i] && !perfetto->types[i]->uuid)
			lanes = MAX(lanes, lanes_of(perfetto->types[i], row));
	return lanes;
}

/* For each row whether anything is drawn on it or below. */
static gboolean *rows_drawn(const struct perfetto *perfetto)
{
	gboolean *drawn = g_new0(gboolean, perfetto->tl->rows.n);

	for (guint i = 0; i < perfetto->n_types; i++)
		for (iot_row_id row = 1; row < perfetto->tl->rows.n; row++)
			drawn[row] |= lanes_of(perfetto->types[i], row) > 0;
	for (iot_row_id row = perfetto->tl->rows.n; row-- > 1;)
		drawn[iot_row_at(perfetto->tl, row)->parent] |= drawn[row];
	return drawn;
}

/* The lanes are tracks of one name and one key. */
static void write_lanes(struct perfetto *perfetto, struct track *track, guint lanes)
{
	guint64 first = track->uuid;

	for (guint lane = 0; lane < lanes; lane++) {
		track->uuid = first | PERFETTO_UUID_LANE(lane);
		write_track(perfetto, track);
	}
}

/* Counters and further types of spans stand above the rows below. */
static void write_row(struct perfetto *perfetto, iot_row_id id, guint n_ranks)
{
	const struct iot_timeline *tl = perfetto->tl;
	const struct iot_row *row = iot_row_at(tl, id);
	g_autofree char *key = g_strdup_printf("%u", id);
	struct track track = { .uuid = id,
			       .parent = row->parent ? row->parent : PERFETTO_UUID_TYPE(row->type),
			       .name = iot_tl_str(tl, row->name),
			       .rank = tl->types.n + row->type * (guint64)n_ranks + row->rank,
			       .merge = key };

	write_lanes(perfetto, &track, lanes_of_row(perfetto, id));
	for (guint i = 0; i < perfetto->n_types; i++) {
		const struct perfetto_type *type = perfetto->types[i];
		struct track further = { .parent = id, .rank = i, .merge = "spans" };

		if (!type || type->type->kind != IOT_TYPE_SPAN || !type->uuid ||
		    !lanes_of(type, id))
			continue;
		further.uuid = type->uuid | id;
		further.name = iot_tl_str(tl, type->type->title);
		write_lanes(perfetto, &further, lanes_of(type, id));
	}
}

/* A group for each type of rows at the top, with the title of its view. */
static void write_group(struct perfetto *perfetto, iot_type_id type)
{
	const struct iot_timeline *tl = perfetto->tl;
	struct track track = { .uuid = PERFETTO_UUID_TYPE(type), .rank = type };

	track.name = iot_tl_str(tl, iot_type_at(tl, type)->title);
	for (guint i = 0; i < tl->n_views; i++)
		if (tl->view[i].column[0] == type)
			track.name = iot_tl_str(tl, tl->view[i].title);
	write_track(perfetto, &track);
}

static void write_gap_tracks(struct perfetto *perfetto)
{
	const struct track group = { .uuid = PERFETTO_UUID_GAPS, .name = IOT_GAP_NAME };

	if (perfetto->gaps->len)
		write_track(perfetto, &group);
	for (guint i = 0; i < perfetto->gaps->len; i++) {
		const struct iot_gap_lane *gap =
			&g_array_index(perfetto->gaps, struct iot_gap_lane, i);
		g_autofree char *key = g_strdup_printf("%u", gap->number);
		const struct track track = { .uuid = perfetto_gap_uuid(gap),
					     .parent = PERFETTO_UUID_GAPS,
					     .name = iot_tl_str(perfetto->tl, gap->node),
					     .merge = key };

		write_track(perfetto, &track);
	}
}

void perfetto_tracks(struct perfetto *perfetto)
{
	const struct iot_timeline *tl = perfetto->tl;
	g_autoptr(GArray) ordered = iot_timeline_ordered(tl);
	g_autofree gboolean *drawn = rows_drawn(perfetto);
	g_autofree gboolean *grouped = g_new0(gboolean, tl->types.n);

	write_gap_tracks(perfetto);
	for (guint i = 0; i < ordered->len; i++) {
		iot_row_id id = g_array_index(ordered, iot_row_id, i);
		const struct iot_row *row = iot_row_at(tl, id);

		if (!drawn[id])
			continue;
		if (!row->parent && !grouped[row->type])
			write_group(perfetto, row->type);
		grouped[row->type] |= !row->parent;
		write_row(perfetto, id, tl->rows.n);
	}
}
