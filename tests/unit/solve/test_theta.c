/* SPDX-License-Identifier: MIT */
/* An FMM whose theta grows, as in a run of a universe: softened forces in a box
 * stay as accurate as expansions are, and cost less. */
#include <math.h>
#include <stdlib.h>

#include <koshu/ewald.h>
#include <koshu/initial.h>
#include <koshu/solver.h>

#include "on_backend.h"
#include "solve/solve.h"
#define FIXTURE_BACKEND on_backend("simd")
#include "fixture.h"

enum { N = 8000, SAMPLE = 100 };
static const double box = 4, eps = 0.02;

static struct koshu_particle_const_view
view_of(struct koshu_particles *p)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    assert_ok(context,
              koshu_particles_acquire_read(
                      p, KOSHU_FIELD_ALL & ~KOSHU_FIELD_POTENTIAL, &v));
    koshu_particles_release_read(p);
    return v;
}

/* Ewald sums for the first particles. */
static void
sum_exactly(struct koshu_particles *p, double *const g[3])
{
    struct koshu_ewald_options options = koshu_ewald_options_default();
    struct koshu_laplace_points from = koshu_laplace_points_default(), to;
    struct koshu_laplace_result r = koshu_laplace_result_default();
    const struct koshu_particle_const_view v = view_of(p);
    options.box = box;
    options.softening = eps;
    from.n = N;
    from.x = v.x, from.y = v.y, from.z = v.z;
    from.charge = v.mass;
    to = from;
    to.n = SAMPLE;
    to.charge = NULL;
    r.gradient_x = g[0], r.gradient_y = g[1], r.gradient_z = g[2];
    assert_ok(context, koshu_ewald_sums(context, &from, &to, &options, &r));
}

static struct koshu_solver *
make_solver(void)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_laplace_options fmm = koshu_laplace_options_default();
    struct koshu_solver *solver;
    options.method = KOSHU_METHOD_FMM;
    options.softening = eps;
    options.fmm = &fmm;
    fmm.tolerance = 0;
    fmm.multipole_order = 10;
    fmm.theta = 0.5;
    fmm.box = box;
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    return solver;
}

/* The rms error, relative to the rms force; *pairs: direct sums. */
static double
error_of(struct koshu_solver *solver, struct koshu_particles *p,
         double *const exact[3], uint64_t *pairs)
{
    struct koshu_tree_report report = {.size = sizeof report};
    double off = 0, all = 0;
    assert_ok(context,
              koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    assert_ok(context, koshu_solver_tree_report(solver, &report));
    *pairs = report.interactions;
    const struct koshu_particle_const_view v = view_of(p);
    const double *const a[3] = {v.ax, v.ay, v.az};
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < SAMPLE; i++) {
            off += (a[c][i] - exact[c][i]) * (a[c][i] - exact[c][i]);
            all += exact[c][i] * exact[c][i];
        }
    return sqrt(off / all);
}

static void
set_theta(struct koshu_solver *solver, double theta)
{
    const struct koshu_opening opening = koshu_opening_of_all(theta);
    koshu_solver_set_opening(solver, &opening);
}

static void
softened_forces_follow(void **state)
{
    (void)state;
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_particles *p;
    double *const exact[3] = {calloc(SAMPLE, sizeof(double)),
                              calloc(SAMPLE, sizeof(double)),
                              calloc(SAMPLE, sizeof(double))};
    model.n = N;
    assert_ok(context, koshu_initial_create(context, &model, &p));
    sum_exactly(p, exact);
    struct koshu_solver *solver = make_solver();
    uint64_t before, pairs, of_six = 0;
    double error = error_of(solver, p, exact, &before);
    if (!(error < 2e-5)) fail_msg("theta 0.5: error %g", error);
    for (int k = 6; k <= 8; k++) {
        set_theta(solver, 0.1 * k);
        error = error_of(solver, p, exact, &pairs);
        if (!(error < 5e-4 && pairs < before))
            fail_msg("theta 0.%d: error %g, %g pairs, %g before", k, error,
                     (double)pairs, (double)before);
        before = pairs;
        if (k == 6) of_six = pairs;
    }
    /* 0.49; 0.64 with the orders of theta = 0.5, by which cells within 15 eps
     * do not act as such. A device has larger leaves. */
    if (!on_backend(NULL)) assert_true((double)pairs < 0.57 * (double)of_six);
    set_theta(solver, 0.5);
    error = error_of(solver, p, exact, &pairs);
    if (!(error < 2e-5)) fail_msg("theta 0.5 again: error %g", error);
    for (int c = 0; c < 3; c++) free(exact[c]);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(softened_forces_follow),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
