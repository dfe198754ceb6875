/* SPDX-License-Identifier: GPL-2.0-or-later */
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

static gboolean damaged(const struct iot_pcp_archive *archive, const char *path, int status,
			GError **error)
{
	char text[PM_MAXERRMSGLEN];

	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: this PCP archive cannot be opened: %s; if pmdumplog -L cannot open it "
		    "either, it is damaged, or files of it are missing",
		    path, archive->pcp->pmErrStr_r(status, text, sizeof(text)));
	return FALSE;
}

static gboolean open_context(struct iot_pcp_archive *archive, const char *path, GError **error)
{
	pmHighResLogLabel label;
	struct timespec end;
	int status;

	archive->context = archive->pcp->pmNewContext(PM_CONTEXT_ARCHIVE, archive->name);
	if (archive->context < 0)
		return damaged(archive, path, archive->context, error);
	if ((status = archive->pcp->pmGetHighResArchiveLabel(&label)) < 0)
		return damaged(archive, path, status, error);
	archive->hostname = g_strndup(label.hostname, sizeof(label.hostname));
	archive->version = label.magic & 0xff;
	archive->first_ns = archive->last_ns = iot_pcp_ns(&label.start);
	/* one that was cut has an end, too: that of its last whole record */
	if (archive->pcp->pmGetHighResArchiveEnd(&end) >= 0)
		archive->last_ns = MAX(archive->first_ns, iot_pcp_ns(&end));
	return TRUE;
}

struct iot_pcp_archive *iot_pcp_archive_open(const char *path, GError **error)
{
	const struct iot_pcp_library *pcp = iot_pcp_library(path, error);
	struct iot_pcp_archive *archive;

	if (!pcp)
		return NULL;
	archive = g_new0(struct iot_pcp_archive, 1);
	archive->pcp = pcp;
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
		archive->pcp->pmDestroyContext(archive->context);
	g_free(archive->name);
	g_free(archive->hostname);
	g_free(archive);
}

void iot_pcp_archive_use(const struct iot_pcp_archive *archive)
{
	archive->pcp->pmUseContext(archive->context);
}

pmHighResResult *iot_pcp_archive_next(struct iot_pcp_archive *archive, gboolean *out_damaged)
{
	pmHighResResult *record = NULL;
	int status;

	iot_pcp_archive_use(archive);
	status = archive->pcp->pmFetchHighResArchive(&record);
	*out_damaged = status < 0 && status != PM_ERR_EOL;
	return status < 0 ? NULL : record;
}
