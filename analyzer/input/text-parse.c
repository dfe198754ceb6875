/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/text-parse.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/real.h"
#include "input/text-scan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MAX_CPU = 65535, MAX_FIELDS = 256 };

struct parser {
	struct iot_text_scan scan; /* the line */
	struct iot_text_file *file;
	GHashTable *class_by_name; /* "system:name" to index + 1 */
	GHashTable *cpu_by_number;
	gboolean seen_event;
};

/* --- classes, fields and CPUs --- */

static gboolean is_name(const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isalnum(text[i]) && !strchr("_-.", text[i]))
			return FALSE;
	return len > 0;
}

static gboolean take_class(struct parser *parser, guint32 *out, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;
	gsize len;
	const char *word = iot_text_word(scan, &len);
	const char *colon = memchr(word, ':', len);
	const char *name = colon ? colon + 1 : word;
	gsize name_len = len - (gsize)(name - word);
	g_autofree char *key = g_strndup(word, len);
	struct iot_text_class *event_class;
	guint index;

	if (!len)
		return iot_text_fail(scan, word, error, "the event's name is missing");
	if (!is_name(name, name_len) || (colon && !is_name(word, (gsize)(colon - word))))
		return iot_text_fail(
			scan, word, error,
			"\"%.*s\" is not an event (NAME or SYSTEM:NAME; letters, digits, \"_-.\")",
			(int)len, word);
	index = GPOINTER_TO_UINT(g_hash_table_lookup(parser->class_by_name, key));
	if (!index) {
		event_class = iot_text_file_add_class(parser->file);
		event_class->system = colon ? g_strndup(word, (gsize)(colon - word)) : g_strdup("");
		event_class->name = g_strndup(name, name_len);
		index = parser->file->classes->len;
		g_hash_table_insert(parser->class_by_name, g_steal_pointer(&key),
				    GUINT_TO_POINTER(index));
	}
	*out = index - 1;
	return TRUE;
}

static struct iot_text_cpu *find_cpu(struct parser *parser, guint32 number)
{
	gpointer key = GUINT_TO_POINTER(number + 1);
	struct iot_text_cpu *cpu = g_hash_table_lookup(parser->cpu_by_number, key);

	if (cpu)
		return cpu;
	cpu = iot_text_file_add_cpu(parser->file, number);
	g_hash_table_insert(parser->cpu_by_number, key, cpu);
	return cpu;
}

/* Index of the field at @start, added if it is new; -1 if @type is not the type it had before. */
static gint64 find_field(const struct parser *parser, struct iot_text_class *event_class,
			 const char *start, const char *name, enum iot_slot_type type,
			 guint *out_line)
{
	struct iot_text_field added = { g_strdup(name), type, type == IOT_SLOT_INT,
					parser->scan.line,
					(guint)(start - parser->scan.start) + 1 };

	for (guint i = 0; i < event_class->fields->len; i++) {
		struct iot_text_field *field =
			&g_array_index(event_class->fields, struct iot_text_field, i);

		if (strcmp(field->name, name))
			continue;
		g_free(added.name);
		*out_line = field->line;
		field->has_int |= type == IOT_SLOT_INT;
		if (type == IOT_SLOT_STR || (type == IOT_SLOT_REAL && field->type == IOT_SLOT_INT))
			field->type = type;
		return field->has_int && field->type == IOT_SLOT_STR ? -1 : (gint64)i;
	}
	g_array_append_val(event_class->fields, added);
	return event_class->fields->len - 1;
}

/* --- values --- */

static gboolean take_value(struct parser *parser, struct iot_text_value *value,
			   enum iot_slot_type *out_type, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;
	GString *text = parser->file->text;
	gboolean too_big;
	const char *word;
	gsize len;

	value->at = text->len;
	*out_type = IOT_SLOT_STR;
	if (scan->p < scan->end && *scan->p == '"') {
		if (!iot_text_quoted(scan, text, error))
			return FALSE;
		value->len = text->len - value->at;
		return TRUE;
	}
	if (scan->p == scan->end || iot_text_is_blank(*scan->p))
		return iot_text_fail(scan, scan->p, error,
				     "the value is missing (\"\" is an empty text)");
	word = iot_text_word(scan, &len);
	if (memchr(word, '"', len))
		return iot_text_fail(scan, word, error,
				     "a quote inside a word; quote the whole value");
	if (iot_text_int(word, len, &value->number, &too_big)) {
		*out_type = IOT_SLOT_INT;
		return !too_big ||
		       iot_text_fail(scan, word, error, "\"%.*s\" does not fit in 64 bits",
				     (int)len, word);
	}
	value->is_real = iot_real_parse(word, len, &value->real);
	if (value->is_real)
		*out_type = IOT_SLOT_REAL;
	if (value->is_real && !isfinite(value->real))
		return iot_text_fail(scan, word, error, "\"%.*s\" is too great for a real number",
				     (int)len, word);
	g_string_append_len(text, word, (gssize)len);
	value->len = len;
	return TRUE;
}

