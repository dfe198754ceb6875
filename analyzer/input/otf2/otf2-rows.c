/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the definitions of an archive say: names of rows, ranks, and lookups. */
#include <string.h>

#include "input/otf2/otf2-defs-local.h"

/* The place above rows that our own output gives to intervals without observation. */
static const char unobserved[] = "not observed";

/* ---- rows */

static const char *text_at(const struct iot_otf2_defs *defs, OTF2_StringRef ref)
{
	return iot_intern_get(defs->strings, iot_otf2_text(defs, ref), NULL);
}

/* The machine of a process; 0: not known. */
static guint32 host_of(const struct iot_otf2_defs *defs, const struct iot_otf2_process *process)
{
	const struct iot_otf2_node *node = iot_otf2_find(&defs->nodes, process->node);

	/* a tree that is damaged may have circles */
	for (guint depth = 0; node && depth < 64; depth++) {
		if (!strcmp(text_at(defs, node->class_name), "node"))
			return iot_otf2_text(defs, node->name);
		node = iot_otf2_find(&defs->nodes, node->parent);
	}
	return 0;
}

static void find_hosts(struct iot_otf2_defs *defs)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL); /* of hosts, from 1 */
	gboolean all = TRUE;

	for (guint i = 0; i < defs->places->len; i++) {
		struct iot_otf2_place *place = defs->places->pdata[i];
		const struct iot_otf2_process *process =
			iot_otf2_find(&defs->processes, place->group);
		guint32 host = process && place->path == OTF2_UNDEFINED_STRING
				       ? host_of(defs, process)
				       : 0;

		all &= host != 0;
		if (!host)
			continue;
		place->machine =
			GPOINTER_TO_UINT(g_hash_table_lookup(numbers, GUINT_TO_POINTER(host)));
		if (place->machine)
			continue;
		g_array_append_val(defs->hosts, host);
		place->machine = defs->hosts->len;
		g_hash_table_insert(numbers, GUINT_TO_POINTER(host),
				    GUINT_TO_POINTER(place->machine));
	}
	if (defs->hosts->len > 1) {
		defs->of_hosts = all;
		return;
	}
	if (defs->hosts->len)
		defs->host = g_array_index(defs->hosts, guint32, 0);
	for (guint i = 0; i < defs->places->len; i++)
		((struct iot_otf2_place *)defs->places->pdata[i])->machine = 0;
}

static void find_ranks(struct iot_otf2_defs *defs)
{
	if (!defs->mpi)
		return;
	defs->mpi_place = g_new0(const struct iot_otf2_place *, defs->mpi->n + 1);
	for (guint32 i = 0; i < defs->mpi->n; i++) {
		const struct iot_otf2_place *place = iot_otf2_place(defs, defs->mpi->member[i]);
		struct iot_otf2_process *process =
			place ? iot_otf2_find(&defs->processes, place->group) : NULL;

		defs->mpi_place[i] = place;
		if (process && process->rank < 0)
			process->rank = (gint32)i;
	}
}

/* "rank 3", "rank 3 thread 1", "process Master thread": the name of the row of a place. */
static void name_row(const struct iot_otf2_defs *defs, const struct iot_otf2_place *place,
		     const struct iot_otf2_process *process, GString *out)
{
	const char *name = text_at(defs, place->name_ref);
	const char *above = process ? text_at(defs, process->name) : "";

	g_string_truncate(out, 0);
	if (process && process->rank >= 0 && defs->mpi->n > 1) {
		g_string_append_printf(out, "rank %d", process->rank);
		if (place->thread)
			g_string_append_printf(out, " thread %d", place->thread);
		return;
	}
	if (*above && !g_str_has_prefix(name, above))
		g_string_append_printf(out, "%s ", above);
	g_string_append(out, name);
}

