/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paje-check [--dump|--items] FILE: checks all rules of docs/formats/paje.md, which are those of the strictest reader
 * in each point. Shares no code with the writer.
 *
 * With --dump, the states, events and links of a good file, sorted, one a line, times in ns:
 *	span PATH "VALUE" START DURATION
 *	point PATH "VALUE" TIME
 *	link PATH PATH "VALUE" TIME DURATION
 * PATH are the names of the containers joined by '/'.
 *
 * With --items, the same and the values of variables as lines of the text output, of a file whose names have paths (the option
 * "paths"): rows and lanes instead of containers, and all attributes that are not 0 or "-". Exit status: 0 good, 1 a rule is broken, 2 usage.
 */
#include "items.h"

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 20 };

enum field {
	TIME, NAME, ALIAS, TYPE, CONTAINER, START_TYPE, END_TYPE, START_CONTAINER, END_CONTAINER,
	VALUE, KEY, COLOR, LINE, FILE_, FILENAME, N_FIELDS,
	EXTRA = N_FIELDS,
};

static const char *const field_names[N_FIELDS] = {
	"Time", "Name", "Alias", "Type", "Container", "StartContainerType", "EndContainerType",
	"StartContainer", "EndContainer", "Value", "Key", "Color", "Line", "File", "Filename",
};

/* Names of old versions, which not every reader accepts. */
static const char *const old_names[] = {
	"ContainerType", "EntityType", "SourceContainerType", "DestContainerType",
	"SourceContainer", "DestContainer", NULL,
};

static const char *const value_types[] = { "date", "int", "double", "hex", "string", "color", NULL };

enum event {
	DEFINE_CONTAINER_TYPE, DEFINE_STATE_TYPE, DEFINE_EVENT_TYPE, DEFINE_VARIABLE_TYPE,
	DEFINE_LINK_TYPE, DEFINE_VALUE, CREATE_CONTAINER, DESTROY_CONTAINER, SET_STATE, PUSH_STATE,
	POP_STATE, SET_VARIABLE, ADD_VARIABLE, SUB_VARIABLE, START_LINK, END_LINK, NEW_EVENT,
	N_EVENTS,
};

#define F(field) (1u << (field))

/* Mandatory fields. PajeResetState and PajeTraceFile are left out: not every reader knows them. */
static const struct {
	const char *name;
	guint fields;
} events[N_EVENTS] = {
	[DEFINE_CONTAINER_TYPE] = { "PajeDefineContainerType", F(NAME) | F(TYPE) },
	[DEFINE_STATE_TYPE] = { "PajeDefineStateType", F(NAME) | F(TYPE) },
	[DEFINE_EVENT_TYPE] = { "PajeDefineEventType", F(NAME) | F(TYPE) },
	[DEFINE_VARIABLE_TYPE] = { "PajeDefineVariableType", F(NAME) | F(TYPE) },
	[DEFINE_LINK_TYPE] = { "PajeDefineLinkType", F(NAME) | F(TYPE) | F(START_TYPE) | F(END_TYPE) },
	[DEFINE_VALUE] = { "PajeDefineEntityValue", F(NAME) | F(TYPE) },
	[CREATE_CONTAINER] = { "PajeCreateContainer", F(TIME) | F(NAME) | F(TYPE) | F(CONTAINER) },
	[DESTROY_CONTAINER] = { "PajeDestroyContainer", F(TIME) | F(NAME) | F(TYPE) },
	[SET_STATE] = { "PajeSetState", F(TIME) | F(TYPE) | F(CONTAINER) | F(VALUE) },
	[PUSH_STATE] = { "PajePushState", F(TIME) | F(TYPE) | F(CONTAINER) | F(VALUE) },
	[POP_STATE] = { "PajePopState", F(TIME) | F(TYPE) | F(CONTAINER) },
	[SET_VARIABLE] = { "PajeSetVariable", F(TIME) | F(TYPE) | F(CONTAINER) | F(VALUE) },
	[ADD_VARIABLE] = { "PajeAddVariable", F(TIME) | F(TYPE) | F(CONTAINER) | F(VALUE) },
	[SUB_VARIABLE] = { "PajeSubVariable", F(TIME) | F(TYPE) | F(CONTAINER) | F(VALUE) },
	[START_LINK] = { "PajeStartLink", F(TIME) | F(TYPE) | F(CONTAINER) | F(START_CONTAINER) |
						  F(VALUE) | F(KEY) },
	[END_LINK] = { "PajeEndLink", F(TIME) | F(TYPE) | F(CONTAINER) | F(END_CONTAINER) |
					      F(VALUE) | F(KEY) },
	[NEW_EVENT] = { "PajeNewEvent", F(TIME) | F(TYPE) | F(CONTAINER) | F(VALUE) },
};

