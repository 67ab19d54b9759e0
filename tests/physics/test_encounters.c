/* SPDX-License-Identifier: MIT */
/* Hard binaries and encounters with block steps and few-body groups. */
#include <math.h>

#include "few_bodies.h"
#include "integrator.h"
#include "system.h"

#define FIXTURE_BACKEND "simd"
#include "fixture.h"
#include "write_view.h"

struct cluster {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static void
set_bodies(struct koshu_particles *p, const struct few_bodies *b)
{
    struct koshu_particle_view v = write_view(p);
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
}

static struct cluster
integrate(struct koshu_particles *particles,
          const struct koshu_integrator_options *o)
{
    struct cluster c = {.particles = particles};
    struct koshu_solver_options s = koshu_solver_options_default();
    s.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(context, koshu_solver_create(context, &s, &c.solver));
    assert_ok(context, koshu_integrator_create(c.solver, c.particles, 0, o,
                                               &c.integrator));
    return c;
}

static void
destroy(struct cluster *c)
{
    koshu_integrator_destroy(c->integrator);
    koshu_solver_destroy(c->solver);
    koshu_particles_destroy(c->particles);
}

static void
run_to(struct cluster *c, double until)
{
    while (koshu_integrator_time(c->integrator) != until)
        assert_ok(context,
                  koshu_integrator_advance(c->integrator, until, true));
}

static double
energy_of(const struct cluster *c)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context, koshu_diagnostics_compute(c->particles, &d));
    return d.total;
}

/* The semi-major axis of particles 0 and 1. */
static double
semi_major_axis(struct cluster *c)
{
    const struct koshu_particle_view v = write_view(c->particles);
    const double x = v.x[1] - v.x[0], y = v.y[1] - v.y[0], z = v.z[1] - v.z[0],
                 vx = v.vx[1] - v.vx[0], vy = v.vy[1] - v.vy[0],
                 vz = v.vz[1] - v.vz[0], mass = v.mass[0] + v.mass[1];
    koshu_particles_release_write(c->particles);
    return 1 / (2 / sqrt(x * x + y * y + z * z) -
                (vx * vx + vy * vy + vz * vz) / mass);
}

/* The first of the 64 stars of a Plummer sphere gets a companion on a circular
 * orbit. */
static struct cluster
with_binary(double a, double eta, double regularisation)
{
    struct koshu_integrator_options o = hermite_options();
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_particles *p;
    initial.n = 64;
    o.eta = eta;
    o.regularisation = regularisation;
    assert_ok(context, koshu_initial_create(context, &initial, &p));
    struct koshu_particle_view v = write_view(p);
    v.x[1] = v.x[0] + a;
    v.y[1] = v.y[0];
    v.z[1] = v.z[0];
    v.vx[1] = v.vx[0];
    v.vy[1] = v.vy[0] + sqrt((v.mass[0] + v.mass[1]) / a);
    v.vz[1] = v.vz[0];
    koshu_particles_release_write(p);
    struct cluster c = integrate(p, &o);
    assert_ok(context, koshu_integrator_evaluate(c.integrator));
    return c;
}

/* The binary makes 28,000 revolutions per time unit and has five times the
 * cluster's energy. */
static void
a_hard_binary_stays(void **state)
{
    (void)state;
    struct cluster c = with_binary(1e-4, 0.01, 0.003);
    const double a = semi_major_axis(&c), energy = energy_of(&c);
    run_to(&c, 3);
    measured("hard binary: da/a %.1e, dE/E %.1e, %llu block steps\n",
             semi_major_axis(&c) / a - 1, energy_of(&c) / energy - 1,
             (unsigned long long)clock_of(c.integrator).steps);
    assert_near(semi_major_axis(&c) / a, 1, 1e-8);
    assert_near(energy_of(&c) / energy, 1, 1e-5);
    destroy(&c);
}

/* |dE/E| over an eighth of a time unit, 40 revolutions. */
static double
error_with(double regularisation)
{
    struct cluster c = with_binary(2e-3, 0.01, regularisation);
    const double energy = energy_of(&c);
    run_to(&c, 0.125);
    const double error = fabs(energy_of(&c) / energy - 1);
    measured("regularisation %g: dE/E %.1e, %llu block steps\n", regularisation,
             error, (unsigned long long)clock_of(c.integrator).steps);
    destroy(&c);
    return error;
}

static void
groups_keep_the_energy_better(void **state)
{
    (void)state;
    assert_true(100 * error_with(0.005) < error_with(0));
}

/* A single star approaches a binary from 30 a at the binary's speed, passes it
 * and leaves. On the way all parts of the method are used. */
