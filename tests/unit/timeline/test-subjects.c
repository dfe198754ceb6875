/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Glocks, their locks, and the files that both are about: rows that are made by hand. */
#include "timeline/subjects.h"
#include "timeline/twins.h"
#include "unit.h"

/* One tree of rows: world, thing, machine. */
struct tree {
	iot_type_id world, thing, node;
};

struct scene {
	struct iot_timeline *tl;
	struct tree glocks, locks, files;
};

static void make_tree(struct iot_timeline *tl, struct tree *tree)
{
	iot_timeline_type(tl, IOT_TYPE_ROW, "world", "world", 0, &tree->world);
	iot_timeline_type(tl, IOT_TYPE_ROW, "thing", "thing", tree->world, &tree->thing);
	iot_timeline_type(tl, IOT_TYPE_ROW, "node", "node", tree->thing, &tree->node);
	iot_type_set_role(tl, tree->node, IOT_ROLE_NODE);
}

static void scene_init(struct scene *scene)
{
	scene->tl = iot_timeline_new();
	make_tree(scene->tl, &scene->glocks);
	make_tree(scene->tl, &scene->locks);
	make_tree(scene->tl, &scene->files);
	iot_type_set_twin(scene->tl, scene->glocks.node, scene->locks.node);
	iot_type_set_twin(scene->tl, scene->locks.node, scene->glocks.node);
	iot_type_set_is_thing(scene->tl, scene->files.node);
}

static iot_row_id row(struct scene *scene, iot_type_id type, iot_row_id parent, const char *name)
{
	iot_str text = iot_intern_str(scene->tl->strings, name);

	return iot_timeline_row(scene->tl, type, parent, text, text, NULL);
}

/* The row of a machine; @text: what it is, or is about. */
static iot_row_id add(struct scene *scene, const struct tree *tree, const char *world,
		      const char *thing, const char *node, const char *text)
{
	iot_row_id above = row(scene, tree->thing, row(scene, tree->world, 0, world), thing);
	iot_row_id id = row(scene, tree->node, above, node);

	if (text)
		iot_row_set_thing(scene->tl, id, iot_intern_str(scene->tl->strings, text));
	return id;
}

static void expect_name(const struct scene *scene, iot_row_id row, const char *expected)
{
	g_autoptr(iot_subjects) subjects = iot_subjects_new(scene->tl);
	iot_row_id resource = iot_row_at(scene->tl, row)->parent;

	CU_ASSERT(!g_strcmp0(iot_subjects_name(subjects, row), expected));
	CU_ASSERT(!g_strcmp0(iot_subjects_name(subjects, resource), expected));
}

UNIT_TEST(locks_have_the_names_of_their_files)
{
	struct scene scene;
	iot_row_id glock, lock;

	scene_init(&scene);
	glock = add(&scene, &scene.glocks, "253:2", "inode 64", "1", "file 253:2 100");
	lock = add(&scene, &scene.locks, "gfs", "inode 64", "1", NULL);
	expect_name(&scene, glock, NULL);
	/* the same inode of another device, and of another machine */
	add(&scene, &scene.files, "", "/mnt/other", "1", "file 253:3 100");
	add(&scene, &scene.files, "", "/mnt/far", "2", "file 253:2 100");
	expect_name(&scene, lock, NULL);
	add(&scene, &scene.files, "", "/mnt/a", "1", "file 253:2 100");
	expect_name(&scene, glock, "/mnt/a");
	expect_name(&scene, lock, "/mnt/a");
	/* the other machine uses the lock, too: its name of the file */
	add(&scene, &scene.glocks, "253:2", "inode 64", "2", "file 253:2 100");
	add(&scene, &scene.locks, "gfs", "inode 64", "2", NULL);
	expect_name(&scene, lock, "/mnt/a, /mnt/far");
	add(&scene, &scene.files, "", "/mnt/b", "1", "file 253:2 100");
	add(&scene, &scene.files, "", "/mnt/c", "1", "file 253:2 100");
	expect_name(&scene, lock, "/mnt/a, /mnt/b, /mnt/c, ...");
	iot_timeline_free(scene.tl);
}

UNIT_TEST(a_lock_that_may_be_that_of_two_glocks_is_of_none)
{
	struct scene scene;
	struct iot_twins *twins;
	iot_row_id glock, lock, again;

	scene_init(&scene);
	twins = iot_twins_new(scene.tl);
	glock = add(&scene, &scene.glocks, "253:2", "inode 64", "1", "file 253:2 100");
	lock = add(&scene, &scene.locks, "gfs", "inode 64", "1", NULL);
	add(&scene, &scene.locks, "gfs", "inode 64", "2", NULL);
	add(&scene, &scene.files, "", "/mnt/a", "1", "file 253:2 100");
	CU_ASSERT_EQUAL(iot_twins_find(twins, glock, scene.tl->rows.n), lock);
	CU_ASSERT_EQUAL(iot_twins_find(twins, lock, scene.tl->rows.n), glock);
	expect_name(&scene, lock, "/mnt/a");
	/* a resource that no file system has a glock for says nothing */
	add(&scene, &scene.locks, "test", "res", "1", NULL);
	CU_ASSERT_EQUAL(iot_twins_find(twins, glock, scene.tl->rows.n), lock);
	/* a second lockspace has a resource of that name */
	again = add(&scene, &scene.locks, "gfs2", "inode 64", "1", NULL);
	CU_ASSERT_EQUAL(iot_twins_find(twins, glock, scene.tl->rows.n), 0);
	CU_ASSERT_EQUAL(iot_twins_find(twins, again, scene.tl->rows.n), 0);
	expect_name(&scene, lock, NULL);
	expect_name(&scene, glock, "/mnt/a");
	iot_twins_free(twins);
	iot_timeline_free(scene.tl);
}
