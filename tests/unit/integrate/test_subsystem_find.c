/* SPDX-License-Identifier: MIT */
/* Finding few-body groups. */
#include <math.h>
#include <string.h>

#include "few_bodies.h"
#include "integrate/subsystems.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static const double reach = 0.1; /* the distance `regularisation` */

static size_t
find(const struct few_bodies *b, const struct koshu_grouping *how,
     struct koshu_clump *cluster, size_t *next)
{
    size_t n = b->n;
    for (size_t k = 0; k < n; k++)
        cluster[k] =
                (struct koshu_clump){.mass = b->mass[k],
                                     .x = {b->x[0][k], b->x[1][k], b->x[2][k]},
                                     .v = {b->v[0][k], b->v[1][k], b->v[2][k]},
                                     .n = 1,
                                     .first = k,
                                     .last = k};
    assert_ok(context, koshu_find_subsystems(context, how, &n, cluster, next));
    return n;
}

static size_t
count_by(const struct few_bodies *b, double wider, bool slows)
{
    const struct koshu_grouping how = {reach, wider, INFINITY, slows};
    struct koshu_clump cluster[FEW];
    size_t next[FEW];
    return find(b, &how, cluster, next);
}

static size_t
count(const struct few_bodies *b, double wider)
{
    return count_by(b, wider, false);
}

static void
near_bodies_and_hard_binaries_are_groups(void **state)
{
    (void)state;
    struct few_bodies b = few_binary(0.09, 0.9); /* 0.171 apart */
    assert_int_equal(count(&b, 1), 1);
    for (int d = 0; d < 3; d++) b.v[d][0] *= 20; /* no longer bound */
    assert_int_equal(count(&b, 1.8), 2);
    for (int d = 0; d < 3; d++) b.x[d][0] = b.x[d][1] + (d == 1 ? 0.015 : 0);
    assert_int_equal(count(&b, 1), 2);
    assert_int_equal(count(&b, 1.3), 1); /* remains a group up to 0.01625 */
    for (int d = 0; d < 3; d++) b.x[d][0] = b.x[d][1] + (d == 1 ? 0.012 : 0);
    assert_int_equal(count(&b, 1), 1);
    b = few_binary(0.11, 0.5); /* 0.165 apart */
    assert_int_equal(count(&b, 1), 2);
    assert_int_equal(count(&b, 1.3), 1);
    b = few_binary(0.11, 0); /* semi-major axis too wide */
    assert_int_equal(count(&b, 1), 2);
}

/* Binaries are grouped that revolve as fast as usual ones within the
 * distance. */
static void
heavy_bodies_are_groups_further_off(void **state)
{
    (void)state;
    const double of[] = {1, 1, 1e-30, 0};
    struct few_bodies b = few_binary(0.19, 0); /* masses 0.25 and 0.75 */
    struct koshu_clump cluster[FEW];
    size_t next[FEW];
    const double usual = koshu_usual_mass(4, of);
    assert_near(usual, 1, 1e-15);
    struct koshu_grouping how = {reach, 1, 0.5 * usual, false};
    assert_int_equal(find(&b, &how, cluster, next), 2);
    how.usual = 0.5 / 7; /* 7^(1/3) = 1.913 */
    assert_int_equal(find(&b, &how, cluster, next), 1);
    how.usual = 0.5 / 6.8;
    assert_int_equal(find(&b, &how, cluster, next), 2);
    b = few_binary(0.09, 0);
    how.usual = 100; /* light ones: the plain distance */
    assert_int_equal(find(&b, &how, cluster, next), 1);
}

/* Along a list of bodies each one joins, being within 1.5 times the apocentre
 * of those before; 65 are too many for a group. */
static void
groups_are_not_of_all_bodies(void **state)
{
    (void)state;
    struct koshu_clump cluster[65];
    const struct koshu_grouping how = {reach, 1, INFINITY, false};
    size_t next[65], n = 65;
    for (size_t k = 0; k < n; k++)
        cluster[k] = (struct koshu_clump){
                .mass = 1, .x = {k * 1e-3}, .n = 1, .first = k, .last = k};
    assert_int_equal(koshu_find_subsystems(context, &how, &n, cluster, next),
                     KOSHU_ERROR_UNSUPPORTED);
    assert_non_null(strstr(koshu_context_message(context),
                           "more than 64 bodies are near each other"));
}

