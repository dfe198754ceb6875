/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result table of links: for each [link], how many ends found their partners, and why not. */
#ifndef IOT_RUN_LINKS_TABLE_H
#define IOT_RUN_LINKS_TABLE_H

#include "run/models.h"
#include "timeline/result-table.h"

/** iot_links_publish - add the table, if any link has ends; after the models have finished */
void iot_links_publish(const struct iot_models *models, struct iot_results *to);

#endif
