/* SPDX-License-Identifier: MIT */
/* Strengths that fit a field on a lattice, by conjugate gradients. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const double pi = 3.14159265358979323846;
static const double reach = 6; /* of a Gaussian, in core radii */
enum { MAX_ITERATIONS = 500, MAX_WEIGHTS = 256 };
enum { CHUNK = 1 << 15 }; /* of numbers that one thread sums */

struct system {
    struct koshu_context *context;
    const struct koshu_vortex_lattice *lattice;
    const bool *use;
    size_t points, n; /* n: of all three components */
    long k;           /* weights of neighbours 0 ... k */
    double weight[MAX_WEIGHTS];
    double *residual, *direction, *image, *spare;
    double *part;  /* sums of chunks */
    double *lines; /* of threads, with what is beyond both ends */
    int threads;
};

static size_t
line_size(const struct system *s)
{
    return s->lattice->m[2] + 2 * (size_t)s->k;
}

/* ---- the matrix -----------------------------------------------------------
 */

enum { WIDTH = 16 }; /* sums in registers */

/* to = sum of weight[k] tap[k], n numbers each. */
static void
add_taps(int taps, const double *weight, const double *const *tap, size_t n,
         double *to)
{
    size_t i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        double sum[WIDTH] = {0};
        for (int k = 0; k < taps; k++)
            for (int c = 0; c < WIDTH; c++)
                sum[c] += weight[k] * tap[k][i + (size_t)c];
        memcpy(to + i, sum, sizeof sum);
    }
    for (; i < n; i++) {
        to[i] = 0;
        for (int k = 0; k < taps; k++) to[i] += weight[k] * tap[k][i];
    }
}

/* Index of a neighbour along an axis of m points, -1: there is none. */
static long
neighbour(const struct system *s, long i, long m)
{
    if (s->lattice->periodic) return ((i % m) + m) % m;
    return i >= 0 && i < m ? i : -1;
}

/* m numbers side by side: each becomes the sum of its neighbours'. spare: 2 k
 * numbers more, for those beyond both ends. */
static void
smooth_line(const struct system *s, const double *from, double *to, long m,
            double *spare)
{
    double weight[2 * MAX_WEIGHTS];
    const double *tap[2 * MAX_WEIGHTS];
    for (long i = -s->k; i < m + s->k; i++) {
        const long j = i < 0 || i >= m ? neighbour(s, i, m) : i;
        spare[i + s->k] = j < 0 ? 0 : from[j];
    }
    for (long k = -s->k; k <= s->k; k++) {
        weight[k + s->k] = s->weight[labs(k)];
        tap[k + s->k] = spare + k + s->k;
    }
    add_taps((int)(2 * s->k + 1), weight, tap, (size_t)m, to);
}

/* Rows of `inner` numbers, m of them one behind the other: row i becomes the
 * sum of its neighbours. */
static void
smooth_row(const struct system *s, const double *from, double *to, size_t m,
           size_t i, size_t inner)
{
    double weight[2 * MAX_WEIGHTS];
    const double *tap[2 * MAX_WEIGHTS];
    int taps = 0;
    for (long k = -s->k; k <= s->k; k++) {
        const long j = neighbour(s, (long)i + k, (long)m);
        if (j < 0) continue;
        weight[taps] = s->weight[labs(k)];
        tap[taps++] = from + (size_t)j * inner;
    }
    add_taps(taps, weight, tap, inner, to + i * inner);
}

/* Along the last axis. */
static void
smooth_lines(const struct system *s, const double *from, double *to)
{
    const size_t m = s->lattice->m[2];
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t r = 0; r < s->n / m; r++)
        smooth_line(s, from + r * m, to + r * m, (long)m,
                    s->lines + (size_t)omp_get_thread_num() * line_size(s));
}

/* Axis 0 or 1. */
static void
smooth_axis(const struct system *s, int axis, const double *from, double *to)
{
    const size_t m = s->lattice->m[axis];
    size_t inner = 1;
    for (int a = axis + 1; a < 3; a++) inner *= s->lattice->m[a];
    const size_t rows = s->n / inner;
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t r = 0; r < rows; r++) {
        const size_t block = r / m * m * inner;
        smooth_row(s, from + block, to + block, m, r % m, inner);
    }
}

static void
mask(const struct system *s, double *x)
{
    if (!s->use) return;
#pragma omp parallel for num_threads(s->threads)
    for (size_t i = 0; i < s->n; i++)
        if (!s->use[i % s->points]) x[i] = 0;
}

/* image = A direction */
static void
apply(struct system *s)
{
    smooth_axis(s, 0, s->direction, s->image);
    smooth_axis(s, 1, s->image, s->spare);
    smooth_lines(s, s->spare, s->image);
    mask(s, s->image);
}

/* ---- conjugate gradients ---------------------------------------------------
 */

static size_t
chunks_of(const struct system *s)
{
    return (s->n + CHUNK - 1) / CHUNK;
}

