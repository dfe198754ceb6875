/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [compatible]: which modes of [values] several holders may have at the same time. */
#include "model/bind.h"
#include "model/section-table.h"
#include "model/values.h"

#include <string.h>

struct matrix {
	const struct iot_builder *b;
	struct iot_values *values;
	guint n;
	/* by number of the mode, from 1 */
	const struct iot_setting *line[IOT_MAX_MODES + 1];
	iot_cat_id cat[IOT_MAX_MODES + 1];
	guint64 with[IOT_MAX_MODES + 1];
};

static const char *mode_name(const struct matrix *matrix, guint mode)
{
	return matrix->line[mode]->key + strlen("value ");
}

/* The number of the mode @name; 0: there is none. */
static guint find_mode(const struct matrix *matrix, const char *name)
{
	guint mode = matrix->n;

	while (mode && strcmp(mode_name(matrix, mode), name))
		mode--;
	return mode;
}

static gboolean add_mode(struct matrix *matrix, const struct iot_setting *line)
{
	const struct iot_model *model = matrix->b->model;
	const char *name = line->key + strlen("value ");
	iot_cat_id cat =
		iot_values_listed_cat(matrix->values, iot_intern_str(model->tl->strings, name));

	if (!cat || iot_cat_at(model->tl, cat)->role != IOT_ROLE_HOLD)
		return iot_setting_key_error(line, matrix->b->error,
					     "[values %s] has no value \"%s\" with the role hold",
					     matrix->values->section->name, name);
	if (matrix->n == IOT_MAX_MODES)
		return iot_setting_key_error(line, matrix->b->error, "more than %d values",
					     IOT_MAX_MODES);
	matrix->n++;
	matrix->line[matrix->n] = line;
	matrix->cat[matrix->n] = cat;
	return TRUE;
}

/* "NAME, NAME ..." or "none" */
static gboolean read_line(struct matrix *matrix, guint mode)
{
	const struct iot_setting *line = matrix->line[mode];
	g_auto(GStrv) names = g_strsplit(line->value, ",", -1);
	gsize at = 0;

	if (!strcmp(line->value, "none"))
		return TRUE;
	for (guint i = 0; names[i]; at += strlen(names[i++]) + 1) {
		g_autofree char *name = g_strstrip(g_strdup(names[i]));
		gsize blanks = strspn(names[i], " \t");
		guint other = find_mode(matrix, name);

		if (!other)
			return iot_setting_error(line, at + blanks, matrix->b->error,
						 "\"%s\" has no line \"value %s = ...\" in this "
						 "section",
						 name, name);
		if (matrix->with[mode] >> other & 1)
			return iot_setting_error(line, at + blanks, matrix->b->error,
						 "\"%s\" stands twice", name);
		matrix->with[mode] |= G_GUINT64_CONSTANT(1) << other;
	}
	return TRUE;
}

/* If one goes with the other, the other goes with the one. */
static gboolean check_symmetry(const struct matrix *matrix, guint mode)
{
	for (guint other = 1; other <= matrix->n; other++)
		if (matrix->with[mode] >> other & 1 && !(matrix->with[other] >> mode & 1))
			return iot_setting_error(matrix->line[mode], 0, matrix->b->error,
						 "%s is compatible with %s here, but not %s with "
						 "%s in line %u",
						 mode_name(matrix, mode), mode_name(matrix, other),
						 mode_name(matrix, other), mode_name(matrix, mode),
						 matrix->line[other]->line);
	return TRUE;
}

/* "ATTRIBUTE FLAG": calls that give up at once. */
static gboolean read_tries(const struct matrix *matrix)
{
	const struct iot_setting *tries = iot_section_get(matrix->b->section, "tries");
	struct iot_timeline *tl = matrix->b->model->tl;
	g_auto(GStrv) words = g_strsplit(tries ? tries->value : "", " ", -1);
	int attr;

	if (!tries)
		return TRUE;
	if (g_strv_length(words) != 2 || !*words[1])
		return iot_setting_error(tries, 0, matrix->b->error, "wants ATTRIBUTE FLAG");
	attr = iot_type_attr(tl, iot_type_at(tl, matrix->values->type), words[0]);
	if (attr < 0 || iot_type_at(tl, matrix->values->type)->attr[attr].format != IOT_ATTR_STR)
		return iot_setting_error(tries, 0, matrix->b->error,
					 "[values %s] has no text attribute \"%s\"",
					 matrix->values->section->name, words[0]);
	iot_type_set_tries(tl, matrix->values->type, (guint)attr,
			   iot_intern_str(tl->strings, words[1]));
	return TRUE;
}

/* The attribute @name, a number; 0: there is none. Else 1 + its position. */
static guint find_number(const struct matrix *matrix, const char *name)
{
	const struct iot_timeline *tl = matrix->b->model->tl;
	const struct iot_type *type = iot_type_at(tl, matrix->values->type);
	int attr = iot_type_attr(tl, type, name);

	return attr < 0 || type->attr[attr].format == IOT_ATTR_STR || type->attr[attr].late
		       ? 0
		       : (guint)attr + 1;
}

