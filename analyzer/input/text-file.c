/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/text-file.h"
#include "base/error.h"
#include "base/fault.h"

#include <errno.h>
#include <string.h>

enum { MAX_CPU = 65535, MAX_FIELDS = 256 };

/* The line that is being read; p walks from start to end. */
struct cursor {
	struct iot_text_file *file;
	guint line;
	const char *start, *p, *end;
	GHashTable *class_by_name; /* "system:name" to index + 1 */
	GHashTable *cpu_by_number;
	gboolean seen_event;
};

G_GNUC_PRINTF(4, 5)
static gboolean fail(const struct cursor *cur, const char *at, GError **error, const char *format,
		     ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s:%u:%u: %s", cur->file->path, cur->line,
		    (guint)(at - cur->start) + 1, text);
	return FALSE;
}

/* --- words and numbers --- */

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct cursor *cur)
{
	while (cur->p < cur->end && is_blank(*cur->p))
		cur->p++;
}

/* A comment may also stand where a new field could begin. */
static gboolean at_end(const struct cursor *cur)
{
	return cur->p == cur->end || *cur->p == '#';
}

/* The next word, without its end; empty at the end of the line. */
static const char *take_word(struct cursor *cur, gsize *out_len)
{
	const char *word;

	skip_blanks(cur);
	word = cur->p;
	while (cur->p < cur->end && !is_blank(*cur->p))
		cur->p++;
	*out_len = (gsize)(cur->p - word);
	return word;
}

/* Digits of a base to a number; FALSE if one is no digit or the number needs more than 64 bits. */
static gboolean parse_digits(const char *text, gsize len, guint base, guint64 *out)
{
	guint64 value = 0;

	for (gsize i = 0; i < len; i++) {
		int digit = g_ascii_xdigit_value(text[i]);

		if (digit < 0 || (guint)digit >= base)
			return FALSE;
		if (value > (G_MAXUINT64 - (guint)digit) / base)
			return FALSE;
		value = value * base + (guint)digit;
	}
	*out = value;
	return len > 0;
}

static gboolean take_number(struct cursor *cur, const char *what, guint64 max, guint64 *out,
			    GError **error)
{
	gsize len;
	const char *word = take_word(cur, &len);

	if (!len)
		return fail(cur, word, error, "%s is missing", what);
	if (!parse_digits(word, len, 10, out) || *out > max)
		return fail(cur, word, error,
			    "\"%.*s\" is not %s (a decimal number up to %" G_GUINT64_FORMAT ")",
			    (int)len, word, what, max);
	return TRUE;
}

static gboolean take_pid(struct cursor *cur, gint32 *out, GError **error)
{
	gboolean negative;
	guint64 value;

	skip_blanks(cur);
	negative = cur->p < cur->end && *cur->p == '-';
	cur->p += negative;
	if (!take_number(cur, "a process id", G_MAXINT32, &value, error))
		return FALSE;
	*out = negative ? -(gint32)value : (gint32)value;
	return TRUE;
}

/* --- classes, fields and CPUs --- */

static void field_clear(gpointer data)
{
	g_free(((struct iot_text_field *)data)->name);
}

static void class_free(gpointer data)
{
	struct iot_text_class *event_class = data;

	g_array_unref(event_class->fields);
	g_free(event_class->system);
	g_free(event_class->name);
	g_free(event_class);
}

static void cpu_free(gpointer data)
{
	struct iot_text_cpu *cpu = data;

	g_array_unref(cpu->recs);
	g_free(cpu);
}

static gboolean is_name(const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isalnum(text[i]) && !strchr("_-.", text[i]))
			return FALSE;
	return len > 0;
}

static gboolean take_class(struct cursor *cur, guint32 *out, GError **error)
{
	gsize len;
	const char *word = take_word(cur, &len);
	const char *colon = memchr(word, ':', len);
	const char *name = colon ? colon + 1 : word;
	gsize name_len = len - (gsize)(name - word);
	g_autofree char *key = g_strndup(word, len);
	struct iot_text_class *event_class;
	guint index;

	if (!len)
		return fail(cur, word, error, "the event's name is missing");
	if (!is_name(name, name_len) || (colon && !is_name(word, (gsize)(colon - word))))
		return fail(
			cur, word, error,
			"\"%.*s\" is not an event (NAME or SYSTEM:NAME; letters, digits, \"_-.\")",
			(int)len, word);
	index = GPOINTER_TO_UINT(g_hash_table_lookup(cur->class_by_name, key));
	if (!index) {
		event_class = g_new0(struct iot_text_class, 1);
		event_class->system = colon ? g_strndup(word, (gsize)(colon - word)) : g_strdup("");
		event_class->name = g_strndup(name, name_len);
		event_class->fields = g_array_new(FALSE, FALSE, sizeof(struct iot_text_field));
		g_array_set_clear_func(event_class->fields, field_clear);
		g_ptr_array_add(cur->file->classes, event_class);
		index = cur->file->classes->len;
		g_hash_table_insert(cur->class_by_name, g_steal_pointer(&key),
				    GUINT_TO_POINTER(index));
	}
	*out = index - 1;
	return TRUE;
}

