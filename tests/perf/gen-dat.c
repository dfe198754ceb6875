// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gen-dat - write recordings of a simulated cluster, of any size, and the truth about them
 *
 * usage: gen-dat [options] OUT
 *
 * Writes trace-cmd files OUT-3.dat, OUT-4.dat, ... (one per guest) and, with --host, OUT.dat; with
 * --text, text recordings OUT-3.txt, ...
 *
 * The truth (--truth FILE) is tab-separated; all times are ns of the host's clock as a correct
 * reader finds them:
 *
 *   span  NODE LS_ID RES_HEX LKB_ID MODE START END   modes, PENDING, RELEASING and KEEPING,
 *                                                    cut at the end
 *
 *   call  NODE ID OP START END RET                   I/O calls
 *
 *   gap   NODE CPU T0 T1 LOST                        dropped pages: last event before, first event
 *                                                    after, number of events ("?")
 *
 *   delay   KIND NODE LS_ID RES_HEX OWNER LKB_ID T NS
 *                                                    planted, see --delay; from T on, NS longer (a
 *                                                    hold: unless a bast ends it)
 *
 *   seen  NODE T0 T1                                 its first and last recorded event
 *
 *   clock NODE T OFFSET PPB                          from T on, host - guest begins with OFFSET and
 *                                                    changes by PPB, 10^-9 (only --drifts)
 *
 *   count NODE EVENT N                               events in the file; EVENT "lost": dropped ones
 *
 *   end   T                                          the latest event of all files
 *
 * The load "cluster" also writes:
 *
 *   wait    NODE LS_ID RES_HEX LKB_ID KIND HELD ASKED START END RESULT
 *                                                    KIND: "wait" for a mode, "leave" (gives one
 *                                                    up), "both" (PR to CW), "same" mode; RESULT:
 *                                                    status of the ast, "-": none until the end
 *
 *   part    NODE LS_ID RES_HEX LKB_ID MODE PART START END
 *                                                    of a hold: "certain" or "leaving", which is
 *                                                    from the call that gives it up
 *
 *   own     NODE LS_ID RES_HEX LKB_ID MODE START END the mode by the books of the lock master
 *
 *   master  NODE LS_ID RES_HEX START END             the lock master of a resource
 *
 *   message FROM TO TYPE SEQ LS_ID RES_HEX LKID REMID SENT CPU RECEIVED CPU
 *                                                    an end in a gap of its CPU is not recorded
 *
 *   fault   KIND NODE LS_ID RES_HEX OWNER LKB_ID T   planted on NODE, with a lock of OWNER
 *
 *   cycle   NUMBER NODE PID LS_ID RES_HEX LKB_ID CALLED CLOSED ENDED
 *                                                    a member of a planted cycle waits with this
 *                                                    lock; ENDED: by EDEADLK, 0: not
 *
 * The load "rpc" writes:
 *
 *   request NODE TGID PID ID START END STATUS        a client's call; END "-": not completed
 *
 *   served  NODE TGID PID ID START END STATUS        a request that a server works on
 *
 *   io      NODE TGID PID CALL OP START END RET      file I/O of a server for a call; 0: for none
 *
 *   serves  FROM TO ID SENT CPU RECEIVED CPU         from the start of a call to that of its service
 *
 * Spans and calls are written as if nothing had been dropped. NODE 1 is the guest with CID 3; 0 is
 * the host.
 */
#include "gen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void gen_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("gen-dat: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

struct texts {
	char *compression, *endian, *load, *offset, *protocol, *fault, *delay, *kernel, *begin,
		*death;
};

static void check(gboolean ok, const char *what)
{
	if (!ok)
		gen_die("wrong value of --%s", what);
}

static gboolean one_of(const char *text, const char *a, const char *b, const char *option)
{
	if (!text || !strcmp(text, a))
		return FALSE;
	check(!strcmp(text, b), option);
	return TRUE;
}

/* By default guest clocks are some seconds off, so that every file needs its correction. */
static void parse_offsets(struct gen_opts *o, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", 0);
	guint n = g_strv_length(parts);

	o->offset = g_new0(gint64, o->guests);
	for (int i = 0; i < o->guests; i++) {
		if (n)
			o->offset[i] = g_ascii_strtoll(parts[MIN((guint)i, n - 1)], NULL, 10);
		else if (!o->text)
			o->offset[i] =
				G_GINT64_CONSTANT(25153412940) - i * G_GINT64_CONSTANT(31415926535);
		check(ABS(o->offset[i]) < (gint64)GEN_BASE_NS / 2, "offset");
	}
}

