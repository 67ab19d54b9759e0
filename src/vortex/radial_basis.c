/* SPDX-License-Identifier: MIT */
/* Fits particle strengths to a field on a lattice by conjugate gradients. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const double pi = 3.14159265358979323846;
static const double reach = 6; /* where a Gaussian is cut off, in core radii */
enum { MAX_ITERATIONS = 500, MAX_WEIGHTS = 256 };
enum { CHUNK = 1 << 15 }; /* numbers that one thread sums at a time */

/* A symmetric one-dimensional filter: weights of neighbours 0 ... k. */
struct taps {
    long k;
    double weight[MAX_WEIGHTS];
};

struct system {
    struct koshu_context *context;
    const struct koshu_vortex_lattice *lattice;
    const bool *use;
    size_t points, n;            /* n: 3 points, of all components */
    struct taps smooth, sharpen; /* the matrix, and its approximate inverse */
    double *residual, *direction, *image, *spare;
    double *part;  /* sums of chunks */
    double *lines; /* one line per thread, with margins at both ends */
    int threads;
};

static size_t
line_size(const struct system *s)
{
    return s->lattice->m[2] + 2 * (size_t)MAX_WEIGHTS;
}

/* ---- the matrix --------------------------------------------------------- */

enum { WIDTH = 16 }; /* partial sums kept in registers */

/* to = sum_k weight[k] tap[k], arrays of n numbers. */
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

/* Index of neighbour i along an axis of m points; -1 beyond an end in free
 * space. */
static long
neighbour(const struct system *s, long i, long m)
{
    if (s->lattice->periodic) return ((i % m) + m) % m;
    return i >= 0 && i < m ? i : -1;
}

/* Filters a line of m contiguous numbers. spare holds the line with a margin of
 * k numbers at both ends. */
static void
filter_line(const struct system *s, const struct taps *t, const double *from,
            double *to, double *spare)
{
    const long m = (long)s->lattice->m[2];
    double weight[2 * MAX_WEIGHTS];
    const double *tap[2 * MAX_WEIGHTS];
    for (long i = -t->k; i < m + t->k; i++) {
        const long j = i < 0 || i >= m ? neighbour(s, i, m) : i;
        spare[i + t->k] = j < 0 ? 0 : from[j];
    }
    for (long k = -t->k; k <= t->k; k++) {
        weight[k + t->k] = t->weight[labs(k)];
        tap[k + t->k] = spare + k + t->k;
    }
    add_taps((int)(2 * t->k + 1), weight, tap, (size_t)m, to);
}

/* Row i of m rows of `inner` contiguous numbers: filtered along the rows'
 * axis. */
static void
filter_row(const struct system *s, const struct taps *t, const double *from,
           double *to, size_t m, size_t i, size_t inner)
{
    double weight[2 * MAX_WEIGHTS];
    const double *tap[2 * MAX_WEIGHTS];
    int taps = 0;
    for (long k = -t->k; k <= t->k; k++) {
        const long j = neighbour(s, (long)i + k, (long)m);
        if (j < 0) continue;
        weight[taps] = t->weight[labs(k)];
        tap[taps++] = from + (size_t)j * inner;
    }
    add_taps(taps, weight, tap, inner, to + i * inner);
}

/* Along the last axis, whose points are contiguous. */
static void
filter_lines(const struct system *s, const struct taps *t, const double *from,
             double *to)
{
    const size_t m = s->lattice->m[2];
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t r = 0; r < s->n / m; r++)
        filter_line(s, t, from + r * m, to + r * m,
                    s->lines + (size_t)omp_get_thread_num() * line_size(s));
}

