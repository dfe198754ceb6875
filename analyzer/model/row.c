/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/row.h"
#include "timeline/node-names.h"
#include "timeline/thread-rows.h"

#include <string.h>

/* in a cache of one container */
enum { MAX_ROWS = 32768 };

void iot_row_type_free(gpointer data)
{
	struct iot_row_type *container = data;

	iot_memo_clear(&container->by_fields);
	iot_memo_clear(&container->by_values);
	g_free(container);
}

static gboolean is_for(const struct iot_row_path *path, const struct iot_scope_events *scope)
{
	return path->scope.aliases == scope->aliases && path->scope.required == scope->required &&
	       path->scope.call == scope->call &&
	       !memcmp(path->scope.event, scope->event, sizeof(scope->event));
}

static struct iot_row_path *find_row_path(const struct iot_model *model,
					  const struct iot_row_type *on,
					  const struct iot_scope_events *scope)
{
	for (guint i = 0; i < model->row_paths->len; i++) {
		struct iot_row_path *path = model->row_paths->pdata[i];

		if (path->on == on && is_for(path, scope))
			return path;
	}
	return NULL;
}

static gboolean compile_level(const struct iot_builder *b, const struct iot_row_type *container,
			      struct iot_row_path *path)
{
	const struct iot_section *section = container->section;
	const struct iot_setting *also = iot_section_get(section, "also");
	const struct iot_setting *is = iot_section_get(section, "is");
	const struct iot_setting *thing = is ? is : iot_section_get(section, "about");
	const struct iot_setting *process = iot_section_get(section, "process");
	struct iot_level *level = &path->level[path->n_levels++];
	struct iot_scope_events *scope = &path->scope;
	GHashTable *names = b->model->names;

	level->type = container->type;
	level->id =
		iot_template_compile(iot_section_get(section, "id"), names, TRUE, scope, b->error);
	if (!level->id)
		return FALSE;
	path->n_values += iot_template_n_values(level->id);
	iot_template_operands(level->id, &path->operands);
	level->name = iot_template_compile(iot_section_get(section, "name"), names, FALSE, scope,
					   b->error);
	if (!level->name)
		return FALSE;
	if (also)
		level->also = iot_template_compile(also, names, FALSE, scope, b->error);
	if (thing)
		level->thing = iot_template_compile(thing, names, TRUE, scope, b->error);
	if (process)
		level->process = iot_template_compile(process, names, TRUE, scope, b->error);
	return (!also || level->also) && (!thing || level->thing) && (!process || level->process);
}

/*
 * All paths to rows of a container have the same templates, compiled for different events, so they
 * share the container's caches. With aliases, two operands of one path may be one field in another:
 * then the order of operands differs, and the path cannot use by_fields.
 */
static void start_caches(struct iot_row_path *path)
{
	struct iot_row_type *on = path->on;

	if (!on->by_fields.words) {
		on->fields_order = path->operands.order;
		on->generation = 1;
		iot_memo_init(&on->by_fields, iot_operands_n_values(&path->operands), MAX_ROWS);
	}
	if (!path->operands.others && path->operands.order == on->fields_order)
		path->by_fields = &on->by_fields;
	if (!on->by_values.words && path->n_values <= IOT_MEMO_VALUES)
		iot_memo_init(&on->by_values, path->n_values, MAX_ROWS);
}

struct iot_row_path *iot_bind_row_path(const struct iot_builder *b, struct iot_row_type *on,
				       struct iot_scope_events *scope)
{
	struct iot_row_path *path = find_row_path(b->model, on, scope);
	const struct iot_row_type *chain[IOT_MAX_LEVELS];
	guint n = 0;

	if (path)
		return path;
	path = g_new0(struct iot_row_path, 1);
	g_ptr_array_add(b->model->row_paths, path);
	path->on = on;
	path->scope = *scope;
	for (const struct iot_row_type *up = on; up; up = up->parent)
		chain[n++] = up;
	if (on->is_thread || on->as_thread || on->follows) {
		const struct iot_setting *pid = iot_section_get(on->section, "pid");

		path->pid = iot_expr_compile_as(pid, 0, strlen(pid->value), &path->scope,
						IOT_EXPR_NUMBER, b->error);
		if (!path->pid)
			return NULL;
	}
	if (on->follows || on->as_thread)
		return path;
	while (n)
		if (!compile_level(b, chain[--n], path))
			return NULL;
	start_caches(path);
	return path;
}

void iot_row_path_free(gpointer data)
{
	struct iot_row_path *path = data;

	for (guint i = 0; i < path->n_levels; i++) {
		iot_template_free(path->level[i].id);
		iot_template_free(path->level[i].name);
		iot_template_free(path->level[i].also);
		iot_template_free(path->level[i].thing);
		iot_template_free(path->level[i].process);
	}
	iot_expr_free(path->pid);
	g_free(path);
}

