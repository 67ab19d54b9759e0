/* SPDX-License-Identifier: MIT */
/* Particles moved by a user-defined interaction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "on_backend.h"
#include "system.h"

/* A Yukawa potential, -m exp(-r / 2) / r; the test runs in the project's root
 * directory. */
static char *
yukawa(void)
{
    enum { MAX = 4096 };
    char *text = calloc(1, MAX);
    FILE *file = fopen("examples/yukawa.pipe", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, MAX - 1, file) > 0);
    fclose(file);
    return text;
}

struct pair_run {
    struct koshu_context *context;
    struct koshu_interaction *interaction;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static struct pair_run
begin(const char *text, const struct koshu_initial_options *initial,
      enum koshu_scheme scheme, double dt)
{
    struct pair_run r = {.context = test_context(on_backend("cpu"), 0)};
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    struct koshu_solver_options solver = koshu_solver_options_default();
    struct koshu_integrator_options steps = koshu_integrator_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(r.context, koshu_interaction_create(r.context, text, &options,
                                                  &r.interaction));
    solver.method = KOSHU_METHOD_INTERACTION;
    solver.interaction = r.interaction;
    steps.scheme = scheme;
    steps.step_rule = KOSHU_STEP_RULE_FIXED;
    steps.dt = dt;
    assert_ok(r.context,
              koshu_initial_create(r.context, initial, &r.particles));
    assert_ok(r.context, koshu_solver_create(r.context, &solver, &r.solver));
    assert_ok(r.context, koshu_integrator_create(r.solver, r.particles, 0,
                                                 &steps, &r.integrator));
    return r;
}

static void
end(struct pair_run *r)
{
    koshu_integrator_destroy(r->integrator);
    koshu_solver_destroy(r->solver);
    koshu_interaction_destroy(r->interaction);
    koshu_particles_destroy(r->particles);
    koshu_context_destroy(r->context);
}

static double
energy(struct pair_run *r)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(r->context, koshu_diagnostics_compute(r->particles, &d));
    return d.total;
}

/* The largest |E - E0| / |E0| over a little more than one orbit. */
static double
orbit_error(const char *text, enum koshu_scheme scheme, double dt)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.model = KOSHU_MODEL_TWO_BODY;
    initial.n = 2;
    initial.eccentricity = 0.5;
    struct pair_run r = begin(text, &initial, scheme, dt);
    assert_ok(r.context, koshu_integrator_evaluate(r.integrator));
    const double start = energy(&r);
    double worst = 0;
    while (koshu_integrator_time(r.integrator) < 8) {
        assert_ok(r.context, koshu_integrator_advance(r.integrator, 8, true));
        worst = fmax(worst, fabs(energy(&r) / start - 1));
    }
    end(&r);
    return worst;
}

static double
order_of(const char *text, enum koshu_scheme scheme)
{
    enum { STEPS = 4 };
    double dt[STEPS], error[STEPS];
    for (int k = 0; k < STEPS; k++) {
        dt[k] = 1.0 / 64 / (1 << k);
        error[k] = orbit_error(text, scheme, dt[k]);
        measured("yukawa, scheme %d: dt = 1/%-5g max |dE/E| = %.2e\n",
                 (int)scheme, 1 / dt[k], error[k]);
    }
    return fitted_order(STEPS, dt, error);
}

static void
an_orbit_keeps_its_energy_to_the_order_of_the_scheme(void **state)
{
    (void)state;
    char *text = yukawa();
    assert_near(order_of(text, KOSHU_SCHEME_LEAPFROG), 2, 0.1);
    assert_near(order_of(text, KOSHU_SCHEME_HERMITE), 4, 0.1);
    free(text);
}

/* Gravity, written as a user-defined interaction, moves particles as koshu's
 * own sums do. */
