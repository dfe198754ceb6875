/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The container of a trace-cmd recording, versions 6 and 7: what was recorded, in which formats,
 * and where the pages of each CPU are. All metadata are read when the file is opened, event data
 * never.
 *
 * Nothing in the file is trusted. What contradicts itself is left out and counted in "diag";
 * opening fails only if nothing is left to be used. After opening a file is read-only: any thread.
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

/* The data of one CPU. They lie within the file. */
struct iot_dat_area {
	guint32 cpu;
	guint32 n_chunks;     /* as the file says; 0 if not compressed or not known */
	guint64 offset, size; /* pages, or chunks without their leading count */
	gboolean cut;	      /* the file says that there was more */
};

struct iot_dat_buffer {
	char *name;  /* "" is the top buffer */
	char *clock; /* NULL if not recorded */
	guint32 page_size;
	gboolean compressed;
	GArray *areas; /* of struct iot_dat_area, none of size 0 unless cut */
};

/* One event's format text. Pointers into the file's metadata. */
struct iot_dat_format {
	const char *system;
	const char *text;
	gsize len;
	guint16 id;
	char name[62]; /* kernel limit is 64 with prefix; longer ones are no names */
};

/* Where the bytes of a field are. */
enum iot_dat_place {
	IOT_DAT_IN_PLACE,
	IOT_DAT_DATA_LOC, /* the field is a u32: offset in the payload, and length << 16 */
	IOT_DAT_REL_LOC,  /* the same, but the offset counts from the end of the u32 */
};

/* The declaration of one field. */
struct iot_dat_decl {
	char name[64];
	guint32 offset, size;
	enum iot_dat_place place;
	gboolean is_signed, array;
	gboolean text; /* elements are "char": such an array ends at its first NUL */
};

struct iot_dat_file {
	char *path;
	int fd;
	guint64 size;
	int version;
	char *compressor;	  /* "none", "zstd" */
	guint32 header_page_size; /* page size of the recorded machine, as the file's start says */
	guint32 ring_page_size;	  /* as the recorded kernel says; 0 if it does not */
	guint long_size;	  /* of the program that recorded */
	struct iot_ring_layout layout;
	struct iot_clock clock;
	char *hostname, *kernel, *trace_clock; /* NULL if not recorded */
	char *commands;			       /* lines "PID NAME"; NULL if not recorded */
	guint64 trace_id;
	GArray *guest_ids;  /* of guint64 */
	guint32 n_cpus;	    /* 0 if not recorded */
	GPtrArray *buffers; /* of struct iot_dat_buffer, top buffer first */
	GArray *formats;    /* of struct iot_dat_format, in the order of the file */
	GPtrArray *systems; /* sorted names and a NULL */
	gboolean complete;  /* no option was lost: what is not there was not recorded */
	struct iot_diag diag;

	/* used while opening */
	guint64 area_bytes;		       /* of all areas so far */
	guint64 section[IOT_DAT_CMDLINES + 1]; /* offsets of the sections of metadata, 0: none */
	gboolean latency_text;		       /* there is a buffer with text of a latency tracer */
	GPtrArray *blobs;		       /* metadata that formats point into */
};

/** iot_dat_file_probe - whether these are the first bytes of a trace-cmd file */
gboolean iot_dat_file_probe(const guint8 *head, gsize len);
/** iot_dat_file_open - IOT_ERROR_INPUT, with a sentence that names the file, if nothing can be used
 */
struct iot_dat_file *iot_dat_file_open(const char *path, GError **error);
void iot_dat_file_free(struct iot_dat_file *file);
typedef struct iot_dat_file iot_dat_file;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_dat_file, iot_dat_file_free)

/**
 * iot_dat_file_read - up to @len bytes at @offset
 * @out_got: how many there were; less than @len at the end of the file
 *
 * FALSE and IOT_ERROR_INPUT if the system could not read.
 */
gboolean iot_dat_file_read(const struct iot_dat_file *file, guint64 offset, void *data, gsize len,
			   gsize *out_got, GError **error);

/** iot_dat_format_fields - all declarations, common fields too; NULL if the text is damaged */
GArray *iot_dat_format_fields(const struct iot_dat_format *format);

/* The rest is between the dat-*.c files. */

struct iot_dat_section {
	guint16 id;
	gboolean compressed;
	guint64 size; /* of what follows the header in the file */
};

/** iot_dat_section_header - FALSE (no error) if there is no whole header at @offset */
gboolean iot_dat_section_header(const struct iot_dat_file *file, guint64 offset,
				struct iot_dat_section *out, GError **error);
/**
 * iot_dat_section_read - the unpacked content of a section of metadata
 * @out_data: to be freed; NULL if there is no such section there or it is damaged
 *
 * FALSE only for errors of the system (reading, memory).
 */
gboolean iot_dat_section_read(const struct iot_dat_file *file, guint64 offset, enum iot_dat_id id,
			      guint8 **out_data, gsize *out_len, GError **error);
enum { IOT_DAT_SECTION_HEADER = 16 };

/** iot_dat_option - take over one option; malformed ones are counted */
gboolean iot_dat_option(struct iot_dat_file *file, guint16 id, const guint8 *data, gsize len,
			GError **error);
/** iot_dat_add_buffer - find or make a buffer; the top buffer is put first */
struct iot_dat_buffer *iot_dat_add_buffer(struct iot_dat_file *file, const char *name);
/** iot_dat_add_area - check an entry of a CPU table and add it to @buffer; nonsense is only counted
 */
gboolean iot_dat_add_area(struct iot_dat_file *file, struct iot_dat_buffer *buffer, guint32 cpu,
			  guint64 offset, guint64 size, GError **error);
/** iot_dat_trace_clock - the name in [brackets] of a trace_clock file; NULL if there is none */
char *iot_dat_trace_clock(const char *text, gsize len);

/** iot_dat_header_info - sizes from the texts of header_page */
void iot_dat_header_info(struct iot_dat_file *file, struct iot_bytes *b);
/** iot_dat_formats - formats of the systems in an EVENT_FORMATS section; @file NULL only skips it
 */
void iot_dat_formats(struct iot_dat_file *file, struct iot_bytes *b);
/** iot_dat_ftrace_formats - the same for FTRACE_EVENTS */
void iot_dat_ftrace_formats(struct iot_dat_file *file, struct iot_bytes *b);

/** iot_dat_commands - the CMDLINES section */
void iot_dat_commands(struct iot_dat_file *file, struct iot_bytes *b);

/** iot_dat_open_v6 - metadata and CPU tables of a version 6 file from @offset on */
gboolean iot_dat_open_v6(struct iot_dat_file *file, guint64 offset, GError **error);
/** iot_dat_open_v7 - the same for version 7; @options: offset of the first options section */
gboolean iot_dat_open_v7(struct iot_dat_file *file, guint64 offset, guint64 options,
			 GError **error);

/** iot_dat_salvage - find pages from @offset on, in a file that lost its table of contents */
gboolean iot_dat_salvage(struct iot_dat_file *file, guint64 offset, gboolean compressed,
			 GError **error);

#endif
