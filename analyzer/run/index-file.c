/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/index-file.h"
#include "base/intern.h"
#include "base/pack.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC	"iotrace-index 1\n"
#define TRAILER "iotrace-index.\n"

enum { MAGIC_LEN = 16, TRAILER_LEN = 16 + 3 * 8 };

guint64 iot_index_file_checksum(const void *data, gsize len)
{
	return iot_hash_bytes(data, len) ^ MAGIC_LEN;
}

static void put_u64(iot_out *out, guint64 v)
{
	v = GUINT64_TO_LE(v);
	iot_out_write(out, &v, sizeof(v));
}

static guint64 get_u64(const guint8 *p)
{
	guint64 v;

	memcpy(&v, p, sizeof(v));
	return GUINT64_FROM_LE(v);
}

/* ---- reading */

static GBytes *read_at(int fd, guint64 offset, guint64 len)
{
	g_autofree guint8 *data = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0 || offset > (guint64)st.st_size ||
	    len > (guint64)st.st_size - offset)
		return NULL;
	data = g_try_malloc(MAX(len, 1));
	for (gsize done = 0; done < len;) {
		gssize n = data ? pread(fd, data + done, len - done, (off_t)(offset + done)) : -1;

		if (n <= 0)
			return NULL;
		done += (gsize)n;
	}
	return data ? g_bytes_new_take(g_steal_pointer(&data), len) : NULL;
}

/* Tests damage contents and need them to pass the checksums. */
static gboolean checks_are_off(void)
{
#ifdef IOT_FAULTS
	return g_getenv("IOTRACE_INDEX_UNCHECKED") != NULL;
#else
	return FALSE;
#endif
}

GBytes *iot_index_file_part(int fd, guint64 offset, guint64 len, guint64 sum)
{
	GBytes *bytes = read_at(fd, offset, len);

	if (!bytes || checks_are_off() ||
	    iot_index_file_checksum(g_bytes_get_data(bytes, NULL), len) == sum)
		return bytes;
	g_bytes_unref(bytes);
	return NULL;
}

static gboolean has_magic(int fd)
{
	g_autoptr(GBytes) head = read_at(fd, 0, MAGIC_LEN);

	return head && !memcmp(g_bytes_get_data(head, NULL), MAGIC, MAGIC_LEN);
}

/* After the magic: length and checksum of the key, and the key. */
static gboolean key_fits(int fd, const char *wanted)
{
	gsize len = strlen(wanted);
	g_autoptr(GBytes) head = read_at(fd, MAGIC_LEN, 16);
	g_autoptr(GBytes) key = NULL;
	const guint8 *numbers;

	if (!head)
		return FALSE;
	numbers = g_bytes_get_data(head, NULL);
	if (get_u64(numbers) != len)
		return FALSE;
	key = iot_index_file_part(fd, MAGIC_LEN + 16, len, get_u64(numbers + 8));
	return key && !memcmp(g_bytes_get_data(key, NULL), wanted, len);
}

/* @offset: of the first checkpoint */
static gboolean parse_directory(struct iot_index_directory *directory, guint64 offset,
				struct iot_unpack *in)
{
	guint64 ts = 0;

	directory->complete = (gboolean)iot_unpack_uint(in, 1);
	directory->last_bytes = iot_unpack_uint(in, G_MAXUINT64);
	for (guint32 n = iot_unpack_count(in); n && !in->bad; n--) {
		struct iot_index_entry entry = { .offset = offset };

		entry.ts = iot_unpack_uint(in, G_MAXUINT64);
		entry.tables_len = iot_unpack_uint(in, G_MAXUINT32);
		entry.state_len = iot_unpack_uint(in, G_MAXUINT32);
		entry.tables_sum = iot_unpack_uint(in, G_MAXUINT64);
		entry.state_sum = iot_unpack_uint(in, G_MAXUINT64);
		if (entry.ts < ts)
			return FALSE;
		ts = entry.ts;
		offset = iot_index_entry_end(&entry);
		g_array_append_val(directory->entries, entry);
	}
	return iot_unpack_end(in);
}

static gboolean read_directory(int fd, guint64 first, struct iot_index_directory *directory)
{
	g_autoptr(GBytes) trailer = NULL;
	g_autoptr(GBytes) bytes = NULL;
	const guint8 *p;
	struct stat st;
	struct iot_unpack in;

	if (fstat(fd, &st) < 0 || st.st_size < TRAILER_LEN)
		return FALSE;
	trailer = read_at(fd, (guint64)st.st_size - TRAILER_LEN, TRAILER_LEN);
	if (!trailer)
		return FALSE;
	p = g_bytes_get_data(trailer, NULL);
	if (memcmp(p + 24, TRAILER, 16))
		return FALSE;
	bytes = iot_index_file_part(fd, get_u64(p), get_u64(p + 8), get_u64(p + 16));
	if (!bytes)
		return FALSE;
	in = iot_unpack_init(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
	return parse_directory(directory, first, &in);
}

const char *iot_index_file_read(int fd, const char *key, struct iot_index_directory *directory)
{
	if (!has_magic(fd))
		return "is not an index";
	if (!key_fits(fd, key))
		return "was made for other recordings, models, options, or another program";
	if (!read_directory(fd, MAGIC_LEN + 16 + strlen(key), directory))
		return "is damaged";
	return NULL;
}

gboolean iot_index_file_is_other(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	gboolean other = fd >= 0 && fstat(fd, &st) == 0 &&
			 (!S_ISREG(st.st_mode) || (st.st_size && !has_magic(fd)));

	if (fd >= 0)
		close(fd);
	return other;
}

/* ---- writing */

void iot_index_file_put_header(iot_out *out, const char *key)
{
	gsize len = strlen(key);

	iot_out_write(out, MAGIC, MAGIC_LEN);
	put_u64(out, len);
	put_u64(out, iot_index_file_checksum(key, len));
	iot_out_write(out, key, len);
}

gboolean iot_index_file_copy(iot_out *out, int fd, guint64 end)
{
	for (guint64 at = 0; at < end;) {
		guint64 n = MIN(end - at, 1 << 20);
		g_autoptr(GBytes) part = read_at(fd, at, n);

		if (!part)
			return FALSE;
		iot_out_write(out, g_bytes_get_data(part, NULL), n);
		at += n;
	}
	return TRUE;
}

void iot_index_file_put_directory(iot_out *out, const struct iot_index_directory *directory)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	guint64 offset = iot_out_tell(out);

	iot_pack_uint(bytes, directory->complete);
	iot_pack_uint(bytes, directory->last_bytes);
	iot_pack_uint(bytes, directory->entries->len);
	for (guint i = 0; i < directory->entries->len; i++) {
		const struct iot_index_entry *entry =
			&g_array_index(directory->entries, struct iot_index_entry, i);

		iot_pack_uint(bytes, entry->ts);
		iot_pack_uint(bytes, entry->tables_len);
		iot_pack_uint(bytes, entry->state_len);
		iot_pack_uint(bytes, entry->tables_sum);
		iot_pack_uint(bytes, entry->state_sum);
	}
	iot_out_write(out, bytes->data, bytes->len);
	put_u64(out, offset);
	put_u64(out, bytes->len);
	put_u64(out, iot_index_file_checksum(bytes->data, bytes->len));
	iot_out_write(out, TRAILER, 16);
}
