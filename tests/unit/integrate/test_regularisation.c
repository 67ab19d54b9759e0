/* SPDX-License-Identifier: MIT */
/* Block steps with few-body groups: what they take, their grid, restarts. */
#include <math.h>
#include <string.h>

#include <koshu/koshu.h>

#include "integrator.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

enum { N = 34 };

struct small_cluster {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static struct koshu_integrator_options
options_of_groups(void)
{
    struct koshu_integrator_options o = hermite_options();
    o.eta = 0.01;
    o.regularisation = 0.02;
    return o;
}

static struct koshu_particle_view
write_view(struct koshu_particles *p)
{
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context,
              koshu_particles_acquire_write(
                      p, KOSHU_FIELD_ALL | KOSHU_FIELD_JERK | KOSHU_FIELD_STEP,
                      KOSHU_ACCESS_READ_WRITE, &v));
    return v;
}

/* The first two stars of a Plummer sphere become a binary, and so do the next:
 * of semi-major axes 1e-3 and 8e-3. */
static void
marry(struct koshu_particles *p)
{
    struct koshu_particle_view v = write_view(p);
    for (size_t k = 0; k < 4; k += 2) {
        const double a = k == 0 ? 1e-3 : 8e-3;
        const double speed = sqrt(2 * v.mass[k] / a);
        v.x[k + 1] = v.x[k] + a;
        v.y[k + 1] = v.y[k];
        v.z[k + 1] = v.z[k];
        v.vx[k + 1] = v.vx[k];
        v.vy[k + 1] = v.vy[k] + 0.8 * speed;
        v.vz[k + 1] = v.vz[k];
    }
    koshu_particles_release_write(p);
}

static struct small_cluster
create(const struct koshu_integrator_options *o)
{
    struct small_cluster c;
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = N;
    assert_ok(context, koshu_initial_create(context, &initial, &c.particles));
    marry(c.particles);
    assert_ok(context, koshu_solver_create(context, NULL, &c.solver));
    assert_ok(context, koshu_integrator_create(c.solver, c.particles, 0, o,
                                               &c.integrator));
    return c;
}

static void
destroy(struct small_cluster *c)
{
    koshu_integrator_destroy(c->integrator);
    koshu_solver_destroy(c->solver);
    koshu_particles_destroy(c->particles);
}

static void
run_to(struct small_cluster *c, double until)
{
    while (koshu_integrator_time(c->integrator) != until)
        assert_ok(context,
                  koshu_integrator_advance(c->integrator, until, true));
}

static double
energy_of(const struct small_cluster *c)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context, koshu_diagnostics_compute(c->particles, &d));
    return d.total;
}

static void
assert_same(struct small_cluster *a, struct small_cluster *b)
{
    const struct koshu_particle_view v = write_view(a->particles),
                                     w = write_view(b->particles);
    const void *const of_a[] = {v.x,  v.y,  v.z,  v.vx, v.vy,   v.vz,
                                v.ax, v.ay, v.az, v.jx, v.tick, v.step},
                      *const of_b[] = {w.x,  w.y,  w.z,  w.vx, w.vy,   w.vz,
                                       w.ax, w.ay, w.az, w.jx, w.tick, w.step};
    for (size_t k = 0; k < sizeof of_a / sizeof of_a[0]; k++)
        assert_memory_equal(of_a[k], of_b[k], N * sizeof(double));
    koshu_particles_release_write(a->particles);
    koshu_particles_release_write(b->particles);
    const struct koshu_integrator_clock one = clock_of(a->integrator),
                                        other = clock_of(b->integrator);
    assert_memory_equal(&one, &other, sizeof one);
}

/* 44 revolutions of one binary a unit of time; measured: 2e-8. */
static void
the_energy_is_kept(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = options_of_groups();
    struct small_cluster c = create(&o);
    assert_ok(context, koshu_integrator_evaluate(c.integrator));
    const double before = energy_of(&c);
    run_to(&c, 2);
    assert_near(energy_of(&c) / before, 1, 1e-5);
    assert_int_equal(clock_of(c.integrator).synchronised_steps, 16);
    destroy(&c);
}

static void
it_resumes_bit_for_bit(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = options_of_groups();
    struct small_cluster whole = create(&o), part = create(&o);
    run_to(&whole, 0.5);
    const struct koshu_particle_view from = write_view(whole.particles),
                                     to = write_view(part.particles);
    void *const target[] = {to.x,  to.y,  to.z,    to.vx,   to.vy,
                            to.vz, to.ax, to.ay,   to.az,   to.jx,
                            to.jy, to.jz, to.tick, to.step, to.potential};
    const void *const source[] = {from.x,    from.y,    from.z,        from.vx,
                                  from.vy,   from.vz,   from.ax,       from.ay,
                                  from.az,   from.jx,   from.jy,       from.jz,
                                  from.tick, from.step, from.potential};
    for (size_t k = 0; k < sizeof target / sizeof target[0]; k++)
        memcpy(target[k], source[k], N * sizeof(double));
    koshu_particles_release_write(whole.particles);
    koshu_particles_release_write(part.particles);
    const struct koshu_integrator_clock clock = clock_of(whole.integrator);
    assert_ok(context, koshu_integrator_resume(part.integrator, &clock));
    run_to(&whole, 1);
    run_to(&part, 1);
    assert_same(&whole, &part);
    destroy(&whole);
    destroy(&part);
}

