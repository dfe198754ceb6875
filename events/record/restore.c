/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "restore.h"
#include "record-folder.h"

#include <glib/gstdio.h>

/* formats of all events and symbols of the kernel, not compressed */
static const guint64 metadata_bytes = 32 << 20;

static char *restored_path(const char *folder, const struct rec_machine *machine)
{
	g_autofree char *name = g_strconcat("restored-", machine->file, NULL);

	return g_build_filename(folder, name, NULL);
}

char **rec_restore_command(const char *folder, const struct rec_machine *machine)
{
	g_autoptr(GPtrArray) raw = rec_folder_leftovers(folder, machine);
	GPtrArray *argv;
	char *begun;

	if (!rec_folder_raw(folder, machine))
		return NULL;
	argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_strdup("trace-cmd"));
	g_ptr_array_add(argv, g_strdup("restore"));
	begun = g_build_filename(folder, machine->file, NULL);
	/* the formats of another machine are in the file that was begun; of this one they are here
	 */
	if (machine->transport != REC_HERE && g_file_test(begun, G_FILE_TEST_EXISTS)) {
		g_ptr_array_add(argv, g_strdup("-i"));
		g_ptr_array_add(argv, begun);
	} else {
		g_free(begun);
	}
	g_ptr_array_add(argv, g_strdup("-o"));
	g_ptr_array_add(argv, restored_path(folder, machine));
	for (guint i = 0; i < raw->len; i++)
		g_ptr_array_add(argv, g_strdup(raw->pdata[i]));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

gboolean rec_restore(const char *folder, const struct rec_machine *machine)
{
	g_auto(GStrv) argv = rec_restore_command(folder, machine);
	g_autoptr(GPtrArray) raw = rec_folder_leftovers(folder, machine);
	g_autofree char *from = restored_path(folder, machine);
	g_autofree char *to = g_build_filename(folder, machine->file, NULL);
	int status;

	if (!argv || rec_folder_free(folder) < rec_folder_raw(folder, machine) + metadata_bytes)
		return FALSE;
	if (!g_spawn_sync(NULL, argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				  G_SPAWN_STDERR_TO_DEV_NULL,
			  NULL, NULL, NULL, NULL, &status, NULL) ||
	    status != 0 || g_rename(from, to) != 0) {
		g_unlink(from);
		return FALSE;
	}
	for (guint i = 0; i < raw->len; i++)
		g_unlink(raw->pdata[i]);
	return TRUE;
}
