/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/handover.h"

static const struct {
	const char *name, *title;
} parts[IOT_HANDOVER_PARTS] = {
	[IOT_HANDOVER_REQUEST] = { "request", "request travels" },
	[IOT_HANDOVER_QUEUE] = { "queue", "queue" },
	[IOT_HANDOVER_BLOCK] = { "block", "callback to the holder" },
	[IOT_HANDOVER_REACTION] = { "reaction", "holder's reaction" },
	[IOT_HANDOVER_RELEASE] = { "release", "release travels" },
	[IOT_HANDOVER_GRANT] = { "grant", "grant" },
	[IOT_HANDOVER_COMPLETION] = { "completion", "callback to the waiter" },
	[IOT_HANDOVER_RETURN] = { "return", "return to the caller" },
	[IOT_HANDOVER_UNEXPLAINED] = { "unexplained", "unexplained" },
	[IOT_HANDOVER_UNRECORDED] = { "unrecorded", "not recorded" },
};

const char *iot_handover_part_name(enum iot_handover_part part)
{
	return parts[part].name;
}

const char *iot_handover_part_title(enum iot_handover_part part)
{
	return parts[part].title;
}

const char *iot_master_name(enum iot_master master)
{
	static const char *const names[IOT_MASTERS] = { "remote", "local", "local (inferred)",
							"not recorded" };

	return names[master];
}

/* The cuts so far reach up to @now. */
struct cutting {
	guint64 now, t1;
	struct iot_handover_cuts *out;
};

/* The wait up to @until belongs to @part, unless earlier cuts are later. */
static void cut(struct cutting *c, enum iot_handover_part part, guint64 until)
{
	until = MIN(until, c->t1);
	if (until <= c->now)
		return;
	c->out->cut[c->out->n++] = (struct iot_handover_cut){ part, until };
	c->now = until;
}

/* Messages are not recorded: the holder's reaction is all that is known. */
static void cut_unrecorded(struct cutting *c, const struct iot_handover *wait, guint64 until)
{
	if (wait->released && wait->called) {
		cut(c, IOT_HANDOVER_UNRECORDED, MIN(wait->called, wait->released));
		cut(c, IOT_HANDOVER_REACTION, MIN(wait->released, until));
	}
	cut(c, IOT_HANDOVER_UNRECORDED, until);
}

static void cut_release(struct cutting *c, const struct iot_handover *wait, guint64 until)
{
	guint64 got = MIN(wait->release_got, until);
	guint64 released = MIN(wait->released, got);
	guint64 called = wait->called ? MIN(wait->called, released) : released;

	if (wait->asked)
		cut(c, IOT_HANDOVER_QUEUE, MIN(wait->asked, called));
	else if (!wait->called)
		cut(c, IOT_HANDOVER_QUEUE, called);
	else if (wait->holder_at_master)
		cut(c, IOT_HANDOVER_QUEUE, MIN(wait->held_since, called));
	else
		cut(c, IOT_HANDOVER_UNEXPLAINED, called);
	cut(c, IOT_HANDOVER_BLOCK, called);
	cut(c, IOT_HANDOVER_REACTION, released);
	cut(c, IOT_HANDOVER_RELEASE, got);
}

void iot_handover_find_cuts(const struct iot_handover *wait, struct iot_handover_cuts *out)
{
	struct cutting c = { .now = wait->t0, .t1 = wait->t1, .out = out };
	guint64 decided = wait->granted ? wait->granted : wait->t1;

	out->n = 0;
	if (wait->master == IOT_MASTER_UNRECORDED ||
	    (wait->master == IOT_MASTER_REMOTE && !wait->requested)) {
		cut_unrecorded(&c, wait, decided);
	} else {
		cut(&c, IOT_HANDOVER_REQUEST, wait->requested);
		if (wait->released)
			cut_release(&c, wait, decided);
		else if (wait->blocked)
			cut(&c, IOT_HANDOVER_UNEXPLAINED, decided);
		if (wait->hidden)
			cut(&c, IOT_HANDOVER_UNRECORDED, decided);
		if (wait->master == IOT_MASTER_REMOTE && !wait->grant_got)
			cut(&c, IOT_HANDOVER_UNEXPLAINED, wait->t1);
	}
	cut(&c, IOT_HANDOVER_GRANT, wait->grant_got);
	cut(&c, IOT_HANDOVER_COMPLETION, wait->t1);
}

void iot_handover_cut(const struct iot_handover *wait, guint64 out_ns[IOT_HANDOVER_PARTS])
{
	struct iot_handover_cuts cuts;
	guint64 now = wait->t0;

	for (guint i = 0; i < IOT_HANDOVER_PARTS; i++)
		out_ns[i] = 0;
	iot_handover_find_cuts(wait, &cuts);
	for (guint i = 0; i < cuts.n; i++) {
		out_ns[cuts.cut[i].part] += cuts.cut[i].until - now;
		now = cuts.cut[i].until;
	}
}
