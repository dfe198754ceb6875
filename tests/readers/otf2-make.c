// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otf2-make FOLDER SEED EVENTS - write a random archive as Score-P writes them, and print what is
 * in it: lines KIND ROW NAME BEGIN DURATION MORE, times in ns. Ranks on one machine or two, each
 * with a second thread, in communicators of all kinds; some locations have numbers of regions of
 * their own. About EVENTS events on each location.
 */
#include <glib.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

/* A slot of time is 128 ticks of 1/512 us: 250 ns. Messages are half a slot later. */
enum { RANKS = 4, REGIONS = 6, FILES = 3, TICKS = 512000000, SLOT = 128, FIRST = 6400 };
/* Seconds since 1970: awk has doubles, which hold the ns exactly. */
enum { DATE = 1000000 };

enum kind { ENTER, LEAVE, SEND, ISEND, RECV, IRECV, METRIC, BEGIN, COMPLETE, CREATE, COLLECTIVE };

struct event {
	guint64 time;
	guint seq;
	enum kind kind;
	guint32 what;	   /* region, rank in the communicator, handle, metric */
	guint32 comm, tag; /* of messages */
	guint64 size;
	double value;
};

struct location {
	GArray *events;
	guint rank, thread;
	char *row;
};

static struct location locations[RANKS * 2];
static GRand *rnd;
static guint seq;
static gboolean dated, two_hosts;

static const char *const regions[REGIONS] = { "main",	   "MPI_Send", "MPI_Recv",
					      "MPI_Bcast", "solve",    "open" };
static const char *const files[FILES] = { "/data/in", "/data/out", "/tmp/log" };

static guint any(guint n)
{
	return (guint)g_rand_int_range(rnd, 0, (gint32)n);
}

static guint64 ns(guint64 time)
{
	return (dated ? DATE * 1000000000ull + (time - FIRST) / SLOT * 250 +
				(time - FIRST) % SLOT * 125 / 64
		      : time / 64 * 125);
}

static void add(guint place, guint64 time, struct event event)
{
	event.time = time;
	event.seq = seq++;
	g_array_append_val(locations[place].events, event);
}

/* --- what happens --- */

struct level {
	guint region;
	guint64 begin;
	gboolean collective;
};

static void life(guint place, guint n)
{
	const char *row = locations[place].row;
	struct level stack[8];
	guint64 time = FIRST + SLOT * (1 + any(9));
	double last[2] = { -1, -1 };
	guint depth = 0;

	for (guint i = 0; i < n || depth; i++) {
		time += SLOT * (1 + any(9));
		if (i >= n || (depth && any(3) == 0)) {
			struct level *top = &stack[--depth];

			add(place, time, (struct event){ .kind = LEAVE, .what = top->region });
			printf("state\t%s\t%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s\n",
			       row, regions[top->region], ns(top->begin), ns(time) - ns(top->begin),
			       top->collective ? "comm=world root=2 sent=8 received=16" : "");
		} else if (depth < 8 && any(2)) {
			stack[depth].region = any(REGIONS - 1); /* no open */
			stack[depth].begin = time;
			stack[depth].collective = FALSE;
			add(place, time,
			    (struct event){ .kind = ENTER, .what = stack[depth++].region });
		} else if (depth && stack[depth - 1].region == 3 && !stack[depth - 1].collective) {
			stack[depth - 1].collective = TRUE;
			add(place, time, (struct event){ .kind = COLLECTIVE });
		} else if (any(2)) {
			guint metric = any(2);
			double value = metric ? any(1000) : any(1000) / 4.0;

			add(place, time,
			    (struct event){ .kind = METRIC, .what = metric, .value = value });
			if (value != last[metric])
				printf("value\t%s\t%s\t%" G_GUINT64_FORMAT "\t%.2f\n", row,
				       metric ? "misses" : "load", ns(time), value);
			last[metric] = value;
		} else {
			guint file = any(FILES);
			guint64 size = any(5000), end = time + SLOT * (1 + any(5));
			gboolean writes = any(2);

			add(place, time,
			    (struct event){
				    .kind = BEGIN, .what = file, .tag = writes, .size = size });
			add(place, end,
			    (struct event){ .kind = COMPLETE, .what = file, .size = size / 2 });
			printf("call\t%s\t%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
			       "\t%s %" G_GUINT64_FORMAT "\n",
			       row, files[file], ns(time), ns(end) - ns(time),
			       writes ? "write" : "read", size / 2);
			time = end;
		}
	}
	/* a file is opened at the end: the call is the region around it */
	time += SLOT;
	add(place, time, (struct event){ .kind = ENTER, .what = 5 });
	add(place, time + SLOT, (struct event){ .kind = CREATE, .what = place % FILES });
	add(place, time + 2 * SLOT, (struct event){ .kind = LEAVE, .what = 5 });
	printf("state\t%s\topen\t%" G_GUINT64_FORMAT "\t500\t\n", row, ns(time));
	printf("open\t%s\t%s\t%" G_GUINT64_FORMAT "\t250\n", row, files[place % FILES], ns(time));
}

