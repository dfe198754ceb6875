// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks of the two loads that lock: ids of lockspaces and locks, and payloads of their events. */
#include "gen.h"

guint32 *gen_lockspace_ids(struct gen *gen)
{
	guint32 *ids = g_new(guint32, gen->opts.lockspaces);

	for (int i = 0; i < gen->opts.lockspaces; i++)
		ids[i] = gen_random(gen) | 1;
	return ids;
}

static guint64 *id_bits(const struct gen *gen, GArray *ids, guint32 ls, guint word)
{
	guint at = word * gen->opts.lockspaces + ls;

	if (at >= ids->len)
		g_array_set_size(ids, at + 1);
	return &g_array_index(ids, guint64, at);
}

guint32 gen_take_lock_id(const struct gen *gen, GArray *ids, guint32 ls)
{
	for (guint word = 0;; word++) {
		guint64 *bits = id_bits(gen, ids, ls, word);
		int bit;

		if (*bits == G_MAXUINT64)
			continue;
		bit = __builtin_ctzll(~*bits);
		*bits |= G_GUINT64_CONSTANT(1) << bit;
		return 64 * word + bit + 1;
	}
}

void gen_release_lock_id(const struct gen *gen, GArray *ids, guint32 ls, guint32 id)
{
	*id_bits(gen, ids, ls, (id - 1) / 64) &= ~(G_GUINT64_CONSTANT(1) << (id - 1) % 64);
}

void gen_put_lock(struct gen_buf *buf, const struct gen_lock_event *lock, const guint32 *values,
		  int n)
{
	gen_begin(buf, lock->node, lock->event, lock->pid);
	gen_put(buf, lock->ls_id, 4);
	gen_put(buf, lock->lkb_id, 4);
	for (int i = 0; i < n; i++)
		gen_put(buf, values[i], 4);
	gen_put_dynamic(buf, lock->name, lock->len);
}
