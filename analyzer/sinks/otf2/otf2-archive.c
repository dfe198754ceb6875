/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive as a whole. The library reports a failed write only to its error callback: the call
 * itself returns success, and the file is cut. So the callback decides whether the archive is good.
 */
#include "sinks/otf2/otf2.h"
#include "base/error.h"
#include "base/try-alloc.h"
#include "base/units.h"

#include <errno.h>
#include <stdlib.h>

/* A definition must fit into one chunk. */
enum { DEFS_CHUNK = OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, MAX_TEXT = DEFS_CHUNK / 2 };

/* The archive that this thread writes; the callback is one for the whole process. */
static __thread struct otf2_archive *writing;

static OTF2_ErrorCode on_error(void *data, const char *file, uint64_t line, const char *function,
			       OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)args;
	if (writing)
		otf2_check(writing, code);
	return code;
}

void otf2_check(struct otf2_archive *a, OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS && !a->code)
		a->code = (int)code;
}

static gboolean archive_error(const struct otf2_archive *a, GError **error)
{
	const char *name = OTF2_Error_GetName((OTF2_ErrorCode)a->code);
	gint64 number = g_ascii_strtoll(name, NULL, 10); /* the name of an errno is its number */

	g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot write %s: %s", a->otf2->dir->path,
		    number ? g_strerror((int)number)
			   : OTF2_Error_GetDescription((OTF2_ErrorCode)a->code));
	return FALSE;
}

/* Each writer has one chunk, and writes it to its file when it is full: by default it would keep
 * 128 MiB. Locations are written one after the other, so a free chunk is used again. */
static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location,
				   void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static void *allocate_chunk(void *data, OTF2_FileType type, OTF2_LocationRef location,
			    void **buffer, uint64_t size)
{
	struct otf2_archive *a = data;
	void **spare = &a->spare[type == OTF2_FILETYPE_EVENTS];

	(void)location;
	if (*buffer)
		return NULL; /* the library flushes, and asks again */
	*buffer = *spare ? *spare : malloc(size);
	*spare = NULL;
	return *buffer;
}

static void free_chunks(void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
			bool final)
{
	struct otf2_archive *a = data;
	void **spare = &a->spare[type == OTF2_FILETYPE_EVENTS];

	(void)location;
	(void) final;
	if (*spare)
		free(*buffer);
	else
		*spare = *buffer;
	*buffer = NULL;
}

static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = flush_always };
static const OTF2_MemoryCallbacks memory_callbacks = { .otf2_allocate = allocate_chunk,
						       .otf2_free_all = free_chunks };

/* --- texts --- */

OTF2_StringRef otf2_new_text(struct otf2_archive *a, const char *text, gsize len)
{
	g_autofree char *clean = NULL;

	if (g_utf8_validate_len(text, (gssize)len, NULL))
		clean = g_strndup(text, len);
	else
		clean = iot_escape_bytes(text, len);
	if (strlen(clean) > MAX_TEXT) {
		*g_utf8_find_prev_char(clean, clean + MAX_TEXT) = '\0';
		iot_diag_add(&a->otf2->diag, IOT_DIAG_name_cut, 1);
	}
	otf2_check(a, OTF2_GlobalDefWriter_WriteString(a->defs, a->n_strings, clean));
	return a->n_strings++;
}

static gboolean grow_texts(struct otf2_archive *a, iot_str str)
{
	guint n = MAX(str + 1, a->n_texts * 2);
	guint32 *grown = iot_try_realloc(a->texts, n * sizeof(*grown), "texts", NULL);

	if (!grown) {
		a->no_memory = TRUE;
		return FALSE;
	}
	memset(grown + a->n_texts, 0, (n - a->n_texts) * sizeof(*grown));
	a->texts = grown;
	a->n_texts = n;
	return TRUE;
}

OTF2_StringRef otf2_text(struct otf2_archive *a, iot_str str)
{
	const char *text;
	gsize len;

	if (str >= a->n_texts && !grow_texts(a, str))
		return 0;
	if (a->texts[str])
		return a->texts[str];
	text = iot_intern_get(a->otf2->tl->strings, str, &len);
	return len ? (a->texts[str] = otf2_new_text(a, text, len)) : 0;
}

OTF2_StringRef otf2_marks(struct otf2_archive *a, guint flags)
{
	gpointer known = g_hash_table_lookup(a->marks, GUINT_TO_POINTER(flags));
	const char *names;

	if (!known) {
		names = iot_item_flag_names(flags);
		known = GUINT_TO_POINTER(otf2_new_text(a, names, strlen(names)));
		g_hash_table_insert(a->marks, GUINT_TO_POINTER(flags), known);
	}
	return GPOINTER_TO_UINT(known);
}

/* --- the archive --- */

