/* SPDX-License-Identifier: MIT */
#include "bench/cases/styles.h"

#include <math.h>
#include <stdlib.h>

#include "bench/internal.h"

enum {
    GROUP = 64, /* i-particles side by side: the compiler makes vectors */
    TILE = 512  /* 16 KB of shared memory (Hamada07 section 2.2.2) */
};

struct group {
    float x[GROUP], y[GROUP], z[GROUP];
    struct {
        float x[GROUP], y[GROUP], z[GROUP];
    } direct, tile, chamomile;
};

static void
add_particle(struct group *g, float x, float y, float z, float mass, float eps2)
{
    for (int i = 0; i < GROUP; i++) {
        float dx = x - g->x[i], dy = y - g->y[i], dz = z - g->z[i];
        float r2 = gravity_r2_f32(dx, dy, dz, eps2);
        struct gravity_sum_f32 pair = {0};
        gravity_add_f32(&pair, dx, dy, dz, mass, 1 / sqrtf(r2));
        g->direct.x[i] += pair.ax;
        g->direct.y[i] += pair.ay;
        g->direct.z[i] += pair.az;
        g->tile.x[i] += pair.ax;
        g->tile.y[i] += pair.ay;
        g->tile.z[i] += pair.az;
    }
}

static void
add_tile(struct group *g)
{
    for (int i = 0; i < GROUP; i++) {
        g->chamomile.x[i] += g->tile.x[i];
        g->chamomile.y[i] += g->tile.y[i];
        g->chamomile.z[i] += g->tile.z[i];
        g->tile.x[i] = g->tile.y[i] = g->tile.z[i] = 0;
    }
}

/* The i-particles first ... first + n - 1. */
static void
sum_group(const struct koshu_particle_const_view *p, size_t first, size_t n,
          float eps2, double *const direct[3], double *const chamomile[3])
{
    struct group g = {0};
    for (size_t i = 0; i < n; i++) {
        g.x[i] = (float)p->x[first + i];
        g.y[i] = (float)p->y[first + i];
        g.z[i] = (float)p->z[first + i];
    }
    for (size_t j = 0; j < p->n; j++) {
        add_particle(&g, (float)p->x[j], (float)p->y[j], (float)p->z[j],
                     (float)p->mass[j], eps2);
        if ((j + 1) % TILE == 0 || j + 1 == p->n) add_tile(&g);
    }
    for (size_t i = 0; i < n; i++) {
        direct[0][first + i] = g.direct.x[i];
        direct[1][first + i] = g.direct.y[i];
        direct[2][first + i] = g.direct.z[i];
        chamomile[0][first + i] = g.chamomile.x[i];
        chamomile[1][first + i] = g.chamomile.y[i];
        chamomile[2][first + i] = g.chamomile.z[i];
    }
}

static void
sum(const struct koshu_particle_const_view *particles, double eps, int threads,
    double *const direct[3], double *const chamomile[3])
{
    size_t n = particles->n;
    float eps2 = (float)(eps * eps);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t first = 0; first < n; first += GROUP)
        sum_group(particles, first, n - first < GROUP ? n - first : GROUP, eps2,
                  direct, chamomile);
}

static koshu_status
compare(struct bench *b, struct koshu_particles *particles,
        const double *const a[3], double *largest)
{
    struct bench_errors errors;
    KOSHU_TRY(bench_compare(b, particles, a, &errors));
    *largest = errors.max;
    return KOSHU_OK;
}

koshu_status
bench_styles_compare(struct bench *b, struct koshu_particles *particles,
                     double *direct_style, double *chamomile_style)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    const size_t n = koshu_particles_count(particles);
    double *a = calloc(n, 6 * sizeof *a);
    if (!a) return koshu_fail_memory(b->context, 6 * n * sizeof *a, "errors");
    double *const direct[3] = {a, a + n, a + 2 * n}, *const chamomile[3] = {
                                                             a + 3 * n,
                                                             a + 4 * n,
                                                             a + 5 * n};
    koshu_status status;
    KOSHU_TRY_CLEANUP(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    sum(&v, sqrt(b->options->eps2), koshu_context_threads(b->context), direct,
        chamomile);
    koshu_particles_release_read(particles);
    KOSHU_TRY_CLEANUP(
            compare(b, particles, (const double *const *)direct, direct_style));
    status = compare(b, particles, (const double *const *)chamomile,
                     chamomile_style);
cleanup:
    free(a);
    return status;
}