static void finish_place(struct iot_otf2_defs *defs, struct iot_otf2_place *place, GHashTable *rows,
			 GString *text)
{
	struct iot_otf2_process *process = iot_otf2_find(&defs->processes, place->group);

	place->pid = place->tgid = (gint32)MIN(place->index + 1, G_MAXINT32);
	place->rank = (gint32)MIN(place->index, G_MAXINT32);
	place->name = iot_otf2_text(defs, place->name_ref);
	if (process) {
		place->rank = process->rank >= 0 ? process->rank : process->number;
		place->thread = process->n_places++;
		if (!place->thread)
			process->tgid = place->pid;
		place->tgid = process->tgid;
	}
	if (place->path != OTF2_UNDEFINED_STRING) {
		place->row = iot_otf2_text(defs, place->path);
		place->points = place->type == OTF2_UNDEFINED_STRING &&
				!(process && !strcmp(text_at(defs, process->name), unobserved));
		return;
	}
	name_row(defs, place, process, text);
	place->row = iot_intern_str(defs->strings, text->str);
	/* a row is known by its name, on its machine */
	if (!g_hash_table_add(rows, GSIZE_TO_POINTER((gsize)place->machine << 32 | place->row))) {
		g_string_append_printf(text, " (%" G_GUINT64_FORMAT ")", (guint64)place->ref);
		place->row = iot_intern_str(defs->strings, text->str);
	}
}

static const struct {
	const char *name;
	guint8 op;
} ops[] = {
	/* numbers: events/iotrace-ops.h */
	{ "pread", 2 },	     { "pread64", 2 },	{ "readv", 3 },	    { "preadv", 4 },
	{ "preadv64", 4 },   { "preadv2", 5 },	{ "pwrite", 7 },    { "pwrite64", 7 },
	{ "writev", 8 },     { "pwritev", 9 },	{ "pwritev64", 9 }, { "pwritev2", 10 },
	{ "fdatasync", 21 }, { "syncfs", 23 },	{ "sync", 24 },	    { "openat", 41 },
	{ "openat64", 41 },  { "openat2", 42 }, { "creat", 43 },    { "creat64", 43 },
	{ "unlinkat", 69 },
};

static guint8 op_of(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(ops); i++)
		if (!strcmp(name, ops[i].name))
			return ops[i].op;
	return 0;
}

static void finish_region(gpointer data, gpointer user)
{
	const struct iot_otf2_defs *defs = user;
	struct iot_otf2_region_def *region = data;
	const char *name = text_at(defs, region->name);

	region->out.name = iot_otf2_text(defs, region->name);
	region->out.op = op_of(name);
	region->out.may_open =
		strstr(name, "open") || strstr(name, "Open") || g_str_has_prefix(name, "creat");
	/* writers without paradigms, as EZTrace */
	if (g_str_has_prefix(name, "MPI_"))
		region->out.user = FALSE;
}

#define NS_PER_S G_GUINT64_CONSTANT(1000000000)
#define MOST_NS	 (G_MAXUINT64 / 2)

static void find_clock(struct iot_otf2_defs *defs)
{
	unsigned __int128 quick;
	gboolean dated = defs->realtime_ns != OTF2_UNDEFINED_TIMESTAMP;

	defs->base_tick = dated ? defs->first_tick : 0;
	defs->base_ns = dated ? defs->realtime_ns : 0;
	defs->per_s = MAX(defs->ticks_per_s, 1);
	defs->factor = NS_PER_S / defs->per_s;
	defs->factor_low =
		(guint64)(((unsigned __int128)(NS_PER_S % defs->per_s) << 64) / defs->per_s);
	/* sums below stay in 64 bits */
	quick = (unsigned __int128)(MOST_NS - MIN(defs->base_ns, MOST_NS)) * defs->per_s / NS_PER_S;
	defs->quick = defs->per_s < MOST_NS ? (guint64)MIN(quick, MOST_NS) : 0;
}

void iot_otf2_defs_finish(struct iot_otf2_defs *defs)
{
	g_autoptr(GHashTable) rows = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	find_clock(defs);
	find_ranks(defs);
	find_hosts(defs);
	for (guint i = 0; i < defs->places->len; i++)
		finish_place(defs, defs->places->pdata[i], rows, text);
	iot_otf2_table_each(&defs->regions, finish_region, defs);
}

/* ---- lookups */

guint32 iot_otf2_text(const struct iot_otf2_defs *defs, OTF2_StringRef ref)
{
	return iot_otf2_number(&defs->texts, ref, 0);
}

const struct iot_otf2_place *iot_otf2_place(const struct iot_otf2_defs *defs, OTF2_LocationRef ref)
{
	return g_hash_table_lookup(defs->by_ref, &ref);
}

const struct iot_otf2_region *iot_otf2_region(const struct iot_otf2_defs *defs, OTF2_RegionRef ref)
{
	const struct iot_otf2_region_def *region = iot_otf2_find(&defs->regions, ref);

	return region ? &region->out : NULL;
}

