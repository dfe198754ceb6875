/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [rank ...]: which ranks of MPI programs ran on which node. */
#include "run/names-file-local.h"

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
			if (ranks->spans->len > 1 ||
			    g_array_index(ranks->spans, struct names_span, 0).first !=
				    g_array_index(ranks->spans, struct names_span, 0).last)
				return iot_setting_key_error(setting, error,
							     "several ranks are not one process");
		} else {
			return iot_setting_key_error(setting, error,
						     "no such key in [rank] (there are: node, of, "
						     "process)");
		}
	}
	return TRUE;
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