static void
groups_take_what_is_near_their_size(void **state)
{
    (void)state;
    const struct elements inner = {1, 0.06, 0.9, 0, 0, M_PI},
                          near_ = {2, 0.17, 0, 0, 0, 1},
                          far = {2, 0.175, 0, 0, 0, 1};
    struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &near_);
    struct koshu_clump cluster[FEW];
    size_t next[FEW], seen = 0;
    const struct koshu_grouping how = {reach, 1, INFINITY, false};
    assert_int_equal(find(&b, &how, cluster, next), 1);
    assert_int_equal(cluster[0].n, 3);
    assert_near(cluster[0].mass, 2, 1e-15);
    for (size_t i = 0, k = cluster[0].first; i < 3; i++, k = next[k])
        seen |= (size_t)1 << k;
    assert_int_equal(seen, 7);
    b = few_triple(0.25, 0.75, 1, &inner, &far);
    assert_int_equal(count(&b, 1), 2);
}

/* However large the group has become. */
static void
groups_do_not_draw_in_all_there_is(void **state)
{
    (void)state;
    const struct elements inner = {1, 0.09, 0.9, 0, 0, M_PI},
                          near_ = {2, 0.19, 0, 0, 0, 1},
                          far = {2, 0.21, 0, 0, 0, 1}; /* 1.5 times: 0.26 */
    struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &far);
    assert_int_equal(count(&b, 1), 2);
    b = few_triple(0.25, 0.75, 1, &inner, &near_);
    assert_int_equal(count(&b, 1), 1); /* a group of radius 0.26 */
    for (; b.n < 6; b.n++) {
        b.mass[b.n] = 1e-9;
        b.x[0][b.n] = 0.35 + 0.15 * (double)(b.n - 3);
        b.v[1][b.n] = (double)b.n;
    }
    assert_int_equal(count(&b, 1), 4);
}

/* The result does not depend on which body comes first along x: for a moment a
 * third body is on a narrow orbit about one member of a hard binary, but it
 * forms a group with both. */
static void
groups_are_the_same_in_any_direction(void **state)
{
    (void)state;
    const struct elements inner = {1, 1e-3, 0.2, 0.3, 1, 2},
                          outer = {2, 0.05, 0.3, 0.1, 0, 2};
    const struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &outer);
    const struct koshu_grouping how = {reach, 1, INFINITY, false};
    double radius = 0;
    for (int k = 0; k < 64; k++) {
        struct few_bodies turned = b;
        struct koshu_clump cluster[FEW];
        size_t next[FEW];
        const double c = cos(0.1 * k), s = sin(0.1 * k);
        for (size_t i = 0; i < 3; i++) {
            turned.x[0][i] = c * b.x[0][i] - s * b.x[1][i];
            turned.x[1][i] = s * b.x[0][i] + c * b.x[1][i];
            turned.v[0][i] = c * b.v[0][i] - s * b.v[1][i];
            turned.v[1][i] = s * b.v[0][i] + c * b.v[1][i];
        }
        assert_int_equal(find(&turned, &how, cluster, next), 1);
        if (k == 0) radius = cluster[0].radius;
        assert_near(cluster[0].radius / radius, 1, 1e-12);
    }
    assert_true(radius < 0.05);
}

/* A third body joins if its orbit is as narrow as a pair's must be and its
 * pericentre is within 50 radii of the binary, or else if the binary may be
 * slowed. */
