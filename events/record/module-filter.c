/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "module-filter.h"
#include "mark.h"
#include "base/error.h"

#include <errno.h>
#include <string.h>

static const char parameters[] = "/sys/module/iotrace/parameters", cgroups[] = "/sys/fs/cgroup";

struct filter {
	const char *option, *parameter;
	char *value; /* NULL: not given */
};

/* What the options ask for; free the values. */
static void find_filters(const struct rec_options *options, struct filter out[2])
{
	const char *cgroup = options->cgroup;

	/* the module counts from the root of the tree */
	if (cgroup && g_str_has_prefix(cgroup, cgroups) && cgroup[strlen(cgroups)] == '/')
		cgroup += strlen(cgroups);
	out[0] = (struct filter){ "--cgroup", "cgroup", g_strdup(cgroup) };
	out[1] = (struct filter){ "--mount", "mounts",
				  options->mounts ? g_strjoinv(",", options->mounts) : NULL };
}

static gboolean check(const struct rec_plan *plan, const struct filter *filter, GError **error)
{
	g_autofree char *path = g_build_filename(parameters, filter->parameter, NULL);
	g_autofree char *quoted = g_shell_quote(filter->value);

	if (plan->agents->len)
		return iot_usage_error(
			error,
			"%s: an agent cannot set filters of iotrace.ko; before the recording run "
			"on %s: echo %s > %s",
			filter->option, ((struct rec_machine *)plan->agents->pdata[0])->given,
			quoted, path);
	return g_file_test(path, G_FILE_TEST_EXISTS) ||
	       iot_usage_error(error, "%s: iotrace.ko is not loaded: modprobe iotrace",
			       filter->option);
}

static gboolean set(const struct rec_plan *plan, const struct filter *filter, GError **error)
{
	g_autofree char *path = g_build_filename(parameters, filter->parameter, NULL);
	g_autofree char *line = g_strconcat(filter->value, "\n", NULL);

	if (!rec_mark_file(plan->mark, path, error))
		return FALSE;
	return rec_mark_write(path, line) ||
	       iot_usage_error(error, "%s: iotrace.ko does not accept %s (%s); dmesg says why",
			       filter->option, filter->value, g_strerror(errno));
}

static gboolean for_each(const struct rec_plan *plan,
			 gboolean (*act)(const struct rec_plan *plan, const struct filter *filter,
					 GError **error),
			 GError **error)
{
	struct filter filters[2];
	gboolean ok = TRUE;

	find_filters(plan->options, filters);
	for (guint i = 0; i < G_N_ELEMENTS(filters); i++) {
		ok = ok && (!filters[i].value || act(plan, &filters[i], error));
		g_free(filters[i].value);
	}
	return ok;
}

gboolean rec_module_filter_check(const struct rec_plan *plan, GError **error)
{
	return for_each(plan, check, error);
}

gboolean rec_module_filter_set(const struct rec_plan *plan, GError **error)
{
	return for_each(plan, set, error);
}
