/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All sources. A new one is a row here. */
#include "input/source.h"
#include "base/error.h"
#include "base/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line for each. */
/* clang-format off */
const struct iot_source_ops *const iot_source_table[] = {
	&iot_source_dat,
	&iot_source_tracecmd,
	&iot_source_text,
	&iot_source_strace,
	&iot_source_clog2,
	&iot_source_otf2,
	&iot_source_ctf,
	&iot_source_preload,
	&iot_source_pcp,
	&iot_source_ganglia,
	&iot_source_slurm,
	&iot_source_rastro,
	NULL,
};
/* clang-format on */

/* The first bytes of a file, by which sources know it. */
struct head {
	guint8 data[4096];
	gsize len;
};

static gboolean bad_input(const char *path, const char *what, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s %s", path, what);
	return FALSE;
}

static gboolean check_kind(const char *path, const struct stat *st, GError **error)
{
	if (S_ISDIR(st->st_mode))
		return bad_input(path,
				 "is a directory; name the recordings in it, for example "
				 "trace-*.dat",
				 error);
	if (!S_ISREG(st->st_mode))
		return bad_input(path,
				 "is not a regular file; recordings are read at several places at "
				 "once, so save it to a file first",
				 error);
	if (!st->st_size)
		return bad_input(path,
				 "is empty: the recording was not finished; record again, or try "
				 "\"trace-cmd restore\"",
				 error);
	return TRUE;
}

static gboolean read_head(const char *path, struct head *head, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	gboolean ok = FALSE;
	struct stat st;
	gssize n = -1;

	if (fd < 0) {
		g_set_error(
			error, IOT_ERROR, IOT_ERROR_INPUT, "%s: %s; %s", path, g_strerror(errno),
			errno == EACCES ? "run as a user with read permission, or change its mode"
					: "check the name");
		return FALSE;
	}
	if (fstat(fd, &st)) {
		bad_input(path, "cannot be examined", error);
	} else if (check_kind(path, &st, error)) {
		errno = EIO;
		if (!iot_fault_hit(IOT_FAULT_READ))
			n = pread(fd, head->data, sizeof(head->data), 0);
		ok = n >= 0;
		if (!ok)
			g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: cannot be read: %s",
				    path, g_strerror(errno));
	}
	close(fd);
	head->len = ok ? (gsize)n : 0;
	return ok;
}

static const struct iot_source_ops *find_named(const char *reader, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; iot_source_table[i]; i++) {
		if (!strcmp(iot_source_table[i]->name, reader))
			return iot_source_table[i];
		g_string_append_printf(names, "%s%s", i ? ", " : "", iot_source_table[i]->name);
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_USAGE, "there is no reader \"%s\"; there are: %s",
		    reader, names->str);
	return NULL;
}

static const struct iot_source_ops *find_best(const char *path, const struct head *head,
					      GError **error)
{
	const struct iot_source_ops *best = NULL;
	int best_score = 0;

	for (guint i = 0; iot_source_table[i]; i++) {
		int score = iot_source_table[i]->probe(path, head->data, head->len);

		if (score > best_score) {
			best_score = score;
			best = iot_source_table[i];
		}
	}
	if (!best)
		bad_input(
			path,
			"is not a trace: neither a recording of trace-cmd (trace.dat) nor a log of "
			"strace, libiotrace-preload or MPE (CLOG2), nor an OTF2 or PCP archive or "
			"a CTF trace, nor a dump of Ganglia or jobs of Slurm (sacct), nor a file "
			"of libRastro, nor text "
			"that begins with "
			"\"iotrace-text 1\"",
			error);
	return best;
}

/* The source that takes the folder as one recording; NULL: none does. */
static const struct iot_source_ops *find_folder(const char *path)
{
	for (guint i = 0; iot_source_table[i]; i++)
		if (iot_source_table[i]->is_folder && iot_source_table[i]->is_folder(path))
			return iot_source_table[i];
	return NULL;
}

gboolean iot_source_is_folder(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_DIR) && find_folder(path);
}

gboolean iot_source_knows(const char *path)
{
	struct head head;

	return iot_source_is_folder(path) ||
	       (read_head(path, &head, NULL) && find_best(path, &head, NULL));
}

static struct iot_source *unknown_to(const char *reader, const char *path, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is not a file that the reader \"%s\" knows; run without --reader", path,
		    reader);
	return NULL;
}

struct iot_source *iot_source_open(const char *reader, const struct iot_input_spec *spec,
				   GError **error)
{
	const struct iot_source_ops *ops = NULL, *folder;
	struct head head;

	if (reader && !(ops = find_named(reader, error)))
		return NULL;
	folder = g_file_test(spec->path, G_FILE_TEST_IS_DIR) ? find_folder(spec->path) : NULL;
	if (folder)
		return ops && ops != folder ? unknown_to(reader, spec->path, error)
					    : folder->open(spec, error);
	if (!read_head(spec->path, &head, error))
		return NULL;
	if (!ops)
		ops = find_best(spec->path, &head, error);
	else if (!ops->probe(spec->path, head.data, head.len))
		return unknown_to(reader, spec->path, error);
	return ops ? ops->open(spec, error) : NULL;
}

char *iot_source_first_part(const char *path)
{
	char *first = NULL;

	for (guint i = 0; iot_source_table[i] && !first; i++)
		if (iot_source_table[i]->first_part)
			first = iot_source_table[i]->first_part(path);
	return first;
}

void iot_batch_mark(const struct iot_source *src, guint run, struct iot_batch *batch)
{
	if (!batch->mark)
		batch->mark = g_byte_array_new();
	g_byte_array_set_size(batch->mark, 0);
	src->ops->tell(src, run, batch->mark);
}

enum iot_next iot_batch_too_small(const struct iot_batch *batch, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INTERNAL,
		    "a batch of %" G_GSIZE_FORMAT " bytes is too small for one record",
		    batch->size);
	return IOT_NEXT_ERROR;
}

char *iot_source_file_name(const char *path)
{
	char *name = g_path_get_basename(path);
	char *dot = strrchr(name, '.');

	if (dot && dot != name)
		*dot = '\0';
	if (g_str_has_prefix(name, "trace-") && name[6])
		memmove(name, name + 6, strlen(name + 6) + 1);
	return name;
}

const char *iot_source_complete(gboolean nothing_before, gboolean nothing_after)
{
	static const char *const texts[2][2] = { { "", ", complete at its end" },
						 { ", complete at its begin", ", complete" } };

	return texts[nothing_before ? 1 : 0][nothing_after ? 1 : 0];
}

static void clear_vcpu(gpointer data)
{
	g_free(((struct iot_vcpu *)data)->guest);
}

GArray *iot_vcpus_new(void)
{
	GArray *vcpus = g_array_new(FALSE, TRUE, sizeof(struct iot_vcpu));

	g_array_set_clear_func(vcpus, clear_vcpu);
	return vcpus;
}
