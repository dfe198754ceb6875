/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event-text.h"

#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#define EXPORTED __attribute__((visibility("default")))

struct text_record {
	struct tep_record *record;
	struct tep_event *event;
	const char *between; /* text before the next field */
};

enum { OPTION_RAW, OPTION_ALL };

static struct tep_plugin_option options[] = {
	[OPTION_RAW] = { .name = (char *)"raw",
			 .description = (char *)"Numbers and bytes as recorded, nothing in words" },
	[OPTION_ALL] = { .name = (char *)"all",
			 .description =
				 (char *)"Also fields that are empty, or seldom of interest" },
	{ .name = NULL },
};

/* Number of handles with this plugin: options are registered once, see tep_plugin_loader(). */
static unsigned int users;

/* Errors that the kernel uses internally; events may show them. */
static const struct text_name kernel_errors[] = {
	{ 512, "ERESTARTSYS" },
	{ 513, "ERESTARTNOINTR" },
	{ 514, "ERESTARTNOHAND" },
	{ 515, "ENOIOCTLCMD" },
	{ 516, "ERESTART_RESTARTBLOCK" },
	{ 517, "EPROBE_DEFER" },
	{ 524, "ENOTSUPP" },
	{ 528, "EBADTYPE" },
	{ 529, "EJUKEBOX" },
	{ 530, "EIOCBQUEUED" },
	{ 0, NULL },
};

bool text_is_raw(void)
{
	return options[OPTION_RAW].set;
}

bool text_if_zero(long long number)
{
	return number == 0;
}

bool text_if_one(long long number)
{
	return number == 1;
}

bool text_if_negative(long long number)
{
	return number < 0;
}

bool text_always(long long number)
{
	(void)number;
	return true;
}

/* ---- reading fields */

static bool fits(const struct tep_record *record, long long offset, long long size)
{
	return offset >= 0 && size >= 0 && offset + size <= record->size;
}

static long long sign_extended(unsigned long long number, int size)
{
	unsigned int unused = size >= 8 ? 0 : 64 - 8 * (unsigned int)size;

	return (long long)(number << unused) >> unused;
}

static bool read_number(const struct text_record *rec, const struct tep_format_field *field,
			struct text_value *value)
{
	unsigned long long number;

	if (field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8)
		return false;
	number = tep_read_number(rec->event->tep, (char *)rec->record->data + field->offset,
				 field->size);
	value->is_signed = field->flags & TEP_FIELD_IS_SIGNED;
	value->number = value->is_signed ? sign_extended(number, field->size) : (long long)number;
	return true;
}

/* The fixed part has the location of a dynamic array: length << 16 | offset. */
static bool read_array(const struct text_record *rec, const struct tep_format_field *field,
		       struct text_value *value)
{
	long long offset = field->offset, len = field->size;

	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		unsigned long long place = tep_read_number(
			rec->event->tep, (char *)rec->record->data + field->offset, 4);

		len = (long long)(place >> 16 & 0xffff);
		offset = (long long)(place & 0xffff);
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			offset += field->offset + field->size;
	}
	if (!fits(rec->record, offset, len))
		return false;
	value->is_array = true;
	value->is_text = strstr(field->type, "char") && !strstr(field->type, "unsigned");
	value->bytes = (char *)rec->record->data + offset;
	value->len =
		(unsigned int)(value->is_text ? strnlen(value->bytes, (size_t)len) : (size_t)len);
	value->number = value->len;
	return true;
}

static bool read_field(const struct text_record *rec, const struct tep_format_field *field,
		       struct text_value *value)
{
	int size = field->flags & TEP_FIELD_IS_DYNAMIC ? 4 : field->size;

	*value = (struct text_value){ .record = rec };
	if (!fits(rec->record, field->offset, size))
		return false;
	return field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)
		       ? read_array(rec, field, value)
		       : read_number(rec, field, value);
}

long long text_other(const struct text_value *value, const char *name)
{
	const struct tep_format_field *field = tep_find_any_field(value->record->event, name);
	struct text_value other;

	return field && read_field(value->record, field, &other) ? other.number : 0;
}

/* ---- showing values */

static void decimal(struct trace_seq *out, const struct text_value *value)
{
	trace_seq_printf(out, value->is_signed ? "%lld" : "%llu", value->number);
}

void text_hex(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	trace_seq_printf(out, "0x%llx", (unsigned long long)value->number);
}

void text_octal(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	trace_seq_printf(out, "%#llo", (unsigned long long)value->number);
}

void text_bytes(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	trace_seq_puts(out, "0x");
	for (unsigned int i = 0; i < value->len; i++)
		trace_seq_printf(out, "%02x", (unsigned char)value->bytes[i]);
}

/* A device number as the kernel packs it on all architectures. */
void text_device(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	trace_seq_printf(out, "%llu:%llu", (unsigned long long)value->number >> 20,
			 (unsigned long long)value->number & 0xfffff);
}

static const char *find_name(const struct text_name *names, long long number)
{
	for (; names && names->name; names++)
		if (names->number == number)
			return names->name;
	return NULL;
}

void text_names(struct trace_seq *out, const struct text_value *value, const void *names)
{
	const char *name = text_is_raw() ? NULL : find_name(names, value->number);

	if (name)
		trace_seq_printf(out, strchr(name, ' ') ? "\"%s\"" : "%s", name);
	else
		decimal(out, value);
}

void text_flags(struct trace_seq *out, const struct text_value *value, const void *names)
{
	unsigned long long rest = (unsigned long long)value->number;
	const char *between = "";

	if (text_is_raw()) {
		text_hex(out, value, NULL);
		return;
	}
	for (const struct text_name *name = names; name && name->name; name++) {
		unsigned long long mask = (unsigned long long)name->number;

		if ((rest & mask) != mask)
			continue;
		trace_seq_printf(out, "%s%s", between, name->name);
		between = "|";
		rest &= ~mask;
	}
	if (rest)
		trace_seq_printf(out, "%s0x%llx", between, rest);
	else if (!*between)
		trace_seq_putc(out, '0');
}

