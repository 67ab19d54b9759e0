/* SPDX-License-Identifier: MIT */
/* Particles that move in external fields: energies, the Jacobi integral,
 * epicycles, orders of the schemes, and reversal. */
#include <math.h>

#include <koshu/diagnostics.h>

#include "every_field.h"
#include "external/external.h"
#include "fixture.h"
#include "integrator.h"
#include "particles/particles.h"

/* A run with a few particles. */
struct orbit {
    struct koshu_external *external;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    struct koshu_particle_view view;
};

static void
look_at(struct orbit *o)
{
    assert_ok(context,
              koshu_particles_on_host(o->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ_WRITE, &o->view));
}

/* One body of mass m at (1, 0, 0.2), or several that hardly attract each
 * other. */
static struct orbit
begin(struct koshu_external *external, size_t n, double mass,
      const struct koshu_integrator_options *options)
{
    struct orbit o = {.external = external};
    struct koshu_solver_options s = koshu_solver_options_default();
    s.precision = KOSHU_PRECISION_DOUBLE;
    s.softening = 0.01;
    assert_ok(context, koshu_particles_create(context, n, &o.particles));
    look_at(&o);
    for (size_t i = 0; i < n; i++) {
        o.view.mass[i] = mass;
        o.view.x[i] = 1 + 0.3 * (double)i;
        o.view.y[i] = 0.1 * (double)i;
        o.view.z[i] = 0.2;
        o.view.vx[i] = 0.1;
        o.view.vy[i] = 0.8;
        o.view.vz[i] = 0.3;
    }
    assert_ok(context, koshu_solver_create(context, &s, &o.solver));
    assert_ok(context, koshu_integrator_create(o.solver, o.particles, 0,
                                               options, &o.integrator));
    assert_ok(context, koshu_integrator_set_external(o.integrator, external));
    assert_ok(context, koshu_integrator_evaluate(o.integrator));
    return o;
}

static void
end(struct orbit *o)
{
    koshu_integrator_destroy(o->integrator);
    koshu_solver_destroy(o->solver);
    koshu_particles_destroy(o->particles);
}

static void
run(struct orbit *o, double until)
{
    while (koshu_integrator_time(o->integrator) != until)
        assert_ok(context,
                  koshu_integrator_advance(o->integrator, until, true));
    look_at(o);
}

/* T + W + sum m phi. */
static double
energy_of(struct orbit *o)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    double external;
    assert_ok(context, koshu_diagnostics_compute(o->particles, &d));
    assert_ok(context,
              koshu_external_energy(o->external, o->particles, &external));
    return d.total + external;
}

static struct koshu_integrator_options
fixed(enum koshu_scheme scheme, double dt)
{
    return scheme_options(scheme, KOSHU_STEP_RULE_FIXED, dt, 0);
}

/* The largest energy error from t = 0 to 4, for two bodies. */
static double
largest_error(int kind, const struct koshu_integrator_options *options)
{
    struct koshu_external *e = make_field(context, kind);
    struct orbit o = begin(e, 2, 0.01, options);
    const double E = energy_of(&o);
    double largest = 0;
    for (int k = 1; k <= 16; k++) {
        run(&o, 0.25 * k);
        largest = fmax(largest, fabs(energy_of(&o) - E));
    }
    end(&o);
    koshu_external_destroy(e);
    return largest;
}

/* Halving the step must make errors 2^order smaller. The factor 0.4 below
 * allows for the next order; with these steps rounding is negligible. */
static void
schemes_keep_their_order_in_each_field(void **state)
{
    (void)state;
    static const struct {
        enum koshu_scheme scheme;
        double dt, order;
    } schemes[] = {{KOSHU_SCHEME_LEAPFROG, 1.0 / 512, 2},
                   {KOSHU_SCHEME_HERMITE, 1.0 / 256, 4}};
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int s = 0; s < 2; s++) {
            struct koshu_integrator_options o =
                    fixed(schemes[s].scheme, schemes[s].dt);
            const double coarse = largest_error(kind, &o);
            o.dt /= 2;
            const double fine = largest_error(kind, &o);
            const double order = log2(coarse / fine);
            if (!(order > schemes[s].order - 0.4))
                fail_msg("%s, %s: order %g (%g, %g)",
                         koshu_external_kind_name(
                                 (enum koshu_external_kind)kind),
                         koshu_scheme_name(schemes[s].scheme), order, coarse,
                         fine);
        }
}

/* Block steps by Aarseth's criterion, and steps chosen from the
 * acceleration. */
