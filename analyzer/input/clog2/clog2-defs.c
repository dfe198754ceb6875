/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "input/clog2/clog2-defs.h"

/* Bytes of texts in definitions. */
enum { COLOUR = 24, NAME = 32, FORMAT = 40 };

/* The undefined states of a preamble that are made; more than MPI has functions. */
enum { MOST_STATES = 1 << 16 };

void iot_clog2_defs_free(struct iot_clog2_defs *defs)
{
	if (!defs)
		return;
	g_hash_table_unref(defs->events);
	g_hash_table_unref(defs->ranks);
	g_free(defs);
}

const struct iot_clog2_def *iot_clog2_defs_find(const struct iot_clog2_defs *defs, gint32 event)
{
	return g_hash_table_lookup(defs->events, GINT_TO_POINTER(event));
}

static guint64 rank_key(gint32 comm, gint32 rank)
{
	return (guint64)(guint32)comm << 32 | (guint32)rank;
}

gint32 iot_clog2_defs_rank(const struct iot_clog2_defs *defs, gint32 comm, gint32 rank)
{
	guint64 key = rank_key(comm, rank);

	return GPOINTER_TO_INT(g_hash_table_lookup(defs->ranks, &key)) - 1;
}

/* ---- definitions */

static void define(struct iot_clog2_defs *defs, gint32 event, const struct iot_clog2_def *def)
{
	g_hash_table_replace(defs->events, GINT_TO_POINTER(event), g_memdup2(def, sizeof(*def)));
}

static void define_state(struct iot_clog2_defs *defs, gint32 begin, gint32 end,
			 struct iot_clog2_def *def)
{
	def->state = begin;
	def->role = IOT_CLOG2_BEGINS;
	define(defs, begin, def);
	def->role = IOT_CLOG2_ENDS;
	define(defs, end, def);
}

/* The text of a field of @len bytes, which ends at its first NUL. */
static gsize text_of(struct iot_bytes *body, gsize len, const char **out)
{
	*out = (const char *)iot_bytes_take(body, len);
	return *out ? strnlen(*out, len) : 0;
}

/* Without a name, its number. */
static guint32 name_of(struct iot_intern *strings, const char *name, gsize len, const char *kind,
		       gint32 number)
{
	g_autofree char *other = NULL;

	if (len)
		return iot_intern_bytes(strings, name, len);
	other = g_strdup_printf("%s %" G_GINT32_FORMAT, kind, number);
	return iot_intern_str(strings, other);
}

static void take_texts(struct iot_bytes *body, struct iot_intern *strings, const char *kind,
		       gint32 number, struct iot_clog2_def *def)
{
	const char *name, *format;
	gsize name_len, format_len;

	iot_bytes_take(body, COLOUR);
	name_len = text_of(body, NAME, &name);
	format_len = text_of(body, FORMAT, &format);
	def->name = name_of(strings, name, name_len, kind, number);
	if (format_len)
		memcpy(def->format, format, format_len);
}

static void take_state(struct iot_clog2_defs *defs, const struct iot_clog2_preamble *preamble,
		       struct iot_bytes *body, struct iot_intern *strings)
{
	struct iot_clog2_def def = { .named = TRUE };
	gint32 number = (gint32)iot_bytes_u32(body), begin = (gint32)iot_bytes_u32(body);
	gint32 end = (gint32)iot_bytes_u32(body);

	iot_bytes_u32(body);
	take_texts(body, strings, "state", number, &def);
	def.user = begin >= preamble->first_user_event;
	if (begin != end)
		define_state(defs, begin, end, &def);
}

/* If a number is an event and of a state, too, it is of the state. */
static void take_event(struct iot_clog2_defs *defs, const struct iot_clog2_preamble *preamble,
		       struct iot_bytes *body, struct iot_intern *strings)
{
	struct iot_clog2_def def = { .named = TRUE, .role = IOT_CLOG2_HAPPENS };
	gint32 event = (gint32)iot_bytes_u32(body);
	const struct iot_clog2_def *known = iot_clog2_defs_find(defs, event);

	iot_bytes_u32(body);
	take_texts(body, strings, "event", event, &def);
	def.state = event;
	def.user = event >= preamble->first_user_event;
	if (!known || known->role == IOT_CLOG2_HAPPENS)
		define(defs, event, &def);
}

