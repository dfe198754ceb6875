// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-check FILE - reads a Perfetto trace with a protobuf walker of its own, and prints its
 * slices, instants, counter values and gaps as lines of the text output, in no special order. It
 * fails where trace_processor would drop or garble something: a packet before the state was
 * cleared, a name or track that is not described, an end without begin, slices that do not nest.
 * See docs/formats/perfetto.md.
 */
#include "items.h"

struct bytes {
	const guint8 *p, *end;
};

struct field {
	guint number, wire;
	guint64 value;
	struct bytes bytes;
};

struct track {
	guint64 uuid, parent;
	char *name, *key, *counter;
	guint64 ordering;
	guint lane;
	GArray *open; /* struct slice, the outermost first */
	guint64 last; /* time of the last event on it */
};

struct annotation {
	guint64 iid;
	char *text;
};

struct event {
	guint64 time, type, track, category, name, value, order;
	GArray *annotations;
	char *marks, *lost;
	guint64 flow; /* number of a link, 0: none */
	gboolean ends_flow;
	gboolean real; /* the value is a double */
};

static GHashTable *categories, *names, *annotation_names, *strings, *tracks;
static GHashTable *flows; /* by number: the struct event of the earlier end */
static GPtrArray *events, *ordered_tracks;
static gboolean cleared;

static void G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("perfetto-check: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* --- protocol buffers --- */

static guint64 read_varint(struct bytes *in)
{
	guint64 value = 0;

	for (guint shift = 0; shift < 70; shift += 7) {
		if (in->p == in->end)
			die("a number is cut");
		value |= (guint64)(*in->p & 0x7f) << (shift & 63);
		if (!(*in->p++ & 0x80))
			return value;
	}
	die("a number has more than ten bytes");
}

static gboolean next_field(struct bytes *in, struct field *field)
{
	guint64 tag;

	if (in->p == in->end)
		return FALSE;
	tag = read_varint(in);
	field->number = (guint)(tag >> 3);
	field->wire = tag & 7;
	if (field->wire == 1) {
		field->value = 0;
		if (in->end - in->p < 8)
			die("a number is cut");
		for (guint i = 0; i < 8; i++)
			field->value |= (guint64)*in->p++ << 8 * i;
		return TRUE;
	}
	field->value = read_varint(in);
	if (field->wire == 0)
		return TRUE;
	if (field->wire != 2)
		die("field %u has wire type %u", field->number, field->wire);
	if (field->value > (guint64)(in->end - in->p))
		die("field %u is longer than its message", field->number);
	field->bytes = (struct bytes){ in->p, in->p + field->value };
	in->p += field->value;
	return TRUE;
}

static char *text_of(const struct field *field)
{
	gsize len = (gsize)(field->bytes.end - field->bytes.p);

	if (field->wire != 2 || !g_utf8_validate_len((const char *)field->bytes.p, len, NULL))
		die("a text of %" G_GSIZE_FORMAT " bytes is no UTF-8", len);
	if (memchr(field->bytes.p, 0, len))
		die("a text has a NUL");
	return g_strndup((const char *)field->bytes.p, len);
}

/* --- names and tracks --- */

static gpointer key_of(guint64 number)
{
	return (gpointer)(gsize)number;
}

static void read_interned(GHashTable *table, struct bytes in)
{
	struct field field;
	guint64 iid = 0;
	char *text = NULL;

	while (next_field(&in, &field)) {
		if (field.number == 1)
			iid = field.value;
		else if (field.number == 2)
			text = text_of(&field);
	}
	if (!iid || !text)
		die("a name without number or text");
	if (g_hash_table_contains(table, key_of(iid)))
		die("the number %" G_GUINT64_FORMAT " is given twice: %s", iid, text);
	g_hash_table_insert(table, key_of(iid), text);
}

static void read_names(struct bytes in)
{
	struct field field;

	while (next_field(&in, &field)) {
		if (field.number == 1)
			read_interned(categories, field.bytes);
		else if (field.number == 2)
			read_interned(names, field.bytes);
		else if (field.number == 3)
			read_interned(annotation_names, field.bytes);
		else if (field.number == 29)
			read_interned(strings, field.bytes);
		else
			die("interned data of kind %u", field.number);
	}
}

static char *read_counter(struct bytes in)
{
	struct field field;
	char *category = g_strdup("");

	while (next_field(&in, &field))
		if (field.number == 2)
			category = text_of(&field);
	return category;
}

static void read_track(struct bytes in)
{
	struct track *track = g_new0(struct track, 1);
	struct field field;

	while (next_field(&in, &field)) {
		if (field.number == 1)
			track->uuid = field.value;
		else if (field.number == 2)
			track->name = text_of(&field);
		else if (field.number == 5)
			track->parent = field.value;
		else if (field.number == 8)
			track->counter = read_counter(field.bytes);
		else if (field.number == 11)
			track->ordering = field.value;
		else if (field.number == 16)
			track->key = text_of(&field);
	}
	if (!track->uuid || !track->name || !*track->name)
		die("a track without number or name");
	if (g_hash_table_contains(tracks, key_of(track->uuid)))
		die("the track %s is described twice", track->name);
	track->open = g_array_new(FALSE, FALSE, sizeof(struct event *));
	g_hash_table_insert(tracks, key_of(track->uuid), track);
	g_ptr_array_add(ordered_tracks, track);
}

static struct track *find_track(guint64 uuid)
{
	struct track *track = g_hash_table_lookup(tracks, key_of(uuid));

	if (!track)
		die("there is no track %" G_GUINT64_FORMAT, uuid);
	return track;
}

/* Lanes of a row are siblings with one key, in the order of their numbers. */
static void number_lanes(void)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < ordered_tracks->len; i++) {
		struct track *track = ordered_tracks->pdata[i];
		char *key;

		if (track->parent && find_track(track->parent)->ordering != 3)
			die("the children of a track have no explicit order");
		if (!track->key)
			continue;
		key = g_strdup_printf("%" G_GUINT64_FORMAT " %s %s", track->parent, track->key,
				      track->name);
		track->lane = GPOINTER_TO_UINT(g_hash_table_lookup(seen, key));
		g_hash_table_insert(seen, key, GUINT_TO_POINTER(track->lane + 1));
	}
}

