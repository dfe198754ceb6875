// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otf2-check DIR - the items of an archive of -o otf2: as lines of the text output, by location;
 * each location must be in time order, and its regions must nest. See docs/formats/otf2.md.
 */
#include "items.h"

#include <otf2/otf2.h>

struct attribute {
	const char *name, *description;
};

struct region {
	const char *name, *description;
};

struct location {
	guint64 n_events;
	guint64 id;
	const char *row, *type;
	guint lane;
};

struct open_region {
	guint64 time;
	guint region;
	char *attrs;
};

static GHashTable *strings, *attributes, *regions, *members, *locations;
static GArray *order; /* of guint64: numbers of locations */
static guint64 first, length;

/* State of the location that is read. */
static struct location *here;
static GArray *stack; /* struct open_region */
static guint64 last, n_seen;

static void G_GNUC_NORETURN die(const char *what)
{
	fprintf(stderr, "otf2-check: %s\n", what);
	exit(1);
}

static void check(OTF2_ErrorCode code, const char *what)
{
	if (code != OTF2_SUCCESS)
		die(what);
}

static void *find(GHashTable *table, guint64 id, const char *what)
{
	void *found = g_hash_table_lookup(table, GSIZE_TO_POINTER(id));

	if (!found)
		die(what);
	return found;
}

static const char *text(OTF2_StringRef ref)
{
	return find(strings, ref, "a text without definition");
}

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t len,
				  uint64_t realtime)
{
	(void)data, (void)realtime;
	if (resolution != 1000000000)
		die("times are not in ns");
	first = offset;
	length = len;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *string)
{
	(void)data;
	if (!g_utf8_validate(string, -1, NULL))
		die("a text is no UTF-8");
	if (!g_hash_table_insert(strings, GSIZE_TO_POINTER(self), g_strdup(string)))
		die("a text has two definitions");
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name,
				      OTF2_StringRef description, OTF2_Type type)
{
	struct attribute *attribute = g_new0(struct attribute, 1);

	(void)data, (void)type;
	attribute->name = text(name);
	attribute->description = text(description);
	g_hash_table_insert(attributes, GSIZE_TO_POINTER(self), attribute);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	struct region *region = g_new0(struct region, 1);

	(void)data, (void)canonical, (void)role, (void)paradigm, (void)flags, (void)file,
		(void)begin, (void)end;
	region->name = text(name);
	region->description = text(description);
	g_hash_table_insert(regions, GSIZE_TO_POINTER(self), region);
	return OTF2_CALLBACK_SUCCESS;
}

