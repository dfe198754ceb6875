/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Pajé trace while it is written: paje.c (items), paje-line.c (their lines), paje-file.c (how the
 * file is put together), paje-head.c (definitions and containers), paje-late.c (lines that are
 * sorted in at the end; paje-sort.c keeps them), paje-link.c (links), paje-name.c (names of
 * containers), paje-text.c (words).
 *
 * The head, definitions and containers in their order, is known only after the last item. Room is
 * left for it before the lines of events, the body; see paje-file.c.
 *
 * A slot draws the spans of one span type on one row type. The row itself draws lane 0 of the first
 * span type of its type; "lane" child containers draw lane 1 and up, because viewers keep one stack
 * of states per container. Every further span type gets child containers of its own. Points are
 * drawn in the first slot.
 *
 * Counters are variables of the row itself. If the root has rows of several types (two models, for
 * example), each type has a group container around its rows.
 *
 * Aliases: b row type, l lanes of a row type, x container type of a further span type; s and u
 * state type (row and lane), e and f event type, v and w their values; y variable type; c
 * container, "c7", lane 2 "c7l1", further slot "c7x3l1"; g and h type and container of a group;
 * k link type.
 */
#ifndef IOT_SINKS_PAJE_PAJE_TRACE_H
#define IOT_SINKS_PAJE_PAJE_TRACE_H

#include "base/digits.h"
#include "base/out.h"
#include "sinks/paje/paje-sort.h"
#include "sinks/sink.h"

enum {
	PAJE_DEF_CONTAINER,
	PAJE_DEF_STATE,
	PAJE_DEF_EVENT,
	PAJE_DEF_VALUE,
	PAJE_CREATE,
	PAJE_DESTROY,
	PAJE_POP,
	PAJE_PUSH_LOST,
	PAJE_DEF_VARIABLE,
	PAJE_SET_VARIABLE,
	PAJE_END_LINK,
	/* plus the number of a type: its PajePushState, PajeNewEvent or PajeStartLink; types count
	 * from 1 */
	PAJE_FIRST_FREE = PAJE_END_LINK,
};

enum {
	/* ViTE loses longer lines; eight texts and all else must fit. */
	PAJE_TEXT_MAX = 400,
	PAJE_LINE_MAX = 4094,
	PAJE_LINE_ROOM = PAJE_LINE_MAX + 32, /* arrays are copied whole */
	PAJE_WORDS = 256,
	PAJE_SECOND = 1000000000,
};

/* The text of an instant, cached because one event often makes several lines. */
struct paje_time {
	guint64 t, second; /* ns; the last full second before t */
	gsize len;
	char text[IOT_DIGITS_ROOM];
};

/* The cached text of a word: a blank and the quoted word. */
struct paje_word {
	iot_str str;
	guint8 len;
	char text[27];
};

/* A row on which a type is drawn: the text after the time in its lines. */
struct paje_row {
	guint32 lanes; /* greatest lane used + 1, 0 if none */
	guint8 len;
	char text[27]; /* " s3 c7" */
};

struct paje_slot {
	iot_type_id span;   /* the span type; 0 while only points were seen */
	iot_type_id on;	    /* the row type */
	gboolean further;   /* not the first of its row type: has child containers of its own */
	gboolean has_lanes; /* some row uses a lane above 0 */
	guint32 *lanes;	    /* by row: greatest lane used + 1, 0 if none */
	guint n_rows;	    /* allocated */
};

/* Part of a line: the longest number and five other characters. */
struct paje_part {
	gsize len;
	char text[16];
};

/* The text that all lines of one type share. */
struct paje_use {
	struct paje_slot *slot;
	const struct iot_type *type;
	struct paje_part head;	  /* "13 " */
	struct paje_part further; /* "x3", or empty */
	/* by row; of a counter only rows that have a value */
	struct paje_row *rows;
	guint n_rows; /* allocated */
	/* of the type; on lanes the other two replace it and "v" */
	char letter;
	char lane_letter, lane_value;
	/* The attributes in lines. Pajé reads attributes from the line that begins a state, so late
	 * attributes are not among them. */
	struct {
		guint8 format, at; /* enum iot_attr_format; index in the item */
	} attr[IOT_MAX_ATTRS];
	guint n_attrs;
	guint min_attrs; /* the number of attributes that an item needs for them */
	gboolean marks_leaving; /* of spans in holds that can be left: see IOT_LEAVING */
};

/* Links of one type between containers of two types. */
struct paje_link_type {
	iot_type_id id, from, to; /* the type itself, and the row types of the ends */
	gboolean from_lane, to_lane;
	struct paje_use use; /* type and attributes only */
	char alias[40];
};