struct word {
	char *text;
	gboolean quoted;
};

struct definition {
	enum event event;
	guint n;
	enum field field[MAX_WORDS];
	const char *type[MAX_WORDS];
	char *name[MAX_WORDS];
	guint fields;	/* F() of the existing ones */
};

struct type {
	enum event kind;	/* DEFINE_..._TYPE */
	char *name;
	struct type *on;	/* container type; NULL: the root */
	struct type *start, *end;
	GHashTable *values;	/* alias -> name */
};

struct state {
	guint64 t0;
	const char *value;
	char *attrs;
};

struct container {
	struct type *type;
	struct container *parent;
	char *name;
	gboolean gone;
	guint n_children;	/* alive */
	guint64 created;
	struct type *state_type;
	GArray *stack;		/* of struct state */
	GHashTable *last;	/* type -> time of its last event, a guint64 */
	GHashTable *variables;	/* that were set */
	gboolean used;
	guint64 latest;		/* events on it */
};

struct link {
	guint halves;	/* 1 start, 2 end */
	char *value;
	guint64 time;	/* the later half */
	guint64 at[2];
	char *path[2];
	struct container *end[2];
	char *attrs;
};

static struct {
	const char *path;
	guint line;
	GHashTable *definitions;	/* id -> struct definition */
	struct definition *open;	/* between %EventDef and %EndEventDef */
	gboolean body;			/* an event was seen */
	gboolean ending;		/* a container was destroyed */
	GHashTable *types;		/* alias -> struct type */
	GHashTable *containers;		/* alias -> struct container */
	GHashTable *links;		/* "owner type key" -> struct link */
	GHashTable *link_times;		/* "owner type" -> time of the last complete one */
	guint n_open_links, n_alive;
	guint64 now;
	struct container root;
	gboolean items;
	GPtrArray *dump;
} check;