guint32 iot_otf2_comm_name(const struct iot_otf2_defs *defs, OTF2_CommRef ref)
{
	const struct iot_otf2_comm *comm = iot_otf2_find(&defs->comms, ref);

	return comm ? iot_otf2_text(defs, comm->name) : 0;
}

gboolean iot_otf2_comm_is_alone(const struct iot_otf2_defs *defs, OTF2_CommRef ref)
{
	const struct iot_otf2_comm *comm = iot_otf2_find(&defs->comms, ref);
	const struct iot_otf2_group *group =
		comm ? iot_otf2_find(&defs->groups, comm->group) : NULL;

	return group && comm->other == OTF2_UNDEFINED_GROUP &&
	       (group->type == OTF2_GROUP_TYPE_COMM_SELF || group->n == 1);
}

guint32 iot_otf2_n_ranks(const struct iot_otf2_defs *defs)
{
	return defs->mpi ? defs->mpi->n : 0;
}

/* The place of a rank of a group; NULL: it has none. */
static const struct iot_otf2_place *member_at(const struct iot_otf2_defs *defs,
					      const struct iot_otf2_group *group, guint32 rank,
					      const struct iot_otf2_place *self)
{
	guint64 index = rank;

	if (!group || !defs->mpi)
		return NULL;
	if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
		return self;
	if (group->type == OTF2_GROUP_TYPE_COMM_GROUP &&
	    !(group->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS)) {
		if (rank >= group->n)
			return NULL;
		index = group->member[rank];
	}
	return index < defs->mpi->n ? defs->mpi_place[index] : NULL;
}

static gboolean is_member(const struct iot_otf2_defs *defs, const struct iot_otf2_group *group,
			  const struct iot_otf2_place *self)
{
	for (guint32 i = 0; group && i < group->n; i++) {
		const struct iot_otf2_place *place = member_at(defs, group, i, self);

		if (place && place->group == self->group)
			return TRUE;
	}
	return FALSE;
}

const struct iot_otf2_place *iot_otf2_peer(const struct iot_otf2_defs *defs, OTF2_CommRef ref,
					   guint32 rank, const struct iot_otf2_place *self)
{
	const struct iot_otf2_comm *comm = iot_otf2_find(&defs->comms, ref);
	const struct iot_otf2_group *group =
		comm ? iot_otf2_find(&defs->groups, comm->group) : NULL;

	/* between two groups each names the ranks of the other one */
	if (comm && comm->other != OTF2_UNDEFINED_GROUP && is_member(defs, group, self))
		group = iot_otf2_find(&defs->groups, comm->other);
	return member_at(defs, group, rank, self);
}

guint32 iot_otf2_metric(const struct iot_otf2_defs *defs, OTF2_MetricRef ref, guint i)
{
	const struct iot_otf2_metrics *metrics =
		iot_otf2_find(&defs->classes, iot_otf2_number(&defs->instances, ref, ref));
	OTF2_StringRef name;

	if (!metrics || i >= metrics->n)
		return 0;
	name = iot_otf2_number(&defs->members, metrics->member[i], OTF2_UNDEFINED_STRING);
	return iot_otf2_text(defs, name);
}

guint32 iot_otf2_file(const struct iot_otf2_defs *defs, OTF2_IoFileRef file)
{
	return iot_otf2_text(defs, iot_otf2_number(&defs->files, file, OTF2_UNDEFINED_STRING));
}

guint32 iot_otf2_path(const struct iot_otf2_defs *defs, OTF2_IoHandleRef ref)
{
	const struct iot_otf2_handle *handle = iot_otf2_find(&defs->handles, ref);
	guint32 path = handle ? iot_otf2_file(defs, handle->file) : 0;

	/* EZTrace defines no files: the name of a handle is the path */
	return path || !handle ? path : iot_otf2_text(defs, handle->name);
}

guint32 iot_otf2_attribute(const struct iot_otf2_defs *defs, OTF2_AttributeRef ref)
{
	return iot_otf2_text(defs, iot_otf2_number(&defs->attributes, ref, OTF2_UNDEFINED_STRING));
}

guint64 iot_otf2_ns_slow(const struct iot_otf2_defs *defs, guint64 tick)
{
	guint64 ticks = tick - MIN(tick, defs->base_tick);
	unsigned __int128 ns = (unsigned __int128)ticks * NS_PER_S / defs->per_s + defs->base_ns;

	return (guint64)MIN(ns, MOST_NS);
}
