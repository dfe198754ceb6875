/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/facts.h"
#include "model/proof.h"

#include <string.h>

/*
 * Limits of the first look. Commands, records for each rule and run: tasks are switched all the
 * time, so a long-running one is seen soon. Nodes, records for each recording: if they differ, none
 * is believed.
 */
enum { MAX_COMMANDS = 4096, MAX_NODES = 64 };
enum { MAX_TEXT = 255, N_RECENT = 64 };

enum rule_kind { RULE_NODE, RULE_COMMAND, RULE_NAME };

struct rule {
	enum rule_kind kind;
	/* index in the schema */
	guint event;
	/* of the number or text; of the process, -1: the event's own */
	int slot, pid_slot;
	/* records so far, of the run */
	guint n;
	/* any of any run */
	gboolean seen;
	/* of the same event */
	struct rule *next;
	/* RULE_NAME */
	struct iot_find find;
	struct proved *proved;
};

/* Sections [names] of one name and proof. */
struct proved {
	char *section, *said;
	struct iot_proof *proof;
	/* number -> text; "" if several texts have the same checksum */
	GHashTable *texts;
};

struct input {
	char *node;
	gboolean differs;
	guint n_nodes;
	struct iot_commands *commands;
};

struct iot_facts {
	struct iot_schema *schema;
	GPtrArray *rules;  /* of struct rule */
	GPtrArray *proved; /* of struct proved */
	guint n_inputs;
	struct input *inputs;
	/* the input of the current run */
	guint input;
	/* any of its records may contain a name */
	gboolean finds;
	/* names of the current run that were noted last, by pid; pid 0: none */
	struct {
		gint32 pid;
		guint32 str;
	} recent[N_RECENT];
	/* by rule: the input may have the event */
	gboolean *wanted;
	/* by event: its first rule */
	struct rule **of_event;
};

static void rule_free(gpointer data)
{
	struct rule *rule = data;

	iot_find_clear(&rule->find);
	g_free(rule);
}

static void proved_free(gpointer data)
{
	struct proved *proved = data;

	g_free(proved->section);
	g_free(proved->said);
	iot_proof_free(proved->proof);
	g_hash_table_unref(proved->texts);
	g_free(proved);
}

struct iot_facts *iot_facts_new(guint n_inputs)
{
	struct iot_facts *facts = g_new0(struct iot_facts, 1);

	facts->schema = iot_schema_new();
	facts->rules = g_ptr_array_new_with_free_func(rule_free);
	facts->proved = g_ptr_array_new_with_free_func(proved_free);
	facts->n_inputs = n_inputs;
	facts->inputs = g_new0(struct input, n_inputs + 1);
	for (guint i = 0; i < n_inputs; i++)
		facts->inputs[i].commands = iot_commands_new();
	return facts;
}

void iot_facts_free(struct iot_facts *facts)
{
	if (!facts)
		return;
	for (guint i = 0; i < facts->n_inputs; i++) {
		g_free(facts->inputs[i].node);
		iot_commands_free(facts->inputs[i].commands);
	}
	g_ptr_array_unref(facts->rules);
	g_ptr_array_unref(facts->proved);
	iot_schema_free(facts->schema);
	g_free(facts->inputs);
	g_free(facts->wanted);
	g_free(facts->of_event);
	g_free(facts);
}

/* ---- facts that models ask for */

/* The model that asks for facts. */
struct asker {
	struct iot_facts *facts;
	/* of events without one of their own */
	const char *system;
	GError **error;
};

/* Set the event of a rule, "EVENT" or "SYSTEM:EVENT", and return the slot of its field. */
static int add_field(const struct asker *asker, struct rule *rule, const char *event,
		     const char *field)
{
	const char *colon = strchr(event, ':');
	g_autofree char *system =
		colon ? g_strndup(event, (gsize)(colon - event)) : g_strdup(asker->system);
	struct iot_schema_event *wanted =
		iot_schema_event(asker->facts->schema, system, colon ? colon + 1 : event);

	rule->event = wanted->index;
	return iot_schema_field(wanted, field, FALSE, "a first look");
}

