/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expected values: C's own for the same expression, where C has it. */
#include "model-sample.h"

#include "language/keytable.h"

static gint64 evaluate(struct model_sample *m, const char *text)
{
	g_autoptr(GError) error = NULL;
	const struct iot_setting *setting = model_sample_setting(m, text);
	g_autoptr(iot_expr) expr = iot_expr_compile(setting, 0, strlen(setting->value), &m->scope, &error);

	if (!expr) {
		fprintf(stderr, "%s\n", error->message);
		CU_FAIL("does not compile");
		return 0;
	}
	return iot_expr_eval(expr, &m->eval);
}

static void check_wrong(struct model_sample *m, const char *text, const char *expected)
{
	g_autoptr(GError) error = NULL;
	const struct iot_setting *setting = model_sample_setting(m, text);

	CU_ASSERT_PTR_NULL(iot_expr_compile(setting, 0, strlen(setting->value), &m->scope, &error));
	check_message(error, expected);
}

#define CHECK(m, expression) CU_ASSERT_EQUAL(evaluate(m, #expression), (gint64)(expression))

UNIT_TEST(operators_are_those_of_c)
{
	const gint64 a = -5, b = 12;
	struct model_sample m;

	model_sample_init(&m);
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[0].i = a;
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[1].u = b;
	CHECK(&m, 0);
	CHECK(&m, 42);
	CHECK(&m, 0x7fffffff);
	CHECK(&m, -11);
	CHECK(&m, - -11);
	CHECK(&m, !0);
	CHECK(&m, !a);
	CHECK(&m, !!a);
	CHECK(&m, a);
	CHECK(&m, -a);
	CHECK(&m, a == -5);
	CHECK(&m, a != -5);
	CHECK(&m, a < b);
	CHECK(&m, a <= -5);
	CHECK(&m, a > -5);
	CHECK(&m, a >= -5);
	CHECK(&m, b & 4);
	CHECK(&m, b & 3);
	CHECK(&m, b | 1);
	CHECK(&m, b && a);
	CHECK(&m, 0 && a);
	CHECK(&m, 0 || a);
	CHECK(&m, 0 || 0);
	CHECK(&m, 7 || 0);
	CHECK(&m, !(b & 4));
	CU_ASSERT_EQUAL(evaluate(&m, "!b & 1"), (!b) & 1);
	CHECK(&m, a + b);
	CHECK(&m, a - b);
	CHECK(&m, a - -b - 3);
	CHECK(&m, -a - (b + 1));
	CU_ASSERT_EQUAL(evaluate(&m, "a + b & 3"), (a + b) & 3);
	CHECK(&m, 1 + a < b - 20);
	CHECK(&m, 0x7fffffffffffffff - 1 + a);
	model_sample_clear(&m);
}

