/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON that is appended to a GString. Commas come by themselves: a value that follows another one
 * gets one before it.
 */
#ifndef IOT_SINKS_JSON_H
#define IOT_SINKS_JSON_H

#include <glib.h>

/** iot_json_append - append @text as a string, in its quotes and without a comma; a byte that is no
 * UTF-8 becomes the text \xNN */
void iot_json_append(GString *json, const char *text, gsize len);
/** iot_json_append_escaped - the same without the quotes; @quote: what follows the backslash of a
 * quote, itself twice in CSV */
void iot_json_append_escaped(GString *json, const char *text, gsize len, const char *quote);

/** iot_json_open - begin an object or array, '{' or '[', under @key (NULL inside of an array) */
void iot_json_open(GString *json, const char *key, char bracket);
/** iot_json_close - '}' or ']' */
void iot_json_close(GString *json, char bracket);
/** iot_json_text - bytes that are no UTF-8 are written as \xNN; NULL is null */
void iot_json_text(GString *json, const char *key, const char *text);
void iot_json_uint(GString *json, const char *key, guint64 value);
void iot_json_int(GString *json, const char *key, gint64 value);
/** iot_json_big - a number as text, for readers that know only floating point */
void iot_json_big(GString *json, const char *key, guint64 value);
/** iot_json_double - with six decimals */
void iot_json_double(GString *json, const char *key, double value);
/** iot_json_real - with all digits; null if it is not finite, because JSON has no infinity */
void iot_json_real(GString *json, const char *key, double value);
/** iot_json_line - the next value begins a line */
void iot_json_line(GString *json);

#endif
