/* SPDX-License-Identifier: MIT */
/* Block steps with few-body groups: options, time grid, restarts. */
#include <math.h>

#include <koshu/koshu.h>

#include "groups_rig.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

/* One binary makes 44 revolutions per time unit; measured: 2e-8. */
static void
the_energy_is_kept(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = groups_options();
    struct groups c = groups_make(&o, NULL);
    assert_ok(c.context, koshu_integrator_evaluate(c.integrator));
    const double before = groups_energy(&c);
    groups_run(&c, 2);
    assert_near(groups_energy(&c) / before, 1, 1e-5);
    assert_int_equal(clock_of(c.integrator).synchronised_steps, 16);
    groups_free(&c);
}

static void
it_resumes_bit_for_bit(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = groups_options();
    groups_assert_resumes(&o, NULL);
}

/* All threads integrate 140 groups and search for their perturbers. */
static void
bits_are_those_of_any_number_of_threads(void **state)
{
    (void)state;
    struct koshu_integrator_options o = groups_options();
    o.slow_down = 1e-6;
    struct groups one = groups_make_binaries(&o, 1);
    groups_run(&one, 0.125);
    for (int threads = 2; threads < 6; threads += 3) {
        struct groups many = groups_make_binaries(&o, threads);
        groups_run(&many, 0.125);
        groups_assert_same(&one, &many);
        groups_free(&many);
    }
    groups_free(&one);
}

/* A stop off the grid of dt starts a new grid; one on it changes no bit. */
static void
stops_may_be_anywhere(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = groups_options();
    struct groups once = groups_make(&o, NULL), often = groups_make(&o, NULL);
    assert_ok(once.context, koshu_integrator_evaluate(once.integrator));
    const double before = groups_energy(&once);
    groups_run(&once, 0.5);
    groups_run(&often, 0.25);
    groups_run(&often, 0.5);
    groups_assert_same(&once, &often);
    groups_run(&once, 0.6);
    assert_true(clock_of(once.integrator).origin_time == 0.6);
    assert_near(groups_energy(&once) / before, 1, 1e-6);
    groups_run(&once, 0.85);
    assert_near(groups_energy(&once) / before, 1, 1e-6);
    assert_fails(once.context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "does not lie ahead",
                 koshu_integrator_advance(once.integrator, 0.85, false));
    groups_free(&once);
    groups_free(&often);
}

/* Two bodies approach from afar and meet halfway between two synchronised
 * times, passing each other within 2e-6, as a group. As single bodies they
 * would take 2500 steps, with an error of 1.5 % of the energy. */
static void
groups_form_on_the_way(void **state)
{
    (void)state;
    struct koshu_integrator_options o = groups_options();
    struct groups g = groups_of(2, NULL);
    struct koshu_particle_view v = groups_view(g.particles);
    for (int k = 0; k < 2; k++) {
        v.mass[k] = 0.5;
        v.x[k] = k ? 0.35 : -0.35;
        v.vy[k] = k ? 1.5e-3 : -1.5e-3;
    }
    koshu_particles_release_write(g.particles);
    o.dt = 1;
    groups_use(&g, &o);
    assert_ok(g.context, koshu_integrator_evaluate(g.integrator));
    const double before = groups_energy(&g);
    groups_run(&g, 1);
    v = groups_view(g.particles);
    assert_true(v.x[0] * v.vx[0] > 0); /* on the way out */
    koshu_particles_release_write(g.particles);
    assert_near(groups_energy(&g) / before, 1, 1e-4);
    assert_true(clock_of(g.integrator).particle_steps < 1000);
    groups_free(&g);
}

/* Particles that stay apart: as without groups, to rounding. */
static void
without_groups_it_is_the_hermite_scheme(void **state)
{
    (void)state;
    struct koshu_integrator_options o = groups_options();
    o.regularisation = 1e-9;
    struct groups with = groups_make(&o, NULL);
    o.regularisation = 0;
    struct groups without = groups_make(&o, NULL);
    groups_run(&with, 0.125);
    groups_run(&without, 0.125);
    const struct koshu_particle_view v = groups_view(with.particles),
                                     w = groups_view(without.particles);
    assert_memory_equal(v.x, w.x, N * sizeof *v.x);
    assert_memory_equal(v.vz, w.vz, N * sizeof *v.vz);
    koshu_particles_release_write(with.particles);
    koshu_particles_release_write(without.particles);
    groups_free(&with);
    groups_free(&without);
}

