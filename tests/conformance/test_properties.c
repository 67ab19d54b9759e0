/* SPDX-License-Identifier: MIT */
/* Properties that the force must have whatever its value is. */
#include <math.h>

#include "subject.h"
#include "system.h"

enum { N = 500 };

/* Particles on a grid of 2^-12 in the cube [-1, 1]^3: shifted by whole numbers,
 * their coordinates are still exact as floats. */
static struct system *
grid_system(double shift_x, double shift_y)
{
    struct system *s = system_create_self(N, N, 0, true);
    for (size_t j = 0; j < N; j++) {
        s->xj[j] = rint(s->xj[j] * 4096) / 4096 + shift_x;
        s->yj[j] = rint(s->yj[j] * 4096) / 4096 + shift_y;
        s->zj[j] = rint(s->zj[j] * 4096) / 4096;
    }
    system_match(s);
    return s;
}

static struct forces *
forces_of(const struct system *s, const struct variant *variant, double eps)
{
    struct koshu_force_options options = variant_options(variant, eps);
    return system_forces(subject_context(), s, &options);
}

/* Is sum m a zero, up to an error of tolerance * scale in each a? */
static bool
balanced(const struct system *s, const struct forces *f,
         const struct forces *scale, double tolerance)
{
    double total[3] = {0}, bound = 0;
    for (size_t i = 0; i < N; i++) {
        total[0] += s->mass[i] * f->ax[i];
        total[1] += s->mass[i] * f->ay[i];
        total[2] += s->mass[i] * f->az[i];
        bound += tolerance * s->mass[i] * scale->scale_a[i];
    }
    return fabs(total[0]) <= bound && fabs(total[1]) <= bound &&
           fabs(total[2]) <= bound;
}

static void
newtons_third_law(void **state)
{
    (void)state;
    struct system *s = grid_system(0, 0);
    struct forces *scale = system_definition(s, 0.02);
    for (int w = 0; w < N_VARIANTS; w++) {
        double tolerance = variants[w].tolerance;
        struct forces *f = forces_of(s, &variants[w], 0.02);
        assert_true(balanced(s, f, scale, tolerance));
        for (size_t i = 0; i < N; i++) /* a planted error */
            f->ay[i] += 2.5 * tolerance * scale->scale_a[i];
        assert_false(balanced(s, f, scale, tolerance));
        forces_destroy(f);
    }
    forces_destroy(scale);
    system_destroy(s);
}

/* Differences of the shifted coordinates are exact, so forces are
 * bit-identical. */
static void
translation_changes_no_bit(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *here = grid_system(0, 0), *there = grid_system(64, -32);
        struct forces *a = forces_of(here, &variants[w], 0.02);
        struct forces *b = forces_of(there, &variants[w], 0.02);
        assert_true(forces_identical(a, b));
        forces_destroy(a);
        forces_destroy(b);
        system_destroy(here);
        system_destroy(there);
    }
}

/* (x, y, z) -> (y, -x, z) is exact, but r^2 is summed in another order. */
static void
rotation_turns_the_force(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s = grid_system(0, 0);
        struct forces *a = forces_of(s, &variants[w], 0.02);
        struct forces *turned = system_definition(s, 0.02);
        for (size_t j = 0; j < N; j++) {
            double x = s->xj[j];
            s->xj[j] = s->yj[j];
            s->yj[j] = -x;
            turned->ax[j] = a->ay[j];
            turned->ay[j] = -a->ax[j];
            turned->az[j] = a->az[j];
            turned->potential[j] = a->potential[j];
        }
        system_match(s);
        struct forces *b = forces_of(s, &variants[w], 0.02);
        /* twice the tolerance: both have errors */
        assert_int_equal(
                forces_wrong(b, turned, true, 2 * variants[w].tolerance), 0);
        forces_destroy(a);
        forces_destroy(b);
        forces_destroy(turned);
        system_destroy(s);
    }
}

static void
doubled_masses_double_the_force(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s = grid_system(0, 0);
        struct forces *a = forces_of(s, &variants[w], 0.02);
        for (size_t j = 0; j < N; j++) s->mass[j] *= 2;
        struct forces *b = forces_of(s, &variants[w], 0.02);
        for (size_t i = 0; i < N; i++) {
            a->ax[i] *= 2;
            a->ay[i] *= 2;
            a->az[i] *= 2;
            a->potential[i] *= 2;
        }
        assert_true(forces_identical(a, b)); /* scaling by powers of two is
                                              * exact */
        forces_destroy(a);
        forces_destroy(b);
        system_destroy(s);
    }
}

/* Two particles of masses m and M - m act as one of mass M. */
static void
forces_of_parts_add_up(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++) {
        struct system *s = grid_system(0, 0);
        struct forces *whole = forces_of(s, &variants[w], 0.02);
        struct forces *scale = system_definition(s, 0.02);
        double mass[N];
        for (size_t j = 0; j < N; j++) {
            mass[j] = s->mass[j];
            s->mass[j] = (double)(j % 11) / 10 * mass[j];
        }
        struct forces *part = forces_of(s, &variants[w], 0.02);
        for (size_t j = 0; j < N; j++) s->mass[j] = mass[j] - s->mass[j];
        struct forces *rest = forces_of(s, &variants[w], 0.02);
        for (size_t i = 0; i < N; i++) {
            /* the bound covers three sums, each with an error */
            double bound = 3 * variants[w].tolerance * scale->scale_a[i];
            assert_near(part->ax[i] + rest->ax[i], whole->ax[i], bound);
            assert_near(part->az[i] + rest->az[i], whole->az[i], bound);
        }
        forces_destroy(scale);
        forces_destroy(whole);
        forces_destroy(part);
        forces_destroy(rest);
        system_destroy(s);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(newtons_third_law),
        cmocka_unit_test(translation_changes_no_bit),
        cmocka_unit_test(rotation_turns_the_force),
        cmocka_unit_test(doubled_masses_double_the_force),
        cmocka_unit_test(forces_of_parts_add_up),
};

SUBJECT_MAIN(tests)
