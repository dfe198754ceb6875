// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctf-make FOLDER SEED EVENTS - write a random CTF 1.8 trace after the specification, without any
 * library, and print what is in it: lines "event CPU CYCLES NS THREAD NAME FIELDS", where FIELDS
 * are as babeltrace2 prints them, and after a tab NAME=VALUE as iotrace should; lines "gap BEGIN
 * DURATION known|unknown LOST" (ns; events that are counted). Both byte orders, fields of all sizes
 * at any bit, two kinds of headers of events, clocks of any frequency, metadata as text or in
 * packets. About EVENTS events in each of one to three streams.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 4, HEAD_BYTES = 24, CONTEXT_BYTES = 52 };

static GRand *rnd;
static gboolean big, compact, with_thread, lossy;
static guint64 frequency, offset;
static gint64 offset_s;
/* of the integer fields of class 0: bits and alignment */
static guint size_a, align_a, size_b, align_b;

/* ---- bits of a packet */

static guint8 *data;
static gsize room, at; /* bytes; bit */

static void need(gsize bits)
{
	gsize bytes = (at + bits) / 8 + 16;

	if (bytes <= room)
		return;
	data = g_realloc(data, 2 * bytes);
	memset(data + room, 0, 2 * bytes - room);
	room = 2 * bytes;
}

static void align(guint bits)
{
	at = (at + bits - 1) / bits * bits;
	need(0);
}

/* The bits of a number in the order of the trace: from its lowest or from its highest one. */
static void put(guint64 value, guint bits, guint alignment)
{
	align(alignment);
	need(bits);
	for (guint i = 0; i < bits; i++, at++) {
		guint64 bit = value >> (big ? bits - 1 - i : i) & 1;

		data[at / 8] |= (guint8)(bit << (big ? 7 - at % 8 : at % 8));
	}
}

static void put_text(const char *text)
{
	for (gsize i = 0; i <= strlen(text); i++)
		put((guint8)text[i], 8, 8);
}

static void put_at(gsize byte, guint64 value, guint bits)
{
	gsize keep = at;

	at = byte * 8;
	memset(data + byte, 0, bits / 8);
	put(value, bits, 8);
	at = keep;
}

/* ---- metadata */

static void integer(GString *out, guint bits, guint alignment, gboolean is_signed, const char *more)
{
	g_string_append_printf(out, "integer { size = %u; align = %u; signed = %s; %s}", bits,
			       alignment, is_signed ? "true" : "false", more);
}

static void metadata_classes(GString *out)
{
	g_string_append(out,
			"event { id = 0; name = \"gen:zero\"; stream_id = 0; fields := struct { ");
	integer(out, size_a, align_a, TRUE, "");
	g_string_append(out, " a; ");
	integer(out, size_b, align_b, FALSE, "");
	g_string_append(out,
			" b; }; };\n"
			"event { id = 1; name = \"gen:one\"; stream_id = 0; fields := struct {\n"
			"string s; ");
	integer(out, 13, 1, TRUE, "");
	g_string_append(out, " n; enum : ");
	integer(out, 3, 1, FALSE, "");
	g_string_append(out,
			" { RED = 1, GREEN = 2 ... 4, \"DARK BLUE\" = 5 } e;\n"
			"floating_point { exp_dig = 11; mant_dig = 53; align = 8; } f; }; };\n"
			"event { id = 2; name = \"gen:two\"; stream_id = 0; fields := struct {\n");
	integer(out, 8, 8, FALSE, "");
	g_string_append(out, " len; ");
	integer(out, 16, 8, FALSE, "");
	g_string_append(out, " list[len]; ");
	integer(out, 8, 8, FALSE, "encoding = UTF8; ");
	g_string_append(out,
			" text[6]; floating_point { exp_dig = 8; mant_dig = 24; align = 8; } g; "
			"}; };\n"
			"event { id = 3; name = \"gen:three\"; stream_id = 0; fields := struct {\n"
			"struct { ");
	integer(out, 32, 8, TRUE, "");
	g_string_append(out, " x; ");
	integer(out, 5, 1, FALSE, "");
	g_string_append(out, " y; } pos; enum : ");
	integer(out, 8, 8, FALSE, "");
	g_string_append(out, " { num = 0, txt = 1 } tag; variant <tag> { ");
	integer(out, 32, 8, TRUE, "");
	g_string_append(out, " num; string txt; } v; }; };\n");
}

