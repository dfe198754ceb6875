/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on tracepoints of the kernel; a module can find these only by name. */
#ifndef IOTRACE_PROBES_H
#define IOTRACE_PROBES_H

#include <linux/build_bug.h>
#include <linux/compiler.h>

struct iotrace_probe {
	const char *name;	/* of the tracepoint */
	void *function;		/* has the type that the tracepoint calls */
	const char *old_name;	/* in earlier kernels; NULL: the same */
	void *old_function;	/* for the tracepoint of the old name; NULL: the same */
	struct tracepoint *tp;	/* filled in by iotrace_probes_find() */
};

/*
 * Kernels differ in the last arguments of some tracepoints, and kernels with kCFI die when a function of
 * another type is called. The declaration of a tracepoint (trace/events/...) has its type, and we take the function
 * of two that fits. If neither fits, the module does not compile for kernels with kCFI; in other kernels a probe
 * with fewer arguments does no harm. IOTRACE_CHECK_PROBES: be equally strict for every kernel.
 */
#define IOTRACE_PROBE_FITS(tracepoint, function) \
	__builtin_types_compatible_p(typeof(check_trace_callback_type_##tracepoint), void(typeof(function) *))
#define IOTRACE_PROBE_THAT_FITS(tracepoint, function, other) \
	__builtin_choose_expr(IOTRACE_PROBE_FITS(tracepoint, other), other, function)

#if defined(CONFIG_CFI) || defined(CONFIG_CFI_CLANG) || defined(IOTRACE_CHECK_PROBES)
#define IOTRACE_CHECK_PROBE(tracepoint, function) \
	static_assert(IOTRACE_PROBE_FITS(tracepoint, function), \
		      "iotrace.ko does not know the arguments that this kernel has for tracepoint " #tracepoint)
#else
#define IOTRACE_CHECK_PROBE(tracepoint, function) static_assert(1)
#endif

/** iotrace_probes_find - look up the tracepoints. Return: 0; -ENOENT, with a message, if one does not exist */
int iotrace_probes_find(struct iotrace_probe *probes, int count);

/** iotrace_probes_on - register all or, with a message, none. Context: may sleep. Return: 0 or an error */
int iotrace_probes_on(struct iotrace_probe *probes, int count);

/** iotrace_probes_off - after it has returned, none of the functions is running. Context: sleeps */
void iotrace_probes_off(struct iotrace_probe *probes, int count);

#endif /* IOTRACE_PROBES_H */
