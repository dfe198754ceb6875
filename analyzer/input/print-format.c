/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/print-format.h"
#include "base/fault.h"

#include <string.h>

/* ---- texts and numbers */

struct iot_numbers {
	gint refs;
	guint32 otherwise;
	GHashTable *by_text; /* char * -> guint32 */
};

struct iot_numbers *iot_numbers_new(guint32 otherwise)
{
	struct iot_numbers *numbers = g_new0(struct iot_numbers, 1);

	numbers->refs = 1;
	numbers->otherwise = otherwise;
	numbers->by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return numbers;
}

gboolean iot_numbers_set(struct iot_numbers *numbers, const char *text, guint32 number)
{
	return g_hash_table_insert(numbers->by_text, g_strdup(text), GUINT_TO_POINTER(number));
}

struct iot_numbers *iot_numbers_ref(struct iot_numbers *numbers)
{
	numbers->refs++;
	return numbers;
}

void iot_numbers_unref(struct iot_numbers *numbers)
{
	if (!numbers || --numbers->refs)
		return;
	g_hash_table_unref(numbers->by_text);
	g_free(numbers);
}

static guint32 number_of(const struct iot_numbers *numbers, const char *text)
{
	gpointer number;

	if (!*text)
		return 0;
	if (!g_hash_table_lookup_extended(numbers->by_text, text, NULL, &number))
		return numbers->otherwise;
	return GPOINTER_TO_UINT(number);
}

/* ---- expressions */

enum kind { NUMBER, FIELD, TEXT, NOT, COMPLEMENT, MINUS, BINARY, CHOICE, FLAGS, SYMBOLIC };
enum operator { OR_ELSE, AND_ALSO, OR, XOR, AND, EQUAL, UNEQUAL, LESS, MORE, AT_MOST, AT_LEAST, LEFT,
		RIGHT, PLUS, SUBTRACT, TIMES, DIVIDE, MODULO };

/* { number, "text" } of __print_flags and __print_symbolic */
struct entry {
	guint64 value;
	char *text;
};

struct node {
	enum kind kind;
	enum operator op;
	gint64 number;
	char *text;	     /* TEXT; FLAGS: between two texts */
	struct node *arg[3]; /* operands; CHOICE: condition, then, otherwise */
	GArray *entries;     /* of struct entry */
};

enum { MAX_DEPTH = 64, N_RECENT = 256 };

struct iot_print {
	struct iot_numbers *numbers;
	GPtrArray *texts; /* of struct node: the arguments that print texts; empty: not known */
	/* cache: (value + 1) << 32 | number; atomic */
	guint64 recent[N_RECENT];
};

static void entry_clear(gpointer data)
{
	g_free(((struct entry *)data)->text);
}

static void node_free(gpointer data)
{
	struct node *node = data;

	if (!node)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(node->arg); i++)
		node_free(node->arg[i]);
	if (node->entries)
		g_array_unref(node->entries);
	g_free(node->text);
	g_free(node);
}

struct parser {
	const char *p;	   /* ends with a NUL */
	const char *field; /* REC->FIELD */
	guint depth;
	gboolean bad;
};

static void skip_blanks(struct parser *parser)
{
	while (g_ascii_isspace(*parser->p))
		parser->p++;
}

static gboolean take(struct parser *parser, const char *token)
{
	skip_blanks(parser);
	if (!g_str_has_prefix(parser->p, token))
		return FALSE;
	parser->p += strlen(token);
	return TRUE;
}

static struct node *node_new(enum kind kind)
{
	struct node *node = g_new0(struct node, 1);

	node->kind = kind;
	return node;
}

static struct node *parse(struct parser *parser);

static struct node *fail(struct parser *parser)
{
	parser->bad = TRUE;
	return node_new(NUMBER);
}

/* A string, after its quote; strings that follow belong to it. */
static char *take_text(struct parser *parser)
{
	GString *text = g_string_new(NULL);

	do {
		for (; *parser->p && *parser->p != '"'; parser->p++) {
			if (*parser->p == '\\' && parser->p[1])
				parser->p++;
			g_string_append_c(text, *parser->p);
		}
		parser->bad |= *parser->p != '"';
		parser->p += *parser->p == '"';
	} while (take(parser, "\""));
	return g_string_free(text, FALSE);
}

