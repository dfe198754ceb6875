/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles [order]. */
#include "language/order-rule.h"
#include "base/error.h"
#include "base/units.h"

#include <string.h>

#define DEFAULT_HOLD_NS G_GUINT64_CONSTANT(1000000000)

const char *const iot_order_keys[] = { "link",	  "effect",    "when",	  "key",      "key *",
				       "cause",	  "cause *",   "when *",  "number *", "wants *",
				       "count *", "initial *", "until *", "needs",    "node",
				       "hold",	  "once",      "unique",  "final",    "queue",
				       "begins",  "ends",      NULL };

static void use_free(gpointer data)
{
	struct iot_order_use *use = data;

	for (guint i = 0; i < IOT_ORDER_KEYS; i++)
		iot_expr_free(use->key[i]);
	for (guint i = 0; i < IOT_ORDER_CAUSES; i++)
		iot_expr_free(use->wants[i]);
	iot_expr_free(use->when);
	iot_expr_free(use->number);
	iot_expr_free(use->node);
	g_free(use->place);
	g_free(use);
}

/* While one section is compiled. */
struct parse {
	struct iot_order_rules *rules;
	struct iot_order_rule *rule;
	const struct iot_order_context *context;
	const struct iot_section *section;
	const struct iot_section *link; /* NULL: the rule has events of its own */
	GPtrArray *effects;		/* of struct iot_order_use */
	GHashTable *aliases; /* of the side of the link, while it is compiled; NULL: none */
	GError **error;
};

static const struct iot_setting *get(const struct parse *p, const char *key)
{
	return iot_section_get(p->section, key);
}

static const struct iot_setting *get_of(const struct parse *p, const char *key, const char *name)
{
	g_autofree char *full = g_strdup_printf("%s %s", key, name);

	return get(p, full);
}

/* ---- events */

static const struct iot_section *find_section(const struct parse *p, const char *kind,
					      const char *name)
{
	for (guint i = 0; i < p->context->file->sections->len; i++) {
		const struct iot_section *section = p->context->file->sections->pdata[i];

		if (!strcmp(section->kind, kind) && !strcmp(section->name, name))
			return section;
	}
	return NULL;
}

static gboolean is_word_char(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static gboolean has_word(const char *text, const char *word)
{
	gsize len = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || !is_word_char(at[-1])) && !is_word_char(at[len]))
			return TRUE;
	return FALSE;
}

/* Whether a section of another kind than [order] has the word in a value. */
static gboolean is_named_elsewhere(const struct iot_model_file *file, const char *word)
{
	for (guint i = 0; i < file->sections->len; i++) {
		const struct iot_section *section = file->sections->pdata[i];

		for (guint k = 0; strcmp(section->kind, "order") && k < section->settings->len;
		     k++) {
			const struct iot_setting *setting = section->settings->pdata[k];

			if (has_word(setting->value, word))
				return TRUE;
		}
	}
	return FALSE;
}

/* The event of @len characters at @offset of the setting. NULL and an error: it is no name. */
static struct iot_schema_event *find_event(const struct parse *p, const struct iot_setting *setting,
					   gsize offset, gsize len)
{
	g_autofree char *word = g_strndup(setting->value + offset, len);
	char *colon = strchr(word, ':');
	const char *event = colon ? colon + 1 : word;

	if (find_section(p, "role", word)) {
		iot_setting_error(setting, offset, p->error,
				  "[order] wants events of recordings; \"%s\" is a [role]", word);
		return NULL;
	}
	if (!iot_scope_is_field_name(event)) {
		iot_setting_error(setting, offset, p->error, "\"%s\" is not the name of an event",
				  word);
		return NULL;
	}
	if (colon)
		*colon = 0;
	return iot_schema_event(p->context->schema, colon ? word : p->context->system, event);
}

static struct iot_order_use *add_use(const struct parse *p, enum iot_order_part part, guint cause,
				     struct iot_schema_event *event)
{
	struct iot_order_use *use = g_new0(struct iot_order_use, 1);
	GPtrArray *by_event = p->rules->by_event;

	use->rule = p->rule;
	use->part = part;
	use->cause = cause;
	use->event = event;
	if (by_event->len <= event->index)
		g_ptr_array_set_size(by_event, (gint)event->index + 1);
	if (!by_event->pdata[event->index])
		by_event->pdata[event->index] = g_ptr_array_new_with_free_func(use_free);
	/* effects are judged before the event counts as a cause */
	g_ptr_array_insert(by_event->pdata[event->index], part == IOT_ORDER_EFFECT ? 0 : -1, use);
	if (part == IOT_ORDER_EFFECT)
		g_ptr_array_add(p->effects, use);
	return use;
}