static G_NORETURN void fail(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%u: ", check.path, check.line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* --- words --- */

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char *quoted_word(char *p, struct word *word)
{
	char *end = strchr(p + 1, '"');

	if (!end)
		fail("a quoted word has no end");
	if (end == p + 1)
		fail("an empty word; PajeNG cannot read it");
	if (end[1] && !is_blank(end[1]))
		fail("text directly after a quoted word");
	word->quoted = TRUE;
	word->text = g_strndup(p + 1, (gsize)(end - p - 1));
	return end + 1;
}

static char *bare_word(char *p, struct word *word)
{
	char *end = p;

	for (; *end && !is_blank(*end); end++)
		if (strchr("\"#'%", *end))
			fail("%c outside of quotes", *end);
	word->quoted = FALSE;
	word->text = g_strndup(p, (gsize)(end - p));
	return end;
}

static guint split(char *line, struct word *words)
{
	guint n = 0;

	for (const char *p = line; *p; p++)
		if (((guchar)*p < 0x20 && *p != '\t') || *p == 0x7F)
			fail("a control character");
	for (char *p = line;;) {
		while (is_blank(*p))
			p++;
		if (!*p)
			return n;
		if (n == MAX_WORDS)
			fail("more than %d words", MAX_WORDS);
		p = *p == '"' ? quoted_word(p, &words[n]) : bare_word(p, &words[n]);
		n++;
	}
}

static void free_words(struct word *words, guint n)
{
	for (guint i = 0; i < n; i++)
		g_free(words[i].text);
}

static gboolean is_keyword(const char *text)
{
	static const char *const names[] = {
		"Time", "Name", "Alias", "Type", "Container",
		"StartContainerType", "EndContainerType", "StartContainer",
		"EndContainer", "Value", "Key", "Color", "Line", "File",
		"Filename", NULL
	};

	return g_strv_contains(value_types, text) || g_strv_contains(old_names, text) || g_strv_contains(names, text);
}

static void check_identifier(const struct word *word)
{
	if (word->quoted)
		fail("the identifier %s is quoted", word->text);
	if (!g_ascii_isalpha(word->text[0]))
		fail("the identifier %s does not begin with a letter", word->text);
	for (const char *p = word->text; *p; p++)
		if (!g_ascii_isalnum(*p) && *p != '_')
			fail("the identifier %s holds a %c", word->text, *p);
	if (is_keyword(word->text))
		fail("the identifier %s is a keyword", word->text);
}

/* --- definitions of events --- */

static gint find_name(const char *const *names, guint n, const char *text)
{
	for (guint i = 0; i < n; i++)
		if (!strcmp(names[i], text))
			return (gint)i;
	return -1;
}

static void begin_definition(const struct word *words, guint n)
{
	struct definition *def;
	guint64 id;

	if (check.open)
		fail("%%EventDef inside of a definition");
	if (check.body)
		fail("%%EventDef after the first event");
	if (n != 2)
		fail("%%EventDef wants a name and a number");
	if (!g_ascii_string_to_unsigned(words[1].text, 10, 0, G_MAXINT32, &id, NULL))
		fail("the number of the event is %s", words[1].text);
	def = g_new0(struct definition, 1);
	for (def->event = 0; def->event < N_EVENTS; def->event++)
		if (!strcmp(events[def->event].name, words[0].text))
			break;
	if (def->event == N_EVENTS)
		fail("the event %s is not one that all readers know", words[0].text);
	if (g_hash_table_contains(check.definitions, GUINT_TO_POINTER((guint)id)))
		fail("the number %s is used twice", words[1].text);
	g_hash_table_insert(check.definitions, GUINT_TO_POINTER((guint)id), def);
	check.open = def;
}

static void end_definition(void)
{
	guint missing;

	if (!check.open)
		fail("%%EndEventDef outside of a definition");
	missing = events[check.open->event].fields & ~check.open->fields;
	for (guint i = 0; i < N_FIELDS; i++)
		if (missing & F(i))
			fail("%s has no field %s", events[check.open->event].name, field_names[i]);
	check.open = NULL;
}

static const char *expected_type(enum event event, enum field field)
{
	gboolean variable = event == SET_VARIABLE || event == ADD_VARIABLE || event == SUB_VARIABLE;

	if (field == TIME)
		return "date";
	if (field == COLOR)
		return "color";
	if (field == VALUE && variable)
		return "double";
	return NULL;
}

static void add_field(const struct word *words, guint n)
{
	struct definition *def = check.open;
	gint field, type;
	const char *want;

	if (!def)
		fail("a field outside of a definition");
	if (n != 2)
		fail("a field wants a name and a type");
	/* one word is the number of the event */
	if (def->n == MAX_WORDS - 1)
		fail("more than %d fields", MAX_WORDS - 1);
	if (g_strv_contains(old_names, words[0].text))
		fail("the field name %s is an old one", words[0].text);
	type = find_name(value_types, G_N_ELEMENTS(value_types) - 1, words[1].text);
	if (type < 0)
		fail("the field type %s is not one that all readers know", words[1].text);
	for (guint i = 0; i < def->n; i++)
		if (!strcmp(def->name[i], words[0].text))
			fail("the field %s is there twice", words[0].text);
	field = find_name(field_names, N_FIELDS, words[0].text);
	want = field < 0 ? NULL : expected_type(def->event, (enum field)field);
	if (want && strcmp(want, value_types[type]))
		fail("the field %s is no %s", words[0].text, want);
	if (field >= 0)
		def->fields |= F(field);
	def->name[def->n] = g_strdup(words[0].text);
	def->type[def->n] = value_types[type];
	def->field[def->n++] = field < 0 ? EXTRA : (enum field)field;
}

static void definition_line(char *text)
{
	struct word words[MAX_WORDS];
	guint n;

	if (g_str_has_prefix(text, "%EventDef")) {
		n = split(text + strlen("%EventDef"), words);
		begin_definition(words, n);
	} else if (g_str_has_prefix(text, "%EndEventDef")) {
		n = split(text + strlen("%EndEventDef"), words);
		end_definition();
	} else {
		n = split(text + 1, words);
		add_field(words, n);
	}
	free_words(words, n);
}

/* --- an event line --- */

struct line {
	const struct definition *def;
	const struct word *field[N_FIELDS];
	const struct word *flags;	/* an extra field with this name */
	const struct word *words;	/* by field of the definition */
	guint64 time;
};

static guint64 parse_time(const struct word *word)
{
	const char *dot = strchr(word->text, '.');
	guint64 seconds, ns;
	g_autofree char *whole = NULL;

	if (word->quoted || !dot || strlen(dot + 1) != 9 ||
	    strspn(dot + 1, "0123456789") != 9)
		fail("the time %s is not seconds with nine decimals", word->text);
	whole = g_strndup(word->text, (gsize)(dot - word->text));
	if (!g_ascii_string_to_unsigned(whole, 10, 0, G_MAXINT32, &seconds, NULL) ||
	    !g_ascii_string_to_unsigned(dot + 1, 10, 0, 999999999, &ns, NULL))
		fail("the time %s is not seconds with nine decimals", word->text);
	return seconds * 1000000000 + ns;
}

static void check_colour(const struct word *word)
{
	g_auto(GStrv) parts = g_strsplit(word->text, " ", -1);

	if (!word->quoted || g_strv_length(parts) != 3)
		fail("the colour %s is not \"r g b\"", word->text);
	for (guint i = 0; i < 3; i++) {
		char *end;
		double v = g_ascii_strtod(parts[i], &end);

		if (end == parts[i] || *end || strspn(parts[i], "0123456789.") != strlen(parts[i]) ||
		    !(v >= 0 && v <= 1))
			fail("the colour %s has a part that is not between 0 and 1", word->text);
	}
}

static void check_number(const struct word *word, const char *type)
{
	char *end;

	if (word->quoted)
		fail("the %s %s is quoted", type, word->text);
	if (!strcmp(type, "hex"))
		g_ascii_strtoull(word->text, &end, 16);
	else if (!strcmp(type, "int"))
		g_ascii_strtoll(word->text, &end, 10);
	else
		g_ascii_strtod(word->text, &end);
	if (end == word->text || *end)
		fail("%s is no %s", word->text, type);
}

static void check_extra(const struct word *word, const char *type)
{
	if (strcmp(type, "string"))
		check_number(word, type);
	else if (!word->quoted)
		fail("the text %s is not quoted", word->text);
}

static gboolean is_identifier(enum event event, enum field field)
{
	switch (field) {
	case NAME:
		return event == DESTROY_CONTAINER;
	case ALIAS:
		return TRUE;
	case VALUE:
		return event != SET_VARIABLE && event != ADD_VARIABLE && event != SUB_VARIABLE;
	default:
		return FALSE;
	}
}

static gboolean is_reference(enum field field)
{
	return field == TYPE || field == CONTAINER || field == START_TYPE || field == END_TYPE ||
	       field == START_CONTAINER || field == END_CONTAINER;
}

static void check_word(const struct definition *def, guint i, const struct word *word)
{
	enum field field = def->field[i];

	if (is_identifier(def->event, field) || (is_reference(field) && strcmp(word->text, "0")))
		check_identifier(word);
	else if (is_reference(field) && word->quoted)
		fail("the identifier 0 is quoted");
	else if (field == NAME && !word->quoted)
		fail("the name %s is not quoted", word->text);
	else if (field == COLOR)
		check_colour(word);
	else if (field == VALUE)
		check_number(word, "double");
	else if (field == KEY && !word->quoted && is_keyword(word->text))
		fail("the key %s is a keyword", word->text);
	else if (field >= LINE)
		check_extra(word, def->type[i]);
}

static struct type *find_type(const struct line *line, enum field field)
{
	const char *alias = line->field[field]->text;
	struct type *type;

	if (!strcmp(alias, "0"))
		return NULL;
	type = g_hash_table_lookup(check.types, alias);
	if (!type)
		fail("no type %s", alias);
	return type;
}

static struct type *find_container_type(const struct line *line, enum field field)
{
	struct type *type = find_type(line, field);

	if (type && type->kind != DEFINE_CONTAINER_TYPE)
		fail("%s is not a type of containers", line->field[field]->text);
	return type;
}

static struct container *find_container(const struct line *line, enum field field)
{
	const char *alias = line->field[field]->text;
	struct container *container;

	if (!strcmp(alias, "0"))
		return &check.root;
	container = g_hash_table_lookup(check.containers, alias);
	if (!container)
		fail("no container %s", alias);
	if (container->gone)
		fail("the container %s was destroyed", alias);
	return container;
}

/* --- types and values --- */

static const char *need_alias(const struct line *line)
{
	if (!line->field[ALIAS])
		fail("%s has no alias", events[line->def->event].name);
	return line->field[ALIAS]->text;
}

static void define_type(const struct line *line)
{
	const char *alias = need_alias(line);
	struct type *type = g_new0(struct type, 1);

	if (g_hash_table_contains(check.types, alias))
		fail("the type %s is there twice", alias);
	type->kind = line->def->event;
	type->name = g_strdup(line->field[NAME]->text);
	type->on = find_container_type(line, TYPE);
	type->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (type->kind == DEFINE_LINK_TYPE) {
		type->start = find_container_type(line, START_TYPE);
		type->end = find_container_type(line, END_TYPE);
	}
	g_hash_table_insert(check.types, g_strdup(alias), type);
}

static void define_value(const struct line *line)
{
	const char *alias = need_alias(line);
	struct type *type = find_type(line, TYPE);

	if (!type || type->kind == DEFINE_CONTAINER_TYPE || type->kind == DEFINE_VARIABLE_TYPE)
		fail("%s is not a type of states, events or links", line->field[TYPE]->text);
	if (type->kind == DEFINE_STATE_TYPE && !line->field[COLOR])
		fail("the state %s has no colour", alias);
	if (g_hash_table_contains(type->values, alias))
		fail("the value %s is there twice", alias);
	g_hash_table_insert(type->values, g_strdup(alias), g_strdup(line->field[NAME]->text));
}

/* --- containers --- */

static void create_container(const struct line *line)
{
	const char *alias = need_alias(line);
	struct type *type = find_container_type(line, TYPE);
	struct container *parent = find_container(line, CONTAINER), *container;

	if (!type)
		fail("a container of type 0");
	if (g_hash_table_contains(check.containers, alias))
		fail("the container %s is there twice", alias);
	if (parent->type != type->on)
		fail("the container %s is inside of one of the wrong type", alias);
	if (line->time < parent->created)
		fail("the container %s is older than the one around it", alias);
	container = g_new0(struct container, 1);
	container->type = type;
	container->parent = parent;
	container->name = g_strdup(line->field[NAME]->text);
	container->created = line->time;
	container->stack = g_array_new(FALSE, FALSE, sizeof(struct state));
	container->last = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	container->variables = g_hash_table_new(NULL, NULL);
	parent->n_children++;
	check.n_alive++;
	g_hash_table_insert(check.containers, g_strdup(alias), container);
}

static void destroy_container(const struct line *line)
{
	struct container *container = find_container(line, NAME);
	const char *alias = line->field[NAME]->text;

	if (find_type(line, TYPE) != container->type)
		fail("the container %s is of another type", alias);
	if (container->n_children)
		fail("the container %s is destroyed before those inside", alias);
	if (container->stack->len)
		fail("the container %s is destroyed in a state", alias);
	if (check.ending && line->time != check.now)
		fail("the container %s is destroyed later than others", alias);
	container->gone = TRUE;
	container->parent->n_children--;
	check.n_alive--;
	check.ending = TRUE;
}

static char *container_path(const struct container *container)
{
	GString *path = g_string_new(NULL);

	for (; container->parent; container = container->parent) {
		if (path->len)
			g_string_prepend_c(path, '/');
		g_string_prepend(path, container->name);
	}
	return g_string_free(path, FALSE);
}

/* --- items, as the text output has them --- */

/* "took_ns" is the duration "took", "type_" an attribute with the name of a field. */
static void put_attr_name(GString *text, const char *name)
{
	gsize len = strlen(name);

	if (g_str_has_suffix(name, "_ns"))
		len -= strlen("_ns");
	else if (g_str_has_suffix(name, "_"))
		len--;
	g_string_append_printf(text, " %.*s=", (int)len, name);
}

/* The attributes of a line: its fields without a meaning of their own. */
static char *extra_fields(const struct line *line)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; check.items && i < line->def->n; i++) {
		const char *value = line->words[i].text;
		gboolean quoted = line->words[i].quoted;

		if (line->def->field[i] != EXTRA ||
		    (quoted ? !strcmp(value, "-") : !strcmp(value, "0") || !strcmp(value, "0x0")))
			continue;
		put_attr_name(text, line->def->name[i]);
		if (quoted)
			items_quote(text, value, strlen(value));
		else
			g_string_append(text, value);
	}
	return g_string_free(text, FALSE);
}