static struct rule *add_rule(struct iot_facts *facts, enum rule_kind kind)
{
	struct rule *rule = g_new0(struct rule, 1);

	rule->kind = kind;
	rule->pid_slot = -1;
	g_ptr_array_add(facts->rules, rule);
	return rule;
}

/* The @n words of a setting; NULL and an error if there are more or fewer. */
static char **take_words(const struct asker *asker, const struct iot_setting *setting, guint n,
			 const char *expected)
{
	g_auto(GStrv) words = g_strsplit_set(setting->value, " \t", -1);
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; words[i]; i++)
		if (*words[i])
			g_ptr_array_add(list, words[i]);
	if (list->len != n) {
		iot_setting_error(setting, 0, asker->error, "%s expected", expected);
		return NULL;
	}
	g_ptr_array_add(list, NULL);
	return g_strdupv((char **)list->pdata);
}

static gboolean add_node(const struct asker *asker, const struct iot_setting *setting)
{
	g_auto(GStrv) words = take_words(asker, setting, 2, "an event and its field");
	struct rule *rule;

	if (!words)
		return FALSE;
	rule = add_rule(asker->facts, RULE_NODE);
	rule->slot = add_field(asker, rule, words[0], words[1]);
	return TRUE;
}

static gboolean add_command(const struct asker *asker, const struct iot_setting *setting)
{
	g_auto(GStrv) words = take_words(
		asker, setting, 3, "an event, @pid or a field of it, and the field of the name");
	struct rule *rule;

	if (!words)
		return FALSE;
	rule = add_rule(asker->facts, RULE_COMMAND);
	if (strcmp(words[1], "@pid"))
		rule->pid_slot = add_field(asker, rule, words[0], words[1]);
	rule->slot = add_field(asker, rule, words[0], words[2]);
	return TRUE;
}

static struct proved *find_proved(const struct iot_facts *facts, const char *section,
				  const char *said)
{
	for (guint i = 0; i < facts->proved->len; i++) {
		struct proved *proved = facts->proved->pdata[i];

		if (!strcmp(proved->section, section) && !strcmp(proved->said, said))
			return proved;
	}
	return NULL;
}

static gboolean add_proof(const struct asker *asker, const struct iot_section *section,
			  struct proved **out)
{
	const struct iot_setting *setting = iot_section_get(section, "proof");
	struct iot_proof *proof = iot_proof_parse(setting, asker->error);

	if (!proof)
		return FALSE;
	*out = find_proved(asker->facts, section->name, setting->value);
	if (*out) {
		iot_proof_free(proof);
		return TRUE;
	}
	*out = g_new0(struct proved, 1);
	(*out)->section = g_strdup(section->name);
	(*out)->said = g_strdup(setting->value);
	(*out)->proof = proof;
	(*out)->texts = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_ptr_array_add(asker->facts->proved, *out);
	return TRUE;
}

static gboolean add_find(const struct asker *asker, const struct iot_setting *setting,
			 struct proved *proved)
{
	struct iot_find find = { 0 };
	struct rule *rule;

	if (!iot_find_parse(setting, &find, asker->error))
		return FALSE;
	rule = add_rule(asker->facts, RULE_NAME);
	rule->find = find;
	rule->proved = proved;
	rule->slot = add_field(asker, rule, find.event, find.field);
	return TRUE;
}

static gboolean add_section(const struct asker *asker, const struct iot_section *section)
{
	struct proved *proved = NULL;
	gboolean ok = TRUE;

	if (!strcmp(section->kind, "names") && iot_section_get(section, "proof"))
		ok = add_proof(asker, section, &proved);
	for (guint i = 0; ok && i < section->settings->len; i++) {
		const struct iot_setting *setting = section->settings->pdata[i];

		if (!strcmp(section->kind, "node"))
			ok = add_node(asker, setting);
		else if (!strcmp(section->kind, "commands"))
			ok = add_command(asker, setting);
		else if (proved && g_str_has_prefix(setting->key, "find "))
			ok = add_find(asker, setting, proved);
	}
	return ok;
}

gboolean iot_facts_check(const struct iot_section *section, GError **error)
{
	g_autoptr(iot_facts) facts = iot_facts_new(0);

	return add_section(&(struct asker){ facts, "", error }, section);
}

