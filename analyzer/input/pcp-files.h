/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a PCP archive. They are known without libpcp, so that a program that is built
 * without it can say what is missing. An archive NAME is NAME.meta (descriptions of metrics, names
 * of instances), NAME.0, NAME.1 ... (volumes of values, perhaps compressed) and NAME.index.
 * Source: LOGARCHIVE(5). Any thread.
 */
#ifndef IOT_INPUT_PCP_FILES_H
#define IOT_INPUT_PCP_FILES_H

#include <glib.h>

/** iot_pcp_probe - probe of the source: whether a file begins with the label of an archive */
int iot_pcp_probe(const char *path, const guint8 *head, gsize len);
/** iot_pcp_first_part - first_part of the source: NAME.meta of the archive that the file belongs
 * to, or that NAME names, as for the tools of PCP; NULL: of none. The caller frees */
char *iot_pcp_first_part(const char *path);
/** iot_pcp_name - NAME of the archive whose file @path is. The caller frees */
char *iot_pcp_name(const char *path);
/** iot_pcp_bytes - bytes of the volumes of the archive NAME, as they are in the folder
 * @out_volumes: gets their number */
guint64 iot_pcp_bytes(const char *name, guint *out_volumes);

#endif