/* The row of a container, and its lane. A container for lanes is "lane 2 of PARENT" or "TITLE lane 2 of PARENT", with the
 * whole name of its parent; one for a row is "NAME of PATH", with the path above it, or "NAME". */
struct place {
	char *row;
	gint64 lane;
};

static char *without_suffix(const char *name, const char *suffix)
{
	g_autofree char *of = g_strconcat(" of ", suffix, NULL);

	return *suffix && g_str_has_suffix(name, of) ? g_strndup(name, strlen(name) - strlen(of)) : NULL;
}

static struct place place_of(const struct container *container)
{
	struct place place = { g_strdup(""), 0 }, above;
	g_autofree char *own = NULL;
	g_autofree char *with_lane = NULL;
	const char *lane;

	if (!container->parent || g_str_has_prefix(container->type->name, "group of "))
		return place;
	above = place_of(container->parent);
	with_lane = g_strconcat(container->type->name, " lane ", NULL);
	own = without_suffix(container->name, container->parent->name ? container->parent->name : "");
	if (own && (g_str_has_prefix(container->type->name, "lane of ") ||
		    !strcmp(own, container->type->name) || g_str_has_prefix(own, with_lane))) {
		lane = g_strrstr(own, "lane ");
		above.lane = lane ? g_ascii_strtoll(lane + strlen("lane "), NULL, 10) - 1 : 0;
		g_free(place.row);
		return above;
	}
	g_free(own);
	own = without_suffix(container->name, above.row);
	g_free(place.row);
	place.row = g_strconcat(above.row, *above.row ? "/" : "", own ? own : container->name, NULL);
	g_free(above.row);
	return place;
}