static const struct iot_keytable *needed(struct model_sample *m, const char *text)
{
	const struct iot_setting *setting = model_sample_setting(m, text);
	g_autoptr(iot_expr) expr = iot_expr_compile(setting, 0, strlen(setting->value), &m->scope, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(expr);
	return iot_expr_needs(expr);
}

/* Without an entry the condition is false, whatever the fields are. */
UNIT_TEST(a_condition_needs_the_table_that_alone_makes_it_true)
{
	g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func(iot_keytable_unref);
	struct iot_keytable *t = iot_keytable_new("t", 1), *u = iot_keytable_new("u", 1);
	struct model_sample m;

	g_ptr_array_add(tables, t);
	g_ptr_array_add(tables, u);
	model_sample_init(&m);
	m.scope.tables = tables;
	CU_ASSERT_PTR_EQUAL(needed(&m, "t[a]"), t);
	CU_ASSERT_PTR_EQUAL(needed(&m, "a && u[b]"), u);
	CU_ASSERT_PTR_EQUAL(needed(&m, "t[a] && u[b]"), t);
	CU_ASSERT_PTR_EQUAL(needed(&m, "a && (b && u[a])"), u);
	CU_ASSERT_PTR_NULL(needed(&m, "a"));
	CU_ASSERT_PTR_NULL(needed(&m, "!t[a]"));
	CU_ASSERT_PTR_NULL(needed(&m, "t[a] || b"));
	CU_ASSERT_PTR_NULL(needed(&m, "t[a] == \"x\""));
	CU_ASSERT_PTR_NULL(needed(&m, "a && !t[a]"));
	model_sample_clear(&m);
}

UNIT_TEST(a_table_knows_whether_an_expression_reads_it)
{
	g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func(iot_keytable_unref);
	struct iot_keytable *t = iot_keytable_new("t", 1);
	g_autoptr(iot_expr) expr = NULL;
	const struct iot_setting *setting;
	struct model_sample m;

	g_ptr_array_add(tables, t);
	model_sample_init(&m);
	m.scope.tables = tables;
	CU_ASSERT_FALSE(iot_keytable_is_read(t));
	setting = model_sample_setting(&m, "a && t[t[b]]");
	expr = iot_expr_compile(setting, 0, strlen(setting->value), &m.scope, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(expr);
	CU_ASSERT(iot_keytable_is_read(t));
	iot_expr_leave_out(expr);
	CU_ASSERT_FALSE(iot_keytable_is_read(t));
	iot_expr_leave_out(NULL);
	model_sample_clear(&m);
}

UNIT_TEST(equal_addresses_are_equal)
{
	static const char *const bytes[] = { "\2\0\0\x15\x0a\0\0\1\0\0\0\0", "\2\0\0\x15\x0a\0\0\1" };
	struct model_sample m;
	struct iot_rec *self, *end;

	model_sample_init(&m);
	self = model_sample_rec(&m, IOT_SCOPE_SELF);
	end = model_sample_rec(&m, IOT_SCOPE_END);
	self->slot[2].u = iot_intern_bytes(m.tl->strings, bytes[0], 12);
	end->slot[2].u = iot_intern_bytes(m.tl->strings, bytes[1], 8);
	CU_ASSERT_EQUAL(evaluate(&m, "s == end.s"), 0);
	CU_ASSERT_EQUAL(evaluate(&m, "s:address == end.s:address"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "?s:address == \"10.0.0.1:21\""), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "s:address ~ \"10.*\" && !(s:address ~ \"*:22\")"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "done.s:address ?: 7"), 7);
	CU_ASSERT_EQUAL(evaluate(&m, "a:address ?: b:address ?: x:address"), 0);
	check_wrong(&m, "s:addres", "t.model:2:8: not understood from here on");
	model_sample_clear(&m);
}

UNIT_TEST(a_field_behind_a_question_mark_may_be_missing)
{
	struct model_sample m;
	struct iot_schema_event *done;

	model_sample_init(&m);
	done = m.scope.event[IOT_SCOPE_DONE];
	model_sample_rec(&m, IOT_SCOPE_DONE)->slot[0].i = 6;
	CU_ASSERT_EQUAL(evaluate(&m, "?done.a & 2"), 2);
	CU_ASSERT_EQUAL(evaluate(&m, "?done.a & ?done.new | 1"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "(?a ?: ?done.a) == 6"), 1);
	CU_ASSERT_EQUAL_FATAL(done->n_fields, 5);
	CU_ASSERT_STRING_EQUAL(done->field[4].name, "new");
	CU_ASSERT_FALSE(done->field[4].required);
	CU_ASSERT_EQUAL(evaluate(&m, "done.new"), 0);
	CU_ASSERT(done->field[4].required);
	CU_ASSERT_EQUAL(evaluate(&m, "1 + ?done.a"), 7);
	check_wrong(&m, "a & ? b", "t.model:2:12: '?' wants a field after it");
	check_wrong(&m, "?@pid", "t.model:2:8: '?' wants a field after it");
	model_sample_clear(&m);
}

/* The fast path for chains of comparisons of fields with constants. */
UNIT_TEST(chains_of_comparisons_are_those_of_c)
{
	static const gint64 values[] = { G_MININT64, -5, -1, 0, 1, 4, 5, 12, G_MAXINT64 };
	struct model_sample m;

	model_sample_init(&m);
	for (guint i = 0; i < G_N_ELEMENTS(values) * G_N_ELEMENTS(values); i++) {
		const gint64 a = values[i % G_N_ELEMENTS(values)], b = values[i / G_N_ELEMENTS(values)];

		model_sample_rec(&m, IOT_SCOPE_SELF)->slot[0].i = a;
		model_sample_rec(&m, IOT_SCOPE_SELF)->slot[1].i = b;
		CHECK(&m, a == 4);
		CHECK(&m, a != 4);
		CHECK(&m, a < 4);
		CHECK(&m, a <= 4);
		CHECK(&m, a > -5);
		CHECK(&m, a >= -5);
		CHECK(&m, !(a >= -5));
		CHECK(&m, a <= 0x7fffffffffffffff);
		CHECK(&m, a < 0x7fffffffffffffff);
		CHECK(&m, a && b);
		CHECK(&m, !a || b);
		CHECK(&m, a > 0 && b != 0);
		CHECK(&m, !(a < 0) && !(b & 4) && b != 12);
		CHECK(&m, a < 0 || b > 4 || a == 1);
		CHECK(&m, (a & 5) == 5 || (b & 4));
		CHECK(&m, (a < 0 || b > 4) && a != 12);
		CHECK(&m, a != 1 && (a == b || b));
		CHECK(&m, a == 1 || a != b);
		CHECK(&m, a != 1 && a != 4 && a != 5 && a != 12 && a != -1);
		CHECK(&m, a != 1 && a != 4 && a != 5 && a != 12 && a != 0 && b && b != 1);
		/* chains in chains: what a left operand decides, and where evaluation goes on */
		CHECK(&m, (a | b) && ((b & 5) || a));
		CHECK(&m, ((a & 6) && b) || (a & b) || a == b);
		CHECK(&m, (a & b & 7) + 1 && ((a ?: b) & 12) - 4 && -(a || b));
		CHECK(&m, ((a | b) & -(a > 0 && b > 0)) ?: b);
		CHECK(&m, (a ?: b & 4) ?: (a || b != 1) + 7);
		CHECK(&m, ((a & b) ?: (b & 3 ?: 3) - 2) || ((a & 4) && (a | b)));
		CHECK(&m, !((a ?: b) != -1 && !((a & 4) || b)) - (a && (b ?: a)));
	}
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[0].i = -1;
	m.eval.rec[IOT_SCOPE_END] = NULL;
	CU_ASSERT_EQUAL(evaluate(&m, "a && end.a == 0"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "a > 0 || end.a"), 0);
	model_sample_clear(&m);
}

UNIT_TEST(the_first_value_that_is_not_zero)
{
	struct model_sample m;

	model_sample_init(&m);
	CHECK(&m, 7 ?: 8);
	CHECK(&m, 0 ?: 8);
	CHECK(&m, 0 ?: 0 ?: -3);
	CHECK(&m, 0 || 5 ?: 8);
	CHECK(&m, 0 ?: 3 == 3);
	model_sample_clear(&m);
}

UNIT_TEST(patterns_match_texts_only)
{
	struct model_sample m;
	struct iot_rec *self;

	model_sample_init(&m);
	self = model_sample_rec(&m, IOT_SCOPE_SELF);
	self->slot[0].i = 1;
	self->slot[2].u = iot_intern_str(m.tl->strings, "/etc/passwd");
	CU_ASSERT_EQUAL(evaluate(&m, "s ~ \"/*\""), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "s ~ \"/?*/p*\" && 1"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "!(s ~ \"etc*\")"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "(x ?: s) ~ \"/*\""), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "a ~ \"?*\""), 0); /* a number */
	CU_ASSERT_EQUAL(evaluate(&m, "x ~ \"?*\""), 0); /* absent */
	m.eval.rec[IOT_SCOPE_END] = NULL;
	CU_ASSERT_EQUAL(evaluate(&m, "end.s ~ \"?*\""), 0);
	CU_ASSERT_EQUAL(evaluate(&m, "(end.s ?: s) ~ \"/etc*\""), 1);
	check_wrong(&m, "(s ?: 1) ~ \"*\"",
		    "t.model:2:21: \"~\" stands between a field or a table and a \"pattern\"");
	check_wrong(&m, "s ~ a",
		    "t.model:2:12: \"~\" stands between a field or a table and a \"pattern\"");
	check_wrong(&m, "1 ~ \"*\"",
		    "t.model:2:14: \"~\" stands between a field or a table and a \"pattern\"");
	check_wrong(&m, "s ~ 5",
		    "t.model:2:12: \"~\" stands between a field or a table and a \"pattern\"");
	check_wrong(&m, "t[a]", "t.model:2:7: there is no [keytable] of this name above");
	model_sample_clear(&m);
}

