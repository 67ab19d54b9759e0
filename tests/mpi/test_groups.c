/* SPDX-License-Identifier: MIT */
/* Few-body groups within block steps over ranks, compared with one rank. */
#include <math.h>

#include <koshu/integrator.h>

#include "integrator.h"
#include "particles/particles.h"
#include "small_models.h"

/* What the error suggests where the chain is refused: it needs one rank and a
 * CPU. */
static const char *
remedy_for_few_bodies(void)
{
    if (koshu_context_ranks(context) > 1) return "start koshu without mpirun";
    return on_backend(NULL) ? "use backend simd" : NULL;
}

static void
test_few_bodies(void **state)
{
    (void)state;
    const char *remedy = remedy_for_few_bodies();
    struct koshu_integrator_options o =
            scheme_options(KOSHU_SCHEME_ARCHAIN, KOSHU_STEP_RULE_DEFAULT, 0, 0);
    struct koshu_particles *p = model(context, 4);
    struct koshu_solver *s;
    struct koshu_integrator *i = NULL;
    assert_ok(context, koshu_solver_create(context, NULL, &s));
    if (remedy)
        assert_fails(context, KOSHU_ERROR_UNSUPPORTED, remedy,
                     koshu_integrator_create(s, p, 0, &o, &i));
    else
        assert_ok(context, koshu_integrator_create(s, p, 0, &o, &i));
    koshu_integrator_destroy(i);
    koshu_solver_destroy(s);
    koshu_particles_destroy(p);
}

/* Makes the model's first two particles a hard binary, and the last two a
 * binary that touches at its pericentre. */
static void
marry(struct koshu_context *c, struct koshu_particles *p)
{
    const size_t first = koshu_particles_first(p),
                 total = koshu_particles_total(p);
    struct koshu_particle_view v;
    assert_ok(c, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                         KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        const size_t k = first + i;
        if (k >= 2 && k + 2 < total) continue;
        const double side = k % 2 == total % 2 || k == 0 ? -1 : 1,
                     apart = k < 2 ? 2e-3 : 0.01;
        const double mu = 2 * v.mass[i];
        v.x[i] = (k < 2 ? 0.5 : -0.5) + side * apart / 2;
        v.y[i] = v.z[i] = v.vx[i] = v.vz[i] = 0;
        v.vy[i] = side * 0.5 * sqrt(mu / apart) * (k < 2 ? 1 : 0.3);
    }
}

static struct koshu_integrator_clock
groups(struct koshu_context *c, struct koshu_particles *p, double radius,
       size_t *events)
{
    struct koshu_integrator_options o = hermite_options();
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_integrator *hermite;
    struct koshu_solver *s;
    size_t n;
    options.precision = KOSHU_PRECISION_DOUBLE;
    o.dt = 1.0 / 32;
    o.regularisation = 0.05;
    o.radius = radius;
    *events = 0;
    assert_ok(c, koshu_solver_create(c, &options, &s));
    assert_ok(c, koshu_integrator_create(s, p, 0, &o, &hermite));
    /* the last step is a fraction of dt */
    while (koshu_integrator_time(hermite) != 0.08) {
        assert_ok(c, koshu_integrator_advance(hermite, 0.08, true));
        koshu_integrator_events(hermite, &n);
        *events += n;
    }
    struct koshu_integrator_clock clock = clock_of(hermite);
    koshu_integrator_destroy(hermite);
    koshu_solver_destroy(s);
    return clock;
}

/* The blocks are the same, and orbits differ only by rounding. Merged particles
 * are gone on all ranks, and the first rank reports them. */
static void
test_groups(void **state)
{
    (void)state;
    static const double radius[] = {0, 5e-4};
    for (int k = 0; k < 2; k++) {
        struct koshu_particles *p = model(context, 30);
        struct koshu_particles *whole = model(alone, 30);
        size_t here, there;
        marry(context, p);
        marry(alone, whole);
        struct koshu_integrator_clock a = groups(context, p, radius[k], &here);
        struct koshu_integrator_clock b =
                groups(alone, whole, radius[k], &there);
        assert_int_equal(there, k);
        assert_int_equal(here, koshu_context_rank(context) == 0 ? k : 0);
        assert_int_equal(koshu_particles_total(p), 30 - k);
        assert_same_way(&a, &b, p, whole, 1e-9);
    }
}

/* A particle that is not finite stops the integration on all ranks, and each
 * gets its own particles back. */
static void
test_groups_that_fail(void **state)
{
    (void)state;
    struct koshu_particles *p = model(context, 12);
    struct koshu_integrator_options o = hermite_options();
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_integrator *hermite;
    struct koshu_solver *s;
    const size_t mine = koshu_particles_count(p);
    options.precision = KOSHU_PRECISION_DOUBLE;
    o.regularisation = 0.01;
    assert_ok(context, koshu_solver_create(context, &options, &s));
    assert_ok(context, koshu_integrator_create(s, p, 0, &o, &hermite));
    assert_ok(context, koshu_integrator_evaluate(hermite));
    double *v = coordinate_of(p, 11, KOSHU_FIELD_VELOCITY);
    if (v) *v = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "position",
                 koshu_integrator_advance(hermite, 1, true));
    assert_int_equal(koshu_particles_count(p), mine);
    assert_int_equal(koshu_particles_total(p), 12);
    koshu_integrator_destroy(hermite);
    koshu_solver_destroy(s);
    koshu_particles_destroy(p);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_bodies),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_groups_that_fail),
};
RANKS_MAIN(tests)
