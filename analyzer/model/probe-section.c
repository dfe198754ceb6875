/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [probe]: an event that iotrace-record makes. Here its description is only checked. */
#include "model/section-table.h"
#include "input/schema.h"

#include <string.h>

static const char word[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";

/* of fetch arguments of the kernel; ustring: in the memory of the program */
static const char *const types[] = { "u8", "u16", "u32", "u64", "s8",	  "s16",     "s32", "s64",
				     "x8", "x16", "x32", "x64", "string", "ustring", NULL };

/* The kernel's limit is 64, with the group's name before it. */
enum { MAX_NAME = 31 };

static gboolean is_name(const char *text)
{
	gsize len = strspn(text, word);

	return len && len <= MAX_NAME && !text[len] && !g_ascii_isdigit(*text);
}

static gboolean check_event(const struct iot_setting *event, GError **error)
{
	const char *colon = event ? strchr(event->value, ':') : NULL;
	gsize system = event ? strspn(event->value, word) : 0;

	if (!event || (colon && system && event->value + system == colon &&
		       strspn(colon + 1, word) == strlen(colon + 1) && colon[1]))
		return TRUE;
	return iot_setting_error(event, 0, error, "not SYSTEM:EVENT");
}

/* "[after.]FIELD TYPE" */
static gboolean check_field(const struct iot_setting *field, gboolean has_after, GError **error)
{
	const char *name = field->key + strlen("field ");
	const char *blank = strpbrk(field->value, " \t");
	gsize source = blank ? (gsize)(blank - field->value) : strlen(field->value);
	g_autofree char *from = g_strndup(field->value, source);
	gboolean after = g_str_has_prefix(from, "after.");

	if (!is_name(name))
		return iot_setting_key_error(field, error, "\"%s\" is not the name of a field",
					     name);
	if (after && !has_after)
		return iot_setting_error(field, 0, error,
					 "the section has no \"after\", whose field this is");
	if (!is_name(after ? from + strlen("after.") : from))
		return iot_setting_error(field, 0, error, "\"%s\" is not the name of a field",
					 from);
	while (blank && (*blank == ' ' || *blank == '\t'))
		blank++;
	if (!blank || !g_strv_contains(types, blank))
		return iot_setting_error(field, blank ? (gsize)(blank - field->value) : source,
					 error,
					 "no type of the kernel (there are: u8 to u64, s8 to s64, "
					 "x8 to x64, string, ustring)");
	return TRUE;
}

static gboolean build_probe(const struct iot_builder *b)
{
	const struct iot_setting *event = iot_section_require(b->section, "event", b->error);
	const struct iot_setting *after = iot_section_get(b->section, "after");
	guint n = 0;

	if (!event || !check_event(event, b->error) || !check_event(after, b->error))
		return FALSE;
	if (!is_name(b->section->name))
		return iot_section_error(b->section, b->error,
					 "a probe has a name of letters, digits and _, at most %d",
					 MAX_NAME);
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *field = b->section->settings->pdata[i];

		if (!g_str_has_prefix(field->key, "field "))
			continue;
		if (!check_field(field, after != NULL, b->error))
			return FALSE;
		n++;
	}
	return n ||
	       iot_section_error(b->section, b->error, "\"field NAME = FIELD TYPE\" is missing");
}

static const char *const keys[] = { "event", "after", "field *", NULL };
const struct iot_section_kind iot_section_kind_probe = { "probe", keys, build_probe, NULL };
