/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bars that the plugin of KernelShark would draw of a recording, read by KernelShark's library:
 * a line "PID KIND BEGIN END" for each, times in ns. usage: list-bars FILE
 */
#include "bars.h"

#include <stdio.h>
#include <stdlib.h>

static void list_bars(int sd, int pid)
{
	guint n;
	const struct bar *bar = bars_of_task(sd, pid, &n);

	for (; n; bar++, n--)
		printf("%d %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", pid, (int)bar->kind,
		       (gint64)bar->begin->ts, (gint64)bar->end->ts);
}

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_data_stream *stream;
	struct kshark_entry **entries = NULL;
	ssize_t n, n_pids;
	int *pids, sd;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	sd = kshark_open(context, argv[1]);
	if (sd < 0)
		return 2;
	stream = kshark_get_data_stream(context, sd);
	if (!bars_watch(stream))
		printf("nothing to draw\n");
	n = kshark_load_entries(context, sd, &entries);
	n_pids = kshark_get_task_pids(context, sd, &pids);
	for (ssize_t i = 0; i < n_pids; i++)
		list_bars(sd, pids[i]);
	bars_unwatch(stream);
	for (ssize_t i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	free(pids);
	kshark_close(context, sd);
	kshark_free(context);
	return 0;
}
