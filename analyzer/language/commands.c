/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/commands.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum { N_RECENT = 64 };

/* A name from @ts on; 0: a saved name, whose time is unknown. */
struct seen {
	guint64 ts;
	guint32 name; /* in names */
};

struct iot_commands {
	/* as recorded: a name is escaped when it is first used */
	struct iot_intern *names;
	GHashTable *by_pid; /* pid -> GArray of struct seen, sorted at the end */
	guint32 *str;	    /* by name: its number in the timeline's table + 1; 0: not yet used */
	/* Cache of lookups, indexed by pid. An answer holds from @from on, up to but not at @to. */
	struct {
		gint32 pid; /* 0: empty */
		guint64 from, to;
		guint32 str;
	} recent[N_RECENT];
};

struct iot_commands *iot_commands_new(void)
{
	struct iot_commands *commands = g_new0(struct iot_commands, 1);

	commands->names = iot_intern_new();
	commands->by_pid = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	return commands;
}

void iot_commands_free(struct iot_commands *commands)
{
	if (!commands)
		return;
	iot_intern_free(commands->names);
	g_hash_table_unref(commands->by_pid);
	g_free(commands->str);
	g_free(commands);
}

void iot_commands_add(struct iot_commands *commands, gint32 pid, guint64 ts, const char *name)
{
	struct seen seen = { .ts = ts };
	GArray *list;

	/* trace-cmd writes <...> for unknown names */
	if (!*name || !pid || !strcmp(name, "<...>"))
		return;
	seen.name = iot_intern_str(commands->names, name);
	list = g_hash_table_lookup(commands->by_pid, GINT_TO_POINTER(pid));
	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(struct seen));
		g_hash_table_insert(commands->by_pid, GINT_TO_POINTER(pid), list);
	}
	/* most events repeat the name */
	if (list->len && ts && g_array_index(list, struct seen, list->len - 1).ts &&
	    g_array_index(list, struct seen, list->len - 1).name == seen.name &&
	    g_array_index(list, struct seen, list->len - 1).ts <= ts)
		return;
	g_array_append_val(list, seen);
}

void iot_commands_add_lines(struct iot_commands *commands, const char *lines)
{
	g_auto(GStrv) all = g_strsplit(lines, "\n", -1);

	for (guint i = 0; all[i]; i++) {
		char *name;
		gint64 pid = g_ascii_strtoll(all[i], &name, 10);

		if (name != all[i] && *name == ' ' && pid > 0 && pid <= G_MAXINT32)
			iot_commands_add(commands, (gint32)pid, 0, g_strstrip(name));
	}
}

static gint compare_ts(gconstpointer a, gconstpointer b, gpointer unused)
{
	guint64 x = ((const struct seen *)a)->ts, y = ((const struct seen *)b)->ts;

	(void)unused;
	return x < y ? -1 : x > y;
}

struct iot_commands *iot_commands_end(struct iot_commands *commands)
{
	GHashTableIter iter;
	gpointer list;

	if (!g_hash_table_size(commands->by_pid)) {
		iot_commands_free(commands);
		return NULL;
	}
	g_hash_table_iter_init(&iter, commands->by_pid);
	/* this sort is stable, so names of one time keep the order in which they were added */
	while (g_hash_table_iter_next(&iter, NULL, &list))
		g_qsort_with_data(((GArray *)list)->data, (gint)((GArray *)list)->len,
				  sizeof(struct seen), compare_ts, NULL);
	commands->str = g_new0(guint32, iot_intern_count(commands->names));
	return commands;
}

static guint32 string_of(struct iot_commands *commands, guint32 name, struct iot_intern *strings)
{
	guint32 *str = &commands->str[name];

	if (!*str) {
		gsize len;
		const char *bytes = iot_intern_get(commands->names, name, &len);
		g_autofree char *plain = iot_escape_bytes(bytes, len);

		*str = iot_intern_str(strings, plain) + 1;
	}
	return *str - 1;
}

static guint32 look_up(struct iot_commands *commands, gint32 pid, guint64 ts,
		       struct iot_intern *strings)
{
	const GArray *list = g_hash_table_lookup(commands->by_pid, GINT_TO_POINTER(pid));
	guint at = (guint)pid % N_RECENT, low = 0, high;

	commands->recent[at].pid = pid;
	commands->recent[at].from = 0;
	commands->recent[at].to = G_MAXUINT64;
	commands->recent[at].str = 0;
	if (!list)
		return 0;
	for (high = list->len; low < high;) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(list, struct seen, middle).ts <= ts)
			low = middle + 1;
		else
			high = middle;
	}
	if (low)
		commands->recent[at].from = g_array_index(list, struct seen, low - 1).ts;
	if (low < list->len)
		commands->recent[at].to = g_array_index(list, struct seen, low).ts;
	low = low ? low - 1 : 0;
	return commands->recent[at].str =
		       string_of(commands, g_array_index(list, struct seen, low).name, strings);
}

guint32 iot_commands_find(struct iot_commands *commands, gint32 pid, guint64 ts,
			  struct iot_intern *strings)
{
	guint at = (guint)pid % N_RECENT;

	/* fast path */
	if (G_LIKELY(commands->recent[at].pid == pid && pid && ts >= commands->recent[at].from &&
		     ts < commands->recent[at].to) &&
	    !iot_slow_only())
		return commands->recent[at].str;
	/* slow path */
	return pid ? look_up(commands, pid, ts, strings) : 0;
}
