/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model-sample.h"
#include "language/template.h"

struct templates {
	struct model_sample m;
	struct iot_model_file *file;
	GHashTable *names;
};

static const char names_text[] = "[names mode]\n"
				 "0 = NL\n"
				 "5 = EX\n"
				 "-1 = IV\n"
				 "[names result]\n"
				 "0 = \"\"\n"
				 "-11 = \" EAGAIN\"\n"
				 "else = \" error\"\n"
				 "[names flag]\n"
				 "0x1 = NOQUEUE\n"
				 "0x4 = CONVERT\n"
				 "0x8000000000000000 = TOP\n"
				 "[names sign]\n"
				 "-1 = one\n"
				 "negative = less\n"
				 "else = more\n"
				 "[names type]\n"
				 "2 = inode\n"
				 "0xb = eleven\n"
				 "0x4d = meta\n"
				 "0x4e = dentry\n";

static void templates_init(struct templates *t)
{
	model_sample_init(&t->m);
	t->file = iot_model_file_parse("names.model", names_text, sizeof(names_text) - 1, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(t->file);
	t->names = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					 (GDestroyNotify)iot_names_free);
	for (guint i = 0; i < t->file->sections->len; i++) {
		const struct iot_section *section = t->file->sections->pdata[i];
		struct iot_names *names = iot_names_new(section, NULL);

		CU_ASSERT_PTR_NOT_NULL_FATAL(names);
		g_hash_table_insert(t->names, section->name, names);
	}
}

static void templates_clear(struct templates *t)
{
	g_hash_table_unref(t->names);
	iot_model_file_free(t->file);
	model_sample_clear(&t->m);
}

static struct iot_template *compile(struct templates *t, const char *text, gboolean raw)
{
	g_autoptr(GError) error = NULL;
	struct iot_template *tmpl = iot_template_compile(model_sample_setting(&t->m, text), t->names,
							 raw, &t->m.scope, &error);

	if (!tmpl)
		fprintf(stderr, "%s\n", error->message);
	CU_ASSERT_PTR_NOT_NULL_FATAL(tmpl);
	return tmpl;
}

static void check(struct templates *t, const char *text, const char *expected)
{
	struct iot_template *tmpl = compile(t, text, FALSE);

	/* the second time from the cache */
	for (guint i = 0; i < 2; i++) {
		const char *got = iot_tl_str(t->m.tl, iot_template_eval(tmpl, &t->m.eval));

		if (strcmp(got, expected))
			fprintf(stderr, "%s: \"%s\" instead of \"%s\"\n", text, got, expected);
		CU_ASSERT_STRING_EQUAL(got, expected);
	}
	iot_template_free(tmpl);
}

static void set(struct templates *t, gint64 a, guint64 b, const char *s, gsize len)
{
	struct iot_rec *rec = model_sample_rec(&t->m, IOT_SCOPE_SELF);

	rec->slot[0].i = a;
	rec->slot[1].u = b;
	rec->slot[2].u = iot_intern_bytes(t->m.tl->strings, s, len);
}

UNIT_TEST(formats_of_numbers)
{
	struct templates t;

	templates_init(&t);
	set(&t, -5, G_MAXUINT64, "", 0);
	check(&t, "text", "text");
	check(&t, "{a}", "-5");
	check(&t, "{b}", "18446744073709551615");
	check(&t, "{a:hex}", "0xfffffffffffffffb");
	check(&t, "{b:hex}", "0xffffffffffffffff");
	check(&t, "<{a}/{b}>", "<-5/18446744073709551615>");
	check(&t, "a}b", "a}b");
	set(&t, 5, 0, "", 0);
	check(&t, "{b:hex}", "0x0");
	check(&t, "{a:names mode}", "EX");
	check(&t, "{b:names mode}!", "NL!");
	set(&t, 0644, 8 << 20 | 17, "", 0);
	check(&t, "{a:oct}", "0644");
	check(&t, "{a:x}", "1a4");
	check(&t, "{b:device}", "8:17");
	set(&t, 0, 0xfffull << 20 | 0xfffff, "", 0);
	check(&t, "{a:oct} on {b:device}", "00 on 4095:1048575");
	templates_clear(&t);
}