/* ---- expressions */

static struct iot_expr *compile(const struct parse *p, const struct iot_order_use *use,
				const struct iot_setting *setting, gsize at, gsize len,
				enum iot_expr_type type)
{
	struct iot_scope_events scope = { .event = { use->event },
					  .tl = p->context->tl,
					  .aliases = p->aliases,
					  .required = TRUE };

	if (p->link)
		scope.own = use->part == IOT_ORDER_EFFECT ? "to." : "from.";
	g_snprintf(scope.needed_by, sizeof(scope.needed_by), "%s:%u [order %s]", p->context->model,
		   p->section->line, p->section->name);
	return iot_expr_compile_as(setting, at, len, &scope, type, p->error);
}

/* Compile the whole value; TRUE with *out NULL if there is no setting. */
static gboolean compile_optional(const struct parse *p, const struct iot_order_use *use,
				 const struct iot_setting *setting, enum iot_expr_type type,
				 struct iot_expr **out)
{
	if (!setting)
		return TRUE;
	*out = compile(p, use, setting, 0, strlen(setting->value), type);
	return *out != NULL;
}

static gboolean compare_types(const struct parse *p, const struct iot_order_use *use,
			      const struct iot_setting *key)
{
	static const char *const words[] = { "a number", "a text", "" };
	const struct iot_order_use *effect = p->effects->pdata[0];

	for (guint i = 0; i < p->rule->n_keys && effect != use; i++) {
		enum iot_expr_type here = iot_expr_type(use->key[i], NULL);
		enum iot_expr_type there = iot_expr_type(effect->key[i], NULL);

		if (here != there && here != IOT_EXPR_UNKNOWN && there != IOT_EXPR_UNKNOWN)
			return iot_setting_error(key, 0, p->error,
						 "value %u of the key is %s for %s, but %s for %s: "
						 "they are never equal",
						 i + 1, words[here], use->event->name, words[there],
						 effect->event->name);
		if (use->part == IOT_ORDER_CAUSE)
			p->rule->local |=
				iot_expr_is_node(use->key[i]) && iot_expr_is_node(effect->key[i]);
	}
	return TRUE;
}

static gboolean build_key(const struct parse *p, struct iot_order_use *use,
			  const struct iot_setting *key)
{
	const char *value = key->value;
	guint n = 0;

	for (gsize at = strspn(value, " \t"), len; value[at]; at += strspn(value + at, " \t")) {
		len = iot_expr_word(value + at, strlen(value + at));
		if (n == IOT_ORDER_KEYS)
			return iot_setting_error(key, at, p->error, "more than %d values",
						 IOT_ORDER_KEYS);
		use->key[n] = compile(p, use, key, at, len, IOT_EXPR_UNKNOWN);
		if (!use->key[n++])
			return FALSE;
		at += len;
	}
	if (p->effects->len == 1 && p->effects->pdata[0] == use)
		p->rule->n_keys = n;
	if (n != p->rule->n_keys)
		return iot_setting_error(key, 0, p->error,
					 "the key has %u values here, but %u for the effect", n,
					 p->rule->n_keys);
	return compare_types(p, use, key);
}

/* ---- "cause NAME = EVENT ..." with its key, condition and number */

/* The part of a rule that the events of a setting play, and the settings that go with them; when
 * and number may be NULL. */
struct part {
	enum iot_order_part kind;
	guint cause;
	const struct iot_setting *key, *when, *number;
};

/* All events in the value of @setting play this part. */
static gboolean build_events(struct parse *p, const struct iot_setting *setting,
			     const struct part *part)
{
	const char *value = setting->value;

	for (gsize at = 0, len; value[at]; at += len + strspn(value + at + len, " \t")) {
		struct iot_schema_event *event;
		struct iot_order_use *use;

		len = strcspn(value + at, " \t");
		event = find_event(p, setting, at, len);
		if (!event)
			return FALSE;
		use = add_use(p, part->kind, part->cause, event);
		if (!is_named_elsewhere(p->context->file, event->name))
			use->place = g_strdup_printf("%s:%u", setting->file->path, setting->line);
		if (!build_key(p, use, part->key) ||
		    !compile_optional(p, use, part->when, IOT_EXPR_UNKNOWN, &use->when) ||
		    !compile_optional(p, use, part->number, IOT_EXPR_NUMBER, &use->number))
			return FALSE;
	}
	return TRUE;
}

