/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles [link]. */
#include "model/bind.h"
#include "model/link-local.h"
#include "model/pair.h"
#include "model/row.h"
#include "model/section-table.h"
#include "model/setter.h"
#include "base/units.h"

#include <string.h>

static const char *const side_names[] = { "from", "to", "until" };
static const char *const prefixes[] = { "from.", "to.", "until." };

static void clear_side(struct iot_link_side *side)
{
	for (guint i = 0; i < IOT_MAX_LINK_KEYS; i++)
		iot_expr_free(side->key[i]);
	iot_expr_free(side->when);
	g_free(side->typed);
	g_clear_pointer(&side->aliases, g_hash_table_unref);
}

static void free_side(gpointer side)
{
	clear_side(side);
	g_free(side);
}

void iot_link_free(gpointer data)
{
	struct iot_link *link = data;

	iot_link_store_free(link);
	clear_side(&link->side[IOT_LINK_FROM]);
	clear_side(&link->side[IOT_LINK_TO]);
	g_ptr_array_unref(link->untils);
	for (guint i = 0; i < IOT_MAX_LINK_SAME; i++)
		iot_expr_free(link->same[i]);
	iot_template_free(link->value);
	iot_expr_free(link->failed);
	iot_setter_clear(&link->set);
	iot_template_free(link->stub_value);
	iot_setter_clear(&link->stub_set);
	g_free(link->title);
	g_free(link);
}

/* The setting "from KEY" or "to KEY", else "KEY"; NULL: there is none. */
static const struct iot_setting *side_setting(const struct iot_builder *b,
					      const struct iot_link_side *side, const char *key)
{
	g_autofree char *own = g_strconcat(side_names[side->which], " ", key, NULL);
	const struct iot_setting *setting = iot_section_get(b->section, own);

	return setting ? setting : iot_section_get(b->section, key);
}

/* The records that a side may name: its own, and the one of the other end. */
static struct iot_scope_events side_scope(const struct iot_builder *b,
					  const struct iot_link_side *side, gboolean required,
					  gboolean both)
{
	const struct iot_link_side *other = &side->link->side[!side->which];
	struct iot_scope_events scope =
		side->pair ? iot_bind_pair_scope(b, side->pair, required)
			   : iot_bind_scope(b, (struct iot_in_scope){ .self = side->event,
								      .optional = !required });

	if (side->aliases)
		scope.aliases = side->aliases;
	scope.own = prefixes[side->which];
	scope.other = prefixes[!side->which];
	if (both)
		scope.event[IOT_SCOPE_DONE] = other->event;
	return scope;
}

/* ---- "event EVENT", "call PAIR", "end of call PAIR" */

static gboolean build_side(const struct iot_builder *b, struct iot_link_side *side)
{
	const struct iot_setting *setting =
		iot_section_require(b->section, side_names[side->which], b->error);
	const char *value = setting ? setting->value : "", *name;
	struct iot_pair *pair;

	if (!setting)
		return FALSE;
	if (g_str_has_prefix(value, "event ")) {
		name = value + strlen("event ");
		side->event = iot_bind_event(b->model, name + strspn(name, " \t"));
		return TRUE;
	}
	side->at_end = g_str_has_prefix(value, "end of call ");
	if (!side->at_end && !g_str_has_prefix(value, "call "))
		return iot_setting_error(
			setting, 0, b->error,
			"\"event EVENT\", \"call PAIR\" or \"end of call PAIR\" is expected");
	name = value + strlen(side->at_end ? "end of call " : "call ");
	pair = iot_bind_pair(b, setting, name + strspn(name, " \t"));
	if (!pair)
		return FALSE;
	/* an object's row and lane are known at each of its events */
	side->event = pair->of && side->at_end ? pair->end : pair->start;
	side->pair = pair->of ? NULL : pair;
	return TRUE;
}

static void copy_alias(gpointer name, gpointer field, gpointer aliases)
{
	g_hash_table_insert(aliases, g_strdup(name), g_strdup(field));
}