static struct iot_text_cpu *find_cpu(struct cursor *cur, guint32 number)
{
	gpointer key = GUINT_TO_POINTER(number + 1);
	struct iot_text_cpu *cpu = g_hash_table_lookup(cur->cpu_by_number, key);

	if (cpu)
		return cpu;
	cpu = g_new0(struct iot_text_cpu, 1);
	cpu->cpu = number;
	cpu->recs = g_array_new(FALSE, TRUE, sizeof(struct iot_text_rec));
	g_ptr_array_add(cur->file->cpus, cpu);
	g_hash_table_insert(cur->cpu_by_number, key, cpu);
	return cpu;
}

/* Index of a field, added if it is new; -1 if @type is not the type it had before. */
static gint64 find_field(const struct cursor *cur, struct iot_text_class *event_class,
			 const char *name, enum iot_slot_type type, guint *out_line)
{
	struct iot_text_field added = { g_strdup(name), type, cur->line };

	for (guint i = 0; i < event_class->fields->len; i++) {
		struct iot_text_field *field =
			&g_array_index(event_class->fields, struct iot_text_field, i);

		if (strcmp(field->name, name))
			continue;
		g_free(added.name);
		*out_line = field->line;
		return field->type == type ? (gint64)i : -1;
	}
	g_array_append_val(event_class->fields, added);
	return event_class->fields->len - 1;
}

/* --- values --- */

static gboolean take_quoted(struct cursor *cur, GError **error)
{
	const char *open = cur->p++;
	GString *text = cur->file->text;

	for (; cur->p < cur->end && *cur->p != '"'; cur->p++) {
		guint64 byte;

		if (*cur->p != '\\') {
			g_string_append_c(text, *cur->p);
		} else if (cur->end - cur->p >= 2 && (cur->p[1] == '\\' || cur->p[1] == '"')) {
			g_string_append_c(text, *++cur->p);
		} else if (cur->end - cur->p >= 4 && cur->p[1] == 'x' &&
			   parse_digits(cur->p + 2, 2, 16, &byte)) {
			g_string_append_c(text, (char)byte);
			cur->p += 3;
		} else {
			return fail(cur, cur->p, error,
				    "unknown escape (there are \\\\, \\\" and \\xNN)");
		}
	}
	if (cur->p == cur->end)
		return fail(cur, open, error, "the closing quote is missing");
	cur->p++;
	if (cur->p < cur->end && !is_blank(*cur->p))
		return fail(cur, cur->p, error, "a blank is missing after the closing quote");
	return TRUE;
}

/*
 * Whether a bare word is a number: decimal in the range of gint64, or hexadecimal with up to 64
 * bits, taken as they are. *@out_too_big tells that it looks like one but does not fit.
 */
static gboolean parse_int(const char *word, gsize len, gint64 *out, gboolean *out_too_big)
{
	gboolean negative = len && word[0] == '-';
	const char *digits = word + negative;
	gsize n = len - (negative ? 1 : 0);
	gboolean hex = n > 2 && digits[0] == '0' && digits[1] == 'x';
	guint64 value;

	*out_too_big = FALSE;
	if (hex)
		digits += 2, n -= 2;
	for (gsize i = 0; i < n; i++)
		if (hex ? !g_ascii_isxdigit(digits[i]) : !g_ascii_isdigit(digits[i]))
			return FALSE;
	if (!n)
		return FALSE;
	*out_too_big = !parse_digits(digits, n, hex ? 16 : 10, &value) ||
		       (negative && value > (guint64)G_MAXINT64 + 1) ||
		       (!negative && !hex && value > G_MAXINT64);
	*out = *out_too_big ? 0 : (gint64)(negative ? 0 - value : value);
	return TRUE;
}

