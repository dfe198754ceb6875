/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for sinks/sqlite/ in a program that is built without libsqlite3. */
#include "sinks/sink.h"

const struct iot_sink_ops iot_sink_sqlite = {
	.name = "sqlite",
	.summary = "SQLite database (not in this program: it was built without libsqlite3)",
	.suffix = ".sqlite",
	.missing = "this program was built without libsqlite3; install libsqlite3-dev and build it "
		   "again",
	.feed = IOT_FEED_WHOLE_SPANS,
};