/* "KIND=PERMILLE,..." */
static void parse_planted(const char *text, const char *option, const char *const *names, int *out)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", 0);

	for (int i = 0; parts[i]; i++) {
		char *value = strchr(parts[i], '=');
		int k = 0;

		check(value != NULL, option);
		*value = '\0';
		while (names[k] && strcmp(names[k], parts[i]) != 0)
			k++;
		check(names[k] != NULL, option);
		out[k] = atoi(value + 1);
	}
}

/* "NODE=MS,...": times after the begin of the simulation */
static void parse_edges(struct gen_opts *o, const char *text, const char *option, guint64 *edge)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", 0);

	for (int i = 0; parts[i]; i++) {
		int node, ms;

		check(sscanf(parts[i], "%d=%d", &node, &ms) == 2 && node > 0 && node <= o->guests,
		      option);
		edge[node - 1] = GEN_BASE_NS + (guint64)ms * 1000000;
	}
}

static void check_options(struct gen_opts *o, const struct texts *t)
{
	static const char *const faults[] = { "grant", "ast", "request", "release", NULL };
	static const char *const delays[] = { "message", "callback", "hold", NULL };

	o->zstd = one_of(t->compression, "none", "zstd", "compression");
	o->big_endian = one_of(t->endian, "le", "be", "endian");
	o->dst = one_of(t->kernel, "6.1", "6.12", "kernel");
	o->ptp = one_of(t->protocol, "kvm", "ptp", "protocol");
	if (t->load && !strcmp(t->load, "mixed"))
		o->load = GEN_LOAD_MIXED;
	else if (t->load && !strcmp(t->load, "cluster"))
		o->load = GEN_LOAD_CLUSTER;
	else if (t->load && !strcmp(t->load, "rpc"))
		o->load = GEN_LOAD_RPC;
	else
		o->load = one_of(t->load, "dlm", "io", "load") ? GEN_LOAD_IO : GEN_LOAD_DLM;
	check(o->version == 7 || (o->version == 6 && !o->zstd), "version");
	check(o->word == 4 || o->word == 8, "word");
	check(o->page_size >= 1024 && o->page_size <= 1 << 20 &&
		      !(o->page_size & (o->page_size - 1)),
	      "page-size");
	check(o->guests > 0 && o->guests <= 1000, "guests");
	check(o->cpus > 0 && o->cpus <= 4096, "cpus");
	check(o->events > 0, "events");
	check(o->interest > 0 && o->interest <= 100, "interest");
	check(o->samples > 0 && (!o->ptp || o->samples > 1), "samples");
	check(o->sample_ms > 0, "sample-ms");
	check(o->sample_error_ns >= 0, "sample-error");
	check(o->loss >= 0 && o->loss < 1000, "loss");
	check(o->resources > 0, "resources");
	check(o->lockspaces > 0 && o->lockspaces <= o->resources, "lockspaces");
	check(o->tasks > 0, "tasks");
	check(o->cycles >= 0 && (!o->cycles || o->guests > 1), "cycles");
	check(o->reuse >= 0 && o->reuse <= 1000, "reuse");
	check(!o->text || !(o->host || o->ptp || o->tsc2nsec), "text");
	parse_offsets(o, t->offset);
	parse_planted(t->fault, "fault", faults, o->fault);
	parse_planted(t->delay, "delay", delays, o->delay);
	o->begins = g_new0(guint64, o->guests);
	o->ends = g_new0(guint64, o->guests);
	parse_edges(o, t->begin, "begin", o->begins);
	parse_edges(o, t->death, "death", o->ends);
	o->drifts = o->drifts || o->rate_ppb || o->bend_ppb || o->resolution_ns > 1;
	check(!o->drifts || o->text || (o->ptp && !o->tsc2nsec), "drifts");
	check(o->rate_ppb >= 0 && o->rate_ppb < 100000000, "rate");
	check(o->bend_ppb >= 0 && o->bend_ppb < 100000000, "bend");
	check(o->resolution_ns > 0, "resolution");
	check(o->slow > 0, "slow");
}