static gboolean take_value(struct cursor *cur, struct iot_text_value *value,
			   enum iot_slot_type *out_type, GError **error)
{
	GString *text = cur->file->text;
	gboolean too_big;
	const char *word;
	gsize len;

	value->at = text->len;
	*out_type = IOT_SLOT_STR;
	if (cur->p < cur->end && *cur->p == '"') {
		if (!take_quoted(cur, error))
			return FALSE;
		value->len = text->len - value->at;
		return TRUE;
	}
	if (cur->p == cur->end || is_blank(*cur->p))
		return fail(cur, cur->p, error, "the value is missing (\"\" is an empty text)");
	word = take_word(cur, &len);
	if (memchr(word, '"', len))
		return fail(cur, word, error, "a quote inside a word; quote the whole value");
	if (parse_int(word, len, &value->number, &too_big)) {
		*out_type = IOT_SLOT_INT;
		return !too_big ||
		       fail(cur, word, error, "\"%.*s\" does not fit in 64 bits", (int)len, word);
	}
	g_string_append_len(text, word, (gssize)len);
	value->len = len;
	return TRUE;
}

static gboolean take_field(struct cursor *cur, struct iot_text_class *event_class,
			   guint first_value, GError **error)
{
	const char *start = cur->p;
	g_autofree char *name = NULL;
	struct iot_text_value value = { 0 };
	enum iot_slot_type type;
	guint line = 0;
	gint64 field;

	while (cur->p < cur->end && !is_blank(*cur->p) && *cur->p != '=')
		cur->p++;
	name = g_strndup(start, (gsize)(cur->p - start));
	if (cur->p == cur->end || *cur->p != '=' || !is_name(name, strlen(name)))
		return fail(cur, start, error, "\"%s\" is not a field (NAME=VALUE)", name);
	cur->p++;
	if (!take_value(cur, &value, &type, error))
		return FALSE;
	field = find_field(cur, event_class, name, type, &line);
	if (field < 0)
		return fail(cur, start, error,
			    "%s is %s here but was %s in line %u (quote numbers that are texts)",
			    name, type == IOT_SLOT_INT ? "a number" : "a text",
			    type == IOT_SLOT_INT ? "a text" : "a number", line);
	value.field = (guint32)field;
	if (event_class->fields->len > MAX_FIELDS)
		return fail(cur, start, error, "more than %d fields in one event", MAX_FIELDS);
	for (guint i = first_value; i < cur->file->values->len; i++)
		if (g_array_index(cur->file->values, struct iot_text_value, i).field == value.field)
			return fail(cur, start, error, "%s is given twice", name);
	g_array_append_val(cur->file->values, value);
	return TRUE;
}

/* --- lines --- */

static gboolean expect_end(struct cursor *cur, GError **error)
{
	skip_blanks(cur);
	return at_end(cur) || fail(cur, cur->p, error, "nothing more was expected in this line");
}

/* "LOST N", behind the "-" that stands in place of the process id. */
static gboolean take_lost(struct cursor *cur, struct iot_text_cpu *cpu, GError **error)
{
	gsize len;
	const char *word = take_word(cur, &len);
	guint64 lost;

	if (len != 4 || strncmp(word, "LOST", 4))
		return fail(cur, word, error, "LOST expected, as there is no process id");
	word = take_word(cur, &len);
	if (len == 1 && *word == '?')
		lost = G_MAXUINT64;
	else if (!parse_digits(word, len, 10, &lost) || !lost || lost > G_MAXINT32)
		return fail(cur, word, error, "the number of lost events expected, or ?");
	if (lost == G_MAXUINT64 || (cpu->loss_pending && cpu->lost == G_MAXUINT64))
		cpu->lost = G_MAXUINT64;
	else
		cpu->lost = lost + (cpu->loss_pending ? cpu->lost : 0);
	cpu->loss_pending = TRUE;
	return expect_end(cur, error);
}

static void add_rec(struct iot_text_file *file, struct iot_text_cpu *cpu, struct iot_text_rec *rec)
{
	guint n = cpu->recs->len;
	guint64 before = n ? g_array_index(cpu->recs, struct iot_text_rec, n - 1).ts : 0;

	if (rec->ts < before) {
		rec->ts = before;
		iot_diag_add(&file->diag, IOT_DIAG_clock_stepped_back, 1);
	}
	rec->after_loss = cpu->loss_pending;
	rec->lost = cpu->lost;
	cpu->loss_pending = FALSE;
	cpu->lost = 0;
	file->n_events++;
	g_array_append_val(cpu->recs, *rec);
}

