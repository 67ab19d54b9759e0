/* SPDX-License-Identifier: MIT */
/* The leapfrog with particles that stay on the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"
#include "particles/particles.h"
#include "run.h"

static void
steps_on(const char *backend, size_t n, enum koshu_step_rule rule, double *x)
{
    struct koshu_context *context = test_context(backend, 0);
    run_steps(context, n, rule, x);
    koshu_context_destroy(context);
}

static void
compare(enum koshu_step_rule rule)
{
    const size_t n = 600;
    double *expected = poisoned(2 * n), *x = poisoned(2 * n);
    steps_on("ref", n, rule, expected);
    steps_on("cuda", n, rule, x);
    /* rounding over 20 steps, amplified by close encounters */
    for (size_t k = 0; k < 2 * n; k++)
        assert_true(fabs(x[k] - expected[k]) < 1e-12);
    free(expected);
    free(x);
}

static void
test_leapfrog(void **state)
{
    (void)state;
    compare(KOSHU_STEP_RULE_FIXED);
}

/* The device finds the largest acceleration. */
static void
test_steps_from_the_acceleration(void **state)
{
    (void)state;
    compare(KOSHU_STEP_RULE_ACCELERATION);
}

/* A particle that escapes to infinity is reported by a later step. */
static void
test_not_finite(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_solver_options options = koshu_solver_options_default();
    struct run r = run_begin(context, 64, &options, KOSHU_STEP_RULE_FIXED);
    struct koshu_particle_view v;
    assert_ok(context, koshu_integrator_advance(r.leapfrog, 10, false));
    assert_ok(context,
              koshu_particles_on_host(r.particles, KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    v.vx[13] = 1e308;
    v.vy[13] = INFINITY;
    koshu_status status = KOSHU_OK;
    for (int k = 0; k < 1000 && status == KOSHU_OK; k++)
        status = koshu_integrator_advance(r.leapfrog, 10, false);
    assert_int_equal(status, KOSHU_ERROR_NOT_FINITE);
    assert_non_null(strstr(koshu_context_message(context), "particle"));
    run_end(&r);
    koshu_context_destroy(context);
}

/* To begin, masses, positions and velocities go to the device, and nothing
 * comes back. */
static void
test_what_is_copied_to_begin(void **state)
{
    (void)state;
    enum { SENT = 4096, FIELDS = 7 };
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_solver_options options = koshu_solver_options_default();
    struct run r = run_begin(context, SENT, &options, KOSHU_STEP_RULE_FIXED);
    assert_true(koshu_particles_bytes_copied(r.particles) <=
                FIELDS * SENT * sizeof(double));
    run_end(&r);
    koshu_context_destroy(context);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leapfrog),
        cmocka_unit_test(test_steps_from_the_acceleration),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_what_is_copied_to_begin),
};

CUDA_MAIN(tests)
