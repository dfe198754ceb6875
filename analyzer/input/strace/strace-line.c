/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/strace/strace-line.h"

struct scan {
	const char *p, *end;
};

/* A text that is not there is an empty one. */
static struct scan scan_of(struct iot_strace_text text)
{
	const char *begin = text.text ? text.text : "";

	return (struct scan){ begin, begin + text.len };
}

static gboolean take(struct scan *scan, const char *word)
{
	gsize len = strlen(word);

	if ((gsize)(scan->end - scan->p) < len || memcmp(scan->p, word, len))
		return FALSE;
	scan->p += len;
	return TRUE;
}

static void skip_blanks(struct scan *scan)
{
	while (scan->p < scan->end && *scan->p == ' ')
		scan->p++;
}

/* Digits of a number up to @max. */
static gboolean take_digits(struct scan *scan, guint64 max, guint64 *out)
{
	const char *begin = scan->p;
	guint64 n = 0;

	for (; scan->p < scan->end && g_ascii_isdigit(*scan->p); scan->p++) {
		n = n * 10 + (guint64)(*scan->p - '0');
		if (n > max)
			return FALSE;
	}
	*out = n;
	return scan->p > begin;
}

/* "1795310205.133597254"; at least milliseconds, as a number without is more likely a process id */
static gboolean take_seconds(struct scan *scan, guint64 *out_ns, guint *out_digits)
{
	guint64 seconds, fraction;
	const char *point;
	guint digits;

	if (!take_digits(scan, G_MAXUINT64 / G_GUINT64_CONSTANT(1000000000) - 1, &seconds) ||
	    !take(scan, "."))
		return FALSE;
	point = scan->p;
	if (!take_digits(scan, 999999999, &fraction))
		return FALSE;
	digits = (guint)(scan->p - point);
	if (digits > 9)
		return FALSE;
	for (guint i = digits; i < 9; i++)
		fraction *= 10;
	*out_ns = seconds * G_GUINT64_CONSTANT(1000000000) + fraction;
	*out_digits = digits;
	return TRUE;
}

/* After a "<": past the ">" that belongs to it. A path has no bare ">"; addresses of sockets have,
 * in brackets, and devices have another pair: "/dev/null<char 1:3>". */
static gboolean skip_angle(struct scan *scan)
{
	gboolean path = scan->p < scan->end && *scan->p == '/';
	guint angles = 1, brackets = 0;

	for (; scan->p < scan->end; scan->p++) {
		char c = *scan->p;

		if (c == '[' && !path)
			brackets++;
		else if (c == ']' && brackets)
			brackets--;
		else if (c == '<' && !brackets)
			angles++;
		else if (c == '>' && !brackets && !--angles) {
			scan->p++;
			return TRUE;
		}
	}
	return FALSE;
}

static gboolean skip_string(struct scan *scan)
{
	for (scan->p++; scan->p < scan->end; scan->p++) {
		if (*scan->p == '\\')
			scan->p++;
		else if (*scan->p == '"') {
			scan->p++;
			return TRUE;
		}
	}
	return FALSE;
}

/* A "<" after one of these begins what a descriptor is; "1<<CAP_CHOWN" is a number. */
static gboolean opens_angle(const char *begin, const char *p)
{
	return p > begin && (g_ascii_isalnum(p[-1]) || p[-1] == '_');
}

/* To the end of an argument: the "," or the closing ")" that belongs to no string or bracket, or
 * the end. Comments are blanks: "0x7ffd [18 vars]" and "[...] ... */
static gboolean skip_argument(struct scan *scan)
{
	const char *begin = scan->p;
	guint depth = 0;

	while (scan->p < scan->end) {
		switch (*scan->p) {
		case '"':
			if (!skip_string(scan))
				return FALSE;
			continue;
		case '<':
			if (scan->end - scan->p > 1 && scan->p[1] == '<') {
				scan->p += 2;
				continue;
			}
			if (!opens_angle(begin, scan->p))
				break;
			scan->p++;
			if (!skip_angle(scan))
				return FALSE;
			continue;
		case '/':
			if (scan->end - scan->p > 1 && scan->p[1] == '*') {
				const char *close =
					memmem(scan->p, (gsize)(scan->end - scan->p), "*/", 2);

				if (!close)
					return FALSE;
				scan->p = close + 2;
				continue;
			}
			break;
		case '(':
		case '[':
		case '{':
			depth++;
			break;
		case ')':
		case ']':
		case '}':
			if (!depth)
				return TRUE;
			depth--;
			break;
		case ',':
			if (!depth)
				return TRUE;
			break;
		default:
			break;
		}
		scan->p++;
	}
	return TRUE;
}