static gboolean build_aliases(const struct iot_builder *b, struct iot_link_side *side)
{
	g_autofree char *prefix = g_strconcat(side_names[side->which], " let ", NULL);

	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];
		struct iot_scope_events scope = side_scope(b, side, FALSE, TRUE);
		g_autofree char *problem = NULL;
		enum iot_scope where;
		int slot;

		if (!g_str_has_prefix(setting->key, prefix))
			continue;
		scope.aliases = side->pair ? side->pair->aliases : NULL;
		if (!iot_scope_resolve(&scope, setting->value, &where, &slot, &problem))
			return iot_setting_error(setting, 0, b->error, "%s", problem);
		if (!side->aliases) {
			side->aliases =
				g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
			if (scope.aliases)
				g_hash_table_foreach((GHashTable *)(gsize)scope.aliases, copy_alias,
						     side->aliases);
		}
		g_hash_table_insert(side->aliases, g_strdup(setting->key + strlen(prefix)),
				    g_strdup(setting->value));
	}
	return TRUE;
}

/* ---- keys */

/* Compile the words of the setting; *@out_n: how many. */
static gboolean build_exprs(const struct iot_builder *b, const struct iot_setting *setting,
			    struct iot_scope_events *scope, struct iot_expr **out, guint max,
			    guint *out_n)
{
	const char *value = setting->value;

	for (gsize at = strspn(value, " \t"), len; value[at]; at += strspn(value + at, " \t")) {
		len = iot_expr_word(value + at, strlen(value + at));
		if (*out_n == max)
			return iot_setting_error(setting, at, b->error, "more than %u values", max);
		out[*out_n] = iot_expr_compile(setting, at, len, scope, b->error);
		if (!out[*out_n])
			return FALSE;
		++*out_n;
		at += len;
	}
	return TRUE;
}

/* The key of @side, of @n values, with that of the from-end. */
static gboolean compare_keys(const struct iot_builder *b, const struct iot_link_side *side, guint n)
{
	static const char *const words[] = { "a number", "a text", "" };
	const struct iot_link_side *from = &side->link->side[IOT_LINK_FROM];
	guint expected = side->link->n_keys;

	if (n != expected)
		return iot_setting_error(side->key_setting, 0, b->error,
					 "the key has %u values here, but %u in line %u", n,
					 expected, from->key_setting->line);
	for (guint i = 0; i < n; i++) {
		enum iot_expr_type here = iot_expr_type(side->key[i], NULL);
		enum iot_expr_type there = iot_expr_type(from->key[i], NULL);

		if (here != there && here != IOT_EXPR_UNKNOWN && there != IOT_EXPR_UNKNOWN)
			return iot_setting_error(side->key_setting, 0, b->error,
						 "value %u of the key is %s here, but %s in line "
						 "%u: they are never equal",
						 i + 1, words[here], words[there],
						 from->key_setting->line);
	}
	return TRUE;
}

static gboolean build_key(const struct iot_builder *b, struct iot_link_side *side)
{
	struct iot_scope_events scope = side_scope(b, side, TRUE, FALSE);
	guint n = 0;

	side->key_setting = side_setting(b, side, "key");
	if (!side->key_setting)
		return iot_section_require(b->section, "key", b->error) != NULL;
	if (!build_exprs(b, side->key_setting, &scope, side->key, IOT_MAX_LINK_KEYS, &n))
		return FALSE;
	if (side->which == IOT_LINK_FROM)
		side->link->n_keys = n;
	return compare_keys(b, side, n);
}

static gboolean build_keys(const struct iot_builder *b, struct iot_link *link)
{
	if (!build_key(b, &link->side[IOT_LINK_FROM]) || !build_key(b, &link->side[IOT_LINK_TO]))
		return FALSE;
	for (guint i = 0; i < link->n_keys; i++) {
		const struct iot_expr *from = link->side[IOT_LINK_FROM].key[i];
		const struct iot_expr *to = link->side[IOT_LINK_TO].key[i];

		link->local |= (iot_expr_is_node(from) && iot_expr_is_node(to)) ||
			       (iot_expr_is_recording(from) && iot_expr_is_recording(to));
	}
	return TRUE;
}

/* An event that is both ends, with one key, would always be its own partner. */
static gboolean check_self(const struct iot_builder *b, const struct iot_link *link)
{
	const struct iot_link_side *from = &link->side[IOT_LINK_FROM];
	const struct iot_link_side *to = &link->side[IOT_LINK_TO];

	if (from->event != to->event || from->pair != to->pair || from->at_end != to->at_end ||
	    strcmp(from->key_setting->value, to->key_setting->value))
		return TRUE;
	return iot_setting_error(
		iot_section_get(b->section, "to"), 0, b->error,
		"from and to are the same end with the same key: it would be linked to itself");
}

