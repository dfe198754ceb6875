/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [access] and [advice]: what spans do to files, and rules about it. */
#include "model-bench.h"
#include "timeline/access.h"
#include "timeline/advice.h"

#define HEAD                                                                           \
	"[model]\nname = m\nsystem = sys\n[container node]\nin = root\nid = {@node}\n" \
	"name = {@node}\n[values use]\non = node\nattrs = op:text pid:int pos:int\n"   \
	"value in = red\nvalue out = blue\n"
#define ACCESS HEAD "[access use]\n" /* line 13 */
#define ADVICE HEAD "[advice few]\n"

static enum iot_access_kind kind_of(const struct iot_timeline *tl, const char *cat_name,
				    const char *operation, guint flags)
{
	const struct iot_access *access = NULL;
	struct iot_item item = { .n_attrs = 3, .flags = (guint16)flags };

	for (iot_cat_id cat = 1; cat < tl->cats.n; cat++) {
		if (strcmp(iot_tl_str(tl, iot_cat_at(tl, cat)->name), cat_name) != 0)
			continue;
		item.cat = cat;
		access = iot_access_of(tl, iot_cat_at(tl, cat)->type);
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(access);
	item.attr[0].str = iot_intern_str(tl->strings, operation);
	return iot_access_kind(access, &item);
}

UNIT_TEST(values_go_before_operations)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model =
		load(tl, schema,
		     ACCESS "values = use\nthread = pid\noperation = op\nposition = pos\n"
			    "value in = read\noperation put = write\noperation get = sync\n",
		     &error);

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	CU_ASSERT(iot_accesses_known(tl));
	CU_ASSERT_EQUAL(kind_of(tl, "in", "put", 0), IOT_ACCESS_READ);
	CU_ASSERT_EQUAL(kind_of(tl, "out", "put", 0), IOT_ACCESS_WRITE);
	CU_ASSERT_EQUAL(kind_of(tl, "out", "get", 0), IOT_ACCESS_SYNC);
	CU_ASSERT_EQUAL(kind_of(tl, "out", "other", 0), IOT_ACCESS_NONE);
	CU_ASSERT_EQUAL(kind_of(tl, "in", "put", IOT_FAILED), IOT_ACCESS_NONE);
	iot_model_free(model);
}

UNIT_TEST(calls_about_locks_have_a_kind_and_a_mode)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model =
		load(tl, schema,
		     ACCESS "values = use\noperation = op\nmode = op\nlock put = whole\n"
			    "lock get = range\nmode put = shared\n",
		     &error);
	enum iot_file_lock_mode mode;
	struct iot_item item = { .n_attrs = 3 };
	const struct iot_access *access;

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	access = iot_access_of(tl, iot_cat_at(tl, tl->cats.n - 1)->type);
	item.attr[0].str = iot_intern_str(tl->strings, "put");
	CU_ASSERT_EQUAL(iot_access_lock(access, &item, &mode), IOT_FILE_LOCK_WHOLE);
	CU_ASSERT_EQUAL(mode, IOT_FILE_LOCK_SHARED);
	item.flags = IOT_FAILED;
	CU_ASSERT_EQUAL(iot_access_lock(access, &item, &mode), IOT_FILE_LOCK_NONE);
	item.flags = 0;
	item.attr[0].str = iot_intern_str(tl->strings, "get");
	CU_ASSERT_EQUAL(iot_access_lock(access, &item, &mode), IOT_FILE_LOCK_RANGE);
	CU_ASSERT_EQUAL(mode, IOT_FILE_LOCK_UNKNOWN);
	item.attr[0].str = iot_intern_str(tl->strings, "other");
	CU_ASSERT_EQUAL(iot_access_lock(access, &item, &mode), IOT_FILE_LOCK_NONE);
	iot_model_free(model);
}

