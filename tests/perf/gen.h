/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace generator: a simulated cluster whose events are written as trace-cmd files, together with the
 * truth about them. It shares no code with the analyser, so that neither can hide a mistake of the other.
 *
 * gen-dat.c options and main loop; gen-sim.c time, random numbers, noise; gen-dlm.c, gen-io.c, gen-rpc.c and gen-cluster.h the loads;
 * gen-lock.c shared by the loads that lock;
 * gen-event.c format texts and payloads; gen-clock.c guest clocks; gen-page.c ring-buffer pages;
 * gen-file.c the file around them. A test program: it ends with a message on the first error.
 */
#ifndef IOT_PERF_GEN_H
#define IOT_PERF_GEN_H

#include <glib.h>
#include <stdio.h>

struct gen;

enum gen_load { GEN_LOAD_DLM, GEN_LOAD_IO, GEN_LOAD_MIXED, GEN_LOAD_CLUSTER, GEN_LOAD_RPC };

/* Planted faults: a grant of an incompatible mode, an ast without a call, a request that is lost on
 * its way, a holder who does not give way. */
enum gen_fault { FAULT_GRANT, FAULT_AST, FAULT_REQUEST, FAULT_RELEASE, N_FAULTS };

/* Planted delays: of a message, of the worker that delivers an ast or bast, of a task that holds. */
enum gen_delay { DELAY_MESSAGE, DELAY_CALLBACK, DELAY_HOLD, N_DELAYS };

enum gen_event {
	GEN_DLM_LOCK_START,
	GEN_DLM_LOCK_END,
	GEN_DLM_UNLOCK_START,
	GEN_DLM_UNLOCK_END,
	GEN_DLM_AST,
	GEN_DLM_BAST,
	GEN_DLM_SEND_MESSAGE,
	GEN_DLM_RECV_MESSAGE,
	GEN_IO_READ_START,
	GEN_IO_READ_END,
	GEN_IO_WRITE_START,
	GEN_IO_WRITE_END,
	GEN_IO_SYNC_START,
	GEN_IO_SYNC_END,
	GEN_CALL_START,
	GEN_CALL_END,
	GEN_CALL_DONE,
	GEN_SCHED_SWITCH,
	GEN_N_EVENTS
};

struct gen_opts {
	int version, word, page_size, guests, cpus;
	gboolean text, dst, zstd, big_endian, host, ptp, tsc2nsec, quirks;
	guint64 events, seed;
	enum gen_load load;
	int interest;			/* percent */
	gint64 *offset;			/* ns, one per guest */
	double drift_ppm;
	int samples, sample_ms, sample_error_ns;
	gboolean drifts;
	int rate_ppb, bend_ppb, resolution_ns, delayed;
	int error_ns;			/* stated in text recordings; -1: none */
	int slow;			/* factor of all times */
	guint64 *begins, *ends;		/* of recordings, one per guest; 0: of the simulation */
	int loss;			/* permille of the pages */
	int resources, lockspaces, tasks;
	int reuse;			/* permille of the calls */
	int fault[N_FAULTS], delay[N_DELAYS]; /* permille */
	int cycles;			/* planted */
	const char *out;
	char *truth;
};

/* One CPU's clock: raw stamps to host time, as the TIME_SHIFT and TSC2NSEC options will say. */
struct gen_clock {
	int n;				/* samples; 0: the host itself */
	gboolean interpolate;
	gint64 *time, *offset;		/* raw units of the host's and the guest's clock */
	guint32 mult, shift;		/* 0: raw stamps are ns */
	gint64 error;			/* of the samples of the other CPUs, raw units */
};

/* From a true time on, host - guest begins with this offset and changes by ppb. */
struct gen_piece {
	guint64 from;
	gint64 offset, ppb;
};

/* The clock of a machine that runs wrong. */
struct gen_drift {
	guint64 rng, piece_ns, until, resolution;
	gint64 offset, rate, bend;
	GArray *pieces;
};

struct gen_node;

struct gen_cpu {
	struct gen_node *node;
	int number;
	struct gen_clock clock;
	guint64 last_raw;
	/* the page being filled */
	guint8 *page;
	guint used;			/* bytes after the page header */
	guint64 page_events, in_page[GEN_N_EVENTS];
	guint64 page_first, page_last;	/* host time of its first and last event */
	/* written data */
	guint64 written_last;		/* host time of the last event written; 0: none */
	guint64 lost;			/* events dropped since then */
	GString *lines;			/* of the page, if the recording is a text */
	guint8 *chunk;			/* pages that wait for compression */
	int chunk_pages;
	FILE *data;			/* nameless scratch file */
	guint64 data_bytes;
	guint32 n_chunks;
};

