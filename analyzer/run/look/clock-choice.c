/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/look/clock-choice.h"
#include "run/look/clocks.h"
#include "base/units.h"

guint iot_clock_choice_passes(const struct iot_options *options)
{
	return options->sync == IOT_SYNC_PROTOCOL ? 1 : options->sync == IOT_SYNC_AUTO ? 2 : 0;
}

void iot_clock_choice_clear(struct iot_clock_choice *choice)
{
	for (guint i = 0; choice->changes && i < choice->n; i++)
		iot_clock_change_clear(&choice->changes[i]);
	g_clear_pointer(&choice->changes, g_free);
	g_clear_pointer(&choice->recovered, iot_recovered_free);
}

/* The first inputs are the files; the others are machines of these, and have their clocks. */
static guint n_files(const struct iot_pass *pass)
{
	return pass->options->inputs->len;
}

/* No input has a correction, except those that @keeps, if it is given. */
static void ignore_recorded(struct iot_pass *pass, const gboolean *keeps,
			    struct iot_clock_choice *choice)
{
	choice->n = n_files(pass);
	choice->changes = g_new0(struct iot_clock_change, choice->n + 1);
	for (guint i = 0; i < choice->n; i++)
		if (!keeps || !keeps[i])
			choice->changes[i].method = IOT_CLOCK_CHANGE_NONE;
	pass->clocks = choice->changes;
}

/* ---- looks */

static gboolean leave_out(gpointer unused, const struct iot_item *item, GError **error)
{
	(void)unused;
	(void)item;
	(void)error;
	return TRUE;
}

static gboolean prepare_look(struct iot_pass *pass, struct iot_clock_look *look, GError **error)
{
	pass->aim = IOT_AIM_CLOCKS;
	pass->number++;
	pass->look = look;
	if (!iot_pass_prepare(pass, leave_out, IOT_FEED_WHOLE_SPANS, error))
		return FALSE;
	iot_pass_connect(pass, NULL);
	return TRUE;
}

static const struct iot_clock_facts *facts_at(const struct iot_pass *pass, guint input)
{
	return iot_clocks_facts(pass->at.tl->clocks, input);
}

static guint n_used(const struct iot_pass *pass)
{
	guint n = 0;

	for (guint i = 0; i < iot_inputs_count(pass->at.inputs); i++)
		n += iot_inputs_at(pass->at.inputs, i)->used &&
		     iot_inputs_at(pass->at.inputs, i)->info.machine <= 1;
	return n;
}

/* The messages between files. */
static GArray *find_messages(const struct iot_pass *pass, const struct iot_clock_look *look)
{
	GArray *messages = iot_clock_look_messages(look);
	guint n = 0;

	for (guint i = 0; i < messages->len; i++) {
		struct iot_clock_message message =
			g_array_index(messages, struct iot_clock_message, i);

		message.from = iot_inputs_at(pass->at.inputs, message.from)->recording;
		message.to = iot_inputs_at(pass->at.inputs, message.to)->recording;
		if (message.from != message.to)
			g_array_index(messages, struct iot_clock_message, n++) = message;
	}
	g_array_set_size(messages, n);
	return messages;
}

/* How many inputs that models know have a bound, which @out says of each. */
static guint find_synchronised(const struct iot_pass *pass, gboolean *out)
{
	guint n = 0;

	for (guint i = 0; i < n_files(pass); i++) {
		out[i] = facts_at(pass, i)->knots != NULL;
		n += out[i] && iot_inputs_at(pass->at.inputs, i)->used;
	}
	return n;
}

/* Some message arrives before it was sent, by more than both bounds. */
static gboolean contradict(const struct iot_pass *pass, const GArray *messages)
{
	for (guint i = 0; i < messages->len; i++) {
		const struct iot_clock_message *m =
			&g_array_index(messages, struct iot_clock_message, i);
		guint64 a = iot_clock_facts_bound(facts_at(pass, m->from), m->from_ns);
		guint64 b = iot_clock_facts_bound(facts_at(pass, m->to), m->to_ns);

		if (a == IOT_CLOCK_UNBOUNDED || b == IOT_CLOCK_UNBOUNDED)
			continue;
		if (m->from_ns > m->to_ns && m->from_ns - m->to_ns > a + b)
			return TRUE;
	}
	return FALSE;
}