static void parse_options(struct gen_opts *o, int argc, char **argv)
{
	struct texts t = { 0 };
	gint64 events = 1000000, seed = 1;
	gboolean plain = FALSE;
	/* clang-format off */
	const GOptionEntry entries[] = {
		{ "version", 0, 0, G_OPTION_ARG_INT, &o->version, "file version (7)", "6|7" },
		{ "compression", 0, 0, G_OPTION_ARG_STRING, &t.compression, "of version 7 (none)", "none|zstd" },
		{ "endian", 0, 0, G_OPTION_ARG_STRING, &t.endian, "byte order (le)", "le|be" },
		{ "word", 0, 0, G_OPTION_ARG_INT, &o->word, "size of long (8)", "4|8" },
		{ "page-size", 0, 0, G_OPTION_ARG_INT, &o->page_size, "ring-buffer page (4096)", "BYTES" },
		{ "guests", 0, 0, G_OPTION_ARG_INT, &o->guests, "files, CIDs from 3 on (1)", "N" },
		{ "cpus", 0, 0, G_OPTION_ARG_INT, &o->cpus, "CPUs of each machine (2)", "N" },
		{ "events", 0, 0, G_OPTION_ARG_INT64, &events, "in all files together (1000000)", "N" },
		{ "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "other numbers, other schedule (1)", "N" },
		{ "load", 0, 0, G_OPTION_ARG_STRING, &t.load, "activity of the guests (dlm)", "dlm|io|mixed|cluster|rpc" },
		{ "text", 0, 0, G_OPTION_ARG_NONE, &o->text, "text recordings, whose clocks are right", NULL },
		{ "kernel", 0, 0, G_OPTION_ARG_STRING, &t.kernel, "fields of its messages (6.1)", "6.1|6.12" },
		{ "fault", 0, 0, G_OPTION_ARG_STRING, &t.fault,
		  "planted: grant, ast, request, release (cluster only)", "KIND=PERMILLE,..." },
		{ "delay", 0, 0, G_OPTION_ARG_STRING, &t.delay,
		  "planted, 5 to 50 ms: message, callback, hold (cluster only)", "KIND=PERMILLE,..." },
		{ "cycles", 0, 0, G_OPTION_ARG_INT, &o->cycles,
		  "planted circular waits of 2 to 16 nodes; every third one lasts (0; cluster only)", "N" },
		{ "interest", 0, 0, G_OPTION_ARG_INT, &o->interest, "of the load; the rest is sched_switch (100)", "PERCENT" },
		{ "offset", 0, 0, G_OPTION_ARG_STRING, &t.offset, "host clock minus guest clock, each guest's", "NS,..." },
		{ "protocol", 0, 0, G_OPTION_ARG_STRING, &t.protocol, "of the clock samples (kvm)", "kvm|ptp" },
		{ "drift", 0, 0, G_OPTION_ARG_DOUBLE, &o->drift_ppm, "of the guests' clocks, ptp only (20)", "PPM" },
		{ "samples", 0, 0, G_OPTION_ARG_INT, &o->samples, "clock samples of each CPU (2)", "N" },
		{ "sample-error", 0, 0, G_OPTION_ARG_INT, &o->sample_error_ns,
		  "of the samples of other CPUs than the first, of all with --drifts; ptp only (20000)", "NS" },
		{ "drifts", 0, 0, G_OPTION_ARG_NONE, &o->drifts, "clocks run wrong, samples measure it; ptp or text", NULL },
		{ "rate", 0, 0, G_OPTION_ARG_INT, &o->rate_ppb, "clocks run wrong by up to this (0)", "PPB" },
		{ "bend", 0, 0, G_OPTION_ARG_INT, &o->bend_ppb, "their rates change by up to this (0)", "PPB" },
		{ "resolution", 0, 0, G_OPTION_ARG_INT, &o->resolution_ns, "of these clocks (1)", "NS" },
		{ "delayed", 0, 0, G_OPTION_ARG_INT, &o->delayed,
		  "of a thousand samples, off by up to 20 times --sample-error (0)", "PERMILLE" },
		{ "error", 0, 0, G_OPTION_ARG_INT, &o->error_ns, "text recordings state it as their bound", "NS" },
		{ "begin", 0, 0, G_OPTION_ARG_STRING, &t.begin, "nodes whose recording begins late", "NODE=MS,..." },
		{ "death", 0, 0, G_OPTION_ARG_STRING, &t.death, "nodes whose recording ends early", "NODE=MS,..." },
		{ "slow", 0, 0, G_OPTION_ARG_INT, &o->slow, "factor of all times (1)", "N" },
		{ "sample-ms", 0, 0, G_OPTION_ARG_INT, &o->sample_ms, "time between them (100)", "MS" },
		{ "tsc2nsec", 0, 0, G_OPTION_ARG_NONE, &o->tsc2nsec, "stamps are cycles, converted by TSC2NSEC", NULL },
		{ "loss", 0, 0, G_OPTION_ARG_INT, &o->loss, "pages dropped of each thousand (0)", "PERMILLE" },
		{ "host", 0, 0, G_OPTION_ARG_NONE, &o->host, "write the host's file, too", NULL },
		{ "plain", 0, 0, G_OPTION_ARG_NONE, &plain, "no pauses, discarded events, absolute stamps", NULL },
		{ "resources", 0, 0, G_OPTION_ARG_INT, &o->resources, "to be locked (16)", "N" },
		{ "lockspaces", 0, 0, G_OPTION_ARG_INT, &o->lockspaces, "they are in (1)", "N" },
		{ "tasks", 0, 0, G_OPTION_ARG_INT, &o->tasks, "on each guest, of each load (4)", "N" },
		{ "reuse", 0, 0, G_OPTION_ARG_INT, &o->reuse,
		  "calls that have the id of one before, of a thousand (0; rpc only)", "PERMILLE" },
		{ "truth", 0, 0, G_OPTION_ARG_FILENAME, &o->truth, "what really happened", "FILE" },
		{ NULL },
	};
	/* clang-format on */
	g_autoptr(GOptionContext) context = g_option_context_new("OUT");
	g_autoptr(GError) error = NULL;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		gen_die("%s", error->message);
	if (argc != 2)
		gen_die("the name of the output is missing; see --help");
	o->out = argv[1];
	o->events = events;
	o->seed = seed;
	o->quirks = !plain && !o->text;
	check_options(o, &t);
	g_free(t.compression);
	g_free(t.endian);
	g_free(t.load);
	g_free(t.offset);
	g_free(t.protocol);
	g_free(t.fault);
	g_free(t.delay);
	g_free(t.kernel);
	g_free(t.begin);
	g_free(t.death);
}

static void init_node(struct gen *gen, int i)
{
	const struct gen_opts *o = &gen->opts;
	gboolean is_host = i == o->guests;
	struct gen_node *node = &gen->nodes[i];

	node->gen = gen;
	node->number = is_host ? 0 : i + 1;
	node->cid = 3 + i;
	node->trace_id = gen_random(gen) | 1;
	node->id_base = 300 + 37 * i;
	node->cpu = g_new0(struct gen_cpu, o->cpus);
	node->ends = G_MAXUINT64;
	if (!is_host) {
		node->begins = o->begins[i];
		node->ends = o->ends[i] ? o->ends[i] : G_MAXUINT64;
		if (o->drifts)
			node->drift = gen_drift_new(gen, node, o->offset[i]);
	}
	if (is_host && !o->host)
		return;
	for (int c = 0; c < o->cpus; c++) {
		gen_cpu_init(&node->cpu[c], node, c);
		if (node->drift) {
			gen_clock_measure(&node->cpu[c].clock, gen, node, c);
			continue;
		}
		if (c && o->ptp && !is_host) {
			gen_clock_copy(&node->cpu[c].clock, &node->cpu[0].clock);
			continue;
		}
		/* with KVM every vCPU has its own offset */
		gen_clock_init(&node->cpu[c].clock, gen,
			       is_host ? 0 : o->offset[i] + (o->text ? 0 : 1000 * c), is_host);
		gen_clock_cut(&node->cpu[c].clock, node->ends);
	}
}

static void init(struct gen *gen)
{
	const struct gen_opts *o = &gen->opts;

	gen->rng = o->seed;
	gen->now = gen->last_emit = GEN_BASE_NS;
	gen->truth = fopen(o->truth ? o->truth : "/dev/null", "w");
	if (!gen->truth)
		gen_die("cannot write %s: %m", o->truth);
	gen->nodes = g_new0(struct gen_node, o->guests + 1);
	gen->n_nodes = o->guests + (o->host ? 1 : 0);
	for (int i = 0; i <= o->guests; i++)
		init_node(gen, i);
}

static void simulate(struct gen *gen)
{
	enum gen_load load = gen->opts.load;
	struct gen_action action;

	if (load == GEN_LOAD_CLUSTER)
		gen_cluster_start(gen);
	if (load == GEN_LOAD_RPC)
		gen_rpc_start(gen);
	if (load == GEN_LOAD_DLM || load == GEN_LOAD_MIXED)
		gen_dlm_start(gen);
	if (load == GEN_LOAD_IO || load == GEN_LOAD_MIXED)
		gen_io_start(gen);
	while (gen->emitted < gen->opts.events && gen_next_action(gen, &action)) {
		if (action.kind < GEN_IO_ACTIONS)
			gen_dlm_act(gen, &action);
		else if (action.kind < GEN_CLUSTER_ACTIONS)
			gen_io_act(gen, &action);
		else if (action.kind < GEN_RPC_ACTIONS)
			gen_cluster_act(gen, &action);
		else
			gen_rpc_act(gen, &action);
	}
	if (gen->cluster)
		gen_cluster_end(gen, gen->last_true);
	if (gen->dlm)
		gen_dlm_end(gen, gen->last_true);
	if (gen->io)
		gen_io_end(gen);
	if (gen->rpc)
		gen_rpc_end(gen);
}

static void write_counts(struct gen *gen, const struct gen_node *node)
{
	if (node->first)
		fprintf(gen->truth, "seen\t%d\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\n",
			node->number, node->first, node->last);
	if (node->drift)
		gen_drift_truth(gen, node, node->drift, gen->last_true);
	for (int e = 0; e < GEN_N_EVENTS; e++)
		if (node->count[e])
			fprintf(gen->truth, "count\t%d\t%s\t%" G_GUINT64_FORMAT "\n", node->number,
				gen_event_name(e), node->count[e]);
	if (node->lost)
		fprintf(gen->truth, "count\t%d\tlost\t%" G_GUINT64_FORMAT "\n", node->number,
			node->lost);
}

static void free_node(struct gen *gen, struct gen_node *node)
{
	for (int c = 0; c < gen->opts.cpus; c++) {
		g_free(node->cpu[c].clock.time);
		g_free(node->cpu[c].clock.offset);
		g_free(node->cpu[c].page);
		g_free(node->cpu[c].chunk);
		if (node->cpu[c].lines)
			g_string_free(node->cpu[c].lines, TRUE);
	}
	g_free(node->cpu);
	gen_drift_free(node->drift);
}

static void finish(struct gen *gen)
{
	for (int i = 0; i < gen->n_nodes; i++) {
		for (int c = 0; c < gen->opts.cpus; c++)
			gen_cpu_finish(&gen->nodes[i].cpu[c]);
		if (gen->opts.text)
			gen_text_write(&gen->nodes[i]);
		else
			gen_file_write(&gen->nodes[i]);
		write_counts(gen, &gen->nodes[i]);
	}
	fprintf(gen->truth, "end\t%" G_GUINT64_FORMAT "\n", gen->last_true);
	if (fclose(gen->truth))
		gen_die("cannot write the truth: %m");
	for (int i = 0; i <= gen->opts.guests; i++)
		free_node(gen, &gen->nodes[i]);
	g_free(gen->nodes);
	g_free(gen->heap);
	g_free(gen->opts.offset);
	g_free(gen->opts.begins);
	g_free(gen->opts.ends);
	g_free(gen->opts.truth);
}

int main(int argc, char **argv)
{
	struct gen gen = { .opts = { .version = 7,
				     .word = 8,
				     .page_size = 4096,
				     .guests = 1,
				     .cpus = 2,
				     .interest = 100,
				     .drift_ppm = 20,
				     .samples = 2,
				     .sample_ms = 100,
				     /* longer than from a call to its completion */
				     .sample_error_ns = 20000,
				     .resolution_ns = 1,
				     .error_ns = -1,
				     .slow = 1,
				     .resources = 16,
				     .lockspaces = 1,
				     .tasks = 4 } };

	parse_options(&gen.opts, argc, argv);
	init(&gen);
	simulate(&gen);
	finish(&gen);
	return 0;
}