/* ---- the rest */

static gboolean read_yes(const struct iot_builder *b, const char *key, const char *word,
			 gboolean *out)
{
	const struct iot_setting *setting = iot_section_get(b->section, key);

	if (setting && strcmp(setting->value, word))
		return iot_setting_error(setting, 0, b->error, "only \"%s = %s\" is known", key,
					 word);
	*out = setting != NULL;
	return TRUE;
}

static gboolean build_many(const struct iot_builder *b, struct iot_link *link)
{
	const struct iot_setting *many = iot_section_get(b->section, "many");

	link->many = many && !strcmp(many->value, "to");
	link->gathers = many && !strcmp(many->value, "from");
	return !many || link->many || link->gathers ||
	       iot_setting_error(many, 0, b->error,
				 "only \"many = to\" and \"many = from\" are known");
}

static gboolean build_options(const struct iot_builder *b, struct iot_link *link)
{
	static const char *const lone[] = { "lone from", "lone to" };
	const struct iot_setting *within = iot_section_get(b->section, "within");
	const struct iot_setting *same = iot_section_get(b->section, "same");
	struct iot_scope_events scope = side_scope(b, &link->side[IOT_LINK_FROM], TRUE, FALSE);
	g_autoptr(GError) local = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(lone); i++)
		if (!read_yes(b, lone[i], "ignore", &link->side[i].lone))
			return FALSE;
	link->within = G_MAXUINT64;
	if (within && !iot_parse_duration(within->value, &link->within, &local))
		return iot_setting_error(within, 0, b->error, "%s", local->message);
	if (!read_yes(b, "unique", "yes", &link->unique) || !build_many(b, link) ||
	    !read_yes(b, "stubs", "yes", &link->stubs))
		return FALSE;
	if (same && !build_exprs(b, same, &scope, link->same, IOT_MAX_LINK_SAME, &link->n_same))
		return FALSE;
	if (!within && !link->unique)
		return iot_section_error(b->section, b->error,
					 "either \"unique = yes\" (no other message has this key) "
					 "or \"within = TIME\" is needed");
	link->contained =
		link->side[IOT_LINK_FROM].pair && !link->side[IOT_LINK_FROM].at_end && !within;
	if (link->stubs && !within && !link->contained)
		return iot_setting_error(
			iot_section_get(b->section, "stubs"), 0, b->error,
			"\"within = TIME\" is needed: an end has no partner if none "
			"comes in this time");
	return TRUE;
}

static gboolean build_row(const struct iot_builder *b, struct iot_link_side *side)
{
	const struct iot_setting *on = side_setting(b, side, "on");
	struct iot_scope_events scope = side_scope(b, side, TRUE, TRUE);
	struct iot_row_type *type;

	if (!on)
		return iot_section_require(b->section, "on", b->error) != NULL;
	type = iot_bind_end_row_type(b, on);
	side->path = type ? iot_bind_row_path(b, type, &scope) : NULL;
	if (!side->path)
		return FALSE;
	for (guint i = 0; i < side->path->operands.n; i++)
		side->row_of_both |= side->path->operands.at[i].scope == IOT_SCOPE_DONE;
	if (side->row_of_both && side->pair)
		return iot_setting_error(on, 0, b->error,
					 "the row of a call cannot depend on the other end");
	return TRUE;
}

static gboolean build_when(const struct iot_builder *b, struct iot_link_side *side)
{
	g_autofree char *key = g_strconcat(side_names[side->which], " when", NULL);
	struct iot_scope_events scope = side_scope(b, side, TRUE, FALSE);

	if (!iot_bind_optional_expr(b, key, &scope, &side->when))
		return FALSE;
	side->needs = side->when ? iot_expr_needs(side->when) : NULL;
	return TRUE;
}

static gboolean build_drawing(const struct iot_builder *b, struct iot_link *link)
{
	const struct iot_setting *value = iot_section_require(b->section, "value", b->error);
	struct iot_scope_events scope = side_scope(b, &link->side[IOT_LINK_FROM], FALSE, TRUE);

	if (!value)
		return FALSE;
	link->value = iot_template_compile(value, b->model->names, FALSE, &scope, b->error);
	return link->value && iot_bind_optional_expr(b, "failed", &scope, &link->failed) &&
	       iot_bind_setter(b, link->values, &scope, &link->set);
}

