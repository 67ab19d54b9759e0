/* SPDX-License-Identifier: MIT */
/* The Fortran names and those of kirin do the same as the C names. */
#include <koshu-g6/fortran.h>
#include <koshu-g6/gpu.h>

#include "grape.h"

enum { NI = 2, OTHER = 7 }; /* OTHER: not 0, modulo 2 clusters */

static double zero[3], a[3] = {0.5, 0, 0}, jerk[3] = {0, 1.0 / 6, 0},
                       snap[3] = {0, 0, 1.0 / 18}, v[3] = {1, 2, 3},
                       x[3] = {4, 5, 6};

/* Checks through the C names what was done to a cluster through other names. */
static void
assert_one_particle_there(int cluster)
{
    struct grape_j j = {.index = 11,
                        .t = 0.5,
                        .mass = 2,
                        .snap = {0, 0, 1},
                        .jerk = {0, 1, 0},
                        .a = {1, 0, 0},
                        .v = {1, 2, 3},
                        .x = {4, 5, 6}};
    struct grape_i i = grape_i_make(NI);
    struct grape_result got = grape_result_make(NI),
                        expected = grape_result_make(NI);
    grape_sum(cluster, 1, &i, 0.25, &got);
    grape_expect(&j, 1, 0.75, &i, 0.25, &expected);
    assert_near(grape_difference(&got, &expected, NI), 0.0, GRAPE_ROUNDING);
    assert_int_equal(got.nearest[0], 11);
    grape_i_free(&i);
    grape_result_free(&got);
    grape_result_free(&expected);
}

static int
two_clusters(void **state)
{
    grape_open(state);
    return setenv("KOSHU_G6_CLUSTERS", "2", 1);
}

static void
fortran(void **state)
{
    (void)state;
    int other = OTHER, address = 0, index = 11, one = 1, ni = NI, n = 2;
    int mode = 0, length = 0, list[4] = {0, 1}, nearest[NI];
    double t = 0.5, dt = 0.25, mass = 2, ti = 0.75, eps2 = 0.25;
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI);
    i.h2[1] = 1e6;

    assert_int_equal(g6_open_(&other), 0);
    assert_int_equal(g6_open_special_(&n, list), 0);
    assert_int_equal(g6_npipes_(), 48);
    assert_int_equal(g6_set_tunit_(NULL), 0); /* never read */
    assert_int_equal(g6_set_xunit_(NULL), 0);
    assert_int_equal(g6_set_overflow_flag_test_mode_(NULL, NULL, NULL), 0);
    assert_int_equal(g6_initialize_jp_buffer_(&other, &n), 0);
    assert_int_equal(g6_setup_njdata_(&other, &one), 0);
    assert_int_equal(g6_set_j_particle_(&other, &address, &index, &t, &dt,
                                        &mass, snap, jerk, a, v, x),
                     0);
    assert_int_equal(g6_flush_jp_buffer_(&other), 0);
    assert_int_equal(g6_set_ti_(&other, &ti), 0);
    assert_one_particle_there(OTHER);

    g6calc_firsthalf_(&other, &one, &ni, i.index, i.x, i.v, r.acc, r.jerk,
                      r.pot, &eps2, i.h2);
    assert_int_equal(g6calc_lasthalf_(&other, &one, &ni, i.index, i.x, i.v,
                                      &eps2, i.h2, r.acc, r.jerk, r.pot),
                     0);
    assert_true(r.pot[1] < 0);
    assert_int_equal(g6calc_lasthalf2_(&other, &one, &ni, i.index, i.x, i.v,
                                       &eps2, i.h2, r.acc, r.jerk, r.pot,
                                       nearest),
                     0);
    assert_int_equal(nearest[1], 11);
    assert_int_equal(g6_set_neighbour_list_sort_mode_(&mode), 0);
    assert_int_equal(g6_read_neighbour_list_(&other), 0);
    n = 4;
    assert_int_equal(g6_get_neighbour_list_(&other, &one, &n, &length, list),
                     0);
    assert_int_equal(length, 1);
    assert_int_equal(list[0], 11);
    assert_int_equal(g6_reset_(&other), 0);
    assert_int_equal(g6_reset_fofpga_(&other), 0);
    assert_int_equal(g6_reinitialize_(&other), 0);
    assert_one_particle_there(OTHER);
    assert_int_equal(g6_close_(&other), 0);
    grape_i_free(&i);
    grape_result_free(&r);
}