UNIT_TEST(names_stand_for_fields)
{
	g_autoptr(GHashTable) aliases = g_hash_table_new(g_str_hash, g_str_equal);
	struct model_sample m;

	model_sample_init(&m);
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[0].i = 3;
	model_sample_rec(&m, IOT_SCOPE_END)->slot[0].i = 4;
	g_hash_table_insert(aliases, (gpointer)"a", (gpointer)"end.a");
	m.scope.aliases = aliases;
	CU_ASSERT_EQUAL(evaluate(&m, "a"), 4);
	CU_ASSERT_EQUAL(evaluate(&m, "start.a"), 3);
	model_sample_clear(&m);
}

UNIT_TEST(operators_bind_as_in_c_or_tighter_where_c_is_a_trap)
{
	struct model_sample m;

	model_sample_init(&m);
	CU_ASSERT_EQUAL(evaluate(&m, "1 || 0 && 0"), 1);
	CHECK(&m, (1 || 0) && 0);
	CU_ASSERT_EQUAL(evaluate(&m, "1 | 2 & 4"), 1);
	CHECK(&m, (1 | 2) & 4);
	CU_ASSERT_EQUAL(evaluate(&m, "1 == 1 && 2 > 1"), 1);
	/* C reads 4 & (4 == 4); here bits are taken before they are compared */
	CU_ASSERT_EQUAL(evaluate(&m, "4 & 4 == 4"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "6 & 4 == 4"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "2 | 4 == 6"), 1);
	/* blanks mean nothing */
	CU_ASSERT_EQUAL(evaluate(&m, "  ( 1==1 )&&\t!0"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "1<2"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "1&&1"), 1);
	model_sample_clear(&m);
}

