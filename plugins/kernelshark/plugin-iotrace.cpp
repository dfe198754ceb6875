/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin of KernelShark 2: what tasks did and waited for, as bars on their rows. The program's
 * drawing classes are C++; all else is in bars.c.
 */
#include "bars.h"

#include <KsPlotTools.hpp>
#include <KsPlugins.hpp>
#include <libkshark-plugin.h>

#include <algorithm>

/* Height in parts of the row: what may overlap with calls is lower. */
struct look {
	KsPlot::Color colour;
	double height;
};

static const look looks[BAR_KINDS] = {
	{ { 60, 110, 220 }, .5 },  /* BAR_READ: blue */
	{ { 210, 40, 40 }, .5 },   /* BAR_WRITE: red */
	{ { 143, 106, 106 }, .5 }, /* BAR_SYNC: brown */
	{ { 40, 150, 60 }, .5 },   /* BAR_OPEN: green */
	{ { 130, 130, 130 }, .5 }, /* BAR_META: grey */
	{ { 0, 170, 180 }, .25 },  /* BAR_AIO: teal */
	{ { 150, 70, 190 }, .25 }, /* BAR_CALL: violet */
	{ { 240, 150, 30 }, .25 }, /* BAR_LOCK: orange */
};

/* The column of a time; those outside of the window are at its edges. */
static int column(const kshark_trace_histo *histo, int64_t time)
{
	int64_t bin = histo->bin_size ? (time - histo->min) / histo->bin_size : 0;

	return (int)std::clamp<int64_t>(bin, 0, histo->n_bins - 1);
}

static void draw_bar(KsCppArgV *to, const bar &bar, int from, int until)
{
	const KsPlot::Point &left = to->_graph->bin(from)._base;
	const KsPlot::Point &right = to->_graph->bin(until)._base;
	const look &look = looks[bar.kind];
	int top = left.y() - std::max(2, (int)(to->_graph->height() * look.height));
	auto *box = new KsPlot::Rectangle;

	box->setPoint(0, left.x(), top);
	box->setPoint(1, left.x(), left.y() - 1);
	box->setPoint(2, right.x() + 1, right.y() - 1);
	box->setPoint(3, right.x() + 1, top);
	box->_color = look.colour;
	box->setFill(true);
	to->_shapes->push_front(box);
}

/* Of bars of one kind that end in a column in which one has been drawn already, nothing would be
 * seen. */
static void draw(kshark_cpp_argv *argv, int sd, int pid, int action)
{
	KsCppArgV *to = KS_ARGV_TO_CPP(argv);
	const kshark_trace_histo *histo = to->_histo;
	int drawn[BAR_KINDS];
	const bar *bar;
	guint n;

	if (!(action & KSHARK_TASK_DRAW) || to->_graph->size() < histo->n_bins)
		return;
	std::fill_n(drawn, (int)BAR_KINDS, -1);
	bar = bars_of_task(sd, pid, &n);
	for (; n && bar->begin->ts <= histo->max; bar++, n--) {
		int from = column(histo, bar->begin->ts), until = column(histo, bar->end->ts);

		if (bar->end->ts < histo->min || until == drawn[bar->kind])
			continue;
		draw_bar(to, *bar, from, until);
		drawn[bar->kind] = until;
	}
}

/* What the program looks for. The result 0 says that this recording has nothing for us. */
extern "C" __attribute__((visibility("default"))) int
KSHARK_PLOT_PLUGIN_INITIALIZER(kshark_data_stream *stream)
{
	if (!bars_watch(stream))
		return 0;
	kshark_register_draw_handler(stream, draw);
	return 1;
}

extern "C" __attribute__((visibility("default"))) int
KSHARK_PLOT_PLUGIN_DEINITIALIZER(kshark_data_stream *stream)
{
	bars_unwatch(stream);
	kshark_unregister_draw_handler(stream, draw);
	return 1;
}