/* A stop off the grid of dt begins another; one on it changes no bit. */
static void
stops_may_be_anywhere(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = options_of_groups();
    struct small_cluster once = create(&o), often = create(&o);
    assert_ok(context, koshu_integrator_evaluate(once.integrator));
    const double before = energy_of(&once);
    run_to(&once, 0.5);
    run_to(&often, 0.25);
    run_to(&often, 0.5);
    assert_same(&once, &often);
    run_to(&once, 0.6);
    assert_true(clock_of(once.integrator).origin_time == 0.6);
    assert_near(energy_of(&once) / before, 1, 1e-6);
    run_to(&once, 0.85);
    assert_near(energy_of(&once) / before, 1, 1e-6);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_integrator_advance(once.integrator, 0.85, false));
    destroy(&once);
    destroy(&often);
}

/* Nothing near anything: as without groups, to rounding. */
static void
without_groups_it_is_the_hermite_scheme(void **state)
{
    (void)state;
    struct koshu_integrator_options o = options_of_groups();
    o.regularisation = 1e-9;
    struct small_cluster with = create(&o);
    o.regularisation = 0;
    struct small_cluster without = create(&o);
    run_to(&with, 0.125);
    run_to(&without, 0.125);
    const struct koshu_particle_view v = write_view(with.particles),
                                     w = write_view(without.particles);
    assert_memory_equal(v.x, w.x, N * sizeof *v.x);
    assert_memory_equal(v.vz, w.vz, N * sizeof *v.vz);
    koshu_particles_release_write(with.particles);
    koshu_particles_release_write(without.particles);
    destroy(&with);
    destroy(&without);
}

/* Two that fly apart, alone: their centre of mass makes one step of dt, at the
 * end of which they are single. */
static void
steps_are_those_of_blocks(void **state)
{
    (void)state;
    struct koshu_integrator_options o = options_of_groups();
    o.eta_start = 1e4; /* the first is as long as any */
    struct small_cluster c = {0};
    assert_ok(context, koshu_particles_create(context, 2, &c.particles));
    struct koshu_particle_view v = write_view(c.particles);
    v.mass[0] = 0.1;
    v.mass[1] = 0.9;
    v.x[1] = 0.01;
    v.vx[1] = 30;
    koshu_particles_release_write(c.particles);
    assert_ok(context, koshu_solver_create(context, NULL, &c.solver));
    assert_ok(context, koshu_integrator_create(c.solver, c.particles, 0, &o,
                                               &c.integrator));
    run_to(&c, 0.125);
    assert_int_equal(clock_of(c.integrator).steps, 1);
    assert_int_equal(clock_of(c.integrator).particle_steps, 1);
    destroy(&c);
}

/* ---- what does not go with groups ---------------------------------------- */

static void
refused(const struct koshu_solver_options *solver_options,
        const struct koshu_integrator_options *options, const char *words)
{
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    assert_ok(context, koshu_particles_create(context, 2, &particles));
    assert_ok(context, koshu_solver_create(context, solver_options, &solver));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words,
                 koshu_integrator_create(solver, particles, 0, options,
                                         &integrator));
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
}

static void
what_does_not_go_with_groups_is_refused(void **state)
{
    (void)state;
    struct koshu_solver_options s = koshu_solver_options_default();
    struct koshu_integrator_options o = options_of_groups();
    s.softening = 0.01;
    refused(&s, &o, "set either to 0");
    s.softening = 0;
    s.method = KOSHU_METHOD_TREE;
    refused(&s, &o, "use a direct solver");
    o.regularisation = -1;
    refused(NULL, &o, "expected a distance");
    o = options_of_groups();
    o.step_rule = KOSHU_STEP_RULE_FIXED;
    refused(NULL, &o, "block steps alone");
    o = options_of_groups();
    o.dt = -1;
    refused(NULL, &o, "forward in time alone");
    o = options_of_groups();
    o.iterations = 2;
    refused(NULL, &o, "set it to 1");
    o = options_of_groups();
    o.tolerance = 1;
    refused(NULL, &o, "1e-12 is good");
    o = options_of_groups();
    o.perturbation = -1;
    refused(NULL, &o, "perturbation = -1");
}

static void
bad_particles_are_named(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = options_of_groups();
    struct small_cluster c = create(&o);
    struct koshu_particle_view v = write_view(c.particles);
    v.mass[7] = 0;
    koshu_particles_release_write(c.particles);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "particle 7: mass = 0",
                 koshu_integrator_advance(c.integrator, 1, false));
    v = write_view(c.particles);
    v.mass[7] = v.mass[8];
    v.x[7] = v.x[8];
    v.y[7] = v.y[8];
    v.z[7] = v.z[8];
    koshu_particles_release_write(c.particles);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "particles 7 and 8 are at one place",
                 koshu_integrator_advance(c.integrator, 1, false));
    destroy(&c);
}

static void
fields_from_outside_are_refused(void **state)
{
    (void)state;
    struct koshu_external *field;
    struct koshu_units units;
    koshu_units_henon(&units);
    const struct koshu_integrator_options o = options_of_groups();
    struct small_cluster c = create(&o);
    assert_ok(context, koshu_external_parse(context, "point-mass mass=1",
                                            &units, 1, &field));
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "set regularisation to 0",
                 koshu_integrator_set_external(c.integrator, field));
    koshu_external_destroy(field);
    destroy(&c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_energy_is_kept),
            cmocka_unit_test(it_resumes_bit_for_bit),
            cmocka_unit_test(stops_may_be_anywhere),
            cmocka_unit_test(without_groups_it_is_the_hermite_scheme),
            cmocka_unit_test(steps_are_those_of_blocks),
            cmocka_unit_test(what_does_not_go_with_groups_is_refused),
            cmocka_unit_test(bad_particles_are_named),
            cmocka_unit_test(fields_from_outside_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
