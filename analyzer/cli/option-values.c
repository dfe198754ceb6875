/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/option-values.h"
#include "cli/map-spec.h"
#include "cli/output-spec.h"
#include "analysis/stage.h"
#include "base/error.h"
#include "base/units.h"
#include "input/source.h"
#include "run/names-file.h"
#include "run/tools/follow.h"

#include <string.h>

/* @what: a value that is not empty, for the message */
static gboolean set_text(char **at, const char *value, const char *what, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not %s", what);
	g_free(*at);
	*at = g_strdup(value);
	return TRUE;
}

/* ---- recordings ---- */

gboolean iot_set_map(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) pairs = g_strsplit(value, ",", -1);

	for (guint i = 0; pairs[i]; i++)
		if (!iot_mapping_add(command->options.mappings, pairs[i], error))
			return FALSE;
	return pairs[0] || iot_usage_error(error, "\"\" is not NODE=WHAT, for example 1=5");
}

gboolean iot_set_names(struct iot_command *command, const char *value, GError **error)
{
	g_clear_pointer(&command->options.names, iot_names_file_free);
	command->options.names = iot_names_file_load(value, error);
	return command->options.names != NULL;
}

gboolean iot_set_lockspace(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) names = g_strsplit(value, ",", -1);

	for (guint i = 0; names[i] && *names[i]; i++) {
		g_ptr_array_add(command->options.lockspaces, g_strdup(names[i]));
		if (!names[i + 1])
			return TRUE;
	}
	return iot_usage_error(error, "\"%s\" is not a list of names, for example test,gfs", value);
}

gboolean iot_set_early_end(struct iot_command *command, const char *value, GError **error)
{
	return iot_parse_duration(value, &command->options.early_end_ns, error);
}

gboolean iot_set_sync(struct iot_command *command, const char *value, GError **error)
{
	static const char *const modes[] = { [IOT_SYNC_IGNORED] = "none",
					     [IOT_SYNC_PROTOCOL] = "protocol",
					     [IOT_SYNC_AUTO] = "auto" };

	for (guint i = IOT_SYNC_IGNORED; i < G_N_ELEMENTS(modes); i++) {
		if (strcmp(value, modes[i]))
			continue;
		command->options.sync = i;
		g_clear_pointer(&command->options.sync_file, g_free);
		return TRUE;
	}
	command->options.sync = IOT_SYNC_RECORDED;
	return set_text(&command->options.sync_file, value,
			"the name of a file, protocol, auto or none", error);
}

gboolean iot_set_shift(struct iot_command *command, const char *value, GError **error)
{
	const char *equals = strrchr(value, '=');
	gboolean negative = equals && equals[1] == '-';
	struct iot_shift shift;
	guint64 ns;

	if (!equals || equals == value ||
	    !iot_parse_duration(equals + 1 + (negative || equals[1] == '+'), &ns, NULL))
		return iot_usage_error(error, "\"%s\" is not NODE=TIME, for example 2=-1.5ms",
				       value);
	shift.node = g_strndup(value, (gsize)(equals - value));
	shift.ns = negative ? -(gint64)ns : (gint64)ns;
	g_array_append_val(command->options.shifts, shift);
	return TRUE;
}

static gboolean assume(struct iot_clock_assumed *assumed, const char *name, const char *value,
		       GError **error)
{
	if (!strcmp(name, "ptp"))
		return iot_parse_duration(value, &assumed->ptp_ns, error);
	if (!strcmp(name, "rate"))
		return iot_parse_rate(value, &assumed->rate_ppb, error);
	if (!strcmp(name, "drift"))
		return iot_parse_rate(value, &assumed->drift_ppb, error);
	return iot_usage_error(error, "\"%s\" is not ptp, rate or drift", name);
}

gboolean iot_set_clock_assume(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) pairs = g_strsplit(value, ",", -1);

	for (guint i = 0; i == 0 || pairs[i]; i++) {
		char *equals = pairs[i] ? strchr(pairs[i], '=') : NULL;

		if (!equals)
			return iot_usage_error(error,
					       "\"%s\" is not NAME=VALUE, for example ptp=20us",
					       pairs[i] ? pairs[i] : "");
		*equals = '\0';
		if (!assume(&command->options.clock, pairs[i], equals + 1, error))
			return FALSE;
	}
	return TRUE;
}