/* Bytes as the kernel's struct sockaddr_in, sockaddr_in6 and sockaddr_un have them; texts as %pISpc prints them. */
UNIT_TEST(socket_addresses)
{
	static const struct {
		const char *text, *bytes;
		gsize len;
	} rows[] = {
		{ "192.168.1.20:2049", "\2\0\x08\x01\xc0\xa8\1\x14", 8 },
		/* as a field of 28 bytes, and of a big-endian machine */
		{ "192.168.1.20:2049",
		  "\2\0\x08\x01\xc0\xa8\1\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 28 },
		{ "192.168.1.20:2049", "\0\2\x08\x01\xc0\xa8\1\x14\0\0\0\0\0\0\0\0", 16 },
		{ "[fe80::1]:789",
		  "\x0a\0\x03\x15\0\0\0\0\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1\2\0\0\0", 28 },
		{ "[2001:db8::ff00:42:8329]:1",
		  "\0\x0a\0\1\0\0\0\0\x20\x01\x0d\xb8\0\0\0\0\0\0\xff\0\0\x42\x83\x29", 24 },
		{ "/run/rpcbind.sock", "\1\0/run/rpcbind.sock\0\0", 21 },
		{ "", "\1\0", 2 },
		/* not known, too short, nothing */
		{ "", "\x11\0\0\0\0\0\0\0", 8 },
		{ "", "\2\2\x08\x01\xc0\xa8\1\x14", 8 },
		{ "", "\2\0\x08\x01\xc0\xa8\1", 7 },
		{ "", "\x0a\0\x03\x15\0\0\0\0\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0", 23 },
		{ "", "\2", 1 },
		{ "", "", 0 },
	};
	struct templates t;

	templates_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *either = g_strdup_printf("<%s>", *rows[i].text ? rows[i].text : "5");

		set(&t, 5, 0, rows[i].bytes, rows[i].len);
		check(&t, "{s:address}", rows[i].text);
		check(&t, "<{s:address or a}>", either);
	}
	check(&t, "{x:address or a:address}", "5");
	templates_clear(&t);
}

/* Bytes as the kernel's __u8 saddr[4] and saddr_v6[16] have them. */
UNIT_TEST(ip_addresses)
{
	static const struct {
		const char *text, *bytes;
		gsize len;
	} rows[] = {
		{ "192.168.1.20", "\xc0\xa8\1\x14", 4 },
		{ "0.0.0.0", "\0\0\0\0", 4 },
		{ "fe80::1", "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16 },
		{ "192.168.1.20", "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\xa8\1\x14", 16 },
		{ "10.0.0.1", "10.0.0.1", 8 },
		{ "2001:db8:0:1::10", "2001:db8:0:1::10", 16 },
		/* neither bytes nor a text of an address */
		{ "", "10.0.0.1:80", 11 },
		{ "", "\xc0\xa8\1", 3 },
		{ "", "", 0 },
	};
	struct templates t;

	templates_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		set(&t, 5, 0, rows[i].bytes, rows[i].len);
		check(&t, "{s:ip}", rows[i].text);
	}
	templates_clear(&t);
}

UNIT_TEST(names_or_else_the_number)
{
	struct templates t;

	templates_init(&t);
	set(&t, 7, 0, "", 0);
	check(&t, "{a:names mode}", "7");
	check(&t, "ast{a:names result}", "ast error");
	set(&t, -11, 0, "", 0);
	check(&t, "{a:names mode}", "-11");
	check(&t, "ast{a:names result}", "ast EAGAIN");
	set(&t, 0, 0, "", 0);
	check(&t, "ast{a:names result}", "ast");
	set(&t, -1, 0, "", 0);
	check(&t, "{a:names mode}", "IV");
	check(&t, "{a:names sign}", "one");
	set(&t, -2, 0, "", 0);
	check(&t, "{a:names sign}", "less");
	set(&t, 0, 0, "", 0);
	check(&t, "{a:names sign}", "more");
	templates_clear(&t);
}