static const struct iot_setting *or_key(const struct parse *p, const struct iot_setting *own)
{
	return own ? own : get(p, "key");
}

static gboolean build_wants(const struct parse *p, guint cause, const struct iot_setting *wants)
{
	for (guint i = 0; i < p->effects->len; i++) {
		struct iot_order_use *use = p->effects->pdata[i];

		if (!compile_optional(p, use, wants, IOT_EXPR_NUMBER, &use->wants[cause]))
			return FALSE;
	}
	return TRUE;
}

/* "until NAME = EVENT ..." of the last cause; NULL: there is none */
static gboolean build_until(struct parse *p, const struct iot_setting *until, const char *name)
{
	g_autofree char *of = g_strdup_printf("until %s", name);

	return !until || build_events(p, until,
				      &(struct part){ .kind = IOT_ORDER_UNTIL,
						      .cause = p->rule->n_causes - 1,
						      .key = or_key(p, get_of(p, "key", of)),
						      .when = get_of(p, "when", of) });
}

/* "count NAME = EXPRESSION", or "count NAME = begins": the number of the event that begins */
static gboolean build_count(struct parse *p, const char *name, const struct part *part,
			    const struct iot_setting *count)
{
	struct iot_order_cause *cause = &p->rule->cause[part->cause];

	if (!count)
		return TRUE;
	if (get_of(p, "wants", name) || get_of(p, "until", name) || get(p, "node"))
		return iot_setting_error(
			count, 0, p->error,
			"a cause that is counted has no \"wants\", no \"until\" and "
			"no \"node\"");
	cause->of_begin = !strcmp(count->value, "begins");
	if (cause->of_begin && !get(p, "number begins"))
		return iot_setting_error(count, 0, p->error, "\"number begins\" is missing");
	cause->counted = TRUE;
	p->rule->counts = TRUE;
	return cause->of_begin || build_wants(p, part->cause, count);
}

static gboolean build_cause(struct parse *p, const struct iot_setting *setting)
{
	const char *name = setting->key + strlen("cause");
	struct iot_order_rule *rule = p->rule;
	struct part part = { .kind = IOT_ORDER_CAUSE, .cause = rule->n_causes };
	const struct iot_setting *wants, *initial, *until, *count;
	struct iot_order_cause *cause = &rule->cause[rule->n_causes];

	name = *name ? name + 1 : "cause";
	if (rule->n_causes == IOT_ORDER_CAUSES)
		return iot_setting_error(setting, 0, p->error, "more than %d causes",
					 IOT_ORDER_CAUSES);
	cause->name = g_strdup(name);
	rule->n_causes++;
	part.key = or_key(p, get_of(p, "key", name));
	part.when = get_of(p, "when", name);
	part.number = get_of(p, "number", name);
	wants = get_of(p, "wants", name);
	initial = get_of(p, "initial", name);
	until = get_of(p, "until", name);
	count = get_of(p, "count", name);
	cause->of_begin = part.number && !wants && !count && get(p, "number begins");
	if (!cause->of_begin && !count && !part.number != !wants)
		return iot_setting_error(wants ? wants : part.number, 0, p->error,
					 "\"number %s\" (of the cause) and \"wants %s\" (of the "
					 "effect) go together",
					 name, name);
	if (initial && !part.number)
		return iot_setting_error(initial, 0, p->error,
					 "only a cause with a number has an initial one");
	cause->numbered = part.number != NULL;
	cause->withdrawn = until != NULL;
	cause->has_initial = initial != NULL;
	if (initial) {
		char *end;

		cause->initial = g_ascii_strtoll(initial->value, &end, 0);
		if (*end || end == initial->value)
			return iot_setting_error(initial, 0, p->error,
						 "a whole number is expected");
	}
	rule->plain &= !part.number && !until && !part.when && !count;
	if (!build_events(p, setting, &part) || !build_wants(p, part.cause, wants) ||
	    !build_count(p, name, &part, count))
		return FALSE;
	g_free(rule->cause_key);
	rule->cause_key = g_strdup(part.key->value);
	return build_until(p, until, name);
}

/* ---- a rule with events of its own */

