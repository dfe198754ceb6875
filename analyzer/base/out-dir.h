/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of an output that writes several files. It is filled under a temporary name in the
 * folder of its target, and renamed when it is complete. An older one of the same kind stays until
 * then; any other folder of that name is refused, so that nothing else is ever deleted.
 */
#ifndef IOT_BASE_OUT_DIR_H
#define IOT_BASE_OUT_DIR_H

#include "base/out.h"

/* What the folders of one output have in them. */
struct iot_out_dir_kind {
	const char *format; /* "otf2" */
	const char *noun;   /* "archive" */
	const char *whole;  /* "an OTF2 archive" */
	gboolean (*is_ours)(const char *name);
	/* the only folder in it, or NULL, and what that has in it */
	const char *folder;
	gboolean (*is_ours_below)(const char *name);
	/* what the names do not say; may be NULL */
	gboolean (*is_complete)(const char *path);
};

struct iot_out_dir {
	const struct iot_out_dir_kind *kind;
	char *path;	 /* the target */
	char *temp_path; /* NULL when it has been renamed */
	struct iot_temp_name *temp_name;
};

/** iot_out_dir_new - make the temporary folder; NULL and an error that names the path */
struct iot_out_dir *iot_out_dir_new(const char *path, const struct iot_out_dir_kind *kind,
				    GError **error);
/** iot_out_dir_open - a file in the folder; messages name it as it is named in the end */
struct iot_out *iot_out_dir_open(const struct iot_out_dir *dir, const char *name, GError **error);
/** iot_out_dir_publish - rename the folder to its target, and remove an older one */
gboolean iot_out_dir_publish(struct iot_out_dir *dir, GError **error);
/** iot_out_dir_free - also after a failure; removes an unfinished folder; accepts NULL */
void iot_out_dir_free(struct iot_out_dir *dir);

#endif
