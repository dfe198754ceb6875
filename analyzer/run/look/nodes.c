/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/nodes.h"
#include "base/error.h"
#include "base/units.h"
#include "run/names-file.h"

#include <string.h>

gboolean iot_nodes_input_is(const struct iot_input_info *info, const char *what)
{
	g_autofree char *base = g_path_get_basename(info->path);
	g_autofree char *suffix = g_strconcat("-", what, NULL);

	/* one of several machines of a file, which has another input */
	if (info->machine)
		return !strcmp(what, info->file_name) || !g_strcmp0(what, info->hostname);
	if (info->file_name && g_str_has_suffix(info->file_name, suffix))
		return TRUE; /* trace-cmd record -o run7.dat -A 5 makes run7-5.dat */
	return !g_strcmp0(what, info->file_name) || !g_strcmp0(what, info->hostname) ||
	       !strcmp(what, info->path) || !strcmp(what, base);
}

static char *list_inputs(const struct iot_input_info *const *infos)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; infos[i]; i++)
		g_string_append_printf(text, "%s%s (%s)", i ? ", " : "",
				       infos[i]->file_name ? infos[i]->file_name : infos[i]->path,
				       infos[i]->path);
	return g_string_free(text, FALSE);
}

static gboolean some_input_is(const struct iot_input_info *const *infos, const char *what)
{
	for (guint i = 0; infos[i]; i++)
		if (iot_nodes_input_is(infos[i], what))
			return TRUE;
	return FALSE;
}

static void no_such_input(const struct iot_mapping *mapping,
			  const struct iot_input_info *const *infos, GError **error)
{
	g_autofree char *list = list_inputs(infos);
	g_autofree char *hint = NULL;

	if (some_input_is(infos, mapping->node))
		hint = g_strdup_printf(" (it is NODE=WHAT; did you mean %s=%s?)", mapping->what,
				       mapping->node);
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
		    "--map %s=%s: there is no input \"%s\"%s; the inputs are %s", mapping->node,
		    mapping->what, mapping->what, hint ? hint : "", list);
}

/* Index of the input that a mapping names; -1 and an error if there is none or several. */
static gint find_input(const struct iot_mapping *mapping, const struct iot_input_info *const *infos,
		       GError **error)
{
	guint found = 0;
	gint index = -1;

	for (guint i = 0; infos[i]; i++) {
		if (!iot_nodes_input_is(infos[i], mapping->what))
			continue;
		index = (gint)i;
		found++;
	}
	if (found == 1)
		return index;
	if (found)
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "--map %s=%s fits %u inputs; give the file's path instead of \"%s\"",
			    mapping->node, mapping->what, found, mapping->what);
	else
		no_such_input(mapping, infos, error);
	return -1;
}

/* The recording beside which input @index was made; -1: there is none, or it cannot be told. */
static gint beside(const struct iot_input_info *const *infos, const char *const *boots, guint index)
{
	const struct iot_input_info *info = infos[index];
	g_autofree char *dir = g_path_get_dirname(info->path);
	g_autofree char *full = g_canonicalize_filename(dir, NULL);
	g_autofree char *path = info->beside ? g_canonicalize_filename(info->beside, full) : NULL;
	guint n_named = 0;
	gint named = -1;

	for (guint i = 0; path && infos[i]; i++) {
		g_autofree char *other = g_canonicalize_filename(infos[i]->path, NULL);

		if (infos[i]->beside)
			continue;
		if (!strcmp(path, other))
			return (gint)i;
		/* of several with one name that of the same boot */
		if (iot_nodes_input_is(infos[i], info->beside) &&
		    !(boots[i] && boots[index] && strcmp(boots[i], boots[index]))) {
			named = (gint)i;
			n_named++;
		}
	}
	return n_named == 1 ? named : -1;
}