static void
adaptive_steps_keep_the_energy(void **state)
{
    (void)state;
    const struct koshu_integrator_options hermite = scheme_options(
            KOSHU_SCHEME_HERMITE, KOSHU_STEP_RULE_BLOCK, 0.125, 0.0005);
    const struct koshu_integrator_options leapfrog =
            scheme_options(KOSHU_SCHEME_LEAPFROG, KOSHU_STEP_RULE_ACCELERATION,
                           1.0 / 64, 0.02);
    for (int kind = 0; kind < N_KINDS; kind++) {
        /* measured below 3e-7 and 5e-5 for all fields */
        assert_true(largest_error(kind, &hermite) < 1e-6);
        assert_true(largest_error(kind, &leapfrog) < 2e-4);
    }
}

/* Steps are chosen from the total acceleration: that of two light bodies alone,
 * without the field, would allow the longest step. */
static void
steps_are_chosen_from_all_that_acts(void **state)
{
    (void)state;
    const struct koshu_integrator_options options = scheme_options(
            KOSHU_SCHEME_LEAPFROG, KOSHU_STEP_RULE_ACCELERATION, 1, 0.02);
    struct koshu_external *e =
            make_field(context, KOSHU_EXTERNAL_KIND_POINT_MASS);
    struct orbit o = begin(e, 1, 1e-6, &options);
    run(&o, 1e-3);
    end(&o);
    o = begin(e, 1, 1e-6, &options);
    assert_ok(context, koshu_integrator_advance(o.integrator, 1, false));
    double a[3];
    const double x[3] = {1, 0, 0.2};
    assert_ok(context, koshu_external_evaluate(e, 1, x, NULL, a, NULL, NULL));
    const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    assert_near(koshu_integrator_time(o.integrator), 0.02 * sqrt(0.01 / size),
                1e-12);
    end(&o);
    koshu_external_destroy(e);
}

/* The body returns to its start: with the leapfrog to rounding, with the
 * Hermite scheme to what iterations leave that make its steps symmetric. */
static void
the_way_back_is_the_same(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++)
        for (int kind = 0; kind < N_KINDS; kind++) {
            struct koshu_integrator_options options =
                    fixed((enum koshu_scheme)s, 1.0 / 128);
            options.iterations = 5;
            struct koshu_external *e = make_field(context, kind);
            struct orbit o = begin(e, 1, 0.01, &options);
            run(&o, 2);
            koshu_integrator_destroy(o.integrator);
            options.dt = -options.dt;
            assert_ok(context,
                      koshu_integrator_create(o.solver, o.particles, 2,
                                              &options, &o.integrator));
            assert_ok(context, koshu_integrator_set_external(o.integrator, e));
            run(&o, 0);
            const double off =
                    fabs(o.view.x[0] - 1) + fabs(o.view.y[0]) +
                    fabs(o.view.z[0] - 0.2) + fabs(o.view.vx[0] - 0.1) +
                    fabs(o.view.vy[0] - 0.8) + fabs(o.view.vz[0] - 0.3);
            /* rounding of 512 steps, which diverging orbits near a centre
             * amplify */
            if (!(off < 1e-11))
                fail_msg("scheme %d, field %d: %g off", s, kind, off);
            end(&o);
            koshu_external_destroy(e);
        }
}

/*
 * In the rotating frame a body on a small epicycle moves exactly by
 *
 * x = X cos kappa t, y = -(2 Omega / kappa) X sin kappa t, z = Z cos nu t,
 *
 * because the tide is linear.
 */
static void
epicycles_have_their_frequencies(void **state)
{
    (void)state;
    const struct koshu_external_field f = field_of(KOSHU_EXTERNAL_KIND_TIDE);
    const double omega = 0.6, X = 0.5, Z = 0.2;
    const double kappa = omega * sqrt(2 * (1 + f.slope));
    const double nu = sqrt(4 * M_PI * f.density - 2 * f.slope * omega * omega);
    const double until = 2 * M_PI / kappa; /* one epicycle */
    /* second and fourth order of steps of 1/256 over until = 8.6: (kappa
     * dt)^order is 8e-6 and 7e-11, and the tolerances are 10 times that */
    const double tolerance[] = {1e-4, 1e-9};
    for (int s = 0; s < 2; s++) {
        const struct koshu_integrator_options options =
                fixed((enum koshu_scheme)s, 1.0 / 256);
        struct koshu_external *e =
                make_field(context, KOSHU_EXTERNAL_KIND_TIDE);
        struct orbit o = begin(e, 1, 1e-9, &options);
        o.view.x[0] = X;
        o.view.y[0] = 0;
        o.view.z[0] = Z;
        o.view.vx[0] = 0;
        o.view.vy[0] = -2 * omega * X;
        o.view.vz[0] = 0;
        assert_ok(context, koshu_integrator_evaluate(o.integrator));
        run(&o, until / 4);
        assert_near(o.view.x[0], 0, tolerance[s]);
        assert_near(o.view.y[0], -2 * omega / kappa * X, tolerance[s]);
        assert_near(o.view.z[0], Z * cos(nu * until / 4), tolerance[s]);
        run(&o, until);
        assert_near(o.view.x[0], X, tolerance[s]);
        assert_near(o.view.y[0], 0, 4 * tolerance[s]);
        assert_near(o.view.z[0], Z * cos(nu * until), tolerance[s]);
        end(&o);
        koshu_external_destroy(e);
    }
}

