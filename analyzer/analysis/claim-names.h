/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts and orders that the tables of waits and holds share. */
#ifndef IOT_ANALYSIS_CLAIM_NAMES_H
#define IOT_ANALYSIS_CLAIM_NAMES_H

#include "tables/ranked.h"

/** iot_name_share - "node 2 86 %" after the text @before, which is freed; NULL: nothing. The caller
 * frees the result. */
char *iot_name_share(char *before, const char *name, guint64 part, guint64 whole);
/** iot_compare_names - natural order of two strings of the timeline */
int iot_compare_names(const struct iot_timeline *tl, iot_str a, iot_str b);
/** iot_share_of - part / whole; 0 of nothing */
static inline double iot_share_of(guint64 part, guint64 whole)
{
	return whole ? (double)part / (double)whole : 0;
}

#endif