static gboolean build_span(struct parse *p, const char *name, enum iot_order_part part)
{
	const struct iot_setting *setting = get(p, name);

	return !setting ||
	       build_events(p, setting,
			    &(struct part){ .kind = part,
					    .key = or_key(p, get_of(p, "key", name)),
					    .when = get_of(p, "when", name),
					    .number = part == IOT_ORDER_BEGINS
							      ? get_of(p, "number", name)
							      : NULL });
}

static gboolean build_own(struct parse *p)
{
	const struct iot_setting *effect = iot_section_require(p->section, "effect", p->error);
	const struct iot_setting *key =
		effect ? iot_section_require(p->section, "key", p->error) : NULL;

	if (!key ||
	    !build_events(
		    p, effect,
		    &(struct part){ .kind = IOT_ORDER_EFFECT, .key = key, .when = get(p, "when") }))
		return FALSE;
	p->rule->effect_key = g_strdup(key->value);
	p->rule->plain &= !get(p, "when");
	for (guint i = 0; i < p->section->settings->len; i++) {
		const struct iot_setting *setting = p->section->settings->pdata[i];

		if ((!strcmp(setting->key, "cause") || g_str_has_prefix(setting->key, "cause ")) &&
		    !build_cause(p, setting))
			return FALSE;
	}
	if (!p->rule->n_causes)
		return iot_section_require(p->section, "cause", p->error) != NULL;
	p->rule->begins = get(p, "begins") != NULL;
	if (get(p, "number begins") && !p->rule->begins)
		return iot_setting_error(get(p, "number begins"), 0, p->error,
					 "\"begins\" is missing");
	p->rule->plain &= !p->rule->begins;
	return build_span(p, "begins", IOT_ORDER_BEGINS) && build_span(p, "ends", IOT_ORDER_ENDS);
}

/* ---- a rule that follows a [link]: its to-end comes after its from-end */

static GHashTable *link_aliases(const struct iot_section *link, const char *prefix)
{
	GHashTable *aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (guint i = 0; i < link->settings->len; i++) {
		const struct iot_setting *setting = link->settings->pdata[i];

		if (g_str_has_prefix(setting->key, prefix))
			g_hash_table_insert(aliases, g_strdup(setting->key + strlen(prefix)),
					    g_strdup(setting->value));
	}
	return aliases;
}

static const struct iot_setting *side_setting(const struct iot_section *link, const char *side,
					      const char *key)
{
	g_autofree char *own = g_strdup_printf("%s %s", side, key);
	const struct iot_setting *setting = iot_section_get(link, own);

	return setting ? setting : iot_section_get(link, key);
}

static gboolean build_side(struct parse *p, enum iot_order_part part)
{
	const char *side = part == IOT_ORDER_EFFECT ? "to" : "from";
	const struct iot_setting *setting = iot_section_require(p->link, side, p->error);
	const struct iot_setting *key = side_setting(p->link, side, "key");
	g_autofree char *let = g_strdup_printf("%s let ", side);
	g_autofree char *when = g_strdup_printf("%s when", side);
	g_autoptr(GHashTable) aliases = link_aliases(p->link, let);
	struct iot_schema_event *event;
	struct iot_order_use *use;
	gsize at = strlen("event ");
	gboolean ok;

	if (!setting || !key)
		return setting ? iot_section_require(p->link, "key", p->error) != NULL : FALSE;
	if (!g_str_has_prefix(setting->value, "event "))
		return iot_setting_error(setting, 0, p->error,
					 "[order %s] can only follow a link between events",
					 p->section->name);
	at += strspn(setting->value + at, " \t");
	event = find_event(p, setting, at, strlen(setting->value + at));
	if (!event)
		return FALSE;
	use = add_use(p, part, 0, event);
	p->aliases = aliases;
	ok = build_key(p, use, key) &&
	     compile_optional(p, use, iot_section_get(p->link, when), IOT_EXPR_UNKNOWN, &use->when);
	p->aliases = NULL;
	return ok;
}

static gboolean build_followed(struct parse *p, const struct iot_setting *link)
{
	const struct iot_setting *unique;

	p->link = find_section(p, "link", link->value);
	if (!p->link)
		return iot_setting_error(link, 0, p->error, "there is no section [link %s]",
					 link->value);
	if (get(p, "effect") || get(p, "cause") || get(p, "key"))
		return iot_setting_error(link, 0, p->error,
					 "effect, cause and key are those of the link");
	unique = iot_section_get(p->link, "unique");
	p->rule->reuses = !unique;
	p->rule->link = g_strdup(link->value);
	p->rule->cause[0].name = g_strdup("cause");
	p->rule->n_causes = 1;
	p->rule->plain = FALSE;
	p->rule->once = unique && !iot_section_get(p->link, "many");
	return build_side(p, IOT_ORDER_EFFECT) && build_side(p, IOT_ORDER_CAUSE);
}