static void
companions_of_a_binary_are_of_its_group(void **state)
{
    (void)state;
    const struct elements inner = {1, 0.002, 0, 0, 0, 1},
                          tight = {1, 0.0017, 0, 0, 0, 1},
                          tighter = {1, 0.0005, 0, 0, 0, 1},
                          round = {2, 0.09, 0, 0, 0, 1},
                          wide = {2, 0.11, 0.5, 0, 0, 1},
                          narrow = {2, 0.09, 0.8, 0, 0, M_PI};
    struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &round);
    assert_int_equal(count(&b, 1), 1);
    for (int d = 0; d < 3; d++) b.v[d][2] *= 2; /* passes by */
    assert_int_equal(count(&b, 1), 2);
    b = few_triple(0.25, 0.75, 1, &tight, &round);
    assert_int_equal(count(&b, 1), 2);
    assert_int_equal(count(&b, 1.3), 1); /* once it is a group */
    assert_int_equal(count_by(&b, 1, true), 1);
    b = few_triple(0.25, 0.75, 1, &inner, &wide);
    assert_int_equal(count(&b, 1), 2);
    assert_int_equal(count_by(&b, 1, true), 2);
    b = few_triple(0.25, 0.75, 1, &tighter, &narrow); /* 0.162 apart */
    assert_int_equal(count(&b, 1), 1);
}

/* Two binaries of equal bodies at rest, at distance r. */
static size_t
count_binaries(double first, double second, double r)
{
    struct few_bodies b = {.n = 4, .mass = {0.5, 0.5, 0.5, 0.5}};
    const struct elements orbit[2] = {{1, first, 0, 0, 0, 1},
                                      {1, second, 0, 1, 0, 2}};
    for (size_t k = 0; k < 4; k++) {
        double x[3], v[3];
        few_orbit(&orbit[k / 2], x, v);
        for (int d = 0; d < 3; d++) {
            b.x[d][k] = (k % 2 ? 0.5 : -0.5) * x[d];
            b.v[d][k] = (k % 2 ? 0.5 : -0.5) * v[d];
        }
        if (k >= 2) b.x[2][k] += r;
        if (k >= 2) b.v[2][k] += 100; /* they pass each other */
    }
    return count(&b, 1);
}

/* Beyond 16 radii a binary acts as a point on the bodies of the other. For a
 * hard binary beside a wide one its own radius counts. */
static void
binaries_are_one_by_the_smaller(void **state)
{
    (void)state;
    const double wide = 0.02, hard = 1e-3; /* the radii are semi-major axes */
    assert_int_equal(count_binaries(wide, wide, 0.15), 1);
    assert_int_equal(count_binaries(wide, hard, 0.15), 2);
    assert_int_equal(count_binaries(hard, wide, 0.05), 2);
    assert_int_equal(count_binaries(hard, hard, 17 * hard), 2);
    assert_int_equal(count_binaries(hard, hard, 15 * hard), 1);
}

/* A fourth body about a triple, on an orbit as narrow as a pair's. */
static void
hierarchies_are_one_group(void **state)
{
    (void)state;
    const struct elements inner = {1, 1e-4, 0, 0, 0, 1},
                          middle = {2, 3e-3, 0, 0.1, 0, 1},
                          narrow = {3, 0.09, 0, 0.2, 0, 1},
                          wide = {3, 0.11, 0, 0.2, 0, 1};
    struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &middle);
    double x[3], v[3];
    b.n = 4;
    b.mass[3] = 1;
    few_orbit(&narrow, x, v);
    for (int d = 0; d < 3; d++) {
        b.x[d][3] = 0.5 * b.x[d][2] + x[d];
        b.v[d][3] = 0.5 * b.v[d][2] + v[d];
    }
    assert_int_equal(count_by(&b, 1, true), 1);
    few_orbit(&wide, x, v);
    for (int d = 0; d < 3; d++) {
        b.x[d][3] = 0.5 * b.x[d][2] + x[d];
        b.v[d][3] = 0.5 * b.v[d][2] + v[d];
    }
    assert_int_equal(count_by(&b, 1, true), 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(near_bodies_and_hard_binaries_are_groups),
            cmocka_unit_test(groups_take_what_is_near_their_size),
            cmocka_unit_test(groups_do_not_draw_in_all_there_is),
            cmocka_unit_test(groups_are_the_same_in_any_direction),
            cmocka_unit_test(companions_of_a_binary_are_of_its_group),
            cmocka_unit_test(binaries_are_one_by_the_smaller),
            cmocka_unit_test(hierarchies_are_one_group),
            cmocka_unit_test(heavy_bodies_are_groups_further_off),
            cmocka_unit_test(groups_are_not_of_all_bodies),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
