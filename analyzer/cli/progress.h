/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress line on a terminal, which is rewritten and removed at the end, and the closing line,
 * which lists the outputs. */
#ifndef IOT_CLI_PROGRESS_H
#define IOT_CLI_PROGRESS_H

#include "run/pipeline.h"

enum { IOT_PROGRESS_WIDTH = 79 };

struct iot_progress_line {
	gint64 start_us; /* monotonic; 0: nothing has been reported yet */
	gboolean shown;
	gboolean done;
};

/**
 * iot_progress_format - the text of the line
 * @elapsed_us: since the beginning of the first pass
 *
 * Percent over all passes, events read, rate, remaining time. At most IOT_PROGRESS_WIDTH columns.
 * The caller frees.
 */
char *iot_progress_format(const struct iot_progress *progress, gint64 elapsed_us);
/** iot_progress_draw - an iot_progress_func for iot_pipeline_run; @user_data is a struct
 * iot_progress_line */
void iot_progress_draw(const struct iot_progress *progress, gpointer user_data);
/**
 * iot_progress_closing - "out.slog2 (1.2 MiB), out.paje (3 MiB) written; 1234 events analysed
 * in 1.5 s"
 * @outputs: of struct iot_output; they are complete
 * @index: path of the index that this run wrote, or NULL
 *
 * NULL if no file was written. The caller frees.
 */
char *iot_progress_closing(const GPtrArray *outputs, guint64 records, gint64 elapsed_us,
			   const char *index);
/** iot_progress_clear - take the line away */
void iot_progress_clear(struct iot_progress_line *line);

#endif