/*
 * Whether the recorded clocks are as good as they say. Or those of a group of inputs may be, of
 * which @out_keeps says who they are (g_free); NULL: of none.
 */
static gboolean trust_recorded(struct iot_pass *pass, gboolean *out, gboolean **out_keeps,
			       GError **error)
{
	struct iot_clock_look *look = iot_clock_look_new(pass->options->max_open);
	g_autofree gboolean *keeps = g_new0(gboolean, n_files(pass) + 1);
	g_autoptr(GArray) messages = NULL;
	gboolean ok = prepare_look(pass, look, error);
	guint n = ok ? n_used(pass) : 0, n_synchronised = ok ? find_synchronised(pass, keeps) : 0;

	*out = ok && n < 2;
	if (ok && !*out && n_synchronised >= 2) {
		ok = iot_pass_read(pass, error);
		messages = find_messages(pass, look);
		if (ok && !contradict(pass, messages)) {
			*out = n_synchronised == n;
			*out_keeps = g_steal_pointer(&keeps);
		}
	}
	iot_pass_clear(pass);
	iot_clock_look_free(look);
	return ok;
}

/* ---- recovery */

static gint by_name(gconstpointer pa, gconstpointer pb, gpointer inputs)
{
	const struct iot_input *a = iot_inputs_at(inputs, *(const guint32 *)pa);
	const struct iot_input *b = iot_inputs_at(inputs, *(const guint32 *)pb);
	int order = iot_natural_compare(a->name, b->name);

	return order ? order : g_strcmp0(a->info.path, b->info.path);
}

/* The inputs by name, so that results do not depend on the order in which they were named. */
static guint32 *sort_inputs(const struct iot_pass *pass)
{
	guint32 n = n_files(pass);
	guint32 *order = g_new(guint32, n + 1);

	for (guint32 i = 0; i < n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)n, sizeof(*order), by_name, pass->at.inputs);
	return order;
}

/* From positions in @order back to inputs. */
static void restore_order(struct iot_recovered *recovered, const guint32 *order)
{
	struct iot_clock_change *changes = g_new0(struct iot_clock_change, recovered->n_machines + 1);

	for (guint i = 0; i < recovered->n_machines; i++)
		changes[order[i]] = recovered->changes[i];
	g_free(recovered->changes);
	recovered->changes = changes;
	recovered->reference = order[recovered->reference];
	for (guint i = 0; i < recovered->pairs->len; i++) {
		struct iot_recovered_pair *pair =
			&g_array_index(recovered->pairs, struct iot_recovered_pair, i);

		const guint a = order[pair->a], b = order[pair->b];

		pair->a = MIN(a, b);
		pair->b = MAX(a, b);
	}
}

static struct iot_recovered *recover(const struct iot_pass *pass, const gboolean *keeps,
				     GArray *messages)
{
	guint n = n_files(pass);
	g_autofree struct iot_recover_machine *machines = g_new0(struct iot_recover_machine, n + 1);
	g_autofree guint32 *order = sort_inputs(pass), *position = g_new(guint32, n + 1);
	struct iot_recovered *recovered;

	for (guint i = 0; i < n; i++) {
		const struct iot_input_info *info = &iot_inputs_at(pass->at.inputs, order[i])->info;
		const struct iot_clock_facts *facts = facts_at(pass, order[i]);

		position[order[i]] = i;
		machines[i] = (struct iot_recover_machine){
			.begin_ns = info->first_ns,
			.end_ns = MAX(info->last_ns, MAX(info->end_ns, info->seen_ns)),
			.resolution_ns = MAX(facts->resolution_ns, 1),
			.cycles = facts->cycles,
			.known = keeps && keeps[order[i]] ? facts : NULL,
		};
	}
	for (guint i = 0; i < messages->len; i++) {
		struct iot_clock_message *message =
			&g_array_index(messages, struct iot_clock_message, i);

		message->from = position[message->from];
		message->to = position[message->to];
	}
	recovered = iot_clock_recover(
		&(struct iot_recover_config){ machines, n, messages, pass->options->clock });
	restore_order(recovered, order);
	return recovered;
}

