/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/otf2/otf2-defs-local.h"

/* ---- tables */

static void free_group(gpointer data)
{
	struct iot_otf2_group *group = data;

	g_free(group->member);
	g_free(group);
}

struct iot_otf2_defs *iot_otf2_defs_new(struct iot_intern *strings)
{
	struct iot_otf2_defs *defs = g_new0(struct iot_otf2_defs, 1);

	defs->strings = strings;
	defs->realtime_ns = OTF2_UNDEFINED_TIMESTAMP;
	defs->places = g_ptr_array_new_with_free_func(g_free);
	defs->hosts = g_array_new(FALSE, FALSE, sizeof(guint32));
	defs->by_ref = g_hash_table_new(g_int64_hash, g_int64_equal);
	iot_otf2_table_init(&defs->texts, NULL);
	iot_otf2_table_init(&defs->nodes, g_free);
	iot_otf2_table_init(&defs->processes, g_free);
	iot_otf2_table_init(&defs->regions, g_free);
	iot_otf2_table_init(&defs->groups, free_group);
	iot_otf2_table_init(&defs->comms, g_free);
	iot_otf2_table_init(&defs->members, NULL);
	iot_otf2_table_init(&defs->classes, g_free);
	iot_otf2_table_init(&defs->instances, NULL);
	iot_otf2_table_init(&defs->files, NULL);
	iot_otf2_table_init(&defs->handles, g_free);
	iot_otf2_table_init(&defs->attributes, NULL);
	return defs;
}

void iot_otf2_defs_free(struct iot_otf2_defs *defs)
{
	if (!defs)
		return;
	g_hash_table_unref(defs->by_ref);
	g_ptr_array_unref(defs->places);
	g_array_unref(defs->hosts);
	g_free(defs->mpi_place);
	iot_otf2_table_clear(&defs->texts);
	iot_otf2_table_clear(&defs->nodes);
	iot_otf2_table_clear(&defs->processes);
	iot_otf2_table_clear(&defs->regions);
	iot_otf2_table_clear(&defs->groups);
	iot_otf2_table_clear(&defs->comms);
	iot_otf2_table_clear(&defs->members);
	iot_otf2_table_clear(&defs->classes);
	iot_otf2_table_clear(&defs->instances);
	iot_otf2_table_clear(&defs->files);
	iot_otf2_table_clear(&defs->handles);
	iot_otf2_table_clear(&defs->attributes);
	g_free(defs);
}

/* Keep a copy under the number, unless it is defined. */
static void keep(struct iot_otf2_table *table, guint32 ref, gconstpointer data, gsize size)
{
	if (!iot_otf2_find(table, ref))
		iot_otf2_table_add(table, ref, g_memdup2(data, size));
}

/* The same of another number. */
static void keep_number(struct iot_otf2_table *table, guint32 ref, guint32 number)
{
	if (!iot_otf2_find(table, ref))
		iot_otf2_table_add(table, ref, GSIZE_TO_POINTER(number + 1ull));
}

/* ---- definitions */

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t length,
				  uint64_t realtime)
{
	struct iot_otf2_defs *defs = data;

	defs->ticks_per_s = resolution;
	defs->first_tick = offset;
	defs->n_ticks = length;
	defs->realtime_ns = realtime;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *string)
{
	struct iot_otf2_defs *defs = data;

	keep_number(&defs->texts, self, iot_intern_str(defs->strings, string));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_node(void *data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
				 OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_node node = { name, class_name, parent };

	keep(&defs->nodes, self, &node, sizeof(node));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *data, OTF2_LocationGroupRef self, OTF2_StringRef name,
				    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
				    OTF2_LocationGroupRef creator)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_process process = { .name = name, .node = node, .rank = -1 };

	(void)type, (void)creator;
	process.number = (gint32)defs->processes.n;
	keep(&defs->processes, self, &process, sizeof(process));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t n_events,
				     OTF2_LocationGroupRef group)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_place *place;

	(void)type;
	if (g_hash_table_contains(defs->by_ref, &self))
		return OTF2_CALLBACK_SUCCESS;
	place = g_new0(struct iot_otf2_place, 1);
	place->ref = self;
	place->index = defs->places->len;
	place->name_ref = name;
	place->group = group;
	place->n_events = n_events;
	place->path = place->type = OTF2_UNDEFINED_STRING;
	g_ptr_array_add(defs->places, place);
	g_hash_table_insert(defs->by_ref, &place->ref, place);
	return OTF2_CALLBACK_SUCCESS;
}

/* Those of our own output (docs/formats/otf2.md). */
static OTF2_CallbackCode on_property(void *data, OTF2_LocationRef location, OTF2_StringRef name,
				     OTF2_Type type, OTF2_AttributeValue value)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_place *place = g_hash_table_lookup(defs->by_ref, &location);
	const char *text = iot_intern_get(defs->strings, iot_otf2_text(defs, name), NULL);

	if (!place || type != OTF2_TYPE_STRING)
		return OTF2_CALLBACK_SUCCESS;
	if (!strcmp(text, "row"))
		place->path = value.stringRef;
	else if (!strcmp(text, "type"))
		place->type = value.stringRef;
	return OTF2_CALLBACK_SUCCESS;
}

