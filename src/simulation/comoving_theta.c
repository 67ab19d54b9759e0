/* SPDX-License-Identifier: MIT */
/*
 * theta of the FMM in a periodic box in comoving coordinates. The truncation
 * error of expansions is relative to single terms, which cancel near the
 * beginning: for the largest cells they are G rho L in a box of edge L, beside
 * forces of 4 pi G rho psi, where psi is the rms displacement of particles from
 * a lattice, per axis. The error relative to the rms force is thus C(theta) L /
 * psi, and theta may grow with psi. With fewer particles than 64^3 errors are
 * larger, by 64 / N^(1/3).
 *
 * Smaller cells are as the largest of a smaller box, and have errors that are
 * smaller in proportion. Errors of all sizes add up, but the smallest cells
 * have nearly all of the work: leaves may have the errors of the largest cells,
 * those of twice their edge half of these, and other cells a quarter.
 */
#include <math.h>

#include "base/base.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

/* Particles along an edge: of a box with the usual errors, so that smaller
 * cells than that gain no more by their size; and of a leaf. */
static const double enough = 64, of_leaf = 4;

/*
 * The smallest displacement for which each theta is used. With order 10 the
 * errors there were 3e-4 to 7e-4 of the rms force in samples at equal distances
 * in the file, which on a lattice have up to twice the errors of all, and are
 * less where particles form halos. Measured by
 *
 *     koshu bench fmm --file FILE --periodic L --order 10 --theta 0.55,0.6,...
 *
 * with 16^3 to 256^3 particles in 30 to 1000 Mpc/h at z = 49, and with 64^3 in
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

/* d ln D / d ln a, accurate to a percent (Peebles 1980, section 14). */
static double
growth_rate(const struct koshu_cosmology *c, double a)
{
    return pow(c->omega_m / (a * a * a) / koshu_expansion2(c, a), 0.55);
}

static double
particles_along_edge(const struct koshu_simulation *s)
{
    return cbrt((double)koshu_particles_total(s->particles));
}

double
koshu_universe_motion(const struct koshu_simulation *s, double mass,
                      const double p[3])
{
    const struct koshu_cosmology *c = &s->integrator->expansion.cosmology;
    const double a = s->integrator->clock.time, box = s->kept.box_size;
    const double of_centre =
            (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / (2 * mass * a * a);
    /* of an axis: (a H f psi)^2 */
    const double u2 = 2 * fmax(0, s->kinetic - of_centre) / mass / 3,
                 psi = sqrt(u2) / (a * koshu_hubble(c, a) * growth_rate(c, a));
    return psi / box * fmin(1, particles_along_edge(s) / enough);
}

/* By what theta of a box may be exceeded, as if its motion were larger, in
 * cells of an edge 2^-k times the box's, which has n particles along it. */
static double
gain_of_size(int k, double n)
{
    const double smaller = fmin(ldexp(1, k), n / enough),
                 leaves = ldexp(n, -k) / of_leaf;
    return fmax(1, smaller / fmin(fmax(1, leaves), 4));
}

struct koshu_opening
koshu_opening_of_motion(double motion, double n, double box)
{
    const double rounding = 1 - 1e-9;
    struct koshu_opening o = {.per_largest = rounding / (sqrt(3) * box)};
    for (int k = 0; k < KOSHU_OPENING_SIZES; k++)
        o.theta[k] = koshu_theta_of_motion(motion * gain_of_size(k, n));
    return o;
}

void
koshu_universe_choose_theta(struct koshu_simulation *s, double mass,
                            const double momentum[3])
{
    struct koshu_opening o;
    if (!s->values->theta_by_motion) return;
    o = koshu_opening_of_motion(koshu_universe_motion(s, mass, momentum),
                                particles_along_edge(s), s->kept.box_size);
    for (int k = 0; k < KOSHU_OPENING_SIZES; k++) /* the value at creation */
        o.theta[k] = fmax(s->values->fmm.theta, o.theta[k]);
    koshu_solver_set_opening(s->solver, &o);
}
