/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/tools/cut.h"
#include "run/tools/cut-files.h"
#include "run/tools/cut-near.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "timeline/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

enum {
	/* Events that may be cut; more would take minutes. */
	MAX_EVENTS = 100000,
	/* Checks of a part of the events. */
	MAX_TRIES = 4000
};

struct iot_cut {
	const struct iot_options *options;
	char *folder, *temp_folder;
	struct iot_temp_name *temp_name;
	struct iot_options part; /* of a check of a part of the events */
	struct iot_cut_files *files;
	/* the finding */
	char *id;
	GHashTable *known; /* ids of all findings of the recordings */
	guint64 t0, t1;
	struct iot_cut_near *near;
	/* collecting */
	gboolean everything;
	guint64 n_events;
	/* trying */
	gboolean clocks;
	guint n_tries;
};

/* ---- the finding */

static char *row_path(const struct iot_timeline *tl, iot_row_id row)
{
	return row ? iot_timeline_path(tl, row, "/") : NULL;
}

static char *finding_id(const struct iot_timeline *tl, const struct iot_finding *finding)
{
	const struct iot_check *check =
		&g_array_index(iot_findings_checks(tl->findings), struct iot_check, finding->check);
	g_autofree char *row = row_path(tl, finding->row[0]);
	g_autofree char *other = row_path(tl, finding->row[1]);

	return g_strdup_printf("%s\n%s %s\n%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			       " %" G_GUINT64_FORMAT "\n%s\n%s\n%s",
			       iot_grade_name(finding->grade), check->model, check->name,
			       finding->at, finding->t0, finding->t1, row ? row : "",
			       other ? other : "", finding->text);
}

gboolean iot_cut_choose(struct iot_cut *cut, const struct iot_pass *pass, GError **error)
{
	const struct iot_timeline *tl = pass->at.tl;
	const GArray *found = iot_findings_finish(tl);
	const struct iot_finding *finding;

	if (!found->len)
		return iot_usage_error(error, "--cut %u: there are no findings", cut->options->cut);
	if (cut->options->cut > found->len)
		return iot_usage_error(error, "--cut %u: the last finding is number %u",
				       cut->options->cut, found->len);
	for (guint i = 0; i < found->len; i++)
		g_hash_table_add(cut->known,
				 finding_id(tl, &g_array_index(found, struct iot_finding, i)));
	finding = &g_array_index(found, struct iot_finding, cut->options->cut - 1);
	cut->id = finding_id(tl, finding);
	cut->t0 = finding->t0;
	cut->t1 = finding->t1;
	cut->near = iot_cut_near_new(tl, finding);
	return TRUE;
}

/* ---- the folder */

static gboolean folder_error(const char *doing, const char *folder, int number, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "--cut: cannot %s %s: %s", doing, folder,
		    g_strerror(number));
	return FALSE;
}

struct iot_cut *iot_cut_new(const struct iot_options *options, GError **error)
{
	struct iot_cut *cut = g_new0(struct iot_cut, 1);
	char *temp;

	cut->options = options;
	cut->folder = options->cut_folder ? g_strdup(options->cut_folder)
					  : g_strdup_printf("finding-%u", options->cut);
	cut->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	iot_options_init(&cut->part);
	if (g_file_test(cut->folder, G_FILE_TEST_EXISTS)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT,
			    "--cut: %s exists already; name another folder: --cut %u:FOLDER",
			    cut->folder, options->cut);
		iot_cut_free(cut);
		return NULL;
	}
	temp = g_strdup_printf("%s.XXXXXX", cut->folder);
	if (!g_mkdtemp_full(temp, 0777)) {
		folder_error("make", cut->folder, errno, error);
		g_free(temp);
		iot_cut_free(cut);
		return NULL;
	}
	cut->temp_folder = temp;
	cut->temp_name = iot_temp_name_new(temp, TRUE);
	return cut;
}

/* Files of an earlier try may be those of machines without events now. */
static void empty_folder(const struct iot_cut *cut)
{
	GDir *dir = g_dir_open(cut->temp_folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(cut->temp_folder, name, NULL);

		g_unlink(path);
	}
	if (dir)
		g_dir_close(dir);
}

void iot_cut_free(struct iot_cut *cut)
{
	if (!cut)
		return;
	if (cut->temp_folder) {
		empty_folder(cut);
		g_rmdir(cut->temp_folder);
	}
	iot_temp_name_done(cut->temp_name);
	iot_cut_near_free(cut->near);
	iot_cut_files_free(cut->files);
	cut->part.names = NULL; /* the caller's */
	iot_options_clear(&cut->part);
	g_hash_table_unref(cut->known);
	g_free(cut->temp_folder);
	g_free(cut->folder);
	g_free(cut->id);
	g_free(cut);
}

/* ---- collecting */