/* Communicators of two groups name ranks more than once: the first time counts. */
static void take_rank(struct iot_clog2_defs *defs, struct iot_bytes *body)
{
	gint32 comm, rank, world;
	guint64 key;

	iot_bytes_u32(body);
	comm = (gint32)iot_bytes_u32(body);
	rank = (gint32)iot_bytes_u32(body);
	world = (gint32)iot_bytes_u32(body);
	key = rank_key(comm, rank);
	if (rank >= 0 && world >= 0 && world < G_MAXINT32 &&
	    !g_hash_table_contains(defs->ranks, &key))
		g_hash_table_insert(defs->ranks, g_memdup2(&key, sizeof(key)),
				    GINT_TO_POINTER(world + 1));
}

/* ---- the whole file */

/* States that come and are not defined, as those of a file that is cut: their numbers have a rule.
 */
static void assume_states(struct iot_clog2_defs *defs, GHashTable *seen, struct iot_intern *strings,
			  gint32 first, guint32 n, gboolean user)
{
	for (guint32 i = 0; i < MIN(n, MOST_STATES); i++) {
		struct iot_clog2_def def = { .user = user };
		gint64 begin = (gint64)first + 2 * (gint64)i;

		if (begin < G_MININT32 || begin + 1 > G_MAXINT32)
			break;
		if (!(g_hash_table_contains(seen, GINT_TO_POINTER((gint32)begin)) ||
		      g_hash_table_contains(seen, GINT_TO_POINTER((gint32)begin + 1))) ||
		    iot_clog2_defs_find(defs, (gint32)begin) ||
		    iot_clog2_defs_find(defs, (gint32)begin + 1))
			continue;
		def.name = name_of(strings, NULL, 0, "state", (gint32)i);
		define_state(defs, (gint32)begin, (gint32)begin + 1, &def);
	}
}

static void take_time(struct iot_clog2_defs *defs, gint64 ns)
{
	defs->first_ns = defs->has_times ? MIN(defs->first_ns, ns) : ns;
	defs->last_ns = defs->has_times ? MAX(defs->last_ns, ns) : ns;
	defs->has_times = TRUE;
}

/* @seen: how often each event comes */
static void take_record(struct iot_clog2_defs *defs, const struct iot_clog2_file *file,
			struct iot_clog2_record *rec, struct iot_intern *strings, GHashTable *seen)
{
	switch (rec->type) {
	case IOT_CLOG2_DEF_STATE:
		take_state(defs, &file->preamble, &rec->body, strings);
		break;
	case IOT_CLOG2_DEF_EVENT:
		take_event(defs, &file->preamble, &rec->body, strings);
		break;
	case IOT_CLOG2_COMMUNICATOR:
		take_rank(defs, &rec->body);
		break;
	case IOT_CLOG2_BARE:
	case IOT_CLOG2_CARGO: {
		gpointer event = GINT_TO_POINTER((gint32)iot_bytes_u32(&rec->body));
		gsize n = GPOINTER_TO_SIZE(g_hash_table_lookup(seen, event));

		g_hash_table_insert(seen, event, GSIZE_TO_POINTER(n + 1));
		take_time(defs, rec->ns);
		break;
	}
	case IOT_CLOG2_MESSAGE:
		take_time(defs, rec->ns);
		break;
	default:
		break;
	}
}

struct iot_clog2_defs *iot_clog2_defs_read(struct iot_clog2_file *file, struct iot_intern *strings,
					   GError **error)
{
	const struct iot_clog2_preamble *preamble = &file->preamble;
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GError) failed = NULL;
	struct iot_clog2_defs *defs = g_new0(struct iot_clog2_defs, 1);
	struct iot_clog2_record rec;
	GHashTableIter i;
	gpointer event, n;

	defs->events = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	defs->ranks = g_hash_table_new_full(iot_pair_hash, g_int64_equal, g_free, NULL);
	iot_clog2_rewind(file);
	while (iot_clog2_next(file, &rec, &failed))
		take_record(defs, file, &rec, strings, seen);
	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		iot_clog2_defs_free(defs);
		return NULL;
	}
	assume_states(defs, seen, strings, preamble->first_event, preamble->n_states, FALSE);
	assume_states(defs, seen, strings, preamble->first_user_event, preamble->n_user_states,
		      TRUE);
	g_hash_table_iter_init(&i, seen);
	while (g_hash_table_iter_next(&i, &event, &n)) {
		const struct iot_clog2_def *def = iot_clog2_defs_find(defs, GPOINTER_TO_INT(event));

		if (!def || !def->named)
			defs->n_unnamed += GPOINTER_TO_SIZE(n);
	}
	defs->cut = file->cut;
	defs->n_skipped = file->n_skipped;
	return defs;
}
