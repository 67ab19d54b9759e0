/* SPDX-License-Identifier: MIT */
#include "bench_styles.h"

#include <math.h>

#include "internal.h"

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
          float eps2, const struct bench_style *direct,
          const struct bench_style *chamomile)
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
        direct->ax[first + i] = g.direct.x[i];
        direct->ay[first + i] = g.direct.y[i];
        direct->az[first + i] = g.direct.z[i];
        chamomile->ax[first + i] = g.chamomile.x[i];
        chamomile->ay[first + i] = g.chamomile.y[i];
        chamomile->az[first + i] = g.chamomile.z[i];
    }
}

void
bench_styles_sum(const struct koshu_particle_const_view *particles, double eps,
                 int threads, const struct bench_style *direct,
                 const struct bench_style *chamomile)
{
    size_t n = particles->n;
    float eps2 = (float)(eps * eps);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t first = 0; first < n; first += GROUP)
        sum_group(particles, first, n - first < GROUP ? n - first : GROUP, eps2,
                  direct, chamomile);
}

static const struct bench_style_row hamada07[] = {
        {2048, 2.2e-6, 5.4e-7},   {4096, 3.0e-6, 3.3e-7},
        {8192, 5.4e-6, 5.0e-7},   {16384, 7.0e-6, 4.3e-7},
        {32768, 1.2e-5, 6.8e-7},  {65536, 1.4e-5, 1.0e-6},
        {131072, 2.2e-5, 1.5e-6},
};

const struct bench_style_row *
bench_style_row(size_t n)
{
    for (size_t k = 0; k < sizeof hamada07 / sizeof hamada07[0]; k++)
        if (hamada07[k].n == n) return &hamada07[k];
    return NULL;
}
