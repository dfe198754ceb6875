/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The container of a trace-cmd recording, versions 6 and 7: metadata, event formats, and the place
 * of each CPU's pages. Opening (dat-open.h) reads all metadata and no event data.
 *
 * Nothing in the file is trusted. Contradictory parts are left out and counted in "diag"; opening
 * fails only if nothing usable is left. An open file is read-only: any thread.
 */
#ifndef IOT_INPUT_DAT_DAT_FILE_H
#define IOT_INPUT_DAT_DAT_FILE_H

#include "base/diag.h"
#include "input/clock.h"
#include "input/dat/ring-page.h"

/* Sections and options share these numbers. */
enum iot_dat_id {
	IOT_DAT_DONE,
	IOT_DAT_DATE,
	IOT_DAT_BUFFER = 3,
	IOT_DAT_TRACECLOCK = 4,
	IOT_DAT_UNAME = 5,
	IOT_DAT_OFFSET = 7,
	IOT_DAT_CPUCOUNT = 8,
	IOT_DAT_TRACEID = 11,
	IOT_DAT_TIME_SHIFT = 12,
	IOT_DAT_GUEST = 13,
	IOT_DAT_TSC2NSEC = 14,
	IOT_DAT_HEADER_INFO = 16,
	IOT_DAT_FTRACE_EVENTS = 17,
	IOT_DAT_EVENT_FORMATS = 18,
	IOT_DAT_CMDLINES = 21,
	IOT_DAT_BUFFER_TEXT = 22,
};

/* The event data of one CPU, which lie within the file. */
struct iot_dat_area {
	guint32 cpu;
	guint32 n_chunks;     /* as the file says; 0 if not compressed or not known */
	guint64 offset, size; /* of pages, or of chunks without their leading count */
	gboolean cut;	      /* the file is shorter than its CPU table says */
};

struct iot_dat_buffer {
	char *name;  /* "" is the top buffer */
	char *clock; /* NULL if not recorded */
	guint32 page_size;
	gboolean compressed;
	GArray *areas; /* of struct iot_dat_area, none of size 0 unless cut */
};

/* The format text of one event; the pointers lead into the file's metadata. */
struct iot_dat_format {
	const char *system;
	const char *text;
	gsize len;
	guint16 id;
	char name[62]; /* the kernel's limit is 64 with a prefix */
};

struct iot_dat_file {
	char *path;
	int fd;
	guint64 size;
	int version;
	char *compressor; /* "none", "zstd" */
	/* page size of the recorded machine, as the start of the file says */
	guint32 header_page_size;
	/* size of a sub-buffer, as the recorded kernel says; 0 if not recorded */
	guint32 ring_page_size;
	guint long_size; /* of the program that recorded */
	struct iot_ring_layout layout;
	struct iot_clock clock;
	/* NULL if not recorded */
	char *hostname, *kernel, *trace_clock;
	char *commands; /* lines "PID NAME" */
	guint64 trace_id;
	GArray *guest_ids;  /* of guint64 */
	GArray *vcpus;	    /* of struct iot_vcpu */
	guint32 n_cpus;	    /* 0 if not recorded */
	GPtrArray *buffers; /* of struct iot_dat_buffer, top buffer first */
	GArray *formats;    /* of struct iot_dat_format, in the order of the file */
	GPtrArray *systems; /* sorted names and a NULL */
	gboolean complete;  /* no option was lost: an absent one was not recorded */
	struct iot_diag diag;
	/* chunks that were unpacked before; NULL: none are kept. And whether more are kept now */
	struct iot_kept *kept;
	gboolean keeps;

	/* The rest is used while opening. */

	guint64 area_bytes; /* of all areas so far */
	/* offsets of the sections of metadata, 0: none */
	guint64 section[IOT_DAT_CMDLINES + 1];
	gboolean latency_text; /* a buffer holds the text of a latency tracer */
	GPtrArray *blobs;      /* metadata that formats point into */
};

/**
 * iot_dat_file_new - open @path and allocate an empty file
 *
 * Only for dat-open.c, which fills it. NULL and IOT_ERROR_INPUT if the system cannot open it.
 */
struct iot_dat_file *iot_dat_file_new(const char *path, GError **error);
/** iot_dat_file_has_event - whether the file has the format of an event */
gboolean iot_dat_file_has_event(const struct iot_dat_file *file, const char *system,
				const char *name);
/** iot_dat_file_free - accepts NULL; nothing may read from the file any more */
void iot_dat_file_free(struct iot_dat_file *file);
typedef struct iot_dat_file iot_dat_file;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_dat_file, iot_dat_file_free)

/**
 * iot_dat_file_read - read up to @len bytes at @offset; any thread
 * @out_got: bytes read; less than @len at the end of the file
 *
 * FALSE and IOT_ERROR_INPUT if the system cannot read.
 */
gboolean iot_dat_file_read(const struct iot_dat_file *file, guint64 offset, void *data, gsize len,
			   gsize *out_got, GError **error);

/* The rest is for opening. */

/** iot_dat_add_buffer - find or add the buffer @name; the top buffer "" becomes the first one */
struct iot_dat_buffer *iot_dat_add_buffer(struct iot_dat_file *file, const char *name);
/**
 * iot_dat_add_area - check an entry of a CPU table and add it to @buffer
 *
 * Entries that cannot be true are counted, not added. FALSE only if the system cannot read.
 */
gboolean iot_dat_add_area(struct iot_dat_file *file, struct iot_dat_buffer *buffer, guint32 cpu,
			  guint64 offset, guint64 size, GError **error);

#endif
