/* SPDX-License-Identifier: MIT */
/* koshu-fields/flow.h: flows in memory, diagnostics and refusals. Runs with
 * files are tested by tests/app/test_flow and tests/python/test_flows.py. */
#include <koshu-fields/flow.h>

#include "spectral_rig.h"

enum { N = 12 };

static struct koshu_parameters *
parameters_of(const char *method)
{
    struct koshu_parameters *p;
    const char *const set[][2] = {
            {"flow.method", method},   {"flow.initial", "taylor-green"},
            {"flow.n", "12"},          {"flow.viscosity", "0.05"},
            {"integrator.dt", "0.05"}, {"integrator.end", "1"}};
    assert_ok(context, koshu_parameters_create(context, &p));
    for (size_t k = 0; k < sizeof set / sizeof set[0]; k++)
        assert_ok(context, koshu_parameters_set(p, set[k][0], set[k][1]));
    return p;
}

/* Both methods lose energy at the viscous rate, -2 nu enstrophy, with an
 * enstrophy of 3 / 8; within 2 % because of the smoothing cores. */
static void
test_in_memory(void **state)
{
    (void)state;
    const char *const methods[] = {"spectral", "vortex"};
    for (int k = 0; k < 2; k++) {
        struct koshu_parameters *p = parameters_of(methods[k]);
        struct koshu_flow *run;
        struct koshu_flow_progress progress;
        double first[64], last[64];
        size_t n = 0;
        assert_ok(context, koshu_flow_run_begin(context, p, &run));
        assert_ok(context, koshu_flow_run_row(run, 64, &n, first));
        assert_true(n > 5);
        assert_ok(context, koshu_flow_run_step(run, 0.05));
        assert_ok(context, koshu_flow_run_row(run, 64, &n, last));
        assert_float_equal(last[0], 0.05, 0);
        assert_float_equal(last[1] - first[1], -0.05 * 2 * 0.05 * 3 / 8,
                           0.02 * 0.05 * 2 * 0.05 * 3 / 8 + 2e-5);
        koshu_flow_run_progress(run, &progress);
        assert_string_equal(progress.method, methods[k]);
        assert_int_equal(progress.step, 1);
        assert_int_equal((int)progress.points, N * N * N);
        assert_int_equal(koshu_flow_run_stopped(run), KOSHU_STOP_NONE);
        assert_int_equal(koshu_flow_run_advance(run),
                         KOSHU_ERROR_INVALID_ARGUMENT);
        assert_int_equal(koshu_flow_run_checkpoint(run),
                         KOSHU_ERROR_INVALID_ARGUMENT);
        assert_int_equal(koshu_flow_run_step(run, 0),
                         KOSHU_ERROR_INVALID_ARGUMENT);
        koshu_flow_run_destroy(run);
        koshu_parameters_destroy(p);
    }
}

/* A given velocity becomes the flow's; vortex particles accept none. */
static void
test_velocity(void **state)
{
    (void)state;
    double *u = values_of(N, abc, 1), *now = values_of(N, abc, 0);
    struct koshu_parameters *p = parameters_of("spectral");
    struct koshu_flow *run;
    struct koshu_flow_arrays arrays;
    assert_ok(context, koshu_flow_run_begin(context, p, &run));
    assert_ok(context, koshu_flow_run_set_velocity(run, u));
    assert_ok(context, koshu_flow_run_velocity(run, N, now));
    for (size_t k = 0; k < 3 * N * N * N; k++)
        /* KISS FFT is in single precision */
        assert_float_equal(now[k], u[k], 1e-5);
    assert_int_equal(koshu_flow_run_velocity(run, N + 1, now),
                     KOSHU_ERROR_BAD_INPUT);
    assert_ok(context, koshu_flow_run_arrays(run, &arrays));
    assert_int_equal(arrays.n, 2);
    assert_string_equal(arrays.array[1].name, "Vorticity");
    assert_int_equal(arrays.array[1].rank, 3);
    koshu_flow_arrays_free(&arrays);
    assert_int_equal(arrays.n, 0);
    koshu_flow_run_destroy(run);
    koshu_parameters_destroy(p);
    p = parameters_of("vortex");
    assert_ok(context, koshu_flow_run_begin(context, p, &run));
    assert_int_equal(koshu_flow_run_set_velocity(run, u),
                     KOSHU_ERROR_UNSUPPORTED);
    koshu_flow_run_destroy(run);
    koshu_parameters_destroy(p);
    koshu_free(u);
    koshu_free(now);
}