/* iot_pass_record_func */
static void take_record(gpointer data, const struct iot_pass *pass, const struct iot_rec *rec,
			const struct iot_moved *moved)
{
	struct iot_cut *cut = data;
	iot_str node = iot_inputs_at(pass->at.inputs, rec->event->input)->gap.node;
	guint8 distance = (guint8)iot_cut_near_distance(cut->near, node, rec);

	if ((distance == IOT_CUT_ANYTHING && !cut->everything) || cut->n_events >= MAX_EVENTS)
		return;
	cut->n_events++;
	iot_cut_files_add(cut->files, pass, rec, moved->shift, distance);
}

static gboolean ignore_item(gpointer data, const struct iot_item *item, GError **error)
{
	(void)data;
	(void)item;
	(void)error;
	return TRUE;
}

/* Read the recordings: first the times of the events that matter, then, if @records, the events. */
static gboolean collect(struct iot_cut *cut, const struct iot_pass *plan, gboolean records,
			GError **error)
{
	struct iot_options options = *cut->options;
	char check[] = "check", off[] = "off", *names[] = { check };
	GPtrArray derive = { (gpointer *)names, 1 };
	struct iot_pass pass = {
		.options = &options,
		.select = plan->select,
		.clocks = plan->clocks,
		.misfits = plan->misfits,
		.aim = IOT_AIM_CUT,
		.record = records ? take_record : NULL,
		.record_data = cut,
	};
	gboolean ok;

	options.index = off;
	options.derive = &derive;
	g_clear_pointer(&cut->files, iot_cut_files_free);
	cut->n_events = 0;
	ok = iot_pass_prepare(&pass, records ? ignore_item : iot_cut_near_item,
			      IOT_FEED_WHOLE_SPANS, error);
	if (ok) {
		iot_pass_connect(&pass, cut->near);
		if (records)
			cut->files = iot_cut_files_new(&pass);
		else
			iot_cut_near_start(cut->near, pass.at.tl);
		ok = iot_pass_read(&pass, error);
		if (records)
			iot_cut_files_edges(cut->files, &pass, IOT_CUT_OBJECTS);
	}
	iot_pass_clear(&pass);
	return ok;
}

/* ---- trying */

static gboolean has_finding(const struct iot_cut *cut, const struct iot_timeline *tl)
{
	const GArray *found = iot_findings_finish(tl);
	gboolean seen = FALSE;

	for (guint i = 0; i < found->len; i++) {
		const struct iot_finding *finding = &g_array_index(found, struct iot_finding, i);
		g_autofree char *id = finding_id(tl, finding);

		seen |= !strcmp(id, cut->id);
		if (finding->grade < IOT_GRADE_UNDECIDED && !g_hash_table_contains(cut->known, id))
			return FALSE;
	}
	return seen;
}

/* Write the kept events and check them. */
static gboolean try_part(struct iot_cut *cut, gboolean *out_same, GError **error)
{
	struct iot_pass pass = { .options = &cut->part, .aim = IOT_AIM_DRAW };
	gboolean ok;

	cut->n_tries++;
	*out_same = FALSE;
	empty_folder(cut);
	if (!iot_cut_files_write(cut->files, cut->temp_folder, cut->clocks, &cut->part, error))
		return FALSE;
	if (!cut->part.inputs->len)
		return TRUE;
	pass.select = iot_select_new(&cut->part);
	ok = iot_pass_prepare(&pass, ignore_item, IOT_FEED_WHOLE_SPANS, NULL);
	if (ok) {
		iot_pass_connect(&pass, NULL);
		/* events without a meaning of their own are no recording of any model */
		ok = iot_pass_read(&pass, NULL);
		*out_same = ok && has_finding(cut, pass.at.tl);
	}
	iot_pass_clear(&pass);
	iot_misfits_free(pass.misfits);
	iot_select_free(pass.select);
	return iot_interrupt_check(error);
}

/* The parts that are tried first, from the smallest on. */
static gboolean is_in_part(const struct iot_cut *cut, const struct iot_cut_event *event, guint part)
{
	enum iot_cut_distance farthest = part / 3;

	if (event->distance > farthest)
		return FALSE;
	switch (part % 3) {
	case 0:
		return !event->text || (event->ts >= cut->t0 && event->ts <= cut->t1);
	case 1:
		return event->ts <= cut->t1;
	default:
		return TRUE;
	}
}

