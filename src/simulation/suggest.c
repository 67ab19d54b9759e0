/* SPDX-License-Identifier: MIT */
/*
 * Suggests softening and step for a run (Rodionov & Sotnikova 2005, Astron.
 * Rep. 49, 470): eps is 1.5 to 2 times smaller than the mean distance between
 * particles where they are densest, and no particle moves farther than eps / 2
 * in a step. A second bound on the step comes from the change of the field, dt
 * = (2 eta eps / |a|)^(1/2) with eta = 0.025 (Springel 2005, MNRAS 364, 1105,
 * eq. 34).
 */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "output/output.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

/* Densities come from that many neighbours, at that many particles at most, of
 * which a tenth are taken as the densest. */
enum { NEIGHBOURS = 16, PROBES = 512, DENSEST = 10 };

struct probe {
    /* mean distance; velocity dispersion in three dimensions */
    double spacing, dispersion2;
};

static struct probe
probe_at(const struct koshu_particle_view *v,
         const struct koshu_neighbour_tree *tree, size_t i)
{
    const double *const velocity[3] = {v->vx, v->vy, v->vz};
    struct koshu_neighbours near = {.n = NEIGHBOURS};
    koshu_neighbours_find(tree, i, &near);
    struct probe p = {.spacing = sqrt(near.r2[NEIGHBOURS - 1]) *
                                 cbrt(4 * M_PI / 3 / NEIGHBOURS)};
    for (int c = 0; c < 3; c++) {
        double sum = 0, squares = 0;
        for (int k = 0; k < NEIGHBOURS; k++) {
            const double u = velocity[c][near.index[k]] - velocity[c][i];
            sum += u / NEIGHBOURS;
            squares += u * u / NEIGHBOURS;
        }
        p.dispersion2 += fmax(squares - sum * sum, 0);
    }
    return p;
}

static int
by_spacing(const void *a, const void *b)
{
    const double x = ((const struct probe *)a)->spacing,
                 y = ((const struct probe *)b)->spacing;
    return (x > y) - (x < y);
}

/* The largest spacing and the mean dispersion of the densest tenth. */
static struct probe
probe_densest(const struct koshu_particle_view *v,
              const struct koshu_neighbour_tree *tree)
{
    struct probe probe[PROBES], densest = {0};
    const size_t n = v->n < PROBES ? v->n : PROBES,
                 some = n > DENSEST ? n / DENSEST : 1;
    for (size_t k = 0; k < n; k++) probe[k] = probe_at(v, tree, k * v->n / n);
    qsort(probe, n, sizeof probe[0], by_spacing);
    for (size_t k = 0; k < some; k++)
        densest.dispersion2 += probe[k].dispersion2 / (double)some;
    densest.spacing = probe[some - 1].spacing;
    return densest;
}

/* The largest power of two up to x. */
static double
power_below(double x)
{
    return isfinite(x) && x > 0 ? ldexp(1, ilogb(x)) : 0;
}

koshu_status
koshu_suggest(const struct koshu_parameter_values *values,
              struct koshu_particles *particles, double a,
              struct koshu_estimate *e)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(
            particles, KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY,
            KOSHU_ACCESS_READ, &v));
    if (v.n <= NEIGHBOURS) return KOSHU_OK;
    struct koshu_neighbour_tree *tree;
    KOSHU_TRY(koshu_neighbour_tree_create(
            koshu_particles_context(particles), v.n,
            (const double *const[]){v.x, v.y, v.z}, &tree));
    const struct probe p = probe_densest(&v, tree);
    koshu_neighbour_tree_destroy(tree);
    const double smaller = 1.75, given = values->solver.softening;
    e->softening = p.spacing * cbrt((double)v.n / (double)e->n) / smaller;
    const double eps = given > 0 ? given : e->softening;
    e->dt = power_below(
            fmin(eps / 2 / sqrt(p.dispersion2), sqrt(2 * 0.025 * eps / a)));
    return KOSHU_OK;
}
