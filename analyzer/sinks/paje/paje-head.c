/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a Pajé file: definitions, and the containers in order of rank. */
#include "sinks/paje/paje-trace.h"
#include "base/units.h"

/* Field names that readers know or parse as keywords; such an attribute gets an underscore. */
static const char reserved[] =
	" time name alias type container startcontainertype endcontainertype startcontainer "
	"endcontainer value key color line file filename containertype entitytype "
	"sourcecontainertype destcontainertype sourcecontainer destcontainer date int double hex "
	"string float ";

static const char fixed_definitions[] = "%EventDef PajeDefineContainerType 0\n"
					"% Alias string\n"
					"% Type string\n"
					"% Name string\n"
					"%EndEventDef\n"
					"%EventDef PajeDefineStateType 1\n"
					"% Alias string\n"
					"% Type string\n"
					"% Name string\n"
					"%EndEventDef\n"
					"%EventDef PajeDefineEventType 2\n"
					"% Alias string\n"
					"% Type string\n"
					"% Name string\n"
					"%EndEventDef\n"
					"%EventDef PajeDefineEntityValue 3\n"
					"% Alias string\n"
					"% Type string\n"
					"% Name string\n"
					"% Color color\n"
					"%EndEventDef\n"
					"%EventDef PajeCreateContainer 4\n"
					"% Time date\n"
					"% Alias string\n"
					"% Type string\n"
					"% Container string\n"
					"% Name string\n"
					"%EndEventDef\n"
					"%EventDef PajeDestroyContainer 5\n"
					"% Time date\n"
					"% Type string\n"
					"% Name string\n"
					"%EndEventDef\n"
					"%EventDef PajePopState 6\n"
					"% Time date\n"
					"% Type string\n"
					"% Container string\n"
					"%EndEventDef\n";

static void put_name(struct paje *paje, const char *text)
{
	char word[PAJE_TEXT_MAX + 2];
	gboolean cut = FALSE;
	char *end = paje_put_text(word, text, strlen(text), &cut);

	iot_out_write(paje->head, word, (gsize)(end - word));
	if (cut)
		iot_diag_add(&paje->diag, IOT_DIAG_name_cut, 1);
}

static void put_str(struct paje *paje, iot_str str)
{
	put_name(paje, iot_tl_str(paje->tl, str));
}

static void put_field(struct paje *paje, const struct iot_attr_def *def)
{
	g_autofree char *lower = g_ascii_strdown(iot_tl_str(paje->tl, def->name), -1);
	g_autofree char *word = g_strconcat(" ", lower, " ", NULL);
	const char *name = iot_tl_str(paje->tl, def->name), *suffix = "", *type = "int";

	if (strstr(reserved, word))
		suffix = "_";
	if (def->format == IOT_ATTR_DURATION)
		suffix = "_ns";
	if (def->format == IOT_ATTR_STR)
		type = "string";
	if (def->format == IOT_ATTR_HEX)
		type = "hex";
	if (def->format == IOT_ATTR_REAL)
		type = "double";
	iot_out_printf(paje->head, "%% %s%s %s\n", name, suffix, type);
}

/* One definition for each type, because each type has fields of its own. */
static void put_event_definition(struct paje *paje, iot_type_id id)
{
	const struct iot_type *type = iot_type_at(paje->tl, id);

	iot_out_printf(paje->head, "%%EventDef %s %u\n%% Time date\n%% Type string\n",
		       type->kind == IOT_TYPE_SPAN ? "PajePushState" : "PajeNewEvent",
		       PAJE_FIRST_FREE + id);
	iot_out_puts(paje->head, "% Container string\n% Value string\n");
	for (guint i = 0; i < type->n_attrs; i++)
		if (type->kind == IOT_TYPE_POINT || !type->attr[i].late)
			put_field(paje, &type->attr[i]);
	if (type->leaving)
		iot_out_puts(paje->head, "% leaving string\n");
	iot_out_puts(paje->head, "%EndEventDef\n");
}

static gboolean has_links(const struct paje *paje, iot_type_id id)
{
	const struct paje_link_type *types = paje->link_types.data;

	for (gsize i = 0; i < paje->link_types.n; i++)
		if (types[i].id == id)
			return TRUE;
	return FALSE;
}

/* Number of PajeDefineLinkType, which no type has. */
static guint define_link(const struct paje *paje)
{
	return PAJE_FIRST_FREE + paje->tl->types.n;
}