/* "range = FIRST LAST", "owner = ATTRIBUTE" and "queue = no" */
static gboolean read_range(const struct matrix *matrix)
{
	const struct iot_setting *queue = iot_section_get(matrix->b->section, "queue");
	const struct iot_setting *range = iot_section_get(matrix->b->section, "range");
	const struct iot_setting *owner = iot_section_get(matrix->b->section, "owner");
	g_auto(GStrv) words = g_strsplit(range ? range->value : "", " ", -1);
	guint at[3] = { 0 };

	if (queue && strcmp(queue->value, "no"))
		return iot_setting_error(queue, 0, matrix->b->error, "only \"no\" is known here");
	if (queue)
		iot_type_set_unqueued(matrix->b->model->tl, matrix->values->type);
	if (range && g_strv_length(words) != 2)
		return iot_setting_error(range, 0, matrix->b->error,
					 "wants two attributes, of the first and the last unit");
	for (guint i = 0; range && i < 2; i++) {
		at[i] = find_number(matrix, words[i]);
		if (!at[i])
			return iot_setting_error(range, i ? strlen(words[0]) + 1 : 0,
						 matrix->b->error,
						 "[values %s] has no number \"%s\" that is known "
						 "when a state begins",
						 matrix->values->section->name, words[i]);
	}
	if (owner && !(at[2] = find_number(matrix, owner->value)))
		return iot_setting_error(owner, 0, matrix->b->error,
					 "[values %s] has no number \"%s\" that is known when a "
					 "state begins",
					 matrix->values->section->name, owner->value);
	iot_type_set_range(matrix->b->model->tl, matrix->values->type, at[0], at[1], at[2]);
	return TRUE;
}

/* "orders = ATTRIBUTE" and "orders not = PATTERN, PATTERN ...": who holds these locks, a program.
 */
static gboolean read_orders(const struct matrix *matrix)
{
	const struct iot_setting *orders = iot_section_get(matrix->b->section, "orders");
	const struct iot_setting *except = iot_section_get(matrix->b->section, "orders not");
	struct iot_timeline *tl = matrix->b->model->tl;
	g_auto(GStrv) patterns = g_strsplit(except ? except->value : "", ",", -1);
	g_autofree char *lines = NULL;
	guint at = orders ? find_number(matrix, orders->value) : 0;

	if (orders && !at)
		return iot_setting_error(orders, 0, matrix->b->error,
					 "[values %s] has no number \"%s\" that is known when a "
					 "state begins",
					 matrix->values->section->name, orders->value);
	if (except && !orders)
		return iot_setting_key_error(except, matrix->b->error,
					     "needs a setting \"orders\"");
	for (guint i = 0; patterns[i]; i++)
		g_strstrip(patterns[i]);
	lines = g_strjoinv("\n", patterns);
	if (orders)
		iot_type_set_orders(tl, matrix->values->type, at,
				    except ? iot_intern_str(tl->strings, lines) : 0);
	return TRUE;
}

static gboolean build_compatible(const struct iot_builder *b)
{
	const struct iot_setting *name = iot_section_require(b->section, "values", b->error);
	struct matrix matrix = { .b = b };

	matrix.values = name ? iot_bind_values(b, name, "values") : NULL;
	if (!matrix.values)
		return FALSE;
	if (matrix.values->compared)
		return iot_setting_error(name, 0, b->error, "[values %s] has [compatible %s] above",
					 name->value, matrix.values->compared->name);
	if (iot_type_attr(b->model->tl, iot_type_at(b->model->tl, matrix.values->type),
			  "leaving") >= 0)
		return iot_setting_error(name, 0, b->error,
					 "[values %s] has an attribute \"leaving\", which this "
					 "section adds",
					 name->value);
	matrix.values->compared = b->section;
	for (guint i = 0; i < b->section->settings->len; i++) {
		const struct iot_setting *line = b->section->settings->pdata[i];

		if (g_str_has_prefix(line->key, "value ") && !add_mode(&matrix, line))
			return FALSE;
	}
	for (guint mode = 1; mode <= matrix.n; mode++)
		if (!read_line(&matrix, mode))
			return FALSE;
	for (guint mode = 1; mode <= matrix.n; mode++) {
		if (!check_symmetry(&matrix, mode))
			return FALSE;
		iot_cat_compare(b->model->tl, matrix.cat[mode], mode, matrix.with[mode]);
	}
	if (!matrix.n)
		return iot_section_error(b->section, b->error,
					 "\"value NAME = NAME, ...\" is missing");
	if (!read_tries(&matrix) || !read_range(&matrix) || !read_orders(&matrix))
		return FALSE;
	iot_type_add_leaving(b->model->tl, matrix.values->type);
	return TRUE;
}

static const char *const keys[] = { "values", "value *", "tries",      "range", "owner",
				    "queue",  "orders",	 "orders not", NULL };
const struct iot_section_kind iot_section_kind_compatible = { "compatible", keys, build_compatible,
							      NULL };
