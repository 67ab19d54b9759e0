/* SPDX-License-Identifier: MIT */
/* Leapfrog with particles that stay on the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

/* Positions after some steps, read in the middle as well. */
static void
integrate(const char *backend, size_t n, double *x)
{
    struct koshu_context *context = test_context(backend, 0);
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_leapfrog_options steps = koshu_leapfrog_options_default();
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_leapfrog *leapfrog;
    struct koshu_particle_view v;
    model.n = n;
    options.precision = KOSHU_DOUBLE;
    options.softening = 0.05;
    assert_ok(context, koshu_initial_create(context, &model, &particles));
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context,
              koshu_leapfrog_create(&steps, solver, particles, 0, &leapfrog));
    for (int k = 0; k < 20; k++) {
        assert_ok(context, koshu_leapfrog_step(leapfrog, 10, k % 2 == 0));
        if (k == 7)
            assert_ok(context,
                      koshu_particles_acquire(particles, KOSHU_VELOCITY,
                                              KOSHU_READ_WRITE, &v));
        if (k == 7) v.vx[0] += 0.25;
    }
    assert_ok(context, koshu_particles_acquire(particles,
                                               KOSHU_POSITION | KOSHU_VELOCITY,
                                               KOSHU_READ, &v));
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = v.x[i];
        x[2 * i + 1] = v.vx[i];
    }
    koshu_leapfrog_destroy(leapfrog);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
}

static void
test_leapfrog(void **state)
{
    (void)state;
    const size_t n = 600;
    double *expected = poisoned(2 * n), *x = poisoned(2 * n);
    integrate("ref", n, expected);
    integrate("cuda", n, x);
    /* rounding of 20 steps, grown by close encounters */
    for (size_t k = 0; k < 2 * n; k++)
        assert_true(fabs(x[k] - expected[k]) < 1e-12);
    free(expected);
    free(x);
}

/* A particle that leaves all bounds is reported by a later step. */
static void
test_not_finite(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_leapfrog_options steps = koshu_leapfrog_options_default();
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_leapfrog *leapfrog;
    struct koshu_particle_view v;
    model.n = 64;
    assert_ok(context, koshu_initial_create(context, &model, &particles));
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context,
              koshu_leapfrog_create(&steps, solver, particles, 0, &leapfrog));
    assert_ok(context, koshu_leapfrog_step(leapfrog, 10, false));
    assert_ok(context, koshu_particles_acquire(particles, KOSHU_VELOCITY,
                                               KOSHU_READ_WRITE, &v));
    v.vx[13] = 1e308;
    v.vy[13] = INFINITY;
    koshu_status status = KOSHU_OK;
    for (int k = 0; k < 1000 && status == KOSHU_OK; k++)
        status = koshu_leapfrog_step(leapfrog, 10, false);
    assert_int_equal(status, KOSHU_NOT_FINITE);
    assert_non_null(strstr(koshu_context_message(context), "particle"));
    koshu_leapfrog_destroy(leapfrog);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leapfrog),
        cmocka_unit_test(test_not_finite),
};

CUDA_MAIN(tests)
