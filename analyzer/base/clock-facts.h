/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The known facts about the clock of one recording, and how far its corrected times may be from the
 * common clock. docs/CLOCKS.md derives the bound and argues the assumptions.
 */
#ifndef IOT_BASE_CLOCK_FACTS_H
#define IOT_BASE_CLOCK_FACTS_H

#include <glib.h>

/* Nothing is known: any error is possible. */
#define IOT_CLOCK_UNBOUNDED G_MAXUINT64

/* Assumptions: files hold neither the error of a sample nor the drift between samples. */
struct iot_clock_assumed {
	guint64 ptp_ns;	   /* greatest error of a PTP sample */
	guint64 rate_ppb;  /* greatest change of the difference of two clocks' rates */
	guint64 drift_ppb; /* greatest difference of two clocks' rates */
};

/** IOT_CLOCK_ASSUMED - the defaults */
#define IOT_CLOCK_ASSUMED \
	((struct iot_clock_assumed){ .ptp_ns = 100000, .rate_ppb = 10000, .drift_ppb = 200000 })

/* The knowledge about the order of two clocks' instants, from nothing to everything. */
enum iot_clock_grade {
	IOT_CLOCK_NONE,
	IOT_CLOCK_ONE_SIDED,	/* messages in one direction only */
	IOT_CLOCK_CONTRADICTED, /* no two working clocks explain the messages */
	IOT_CLOCK_BOUNDED,
	IOT_CLOCK_EXACT, /* up to the resolution */
};

/** iot_clock_grade_name - "none", "one-sided", "contradicted", "bounded", "exact" */
const char *iot_clock_grade_name(enum iot_clock_grade grade);

/* The bound is linear between two knots, and constant before the first and after the last one. */
struct iot_clock_knot {
	guint64 ns; /* corrected time */
	guint64 bound_ns;
};

struct iot_clock_facts {
	guint n_samples;	   /* those that correct the times; KVM: of the CPU with the most */
	guint64 first_ns, last_ns; /* corrected times of the first and last sample */
	gint64 drift_ppb;   /* the guest's clock is so much slower than the host's, overall */
	guint64 change_ppb; /* greatest difference of the rates between samples */
	/* greatest distance of a sample of any CPU from the correction that is used */
	guint64 residual_ns;
	guint64 spread_ns;     /* greatest difference of two CPUs' corrections */
	guint64 resolution_ns; /* of the trace clock */
	gboolean scaled;       /* the host scales the guest's clock */
	gboolean cycles;       /* it counts cycles, at any rate */
	gboolean recovered;    /* the correction was found by messages */
	/* The samples contradict an assumption, which was widened for this recording. */
	gboolean error_widened, rate_widened;
	/* the drift is greater than assumed: no two working clocks differ so much; unbounded */
	gboolean drift_impossible;
	GArray *knots; /* of struct iot_clock_knot, ascending; empty: unbounded */
};

/** iot_clock_facts_clear - free the knots; a zeroed struct is allowed */
void iot_clock_facts_clear(struct iot_clock_facts *facts);
/** iot_clock_facts_knot - append a knot; @ns must not be below that of the last knot */
void iot_clock_facts_knot(struct iot_clock_facts *facts, guint64 ns, guint64 bound_ns);
/** iot_clock_facts_greatest - the greatest bound at any time, in ns */
guint64 iot_clock_facts_greatest(const struct iot_clock_facts *facts);
/** iot_clock_facts_bound - the bound at a corrected time, in ns, rounded up */
guint64 iot_clock_facts_bound(const struct iot_clock_facts *facts, guint64 ns);

#endif