static char *metadata_text(void)
{
	GString *out = g_string_new("/* CTF 1.8 */\n");

	g_string_append_printf(
		out,
		"trace { major = 1; minor = 8; byte_order = %s;\n"
		"uuid = \"30313233-3435-3637-3839-616263646566\";\n"
		"packet.header := struct { integer { size = 32; align = 8; } magic; "
		"integer { size = 8; align = 8; } uuid[16]; "
		"integer { size = 32; align = 8; } stream_id; }; };\n"
		"env { hostname = \"gen\"; tracer_name = \"ctf-make\"; };\n"
		"clock { name = ticks; freq = %" G_GUINT64_FORMAT "; offset_s = %" G_GINT64_FORMAT
		"; offset = %" G_GUINT64_FORMAT "; absolute = true; };\n"
		"typealias integer { size = 64; align = 8; map = clock.ticks.value; } := u64;\n"
		"typealias integer { size = 27; align = 1; map = clock.ticks.value; } := u27;\n"
		"stream { id = 0; event.header := ",
		big ? "be" : "le", frequency, offset_s, offset);
	g_string_append(
		out,
		compact ? "struct { enum : integer { size = 5; align = 1; } { compact = 0 ... 30, "
			  "extended = 31 } id; variant <id> { struct { u27 timestamp; } compact; "
			  "struct { integer { size = 32; align = 8; } id; u64 timestamp; } "
			  "extended; } v; } align(8);\n"
			: "struct { integer { size = 16; align = 8; } id; u64 timestamp; };\n");
	g_string_append(out, "packet.context := struct { u64 timestamp_begin; u64 timestamp_end; "
			     "integer { size = 64; align = 8; } content_size; "
			     "integer { size = 64; align = 8; } packet_size; "
			     "integer { size = 64; align = 8; } packet_seq_num; "
			     "integer { size = 64; align = 8; } events_discarded; "
			     "integer { size = 32; align = 8; } cpu_id; };\n");
	if (with_thread)
		g_string_append(out, "event.context := struct { integer { size = 32; align = 8; "
				     "signed = true; } vtid; };\n");
	g_string_append(out, "};\n");
	metadata_classes(out);
	return g_string_free(out, FALSE);
}

static void write_file(const char *folder, const char *name, const void *bytes, gsize len)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	if (!g_file_set_contents(path, bytes, (gssize)len, NULL))
		exit(1);
}

/* In packets of up to 300 bytes of text, if the trace has them. */
static void write_metadata(const char *folder, gboolean packets)
{
	g_autofree char *text = metadata_text();
	GByteArray *out = g_byte_array_new();

	for (const char *left = text; packets && *left;) {
		guint n = (guint)MIN(strlen(left), 300);

		at = 0;
		memset(data, 0, room);
		put(0x75d11d57, 32, 8);
		for (guint i = 0; i < 16; i++)
			put((guint8) "0123456789abcdef"[i], 8, 8);
		put(0, 32, 8);
		put((37 + n) * 8, 32, 8);
		put((37 + n + 3) * 8, 32, 8);
		put(0, 24, 8);
		put(1, 8, 8);
		put(8, 8, 8);
		for (guint i = 0; i < n + 3; i++)
			put(i < n ? (guint8)left[i] : 0, 8, 8);
		g_byte_array_append(out, data, (guint)(at / 8));
		left += n;
	}
	if (packets)
		write_file(folder, "metadata", out->data, out->len);
	else
		write_file(folder, "metadata", text, strlen(text));
	g_byte_array_unref(out);
}

/* ---- events */

static guint64 ns_of(guint64 cycles)
{
	__int128 sum = ((__int128)cycles + offset) * 1000000000;

	return (guint64)((__int128)offset_s * 1000000000 + sum / frequency);
}

/* A number of so many bits, often a limit. */
static guint64 any(guint bits)
{
	guint64 all = bits == 64 ? G_MAXUINT64 : ((guint64)1 << bits) - 1;

	switch (g_rand_int(rnd) % 4) {
	case 0:
		return all;
	case 1:
		return ((all >> 1) + (g_rand_int(rnd) & 1)) & all;
	default:
		return (((guint64)g_rand_int(rnd) << 32) | g_rand_int(rnd)) & all;
	}
}

static gint64 with_sign(guint64 value, guint bits)
{
	return (gint64)(value << (64 - bits)) >> (64 - bits);
}

static const char *word(void)
{
	static const char *const words[] = { "",	  "a", "two words", "tab", "sched_switch",
					     "0123456789" };

	return words[g_rand_int(rnd) % G_N_ELEMENTS(words)];
}

/* A multiple of 1/8 below 1000, which is short in any notation. */
static double eighths(void)
{
	return (double)(gint32)(g_rand_int(rnd) % 16000 - 8000) / 8;
}

static void put_double(double value)
{
	guint64 bits;

	memcpy(&bits, &value, sizeof(bits));
	put(bits, 64, 8);
}

static void put_float(float value)
{
	guint32 bits;

	memcpy(&bits, &value, sizeof(bits));
	put(bits, 32, 8);
}