static void put_link_definitions(struct paje *paje)
{
	iot_out_printf(paje->head,
		       "%%EventDef PajeDefineLinkType %u\n%% Alias string\n%% Type string\n"
		       "%% StartContainerType string\n%% EndContainerType string\n"
		       "%% Name string\n%%EndEventDef\n"
		       "%%EventDef PajeEndLink %d\n%% Time date\n%% Type string\n"
		       "%% Container string\n%% EndContainer string\n%% Value string\n"
		       "%% Key string\n%%EndEventDef\n",
		       define_link(paje), PAJE_END_LINK);
	for (iot_type_id id = 1; id < paje->tl->types.n; id++) {
		const struct iot_type *type = iot_type_at(paje->tl, id);

		if (!has_links(paje, id))
			continue;
		iot_out_printf(paje->head,
			       "%%EventDef PajeStartLink %u\n%% Time date\n%% Type string\n"
			       "%% Container string\n%% StartContainer string\n"
			       "%% Value string\n%% Key string\n",
			       PAJE_FIRST_FREE + id);
		for (guint i = 0; i < type->n_attrs; i++)
			put_field(paje, &type->attr[i]);
		iot_out_puts(paje->head, "%EndEventDef\n");
	}
}

static void put_event_definitions(struct paje *paje)
{
	iot_out_puts(paje->head, fixed_definitions);
	if (paje->gaps.n)
		iot_out_printf(paje->head,
			       "%%EventDef PajePushState %d\n%% Time date\n%% Type string\n"
			       "%% Container string\n%% Value string\n%% lost string\n"
			       "%%EndEventDef\n",
			       PAJE_PUSH_LOST);
	if (paje->has_counters)
		iot_out_printf(paje->head,
			       "%%EventDef PajeDefineVariableType %d\n%% Alias string\n"
			       "%% Type string\n%% Name string\n%% Color color\n%%EndEventDef\n"
			       "%%EventDef PajeSetVariable %d\n%% Time date\n%% Type string\n"
			       "%% Container string\n%% Value double\n%%EndEventDef\n",
			       PAJE_DEF_VARIABLE, PAJE_SET_VARIABLE);
	for (iot_type_id id = 1; id < paje->n_types; id++)
		if (paje->uses[id] && paje->uses[id]->type->kind != IOT_TYPE_COUNTER)
			put_event_definition(paje, id);
	if (paje->link_types.n)
		put_link_definitions(paje);
}

/* Rows in use, and all rows above them. */
static gboolean *find_shown(const struct paje *paje)
{
	gboolean *shown = g_new0(gboolean, paje->tl->rows.n);

	for (guint i = 0; i < paje->n_types; i++) {
		const struct paje_slot *slot = paje->slots[i];

		for (guint row = 0; slot && row < slot->n_rows && row < paje->tl->rows.n; row++)
			shown[row] |= slot->lanes[row] > 0;
	}
	for (iot_row_id id = paje->tl->rows.n; id-- > 1;)
		if (shown[id])
			shown[iot_row_at(paje->tl, id)->parent] = TRUE;
	return shown;
}

static void put_title(struct paje *paje, const struct iot_type *type)
{
	iot_out_putc(paje->head, ' ');
	put_str(paje, *iot_tl_str(paje->tl, type->title) ? type->title : type->name);
	iot_out_putc(paje->head, '\n');
}

static void put_container_type(struct paje *paje, iot_type_id id, gboolean grouped)
{
	const struct iot_type *type = iot_type_at(paje->tl, id);
	const struct paje_slot *first = id < paje->n_types ? paje->slots[id] : NULL;
	const char *title = iot_tl_str(paje->tl, type->title);
	g_autofree char *lane = g_strdup_printf("lane of %s", title);
	g_autofree char *group = g_strdup_printf("group of %s", title);

	if (!type->on && grouped) {
		iot_out_printf(paje->head, "%d g%u 0 ", PAJE_DEF_CONTAINER, id);
		put_name(paje, group);
		iot_out_putc(paje->head, '\n');
	}
	iot_out_printf(paje->head, "%d b%u ", PAJE_DEF_CONTAINER, id);
	if (type->on)
		iot_out_printf(paje->head, "b%u", type->on);
	else if (grouped)
		iot_out_printf(paje->head, "g%u", id);
	else
		iot_out_putc(paje->head, '0');
	put_title(paje, type);
	if (first && first->has_lanes) {
		iot_out_printf(paje->head, "%d l%u b%u ", PAJE_DEF_CONTAINER, id, id);
		put_name(paje, lane);
		iot_out_putc(paje->head, '\n');
	}
}

static void put_colour(struct paje *paje, guint32 rgb)
{
	iot_out_puts(paje->head, " \"");
	for (int shift = 16; shift >= 0; shift -= 8) {
		guint permille = ((rgb >> shift & 255) * 2000 + 255) / 510;

		iot_out_printf(paje->head, "%u.%03u%s", permille / 1000, permille % 1000,
			       shift ? " " : "\"\n");
	}
}