UNIT_TEST(fields_of_the_three_events)
{
	struct model_sample m;

	model_sample_init(&m);
	for (guint i = 0; i < IOT_N_SCOPES; i++)
		model_sample_rec(&m, (enum iot_scope)i)->slot[0].i = 10 + i;
	CU_ASSERT_EQUAL(evaluate(&m, "a"), 10);
	CU_ASSERT_EQUAL(evaluate(&m, "end.a"), 11);
	CU_ASSERT_EQUAL(evaluate(&m, "done.a"), 12);
	CU_ASSERT_EQUAL(evaluate(&m, "x"), 0);
	/* an event that is not there: its fields are 0 */
	m.eval.rec[IOT_SCOPE_END] = NULL;
	CU_ASSERT_EQUAL(evaluate(&m, "end.a"), 0);
	m.eval.rec[IOT_SCOPE_SELF] = NULL;
	CU_ASSERT_EQUAL(evaluate(&m, "a || @pid || @ts || @took"), 0);
	model_sample_clear(&m);
}

UNIT_TEST(builtins)
{
	struct model_sample m;

	model_sample_init(&m);
	CU_ASSERT_EQUAL(evaluate(&m, "@pid"), 40);
	CU_ASSERT_EQUAL(evaluate(&m, "@ts"), 1000);
	CU_ASSERT_EQUAL(evaluate(&m, "@took"), 100);
	CU_ASSERT_EQUAL(evaluate(&m, "@node == \"3\""), 1);
	m.eval.rec[IOT_SCOPE_END] = NULL;
	CU_ASSERT_EQUAL(evaluate(&m, "@took"), 0);
	model_sample_clear(&m);
}