static gboolean open_archive(struct otf2_archive *a, GError **error)
{
	a->archive = OTF2_Archive_Open(a->otf2->dir->temp_path, OTF2_NAME, OTF2_FILEMODE_WRITE,
				       OTF2_CHUNK_SIZE_EVENTS_DEFAULT, DEFS_CHUNK,
				       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!a->archive)
		return archive_error(a, error);
	otf2_check(a, OTF2_Archive_SetFlushCallbacks(a->archive, &flush_callbacks, NULL));
	otf2_check(a, OTF2_Archive_SetMemoryCallbacks(a->archive, &memory_callbacks, a));
	otf2_check(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->archive));
	otf2_check(a, OTF2_Archive_SetCreator(a->archive, "iotrace-analyze"));
	otf2_check(a, OTF2_Archive_OpenEvtFiles(a->archive));
	otf2_check(a, OTF2_Archive_OpenDefFiles(a->archive));
	a->defs = OTF2_Archive_GetGlobalDefWriter(a->archive);
	return (a->defs && !a->code) || archive_error(a, error);
}

static void write_clock(struct otf2_archive *a)
{
	const struct otf2 *otf2 = a->otf2;
	guint64 first = MIN(otf2->first_ns, otf2->tl->zero_ns);
	guint64 last = MAX(otf2->last_ns, first);

	otf2_check(a, OTF2_GlobalDefWriter_WriteClockProperties(a->defs, G_USEC_PER_SEC * 1000,
								first, last - first,
								OTF2_UNDEFINED_TIMESTAMP));
}

static guint64 random_identifier(const char *anchor)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	uint64_t id = 0;

	if (reader)
		OTF2_Reader_GetTraceId(reader, &id);
	OTF2_Reader_Close(reader);
	return id;
}

/*
 * The library gives each archive a random identifier; the same input shall give the same bytes. It
 * stands in the anchor file, in the byte order of this machine.
 */
static gboolean fix_identifier(struct otf2_archive *a, GError **error)
{
	g_autofree char *path = g_build_filename(a->otf2->dir->temp_path, OTF2_NAME ".otf2", NULL);
	guint64 id = random_identifier(path), fixed = a->otf2->tl->zero_ns;
	g_autofree char *bytes = NULL;
	g_autoptr(iot_out) out = NULL;
	gsize len;
	char *at;

	if (!id || !g_file_get_contents(path, &bytes, &len, NULL) ||
	    !(at = memmem(bytes, len, &id, sizeof(id)))) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_OUTPUT, "cannot read back %s", path);
		return FALSE;
	}
	memcpy(at, &fixed, sizeof(fixed));
	out = iot_out_open_small(path, error);
	if (!out)
		return FALSE;
	iot_out_write(out, bytes, len);
	return iot_out_finish(out, error);
}

static gboolean write_contents(struct otf2_archive *a, GError **error)
{
	write_clock(a);
	otf2_new_text(a, "", 0);
	otf2_tree_sort(a);
	if (!otf2_events_write(a, error))
		return FALSE;
	otf2_check(a, OTF2_Archive_CloseEvtFiles(a->archive));
	otf2_check(a, OTF2_Archive_CloseDefFiles(a->archive));
	otf2_tree_write(a);
	return TRUE;
}

static gboolean write_archive(struct otf2_archive *a, GError **error)
{
	gboolean ok = open_archive(a, error) && write_contents(a, error);

	if (a->archive)
		otf2_check(a, OTF2_Archive_Close(a->archive));
	if (!ok)
		return FALSE;
	if (a->no_memory) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_MEMORY, "no memory for the texts of OTF2");
		return FALSE;
	}
	return a->code ? archive_error(a, error) : fix_identifier(a, error);
}

gboolean otf2_archive_write(struct otf2 *otf2, GError **error)
{
	struct otf2_archive a = { .otf2 = otf2 };
	gboolean ok;

	OTF2_Error_RegisterCallback(on_error, NULL);
	writing = &a;
	a.attrs = OTF2_AttributeList_New();
	a.regions = g_hash_table_new(NULL, NULL);
	a.metrics = g_hash_table_new(NULL, NULL);
	a.names = g_hash_table_new(NULL, NULL);
	a.marks = g_hash_table_new(NULL, NULL);
	a.locations = g_ptr_array_new();
	ok = write_archive(&a, error);
	OTF2_AttributeList_Delete(a.attrs);
	g_hash_table_unref(a.regions);
	g_hash_table_unref(a.metrics);
	g_hash_table_unref(a.names);
	g_hash_table_unref(a.marks);
	g_ptr_array_unref(a.locations);
	g_free(a.texts);
	free(a.spare[0]);
	free(a.spare[1]);
	writing = NULL;
	return ok;
}