/* A counter has one category with its name and colour. */
static void put_variable(struct paje *paje, iot_cat_id id)
{
	const struct iot_category *cat = iot_cat_at(paje->tl, id);

	iot_out_printf(paje->head, "%d y%u b%u ", PAJE_DEF_VARIABLE, cat->type,
		       iot_type_at(paje->tl, cat->type)->on);
	put_str(paje, cat->name);
	put_colour(paje, cat->rgb);
}

static void put_item_type(struct paje *paje, iot_type_id id)
{
	const struct paje_slot *slot = paje->uses[id]->slot;
	const struct iot_type *type = iot_type_at(paje->tl, id);
	gboolean point = type->kind == IOT_TYPE_POINT;
	int def = point ? PAJE_DEF_EVENT : PAJE_DEF_STATE;

	if (slot->further) {
		iot_out_printf(paje->head, "%d x%u b%u", PAJE_DEF_CONTAINER, id, slot->on);
		put_title(paje, type);
		iot_out_printf(paje->head, "%d s%u x%u", def, id, id);
		put_title(paje, type);
		return;
	}
	iot_out_printf(paje->head, "%d %c%u b%u", def, point ? 'e' : 's', id, slot->on);
	put_title(paje, type);
	if (slot->has_lanes) {
		iot_out_printf(paje->head, "%d %c%u l%u", def, point ? 'f' : 'u', id, slot->on);
		put_title(paje, type);
	}
}

static void put_value(struct paje *paje, iot_cat_id id)
{
	const struct iot_category *cat = iot_cat_at(paje->tl, id);
	const struct paje_use *use = cat->type < paje->n_types ? paje->uses[cat->type] : NULL;
	gboolean lanes = use && use->slot->has_lanes && !use->slot->further;

	if (use && use->type->kind == IOT_TYPE_COUNTER) {
		put_variable(paje, id);
		return;
	}
	for (int lane = 0; use && lane <= lanes; lane++) {
		char letter = use->type->kind == IOT_TYPE_POINT ? "ef"[lane] : "su"[lane];

		iot_out_printf(paje->head, "%d %c%u %c%u ", PAJE_DEF_VALUE, lane ? 'w' : 'v', id,
			       letter, cat->type);
		put_str(paje, cat->name);
		put_colour(paje, cat->rgb);
	}
}

static void put_link_type(struct paje *paje, const struct paje_link_type *type)
{
	iot_out_printf(paje->head, "%u %s 0 %c%u %c%u", define_link(paje), type->alias,
		       type->from_lane ? 'l' : 'b', type->from, type->to_lane ? 'l' : 'b',
		       type->to);
	put_title(paje, type->use.type);
	for (iot_cat_id id = 1; id < paje->tl->cats.n; id++) {
		const struct iot_category *cat = iot_cat_at(paje->tl, id);

		if (cat->type != type->id)
			continue;
		iot_out_printf(paje->head, "%d v%u %s ", PAJE_DEF_VALUE, id, type->alias);
		put_str(paje, cat->name);
		put_colour(paje, cat->rgb);
	}
}

/* Types of the rows that are shown. */
static gboolean *find_used(const struct paje *paje, const gboolean *shown)
{
	gboolean *used = g_new0(gboolean, paje->tl->types.n);

	for (iot_row_id id = 1; id < paje->tl->rows.n; id++)
		used[iot_row_at(paje->tl, id)->type] |= shown[id];
	return used;
}

static gboolean needs_groups(const struct paje *paje, const gboolean *used)
{
	guint n = 0;

	for (iot_type_id id = 1; id < paje->tl->types.n; id++)
		n += used[id] && !iot_type_at(paje->tl, id)->on;
	return n > 1;
}

static void put_types(struct paje *paje, const gboolean *used, gboolean grouped)
{
	for (iot_type_id id = 1; id < paje->tl->types.n; id++)
		if (used[id])
			put_container_type(paje, id, grouped);
	for (iot_type_id id = 1; id < paje->n_types; id++)
		if (paje->uses[id] && paje->uses[id]->type->kind != IOT_TYPE_COUNTER)
			put_item_type(paje, id);
	for (iot_cat_id id = 1; id < paje->tl->cats.n; id++)
		put_value(paje, id);
	for (gsize i = 0; i < paje->link_types.n; i++)
		put_link_type(paje, (const struct paje_link_type *)paje->link_types.data + i);
}

static void put_container(struct paje *paje, char *type, char *alias, const char *parent,
			  const char *name)
{
	iot_out_printf(paje->head, "%d 0.000000000 %s %s %s ", PAJE_CREATE, alias, type, parent);
	put_name(paje, name);
	iot_out_putc(paje->head, '\n');
	g_ptr_array_add(paje->drawn, g_strconcat(type, " ", alias, NULL));
	g_free(type);
	g_free(alias);
}