/* A call of a library for communication, threads or files, in which a program waits. */
static gboolean is_call(OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
	switch (role) {
	case OTF2_REGION_ROLE_BARRIER:
	case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
	case OTF2_REGION_ROLE_TASK_WAIT:
	case OTF2_REGION_ROLE_COLL_ONE2ALL:
	case OTF2_REGION_ROLE_COLL_ALL2ONE:
	case OTF2_REGION_ROLE_COLL_ALL2ALL:
	case OTF2_REGION_ROLE_COLL_OTHER:
	case OTF2_REGION_ROLE_FILE_IO:
	case OTF2_REGION_ROLE_FILE_IO_METADATA:
	case OTF2_REGION_ROLE_POINT2POINT:
	case OTF2_REGION_ROLE_RMA:
	case OTF2_REGION_ROLE_THREAD_WAIT:
		return TRUE;
	default:
		return paradigm == OTF2_PARADIGM_MPI || paradigm == OTF2_PARADIGM_SHMEM ||
		       paradigm == OTF2_PARADIGM_GASPI;
	}
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_region_def region = { .name = name, .out.user = !is_call(role, paradigm) };

	(void)canonical, (void)description, (void)flags, (void)file, (void)begin, (void)end;
	keep(&defs->regions, self, &region, sizeof(region));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
				  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
				  uint32_t n, const uint64_t *members)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_group group = { .type = type, .flags = flags, .n = n };

	(void)name;
	if (paradigm != OTF2_PARADIGM_MPI || iot_otf2_find(&defs->groups, self))
		return OTF2_CALLBACK_SUCCESS;
	if (n)
		group.member = g_memdup2(members, n * sizeof(*members));
	keep(&defs->groups, self, &group, sizeof(group));
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && !defs->mpi)
		defs->mpi = iot_otf2_find(&defs->groups, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
				 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_comm comm = { name, group, OTF2_UNDEFINED_GROUP };

	(void)parent, (void)flags;
	keep(&defs->comms, self, &comm, sizeof(comm));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
				       OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
				       OTF2_CommFlag flags)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_comm comm = { name, a, b };

	(void)common, (void)flags;
	keep(&defs->comms, self, &comm, sizeof(comm));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_member(void *data, OTF2_MetricMemberRef self, OTF2_StringRef name,
				   OTF2_StringRef description, OTF2_MetricType type,
				   OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base,
				   int64_t exponent, OTF2_StringRef unit)
{
	struct iot_otf2_defs *defs = data;

	(void)description, (void)type, (void)mode, (void)value_type, (void)base, (void)exponent;
	(void)unit;
	keep_number(&defs->members, self, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_class(void *data, OTF2_MetricRef self, uint8_t n,
				  const OTF2_MetricMemberRef *members,
				  OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
	struct iot_otf2_defs *defs = data;
	gsize size = sizeof(struct iot_otf2_metrics) + n * sizeof(*members);
	g_autofree struct iot_otf2_metrics *metrics = g_malloc(size);

	(void)occurrence, (void)kind;
	metrics->n = n;
	if (n)
		memcpy(metrics->member, members, n * sizeof(*members));
	keep(&defs->classes, self, metrics, size);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_instance(void *data, OTF2_MetricRef self, OTF2_MetricRef of,
				     OTF2_LocationRef recorder, OTF2_MetricScope kind,
				     uint64_t scope)
{
	struct iot_otf2_defs *defs = data;

	(void)recorder, (void)kind, (void)scope;
	keep_number(&defs->instances, self, of);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_file(void *data, OTF2_IoFileRef self, OTF2_StringRef name,
				 OTF2_SystemTreeNodeRef scope)
{
	struct iot_otf2_defs *defs = data;

	(void)scope;
	keep_number(&defs->files, self, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_handle(void *data, OTF2_IoHandleRef self, OTF2_StringRef name,
				   OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
				   OTF2_IoHandleFlag flags, OTF2_CommRef comm,
				   OTF2_IoHandleRef parent)
{
	struct iot_otf2_defs *defs = data;
	struct iot_otf2_handle handle = { name, file };

	(void)paradigm, (void)flags, (void)comm, (void)parent;
	defs->has_io = TRUE;
	keep(&defs->handles, self, &handle, sizeof(handle));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name,
				      OTF2_StringRef description, OTF2_Type type)
{
	struct iot_otf2_defs *defs = data;

	(void)description, (void)type;
	keep_number(&defs->attributes, self, name);
	return OTF2_CALLBACK_SUCCESS;
}

OTF2_GlobalDefReaderCallbacks *iot_otf2_defs_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();

	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, on_string);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(calls, on_node);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(calls, on_process);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, on_location);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(calls, on_property);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, on_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(calls, on_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(calls, on_member);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(calls, on_class);
	OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(calls, on_instance);
	OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(calls, on_file);
	OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(calls, on_file);
	OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(calls, on_handle);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(calls, on_attribute);
	return calls;
}