/* Sorted with the others; the caller fills in all but the row. */
static void dump_item(struct items_item *item, const struct container *container)
{
	struct place place = place_of(container);

	item->type = "*";
	item->row = place.row;
	item->lane = place.lane;
	g_ptr_array_add(check.dump, items_line(item, 0));
	g_free(place.row);
}

/* --- states, events, variables --- */

/* The container of an event whose type belongs there. */
static struct container *event_container(const struct line *line, enum event kind, struct type **out)
{
	struct container *container = find_container(line, CONTAINER);
	struct type *type = find_type(line, TYPE);
	guint64 *last;

	if (!type || type->kind != kind)
		fail("%s with the type %s", events[line->def->event].name, line->field[TYPE]->text);
	if (type->on != container->type)
		fail("the type %s does not belong on the container %s", line->field[TYPE]->text,
		     line->field[CONTAINER]->text);
	if (line->time < container->created)
		fail("an event before its container was created");
	last = g_hash_table_lookup(container->last, type);
	if (last && line->time < *last)
		fail("time runs backwards on the container %s", line->field[CONTAINER]->text);
	if (!last) {
		last = g_new0(guint64, 1);
		g_hash_table_insert(container->last, type, last);
	}
	*last = line->time;
	*out = type;
	return container;
}

static const char *find_value(const struct line *line, const struct type *type)
{
	const char *name = g_hash_table_lookup(type->values, line->field[VALUE]->text);

	if (!name)
		fail("the value %s was not defined", line->field[VALUE]->text);
	return name;
}