static void put_lanes(struct paje *paje, const struct paje_slot *slot, iot_row_id id)
{
	g_autofree char *parent = g_strdup_printf("c%u", id);
	guint n = id < slot->n_rows ? slot->lanes[id] : 0;

	for (guint lane = 1; lane < n && !slot->further; lane++) {
		g_autofree char *text = paje_lane_name(paje, id, "", lane);

		put_container(paje, g_strdup_printf("l%u", slot->on),
			      g_strdup_printf("c%ul%u", id, lane), parent, text);
	}
	for (guint lane = 0; lane < n && slot->further; lane++) {
		const struct iot_type *type = iot_type_at(paje->tl, slot->span);
		g_autofree char *text =
			paje_lane_name(paje, id, iot_tl_str(paje->tl, type->title), lane);

		put_container(paje, g_strdup_printf("x%u", slot->span),
			      lane ? g_strdup_printf("c%ux%ul%u", id, slot->span, lane)
				   : g_strdup_printf("c%ux%u", id, slot->span),
			      parent, text);
	}
}

/* The title of the view that begins with this type, else the title of the type. */
static char *group_name(const struct paje *paje, iot_type_id type)
{
	for (guint i = 0; i < paje->tl->n_views; i++)
		if (paje->tl->view[i].column[0] == type)
			return g_strdup(iot_tl_str(paje->tl, paje->tl->view[i].title));
	return g_strdup(iot_tl_str(paje->tl, iot_type_at(paje->tl, type)->title));
}

/* The group of a row without a parent. Rows come by type, so the first row of a type makes it. */
static char *put_group(struct paje *paje, iot_type_id type, iot_type_id *last)
{
	g_autofree char *name = NULL;

	if (type != *last) {
		name = group_name(paje, type);
		put_container(paje, g_strdup_printf("g%u", type), g_strdup_printf("h%u", type), "0",
			      name);
	}
	*last = type;
	return g_strdup_printf("h%u", type);
}

/* @group: type of the last group, or NULL if there are none */
static void put_row(struct paje *paje, iot_row_id id, iot_type_id *group)
{
	const struct iot_row *row = iot_row_at(paje->tl, id);
	g_autofree char *parent = NULL, *name = paje_row_name(paje, id);

	if (row->parent)
		parent = g_strdup_printf("c%u", row->parent);
	else
		parent = group ? put_group(paje, row->type, group) : g_strdup("0");
	put_container(paje, g_strdup_printf("b%u", row->type), g_strdup_printf("c%u", id), parent,
		      name);
	for (guint i = 0; i < paje->n_types; i++)
		if (paje->slots[i] && paje->slots[i]->on == row->type)
			put_lanes(paje, paje->slots[i], id);
}

/* Gaps are sorted by node; rows are numbered as in paje_late_gaps. */
static void put_gap_rows(struct paje *paje)
{
	const struct paje_gap *gaps = paje->gaps.data;
	guint row = 0;

	for (gsize i = 0; i < paje->gaps.n; i++) {
		g_autofree char *text = NULL;

		if (i && gaps[i].node == gaps[i - 1].node)
			continue;
		text = g_strconcat(IOT_GAP_NAME " ", iot_tl_str(paje->tl, gaps[i].node), NULL);
		put_container(paje, g_strdup("r"), g_strdup_printf("r%u", ++row), "0", text);
	}
}

void paje_head_write(struct paje *paje)
{
	g_autofree gboolean *shown = find_shown(paje);
	g_autofree gboolean *used = find_used(paje, shown);
	g_autoptr(GArray) order = iot_timeline_ordered(paje->tl);
	gboolean grouped = needs_groups(paje, used);
	iot_type_id group = 0;

	paje_name_levels(paje, shown, grouped);
	paje->drawn = g_ptr_array_new_with_free_func(g_free);
	put_event_definitions(paje);
	put_types(paje, used, grouped);
	if (paje->gaps.n)
		iot_out_printf(paje->head,
			       "%d r 0 \"recording\"\n%d rs r \"" IOT_GAP_NAME "\"\n"
			       "%d rv rs \"" IOT_GAP_NAME "\" \"0.500 0.500 0.500\"\n",
			       PAJE_DEF_CONTAINER, PAJE_DEF_STATE, PAJE_DEF_VALUE);
	for (guint i = 0; i < order->len; i++)
		if (shown[g_array_index(order, iot_row_id, i)])
			put_row(paje, g_array_index(order, iot_row_id, i), grouped ? &group : NULL);
	if (paje->gaps.n)
		put_gap_rows(paje);
}
