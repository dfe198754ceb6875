/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/colour.h"
#include "base/error.h"

#include <string.h>

/* Chosen to stay apart from one another on Jumpshot's black and on ViTE's white background. */
static const struct {
	const char *name;
	guint32 rgb;
} colours[] = {
	{ "red", 0xd62728 },	    { "dark-red", 0x8c1a1a },	{ "orange", 0xff9f1c },
	{ "yellow", 0xf2d024 },	    { "green", 0x2ca02c },	{ "light-green", 0x98df8a },
	{ "teal", 0x17a2a2 },	    { "cyan", 0x4fc3f7 },	{ "blue", 0x1f77b4 },
	{ "light-blue", 0x9ecae1 }, { "violet", 0x9467bd },	{ "pink", 0xe377c2 },
	{ "magenta", 0xd9008f },    { "brown", 0x8c564b },	{ "grey", 0x9a9a9a },
	{ "dark-grey", 0x5a5a5a },  { "light-grey", 0xd0d0d0 }, { "white", 0xffffff },
	{ "black", 0x000000 },
};

gboolean iot_colour_parse(const char *text, guint32 *out_rgb, GError **error)
{
	if (text[0] == '#' && strlen(text) == 7 &&
	    strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
		*out_rgb = (guint32)g_ascii_strtoull(text + 1, NULL, 16);
		return TRUE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(colours); i++) {
		if (strcmp(text, colours[i].name))
			continue;
		*out_rgb = colours[i].rgb;
		return TRUE;
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_MODEL,
		    "\"%s\" is not a colour (a name such as orange, or #rrggbb)", text);
	return FALSE;
}

guint32 iot_colour_auto(guint n)
{
	return colours[n % 14].rgb; /* the greys and black are for models to choose */
}
