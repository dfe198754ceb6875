/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [names], [container], [values], [points] and [links]: rows, categories and texts of a model. */
#include "model/values.h"
#include "model/bind.h"
#include "model/row.h"
#include "model/section-table.h"
#include "base/colour.h"
#include "base/error.h"
#include "timeline/node-names.h"
#include "timeline/thread-rows.h"

#include <string.h>

static gboolean build_names(const struct iot_builder *b)
{
	struct iot_names *names;

	if (!iot_facts_check(b->section, b->error))
		return FALSE;
	names = iot_names_new(b->section, b->error);
	if (!names)
		return FALSE;
	g_hash_table_insert(b->model->names, g_strdup(b->section->name), names);
	return TRUE;
}

static gboolean parse_number(const struct iot_setting *setting, guint32 *out, GError **error)
{
	guint64 number;
	char *end = NULL;

	number = g_ascii_strtoull(setting->value, &end, 0);
	*out = (guint32)number;
	return (g_ascii_isdigit(*setting->value) && !*end && number <= G_MAXINT32) ||
	       iot_setting_error(setting, 0, error, "a number from 0 to 0x7fffffff expected");
}

/* "TEXT = NUMBER" */
static gboolean build_numbers(const struct iot_builder *b)
{
	const struct iot_setting *otherwise = iot_section_require(b->section, "else", b->error);
	struct iot_numbers *numbers;
	guint32 number;

	if (!otherwise || !parse_number(otherwise, &number, b->error))
		return FALSE;
	numbers = iot_numbers_new(number);
	g_hash_table_insert(b->model->numbers, g_strdup(b->section->name), numbers);
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (setting == otherwise)
			continue;
		if (!parse_number(setting, &number, b->error))
			return FALSE;
		iot_numbers_set(numbers, setting->key, number);
	}
	return TRUE;
}

static iot_type_id find_row_type(const struct iot_timeline *tl, const char *name,
				 iot_type_id parent)
{
	for (iot_type_id id = 1; id < tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(tl, id);

		if (type->kind == IOT_TYPE_ROW && type->on == parent &&
		    !strcmp(iot_tl_str(tl, type->name), name))
			return id;
	}
	return 0;
}

/* Rows go below those of other models' threads, if there are any. Returns the type above. */
static iot_type_id follow_threads(struct iot_model *model, struct iot_row_type *container,
				  iot_type_id on)
{
	const struct iot_setting *below = iot_section_get(container->section, "below");
	iot_type_id thread = iot_thread_rows_type(model->tl->threads);

	container->may_follow = TRUE;
	if (!thread)
		return on;
	container->follows = TRUE;
	container->follow_id = iot_intern_str(model->tl->strings, container->section->name);
	container->follow_name =
		iot_intern_str(model->tl->strings, below->value + strlen("thread "));
	return thread;
}

/* Rows that another model draws: no level of the tree. */
static gboolean build_thread_rows(const struct iot_builder *b, const struct iot_setting *as)
{
	struct iot_row_type *container;

	if (strcmp(as->value, "thread"))
		return iot_setting_error(as, 0, b->error, "only \"thread\" is known here");
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (strcmp(setting->key, "as") && strcmp(setting->key, "pid"))
			return iot_setting_key_error(
				setting, b->error,
				"\"as = thread\" is about rows of another model, "
				"which need only \"pid\"");
	}
	if (!iot_section_require(b->section, "pid", b->error))
		return FALSE;
	container = g_new0(struct iot_row_type, 1);
	container->section = b->section;
	container->as_thread = TRUE;
	g_ptr_array_add(b->model->row_types, container);
	return TRUE;
}

/* "is" and "about": of the row above, on each machine. */
static gboolean check_thing(const struct iot_builder *b, const struct iot_setting *in,
			    const struct iot_setting *role)
{
	const struct iot_setting *is = iot_section_get(b->section, "is");
	const struct iot_setting *about = iot_section_get(b->section, "about");
	const struct iot_setting *thing = is ? is : about;

	if (is && about)
		return iot_setting_key_error(about, b->error,
					     "a row is a thing, or is about a thing; not both");
	if (thing && (!role || strcmp(role->value, "node") || !strcmp(in->value, "root")))
		return iot_setting_key_error(thing, b->error,
					     "only for rows of role node below other rows: the row "
					     "above is the thing, or is about the thing");
	return TRUE;
}

