/* SPDX-License-Identifier: MIT */
/* Distances of points from boxes, with and without images. Numbers are sums of
 * few powers of two, so that distances are exact. */
#include "check.h"
#include "kernels/box_distance.h"

/* In a box of edge 1 the nearest image may be on the other side. */
static void
interval(void **state)
{
    (void)state;
    static const struct {
        double x, low, high, edge, distance;
    } cases[] = {{0.25, 0.5, 0.75, 0, 0.25}, {0.5, 0.5, 0.75, 0, 0},
                 {0.625, 0.5, 0.75, 0, 0},   {1, 0.5, 0.75, 0, 0.25},
                 {0.875, 0, 0.25, 0, 0.625}, {0.875, 0, 0.25, 1, 0.125},
                 {0.125, 0.75, 1, 1, 0.125}, {0.125, 0, 0.25, 1, 0},
                 {0.375, 0, 0.25, 1, 0.125}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_true(koshu_interval_distance(cases[k].x, cases[k].low,
                                            cases[k].high, cases[k].edge) ==
                    cases[k].distance);
}

static void
box(void **state)
{
    (void)state;
    const double low[3] = {0, 0, 0}, high[3] = {0.25, 0.25, 0.25},
                 x[3] = {0.125, 0.5, 0.875};
    /* without images 1/4 along y and 5/8 along z; with them 1/8 along z */
    assert_true(koshu_box_distance2(x, low, high, 0) == 0.0625 + 0.390625);
    assert_true(koshu_box_distance2(x, low, high, 1) == 0.0625 + 0.015625);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(interval),
                                       cmocka_unit_test(box)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
