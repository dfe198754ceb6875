/* SPDX-License-Identifier: GPL-2.0 */
/* Probes on tracepoints of the kernel, which a module can only find by name. */
#ifndef IOTRACE_PROBES_H
#define IOTRACE_PROBES_H

struct iotrace_probe {
	const char *name;	/* of the tracepoint */
	void *function;		/* takes the first of its arguments: what later kernels add is left out */
	const char *old_name;	/* in earlier kernels; NULL: the same */
	struct tracepoint *tp;	/* filled in by iotrace_probes_find() */
};

/** iotrace_probes_find - look up the tracepoints. Return: 0; -ENOENT, with a message, if one does not exist */
int iotrace_probes_find(struct iotrace_probe *probes, int count);

/** iotrace_probes_on - register all or, with a message, none. Context: may sleep. Return: 0 or an error */
int iotrace_probes_on(struct iotrace_probe *probes, int count);

/** iotrace_probes_off - after it has returned, none of the functions is running. Context: sleeps */
void iotrace_probes_off(struct iotrace_probe *probes, int count);

#endif /* IOTRACE_PROBES_H */
