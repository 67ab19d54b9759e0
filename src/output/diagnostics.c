/* SPDX-License-Identifier: MIT */
#include <koshu/diagnostics.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"

const double koshu_lagrangian_fractions[KOSHU_LAGRANGIAN_COUNT] = {
        0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90};

/* ---- sums ---------------------------------------------------------------- */

/* The quantities that are sums over particles. */
enum {
    MASS,
    KINETIC,
    POTENTIAL,
    MOMENTUM,
    ANGULAR_MOMENTUM = MOMENTUM + 3,
    MOMENT = ANGULAR_MOMENTUM + 3, /* sum m x */
    N_SUMS = MOMENT + 3
};

/* Blocks are summed each by one thread, and then in order. */
enum { BLOCK = 1024 };

/* Few blocks are left to one thread: to start others would take longer. */
static int
threads_for(struct koshu_context *context, size_t n)
{
    return n > 4 * BLOCK ? koshu_context_threads(context) : 1;
}

struct block {
    struct koshu_sum sum[N_SUMS];
};

static void
add_particle(struct block *b, const struct koshu_particle_view *v, size_t i)
{
    double m = v->mass[i];
    double x = v->x[i], y = v->y[i], z = v->z[i];
    double px = m * v->vx[i], py = m * v->vy[i], pz = m * v->vz[i];
    koshu_sum_add(&b->sum[MASS], m);
    koshu_sum_add(&b->sum[KINETIC],
                  0.5 * (px * v->vx[i] + py * v->vy[i] + pz * v->vz[i]));
    koshu_sum_add(&b->sum[POTENTIAL], 0.5 * m * v->potential[i]);
    koshu_sum_add(&b->sum[MOMENTUM], px);
    koshu_sum_add(&b->sum[MOMENTUM + 1], py);
    koshu_sum_add(&b->sum[MOMENTUM + 2], pz);
    koshu_sum_add(&b->sum[ANGULAR_MOMENTUM], y * pz - z * py);
    koshu_sum_add(&b->sum[ANGULAR_MOMENTUM + 1], z * px - x * pz);
    koshu_sum_add(&b->sum[ANGULAR_MOMENTUM + 2], x * py - y * px);
    koshu_sum_add(&b->sum[MOMENT], m * x);
    koshu_sum_add(&b->sum[MOMENT + 1], m * y);
    koshu_sum_add(&b->sum[MOMENT + 2], m * z);
}

static koshu_status
sum_particles(struct koshu_context *context,
              const struct koshu_particle_view *v, double total[N_SUMS])
{
    int threads = threads_for(context, v->n);
    size_t n_blocks = (v->n + BLOCK - 1) / BLOCK;
    struct block *blocks = koshu_alloc(n_blocks, sizeof *blocks);
    if (!blocks)
        return koshu_fail_memory(context, n_blocks * sizeof *blocks,
                                 "sums of diagnostics");
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t b = 0; b < n_blocks; b++) {
        struct block block = {0};
        size_t end = (b + 1) * BLOCK < v->n ? (b + 1) * BLOCK : v->n;
        for (size_t i = b * BLOCK; i < end; i++) add_particle(&block, v, i);
        blocks[b] = block;
    }
    for (size_t k = 0; k < N_SUMS; k++) {
        struct koshu_sum sum = {0};
        for (size_t b = 0; b < n_blocks; b++)
            koshu_sum_join(&sum, blocks[b].sum[k]);
        total[k] = koshu_sum_value(sum);
    }
    koshu_free(blocks);
    return KOSHU_OK;
}

/* ---- what is not finite -------------------------------------------------- */

static koshu_status
check_sums(struct koshu_particles *particles,
           const struct koshu_particle_view *v, const double total[N_SUMS])
{
    struct koshu_context *context = koshu_particles_context(particles);
    size_t k = 0;
    while (k < N_SUMS && isfinite(total[k])) k++;
    if (k == N_SUMS) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_check(particles));
    for (size_t i = 0; i < v->n; i++)
        if (!isfinite(v->potential[i]))
            return koshu_fail(context, KOSHU_NOT_FINITE,
                              "particle %zu (id %llu): potential = %g", i,
                              (unsigned long long)v->id[i], v->potential[i]);
    return koshu_fail(context, KOSHU_NOT_FINITE,
                      "every particle is finite, but their sums are beyond the "
                      "range of double; choose other units");
}

/* ---- Lagrangian radii ---------------------------------------------------- */

struct shell {
    double r2, mass;
};

/* By radius, then by mass: the order of equal shells does not matter. */
static int
compare_shells(const void *left, const void *right)
{
    const struct shell *a = left, *b = right;
    if (a->r2 != b->r2) return a->r2 < b->r2 ? -1 : 1;
    return (a->mass > b->mass) - (a->mass < b->mass);
}

static struct shell *
sorted_shells(struct koshu_context *context,
              const struct koshu_particle_view *v, const double centre[3])
{
    int threads = threads_for(context, v->n);
    struct shell *shells = koshu_alloc(v->n, sizeof *shells);
    if (!shells) return NULL;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < v->n; i++) {
        double x = v->x[i] - centre[0];
        double y = v->y[i] - centre[1];
        double z = v->z[i] - centre[2];
        shells[i] = (struct shell){x * x + y * y + z * z, v->mass[i]};
    }
    qsort(shells, v->n, sizeof *shells, compare_shells);
    return shells;
}

static koshu_status
lagrangian_radii(struct koshu_context *context,
                 const struct koshu_particle_view *v,
                 struct koshu_diagnostics *d)
{
    struct shell *shells = sorted_shells(context, v, d->centre);
    if (!shells)
        return koshu_fail_memory(context, v->n * sizeof *shells,
                                 "Lagrangian radii");
    /* half of ten equal masses is five of them, although 10 (1/10) is not 1 */
    double rounding = 4 * DBL_EPSILON * d->mass;
    struct koshu_sum within = {0};
    size_t i = 0;
    koshu_sum_add(&within, shells[0].mass);
    for (size_t k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++) {
        double wanted = koshu_lagrangian_fractions[k] * d->mass - rounding;
        while (koshu_sum_value(within) < wanted && i + 1 < v->n)
            koshu_sum_add(&within, shells[++i].mass);
        d->lagrangian_radius[k] = sqrt(shells[i].r2);
    }
    koshu_free(shells);
    return KOSHU_OK;
}

/* -------------------------------------------------------------------------- */

koshu_status
koshu_diagnostics_compute(struct koshu_particles *particles,
                          struct koshu_diagnostics *diagnostics)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_diagnostics *d = diagnostics;
    struct koshu_particle_view v;
    double total[N_SUMS];
    KOSHU_TRY(koshu_particles_acquire(particles,
                                      KOSHU_ID | KOSHU_MASS | KOSHU_POSITION |
                                              KOSHU_VELOCITY | KOSHU_POTENTIAL,
                                      KOSHU_READ, &v));
    KOSHU_TRY(sum_particles(context, &v, total));
    KOSHU_TRY(check_sums(particles, &v, total));
    d->mass = total[MASS];
    d->kinetic = total[KINETIC];
    d->potential = total[POTENTIAL];
    d->total = d->kinetic + d->potential;
    d->virial_ratio = d->potential != 0 ? d->kinetic / fabs(d->potential) : 0;
    for (int k = 0; k < 3; k++) {
        d->momentum[k] = total[MOMENTUM + k];
        d->angular_momentum[k] = total[ANGULAR_MOMENTUM + k];
        d->centre[k] = d->mass != 0 ? total[MOMENT + k] / d->mass : 0;
    }
    return lagrangian_radii(context, &v, d);
}