/* Keep a part that shows the finding. */
static gboolean find_part(struct iot_cut *cut, gboolean *out_same, GError **error)
{
	GArray *events = iot_cut_files_events(cut->files);
	guint n_parts = cut->everything ? 3 * IOT_CUT_N_DISTANCES : 3 * IOT_CUT_ANYTHING;

	*out_same = FALSE;
	/* a contradiction of the clocks may lie outside: without errors nothing is proved */
	for (guint round = 0; round < 2 && !*out_same; round++) {
		cut->clocks = !round;
		for (guint part = 0; part < n_parts && !*out_same; part++) {
			for (guint i = 0; i < events->len; i++) {
				struct iot_cut_event *event =
					&g_array_index(events, struct iot_cut_event, i);

				event->kept = is_in_part(cut, event, part);
			}
			if (!try_part(cut, out_same, error))
				return FALSE;
		}
	}
	return TRUE;
}

/* Leave out as many events as possible, in chunks that become smaller. */
static gboolean shrink(struct iot_cut *cut, GError **error)
{
	GArray *events = iot_cut_files_events(cut->files);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	gboolean same, less;
	guint chunk;

	for (guint i = 0; i < events->len; i++) {
		struct iot_cut_event *event = &g_array_index(events, struct iot_cut_event, i);

		if (event->kept)
			g_ptr_array_add(kept, event);
	}
	for (chunk = MAX(kept->len / 2, 1); chunk; chunk = chunk > 1 ? chunk / 2 : (guint)less) {
		less = FALSE;
		for (guint end = kept->len; end && cut->n_tries < MAX_TRIES;
		     end -= MIN(end, chunk)) {
			guint begin = end - MIN(end, chunk);

			for (guint i = begin; i < end; i++)
				((struct iot_cut_event *)kept->pdata[i])->kept = FALSE;
			if (!try_part(cut, &same, error))
				return FALSE;
			less |= same;
			if (same)
				g_ptr_array_remove_range(kept, begin, end - begin);
			for (guint i = begin; !same && i < end; i++)
				((struct iot_cut_event *)kept->pdata[i])->kept = TRUE;
		}
	}
	return TRUE;
}

static gboolean cannot(const struct iot_cut *cut, GError **error)
{
	if (cut->n_events >= MAX_EVENTS)
		return iot_usage_error(error,
				       "--cut %u: more than %d events may belong to the finding; "
				       "look at a window around it (--from, --to)",
				       cut->options->cut, MAX_EVENTS);
	return iot_usage_error(
		error,
		"--cut %u: the events alone do not show the finding again; it depends on "
		"options such as --from, or on the recordings as a whole",
		cut->options->cut);
}

/* The options of a check of a part; the recordings of the part have corrected times. */
static void prepare_part(struct iot_cut *cut)
{
	struct iot_options *part = &cut->part;
	const struct iot_options *options = cut->options;

	for (guint i = 0; i < options->models->len; i++)
		g_ptr_array_add(part->models, g_strdup(options->models->pdata[i]));
	for (guint i = 0; i < options->lockspaces->len; i++)
		g_ptr_array_add(part->lockspaces, g_strdup(options->lockspaces->pdata[i]));
	g_ptr_array_add(part->derive, g_strdup("check"));
	g_free(part->index);
	part->index = g_strdup("off");
	part->early_end_ns = options->early_end_ns;
	part->clock = options->clock;
	part->clock_error_ns = options->clock_error_ns;
	part->causality = options->causality;
	part->memory = options->memory;
	part->max_open = options->max_open;
	part->max_containers = options->max_containers;
	part->all_threads = options->all_threads;
	part->no_links = options->no_links;
	part->threads = 1;
	part->names = options->names; /* findings are known by the names of rows */
}

static char *describe(const struct iot_cut *cut)
{
	GArray *events = iot_cut_files_events(cut->files);
	guint n = 0;

	for (guint i = 0; i < events->len; i++)
		n += g_array_index(events, struct iot_cut_event, i).kept;
	return g_strdup_printf("finding %u is in the folder %s, with %u events of %u recordings",
			       cut->options->cut, cut->folder, n, cut->part.inputs->len);
}

gboolean iot_cut_write(struct iot_cut *cut, const struct iot_pass *plan, char **out_note,
		       GError **error)
{
	gboolean same;

	prepare_part(cut);
	if (!collect(cut, plan, FALSE, error))
		return FALSE;
	for (guint round = 0; round < 2; round++) {
		cut->everything = round > 0;
		if (!collect(cut, plan, TRUE, error) || !find_part(cut, &same, error))
			return FALSE;
		if (same)
			break;
	}
	if (!same)
		return cannot(cut, error);
	if (!shrink(cut, error) || !try_part(cut, &same, error))
		return FALSE;
	g_assert(same);
	if (!iot_cut_files_describe(cut->temp_folder, &cut->part, error))
		return FALSE;
	if (renameat2(AT_FDCWD, cut->temp_folder, AT_FDCWD, cut->folder, RENAME_NOREPLACE) < 0)
		return folder_error("make", cut->folder, errno, error);
	g_clear_pointer(&cut->temp_folder, g_free);
	*out_note = describe(cut);
	return TRUE;
}
