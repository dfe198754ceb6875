/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [rank ...]: which ranks of MPI programs ran on which node. */
#include "run/names-file-local.h"

#include <stdio.h>
#include <string.h>

/* The greatest number of ranks that can be meant; MPI counts them as int. */
enum { MAX_RANK = G_MAXINT32 };

void iot_names_ranks_free(gpointer data)
{
	struct names_ranks *ranks = data;

	g_array_unref(ranks->spans);
	g_free(ranks);
}

static gboolean read_number(const char **at, guint32 *out)
{
	guint64 number = 0;
	const char *first = *at;

	for (; g_ascii_isdigit(**at) && number <= MAX_RANK; ++*at)
		number = number * 10 + (guint64)(**at - '0');
	*out = (guint32)number;
	return *at > first && number <= MAX_RANK;
}

/* "0..3 7" */
static gboolean read_spans(struct names_ranks *ranks, GError **error)
{
	const char *at = ranks->section->name;

	while (*at) {
		struct names_span span;

		if (!read_number(&at, &span.first))
			break;
		span.last = span.first;
		if (g_str_has_prefix(at, "..")) {
			at += 2;
			if (!read_number(&at, &span.last) || span.last < span.first)
				break;
		}
		g_array_append_val(ranks->spans, span);
		if (*at && *at++ != ' ')
			break;
		if (!*at)
			return TRUE;
	}
	return iot_section_error(ranks->section, error,
				 "ranks are numbers and ranges, as in [rank 0..3 7]");
}

/* "real=1795886091824424421 mono=... took=377 barrier=3/4", as libiotrace-mpi-ranks writes it. */
static gboolean read_mark(const struct iot_setting *setting, struct iot_rank_mark *out,
			  GError **error)
{
	guint64 real = 0, mono = 0, took = 0;
	guint number = 0, of = 0;
	int end = 0;

	if (sscanf(setting->value,
		   "real=%" G_GUINT64_FORMAT " mono=%" G_GUINT64_FORMAT " took=%" G_GUINT64_FORMAT
		   " barrier=%u/%u%n",
		   &real, &mono, &took, &number, &of, &end) != 5 ||
	    setting->value[end] || strchr(setting->value, '-') || !number || number > of ||
	    of > IOT_RANK_BARRIERS || real > G_MAXINT64 || mono > G_MAXINT64 ||
	    took > G_MAXINT64 - real)
		return iot_setting_error(setting, 0, error,
					 "a mark is real=NS mono=NS took=NS barrier=N/M, as "
					 "iotrace-mpi-ranks writes it");
	*out = (struct iot_rank_mark){ real, mono, took, number, of };
	return TRUE;
}

/* The clocks of one rank. */
static gboolean check_marks(const struct names_ranks *ranks, GError **error)
{
	if (ranks->end.number && !ranks->begin.number)
		return iot_section_error(ranks->section, error, "there is an end without a begin");
	if (ranks->end.number && ranks->end.mono_ns < ranks->begin.mono_ns)
		return iot_section_error(ranks->section, error, "the end is before the begin");
	return TRUE;
}

static gboolean is_one_rank(const struct names_ranks *ranks)
{
	const struct names_span *span = &g_array_index(ranks->spans, struct names_span, 0);

	return ranks->spans->len == 1 && span->first == span->last;
}

static gboolean read_settings(const struct iot_names_file *file, struct names_ranks *ranks,
			      GError **error)
{
	const struct iot_setting *node = iot_section_require(ranks->section, "node", error);

	if (!node)
		return FALSE;
	for (guint i = 0; i < ranks->section->settings->len; i++) {
		const struct iot_setting *setting = ranks->section->settings->pdata[i];
		const char *at = setting->value;
		guint32 process;

		if (!strcmp(setting->key, "node")) {
			ranks->node = iot_names_node(file, setting->value);
			if (!ranks->node)
				return iot_setting_error(setting, 0, error,
							 "there is no [node %s] in this file",
							 setting->value);
		} else if (!strcmp(setting->key, "of")) {
			ranks->recording = setting->value;
		} else if (!strcmp(setting->key, "process")) {
			if (!read_number(&at, &process) || *at || !process)
				return iot_setting_error(setting, 0, error,
							 "\"%s\" is not the number of a process",
							 setting->value);
			ranks->process = process;
			if (!is_one_rank(ranks))
				return iot_setting_key_error(setting, error,
							     "several ranks are not one process");
		} else if (!strcmp(setting->key, "begin") || !strcmp(setting->key, "end")) {
			if (!is_one_rank(ranks))
				return iot_setting_key_error(setting, error,
							     "each rank has a clock of its own");
			if (!read_mark(setting,
				       setting->key[0] == 'b' ? &ranks->begin : &ranks->end, error))
				return FALSE;
		} else {
			return iot_setting_key_error(setting, error,
						     "no such key in [rank] (there are: node, of, "
						     "process, begin, end)");
		}
	}
	return check_marks(ranks, error);
}

/* A rank is on one node. Sections about different recordings do not meet. */
static gboolean check_once(const struct iot_names_file *file, const struct names_ranks *ranks,
			   GError **error)
{
	for (guint i = 0; i < ranks->spans->len; i++) {
		const struct names_span *span = &g_array_index(ranks->spans, struct names_span, i);

		for (guint k = 0; k < file->ranks->len; k++) {
			const struct names_ranks *other = file->ranks->pdata[k];

			for (guint m = 0; m < (other == ranks ? i : other->spans->len); m++) {
				const struct names_span *theirs =
					&g_array_index(other->spans, struct names_span, m);

				if (span->first <= theirs->last && theirs->first <= span->last &&
				    (!ranks->recording || !other->recording ||
				     !strcmp(ranks->recording, other->recording)))
					return iot_section_error(ranks->section, error,
								 "rank %u stands twice (line %u)",
								 MAX(span->first, theirs->first),
								 other->section->line);
			}
		}
	}
	return TRUE;
}

GArray *iot_names_file_rank_clocks(const struct iot_names_file *file, const char *node,
				   const char **out_node)
{
	GArray *clocks = g_array_new(FALSE, FALSE, sizeof(struct iot_rank_clock));
	gboolean several = FALSE;

	*out_node = NULL;
	for (guint i = 0; file && i < file->ranks->len; i++) {
		const struct names_ranks *ranks = file->ranks->pdata[i];
		struct iot_rank_clock clock = { .begin = ranks->begin, .end = ranks->end };

		if (!ranks->begin.number || (ranks->recording && strcmp(ranks->recording, node)))
			continue;
		several |= *out_node && strcmp(*out_node, ranks->node->id) != 0;
		*out_node = ranks->node->id;
		clock.rank = g_array_index(ranks->spans, struct names_span, 0).first;
		g_array_append_val(clocks, clock);
	}
	if (several)
		*out_node = NULL;
	if (clocks->len)
		return clocks;
	g_array_unref(clocks);
	return NULL;
}

gboolean iot_names_ranks_add(struct iot_names_file *file, const struct iot_section *section,
			     GError **error)
{
	struct names_ranks *ranks = g_new0(struct names_ranks, 1);

	ranks->section = section;
	ranks->spans = g_array_new(FALSE, FALSE, sizeof(struct names_span));
	g_ptr_array_add(file->ranks, ranks);
	return read_spans(ranks, error) && read_settings(file, ranks, error) &&
	       check_once(file, ranks, error);
}
