/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conversion of raw time stamps of one CPU to the common clock, the host's: host synchronisation
 * (TIME_SHIFT), then TSC2NSEC, then DATE and OFFSET (docs/formats/trace-cmd.md, time correction).
 * All products are 128 bit. In the cases in which libtracecmd is known to be wrong (last sample,
 * overflow, instances) the results differ from its results.
 *
 * Where the results differ from those of libtracecmd:
 *
 * - KVM samples, not interpolated, after the last sample: libtracecmd takes the last but one, we
 *   the last.
 * - Products: 64 bit there, which overflow with real KVM scaling ratios; 128 bit here.
 * - A CPU without samples: random times there; uncorrected here, clock_no_samples.
 * - Scaling other than 1: multiplied there, and ignored with one sample; divided here, as KVM
 *   multiplies the host's clock to make the guest's (clock_scaled).
 * - PTP, several CPUs: each CPU by its own samples there, whose errors exceed the distance of two
 *   events; here the samples of one CPU, the one with the most, serve the whole machine.
 * - A file without synchronisation: silently uncorrected there; clock_unsynchronised here, if
 *   there are several machines.
 *
 * Different clocks, recordings of different sessions (trace ids) and disjoint times are counted,
 * too.
 */
#ifndef IOT_INPUT_CLOCK_H
#define IOT_INPUT_CLOCK_H

#include "base/fault.h"

#include <glib.h>

struct iot_clock_sample {
	gint64 time;   /* raw guest clock */
	gint64 offset; /* to add, raw host clock */
	/* KVM: rate of the guest's clock / rate of the host's, with so many fraction bits */
	gint64 scaling;
	gint64 fraction;
};

/** iot_clock_sample_unscaled - whether the two clocks count at one rate */
static inline gboolean iot_clock_sample_unscaled(const struct iot_clock_sample *sample)
{
	return (guint64)sample->scaling == G_GUINT64_CONSTANT(1) << sample->fraction;
}

/* The samples of one CPU, sorted by time, without duplicate times. */
struct iot_clock_cpu {
	guint n;
	struct iot_clock_sample *sample;
};

struct iot_clock {
	gboolean present;     /* the file has a TIME_SHIFT option */
	guint64 peer;	      /* trace id of the host recording */
	gboolean interpolate; /* PTP; otherwise each sample holds until the next (KVM) */
	guint n_cpus;
	guint common; /* with PTP: the CPU whose samples serve all CPUs */
	struct iot_clock_cpu *cpu;
	/* NULL: as recorded; else the correction is stated (clock-change.h): "file", "protocol" */
	const char *method;
	/* of struct iot_clock_knot: the bound of a correction by messages; NULL: there is none */
	GArray *knots;
	guint64 sample_error_ns;     /* greatest error of a sample; 0: not known */
	guint32 tsc_mult, tsc_shift; /* 0: no TSC2NSEC */
	gint64 offset_ns;	     /* DATE, OFFSET and shift_ns, added up */
	gint64 shift_ns;	     /* stated by the user */
};

/** iot_clock_parse_shift - parse the data of a TIME_SHIFT option; FALSE (and nothing set) if
 * malformed */
gboolean iot_clock_parse_shift(struct iot_clock *clock, const guint8 *data, gsize len,
			       gboolean big_endian);
/** iot_clock_clear - free the samples; a zeroed struct is allowed */
void iot_clock_clear(struct iot_clock *clock);

/**
 * iot_clock_samples - the samples that correct time stamps of @cpu; NULL: there are none
 *
 * PTP measures the clock of the machine once for each CPU. The results differ by the error of the
 * measurement, which is larger than the distance of events on different CPUs, so correcting each
 * CPU by its own samples would change the order of events. The CPU with the most samples (the
 * first, if several have as many) serves all. KVM reads exact offsets, which may differ by CPU.
 */
const struct iot_clock_cpu *iot_clock_samples(const struct iot_clock *clock, guint cpu);

/** iot_clock_correct - convert a raw time stamp of @cpu to ns; negative results become 0 */
guint64 iot_clock_correct(const struct iot_clock *clock, guint cpu, guint64 raw);

/*
 * A cursor caches the segment of the piecewise function in use: the fast path is one compare, one
 * addition and one multiplication if scaling is 1. Same results as iot_clock_correct.
 */
struct iot_clock_cursor {
	const struct iot_clock *clock;
	guint cpu;
	guint64 from, to; /* raw range in which the cached segment holds */
	gint64 add;
	gboolean add_only; /* corrected = raw + add (then TSC2NSEC and offset) */
	/* raw times of the fast path, in which nothing overflows: see quick_range */
	guint64 quick_from, quick_n;
	guint32 mult, shift; /* 1 and 0 without TSC2NSEC */
	gint64 offset_ns;
};

/** iot_clock_cursor_init - a cursor for time stamps of @cpu; @clock must outlive it */
void iot_clock_cursor_init(struct iot_clock_cursor *cursor, const struct iot_clock *clock,
			   guint cpu);
/* The slow path of iot_clock_cursor_correct: do not call. */
guint64 iot_clock_cursor_slow(struct iot_clock_cursor *cursor, guint64 raw);

static inline guint64 iot_clock_cursor_correct(struct iot_clock_cursor *cursor, guint64 raw)
{
	/* fast path */
	if (G_LIKELY(raw - cursor->quick_from < cursor->quick_n) && !iot_slow_only()) {
		unsigned __int128 t =
			(unsigned __int128)(raw + (guint64)cursor->add) * cursor->mult;
		guint64 ns = (guint64)(t >> cursor->shift) + (guint64)cursor->offset_ns;

		/* one compare for both: neither negative nor too big */
		if (G_LIKELY(ns <= G_MAXINT64))
			return ns;
	}
	/* slow path */
	return iot_clock_cursor_slow(cursor, raw);
}

/** iot_clock_protocol - "kvm", "ptp" or "none", from the samples of the file; the method if the
 * correction is stated */
const char *iot_clock_protocol(const struct iot_clock *clock);
/** iot_clock_is_stated - whether the correction is stated, and not only the recorded one taken away
 */
gboolean iot_clock_is_stated(const struct iot_clock *clock);

#endif