/* Past all arguments: at the ")" of the call, or at the end. */
static gboolean skip_arguments(struct scan *scan)
{
	while (skip_argument(scan)) {
		if (scan->p == scan->end || *scan->p == ')')
			return TRUE;
		if (*scan->p != ',')
			return FALSE;
		scan->p++;
	}
	return FALSE;
}

static gboolean take_process(struct scan *scan, struct iot_strace_line *out)
{
	struct scan at = *scan;
	gboolean bracket = take(&at, "[pid ");
	guint64 pid;

	out->pid = -1;
	out->comm = (struct iot_strace_text){ NULL, 0 };
	skip_blanks(&at);
	if (!take_digits(&at, G_MAXINT32, &pid))
		return !bracket;
	if (take(&at, "<")) {
		out->comm.text = at.p;
		if (!skip_angle(&at))
			return FALSE;
		out->comm.len = (gsize)(at.p - 1 - out->comm.text);
	}
	if (bracket && !take(&at, "]"))
		return FALSE;
	if (at.p == at.end || *at.p != ' ')
		return !bracket; /* the first word is the time */
	skip_blanks(&at);
	out->pid = (gint32)pid;
	*scan = at;
	return TRUE;
}

static gboolean take_name(struct scan *scan, struct iot_strace_text *out)
{
	out->text = scan->p;
	while (scan->p < scan->end && (g_ascii_isalnum(*scan->p) || *scan->p == '_'))
		scan->p++;
	out->len = (gsize)(scan->p - out->text);
	return out->len > 0;
}

/* ") = 832 <0.000007612>", with blanks that align the results */
static gboolean take_result(struct scan *scan, struct iot_strace_line *out)
{
	const char *open;
	guint digits;

	if (!take(scan, ")"))
		return FALSE;
	skip_blanks(scan);
	if (!take(scan, "= "))
		return FALSE;
	out->result.text = scan->p;
	out->result.len = (gsize)(scan->end - scan->p);
	open = scan->end > scan->p && scan->end[-1] == '>' ? memrchr(scan->p, '<', out->result.len)
							   : NULL;
	if (open && open > scan->p && open[-1] == ' ') {
		struct scan took = { open + 1, scan->end };

		out->timed = take_seconds(&took, &out->took_ns, &digits) && took.p == scan->end - 1;
		if (out->timed)
			out->result.len = (gsize)(open - 1 - scan->p);
	}
	return TRUE;
}

static gboolean take_head(struct scan *scan, struct iot_strace_line *out)
{
	return take_process(scan, out) && take_seconds(scan, &out->ns, &out->digits) &&
	       take(scan, " ");
}

gboolean iot_strace_line_head(const char *text, gsize len, struct iot_strace_line *out)
{
	struct scan scan = { text, text + len };

	return take_head(&scan, out);
}

static gboolean is_word_of_time(char c)
{
	return g_ascii_isdigit(c) || c == ':' || c == '.';
}

gboolean iot_strace_line_probe(const char *text, gsize len)
{
	struct scan scan = { text, text + len };
	struct iot_strace_line line;

	/* without a time since 1970 a call and its first argument tell, after a time of day */
	if (!take_head(&scan, &line)) {
		scan.p = text;
		if (!take_process(&scan, &line))
			return FALSE;
		while (scan.p < scan.end && is_word_of_time(*scan.p))
			scan.p++;
		skip_blanks(&scan);
		return take(&scan, "execve(\"") || take(&scan, "<... ");
	}
	return take(&scan, "+++ ") || take(&scan, "--- ") || take(&scan, "<... ") ||
	       (take_name(&scan, &line.name) && take(&scan, "("));
}

static const char unfinished[] = "<unfinished ...>";

gboolean iot_strace_line_parse(const char *text, gsize len, struct iot_strace_line *out)
{
	struct scan scan = { text, text + len };
	gsize n = strlen(unfinished);

	out->timed = out->parted = FALSE;
	out->result = (struct iot_strace_text){ NULL, 0 };
	if (!take_head(&scan, out))
		return FALSE;
	out->kind = take(&scan, "+++ ") ? IOT_STRACE_EXIT : IOT_STRACE_OTHER;
	if (out->kind == IOT_STRACE_EXIT || take(&scan, "--- ") || take(&scan, "strace: "))
		return TRUE;
	if (take(&scan, "<... ")) {
		out->kind = IOT_STRACE_RESUMED;
		if (!take_name(&scan, &out->name) || !take(&scan, " resumed>"))
			return FALSE;
	} else {
		out->kind = IOT_STRACE_CALL;
		if (!take_name(&scan, &out->name) || !take(&scan, "("))
			return FALSE;
	}
	out->args.text = scan.p;
	if (out->kind == IOT_STRACE_CALL && len >= n && !memcmp(text + len - n, unfinished, n)) {
		out->kind = IOT_STRACE_UNFINISHED;
		out->args.len = (gsize)(text + len - n - scan.p);
		while (out->args.len && out->args.text[out->args.len - 1] == ' ')
			out->args.len--;
		return TRUE;
	}
	if (!skip_arguments(&scan))
		return FALSE;
	out->args.len = (gsize)(scan.p - out->args.text);
	return take_result(&scan, out);
}