/* Communicators: what the ranks of the program are called in them; -1: they are not in it. */
static const struct {
	const char *name;
	int called[RANKS];
} comms[] = {
	{ "world", { 0, 1, 2, 3 } },
	{ "turned", { -1, 1, -1, 0 } }, /* members 3, 1 */
	{ "global", { 0, -1, 2, -1 } }, /* ranks of the world */
	{ "between", { 0, 1, 0, 1 } },	/* of 0, 1 and 2, 3 */
};

static void messages(guint n)
{
	for (guint comm = 0; comm < G_N_ELEMENTS(comms); comm++)
		for (guint from = 0; from < RANKS; from++)
			for (guint to = 0; to < RANKS; to++) {
				/* one may seem to come before it was sent: clocks differ */
				gint64 delay = SLOT * ((gint64)any(40) - 5);
				guint64 time = FIRST + SLOT * 20 + SLOT / 2;
				guint tag = any(3), size = 1 + any(1000);

				if (from == to || comms[comm].called[from] < 0 ||
				    comms[comm].called[to] < 0 || (comm == 3 && from / 2 == to / 2))
					continue;
				for (guint i = 0; i < n; i++) {
					guint64 received;

					time += SLOT * (1 + any(9));
					received = (guint64)((gint64)time + delay);
					add(from * 2, time,
					    (struct event){ .kind = any(2) ? SEND : ISEND,
							    .what = (guint32)comms[comm].called[to],
							    .comm = comm,
							    .tag = tag,
							    .size = size });
					add(to * 2, received,
					    (struct event){
						    .kind = any(2) ? RECV : IRECV,
						    .what = (guint32)comms[comm].called[from],
						    .comm = comm,
						    .tag = tag,
						    .size = size });
					printf("message\t%s\t%s\t%" G_GUINT64_FORMAT
					       "\t%" G_GINT64_FORMAT "\t%u %u\n",
					       locations[from * 2].row, locations[to * 2].row,
					       ns(time), (gint64)ns(received) - (gint64)ns(time),
					       tag, size);
				}
			}
}

/* --- the archive --- */

static OTF2_GlobalDefWriter *defs;
static OTF2_StringRef n_strings;

static OTF2_StringRef text(const char *string)
{
	OTF2_GlobalDefWriter_WriteString(defs, n_strings, string);
	return n_strings++;
}

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
			    bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushes = { .otf2_pre_flush = flush };

static OTF2_LocationRef location_ref(guint place)
{
	return locations[place].rank + ((guint64)locations[place].thread << 32);
}

/* A location with a second thread numbers its regions backwards. */
static guint32 local_region(guint place, guint32 region)
{
	return locations[place].thread ? REGIONS - 1 - region : region;
}

static int by_time(const void *a, const void *b)
{
	const struct event *left = a, *right = b;

	return left->time != right->time ? (left->time < right->time ? -1 : 1)
					 : (left->seq < right->seq ? -1 : 1);
}