/* Two bodies that fly apart: their centre of mass takes one step of dt, at
 * whose end they become single. */
static void
steps_are_those_of_blocks(void **state)
{
    (void)state;
    struct koshu_integrator_options o = groups_options();
    o.eta_start = 1e4; /* as long as the longest allowed */
    struct groups c = groups_of(2, NULL);
    struct koshu_particle_view v = groups_view(c.particles);
    v.mass[0] = 0.1;
    v.mass[1] = 0.9;
    v.x[1] = 0.002;
    v.vx[1] = 60;
    koshu_particles_release_write(c.particles);
    groups_use(&c, &o);
    groups_run(&c, 0.125);
    assert_int_equal(clock_of(c.integrator).steps, 1);
    assert_int_equal(clock_of(c.integrator).particle_steps, 1);
    groups_free(&c);
}

/* ---- what groups cannot be combined with --------------------------------- */

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
    struct koshu_integrator_options o = groups_options();
    s.softening = 0.01;
    refused(&s, &o, "set either to 0");
    s.softening = 0;
    s.method = KOSHU_METHOD_TREE;
    refused(&s, &o, "use a direct solver");
    o.regularisation = -1;
    refused(NULL, &o, "expected a distance");
    o = groups_options();
    o.step_rule = KOSHU_STEP_RULE_FIXED;
    refused(NULL, &o, "block steps alone");
    o = groups_options();
    o.dt = -1;
    refused(NULL, &o, "forward in time alone");
    o = groups_options();
    o.iterations = 2;
    refused(NULL, &o, "set it to 1");
    o = groups_options();
    o.tolerance = 1;
    refused(NULL, &o, "1e-12 is good");
    o = groups_options();
    o.perturbation = -1;
    refused(NULL, &o, "perturbation = -1");
}

/* The energy error of a binary within one dt. */
static void
what_groups_take_is_told(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = groups_options();
    struct koshu_integrator_report r = {.size = sizeof r};
    struct groups c = groups_make(&o, NULL);
    assert_ok(c.context, koshu_integrator_report(c.integrator, &r));
    assert_int_equal(r.group_forces, 0);
    groups_run(&c, 1);
    assert_ok(c.context, koshu_integrator_report(c.integrator, &r));
    assert_true(r.hardest_forces > 0 && r.hardest_forces <= r.group_forces);
    assert_int_equal(r.hardest_bodies, 2);
    assert_true(r.hardest_time > 0 && r.hardest_time <= 1);
    groups_free(&c);
}

static void
bad_particles_are_named(void **state)
{
    (void)state;
    const struct koshu_integrator_options o = groups_options();
    struct groups c = groups_make(&o, NULL);
    struct koshu_particle_view v = groups_view(c.particles);
    v.mass[7] = 0;
    koshu_particles_release_write(c.particles);
    assert_fails(c.context, KOSHU_ERROR_BAD_INPUT, "particle 7: mass = 0",
                 koshu_integrator_advance(c.integrator, 1, false));
    v = groups_view(c.particles);
    v.mass[7] = v.mass[8];
    v.x[7] = v.x[8];
    v.y[7] = v.y[8];
    v.z[7] = v.z[8];
    koshu_particles_release_write(c.particles);
    assert_fails(c.context, KOSHU_ERROR_BAD_INPUT,
                 "particles 7 and 8 are at one place",
                 koshu_integrator_advance(c.integrator, 1, false));
    groups_free(&c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_energy_is_kept),
            cmocka_unit_test(it_resumes_bit_for_bit),
            cmocka_unit_test(bits_are_those_of_any_number_of_threads),
            cmocka_unit_test(groups_form_on_the_way),
            cmocka_unit_test(stops_may_be_anywhere),
            cmocka_unit_test(without_groups_it_is_the_hermite_scheme),
            cmocka_unit_test(steps_are_those_of_blocks),
            cmocka_unit_test(what_does_not_go_with_groups_is_refused),
            cmocka_unit_test(what_groups_take_is_told),
            cmocka_unit_test(bad_particles_are_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