static void
gpu(void **state)
{
    (void)state;
    int list[4] = {0, 1}, length = 0, nearest[NI];
    struct grape_i i = grape_i_make(NI);
    struct grape_result r = grape_result_make(NI);
    i.h2[1] = 1e6;

    assert_int_equal(GPU_open(OTHER), 0);
    assert_int_equal(GPU_open_special(2, list), 0);
    assert_int_equal(GPU_npipes(), 48);
    assert_int_equal(GPU_set_tunit(45), 0);
    assert_int_equal(GPU_set_xunit(45), 0);
    assert_int_equal(GPU_set_overflow_flag_test_mode(0, 0, 0), 0);
    assert_int_equal(GPU_initialize_jp_buffer(OTHER, 10), 0);
    assert_int_equal(GPU_setup_njdata(OTHER, 1), 0);
    assert_int_equal(
            GPU_set_j_particle(OTHER, 0, 11, 0.5, 0.25, 2, snap, jerk, a, v, x),
            0);
    assert_int_equal(GPU_flush_jp_buffer(OTHER), 0);
    assert_int_equal(GPU_set_ti(OTHER, 0.75), 0);
    assert_one_particle_there(OTHER);

    GPUcalc_firsthalf(OTHER, 1, NI, i.index, i.x, i.v, r.acc, r.jerk, r.pot,
                      0.25, i.h2);
    assert_int_equal(GPUcalc_lasthalf(OTHER, 1, NI, i.index, i.x, i.v, 0.25,
                                      i.h2, r.acc, r.jerk, r.pot),
                     0);
    assert_true(r.pot[1] < 0);
    assert_int_equal(GPUcalc_lasthalf2(OTHER, 1, NI, i.index, i.x, i.v, 0.25,
                                       i.h2, r.acc, r.jerk, r.pot, nearest),
                     0);
    assert_int_equal(nearest[1], 11);
    assert_int_equal(GPU_set_neighbour_list_sort_mode(0), 0);
    assert_int_equal(GPU_read_neighbour_list(OTHER), 0);
    assert_int_equal(GPU_get_neighbour_list(OTHER, 1, 4, &length, list), 0);
    assert_int_equal(length, 1);
    assert_int_equal(GPU_reset(OTHER), 0);
    assert_int_equal(GPU_reset_fofpga(OTHER), 0);
    assert_int_equal(GPU_reinitialize(OTHER), 0);
    assert_one_particle_there(OTHER);
    assert_int_equal(GPU_close(OTHER), 0);
    grape_i_free(&i);
    grape_result_free(&r);
}

/* Functions that have only C names. */
static void
c(void **state)
{
    (void)state;
    assert_int_equal(g6_open(OTHER), 0);
    assert_int_equal(g6_set_tunit(45), 0);
    assert_int_equal(g6_set_xunit(45), 0);
    assert_int_equal(g6_set_overflow_flag_test_mode(0, 0, 0), 0);
    assert_int_equal(g6_initialize_jp_buffer(OTHER, 10), 0);
    assert_int_equal(
            g6_set_j_particle(OTHER, 0, 11, 0.5, 0.25, 2, snap, jerk, a, v, x),
            0);
    assert_int_equal(g6_flush_jp_buffer(OTHER), 0);
    assert_int_equal(g6_set_ti(OTHER, 0.75), 0);
    assert_one_particle_there(OTHER);
    assert_int_equal(g6_set_j_particle(OTHER + 1, 0, 1, 0, 0, 0, zero, zero,
                                       zero, zero, zero),
                     0);
    assert_one_particle_there(OTHER);
}

