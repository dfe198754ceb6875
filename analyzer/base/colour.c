/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/colour.h"
#include "base/error.h"

#include <string.h>

/*
 * The colours of the models that come with the program. Lock modes and waiting differ for every
 * kind of colour vision, and so do the kinds of calls, which are muted; a test computes the
 * distances. Orange is reserved for waiting.
 */
static const struct {
	const char *name;
	guint32 rgb, on_dark; /* on a light background, and on a dark one */
} palette[] = {
	{ "mode-nl", 0xe6e8eb, 0xe6e8eb },	  { "mode-cr", 0x8cc6e0, 0x8cc6e0 },
	{ "mode-cw", 0x2e9fa3, 0x2e9fa3 },	  { "mode-pr", 0x1c55d6, 0x1c55d6 },
	{ "mode-pw", 0x2f1751, 0xd165f5 },	  { "mode-ex", 0xd6401f, 0xd6401f },
	{ "wait", 0xf2a71b, 0xf2a71b },		  { "leaving", 0xfce2ae, 0xfce2ae },
	{ "keeping", 0xc9b18f, 0xc9b18f },	  { "unknown", 0x55585c, 0x55585c },
	{ "not-certain", 0xa0c060, 0xa0c060 },
	{ "call-open", 0x949469, 0x949469 },
	{ "call-read", 0xbdbda1, 0xbdbda1 },	  { "call-write", 0x775d9a, 0x775d9a },
	{ "call-sync", 0x5a4040, 0x8f6a6a },	  { "call-truncate", 0x26292d, 0xf4f5f7 },
	{ "call-mmap", 0xd3d6da, 0xd3d6da },	  { "call-meta", 0xa7abb0, 0xa7abb0 },
	{ "call-close", 0x83878c, 0x83878c },	  { "call-submit", 0x284060, 0x80a0c8 },
	{ "call-aio", 0x5c6166, 0x5c6166 },	  { "call-lock", 0x88a090, 0x88a090 },
	{ "call-lock-wait", 0xfce40c, 0xfce40c }, { "call-failed", 0x900018, 0x900018 },
};

/* For users' models, and for categories without a colour. */
static const struct {
	const char *name;
	guint32 rgb;
} colours[] = {
	{ "red", 0xd62728 },	    { "dark-red", 0x8c1a1a },	 { "yellow", 0xf2d024 },
	{ "green", 0x2ca02c },	    { "light-green", 0x98df8a }, { "teal", 0x17a2a2 },
	{ "cyan", 0x4fc3f7 },	    { "blue", 0x1f77b4 },	 { "light-blue", 0x9ecae1 },
	{ "violet", 0x9467bd },	    { "pink", 0xe377c2 },	 { "magenta", 0xd9008f },
	{ "brown", 0x8c564b },	    { "grey", 0x9a9a9a },	 { "dark-grey", 0x5a5a5a },
	{ "light-grey", 0xd0d0d0 }, { "white", 0xffffff },	 { "black", 0x000000 },
	{ "orange", 0xf2a71b },
};

gboolean iot_colour_parse(const char *text, guint32 *out_rgb, GError **error)
{
	if (text[0] == '#' && strlen(text) == 7 &&
	    strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
		*out_rgb = (guint32)g_ascii_strtoull(text + 1, NULL, 16);
		return TRUE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(palette); i++) {
		if (strcmp(text, palette[i].name))
			continue;
		*out_rgb = palette[i].rgb;
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
	return colours[n % 13].rgb; /* the greys, black and orange are for models to choose */
}

guint32 iot_colour_pale(guint32 rgb)
{
	guint32 pale = 0;

	for (guint shift = 0; shift < 24; shift += 8)
		pale |= (255 - (255 - (rgb >> shift & 255)) / 4) << shift;
	return pale;
}

guint32 iot_colour_on_dark(guint32 rgb)
{
	for (guint i = 0; i < G_N_ELEMENTS(palette); i++)
		if (palette[i].rgb == rgb)
			return palette[i].on_dark;
	return rgb;
}

static guint square(guint a, guint b)
{
	return (a - b) * (a - b);
}

static guint distance(guint32 a, guint32 b)
{
	return square(a >> 16, b >> 16) + square(a >> 8 & 0xff, b >> 8 & 0xff) +
	       square(a & 0xff, b & 0xff);
}

/* Colour @n from 16 on; the first 16 are for the user to choose. */
static guint32 terminal_rgb(guint n)
{
	static const guint8 level[] = { 0, 95, 135, 175, 215, 255 };

	if (n >= 232)
		return (n - 232) * 0x0a0a0a + 0x080808;
	n -= 16;
	return (guint32)level[n / 36] << 16 | (guint32)level[n / 6 % 6] << 8 | level[n % 6];
}

guint iot_colour_256(guint32 rgb)
{
	guint best = 16;

	for (guint n = 17; n < 256; n++)
		if (distance(rgb, terminal_rgb(n)) < distance(rgb, terminal_rgb(best)))
			best = n;
	return best;
}
