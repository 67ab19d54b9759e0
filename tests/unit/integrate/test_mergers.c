/* SPDX-License-Identifier: MIT */
/* Bodies that touch within few-body groups merge. */
#include <math.h>

#include <koshu/koshu.h>

#include "few_bodies.h"
#include "integrator.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"
#include "write_view.h"

enum { N = 18 };

struct stars {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

/* Makes the first two stars of a Plummer sphere a binary on a narrow ellipse,
 * with semi-major axis 0.01 and pericentre 1e-3; the second star is heavier. */
static void
marry(struct koshu_particles *p)
{
    const struct elements orbit = {3.0 / N, 0.01, 0.9, 0.5, 1, 2};
    double x[3], v[3];
    few_orbit(&orbit, x, v);
    struct koshu_particle_view w = write_view(p);
    for (size_t k = 0; k < N; k++) w.id[k] = 100 + k;
    w.mass[1] = 2.0 / N;
    w.x[1] = w.x[0] + x[0];
    w.y[1] = w.y[0] + x[1];
    w.z[1] = w.z[0] + x[2];
    w.vx[1] = w.vx[0] + v[0];
    w.vy[1] = w.vy[0] + v[1];
    w.vz[1] = w.vz[0] + v[2];
    koshu_particles_release_write(p);
}

static struct stars
integrate(struct koshu_particles *particles,
          const struct koshu_integrator_options *o)
{
    struct stars s = {.particles = particles};
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(context, koshu_solver_create(context, &solver, &s.solver));
    assert_ok(context, koshu_integrator_create(s.solver, s.particles, 0, o,
                                               &s.integrator));
    return s;
}

static struct stars
create(double radius)
{
    struct koshu_particles *p;
    struct koshu_integrator_options o = hermite_options();
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = N;
    o.eta = 0.005;
    o.regularisation = 0.05;
    o.radius = radius;
    o.radius_mass = 1.0 / N;
    o.radius_exponent = 1;
    assert_ok(context, koshu_initial_create(context, &initial, &p));
    marry(p);
    return integrate(p, &o);
}

static void
destroy(struct stars *s)
{
    koshu_integrator_destroy(s->integrator);
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
}

static struct koshu_diagnostics
diagnostics_of(const struct stars *s)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context, koshu_diagnostics_compute(s->particles, &d));
    return d;
}

/* Mass, momentum and centre of mass are conserved, and the energy falls by what
 * the event reports, up to the errors of block steps, whose forces are not
 * exactly opposite. */
static void
two_become_one(void **state)
{
    (void)state;
    struct stars s = create(5e-4); /* they touch at 1.5e-3 */
    const struct koshu_event *e;
    size_t n;
    assert_ok(context, koshu_integrator_evaluate(s.integrator));
    const struct koshu_diagnostics before = diagnostics_of(&s);
    assert_ok(context, koshu_integrator_advance(s.integrator, 1, true));
    e = koshu_integrator_events(s.integrator, &n);
    assert_int_equal(n, 1);
    assert_int_equal(e->kind, KOSHU_EVENT_KIND_MERGER);
    assert_int_equal(e->body[0].id, 101); /* the heavier one */
    assert_int_equal(e->body[1].id, 100);
    assert_true(e->time > 0 && e->time < 1.0 / 8);
    assert_near(e->body[0].radius, 1e-3, 1e-15);
    assert_near(e->body[1].radius, 5e-4, 1e-15);
    double r2 = 0, rv = 0;
    for (int d = 0; d < 3; d++) {
        const double x = e->body[0].x[d] - e->body[1].x[d];
        r2 += x * x;
        rv += x * (e->body[0].v[d] - e->body[1].v[d]);
    }
    assert_near(sqrt(r2), 1.5e-3, 1e-9);
    assert_true(rv < 0); /* before pericentre */
    const struct koshu_diagnostics after = diagnostics_of(&s);
    assert_int_equal(koshu_particles_total(s.particles), N - 1);
    assert_near(after.mass, before.mass, 1e-15);
    for (int d = 0; d < 3; d++) {
        assert_near(after.momentum[d], before.momentum[d], 1e-7);
        assert_near(after.centre[d],
                    before.centre[d] + before.momentum[d] / before.mass / 8,
                    1e-7);
    }
    assert_near(e->energy, -2.0 / (N * N) / 0.02, 1e-4); /* apart from tides */
    assert_near(after.total + e->energy, before.total, 1e-6);
    struct koshu_particle_view v = write_view(s.particles);
    assert_int_equal(v.n, N - 1);
    assert_int_equal(v.id[0], 101);
    assert_int_equal(v.id[1], 102);
    assert_near(v.mass[0], 3.0 / N, 1e-15);
    koshu_particles_release_write(s.particles);
    assert_ok(context, koshu_integrator_advance(s.integrator, 1, true));
    e = koshu_integrator_events(s.integrator, &n);
    assert_int_equal(n, 0);
    destroy(&s);
}

