/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "base/error.h"
#include "input/pcp-files.h"
#include "input/pcp/pcp-archive.h"

enum { NS = 1000000000 };

guint64 iot_pcp_ns(const struct timespec *time)
{
	/* those after the year 2262 have no place among times of 63 bits */
	if (time->tv_sec < 0)
		return 0;
	return (guint64)MIN((guint64)time->tv_sec, G_MAXINT64 / NS - 1) * NS +
	       (guint64)CLAMP(time->tv_nsec, 0, NS - 1);
}

/* Without this file libpcp prints an error and ends the program. */
static gboolean find_configuration(const char *path, GError **error)
{
	const char *stated = g_getenv("PCP_CONF"), *root = g_getenv("PCP_DIR");
	g_autofree char *file =
		stated ? g_strdup(stated) : g_strconcat(root ? root : "", "/etc/pcp.conf", NULL);

	if (!access(file, R_OK))
		return TRUE;
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s is of a PCP archive, and libpcp, which reads it, needs the file %s, which "
		    "is missing; install the package pcp-conf, or set PCP_CONF",
		    path, file);
	return FALSE;
}

static gboolean damaged(const char *path, int status, GError **error)
{
	char text[PM_MAXERRMSGLEN];

	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: this PCP archive cannot be opened: %s; if pmdumplog -L cannot open it "
		    "either, it is damaged, or files of it are missing",
		    path, pmErrStr_r(status, text, sizeof(text)));
	return FALSE;
}

static gboolean open_context(struct iot_pcp_archive *archive, const char *path, GError **error)
{
	pmHighResLogLabel label;
	struct timespec end;
	int status;

	archive->context = pmNewContext(PM_CONTEXT_ARCHIVE, archive->name);
	if (archive->context < 0)
		return damaged(path, archive->context, error);
	if ((status = pmGetHighResArchiveLabel(&label)) < 0)
		return damaged(path, status, error);
	archive->hostname = g_strndup(label.hostname, sizeof(label.hostname));
	archive->version = label.magic & 0xff;
	archive->first_ns = archive->last_ns = iot_pcp_ns(&label.start);
	/* one that was cut has an end, too: that of its last whole record */
	if (pmGetHighResArchiveEnd(&end) >= 0)
		archive->last_ns = MAX(archive->first_ns, iot_pcp_ns(&end));
	return TRUE;
}

struct iot_pcp_archive *iot_pcp_archive_open(const char *path, GError **error)
{
	struct iot_pcp_archive *archive;

	if (!find_configuration(path, error))
		return NULL;
	archive = g_new0(struct iot_pcp_archive, 1);
	archive->context = -1;
	archive->name = iot_pcp_name(path);
	archive->bytes = iot_pcp_bytes(archive->name, &archive->n_volumes);
	if (open_context(archive, path, error))
		return archive;
	iot_pcp_archive_free(archive);
	return NULL;
}

void iot_pcp_archive_free(struct iot_pcp_archive *archive)
{
	if (!archive)
		return;
	if (archive->context >= 0)
		pmDestroyContext(archive->context);
	g_free(archive->name);
	g_free(archive->hostname);
	g_free(archive);
}

void iot_pcp_archive_use(const struct iot_pcp_archive *archive)
{
	pmUseContext(archive->context);
}

pmHighResResult *iot_pcp_archive_next(struct iot_pcp_archive *archive, gboolean *out_damaged)
{
	pmHighResResult *record = NULL;
	int status;

	iot_pcp_archive_use(archive);
	status = pmFetchHighResArchive(&record);
	*out_damaged = status < 0 && status != PM_ERR_EOL;
	return status < 0 ? NULL : record;
}