static gboolean take_field(struct parser *parser, struct iot_text_class *event_class,
			   guint first_value, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;
	const char *start = scan->p;
	g_autofree char *name = NULL;
	struct iot_text_value value = { 0 };
	enum iot_slot_type type;
	guint line = 0;
	gint64 field;

	while (scan->p < scan->end && !iot_text_is_blank(*scan->p) && *scan->p != '=')
		scan->p++;
	name = g_strndup(start, (gsize)(scan->p - start));
	if (scan->p == scan->end || *scan->p != '=' || !is_name(name, strlen(name)))
		return iot_text_fail(scan, start, error, "\"%s\" is not a field (NAME=VALUE)",
				     name);
	scan->p++;
	if (!take_value(parser, &value, &type, error))
		return FALSE;
	field = find_field(parser, event_class, start, name, type, &line);
	if (field < 0)
		return iot_text_fail(
			scan, start, error,
			"%s is %s here but was %s in line %u (quote numbers that are texts)", name,
			type == IOT_SLOT_STR ? "a text" : "a number",
			type == IOT_SLOT_STR ? "a number" : "a text", line);
	value.field = (guint32)field;
	if (event_class->fields->len > MAX_FIELDS)
		return iot_text_fail(scan, start, error, "more than %d fields in one event",
				     MAX_FIELDS);
	for (guint i = first_value; i < parser->file->values->len; i++)
		if (g_array_index(parser->file->values, struct iot_text_value, i).field ==
		    value.field)
			return iot_text_fail(scan, start, error, "%s is given twice", name);
	g_array_append_val(parser->file->values, value);
	return TRUE;
}

/* --- lines --- */

static gboolean expect_end(struct parser *parser, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;

	iot_text_skip_blanks(scan);
	return iot_text_at_end(scan) ||
	       iot_text_fail(scan, scan->p, error, "nothing more was expected in this line");
}

/* "LOST N", after the "-" in the place of the process id. */
static gboolean take_lost(struct parser *parser, struct iot_text_cpu *cpu, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;
	gsize len;
	const char *word = iot_text_word(scan, &len);
	guint64 lost;

	if (len != 4 || strncmp(word, "LOST", 4))
		return iot_text_fail(scan, word, error, "LOST expected, as there is no process id");
	word = iot_text_word(scan, &len);
	if (len == 1 && *word == '?')
		lost = G_MAXUINT64;
	else if (!iot_text_digits(word, len, 10, &lost) || !lost || lost > G_MAXINT32)
		return iot_text_fail(scan, word, error, "the number of lost events expected, or ?");
	if (lost == G_MAXUINT64 || (cpu->loss_pending && cpu->lost == G_MAXUINT64))
		cpu->lost = G_MAXUINT64;
	else
		cpu->lost = lost + (cpu->loss_pending ? cpu->lost : 0);
	cpu->loss_pending = TRUE;
	return expect_end(parser, error);
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

static gboolean parse_event(struct parser *parser, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;
	struct iot_text_file *file = parser->file;
	struct iot_text_rec rec = { .line = scan->line, .first_value = file->values->len };
	struct iot_text_cpu *cpu;
	guint64 number;

	if (!iot_text_number(scan, "a time stamp", G_MAXINT64, &rec.ts, error) ||
	    !iot_text_number(scan, "a CPU", MAX_CPU, &number, error))
		return FALSE;
	parser->seen_event = TRUE;
	cpu = find_cpu(parser, (guint32)number);
	iot_text_skip_blanks(scan);
	if (scan->p < scan->end && *scan->p == '-' &&
	    (scan->p + 1 == scan->end || iot_text_is_blank(scan->p[1]))) {
		scan->p++;
		return take_lost(parser, cpu, error);
	}
	if (!iot_text_pid(scan, &rec.pid, &rec.flags, error) ||
	    !take_class(parser, &rec.event_class, error))
		return FALSE;
	for (iot_text_skip_blanks(scan); !iot_text_at_end(scan); iot_text_skip_blanks(scan))
		if (!take_field(parser, file->classes->pdata[rec.event_class], rec.first_value,
				error))
			return FALSE;
	rec.n_values = file->values->len - rec.first_value;
	add_rec(file, cpu, &rec);
	return TRUE;
}

static gboolean parse_sync(struct parser *parser, const char *word, GError **error)
{
	static const struct {
		const char *name;
		enum iot_sync sync;
	} rows[] = { { "yes", IOT_SYNC_YES }, { "no", IOT_SYNC_NO }, { "host", IOT_SYNC_HOST } };

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (strcmp(word, rows[i].name))
			continue;
		parser->file->sync = rows[i].sync;
		return TRUE;
	}
	return iot_text_fail(&parser->scan, parser->scan.p, error, "sync is yes, no or host");
}

