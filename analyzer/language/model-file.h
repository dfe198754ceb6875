/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a model: sections "[kind name]" of "key = value" lines, comments from ';' or '#' at
 * the start of a line. Only syntax; the meaning is in model/. Positions are kept for errors
 * "FILE:LINE:COLUMN: ...".
 */
#ifndef IOT_LANGUAGE_MODEL_FILE_H
#define IOT_LANGUAGE_MODEL_FILE_H

#include <glib.h>

struct iot_model_file;

struct iot_setting {
	const struct iot_model_file *file;
	char *key;			      /* "rule 1", blanks folded */
	guint32 hash;			      /* of the key */
	char *value;			      /* without surrounding blanks */
	guint line, key_column, value_column; /* from 1 */
};

struct iot_section {
	const struct iot_model_file *file;
	char *kind, *name; /* "pair", "lock"; name "" if there is none */
	guint line, column;
	GPtrArray *settings; /* of struct iot_setting */
};

struct iot_model_file {
	char *path;
	GPtrArray *sections; /* of struct iot_section */
	gint n_users;
	/* what keys and values point into, and the memory of the settings */
	char *text;
	struct iot_setting *setting;
	guint n_settings;
};

/** iot_model_file_parse - parse @text; @path is for messages */
struct iot_model_file *iot_model_file_parse(const char *path, const char *text, gsize len,
					    GError **error);
/** iot_model_file_load - read and parse a file */
struct iot_model_file *iot_model_file_load(const char *path, GError **error);
/** iot_model_file_head - the same of its first section only, whose heading is line 1 */
struct iot_model_file *iot_model_file_head(const char *path, GError **error);
/** iot_model_file_ref - one more user of a file, which is not changed any more */
struct iot_model_file *iot_model_file_ref(struct iot_model_file *file);
/** iot_model_file_free - one user less; NULL is allowed */
void iot_model_file_free(struct iot_model_file *file);
typedef struct iot_model_file iot_model_file;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_model_file, iot_model_file_free)

/** iot_section_get - the value of @key, or NULL */
const struct iot_setting *iot_section_get(const struct iot_section *section, const char *key);
/** iot_section_require - the same; an error names the section if the key is missing */
const struct iot_setting *iot_section_require(const struct iot_section *section, const char *key,
					      GError **error);
/** iot_setting_place - "FILE:LINE:COLUMN" of the character @offset of the value; the caller frees
 */
char *iot_setting_place(const struct iot_setting *setting, gsize offset);
/** iot_setting_error - "FILE:LINE:COLUMN: ..." for the character @offset of the value; returns
 * FALSE */
gboolean iot_setting_error(const struct iot_setting *setting, gsize offset, GError **error,
			   const char *format, ...) G_GNUC_PRINTF(4, 5);
/** iot_setting_key_error - the same for its key */
gboolean iot_setting_key_error(const struct iot_setting *setting, GError **error,
			       const char *format, ...) G_GNUC_PRINTF(3, 4);
/** iot_section_error - the same for a section's heading */
gboolean iot_section_error(const struct iot_section *section, GError **error, const char *format,
			   ...) G_GNUC_PRINTF(3, 4);

#endif
