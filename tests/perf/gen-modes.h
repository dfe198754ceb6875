/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The modes, flags and results of DLM locks, as in include/uapi/linux/dlmconstants.h. */
#ifndef IOT_PERF_GEN_MODES_H
#define IOT_PERF_GEN_MODES_H

#include <glib.h>

enum { NONE = -1, NL, CR, CW, PR, PW, EX, N_MODES };
enum { F_NOQUEUE = 1, F_CANCEL = 2, F_CONVERT = 4, F_FORCEUNLOCK = 0x20000 };
enum {
	S_EAGAIN = -11,
	S_EBUSY = -16,
	S_EINVAL = -22,
	S_EDEADLK = -35,
	S_EBADR = -53,
	S_EINPROGRESS = -115,
	S_ECANCEL = -65537,
	S_EUNLOCK = -65538
};

static const char *const mode_name[] = { "NL", "CR", "CW", "PR", "PW", "EX" };

static const guint8 compatible[N_MODES][N_MODES] = {
	[NL] = { 1, 1, 1, 1, 1, 1 }, [CR] = { 1, 1, 1, 1, 1, 0 }, [CW] = { 1, 1, 1, 0, 0, 0 },
	[PR] = { 1, 1, 0, 1, 0, 0 }, [PW] = { 1, 1, 0, 0, 0, 0 }, [EX] = { 1, 0, 0, 0, 0, 0 },
};

/* All that is compatible with @a is compatible with @b. */
static inline gboolean covers(int a, int b)
{
	for (int i = 0; i < N_MODES; i++)
		if (compatible[a][i] && !compatible[b][i])
			return FALSE;
	return TRUE;
}

/* The span that a call draws: a wait for a mode that @held does not cover, the way to a weaker mode
 * or to none, or the wait for an answer only, if it is the mode that is held. */
static inline const char *call_span(int held, int wanted, gboolean unlocking)
{
	if (unlocking)
		return "RELEASING";
	if (held == NONE || !covers(held, wanted))
		return "PENDING";
	return covers(wanted, held) ? "KEEPING" : "RELEASING";
}

#endif
