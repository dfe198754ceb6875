/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page itself, made from the folder page/ when the program is built: one document with the
 * line IOT_HTML_MARKER where the data blocks belong.
 */
#ifndef IOT_SINKS_HTML_HTML_PAGE_H
#define IOT_SINKS_HTML_HTML_PAGE_H

#include <glib.h>

#define IOT_HTML_MARKER "<!--data-->"

/* Ends with a NUL, which the size does not count; empty if the program was built without it. */
extern const guint8 iot_html_page[];
extern const gsize iot_html_page_size;

#endif
