/* SPDX-License-Identifier: MIT */
/* Many i-sets, each with its own j-set; threads; repeated calls. */
#include <stdlib.h>

#include "subject.h"
#include "system.h"

enum { N_SETS = 120 };

/* Sizes as tree walks have them; every tenth set has no i-particles, every
 * seventh no j-particles. */
static struct system *
walks(bool rounded)
{
    size_t n_i[N_SETS], n_j[N_SETS];
    uint64_t state = 3;
    for (size_t s = 0; s < N_SETS; s++) {
        n_i[s] = s % 10 == 4 ? 0 : 1 + (size_t)(60 * uniform(&state));
        n_j[s] = s % 7 == 2 ? 0 : 1 + (size_t)(700 * uniform(&state));
    }
    n_j[N_SETS - 1] = 9000;
    return system_create_sets(N_SETS, n_i, n_j, rounded);
}

static void
every_set_has_its_own_j_particles(void **state)
{
    (void)state;
    for (int w = 0; w < N_VARIANTS; w++)
        for (int e = 0; e < 2; e++) {
            double eps = e ? 0.01 : 0;
            struct system *s =
                    walks(variants[w].precision == KOSHU_PRECISION_SINGLE);
            struct forces *expected = system_definition(s, eps);
            struct koshu_force_options options =
                    variant_options(&variants[w], eps);
            struct forces *f = system_forces(subject_context(), s, &options);
            assert_int_equal(
                    forces_wrong(f, expected, true, variants[w].tolerance), 0);
            forces_destroy(f);
            forces_destroy(expected);
            system_destroy(s);
        }
}

static void
sets_without_particles(void **state)
{
    (void)state;
    static const size_t none[3] = {0, 0, 0}, some[3] = {2, 0, 1};
    struct koshu_force_options options = variant_options(&variants[0], 0.1);
    struct system *s = system_create_sets(3, none, some, true);
    forces_destroy(system_forces(subject_context(), s, &options));
    system_destroy(s);

    s = system_create_sets(0, none, some, true);
    forces_destroy(system_forces(subject_context(), s, &options));
    system_destroy(s);

    s = system_create_sets(3, some, none, true);
    struct forces *f = system_forces(subject_context(), s, &options);
    for (size_t i = 0; i < 3; i++)
        assert_true(f->ax[i] == 0 && f->potential[i] == 0);
    forces_destroy(f);
    system_destroy(s);
}

/* A backend keeps its buffers between calls: a large call follows a small one,
 * and then a small one again. */
static void
calls_of_changing_size(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{2, 3}, {700, 900}, {1, 30000}, {5, 5}};
    struct koshu_force_options options = variant_options(&variants[2], 0.1);
    for (int k = 0; k < 4; k++) {
        struct system *s = system_create(sizes[k][0], sizes[k][1], 0, false);
        struct forces *expected = system_definition(s, 0.1);
        struct forces *f = system_forces(subject_context(), s, &options);
        assert_int_equal(forces_wrong(f, expected, true, variants[2].tolerance),
                         0);
        forces_destroy(f);
        forces_destroy(expected);
        system_destroy(s);
    }
}

/* Shapes that backends split in different ways. */
static struct system *
shape(int k, bool rounded)
{
    switch (k) {
    case 0: return system_create_self(1000, 1000, 0, rounded);
    case 1: return system_create_self(5, 40000, 0, rounded);
    case 2: return system_create(3000, 50, 0, rounded);
    default: return walks(rounded);
    }
}

static void
same_bits_with_any_number_of_threads_and_again(void **state)
{
    (void)state;
    static const int threads[] = {1, 3, 7};
    for (int w = 0; w < N_VARIANTS; w++)
        for (int k = 0; k < 4; k++) {
            struct system *s =
                    shape(k, variants[w].precision == KOSHU_PRECISION_SINGLE);
            struct koshu_force_options options =
                    variant_options(&variants[w], 0.01);
            struct forces *two = system_forces(subject_context(), s, &options);
            struct forces *again =
                    system_forces(subject_context(), s, &options);
            assert_true(forces_identical(two, again));
            for (int t = 0; t < 3; t++) {
                struct koshu_context *c = subject_context_with(threads[t]);
                struct forces *f = system_forces(c, s, &options);
                assert_true(forces_identical(two, f));
                forces_destroy(f);
                koshu_context_destroy(c);
            }
            /* the comparison must notice one bit */
            again->az[0] *= 1 + 0x1p-52;
            assert_false(forces_identical(two, again));
            forces_destroy(two);
            forces_destroy(again);
            system_destroy(s);
        }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_has_its_own_j_particles),
        cmocka_unit_test(sets_without_particles),
        cmocka_unit_test(calls_of_changing_size),
        cmocka_unit_test(same_bits_with_any_number_of_threads_and_again),
};

SUBJECT_MAIN(tests)
