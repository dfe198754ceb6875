/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/operations.h"
#include "base/hashset.h"
#include "base/units.h"
#include "tables/ranked.h"

#include <string.h>

enum part { CLIENT, CLIENT_QUEUE, NETWORK, SERVER_QUEUE, LOCK, SERVER, DISK, UNEXPLAINED, N_PARTS };

static const struct {
	const char *name, *title, *help;
} parts[N_PARTS] = {
	[CLIENT] = { "client", "client", "before it had sent it, and after the answer" },
	[CLIENT_QUEUE] = { "client_queue", "client's queue",
			   "from its begin to its slot, if it had to wait for one" },
	[NETWORK] = { "network", "network",
		      "on the way there, and back until the client noticed the answer" },
	[SERVER_QUEUE] = { "server_queue", "server's queue",
			   "at least: it had arrived, and no thread had read it" },
	[LOCK] = { "lock", "lock", "the server waited for a lock" },
	[SERVER] = { "server", "server", "it worked on it, with its file system" },
	[DISK] = { "disk", "disk", "the server's disk worked, or had it in its queue" },
	[UNEXPLAINED] = { "rest", "not explained", "nothing recorded says what was done for it" },
};

/* What operations are added up by. */
enum by { BY_KIND, BY_FILE, BY_CLIENT, BY_SERVER, N_BY };

/* All operations of a kind, or on a file, of a client, for which a server worked. */
struct operation {
	enum by by;
	guint32 of; /* category, or text */
	struct iot_counts took, part[N_PARTS];
};

struct iot_operations {
	const struct iot_timeline *tl;
	GHashTable *sums;	 /* struct operation, by by and of */
	gboolean known[N_PARTS]; /* a span of this part was seen */
	guint64 n_cut;
};

static guint operation_hash(gconstpointer data)
{
	const struct operation *operation = data;

	return (guint)iot_hash_mix(operation->by, operation->of);
}

static gboolean operation_equal(gconstpointer pa, gconstpointer pb)
{
	const struct operation *a = pa, *b = pb;

	return a->by == b->by && a->of == b->of;
}

static void operation_free(gpointer data)
{
	struct operation *operation = data;

	iot_counts_clear(&operation->took);
	for (guint i = 0; i < N_PARTS; i++)
		iot_counts_clear(&operation->part[i]);
	g_free(operation);
}

static gboolean is_operation(const struct iot_timeline *tl, iot_type_id type, iot_cat_id cat)
{
	return iot_type_at(tl, type)->party == IOT_PARTY_CLIENT &&
	       iot_cat_at(tl, cat)->role == IOT_ROLE_CALL;
}

gboolean iot_operations_possible(const struct iot_timeline *tl)
{
	for (iot_cat_id cat = 1; iot_accounts_possible(tl) && cat < tl->cats.n; cat++)
		if (is_operation(tl, iot_cat_at(tl, cat)->type, cat))
			return TRUE;
	return FALSE;
}

struct iot_operations *iot_operations_new(const struct iot_timeline *tl)
{
	struct iot_operations *operations = g_new0(struct iot_operations, 1);

	operations->tl = tl;
	operations->sums =
		g_hash_table_new_full(operation_hash, operation_equal, operation_free, NULL);
	operations->known[CLIENT] = operations->known[UNEXPLAINED] = TRUE;
	return operations;
}

void iot_operations_free(struct iot_operations *operations)
{
	if (!operations)
		return;
	g_hash_table_unref(operations->sums);
	g_free(operations);
}

/* ---- parts */

static iot_str machine_of(const struct iot_timeline *tl, iot_row_id row)
{
	return iot_row_at(tl, iot_row_node(tl, row))->name;
}

/* Whose work a part of an operation is: what no model says is that of its machine. */
static enum iot_party party_of(const struct iot_timeline *tl, const struct iot_account_part *part,
			       gboolean elsewhere)
{
	enum iot_party party = iot_type_at(tl, iot_cat_at(tl, part->cat)->type)->party;

	if (party != IOT_PARTY_NONE)
		return party;
	return elsewhere ? IOT_PARTY_SERVER : IOT_PARTY_CLIENT;
}

