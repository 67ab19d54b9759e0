/* SPDX-License-Identifier: MIT */
/* Halos whose cores are close together. */
#include "analysis/analysis.h"
#include "base/base.h"
#include "fixture.h"

enum { N = 5 };
static const double box = 20;

/* Spheres on a line along x, across the edge of the box: 0 contains 1, 1
 * contains 2, which 0 does not, and 3 touches 0; 4 has no sphere. */
static struct koshu_fof_group core[N] = {{.minimum = {19.5, 1, 1}},
                                         {.minimum = {0.9, 1, 1}},
                                         {.minimum = {2, 1, 1}},
                                         {.minimum = {17, 1, 1}},
                                         {.minimum = {10, 1, 1}}};
static struct koshu_fof_sphere sphere[N] = {
        {9, 1.5}, {8, 1.4}, {2, 0.8}, {7, 1.3}, {0, 0}};

static void
check(size_t expected, const double mass[])
{
    struct koshu_friend_groups cores = {
            .n = N, .group = core, .sphere = {sphere}};
    struct koshu_fof_sphere *halo;
    size_t n;
    assert_ok(context, koshu_halos_of_cores(context, &cores, box, &halo, &n));
    assert_int_equal(n, expected);
    for (size_t k = 0; k < n; k++) assert_true(halo[k].mass == mass[k]);
    koshu_free(halo);
}

static void
test_no_centre_is_in_a_heavier_halo(void **state)
{
    (void)state;
    check(3, (double[]){9, 7, 2});
}

/* Sphere 0 is now too small to contain 1, which becomes a halo and takes 2. */
static void
test_what_is_in_no_halo_is_one(void **state)
{
    (void)state;
    sphere[0].radius = 1.3;
    check(3, (double[]){9, 8, 7});
    sphere[0].radius = 1.5;
}

static void
test_of_no_cores_there_are_none(void **state)
{
    (void)state;
    const struct koshu_friend_groups none = {0};
    struct koshu_fof_sphere *halo;
    size_t n = 1;
    assert_ok(context, koshu_halos_of_cores(context, &none, box, &halo, &n));
    assert_int_equal(n, 0);
    koshu_free(halo);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_no_centre_is_in_a_heavier_halo),
            cmocka_unit_test(test_what_is_in_no_halo_is_one),
            cmocka_unit_test(test_of_no_cores_there_are_none),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
