/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Claims of spans: which spans say that a lock holds a mode, gives it up or waits for it. */
#ifndef IOT_LOCKS_SPAN_CLAIMS_H
#define IOT_LOCKS_SPAN_CLAIMS_H

#include "locks/claims.h"

struct iot_span_claims;

/** iot_span_claims_new - for the types that @tl has now */
struct iot_span_claims *iot_span_claims_new(const struct iot_timeline *tl);
/** iot_span_claims_free - accepts NULL */
void iot_span_claims_free(struct iot_span_claims *spans);

/** iot_span_claims_wants - whether spans of a category may make claims */
gboolean iot_span_claims_wants(const struct iot_span_claims *spans, iot_cat_id cat);
/** iot_span_claim_kind - the kind of claim (enum iot_claim_kind) that a span makes; FALSE: none */
gboolean iot_span_claim_kind(const struct iot_span_claims *spans, const struct iot_item *item,
			     guint8 *kind);
/** iot_span_claim_begin - the open claim of a span that begins; the caller sets its node, began and
 * seq */
struct iot_claim iot_span_claim_begin(const struct iot_span_claims *spans,
				      const struct iot_item *item, guint8 kind);
/** iot_span_claim_end - what iot_claims_end and iot_claims_end_leaving need of a span that ends */
struct iot_claim iot_span_claim_end(const struct iot_span_claims *spans,
				    const struct iot_item *item, guint8 kind);

#endif