/* Of a to-end without a from-end: its own fields, where it has those of the from-end. */
static gboolean build_stubs(const struct iot_builder *b, struct iot_link *link)
{
	const struct iot_setting *value = iot_section_get(b->section, "to value");
	struct iot_scope_events scope = side_scope(b, &link->side[IOT_LINK_TO], FALSE, TRUE);

	if (value && !link->stubs)
		return iot_setting_error(value, 0, b->error,
					 "only with \"stubs = yes\": it names a to-end that has no "
					 "from-end");
	if (!link->stubs)
		return TRUE;
	if (!value)
		value = iot_section_get(b->section, "value");
	link->stub_value = iot_template_compile(value, b->model->names, FALSE, &scope, b->error);
	return link->stub_value && iot_bind_setter(b, link->values, &scope, &link->stub_set);
}

static void add_to(GPtrArray **list, struct iot_link_side *side)
{
	if (!*list)
		*list = g_ptr_array_new();
	g_ptr_array_add(*list, side);
}

static void attach(struct iot_model *model, struct iot_link_side *side)
{
	if (!side->pair)
		add_to(&iot_bind_role(model, side->event)->links, side);
	else if (side->at_end)
		add_to(&side->pair->link_ends, side);
	else
		add_to(&side->pair->link_starts, side);
}

/* "until = event EVENT...": an event that is an end, too, is an end first. */
static gboolean build_untils(const struct iot_builder *b, struct iot_link *link)
{
	const struct iot_setting *setting = iot_section_get(b->section, "until");
	g_auto(GStrv) words = g_strsplit_set(setting ? setting->value : "", " \t", -1);
	static const char *const own[] = { "until key", "until when" };

	for (guint i = 0; i < G_N_ELEMENTS(own) && !setting; i++)
		if (iot_section_get(b->section, own[i]))
			return iot_setting_key_error(iot_section_get(b->section, own[i]), b->error,
						     "\"until = event EVENT\" is missing");
	if (!setting)
		return TRUE;
	if (strcmp(words[0], "event") || !words[1])
		return iot_setting_error(setting, 0, b->error, "\"event EVENT...\" is expected");
	for (guint i = 1; words[i]; i++) {
		struct iot_link_side *until;

		if (!*words[i])
			continue;
		until = g_new0(struct iot_link_side, 1);
		g_ptr_array_add(link->untils, until);
		until->link = link;
		until->which = IOT_LINK_UNTIL;
		until->event = iot_bind_event(b->model, words[i]);
		if (!build_when(b, until) || !build_key(b, until))
			return FALSE;
		attach(b->model, until);
	}
	return TRUE;
}

/* "DLM message", "RPC: reply" */
static char *make_title(const struct iot_builder *b, const struct iot_values *values)
{
	const char *title =
		iot_tl_str(b->model->tl, iot_type_at(b->model->tl, values->type)->title);

	return strcmp(values->section->name, b->section->name)
		       ? g_strdup_printf("%s: %s", title, b->section->name)
		       : g_strdup(title);
}

static gboolean build_link(const struct iot_builder *b)
{
	const struct iot_setting *links = iot_section_require(b->section, "links", b->error);
	struct iot_values *values = links ? iot_bind_values(b, links, "links") : NULL;
	struct iot_link *link;

	if (!values)
		return FALSE;
	link = g_new0(struct iot_link, 1);
	g_ptr_array_add(b->model->links, link);
	link->model = b->model;
	link->section = b->section;
	link->title = make_title(b, values);
	link->values = values;
	iot_hashset_init(&link->groups);
	link->untils = g_ptr_array_new_with_free_func(free_side);
	for (guint which = 0; which < 2; which++) {
		link->side[which].link = link;
		link->side[which].which = which;
	}
	for (guint which = 0; which < 2; which++)
		if (!build_side(b, &link->side[which]))
			return FALSE;
	for (guint which = 0; which < 2; which++)
		if (!build_aliases(b, &link->side[which]) || !build_when(b, &link->side[which]) ||
		    !build_row(b, &link->side[which]))
			return FALSE;
	if (!build_keys(b, link) || !check_self(b, link) || !build_options(b, link) ||
	    !build_drawing(b, link) || !build_stubs(b, link))
		return FALSE;
	attach(b->model, &link->side[IOT_LINK_FROM]);
	attach(b->model, &link->side[IOT_LINK_TO]);
	return build_untils(b, link);
}

/* ---- links of events that no recording has */