static gboolean build_container(const struct iot_builder *b)
{
	const struct iot_setting *as = iot_section_get(b->section, "as");
	const struct iot_setting *in = as ? NULL : iot_section_require(b->section, "in", b->error);
	const struct iot_setting *title = iot_section_get(b->section, "title");
	const struct iot_setting *role = iot_section_get(b->section, "role");
	const struct iot_setting *below = iot_section_get(b->section, "below");
	const struct iot_setting *order = iot_section_get(b->section, "order");
	struct iot_row_type *container;
	struct iot_row_type *parent = NULL;
	iot_type_id on = 0, id;
	gboolean is_thread, is_node;
	const char *name;
	guint depth = 1;

	if (as)
		return build_thread_rows(b, as);
	if (!in || !iot_section_require(b->section, "id", b->error) ||
	    !iot_section_require(b->section, "name", b->error))
		return FALSE;
	if (role && strcmp(role->value, "node") && strcmp(role->value, "resource") &&
	    strcmp(role->value, "thread"))
		return iot_setting_error(role, 0, b->error,
					 "no such role (there are: node, resource, thread)");
	if (below && !g_str_has_prefix(below->value, "thread "))
		return iot_setting_error(below, 0, b->error,
					 "\"thread\" and the name of the rows is expected");
	if (order && strcmp(order->value, "name"))
		return iot_setting_error(order, 0, b->error, "only \"name\" is known");
	is_thread = role && !strcmp(role->value, "thread");
	name = iot_node_names_level(b->model->tl->names, b->section->name);
	/* the user says that it is the level of nodes, which the model does not know */
	is_node = (role && !strcmp(role->value, "node")) ||
		  (name != b->section->name && !strcmp(name, "node"));
	if ((is_thread || below) && !iot_section_require(b->section, "pid", b->error))
		return FALSE;
	if (!check_thing(b, in, role))
		return FALSE;
	if (strcmp(in->value, "root")) {
		parent = iot_bind_row_type(b, in);
		if (!parent)
			return FALSE;
		on = parent->type;
	} else if (is_node) {
		on = iot_node_names_above(b->model->tl->names);
	}
	for (const struct iot_row_type *up = parent; up; up = up->parent)
		depth++;
	if (depth > IOT_MAX_LEVELS)
		return iot_setting_error(in, 0, b->error, "containers nest deeper than %d levels",
					 IOT_MAX_LEVELS);
	container = g_new0(struct iot_row_type, 1);
	container->section = b->section;
	container->parent = parent;
	container->is_thread = is_thread;
	g_ptr_array_add(b->model->row_types, container);
	if (below)
		on = follow_threads(b->model, container, on);
	id = find_row_type(b->model->tl, name, on); /* another model may have it */
	if (!id) {
		iot_timeline_type(b->model->tl, IOT_TYPE_ROW, name, title ? title->value : name, on,
				  &id);
		if ((role || is_node) && !is_thread && !container->follows)
			iot_type_set_role(b->model->tl, id,
					  is_node ? IOT_ROLE_NODE : IOT_ROLE_RESOURCE);
	}
	container->type = id;
	if (iot_section_get(b->section, "is"))
		iot_type_set_is_thing(b->model->tl, id);
	if (strstr(iot_section_get(b->section, "id")->value, "{@node}") ||
	    (parent && iot_type_at(b->model->tl, parent->type)->of_machine))
		iot_type_set_of_machine(b->model->tl, id);
	if (order)
		iot_type_set_by_name(b->model->tl, id);
	if (is_thread)
		iot_thread_rows_set_type(b->model->tl->threads, id);
	return TRUE;
}

