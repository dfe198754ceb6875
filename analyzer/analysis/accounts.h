/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounts: the time of a call or wait, divided into what was done for it elsewhere.
 *
 * Models say which links lead to work: a link of role REQUEST without locks leads from a span to a
 * span that is done for it, on any row of any machine; a link of role ANSWER leads back from the
 * end of that span. An answer whose to-end is the begin of a span says that this span goes on with
 * what the from-end did, such as a wait in the sender's queue. The attribute "queued_before" of a
 * span is the time in which it waited for its begin, where no span can be drawn; "unsent" is the time
 * after its begin until its first request had left it, at the latest. Spans in a span of the same
 * thread are work for it, too. All other links say nothing here.
 *
 * Accounts are made from the inside out: when a span ends, its account is complete, and all spans
 * that it was done for get a copy. So nothing recurses, chains may have any length, and only open
 * spans hold memory: MAX_CHILDREN of each are kept apart, then they are merged to one list of
 * MAX_PARTS parts. A list that is longer has its shortest neighbours merged (IOT_PHASE_MANY).
 *
 * An instant with several requests on their way belongs to the one that ends last, because the
 * caller waited for it; the others are concurrent. A request that is not over when its caller ends
 * was not waited for, and takes none of its time. Parts never overlap. One thread at a time.
 */
#ifndef IOT_ANALYSIS_ACCOUNTS_H
#define IOT_ANALYSIS_ACCOUNTS_H

#include "analysis/account-fold.h"

/* The account of a span that ended at the present instant. */
struct iot_account {
	/* struct iot_account_part: in order, without overlap, inside the span; the rest of its
	 * time is not explained */
	const GArray *parts;
	guint64 n_concurrent; /* requests that were on their way beside others that ended later */
};

struct iot_accounts;

/* A span that ended at the present instant, with its account. */
struct iot_accounted {
	iot_row_id row;
	guint16 lane, flags;
	iot_type_id type;
	iot_cat_id cat;
	guint64 t0, t1; /* ns */
	guint64 since;	/* t0, or the begin of what it goes on with */
	guint64 queued; /* of this: it waited in a queue that is not drawn */
	guint64 file;	/* its attribute of this name; 0: none */
	iot_str node;	/* of its thread; 0: it is not known */
	guint64 pid;
	/* struct iot_account_part: in order, without overlap, in [since, t1]; the rest is the
	 * span's own (iot_account_fill) */
	const GArray *parts;
};
typedef void (*iot_accounted_func)(gpointer user_data, const struct iot_accounted *span);

/* What a thread had asked for in a span that is still open is done; when its answer comes later,
 * this is told again, with the time until then. */
typedef void (*iot_requested_func)(gpointer user_data, iot_str node, guint64 pid,
				   const struct iot_child *child);

/** iot_accounts_possible - whether the models have links that lead to work */
gboolean iot_accounts_possible(const struct iot_timeline *tl);
struct iot_accounts *iot_accounts_new(const struct iot_timeline *tl);
/** iot_accounts_free - accepts NULL */
void iot_accounts_free(struct iot_accounts *accounts);
/** iot_accounts_wants - whether items of a kind and category count */
gboolean iot_accounts_wants(const struct iot_accounts *accounts, enum iot_item_kind kind,
			    iot_cat_id cat);
/** iot_accounts_item - the next item that counts, in the order of stages */
void iot_accounts_item(struct iot_accounts *accounts, const struct iot_item *item);
/** iot_accounts_listen - call @func for each span that has ended, at settle; before the first item
 */
void iot_accounts_listen(struct iot_accounts *accounts, iot_accounted_func func,
			 gpointer user_data);
/** iot_accounts_hear_requests - call @func for requests of threads; before the first item, once */
void iot_accounts_hear_requests(struct iot_accounts *accounts, iot_requested_func func,
				gpointer user_data);
/** iot_accounts_settle - the present instant is complete; what the last call made is discarded */
void iot_accounts_settle(struct iot_accounts *accounts);
/**
 * iot_accounts_find - the account of a call of a thread that ended at the instant that was settled
 * last; FALSE: nothing is known. Spans that draw the same call on other rows count as well.
 * @node, @pid: the thread
 * @out: its parts are valid until the next settle
 */
gboolean iot_accounts_find(const struct iot_accounts *accounts, iot_str node, guint64 pid,
			   const struct iot_item *call, struct iot_account *out);
/** iot_accounts_serves - whether that call is the work of a request from another machine */
gboolean iot_accounts_serves(const struct iot_accounts *accounts, const struct iot_item *call);

#endif