static void dump_state(const struct container *container, const struct state *state, guint64 t1)
{
	g_autofree char *path = container_path(container);
	struct items_item item = { .kind = "span", .category = state->value, .attrs = state->attrs,
				   .start = (gint64)state->t0, .end = (gint64)t1 };

	if (check.items) {
		dump_item(&item, container);
		return;
	}

	g_ptr_array_add(check.dump,
			g_strdup_printf("span %s \"%s\" %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
					path, state->value, state->t0, t1 - state->t0));
}

static void pop_state(struct container *container, guint64 time)
{
	if (!container->stack->len)
		fail("a pop without a push");
	dump_state(container,
		   &g_array_index(container->stack, struct state, container->stack->len - 1), time);
	g_free(g_array_index(container->stack, struct state, container->stack->len - 1).attrs);
	g_array_set_size(container->stack, container->stack->len - 1);
}

static void change_state(const struct line *line)
{
	struct type *type;
	struct container *container = event_container(line, DEFINE_STATE_TYPE, &type);
	struct state state = { .t0 = line->time };

	if (container->state_type && container->state_type != type)
		fail("a second type of states on the container %s", line->field[CONTAINER]->text);
	container->state_type = type;
	if (line->def->event == POP_STATE) {
		pop_state(container, line->time);
		return;
	}
	while (line->def->event == SET_STATE && container->stack->len)
		pop_state(container, line->time);
	state.value = find_value(line, type);
	state.attrs = extra_fields(line);
	g_array_append_val(container->stack, state);
}

static void new_event(const struct line *line)
{
	struct type *type;
	struct container *container = event_container(line, DEFINE_EVENT_TYPE, &type);
	g_autofree char *path = container_path(container), *attrs = extra_fields(line);
	struct items_item item = { .kind = "point", .category = find_value(line, type), .attrs = attrs,
				   .start = (gint64)line->time, .end = (gint64)line->time };

	if (check.items)
		dump_item(&item, container);
	else
		g_ptr_array_add(check.dump, g_strdup_printf("point %s \"%s\" %" G_GUINT64_FORMAT, path,
						    find_value(line, type), line->time));
}

static void change_variable(const struct line *line)
{
	struct type *type;
	struct container *container = event_container(line, DEFINE_VARIABLE_TYPE, &type);
	g_autofree char *value = g_strconcat(" ", line->field[VALUE]->text, NULL);
	struct items_item item = { .kind = "sample", .attrs = value, .start = (gint64)line->time };

	/* the first value is that before the first change */
	if (check.items && g_hash_table_contains(container->variables, type))
		dump_item(&item, container);
	if (line->def->event == SET_VARIABLE)
		g_hash_table_add(container->variables, type);
	else if (!g_hash_table_contains(container->variables, type))
		fail("a variable is changed before it is set");
}