gboolean iot_facts_add_model(struct iot_facts *facts, const struct iot_model_file *file,
			     GError **error)
{
	const struct iot_setting *system =
		file->sections->len ? iot_section_get(file->sections->pdata[0], "system") : NULL;

	/* other errors are reported when the model is loaded */
	for (guint i = 0; system && i < file->sections->len; i++)
		if (!add_section(&(struct asker){ facts, system->value, error },
				 file->sections->pdata[i]))
			return FALSE;
	return TRUE;
}

const struct iot_schema *iot_facts_schema(const struct iot_facts *facts)
{
	return facts->schema;
}

/* ---- looking */

static gboolean has_system(const char *const *systems, const char *system)
{
	return !systems || !systems[0] || !systems[0][0] || g_strv_contains(systems, system);
}

static void sort_by_event(struct iot_facts *facts)
{
	facts->of_event = g_new0(struct rule *, facts->schema->events->len + 1);
	for (guint i = facts->rules->len; i-- > 0;) {
		struct rule *rule = facts->rules->pdata[i];

		rule->next = facts->of_event[rule->event];
		facts->of_event[rule->event] = rule;
	}
}

gboolean iot_facts_begin(struct iot_facts *facts, guint input, const char *const *systems)
{
	gboolean any = FALSE;

	if (!facts->of_event)
		sort_by_event(facts);
	facts->input = input;
	facts->finds = FALSE;
	memset(facts->recent, 0, sizeof(facts->recent));
	g_free(facts->wanted);
	facts->wanted = g_new0(gboolean, facts->rules->len + 1);
	for (guint i = 0; i < facts->rules->len; i++) {
		struct rule *rule = facts->rules->pdata[i];
		const struct iot_schema_event *event = facts->schema->events->pdata[rule->event];

		rule->n = 0;
		facts->wanted[i] = has_system(systems, event->system);
		any |= facts->wanted[i];
		facts->finds |= facts->wanted[i] && rule->kind == RULE_NAME;
	}
	return any;
}

static const char *text_of(const struct iot_rec *rec, int slot, const struct iot_intern *strings)
{
	if (slot < 0 || rec->event->slot_type[slot] != IOT_SLOT_STR)
		return "";
	return iot_intern_get(strings, (guint32)rec->slot[slot].u, NULL);
}

static gboolean number_of(const struct iot_rec *rec, int slot, gint64 *out)
{
	if (slot < 0 || (rec->event->slot_type[slot] != IOT_SLOT_INT &&
			 rec->event->slot_type[slot] != IOT_SLOT_UINT))
		return FALSE;
	*out = rec->slot[slot].i;
	return TRUE;
}

static void note_node(struct input *input, const struct iot_rec *rec, int slot)
{
	g_autofree char *text = NULL;
	gint64 number;

	if (!number_of(rec, slot, &number) || input->n_nodes == MAX_NODES)
		return;
	input->n_nodes++;
	text = g_strdup_printf("%" G_GINT64_FORMAT, number);
	if (!input->node)
		input->node = g_steal_pointer(&text);
	else if (strcmp(input->node, text))
		input->differs = TRUE;
}

static void note_command(struct iot_facts *facts, const struct rule *rule,
			 const struct iot_rec *rec, const struct iot_intern *strings)
{
	gint64 pid = rec->pid;
	guint32 str;
	guint at;

	if (rule->slot < 0 || rec->event->slot_type[rule->slot] != IOT_SLOT_STR ||
	    (rule->pid_slot >= 0 && !number_of(rec, rule->pid_slot, &pid)))
		return;
	/* most events repeat the name */
	str = (guint32)rec->slot[rule->slot].u;
	at = (guint)pid % N_RECENT;
	if (facts->recent[at].pid == (gint32)pid && facts->recent[at].str == str)
		return;
	facts->recent[at].pid = (gint32)pid;
	facts->recent[at].str = str;
	iot_commands_add(facts->inputs[facts->input].commands, (gint32)pid, MAX(rec->ts, 1),
			 iot_intern_get(strings, str, NULL));
}

