/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word view: a page in a temporary folder, opened in the user's browser. */
#ifndef IOT_CLI_VIEW_H
#define IOT_CLI_VIEW_H

#include <glib.h>

/** iot_view_path - template of the page's path, in TMPDIR or /tmp; the caller frees */
char *iot_view_path(void);
/** iot_view_prepare - make the folder and replace the template *@path by the path; IOT_ERROR_OUTPUT
 */
gboolean iot_view_prepare(char **path, GError **error);
/** iot_view_discard - remove the folder of a page that was not written */
void iot_view_discard(const char *path);
/** iot_view_open - start the browser; FALSE without a display or without xdg-open */
gboolean iot_view_open(const char *path);

#endif
