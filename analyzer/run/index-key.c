/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/index-key.h"
#include "run/names-file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another build may draw the same events differently. */
static void identify_program(GString *out)
{
	struct stat st = { 0 };

	(void)stat("/proc/self/exe", &st);
	g_string_append_printf(out,
			       "iotrace-analyze " IOT_VERSION " %" G_GUINT64_FORMAT " %ld.%09ld\n",
			       (guint64)st.st_size, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Hash of some bytes at @offset; 0 if they cannot be read. */
static guint64 hash_part(int fd, guint64 offset)
{
	enum { PART = 64 << 10 };
	g_autofree guint8 *part = g_malloc(PART);
	gssize n = pread(fd, part, PART, (off_t)offset);

	return n > 0 ? iot_hash_bytes(part, (gsize)n) : 0;
}

/* Size, inode, time, and hashes of the metadata, of the middle and of the end of the file. */
static gboolean identify_file(const char *path, GString *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	guint64 size, head, middle, tail;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		if (fd >= 0)
			close(fd);
		return FALSE;
	}
	size = (guint64)st.st_size;
	head = hash_part(fd, 0);
	middle = hash_part(fd, size / 2);
	tail = hash_part(fd, size - MIN(size, 64 << 10));
	close(fd);
	g_string_append_printf(out, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %ld.%09ld", size,
			       (guint64)st.st_ino, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	g_string_append_printf(
		out, " %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x\n",
		head, middle, tail);
	return TRUE;
}

static gboolean identify_inputs(const struct iot_inputs *inputs, GString *out)
{
	for (guint i = 0; i < iot_inputs_count(inputs); i++) {
		const struct iot_input *input = iot_inputs_at(inputs, i);
		const struct iot_source_ops *ops = input->source->ops;

		if (!ops->seek)
			return FALSE;
		g_string_append_printf(out, "input %s, node %s (%s), %u runs,", ops->name,
				       input->node, input->name, ops->n_runs(input->source));
		if (!identify_file(input->info.path, out))
			return FALSE;
	}
	return TRUE;
}

static void identify_recovered(const struct iot_clock_change *change, GString *out)
{
	g_string_append_printf(out, "recovered %s %" G_GINT64_FORMAT,
			       change->method ? change->method : "-", change->shift_ns);
	for (guint i = 0; change->pairs && i < change->pairs->len; i++) {
		const struct iot_clock_pair *pair =
			&g_array_index(change->pairs, struct iot_clock_pair, i);

		g_string_append_printf(out, " %" G_GUINT64_FORMAT "=%" G_GUINT64_FORMAT,
				       pair->machine_ns, pair->reference_ns);
	}
	g_string_append_c(out, '\n');
}

static void identify_clocks(const struct iot_options *options, GString *out)
{
	g_autofree char *text = NULL;

	g_string_append_printf(
		out, "clocks %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
		options->clock.ptp_ns, options->clock.rate_ppb, options->clock.drift_ppb);
	if (options->sync_file && g_file_get_contents(options->sync_file, &text, NULL, NULL))
		g_string_append_printf(out, "sync %s\n", text);
	for (guint i = 0; i < options->shifts->len; i++) {
		const struct iot_shift *shift =
			&g_array_index(options->shifts, struct iot_shift, i);

		g_string_append_printf(out, "shift %s %" G_GINT64_FORMAT "\n", shift->node,
				       shift->ns);
	}
}

char *iot_index_key(const struct iot_options *options, const struct iot_clock_change *clocks,
		    const struct iot_inputs *inputs, const struct iot_models *models,
		    const struct iot_timeline *tl)
{
	g_autoptr(GString) key = g_string_new(NULL);
	struct iot_timeline_size size;

	identify_program(key);
	g_string_append_printf(key, "%u counters, max-open %u, max-containers %u\n", IOT_DIAG_COUNT,
			       options->max_open, options->max_containers);
	iot_timeline_count(tl, &size);
	g_string_append_printf(key, "%u strings, %u types, %u categories, %u rows\n", size.strings,
			       size.types, size.cats, size.rows);
	if (!identify_inputs(inputs, key))
		return NULL;
	iot_models_identify(models, key);
	g_string_append_printf(key, "all-threads %d\n", options->all_threads);
	g_string_append_printf(
		key, "early-end %" G_GUINT64_FORMAT ", clock-error %" G_GUINT64_FORMAT "%s\n",
		options->early_end_ns, options->clock_error_ns,
		options->no_links ? ", no links" : "");
	/* stages add categories, and take lanes */
	for (guint i = 0; i < options->derive->len; i++)
		g_string_append_printf(key, "derive %s\n", (const char *)options->derive->pdata[i]);
	g_string_append_printf(
		key, "causality %d %d %u %" G_GUINT64_FORMAT " %d %" G_GUINT64_FORMAT "\n",
		(int)options->causality.policy, options->causality.rounds,
		options->causality.keep_ppm, options->causality.back_ns, options->causality.inside,
		options->causality.hold_ns);
	identify_clocks(options, key);
	iot_names_file_identify(options->names, key);
	for (guint i = 0; clocks && i < options->inputs->len; i++)
		identify_recovered(&clocks[i], key);
	for (guint i = 0; i < options->lockspaces->len; i++)
		g_string_append_printf(key, "lockspace %s\n",
				       (const char *)options->lockspaces->pdata[i]);
	return g_string_free(g_steal_pointer(&key), FALSE);
}