/* The bits of include/linux/trace_events.h: an interrupt of a softirq has both; 0x80 is no context. */
UNIT_TEST(the_context_is_the_innermost_one)
{
	static const struct {
		guint64 flags;
		gint64 context;
	} rows[] = { { 0, 0 },	  { 0x01, 0 }, { 0x04, 0 }, { 0x20, 0 }, { 0x80, 0 }, { 0x10, 1 }, { 0x91, 1 },
		     { 0x08, 2 }, { 0x18, 2 }, { 0x40, 3 }, { 0x48, 3 }, { 0xff, 3 } };
	static const guint32 cpus[] = { 9, 8, 7, 6, 5, 4, 3 };
	struct model_sample m;

	model_sample_init(&m);
	/* the field is the fifth: the event of the sample has four, so its record needs one more */
	CU_ASSERT_EQUAL(iot_schema_field(m.scope.event[IOT_SCOPE_SELF], "common_flags", FALSE, "test"), 4);
	m.event[IOT_SCOPE_SELF].n_slots = 5;
	m.event[IOT_SCOPE_SELF].slot_type[4] = IOT_SLOT_UINT;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		model_sample_rec(&m, IOT_SCOPE_SELF)->slot[4].u = rows[i].flags;
		CU_ASSERT_EQUAL(evaluate(&m, "@context"), rows[i].context);
		CU_ASSERT_EQUAL(evaluate(&m, "!@context && 1"), !rows[i].context);
		CU_ASSERT_EQUAL(evaluate(&m, "@context == 2"), rows[i].context == 2);
	}
	/* CPUs by run; nothing is known of run 0 */
	CU_ASSERT_EQUAL(evaluate(&m, "@cpu"), 0);
	g_array_append_vals(m.tl->run_cpus, cpus, G_N_ELEMENTS(cpus));
	CU_ASSERT_EQUAL(evaluate(&m, "@cpu"), 9);
	model_sample_rec(&m, IOT_SCOPE_SELF)->run = 6;
	CU_ASSERT_EQUAL(evaluate(&m, "@cpu"), 3);
	model_sample_rec(&m, IOT_SCOPE_SELF)->run = 0;
	/* a flow: the thread, or the processor (its run) in a context */
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[4].u = 0;
	CU_ASSERT_EQUAL(evaluate(&m, "@flow"), 40);
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[4].u = 0x10;
	CU_ASSERT_EQUAL(evaluate(&m, "@flow"), G_GINT64_CONSTANT(0x100000001));
	model_sample_rec(&m, IOT_SCOPE_SELF)->run = 6;
	CU_ASSERT_EQUAL(evaluate(&m, "@flow"), G_GINT64_CONSTANT(0x700000001));
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[4].u = 0x18;
	CU_ASSERT_EQUAL(evaluate(&m, "@flow"), G_GINT64_CONSTANT(0x700000002));
	m.eval.rec[IOT_SCOPE_SELF] = NULL;
	CU_ASSERT_EQUAL(evaluate(&m, "@context"), 0);
	CU_ASSERT_EQUAL(evaluate(&m, "@flow"), 0);
	model_sample_clear(&m);
}

UNIT_TEST(strings_are_compared_whole)
{
	struct model_sample m;

	model_sample_init(&m);
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[2].u = iot_intern_str(m.tl->strings, "res 1");
	CU_ASSERT_EQUAL(evaluate(&m, "s == \"res 1\""), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "s == \"res\""), 0);
	CU_ASSERT_EQUAL(evaluate(&m, "s != \"\""), 1);
	model_sample_clear(&m);
}

UNIT_TEST(a_text_is_no_number)
{
	struct model_sample m;
	struct iot_rec *self;
	iot_str text;

	model_sample_init(&m);
	self = model_sample_rec(&m, IOT_SCOPE_SELF);
	text = iot_intern_str(m.tl->strings, "res 1");
	self->slot[2].u = self->slot[0].u = text;
	CU_ASSERT_EQUAL(evaluate(&m, "s == a"), 0); /* the recording says what they are */
	CU_ASSERT_EQUAL(evaluate(&m, "s != a"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "s == s && a == a"), 1);
	check_wrong(&m, "a == 1 && \"\" == 0", "t.model:2:17: this is a text, but a number is wanted here");
	check_wrong(&m, "1 == \"x\"", "t.model:2:7: this is a number, but a text is wanted here");
	check_wrong(&m, "@node < 3", "t.model:2:7: this is a text, but a number is wanted here");
	check_wrong(&m, "-@node", "t.model:2:8: this is a text, but a number is wanted here");
	check_wrong(&m, "a + (b ?: \"x\")", "t.model:2:17: this is a text, but a number is wanted here");
	check_wrong(&m, "s:address | 1", "t.model:2:7: this is a text, but a number is wanted here");
	model_sample_clear(&m);
}