static gboolean parse_complete(struct parser *parser, const char *word, GError **error)
{
	gboolean yes = !strcmp(word, "yes");

	parser->file->nothing_before = yes || !strcmp(word, "begin");
	parser->file->nothing_after = yes || !strcmp(word, "end");
	return parser->file->nothing_before || parser->file->nothing_after || !strcmp(word, "no") ||
	       iot_text_fail(&parser->scan, parser->scan.p, error,
			     "complete is yes, no, begin or end");
}

/* PID NAME, as trace-cmd saves command names */
static gboolean parse_command(struct parser *parser, const char *rest, GError **error)
{
	gsize digits = strspn(rest, "0123456789");
	gsize name = digits + strspn(rest + digits, " \t");

	if (!digits || name == digits || !rest[name])
		return iot_text_fail(&parser->scan, parser->scan.p, error,
				     "the number of a process and its command expected");
	g_string_append_printf(parser->file->commands, "%.*s %s\n", (int)digits, rest, rest + name);
	return TRUE;
}

static gboolean parse_ns(struct parser *parser, const char *rest, guint64 *out_ns, GError **error)
{
	return g_ascii_string_to_unsigned(rest, 10, 0, G_MAXINT64, out_ns, NULL) ||
	       iot_text_fail(&parser->scan, parser->scan.p, error, "a time in ns expected");
}

/* The time of a clock sample: the machine was recorded until then at least. */
static gboolean parse_sample(struct parser *parser, const char *rest, GError **error)
{
	guint64 ns;

	if (!parse_ns(parser, rest, &ns, error))
		return FALSE;
	parser->file->sample_ns = MAX(parser->file->sample_ns, ns);
	parser->file->first_sample_ns = MIN(parser->file->first_sample_ns, ns);
	return TRUE;
}

/* TIME [AT]: the error of the times, at the time AT */
static gboolean parse_error(struct parser *parser, const char *rest, GError **error)
{
	GArray *errors = parser->file->errors;
	gsize len = strcspn(rest, " \t");
	g_autofree char *bound = g_strndup(rest, len);
	const char *at = rest + len + strspn(rest + len, " \t");
	struct iot_clock_knot knot = { 0 };

	if (!parse_ns(parser, bound, &knot.bound_ns, error) ||
	    (*at && !parse_ns(parser, at, &knot.ns, error)))
		return FALSE;
	if (!*at)
		g_array_set_size(errors, 0);
	else if (errors->len &&
		 g_array_index(errors, struct iot_clock_knot, errors->len - 1).ns > knot.ns)
		return iot_text_fail(&parser->scan, parser->scan.p, error,
				     "the errors of the clock are not in the order of time");
	g_array_append_val(errors, knot);
	return TRUE;
}

