/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The info of a drawable: what its pop-up box says. Names of the rows, attributes and flags, as
 * values only; their keys stand once in the category. Layouts are made when a category is first
 * drawn. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_INFO_H
#define IOT_SINKS_SLOG2_SLOG2_INFO_H

#include "sinks/slog2/slog2-bytes.h"
#include "sinks/slog2/slog2-lines.h"

enum {
	IOT_SLOG2_FLAGS = 1 << 7,
	IOT_SLOG2_WORDS = 256,
	IOT_SLOG2_WORD_MAX = 24,    /* any number fits, too */
	IOT_SLOG2_GAP_CATEGORY = 0, /* numbers of the timeline's categories start at 1 */
};

/* An attribute in the info. */
struct iot_slog2_field {
	enum iot_attr_format format;
	guint32 reserve; /* bytes of what follows it, at least */
};

/* A category that was used: how the info of its drawables is laid out. */
struct iot_slog2_layout {
	gboolean used;
	guint8 topology;
	iot_type_id on; /* type of the rows; 0 for the root */
	gboolean waits;
	guint n_fields;
	struct iot_slog2_field field[IOT_MAX_ATTRS];
	GPtrArray *keys;
	GString *types;
};

/* A short text as it stands in infos: most are names of modes, files and results, the same again
 * and again. */
struct iot_slog2_word {
	iot_str str;
	guint32 size;
	guint8 bytes[IOT_SLOG2_WORD_MAX];
};

struct iot_slog2_info {
	const struct iot_timeline *tl;
	GArray *layouts; /* by category number */
	struct iot_slog2_word words[IOT_SLOG2_WORDS];
	const char *flags[IOT_SLOG2_FLAGS]; /* their names, once they were asked for */
	guint64 n_cut;			    /* texts cut */
	guint8 bytes[IOT_SLOG2_STR_MAX];    /* the info that was made last */
};

void iot_slog2_info_init(struct iot_slog2_info *info, const struct iot_timeline *tl);
void iot_slog2_info_clear(struct iot_slog2_info *info);

/** iot_slog2_info_layout_new - what iot_slog2_info_layout does for a category that is new */
const struct iot_slog2_layout *iot_slog2_info_layout_new(struct iot_slog2_info *info,
							 iot_cat_id cat, guint8 topology);
/** iot_slog2_info_layout - the layout of @cat; @topology if it is new. Valid until the next one. */
static inline const struct iot_slog2_layout *iot_slog2_info_layout(struct iot_slog2_info *info,
								   iot_cat_id cat, guint8 topology)
{
	const struct iot_slog2_layout *layout =
		&g_array_index(info->layouts, struct iot_slog2_layout, cat);

	if (G_LIKELY(cat < info->layouts->len && layout->used))
		return layout;
	return iot_slog2_info_layout_new(info, cat, topology);
}

/** iot_slog2_info_make - make the info of an item in info->bytes; returns the number of its bytes
 */
guint16 iot_slog2_info_make(struct iot_slog2_info *info, const struct iot_slog2_layout *layout,
			    const struct iot_slog2_line *line, const struct iot_item *item);

#endif