static gint64 take_number(struct parser *parser)
{
	char *end = NULL;
	gint64 number = (gint64)g_ascii_strtoull(parser->p, &end, 0);

	parser->bad |= end == parser->p;
	parser->p = end + strspn(end, "uUlL");
	return number;
}

/* __print_flags(VALUE, "between", { 1, "text" }, ...), after the parenthesis */
static struct node *parse_table(struct parser *parser, enum kind kind)
{
	struct node *node = node_new(kind);

	node->entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
	g_array_set_clear_func(node->entries, entry_clear);
	node->arg[0] = parse(parser);
	if (kind == FLAGS) {
		if (!take(parser, ",") || !take(parser, "\""))
			parser->bad = TRUE;
		else
			node->text = take_text(parser);
	}
	while (!parser->bad && take(parser, ",")) {
		struct entry entry = { 0 };
		struct node *value;

		if (!take(parser, "{")) {
			parser->bad = TRUE;
			break;
		}
		value = parse(parser);
		parser->bad |= value->kind != NUMBER || !take(parser, ",") || !take(parser, "\"");
		entry.value = (guint64)value->number;
		node_free(value);
		if (!parser->bad)
			entry.text = take_text(parser);
		parser->bad |= !take(parser, "}");
		g_array_append_val(node->entries, entry);
	}
	parser->bad |= !take(parser, ")");
	return node;
}

static struct node *parse_unary(struct parser *parser)
{
	struct node *node;

	if (parser->bad || parser->depth > MAX_DEPTH)
		return fail(parser);
	if (take(parser, "!") || take(parser, "~") || take(parser, "-")) {
		node = node_new(parser->p[-1] == '!'   ? NOT
				: parser->p[-1] == '~' ? COMPLEMENT
						       : MINUS);
		parser->depth++;
		node->arg[0] = parse_unary(parser);
		parser->depth--;
		return node;
	}
	if (take(parser, "(")) {
		node = parse(parser);
		parser->bad |= !take(parser, ")");
		return node;
	}
	if (take(parser, "\"")) {
		node = node_new(TEXT);
		node->text = take_text(parser);
		return node;
	}
	if (take(parser, "__print_flags(") || take(parser, "__print_flags ("))
		return parse_table(parser, FLAGS);
	if (take(parser, "__print_symbolic(") || take(parser, "__print_symbolic ("))
		return parse_table(parser, SYMBOLIC);
	if (take(parser, "REC->")) {
		gsize len = strspn(parser->p, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");

		if (len != strlen(parser->field) || strncmp(parser->p, parser->field, len))
			return fail(parser);
		parser->p += len;
		return node_new(FIELD);
	}
	if (!g_ascii_isdigit(*parser->p))
		return fail(parser);
	node = node_new(NUMBER);
	node->number = take_number(parser);
	return node;
}

/* Longer operators before those with which they begin. */
static const struct {
	const char *token;
	enum operator op;
	guint strength;
} operators[] = {
	{ "||", OR_ELSE, 1 }, { "&&", AND_ALSO, 2 }, { "==", EQUAL, 6 },    { "!=", UNEQUAL, 6 },
	{ "<<", LEFT, 8 },    { ">>", RIGHT, 8 },    { "<=", AT_MOST, 7 },  { ">=", AT_LEAST, 7 },
	{ "<", LESS, 7 },     { ">", MORE, 7 },	     { "|", OR, 3 },	    { "^", XOR, 4 },
	{ "&", AND, 5 },      { "+", PLUS, 9 },	     { "-", SUBTRACT, 9 },  { "*", TIMES, 10 },
	{ "/", DIVIDE, 10 },  { "%", MODULO, 10 },
};

static gint64 apply(enum operator op, gint64 a, gint64 b)
{
	guint64 x = (guint64)a, y = (guint64)b;

	switch (op) {
	case OR_ELSE:
		return a || b;
	case AND_ALSO:
		return a && b;
	case OR:
		return a | b;
	case XOR:
		return a ^ b;
	case AND:
		return a & b;
	case EQUAL:
		return a == b;
	case UNEQUAL:
		return a != b;
	case LESS:
		return a < b;
	case MORE:
		return a > b;
	case AT_MOST:
		return a <= b;
	case AT_LEAST:
		return a >= b;
	case LEFT:
		return y < 64 ? (gint64)(x << y) : 0;
	case RIGHT:
		return y < 64 ? (gint64)(x >> y) : 0;
	case PLUS:
		return (gint64)(x + y);
	case SUBTRACT:
		return (gint64)(x - y);
	case TIMES:
		return (gint64)(x * y);
	case DIVIDE:
		return y ? (gint64)(x / y) : 0;
	case MODULO:
		return y ? (gint64)(x % y) : 0;
	}
	return 0;
}

/* An operation whose operands are numbers is a number: a key of a table may be one. */
static struct node *combine(enum operator op, struct node *a, struct node *b)
{
	struct node *node;

