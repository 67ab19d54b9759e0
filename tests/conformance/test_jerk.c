/* SPDX-License-Identifier: MIT */
/* Sums of a j-particle store: sizes, ids, prediction. */
#include <math.h>

#include "cluster.h"
#include "rows.h"
#include "subject.h"
#include "system.h"
#include "jerk_sums.h"

/* ---- sizes --------------------------------------------------------------- */

/* Sizes around multiples of vectors, tiles and groups, and far from them. */
static void
any_sizes(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {
            {1, 1},    {1, 2},   {2, 2},     {3, 3},      {5, 17},
            {16, 16},  {33, 31}, {7, 1000},  {1000, 7},   {65, 129},
            {64, 512}, {2, 513}, {515, 511}, {130, 1025}, {1, 257}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct cluster *c = cluster_create(sizes[k][0], sizes[k][1], 0);
        expect_all(c, N_USUAL, usual);
        cluster_destroy(c);
    }
}

/* Small blocks of i-particles on so many j-particles that the backend splits
 * these into chunks. */
static void
few_i_particles_and_many_j_particles(void **state)
{
    (void)state;
    static const size_t n_i[] = {1, 3, 32};
    for (int k = 0; k < 3; k++) {
        struct cluster *c = cluster_create_self(n_i[k], 20001, 0);
        c->i[n_i[k] - 1].id = c->j[20000].id;
        cluster_match(c);
        expect_all(c, 1, usual);
        cluster_destroy(c);
    }
}

/* Expects the sums over the store's particles, which are the cluster's. */
static void
expect_stored(struct koshu_j_store *memory, struct cluster *c,
              const struct variant *variant)
{
    struct sums *expected = cluster_definition(c, variant_rounds(variant));
    struct sums *s = memory_sums(subject_context(), memory, c);
    assert_int_equal(sums_wrong(s, expected, c, variant_rounds(variant),
                                variant->tolerance),
                     0);
    sums_destroy(s);
    sums_destroy(expected);
}

/* Sums over fewer j-particles than the store holds: the rest do not act. */
static void
only_the_first_act(void **state)
{
    (void)state;
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct cluster *c = cluster_create_self(20, 300, 0);
        struct koshu_j_store *memory =
                cluster_memory(subject_context(), c, variants[w].precision);
        static const size_t n_j[] = {300, 7, 250, 1, 300};
        for (int k = 0; k < 5; k++) {
            c->n_j = n_j[k];
            expect_stored(memory, c, &variants[w]);
        }
        koshu_j_store_destroy(memory);
        cluster_destroy(c);
    }
}

static void
nothing_on_something(void **state)
{
    (void)state;
    struct cluster *c = cluster_create(5, 0, 0);
    expect_all(c, N_USUAL, usual); /* tolerance 0: exactly 0 */
    cluster_destroy(c);
    c = cluster_create(0, 5, 0);
    expect_all(c, N_USUAL, usual);
    cluster_destroy(c);
}

/* Growing a store keeps its particles and leaves new indices empty. */
static void
capacity_grows(void **state)
{
    (void)state;
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct cluster *c = cluster_create_self(30, 2000, 0);
        struct koshu_j_store *memory;
        assert_ok(subject_context(),
                  rows_create(subject_context(), variants[w].precision, 3,
                              &memory));
        size_t done = 0;
        static const size_t capacity[] = {3, 50, 51, 2000};
        for (int k = 0; k < 4; k++) {
            c->n_j = capacity[k];
            assert_ok(subject_context(), koshu_j_store_reserve(memory, c->n_j));
            for (; done < c->n_j; done++) {
                const uint64_t address = done;
                assert_ok(subject_context(),
                          rows_set(memory, 1, &address, &c->j[done]));
            }
            expect_stored(memory, c, &variants[w]);
        }
        koshu_j_store_destroy(memory);
        cluster_destroy(c);
    }
}

/* ---- particles that are left out ---------------------------------------- */

static void
equal_ids_are_left_out(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 50, 601};
    /* with the smallest, m / eps is so large that adding it and subtracting it
     * again would lose the potential */
    static const double eps[] = {0, 0.1, 1e-5, 1e-10, 1e-20};
    for (int k = 0; k < 5; k++) {
        struct cluster *c = cluster_create_self(sizes[k], sizes[k], 0);
        expect_all(c, 5, eps);
        cluster_destroy(c);
    }
}