struct gen_node {
	struct gen *gen;
	int number;			/* 0: the host, else 1, 2, ... */
	int cid;			/* 3, 4, ...; part of the file name */
	guint64 trace_id;
	guint16 id_base;		/* event ids differ between kernels */
	struct gen_cpu *cpu;
	struct gen_drift *drift;	/* NULL: the clock is as the samples say */
	guint64 begins, ends;		/* of the recording, true times */
	guint64 first, last;		/* true times of events */
	guint64 count[GEN_N_EVENTS], lost;
};

/* A payload under construction. */
struct gen_buf {
	guint8 data[256];
	gsize len;
	gboolean big_endian;
};

/* An element of the simulation's heap. */
struct gen_action {
	guint64 t, seq;
	gpointer who;
	guint32 tag;			/* for the load: which life or call of the actor is meant */
	gint16 kind;
	gint32 arg;
};

typedef void (*gen_action_func)(struct gen *gen, const struct gen_action *action);

struct gen {
	struct gen_opts opts;
	guint64 rng;
	struct gen_node *nodes;
	int n_nodes;			/* guests, then the host if there is one */
	FILE *truth;			/* never NULL */
	guint64 emitted;
	guint64 now;			/* simulated host time, ns */
	guint64 pause;			/* added to it: quiet times, so that time stamps need extending */
	guint64 last_emit, last_true;	/* simulated and written time of the latest event */
	guint64 last_apart;		/* simulated time of the latest one of gen_emit_apart */
	int noise;			/* hundredths of sched_switch events due */
	struct gen_action *heap;
	guint heap_n, heap_size;
	guint64 heap_seq;
	struct gen_dlm *dlm;
	struct gen_io *io;
	struct gen_cluster *cluster;
	struct gen_rpc *rpc;
};

/* host time at which the simulation begins, ns */
#define GEN_BASE_NS G_GUINT64_CONSTANT(1000000000000)

/** gen_die - print the message to stderr and exit with 1 */
void gen_die(const char *format, ...) G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;

/* gen-sim.c */
guint64 gen_random(struct gen *gen);
/** gen_below - a random number from 0 to @n - 1 */
guint32 gen_below(struct gen *gen, guint32 n);
/** gen_between - a random number from @a to @b; small ones are as likely as large ones of the same ratio */
guint64 gen_between(struct gen *gen, guint64 a, guint64 b);
/** gen_schedule - @delay ns from now, do @kind with @who */
void gen_schedule(struct gen *gen, guint64 delay, int kind, gpointer who, guint32 tag, int arg);
/** gen_schedule_at - the same at a time, to which --slow is not applied */
void gen_schedule_at(struct gen *gen, guint64 t, int kind, gpointer who, guint32 tag, int arg);
gboolean gen_next_action(struct gen *gen, struct gen_action *out);
/** gen_emit - write an event at the current time; returns the time a correct reader will find, ns */
guint64 gen_emit(struct gen *gen, struct gen_node *node, int cpu, enum gen_event event,
		 const struct gen_buf *payload);

/** gen_emit_apart - the same at least 2 ns after the event before, so that no two have one time */
guint64 gen_emit_apart(struct gen *gen, struct gen_node *node, int cpu, enum gen_event event,
		       const struct gen_buf *payload);

/** gen_mix - the next random number of a state of its own */
guint64 gen_mix(guint64 *state);

/* gen-drift.c */
struct gen_drift *gen_drift_new(struct gen *gen, const struct gen_node *node, gint64 offset_ns);
void gen_drift_free(struct gen_drift *d);
/** gen_drift_raw - what the clock shows at true time @t */
guint64 gen_drift_raw(struct gen_drift *d, guint64 t);
/** gen_drift_sample - a measurement of the clock at true time @t */
void gen_drift_sample(struct gen *gen, struct gen_drift *d, guint64 t, gint64 *out_time,
		      gint64 *out_offset);
/** gen_drift_truth - write the clock's polygon up to @end_ns */
void gen_drift_truth(struct gen *gen, const struct gen_node *node, struct gen_drift *d,
		     guint64 end_ns);

/* gen-clock.c */
void gen_clock_init(struct gen_clock *clock, struct gen *gen, gint64 offset_ns, gboolean is_host);
/** gen_clock_cut - no sample is taken after the true time @end; the first one stays */
void gen_clock_cut(struct gen_clock *clock, guint64 end);
/** gen_clock_measure - samples of a clock that runs wrong, taken while its node is recorded */
void gen_clock_measure(struct gen_clock *clock, struct gen *gen, const struct gen_node *node, int cpu);
/* PTP: all CPUs of a machine have one clock, which is measured for each, the first time without error */
void gen_clock_copy(struct gen_clock *clock, const struct gen_clock *of);
gint64 gen_clock_error(const struct gen_clock *clock, int cpu);
guint64 gen_clock_true(const struct gen_clock *clock, guint64 raw);
guint64 gen_clock_raw(const struct gen_clock *clock, guint64 true_ns);