UNIT_TEST(accesses_that_are_wrong)
{
	static const struct {
		const char *lines, *message;
	} rows[] = {
		{ "thread = pid\n", ":13:1: [access use]: \"values = ...\" is missing" },
		{ "values = look\n", ":14:10: there is no section [values look] above" },
		{ "values = use\nthread = tid\n", ":15:10: [values use] has no number \"tid\"" },
		{ "values = use\nthread = op\n", ":15:10: [values use] has no number \"op\"" },
		{ "values = use\noperation = pid\n", ":15:13: [values use] has no text \"pid\"" },
		{ "values = use\nvalue up = read\n", ":15:1: [values use] has no value \"up\"" },
		{ "values = use\nvalue in = eat\n",
		  ":15:12: no such access (there are: read, write, sync, open, close, metadata, "
		  "truncate, map, lock, none)" },
		{ "values = use\noperation x = read\n",
		  ":15:1: the section does not say which attribute is the operation" },
		{ "values = use\nlock x = range\n",
		  ":15:1: the section does not say which attribute is the operation" },
		{ "values = use\noperation = op\nlock x = bytes\n",
		  ":16:10: \"range\" or \"whole\" expected" },
		{ "values = use\nmode x = free\n",
		  ":15:1: the section does not say which attribute is the mode" },
		{ "values = use\nmode = op\nmode x = mine\n",
		  ":16:10: \"free\", \"shared\" or \"exclusive\" expected" },
		{ "values = use\nmode = pid\n", ":15:8: [values use] has no text \"pid\"" },
		{ "values = use\n[check x]\nfinds = race\nsays = x\n",
		  ":15:1: [check x]: \"accesses = ...\" is missing" },
		{ "values = use\n[check x]\nfinds = race\nsays = x\naccesses = use\nconsistency = "
		  "none\n",
		  ":19:15: \"posix\", \"commit\", \"session\" or \"mpi-io\" expected" },
		{ "values = use\n[values idle]\non = node\nvalue x = red\n[check x]\nfinds = "
		  "race\nsays = "
		  "x\naccesses = idle\n",
		  ":21:12: [values idle] has no [access] above" },
		{ "values = use\n[links x]\norders = no\n",
		  ":16:10: only \"orders = yes\" is known" },
		{ "values = use\n[access again]\nvalues = use\n",
		  ":16:10: [values use] has a section [access] above" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(ACCESS, rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}

UNIT_TEST(rules_hold_if_all_conditions_do)
{
	g_autoptr(iot_timeline) tl = iot_timeline_new();
	g_autoptr(iot_schema) schema = iot_schema_new();
	g_autoptr(GError) error = NULL;
	struct iot_model *model =
		load(tl, schema,
		     ADVICE "of = file\nwhen 1 = writes >= 7\nwhen 2 = random >= 100 % of writes\n"
			    "when 3 = reads <= 2\ndo = x\n",
		     &error);
	guint64 metric[IOT_N_METRICS] = {
		[IOT_METRIC_WRITES] = 7, [IOT_METRIC_RANDOM] = 7, [IOT_METRIC_READS] = 2
	};
	const struct iot_advice_rule *rule;

	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	CU_ASSERT_EQUAL_FATAL(iot_timeline_rules(tl)->len, 1);
	rule = &g_array_index(iot_timeline_rules(tl), struct iot_advice_rule, 0);
	CU_ASSERT_FALSE(rule->of_run);
	CU_ASSERT_STRING_EQUAL(rule->action, "x");
	CU_ASSERT(iot_advice_rule_holds(rule, metric));
	metric[IOT_METRIC_RANDOM]--;
	CU_ASSERT_FALSE(iot_advice_rule_holds(rule, metric));
	metric[IOT_METRIC_RANDOM]++;
	metric[IOT_METRIC_READS]++;
	CU_ASSERT_FALSE(iot_advice_rule_holds(rule, metric));
	iot_model_free(model);
}

UNIT_TEST(rules_that_are_wrong)
{
	static const struct {
		const char *lines, *message;
	} rows[] = {
		{ "do = x\n", ":13:1: [advice few]: \"of = ...\" is missing" },
		{ "of = file\n", ":13:1: [advice few]: \"do = ...\" is missing" },
		{ "of = node\ndo = x\n", ":14:6: \"file\" or \"run\" expected" },
		{ "of = run\ndo = x\n",
		  ":13:1: [advice few]: a rule needs a condition \"when 1\"" },
		{ "of = run\ndo = x\nwhen 1 = words >= 1\n",
		  ":16:10: nothing called \"words\" is counted" },
		{ "of = run\ndo = x\nwhen 1 = writes > 1\n", ":16:17: \">=\" or \"<=\" expected" },
		{ "of = run\ndo = x\nwhen 1 = writes >= 1k\n", ":16:20: a whole number expected" },
		{ "of = run\ndo = x\nwhen 1 = writes >= 1 % of words\n",
		  ":16:27: nothing called \"words\" is counted" },
		{ "of = run\ndo = x\nwhen 1 = writes\n",
		  ":16:10: wants \"NUMBER >= LIMIT\" or \"NUMBER >= LIMIT % of NUMBER\", with <= "
		  "for "
		  "the opposite" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(ADVICE, rows[i].lines, NULL);

		check_load(text, rows[i].message);
	}
}
