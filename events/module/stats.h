/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters since the module was loaded; every event that is not recorded is counted. */
#ifndef IOTRACE_STATS_H
#define IOTRACE_STATS_H

#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/types.h>

/* name and meaning of each counter; the first is no loss */
#define IOTRACE_STATS(X)                                                                           \
	X(calls, "calls recorded")                                                                 \
	X(no_slot, "calls not recorded: more at once than there are slots for (parameter slots)")  \
	X(ring_full, "requests of io_uring not recorded: one ring has its share of the slots under way")   \
	X(unended, "calls whose end was not seen")                                                 \
	X(unanswered, "requests of io_uring without a completion")                                 \
	X(compat, "system calls of 32-bit programs, which are not looked at")                      \
	X(unreadable, "paths or buffer lists that were not in memory at the start of the call")    \
	X(cut_path, "paths cut to the size of an event, or left out")                              \
	X(cut_range, "descriptors closed by one close_range beyond those that were looked at")     \
	X(cut_submit, "requests of one io_submit beyond those recorded")

struct iotrace_stats {
#define IOTRACE_STAT_FIELD(name, text) u64 name;
	IOTRACE_STATS(IOTRACE_STAT_FIELD)
#undef IOTRACE_STAT_FIELD
};

DECLARE_PER_CPU(struct iotrace_stats, iotrace_stats);

#define iotrace_count(name) this_cpu_inc(iotrace_stats.name)
#define iotrace_count_more(name, n) this_cpu_add(iotrace_stats.name, n)

/** iotrace_stats_show - write one line "name value text" for each counter */
void iotrace_stats_show(struct seq_file *file);

/** iotrace_stats_report - a line in the kernel log for each kind of loss that is new since the last report */
void iotrace_stats_report(void);

#endif /* IOTRACE_STATS_H */
