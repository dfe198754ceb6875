/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who woke a thread that slept, and, if that one slept meanwhile, who woke it: chains of wakers, as
 * numbers. Equal chains have one number, and 0 is none.
 *
 * A chain ends with a thread that did not sleep, or with an interrupt, which has no thread. It
 * names at most IOT_MAX_WAKERS: then it is cut, and nobody knows what the last one waited for. One
 * thread at a time.
 */
#ifndef IOT_ANALYSIS_WAKERS_H
#define IOT_ANALYSIS_WAKERS_H

#include "timeline/timeline.h"

/* Short times with several wakers that were merged; or there are too many chains. */
enum { IOT_WAKERS_MANY = 1, IOT_MAX_WAKERS = 16 };

/* A waker, and who woke it. */
struct iot_waker {
	iot_row_id row;	   /* of its states; 0: an interrupt */
	iot_str interrupt; /* what it was; 0: a thread */
	guint32 next;	   /* a chain; 0: it did not sleep, or the chain is cut here */
	guint8 n;	   /* wakers from here on */
	gboolean cut;	   /* the last one slept, too */
};

struct iot_wakers;

struct iot_wakers *iot_wakers_new(struct iot_timeline *tl);
/** iot_wakers_free - accepts NULL */
void iot_wakers_free(struct iot_wakers *wakers);
/** iot_wakers_interrupt - the chain of an interrupt; @what: a word */
guint32 iot_wakers_interrupt(struct iot_wakers *wakers, iot_str what);
/** iot_wakers_thread - the chain of the thread of @row, which did not sleep (@next is 0), or was
 * woken by the chain @next */
guint32 iot_wakers_thread(struct iot_wakers *wakers, iot_row_id row, guint32 next);
/** iot_wakers_at - the first waker of a chain; NULL: it is 0 or IOT_WAKERS_MANY */
const struct iot_waker *iot_wakers_at(const struct iot_wakers *wakers, guint32 chain);
/** iot_wakers_last - the last waker of a chain; NULL as above */
const struct iot_waker *iot_wakers_last(const struct iot_wakers *wakers, guint32 chain);
/** iot_wakers_last_thread - the row of the last waker that is a thread; 0: there is none */
iot_row_id iot_wakers_last_thread(const struct iot_wakers *wakers, guint32 chain);
/** iot_wakers_first_name - append "woken by b 6" */
void iot_wakers_first_name(const struct iot_wakers *wakers, guint32 chain, GString *out);
/** iot_wakers_name - append "woken by b 6, woken by an interrupt (hardirq)"
 * @most: of more wakers, the number of the others is said */
void iot_wakers_name(const struct iot_wakers *wakers, guint32 chain, guint most, GString *out);

#endif