static struct few_bodies
scattering(double impact)
{
    const struct elements orbit = {1, 1, 0.3, 0.7, 1, 2};
    struct few_bodies b = few_triple(0.4, 0.6, 0, &orbit, NULL);
    b.n = 3;
    b.mass[2] = 0.7;
    b.x[0][2] = -30;
    b.x[1][2] = impact;
    b.v[0][2] = 1;
    return b;
}

/* Integrates the same bodies with archain to 1e-15; returns their final
 * state. */
static struct few_bodies
exact(const struct few_bodies *b, double end)
{
    struct koshu_fewbody *f = few_create(context, b, NULL);
    assert_ok(context, koshu_fewbody_integrate(f, end));
    const struct few_bodies now = few_now(context, f, b->n);
    koshu_fewbody_destroy(f);
    return now;
}

static double
meet(double impact)
{
    const struct few_bodies b = scattering(impact), to = exact(&b, 60);
    struct koshu_integrator_options o = hermite_options();
    struct koshu_particles *p;
    double apart = 0;
    o.eta = 0.0005;
    o.regularisation = 2;
    o.tolerance = 1e-14;
    assert_ok(context, koshu_particles_create(context, b.n, &p));
    set_bodies(p, &b);
    struct cluster c = integrate(p, &o);
    assert_ok(context, koshu_integrator_evaluate(c.integrator));
    const double energy = energy_of(&c);
    run_to(&c, 60);
    const double error = energy_of(&c) / energy - 1;
    const struct koshu_particle_view v = write_view(p);
    for (size_t k = 0; k < b.n; k++)
        apart = fmax(apart, fmax(fabs(v.x[k] - to.x[0][k]),
                                 fmax(fabs(v.y[k] - to.x[1][k]),
                                      fabs(v.z[k] - to.x[2][k]))));
    koshu_particles_release_write(p);
    measured("impact %g: dE/E %.1e, off by %.1e, a %.6f\n", impact, error,
             apart, semi_major_axis(&c));
    destroy(&c);
    assert_near(error, 0, 1e-8);
    return apart;
}

static void
scattering_is_that_of_the_bodies(void **state)
{
    (void)state;
    assert_near(meet(20), 0, 1e-6);
    assert_near(meet(9), 0, 1e-6);
    assert_near(meet(5), 0, 1e-4);
}

/* An isolated binary with a companion, slowed down by some hundred. At each
 * multiple of dt the store holds the state of the unslowed system, and
 * integration starts again from there. */
static void
slowed_triples_stop_where_they_like(void **state)
{
    (void)state;
    const struct elements inner = {1.2, 1e-3, 0.7, 0.7, 0.5, 1},
                          outer = {2.2, 1, 0.3, 0, 0, 2};
    const struct few_bodies b = few_triple(1, 0.2, 1, &inner, &outer);
    struct koshu_integrator_options o = hermite_options();
    struct koshu_particles *p;
    o.regularisation = 2;
    o.slow_down = 1e-4;
    o.dt = 1.0 / 16;
    assert_ok(context, koshu_particles_create(context, b.n, &p));
    set_bodies(p, &b);
    struct cluster c = integrate(p, &o);
    assert_ok(context, koshu_integrator_evaluate(c.integrator));
    const double energy = energy_of(&c);
    double worst = 0;
    for (int k = 1; k <= 16 * 20; k++) {
        run_to(&c, k * o.dt);
        worst = fmax(worst, fabs(energy_of(&c) / energy - 1));
    }
    measured("slowed triple, %g stops: dE/E %.1e\n", 16 * 20.0, worst);
    assert_true(worst < 1e-6);
    destroy(&c);
}

/* Two pairs; the second's centre is at x from the first's and has relative
 * velocity v. */
static struct few_bodies
pairs(const struct elements *first, const struct elements *second,
      const double x[3], const double v[3])
{
    const struct elements *of[] = {first, second};
    struct few_bodies b = {.n = 4, .mass = {1, 1, 1, 1}};
    for (size_t k = 0; k < 4; k++) {
        double r[3], w[3];
        few_orbit(of[k / 2], r, w);
        for (int d = 0; d < 3; d++) {
            const double part = k % 2 ? 0.5 : -0.5, side = k < 2 ? -0.5 : 0.5;
            b.x[d][k] = part * r[d] + side * x[d];
            b.v[d][k] = part * w[d] + side * v[d];
        }
    }
    return b;
}

