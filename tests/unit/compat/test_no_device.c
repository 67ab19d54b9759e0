/* SPDX-License-Identifier: MIT */
/* A backend that is named but unavailable is an error in each library; no other
 * one is used instead. GPUs are hidden. */
#include <math.h>
#include <stdlib.h>

#include <koshu-cunbody/cunbody.h>
#include <koshu-cunbody/force.h>
#include <koshu-g6/g6.h>
#include <koshu/solver.h>

#include "listen.h"

static struct listener reported;

static koshu_status
solver_on(const char *backend, char *message, size_t size)
{
    const struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_context *context = test_context(backend, 1);
    struct koshu_solver *solver = NULL;
    const koshu_status status = koshu_solver_create(context, &options, &solver);
    assert_true((solver != NULL) == (status == KOSHU_OK));
    snprintf(message, size, "%s", koshu_context_message(context));
    koshu_solver_destroy(solver);
    koshu_context_destroy(context);
    return status;
}

static void
libkoshu(void **state)
{
    (void)state;
    char message[1024];
    assert_int_equal(solver_on("cuda", message, sizeof message),
                     KOSHU_ERROR_NO_DEVICE);
    assert_non_null(strstr(message, "backend cuda: "));
    assert_non_null(strstr(message, "give auto or cpu"));
    static const char *const others[] = {"auto", "cpu", "simd", "ref"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_int_equal(solver_on(others[k], message, sizeof message),
                         KOSHU_OK);
}

static void
libkoshu_g6(void **state)
{
    (void)state;
    koshu_g6_set_handler(listen_to, &reported);
    setenv("KOSHU_G6_BACKEND", "cuda", 1);
    assert_int_equal(g6_open(0), -1);
    assert_reported(&reported, "KOSHU_G6_BACKEND=cuda: backend cuda: ");
    setenv("KOSHU_G6_BACKEND", "auto", 1);
    assert_int_equal(g6_open(0), 0);
    g6_close(0);
    assert_int_equal(reported.n_lines, 0);
}

static void
libkoshu_cunbody(void **state)
{
    (void)state;
    double x[2][3] = {{0, 0, 0}, {1, 0, 0}}, mass[2] = {1, 2}, a[2][3] = {{1}};
    koshu_cunbody_set_handler(listen_to, &reported);
    setenv("KOSHU_CUNBODY_BACKEND", "cuda", 1);
    force(x, mass, x, 0, a, 2, 2);
    assert_reported(&reported, "KOSHU_CUNBODY_BACKEND=cuda: backend cuda: ");
    assert_true(isnan(a[0][0]) && isnan(a[1][2]));
    setenv("KOSHU_CUNBODY_BACKEND", "auto", 1);
    force(x, mass, x, 0, a, 2, 2);
    assert_near(a[0][0], 2.0, 1e-6); /* single precision */
    assert_int_equal(reported.n_lines, 0);
    koshu_cunbody_close();
}

int
main(void)
{
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(libkoshu),
            cmocka_unit_test(libkoshu_g6),
            cmocka_unit_test(libkoshu_cunbody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