/* @keeps: the inputs whose recorded clocks stay; NULL: none */
static gboolean look_and_recover(struct iot_pass *pass, const gboolean *keeps,
				 struct iot_clock_choice *choice, GError **error)
{
	struct iot_clock_look *look = iot_clock_look_new(pass->options->max_open);
	g_autoptr(GArray) messages = NULL;
	gboolean ok;

	ignore_recorded(pass, keeps, choice);
	ok = prepare_look(pass, look, error) && iot_pass_read(pass, error);
	if (ok) {
		messages = find_messages(pass, look);
		choice->n_left_out = iot_clock_look_left_out(look);
		choice->recovered = recover(pass, keeps, messages);
		pass->clocks = choice->recovered->changes;
	}
	iot_pass_clear(pass);
	iot_clock_look_free(look);
	return ok;
}

static gboolean choose(struct iot_pass *pass, struct iot_clock_choice *out, GError **error)
{
	g_autofree gboolean *keeps = NULL;
	gboolean trusted = FALSE;

	if (pass->options->sync == IOT_SYNC_AUTO && !trust_recorded(pass, &trusted, &keeps, error))
		return FALSE;
	return trusted || look_and_recover(pass, keeps, out, error);
}

gboolean iot_clock_choose(struct iot_pass *pass, struct iot_clock_choice *out, GError **error)
{
	const struct iot_options *asked = pass->options;
	g_autoptr(GArray) no_shifts = g_array_new(FALSE, FALSE, sizeof(struct iot_shift));
	struct iot_options whole = *asked;
	gboolean ok;

	if (asked->sync == IOT_SYNC_IGNORED)
		ignore_recorded(pass, NULL, out);
	if (asked->sync != IOT_SYNC_PROTOCOL && asked->sync != IOT_SYNC_AUTO)
		return TRUE;
	/* clocks do not depend on the window, and shifts come after them */
	whole.shifts = no_shifts;
	whole.from = whole.to = NULL;
	whole.no_links = FALSE;
	whole.causality.policy = IOT_CAUSALITY_OFF;
	whole.index = NULL;
	pass->options = &whole;
	ok = choose(pass, out, error);
	pass->options = asked;
	pass->look = NULL;
	return ok;
}

/* ---- results */

void iot_clock_choice_state(const struct iot_clock_choice *choice, const struct iot_pass *pass)
{
	for (guint i = 0; choice->recovered && i < choice->recovered->pairs->len; i++) {
		const struct iot_recovered_pair *pair =
			&g_array_index(choice->recovered->pairs, struct iot_recovered_pair, i);
		struct iot_clock_pair_grade grade = {
			.a = iot_inputs_at(pass->at.inputs, pair->a)->gap.node,
			.b = iot_inputs_at(pass->at.inputs, pair->b)->gap.node,
			.grade = pair->grade,
			.n_messages = pair->n_messages,
			.n_wrong = pair->n_wrong,
			.n_wrong_proved = pair->n_wrong_proved,
		};

		iot_clocks_grade(pass->at.tl->clocks, &grade);
	}
}

void iot_clock_choice_count(const struct iot_clock_choice *choice, struct iot_diag *diag)
{
	const struct iot_recovered *recovered = choice->recovered;

	for (guint i = 0; recovered && i < recovered->n_machines; i++) {
		const struct iot_clock_change *change = &recovered->changes[i];

		iot_diag_add(diag, IOT_DIAG_clock_recovered, change->pairs != NULL);
		iot_diag_add(diag, IOT_DIAG_clock_not_recovered,
			     !change->pairs && !change->is_reference && change->method);
	}
	for (guint i = 0; recovered && i < recovered->pairs->len; i++) {
		const struct iot_recovered_pair *pair =
			&g_array_index(recovered->pairs, struct iot_recovered_pair, i);

		iot_diag_add(diag, IOT_DIAG_clock_pair_contradicted,
			     pair->grade == IOT_CLOCK_CONTRADICTED);
		iot_diag_add(diag, IOT_DIAG_clock_rate_widened, pair->rate_widened);
	}
	iot_diag_add(diag, IOT_DIAG_clock_messages_left_out, choice->n_left_out);
}
