/* SPDX-License-Identifier: MIT */
/* The few-body scheme as an integrator: options, time grid, restarts. */
#include <math.h>

#include <koshu/koshu.h>

#include "few_bodies.h"
#include "integrator.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

struct few_rig {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static struct koshu_integrator_options
archain_options(double dt)
{
    return scheme_options(KOSHU_SCHEME_ARCHAIN, KOSHU_STEP_RULE_DEFAULT, dt, 0);
}

static struct koshu_particles *
store_of(const struct few_bodies *b)
{
    struct koshu_particles *p;
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context, koshu_particles_create(context, b->n, &p));
    assert_ok(context,
              koshu_particles_acquire_write(p, KOSHU_FIELD_ALL,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t k = 0; k < b->n; k++) {
        v.id[k] = k;
        v.mass[k] = b->mass[k];
        v.x[k] = b->x[0][k];
        v.y[k] = b->x[1][k];
        v.z[k] = b->x[2][k];
        v.vx[k] = b->v[0][k];
        v.vy[k] = b->v[1][k];
        v.vz[k] = b->v[2][k];
    }
    koshu_particles_release_write(p);
    return p;
}

static struct few_rig
rig_of(const struct few_bodies *b, const struct koshu_integrator_options *o)
{
    struct few_rig r = {.particles = store_of(b)};
    assert_ok(context, koshu_solver_create(context, NULL, &r.solver));
    assert_ok(context, koshu_integrator_create(r.solver, r.particles, 0, o,
                                               &r.integrator));
    return r;
}

static void
rig_end(struct few_rig *r)
{
    koshu_integrator_destroy(r->integrator);
    koshu_solver_destroy(r->solver);
    koshu_particles_destroy(r->particles);
}

static void
run_to(struct few_rig *r, double until)
{
    while (koshu_integrator_time(r->integrator) != until)
        assert_ok(context,
                  koshu_integrator_advance(r->integrator, until, true));
}

static struct few_bodies
bodies_of(const struct few_rig *r)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct few_bodies b = {.n = koshu_particles_count(r->particles)};
    assert_ok(context,
              koshu_particles_acquire_read(r->particles, KOSHU_FIELD_ALL, &v));
    for (size_t k = 0; k < b.n; k++) {
        b.mass[k] = v.mass[k];
        b.x[0][k] = v.x[k];
        b.x[1][k] = v.y[k];
        b.x[2][k] = v.z[k];
        b.v[0][k] = v.vx[k];
        b.v[1][k] = v.vy[k];
        b.v[2][k] = v.vz[k];
    }
    koshu_particles_release_read(r->particles);
    return b;
}

static void
it_goes_where_the_bodies_go(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    const struct koshu_integrator_options o = archain_options(0);
    struct few_rig r = rig_of(&b, &o);
    run_to(&r, 10);
    const struct few_bodies now = bodies_of(&r);
    /* from quadruple precision */
    assert_near(now.x[0][0], 0.778480410138, 2e-12);
    assert_near(now.x[1][0], 0.141392300290, 2e-12);
    assert_int_equal(clock_of(r.integrator).steps, 80); /* dt = 1/8 */
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context, koshu_diagnostics_compute(r.particles, &d));
    assert_near(d.total, -769.0 / 60, 1e-11);
    rig_end(&r);
}

/* A stop off the grid of dt starts a new grid; a run backwards returns. */
static void
stops_may_be_anywhere(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    const struct koshu_integrator_options o = archain_options(0.25),
                                          back = archain_options(-0.25);
    struct few_rig r = rig_of(&b, &o);
    run_to(&r, 0.6);
    assert_true(clock_of(r.integrator).origin_time == 0.6);
    assert_int_equal(clock_of(r.integrator).steps, 3);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_integrator_advance(r.integrator, 0.6, false));
    koshu_integrator_destroy(r.integrator);
    assert_ok(context, koshu_integrator_create(r.solver, r.particles, 0.6,
                                               &back, &r.integrator));
    run_to(&r, 0);
    const struct few_bodies now = bodies_of(&r);
    assert_near(few_apart(&now, &b), 0, 1e-13);
    rig_end(&r);
}

/* A restart needs only the particles and the clock. */
static void
it_resumes_bit_for_bit(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_integrator_options o = archain_options(0);
    o.slow_down = 1e-6;
    struct few_rig whole = rig_of(&b, &o);
    run_to(&whole, 5.3);
    const struct few_bodies middle = bodies_of(&whole);
    struct few_rig part = rig_of(&middle, &o);
    const struct koshu_integrator_clock clock = clock_of(whole.integrator);
    assert_ok(context, koshu_integrator_resume(part.integrator, &clock));
    run_to(&whole, 17);
    run_to(&part, 17);
    const struct few_bodies one = bodies_of(&whole), other = bodies_of(&part);
    assert_true(few_apart(&one, &other) == 0);
    rig_end(&whole);
    rig_end(&part);
}

/* With a solver of these options. */
static void
refused(struct koshu_particles *particles,
        const struct koshu_solver_options *solver_options,
        const struct koshu_integrator_options *options, const char *words)
{
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    assert_ok(context, koshu_solver_create(context, solver_options, &solver));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words,
                 koshu_integrator_create(solver, particles, 0, options,
                                         &integrator));
    koshu_solver_destroy(solver);
}

static void
what_is_not_for_few_bodies_is_refused(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_particles *p = store_of(&b);
    struct koshu_integrator_options o = archain_options(0);
    struct koshu_solver_options s = koshu_solver_options_default();
    s.softening = 0.1;
    refused(p, &s, &o, "set it to 0");
    s.softening = 0;
    s.method = KOSHU_METHOD_TREE;
    refused(p, &s, &o, "use a direct solver");
    o.step_rule = KOSHU_STEP_RULE_BLOCK;
    refused(p, NULL, &o, "use fixed");
    koshu_particles_destroy(p);
}

/* The options of few bodies are checked only where there are few bodies. */
static void
bodies_are_checked_at_the_first_step(void **state)
{
    (void)state;
    struct few_bodies b = pythagorean();
    struct koshu_integrator_options o = archain_options(0);
    o.tolerance = 1;
    struct few_rig r = rig_of(&b, &o);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "tolerance = 1",
                 koshu_integrator_evaluate(r.integrator));
    rig_end(&r);
    b.mass[2] = 0;
    o = archain_options(0);
    r = rig_of(&b, &o);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "body 2 of 3: mass = 0",
                 koshu_integrator_advance(r.integrator, 1, false));
    rig_end(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(it_goes_where_the_bodies_go),
            cmocka_unit_test(stops_may_be_anywhere),
            cmocka_unit_test(it_resumes_bit_for_bit),
            cmocka_unit_test(what_is_not_for_few_bodies_is_refused),
            cmocka_unit_test(bodies_are_checked_at_the_first_step),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