UNIT_TEST(flags_are_joined)
{
	struct templates t;

	templates_init(&t);
	set(&t, 5, 0, "", 0);
	check(&t, "{a:flags flag}", "NOQUEUE|CONVERT");
	check(&t, "{b:flags flag}", "");
	set(&t, 2, G_GUINT64_CONSTANT(0x8000000000000014), "", 0);
	check(&t, "{a:flags flag}", "0x2");
	check(&t, "{b:flags flag}", "CONVERT|0x10|TOP");
	templates_clear(&t);
}

UNIT_TEST(texts_are_made_printable_unless_raw)
{
	struct templates t;
	struct iot_template *tmpl;
	const char *text;
	gsize len;

	templates_init(&t);
	set(&t, 0, 0, "r\0\x01\\", 4);
	check(&t, "{s}", "r\\x00\\x01\\\\");
	check(&t, "x {s}", "x r\\x00\\x01\\\\");
	tmpl = compile(&t, "{s}", TRUE);
	text = iot_intern_get(t.m.tl->strings, iot_template_eval(tmpl, &t.m.eval), &len);
	CU_ASSERT_EQUAL(len, 4);
	CU_ASSERT(!memcmp(text, "r\0\x01\\", 4));
	iot_template_free(tmpl);
	set(&t, 0, 0, " ~}[", 4);
	check(&t, "{s}", " ~}[");
	set(&t, 0, 0, "a\x1f", 2);
	check(&t, "{s}", "a\\x1f");
	set(&t, 0, 0, "a\x7f", 2);
	check(&t, "<{s}>", "<a\\x7f>");
	set(&t, 0, 0, "\xc3\xa9\xff", 3);
	check(&t, "{s}", "\xc3\xa9\\xff");
	set(&t, 0, 0, "a\\b", 3);
	check(&t, "{s}", "a\\\\b");
	check(&t, "<{s}>", "<a\\\\b>");
	tmpl = compile(&t, "<{s}>", TRUE);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), "<a\\b>");
	iot_template_free(tmpl);
	set(&t, 0, 0, "", 0);
	check(&t, "{s}", "");
	templates_clear(&t);
	iot_template_free(NULL);
}

/* The texts of the last values are kept in a small table: others may fall on their places. */
UNIT_TEST(texts_that_share_a_place)
{
	struct templates t;
	struct iot_template *tmpl;

	templates_init(&t);
	tmpl = compile(&t, "{s}", FALSE);
	for (guint i = 0; i < 3000; i++) {
		g_autofree char *text = g_strdup_printf(i % 2 ? "%u" : "%u\x7f", i % 1000);
		g_autofree char *expected = g_strdup_printf(i % 2 ? "%u" : "%u\\x7f", i % 1000);

		set(&t, 0, 0, text, strlen(text));
		CU_ASSERT_STRING_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)),
				       expected);
	}
	iot_template_free(tmpl);
	templates_clear(&t);
}

/* The form of GFS2's names: "%8x%16x" */
UNIT_TEST(typed_names)
{
	static const char *const texts[][2] = {
		{ "       2             13b", "inode 13b" },
		{ "       2               0", "inode 0" },
		{ "       b             13b", "eleven 13b" },
		{ "      1f             13b", "type 1f 13b" },
		{ "       2ffffffffffffffff", "inode ffffffffffffffff" },
		{ "0000000200000000000013b0", "inode 13b0" },
		/* not quite that form */
		{ "       2             13B", "       2             13B" },
		{ "       2            13b", "       2            13b" },
		{ "       2              13b", "       2              13b" },
		{ "       2            1 3b", "       2            1 3b" },
		{ "                     13b", "                     13b" },
		{ "       2                ", "       2                " },
		{ "      2              13b", "      2              13b" },
		{ "res 1", "res 1" },
		{ "a\\b", "a\\\\b" },
	};
	struct templates t;

	templates_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		set(&t, 0, 0, texts[i][0], strlen(texts[i][0]));
		check(&t, "{s:typed type}", texts[i][1]);
	}
	templates_clear(&t);
}

