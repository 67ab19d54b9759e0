/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "places.h"
#include "tree/tree.h"

static const struct koshu_tree_box unit = {{0, 0, 0}, 1};

static uint64_t
key_of(const struct koshu_tree_box *box, enum koshu_space_filling_curve curve,
       double x, double y, double z)
{
    uint64_t key;
    koshu_tree_keys(box, curve, 1, &x, &y, &z, 1, &key);
    return key;
}

static void
the_box_is_the_smallest_cube(void **state)
{
    (void)state;
    const double x[] = {3, -1, 2}, y[] = {5, 5, 7}, z[] = {-9, -8, -9};
    struct koshu_tree_box box;
    assert_int_equal(koshu_tree_box_of(3, x, y, z, 2, &box), KOSHU_OK);
    assert_true(box.corner[0] == -1 && box.corner[1] == 5 &&
                box.corner[2] == -9 && box.side == 4);
    assert_int_equal(koshu_tree_box_of(1, x, y, z, 1, &box), KOSHU_OK);
    assert_true(box.corner[0] == 3 && box.side == 0);
}

static void
places_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    const double good[] = {1, 2}, bad[][2] = {
                                          {1, NAN},
                                          {INFINITY, 1},
                                          {-INFINITY, INFINITY},
                                          {-1.5e308, 1.5e308},
                                  };
    struct koshu_tree_box box;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(koshu_tree_box_of(2, bad[k], good, good, 1, &box),
                         KOSHU_ERROR_NOT_FINITE);
        assert_int_equal(koshu_tree_box_of(2, good, good, bad[k], 2, &box),
                         KOSHU_ERROR_NOT_FINITE);
    }
}

/* Bits x y z, from the top, by hand. */
static void
morton_keys_interleave_coordinates(void **state)
{
    (void)state;
    assert_int_equal(key_of(&unit, KOSHU_SPACE_FILLING_CURVE_MORTON, 0, 0, 0),
                     0);
    assert_true(key_of(&unit, KOSHU_SPACE_FILLING_CURVE_MORTON, 1, 1, 1) ==
                (UINT64_C(1) << 63) - 1);
    assert_true(key_of(&unit, KOSHU_SPACE_FILLING_CURVE_MORTON, 0.5, 0, 0) ==
                UINT64_C(4) << 60);
    assert_true(key_of(&unit, KOSHU_SPACE_FILLING_CURVE_MORTON, 0, 0.25,
                       0.75) == (UINT64_C(1) << 60 | UINT64_C(3) << 57));
    assert_true(key_of(&unit, KOSHU_SPACE_FILLING_CURVE_MORTON, 0x1p-21,
                       0x1p-20, 0x1p-21) == (UINT64_C(5) | UINT64_C(2) << 3));
}

/* The keys of all 16^3 cells of a grid differ, and cells with consecutive keys
 * share a face, which is the purpose of the curve. */
static void
hilbert_keys_lead_from_neighbour_to_neighbour(void **state)
{
    (void)state;
    enum { SIDE = 16, CELLS = SIDE * SIDE * SIDE };
    int at[CELLS][3], seen[CELLS] = {0};
    for (int c = 0; c < CELLS; c++) {
        int k[3] = {c / SIDE / SIDE, c / SIDE % SIDE, c % SIDE};
        uint64_t key = key_of(&unit, KOSHU_SPACE_FILLING_CURVE_HILBERT,
                              (k[0] + 0.5) / SIDE, (k[1] + 0.5) / SIDE,
                              (k[2] + 0.5) / SIDE);
        size_t place = key >> (KOSHU_KEY_LENGTH - 12);
        assert_true(place < CELLS && !seen[place]);
        seen[place] = 1;
        for (int a = 0; a < 3; a++) at[place][a] = k[a];
    }
    for (int c = 1; c < CELLS; c++) {
        int steps = 0;
        for (int a = 0; a < 3; a++) steps += abs(at[c][a] - at[c - 1][a]);
        assert_int_equal(steps, 1);
    }
}

static void
a_box_without_extent_has_keys_of_zero(void **state)
{
    (void)state;
    const struct koshu_tree_box point = {{2, 3, 4}, 0};
    const struct koshu_tree_box tiny = {{0, 0, 0}, 1e-310};
    assert_int_equal(key_of(&point, KOSHU_SPACE_FILLING_CURVE_HILBERT, 2, 3, 4),
                     0);
    assert_int_equal(
            key_of(&tiny, KOSHU_SPACE_FILLING_CURVE_MORTON, 1e-310, 0, 0), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_box_is_the_smallest_cube),
            cmocka_unit_test(places_that_are_no_numbers_are_refused),
            cmocka_unit_test(morton_keys_interleave_coordinates),
            cmocka_unit_test(hilbert_keys_lead_from_neighbour_to_neighbour),
            cmocka_unit_test(a_box_without_extent_has_keys_of_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