static void write_event(OTF2_EvtWriter *out, guint place, const struct event *e, guint64 *operation)
{
	OTF2_Type types[2] = { OTF2_TYPE_DOUBLE, OTF2_TYPE_UINT64 };
	OTF2_MetricValue value;

	switch (e->kind) {
	case ENTER:
		OTF2_EvtWriter_Enter(out, NULL, e->time, local_region(place, e->what));
		break;
	case LEAVE:
		OTF2_EvtWriter_Leave(out, NULL, e->time, local_region(place, e->what));
		break;
	case SEND:
		OTF2_EvtWriter_MpiSend(out, NULL, e->time, e->what, e->comm, e->tag, e->size);
		break;
	case ISEND:
		OTF2_EvtWriter_MpiIsend(out, NULL, e->time, e->what, e->comm, e->tag, e->size, 7);
		OTF2_EvtWriter_MpiIsendComplete(out, NULL, e->time, 7);
		break;
	case RECV:
		OTF2_EvtWriter_MpiRecv(out, NULL, e->time, e->what, e->comm, e->tag, e->size);
		break;
	case IRECV:
		OTF2_EvtWriter_MpiIrecvRequest(out, NULL, e->time, 8);
		OTF2_EvtWriter_MpiIrecv(out, NULL, e->time, e->what, e->comm, e->tag, e->size, 8);
		break;
	case COLLECTIVE:
		OTF2_EvtWriter_MpiCollectiveBegin(out, NULL, e->time);
		OTF2_EvtWriter_MpiCollectiveEnd(out, NULL, e->time, OTF2_COLLECTIVE_OP_BCAST, 0, 2,
						8, 16);
		break;
	case METRIC:
		if (e->what)
			value.unsigned_int = (guint64)e->value;
		else
			value.floating_point = e->value;
		/* the second one by an instance of its class */
		OTF2_EvtWriter_Metric(out, NULL, e->time, e->what ? 2 : 0, 1, &types[e->what],
				      &value);
		break;
	case BEGIN:
		OTF2_EvtWriter_IoOperationBegin(out, NULL, e->time, e->what,
						e->tag ? OTF2_IO_OPERATION_MODE_WRITE
						       : OTF2_IO_OPERATION_MODE_READ,
						OTF2_IO_OPERATION_FLAG_NONE, e->size, ++*operation);
		break;
	case COMPLETE:
		OTF2_EvtWriter_IoOperationComplete(out, NULL, e->time, e->what, e->size,
						   *operation);
		break;
	case CREATE:
		OTF2_EvtWriter_IoCreateHandle(out, NULL, e->time, e->what,
					      OTF2_IO_ACCESS_MODE_READ_ONLY,
					      OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
		break;
	}
}

static void write_local_defs(OTF2_Archive *archive, guint place)
{
	OTF2_DefWriter *out = OTF2_Archive_GetDefWriter(archive, location_ref(place));
	uint32_t global[REGIONS];
	OTF2_IdMap *map;

	for (guint i = 0; i < REGIONS; i++)
		global[i] = local_region(place, i);
	if (locations[place].thread) {
		map = OTF2_IdMap_CreateFromUint32Array(REGIONS, global, false);
		OTF2_DefWriter_WriteMappingTable(out, OTF2_MAPPING_REGION, map);
		OTF2_IdMap_Free(map);
	}
	OTF2_Archive_CloseDefWriter(archive, out);
}

static void write_groups(void)
{
	static const uint64_t all[] = { 0, 1, 2, 3 }, turned[] = { 3, 1 }, low[] = { 0, 1 },
			      high[] = { 2, 3 };
	OTF2_StringRef none = text("");

	OTF2_GlobalDefWriter_WriteGroup(defs, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, all);
	OTF2_GlobalDefWriter_WriteGroup(defs, 1, none, OTF2_GROUP_TYPE_COMM_GROUP,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, all);
	OTF2_GlobalDefWriter_WriteGroup(defs, 2, none, OTF2_GROUP_TYPE_COMM_GROUP,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, turned);
	OTF2_GlobalDefWriter_WriteGroup(defs, 3, none, OTF2_GROUP_TYPE_COMM_GROUP,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_GLOBAL_MEMBERS, 0, NULL);
	OTF2_GlobalDefWriter_WriteGroup(defs, 4, none, OTF2_GROUP_TYPE_COMM_GROUP,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, low);
	OTF2_GlobalDefWriter_WriteGroup(defs, 5, none, OTF2_GROUP_TYPE_COMM_GROUP,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, high);
	for (guint i = 0; i < 3; i++)
		OTF2_GlobalDefWriter_WriteComm(defs, i, text(comms[i].name), 1 + i,
					       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteInterComm(defs, 3, text(comms[3].name), 4, 5, OTF2_UNDEFINED_COMM,
					    OTF2_COMM_FLAG_NONE);
}

static void write_places(void)
{
	OTF2_StringRef node = text("node"), machine = text("machine");

	OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, text("Linux"), machine,
						 OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (guint i = 0; i < (two_hosts ? 2 : 1); i++)
		OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 1 + i, text(i ? "n1" : "n0"), node,
							 0);
	for (guint rank = 0; rank < RANKS; rank++) {
		g_autofree char *name = g_strdup_printf("MPI Rank %u", rank);

		OTF2_GlobalDefWriter_WriteLocationGroup(
			defs, rank, text(name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
			two_hosts ? 1 + rank / 2 : 1, OTF2_UNDEFINED_LOCATION_GROUP);
	}
	for (guint i = 0; i < RANKS * 2; i++)
		OTF2_GlobalDefWriter_WriteLocation(
			defs, location_ref(i),
			text(locations[i].thread ? "OMP thread 1" : "Master thread"),
			OTF2_LOCATION_TYPE_CPU_THREAD, locations[i].events->len, locations[i].rank);
}

static void write_things(void)
{
	OTF2_IoParadigmRef posix = 0;
	OTF2_MetricMemberRef member;
	OTF2_StringRef none = text("");

	for (guint i = 0; i < REGIONS; i++)
		OTF2_GlobalDefWriter_WriteRegion(
			defs, i, text(regions[i]), none, none, OTF2_REGION_ROLE_FUNCTION,
			i > 0 && i < 4 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_COMPILER,
			OTF2_REGION_FLAG_NONE, none, 0, 0);
	for (guint i = 0; i < 2; i++) {
		member = i;
		OTF2_GlobalDefWriter_WriteMetricMember(
			defs, i, text(i ? "misses" : "load"), none, OTF2_METRIC_TYPE_OTHER,
			OTF2_METRIC_ABSOLUTE_POINT, i ? OTF2_TYPE_UINT64 : OTF2_TYPE_DOUBLE,
			OTF2_BASE_DECIMAL, 0, none);
		OTF2_GlobalDefWriter_WriteMetricClass(defs, i, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
						      OTF2_RECORDER_KIND_CPU);
	}
	OTF2_GlobalDefWriter_WriteMetricInstance(defs, 2, 1, 0, OTF2_SCOPE_LOCATION, 0);
	OTF2_GlobalDefWriter_WriteIoParadigm(defs, posix, text("POSIX"), text("POSIX"),
					     OTF2_IO_PARADIGM_CLASS_SERIAL,
					     OTF2_IO_PARADIGM_FLAG_OS, 0, NULL, NULL, NULL);
	for (guint i = 0; i < FILES; i++) {
		OTF2_GlobalDefWriter_WriteIoRegularFile(defs, i, text(files[i]), 0);
		OTF2_GlobalDefWriter_WriteIoHandle(defs, i, none, i, posix,
						   OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM,
						   OTF2_UNDEFINED_IO_HANDLE);
	}
}

static void write_archive(const char *folder)
{
	OTF2_Archive *archive =
		OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
				  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	if (!archive)
		exit(1);
	OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (guint i = 0; i < RANKS * 2; i++) {
		GArray *events = locations[i].events;
		OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter(archive, location_ref(i));
		guint64 operation = 0;

		qsort(events->data, events->len, sizeof(struct event), by_time);
		for (guint k = 0; k < events->len; k++)
			write_event(out, i, &g_array_index(events, struct event, k), &operation);
		OTF2_Archive_CloseEvtWriter(archive, out);
	}
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (guint i = 0; i < RANKS * 2; i++)
		write_local_defs(archive, i);
	OTF2_Archive_CloseDefFiles(archive);
	defs = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(defs, TICKS, FIRST, 1 << 20,
						  dated ? DATE * 1000000000ull
							: OTF2_UNDEFINED_TIMESTAMP);
	write_places();
	write_groups();
	write_things();
	if (OTF2_Archive_Close(archive) != OTF2_SUCCESS)
		exit(1);
}

int main(int argc, char **argv)
{
	guint seed, n;

	if (argc != 4)
		return 1;
	seed = (guint)atoi(argv[2]);
	n = (guint)atoi(argv[3]);
	rnd = g_rand_new_with_seed(seed);
	dated = seed % 2;
	two_hosts = seed % 3;
	for (guint i = 0; i < RANKS * 2; i++) {
		struct location *location = &locations[i];

		location->events = g_array_new(FALSE, FALSE, sizeof(struct event));
		location->rank = i / 2;
		location->thread = i % 2;
		location->row =
			g_strdup_printf("n%u/rank %u%s", two_hosts ? location->rank / 2 : 0,
					location->rank, location->thread ? " thread 1" : "");
	}
	for (guint i = 0; i < RANKS * 2; i++)
		life(i, n);
	messages(n / 10);
	write_archive(argv[1]);
	for (guint i = 0; i < RANKS * 2; i++) {
		g_array_unref(locations[i].events);
		g_free(locations[i].row);
	}
	g_rand_free(rnd);
	return 0;
}
