/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "fields/fields.h"
#include "fixture.h"

static void
test_frequencies_are_symmetric(void **state)
{
    (void)state;
    long even[] = {0, 1, 2, -1}, odd[] = {0, 1, 2, -2, -1};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(koshu_mesh_frequency(4, i), even[i]);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(koshu_mesh_frequency(5, i), odd[i]);
    assert_int_equal(koshu_mesh_frequency(1, 0), 0);
}

static void
test_multiplicities_count_all_waves(void **state)
{
    (void)state;
    for (size_t n = 1; n < 12; n++) {
        struct koshu_mesh mesh = koshu_mesh_cube(n, 1);
        size_t sum = 0;
        for (size_t l = 0; l < koshu_mesh_waves(&mesh); l++)
            sum += (size_t)koshu_mesh_multiplicity(&mesh, l);
        assert_int_equal(sum, n);
    }
}

static void
test_rows_have_all_waves(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++) {
        struct koshu_mesh mesh = koshu_mesh_cube(n, 1);
        assert_true(koshu_mesh_row(&mesh) >= koshu_mesh_waves(&mesh));
        assert_true(2 * koshu_mesh_row(&mesh) >= n);
        assert_int_equal(koshu_mesh_row(&mesh) % 8, 0);
    }
}

static void
test_wave_numbers_are_of_each_edge(void **state)
{
    (void)state;
    struct koshu_mesh mesh = {{4, 4, 4}, {1, 2, 4}};
    const double pi = acos(-1);
    assert_float_equal(koshu_mesh_wave_number(&mesh, 0, 3), -2 * pi, 1e-14);
    assert_float_equal(koshu_mesh_wave_number(&mesh, 1, 1), pi, 1e-14);
    assert_float_equal(koshu_mesh_wave_number(&mesh, 2, 1), pi / 2, 1e-14);
}

static void
test_bad_grids_are_refused(void **state)
{
    (void)state;
    struct koshu_mesh bad[] = {koshu_mesh_cube(0, 1), koshu_mesh_cube(4, 0),
                               koshu_mesh_cube(4, NAN),
                               koshu_mesh_cube(KOSHU_MESH_MAX + 1, 1)};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(koshu_mesh_check(context, &bad[k]),
                         KOSHU_ERROR_INVALID_ARGUMENT);
    assert_int_equal(koshu_mesh_check(context, NULL),
                     KOSHU_ERROR_INVALID_ARGUMENT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_frequencies_are_symmetric),
            cmocka_unit_test(test_multiplicities_count_all_waves),
            cmocka_unit_test(test_rows_have_all_waves),
            cmocka_unit_test(test_wave_numbers_are_of_each_edge),
            cmocka_unit_test(test_bad_grids_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