/* What the model wants decides whether a recording fits. */
static void check_fit(const char *expression, const char *field, enum iot_slot_type type,
		      const char *expected)
{
	struct model_sample m;
	struct iot_schema_event *event;
	struct iot_diag diag = { 0 };
	g_autoptr(GError) error = NULL;
	guint8 found = (guint8)type;
	guint slot = 0;

	model_sample_init(&m);
	evaluate(&m, expression);
	event = m.scope.event[IOT_SCOPE_SELF];
	while (strcmp(event->field[slot].name, field))
		slot++;
	CU_ASSERT_EQUAL(iot_schema_check_type(event, slot, &found, "f.txt:2:9", &diag, &error), !expected);
	if (expected)
		check_message(error, expected);
	else
		CU_ASSERT_EQUAL(found, type);
	event->field[slot].required = FALSE;
	CU_ASSERT(iot_schema_check_type(event, slot, &found, "f.txt", &diag, NULL));
	CU_ASSERT_EQUAL(found, expected ? IOT_SLOT_ABSENT : (guint8)type);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_field_type_differs], expected ? 1 : 0);
	model_sample_clear(&m);
}

UNIT_TEST(a_recording_with_other_types_does_not_fit)
{
	check_fit("a >= 0", "a", IOT_SLOT_INT, NULL);
	check_fit("a >= 0", "a", IOT_SLOT_ABSENT, NULL);
	check_fit("a >= 0", "a", IOT_SLOT_STR,
		  "f.txt:2:9: the field \"a\" of the event self is a text, "
		  "but the model wants a number (t.model:2:7)");
	check_fit("1 && s == \"x\"", "s", IOT_SLOT_UINT,
		  "f.txt:2:9: the field \"s\" of the event self is a number, but the model wants a text "
		  "(t.model:2:12)");
	check_fit("-a", "a", IOT_SLOT_STR,
		  "f.txt:2:9: the field \"a\" of the event self is a text, "
		  "but the model wants a number (t.model:2:8)");
	check_fit("s && a", "s", IOT_SLOT_INT, NULL); /* a condition: whether there is one */
	check_fit("s == b", "s", IOT_SLOT_INT, NULL); /* compared with its type */
}

UNIT_TEST(extreme_numbers)
{
	struct model_sample m;

	model_sample_init(&m);
	CU_ASSERT_EQUAL(evaluate(&m, "0xffffffffffffffff == -1"), 1);
	CU_ASSERT_EQUAL(evaluate(&m, "18446744073709551615"), -1);
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[0].i = G_MININT64;
	CU_ASSERT_EQUAL(evaluate(&m, "-a"), G_MININT64);
	check_wrong(&m, "18446744073709551616", "t.model:2:7: the number does not fit into 64 bits");
	model_sample_clear(&m);
}

UNIT_TEST(real_numbers)
{
	static const struct {
		const char *expression;
		gint64 value;
	} rows[] = {
		{ "0.1 + 0.2 == 0.30000000000000004", 1 },
		{ "0.1 + 0.2 == 0.3", 0 },
		{ "1.5 - 3 == -1.5", 1 },
		{ "-(2.5 - 1) < -1", 1 },
		{ "1e-3 > 0", 1 },
		{ "1E+3 >= 1000 && 1000 <= 1e3", 1 },
		{ "!0.0 && !-0.0 && !!0.1", 1 },
		{ "-0.0 || 0.0", 0 },
		{ "(0.0 ?: 2) == 2", 1 },
		{ "a + 0.5 > a", 1 },
		{ "a != 7.0", 0 },
		{ "1 + 2 * 3", 7 },
		{ "-2 * a - 1", -15 },
		{ "0x100000000 * 0x100000001 == 0x100000000", 1 }, /* of 64 bits */
		{ "a / 2 == 3.5", 1 },
		{ "8 / 4 / 2 == 1", 1 }, /* from the left */
		{ "8 / (4 / 2) == 4", 1 },
		{ "0.1 * 3 == 0.30000000000000004", 1 },
		{ "1 / 3 * 3 == 1", 1 },
		{ "a / 0 > 1.7976931348623157e308", 1 },
		{ "-a / 0 < -1.7976931348623157e308", 1 },
		{ "0 / 0 == 0 / 0", 0 }, /* not a number */
	};
	struct model_sample m;

	model_sample_init(&m);
	model_sample_rec(&m, IOT_SCOPE_SELF)->slot[0].i = 7;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		CU_ASSERT_EQUAL(evaluate(&m, rows[i].expression), rows[i].value);
	model_sample_clear(&m);
}