/* |dE/E| by block steps with few-body groups of this radius. */
static double
energy_error(const struct few_bodies *b, double regularisation, double dt,
             double until)
{
    struct koshu_integrator_options o = hermite_options();
    struct koshu_particles *p;
    o.regularisation = regularisation;
    o.eta = 0.01;
    o.dt = dt;
    assert_ok(context, koshu_particles_create(context, b->n, &p));
    set_bodies(p, b);
    struct cluster c = integrate(p, &o);
    assert_ok(context, koshu_integrator_evaluate(c.integrator));
    const double energy = energy_of(&c);
    run_to(&c, until);
    const double error = fabs(energy_of(&c) / energy - 1);
    destroy(&c);
    return error;
}

static double
error_of(const struct few_bodies *b, double until)
{
    return energy_error(b, 1, 1.0 / 16, until);
}

/* Binaries that start 4 apart and meet; some break up. */
static void
binaries_meet(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < 12; k++) {
        const struct elements first = {2, 0.1, 0.08 * k, 0.2 * k, 0.7 * k, k},
                              second = {2,           0.1,     0.9 - 0.07 * k,
                                        3 - 0.2 * k, 0.4 * k, 2 * k};
        const double x[] = {4, 0.2 * k, 0}, v[] = {-1, 0, 0};
        const struct few_bodies b = pairs(&first, &second, x, v);
        const double error = error_of(&b, 6);
        worst = fmax(worst, error);
    }
    measured("binaries that meet: dE/E %.1e\n", worst);
    assert_true(worst < 1e-4);
}

/* Two single bodies pass each other within 0.9, at 2 from a binary: if they
 * formed a group, they would act on it as a point. */
static void
two_pass_beside_a_binary(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        const struct elements orbit = {2, 0.2, 0.5, 0.4 * k, k, 1};
        const double x[] = {2.1, 0, 0}, v[] = {-0.2, 0, 0};
        struct few_bodies b = pairs(&orbit, &orbit, x, v);
        for (int i = 2; i < 4; i++) {
            const double side = i == 2 ? -0.5 : 0.5;
            b.x[0][i] = 2.1 / 2 - side * 0.3;
            b.x[1][i] = side * 0.8;
            b.x[2][i] = side * 3;
            b.v[0][i] = -0.1;
            b.v[1][i] = -side * 0.2;
            b.v[2][i] = -side * 4;
        }
        worst = fmax(worst, error_of(&b, 3));
    }
    measured("two that pass beside a binary: dE/E %.1e\n", worst);
    assert_true(worst < 1e-5);
}

/* Binaries almost as wide as `regularisation` pass each other at about 4, on
 * the way from 12 and back: each must act on the other as two bodies. */
static void
wide_binaries_pass(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < 12; k++) {
        const struct elements first = {2, 0.9, 0.08 * k, 0.2 * k, 0.7 * k, k},
                              second = {2,           0.8,     0.9 - 0.07 * k,
                                        3 - 0.2 * k, 0.4 * k, 2 * k};
        const double x[] = {12, 3 + 0.2 * k, 0}, v[] = {-1, 0, 0};
        const struct few_bodies b = pairs(&first, &second, x, v);
        worst = fmax(worst, error_of(&b, 24));
    }
    measured("wide binaries that pass: dE/E %.1e\n", worst);
    assert_true(worst < 1e-4);
}

/* Two light bodies on circles about a heavy one meet head on. Their forces do
 * not show it until they are near, and a step suited to the circles could end
 * there: an error of 1.2e-4. */
static void
light_ones_meet_head_on(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < 32; k++) {
        const double angle = 0.5 + 0.013 * k, y = sin(angle), x = cos(angle);
        struct few_bodies b = {.n = 3, .mass = {1, 1e-5, 1e-5}};
        for (int i = 1; i < 3; i++) {
            const double side = i == 1 ? -1 : 1;
            b.x[0][i] = x + side * 1e-5;
            b.x[1][i] = side * y;
            b.v[0][i] = y;
            b.v[1][i] = -side * x;
        }
        worst = fmax(worst, energy_error(&b, 1e-3, 1.0 / 4, 1));
    }
    measured("light ones that meet head on: dE/E %.1e\n", worst);
    assert_true(worst < 3e-5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_hard_binary_stays),
            cmocka_unit_test(groups_keep_the_energy_better),
            cmocka_unit_test(scattering_is_that_of_the_bodies),
            cmocka_unit_test(slowed_triples_stop_where_they_like),
            cmocka_unit_test(binaries_meet),
            cmocka_unit_test(two_pass_beside_a_binary),
            cmocka_unit_test(wide_binaries_pass),
            cmocka_unit_test(light_ones_meet_head_on),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