static void detach(struct iot_model *model, struct iot_link_side *side)
{
	GPtrArray **list =
		side->pair ? (side->at_end ? &side->pair->link_ends : &side->pair->link_starts)
			   : &iot_bind_role(model, side->event)->links;

	iot_expr_leave_out(side->when);
	g_ptr_array_remove(*list, side);
	if (!(*list)->len)
		g_clear_pointer(list, g_ptr_array_unref);
}

/* Whether all events of an end are of no recording. The end of a call may be one of several events.
 */
static gboolean is_unrecorded(const struct iot_link_side *side)
{
	const struct iot_pair *pair = side->at_end ? side->pair : NULL;
	gboolean unrecorded = TRUE;

	for (guint i = 0; pair && i < pair->n_ends; i++)
		unrecorded &= iot_schema_recorded(pair->ends[i].event)->unrecorded;
	return pair ? unrecorded : iot_schema_recorded(side->event)->unrecorded;
}

/* Neither end can have a partner, and an end without one is nothing special. */
static gboolean is_idle(const struct iot_link *link)
{
	const struct iot_link_side *side = link->side;

	return (is_unrecorded(&side[IOT_LINK_FROM]) || side[IOT_LINK_FROM].lone) &&
	       (is_unrecorded(&side[IOT_LINK_TO]) || side[IOT_LINK_TO].lone) &&
	       (is_unrecorded(&side[IOT_LINK_FROM]) || is_unrecorded(&side[IOT_LINK_TO])) &&
	       !link->stubs;
}

void iot_links_leave_out(struct iot_model *model)
{
	for (guint i = 0; i < model->links->len; i++) {
		struct iot_link *link = model->links->pdata[i];

		if (!is_idle(link))
			continue;
		detach(model, &link->side[IOT_LINK_FROM]);
		detach(model, &link->side[IOT_LINK_TO]);
		for (guint k = 0; k < link->untils->len; k++)
			detach(model, link->untils->pdata[k]);
	}
}

/* ---- --check-model */

/* The next word of a key from *@at on; the caller frees. */
static char *next_word(const struct iot_setting *setting, gsize *at)
{
	const char *value = setting->value;
	gsize begin = *at + strspn(value + *at, " \t");

	*at = begin + iot_expr_word(value + begin, strlen(value + begin));
	return g_strndup(value + begin, *at - begin);
}

/* Each value with its type, which a recording decides if the value is a field. */
static void describe_key(const struct iot_link_side *side, GString *out)
{
	static const char *const types[] = { "number", "text", "real number", "as recorded" };
	gsize at = 0;

	g_string_append_printf(out, "  %s key:", side_names[side->which]);
	for (guint i = 0; i < side->link->n_keys; i++) {
		g_autofree char *word = next_word(side->key_setting, &at);

		g_string_append_printf(out, "%s %s (%s)", i ? "," : "", word,
				       types[iot_expr_type(side->key[i], NULL)]);
	}
	g_string_append_c(out, '\n');
}

void iot_links_describe(const struct iot_model *model, GString *out)
{
	for (guint i = 0; i < model->links->len; i++) {
		const struct iot_link *link = model->links->pdata[i];
		const struct iot_setting *within = iot_section_get(link->section, "within");
		const struct iot_setting *until = iot_section_get(link->section, "until");

		g_string_append_printf(
			out, "\nlink %s: %s to %s, %s to %s%s%s%s%s%s\n", link->section->name,
			iot_section_get(link->section, "from")->value,
			iot_section_get(link->section, "to")->value, link->gathers ? "many" : "one",
			link->many ? "many" : "one", link->unique ? ", unique" : "",
			within ? ", within " : "", within ? within->value : "",
			until ? ", until " : "", until ? until->value : "");
		describe_key(&link->side[IOT_LINK_FROM], out);
		describe_key(&link->side[IOT_LINK_TO], out);
		if (link->untils->len)
			describe_key(link->untils->pdata[0], out);
	}
}

static const char *const keys[] = { "links",	 "from",      "to",	    "key",     "from key",
				    "to key",	 "unique",    "within",	    "many",    "same",
				    "from when", "to when",   "on",	    "from on", "to on",
				    "until",	 "until key", "until when", "value",   "to value",
				    "failed",	 "stubs",     "lone from",  "lone to", "from let *",
				    "to let *",	 "set *",     NULL };
const struct iot_section_kind iot_section_kind_link = { "link", keys, build_link, NULL };
