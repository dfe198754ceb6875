/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline/part.h"

/* Before the name of a machine, or, of parts on the machine of the call, alone. */
static const char *const ways[IOT_N_PHASES][2] = {
	[IOT_PHASE_BEFORE] = { "not yet sent by ", "not yet sent" },
	[IOT_PHASE_TRAVEL] = { "on the way to ", "on the way" },
	[IOT_PHASE_RETURN] = { "on the way back from ", "done, not yet noticed" },
	[IOT_PHASE_AFTER] = { "answered, not yet done by ", "answered, not yet done" },
	[IOT_PHASE_MANY] = { "short parts on ", "short parts" },
	[IOT_PHASE_QUEUE] = { "in the queue of ", "in the queue" },
	[IOT_PHASE_WOKEN] = { "asleep on ", "asleep" },
	[IOT_PHASE_FOLLOWED] = { "asleep on ", "asleep" },
	[IOT_PHASE_CUT] = { "asleep on ", "asleep" },
	[IOT_PHASE_INTERRUPT] = { "asleep on ", "asleep" },
};

void iot_work_name(GString *out, const char *asked, const char *what, enum iot_phase phase,
		   const char *node, gboolean elsewhere)
{
	if (!node)
		node = "another machine";
	if (asked)
		g_string_append(out, asked);
	if (phase != IOT_PHASE_WORK) {
		g_string_append_printf(out, "%s%s%s", asked ? ": " : "", ways[phase][!elsewhere],
				       elsewhere ? node : "");
		return;
	}
	if (g_strcmp0(asked, what))
		g_string_append_printf(out, "%s%s", asked ? ": " : "", what);
	g_string_append_printf(out, " on %s", node);
}

static const char *text_of(const struct iot_timeline *tl, guint64 str)
{
	return str ? iot_tl_str(tl, (iot_str)str) : NULL;
}

static void add_holder(const struct iot_timeline *tl, const union iot_attr *attr, GString *out)
{
	g_autofree char *process =
		iot_process_name(tl, attr[IOT_PART_BY_PID].u, attr[IOT_PART_BY_COMMAND].str);

	g_string_append_printf(out, " by %s", text_of(tl, attr[IOT_PART_BY_NODE].str));
	if (attr[IOT_PART_BY_MODE].str)
		g_string_append_printf(out, " %s", text_of(tl, attr[IOT_PART_BY_MODE].str));
	if (*process)
		g_string_append_printf(out, " (%s)", process);
}

/* "asleep, woken by pid 8: running in read" */
static void add_waker(const struct iot_timeline *tl, const union iot_attr *attr, GString *out)
{
	g_autofree char *by = iot_process_name(tl, attr[IOT_PART_BY_PID].u, 0);
	const char *what = text_of(tl, attr[IOT_PART_WHAT].str);
	const char *call = text_of(tl, attr[IOT_PART_ASKED].str);

	g_string_append(out, text_of(tl, attr[IOT_PART_CAUSE].str));
	switch ((enum iot_phase)attr[IOT_PART_PHASE].u) {
	case IOT_PHASE_INTERRUPT:
		g_string_append_printf(out, ", woken by %s%san interrupt (%s)", by,
				       *by ? ", woken by " : "", what);
		return;
	case IOT_PHASE_FOLLOWED:
		g_string_append(out, ", woken by others, the last of them");
		break;
	case IOT_PHASE_CUT:
		g_string_append(out, ", woken by too many others, among them");
		break;
	default:
		g_string_append(out, ", woken");
	}
	g_string_append_printf(out, " by %s: %s%s%s", by, what ? what : "not recorded",
			       call ? " in " : "", call ? call : "");
}

void iot_part_name(const struct iot_timeline *tl, const struct iot_item *part, GString *out)
{
	const union iot_attr *attr = part->attr;
	const char *what = text_of(tl, attr[IOT_PART_WHAT].str);
	const char *node = text_of(tl, attr[IOT_PART_BY_NODE].str);
	iot_row_id here = iot_row_node(tl, part->row);

	if (attr[IOT_PART_PHASE].u >= IOT_PHASE_WOKEN) {
		add_waker(tl, attr, out);
		return;
	}
	if (attr[IOT_PART_ASKED].str ||
	    (what && !attr[IOT_PART_CERTAINTY].str && !attr[IOT_PART_BY_MODE].str && part->cat)) {
		iot_work_name(out, text_of(tl, attr[IOT_PART_ASKED].str), what,
			      (enum iot_phase)attr[IOT_PART_PHASE].u, node,
			      !node || !here ||
				      attr[IOT_PART_BY_NODE].str != iot_row_at(tl, here)->name);
		return;
	}
	g_string_append(out, text_of(tl, attr[IOT_PART_CAUSE].str));
	if (what)
		g_string_append_printf(out, ": %s%s", what, node ? ", held" : "");
	if (node)
		add_holder(tl, attr, out);
}
