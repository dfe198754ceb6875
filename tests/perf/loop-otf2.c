// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop-otf2 ANCHOR - the events of an OTF2 archive, read by the library alone: in order of time
 * over all locations, with a function for regions, messages, collective calls, values and file
 * operations that counts and adds up. See otf2.sh.
 */
#include <otf2/otf2.h>

#include <stdio.h>
#include <stdlib.h>

enum { MAX_LOCATIONS = 4096 };

struct sums {
	unsigned long long n, sum;
};

/* Numbers of locations need not be 0, 1, 2 ... */
struct selection {
	OTF2_Reader *reader;
	unsigned int n;
	OTF2_LocationRef location[MAX_LOCATIONS];
};

static OTF2_CallbackCode add(struct sums *sums, OTF2_TimeStamp time, uint64_t value)
{
	sums->n++;
	sums->sum += time + value;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				   OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	(void)attributes;
	return add(data, time, location + region);
}

static OTF2_CallbackCode on_message(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				    OTF2_AttributeList *attributes, uint32_t peer,
				    OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
	(void)attributes;
	return add(data, time, location + peer + comm + tag + size);
}

static OTF2_CallbackCode on_metric(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				   OTF2_AttributeList *attributes, OTF2_MetricRef metric, uint8_t n,
				   const OTF2_Type *types, const OTF2_MetricValue *values)
{
	(void)attributes;
	(void)types;
	return add(data, time, location + metric + (n ? values[0].unsigned_int : 0));
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef location, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t n_events,
				     OTF2_LocationGroupRef group)
{
	struct selection *selection = data;

	(void)name;
	(void)type;
	(void)n_events;
	(void)group;
	if (selection->n == MAX_LOCATIONS)
		return OTF2_CALLBACK_ERROR;
	selection->location[selection->n++] = location;
	return OTF2_Reader_SelectLocation(selection->reader, location) == OTF2_SUCCESS
		       ? OTF2_CALLBACK_SUCCESS
		       : OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode on_request(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				    OTF2_AttributeList *attributes, uint32_t peer,
				    OTF2_CommRef comm, uint32_t tag, uint64_t size,
				    uint64_t request)
{
	(void)attributes;
	return add(data, time, location + peer + comm + tag + size + request);
}

static OTF2_CallbackCode on_begin(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				  OTF2_AttributeList *attributes, OTF2_IoHandleRef handle,
				  OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
				  uint64_t bytes, uint64_t matching)
{
	(void)attributes;
	return add(data, time, location + handle + mode + flags + bytes + matching);
}

static OTF2_CallbackCode on_complete(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				     OTF2_AttributeList *attributes, OTF2_IoHandleRef handle,
				     uint64_t bytes, uint64_t matching)
{
	(void)attributes;
	return add(data, time, location + handle + bytes + matching);
}

static OTF2_CallbackCode on_collective(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
				       OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
				       OTF2_CommRef comm, uint32_t root, uint64_t sent,
				       uint64_t received)
{
	(void)attributes;
	return add(data, time, location + op + comm + root + sent + received);
}

/* All locations are selected while their definitions are read. */
static int select_locations(struct selection *selection)
{
	OTF2_Reader *reader = selection->reader;
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t n;

	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, selection);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	return OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n) == OTF2_SUCCESS;
}

static int read_events(const struct selection *selection, struct sums *sums)
{
	OTF2_Reader *reader = selection->reader;
	OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
	OTF2_GlobalEvtReader *events;
	uint64_t n;

	OTF2_Reader_OpenEvtFiles(reader);
	for (unsigned int i = 0; i < selection->n; i++)
		OTF2_Reader_GetEvtReader(reader, selection->location[i]);
	events = OTF2_Reader_GetGlobalEvtReader(reader);
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_region);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_region);
	OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, on_message);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_message);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_request);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_request);
	OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
	OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_complete);
	OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, sums);
	OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
	return OTF2_Reader_ReadAllGlobalEvents(reader, events, &n) == OTF2_SUCCESS;
}

int main(int argc, char **argv)
{
	struct selection selection = { argc == 2 ? OTF2_Reader_Open(argv[1]) : NULL, 0, { 0 } };
	struct sums sums = { 0, 0 };
	int ok;

	if (!selection.reader) {
		fputs("usage: loop-otf2 ANCHOR\n", stderr);
		return 2;
	}
	OTF2_Reader_SetSerialCollectiveCallbacks(selection.reader);
	ok = select_locations(&selection) && read_events(&selection, &sums);
	printf("%llu events, sum %llu\n", sums.n, sums.sum);
	OTF2_Reader_Close(selection.reader);
	return ok ? 0 : 1;
}