/* Arbitrary ids in any order, and i-particles that match no j-particle. */
static void
ids_need_not_be_in_order(void **state)
{
    (void)state;
    struct cluster *c = cluster_create(300, 1500, 0);
    for (size_t j = 0; j < 1500; j++)
        c->j[j].id = (int64_t)((j * 7919) % 1500) * 4294967296 + INT32_MAX;
    c->j[7].id = 0;
    c->j[1499].id = INT64_MAX;
    for (size_t i = 0; i < 300; i++)
        c->i[i].id = i % 5 ? c->j[(i * 389 + 7) % 1500].id : 12345;
    c->i[3].id = 0;
    c->i[4].id = INT64_MAX;
    cluster_match(c);
    expect_all(c, N_USUAL, usual);
    cluster_destroy(c);
}

/* Several j-particles have an i-particle's id: all are left out, wherever they
 * are. */
static void
several_of_one_id(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(40, 1200, 0);
    for (size_t j = 0; j < 1200; j += 3) c->j[j].id = 5;
    for (size_t j = 500; j < 600; j++) c->j[j].id = 6;
    c->j[1199].id = c->j[1198].id = c->j[1].id;
    for (size_t i = 0; i < 40; i++) c->i[i].id = c->j[i].id;
    c->i[2].id = 6;
    cluster_match(c);
    expect_all(c, N_USUAL, usual);
    /* all of them: no pair remains */
    for (size_t j = 0; j < 1200; j++) c->j[j].id = 5;
    expect_all(c, N_USUAL, usual);
    cluster_destroy(c);
}

/* A particle that is left out may hold anything, NaN included. */
static void
what_is_left_out_may_be_anything(void **state)
{
    (void)state;
    static const double what[] = {NAN, INFINITY, -INFINITY};
    static const size_t who[] = {0, 17, 700, 1199};
    struct cluster *c = cluster_create(40, 1200, 0);
    for (size_t i = 0; i < 40; i++) c->i[i].id = 5;
    for (int k = 0; k < 4; k++) {
        struct koshu_j_particle *j = &c->j[who[k]];
        j->id = 5;
        j->x[k % 3] = j->v[k % 2] = j->a[2] = what[k % 3];
        j->mass = what[(k + 1) % 3];
    }
    c->j[17].time = NAN;
    expect_all(c, N_USUAL, usual);
    cluster_destroy(c);
}

/* Replacing a particle by one with another id. */
static void
ids_change(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(40, 700, 0);
    struct koshu_j_store *memory =
            cluster_memory(subject_context(), c, KOSHU_PRECISION_DOUBLE);
    for (int round = 0; round < 6; round++) {
        for (size_t j = (size_t)round; j < 700; j += 11)
            c->j[j].id = (c->j[j].id * 31 + round) % 900;
        assert_ok(subject_context(), rows_set(memory, c->n_j, NULL, c->j));
        for (size_t i = 0; i < 40; i++) c->i[i].id = c->j[i * 17].id;
        cluster_match(c);
        struct sums *expected = cluster_definition(c, false);
        struct sums *s = memory_sums(subject_context(), memory, c);
        assert_int_equal(
                sums_wrong(s, expected, c, false, variants[2].tolerance), 0);
        sums_destroy(s);
        sums_destroy(expected);
    }
    koshu_j_store_destroy(memory);
    cluster_destroy(c);
}

/* ---- prediction ---------------------------------------------------------- */

/* Particles with different times and all derivatives. */
static void
give_derivatives(struct cluster *c)
{
    uint64_t state = 11;
    for (size_t j = 0; j < c->n_j; j++) {
        c->j[j].time = uniform(&state);
        for (int k = 0; k < 3; k++) {
            c->j[j].a[k] = 2 * uniform(&state) - 1;
            c->j[j].jerk[k] = 4 * uniform(&state) - 2;
            c->j[j].snap[k] = 8 * uniform(&state) - 4;
        }
    }
}

/* Rounding in the prediction, 2e-16, changes a force with eps = 0.1 by no more
 * than 1e-14. */
