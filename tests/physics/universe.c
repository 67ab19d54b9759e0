/* SPDX-License-Identifier: MIT */
#include "universe.h"

#include <math.h>

#include "integrator.h"
#include "particles/particles.h"
#include "solve/solve.h"

struct koshu_cosmology
universe_of(double omega_m)
{
    return (struct koshu_cosmology){.omega_m = omega_m,
                                    .omega_lambda = 1 - omega_m,
                                    .w = -1,
                                    .h = 1,
                                    .hubble0 = 1};
}

static double
mean_density(double omega_m)
{
    return 3 * omega_m / (8 * M_PI);
}

static void
place(size_t n, size_t index, double x[3])
{
    const size_t at[3] = {index / (n * n), index / n % n, index % n};
    for (int k = 0; k < 3; k++) x[k] = (double)at[k] / (double)n;
}

/* Keep only particles within this radius about 1/2; 0: keep all. */
static bool
is_inside(const double x[3], double radius)
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) r2 += (x[k] - 0.5) * (x[k] - 0.5);
    return radius == 0 || r2 < radius * radius;
}

static void
fill(struct system *s, size_t n, double mass, double radius)
{
    const size_t all = n * n * n;
    const double shift = radius > 0 ? 0.5 : 0;
    double x[3];
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        place(n, i, x);
        count += is_inside(x, radius);
    }
    assert_ok(s->context,
              koshu_particles_create(s->context, count, &s->particles));
    struct koshu_particle_view v = system_view(s);
    for (size_t i = 0, p = 0; i < all; i++) {
        place(n, i, x);
        if (!is_inside(x, radius)) continue;
        v.id[p] = i;
        v.mass[p] = mass / (double)count;
        v.x[p] = x[0] - shift;
        v.y[p] = x[1] - shift;
        v.z[p] = x[2] - shift;
        v.vx[p] = v.vy[p] = v.vz[p] = 0;
        p++;
    }
}

static struct system
create(size_t n, double omega_m, const struct koshu_solver_options *solver,
       double radius)
{
    struct system s = {.context = test_context(NULL, 0)};
    const double volume = radius > 0 ? 4 * M_PI / 3 * pow(radius, 3) : 1;
    fill(&s, n, mean_density(omega_m) * volume, radius);
    assert_ok(s.context, koshu_solver_create(s.context, solver, &s.solver));
    return s;
}

struct system
universe_box(size_t n, double omega_m, double eps)
{
    struct koshu_solver_options solver = koshu_solver_options_default();
    struct koshu_laplace_options fmm = koshu_laplace_options_default();
    fmm.tolerance = 0;
    fmm.multipole_order = 8;
    fmm.theta = 0.5;
    fmm.box = 1;
    solver.method = KOSHU_METHOD_FMM;
    solver.softening = eps;
    solver.fmm = &fmm;
    struct system s = create(n, omega_m, &solver, 0);
    universe_integrate(&s, 0.05, 1);
    s.leapfrog->expansion.cosmology = universe_of(omega_m);
    return s;
}

struct system
universe_sphere(size_t n, double omega_m, double eps)
{
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = KOSHU_PRECISION_DOUBLE;
    solver.softening = eps;
    struct system s = create(n, omega_m, &solver, 0.5);
    universe_integrate(&s, 0.05, 1);
    s.leapfrog->expansion.cosmology = universe_of(omega_m);
    s.leapfrog->expansion.background = omega_m / 2;
    return s;
}

void
universe_integrate(struct system *s, double dt, double a)
{
    struct koshu_universe universe = {0};
    if (s->leapfrog) universe = s->leapfrog->expansion;
    universe.softening = s->solver->options.softening;
    system_integrate_by(s, KOSHU_STEP_RULE_FIXED, dt, 0, a);
    koshu_integrator_expand(s->leapfrog, &universe);
}

void
universe_run(struct system *s, double a)
{
    while (system_time(s) != a)
        assert_ok(s->context, koshu_integrator_advance(s->leapfrog, a, false));
}