static gboolean parse_event(struct cursor *cur, GError **error)
{
	struct iot_text_file *file = cur->file;
	struct iot_text_rec rec = { .line = cur->line, .first_value = file->values->len };
	struct iot_text_cpu *cpu;
	guint64 number;

	if (!take_number(cur, "a time stamp", G_MAXINT64, &rec.ts, error) ||
	    !take_number(cur, "a CPU", MAX_CPU, &number, error))
		return FALSE;
	cur->seen_event = TRUE;
	cpu = find_cpu(cur, (guint32)number);
	skip_blanks(cur);
	if (cur->p < cur->end && *cur->p == '-' &&
	    (cur->p + 1 == cur->end || is_blank(cur->p[1]))) {
		cur->p++;
		return take_lost(cur, cpu, error);
	}
	if (!take_pid(cur, &rec.pid, error) || !take_class(cur, &rec.event_class, error))
		return FALSE;
	for (skip_blanks(cur); !at_end(cur); skip_blanks(cur))
		if (!take_field(cur, file->classes->pdata[rec.event_class], rec.first_value, error))
			return FALSE;
	rec.n_values = file->values->len - rec.first_value;
	add_rec(file, cpu, &rec);
	return TRUE;
}

static gboolean parse_sync(struct cursor *cur, const char *at, const char *word, GError **error)
{
	static const struct {
		const char *name;
		enum iot_sync sync;
	} rows[] = { { "yes", IOT_SYNC_YES }, { "no", IOT_SYNC_NO }, { "host", IOT_SYNC_HOST } };

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (strcmp(word, rows[i].name))
			continue;
		cur->file->sync = rows[i].sync;
		return TRUE;
	}
	return fail(cur, at, error, "sync is yes, no or host");
}

/* PID NAME, as trace-cmd saves the names of commands */
static gboolean parse_command(struct cursor *cur, const char *at, const char *rest, GError **error)
{
	gsize digits = strspn(rest, "0123456789");
	gsize name = digits + strspn(rest + digits, " \t");

	if (!digits || name == digits || !rest[name])
		return fail(cur, at, error, "the number of a process and its command expected");
	g_string_append_printf(cur->file->commands, "%.*s %s\n", (int)digits, rest, rest + name);
	return TRUE;
}

/* When a clock sample was taken: the machine was recorded then. */
static gboolean parse_sample(struct cursor *cur, const char *at, const char *rest, GError **error)
{
	guint64 ns;

	if (!g_ascii_string_to_unsigned(rest, 10, 0, G_MAXINT64, &ns, NULL))
		return fail(cur, at, error, "a time in ns expected");
	cur->file->sample_ns = MAX(cur->file->sample_ns, ns);
	return TRUE;
}

static gboolean parse_directive(struct cursor *cur, GError **error)
{
	struct iot_text_file *file = cur->file;
	gsize len;
	const char *word = take_word(cur, &len);
	g_autofree char *name = g_strndup(word, len);
	g_autofree char *rest = NULL;
	const char *at;
	char **target;

	skip_blanks(cur);
	at = cur->p;
	rest = g_strchomp(g_strndup(at, (gsize)(cur->end - at)));
	if (cur->seen_event)
		return fail(cur, word, error,
			    "a time stamp expected (directives stand before all events)");
	if (!strcmp(name, "sync"))
		return parse_sync(cur, at, rest, error);
	if (!strcmp(name, "command"))
		return parse_command(cur, at, rest, error);
	if (!strcmp(name, "sample"))
		return parse_sample(cur, at, rest, error);
	if (!strcmp(name, "hostname"))
		target = &file->hostname;
	else if (!strcmp(name, "kernel"))
		target = &file->kernel;
	else if (!strcmp(name, "clock"))
		target = &file->clock;
	else
		return fail(cur, word, error,
			    "\"%s\" is neither a time stamp nor a directive (hostname, kernel, "
			    "clock, sync, command, sample)",
			    name);
	if (!*rest)
		return fail(cur, at, error, "the value of %s is missing", name);
	g_free(*target);
	*target = g_steal_pointer(&rest);
	return TRUE;
}