/* ---- run time */

/* Beyond the limit all new rows of a level share one; its lanes separate their contents. */
static gboolean is_beyond_limit(struct iot_model *model, iot_type_id type)
{
	if (model->tl->rows.n <= model->max_rows ||
	    iot_type_at(model->tl, type)->role == IOT_ROLE_NODE)
		return FALSE;
	iot_diag_add(model->diag, IOT_DIAG_boxes_folded, 1);
	return TRUE;
}

/* Slow path of a lookup. */
struct search {
	struct iot_model *model;
	const struct iot_row_path *path;
	const struct iot_eval *eval;
	/* the row is one that others share beyond the limit */
	gboolean folded;
	/* where the user says that the rank of MPI ran whose row it is; NULL: nothing */
	const struct iot_node_ranks *ranks;
	iot_str recording; /* the identity of the node of its recording */
};

static void select_new(struct iot_model *model, iot_row_id row)
{
	if (model->select && !model->select(model->select_data, model->tl, row))
		iot_row_hide(model->tl, row);
}

iot_row_id iot_row_below_thread(struct iot_model *model, struct iot_row_type *on, guint32 input,
				gint64 pid)
{
	iot_row_id thread =
		iot_thread_rows_find(model->tl->threads, model->inputs[input].machine, pid, NULL);
	iot_row_id row;
	gboolean is_new;

	if (!thread)
		return 0;
	row = iot_timeline_row(model->tl, on->type, thread, on->follow_id, on->follow_name,
			       &is_new);
	if (is_new)
		select_new(model, row);
	return row;
}

static void select_above(gpointer data, iot_row_id row)
{
	select_new(data, row);
}

/* What the user says of a node (--names): another identity, and for nodes at the root the row
 * above. Returns its name; 0: that of the template. */
static iot_str rename_node(const struct search *search, iot_type_id type, iot_str *id,
			   iot_row_id *parent)
{
	struct iot_model *model = search->model;
	const struct iot_timeline *tl = model->tl;
	const struct iot_node_name *node;

	if (!tl->names || iot_type_at(tl, type)->role != IOT_ROLE_NODE)
		return 0;
	if (search->ranks)
		*id = search->ranks->node;
	node = iot_node_names_find(tl->names, *id);
	if (node)
		*id = node->id;
	if (!*parent)
		*parent = iot_node_names_parent(tl->names, node, select_above, model);
	return node ? node->name : 0;
}

/* A rank of MPI that ran on another node than its recording names: its row goes below that one. */
static gboolean is_rank(const struct iot_model *model, const struct iot_row_path *path)
{
	const struct iot_timeline *tl = model->tl;

	return tl->names && path->n_levels == 2 && !strcmp(model->system, "mpi") &&
	       iot_type_at(tl, path->level[0].type)->role == IOT_ROLE_NODE &&
	       !strcmp(iot_tl_str(tl, iot_type_at(tl, path->level[1].type)->name), "rank");
}

/* Its name, with the process if that is said: "rank 3 pid 4711". */
static iot_str name_rank(const struct search *search, iot_str name)
{
	g_autofree char *text = NULL;

	if (!search->ranks->process)
		return name;
	text = g_strdup_printf("%s pid %" G_GUINT64_FORMAT, iot_tl_str(search->model->tl, name),
			       search->ranks->process);
	return iot_intern_str(search->model->tl->strings, text);
}

/* The number of its process: what is said of the rank goes before what its events say. */
static iot_str process_of(const struct search *search, const struct iot_level *level,
			  gboolean moved)
{
	g_autofree char *text = NULL;

	if (!moved || !search->ranks->process)
		return iot_template_eval(level->process, search->eval);
	text = g_strdup_printf("%" G_GUINT64_FORMAT, search->ranks->process);
	return iot_intern_str(search->model->tl->strings, text);
}

/* The row of one level below @parent. */
static iot_row_id find_below(struct search *search, const struct iot_level *level,
			     iot_row_id parent)
{
	const struct iot_eval *eval = search->eval;
	struct iot_model *model = search->model;
	struct iot_timeline *tl = model->tl;
	iot_str id = iot_template_eval(level->id, eval), also = 0, thing = 0, process = 0;
	iot_str name = rename_node(search, level->type, &id, &parent);
	gboolean moved = search->ranks && level == &search->path->level[1], is_new;
	iot_row_id row;

	if (moved)
		id = iot_node_names_move(tl->names, search->recording, id);
	row = iot_timeline_find_row(tl, level->type, parent, id);
	if (row)
		return row;
	if (is_beyond_limit(model, level->type)) {
		search->folded = TRUE;
		id = model->others;
		name = iot_intern_str(tl->strings, "(others)");
	} else {
		if (!name)
			name = iot_template_eval(level->name, eval);
		if (level->also)
			also = iot_template_eval(level->also, eval);
		if (level->thing)
			thing = iot_template_eval(level->thing, eval);
		if (level->process)
			process = process_of(search, level, moved);
		if (!name)
			name = iot_intern_str(tl->strings, "(unnamed)");
		if (moved)
			name = name_rank(search, name);
	}
	row = iot_timeline_row(tl, level->type, parent, id, name, &is_new);
	if (is_new) {
		iot_row_set_also(tl, row, also);
		iot_row_set_thing(tl, row, thing);
		iot_row_set_process(tl, row, process);
	}
	if (is_new && model->select && !model->select(model->select_data, tl, row))
		iot_row_hide(tl, row);
	return row;
}

