/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "bench.h"

static bool
allocate(struct bench_reference *t, size_t n)
{
    *t = (struct bench_reference){.n = n,
                                  .index = calloc(n, sizeof *t->index),
                                  .ax = calloc(n, sizeof *t->ax),
                                  .ay = calloc(n, sizeof *t->ay),
                                  .az = calloc(n, sizeof *t->az)};
    return t->index && t->ax && t->ay && t->az;
}

void
bench_reference_free_of(struct bench_reference *reference)
{
    free(reference->index);
    free(reference->ax);
    free(reference->ay);
    free(reference->az);
    *reference = (struct bench_reference){0};
}

/* The chosen i-particles against all: x y z, and ids. */
static koshu_status
sum(struct koshu_context *ref, double eps,
    const struct koshu_particle_const_view *all,
    const struct bench_reference *t, double *place, int64_t *id)
{
    double *x = place, *y = x + t->n, *z = y + t->n;
    for (size_t k = 0; k < t->n; k++) {
        x[k] = all->x[t->index[k]];
        y[k] = all->y[t->index[k]];
        z[k] = all->z[t->index[k]];
        id[k] = (int64_t)t->index[k];
    }
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = eps;
    const struct koshu_i_particles i = {
            .n = t->n, .x = x, .y = y, .z = z, .id = id};
    const struct koshu_j_particles j = {.n = all->n,
                                        .x = all->x,
                                        .y = all->y,
                                        .z = all->z,
                                        .mass = all->mass};
    const struct koshu_force_result result = {
            .ax = t->ax, .ay = t->ay, .az = t->az};
    return koshu_force_direct(ref, &i, &j, &options, &result);
}

koshu_status
bench_reference_make_of(struct koshu_context *ref, double eps,
                        const struct koshu_particle_const_view *particles,
                        size_t n, struct bench_reference *reference)
{
    double *place = calloc(n, 3 * sizeof *place);
    int64_t *id = calloc(n, sizeof *id);
    koshu_status status = KOSHU_ERROR_OUT_OF_MEMORY;
    if (allocate(reference, n) && place && id) {
        for (size_t k = 0; k < n; k++)
            reference->index[k] = k * particles->n / n;
        status = sum(ref, eps, particles, reference, place, id);
    }
    free(place);
    free(id);
    return status;
}

bool
bench_errors_of(const struct bench_reference *reference, const double *ax,
                const double *ay, const double *az, struct bench_errors *errors)
{
    const struct bench_reference *t = reference;
    const double *const all[3] = {ax, ay, az};
    const double *const true_a[3] = {t->ax, t->ay, t->az};
    double *chosen = calloc(3 * t->n, sizeof *chosen);
    if (!chosen) return false;
    const double *const a[3] = {chosen, chosen + t->n, chosen + 2 * t->n};
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < t->n; k++)
            chosen[c * t->n + k] = all[c][t->index[k]];
    bool done = bench_errors_between(t->n, true_a, a, errors);
    free(chosen);
    return done;
}
