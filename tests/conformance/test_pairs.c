/* SPDX-License-Identifier: MIT */
/* One i-set against one j-set: sizes, softenings, and unusual particles. */
#include <math.h>
#include <string.h>

#include "subject.h"
#include "system.h"

/* Compares the backend in one variant with the definition. */
static void
expect_definition(const struct system *s, const struct variant *variant,
                  double eps)
{
    struct forces *expected = system_definition(s, eps);
    for (int potential = 0; potential < 2; potential++) {
        struct koshu_force_options options = variant_options(variant, eps);
        struct forces *f =
                potential
                        ? system_forces(subject_context(), s, &options)
                        : system_accelerations(subject_context(), s, &options);
        size_t wrong = forces_wrong(f, expected, potential, variant->tolerance);
        if (wrong)
            fail_msg("%s, n_i = %zu, n_j = %zu, eps = %g, %s potential: "
                     "%zu components are wrong",
                     variant->name, s->n_i, s->n_j, eps,
                     potential ? "with" : "without", wrong);
        forces_destroy(f);
    }
    forces_destroy(expected);
}

static bool
rounded(const struct variant *variant)
{
    return variant->precision == KOSHU_PRECISION_SINGLE;
}

/* Sizes around multiples of vectors, tiles and groups, and far from them. */
static void
any_sizes(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {
            {1, 1},    {1, 2},   {2, 2},     {3, 3},     {5, 17},
            {16, 16},  {33, 31}, {7, 1000},  {1000, 7},  {65, 129},
            {64, 512}, {2, 513}, {515, 511}, {130, 1025}};
    for (int w = 0; w < N_VARIANTS; w++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            struct system *s = system_create(sizes[k][0], sizes[k][1], 0,
                                             rounded(&variants[w]));
            expect_definition(s, &variants[w], 0.05);
            expect_definition(s, &variants[w], 0);
            system_destroy(s);
        }
}

static void
no_j_particles_give_zero(void **state)
{
    (void)state;
    struct system *s = system_create(5, 0, 0, true);
    struct koshu_force_options options = variant_options(&variants[0], 0.1);
    struct forces *f = system_forces(subject_context(), s, &options);
    for (size_t i = 0; i < 5; i++)
        assert_true(f->ax[i] == 0 && f->ay[i] == 0 && f->az[i] == 0 &&
                    f->potential[i] == 0);
    forces_destroy(f);
    system_destroy(s);
}

/* So many j-particles that they are split into chunks for the threads. */
static void
few_i_particles_and_many_j_particles(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s =
                system_create_self(3, 20001, 0, rounded(&variants[w]));
        s->self[2] = 20000;
        system_match(s);
        expect_definition(s, &variants[w], 0.01);
        system_destroy(s);
    }
}

static void
the_pair_with_itself_is_left_out(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 50, 601};
    /* With the smallest, m / eps is so large that adding it and subtracting it
     * again would lose the potential. */
    static const double eps[] = {0, 0.1, 1e-5, 1e-10, 1e-20};
    for (int w = 0; w < N_VARIANTS; w++)
        for (int k = 0; k < 5; k++)
            for (int e = 0; e < 5; e++) {
                struct system *s = system_create_self(sizes[k], sizes[k], 0,
                                                      rounded(&variants[w]));
                expect_definition(s, &variants[w], eps[e]);
                system_destroy(s);
            }
}

static void
self_need_not_be_in_order(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s =
                system_create_self(300, 1500, 0, rounded(&variants[w]));
        for (size_t i = 0; i < 300; i++)
            s->self[i] =
                    i % 5 == 0 ? KOSHU_NO_ID : (int64_t)((i * 7919) % 1500);
        system_match(s);
        expect_definition(s, &variants[w], 0);
        expect_definition(s, &variants[w], 1e-7);
        system_destroy(s);
    }
}

/* A particle that is left out may hold anything, NaN included. There are so
 * many j-particles that it is among those the backend samples. */
static void
what_is_left_out_may_be_anything(void **state)
{
    (void)state;
    static const double what[] = {NAN, INFINITY, -INFINITY, 1e300};
    static const size_t who[] = {700, 17, 1022, 0};
    static const size_t n[] = {701, 1023, 1023, 1};
    for (int w = 0; w < N_VARIANTS; w++)
        for (int k = 0; k < 16; k++) {
            struct system *s =
                    system_create(70, n[k % 4], 0, rounded(&variants[w]));
            const size_t it = who[k % 4] % n[k % 4];
            for (size_t i = 0; i < 70; i++) s->self[i] = it;
            s->xj[it] = s->yj[it] = what[k / 4];
            s->mass[it] = what[(k + 1) % 3];
            expect_definition(s, &variants[w], 0.05);
            expect_definition(s, &variants[w], 0);
            system_destroy(s);
        }
}

/* Several j-particles at the place of an i-particle: no force, and a potential
 * of -m / eps, or 0 where eps = 0. */
static void
coincident_particles(void **state)
{
    (void)state;
    static const double eps[] = {0, 0.1, 1e-8, 1e-15};
    for (int w = 0; w < N_VARIANTS; w++)
        for (int e = 0; e < 4; e++) {
            struct system *s =
                    system_create_self(70, 90, 0, rounded(&variants[w]));
            for (size_t j = 20; j < 70; j += 7) {
                s->xj[j] = s->xj[3];
                s->yj[j] = s->yj[3];
                s->zj[j] = s->zj[3];
            }
            system_match(s);
            expect_definition(s, &variants[w], eps[e]);
            system_destroy(s);
        }
}

