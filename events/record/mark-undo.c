/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark-local.h"
#include "event-probe.h"
#include "local.h"
#include "tracing-state.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

/* How long recorders of a dead process may take to close their files; then they get the next
 * signal. */
enum { CLOSE_MS = 3000, STEP_MS = 20 };

/* Names of instances that trace-cmd makes and leaves when it is killed. */
static gboolean is_made_by_trace_cmd(const char *name)
{
	return g_str_has_prefix(name, "clock_synch-") || !strcmp(name, "vsock_find_pid");
}

/* Whether a living process records for itself on this machine, apart from that of @path. */
gboolean rec_mark_others(const char *path)
{
	GDir *dir = g_dir_open(rec_mark_folder, 0, NULL);
	gboolean found = FALSE;
	const char *name;

	while (dir && !found && (name = g_dir_read_name(dir))) {
		g_autofree char *other = g_build_filename(rec_mark_folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();

		found = strcmp(other, path) != 0 &&
			g_key_file_load_from_file(file, other, G_KEY_FILE_NONE, NULL) &&
			g_key_file_has_key(file, "process", "instance", NULL) &&
			!g_key_file_has_key(file, "process", "ended", NULL) &&
			rec_mark_is_alive(file);
	}
	g_clear_pointer(&dir, g_dir_close);
	return found;
}

/* The instance of a recording, and the events that were made for it: events are off first.
 * trace-cmd reads the folders of all events when it starts and ends, and fails if one disappears:
 * the events stay while @others record. */
static enum rec_rest remove_own(GKeyFile *file, const char *own, gboolean others)
{
	g_auto(GStrv) triggers = g_key_file_get_string_list(file, "triggers", "set", NULL, NULL);

	if (tracefs_instance_exists(own)) {
		struct tracefs_instance *instance = tracefs_instance_create(own);

		tracefs_event_disable(instance, NULL, NULL);
		tracefs_instance_free(instance);
		/* the later one uses variables of the earlier one */
		for (guint i = triggers ? g_strv_length(triggers) : 0; i-- > 0;) {
			g_auto(GStrv) parts = g_strsplit(triggers[i], " ", 2);
			g_autofree char *undo = g_strconcat("!", parts[1], NULL);

			rec_local_trigger(own, parts[0], undo);
		}
	}
	if (!rec_local_remove(own))
		return REC_REST_INSTANCE;
	if (others)
		return rec_probes_there(own) ? REC_REST_EVENTS : REC_REST_NOTHING;
	return rec_probes_remove(own) ? REC_REST_NOTHING : REC_REST_INSTANCE;
}

static enum rec_rest remove_instances(GKeyFile *file, gboolean others)
{
	g_auto(GStrv) before = g_key_file_get_string_list(file, "process", "instances", NULL, NULL);
	g_autofree char *own = g_key_file_get_string(file, "process", "instance", NULL);
	char **now = tracefs_instances(NULL);
	gboolean gone = TRUE;

	for (guint i = 0; now && now[i]; i++)
		if (is_made_by_trace_cmd(now[i]) && before &&
		    !g_strv_contains((const char *const *)before, now[i]))
			gone &= rec_local_remove(now[i]);
	tracefs_list_free(now);
	if (own) {
		enum rec_rest rest = remove_own(file, own, others);

		return gone ? rest : REC_REST_INSTANCE;
	}
	return gone ? REC_REST_NOTHING : REC_REST_INSTANCE;
}

/* Processes that record for the process of a mark, of int. */
static GArray *find_recorders(GKeyFile *file)
{
	g_autofree char *id = g_key_file_get_string(file, "process", "id", NULL);
	g_autofree char *wanted = g_strconcat(REC_MARK_VARIABLE "=", id, NULL);
	GArray *found = g_array_new(FALSE, FALSE, sizeof(int));
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (proc && (name = g_dir_read_name(proc))) {
		g_autofree char *path = g_build_filename("/proc", name, "environ", NULL),
				*text = NULL;
		gsize len = 0;
		int pid = atoi(name);

		if (pid <= 0 || !g_file_get_contents(path, &text, &len, NULL))
			continue;
		for (const char *at = text; at < text + len; at += strlen(at) + 1) {
			if (strcmp(at, wanted))
				continue;
			g_array_append_val(found, pid);
			break;
		}
	}
	g_clear_pointer(&proc, g_dir_close);
	return found;
}

static guint signal_recorders(GKeyFile *file, int number)
{
	g_autoptr(GArray) found = find_recorders(file);

	for (guint i = 0; i < found->len; i++)
		kill(g_array_index(found, int, i), number);
	return found->len;
}

/* The recorders were asked to end when their parent died. Those of a trace-cmd that died, too, were
 * not. */
void rec_mark_end_recorders(GKeyFile *file)
{
	static const int signals[] = { 0, SIGINT, SIGKILL };

	for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
		guint n = signal_recorders(file, signals[i]);

		for (guint ms = 0; n && ms < CLOSE_MS; ms += STEP_MS) {
			g_usleep(STEP_MS * 1000);
			n = signal_recorders(file, 0);
		}
		if (!n)
			return;
	}
}

/* Returns the number of files that could not be restored. */
static guint restore_files(GKeyFile *file)
{
	g_auto(GStrv) paths = g_key_file_get_keys(file, "files", NULL, NULL);
	guint n_failed = 0;

	for (guint i = 0; paths && paths[i]; i++) {
		g_autofree char *text = g_key_file_get_string(file, "files", paths[i], NULL);

		n_failed += !rec_mark_write(paths[i], text);
	}
	return n_failed;
}

/* Returns the number of settings that still differ. */
guint rec_mark_take_back(GKeyFile *file, gboolean others, enum rec_rest *out_rest)
{
	g_autoptr(GHashTable) saved =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) paths = g_key_file_get_keys(file, "settings", NULL, NULL);
	guint n_failed = restore_files(file);

	*out_rest = remove_instances(file, others);
	if (!paths)
		return n_failed;
	for (guint i = 0; paths[i]; i++)
		g_hash_table_insert(saved, g_strdup(paths[i]),
				    g_key_file_get_string(file, "settings", paths[i], NULL));
	return n_failed + rec_state_restore(saved);
}

/* The mark has served. Instances in use are left to the next start, also if a later
 * recording has found them here; events are left to the last recording that ends, or to the next
 * start without another one. */
void rec_mark_finish(GKeyFile *file, const char *path, enum rec_rest rest)
{
	g_key_file_remove_group(file, "settings", NULL);
	g_key_file_remove_group(file, "files", NULL);
	g_key_file_set_boolean(file, "process", "ended", TRUE);
	g_key_file_set_boolean(file, "process", "events", rest == REC_REST_EVENTS);
	/* those of a later recording are not ours */
	if (rest == REC_REST_EVENTS)
		g_key_file_remove_key(file, "process", "instances", NULL);
	if (rest == REC_REST_NOTHING || !g_key_file_save_to_file(file, path, NULL))
		g_unlink(path);
}

/* The events that recordings before this one, the last of all, have left. */
void rec_mark_remove_left(void)
{
	GDir *dir = g_dir_open(rec_mark_folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(rec_mark_folder, name, NULL);
		g_autoptr(GKeyFile) file = g_key_file_new();
		g_autofree char *own = NULL;

		if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL) ||
		    !g_key_file_get_boolean(file, "process", "events", NULL))
			continue;
		own = g_key_file_get_string(file, "process", "instance", NULL);
		if (own && rec_probes_remove(own))
			g_unlink(path);
	}
	g_clear_pointer(&dir, g_dir_close);
}