static double
total_of(const struct stars *s, const struct koshu_external *field)
{
    double external;
    assert_ok(context, koshu_external_energy(field, s->particles, &external));
    return diagnostics_of(s).total + external;
}

/* In a rotating frame the lost energy is the Jacobi energy, which includes that
 * of the pair's spin, 2 % here. */
static void
two_become_one_in_a_tide(void **state)
{
    (void)state;
    struct stars s = create(5e-4);
    struct koshu_external *field;
    struct koshu_units units;
    size_t n;
    koshu_units_henon(&units);
    assert_ok(context,
              koshu_external_parse(context,
                                   "tide speed=2, radius=1, slope=-0.5, "
                                   "density=0",
                                   &units, 1, &field));
    assert_ok(context, koshu_integrator_set_external(s.integrator, field));
    assert_ok(context, koshu_integrator_evaluate(s.integrator));
    const double before = total_of(&s, field);
    assert_ok(context, koshu_integrator_advance(s.integrator, 1, true));
    const struct koshu_event *e = koshu_integrator_events(s.integrator, &n);
    assert_int_equal(n, 1);
    assert_near(total_of(&s, field) + e->energy, before, 2e-6);
    destroy(&s);
    koshu_external_destroy(field);
}

/* Two bodies that touch at 1.5e-3, and a third at rest at 0.12, three times as
 * heavy as both together: its tide contributes to the energy. */
static void
others_take_part_in_the_energy(void **state)
{
    (void)state;
    const struct elements orbit = {3.0 / N, 0.01, 0.9, 0.5, 1, 2};
    struct few_bodies b = few_triple(1.0 / N, 2.0 / N, 0, &orbit, NULL);
    struct koshu_integrator_options o = hermite_options();
    struct koshu_particles *p;
    size_t n;
    b.mass[2] = 0.5;
    b.x[0][2] = 0.1;
    b.x[1][2] = -0.05;
    b.x[2][2] = 0.04;
    o.dt = 1.0 / 64;
    o.eta = 1e-4;
    o.regularisation = 0.05;
    o.radius = 7.5e-4;
    assert_ok(context, koshu_particles_create(context, 3, &p));
    struct koshu_particle_view v = write_view(p);
    for (size_t k = 0; k < 3; k++) {
        v.mass[k] = b.mass[k];
        v.x[k] = b.x[0][k];
        v.y[k] = b.x[1][k];
        v.z[k] = b.x[2][k];
        v.vx[k] = b.v[0][k];
        v.vy[k] = b.v[1][k];
        v.vz[k] = b.v[2][k];
    }
    koshu_particles_release_write(p);
    struct stars s = integrate(p, &o);
    assert_ok(context, koshu_integrator_evaluate(s.integrator));
    const double before = diagnostics_of(&s).total;
    assert_ok(context, koshu_integrator_advance(s.integrator, 1, true));
    const struct koshu_event *e = koshu_integrator_events(s.integrator, &n);
    assert_int_equal(n, 1);
    assert_near(diagnostics_of(&s).total + e->energy, before, 1e-6);
    destroy(&s);
}

static void
points_do_not_touch(void **state)
{
    (void)state;
    /* touch at 0.9e-3, inside the pericentre of 1e-3 */
    struct stars s = create(3e-4);
    size_t n;
    assert_ok(context, koshu_integrator_advance(s.integrator, 1, false));
    (void)koshu_integrator_events(s.integrator, &n);
    assert_int_equal(n, 0);
    assert_int_equal(koshu_particles_total(s.particles), N);
    destroy(&s);
}

static void
radii_need_groups(void **state)
{
    (void)state;
    struct stars s = create(0);
    struct koshu_integrator_options o = hermite_options();
    struct koshu_integrator *none;
    o.radius = 0.1;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "bodies that touch are found in few-body groups alone",
                 koshu_integrator_create(s.solver, s.particles, 0, &o, &none));
    o.radius = -1;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "radius = -1",
                 koshu_integrator_create(s.solver, s.particles, 0, &o, &none));
    destroy(&s);
    s = create(0.01);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "at most a 32nd of regularisation",
                 koshu_integrator_evaluate(s.integrator));
    destroy(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(two_become_one),
            cmocka_unit_test(two_become_one_in_a_tide),
            cmocka_unit_test(others_take_part_in_the_energy),
            cmocka_unit_test(points_do_not_touch),
            cmocka_unit_test(radii_need_groups),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