static double
dot_chunk(const struct system *s, const double *a, const double *b, size_t c)
{
    const size_t end = (c + 1) * CHUNK < s->n ? (c + 1) * CHUNK : s->n;
    struct koshu_sum sum = {0};
    for (size_t i = c * CHUNK; i < end; i++) koshu_sum_add(&sum, a[i] * b[i]);
    return koshu_sum_value(sum);
}

/* The same for any number of threads. */
static double
dot(const struct system *s, const double *a, const double *b)
{
    const size_t chunks = chunks_of(s);
    struct koshu_sum sum = {0};
#pragma omp parallel for num_threads(s->threads)
    for (size_t c = 0; c < chunks; c++) s->part[c] = dot_chunk(s, a, b, c);
    for (size_t c = 0; c < chunks; c++) koshu_sum_add(&sum, s->part[c]);
    return koshu_sum_value(sum);
}

/* x += t d; r -= t A d; d = r + beta d. */
static double
iterate(struct system *s, double *x, double rr)
{
    apply(s);
    const double t = rr / dot(s, s->direction, s->image);
#pragma omp parallel for num_threads(s->threads)
    for (size_t i = 0; i < s->n; i++) {
        x[i] += t * s->direction[i];
        s->residual[i] -= t * s->image[i];
    }
    const double next = dot(s, s->residual, s->residual);
#pragma omp parallel for num_threads(s->threads)
    for (size_t i = 0; i < s->n; i++)
        s->direction[i] = s->residual[i] + next / rr * s->direction[i];
    return next;
}

static void
solve(struct system *s, double tolerance, double *field,
      struct koshu_vortex_fit *fit)
{
    mask(s, field);
    memcpy(s->residual, field, s->n * sizeof *field);
    memcpy(s->direction, field, s->n * sizeof *field);
    memset(field, 0, s->n * sizeof *field);
    double rr = dot(s, s->residual, s->residual);
    const double all = rr;
    *fit = (struct koshu_vortex_fit){.residual = all > 0 ? 1 : 0};
    while (rr > tolerance * tolerance * all &&
           fit->iterations < MAX_ITERATIONS) {
        rr = iterate(s, field, rr);
        fit->iterations++;
        fit->residual = sqrt(rr / all);
    }
}

static void
set_weights(struct system *s, double core)
{
    const double h = s->lattice->h;
    const double max = MAX_WEIGHTS - 1;
    s->k = (long)fmin(max, ceil(reach * core / h));
    for (long k = 0; k <= s->k; k++) {
        const double r = (double)k * h / core;
        s->weight[k] = exp(-r * r / 2) / (sqrt(2 * pi) * core);
    }
}

/* alpha += 2/3 (beta - (2 - G) alpha): G is between 0 and 1, and so each
 * iteration leaves a third of the error, or less. */
enum { CONVOLUTIONS = 14 };

static void
convolve(struct system *s, double volume, double *field)
{
    double *const beta = s->residual, *const alpha = s->direction;
    memcpy(beta, field, s->n * sizeof *field);
    memcpy(alpha, field, s->n * sizeof *field);
    for (int k = 0; k < CONVOLUTIONS; k++) {
        apply(s);
#pragma omp parallel for num_threads(s->threads)
        for (size_t i = 0; i < s->n; i++)
            alpha[i] += 2 * (beta[i] - 2 * alpha[i] + volume * s->image[i]) / 3;
    }
    memcpy(field, alpha, s->n * sizeof *field);
}

/* ---- systems ---------------------------------------------------------------
 */

/* To be closed, whatever the status. */
static koshu_status
open_system(struct system *s, double core)
{
    set_weights(s, core);
    s->points = koshu_vortex_lattice_points(s->lattice);
    s->n = 3 * s->points;
    s->threads = koshu_region_threads(s->context, s->n > 4096);
    s->residual = koshu_alloc(4 * s->n + chunks_of(s) +
                                      (size_t)s->threads * line_size(s),
                              sizeof *s->residual);
    if (!s->residual)
        return koshu_fail_memory(s->context, 32 * s->n,
                                 "strengths of vortices");
    s->direction = s->residual + s->n;
    s->image = s->residual + 2 * s->n;
    s->spare = s->residual + 3 * s->n;
    s->part = s->residual + 4 * s->n;
    s->lines = s->part + chunks_of(s);
    return KOSHU_OK;
}

static void
close_system(struct system *s)
{
    koshu_free(s->residual);
}

koshu_status
koshu_vortex_convolve_strengths(struct koshu_context *context,
                                const struct koshu_vortex_lattice *lattice,
                                double core, double *field)
{
    struct system s = {.context = context, .lattice = lattice};
    const koshu_status status = open_system(&s, core);
    if (status == KOSHU_OK) convolve(&s, pow(lattice->h, 3), field);
    close_system(&s);
    return status;
}

koshu_status
koshu_vortex_fit_strengths(struct koshu_context *context,
                           const struct koshu_vortex_lattice *lattice,
                           const bool *use, double core, double tolerance,
                           double *field, struct koshu_vortex_fit *fit)
{
    struct system s = {.context = context, .lattice = lattice, .use = use};
    const koshu_status status = open_system(&s, core);
    if (status == KOSHU_OK) solve(&s, tolerance, field, fit);
    close_system(&s);
    return status;
}