static void
gravity_as_an_interaction_is_gravity(void **state)
{
    (void)state;
    const char *const text = "//! i: x y z eps2\n"
                             "//! j: x y z mass\n"
                             "//! out: ax ay az potential\n"
                             "double dx = INPUT_J[0] - INPUT_I[0];\n"
                             "double dy = INPUT_J[1] - INPUT_I[1];\n"
                             "double dz = INPUT_J[2] - INPUT_I[2];\n"
                             "double r1i = 1/sqrt(dx*dx + dy*dy + dz*dz"
                             " + INPUT_I[3]);\n"
                             "double m = INDEX_I != INDEX_J ? INPUT_J[3] : 0;\n"
                             "double f = m * r1i * r1i * r1i;\n"
                             "OUTPUT[0] += f * dx;\n"
                             "OUTPUT[1] += f * dy;\n"
                             "OUTPUT[2] += f * dz;\n"
                             "OUTPUT[3] -= m * r1i;\n";
    const double eps = 1.0 / 32;
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = 500;
    struct system s = system_create(&initial, KOSHU_PRECISION_DOUBLE, eps);
    struct pair_run r = begin(text, &initial, KOSHU_SCHEME_LEAPFROG, 1.0 / 256);
    struct koshu_solver_options solver = koshu_solver_options_default();
    koshu_integrator_destroy(r.integrator);
    koshu_solver_destroy(r.solver);
    solver.method = KOSHU_METHOD_INTERACTION;
    solver.interaction = r.interaction;
    solver.softening = eps;
    assert_ok(r.context, koshu_solver_create(r.context, &solver, &r.solver));
    assert_ok(r.context, koshu_integrator_create(r.solver, r.particles, 0,
                                                 &s.options, &r.integrator));
    assert_ok(r.context, koshu_integrator_evaluate(r.integrator));
    assert_near(energy(&r), system_diagnostics(&s).total, 1e-13);
    for (int k = 0; k < 8; k++) {
        system_step(&s, 1);
        assert_ok(r.context, koshu_integrator_advance(r.integrator, 1, true));
    }
    assert_near(energy(&r), system_diagnostics(&s).total, 1e-12);
    end(&r);
    system_destroy(&s);
}

static void
refuse(const char *text, enum koshu_scheme scheme, const char *words)
{
    struct koshu_context *context = test_context("ref", 1);
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_integrator_options steps = koshu_integrator_options_default();
    struct koshu_interaction *interaction;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator = NULL;
    initial.n = 3;
    steps.scheme = scheme;
    assert_ok(context,
              koshu_interaction_create(context, text, &options, &interaction));
    assert_ok(context, koshu_initial_create(context, &initial, &particles));
    o.method = KOSHU_METHOD_INTERACTION;
    o.interaction = interaction;
    koshu_status status = koshu_solver_create(context, &o, &solver);
    if (status == KOSHU_OK)
        status = koshu_integrator_create(solver, particles, 0, &steps,
                                         &integrator);
    if (status == KOSHU_OK) status = koshu_integrator_evaluate(integrator);
    assert_int_not_equal(status, KOSHU_OK);
    assert_non_null(strstr(koshu_context_message(context), words));
    koshu_integrator_destroy(integrator);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
    koshu_interaction_destroy(interaction);
    koshu_context_destroy(context);
}

static void
what_cannot_move_particles_is_refused(void **state)
{
    (void)state;
    refuse("//! i: x charge\n//! j: x\n//! out: ax ay az\n"
           "OUTPUT[0] += INPUT_J[0] * INPUT_I[1];\nOUTPUT[1] += 0;\n"
           "OUTPUT[2] += 0;\n",
           KOSHU_SCHEME_LEAPFROG, "input 'charge' of an i-particle");
    refuse("//! i: x\n//! j: x\n//! out: ax ay\n"
           "OUTPUT[0] += INPUT_J[0] - INPUT_I[0];\nOUTPUT[1] += 0;\n",
           KOSHU_SCHEME_LEAPFROG, "no output 'az'");
    refuse("//! i: x\n//! j: x\n//! out: ax ay az\n"
           "OUTPUT[0] += INPUT_J[0] - INPUT_I[0];\nOUTPUT[1] += 0;\n"
           "OUTPUT[2] += 0;\n",
           KOSHU_SCHEME_HERMITE,
           "outputs jx, jy and jz; add them, or take "
           "integrator.scheme: leapfrog");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(
                    an_orbit_keeps_its_energy_to_the_order_of_the_scheme),
            cmocka_unit_test(gravity_as_an_interaction_is_gravity),
            cmocka_unit_test(what_cannot_move_particles_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