/* The two recordings are of one machine, as far as they say. */
static gboolean is_same_boot(const struct iot_input_info *const *infos, const char *const *boots,
			     guint a, guint b)
{
	return boots[a] && boots[b] && !strcmp(boots[a], boots[b]) && infos[a]->hostname &&
	       !g_strcmp0(infos[a]->hostname, infos[b]->hostname);
}

/* Both may have the same events. Texts that programs write into a trace are marks, mostly. */
static gboolean share_events(const struct iot_input_info *a, const struct iot_input_info *b)
{
	if (!a->systems || !b->systems)
		return TRUE;
	for (const char *const *system = a->systems; *system; system++)
		if (!**system ||
		    (strcmp(*system, "ftrace") && g_strv_contains(b->systems, *system)))
			return TRUE;
	return FALSE;
}

/* The recording whose node the others of its boot get: one whose events name the node, else the
 * first one. */
static gint first_of_boot(const struct iot_input_info *const *infos, const char *const *boots,
			  const char *const *found, guint index)
{
	gint first = -1;

	for (guint i = 0; infos[i]; i++) {
		if (infos[i]->beside || !(i == index || is_same_boot(infos, boots, i, index)))
			continue;
		if (found[i])
			return (gint)i;
		if (first < 0)
			first = (gint)i;
	}
	return first;
}

/* Recordings of one host and boot are of one machine, unless one of them has events of another. */
static void join_boots(gint *others, const struct iot_input_info *const *infos,
		       const char *const *boots, const char *const *found)
{
	for (guint i = 0; infos[i]; i++) {
		gint first = boots[i] && others[i] < 0 ? first_of_boot(infos, boots, found, i) : -1;
		gboolean alone = TRUE;

		if (first < 0 || (guint)first == i)
			continue;
		for (guint k = 0; alone && infos[k]; k++)
			alone = k == i || !is_same_boot(infos, boots, i, k) ||
				!share_events(infos[i], infos[k]);
		if (alone)
			others[i] = first;
	}
}

static gboolean is_joined(const gint *others, guint a, guint b)
{
	return others[a] == (gint)b || others[b] == (gint)a ||
	       (others[a] >= 0 && others[a] == others[b]);
}

/* What is said of one of two recordings that stand beside each other is said of both. */
static void join_beside(const gint *others, char **nodes, const struct iot_input_info *const *infos)
{
	for (guint i = 0; infos[i]; i++)
		if (others[i] >= 0 && nodes[i] && !nodes[others[i]])
			nodes[others[i]] = g_strdup(nodes[i]);
	for (guint i = 0; infos[i]; i++)
		if (others[i] >= 0 && !nodes[i] && nodes[others[i]])
			nodes[i] = g_strdup(nodes[others[i]]);
}

/*
 * The host name, if it distinguishes the inputs; else the name of the file: guests made from one
 * image have one name, so equal names do not prove one machine.
 */
static char *own_name(const struct iot_input_info *const *infos, const gint *others, guint index,
		      gboolean *out_shared)
{
	const struct iot_input_info *info = infos[index];
	const char *name = info->hostname;

	if (info->is_host || info->sync == IOT_SYNC_HOST)
		return g_strdup("host");
	if (!name || !*name || !strcmp(name, "(none)") || !strcmp(name, "localhost"))
		name = NULL;
	for (guint i = 0; name && infos[i]; i++)
		if (i != index && !is_joined(others, i, index) &&
		    !g_strcmp0(infos[i]->hostname, name))
			*out_shared = TRUE;
	if (*out_shared)
		name = NULL;
	return g_strdup(name ? name : info->file_name ? info->file_name : info->path);
}

static gboolean is_number(const char *node)
{
	return *node && strspn(node, "0123456789") == strlen(node);
}

/* The names in the file of --names: host names are compared only with host names. */
static gboolean claims(gconstpointer recording, const char *what, gboolean host)
{
	const struct iot_input_info *info = recording;

	return host ? !g_strcmp0(info->hostname, what) : iot_nodes_input_is(info, what);
}