static void
prediction(void **state)
{
    (void)state;
    static const double eps[] = {0.1};
    static const double times[] = {0.75, -1, 1.5};
    struct cluster *c = cluster_create_self(100, 1100, 0);
    give_derivatives(c);
    for (int t = 0; t < 3; t++) {
        c->time = times[t];
        cluster_match(c);
        expect_all(c, 1, eps);
    }
    cluster_destroy(c);
}

/* Time advances and particles are set in turn: each sum must use the latest
 * particles and time. */
static void
prediction_keeps_up(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(10, 700, 0);
    give_derivatives(c);
    c->eps = 0.1;
    struct koshu_j_store *memory =
            cluster_memory(subject_context(), c, KOSHU_PRECISION_DOUBLE);
    for (int round = 0; round < 8; round++) {
        /* in one round time stands still */
        if (round != 3) c->time = 0.125 * round;
        const uint64_t address = 69 * (uint64_t)round;
        struct koshu_j_particle *p = &c->j[address];
        p->x[1] += 0.5;
        p->time = c->time;
        assert_ok(subject_context(), rows_set(memory, 1, &address, p));
        assert_ok(subject_context(), koshu_j_store_set_time(memory, c->time));
        cluster_match(c);
        struct sums *expected = cluster_definition(c, false);
        struct sums *s = memory_sums(subject_context(), memory, c);
        struct sums *again = memory_sums(subject_context(), memory, c);
        assert_int_equal(
                sums_wrong(s, expected, c, false, variants[2].tolerance), 0);
        assert_true(sums_identical(s, again));
        sums_destroy(s);
        sums_destroy(again);
        sums_destroy(expected);
    }
    koshu_j_store_destroy(memory);
    cluster_destroy(c);
}

/* ---- planted errors are found ------------------------------------------- */

static void
the_comparison_finds_planted_errors(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(10, 10, 0);
    struct sums *expected = cluster_definition(c, false);
    struct sums *s = cluster_sums(subject_context(), c, KOSHU_PRECISION_MIXED);
    assert_int_equal(sums_wrong(s, expected, c, false, 1e-6), 0);
    s->of[4].a[1] += 2e-6 * expected->scale_a[4];
    s->of[5].jerk[2] += 2e-6 * expected->scale_jerk[5];
    s->of[9].potential *= 1 + 2e-6;
    assert_int_equal(sums_wrong(s, expected, c, false, 1e-6), 3);
    s->of[0].jerk[0] = NAN;
    s->of[1].nearest_r2 *= 1 + 2e-6;
    s->of[2].nearest = 2; /* the particle itself */
    s->of[3].nearest = s->of[3].nearest == 0 ? 1 : 0;
    s->of[6].nearest = KOSHU_NO_INDEX;
    assert_int_equal(sums_wrong(s, expected, c, false, 1e-6), 8);
    c->nearest = false; /* what was not requested must stay unwritten */
    assert_int_equal(sums_wrong(s, expected, c, false, 1e-6), 4 + 10);
    c->nearest = true;
    sums_destroy(s);

    /* it now counts itself: potential and nearest neighbour are wrong */
    c->i[3].id = KOSHU_NO_ID;
    s = cluster_sums(subject_context(), c, KOSHU_PRECISION_MIXED);
    c->i[3].id = c->j[3].id;
    assert_int_equal(sums_wrong(s, expected, c, false, 1e-6), 2);
    sums_destroy(s);
    sums_destroy(expected);
    cluster_destroy(c);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_sizes),
        cmocka_unit_test(few_i_particles_and_many_j_particles),
        cmocka_unit_test(only_the_first_act),
        cmocka_unit_test(nothing_on_something),
        cmocka_unit_test(capacity_grows),
        cmocka_unit_test(equal_ids_are_left_out),
        cmocka_unit_test(ids_need_not_be_in_order),
        cmocka_unit_test(several_of_one_id),
        cmocka_unit_test(what_is_left_out_may_be_anything),
        cmocka_unit_test(ids_change),
        cmocka_unit_test(prediction),
        cmocka_unit_test(prediction_keeps_up),
        cmocka_unit_test(the_comparison_finds_planted_errors),
};

SUBJECT_MAIN(tests)