static enum part part_of(const struct iot_timeline *tl, const struct iot_account_part *part,
			 enum iot_party party, gboolean elsewhere)
{
	gboolean waits =
		part->phase == IOT_PHASE_QUEUE || iot_cat_at(tl, part->cat)->role == IOT_ROLE_WAIT;
	gboolean travels = part->phase == IOT_PHASE_TRAVEL || part->phase == IOT_PHASE_RETURN;

	if (party == IOT_PARTY_CLIENT)
		return waits && !travels ? CLIENT_QUEUE : CLIENT;
	if (travels && party == IOT_PARTY_SERVER)
		return elsewhere ? NETWORK : CLIENT;
	/* a server begins with its disk or lock, or has not noticed that it is done */
	if (travels)
		return SERVER;
	if (party == IOT_PARTY_SERVER)
		return waits ? SERVER_QUEUE : SERVER;
	return party == IOT_PARTY_LOCK ? LOCK : DISK;
}

/* A span of this kind shows that the part is recorded. */
static void note_known(struct iot_operations *operations, const struct iot_accounted *span)
{
	const struct iot_account_part own = { .cat = span->cat, .row = span->row };
	enum iot_party party = iot_type_at(operations->tl, span->type)->party;

	if (party == IOT_PARTY_NONE)
		return;
	operations->known[part_of(operations->tl, &own, party, TRUE)] = TRUE;
	if (span->queued)
		operations->known[party == IOT_PARTY_CLIENT ? CLIENT_QUEUE : SERVER_QUEUE] = TRUE;
}

static void add_to(struct iot_operations *operations, enum by by, guint32 of, guint64 took_ns,
		   const guint64 ns[N_PARTS])
{
	struct operation key = { .by = by, .of = of };
	struct operation *operation = g_hash_table_lookup(operations->sums, &key);

	if (!operation) {
		operation = g_memdup2(&key, sizeof(key));
		g_hash_table_add(operations->sums, operation);
	}
	iot_counts_add(&operation->took, took_ns);
	for (guint i = 0; i < N_PARTS; i++)
		iot_counts_add(&operation->part[i], ns[i]);
}

/* The text in the attribute "file" of an operation; 0: there is none. */
static iot_str file_of(const struct iot_timeline *tl, const struct iot_accounted *span)
{
	const struct iot_type *type = iot_type_at(tl, span->type);
	int at = iot_type_attr(tl, type, "file");

	return at >= 0 && type->attr[at].format == IOT_ATTR_STR ? (iot_str)span->file : 0;
}

/* The machine that worked longest for an operation; 0: none is known. */
static iot_str server_of(const struct iot_timeline *tl, const struct iot_accounted *span)
{
	iot_str own = machine_of(tl, span->row), server = 0;
	guint64 longest = 0;

	for (guint i = 0; i < span->parts->len; i++) {
		const struct iot_account_part *part =
			&g_array_index(span->parts, struct iot_account_part, i);
		iot_str machine = machine_of(tl, part->row);

		if (machine != own && part->t1 - part->t0 > longest) {
			longest = part->t1 - part->t0;
			server = machine;
		}
	}
	return server;
}

gboolean iot_operation_divide(const struct iot_timeline *tl, const struct iot_accounted *span,
			      guint64 out_ns[IOT_OPERATION_PARTS])
{
	const struct iot_account_part own = { .cat = span->cat, .row = span->row };
	g_autoptr(GArray) filled = NULL;
	gboolean served = FALSE;
	guint64 own_ns = 0;
	iot_str machine;

	if (!is_operation(tl, span->type, span->cat) || iot_row_at(tl, span->row)->hidden ||
	    iot_flags_cut(span->flags))
		return FALSE;
	memset(out_ns, 0, IOT_OPERATION_PARTS * sizeof(*out_ns));
	filled = iot_account_fill(span->parts, span->since, span->t1, &own);
	machine = machine_of(tl, span->row);
	for (guint i = 0; i < filled->len; i++) {
		const struct iot_account_part *part =
			&g_array_index(filled, struct iot_account_part, i);
		gboolean elsewhere = machine_of(tl, part->row) != machine;
		enum iot_party party = party_of(tl, part, elsewhere);

		out_ns[part_of(tl, part, party, elsewhere)] += part->t1 - part->t0;
		served |= party != IOT_PARTY_CLIENT;
		if (part->cat == span->cat && part->row == span->row)
			own_ns += part->t1 - part->t0;
	}
	if (!served) {
		out_ns[CLIENT] -= own_ns;
		out_ns[UNEXPLAINED] += own_ns;
	}
	return TRUE;
}