	if (a->kind == NUMBER && b->kind == NUMBER) {
		a->number = apply(op, a->number, b->number);
		node_free(b);
		return a;
	}
	node = node_new(BINARY);
	node->op = op;
	node->arg[0] = a;
	node->arg[1] = b;
	return node;
}

static struct node *parse_binary(struct parser *parser, guint least)
{
	struct node *left = parse_unary(parser);

	for (;;) {
		guint i = 0;

		skip_blanks(parser);
		while (i < G_N_ELEMENTS(operators) &&
		       !g_str_has_prefix(parser->p, operators[i].token))
			i++;
		if (parser->bad || i == G_N_ELEMENTS(operators) || operators[i].strength < least)
			return left;
		parser->p += strlen(operators[i].token);
		left = combine(operators[i].op, left,
			       parse_binary(parser, operators[i].strength + 1));
	}
}

static struct node *parse(struct parser *parser)
{
	struct node *node, *condition;

	if (++parser->depth > MAX_DEPTH)
		parser->bad = TRUE;
	node = parse_binary(parser, 1);
	if (!parser->bad && take(parser, "?")) {
		condition = node;
		node = node_new(CHOICE);
		node->arg[0] = condition;
		node->arg[1] = parse(parser);
		parser->bad |= !take(parser, ":");
		node->arg[2] = parser->bad ? node_new(NUMBER) : parse(parser);
	}
	parser->depth--;
	return node;
}

static gboolean is_text(const struct node *node)
{
	if (node->kind == CHOICE)
		return is_text(node->arg[1]) && is_text(node->arg[2]);
	return node->kind == TEXT || node->kind == FLAGS || node->kind == SYMBOLIC;
}

/* ---- formats */

/* The length of an argument: up to a comma outside of brackets and strings, or the end. */
static gsize argument(const char *text)
{
	const char *p = text;
	guint depth = 0;

	for (; *p && (*p != ',' || depth); p++) {
		if (*p == '"')
			for (p++; *p && *p != '"'; p++)
				p += *p == '\\' && p[1];
		if (!*p)
			break;
		if (strchr("([{", *p))
			depth++;
		else if (strchr(")]}", *p) && depth)
			depth--;
	}
	return (gsize)(p - text);
}

static gboolean mentions(const char *text, const char *field)
{
	g_autofree char *name = g_strconcat("REC->", field, NULL);

	for (const char *at = text; (at = strstr(at, name)); at++) {
		char next = at[strlen(name)];

		if (!g_ascii_isalnum(next) && next != '_')
			return TRUE;
	}
	return FALSE;
}

/* Parse an argument and keep it, if it prints a text; FALSE if it is not understood. */
static gboolean add_argument(struct iot_print *print, const char *text, const char *field)
{
	struct parser parser = { .p = text, .field = field };
	struct node *node = parse(&parser);

	skip_blanks(&parser);
	if (!parser.bad && !*parser.p && is_text(node))
		g_ptr_array_add(print->texts, node);
	else
		node_free(node);
	return !parser.bad && !*parser.p;
}

struct iot_print *iot_print_new(const char *format, gsize len, const char *field,
				struct iot_numbers *numbers)
{
	struct iot_print *print = g_new0(struct iot_print, 1);
	g_autofree char *text = g_strndup(format, len);
	const char *at = strstr(text, "print fmt:");

