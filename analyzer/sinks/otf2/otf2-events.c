/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of all locations, and the definitions that they use: regions, attributes, metrics. */
#include "sinks/otf2/otf2.h"
#include "base/error.h"

/* An attribute is defined once for each name and kind of value. A text that is a number has a
 * definition of its own, because each definition has one type. */
enum { ATTR_TEXT_NUMBER = IOT_ATTR_REAL + 1, ATTR_MARKS, ATTR_LOST, ATTR_KINDS };

static const struct {
	OTF2_Type type;
	const char *description;
} attr_kinds[ATTR_KINDS] = {
	[IOT_ATTR_INT] = { OTF2_TYPE_INT64, "number" },
	[IOT_ATTR_UINT] = { OTF2_TYPE_UINT64, "number" },
	[IOT_ATTR_HEX] = { OTF2_TYPE_UINT64, "hexadecimal number" },
	[IOT_ATTR_STR] = { OTF2_TYPE_STRING, "text" },
	[IOT_ATTR_DURATION] = { OTF2_TYPE_UINT64, "duration in ns" },
	[IOT_ATTR_REAL] = { OTF2_TYPE_DOUBLE, "real number" },
	[ATTR_TEXT_NUMBER] = { OTF2_TYPE_UINT64, "text that is a number" },
	[ATTR_MARKS] = { OTF2_TYPE_STRING, "marks" },
	[ATTR_LOST] = { OTF2_TYPE_UINT64, "lost events" },
};

static OTF2_StringRef word(struct otf2_archive *a, const char *text)
{
	return otf2_new_text(a, text, strlen(text));
}

/* @name: of the timeline; 0 if the kind alone names the attribute. */
static OTF2_AttributeRef attr_ref(struct otf2_archive *a, iot_str name, guint kind)
{
	gpointer key = GSIZE_TO_POINTER((gsize)name * ATTR_KINDS + kind + 1);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(a->names, key));
	const char *description = attr_kinds[kind].description;
	OTF2_StringRef text;

	if (known)
		return known - 1;
	text = name ? otf2_text(a, name) : word(a, kind == ATTR_MARKS ? "marks" : "lost");
	otf2_check(a, OTF2_GlobalDefWriter_WriteAttribute(a->defs, a->n_attrs, text,
							  word(a, description),
							  attr_kinds[kind].type));
	g_hash_table_insert(a->names, key, GUINT_TO_POINTER(a->n_attrs + 1));
	return a->n_attrs++;
}

/* A region for each category; 0 stands for lost events. */
static OTF2_RegionRef region_ref(struct otf2_archive *a, iot_cat_id id)
{
	const struct iot_timeline *tl = a->otf2->tl;
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(a->regions, GUINT_TO_POINTER(id)));
	const struct iot_type *type = id ? iot_type_at(tl, iot_cat_at(tl, id)->type) : NULL;
	OTF2_StringRef name, kind;

	if (known)
		return known - 1;
	name = id ? otf2_text(a, iot_cat_at(tl, id)->name) : word(a, IOT_GAP_NAME);
	kind = type ? otf2_text(a, type->name) : word(a, "gap");
	otf2_check(a, OTF2_GlobalDefWriter_WriteRegion(
			      a->defs, a->n_regions, name, name, kind, OTF2_REGION_ROLE_UNKNOWN,
			      OTF2_PARADIGM_UNKNOWN, OTF2_REGION_FLAG_NONE, 0, 0, 0));
	g_hash_table_insert(a->regions, GUINT_TO_POINTER(id), GUINT_TO_POINTER(a->n_regions + 1));
	return a->n_regions++;
}

static OTF2_Type value_type(const struct iot_type *counter)
{
	return iot_type_is_real(counter) ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64;
}

static OTF2_MetricRef metric_ref(struct otf2_archive *a, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(a->otf2->tl, id);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(a->metrics, GUINT_TO_POINTER(id)));
	OTF2_MetricMemberRef member = a->n_metrics;

	if (known)
		return known - 1;
	otf2_check(a, OTF2_GlobalDefWriter_WriteMetricMember(
			      a->defs, member, otf2_text(a, type->name), otf2_text(a, type->title),
			      OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT, value_type(type),
			      OTF2_BASE_DECIMAL, 0, 0));
	otf2_check(a, OTF2_GlobalDefWriter_WriteMetricClass(a->defs, member, 1, &member,
							    OTF2_METRIC_ASYNCHRONOUS,
							    OTF2_RECORDER_KIND_ABSTRACT));
	g_hash_table_insert(a->metrics, GUINT_TO_POINTER(id), GUINT_TO_POINTER(member + 1));
	return a->n_metrics++;
}