/* --- links --- */

static void dump_link(const struct link *link, const char *value)
{
	struct place to = place_of(link->end[1]);
	struct items_item item = { .kind = "link", .category = value, .attrs = link->attrs,
				   .start = (gint64)MIN(link->at[0], link->at[1]),
				   .end = (gint64)MAX(link->at[0], link->at[1]),
				   .marks = link->at[0] > link->at[1] ? "backwards" : NULL,
				   .row_to = to.row, .lane_to = to.lane };

	dump_item(&item, link->end[0]);
	g_free(to.row);
}

static void finish_link(const struct line *line, struct link *link, const char *value)
{
	g_autofree char *key = g_strdup_printf("%s %s", line->field[CONTAINER]->text,
					       line->field[TYPE]->text);
	guint64 *last = g_hash_table_lookup(check.link_times, key);

	check.n_open_links--;
	if (last && link->time < *last)
		fail("links are not in the order of their completion");
	last = g_new(guint64, 1);
	*last = link->time;
	g_hash_table_insert(check.link_times, g_steal_pointer(&key), last);
	if (check.items)
		dump_link(link, value);
	else
		g_ptr_array_add(check.dump,
			g_strdup_printf("link %s %s \"%s\" %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT,
					link->path[0], link->path[1], value, link->at[0],
					(gint64)(link->at[1] - link->at[0])));
	g_free(link->path[0]);
	g_free(link->path[1]);
	g_free(link->attrs);
}

static void half_link(const struct line *line)
{
	gboolean is_start = line->def->event == START_LINK;
	struct container *owner = find_container(line, CONTAINER), *up;
	struct container *end = find_container(line, is_start ? START_CONTAINER : END_CONTAINER);
	struct type *type = find_type(line, TYPE);
	g_autofree char *key = g_strdup_printf("%s %s %s", line->field[CONTAINER]->text,
					       line->field[TYPE]->text, line->field[KEY]->text);
	struct link *link = g_hash_table_lookup(check.links, key);
	guint half = is_start ? 1 : 2;
	const char *value;

	if (!type || type->kind != DEFINE_LINK_TYPE || type->on != owner->type)
		fail("the type %s is not one of links on that container", line->field[TYPE]->text);
	if (end->type != (is_start ? type->start : type->end))
		fail("an end of the link is on a container of the wrong type");
	for (up = end; up && up != owner;)
		up = up->parent;
	if (!up)
		fail("the owner of a link is not around its end");
	value = find_value(line, type);
	if (!link) {
		link = g_new0(struct link, 1);
		link->value = g_strdup(line->field[VALUE]->text);
		g_hash_table_insert(check.links, g_steal_pointer(&key), link);
		check.n_open_links++;
	}
	if (link->halves & half)
		fail("the key %s of a link is used twice", line->field[KEY]->text);
	if (strcmp(link->value, line->field[VALUE]->text))
		fail("the ends of the link %s have different values", line->field[KEY]->text);
	link->halves |= half;
	link->time = MAX(link->time, line->time);
	link->at[half - 1] = line->time;
	link->path[half - 1] = container_path(end);
	link->end[half - 1] = end;
	if (is_start)
		link->attrs = extra_fields(line);
	if (link->halves == 3)
		finish_link(line, link, value);
}

/* --- order --- */

/*
 * States from before the recording become known late. They may come late as the first on their container,
 * which all readers accept.
 */
static gboolean may_be_late(const struct line *line)
{
	const struct container *container;

	if (line->def->event == CREATE_CONTAINER)
		return TRUE;
	if (line->def->event != PUSH_STATE && line->def->event != SET_STATE)
		return FALSE;
	container = find_container(line, CONTAINER);
	if (container->used && container->latest != line->time)
		return FALSE;
	return !line->flags || strstr(line->flags->text, "before") ||
	       strstr(line->flags->text, "unknown");
}

static void check_order(const struct line *line)
{
	enum event event = line->def->event;

	if (!line->field[TIME])
		return;
	if (line->time < check.now && !may_be_late(line))
		fail("time runs backwards");
	if (check.ending && event != DESTROY_CONTAINER)
		fail("an event after the destruction of containers");
}

