/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of SLOG-2 files that trusts nothing: it checks every rule that a viewer relies on, and
 * computes every sum again from the drawables. Written from the description of the format alone; it
 * must not share code with the writer, or both would be wrong in the same way.
 */
#ifndef IOT_TESTS_SLOG2_CHECK_H
#define IOT_TESTS_SLOG2_CHECK_H

#include <glib.h>

enum slog2_topology { SLOG2_EVENT, SLOG2_STATE, SLOG2_ARROW };
enum { SLOG2_HEADER_SIZE = 108 };

struct slog2_ptr {
	gint64 offset;
	gint32 size;
};

struct slog2_box {
	double t0, t1;
};

struct slog2_id {
	gint32 depth, xpos;
};

struct slog2_cat {
	gint32 index, topology;
	char *name;
	char *types;	 /* of the info values, one letter each */
	GPtrArray *keys; /* char *, the texts between them */
	double inclusive, exclusive;
	gint64 count;
	gint64 n_seen; /* made from the drawables */
	long double time_seen;
};

struct slog2_map {
	char *title;
	gint32 n_columns;
	GHashTable *rows; /* line -> gint32 array, the path */
};

struct slog2_drawable {
	struct slog2_cat *cat;
	double t[2];
	gint32 line[2];
	guint node;
	gsize info_at, info_len;
};

struct slog2_node {
	struct slog2_id id;
	struct slog2_box box;
	struct slog2_ptr place;
};

struct slog2 {
	const char *path;
	const guint8 *data;
	gsize len;
	gint32 n_children, max_depth, max_buffer;
	struct slog2_ptr cats_at, maps_at, root_at, directory_at;
	GPtrArray *cats; /* struct slog2_cat */
	GHashTable *cat_index;
	GPtrArray *maps;   /* struct slog2_map */
	GArray *nodes;	   /* struct slog2_node */
	GArray *drawables; /* struct slog2_drawable */
	GArray *blocks;	   /* struct slog2_ptr: all that were read */
	guint n_bad;
};

/** slog2_bad - one violation: a sentence */
void slog2_bad(struct slog2 *file, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Reads big-endian values of one block; after its end all values are 0 and `ended` is set. */
struct slog2_cursor {
	struct slog2 *file;
	const char *what;
	gsize at, end;
	gboolean ended;
};

/** slog2_block - begin reading the block at @ptr; FALSE (and a violation) if there is none */
gboolean slog2_block(struct slog2 *file, struct slog2_ptr ptr, const char *what,
		     struct slog2_cursor *cursor);
/** slog2_int - a signed number of @n bytes */
gint64 slog2_int(struct slog2_cursor *cursor, gsize n);
double slog2_f32(struct slog2_cursor *cursor);
double slog2_f64(struct slog2_cursor *cursor);
/** slog2_str - a string; the caller frees */
char *slog2_str(struct slog2_cursor *cursor);
struct slog2_ptr slog2_get_ptr(struct slog2_cursor *cursor);
struct slog2_box slog2_get_box(struct slog2_cursor *cursor);
struct slog2_id slog2_get_id(struct slog2_cursor *cursor);
/** slog2_count - a number of things that follow, of @n bytes; negative ones are a violation and
 * become 0 */
gint64 slog2_count(struct slog2_cursor *cursor, gsize n, const char *what);

/* Parts of the file, each in a file of its own. */
gboolean slog2_read_header(struct slog2 *file);
void slog2_read_cats(struct slog2 *file);
void slog2_read_maps(struct slog2 *file);
void slog2_read_tree(struct slog2 *file);
void slog2_check_directory(struct slog2 *file);
/** slog2_check_line - that @line has a row in every map */
void slog2_check_line(struct slog2 *file, gint32 line, const char *what);

static inline struct slog2_cat *slog2_cat(const struct slog2 *file, gint32 index)
{
	return g_hash_table_lookup(file->cat_index, GINT_TO_POINTER(index));
}

/* Sums over the real drawables of a subtree: a group for each topology and line or pair of lines.
 */
struct slog2_preview;
GHashTable *slog2_groups_new(void);
void slog2_groups_add(GHashTable *groups, const struct slog2_drawable *drawable);
/** slog2_groups_merge - add all of @from to @into */
void slog2_groups_merge(GHashTable *into, GHashTable *from);
/** slog2_read_previews - both lists of a stub */
GPtrArray *slog2_read_previews(struct slog2_cursor *cursor, const char *where);
/** slog2_check_previews - that a stub has the sums of the drawables below it */
void slog2_check_previews(struct slog2 *file, GPtrArray *previews, GHashTable *groups,
			  const char *where);
/** slog2_check_ratio - that @actual is @time of @n drawables / duration of @box, as near as floats
 * can be */
void slog2_check_ratio(struct slog2 *file, double actual, long double time, struct slog2_box box,
		       gint64 n, const char *where);

/* Names of rows, from the table beside the file. */
struct slog2_names;
/** slog2_names_read - NULL if the table is unreadable; slog2_names_free accepts NULL */
struct slog2_names *slog2_names_read(const char *path);
void slog2_names_free(struct slog2_names *names);
typedef struct slog2_names slog2_names;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(slog2_names, slog2_names_free)
struct slog2_name {
	char *path; /* names joined with a slash; NULL if several rows have the same numbers */
	char *lane;
};
/** slog2_names_find - the name that the first map has for the line alone, or NULL */
const struct slog2_name *slog2_names_find(const struct slog2 *file, const struct slog2_names *names,
					  gint32 line);
/** slog2_line_path - the numbers of a line in a map, joined with a slash; the caller frees */
char *slog2_line_path(const struct slog2_map *map, gint32 line);

/** slog2_by_time - the drawables, const struct slog2_drawable *, in the order of their times */
GPtrArray *slog2_by_time(const struct slog2 *file);
/** slog2_dump - one line per drawable; @names may be NULL */
void slog2_dump(const struct slog2 *file, const struct slog2_names *names);
/** slog2_items - one line per drawable, as the text output has it, with marks and attributes; type
 * "*", times since 0 */
void slog2_items(const struct slog2 *file, const struct slog2_names *names);

#endif