static void add_attr(struct otf2_archive *a, const struct iot_attr_def *def, guint64 value)
{
	guint kind = def->format;
	OTF2_AttributeValue v = { .uint64 = value };
	OTF2_AttributeRef ref;

	if (kind == IOT_ATTR_STR && iot_text_is_number(value)) {
		kind = ATTR_TEXT_NUMBER;
		v.uint64 = value & ~IOT_TEXT_NUMBER;
	} else if (kind == IOT_ATTR_STR) {
		v.uint64 = 0;
		v.stringRef = otf2_text(a, (iot_str)value);
	}
	ref = attr_ref(a, def->name, kind);
	otf2_check(a, OTF2_AttributeList_AddAttribute(a->attrs, ref, attr_kinds[kind].type, v));
}

/* The events of one location, as they are read back. */
struct walk {
	struct otf2_archive *a;
	OTF2_EvtWriter *writer;
	guint64 time;
};

static void read_attrs(struct otf2_archive *a, iot_cat_id cat, struct iot_unpack *in)
{
	const struct iot_timeline *tl = a->otf2->tl;
	const struct iot_type *type = cat ? iot_type_at(tl, iot_cat_at(tl, cat)->type) : NULL;
	guint mask = in->p < in->end ? (guint)iot_unpack_uint(in, G_MAXUINT16) : 0;

	for (guint i = 0; i < IOT_MAX_ATTRS; i++) {
		guint64 value;

		if (!(mask & 1u << i))
			continue;
		value = iot_unpack_uint(in, G_MAXUINT64);
		if (type)
			add_attr(a, &type->attr[i], value);
		else
			otf2_check(a, OTF2_AttributeList_AddUint64(
					      a->attrs, attr_ref(a, 0, ATTR_LOST), value));
	}
}

static void write_region_event(struct walk *walk, guint head, struct iot_unpack *in)
{
	struct otf2_archive *a = walk->a;
	guint kind = head & OTF2_KIND_MASK;
	iot_cat_id cat = (iot_cat_id)iot_unpack_uint(in, G_MAXUINT32);
	OTF2_RegionRef region = region_ref(a, cat);
	guint marks = head & OTF2_HAS_MARKS ? (guint)iot_unpack_uint(in, G_MAXUINT16) : 0;

	read_attrs(a, cat, in);
	if (marks)
		otf2_check(a, OTF2_AttributeList_AddStringRef(a->attrs, attr_ref(a, 0, ATTR_MARKS),
							      otf2_marks(a, marks)));
	/* The writer empties the list of attributes. */
	if (kind != OTF2_LEAVE)
		otf2_check(a, OTF2_EvtWriter_Enter(walk->writer, a->attrs, walk->time, region));
	if (kind != OTF2_ENTER)
		otf2_check(a,
			   OTF2_EvtWriter_Leave(walk->writer, kind == OTF2_LEAVE ? a->attrs : NULL,
						walk->time, region));
}

static void write_metric(struct walk *walk, struct iot_unpack *in)
{
	struct otf2_archive *a = walk->a;
	iot_type_id id = (iot_type_id)iot_unpack_uint(in, G_MAXUINT32);
	OTF2_MetricRef metric = metric_ref(a, id);
	OTF2_Type type = value_type(iot_type_at(a->otf2->tl, id));
	OTF2_MetricValue value = { .unsigned_int = iot_unpack_uint(in, G_MAXUINT64) };

	otf2_check(a,
		   OTF2_EvtWriter_Metric(walk->writer, NULL, walk->time, metric, 1, &type, &value));
}

static gboolean write_part(struct iot_unpack *in, void *data, GError **error)
{
	struct walk *walk = data;

	while (in->p < in->end && !in->bad && !walk->a->code && !walk->a->no_memory) {
		guint head = *in->p++;

		walk->time += iot_unpack_uint(in, G_MAXUINT64);
		if ((head & OTF2_KIND_MASK) == OTF2_SAMPLE)
			write_metric(walk, in);
		else
			write_region_event(walk, head, in);
	}
	if (!in->bad)
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
		    "events of a location cannot be read back");
	return FALSE;
}

gboolean otf2_events_write(struct otf2_archive *a, GError **error)
{
	/* Readers want a location, even if nothing happened there. */
	for (guint i = 0; i < MAX(a->locations->len, 1) && !a->code && !a->no_memory; i++) {
		OTF2_LocationRef id = OTF2_FIRST_LOCATION + i;
		struct walk walk = { .a = a, .writer = OTF2_Archive_GetEvtWriter(a->archive, id) };
		OTF2_DefWriter *def = OTF2_Archive_GetDefWriter(a->archive, id);

		if (!walk.writer || !def) {
			otf2_check(a, OTF2_ERROR_MEM_ALLOC_FAILED);
			return TRUE;
		}
		if (i < a->locations->len &&
		    !otf2_store_read(a->otf2->store, g_ptr_array_index(a->locations, i), write_part,
				     &walk, error))
			return FALSE;
		otf2_check(a, OTF2_Archive_CloseEvtWriter(a->archive, walk.writer));
		otf2_check(a, OTF2_Archive_CloseDefWriter(a->archive, def));
	}
	return TRUE;
}
