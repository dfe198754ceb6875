/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a model that cannot come to anything take no part in a run. */
#include "model-bench.h"

#include "model/model-local.h"

/* From-ends have a condition on a table that nothing else reads. */
static const char link_model[] = "[model]\nname = m\nsystem = sys\n"
				 "[keytable known]\nkey = k\nset 1 = event hello key k value {k}\n"
				 "[container node]\nin = root\nid = {@node}\nname = {@node}\n"
				 "[values v]\non = node\nvalue A = red hold\n"
				 "[links way]\ntitle = Way\nvalue go = blue\n"
				 "[pair call]\nstart = begin\nend = stop halt\nkey = k\n"
				 "[link go]\nlinks = way\nunique = yes\nfrom = event hello\nto = end of call call\n"
				 "key = k\nfrom when = known[k]\nlone from = ignore\nlone to = ignore\n"
				 "on = node\nvalue = go\n";

static struct iot_schema_event *find_event(const struct bench *b, const char *name)
{
	const struct iot_schema_event *event = iot_schema_find(b->schema, "sys", name);

	CU_ASSERT_PTR_NOT_NULL_FATAL(event);
	return b->schema->events->pdata[event->index];
}

static struct iot_event_role *first_role(const struct bench *b, const char *name)
{
	return b->model->roles->pdata[find_event(b, name)->index];
}

/* @unrecorded: events that no recording has */
static void check_link(const char *unrecorded, gboolean left_out)
{
	g_auto(GStrv) names = g_strsplit(unrecorded, " ", -1);
	const struct iot_pair *pair;
	struct bench b;

	bench_init(&b, link_model);
	for (guint i = 0; names[i]; i++)
		find_event(&b, names[i])->unrecorded = TRUE;
	bench_run(&b, b.model, NULL);
	pair = b.model->pairs->pdata[0];
	CU_ASSERT_EQUAL(first_role(&b, "hello")->links == NULL, left_out);
	CU_ASSERT_EQUAL(pair->link_ends == NULL, left_out);
	/* nobody but the link reads the table */
	CU_ASSERT_EQUAL(first_role(&b, "hello")->hooks.changes == NULL, left_out);
	bench_finish(&b, 20, "");
}

UNIT_TEST(links_without_one_of_their_events_are_left_out)
{
	check_link("", FALSE);
	check_link("hello", TRUE);
	/* each of several events can be the end of the call */
	check_link("stop", FALSE);
	check_link("stop halt", TRUE);
}

static const char vcpu_model[] = "[model]\nname = host\nsystem = sys\nneeds = vcpus\n"
				 "[keytable node]\nkey = thread\nfrom = vcpu node\n"
				 "[keytable own]\nkey = thread\nset 1 = event other key t value {t}\n"
				 "[role comes]\nevent = comes\nwhen = node[t]\nlet thread = t\n"
				 "[role goes]\nevent = goes\nwhen = own[t]\nlet thread = t\n"
				 "[role rests]\nevent = rests\nlet thread = t\n"
				 "[container row]\nin = root\nid = {thread}\nname = {thread}\n"
				 "[values v]\non = row\nvalue A = red hold\n"
				 "[object vcpu]\non = row\nkey = thread\nnotice = comes goes rests\n"
				 "[machine v]\nof = vcpu\nvalues = v\nunknown = ?\n"
				 "rule 1 = notice comes go A\n";

UNIT_TEST(events_under_a_condition_on_virtual_cpus_are_those_of_hosts)
{
	static const struct {
		const char *event;
		gboolean of_vcpus;
	} cases[] = { { "comes", TRUE }, { "goes", FALSE }, { "rests", FALSE }, { "other", FALSE } };
	struct bench b;

	bench_start(&b, vcpu_model);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		CU_ASSERT_EQUAL(iot_model_of_vcpus(b.model, find_event(&b, cases[i].event)->index),
				cases[i].of_vcpus);
	bench_finish(&b, 20, "");
}