/* ---- the rest */

static gboolean build_hold(struct parse *p)
{
	const struct iot_setting *hold = get(p, "hold");
	g_autoptr(GError) local = NULL;

	p->rule->hold_ns = DEFAULT_HOLD_NS;
	if (hold && !iot_parse_duration(hold->value, &p->rule->hold_ns, &local))
		return iot_setting_error(hold, 0, p->error, "%s", local->message);
	return p->rule->hold_ns || iot_setting_error(hold, 0, p->error,
						     "an effect that does not wait cannot be "
						     "found before its cause; give a time");
}

static gboolean read_word(const struct parse *p, const char *key, const char *word, gboolean *out)
{
	const struct iot_setting *setting = get(p, key);

	if (setting && strcmp(setting->value, word))
		return iot_setting_error(setting, 0, p->error, "only \"%s = %s\" is known", key,
					 word);
	*out |= setting != NULL;
	return TRUE;
}

/* Whether a later cause may be taken for one that is not recorded. */
static gboolean build_reuse(const struct parse *p)
{
	struct iot_order_rule *rule = p->rule;
	gboolean unique = FALSE, tells = rule->begins; /* apart */

	if (!read_word(p, "unique", "yes", &unique))
		return FALSE;
	if (!p->link)
		rule->reuses = rule->once || get(p, "ends");
	for (guint i = 0; i < rule->n_causes; i++) {
		const struct iot_order_cause *cause = &rule->cause[i];

		/* of causes without a number, a later one may be counted for a missing one */
		rule->reuses |= cause->withdrawn || (cause->counted && !cause->numbered);
		tells &= cause->of_begin && !cause->counted;
	}
	rule->reuses &= !unique && !tells;
	return TRUE;
}

static gboolean build_final(const struct parse *p)
{
	const struct iot_setting *final = get(p, "final");

	if (!read_word(p, "final", "yes", &p->rule->final))
		return FALSE;
	return !final || (get(p, "ends") && !p->rule->begins) ||
	       iot_setting_error(final, 0, p->error,
				 "what is after the end can be found with \"ends\" and without "
				 "\"begins\" only");
}

static gboolean build_node(struct parse *p)
{
	const struct iot_setting *node = get(p, "node");

	for (guint i = 0; i < p->effects->len; i++) {
		struct iot_order_use *use = p->effects->pdata[i];

		if (!compile_optional(p, use, node, IOT_EXPR_NUMBER, &use->node))
			return FALSE;
	}
	return TRUE;
}

/* One queue for each machine, or one for each thread: not both in one run. */
static gboolean check_queues(const struct parse *p)
{
	const struct iot_order_rule *first = p->rules->rules->pdata[0];

	if (first->by_thread == p->rule->by_thread)
		return TRUE;
	return iot_section_error(p->section, p->error,
				 "\"queue = thread\" must stand in all rules or in none; %s has %s",
				 first->place, first->by_thread ? "it" : "it not");
}

gboolean iot_order_rules_add(struct iot_order_rules *rules, const struct iot_order_context *context,
			     const struct iot_section *section, GError **error)
{
	const struct iot_setting *link = iot_section_get(section, "link");
	struct iot_order_rule *rule = g_new0(struct iot_order_rule, 1);
	g_autoptr(GPtrArray) effects = g_ptr_array_new();
	struct parse p = { .rules = rules,
			   .rule = rule,
			   .context = context,
			   .section = section,
			   .effects = effects,
			   .error = error };

	rule->index = rules->rules->len;
	rule->name = g_strdup_printf("%s %s", context->model, section->name);
	rule->place = g_strdup_printf("%s:%u", context->file->path, section->line);
	rule->plain = TRUE;
	g_ptr_array_add(rules->rules, rule);
	return read_word(&p, "queue", "thread", &rule->by_thread) && check_queues(&p) &&
	       (link ? build_followed(&p, link) : build_own(&p)) &&
	       iot_order_needs_parse(rule, get(&p, "needs"), error) && build_hold(&p) &&
	       read_word(&p, "once", "yes", &rule->once) && build_reuse(&p) && build_final(&p) &&
	       build_node(&p);
}