guint iot_strace_split(struct iot_strace_text args, struct iot_strace_text out[IOT_STRACE_ARGS])
{
	struct scan scan = scan_of(args);
	guint n = 0;

	while (n < IOT_STRACE_ARGS) {
		const char *begin;

		skip_blanks(&scan);
		begin = scan.p;
		if (begin == scan.end || !skip_argument(&scan))
			break;
		out[n++] = (struct iot_strace_text){ begin, (gsize)(scan.p - begin) };
		if (scan.p == scan.end || *scan.p != ',')
			break;
		scan.p++;
	}
	return n;
}

gboolean iot_strace_int(struct iot_strace_text arg, gint64 *out)
{
	struct scan scan = scan_of(arg);
	gboolean negative = take(&scan, "-");
	gboolean octal = scan.end - scan.p > 1 && *scan.p == '0';
	guint64 n = 0, base = octal ? 8 : 10;
	const char *begin;

	if (take(&scan, "0x"))
		base = 16;
	for (begin = scan.p; scan.p < scan.end; scan.p++) {
		int digit = g_ascii_xdigit_value(*scan.p);

		if (digit < 0 || (guint64)digit >= base)
			break;
		n = n * base + (guint64)digit;
	}
	*out = negative ? -(gint64)n : (gint64)n;
	return scan.p > begin;
}

struct iot_strace_text iot_strace_path(struct iot_strace_text arg)
{
	struct scan scan = scan_of(arg);
	struct iot_strace_text path = { NULL, 0 };

	while (scan.p < scan.end && (g_ascii_isalnum(*scan.p) || *scan.p == '_' || *scan.p == '-'))
		scan.p++;
	if (!take(&scan, "<"))
		return path;
	path.text = scan.p;
	if (!skip_angle(&scan))
		return (struct iot_strace_text){ NULL, 0 };
	path.len = (gsize)(scan.p - 1 - path.text);
	return path;
}

void iot_strace_unescape(struct iot_strace_text text, GString *out)
{
	for (gsize i = 0; i < text.len; i++) {
		static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
		const char *known;
		guint value = 0, n = 0;

		if (text.text[i] != '\\' || i + 1 == text.len) {
			g_string_append_c(out, text.text[i]);
			continue;
		}
		i++;
		for (; n < 3 && i + n < text.len && text.text[i + n] >= '0' &&
		       text.text[i + n] <= '7';
		     n++)
			value = value * 8 + (guint)(text.text[i + n] - '0');
		known = strchr(from, text.text[i]);
		if (n)
			i += n - 1;
		g_string_append_c(out, n ? (char)value : known ? to[known - from] : text.text[i]);
	}
}

gboolean iot_strace_string(struct iot_strace_text arg, GString *out)
{
	struct scan scan = scan_of(arg);

	if (!arg.len || *scan.p != '"' || !skip_string(&scan))
		return FALSE;
	iot_strace_unescape(
		(struct iot_strace_text){ arg.text + 1, (gsize)(scan.p - 2 - arg.text) }, out);
	return TRUE;
}

struct iot_strace_text iot_strace_member(struct iot_strace_text arg, const char *name, gsize *from)
{
	gsize n = strlen(name);

	while (*from < arg.len) {
		const char *at = memmem(arg.text + *from, arg.len - *from, name, n);
		struct scan scan;

		if (!at)
			break;
		scan = (struct scan){ at + n, arg.text + arg.len };
		*from = (gsize)(scan.p - arg.text);
		if (at == arg.text || (at[-1] != '{' && at[-1] != ' ') || !take(&scan, "="))
			continue;
		at = scan.p;
		if (!skip_argument(&scan))
			break;
		*from = (gsize)(scan.p - arg.text);
		return (struct iot_strace_text){ at, (gsize)(scan.p - at) };
	}
	return (struct iot_strace_text){ NULL, 0 };
}
