/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a finished recording is worth. */
#ifndef REC_JUDGE_H
#define REC_JUDGE_H

#include "plan.h"

enum rec_grade {
	REC_GOOD,
	REC_DOUBTFUL, /* losses, damage, or clocks that are not synchronised */
	REC_EMPTY,    /* no recording, or one without events */
};

struct rec_verdict {
	enum rec_grade grade;
	gboolean exists;			/* the file can be read */
	char *host, *kernel, *clock, *protocol; /* NULL: not known */
	gboolean synchronised;
	guint n_samples;
	guint64 n_events, n_lost;
	guint64 first_ns, last_ns; /* of events, trace clock; 0: there are none */
	gboolean damaged;
	char *sentence; /* without a full stop */
};

/**
 * rec_judge - open and read the recording of a machine
 * @plan: as it was recorded; for the size of buffers, and for whether synchronisation is needed
 *
 * The caller frees with rec_verdict_free.
 */
struct rec_verdict *rec_judge(const struct rec_plan *plan, const struct rec_machine *machine,
			      const char *folder);
void rec_verdict_free(struct rec_verdict *verdict);

#endif
