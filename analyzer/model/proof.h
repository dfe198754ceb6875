/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that a checksum proves: if a number is the checksum of a name, any text can be checked for
 * being that name. The settings "proof" and "find" of [names].
 */
#ifndef IOT_MODEL_PROOF_H
#define IOT_MODEL_PROOF_H

#include "language/model-file.h"

/* crc32 "PREFIX{text}SUFFIX" */
struct iot_proof {
	GByteArray *prefix, *suffix;
};

/** iot_proof_parse - the value of a setting "proof"; NULL and an error */
struct iot_proof *iot_proof_parse(const struct iot_setting *setting, GError **error);
/** iot_proof_free - NULL is allowed */
void iot_proof_free(struct iot_proof *proof);
/** iot_proof_number - the number whose name @text is */
guint32 iot_proof_number(const struct iot_proof *proof, const char *text, gsize len);

/**
 * iot_proof_take_pattern - the quoted text with {text} at the end of the value of a setting, from
 * @offset on; the caller frees it; NULL and an error
 */
char *iot_proof_take_pattern(const struct iot_setting *setting, gsize offset, GError **error);
/**
 * iot_proof_match - the part of @from that matches {text} of @pattern
 *
 * That part is one or more characters without a slash, as many as possible. FALSE if @from does not
 * fit the pattern.
 */
gboolean iot_proof_match(const char *pattern, const char *from, const char **out_text,
			 gsize *out_len);

/* EVENT FIELD "PATTERN" */
struct iot_find {
	char *event, *field;
	char *pattern;
};

/** iot_find_parse - the value of a setting "find N"; FALSE and an error */
gboolean iot_find_parse(const struct iot_setting *setting, struct iot_find *out, GError **error);
/** iot_find_clear - free the contents */
void iot_find_clear(struct iot_find *find);

#endif