/* OCFS2's names: the numbers of the texts are letters. */
UNIT_TEST(lettered_names)
{
	static const struct {
		const char *text;
		gsize len;
		const char *expected;
	} texts[] = {
		{ "M0000000000000000a1b2c0000001f5", 31, "meta a1b2c0.1f5" },
		{ "M0000000000000000a1b2c000000000", 31, "meta a1b2c0" },
		{ "M0000000000000000a1b2c000000000\0", 32, "meta a1b2c0" },
		{ "N0000000000000005\0\0\0\0\0\0\0\x01\xff\0\0\0\0\0", 31, "dentry 1ff in 5" },
		{ "N0000000000000005\0\0\0\0\0\0\0\x01\xff", 26, "dentry 1ff in 5" },
		/* not quite that form: no such letter, a digit that is none, a length, padding, no
		   digits */
		{ "Z0000000000000000a1b2c000000000", 31, "Z0000000000000000a1b2c000000000" },
		{ "M0000000000000000a1b2x000000000", 31, "M0000000000000000a1b2x000000000" },
		{ "M0000000000000000a1b2c00000000", 30, "M0000000000000000a1b2c00000000" },
		{ "M0000010000000000a1b2c000000000", 31, "M0000010000000000a1b2c000000000" },
		{ "M000000          a1b2c000000000", 31, "M000000          a1b2c000000000" },
		{ "N0000000000000005\0\0\0\0\0\0\0\x01\xff\0\0\0\0a", 31,
		  "N0000000000000005\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\xff\\x00\\x00\\x00\\x"
		  "00a" },
	};
	struct templates t;

	templates_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		set(&t, 0, 0, texts[i].text, texts[i].len);
		check(&t, "{s:typed type}", texts[i].expected);
	}
	templates_clear(&t);
}

UNIT_TEST(other_events_and_what_is_not_there)
{
	struct templates t;

	templates_init(&t);
	set(&t, 3, 0, "", 0);
	model_sample_rec(&t.m, IOT_SCOPE_DONE)->slot[0].i = 9;
	check(&t, "{a} {done.a}", "3 9");
	check(&t, "{x}", "");
	check(&t, "<{x:hex}>", "<>");
	check(&t, "{@node} {@node_name} {@pid}", "3 node 3 40");
	check(&t, "{@node_name}", "node 3");
	t.m.eval.rec[IOT_SCOPE_DONE] = NULL;
	check(&t, "{done.a}", "");
	check(&t, "<{done.a}>", "<>");
	t.m.eval.rec[IOT_SCOPE_SELF] = NULL;
	check(&t, "{@pid}", "0");
	templates_clear(&t);
}

/* More values than the cache has places, each asked for again later. */
UNIT_TEST(the_context_has_a_name)
{
	static const struct {
		guint64 flags;
		const char *name;
	} rows[] = { { 0x80, "task" }, { 0x10, "softirq" }, { 0x18, "hardirq" }, { 0x48, "nmi" } };
	struct templates t;

	templates_init(&t);
	CU_ASSERT_EQUAL(iot_schema_field(t.m.scope.event[IOT_SCOPE_SELF], "common_flags", FALSE, "test"), 4);
	t.m.event[IOT_SCOPE_SELF].n_slots = 5;
	t.m.event[IOT_SCOPE_SELF].slot_type[4] = IOT_SLOT_UINT;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		model_sample_rec(&t.m, IOT_SCOPE_SELF)->slot[4].u = rows[i].flags;
		check(&t, "{@context}", rows[i].name);
	}
	templates_clear(&t);
}