const char *iot_operation_part_name(guint part)
{
	return parts[part].title;
}

void iot_operations_add(gpointer data, const struct iot_accounted *span)
{
	struct iot_operations *operations = data;
	guint64 ns[N_PARTS];
	guint32 of[N_BY];

	note_known(operations, span);
	if (!iot_operation_divide(operations->tl, span, ns)) {
		operations->n_cut += is_operation(operations->tl, span->type, span->cat) &&
				     !iot_row_at(operations->tl, span->row)->hidden;
		return;
	}
	for (guint i = 0; i < N_PARTS; i++)
		operations->known[i] |= ns[i] > 0;
	of[BY_KIND] = span->cat;
	of[BY_FILE] = file_of(operations->tl, span);
	of[BY_CLIENT] = machine_of(operations->tl, span->row);
	of[BY_SERVER] = server_of(operations->tl, span);
	for (guint by = 0; by < N_BY; by++)
		if (of[by])
			add_to(operations, by, of[by], span->t1 - span->since, ns);
}

/* ---- tables */

static int most_time(gconstpointer pa, gconstpointer pb, gconstpointer data)
{
	const struct iot_operations *operations = data;
	const struct operation *a = pa, *b = pb;
	int order = iot_compare_number(a->by, b->by);

	order = order ? order : iot_compare_number(b->took.sum_ns, a->took.sum_ns);
	if (order || a->by == BY_KIND)
		return order ? order : iot_compare_number(a->of, b->of);
	return iot_natural_compare(iot_tl_str(operations->tl, a->of),
				   iot_tl_str(operations->tl, b->of));
}

/* Cells of the percentiles 50, 90 and 99, and the longest. */
static void add_times(struct iot_result_table *table, const struct iot_counts *counts)
{
	struct iot_histogram times = { 0 };

	iot_histogram_merge_counts(&times, counts);
	iot_ranked_percentiles(table, &times);
	iot_result_number(table, counts->max_ns);
	iot_histogram_clear(&times);
}

#define SUM_COLUMNS                                                   \
	{ "calls", "calls", IOT_COLUMN_COUNT },                       \
		{ "time", "time", IOT_COLUMN_NS, IOT_COLUMN_STRONG }, \
		{ "p50", "p50", IOT_COLUMN_NS, .drop = 2 },           \
		{ "p90", "p90", IOT_COLUMN_NS, .drop = 3 },           \
		{ "p99", "p99", IOT_COLUMN_NS, .drop = 1 },           \
	{                                                             \
		"longest", "longest", IOT_COLUMN_NS, .drop = 4        \
	}

static const struct iot_ranked_column columns[] = {
	{ "operation", "operation", IOT_COLUMN_CATEGORY },
	SUM_COLUMNS,
};

static void more_columns(struct iot_result_table *table, gconstpointer data)
{
	(void)data;
	for (guint i = 0; i < N_PARTS; i++) {
		struct iot_column *column =
			iot_result_column(table, parts[i].name, parts[i].title, IOT_COLUMN_NS);

		column->help = g_strdup(parts[i].help);
	}
}

static void add_distribution(struct iot_result_table *table,
			     const struct iot_operations *operations,
			     const struct operation *operation)
{
	add_times(table, &operation->took);
	for (guint i = 0; i < N_PARTS; i++)
		iot_ranked_cell(table, iot_cell_known(operations->known[i],
						      iot_cell_number(operation->part[i].sum_ns)));
}

static void add_operation(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct operation *operation = element;

	iot_ranked_row(table, iot_cell_number(operation->of), iot_cell_number(operation->took.n),
		       iot_cell_number(operation->took.sum_ns));
	add_distribution(table, data, operation);
}

static const struct iot_ranked ranked = {
	IOT_RANKED("operations", "Operations in parts", columns),
	.help = "from the client's request to its result; the parts add up to the time",
	.more_columns = more_columns,
	.compare = most_time,
	.add = add_operation,
};