static void note_text(struct proved *proved, const char *text, gsize len)
{
	gpointer number;
	g_autofree char *copy = g_strndup(text, len);
	const char *known;

	if (!len || len > MAX_TEXT)
		return;
	number = GUINT_TO_POINTER(iot_proof_number(proved->proof, text, len));
	known = g_hash_table_lookup(proved->texts, number);
	if (known && !strcmp(known, copy))
		return;
	g_hash_table_insert(proved->texts, number, known ? g_strdup("") : g_steal_pointer(&copy));
}

static void note_name(const struct rule *rule, const struct iot_rec *rec,
		      const struct iot_intern *strings)
{
	const char *text;
	gsize len;

	if (iot_proof_match(rule->find.pattern, text_of(rec, rule->slot, strings), &text, &len))
		note_text(rule->proved, text, len);
}

void iot_facts_record(struct iot_facts *facts, const struct iot_rec *rec,
		      const struct iot_intern *strings)
{
	struct input *input = &facts->inputs[facts->input];

	for (struct rule *rule = facts->of_event[rec->event->index]; rule; rule = rule->next) {
		rule->seen = TRUE;
		if (rule->kind == RULE_NODE)
			note_node(input, rec, rule->slot);
		else if (rule->kind == RULE_NAME)
			note_name(rule, rec, strings);
		else if (rule->n++ < MAX_COMMANDS)
			note_command(facts, rule, rec, strings);
	}
}

gboolean iot_facts_seen(const struct iot_facts *facts, const char *system, const char *event)
{
	const struct iot_schema_event *asked = iot_schema_find(facts->schema, system, event);

	for (guint i = 0; asked && i < facts->rules->len; i++) {
		const struct rule *rule = facts->rules->pdata[i];

		if (rule->event == asked->index && rule->seen)
			return TRUE;
	}
	return FALSE;
}

/* Stop after thousands of records without a wanted event: some events that name commands are never
 * recorded. */
gboolean iot_facts_enough(const struct iot_facts *facts)
{
	gboolean commands = FALSE, many = FALSE;

	if (facts->finds)
		return FALSE;
	for (guint i = 0; i < facts->rules->len; i++) {
		const struct rule *rule = facts->rules->pdata[i];

		if (!facts->wanted[i])
			continue;
		if (rule->kind == RULE_NODE && facts->inputs[facts->input].n_nodes < MAX_NODES)
			return FALSE;
		commands |= rule->kind == RULE_COMMAND;
		many |= rule->kind == RULE_COMMAND && rule->n >= MAX_COMMANDS;
	}
	return many || !commands;
}

void iot_facts_candidate(struct iot_facts *facts, const char *names, const char *text)
{
	for (guint i = 0; i < facts->proved->len; i++) {
		struct proved *proved = facts->proved->pdata[i];

		if (!strcmp(proved->section, names))
			note_text(proved, text, strlen(text));
	}
}

void iot_facts_command_lines(struct iot_facts *facts, guint input, const char *lines)
{
	iot_commands_add_lines(facts->inputs[input].commands, lines);
}

void iot_facts_end(struct iot_facts *facts)
{
	for (guint i = 0; i < facts->n_inputs; i++)
		facts->inputs[i].commands = iot_commands_end(facts->inputs[i].commands);
}

/* ---- results */

const char *iot_facts_node(const struct iot_facts *facts, guint input)
{
	return facts->inputs[input].differs ? NULL : facts->inputs[input].node;
}

struct iot_commands *iot_facts_commands(const struct iot_facts *facts, guint input)
{
	return facts->inputs[input].commands;
}

void iot_facts_fill(const struct iot_facts *facts, const struct iot_section *section,
		    struct iot_names *names)
{
	const struct iot_setting *proof = iot_section_get(section, "proof");
	const struct proved *proved =
		proof ? find_proved(facts, section->name, proof->value) : NULL;
	GHashTableIter iter;
	gpointer number, text;

	if (!proved)
		return;
	/* the order does not matter: each is a number of its own */
	g_hash_table_iter_init(&iter, proved->texts);
	while (g_hash_table_iter_next(&iter, &number, &text))
		if (*(const char *)text)
			iot_names_add(names, (gint64)GPOINTER_TO_UINT(number), text);
}