static void
test_refused(void **state)
{
    (void)state;
    double u[3] = {0}, value, of[4][4];
    size_t n;
    struct koshu_flow *run;
    struct koshu_parameters *p = parameters_of("none");
    assert_int_equal(koshu_flow_run_begin(context, p, &run),
                     KOSHU_ERROR_BAD_INPUT);
    assert_int_equal(koshu_flow_run_create(context, p, false, false, &run),
                     KOSHU_ERROR_BAD_INPUT);
    koshu_parameters_destroy(p);
    assert_int_equal(koshu_flow_run_open(context, "missing.hdf5", &run),
                     KOSHU_ERROR_NOT_FOUND);
    assert_int_equal(koshu_flow_energies(context, 0, 1, u, &value, &value),
                     KOSHU_ERROR_BAD_INPUT);
    assert_int_equal(koshu_flow_structures(context, 1, 0, u, 4, &n, of),
                     KOSHU_ERROR_BAD_INPUT);
    assert_int_equal(koshu_flow_skewness_of(context, 1, -1, u, &value),
                     KOSHU_ERROR_BAD_INPUT);
    assert_int_equal(koshu_flow_invariant_of(context, 1 << 20, 1, u, &value),
                     KOSHU_ERROR_BAD_INPUT);
}

#define FAILS(call) assert_int_equal(call, KOSHU_ERROR_INVALID_ARGUMENT)

static void
test_null(void **state)
{
    (void)state;
    struct koshu_flow *run;
    struct koshu_flow_arrays arrays;
    struct koshu_flow_progress progress = {.n = 7};
    size_t n;
    FAILS(koshu_flow_run_create(NULL, NULL, false, false, NULL));
    FAILS(koshu_flow_run_create(context, NULL, false, false, &run));
    FAILS(koshu_flow_run_begin(NULL, NULL, &run));
    FAILS(koshu_flow_run_begin(context, NULL, &run));
    FAILS(koshu_flow_run_open(context, NULL, &run));
    FAILS(koshu_flow_run_advance(NULL));
    FAILS(koshu_flow_run_step(NULL, 1));
    FAILS(koshu_flow_run_checkpoint(NULL));
    FAILS(koshu_flow_run_finish(NULL));
    FAILS(koshu_flow_run_row(NULL, 0, NULL, NULL));
    FAILS(koshu_flow_run_velocity(NULL, 1, NULL));
    FAILS(koshu_flow_run_set_velocity(NULL, NULL));
    FAILS(koshu_flow_run_arrays(NULL, NULL));
    FAILS(koshu_flow_run_arrays(NULL, &arrays));
    FAILS(koshu_flow_energies(NULL, 1, 1, NULL, NULL, NULL));
    FAILS(koshu_flow_structures(context, 1, 1, NULL, 1, &n, NULL));
    FAILS(koshu_flow_skewness_of(context, 1, 1, NULL, NULL));
    FAILS(koshu_flow_invariant_of(context, 1, 1, NULL, NULL));
    koshu_flow_run_destroy(NULL);
    koshu_flow_run_request_stop(NULL);
    koshu_flow_arrays_free(NULL);
    koshu_flow_run_progress(NULL, NULL);
    koshu_flow_run_progress(NULL, &progress);
    assert_int_equal(progress.n, 0);
    assert_int_equal(koshu_flow_run_stopped(NULL), KOSHU_STOP_NONE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_in_memory),
            cmocka_unit_test(test_velocity),
            cmocka_unit_test(test_refused),
            cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
