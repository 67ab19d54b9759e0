/* SPDX-License-Identifier: MIT */
/* Errors of forces summed over ranks, against direct sums on one rank. */
#ifndef KOSHU_TESTS_MPI_FORCE_ERRORS_H
#define KOSHU_TESTS_MPI_FORCE_ERRORS_H

#include <stdlib.h>

#include "devices/devices.h"
#include "difference.h"

struct errors {
    double median, p99, momentum, potential;
};

static inline int
compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Root mean square error, relative to the rms of the potentials. */
static inline double
error_of_potential(const double *got, const struct koshu_particle_view *v,
                   size_t step)
{
    double off = 0, all = 1e-300;
    for (size_t i = 0; i < v->n; i += step) {
        const double d = got[i] - v->potential[i];
        off += d * d;
        all += v->potential[i] * v->potential[i];
    }
    return sqrt(off / all);
}

/* The momentum that all accelerations produce per time unit, relative to the
 * sum of the magnitudes of the forces. */
static inline double
momentum_of(const double *got, const struct koshu_particle_view *v)
{
    double total[3] = {0}, all = 1e-300;
    for (size_t i = 0; i < v->n; i++) {
        double a2 = 0;
        for (size_t c = 0; c < 3; c++) {
            const double a = got[c * v->n + i];
            total[c] += v->mass[i] * a;
            a2 += a * a;
        }
        all += v->mass[i] * sqrt(a2);
    }
    return sqrt(total[0] * total[0] + total[1] * total[1] +
                total[2] * total[2]) /
           all;
}

/* Errors of ax, ay, az and potential in `got`, against direct sums on one
 * rank. */
static inline struct errors
errors_of(const double *got, struct koshu_particles *whole, size_t step)
{
    const struct koshu_particle_view v = view_of(alone, whole);
    double *const error = calloc(v.n, sizeof *error);
    struct errors e = {.momentum = momentum_of(got, &v),
                       .potential =
                               error_of_potential(got + 3 * v.n, &v, step)};
    size_t n = 0;
    for (size_t i = 0; i < v.n; i += step) {
        const double a[3] = {v.ax[i], v.ay[i], v.az[i]};
        double d2 = 0, a2 = 0;
        for (int c = 0; c < 3; c++) {
            const double d = got[(size_t)c * v.n + i] - a[c];
            d2 += d * d;
            a2 += a[c] * a[c];
        }
        error[n++] = d2 > 0 ? sqrt(d2 / a2) : 0;
    }
    qsort(error, n, sizeof *error, compare);
    e.median = error[n / 2];
    e.p99 = error[n * 99 / 100];
    free(error);
    return e;
}

/* Gathers ax, ay, az, potential of the particles of all ranks. */
static inline double *
gather(struct koshu_context *c, struct koshu_particles *p)
{
    const size_t n = koshu_particles_total(p),
                 ranks = (size_t)koshu_context_ranks(c);
    const struct koshu_particle_view v = view_of(c, p);
    const double *const a[4] = {v.ax, v.ay, v.az, v.potential};
    double *const all = malloc(4 * n * sizeof *all);
    size_t *const each = malloc(ranks * sizeof *each);
    for (size_t r = 0; r < ranks; r++)
        each[r] = koshu_slice_of(n, (int)r, (int)ranks).n;
    for (size_t k = 0; k < 4; k++)
        assert_ok(c, koshu_all_gather_parts(c, a[k], sizeof *a[k], each,
                                            all + k * n));
    free(each);
    return all;
}

/* The rms of a - b relative to that of b. */
static inline double
rms_difference(size_t n, const double *a, const double *b)
{
    double sum2 = 0, difference2 = 0;
    for (size_t k = 0; k < n; k++) {
        sum2 += b[k] * b[k];
        difference2 += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sqrt(difference2 / sum2);
}

#endif