void text_result(struct trace_seq *out, const struct text_value *value, const void *names)
{
	const char *name = NULL;

	if (!text_is_raw() && value->number < 0) {
		name = find_name(names, -value->number);
		if (!name && value->number > -4096)
			name = strerrorname_np((int)-value->number);
		if (!name)
			name = find_name(kernel_errors, -value->number);
	}
	if (name)
		trace_seq_printf(out, "-%s", name);
	else
		decimal(out, value);
}

/* Bytes of a UTF-8 character that needs no escape and has no effect on a terminal; 0: none. */
static unsigned int plain_char(const unsigned char *text, unsigned int len)
{
	static const unsigned int least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	unsigned int n = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	unsigned int c = text[0] & (0x7f >> n);

	if (n == 1)
		return text[0] >= ' ' && text[0] < 0x7f && text[0] != '"' && text[0] != '\\';
	if (text[0] < 0xc0 || text[0] > 0xf7 || n > len)
		return 0;
	for (unsigned int i = 1; i < n; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (text[i] & 0x3f);
	}
	return c >= least[n] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? n : 0;
}

static unsigned int plain_run(const char *bytes, unsigned int len)
{
	unsigned int run = 0, n;

	while (run < len && (n = plain_char((const unsigned char *)bytes + run, len - run)))
		run += n;
	return run;
}

static void append_quoted(struct trace_seq *out, const char *bytes, unsigned int len)
{
	trace_seq_putc(out, '"');
	for (unsigned int i = 0; i < len; i++) {
		unsigned int run = plain_run(bytes + i, len - i);

		trace_seq_printf(out, "%.*s", (int)run, bytes + i);
		i += run;
		if (i < len)
			trace_seq_printf(out,
					 bytes[i] == '"' || bytes[i] == '\\' ? "\\%c" : "\\x%02x",
					 (unsigned char)bytes[i]);
	}
	trace_seq_putc(out, '"');
}

void text_quoted(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	(void)arg;
	if (value->is_array)
		append_quoted(out, value->bytes, value->len);
	else
		decimal(out, value);
}

/* Skip names that could affect a terminal: trace-cmd prints names unchanged. */
void text_task_name(struct trace_seq *out, const struct text_value *value, const void *arg)
{
	char name[64] = "";

	text_quoted(out, value, arg);
	if (!value->is_array || !value->len || value->len >= sizeof(name) ||
	    plain_run(value->bytes, value->len) < value->len)
		return;
	memcpy(name, value->bytes, value->len);
	tep_override_comm(value->record->event->tep, name, (int)text_other(value, "common_pid"));
}

/* ---- events */

static void show_field(struct trace_seq *out, struct text_record *rec,
		       const struct tep_format_field *field, const struct text_field *how)
{
	const char *label = how->label ? how->label : field->name;
	struct text_value value;
	bool found = read_field(rec, field, &value);

	if (found && how->put_right && !text_is_raw())
		value.number = how->put_right(&value);
	if (found && how->left_out && !options[OPTION_ALL].set && how->left_out(value.number))
		return;
	trace_seq_printf(out, "%s%s=", rec->between, label);
	rec->between = " ";
	if (!found)
		trace_seq_putc(out, '?');
	else if (how->show)
		how->show(out, &value, how->arg);
	else if (!value.is_array)
		decimal(out, &value);
	else if (value.is_text)
		text_quoted(out, &value, NULL);
	else
		text_bytes(out, &value, NULL);
}

static bool is_listed(const struct text_field *fields, const char *name)
{
	for (; fields->name; fields++)
		if (strcmp(fields->name, name) == 0)
			return true;
	return false;
}

static int show_event(struct trace_seq *out, struct tep_record *record, struct tep_event *event,
		      void *context)
{
	const struct text_field *fields = ((const struct text_event *)context)->fields;
	static const struct text_field as_its_type = { NULL };
	struct text_record rec = { record, event, "" };

	for (const struct text_field *how = fields; how->name; how++) {
		const struct tep_format_field *field = tep_find_field(event, how->name);

		if (field)
			show_field(out, &rec, field, how);
	}
	for (const struct tep_format_field *field = event->format.fields; field;
	     field = field->next)
		if (!is_listed(fields, field->name))
			show_field(out, &rec, field, &as_its_type);
	return 0;
}

/* ---- called by libtraceevent */

typedef int (*handle_func)(struct tep_handle *tep, int id, const char *system, const char *event,
			   tep_event_handler_func func, void *context);

static void for_each_event(struct tep_handle *tep, handle_func handle)
{
	for (const struct text_event *event = text_plugin.events; event->system; event++)
		handle(tep, -1, event->system, event->name, show_event, (void *)event);
}

/*
 * Options are not exported as TEP_PLUGIN_OPTIONS, and not registered again for the next recording
 * of the same process, because each registration toggles a "-O NAME:raw" of the user once more.
 */
EXPORTED int TEP_PLUGIN_LOADER(struct tep_handle *tep);
EXPORTED int TEP_PLUGIN_UNLOADER(struct tep_handle *tep);

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	if (!users++) {
		for (struct tep_plugin_option *option = options; option->name; option++)
			option->plugin_alias = (char *)text_plugin.name;
		tep_plugin_add_options(text_plugin.name, options);
	}
	for_each_event(tep, tep_register_event_handler);
	return 0;
}

int TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	for_each_event(tep, tep_unregister_event_handler);
	if (!--users)
		tep_plugin_remove_options(options);
	return 0;
}