/* An orbit near the circular one about a point mass, seen from outside: to
 * first order of the distance over R0 the frame sees the tide. */
static void
a_tide_is_what_turns_with_an_orbit(void **state)
{
    (void)state;
    const double R0 = 1000, distance = 1, omega = 0.5, time = 3;
    const double M = omega * omega * R0 * R0 * R0;
    struct koshu_external_field tide = koshu_external_field_default(),
                                mass = koshu_external_field_default();
    const struct koshu_integrator_options options =
            fixed(KOSHU_SCHEME_HERMITE, 1.0 / 128);
    struct koshu_external *e;
    tide.kind = KOSHU_EXTERNAL_KIND_TIDE;
    tide.radius = R0;
    tide.speed = omega * R0;
    tide.slope = -0.5;
    tide.density = 0;
    mass.mass = M;
    assert_ok(context, koshu_external_create(context, 1, &tide, &e));
    struct orbit inside = begin(e, 1, 1e-9, &options);
    inside.view.x[0] = distance;
    inside.view.y[0] = inside.view.z[0] = 0;
    inside.view.vx[0] = inside.view.vz[0] = 0;
    inside.view.vy[0] = 0.3;
    assert_ok(context, koshu_integrator_evaluate(inside.integrator));
    run(&inside, time);
    const double x = inside.view.x[0], y = inside.view.y[0];
    end(&inside);
    koshu_external_destroy(e);

    assert_ok(context, koshu_external_create(context, 1, &mass, &e));
    struct orbit outside = begin(e, 1, 1e-9, &options);
    outside.view.x[0] = R0 + distance;
    outside.view.y[0] = outside.view.z[0] = 0;
    outside.view.vx[0] = outside.view.vz[0] = 0;
    outside.view.vy[0] = 0.3 + omega * (R0 + distance);
    assert_ok(context, koshu_integrator_evaluate(outside.integrator));
    run(&outside, time);
    const double c = cos(omega * time), s = sin(omega * time);
    const double X = outside.view.x[0], Y = outside.view.y[0];
    /* second order: omega^2 x^2 / R0 over the time, at most 1e-2 */
    assert_near(x, c * X + s * Y - R0, 2e-2);
    assert_near(y, c * Y - s * X, 2e-2);
    assert_true(fabs(x - distance) > 0.5); /* it has moved at all */
    end(&outside);
    koshu_external_destroy(e);
}

/* A single body at rest where the potential is 0 can take any first step. */
static void
a_body_at_rest_falls(void **state)
{
    (void)state;
    const struct koshu_integrator_options options = hermite_options();
    struct koshu_external *e = make_field(context, KOSHU_EXTERNAL_KIND_UNIFORM);
    struct orbit o = begin(e, 1, 1, &options);
    o.view.x[0] = o.view.y[0] = o.view.z[0] = 0;
    o.view.vx[0] = o.view.vy[0] = o.view.vz[0] = 0;
    assert_ok(context, koshu_integrator_evaluate(o.integrator));
    run(&o, 2);
    assert_near(o.view.z[0], 0.3 * 2, 1e-14);
    end(&o);
    koshu_external_destroy(e);
}

static void
fields_come_before_the_first_step(void **state)
{
    (void)state;
    const struct koshu_integrator_options options = hermite_options();
    struct koshu_external *e = make_field(context, KOSHU_EXTERNAL_KIND_PLUMMER);
    struct orbit o = begin(e, 2, 1, &options);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "before the first step or evaluation",
                 koshu_integrator_set_external(o.integrator, NULL));
    end(&o);
    koshu_external_destroy(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(schemes_keep_their_order_in_each_field),
            cmocka_unit_test(adaptive_steps_keep_the_energy),
            cmocka_unit_test(steps_are_chosen_from_all_that_acts),
            cmocka_unit_test(the_way_back_is_the_same),
            cmocka_unit_test(epicycles_have_their_frequencies),
            cmocka_unit_test(a_tide_is_what_turns_with_an_orbit),
            cmocka_unit_test(a_body_at_rest_falls),
            cmocka_unit_test(fields_come_before_the_first_step),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