/* Class and member have the same number. */
static OTF2_CallbackCode on_member(void *data, OTF2_MetricMemberRef self, OTF2_StringRef name,
				   OTF2_StringRef description, OTF2_MetricType type,
				   OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base,
				   int64_t exponent, OTF2_StringRef unit)
{
	(void)data, (void)description, (void)type, (void)mode, (void)value, (void)base,
		(void)exponent, (void)unit;
	g_hash_table_insert(members, GSIZE_TO_POINTER(self), (gpointer)text(name));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t n_events,
				     OTF2_LocationGroupRef group)
{
	struct location *location = g_new0(struct location, 1);

	(void)data, (void)type, (void)group;
	text(name);
	location->id = self;
	location->n_events = n_events;
	g_hash_table_insert(locations, GSIZE_TO_POINTER(self), location);
	g_array_append_val(order, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_property(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_Type type, OTF2_AttributeValue value)
{
	struct location *location = find(locations, self, "a property without location");

	(void)data, (void)type;
	if (!strcmp(text(name), "row"))
		location->row = text(value.stringRef);
	else if (!strcmp(text(name), "type"))
		location->type = text(value.stringRef);
	else
		location->lane = value.uint32;
	return OTF2_CALLBACK_SUCCESS;
}

/* All attributes; marks go to @marks, the number of lost events to @lost. */
static char *attrs_of(OTF2_AttributeList *list, const char **marks, const char **lost)
{
	GString *line = g_string_new(NULL);

	for (uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(list); i++) {
		OTF2_AttributeRef ref;
		OTF2_AttributeValue value;
		OTF2_Type type;
		const struct attribute *attribute;

		check(OTF2_AttributeList_GetAttributeByIndex(list, i, &ref, &type, &value),
		      "an attribute");
		attribute = find(attributes, ref, "an attribute without definition");
		if (!strcmp(attribute->description, "marks")) {
			*marks = text(value.stringRef);
			continue;
		}
		if (!strcmp(attribute->description, "lost events")) {
			*lost = g_strdup_printf("%" G_GUINT64_FORMAT, value.uint64);
			continue;
		}
		g_string_append_printf(line, " %s=", attribute->name);
		if (type == OTF2_TYPE_STRING)
			items_quote(line, text(value.stringRef), strlen(text(value.stringRef)));
		else if (type == OTF2_TYPE_DOUBLE)
			items_real(line, value.float64);
		else if (type == OTF2_TYPE_INT64)
			g_string_append_printf(line, "%" G_GINT64_FORMAT, value.int64);
		else if (!strcmp(attribute->description, "hexadecimal number"))
			g_string_append_printf(line, "0x%" G_GINT64_MODIFIER "x", value.uint64);
		else if (!strcmp(attribute->description, "text that is a number"))
			g_string_append_printf(line, "\"%" G_GUINT64_FORMAT "\"", value.uint64);
		else
			g_string_append_printf(line, "%" G_GUINT64_FORMAT, value.uint64);
	}
	return g_string_free(line, FALSE);
}

static void next_time(guint64 time)
{
	if (time < last || time < first || time > first + length)
		die("times are not in order, or not within the clock's properties");
	last = time;
	n_seen++;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
				  void *data, OTF2_AttributeList *attrs, OTF2_RegionRef region)
{
	const char *marks = NULL, *lost = NULL;
	struct open_region open = { time, region, attrs_of(attrs, &marks, &lost) };

	(void)location, (void)data, (void)position;
	next_time(time);
	/* A point is complete at its begin. */
	if (marks)
		open.attrs = g_strdup_printf("\001%s\001%s", marks, open.attrs);
	g_array_append_val(stack, open);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
				  void *data, OTF2_AttributeList *attrs, OTF2_RegionRef ref)
{
	const char *marks = NULL, *lost = "?";
	const struct region *region = find(regions, ref, "a region without definition");
	gboolean gap = !strcmp(region->description, "gap");
	g_autofree char *late = attrs_of(attrs, &marks, &lost), *all = NULL;
	struct open_region *open;
	struct items_item item = { .row = here->row,
				   .type = region->description,
				   .category = region->name,
				   .lane = here->lane };

	(void)location, (void)data, (void)position;
	next_time(time);
	if (!stack->len)
		die("a region ends that has not begun");
	open = &g_array_index(stack, struct open_region, stack->len - 1);
	if (open->region != ref)
		die("regions do not nest");
	if (open->attrs[0] == '\001') {
		char *end = strchr(open->attrs + 1, '\001');

		*end = '\0';
		marks = open->attrs + 1;
		all = g_strconcat(end + 1, late, NULL);
	} else {
		all = g_strconcat(open->attrs, late, NULL);
	}
	item.kind = gap ? "gap" : here->type ? "span" : "point";
	if (here->type && strcmp(here->type, region->description))
		die("a state of another type than its location");
	if (!gap && !here->type && open->time != time)
		die("an event has a duration");
	item.start = (gint64)open->time;
	item.end = (gint64)time;
	item.marks = marks;
	item.attrs = gap ? g_strdup_printf(" lost=%s", lost) : all;
	items_print(&item, 0);
	g_array_set_size(stack, stack->len - 1);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric(OTF2_LocationRef location, OTF2_TimeStamp time,
				   uint64_t position, void *data, OTF2_AttributeList *attrs,
				   OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
				   const OTF2_MetricValue *values)
{
	g_autoptr(GString) value = g_string_new(" ");
	struct items_item item = { .kind = "sample",
				   .row = here->row,
				   .type = find(members, metric, "a metric without definition"),
				   .start = (gint64)time };

	(void)location, (void)data, (void)attrs, (void)position;
	next_time(time);
	if (n != 1 || (types[0] != OTF2_TYPE_INT64 && types[0] != OTF2_TYPE_DOUBLE))
		die("a metric has another type");
	if (types[0] == OTF2_TYPE_DOUBLE)
		items_real(value, values[0].floating_point);
	else
		g_string_append_printf(value, "%" G_GINT64_FORMAT, values[0].signed_int);
	item.attrs = value->str;
	items_print(&item, 0);
	return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader)
{
	OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t n;

	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_member);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_property);
	check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, defs, callbacks, NULL), "callbacks");
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	check(OTF2_Reader_ReadAllGlobalDefinitions(reader, defs, &n), "definitions");
}

static void read_location(OTF2_Reader *reader, OTF2_EvtReaderCallbacks *callbacks, guint64 id)
{
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, id);
	OTF2_DefReader *defs = OTF2_Reader_GetDefReader(reader, id);
	uint64_t n;

	if (!events || !defs)
		die("a location without its files");
	here = find(locations, id, "location");
	last = n_seen = 0;
	check(OTF2_Reader_ReadAllLocalDefinitions(reader, defs, &n), "local definitions");
	check(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, NULL), "callbacks");
	check(OTF2_Reader_ReadAllLocalEvents(reader, events, &n), "events");
	if (n_seen != here->n_events || n_seen != n)
		die("a location has not as many events as its definition says");
	if (stack->len)
		die("a region does not end");
	check(OTF2_Reader_CloseEvtReader(reader, events), "close");
	check(OTF2_Reader_CloseDefReader(reader, defs), "close");
}

int main(int argc, char **argv)
{
	g_autofree char *anchor = argc == 2 ? g_build_filename(argv[1], "traces.otf2", NULL) : NULL;
	OTF2_Reader *reader = anchor ? OTF2_Reader_Open(anchor) : NULL;
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	if (!reader)
		die("usage: otf2-check DIR");
	strings = g_hash_table_new(NULL, NULL);
	attributes = g_hash_table_new(NULL, NULL);
	regions = g_hash_table_new(NULL, NULL);
	members = g_hash_table_new(NULL, NULL);
	locations = g_hash_table_new(NULL, NULL);
	order = g_array_new(FALSE, FALSE, sizeof(guint64));
	stack = g_array_new(FALSE, FALSE, sizeof(struct open_region));
	check(OTF2_Reader_SetSerialCollectiveCallbacks(reader), "callbacks");
	read_definitions(reader);
	for (guint i = 0; i < order->len; i++)
		check(OTF2_Reader_SelectLocation(reader, g_array_index(order, guint64, i)),
		      "select");
	check(OTF2_Reader_OpenEvtFiles(reader), "files of events");
	check(OTF2_Reader_OpenDefFiles(reader), "files of definitions");
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
	for (guint i = 0; i < order->len; i++)
		read_location(reader, callbacks, g_array_index(order, guint64, i));
	return 0;
}