/* The file of --names goes before what a recorder has noted, and must agree with --map. */
static gboolean apply_names(const struct iot_names_file *names, const GPtrArray *mappings,
			    char **nodes, const struct iot_input_info *const *infos, GError **error)
{
	gboolean described = mappings && mappings->len &&
			     ((const struct iot_mapping *)mappings->pdata[0])->described;

	for (guint i = 0; infos[i]; i++) {
		const char *node;

		if (!iot_names_file_claim(names, claims, infos[i], infos[i]->path, &node, error))
			return FALSE;
		if (!node)
			continue;
		if (nodes[i] && !described && strcmp(nodes[i], node)) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
				    "--map makes %s node \"%s\", and %s says that it is of node "
				    "\"%s\"",
				    infos[i]->path, nodes[i], iot_names_file_path(names), node);
			return FALSE;
		}
		g_free(nodes[i]);
		nodes[i] = g_strdup(node);
	}
	return TRUE;
}

static gboolean apply_mappings(const GPtrArray *mappings, char **nodes,
			       const struct iot_input_info *const *infos, GError **error)
{
	for (guint i = 0; mappings && i < mappings->len; i++) {
		const struct iot_mapping *mapping = mappings->pdata[i];
		gint index = find_input(mapping, infos, error);

		if (index < 0)
			return FALSE;
		if (nodes[index]) {
			g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
				    "--map makes %s both node \"%s\" and node \"%s\"",
				    infos[index]->path, nodes[index], mapping->node);
			return FALSE;
		}
		nodes[index] = g_strdup(mapping->node);
	}
	return TRUE;
}

/* Name the inputs without --map; two of them must not have the same node in their events. */
static gboolean apply_found(const char *const *found, const gint *others, char **nodes,
			    const struct iot_input_info *const *infos, gboolean *out_shared,
			    GError **error)
{
	for (guint i = 0; infos[i]; i++) {
		for (guint j = 0; j < i; j++) {
			if (nodes[i] || nodes[j] || !found[i] || g_strcmp0(found[i], found[j]))
				continue;
			g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
				    "%s and %s were both recorded on node %s, as their messages "
				    "say; leave one out, or name both with --map NODE=FILE",
				    infos[j]->path, infos[i]->path, found[i]);
			return FALSE;
		}
	}
	for (guint i = 0; infos[i]; i++)
		if (!nodes[i] && others[i] < 0)
			nodes[i] = found[i] ? g_strdup(found[i])
					    : own_name(infos, others, i, &out_shared[i]);
	join_beside(others, nodes, infos);
	return TRUE;
}

/* Tables and clocks know nodes by their names. */
static gboolean check_named(const struct iot_names_file *names, char *const *nodes,
			    const struct iot_input_info *const *infos, GError **error)
{
	for (guint i = 0; names && infos[i]; i++) {
		g_autofree char *name = iot_nodes_display(names, nodes[i]);

		if (!iot_names_file_check_name(names, nodes[i], name, infos[i]->path, error))
			return FALSE;
	}
	return TRUE;
}

/* Several recordings are of one node only if the user says so of each, or they do so themselves. */
static gboolean check_distinct(const gboolean *mapped, const gint *others, char *const *nodes,
			       const struct iot_input_info *const *infos, GError **error)
{
	for (guint i = 0; infos[i]; i++) {
		for (guint j = 0; j < i; j++) {
			if (strcmp(nodes[i], nodes[j]) || (mapped[i] && mapped[j]) ||
			    is_joined(others, i, j))
				continue;
			g_set_error(
				error, IOT_ERROR, IOT_ERROR_USAGE,
				"%s and %s are both node \"%s\"; name them with --map NODE=FILE",
				infos[j]->path, infos[i]->path, nodes[i]);
			return FALSE;
		}
	}
	return TRUE;
}

gboolean iot_nodes_contradict(const char *node, const char *found)
{
	return found && is_number(node) && strcmp(found, node) != 0;
}