UNIT_TEST(wrong_expressions_have_a_place)
{
	static const char *const wrong[][2] = {
		{ "a ==", "t.model:2:11: a value is missing at the end of the expression" },
		{ "a = 1", "t.model:2:9: not understood from here on" },
		{ "a == 1 )", "t.model:2:14: not understood from here on" },
		{ "(a == 1", "t.model:2:14: ')' is missing" },
		{ "a == 12ab", "t.model:2:12: not a number" },
		{ "0x", "t.model:2:7: not a number" },
		{ "a == \"x", "t.model:2:12: the closing \" is missing" },
		{ "a && @foo", "t.model:2:12: no such built-in (there are @pid, @context, @flow, "
			       "@cpu, @ts, @took, @node, @recording, @end)" },
		{ "a % 1", "t.model:2:9: not understood from here on" },
		{ "4 / 2 & 1",
		  "t.model:2:7: this is a real number, but a whole number is wanted here" },
		{ "a * \"x\"", "t.model:2:11: this is a text, but a number is wanted here" },
		{ "0.5 & 1",
		  "t.model:2:7: this is a real number, but a whole number is wanted here" },
		{ "0.5 == \"x\"", "t.model:2:14: this is a text, but a number is wanted here" },
		{ "1.5.2", "t.model:2:7: not a number" },
		{ "a == $", "t.model:2:12: a field, a number or \"text\" is expected here" },
		{ "end.a.b", "t.model:2:7: \"end.a.b\" is not the name of a field" },
		{ "end.", "t.model:2:7: \"end.\" is not the name of a field" },
		{ "a == -\"x\"", "t.model:2:12: '-' wants a number after it" },
		{ "!", "t.model:2:8: a value is missing at the end of the expression" },
	};
	struct model_sample m;

	model_sample_init(&m);
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
		check_wrong(&m, wrong[i][0], wrong[i][1]);
	m.scope.event[IOT_SCOPE_DONE] = NULL;
	check_wrong(&m, "a == done.a",
		    "t.model:2:12: \"done.a\" is not known here: no such event at this point");
	model_sample_clear(&m);
}

UNIT_TEST(long_and_deep_expressions_are_refused)
{
	g_autoptr(GString) text = g_string_new("1");
	struct model_sample m;

	model_sample_init(&m);
	for (guint i = 0; i < 31; i++)
		g_string_append(text, "|1");
	CU_ASSERT_EQUAL(evaluate(&m, text->str), 1);
	g_string_append(text, "|1");
	check_wrong(&m, text->str, "t.model:2:72: the expression is too long");
	g_string_assign(text, "");
	for (guint i = 0; i < 100000; i++)
		g_string_append_c(text, i % 2 ? '(' : '!');
	check_wrong(&m, text->str, "t.model:2:39: the expression is nested too deeply");
	model_sample_clear(&m);
}

UNIT_TEST(fields_that_are_named_get_a_slot)
{
	g_autofree char *problem = NULL;
	struct model_sample m;
	enum iot_scope scope;
	int slot;

	model_sample_init(&m);
	CU_ASSERT(iot_scope_resolve(&m.scope, "end.error", &scope, &slot, &problem));
	CU_ASSERT_EQUAL(scope, IOT_SCOPE_END);
	CU_ASSERT_EQUAL(slot, 4);
	CU_ASSERT_STRING_EQUAL(m.scope.event[IOT_SCOPE_END]->field[4].name, "error");
	for (guint i = 5; i < IOT_MAX_SLOTS; i++) {
		g_autofree char *name = g_strdup_printf("end.f%u", i);

		CU_ASSERT(iot_scope_resolve(&m.scope, name, &scope, &slot, &problem));
	}
	CU_ASSERT_FALSE(iot_scope_resolve(&m.scope, "end.more", &scope, &slot, &problem));
	CU_ASSERT_STRING_EQUAL(problem, "more than 32 fields of end are used");
	model_sample_clear(&m);
}
