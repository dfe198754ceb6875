/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the print format of an event says about one of its fields. Kernels change the numbers of a
 * field, such as the bits of a thread's state, and with them the format: it prints the same letters.
 * So a model names the letters, and the numbers that it means by them (struct iot_numbers).
 *
 * Of a format, the arguments are looked at that print texts and need no other field: strings, ?:,
 * __print_flags and __print_symbolic, with the operators of C.
 */
#ifndef IOT_INPUT_PRINT_FORMAT_H
#define IOT_INPUT_PRINT_FORMAT_H

#include <glib.h>

/* Texts and their numbers. Read-only when the model is loaded; any thread. */
struct iot_numbers;

/** iot_numbers_new - without texts; all have the number @otherwise */
struct iot_numbers *iot_numbers_new(guint32 otherwise);
/** iot_numbers_set - FALSE if the text has a number */
gboolean iot_numbers_set(struct iot_numbers *numbers, const char *text, guint32 number);
struct iot_numbers *iot_numbers_ref(struct iot_numbers *numbers);
/** iot_numbers_unref - accepts NULL */
void iot_numbers_unref(struct iot_numbers *numbers);

struct iot_print;

/**
 * iot_print_new - the texts that a print format prints for @field
 * @format: the text of the event's format, or what follows its "print fmt:"; not kept
 *
 * Always returns one; see iot_print_is_known. The caller frees.
 */
struct iot_print *iot_print_new(const char *format, gsize len, const char *field,
				struct iot_numbers *numbers);
/** iot_print_free - accepts NULL */
void iot_print_free(struct iot_print *print);
/** iot_print_is_known - FALSE: there is no such format, it is not understood, or prints no text for
 * the field */
gboolean iot_print_is_known(const struct iot_print *print);
/**
 * iot_print_number - the numbers of all texts that are printed for a @value, bit by bit
 *
 * If the format is not known, the number of texts that have none. Any thread.
 */
guint32 iot_print_number(struct iot_print *print, gint64 value);
/** iot_print_text - the texts one after the other, "D|K" or "R+", for tests; the caller frees */
char *iot_print_text(const struct iot_print *print, gint64 value);

#endif