/* --- events --- */

static const char *name_of(GHashTable *table, guint64 iid, const char *what)
{
	const char *text = g_hash_table_lookup(table, key_of(iid));

	if (!text)
		die("there is no %s %" G_GUINT64_FORMAT, what, iid);
	return text;
}

static void append_quoted(GString *to, const char *text)
{
	g_string_append_c(to, '"');
	for (const guint8 *p = (const guint8 *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(to, '\\');
		if (*p < 0x20 || *p == 0x7f)
			g_string_append_printf(to, "\\x%02x", *p);
		else
			g_string_append_c(to, (char)*p);
	}
	g_string_append_c(to, '"');
}

static void read_annotation(struct event *event, struct bytes in)
{
	GString *text = g_string_new(NULL);
	struct annotation annotation = { 0 };
	struct field field;
	const char *name;
	char *plain = NULL;

	while (next_field(&in, &field)) {
		if (field.number == 1)
			annotation.iid = field.value;
		else if (field.number == 3)
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, field.value);
		else if (field.number == 4)
			g_string_append_printf(text, "%" G_GINT64_FORMAT, (gint64)field.value);
		else if (field.number == 5 && field.wire == 1)
			items_real_bits(text, field.value);
		else if (field.number == 6)
			append_quoted(text, plain = text_of(&field));
		else if (field.number == 7)
			g_string_append_printf(text, "0x%" G_GINT64_MODIFIER "x", field.value);
		else if (field.number == 17)
			append_quoted(text, name_of(strings, field.value, "text"));
		else
			die("an annotation has a field %u", field.number);
	}
	name = name_of(annotation_names, annotation.iid, "annotation");
	if (!strcmp(name, "marks") && plain) {
		event->marks = plain;
	} else if (!strcmp(name, "lost")) {
		event->lost = text->str;
	} else {
		annotation.text = g_strdup_printf(" %s=%s", name, text->str);
		g_array_append_val(event->annotations, annotation);
	}
}

static void read_event(struct bytes in, guint64 time)
{
	struct event *event = g_new0(struct event, 1);
	struct field field;

	event->time = time;
	event->order = events->len;
	event->annotations = g_array_new(FALSE, FALSE, sizeof(struct annotation));
	while (next_field(&in, &field)) {
		if (field.number == 3)
			event->category = field.value;
		else if (field.number == 4)
			read_annotation(event, field.bytes);
		else if (field.number == 9)
			event->type = field.value;
		else if (field.number == 10)
			event->name = field.value;
		else if (field.number == 11)
			event->track = field.value;
		else if (field.number == 30 || (field.number == 44 && field.wire == 1))
			event->value = field.value, event->real = field.number == 44;
		else if ((field.number == 47 || field.number == 48) && field.wire == 1 &&
			 !event->flow)
			event->flow = field.value, event->ends_flow = field.number == 48;
		else
			die("an event has a field %u", field.number);
	}
	g_ptr_array_add(events, event);
}