gboolean iot_set_clock_error(struct iot_command *command, const char *value, GError **error)
{
	if (strcmp(value, "auto"))
		return iot_parse_duration(value, &command->options.clock_error_ns, error);
	command->options.clock_error_ns = IOT_CLOCK_UNBOUNDED;
	return TRUE;
}

/* "10%" or "0.1", more than 0 and less than 1; result in ppm */
static gboolean parse_share(const char *text, guint32 *out_ppm, GError **error)
{
	char *end;
	double share = g_ascii_strtod(text, &end);

	if (*end == '%' && end[1] == '\0') {
		share /= 100;
		end++;
	}
	if (end == text || *end || !(share > 0 && share < 1))
		return iot_usage_error(
			error, "spread=\"%s\" is not a share between 0 and 1, such as 10%%", text);
	*out_ppm = (guint32)(share * 1e6);
	return TRUE;
}

/* The words of --causality; they can be combined, with a few exceptions. */
enum policy_word { OFF, REPORT, STRICT, HOLD, ROUNDS, ADJUST, N_POLICY_WORDS };

static const char *const policy_words[] = { "off", "report", "strict", "hold", "rounds", "adjust" };

static enum policy_word find_policy(const char *word)
{
	guint policy = 0;

	while (policy < N_POLICY_WORDS && g_strcmp0(word, policy_words[policy]))
		policy++;
	return policy;
}