/* Sends one particle and sums, with NULL wherever it is allowed. */
static void
sums_with_null(void)
{
    double at[3] = {1, 2, 2}, i[1][3] = {{0}}, acc[1][3], pot[1];
    float distance[1];
    int one = 1, index[1] = {5}, nearest[1];
    assert_int_equal(g6_set_j_particle_mxonly_(NULL, NULL, NULL, NULL, at), 0);
    assert_int_equal(g6_set_j_particle_multisend_mxfast_(NULL, NULL, NULL, NULL,
                                                         NULL, at),
                     0);
    assert_int_equal(g6_set_j_particle_(NULL, NULL, NULL, NULL, NULL, NULL,
                                        NULL, NULL, NULL, NULL, at),
                     0);
    assert_int_equal(g6calc_firsthalf_(NULL, &one, &one, index, i, i, NULL,
                                       NULL, NULL, NULL, NULL),
                     0);
    assert_int_equal(g6calc_lasthalf2np_(NULL, &one, &one, index, i, i, NULL,
                                         NULL, acc, NULL, pot, nearest,
                                         distance),
                     0);
    assert_true(acc[0][0] == 0 && pot[0] == 0 && nearest[0] == 0);
    assert_true(distance[0] == 3);
    assert_int_equal(g6calc_lasthalf_(NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                      NULL, NULL, NULL, NULL),
                     0);
    assert_int_equal(g6calc_lasthalfn_(NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                       NULL, NULL, NULL, NULL),
                     0);
    assert_int_equal(g6calc_lasthalf2_(NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                       NULL, NULL, NULL, NULL, NULL),
                     0);
}

/* Arguments passed by reference may be NULL, which means 0. */
static void
fortran_with_null(void **state)
{
    (void)state;
    int one = 1;
    assert_int_equal(g6_open_(NULL), 0);
    assert_int_equal(g6_open_special_(NULL, NULL), 0);
    assert_int_equal(g6_open_special_(&one, NULL), 0);
    assert_int_equal(g6_open_special2_(NULL, NULL, NULL), 0);
    assert_int_equal(g6_reset_(NULL), 0);
    assert_int_equal(g6_reset_fofpga_(NULL), 0);
    assert_int_equal(g6_reinitialize_(NULL), 0);
    assert_int_equal(g6_set_tunit_(NULL), 0);
    assert_int_equal(g6_set_xunit_(NULL), 0);
    assert_int_equal(g6_initialize_jp_buffer_(NULL, NULL), 0);
    assert_int_equal(g6_flush_jp_buffer_(NULL), 0);
    assert_int_equal(g6_flush_jp_buffer_and_multisend_(NULL, NULL), 0);
    assert_int_equal(g6_setup_njdata_(NULL, NULL), 0);
    assert_int_equal(g6_set_ti_(NULL, NULL), 0);
    assert_int_equal(g6_set_overflow_flag_test_mode_(NULL, NULL, NULL), 0);
    assert_int_equal(g6_set_neighbour_list_sort_mode_(NULL), 0);
    sums_with_null();
    assert_int_equal(g6_read_neighbour_list_(NULL), 0);
    assert_int_equal(g6_read_neighbour_list_old_(NULL), 0);
    assert_int_equal(g6_get_neighbour_list_(NULL, NULL, NULL, NULL, NULL), -1);
    assert_int_equal(g6_set_nip_(NULL, NULL), 0);
    assert_int_equal(g6_set_njp_(NULL, NULL), 0);
    assert_int_equal(g6_set_i_particle_scales_from_real_value_(
                             NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                     0);
    assert_int_equal(
            g6_set_i_particle_(NULL, NULL, NULL, NULL, NULL, NULL, NULL), -1);
    assert_int_equal(g6_get_force_(NULL, NULL, NULL, NULL, NULL), 0);
    assert_int_equal(g6_get_force_etc_(NULL, NULL, NULL, NULL, NULL, NULL), 0);
    assert_int_equal(g6_getnjmax_(NULL), 1 << 24);
    assert_int_equal(g6_debugfunc_(NULL), 0);
    assert_int_equal(g6_debugfunc_double_(NULL), 0);
    assert_int_equal(g6_print_chip_status_(NULL), 0);
    assert_int_equal(g6_close_(NULL), 0);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, two_clusters, grape_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {TEST(c), TEST(fortran),
                                       TEST(fortran_with_null), TEST(gpu)};
    if (!grape_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