/* Add "NAME:FORMAT" or "NAME:FORMAT:late" to the type. */
static gboolean add_attr(const struct iot_builder *b, const struct iot_setting *word,
			 iot_type_id id)
{
	static const struct {
		const char *name;
		enum iot_attr_format format;
	} formats[] = { { "int", IOT_ATTR_INT },	   { "uint", IOT_ATTR_UINT },
			{ "hex", IOT_ATTR_HEX },	   { "text", IOT_ATTR_STR },
			{ "duration", IOT_ATTR_DURATION }, { "real", IOT_ATTR_REAL } };
	const struct iot_type *type = iot_type_at(b->model->tl, id);
	g_auto(GStrv) parts = g_strsplit(word->value, ":", 3);
	struct iot_attr_def attr;
	guint i = 0;

	if (type->n_attrs == IOT_MODEL_ATTRS)
		return iot_setting_error(word, 0, b->error, "more than %d attributes",
					 IOT_MODEL_ATTRS);
	if (!*parts[0])
		return iot_setting_error(word, 0, b->error, "an attribute needs a name");
	if (iot_type_attr(b->model->tl, type, parts[0]) >= 0)
		return iot_setting_error(word, 0, b->error, "attribute \"%s\" stands twice",
					 parts[0]);
	while (i < G_N_ELEMENTS(formats) && parts[1] && strcmp(parts[1], formats[i].name))
		i++;
	if (!parts[1] || i == G_N_ELEMENTS(formats))
		return iot_setting_error(
			word, 0, b->error,
			"attribute \"%s\" needs a format: int, uint, hex, text, duration or real",
			parts[0]);
	if (parts[2] && strcmp(parts[2], "late"))
		return iot_setting_error(word, 0, b->error, "\"%s\" is not understood (only: late)",
					 parts[2]);
	attr = (struct iot_attr_def){ .name = iot_intern_str(b->model->tl->strings, parts[0]),
				      .format = formats[i].format,
				      .late = parts[2] != NULL };
	iot_type_add_attr(b->model->tl, id, &attr);
	return TRUE;
}

static gboolean add_attrs(const struct iot_builder *b, iot_type_id type)
{
	const struct iot_setting *setting = iot_section_get(b->section, "attrs");
	g_auto(GStrv) words = g_strsplit_set(setting ? setting->value : "", " \t", -1);
	gsize at = 0;

	for (guint i = 0; words[i]; at += strlen(words[i++]) + 1) {
		struct iot_setting word;

		if (!*words[i])
			continue;
		word = *setting;
		word.value = words[i];
		word.value_column += (guint)at;
		if (!add_attr(b, &word, type))
			return FALSE;
	}
	return TRUE;
}

/* The role that the word at @at of a value names; FALSE and an error if there is none. */
static gboolean parse_role(const struct iot_builder *b, const struct iot_setting *setting, gsize at,
			   const char *word, const struct iot_values *values, enum iot_role *out)
{
	enum iot_role role = IOT_ROLE_NONE + 1;

	while (role < IOT_ROLE_NODE && strcmp(word, iot_role_name(role)))
		role++;
	if (role == IOT_ROLE_NODE)
		return iot_setting_error(
			setting, at, b->error,
			"no such role (there are hold, wait, leaving, keeping, call, result, "
			"request, redirect, grant, sends, block, return, recovery, answer, wakes; "
			"and "
			"the "
			"mark stolen)");
	/* below another model's rows, time would count there twice */
	*out = values->on && values->on->follows ? IOT_ROLE_HOLD : role;
	return TRUE;
}

/* "value NAME = COLOUR [ROLE] [stolen]" */
static gboolean add_value(const struct iot_builder *b, const struct iot_setting *setting,
			  struct iot_values *values)
{
	g_auto(GStrv) words = g_strsplit_set(setting->value, " \t", -1);
	const char *name = setting->key + strlen("value ");
	enum iot_role role = IOT_ROLE_NONE;
	g_autoptr(GError) local = NULL;
	gsize at = strlen(words[0]) + 1;
	gboolean stolen = FALSE;
	guint32 rgb;
	iot_cat_id cat;

	if (!iot_colour_parse(words[0], &rgb, &local))
		return iot_setting_error(setting, 0, b->error, "%s", local->message);
	for (guint i = 1; words[i]; at += strlen(words[i++]) + 1) {
		stolen |= !strcmp(words[i], "stolen");
		if (!*words[i] || !strcmp(words[i], "stolen"))
			continue;
		if (!parse_role(b, setting, at, words[i], values, &role))
			return FALSE;
	}
	cat = iot_timeline_cat(b->model->tl, values->type, name, rgb, role);
	if (stolen)
		iot_type_set_steals(b->model->tl, values->type, cat);
	g_hash_table_insert(values->cat_by_text,
			    GUINT_TO_POINTER(iot_intern_str(b->model->tl->strings, name)),
			    GUINT_TO_POINTER(cat));
	return TRUE;
}

