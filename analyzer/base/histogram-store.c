/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/histogram-store.h"
#include "base/out.h"

enum {
	MAX_CELLS = 1 << 17, /* 1 MiB */
	BUFFER = 1 << 16     /* bytes */
};

struct iot_histogram_store {
	char *path;
	guint max_cells, n_cells; /* in memory */
	GPtrArray *histograms;	  /* struct iot_stored_histogram, those with cells in memory */
	struct iot_out *file;	  /* NULL until it is needed */
	GError *error;
};

/* Precedes the cells of a histogram in the file. */
struct chunk {
	guint64 before; /* the chunk before: 1 + its offset; 0: none */
	guint64 n;	/* cells */
};

struct iot_histogram_store *iot_histogram_store_new(const char *near_path, guint max_cells)
{
	struct iot_histogram_store *store = g_new0(struct iot_histogram_store, 1);

	store->path = g_strdup(near_path);
	store->max_cells = max_cells ? max_cells : MAX_CELLS;
	store->histograms = g_ptr_array_new();
	return store;
}

void iot_histogram_store_free(struct iot_histogram_store *store)
{
	if (!store)
		return;
	iot_out_free(store->file);
	g_ptr_array_unref(store->histograms);
	g_clear_error(&store->error);
	g_free(store->path);
	g_free(store);
}

static void park(struct iot_histogram_store *store, struct iot_stored_histogram *histogram)
{
	GArray *cells = histogram->top.cells;
	const struct chunk chunk = { histogram->chunk, cells->len };

	histogram->chunk = 1 + iot_out_tell(store->file);
	histogram->known = FALSE;
	iot_out_write(store->file, &chunk, sizeof(chunk));
	iot_out_write(store->file, cells->data, cells->len * sizeof(struct iot_histogram_cell));
	g_clear_pointer(&histogram->top.cells, g_array_unref);
}

static void park_all(struct iot_histogram_store *store)
{
	if (store->error)
		return;
	if (!store->file)
		store->file = iot_out_open_scratch(store->path, BUFFER, &store->error);
	if (!store->file)
		return;
	for (guint i = 0; i < store->histograms->len; i++)
		park(store, store->histograms->pdata[i]);
	iot_out_flush(store->file);
	iot_out_check(store->file, &store->error);
	g_ptr_array_set_size(store->histograms, 0);
	store->n_cells = 0;
}

void iot_histogram_store_add(struct iot_histogram_store *store,
			     struct iot_stored_histogram *histogram, guint64 ns)
{
	guint before = histogram->top.cells ? histogram->top.cells->len : 0;

	if (!histogram->known)
		g_ptr_array_add(store->histograms, histogram);
	histogram->known = TRUE;
	iot_histogram_add(&histogram->top, ns);
	store->n_cells += histogram->top.cells->len - before;
	if (store->n_cells > store->max_cells)
		park_all(store);
}

static gboolean add_chunks(const struct iot_histogram_store *store, guint64 last, guint64 *n,
			   GError **error)
{
	struct iot_histogram_cell cells[IOT_HISTOGRAM_CELLS];
	struct chunk chunk;

	for (; last; last = chunk.before) {
		if (!iot_out_read_at(store->file, last - 1, &chunk, sizeof(chunk), error) ||
		    !iot_out_read_at(store->file, last - 1 + sizeof(chunk), cells,
				     chunk.n * sizeof(cells[0]), error))
			return FALSE;
		for (guint i = 0; i < chunk.n; i++)
			n[cells[i].number] += cells[i].n;
	}
	return TRUE;
}

/* All of a histogram with cells in the file. */
static gboolean add_up(const struct iot_histogram_store *store,
		       const struct iot_stored_histogram *histogram, struct iot_histogram *out,
		       GError **error)
{
	guint64 n[IOT_HISTOGRAM_CELLS] = { 0 };
	const struct iot_histogram *top = &histogram->top;

	if (!add_chunks(store, histogram->chunk, n, error))
		return FALSE;
	for (guint i = 0; top->cells && i < top->cells->len; i++) {
		const struct iot_histogram_cell *cell =
			&g_array_index(top->cells, struct iot_histogram_cell, i);

		n[cell->number] += cell->n;
	}
	*out = (struct iot_histogram){ .sum_ns = top->sum_ns,
				       .min_ns = top->min_ns,
				       .max_ns = top->max_ns };
	for (guint i = 0; i < IOT_HISTOGRAM_CELLS; i++)
		if (n[i])
			iot_histogram_count(out, i, n[i]);
	return TRUE;
}

gboolean iot_histogram_store_load(const struct iot_histogram_store *store,
				  const struct iot_stored_histogram *histogram,
				  struct iot_histogram *out, GError **error)
{
	if (store->error) {
		if (error)
			*error = g_error_copy(store->error);
		return FALSE;
	}
	if (histogram->chunk)
		return add_up(store, histogram, out, error);
	*out = histogram->top;
	if (out->cells)
		out->cells = g_array_copy(out->cells);
	return TRUE;
}
