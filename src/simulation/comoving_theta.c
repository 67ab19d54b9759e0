/* SPDX-License-Identifier: MIT */
/*
 * theta of the FMM in a periodic box of comoving coordinates. What expansions
 * leave out is relative to single terms, which cancel near the beginning: of
 * the largest cells, G rho L for a box of edge L, beside forces of 4 pi G rho
 * psi, with psi how far particles have moved from a lattice, rms of an axis. So
 * the error, of the rms force, is C(theta) L / psi; as psi grows theta may.
 */
#include <math.h>

#include "base/base.h"
#include "devices/devices.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

/*
 * The least psi / L for which each is used: errors with order 10 are 6e-4 of
 * the rms force there, or less where the particles form halos. Measured by
 *
 *     koshu bench fmm --file FILE --periodic L --order 10 --theta 0.55,0.6,...
 *
 * of 64^3 particles in 500, of 256^3 in 125 Mpc/h at z = 49, and of 64^3 in
 * 31.25 Mpc/h at z = 49 to 0 (docs/cosmology.md).
 */
static const struct level {
    double motion, theta;
} levels[] = {{0, 0.5},      {1e-4, 0.55},   {2.3e-4, 0.6}, {6e-4, 0.65},
              {1.2e-3, 0.7}, {2.8e-3, 0.75}, {2e-2, 0.8}};
enum { N_LEVELS = sizeof levels / sizeof levels[0] };

double
koshu_theta_of_motion(double motion)
{
    int k = N_LEVELS - 1;
    while (k > 0 && !(motion >= levels[k].motion)) k--;
    return levels[k].theta;
}

/* psi / L, of the growing mode: the peculiar velocity is a H f psi. */
static double
find_motion(const struct koshu_simulation *s, double mass)
{
    const struct koshu_universe *e = &s->integrator->expansion;
    const double a = s->integrator->clock.time, box = s->kept.box_size;
    const double rate = koshu_hubble(&e->cosmology, a) *
                        koshu_growth_at(&e->cosmology, a).f1;
    const double u2 = 2 * s->kinetic / mass;
    return sqrt(u2 / 3) / (a * rate * box);
}

void
koshu_universe_choose_theta(struct koshu_simulation *s, double mass)
{
    if (!s->values->theta_by_motion) return;
    const double theta = fmax(s->values->fmm.theta, /* it was made with that */
                              koshu_theta_of_motion(find_motion(s, mass)));
    if (theta == s->theta) return;
    s->theta = theta;
    koshu_solver_set_theta(s->solver, theta);
    if (koshu_is_first_rank(s->context))
        koshu_log(s->context, KOSHU_LOG_LEVEL_INFO,
                  "solver.theta is %g from z = %.3g on", theta,
                  1 / s->integrator->clock.time - 1);
}
