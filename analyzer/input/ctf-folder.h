/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folders of CTF traces. They are known without libbabeltrace2, so that a program that is built
 * without it can say what is missing. A trace is a folder with the file "metadata", which begins as
 * CTF 1.8 demands, and a file for each data stream. Any thread.
 */
#ifndef IOT_INPUT_CTF_FOLDER_H
#define IOT_INPUT_CTF_FOLDER_H

#include <glib.h>

/**
 * iot_ctf_traces - the traces in a folder: itself, or folders below it
 *
 * Paths (char *), sorted, which the array owns. Folders more than 8 levels below are not looked at,
 * nor are links to folders.
 */
GPtrArray *iot_ctf_traces(const char *folder);
/** iot_ctf_is_packet - whether metadata goes on with a packet
 * @out_big: gets whether its numbers are big endian, as those of the trace are */
gboolean iot_ctf_is_packet(const guint8 *at, gsize len, gboolean *out_big);
/** iot_ctf_is_folder - is_folder of the source: whether there is a trace in it */
gboolean iot_ctf_is_folder(const char *path);
/** iot_ctf_first_part - first_part of the source: the folder of the metadata of a trace */
char *iot_ctf_first_part(const char *path);
/** iot_ctf_probe - probe of the source: no file is one of its recordings */
int iot_ctf_probe(const char *path, const guint8 *head, gsize len);

#endif