/* gen-event.c */
const char *gen_event_name(enum gen_event event);
/** gen_event_format - the text of the event's `format` file; the caller frees */
char *gen_event_format(const struct gen_node *node, enum gen_event event);
/** gen_event_system - "dlm", "iotrace", "sched" */
const char *gen_event_system(enum gen_event event);
void gen_put(struct gen_buf *buf, guint64 value, int size);
void gen_put_bytes(struct gen_buf *buf, const void *data, gsize len);
/** gen_begin - start a payload with the common fields */
void gen_begin(struct gen_buf *buf, const struct gen_node *node, enum gen_event event, gint32 pid);
/* Of an event that was begun: it is in a softirq, as receipts of the DLM are since Linux 6.10. */
void gen_in_softirq(struct gen_buf *buf);
/** gen_put_dynamic - a __data_loc word followed by its bytes; the last field of an event */
void gen_put_dynamic(struct gen_buf *buf, const void *data, gsize len);
/** gen_put_texts - @n such fields of zero-terminated texts; the last fields of an event */
void gen_put_texts(struct gen_buf *buf, const char *const *texts, int n);
/** gen_put_switch - the fields of sched_switch */
void gen_put_switch(struct gen_buf *buf, int word, gint32 prev, gint32 next);

/* gen-page.c */
void gen_cpu_init(struct gen_cpu *cpu, struct gen_node *node, int number);
/** gen_cpu_event - append an event; returns its host time as a reader will find it */
guint64 gen_cpu_event(struct gen_cpu *cpu, guint64 true_ns, enum gen_event event,
		      const struct gen_buf *payload);
/** gen_cpu_finish - write the last page; it is never dropped */
void gen_cpu_finish(struct gen_cpu *cpu);
void gen_store(guint8 *at, guint64 value, int size, gboolean big_endian);

/* gen-text.c: the same as text recordings */
/** gen_text_event - append an event's line to the CPU's page */
void gen_text_event(struct gen_cpu *cpu, guint64 t, enum gen_event event,
		    const struct gen_buf *payload);
/** gen_text_write - write the recording of a node */
void gen_text_write(struct gen_node *node);

/* gen-file.c */
void gen_file_write(struct gen_node *node);
char *gen_file_path(const struct gen_node *node);

/* gen-lock.c */
struct gen_lock_event {
	const struct gen_node *node;
	enum gen_event event;
	gint32 pid;
	guint32 ls_id, lkb_id;
	const guint8 *name; /* of the resource */
	gsize len;
};
/** gen_lockspace_ids - random ids of all lockspaces; the caller frees */
guint32 *gen_lockspace_ids(struct gen *gen);
/** gen_take_lock_id - the lowest free id of a node's locks in lockspace number @ls; @ids: its bitmaps,
 * an array of guint64 that is cleared when it grows */
guint32 gen_take_lock_id(const struct gen *gen, GArray *ids, guint32 ls);
void gen_release_lock_id(const struct gen *gen, GArray *ids, guint32 ls, guint32 id);
/** gen_put_lock - the payload of an event about a lock, with @n numbers between id and name */
void gen_put_lock(struct gen_buf *buf, const struct gen_lock_event *lock, const guint32 *values,
		  int n);

/* gen-dlm.c, gen-io.c */
void gen_dlm_start(struct gen *gen);
void gen_dlm_act(struct gen *gen, const struct gen_action *action);
/** gen_dlm_end - write the truth about spans open at @end_ns; free memory */
void gen_dlm_end(struct gen *gen, guint64 end_ns);

/* A call of file I/O that begins. */
struct gen_io_call {
	const struct gen_node *node;
	enum gen_event event;
	gint32 tgid, pid, fd;
	guint16 op; /* enum iotrace_op */
	guint64 id, ino, pos, len;
};
/** gen_put_io_start, gen_put_io_end - payloads of start and end; @call->event is the start */
void gen_put_io_start(struct gen_buf *buf, const struct gen_io_call *call);
void gen_put_io_end(struct gen_buf *buf, const struct gen_io_call *call, gint64 ret, guint64 pos);
void gen_io_start(struct gen *gen);
void gen_io_act(struct gen *gen, const struct gen_action *action);
void gen_io_end(struct gen *gen);
void gen_cluster_start(struct gen *gen);
void gen_cluster_act(struct gen *gen, const struct gen_action *action);
void gen_cluster_end(struct gen *gen, guint64 end_ns);
void gen_rpc_start(struct gen *gen);
void gen_rpc_act(struct gen *gen, const struct gen_action *action);
void gen_rpc_end(struct gen *gen);

/* action kinds below are gen-dlm.c's, from here on those of gen-io.c, gen-cluster.c and gen-rpc.c */
enum { GEN_IO_ACTIONS = 100, GEN_CLUSTER_ACTIONS = 200, GEN_RPC_ACTIONS = 300 };

#endif
