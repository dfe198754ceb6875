/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the numbers in the events of an OTF2 archive mean: its global definitions. Writers define
 * things in any order, and some define a number twice: the first time counts. One thread, which
 * reads; then read-only.
 */
#ifndef IOT_INPUT_OTF2_DEFS_H
#define IOT_INPUT_OTF2_DEFS_H

#include <otf2/otf2.h>

#include "base/fault.h"
#include "base/intern.h"
#include "input/otf2/otf2-table.h"

/* A location: a thread, or another place of events. */
struct iot_otf2_place {
	OTF2_LocationRef ref;
	guint32 index;	  /* in the order of definition */
	gint32 rank;	  /* of MPI; without MPI the number of its process */
	gint32 thread;	  /* in its process, from 0 */
	gint32 pid, tgid; /* numbers for models that want threads and processes; not the system's */
	guint32 name, row; /* numbers of texts */
	guint machine;	   /* of several, from 1; 0: there is only one, or its own is not known */
	guint64 n_events;  /* as the archive says; some writers count wrong, but not 0 */
	gboolean no_file;  /* it has no events, and no file of them */
	gboolean points;   /* our own output otf2 has put points and samples here, no states */
	/* private */
	OTF2_StringRef name_ref;
	OTF2_LocationGroupRef group;
	OTF2_StringRef path, type; /* properties of our own output; undefined: none */
};

struct iot_otf2_region {
	guint32 name;
	gboolean user; /* of the program, not of a library whose calls are waits */
	guint8 op;     /* the call on files that its name is (events/iotrace-ops.h); 0: none */
	gboolean may_open; /* it can open files: open, fopen, MPI_File_open, creat */
};

struct iot_otf2_defs {
	struct iot_intern *strings; /* of the source */
	GPtrArray *places;	    /* of struct iot_otf2_place, by index */
	/* realtime_ns: of the first tick, since 1970; OTF2_UNDEFINED_TIMESTAMP: not recorded */
	guint64 ticks_per_s, first_tick, n_ticks, realtime_ns;
	guint32 host; /* the only machine; 0: there are several, or none is named */
	GArray *hosts;	   /* of guint32: those that are named, in the order of their places */
	gboolean of_hosts; /* there are several, and each place is on one of them */
	gboolean has_io; /* it defines I/O handles */
	/* private */
	guint64 base_tick, base_ns, per_s; /* for iot_otf2_ns */
	guint64 factor, factor_low;	   /* ns of a tick, and the 64 binary places behind */
	guint64 quick;			   /* ticks, of which fewer have the fast path */
	GHashTable *by_ref; /* location -> struct iot_otf2_place */
	struct iot_otf2_table texts, nodes, processes, regions, groups, comms;
	struct iot_otf2_table members, classes, instances, files, handles, attributes;
	const struct iot_otf2_group *mpi;	 /* the places of all ranks; NULL: no MPI */
	const struct iot_otf2_place **mpi_place; /* of each of its members; NULL: not defined */
};

/** iot_otf2_defs_new - without definitions; @strings: outlives it */
struct iot_otf2_defs *iot_otf2_defs_new(struct iot_intern *strings);
/** iot_otf2_defs_free - accepts NULL */
void iot_otf2_defs_free(struct iot_otf2_defs *defs);
/** iot_otf2_defs_callbacks - callbacks for OTF2_Reader_RegisterGlobalDefCallbacks, whose user data
 * is a struct iot_otf2_defs; the caller deletes them */
OTF2_GlobalDefReaderCallbacks *iot_otf2_defs_callbacks(void);
/** iot_otf2_defs_finish - name the rows and find ranks; after all definitions, before the rest */
void iot_otf2_defs_finish(struct iot_otf2_defs *defs);

/** iot_otf2_place - the place of a location; NULL: not defined */
const struct iot_otf2_place *iot_otf2_place(const struct iot_otf2_defs *defs, OTF2_LocationRef ref);
/** iot_otf2_peer - the place of a rank of a communicator, as @self sees it; NULL: not known */
const struct iot_otf2_place *iot_otf2_peer(const struct iot_otf2_defs *defs, OTF2_CommRef comm,
					   guint32 rank, const struct iot_otf2_place *self);
/** iot_otf2_comm_is_alone - whether a communicator is of one rank, such as MPI_COMM_SELF */
gboolean iot_otf2_comm_is_alone(const struct iot_otf2_defs *defs, OTF2_CommRef comm);
/** iot_otf2_n_ranks - ranks of the MPI program; 0: it is none */
guint32 iot_otf2_n_ranks(const struct iot_otf2_defs *defs);
/** iot_otf2_comm_name - number of the name of a communicator; 0: not defined */
guint32 iot_otf2_comm_name(const struct iot_otf2_defs *defs, OTF2_CommRef comm);
/** iot_otf2_region - what a region is; NULL: not defined */
const struct iot_otf2_region *iot_otf2_region(const struct iot_otf2_defs *defs, OTF2_RegionRef ref);
/** iot_otf2_metric - number of the name of the @i-th value of a metric; 0: not defined */
guint32 iot_otf2_metric(const struct iot_otf2_defs *defs, OTF2_MetricRef ref, guint i);
/** iot_otf2_path - number of the path of an I/O handle, or of a file; 0: not defined */
guint32 iot_otf2_path(const struct iot_otf2_defs *defs, OTF2_IoHandleRef handle);
guint32 iot_otf2_file(const struct iot_otf2_defs *defs, OTF2_IoFileRef file);
/** iot_otf2_text - number of a text; 0: not defined, or empty */
guint32 iot_otf2_text(const struct iot_otf2_defs *defs, OTF2_StringRef ref);
/** iot_otf2_attribute - number of the name of an attribute; 0: not defined */
guint32 iot_otf2_attribute(const struct iot_otf2_defs *defs, OTF2_AttributeRef ref);
/* The slow path of iot_otf2_ns: do not call. */
guint64 iot_otf2_ns_slow(const struct iot_otf2_defs *defs, guint64 tick);

/** iot_otf2_ns - time of a tick: of real time if the archive has a date, else of its own clock;
 * below 2^63 */
static inline guint64 iot_otf2_ns(const struct iot_otf2_defs *defs, guint64 tick)
{
	guint64 ticks = tick - MIN(tick, defs->base_tick), ns, rest;

	if (G_UNLIKELY(ticks >= defs->quick) || iot_slow_only())
		return iot_otf2_ns_slow(defs, tick);
	/* fast path: the factor is rounded down, so the product is less by 1 at most */
	ns = ticks * defs->factor + (guint64)((unsigned __int128)ticks * defs->factor_low >> 64);
	rest = ticks * 1000000000 - ns * defs->per_s;
	return defs->base_ns + ns + (rest >= defs->per_s);
}

#endif