/* What iotrace writes of a field: nothing of 0 and of the empty text. */
static void own_number(GString *own, const char *name, gint64 value)
{
	if (value)
		g_string_append_printf(own, " %s=%" G_GINT64_FORMAT, name, value);
}

static void own_text(GString *own, const char *name, const char *text)
{
	if (*text)
		g_string_append_printf(own, " %s=\"%s\"", name, text);
}

static void zero(GString *bt, GString *own)
{
	guint64 a = any(size_a), b = any(size_b);

	/* a structure is aligned as its members are */
	align(MAX(align_a, align_b));
	put(a, size_a, align_a);
	put(b, size_b, align_b);
	g_string_append_printf(bt, "a = %" G_GINT64_FORMAT ", b = %" G_GUINT64_FORMAT,
			       with_sign(a, size_a), b);
	own_number(own, "a", with_sign(a, size_a));
	if (b)
		g_string_append_printf(own, " b=%" G_GUINT64_FORMAT, b);
}

static void one(GString *bt, GString *own)
{
	static const char *const labels[] = { "", "RED", "GREEN", "GREEN", "GREEN", "DARK BLUE" };
	const char *s = word();
	guint64 n = any(13);
	guint e = 1 + g_rand_int(rnd) % 5;
	char text[32];
	double f = eighths();

	align(8);
	put_text(s);
	put(n, 13, 1);
	put(e, 3, 1);
	put_double(f);
	g_snprintf(text, sizeof(text), "%g", f);
	g_string_append_printf(
		bt, "s = \"%s\", n = %" G_GINT64_FORMAT ", e = ( \"%s\" : container = %u ), f = %s",
		s, with_sign(n, 13), labels[e], e, text);
	own_text(own, "s", s);
	own_number(own, "n", with_sign(n, 13));
	own_text(own, "e", labels[e]);
	own_text(own, "f", text);
}

static void two(GString *bt, GString *own)
{
	guint len = g_rand_int(rnd) % 5;
	const char *text = word();
	GString *list = g_string_new("[");
	char real[32], cut[7] = "";
	double g = eighths();

	align(8);
	put(len, 8, 8);
	g_string_append_printf(bt, "len = %u, list = [", len);
	for (guint i = 0; i < len; i++) {
		guint64 value = any(16);

		put(value, 16, 8);
		g_string_append_printf(bt, "%s [%u] = %" G_GUINT64_FORMAT, i ? "," : "", i, value);
		g_string_append_printf(list, "%s%" G_GUINT64_FORMAT, i ? ", " : "", value);
	}
	g_string_append_c(list, ']');
	strncpy(cut, text, 6);
	for (guint i = 0; i < 6; i++)
		put((guint8)cut[i], 8, 8);
	put_float((float)g);
	g_snprintf(real, sizeof(real), "%g", g);
	g_string_append_printf(bt, " ], text = \"%s\", g = %s", cut, real);
	own_text(own, "list", list->str);
	own_text(own, "text", cut);
	own_text(own, "g", real);
	g_string_free(list, TRUE);
}

static void three(GString *bt, GString *own)
{
	guint64 x = any(32), y = any(5), number = any(32);
	gboolean is_text = g_rand_boolean(rnd);
	const char *text = word();
	char shown[32];

	align(8);
	put(x, 32, 8);
	put(y, 5, 1);
	put(is_text, 8, 8);
	g_snprintf(shown, sizeof(shown), "%" G_GINT64_FORMAT, with_sign(number, 32));
	if (is_text)
		put_text(text);
	else
		put(number, 32, 8);
	g_string_append_printf(bt,
			       "pos = { x = %" G_GINT64_FORMAT ", y = %" G_GUINT64_FORMAT
			       " }, tag = ( \"%s\" : container = %u ), v = { %s%s%s }",
			       with_sign(x, 32), y, is_text ? "txt" : "num", is_text,
			       is_text ? "\"" : "", is_text ? text : shown, is_text ? "\"" : "");
	own_number(own, "pos_x", with_sign(x, 32));
	own_number(own, "pos_y", (gint64)y);
	own_text(own, "v", is_text ? text : shown);
}