	print->numbers = iot_numbers_ref(numbers);
	print->texts = g_ptr_array_new_with_free_func(node_free);
	at = at ? at + strlen("print fmt:") : text;
	at += argument(at);
	while (*at == ',') {
		gsize n = argument(++at);
		g_autofree char *arg = g_strndup(at, n);

		at += n;
		if (mentions(arg, field) && !add_argument(print, arg, field)) {
			g_ptr_array_set_size(print->texts, 0);
			break;
		}
	}
	return print;
}

void iot_print_free(struct iot_print *print)
{
	if (!print)
		return;
	iot_numbers_unref(print->numbers);
	g_ptr_array_unref(print->texts);
	g_free(print);
}

gboolean iot_print_is_known(const struct iot_print *print)
{
	return print->texts->len > 0;
}

static gint64 evaluate(const struct node *node, gint64 value)
{
	switch (node->kind) {
	case NUMBER:
		return node->number;
	case FIELD:
		return value;
	case NOT:
		return !evaluate(node->arg[0], value);
	case COMPLEMENT:
		return ~evaluate(node->arg[0], value);
	case MINUS:
		return (gint64)(0 - (guint64)evaluate(node->arg[0], value));
	case BINARY:
		return apply(node->op, evaluate(node->arg[0], value),
			     evaluate(node->arg[1], value));
	case CHOICE:
		return evaluate(node->arg[evaluate(node->arg[0], value) ? 1 : 2], value);
	default:
		return 0;
	}
}

typedef void (*text_func)(gpointer user_data, const char *text, const char *between);

/* As the kernel does: the entries whose bits are all set, and the rest as a number. */
static void print_flags(const struct node *node, guint64 value, text_func func, gpointer user_data)
{
	gboolean any = FALSE;

	for (guint i = 0; value && i < node->entries->len; i++) {
		const struct entry *entry = &g_array_index(node->entries, struct entry, i);

		if ((value & entry->value) != entry->value || !entry->value)
			continue;
		func(user_data, entry->text, any ? node->text : "");
		value &= ~entry->value;
		any = TRUE;
	}
	if (value) {
		g_autofree char *rest = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", value);

		func(user_data, rest, any ? node->text : "");
	}
}

static void print_node(const struct node *node, gint64 value, text_func func, gpointer user_data)
{
	guint64 number;
	char rest[32];

	if (node->kind == CHOICE) {
		print_node(node->arg[evaluate(node->arg[0], value) ? 1 : 2], value, func,
			   user_data);
		return;
	}
	if (node->kind == TEXT) {
		func(user_data, node->text, "");
		return;
	}
	number = (guint64)evaluate(node->arg[0], value);
	if (node->kind == FLAGS) {
		print_flags(node, number, func, user_data);
		return;
	}
	for (guint i = 0; i < node->entries->len; i++) {
		const struct entry *entry = &g_array_index(node->entries, struct entry, i);

		if (number == entry->value) {
			func(user_data, entry->text, "");
			return;
		}
	}
	/* a number without a text */
	g_snprintf(rest, sizeof(rest), "0x%" G_GINT64_MODIFIER "x", number);
	func(user_data, rest, "");
}

struct sum {
	const struct iot_numbers *numbers;
	guint32 number;
};

static void add_number(gpointer user_data, const char *text, const char *between)
{
	struct sum *sum = user_data;

	(void)between;
	sum->number |= number_of(sum->numbers, text);
}

guint32 iot_print_number(struct iot_print *print, gint64 value)
{
	guint64 *recent = &print->recent[(guint64)value % N_RECENT];
	guint64 known = __atomic_load_n(recent, __ATOMIC_RELAXED);
	struct sum sum = { .numbers = print->numbers };

	/* fast path: a value that was seen before */
	if (G_LIKELY(known && known >> 32 == (guint64)value + 1) && !iot_slow_only())
		return (guint32)known;
	/* slow path */
	if (!print->texts->len)
		return print->numbers->otherwise;
	for (guint i = 0; i < print->texts->len; i++)
		print_node(print->texts->pdata[i], value, add_number, &sum);
	if (value >= 0 && value < G_MAXINT32)
		__atomic_store_n(recent, ((guint64)value + 1) << 32 | sum.number, __ATOMIC_RELAXED);
	return sum.number;
}

static void add_text(gpointer user_data, const char *text, const char *between)
{
	g_string_append(user_data, between);
	g_string_append(user_data, text);
}

char *iot_print_text(const struct iot_print *print, gint64 value)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < print->texts->len; i++)
		print_node(print->texts->pdata[i], value, add_text, text);
	return g_string_free(text, FALSE);
}