static gboolean build_type(const struct iot_builder *b, enum iot_type_kind kind)
{
	gboolean link = kind == IOT_TYPE_LINK; /* each end has a row of any type */
	const struct iot_setting *on =
		link ? NULL : iot_section_require(b->section, "on", b->error);
	const struct iot_setting *title = iot_section_get(b->section, "title");
	struct iot_row_type *container = on ? iot_bind_row_type(b, on) : NULL;
	struct iot_values *values;

	if (!container && !link)
		return FALSE;
	values = g_new0(struct iot_values, 1);
	values->section = b->section;
	values->on = container;
	values->cat_by_text = g_hash_table_new(NULL, NULL);
	g_ptr_array_add(b->model->values, values);
	iot_timeline_type(b->model->tl, kind, b->section->name,
			  title ? title->value : b->section->name, link ? 0 : container->type,
			  &values->type);
	if (!add_attrs(b, values->type))
		return FALSE;
	if (!link)
		iot_type_add_moved(b->model->tl, values->type);
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *setting = b->section->settings->pdata[i];

		if (g_str_has_prefix(setting->key, "value ") && !add_value(b, setting, values))
			return FALSE;
	}
	return TRUE;
}

/* "part = server" */
static gboolean set_party(const struct iot_builder *b, iot_type_id type)
{
	static const char *const parties[IOT_N_PARTIES] = { "", "client", "server", "lock",
							    "disk" };
	const struct iot_setting *part = iot_section_get(b->section, "part");

	for (guint i = IOT_PARTY_CLIENT; part && i < IOT_N_PARTIES; i++) {
		if (strcmp(part->value, parties[i]))
			continue;
		iot_type_set_party(b->model->tl, type, (enum iot_party)i);
		return TRUE;
	}
	return !part || iot_setting_error(part, 0, b->error,
					  "no such part (there are: client, server, lock, disk)");
}

/* "else = ROLE": of values that are not listed. */
static gboolean set_role(const struct iot_builder *b, struct iot_values *values)
{
	const struct iot_setting *others = iot_section_get(b->section, "else");

	return !others || parse_role(b, others, 0, others->value, values, &values->role);
}

static gboolean build_values(const struct iot_builder *b)
{
	const struct iot_setting *repeats = iot_section_get(b->section, "repeats");
	const struct iot_setting *like = iot_section_get(b->section, "like");
	const struct iot_setting *sums = iot_section_get(b->section, "sums");
	struct iot_values *values, *model = like ? iot_bind_values(b, like, "values") : NULL;
	const struct iot_values *repeated = repeats ? iot_bind_values(b, repeats, "values") : NULL;

	if ((like && !model) || (repeats && !repeated) ||
	    !build_type(b, IOT_TYPE_SPAN))
		return FALSE;
	values = b->model->values->pdata[b->model->values->len - 1];
	values->like = model;
	if (model)
		values->role = model->role;
	if (!set_role(b, values))
		return FALSE;
	if (repeats)
		iot_type_set_repeats(b->model->tl, values->type, repeated->type);
	if (sums && strcmp(sums->value, "no"))
		return iot_setting_error(sums, 0, b->error, "only \"sums = no\" is known");
	if (sums)
		iot_type_set_unsummed(b->model->tl, values->type);
	return set_party(b, values->type);
}

static gboolean build_points(const struct iot_builder *b)
{
	return build_type(b, IOT_TYPE_POINT);
}

/* "orders = yes": programs see to it that what is before comes before what is after. */
static gboolean set_orders(const struct iot_builder *b, iot_type_id type)
{
	const struct iot_setting *orders = iot_section_get(b->section, "orders");

	if (orders && strcmp(orders->value, "yes"))
		return iot_setting_error(orders, 0, b->error, "only \"orders = yes\" is known");
	if (orders)
		iot_type_set_orders(b->model->tl, type, 1, 0);
	return TRUE;
}