static void note_time(const struct line *line)
{
	if (!line->field[TIME])
		return;
	check.now = MAX(check.now, line->time);
	if (line->field[CONTAINER] && line->def->event != CREATE_CONTAINER) {
		struct container *container = find_container(line, CONTAINER);

		container->used = TRUE;
		container->latest = MAX(container->latest, line->time);
	}
}

static void event_line(char *text)
{
	static void (*const actions[N_EVENTS])(const struct line *) = {
		[DEFINE_CONTAINER_TYPE] = define_type, [DEFINE_STATE_TYPE] = define_type,
		[DEFINE_EVENT_TYPE] = define_type,     [DEFINE_VARIABLE_TYPE] = define_type,
		[DEFINE_LINK_TYPE] = define_type,      [DEFINE_VALUE] = define_value,
		[CREATE_CONTAINER] = create_container, [DESTROY_CONTAINER] = destroy_container,
		[SET_STATE] = change_state,	       [PUSH_STATE] = change_state,
		[POP_STATE] = change_state,	       [SET_VARIABLE] = change_variable,
		[ADD_VARIABLE] = change_variable,      [SUB_VARIABLE] = change_variable,
		[START_LINK] = half_link,	       [END_LINK] = half_link,
		[NEW_EVENT] = new_event,
	};
	struct word words[MAX_WORDS];
	guint n = split(text, words);
	struct line line = { 0 };
	guint64 id;

	if (!n)
		fail("an empty line");
	if (check.open)
		fail("a definition of an event has no end");
	check.body = TRUE;
	if (g_ascii_string_to_unsigned(words[0].text, 10, 0, G_MAXINT32, &id, NULL))
		line.def = g_hash_table_lookup(check.definitions, GUINT_TO_POINTER((guint)id));
	if (!line.def)
		fail("no event %s", words[0].text);
	if (n != line.def->n + 1)
		fail("%u fields instead of %u", n - 1, line.def->n);
	line.words = words + 1;
	for (guint i = 0; i < line.def->n; i++) {
		const struct word *word = &words[i + 1];

		check_word(line.def, i, word);
		if (line.def->field[i] < N_FIELDS)
			line.field[line.def->field[i]] = word;
		else if (!g_ascii_strcasecmp(line.def->name[i], "flags"))
			line.flags = word;
	}
	if (line.field[TIME])
		line.time = parse_time(line.field[TIME]);
	check_order(&line);
	actions[line.def->event](&line);
	note_time(&line);
	free_words(words, n);
}

/* --- the file --- */

static void check_end(void)
{
	if (check.open)
		fail("a definition of an event has no end");
	if (check.n_open_links)
		fail("%u links have only one end", check.n_open_links);
	if (check.n_alive)
		fail("%u containers are not destroyed", check.n_alive);
	if (check.root.stack->len)
		fail("a state of the root has no end");
}

static void check_text(char *text, gsize size)
{
	if (strlen(text) != size)
		fail("a NUL byte");
	if (size && text[size - 1] != '\n')
		fail("the last line has no end");
	for (char *p = text; *p;) {
		char *end = strchr(p, '\n');

		*end = '\0';
		check.line++;
		if (*p == '%')
			definition_line(p);
		else
			event_line(p);
		p = end + 1;
	}
	check_end();
}

static void set_up(const char *path)
{
	check.path = path;
	check.definitions = g_hash_table_new(NULL, NULL);
	check.types = g_hash_table_new(g_str_hash, g_str_equal);
	check.containers = g_hash_table_new(g_str_hash, g_str_equal);
	check.links = g_hash_table_new(g_str_hash, g_str_equal);
	check.link_times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	check.dump = g_ptr_array_new_with_free_func(g_free);
	check.root.stack = g_array_new(FALSE, FALSE, sizeof(struct state));
	check.root.last = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	check.root.variables = g_hash_table_new(NULL, NULL);
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(int argc, char **argv)
{
	gboolean items = argc > 1 && !strcmp(argv[1], "--items");
	gboolean dump = items || (argc > 1 && !strcmp(argv[1], "--dump"));
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	gsize size;

	if (argc != 2 + dump) {
		fprintf(stderr, "usage: %s [--dump|--items] FILE\n", argv[0]);
		return 2;
	}
	if (!g_file_get_contents(argv[1 + dump], &text, &size, &error)) {
		fprintf(stderr, "%s\n", error->message);
		return 2;
	}
	set_up(argv[1 + dump]);
	check.items = items;
	check_text(text, size);
	g_ptr_array_sort(check.dump, compare_texts);
	for (guint i = 0; dump && i < check.dump->len; i++)
		puts(g_ptr_array_index(check.dump, i));
	return 0;
}
