/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop-kshark FILE... - what KernelShark does before it draws: the library loads all events of all
 * files, in order of time.
 */
#include <libkshark.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	ssize_t n;

	if (argc < 2 || !kshark_instance(&context))
		return 2;
	for (int i = 1; i < argc; i++)
		if (kshark_open(context, argv[i]) < 0) {
			fprintf(stderr, "loop-kshark: %s cannot be opened\n", argv[i]);
			return 1;
		}
	n = kshark_load_all_entries(context, &entries);
	printf("events %zd\n", n);
	return n < 0;
}
