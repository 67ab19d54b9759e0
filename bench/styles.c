/* SPDX-License-Identifier: MIT */
/* Errors of the two summations of Hamada07 Table 2. */
#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"

/* i-particles that are summed side by side, so that the compiler vectorises. */
enum { GROUP = 64 };

struct group {
    float x[GROUP], y[GROUP], z[GROUP];
    float tile[3][GROUP], sum[3][GROUP];
};

static void
add_particle(struct group *g, float x, float y, float z, float mass, float eps2)
{
    for (int i = 0; i < GROUP; i++) {
        float dx = x - g->x[i], dy = y - g->y[i], dz = z - g->z[i];
        float r2 = gravity_r2_f32(dx, dy, dz, eps2);
        struct gravity_sum_f32 pair = {0};
        gravity_add_f32(&pair, dx, dy, dz, mass, 1 / sqrtf(r2));
        g->tile[0][i] += pair.ax;
        g->tile[1][i] += pair.ay;
        g->tile[2][i] += pair.az;
    }
}

static void
add_tile(struct group *g)
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < GROUP; i++) {
            g->sum[c][i] += g->tile[c][i];
            g->tile[c][i] = 0;
        }
}

/* Sums for the i-particles first ... first + n - 1. */
static void
sum_group(const struct koshu_particle_const_view *p, size_t first, size_t n,
          size_t tile, float eps2, double *const a[3])
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
        if ((j + 1) % tile == 0 || j + 1 == p->n) add_tile(&g);
    }
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++) a[c][first + i] = g.sum[c][i];
}

static void
sum(const struct bench *b, const struct koshu_particle_const_view *particles,
    enum bench_style style, double *const a[3])
{
    const size_t n = particles->n, tile = style ? (size_t)style : n;
    const double eps = sqrt(b->options->eps2);
    const float eps2 = (float)(eps * eps);
    const int threads = koshu_context_threads(b->context);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t first = 0; first < n; first += GROUP)
        sum_group(particles, first, n - first < GROUP ? n - first : GROUP, tile,
                  eps2, a);
}

koshu_status
bench_style_error(struct bench *b, struct koshu_particles *particles,
                  enum bench_style style, double *largest)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct bench_errors errors;
    const size_t n = koshu_particles_count(particles);
    double *a = calloc(n, 3 * sizeof *a);
    if (!a) return koshu_fail_memory(b->context, 3 * n * sizeof *a, "errors");
    const struct bench_vectors sums = {{a, a + n, a + 2 * n}, n, 1};
    koshu_status status;
    KOSHU_TRY_CLEANUP(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    sum(b, &v, style, (double *const[3]){a, a + n, a + 2 * n});
    koshu_particles_release_read(particles);
    KOSHU_TRY_CLEANUP(bench_compare(b, particles, &sums, &errors));
    *largest = errors.max;
cleanup:
    free(a);
    return status;
}