static iot_row_id find_by_levels(struct search *search)
{
	const struct iot_row_path *path = search->path;
	iot_row_id row = 0;

	if (G_UNLIKELY(is_rank(search->model, path))) {
		search->recording = search->model->inputs[search->eval->recording].node;
		search->ranks =
			iot_node_names_rank(search->model->tl->names, search->recording,
					    iot_template_eval(path->level[1].id, search->eval));
	}
	for (guint i = 0; i < path->n_levels; i++)
		row = find_below(search, &path->level[i], row);
	return row;
}

/* Rows are never removed, and the values alone select one, so no text is made on a cache hit. A
 * shared row is not cached, because each lookup must count. */
static iot_row_id find_by_values(struct search *search)
{
	const struct iot_row_path *path = search->path;
	struct iot_memo_key key;
	guint64 *answer;
	iot_row_id row;

	if (path->n_values > IOT_MEMO_VALUES || iot_slow_only())
		return find_by_levels(search);
	/* fast path: the memo by values */
	iot_memo_key_start(&key);
	for (guint i = 0; i < path->n_levels; i++)
		iot_template_key(path->level[i].id, search->eval, &key);
	answer = iot_memo_find(&path->on->by_values, &key);
	if (G_LIKELY(*answer))
		return (iot_row_id)*answer;
	/* slow path */
	row = find_by_levels(search);
	*answer = search->folded ? 0 : row;
	return row;
}

/* A table has changed. If it is one that this container asks, entries of by_fields become invalid.
 */
static G_GNUC_NO_INLINE void check_tables(const struct iot_model *model,
					  const struct iot_row_path *path)
{
	guint64 tables_version = iot_operands_version(&path->operands);
	struct iot_row_type *on = path->on;
	guint n_values = on->by_fields.n_values;

	on->seen_version = model->tables_version;
	if (on->tables_version == tables_version)
		return;
	on->tables_version = tables_version;
	if (G_LIKELY(++on->generation))
		return;
	on->generation = 1;
	iot_memo_clear(&on->by_fields);
	iot_memo_init(&on->by_fields, n_values, MAX_ROWS);
}

/* Fast path: the row cached for these fields, 0 on a cache miss. It asks no table and makes no
 * text.
 */
static inline iot_row_id find_fast(const struct iot_model *model, const struct iot_row_path *path,
				   const struct iot_eval *eval, struct iot_memo_key *key)
{
	struct iot_row_type *on = path->on;
	const guint64 *slot;

	if (G_UNLIKELY(on->seen_version != model->tables_version))
		check_tables(model, path);
	iot_operands_key(&path->operands, eval, key);
	slot = iot_memo_look(path->by_fields, key);
	return slot[0] && slot[1] >> 32 == on->generation ? (iot_row_id)slot[1] : 0;
}

/* Slow path. Not inlined, so that the fast path needs few registers. */
static G_GNUC_NO_INLINE iot_row_id find_slow(struct iot_model *model, struct iot_row_path *path,
					     const struct iot_eval *eval,
					     const struct iot_memo_key *key)
{
	struct search search = { .model = model, .path = path, .eval = eval };
	iot_row_id row;

	if (path->on->as_thread)
		return iot_thread_rows_find(model->tl->threads, eval->machine,
					    iot_expr_eval(path->pid, eval), NULL);
	if (path->on->follows)
		return iot_row_below_thread(model, path->on, eval->machine,
					    iot_expr_eval(path->pid, eval));
	row = find_by_values(&search);

	if (path->by_fields && !search.folded && !iot_slow_only())
		*iot_memo_find(path->by_fields, key) = (guint64)path->on->generation << 32 | row;
	return row;
}

iot_row_id iot_row_path_find(struct iot_model *model, struct iot_row_path *path,
			     const struct iot_eval *eval)
{
	struct iot_memo_key key;
	iot_row_id row =
		path->by_fields && !iot_slow_only() ? find_fast(model, path, eval, &key) : 0;

	return G_LIKELY(row) ? row : find_slow(model, path, eval, &key);
}
