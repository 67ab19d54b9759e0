/* SPDX-License-Identifier: MIT */
/* Miki13's model: its terms by hand, and recovering known constants. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "performance/performance.h"

enum { POINTS = 12, HALF = POINTS / 2 };

static const double calc[2] = {20e-9, 7e-9}, latency[2] = {3e-6, 8e-6},
                    launch = 2e-6;

/* Half of the points come from one kernel, half from another. */
static void
make_points(struct koshu_model_point *points)
{
    for (size_t k = 0; k < POINTS; k++) {
        int which = k >= HALF;
        struct koshu_force_shape s = {.units = 10,
                                      .lanes = 4,
                                      .at_once = 2,
                                      .blocks = 10 * (k + 1) - 3,
                                      .tiles = 5 + (double)k,
                                      .evaluations = 100,
                                      .both = 1,
                                      .launches = 2 + k};
        snprintf(s.kernel, sizeof s.kernel, "%d", which);
        /* eq. 4: the busiest unit has k + 1 blocks, in pairs */
        double work = (double)(k + 1) * s.tiles * s.evaluations / 4;
        double groups = (double)(k / 2 + 1);
        points[k] = (struct koshu_model_point){
                .n = k,
                .shape = s,
                .seconds = calc[which] * work + 2 * groups * latency[which] +
                           launch * (double)s.launches};
    }
}

static void
constants_come_back(void **state)
{
    (void)state;
    struct koshu_model_point points[POINTS];
    struct koshu_time_model model;
    make_points(points);
    assert_int_equal(koshu_model_fit(points, POINTS, launch, &model), KOSHU_OK);
    assert_int_equal(model.n_kernels, 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(model.kernels[k].points, HALF);
        /* two parameters from six points: some dozens of roundings */
        assert_near(model.kernels[k].calc / calc[k], 1, 1e-10);
        assert_near(model.kernels[k].latency / latency[k], 1, 1e-10);
    }
    assert_near(model.largest, 0, 1e-10);
    for (int k = 0; k < POINTS; k++)
        assert_near(koshu_model_predict(&model, &points[k].shape) /
                            points[k].seconds,
                    1, 1e-10);
}

/* A point that does not fit the model is noticed. */
static void
a_deviation_is_seen(void **state)
{
    (void)state;
    struct koshu_model_point points[POINTS];
    struct koshu_time_model model;
    make_points(points);
    points[3].seconds *= 1.5;
    assert_int_equal(koshu_model_fit(points, POINTS, launch, &model), KOSHU_OK);
    assert_true(model.largest > 0.05);
}

/* One block more than fits makes another wave. */
static void
waves_are_whole(void **state)
{
    (void)state;
    struct koshu_time_model model = {.n_kernels = 1,
                                     .kernels = {{.name = "k", .calc = 1}}};
    struct koshu_force_shape s = {.kernel = "k",
                                  .units = 132,
                                  .lanes = 128,
                                  .at_once = 8,
                                  .blocks = 132,
                                  .tiles = 3,
                                  .evaluations = 128,
                                  .launches = 1};
    assert_near(koshu_model_predict(&model, &s), 3, 0);
    s.blocks = 133;
    assert_near(koshu_model_predict(&model, &s), 6, 0);
    model.kernels[0].latency = 1;
    assert_near(koshu_model_predict(&model, &s), 6 + 2, 0);
    s.blocks = 132 * 8 + 1;
    assert_near(koshu_model_predict(&model, &s), 27 + 4, 0);
    model.launch = 0.5;
    assert_near(koshu_model_predict(&model, &s), 27 + 4 + 0.5, 0);
    snprintf(s.kernel, sizeof s.kernel, "other");
    assert_true(isnan(koshu_model_predict(&model, &s)));
}

/* Overlapping launches cost time only if they take longer than the sums; groups
 * of blocks do not start one by one; joined sums end later. */
static void
what_overlaps_is_hidden(void **state)
{
    (void)state;
    struct koshu_time_model model = {
            .launch = 5,
            .n_kernels = 1,
            .kernels = {{.name = "k", .calc = 1, .latency = 0.5}}};
    struct koshu_force_shape s = {.kernel = "k",
                                  .units = 132,
                                  .lanes = 128,
                                  .at_once = 2,
                                  .blocks = 132 * 5,
                                  .tiles = 3,
                                  .evaluations = 128,
                                  .launches = 2,
                                  .overlapped = true};
    assert_near(koshu_model_predict(&model, &s), 15 + 1, 0);
    s.joins = 1;
    assert_near(koshu_model_predict(&model, &s), 15 + 1.5, 0);
    s.tiles = 1;
    assert_near(koshu_model_predict(&model, &s), 10, 0);
}

/* A block that does not fill a tile must not distort the constants. */
static void
less_than_a_tile_tells_nothing_about_sums(void **state)
{
    (void)state;
    struct koshu_model_point points[4];
    struct koshu_time_model model;
    for (size_t k = 0; k < 4; k++) {
        struct koshu_force_shape s = {.kernel = "k",
                                      .units = 1,
                                      .lanes = 1,
                                      .at_once = 1,
                                      .blocks = 1,
                                      .tiles = 0.5 + 40 * (double)k,
                                      .evaluations = 1,
                                      .launches = 1,
                                      .overlapped = true};
        points[k] = (struct koshu_model_point){
                .n = k, .shape = s, .seconds = s.tiles + 2 * 3};
    }
    points[0].seconds = 19;
    assert_int_equal(koshu_model_fit(points, 4, 10, &model), KOSHU_OK);
    assert_near(model.kernels[0].calc, 1, 1e-12);
    assert_near(model.kernels[0].latency, 3, 1e-11);
    assert_near(koshu_model_predict(&model, &points[0].shape), 10, 0);
    points[0].shape.tiles = 1;
    assert_int_equal(koshu_model_fit(points, 4, 10, &model), KOSHU_OK);
    assert_true(fabs(model.kernels[0].latency - 3) > 0.1);
    points[0].shape.tiles = 0.5; /* still better than nothing */
    assert_int_equal(koshu_model_fit(points, 1, 10, &model), KOSHU_OK);
    assert_true(model.kernels[0].calc > 0 || model.kernels[0].latency > 0);
}

static void
impossible_points_are_refused(void **state)
{
    (void)state;
    struct koshu_model_point points[KOSHU_MODEL_KERNELS + 1], twelve[POINTS];
    struct koshu_time_model model;
    make_points(twelve);
    assert_int_equal(koshu_model_fit(twelve, 0, launch, &model),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    for (int k = 0; k <= KOSHU_MODEL_KERNELS; k++) {
        points[k] = twelve[0];
        snprintf(points[k].shape.kernel, sizeof points[k].shape.kernel, "%d",
                 k);
    }
    assert_int_equal(
            koshu_model_fit(points, KOSHU_MODEL_KERNELS, launch, &model),
            KOSHU_OK);
    assert_int_equal(
            koshu_model_fit(points, KOSHU_MODEL_KERNELS + 1, launch, &model),
            KOSHU_ERROR_INVALID_ARGUMENT);
    twelve[0].seconds = 0;
    assert_int_equal(koshu_model_fit(twelve, POINTS, launch, &model),
                     KOSHU_ERROR_INVALID_ARGUMENT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(constants_come_back),
            cmocka_unit_test(a_deviation_is_seen),
            cmocka_unit_test(waves_are_whole),
            cmocka_unit_test(what_overlaps_is_hidden),
            cmocka_unit_test(less_than_a_tile_tells_nothing_about_sums),
            cmocka_unit_test(impossible_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