static void event(guint cpu, guint64 cycles, guint64 *last)
{
	static void (*const fields[CLASSES])(GString *, GString *) = { zero, one, two, three };
	static const char *const names[CLASSES] = { "zero", "one", "two", "three" };
	g_autoptr(GString) bt = g_string_new(NULL), own = g_string_new(NULL);
	guint class = g_rand_int(rnd) % CLASSES;
	gint32 thread = (gint32)(1 + g_rand_int(rnd) % 3000);

	align(8);
	if (!compact) {
		put(class, 16, 8);
		put(cycles, 64, 8);
	} else if (cycles - *last < 1u << 27 && g_rand_int(rnd) % 8) {
		put(class, 5, 1);
		put(cycles & ((1u << 27) - 1), 27, 1);
	} else {
		put(31, 5, 1);
		align(8);
		put(class, 32, 8);
		put(cycles, 64, 8);
	}
	*last = cycles;
	if (with_thread)
		put((guint32)thread, 32, 8);
	fields[class](bt, own);
	printf("event %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %d %s %s\t%s\n", cpu, cycles,
	       ns_of(cycles), with_thread ? thread : 0, names[class], bt->str, own->str);
}

/* ---- streams */

static void stream(const char *folder, guint cpu, guint events)
{
	guint64 cycles = 1000000 + g_rand_int(rnd) % 1000, last_end = 0, discarded = 0, seq = 0;
	GByteArray *out = g_byte_array_new();
	g_autofree char *name = g_strdup_printf("stream_%u", cpu);

	for (guint packets = 0; events; packets++) {
		guint most = 1 + g_rand_int(rnd) % 20, n = MIN(events, most), lost = 0;
		gboolean packet_lost = FALSE;
		guint64 begin = cycles, end, last = begin;
		gsize bytes;

		if (packets && lossy && g_rand_int(rnd) % 3 == 0)
			lost = 1 + g_rand_int(rnd) % 500;
		if (packets && lossy && g_rand_int(rnd) % 5 == 0)
			packet_lost = TRUE;
		discarded += lost;
		seq += packet_lost ? 2 : 1;
		at = 0;
		memset(data, 0, room);
		put(0xc1fc1fc1, 32, 8);
		for (guint i = 0; i < 16; i++)
			put((guint8) "0123456789abcdef"[i], 8, 8);
		put(0, 32, 8);
		put(begin, 64, 8);
		put(0, 64, 8);
		put(0, 64, 8);
		put(0, 64, 8);
		put(seq, 64, 8);
		put(discarded, 64, 8);
		put(cpu, 32, 8);
		g_assert(at == (HEAD_BYTES + CONTEXT_BYTES) * 8);
		for (guint i = 0; i < n; i++) {
			event(cpu, cycles, &last);
			/* now and then more than 27 bits, which wrap */
			cycles += g_rand_int(rnd) % 16 ? g_rand_int(rnd) % 5000 : g_rand_int(rnd);
		}
		end = last + g_rand_int(rnd) % 50;
		bytes = (at + 7) / 8;
		put_at(HEAD_BYTES + 8, end, 64);
		put_at(HEAD_BYTES + 16, at, 64);
		put_at(HEAD_BYTES + 24, (bytes + 5) * 8, 64);
		need(64);
		memset(data + bytes, 0xee, 5);
		g_byte_array_append(out, data, (guint)bytes + 5);
		memset(data + bytes, 0, 5);
		if (lost || packet_lost)
			printf("gap %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s %u\n",
			       ns_of(last_end), ns_of(lost ? end : begin) - ns_of(last_end),
			       packet_lost ? "unknown" : "known", lost);
		last_end = end;
		cycles = MAX(cycles, end) + 1;
		events -= n;
	}
	write_file(folder, name, out->data, out->len);
	g_byte_array_unref(out);
}

int main(int argc, char **argv)
{
	static const guint64 frequencies[] = { 1000000000, 1000000, 19200000, 2394230000,
					       999999937 };
	guint seed, events, streams;

	if (argc != 4)
		return 2;
	seed = (guint)atoi(argv[2]);
	events = (guint)atoi(argv[3]);
	rnd = g_rand_new_with_seed(seed);
	big = seed & 1;
	compact = seed >> 1 & 1;
	with_thread = seed >> 2 & 1;
	lossy = seed % 3 == 0;
	streams = lossy ? 1 : 1 + g_rand_int(rnd) % 3;
	frequency = frequencies[seed % G_N_ELEMENTS(frequencies)];
	offset_s = seed % 4 == 3 ? 0 : 1700000000 + (gint64)(g_rand_int(rnd) % 1000000);
	offset = g_rand_int(rnd) % frequency;
	size_a = 1 + g_rand_int(rnd) % 64;
	size_b = 1 + g_rand_int(rnd) % 64;
	align_a = 1u << g_rand_int(rnd) % 5;
	align_b = 1u << g_rand_int(rnd) % 5;
	need(8 * 4096);
	if (g_mkdir(argv[1], 0777))
		return 1;
	write_metadata(argv[1], seed & 8);
	for (guint i = 0; i < streams; i++)
		stream(argv[1], i, events);
	g_free(data);
	g_rand_free(rnd);
	return 0;
}
