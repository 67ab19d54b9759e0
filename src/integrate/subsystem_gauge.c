/* SPDX-License-Identifier: MIT */
/* Typical separation and speed of the particles, and an order in which
 * neighbours are close. */
#include <math.h>

#include "base/base.h"
#include "integrate/subsystems.h"
#include "kernels/curve.h"

/* The mean of x over particles of mass > 0. */
static double
mean_of(const struct koshu_subsystems *g, const double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < g->p->n; k++)
        if (g->mass[k] > 0) sum += x[k];
    return sum / (double)n;
}

static void
measure_all(struct koshu_subsystems *g)
{
    const struct koshu_block_particles *p = g->p;
    const double *const x[] = {p->x, p->y, p->z}, *v[] = {p->vx, p->vy, p->vz};
    double v2 = 0, distance = 0;
    size_t n = 0;
    for (size_t k = 0; k < p->n; k++) n += g->mass[k] > 0;
    for (int d = 0; n > 0 && d < 3; d++) {
        const double centre = mean_of(g, x[d], n), mean = mean_of(g, v[d], n);
        g->mean_v[d] = mean;
        for (size_t k = 0; k < p->n; k++) {
            if (g->mass[k] == 0) continue;
            distance += fabs(x[d][k] - centre) / (6 * (double)n);
            v2 += (v[d][k] - mean) * (v[d][k] - mean) / (double)n;
        }
    }
    g->speed = sqrt(v2);
    g->spacing = distance / cbrt((double)n);
}

double
koshu_subsystems_distance_outside(const struct koshu_subsystems *groups)
{
    const double times = 1024;
    const struct koshu_block_particles *p = groups->p;
    double largest = groups->options.distance;
    for (size_t k = 0; k < p->n; k++)
        largest = fmax(largest,
                       fmax(fabs(p->x[k]), fmax(fabs(p->y[k]), fabs(p->z[k]))));
    return times * largest;
}

/* The smallest coordinate and the range of particles of mass > 0. */
static double
range_of(const struct koshu_subsystems *g, const double *x, double *low)
{
    double high = -INFINITY;
    *low = INFINITY;
    for (size_t k = 0; k < g->p->n; k++) {
        if (g->mass[k] == 0) continue;
        *low = fmin(*low, x[k]);
        high = fmax(high, x[k]);
    }
    return high - *low;
}

/* Sorts particles along a space-filling curve; those of mass 0 come first. */
koshu_status
koshu_subsystems_gauge(struct koshu_subsystems *groups)
{
    struct koshu_subsystems *g = groups;
    const struct koshu_block_particles *p = g->p;
    const double *const x[] = {p->x, p->y, p->z};
    const size_t n = p->n;
    double corner[3], side = 0;
    uint64_t *key = koshu_alloc(n, 2 * sizeof *key);
    uint32_t *other = koshu_alloc(n, sizeof *other);
    measure_all(g);
    for (int d = 0; d < 3; d++)
        side = fmax(side, range_of(g, x[d], &corner[d]));
    const double scale = koshu_key_scale(side);
    for (size_t k = 0; key && other && k < n; k++)
        key[k] = g->mass[k] == 0 ? 0
                                 : koshu_key_of(corner, scale, true, x[0][k],
                                                x[1][k], x[2][k]);
    if (key && other)
        koshu_sort_keys(n, key, g->places.order, key + n, other, 1);
    koshu_free(key);
    koshu_free(other);
    return key && other ? KOSHU_OK
                        : koshu_fail_memory(g->context, 3 * n * sizeof *key,
                                            "the order of particles");
}
