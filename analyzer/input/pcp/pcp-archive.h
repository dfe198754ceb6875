/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PCP archive, read by libpcp record by record. Values are looked up by metric and instance; what
 * they mean is in pcp-samples.h. One thread at a time; libpcp has a current archive for each
 * thread, which every call sets.
 */
#ifndef IOT_INPUT_PCP_ARCHIVE_H
#define IOT_INPUT_PCP_ARCHIVE_H

#include "input/pcp/pcp-library.h"

struct iot_pcp_archive {
	char *name;	/* without the suffixes of its files */
	char *hostname; /* of the machine whose metrics it has */
	int version;
	guint64 first_ns, last_ns; /* since 1970 */
	guint64 bytes;		   /* of its volumes */
	guint n_volumes;
	const struct iot_pcp_library *pcp; /* for calls about it, once it is in use */
	/* private */
	int context; /* of libpcp; negative: not open */
};

/**
 * iot_pcp_archive_open - open the archive that the file @path belongs to
 *
 * NULL and IOT_ERROR_INPUT: libpcp cannot be used, or the archive is damaged where its metrics are
 * described.
 */
struct iot_pcp_archive *iot_pcp_archive_open(const char *path, GError **error);
/** iot_pcp_archive_free - accepts NULL */
void iot_pcp_archive_free(struct iot_pcp_archive *archive);
/** iot_pcp_archive_next - the next record, to be freed with pmFreeHighResResult; NULL: there is
 * none
 * @out_damaged: whether the archive does not end here, but cannot be read on */
pmHighResResult *iot_pcp_archive_next(struct iot_pcp_archive *archive, gboolean *out_damaged);
/** iot_pcp_archive_use - the archive becomes that of libpcp's calls in this thread */
void iot_pcp_archive_use(const struct iot_pcp_archive *archive);
/** iot_pcp_ns - an instant in ns since 1970; one before is at 0 */
guint64 iot_pcp_ns(const struct timespec *time);

#endif