static gboolean parse_line(struct cursor *cur, GError **error)
{
	for (const char *p = cur->start; p < cur->end; p++)
		if ((guchar)*p < ' ' && *p != '\t')
			return fail(cur, p, error, "a control character (0x%02x)", (guchar)*p);
	if (cur->line == 1) {
		if (cur->end - cur->start == 14 && !memcmp(cur->start, IOT_TEXT_MAGIC "1", 14))
			return TRUE;
		return fail(cur, cur->start, error,
			    "the first line must be \"" IOT_TEXT_MAGIC "1\"");
	}
	skip_blanks(cur);
	if (at_end(cur))
		return TRUE;
	return g_ascii_isdigit(*cur->p) ? parse_event(cur, error) : parse_directive(cur, error);
}

static gboolean parse_lines(struct cursor *cur, const char *data, gsize len, GError **error)
{
	const char *p = data, *end = data + len;

	do {
		const char *newline = memchr(p, '\n', (gsize)(end - p));

		cur->line++;
		cur->start = cur->p = p;
		cur->end = newline ? newline : end;
		p = newline ? newline + 1 : end;
		if (cur->end > cur->start && cur->end[-1] == '\r')
			cur->end--;
		if (!parse_line(cur, error))
			return FALSE;
	} while (p < end);
	return TRUE;
}

/* --- the whole file --- */

static gint compare_cpus(gconstpointer a, gconstpointer b)
{
	const struct iot_text_cpu *x = *(struct iot_text_cpu *const *)a;
	const struct iot_text_cpu *y = *(struct iot_text_cpu *const *)b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void count_loss(struct iot_text_file *file, guint64 lost)
{
	iot_diag_add(&file->diag, IOT_DIAG_gaps, 1);
	if (lost == G_MAXUINT64)
		return;
	iot_diag_add(&file->diag, IOT_DIAG_events_lost, lost);
	file->n_lost += lost;
}

/* A CPU without any record has no place in time for its loss: it is counted, and is no run. */
static void settle_cpus(struct iot_text_file *file)
{
	g_ptr_array_sort(file->cpus, compare_cpus);
	for (guint i = file->cpus->len; i-- > 0;) {
		struct iot_text_cpu *cpu = file->cpus->pdata[i];

		for (guint r = 0; r < cpu->recs->len; r++) {
			struct iot_text_rec *rec =
				&g_array_index(cpu->recs, struct iot_text_rec, r);

			if (rec->after_loss)
				count_loss(file, rec->lost);
		}
		if (cpu->loss_pending)
			count_loss(file, cpu->lost);
		if (!cpu->recs->len)
			g_ptr_array_remove_index(file->cpus, i);
	}
}

static struct iot_text_file *file_new(const char *path, gsize bytes)
{
	struct iot_text_file *file = g_new0(struct iot_text_file, 1);

	file->path = g_strdup(path);
	file->bytes = bytes;
	file->classes = g_ptr_array_new_with_free_func(class_free);
	file->cpus = g_ptr_array_new_with_free_func(cpu_free);
	file->values = g_array_new(FALSE, FALSE, sizeof(struct iot_text_value));
	file->commands = g_string_new(NULL);
	file->text = g_string_new(NULL);
	return file;
}

void iot_text_file_free(struct iot_text_file *file)
{
	if (!file)
		return;
	g_ptr_array_unref(file->classes);
	g_ptr_array_unref(file->cpus);
	g_array_unref(file->values);
	g_string_free(file->text, TRUE);
	g_string_free(file->commands, TRUE);
	g_free(file->hostname);
	g_free(file->kernel);
	g_free(file->clock);
	g_free(file->path);
	g_free(file);
}

struct iot_text_file *iot_text_file_parse(const char *path, const char *data, gsize len,
					  GError **error)
{
	g_autoptr(iot_text_file) file = file_new(path, len);
	g_autoptr(GHashTable) classes =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);
	struct cursor cur = { .file = file, .class_by_name = classes, .cpu_by_number = cpus };

	if (!parse_lines(&cur, data, len, error))
		return NULL;
	settle_cpus(file);
	return g_steal_pointer(&file);
}

struct iot_text_file *iot_text_file_load(const char *path, GError **error)
{
	g_autofree char *data = NULL;
	g_autoptr(GError) cause = NULL;
	gsize len;

	if (iot_fault_hit(IOT_FAULT_READ))
		g_set_error_literal(&cause, G_FILE_ERROR, G_FILE_ERROR_IO, g_strerror(EIO));
	if (cause || !g_file_get_contents(path, &data, &len, &cause)) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "cannot read %s: %s", path,
			    cause->message);
		return NULL;
	}
	return iot_text_file_parse(path, data, len, error);
}