/* Softenings whose cube underflows a double while eps^2 does not. */
static void
coincident_particles_almost_without_softening(void **state)
{
    (void)state;
    static const double eps[] = {1e-110, 1e-150};
    for (int w = 0; w < N_VARIANTS; w++)
        for (int e = 0;
             e < 2 && variants[w].precision == KOSHU_PRECISION_DOUBLE; e++) {
            struct system *s = system_create_self(20, 30, 0, false);
            s->xj[25] = s->xj[3];
            s->yj[25] = s->yj[3];
            s->zj[25] = s->zj[3];
            system_match(s);
            expect_definition(s, &variants[w], eps[e]);
            system_destroy(s);
        }
}

/* Particles that agree in one or two coordinates and differ in the third. */
static void
particles_on_a_line(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++)
        for (int axis = 0; axis < 3; axis++) {
            struct system *s =
                    system_create_self(40, 40, 0, rounded(&variants[w]));
            double *const all[] = {s->xj, s->yj, s->zj};
            for (size_t j = 0; j < 40; j++)
                for (int k = 0; k < 3; k++)
                    if (k != axis) all[k][j] = 0.25;
            system_match(s);
            expect_definition(s, &variants[w], 0);
            system_destroy(s);
        }
}

static void
one_heavy_particle(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s =
                system_create_self(200, 200, 0, rounded(&variants[w]));
        s->mass[77] = 1e6;
        expect_definition(s, &variants[w], 0.01);
        expect_definition(s, &variants[w], 0);
        system_destroy(s);
    }
}

static void
massless_particles(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s =
                system_create_self(100, 100, 0, rounded(&variants[w]));
        for (size_t j = 0; j < 100; j += 2) s->mass[j] = 0;
        expect_definition(s, &variants[w], 0);
        for (size_t j = 0; j < 100; j++) s->mass[j] = 0;
        expect_definition(s, &variants[w], 0); /* tolerance 0: exactly 0 */
        expect_definition(s, &variants[w], 0.1);
        system_destroy(s);
    }
}

/* 1e4 lengths away from the origin, where a float has three decimals left:
 * single gets the rounded positions, mixed and double the exact ones. */
static void
far_off_centre(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s =
                system_create_self(150, 150, 1e4, rounded(&variants[w]));
        expect_definition(s, &variants[w], 0.05);
        system_destroy(s);
    }
}

/* Close pairs keep their digits in mixed precision: 1e-6 apart at x = 1. */
static void
close_pairs_in_mixed_precision(void **state)
{
    (void)state;
    struct system *s = system_create_self(100, 100, 0, false);
    for (size_t j = 0; j < 100; j += 2) {
        s->xj[j + 1] = s->xj[j] + 1.1e-6;
        s->yj[j + 1] = s->yj[j] - 0.3e-6;
        s->zj[j + 1] = s->zj[j] + 0.7e-6;
    }
    system_match(s);
    expect_definition(s, &variants[1], 0);
    expect_definition(s, &variants[1], 1e-6);
    system_destroy(s);
}

static void
the_comparison_finds_planted_errors(void **state)
{
    (void)state;
    struct system *s = system_create_self(10, 10, 0, true);
    struct forces *expected = system_definition(s, 0.1);
    struct koshu_force_options options = variant_options(&variants[0], 0.1);
    struct forces *f = system_forces(subject_context(), s, &options);
    assert_int_equal(forces_wrong(f, expected, true, 1e-6), 0);
    f->ay[4] += 2e-6 * expected->scale_a[4];
    f->potential[9] *= 1 + 2e-6;
    assert_int_equal(forces_wrong(f, expected, true, 1e-6), 2);
    f->az[0] = NAN;
    assert_int_equal(forces_wrong(f, expected, true, 1e-6), 3);
    assert_int_equal(forces_wrong(f, expected, false, 1e-6), 2 + 10);
    forces_destroy(f);

    s->self[3] = KOSHU_NO_ID; /* it now counts itself */
    f = system_forces(subject_context(), s, &options);
    assert_int_equal(forces_wrong(f, expected, true, 1e-6), 1);
    forces_destroy(f);
    forces_destroy(expected);
    system_destroy(s);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_sizes),
        cmocka_unit_test(no_j_particles_give_zero),
        cmocka_unit_test(few_i_particles_and_many_j_particles),
        cmocka_unit_test(the_pair_with_itself_is_left_out),
        cmocka_unit_test(self_need_not_be_in_order),
        cmocka_unit_test(what_is_left_out_may_be_anything),
        cmocka_unit_test(coincident_particles),
        cmocka_unit_test(coincident_particles_almost_without_softening),
        cmocka_unit_test(particles_on_a_line),
        cmocka_unit_test(one_heavy_particle),
        cmocka_unit_test(massless_particles),
        cmocka_unit_test(far_off_centre),
        cmocka_unit_test(close_pairs_in_mixed_precision),
        cmocka_unit_test(the_comparison_finds_planted_errors),
};

SUBJECT_MAIN(tests)