UNIT_TEST(the_cache_changes_nothing)
{
	struct iot_template *tmpl;
	struct templates t;

	templates_init(&t);
	tmpl = compile(&t, "v{a}", FALSE);
	for (guint round = 0; round < 3; round++)
		for (gint64 i = -2000; i < 2000; i++) {
			char expected[32];

			set(&t, i, 0, "", 0);
			g_snprintf(expected, sizeof(expected), "v%d", (int)i);
			CU_ASSERT_STRING_EQUAL(
				iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), expected);
		}
	iot_template_free(tmpl);
	/* the same bits as a number and as a text */
	tmpl = compile(&t, "{a}", FALSE);
	set(&t, 1, 0, "", 0);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), "1");
	t.m.event[IOT_SCOPE_SELF].slot_type[0] = IOT_SLOT_STR;
	CU_ASSERT_STRING_NOT_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), "1");
	t.m.event[IOT_SCOPE_SELF].slot_type[0] = IOT_SLOT_ABSENT;
	CU_ASSERT_STRING_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), "");
	iot_template_free(tmpl);
	templates_clear(&t);
}

/* Numbers without an entry of their own share a text; which, is another question for each list. */
UNIT_TEST(numbers_that_share_a_name)
{
	static const gint64 values[] = { -3, -2, 9, 0, -1, 1, -12, -11, -10, 5, G_MININT64, G_MAXINT64, 0, -1, 9 };
	static const char *const sign[] = { "less", "less", "more", "more", "one", "more", "less", "less",
					    "less", "more", "less", "more", "more", "one", "more" };
	static const char *const result[] = { "error", "error", "error", "", "error", "error", "error", "EAGAIN",
					      "error", "error", "error", "error", "", "error", "error" };
	struct iot_template *signs, *results;
	struct templates t;

	templates_init(&t);
	signs = compile(&t, "{a:names sign}", FALSE);
	results = compile(&t, "x{a:names result}", FALSE);
	for (guint i = 0; i < 2 * G_N_ELEMENTS(values); i++) {
		guint at = i % G_N_ELEMENTS(values);
		g_autofree char *expected = g_strconcat("x", *result[at] ? " " : "", result[at], NULL);
		char digits[IOT_DIGITS_ROOM];

		set(&t, values[at], 0, "", 0);
		CU_ASSERT_STRING_EQUAL(iot_tl_text(t.m.tl, iot_template_attr(signs, &t.m.eval), digits, NULL),
				       sign[at]);
		CU_ASSERT_STRING_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(results, &t.m.eval)), expected);
	}
	iot_template_free(signs);
	iot_template_free(results);
	templates_clear(&t);
}

UNIT_TEST(the_first_that_is_not_empty)
{
	struct templates t;

	templates_init(&t);
	set(&t, 7, 0, "", 0);
	check(&t, "{s or a}", "7");
	check(&t, "<{s or x or b:hex}>", "<0x0>");
	check(&t, "{s or x}", "");
	set(&t, 7, 0, "word", 4);
	check(&t, "{s or a}", "word");
	check(&t, "{end.s or s} {a}", "word 7");
	t.m.eval.rec[IOT_SCOPE_END] = NULL;
	check(&t, "{end.a or a}", "7");
	templates_clear(&t);
}

/* The same texts, whether they are strings or numbers that stand for themselves. */
UNIT_TEST(attributes_that_are_numbers)
{
	static const char *const texts[] = { "{a}",	      "{a:names mode}", "{a:names sign}",
					     "{a:hex}",	      "{a:flags flag}", "{a:device}",
					     "{a:typed type}", "{@pid}",	"a{a}",
					     "{s}",	      "{s or a}",	"{x}" };
	static const gint64 values[] = { 0, 1, 5, -1, -2, 4096, G_MAXINT64, G_MININT64 };
	struct templates t;

	templates_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(texts) * G_N_ELEMENTS(values); i++) {
		struct iot_template *tmpl = compile(&t, texts[i / G_N_ELEMENTS(values)], FALSE);
		char digits[IOT_DIGITS_ROOM];
		guint32 before;
		guint64 attr;

		set(&t, values[i % G_N_ELEMENTS(values)], 0, i % 3 ? "" : "tex\\t", i % 3 ? 0 : 5);
		before = iot_intern_count(t.m.tl->strings);
		attr = iot_template_attr(tmpl, &t.m.eval);
		CU_ASSERT(!iot_text_is_number(attr) || before == iot_intern_count(t.m.tl->strings));
		CU_ASSERT_STRING_EQUAL(iot_tl_text(t.m.tl, attr, digits, NULL),
				       iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)));
		iot_template_free(tmpl);
	}
	templates_clear(&t);
}