/* "locks = ATTR ATTR": the numbers of the locks at both ends. */
static gboolean build_links(const struct iot_builder *b)
{
	const struct iot_setting *locks = iot_section_get(b->section, "locks");
	g_auto(GStrv) words = g_strsplit(locks ? locks->value : "", " ", 2);
	struct iot_values *values;
	int at[2] = { -1, -1 };

	if (!build_type(b, IOT_TYPE_LINK))
		return FALSE;
	values = b->model->values->pdata[b->model->values->len - 1];
	if (!set_role(b, values) || !set_orders(b, values->type))
		return FALSE;
	if (!locks)
		return TRUE;
	for (guint i = 0; i < 2 && words[i]; i++)
		at[i] = iot_type_attr(b->model->tl, iot_type_at(b->model->tl, values->type),
				      words[i]);
	if (at[0] < 0 || at[1] < 0)
		return iot_setting_error(
			locks, 0, b->error,
			"locks needs two attributes of this section: of the lock at "
			"the from-end, and of the lock at the to-end");
	iot_type_set_locks(b->model->tl, values->type, (guint)at[0] + 1, (guint)at[1] + 1);
	return TRUE;
}

void iot_values_free(gpointer data)
{
	struct iot_values *values = data;

	g_hash_table_unref(values->cat_by_text);
	g_free(values);
}

iot_cat_id iot_values_listed_cat(const struct iot_values *values, iot_str text)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(values->cat_by_text, GUINT_TO_POINTER(text)));
}

static iot_cat_id find_cat(struct iot_model *model, struct iot_values *values, iot_str text)
{
	iot_cat_id cat = iot_values_listed_cat(values, text);
	guint32 rgb;

	if (cat)
		return cat;
	if (values->like)
		cat = iot_values_listed_cat(values->like, text);
	/* what says something about the row only, such as the master of a lock, is no state like
	 * the others */
	rgb = iot_colour_auto(g_hash_table_size(values->cat_by_text));
	if (iot_type_at(model->tl, values->type)->unsummed)
		rgb = iot_colour_pale(rgb);
	cat = iot_timeline_cat(model->tl, values->type, iot_tl_str(model->tl, text),
			       cat ? iot_cat_at(model->tl, cat)->rgb : rgb,
			       cat ? iot_cat_at(model->tl, cat)->role : values->role);
	g_hash_table_insert(values->cat_by_text, GUINT_TO_POINTER(text), GUINT_TO_POINTER(cat));
	return cat;
}

iot_cat_id iot_values_find_cat(struct iot_model *model, struct iot_values *values, iot_str text)
{
	guint at = text % IOT_RECENT_CATS;

	values->recent[at].text = text;
	return values->recent[at].cat = find_cat(model, values, text);
}

void iot_item_start(const struct iot_model *model, struct iot_item *item,
		    const struct iot_values *values)
{
	memset(item, 0, sizeof(*item));
	item->type = values->type;
	item->n_attrs = (guint8)iot_type_at(model->tl, values->type)->n_attrs;
}

static const char *const any_keys[] = { "*", NULL };
static const char *const container_keys[] = { "in",    "id",	"name",	   "also", "title",
					      "role",  "below", "as",	   "pid",  "is",
					      "about", "order", "process", NULL };
static const char *const values_keys[] = { "on",   "title",   "attrs", "value *", "else",
					   "like", "repeats", "sums",  "part",	  NULL };
static const char *const links_keys[] = { "title", "attrs",  "value *", "else",
					  "locks", "orders", NULL };
static const char *const points_keys[] = { "on", "title", "attrs", "value *", NULL };

const struct iot_section_kind iot_section_kind_names = { "names", any_keys, build_names, NULL };
const struct iot_section_kind iot_section_kind_numbers = { "numbers", any_keys, build_numbers,
							   NULL };
const struct iot_section_kind iot_section_kind_container = { "container", container_keys,
							     build_container, NULL };
const struct iot_section_kind iot_section_kind_values = { "values", values_keys, build_values,
							  NULL };
const struct iot_section_kind iot_section_kind_points = { "points", points_keys, build_points,
							  NULL };
const struct iot_section_kind iot_section_kind_links = { "links", links_keys, build_links, NULL };