static void read_packet(struct bytes in)
{
	struct field field;
	guint64 time = 0, sequence = 0, flags = 0;

	while (next_field(&in, &field)) {
		if (field.number == 8)
			time = field.value;
		else if (field.number == 10)
			sequence = field.value;
		else if (field.number == 13)
			flags = field.value;
		else if (field.number != 11 && field.number != 12 && field.number != 60)
			continue;
		else if (sequence != 1 || !(cleared || flags & 1))
			die("a packet before the state of its sequence was cleared");
		else if (field.number == 11)
			read_event(field.bytes, time);
		else if (field.number == 12)
			read_names(field.bytes);
		else
			read_track(field.bytes);
		cleared |= flags & 1;
	}
}

/* --- lines --- */

/* Names from the row at the top; a track of further spans or of a counter has the path of its row.
 */
static char *path_of(const struct track *track)
{
	GString *path = g_string_new(NULL);

	if (track->counter || !g_strcmp0(track->key, "spans"))
		track = find_track(track->parent);
	for (; track->parent; track = find_track(track->parent)) {
		if (path->len)
			g_string_prepend_c(path, '/');
		g_string_prepend(path, track->name);
	}
	return g_string_free(path, FALSE);
}

static gint compare_annotations(gconstpointer a, gconstpointer b)
{
	const struct annotation *x = a, *y = b;

	return x->iid < y->iid ? -1 : x->iid > y->iid;
}

static void print_line(const struct event *first, const struct event *last, const char *kind)
{
	const struct track *track = find_track(first->track);
	const char *category = name_of(categories, first->category, "category");
	gboolean gap = !strcmp(category, "gap");
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "%" G_GUINT64_FORMAT " %s ", first->time, gap ? "gap" : kind);
	append_quoted(line, gap ? track->name : path_of(track));
	g_string_append_printf(line, " %s ", gap ? "-" : category);
	append_quoted(line, name_of(names, first->name, "name"));
	if (last)
		g_string_append_printf(line, " %" G_GUINT64_FORMAT, last->time - first->time);
	if (track->lane && !gap)
		g_string_append_printf(line, " lane=%u", track->lane);
	if ((last ? last : first)->marks)
		g_string_append_printf(line, " flags=%s", (last ? last : first)->marks);
	if (last)
		g_array_append_vals(first->annotations, last->annotations->data,
				    last->annotations->len);
	g_array_sort(first->annotations, compare_annotations);
	for (guint i = 0; i < first->annotations->len; i++)
		g_string_append(line, g_array_index(first->annotations, struct annotation, i).text);
	if (gap)
		g_string_append_printf(line, " lost=%s", last->lost ? last->lost : "?");
	puts(line->str);
}

static void print_end(GString *line, const struct event *end)
{
	append_quoted(line, path_of(find_track(end->track)));
}

static char *end_attrs(const struct event *end)
{
	GString *text = g_string_new(NULL);

	g_array_sort(end->annotations, compare_annotations);
	for (guint i = 0; i < end->annotations->len; i++)
		g_string_append(text, g_array_index(end->annotations, struct annotation, i).text);
	return g_string_free(text, FALSE);
}

/* Both ends have the same name, attributes and marks. */
static void print_link(const struct event *first, const struct event *last)
{
	gboolean backwards = last->marks && strstr(last->marks, "backwards");
	const struct event *from = backwards ? last : first, *to = backwards ? first : last;
	g_autofree char *attrs = end_attrs(first), *attrs_last = end_attrs(last);
	g_autoptr(GString) line = g_string_new(NULL);

	if (first->name != last->name || first->category != last->category ||
	    strcmp(attrs, attrs_last) || g_strcmp0(first->marks, last->marks))
		die("the ends of the flow %" G_GUINT64_FORMAT " differ", first->flow);
	g_string_append_printf(line, "%" G_GUINT64_FORMAT " link ", first->time);
	print_end(line, from);
	g_string_append_printf(line, " %s ", name_of(categories, first->category, "category"));
	append_quoted(line, name_of(names, first->name, "name"));
	g_string_append_printf(line, " %" G_GUINT64_FORMAT " ", last->time - first->time);
	print_end(line, to);
	if (find_track(from->track)->lane)
		g_string_append_printf(line, " lane=%u", find_track(from->track)->lane);
	if (find_track(to->track)->lane)
		g_string_append_printf(line, " lane_to=%u", find_track(to->track)->lane);
	if (first->marks)
		g_string_append_printf(line, " flags=%s", first->marks);
	printf("%s%s\n", line->str, attrs);
}

