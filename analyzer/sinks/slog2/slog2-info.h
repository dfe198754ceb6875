/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The info of a drawable is the text of its pop-up box: names of rows, attributes and flags. It
 * holds values only; the category holds their keys. A category gets its layout with its first
 * drawable. One thread.
 */
#ifndef IOT_SINKS_SLOG2_SLOG2_INFO_H
#define IOT_SINKS_SLOG2_SLOG2_INFO_H

#include "sinks/slog2/slog2-bytes.h"
#include "sinks/slog2/slog2-lines.h"

enum {
	IOT_SLOG2_FLAGS = IOT_FLAG_SETS,
	IOT_SLOG2_WORDS = 256,
	IOT_SLOG2_WORD_MAX = 24,    /* enough for any number */
	IOT_SLOG2_GAP_CATEGORY = 0, /* numbers of the timeline's categories start at 1 */
};

/* An attribute in the info. */
struct iot_slog2_field {
	enum iot_attr_format format;
	guint32 reserve; /* least number of bytes after it */
};

/* The layout of the infos of one category. */
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

/* A cached short text as in the info. Most texts are names of modes, files and results, which
 * repeat.
 */
struct iot_slog2_word {
	iot_str str;
	guint32 size;
	guint8 bytes[IOT_SLOG2_WORD_MAX];
};

struct iot_slog2_info {
	const struct iot_timeline *tl;
	GArray *layouts; /* by category number */
	struct iot_slog2_word words[IOT_SLOG2_WORDS];
	const char *flags[IOT_SLOG2_FLAGS]; /* names of sets of flags; NULL: not yet used */
	guint64 n_cut;			    /* texts cut */
	guint8 bytes[IOT_SLOG2_STR_MAX];    /* the info that was made last */
};

void iot_slog2_info_init(struct iot_slog2_info *info, const struct iot_timeline *tl);
void iot_slog2_info_clear(struct iot_slog2_info *info);

/** iot_slog2_info_layout_new - slow path of iot_slog2_info_layout: a new category */
const struct iot_slog2_layout *iot_slog2_info_layout_new(struct iot_slog2_info *info,
							 iot_cat_id cat, guint8 topology);
/** iot_slog2_info_layout - the layout of @cat; @topology is for a new one. Valid until the next
 * call
 */
static inline const struct iot_slog2_layout *iot_slog2_info_layout(struct iot_slog2_info *info,
								   iot_cat_id cat, guint8 topology)
{
	const struct iot_slog2_layout *layout;

	if (G_LIKELY(cat < info->layouts->len)) {
		layout = &g_array_index(info->layouts, struct iot_slog2_layout, cat);
		if (G_LIKELY(layout->used))
			return layout;
	}
	return iot_slog2_info_layout_new(info, cat, topology);
}

/** iot_slog2_info_make - make the info of an item in info->bytes; returns the number of its bytes
 */
guint16 iot_slog2_info_make(struct iot_slog2_info *info, const struct iot_slog2_layout *layout,
			    const struct iot_slog2_line *line, const struct iot_item *item);

#endif
