/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/clock-look.h"
#include "base/hashset.h"
#include "base/intern.h"
#include "input/clock-recover.h"

/* All ends with one key. */
struct key {
	gconstpointer link;
	guint64 hash, check; /* together the key */
	guint64 from_ns, to_ns;
	guint32 from, to;
	guint8 n_from; /* 2: more */
	guint8 n_to;
	gboolean many;
};

struct iot_clock_look {
	guint limit;
	guint64 mask; /* of the hashes whose keys are kept */
	struct iot_hashset set;
	GPtrArray *keys; /* of struct key */
	guint64 n_left_out;
};

struct iot_clock_look *iot_clock_look_new(guint limit)
{
	struct iot_clock_look *look = g_new0(struct iot_clock_look, 1);

	look->limit = MAX(limit, 1);
	iot_hashset_init(&look->set);
	look->keys = g_ptr_array_new_with_free_func(g_free);
	return look;
}

void iot_clock_look_free(struct iot_clock_look *look)
{
	if (!look)
		return;
	iot_hashset_clear(&look->set);
	g_ptr_array_unref(look->keys);
	g_free(look);
}

static struct key *find(const struct iot_clock_look *look, const struct key *wanted)
{
	guint at = iot_hashset_first(&look->set, wanted->hash);
	struct key *key;

	while ((key = iot_hashset_next(&look->set, wanted->hash, &at)))
		if (key->check == wanted->check && key->link == wanted->link)
			return key;
	return NULL;
}

/* The low bits place a key in the set; these choose it. */
static gboolean is_kept(const struct iot_clock_look *look, const struct key *key)
{
	return !(key->check & look->mask);
}

/* Half of the keys go. */
static void thin(struct iot_clock_look *look)
{
	GPtrArray *all = look->keys;

	look->mask = look->mask << 1 | 1;
	look->keys = g_ptr_array_new_with_free_func(g_free);
	iot_hashset_clear(&look->set);
	iot_hashset_init(&look->set);
	g_ptr_array_set_free_func(all, NULL);
	for (guint i = 0; i < all->len; i++) {
		struct key *key = all->pdata[i];

		if (is_kept(look, key)) {
			iot_hashset_add(&look->set, key->hash, key);
			g_ptr_array_add(look->keys, key);
		} else {
			look->n_left_out += key->n_from + key->n_to;
			g_free(key);
		}
	}
	g_ptr_array_unref(all);
}

/* NULL: it is left out. */
static struct key *add(struct iot_clock_look *look, const struct key *new)
{
	struct key *key;

	while (is_kept(look, new) && look->keys->len >= look->limit && look->mask != G_MAXUINT64)
		thin(look);
	if (!is_kept(look, new))
		return NULL;
	key = g_memdup2(new, sizeof(*new));
	iot_hashset_add(&look->set, key->hash, key);
	g_ptr_array_add(look->keys, key);
	return key;
}

static void take_from(struct key *key, const struct iot_link_sighting *end)
{
	key->n_from = MIN(key->n_from + 1, 2);
	key->from = end->input;
	key->from_ns = end->ns;
}

/* The first to-end of a machine limits the clocks most. */
static void take_to(struct key *key, const struct iot_link_sighting *end)
{
	if (key->many && key->n_to && key->to == end->input) {
		key->to_ns = MIN(key->to_ns, end->ns);
		return;
	}
	key->n_to = MIN(key->n_to + 1, 2);
	key->to = end->input;
	key->to_ns = end->ns;
}

void iot_clock_look_end(gpointer user_data, const struct iot_link_sighting *end)
{
	struct iot_clock_look *look = user_data;
	guint64 seed = g_str_hash(end->name);
	struct key wanted = {
		.link = end->link,
		.hash = iot_hash_keys(iot_hash_mix(0x9b05688c ^ seed, end->texts), end->keys,
				      end->n_keys),
		.check = iot_hash_keys(iot_hash_mix(0x510e527f + seed, end->texts), end->keys,
				       end->n_keys),
		.many = end->many,
	};
	struct key *key = find(look, &wanted);

	if (!key)
		key = add(look, &wanted);
	if (!key)
		look->n_left_out++;
	else if (end->is_from)
		take_from(key, end);
	else
		take_to(key, end);
}

GArray *iot_clock_look_messages(const struct iot_clock_look *look)
{
	GArray *messages = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_message));

	for (guint i = 0; i < look->keys->len; i++) {
		const struct key *key = look->keys->pdata[i];
		struct iot_clock_message message = { key->from, key->to, key->from_ns, key->to_ns };

		if (key->n_from == 1 && key->n_to == 1 && key->from != key->to)
			g_array_append_val(messages, message);
	}
	return messages;
}

guint64 iot_clock_look_left_out(const struct iot_clock_look *look)
{
	return look->n_left_out;
}