/* GUEST CPU PID: the thread PID of this machine is a virtual CPU of the guest. */
static gboolean parse_vcpu(struct parser *parser, const char *rest, GError **error)
{
	g_auto(GStrv) words = g_strsplit_set(rest, " \t", -1);
	const char *word[3] = { "", "", "" };
	struct iot_vcpu vcpu = { 0 };
	guint64 cpu;
	gint64 pid;
	guint n = 0;

	for (guint i = 0; words[i]; i++)
		if (*words[i] && n++ < G_N_ELEMENTS(word))
			word[n - 1] = words[i];
	if (n != G_N_ELEMENTS(word) ||
	    !g_ascii_string_to_unsigned(word[1], 10, 0, MAX_CPU, &cpu, NULL) ||
	    !g_ascii_string_to_signed(word[2], 10, -1, G_MAXINT32, &pid, NULL))
		return iot_text_fail(&parser->scan, parser->scan.p, error,
				     "the name of a guest, the number of its CPU, and the process "
				     "id of that CPU's thread expected");
	vcpu.guest = g_strdup(word[0]);
	vcpu.cpu = (guint32)cpu;
	vcpu.pid = (gint32)pid;
	g_array_append_val(parser->file->vcpus, vcpu);
	return TRUE;
}

static gboolean parse_directive(struct parser *parser, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;
	struct iot_text_file *file = parser->file;
	gsize len;
	const char *word = iot_text_word(scan, &len);
	g_autofree char *name = g_strndup(word, len);
	g_autofree char *rest = NULL;
	const char *at;
	char **target;

	iot_text_skip_blanks(scan);
	at = scan->p;
	rest = g_strchomp(g_strndup(at, (gsize)(scan->end - at)));
	if (parser->seen_event)
		return iot_text_fail(scan, word, error,
				     "a time stamp expected (directives stand before all events)");
	if (!strcmp(name, "sync"))
		return parse_sync(parser, rest, error);
	if (!strcmp(name, "complete"))
		return parse_complete(parser, rest, error);
	if (!strcmp(name, "command"))
		return parse_command(parser, rest, error);
	if (!strcmp(name, "sample"))
		return parse_sample(parser, rest, error);
	if (!strcmp(name, "error"))
		return parse_error(parser, rest, error);
	if (!strcmp(name, "vcpu"))
		return parse_vcpu(parser, rest, error);
	if (!strcmp(name, "hostname"))
		target = &file->hostname;
	else if (!strcmp(name, "kernel"))
		target = &file->kernel;
	else if (!strcmp(name, "boot"))
		target = &file->boot;
	else if (!strcmp(name, "clock"))
		target = &file->clock;
	else if (!strcmp(name, "beside"))
		target = &file->beside;
	else
		return iot_text_fail(
			scan, word, error,
			"\"%s\" is neither a time stamp nor a directive (hostname, kernel, "
			"boot, clock, beside, sync, complete, command, sample, error, vcpu)",
			name);
	if (!*rest)
		return iot_text_fail(scan, at, error, "the value of %s is missing", name);
	g_free(*target);
	*target = g_steal_pointer(&rest);
	return TRUE;
}

static gboolean parse_line(struct parser *parser, GError **error)
{
	struct iot_text_scan *scan = &parser->scan;

	for (const char *p = scan->start; p < scan->end; p++)
		if ((guchar)*p < ' ' && *p != '\t')
			return iot_text_fail(scan, p, error, "a control character (0x%02x)",
					     (guchar)*p);
	if (scan->line == 1) {
		if (scan->end - scan->start == 14 && !memcmp(scan->start, IOT_TEXT_MAGIC "1", 14))
			return TRUE;
		return iot_text_fail(scan, scan->start, error,
				     "the first line must be \"" IOT_TEXT_MAGIC "1\"");
	}
	iot_text_skip_blanks(scan);
	if (iot_text_at_end(scan))
		return TRUE;
	return g_ascii_isdigit(*scan->p) ? parse_event(parser, error)
					 : parse_directive(parser, error);
}

/* @path is for messages. */
static struct iot_text_file *parse_bytes(const char *path, const char *data, gsize len,
					 GError **error)
{
	g_autoptr(iot_text_file) file = iot_text_file_new(path, len);
	g_autoptr(GHashTable) classes =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);
	struct parser parser = {
		.scan.path = path,
		.file = file,
		.class_by_name = classes,
		.cpu_by_number = cpus,
	};
	struct iot_text_scan *scan = &parser.scan;
	const char *p = data, *end = data + len;

	do {
		const char *newline = memchr(p, '\n', (gsize)(end - p));

		scan->line++;
		scan->start = scan->p = p;
		scan->end = newline ? newline : end;
		p = newline ? newline + 1 : end;
		if (scan->end > scan->start && scan->end[-1] == '\r')
			scan->end--;
		if (!parse_line(&parser, error))
			return NULL;
	} while (p < end);
	iot_text_file_settle(file);
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
	return parse_bytes(path, data, len, error);
}
