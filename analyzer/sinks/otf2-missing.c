/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for sinks/otf2/ in a program that is built without libotf2. */
#include "sinks/sink.h"

const struct iot_sink_ops iot_sink_otf2 = {
	.name = "otf2",
	.summary = "OTF2 archive (not in this program: it was built without libotf2)",
	.suffix = "-otf2",
	.missing = "this program was built without libotf2; install libopen-trace-format2-dev and "
		   "build it again",
	.feed = IOT_FEED_WITH_BEGINS,
};
