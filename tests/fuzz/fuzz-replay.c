/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A main() for fuzz targets without a fuzzer: each file, and each file of each folder, is one input. With --mutate N
 * every file is also tried with N random damages, the same on every run. If the target has a mutator, it makes every
 * other one.
 */
#include "fuzz-source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static guint n_inputs;

static guint32 next_random(guint64 *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (guint32)(*state >> 32);
}

/* Up to four bytes changed, bits flipped, pieces zeroed, or the end cut off. */
static gsize damage(guint8 *data, gsize len, guint64 *state)
{
	guint32 times = next_random(state) % 4 + 1;

	while (len && times--) {
		gsize at = next_random(state) % len;
		gsize piece = next_random(state) % 64 + 1;

		piece = MIN(piece, len - at);
		switch (next_random(state) % 8) {
		case 0:
			len = at;
			break;
		case 1:
			memset(data + at, 0, piece);
			break;
		case 2:
			memset(data + at, 0xff, MIN(piece, 8));
			break;
		case 3:
		case 4:
			data[at] ^= (guint8)(1 << next_random(state) % 8);
			break;
		default:
			data[at] = (guint8)next_random(state);
		}
	}
	return len;
}

static guint64 mutate_state = 1;

size_t LLVMFuzzerMutate(guint8 *data, size_t len, size_t max_len)
{
	(void)max_len;
	return damage(data, len, &mutate_state);
}

static gsize mutate(guint8 *data, gsize len, guint i)
{
	if (!LLVMFuzzerCustomMutator || i % 2 == 0)
		return LLVMFuzzerMutate(data, len, len);
	return LLVMFuzzerCustomMutator(data, len, len, next_random(&mutate_state));
}

static void try_bytes(const char *data, gsize len)
{
	/* a block of exactly this size, so that reading past its end is noticed */
	g_autofree guint8 *copy = g_memdup2(data, len);

	LLVMFuzzerTestOneInput(copy, len);
	n_inputs++;
}

static gboolean replay_file(const char *path, guint mutations)
{
	g_autofree char *data = NULL;
	gsize len;

	if (!g_file_get_contents(path, &data, &len, NULL)) {
		fprintf(stderr, "cannot read %s\n", path);
		return FALSE;
	}
	try_bytes(data, len);
	mutate_state = 1;
	for (guint i = 0; i < mutations; i++) {
		g_autofree guint8 *copy = g_memdup2(data, len);
		gsize n = mutate(copy, len, i);

		/* if it crashes, this is the input */
		if (g_getenv("FUZZ_SAVE"))
			g_file_set_contents(g_getenv("FUZZ_SAVE"), (char *)copy, (gssize)n, NULL);
		try_bytes((const char *)copy, n);
	}
	return TRUE;
}

static gboolean replay(const char *path, guint mutations)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	gboolean ok = TRUE;

	if (!dir)
		return replay_file(path, mutations);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		ok &= replay(child, mutations);
	}
	return ok;
}

int main(int argc, char **argv)
{
	guint mutations = 0;
	gboolean ok = TRUE;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--mutate") && i + 1 < argc)
			mutations = (guint)strtoul(argv[++i], NULL, 10);
		else
			ok &= replay(argv[i], mutations);
	}
	printf("%u inputs\n", n_inputs);
	return ok && n_inputs ? 0 : 1;
}
