/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The account of the longest wait or call of the rows of the output show. */
#ifndef IOT_SINKS_SHOW_SHOW_ACCOUNT_H
#define IOT_SINKS_SHOW_SHOW_ACCOUNT_H

#include "sinks/show/show-draw.h"
#include "timeline/timeline.h"

struct iot_show_account {
	struct iot_item span; /* the longest; its kind is PART: there is none */
	GArray *parts;	      /* struct iot_item */
};

void iot_show_account_init(struct iot_show_account *account);
void iot_show_account_clear(struct iot_show_account *account);
/** iot_show_account_span - one more span of category @cat; not if its begin or end was not seen */
void iot_show_account_span(struct iot_show_account *account, const struct iot_item *span,
			   const struct iot_category *cat);
/** iot_show_account_part - a part of a span that has ended at this instant */
void iot_show_account_part(struct iot_show_account *account, const struct iot_item *part);
/** iot_show_account_write - its parts, the longest first, as a table; nothing if there is none */
void iot_show_account_write(const struct iot_show_account *account,
			    const struct iot_show_canvas *canvas);

#endif