static const struct iot_ranked_column place_columns[] = {
	{ "by", "by", IOT_COLUMN_TEXT, .help = "file, client or server" },
	{ "name", "name", IOT_COLUMN_TEXT, .max_width = 40 },
	SUM_COLUMNS,
};

static void add_place(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	static const char *const by[N_BY] = { NULL, "file", "client", "server" };
	const struct iot_operations *operations = data;
	const struct operation *operation = element;

	iot_ranked_row(table, iot_cell_text(by[operation->by]),
		       iot_cell_text(iot_tl_str(operations->tl, operation->of)),
		       iot_cell_number(operation->took.n), iot_cell_number(operation->took.sum_ns));
	add_distribution(table, operations, operation);
}

static const struct iot_ranked place_ranked = {
	IOT_RANKED("operation_places", "Operations by file, client and server", place_columns),
	.help = "the same operations, as far as the file or the server is known",
	.more_columns = more_columns,
	.limit = 100,
	.most = "with the most time",
	.compare = most_time,
	.add = add_place,
};

static const struct iot_ranked_column part_columns[] = {
	{ "operation", "operation", IOT_COLUMN_CATEGORY },
	{ "part", "part", IOT_COLUMN_TEXT },
	{ "calls", "calls", IOT_COLUMN_COUNT },
	{ "time", "time", IOT_COLUMN_NS },
	{ "share", "share", IOT_COLUMN_SHARE },
	{ "p50", "p50", IOT_COLUMN_NS, .help = "an operation without the part counts as 0" },
	{ "p90", "p90", IOT_COLUMN_NS },
	{ "p99", "p99", IOT_COLUMN_NS },
	{ "longest", "longest", IOT_COLUMN_NS },
};

static void add_parts(struct iot_result_table *table, gconstpointer element, gconstpointer data)
{
	const struct iot_operations *operations = data;
	const struct operation *operation = element;
	double whole = (double)MAX(operation->took.sum_ns, 1);

	for (guint i = 0; i < N_PARTS; i++) {
		const struct iot_counts *part = &operation->part[i];

		if (!operations->known[i])
			continue;
		iot_ranked_row(table, iot_cell_number(operation->of), iot_cell_text(parts[i].title),
			       iot_cell_number(part->n), iot_cell_number(part->sum_ns),
			       iot_cell_share((double)part->sum_ns / whole));
		add_times(table, part);
	}
}

static const struct iot_ranked part_ranked = {
	IOT_RANKED("operation_parts", "Percentiles of the parts of operations", part_columns),
	.for_programs = TRUE,
	.compare = most_time,
	.add = add_parts,
};

static void add_notes(const struct iot_operations *operations, struct iot_result_table *table)
{
	g_autoptr(GString) unknown = g_string_new(NULL);

	for (guint i = 0; i < N_PARTS; i++)
		if (!operations->known[i])
			g_string_append_printf(unknown, "%s%s", unknown->len ? ", " : "",
					       parts[i].title);
	if (unknown->len)
		iot_result_note(table, "not recorded, or never seen: %s", unknown->str);
	if (operations->n_cut)
		iot_result_note(table,
				"left out: %" G_GUINT64_FORMAT
				" operations whose begin or end was not seen",
				operations->n_cut);
}

void iot_operations_publish(const struct iot_operations *operations, struct iot_results *results)
{
	g_autoptr(GPtrArray) kinds = g_ptr_array_new(), places = g_ptr_array_new();
	struct iot_result_table *table;
	GHashTableIter iter;
	gpointer operation;

	g_hash_table_iter_init(&iter, operations->sums);
	while (g_hash_table_iter_next(&iter, &operation, NULL))
		g_ptr_array_add(((struct operation *)operation)->by == BY_KIND ? kinds : places,
				operation);
	table = iot_ranked_publish(results, operations->tl, &ranked, kinds, operations);
	if (!table)
		return;
	add_notes(operations, table);
	iot_ranked_publish(results, operations->tl, &place_ranked, places, operations);
	iot_ranked_publish(results, operations->tl, &part_ranked, kinds, operations);
}