/* @given: a bit for each policy. FALSE: two of them contradict each other. */
static gboolean check_policies(guint given, GError **error)
{
	static const struct {
		guint one, others;
		const char *why;
	} clashes[] = {
		{ OFF, ~0u, "off looks at no rule" },
		{ REPORT, 1u << HOLD | 1u << ROUNDS | 1u << ADJUST,
		  "report leaves the order as recorded, the other one makes it valid" },
		{ HOLD, 1u << ADJUST, "hold leaves the times as recorded, adjust changes them" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(clashes); i++) {
		guint others = given & clashes[i].others & ~(1u << clashes[i].one);

		if (!(given & 1u << clashes[i].one) || !others)
			continue;
		return iot_usage_error(error, "%s and %s contradict each other: %s",
				       policy_words[clashes[i].one],
				       policy_words[g_bit_nth_lsf(others, -1)], clashes[i].why);
	}
	return TRUE;
}

static void choose_policy(struct iot_causality_choice *choice, guint given)
{
	choice->strict = (given & 1u << STRICT) != 0;
	choice->rounds = (given & 1u << ROUNDS) != 0;
	choice->policy = IOT_CAUSALITY_REPORT;
	if (given & 1u << OFF)
		choice->policy = IOT_CAUSALITY_OFF;
	else if (given & 1u << ADJUST)
		choice->policy = IOT_CAUSALITY_ADJUST;
	else if (given & (1u << HOLD | 1u << ROUNDS))
		choice->policy = IOT_CAUSALITY_HOLD;
}

gboolean iot_set_causality(struct iot_command *command, const char *value, GError **error)
{
	struct iot_causality_choice *choice = &command->options.causality;
	g_auto(GStrv) words = g_strsplit(value, ",", -1);
	const char *of_adjust = NULL, *back = NULL;
	guint given = 0;

	if (find_policy(words[0]) == N_POLICY_WORDS)
		return iot_usage_error(error,
				       "\"%s\" is no policy of causality; there are report, hold, "
				       "adjust, rounds, strict and off",
				       words[0] ? words[0] : "");
	*choice = (struct iot_causality_choice){ .back_ns = 1000000000 };
	for (guint i = 0; words[i]; i++) {
		enum policy_word policy = find_policy(words[i]);
		guint32 ppm = 100000;

		if (policy < N_POLICY_WORDS && given & 1u << policy)
			return iot_usage_error(error, "%s is named twice", words[i]);
		if (policy < N_POLICY_WORDS) {
			given |= 1u << policy;
		} else if (g_str_has_prefix(words[i], "hold=")) {
			if (!iot_parse_duration(words[i] + 5, &choice->hold_ns, error))
				return FALSE;
			if (!choice->hold_ns)
				return iot_usage_error(error, "hold=0: nothing would ever wait");
		} else if (!strcmp(words[i], "inside")) {
			choice->inside = TRUE;
		} else if (!strcmp(words[i], "spread") || g_str_has_prefix(words[i], "spread=")) {
			if (words[i][6] && !parse_share(words[i] + 7, &ppm, error))
				return FALSE;
			choice->keep_ppm = 1000000 - ppm;
			of_adjust = words[i];
		} else if (g_str_has_prefix(words[i], "back=")) {
			if (!iot_parse_duration(words[i] + 5, &choice->back_ns, error))
				return FALSE;
			back = of_adjust = words[i];
		} else {
			return iot_usage_error(error, "\"%s\" does not belong to the policy %s",
					       words[i], words[0]);
		}
	}
	if (!check_policies(given, error))
		return FALSE;
	if (of_adjust && !(given & 1u << ADJUST))
		return iot_usage_error(error, "\"%s\" does not belong to the policy %s", of_adjust,
				       words[0]);
	if (back && !choice->keep_ppm)
		return iot_usage_error(error, "\"%s\" says how far spread looks back: add spread",
				       back);
	choose_policy(choice, given);
	return TRUE;
}

gboolean iot_set_reader(struct iot_command *command, const char *value, GError **error)
{
	(void)error;
	g_free(command->options.reader);
	command->options.reader = g_strdup(value);
	return TRUE;
}

/* ---- models ---- */

gboolean iot_set_model(struct iot_command *command, const char *value, GError **error)
{
	GPtrArray *models = command->options.models;

	if (!*value)
		return iot_usage_error(error, "\"\" is not the name or file of a model");
	if (g_ptr_array_find_with_equal_func(models, value, g_str_equal, NULL))
		return iot_usage_error(error, "\"%s\" is given twice", value);
	g_ptr_array_add(models, g_strdup(value));
	return TRUE;
}

/* The parser has checked the value against the table of analyses. */
gboolean iot_set_derive(struct iot_command *command, const char *value, GError **error)
{
	GPtrArray *derive = command->options.derive;

	(void)error;
	if (!g_ptr_array_find_with_equal_func(derive, value, g_str_equal, NULL))
		g_ptr_array_add(derive, g_strdup(value));
	return TRUE;
}

gboolean iot_set_limits(struct iot_command *command, const char *value, GError **error)
{
	return set_text(&command->limits, value, "the name of a file", error);
}

gboolean iot_set_check_model(struct iot_command *command, const char *value, GError **error)
{
	command->action = IOT_ACTION_CHECK_MODEL;
	return set_text(&command->check_model, value, "the file of a model", error);
}

gboolean iot_set_model_events(struct iot_command *command, const char *value, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not the name or file of a model");
	g_free(command->events_of);
	command->events_of = g_strdup(value);
	command->action = IOT_ACTION_MODEL_EVENTS;
	return TRUE;
}

/* ---- selection ---- */

static gboolean add_glob(GPtrArray *globs, const char *value, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not a pattern, for example \"*/res0?\"");
	g_ptr_array_add(globs, g_strdup(value));
	return TRUE;
}

gboolean iot_set_select(struct iot_command *command, const char *value, GError **error)
{
	return add_glob(command->options.select, value, error);
}

gboolean iot_set_exclude(struct iot_command *command, const char *value, GError **error)
{
	return add_glob(command->options.exclude, value, error);
}

gboolean iot_set_node(struct iot_command *command, const char *value, GError **error)
{
	g_auto(GStrv) names = g_strsplit(value, ",", -1);

	for (guint i = 0; names[i]; i++) {
		if (!*g_strstrip(names[i]))
			break;
		g_ptr_array_add(command->options.nodes, g_strdup(names[i]));
		if (!names[i + 1])
			return TRUE;
	}
	return iot_usage_error(error, "\"%s\" is not a list of nodes, for example 1,3", value);
}

gboolean iot_set_kind(struct iot_command *command, const char *value, GError **error)
{
	if (!*value)
		return iot_usage_error(error, "\"\" is not a kind, for example write, or wait");
	g_ptr_array_add(command->options.kinds, g_strdup(value));
	return TRUE;
}