struct paje_gap {
	iot_str node;
	guint64 t0, t1, lost;
};

/* A growing array; @n and @size count elements. */
struct paje_array {
	gpointer data;
	gsize n, size;
};

struct paje {
	struct iot_sink base;
	const struct iot_timeline *tl;
	char *path;
	/* the result itself, or a scratch file if the result is not a regular file */
	struct iot_out *body;
	/* the result, if it is not the body; may be NULL until finish */
	struct iot_out *out;
	/* NULL until finish */
	struct iot_out *head;
	/* bytes left for the head before the body; 0 until the first bytes are in the file */
	gsize room;
	/* rows and lanes in use, about */
	guint64 n_rows;
	/* bits of the kinds of items without a line: gaps, and the kinds that are left out */
	guint without_line;
	/* names of rows have the path above them; otherwise they are cut at so many letters */
	gboolean paths;
	guint name_room;
	/* some counter has a value */
	gboolean has_counters;
	struct paje_use **uses;	  /* by type; NULL until its first item */
	struct paje_slot **slots; /* by type: of the row type (first) or the span type (further) */
	guint n_types;		  /* allocated, of both */
	struct paje_word words[PAJE_WORDS];
	struct paje_time time;	      /* the greatest in the body, relative */
	struct paje_sort *late;	      /* lines that came after their time */
	struct paje_array gaps;	      /* struct paje_gap */
	guint64 gaps_end;	      /* relative */
	struct paje_array link_types; /* struct paje_link_type */
	guint64 n_links;
	GPtrArray *drawn; /* char *, type and alias of each container in the head */
	struct iot_diag diag;
};

/** paje_array_room - room for @n more elements of @elem_size bytes; their address or NULL */
gpointer paje_array_room(struct paje_array *array, gsize n, gsize elem_size, GError **error);

/* Both write at @p and return the end; decimal numbers are in base/digits.h. */
char *paje_put_hex(char *p, guint64 value);
/** paje_put_text - a quoted word of at most PAJE_TEXT_MAX bytes; *@out_cut is set if it was cut */
char *paje_put_text(char *p, const char *text, gsize len, gboolean *out_cut);

/** paje_file_open - open the output; FALSE and an error if that fails */
gboolean paje_file_open(struct paje *paje, const char *path, GError **error);
/** paje_file_flush - make room in the buffer of the body */
gboolean paje_file_flush(struct paje *paje, GError **error);
/** paje_file_finish - put head, late lines and body together; containers end at @end */
gboolean paje_file_finish(struct paje *paje, guint64 end, GError **error);

/** paje_line_put - append the line of a begin, an end, a point or a sample at paje->time to the
 * body, which must have room; returns TRUE */
gboolean paje_line_put(struct paje *paje, const struct paje_use *use, const struct paje_row *row,
		       const struct iot_item *item);

/** paje_line_attrs - append the attributes of an item at @p; returns the end */
char *paje_line_attrs(struct paje *paje, char *p, const struct paje_use *use,
		      const struct iot_item *item);
/** paje_list_attrs - fill in the attributes of @use by its type */
void paje_list_attrs(struct paje_use *use);

/** paje_link_add - write both ends; the later one is now, and the lanes of both are in use */
gboolean paje_link_add(struct paje *paje, const struct iot_item *item, GError **error);

/** paje_late_add - keep a line for the merge at the end */
gboolean paje_late_add(struct paje *paje, guint64 t, const char *line, gsize len, GError **error);
/** paje_late_gaps - sort the gaps by node and time, join overlapping gaps, and add their lines */
gboolean paje_late_gaps(struct paje *paje, GError **error);
/** paje_late_sort - sort the late lines, and append to the head those of instant 0 */
gboolean paje_late_sort(struct paje *paje, GError **error);
/** paje_late_left - whether late lines are to be merged */
gboolean paje_late_left(const struct paje *paje);
/** paje_late_merge - copy the body to the output, with the other late lines at their places */
gboolean paje_late_merge(struct paje *paje, GError **error);

/** paje_name_levels - find the room of names, by the rows that are shown; before the other two */
void paje_name_levels(struct paje *paje, const gboolean *shown, gboolean grouped);
/** paje_row_name - "node 1", or "node 1 of 0x5/res01" if names have paths; the caller frees */
char *paje_row_name(const struct paje *paje, iot_row_id id);
/** paje_lane_name - "lane 2" for lane 1, or "file I/O lane 2" with a @title, which may be "" */
char *paje_lane_name(const struct paje *paje, iot_row_id id, const char *title, guint lane);

/** paje_head_write - definitions, types, values and containers, which @drawn lists */
void paje_head_write(struct paje *paje);

#endif
