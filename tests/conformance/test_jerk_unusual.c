/* SPDX-License-Identifier: MIT */
/* Sums of a j-particle store: unusual particles and softenings. */
#include <string.h>

#include "cluster.h"
#include "rows.h"
#include "subject.h"
#include "system.h"
#include "jerk_sums.h"

/* Several j-particles at the place of an i-particle: no acceleration, potential
 * -m / eps and jerk m w / eps^3, or none of these where eps = 0. */
static void
coincident_particles(void **state)
{
    (void)state;
    static const double eps[] = {0, 0.1, 1e-8, 1e-15};
    struct cluster *c = cluster_create_self(70, 90, 0);
    for (size_t j = 20; j < 70; j += 7)
        memcpy(c->j[j].x, c->j[3].x, sizeof c->j[j].x);
    cluster_match(c);
    expect_all(c, 4, eps);
    cluster_destroy(c);
}

/* Two particles that move together, with a softening whose cube underflows a
 * double: the jerk is zero. */
static void
companions_almost_without_softening(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(20, 30, 0);
    memcpy(c->j[25].x, c->j[3].x, sizeof c->j[25].x);
    memcpy(c->j[25].v, c->j[3].v, sizeof c->j[25].v);
    cluster_match(c);
    c->eps = 1e-120;
    for (int w = 0; w < N_PRECISIONS; w++)
        if (variants[w].precision == KOSHU_PRECISION_DOUBLE)
            expect(c, &variants[w]);
    cluster_destroy(c);
}

/* Particles on a line parallel to an axis: two of their coordinates agree. */
static void
particles_on_a_line(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        struct cluster *c = cluster_create_self(40, 40, 0);
        for (size_t j = 0; j < 40; j++)
            for (int k = 0; k < 3; k++)
                if (k != axis) c->j[j].x[k] = 0.25;
        cluster_match(c);
        expect_all(c, N_USUAL, usual);
        cluster_destroy(c);
    }
}

static void
one_heavy_particle(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(200, 200, 0);
    c->j[77].mass = 1e6;
    expect_all(c, N_USUAL, usual);
    cluster_destroy(c);
}

static void
massless_particles(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(100, 100, 0);
    for (size_t j = 0; j < 100; j += 2) c->j[j].mass = 0;
    expect_all(c, N_USUAL, usual);
    for (size_t j = 0; j < 100; j++) c->j[j].mass = 0;
    expect_all(c, N_USUAL, usual); /* tolerance 0: exactly 0, but neighbours are
                                    * still found */
    cluster_destroy(c);
}

/* Particles 1e4 lengths away from the origin. */
static void
far_off_centre(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(150, 150, 1e4);
    expect_all(c, 1, usual);
    cluster_destroy(c);
}

/* Close pairs keep their digits in mixed precision: 1e-6 apart at x = 1. */
static void
close_pairs_in_mixed_precision(void **state)
{
    (void)state;
    static const double eps[] = {0, 1e-6};
    struct cluster *c = cluster_create_self(100, 100, 0);
    for (size_t j = 0; j < 100; j += 2) {
        c->j[j + 1].x[0] = c->j[j].x[0] + 1.1e-6;
        c->j[j + 1].x[1] = c->j[j].x[1] - 0.3e-6;
        c->j[j + 1].x[2] = c->j[j].x[2] + 0.7e-6;
    }
    cluster_match(c);
    for (int e = 0; e < 2; e++) {
        c->eps = eps[e];
        expect(c, &variants[1]);
    }
    cluster_destroy(c);
}

static void
softenings_out_of_range(void **state)
{
    (void)state;
    static const double eps[] = {1e-40, 1e20};
    struct cluster *c = cluster_create_self(3, 3, 0);
    for (int w = 0; w < N_PRECISIONS; w++)
        for (int e = 0; e < 2; e++) {
            struct koshu_j_store *memory =
                    cluster_memory(subject_context(), c, variants[w].precision);
            const struct koshu_j_store_start_options options = {
                    .size = sizeof options, .softening = eps[e]};
            koshu_status status = rows_start(memory, &options, 3, 3, c->i);
            if (variants[w].precision == KOSHU_PRECISION_DOUBLE)
                assert_int_equal(status, KOSHU_OK);
            else if (status != KOSHU_OK)
                assert_int_equal(status, KOSHU_ERROR_UNSUPPORTED);
            koshu_j_store_destroy(memory);
        }
    cluster_destroy(c);
}

/* Units do not matter: cgs, parsec and solar masses, atomic. */
static void
in_any_units(void **state)
{
    (void)state;
    static const double units[][3] = {{1e-30, 1, 1},      {1e-13, 1e10, 1e-4},
                                      {1e13, 1e6, 2e33},  {3e18, 1, 2e33},
                                      {1e20, 1e7, 1e-20}, {1e30, 1e-20, 1e30}};
    for (int u = 0; u < 6; u++) {
        struct cluster *c = cluster_create_self(60, 700, 0);
        for (size_t j = 0; j < 700; j++) {
            for (int k = 0; k < 3; k++) c->j[j].x[k] *= units[u][0];
            for (int k = 0; k < 3; k++) c->j[j].v[k] *= units[u][1];
            c->j[j].mass *= units[u][2];
        }
        cluster_match(c);
        const double eps[] = {0, 0.05 * units[u][0]};
        expect_all(c, 2, eps);
        cluster_destroy(c);
    }
}

/* Some codes remove a particle by setting its mass to zero and moving it far
 * away. */
static void
massless_and_far_away(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(60, 700, 0);
    for (size_t j = 100; j < 700; j += 50) {
        c->j[j].mass = 0;
        c->j[j].x[j % 3] = j % 4 ? 1e22 : -1e30;
    }
    expect_all(c, N_USUAL, usual);
    cluster_destroy(c);
}

/* With extreme numbers a sum is right or fails. */
static void
from_very_near_to_very_far(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(60, 700, 0);
    for (int k = 0; k < 3; k++) c->j[699].x[k] = 1e25;
    c->eps = 0;
    for (int w = 0; w < N_PRECISIONS; w++) {
        const struct koshu_j_store_start_options options = {sizeof options,
                                                            c->eps, c->nearest};
        struct koshu_j_store *memory =
                cluster_memory(subject_context(), c, variants[w].precision);
        koshu_status status =
                rows_start(memory, &options, c->n_j, c->n_i, c->i);
        koshu_j_store_destroy(memory);
        if (variants[w].precision == KOSHU_PRECISION_DOUBLE)
            assert_int_equal(status, 0);
        if (status == KOSHU_OK)
            expect(c, &variants[w]);
        else
            assert_int_equal(status, KOSHU_ERROR_UNSUPPORTED);
    }
    cluster_destroy(c);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(coincident_particles),
        cmocka_unit_test(companions_almost_without_softening),
        cmocka_unit_test(particles_on_a_line),
        cmocka_unit_test(one_heavy_particle),
        cmocka_unit_test(massless_particles),
        cmocka_unit_test(far_off_centre),
        cmocka_unit_test(close_pairs_in_mixed_precision),
        cmocka_unit_test(softenings_out_of_range),
        cmocka_unit_test(in_any_units),
        cmocka_unit_test(massless_and_far_away),
        cmocka_unit_test(from_very_near_to_very_far),
};

SUBJECT_MAIN(tests)