/* Along axis 0 or 1. */
static void
filter_axis(const struct system *s, const struct taps *t, int axis,
            const double *from, double *to)
{
    const size_t m = s->lattice->m[axis];
    size_t inner = 1;
    for (int a = axis + 1; a < 3; a++) inner *= s->lattice->m[a];
    const size_t rows = s->n / inner;
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t r = 0; r < rows; r++) {
        const size_t block = r / m * m * inner;
        filter_row(s, t, from + block, to + block, m, r % m, inner);
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

/* image = T from, T being the product of the filters along the three axes. */
static void
apply(struct system *s, const struct taps *t, const double *from)
{
    filter_axis(s, t, 0, from, s->image);
    filter_axis(s, t, 1, s->image, s->spare);
    filter_lines(s, t, s->spare, s->image);
    mask(s, s->image);
}

/* ---- conjugate gradients ------------------------------------------------ */

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

/* The result does not depend on the number of threads. */
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

/* The products r . r and r . z, where z = M r, the preconditioned residual, is
 * in s->image. */
struct products {
    double rr, rz;
};

static struct products
sharpen(struct system *s)
{
    apply(s, &s->sharpen, s->residual);
    return (struct products){dot(s, s->residual, s->residual),
                             dot(s, s->residual, s->image)};
}

/* One iteration: x += t d; r -= t A d; d = z + beta d. */
static struct products
iterate(struct system *s, double *x, struct products before)
{
    apply(s, &s->smooth, s->direction);
    const double t = before.rz / dot(s, s->direction, s->image);
#pragma omp parallel for num_threads(s->threads)
    for (size_t i = 0; i < s->n; i++) {
        x[i] += t * s->direction[i];
        s->residual[i] -= t * s->image[i];
    }
    const struct products next = sharpen(s);
#pragma omp parallel for num_threads(s->threads)
    for (size_t i = 0; i < s->n; i++)
        s->direction[i] = s->image[i] + next.rz / before.rz * s->direction[i];
    return next;
}

static void
solve(struct system *s, double tolerance, double *field,
      struct koshu_vortex_fit *fit)
{
    mask(s, field);
    memcpy(s->residual, field, s->n * sizeof *field);
    memset(field, 0, s->n * sizeof *field);
    struct products left = sharpen(s);
    memcpy(s->direction, s->image, s->n * sizeof *field);
    const double all = left.rr;
    *fit = (struct koshu_vortex_fit){.residual = all > 0 ? 1 : 0};
    while (left.rr > tolerance * tolerance * all &&
           fit->iterations < MAX_ITERATIONS) {
        left = iterate(s, field, left);
        fit->iterations++;
        fit->residual = sqrt(left.rr / all);
    }
}

static void
set_weights(struct taps *t, double h, double core)
{
    const double max = MAX_WEIGHTS - 1;
    t->k = (long)fmin(max, ceil(reach * core / h));
    for (long k = 0; k <= t->k; k++) {
        const double r = (double)k * h / core;
        t->weight[k] = exp(-r * r / 2) / (sqrt(2 * pi) * core);
    }
}

/* The factor by which the filter multiplies a wave, in radians per point. */
static double
response(const struct taps *t, double wave)
{
    double sum = t->weight[0];
    for (long k = 1; k <= t->k; k++)
        sum += 2 * t->weight[k] * cos((double)k * wave);
    return sum;
}

/* The filter with response 1 / (w + c), w > 0 being the response of `from`. c
 * damps the inverse for waves that the core all but removes, which the fit
 * hardly needs. Weights below 1e-5 of the first are dropped. */
static void
set_inverse(const struct taps *from, struct taps *to)
{
    enum { WAVES = 2 * MAX_WEIGHTS };
    const double c = 0.02 * response(from, 0);
    double inverse[WAVES];
    for (int q = 0; q < WAVES; q++)
        inverse[q] = 1 / (response(from, 2 * pi * q / WAVES) + c);
    for (long k = 0; k < MAX_WEIGHTS; k++) {
        double sum = 0;
        for (int q = 0; q < WAVES; q++)
            sum += inverse[q] * cos(2 * pi * (double)k * q / WAVES);
        to->weight[k] = sum / WAVES;
        if (fabs(to->weight[k]) > 1e-5 * to->weight[0]) to->k = k;
    }
}

/* ---- systems ------------------------------------------------------------ */

/* The caller calls close_system() whatever the status. */
static koshu_status
open_system(struct system *s, double core)
{
    set_weights(&s->smooth, s->lattice->h, core);
    set_inverse(&s->smooth, &s->sharpen);
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