/* Only stored here, as run/ knows how to read it. */
gboolean iot_set_follow(struct iot_command *command, const char *value, GError **error)
{
	struct iot_follow *follow = iot_follow_new(value, error);

	if (!follow)
		return FALSE;
	iot_follow_free(follow);
	g_free(command->options.follow);
	command->options.follow = g_strdup(value);
	return TRUE;
}

static gboolean parse_number(const char *value, guint min, guint max, guint *out, GError **error)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(value, 10, min, max, &number, NULL))
		return iot_usage_error(error, "\"%s\" is not a whole number from %u to %u", value,
				       min, max);
	*out = (guint)number;
	return TRUE;
}

gboolean iot_set_top(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 1, G_MAXINT32, &command->options.top, error);
}

/* Only checked here, as the pipeline knows the begin of the recording. */
static gboolean set_instant(char **out, const char *value, GError **error)
{
	guint64 ns;

	if (!iot_parse_instant(value, 0, &ns, error))
		return FALSE;
	g_free(*out);
	*out = g_strdup(value);
	return TRUE;
}

gboolean iot_set_from(struct iot_command *command, const char *value, GError **error)
{
	return set_instant(&command->options.from, value, error);
}

gboolean iot_set_to(struct iot_command *command, const char *value, GError **error)
{
	return set_instant(&command->options.to, value, error);
}

gboolean iot_set_slower_than(struct iot_command *command, const char *value, GError **error)
{
	return iot_parse_duration(value, &command->options.slower_than_ns, error);
}

gboolean iot_set_index(struct iot_command *command, const char *value, GError **error)
{
	return set_text(&command->options.index, value, "auto, off or the name of a file", error);
}

/* ---- outputs ---- */
gboolean iot_set_output(struct iot_command *command, const char *value, GError **error)
{
	struct iot_output *output = iot_output_parse(value, error);

	if (output)
		g_ptr_array_add(command->options.outputs, output);
	return output != NULL;
}

gboolean iot_set_sort(struct iot_command *command, const char *value, GError **error)
{
	g_autofree char *text = g_strdup_printf("sort=%s", value);

	return iot_sink_options_add(&iot_sink_list, command->list_options, text, error);
}

gboolean iot_set_tsv(struct iot_command *command, const char *value, GError **error)
{
	(void)value;
	return iot_sink_options_add(&iot_sink_list, command->list_options, "tsv", error);
}

/* ---- checks, limits, general ---- */

gboolean iot_set_cut(struct iot_command *command, const char *value, GError **error)
{
	g_autofree char *number = g_strndup(value, strcspn(value, ":"));
	const char *folder = value + strlen(number);

	if (!parse_number(number, 1, G_MAXINT32, &command->options.cut, error))
		return FALSE;
	if (*folder &&
	    !set_text(&command->options.cut_folder, folder + 1, "the name of a folder", error))
		return FALSE;
	for (gsize n = *folder ? strlen(folder) - 1 : 0; n > 1 && folder[n] == '/'; n--)
		command->options.cut_folder[n - 1] = '\0';
	return TRUE;
}

gboolean iot_set_threads(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 0, 1024, &command->options.threads, error);
}

gboolean iot_set_memory(struct iot_command *command, const char *value, GError **error)
{
	guint64 bytes;

	if (!iot_parse_size(value, &bytes, error))
		return FALSE;
	if (bytes < 4096)
		return iot_usage_error(error, "\"%s\" is not enough; at least 4K", value);
	command->options.memory = bytes;
	return TRUE;
}

gboolean iot_set_max_open(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 1, G_MAXINT32, &command->options.max_open, error);
}

gboolean iot_set_max_containers(struct iot_command *command, const char *value, GError **error)
{
	return parse_number(value, 1, 1 << 26, &command->options.max_containers, error);
}

/* The parser has checked the value against the choices of the row. */
gboolean iot_set_colour(struct iot_command *command, const char *value, GError **error)
{
	(void)error;
	command->colour = !strcmp(value, "always")  ? IOT_COLOUR_ALWAYS
			  : !strcmp(value, "never") ? IOT_COLOUR_NEVER
						    : IOT_COLOUR_AUTO;
	return TRUE;
}