gboolean iot_nodes_check_found(char *const *nodes, const char *const *found,
			       const struct iot_input_info *const *infos, GError **error)
{
	for (guint i = 0; infos[i]; i++) {
		if (!iot_nodes_contradict(nodes[i], found[i]))
			continue;
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "%s is mapped to node %s, but its own messages say node %s; correct "
			    "--map or recording.json, or add --force-map",
			    infos[i]->path, nodes[i], found[i]);
		return FALSE;
	}
	return TRUE;
}

/* Not g_strfreev, because the vector may have holes. */
static void free_nodes(char **nodes, const struct iot_input_info *const *infos)
{
	for (guint i = 0; infos[i]; i++)
		g_free(nodes[i]);
	g_free(nodes);
}

char **iot_nodes_resolve(const GPtrArray *mappings, const struct iot_names_file *names,
			 const char *const *found, const char *const *boots,
			 const struct iot_input_info *const *infos, gboolean *out_shared,
			 GError **error)
{
	g_autofree gboolean *mapped = NULL;
	g_autofree gint *others = NULL;
	char **nodes;
	gboolean ok;
	guint n = 0;

	while (infos[n])
		n++;
	nodes = g_new0(char *, n + 1);
	mapped = g_new0(gboolean, n + 1);
	others = g_new0(gint, n + 1);
	for (guint i = 0; i < n; i++)
		others[i] = beside(infos, boots, i);
	join_boots(others, infos, boots, found);
	ok = apply_mappings(mappings, nodes, infos, error) &&
	     apply_names(names, mappings, nodes, infos, error);
	join_beside(others, nodes, infos);
	for (guint i = 0; i < n; i++)
		mapped[i] = nodes[i] != NULL;
	if (ok && apply_found(found, others, nodes, infos, out_shared, error) &&
	    check_distinct(mapped, others, nodes, infos, error) &&
	    check_named(names, nodes, infos, error))
		return nodes;
	free_nodes(nodes, infos);
	return NULL;
}

char *iot_nodes_display(const struct iot_names_file *names, const char *node)
{
	const char *name = iot_names_file_name(names, node);

	if (name)
		return g_strdup(name);
	return is_number(node) ? g_strconcat("node ", node, NULL) : g_strdup(node);
}

static gboolean is_one_of(const char *name, const struct iot_names_file *names, char *const *nodes)
{
	for (; *nodes; nodes++) {
		g_autofree char *display = iot_nodes_display(names, *nodes);

		if (!strcmp(name, *nodes) || !strcmp(name, display))
			return TRUE;
	}
	return FALSE;
}

static int by_name(gconstpointer pa, gconstpointer pb)
{
	return iot_natural_compare(*(const char *const *)pa, *(const char *const *)pb);
}

/* "1, 2, 10, host"; the caller frees */
static char *list_nodes(char *const *nodes)
{
	guint n = g_strv_length((char **)nodes);
	g_autofree char **sorted = g_memdup2(nodes, (n + 1) * sizeof(*nodes));

	guint n_distinct = 0;

	qsort(sorted, n, sizeof(*sorted), by_name);
	for (guint i = 0; i < n; i++) /* several recordings may be of one node */
		if (!n_distinct || strcmp(sorted[n_distinct - 1], sorted[i]))
			sorted[n_distinct++] = sorted[i];
	sorted[n_distinct] = NULL;
	return g_strjoinv(", ", sorted);
}

gboolean iot_nodes_check(const GPtrArray *wanted, const struct iot_names_file *names,
			 char *const *nodes, GError **error)
{
	for (guint i = 0; i < wanted->len; i++) {
		g_autofree char *list = NULL;

		if (is_one_of(wanted->pdata[i], names, nodes) ||
		    iot_names_file_has(names, wanted->pdata[i]))
			continue;
		list = list_nodes(nodes);
		g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE,
			    "--node: there is no node \"%s\"; the nodes are %s",
			    (const char *)wanted->pdata[i], list);
		return FALSE;
	}
	return TRUE;
}
