/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue of a resource, against a search through all waits. */
#include "locks/claims.h"
#include "unit.h"

enum { ROUNDS = 300, STEPS = 60, LANES = 6 };

/* The latest end of a wait of another lock that began before @wait. */
static guint64 search(const struct iot_claims *claims, const struct iot_claim *wait)
{
	guint64 t1 = 0;

	for (guint i = 0; i < claims->waits->len; i++) {
		const struct iot_claim *other = iot_claim_at(claims->waits, i);

		if (other->added < wait->added && other->lane != wait->lane &&
		    other->t0 < other->t1)
			t1 = MAX(t1, other->t1);
	}
	return t1;
}

static guint64 ended_at(guint64 t1, const struct iot_claim *wait)
{
	return MAX(t1, wait->t0);
}

/* An open wait ends; several of one lane may be open. */
static void end_one(struct iot_claims *claims, GRand *rand, guint64 now)
{
	guint at = (guint)g_rand_int_range(rand, 0, (gint32)claims->waits->len);
	struct iot_claim wait = *iot_claim_at(claims->waits, at);
	guint64 t1;

	if (!wait.open)
		return;
	iot_claims_end(claims, &wait, now);
	wait = *iot_claim_at(claims->waits, at);
	CU_ASSERT_FALSE(wait.open);
	CU_ASSERT_TRUE_FATAL(iot_claims_queue(claims, &wait, &t1));
	CU_ASSERT_EQUAL(ended_at(t1, &wait), ended_at(search(claims, &wait), &wait));
}

UNIT_TEST(end_of_the_queue_is_the_one_that_a_search_finds)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (guint round = 0; round < ROUNDS; round++) {
		struct iot_claims claims = { 0 };

		iot_claims_init(&claims);
		for (guint64 now = 1; now < STEPS; now++) {
			struct iot_claim wait = {
				.kind = IOT_CLAIM_WAIT,
				.open = TRUE,
				.lane = (guint16)g_rand_int_range(rand, 0, LANES),
				.row = 1,
				.cat = 1,
				.t0 = now,
				.drawn = now,
				.t1 = G_MAXUINT64,
			};

			if (g_rand_boolean(rand))
				iot_claims_begin(&claims, &wait);
			for (gint n = g_rand_int_range(rand, 0, 3); n && claims.waits->len; n--)
				end_one(&claims, rand, now + (guint64)g_rand_boolean(rand));
			iot_claims_settle(&claims);
			if (!g_rand_int_range(rand, 0, 20))
				iot_claims_drop_ended(&claims, now / 2);
		}
		iot_claims_clear(&claims);
	}
}

UNIT_TEST(late_waits_and_conversions_have_no_order)
{
	struct iot_claims claims = { 0 };
	struct iot_claim wait = { .kind = IOT_CLAIM_WAIT, .open = TRUE, .row = 1, .t0 = 20 };
	guint64 t1;

	iot_claims_init(&claims);
	iot_claims_begin(&claims, &wait);
	CU_ASSERT_TRUE(iot_claims_queue(&claims, iot_claim_at(claims.waits, 0), &t1));
	wait.lane = 1;
	wait.t0 = 10;
	iot_claims_begin(&claims, &wait);
	CU_ASSERT_FALSE(iot_claims_queue(&claims, iot_claim_at(claims.waits, 0), &t1));
	iot_claims_clear(&claims);

	claims = (struct iot_claims){ 0 };
	iot_claims_init(&claims);
	wait.kind = IOT_CLAIM_HOLD;
	iot_claims_begin(&claims, &wait);
	wait.kind = IOT_CLAIM_WAIT;
	iot_claims_begin(&claims, &wait);
	CU_ASSERT_FALSE(iot_claims_queue(&claims, iot_claim_at(claims.waits, 0), &t1));
	iot_claims_clear(&claims);
}
