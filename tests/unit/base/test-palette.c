/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The colours of the models differ for every kind of colour vision, on light and on dark
 * backgrounds. Distances are CIE76 (CIELAB, D65); colour vision is simulated after Machado,
 * Oliveira and Fernandes (2009) with severity 1.
 */
#include "base/colour.h"
#include "unit.h"

#include <math.h>

enum { MODES_APART = 10, CALLS_APART = 8, GREYS_APART = 7 };

static const double visions[][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 },
	  { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 },
	  { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } },
	{ { 1.255528, -0.076749, -0.178779 },
	  { -0.078411, 0.930809, 0.147602 },
	  { 0.004733, 0.691367, 0.303900 } },
};
static const char *const vision_names[] = { "normal", "protanopia", "deuteranopia", "tritanopia" };

static double linear(guint32 value)
{
	double c = (value & 0xff) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void get_linear(guint32 rgb, double out[3])
{
	for (guint i = 0; i < 3; i++)
		out[i] = linear(rgb >> (16 - 8 * i));
}

/* Y of the colour: its part of white's light */
static double luminance(const double rgb[3])
{
	return 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
}

static double lab_part(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static void get_lab(guint32 colour, const double vision[3][3], double lab[3])
{
	double rgb[3], seen[3], x, y, z;

	get_linear(colour, rgb);
	for (guint i = 0; i < 3; i++)
		seen[i] =
			CLAMP(vision[i][0] * rgb[0] + vision[i][1] * rgb[1] + vision[i][2] * rgb[2],
			      0, 1);
	x = lab_part((0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047);
	y = lab_part(luminance(seen));
	z = lab_part((0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

static double distance(guint32 a, guint32 b, const double vision[3][3])
{
	double p[3], q[3];

	get_lab(a, vision, p);
	get_lab(b, vision, q);
	return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
		    (p[2] - q[2]) * (p[2] - q[2]));
}

static guint32 colour(const char *name, gboolean dark)
{
	guint32 rgb = 0;

	CU_ASSERT_FATAL(iot_colour_parse(name, &rgb, NULL));
	return dark ? iot_colour_on_dark(rgb) : rgb;
}

static void expect_apart(const GPtrArray *names, double least)
{
	for (guint a = 0; a < names->len; a++)
		for (guint b = 0; b < a; b++)
			for (guint v = 0; v < 2 * G_N_ELEMENTS(visions); v++) {
				const char *one = names->pdata[a], *other = names->pdata[b];
				double d = distance(colour(one, v & 1), colour(other, v & 1),
						    visions[v / 2]);

				if (d < least)
					g_print("%s and %s, %s, %s background: %.1f\n", one, other,
						vision_names[v / 2], v & 1 ? "dark" : "light", d);
				CU_ASSERT(d >= least);
			}
}

static gboolean is_known(const GPtrArray *names, const char *name)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)names, name, g_str_equal, NULL);
}

struct used {
	GPtrArray *modes, *calls; /* names of the colours of one model */
	gboolean in_values;	  /* the section is about states */
	gboolean waiting;	  /* its title says that they are waits, which may be counted elsewhere */
};

/* "value NAME = COLOUR ROLE". An unknown state is drawn as a gap in knowledge, not as a mode. */
static void add_line(struct used *used, const char *line)
{
	const char *equals = strstr(line, "= ");
	g_auto(GStrv) words = NULL;
	GPtrArray *names;

	if (*line == '[') {
		used->in_values = g_str_has_prefix(line, "[values ");
		used->waiting = FALSE;
	}
	used->waiting |= g_str_has_prefix(line, "title = waiting for ");
	if (!g_str_has_prefix(line, "value ") || !equals)
		return;
	words = g_strsplit_set(equals + 2, " ", 2);
	if (words[1])
		g_strstrip(words[1]);
	if (!used->waiting && (!strcmp(words[0], "wait") || !strcmp(words[0], "orange")))
		CU_ASSERT_STRING_EQUAL(words[1] ? words[1] : "", "wait");
	/* red fills are exclusive locks */
	CU_ASSERT(!used->in_values || strcmp(words[0], "red"));
	if (used->in_values && !strcmp(words[0], "mode-ex"))
		CU_ASSERT(used->waiting || !g_strcmp0(words[1], "hold"));
	if (!words[1] || !used->in_values || !strcmp(words[0], "unknown"))
		return;
	names = !strcmp(words[1], "call") ? used->calls : used->modes;
	if (!is_known(names, words[0]))
		g_ptr_array_add(names, g_strdup(words[0]));
}

static void get_used(const char *model, struct used *used)
{
	g_autofree char *path = g_strdup_printf("%s/events/models/%s.model", IOT_SOURCE_DIR, model);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	CU_ASSERT_FATAL(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	used->in_values = FALSE;
	used->modes = g_ptr_array_new_with_free_func(g_free);
	used->calls = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; lines[i]; i++)
		add_line(used, lines[i]);
}

/* @n_modes, @n_calls: colours that it has at least */
static void expect_model(const char *model, guint n_modes, guint n_calls)
{
	struct used used;

	get_used(model, &used);
	CU_ASSERT(used.modes->len >= n_modes);
	CU_ASSERT(used.calls->len >= n_calls);
	expect_apart(used.modes, MODES_APART);
	expect_apart(used.calls, CALLS_APART);
	g_ptr_array_unref(used.modes);
	g_ptr_array_unref(used.calls);
}

UNIT_TEST(palette_colours_stay_apart_for_every_colour_vision)
{
	expect_model("dlm", 7, 0);
	expect_model("gfs2", 6, 0);
	expect_model("call", 9, 0);
	expect_model("fileio", 0, 13);
}

/* Threads and requests have other states, but orange and red mean the same there. */
UNIT_TEST(palette_orange_waits_and_red_is_exclusive_in_all_models)
{
	static const char *const models[] = { "sched", "block", "nfs", "nfsd", "syscalls" };

	for (guint i = 0; i < G_N_ELEMENTS(models); i++) {
		struct used used;

		get_used(models[i], &used);
		CU_ASSERT(used.modes->len + used.calls->len > 0);
		g_ptr_array_unref(used.modes);
		g_ptr_array_unref(used.calls);
	}
}

/* Waiting catches the eye first, on any background. */
UNIT_TEST(palette_waiting_is_apart_from_calls)
{
	static const char *const calls[] = { "call-open", "call-read",	    "call-write",
					     "call-sync", "call-truncate",  "call-mmap",
					     "call-meta", "call-close",	    "call-aio",
					     "call-lock", "call-lock-wait", "call-failed" };

	for (guint i = 0; i < G_N_ELEMENTS(calls); i++)
		for (guint v = 0; v < 2 * G_N_ELEMENTS(visions); v++)
			CU_ASSERT(distance(colour("wait", v & 1), colour(calls[i], v & 1),
					   visions[v / 2]) >= MODES_APART);
}

/* Whether a hold is certain is one thing, whether it is given up another one. */
UNIT_TEST(palette_doubtful_is_apart_from_leaving)
{
	static const char *const others[] = { "leaving", "keeping", "wait", "unknown", "mode-nl" };

	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		for (guint v = 0; v < 2 * G_N_ELEMENTS(visions); v++)
			CU_ASSERT(distance(colour("not-certain", v & 1), colour(others[i], v & 1),
					   visions[v / 2]) >= MODES_APART);
}

/* Printed without colours exclusive and shared remain two. */
UNIT_TEST(palette_in_grey_tells_exclusive_from_shared)
{
	double ex[3], pr[3];

	get_lab(colour("mode-ex", FALSE), visions[0], ex);
	get_lab(colour("mode-pr", FALSE), visions[0], pr);
	CU_ASSERT(fabs(ex[0] - pr[0]) >= GREYS_APART);
}

/* WCAG 2: (L1 + 0.05) / (L2 + 0.05) of the lighter and the darker colour */
UNIT_TEST(palette_labels_can_be_read)
{
	static const char *const names[] = { "mode-nl",	  "mode-cr",	    "mode-cw",
					     "mode-pr",	  "mode-pw",	    "mode-ex",
					     "wait",	  "unknown",	    "call-open",
					     "call-read", "call-write",	    "call-sync",
					     "call-lock", "call-lock-wait", "call-failed" };

	for (guint i = 0; i < 2 * G_N_ELEMENTS(names); i++) {
		double rgb[3], y;

		get_linear(colour(names[i / 2], i & 1), rgb);
		y = luminance(rgb);
		CU_ASSERT(MAX((y + 0.05) / 0.05, 1.05 / (y + 0.05)) >= 4.5);
	}
}