/* Values of different kinds with equal bits must not share a place in the cache. */
UNIT_TEST(texts_of_several_values_are_remembered)
{
	struct iot_template *tmpl;
	struct templates t;

	templates_init(&t);
	tmpl = compile(&t, "{s or a}/{b}", FALSE);
	for (guint round = 0; round < 2; round++)
		for (guint i = 0; i < 2000; i++) {
			g_autofree char *number = g_strdup_printf("%u/%u", i % 50, i);
			g_autofree char *text = g_strdup_printf("x/%u", i);

			set(&t, i % 50, i, "", 0);
			CU_ASSERT_STRING_EQUAL(
				iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), number);
			set(&t, i % 50, i, "x", 1);
			CU_ASSERT_STRING_EQUAL(
				iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), text);
		}
	/* the number of a text as a text, and as a number */
	set(&t, 0, 5, "x", 1);
	CU_ASSERT_STRING_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), "x/5");
	set(&t, iot_intern_str(t.m.tl->strings, "x"), 5, "", 0);
	CU_ASSERT_STRING_NOT_EQUAL(iot_tl_str(t.m.tl, iot_template_eval(tmpl, &t.m.eval)), "x/5");
	iot_template_free(tmpl);
	templates_clear(&t);
}

UNIT_TEST(wrong_templates_have_a_place)
{
	static const char *const wrong[][2] = {
		{ "ab{a", "t.model:2:9: '}' is missing" },
		{ "{a:bin}", "t.model:2:10: no such format (there are hex, x, oct, device, "
			     "address, ip, names T, flags T, typed T)" },
		{ "{a:}", "t.model:2:10: no such format (there are hex, x, oct, device, address, "
			  "ip, names T, flags T, typed T)" },
		{ "{a:names}", "t.model:2:10: no such format (there are hex, x, oct, device, "
			       "address, ip, names T, flags T, typed T)" },
		{ "{a} {a:names foo}", "t.model:2:14: there is no section [names foo]" },
		{ "{}", "t.model:2:8: \"\" is not the name of a field" },
		{ "x{a b}", "t.model:2:9: \"a b\" is not the name of a field" },
		{ "{{a}}", "t.model:2:8: \"{a\" is not the name of a field" },
		{ "{@foo}", "t.model:2:8: no such built-in (there are @node, @node_name, @pid, "
			    "@command, @call, @end, @context)" },
		{ "{s or }", "t.model:2:13: \"\" is not the name of a field" },
		{ "{nowhere[a]}", "t.model:2:8: there is no section [keytable nowhere] above" },
		{ "{@ts}", "t.model:2:8: no such built-in (there are @node, @node_name, @pid, "
			   "@command, @call, @end, @context)" },
	};
	struct templates t;

	templates_init(&t);
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(iot_template_compile(model_sample_setting(&t.m, wrong[i][0]),
							t.names, FALSE, &t.m.scope, &error));
		check_message(error, wrong[i][1]);
	}
	templates_clear(&t);
}

UNIT_TEST(wrong_tables_have_a_place)
{
	static const char *const wrong[][2] = {
		{ "[names n]\n1 = a\n  x = b", "n.model:3:3: \"x\" is neither a number nor \"else\" or \"negative\"" },
		{ "[names n]\n1 2 = a", "n.model:2:1: \"1 2\" is neither a number nor \"else\" or \"negative\"" },
		{ "[names n]\n0x10000000000000000 = a",
		  "n.model:2:1: \"0x10000000000000000\" is neither a number nor \"else\" or \"negative\"" },
		{ "[names n]\n16 = a\n0x10 = b", "n.model:3:1: the number 0x10 stands twice" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(iot_model_file) file =
			iot_model_file_parse("n.model", wrong[i][0], strlen(wrong[i][0]), NULL);

		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		CU_ASSERT_PTR_NULL(iot_names_new(file->sections->pdata[0], &error));
		check_message(error, wrong[i][1]);
	}
	iot_names_free(NULL);
}