/* As trace_processor: a flow begins at its first event by time, and ends once. */
static void run_end(struct event *event)
{
	struct event *first = g_hash_table_lookup(flows, key_of(event->flow));

	if (!event->ends_flow) {
		if (first)
			die("the flow %" G_GUINT64_FORMAT " begins twice", event->flow);
		g_hash_table_insert(flows, key_of(event->flow), event);
		return;
	}
	if (!first)
		die("the flow %" G_GUINT64_FORMAT " ends before it begins", event->flow);
	g_hash_table_remove(flows, key_of(event->flow));
	print_link(first, event);
}

static void print_value(const struct event *event)
{
	const struct track *track = find_track(event->track);
	g_autoptr(GString) line = g_string_new(NULL);

	if (!track->counter)
		die("a value on a track that is no counter: %s", track->name);
	g_string_append_printf(line, "%" G_GUINT64_FORMAT " sample ", event->time);
	append_quoted(line, path_of(track));
	g_string_append_printf(line, " %s ", track->counter);
	if (event->real)
		items_real_bits(line, event->value);
	else
		g_string_append_printf(line, "%" G_GINT64_FORMAT, (gint64)event->value);
	puts(line->str);
}

static gint compare_events(gconstpointer a, gconstpointer b)
{
	const struct event *x = *(const struct event *const *)a;
	const struct event *y = *(const struct event *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* As trace_processor does: events by time, at one time in the order of the file; ends close the
 * slice that was opened last. */
static void run_event(struct event *event)
{
	struct track *track = find_track(event->track);
	struct event *begin;

	if (event->type == 1) {
		g_array_append_val(track->open, event);
	} else if (event->type == 2) {
		if (!track->open->len)
			die("an end without begin on %s", track->name);
		begin = g_array_index(track->open, struct event *, track->open->len - 1);
		g_array_set_size(track->open, track->open->len - 1);
		print_line(begin, event, "span");
	} else if (event->type == 3 && event->flow) {
		run_end(event);
	} else if (event->type == 3 && event->marks && strstr(event->marks, "-unseen")) {
		/* a stub */
		print_link(event, event);
	} else if (event->type == 3) {
		print_line(event, NULL, "point");
	} else if (event->type == 4) {
		print_value(event);
	} else {
		die("an event of type %" G_GUINT64_FORMAT, event->type);
	}
}

int main(int argc, char **argv)
{
	g_autofree char *data = NULL;
	struct bytes in;
	struct field field;
	gsize len;

	if (argc != 2 || !g_file_get_contents(argv[1], &data, &len, NULL))
		die("usage: perfetto-check FILE");
	in = (struct bytes){ (guint8 *)data, (guint8 *)data + len };
	categories = g_hash_table_new(NULL, NULL);
	names = g_hash_table_new(NULL, NULL);
	annotation_names = g_hash_table_new(NULL, NULL);
	strings = g_hash_table_new(NULL, NULL);
	tracks = g_hash_table_new(NULL, NULL);
	flows = g_hash_table_new(NULL, NULL);
	events = g_ptr_array_new();
	ordered_tracks = g_ptr_array_new();
	while (next_field(&in, &field)) {
		if (field.number != 1 || field.wire != 2)
			die("field %u outside of packets", field.number);
		read_packet(field.bytes);
	}
	if (!cleared)
		die("no packet clears the state");
	number_lanes();
	g_ptr_array_sort(events, compare_events);
	for (guint i = 0; i < events->len; i++)
		run_event(events->pdata[i]);
	if (g_hash_table_size(flows))
		die("%u flows never end", g_hash_table_size(flows));
	for (guint i = 0; i < ordered_tracks->len; i++) {
		const struct track *track = ordered_tracks->pdata[i];

		if (track->open->len)
			die("a slice without end on %s", track->name);
	}
	return 0;
}
