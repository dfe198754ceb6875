/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of an archive. It is filled under a temporary name in the folder of its target, and
 * renamed when it is complete. An older archive stays until then; any other folder of that name
 * is refused, so that nothing else is ever deleted.
 */
#ifndef IOT_SINKS_OTF2_OTF2_DIR_H
#define IOT_SINKS_OTF2_OTF2_DIR_H

#include <glib.h>

/* The name that readers expect: traces.otf2, traces.def and the folder traces. */
#define OTF2_NAME "traces"

struct otf2_dir {
	char *path;	 /* the target */
	char *temp_path; /* NULL when it has been renamed */
	struct iot_temp_name *temp_name;
};

/** otf2_dir_new - make the temporary folder; NULL and an error that names the path */
struct otf2_dir *otf2_dir_new(const char *path, GError **error);
/** otf2_dir_publish - rename the folder to its target, and remove an older archive */
gboolean otf2_dir_publish(struct otf2_dir *dir, GError **error);
/** otf2_dir_free - also after a failure; removes an unfinished folder; accepts NULL */
void otf2_dir_free(struct otf2_dir *dir);

#endif
